// The fifteen providers by name; each is described in its own file.
import type { ProviderHabits } from '../../core/formula/series-habits.ts'
import { Refusal } from '../../core/refusal.ts'
import type { ProviderName } from '../../core/series/series.ts'
import { abs } from '../abs.ts'
import { bis } from '../bis.ts'
import { bls } from '../bls.ts'
import { boj } from '../boj.ts'
import { dbnomics } from '../dbnomics.ts'
import { ecb } from '../ecb.ts'
import { eia } from '../eia.ts'
import { eurostat } from '../eurostat.ts'
import { fred } from '../fred.ts'
import { imf } from '../imf.ts'
import { nasdaqDataLink } from '../nasdaq-data-link.ts'
import { oecd } from '../oecd.ts'
import { ons } from '../ons.ts'
import type { Provider } from '../provider.ts'
import { statcan } from '../statcan.ts'
import { worldBank } from '../world-bank.ts'

export const providers: Readonly<Record<ProviderName, Provider>> = {
  BLS: bls,
  FRED: fred,
  EIA: eia,
  ECB: ecb,
  WORLD_BANK: worldBank,
  IMF: imf,
  EUROSTAT: eurostat,
  ONS: ons,
  STATCAN: statcan,
  ABS: abs,
  BIS: bis,
  BOJ: boj,
  OECD: oecd,
  DBNOMICS: dbnomics,
  NASDAQ_DATA_LINK: nasdaqDataLink,
}

const all = Object.values(providers)

export function findProvider(name: string): Provider {
  const provider = all.find(each => each.name === name)
  if (provider === undefined)
    throw new Refusal('invalid', `"${name}" is not a provider; the providers are ${Object.keys(providers).join(' ')}`)
  return provider
}

/** General facts about each provider's series. */
export const providerHabits: ProviderHabits = new Map(all.map(({ name, habits = {} }) => [name, habits]))

/** Each provider's name in a table or in a sentence. */
export const shortTitles = Object.fromEntries(all.map(({ name, shortTitle }) => [name, shortTitle]))
