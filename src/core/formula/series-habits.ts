// General facts about series: which are seasonally adjusted, how long after a period's end a value usually comes, which day
// stands for a week. The provider's own file says what its codes tell; all of it serves warnings only.

import { parseReference, type SeriesHeader, type SeriesProvider } from '../series/series.ts'
import type { Frequency } from '../time/period.ts'
import { type Weekday, weekdays } from './formula.ts'

export interface SeriesHabits {
  /** The codes of seasonally adjusted series. */
  readonly adjustedCodes?: RegExp
  /** Days from a period's end to its value, rounded up to a safe number. */
  readonly delayDays?: Readonly<Partial<Record<Frequency, number>>>
}

export type ProviderHabits = ReadonlyMap<SeriesProvider, SeriesHabits>

export const nothingKnown: ProviderHabits = new Map()

export function isSeasonallyAdjusted(reference: string, name: string, habits: ProviderHabits): boolean {
  if (/\b(?:not|non|un)[ -]?(?:seasonally|adjusted)/i.test(name)) return false
  if (/seasonally(?: and calendar)? adjusted/i.test(name)) return true
  const parsed = parseReference(reference)
  return parsed !== null && habits.get(parsed.provider)?.adjustedCodes?.test(parsed.code) === true
}

export function usualDelayDays(reference: string, frequency: Frequency, habits: ProviderHabits): number | null {
  const parsed = parseReference(reference)
  return parsed === null ? null : (habits.get(parsed.provider)?.delayDays?.[frequency] ?? null)
}

const weekEnding = /\bweek(?:ly)?,? ending(?: on)?,? (mon|tues|wednes|thurs|fri|satur|sun)day\b/i

/** The day that stands for a week, by the description of the series; 0 for Monday, which is the default. */
export function usualWeekday({ name, unit }: Pick<SeriesHeader, 'name' | 'unit'>): number {
  const day = weekEnding.exec(`${name} ${unit}`)?.[1]?.toUpperCase()
  return day === undefined ? 0 : weekdays.indexOf(`${day}DAY` as Weekday)
}
