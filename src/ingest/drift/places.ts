// The place of an answer: the data set whose answers look alike, the route that was asked, and the family whose series come
// together. A provider adds only the peculiarities of its codes.
import type { Frequency } from '../../core/time/period.ts'
import type { Provider } from '../../providers/provider.ts'
import { driftLimits } from './drift-limits.ts'

/** The part of a code that decides what columns an answer has; empty where none does. */
function dataSetOf(provider: Provider, code: string): string {
  if (provider.dataSetOf !== undefined) return provider.dataSetOf(code)
  const end = code.lastIndexOf('/')
  return end < 0 ? '' : code.slice(0, end)
}

/** The data set of all codes of a request; empty if they do not share one. */
export function dataSetOfAll(provider: Provider, codes: readonly string[]): string {
  const sets = new Set(codes.map(code => dataSetOf(provider, code)))
  return sets.size === 1 ? [...sets][0]! : ''
}

/** Address without the parts that name series: `series/observations`. */
export function routeOf(address: string | null, codes: readonly string[]): string {
  if (address === null || !URL.canParse(address)) return ''
  const parts = new Set(codes.flatMap(code => code.toLowerCase().split(/[/,]/)))
  return new URL(address).pathname
    .split('/')
    .filter(part => /^[A-Za-z_]+$/.test(part) && !parts.has(part.toLowerCase()))
    .join('/')
}

/** Series that are published together; `null` if the code does not say with which. */
export function familyOf(provider: Provider, code: string): string | null {
  return provider.releases?.releaseOf(code) ?? (dataSetOf(provider, code) || null)
}

interface Sibling {
  readonly code: string
  readonly frequency: Frequency
  readonly newest: number | null
  /** Usual number of periods behind; `null` if it is not known yet. */
  readonly behind: number | null
}

export interface SeriesLag {
  readonly code: string
  readonly behind: number
  /** Whether the series fell back by more than a late figure. */
  readonly isLeftBehind: boolean
}

/** Periods that a series may fall back before somebody has to look. */
const patience: Readonly<Record<Frequency, number>> = {
  DAILY: 10,
  WEEKLY: 3,
  MONTHLY: 2,
  QUARTERLY: 2,
  SEMIANNUAL: 2,
  ANNUAL: 2,
}

/** Lags of the series of one family, by frequency; families that are too small have none. */
export function placesIn(family: readonly Sibling[]): readonly SeriesLag[] {
  return [...Map.groupBy(family, ({ frequency }) => frequency)].flatMap(([frequency, own]) => {
    const dated = own.filter((each): each is Sibling & { newest: number } => each.newest !== null)
    if (dated.length < driftLimits.family) return []
    const order = dated.map(({ newest }) => newest).sort((a, b) => a - b)
    const front = order[order.length >> 1]!
    return dated.map(({ code, newest, behind: before }) => {
      const behind = Math.max(0, front - newest)
      return { code, behind, isLeftBehind: before !== null && behind - before >= patience[frequency] }
    })
  })
}
