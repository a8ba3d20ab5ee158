// The searches of the providers that have one, by name.
import type { ProviderName } from '../../core/series/series.ts'
import type { ProviderSearch } from './search.ts'
import { dbnomicsSearch } from './search-dbnomics.ts'
import { eiaSearch } from './search-eia.ts'
import { fredSearch } from './search-fred.ts'
import { onsSearch } from './search-ons.ts'
import { sdmxSearches } from './search-sdmx.ts'
import { statcanSearch } from './search-statcan.ts'

const searches: readonly ProviderSearch[] = [
  fredSearch,
  onsSearch,
  dbnomicsSearch,
  eiaSearch,
  statcanSearch,
  ...sdmxSearches,
]

export function searchOf(name: ProviderName): ProviderSearch | undefined {
  return searches.find(search => search.name === name)
}
