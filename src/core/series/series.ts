// Nouns of published data: a series and its values. No rules here: those are in vintage.ts.
import type { Instant } from '../time/instant.ts'
import type { Frequency } from '../time/period.ts'

export const providerNames = [
  'BLS',
  'FRED',
  'EIA',
  'ECB',
  'WORLD_BANK',
  'IMF',
  'EUROSTAT',
  'ONS',
  'STATCAN',
  'ABS',
  'BIS',
  'BOJ',
  'OECD',
  'DBNOMICS',
  'NASDAQ_DATA_LINK',
] as const
export type ProviderName = (typeof providerNames)[number]

/** The fifteen, and a workspace's own series. */
export const seriesProviders = [...providerNames, 'CUSTOM'] as const
export type SeriesProvider = (typeof seriesProviders)[number]

export const dataTypes = ['INDEX', 'PRICE', 'RATE', 'FX', 'WAGE'] as const
export type DataType = (typeof dataTypes)[number]

export const versionTags = ['PRELIMINARY', 'FINAL', 'REVISED'] as const
export type VersionTag = (typeof versionTags)[number]

/** One value of one period as published once. */
export interface Vintage {
  /** The published digits; `null` where the period was withdrawn. */
  readonly value: string | null
  readonly tag: VersionTag | null
  /** The provider's own mark, as it came. */
  readonly flag: string | null
  readonly publishedAt: Instant
  /** The time at which this installation stored it; absent where the values come from a file. */
  readonly recordedAt: Instant | null
}

export interface SeriesHeader {
  /** `PROVIDER/code`. */
  readonly reference: string
  readonly name: string
  readonly unit: string
  readonly frequency: Frequency
}

/** A series with all its vintages: for each period, oldest publication first. */
export interface SeriesHistory extends SeriesHeader {
  /** Vintages by the ordinal of their period, ascending. */
  readonly periods: ReadonlyMap<number, readonly Vintage[]>
  /** The running numbers of `periods`, ascending. */
  readonly ordinals: readonly number[]
}

interface SeriesReference {
  readonly provider: SeriesProvider
  readonly code: string
}

/** Splits `PROVIDER/code`; `null` where the provider is unknown or the code is empty or has blanks around it. */
export function parseReference(text: string): SeriesReference | null {
  const slash = text.indexOf('/')
  if (slash < 0) return null
  const provider = seriesProviders.find(name => name === text.slice(0, slash))
  const code = text.slice(slash + 1)
  if (provider === undefined || code === '' || code !== code.trim() || code.length > 200) return null
  return { provider, code }
}

/** The message for a text that is no reference, at a command line and on a page. */
export function notASeries(text: string): string {
  return `"${text}" is not a series; write PROVIDER/code, such as BLS/CUUR0000SA0`
}
