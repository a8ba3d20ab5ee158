// Structures of one workspace: a dataflow for each provider of a visible series, and one for its agreements.

import { type SeriesProvider, seriesProviders } from '../../core/series/series.ts'
import { isBy } from '../../core/series/vintage.ts'
import { type Instant, instantOfMicros } from '../../core/time/instant.ts'
import type { AnyArtefact, DataStructure, NamedArtefact } from '../../formats/sdmx/artefacts.ts'
import { codeId } from '../../formats/sdmx/code-id.ts'
import {
  agreementCodelists,
  agreementsStructure,
  codelist,
  conceptScheme,
  dataflowOf,
  seriesListId,
  seriesStructure,
  sharedCodelists,
} from '../../formats/sdmx/structures.ts'
import { metadataAt } from '../../read/lists/agreement-series.ts'
import type { CachedIndex } from '../../read/lists/cached-index.ts'
import type { AgreementRecord } from '../../storage/agreements/agreements.ts'
import type { VisibleSeries } from '../../storage/series/visible-series.ts'

export class Catalogue {
  readonly #index: CachedIndex
  /** Recording instant of the newest of these descriptions. */
  readonly newest: Instant
  /** Agreements by slug, with their names. */
  readonly agreements: readonly NamedArtefact[]
  readonly #knownAt: Instant
  readonly providers: readonly SeriesProvider[]

  /** `agreements` are those with visible numbers. */
  constructor(index: CachedIndex, agreements: readonly AgreementRecord[], knownAt: Instant) {
    this.#index = index
    this.agreements = agreements.map(each => ({ id: each.slug, name: nameOf(each, knownAt) }))
    this.#knownAt = knownAt
    this.newest = newestOf(index, agreements, knownAt)
    const followed = new Set(index.series.map(({ provider }) => provider))
    this.providers = seriesProviders.filter(provider => followed.has(provider))
  }

  /** Artefacts in the order of the answer. */
  artefacts(): readonly AnyArtefact[] {
    const structures = [...this.providers.map(seriesStructure), agreementsStructure]
    return [
      ...structures.map(dataflowOf),
      ...structures,
      conceptScheme,
      ...sharedCodelists,
      ...this.providers.map(provider =>
        codelist(seriesListId(provider), `Series of ${provider}`, this.#seriesCodes(provider)),
      ),
      ...agreementCodelists,
      codelist('CL_AGREEMENT', 'Agreements', this.agreements),
    ]
  }

  /** Structures of all dataflows. */
  structures(): readonly DataStructure[] {
    return [...this.providers.map(seriesStructure), agreementsStructure]
  }

  *seriesOf(provider: string): Generator<VisibleSeries> {
    for (const series of this.#index.series) if (series.provider === provider) yield series
  }

  #seriesCodes(provider: string): Iterable<NamedArtefact> {
    const those = () => this.seriesOf(provider)
    const knownAt = this.#knownAt
    return {
      *[Symbol.iterator]() {
        for (const series of those()) yield { id: codeId(series.code), name: metadataAt(series, knownAt).name }
      },
    }
  }
}

function nameOf({ states, slug }: AgreementRecord, knownAt: Instant): string {
  return states.findLast(({ recordedAt }) => isBy(recordedAt, knownAt))?.name ?? slug
}

function newestOf({ series }: CachedIndex, agreements: readonly AgreementRecord[], knownAt: Instant): Instant {
  let newest: Instant = instantOfMicros(0)
  const see = (recordedAt: Instant | undefined) => {
    if (recordedAt !== undefined && recordedAt > newest && recordedAt <= knownAt) newest = recordedAt
  }
  for (const { metadata } of series) see(metadata.at(-1)?.recordedAt)
  for (const { states } of agreements) see(states.at(-1)?.recordedAt)
  return newest
}
