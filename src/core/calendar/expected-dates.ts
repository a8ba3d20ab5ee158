// The expected date of a period's figure, from the facts known at one instant: announced, learned from the first publications,
// or by the provider's usual delay. Each answer names its basis, and how often that rule was right. Nothing here asks what day
// it is; callers decide whether a figure is late.
import { type Day, formatDay, weekdayOf } from '../time/day.ts'
import { type Frequency, formatPeriod, lastDayOf, type Period } from '../time/period.ts'
import { announcedFor, dayOfEntry, entriesKnown, type KnownRelease } from './announcements.ts'
import { learnedDays, learnedFinal, type UsualDays } from './learned-dates.ts'
import type { FirstPrint, FirstPrints } from './publications.ts'
import type { DateBasis, ExpectedDate, Release } from './release.ts'

/** The facts known about one series at an instant. */
export interface SeriesRhythm extends FirstPrints {
  readonly frequency: Frequency
  /** The entries of its release, moved ones included; none for a provider without a calendar. */
  readonly releases: readonly KnownRelease[]
  /** The provider's usual delay for series of this frequency; null where it has none. */
  readonly usualDelayDays: number | null
}

export interface SeriesDates {
  /** The expected date of a period's figure; null where there is none, or no figure will come. */
  expected(period: Period): ExpectedDate | null
  /** The expected date of its final figure, for readings that wait for it. */
  expectedFinal(period: Period): ExpectedDate | null
  /** The entry of the calendar for a period, cancelled and postponed ones included. */
  announced(period: Period): Release | null
}

/** Days that are granted after the latest before a rule counts as wrong. */
const grantedDays: Readonly<Record<DateBasis, number>> = { OFFICIAL: 1, DATE_ONLY: 1, LEARNED: 3, USUAL: 0 }

const checkedPeriods = 12

/** A rule's answer for a period, by the publications known at the end of a day. */
type Rule = (period: Period, published: readonly FirstPrint[], by: Day) => Omit<UsualDays, 'known'> | null

export function seriesDates(known: SeriesRhythm): SeriesDates {
  const { frequency, releases, published, newest, usualDelayDays } = known
  const entries = entriesKnown(releases, null)
  const announced = (period: Period) => announcedFor(period, entries, newest)
  const usual = (period: Period) => usualDays(period, usualDelayDays)

  const calendarRule: Rule = (period, then, by) => {
    const entry = announcedFor(period, entriesKnown(releases, by), then.at(-1) ?? null)
    if (entry === null || !hasDate(entry)) return null
    const day = dayOfEntry(entry)
    return { expected: day, latest: day }
  }
  const share = {
    calendar: once(() => hitRate(known, calendarRule, grantedDays.DATE_ONLY)),
    learned: once(() =>
      hitRate(known, ({ ordinal }, then) => learnedDays(frequency, ordinal, then), grantedDays.LEARNED),
    ),
    usual: once(() => hitRate(known, usual, grantedDays.USUAL)),
    final: once(() => finalHitRate(known)),
  }

  const expected = (period: Period): ExpectedDate | null => {
    const label = formatPeriod(period)
    const entry = announced(period)
    if (entry !== null) {
      if (!hasDate(entry)) return null
      const { at, status: basis } = entry
      return { period: label, expectedAt: at, latestAt: at, basis, known: null, hitRate: share.calendar() }
    }
    const learned = learnedDays(frequency, period.ordinal, published)
    if (learned !== null) return onDays(label, learned, 'LEARNED', learned.known, share.learned())
    const days = usual(period)
    return days === null ? null : onDays(label, days, 'USUAL', null, share.usual())
  }

  const expectedFinal = (period: Period): ExpectedDate | null => {
    const first = firstOf(period, published, expected)
    if (first === null) return null
    const days = learnedFinal(frequency, period.ordinal, first.days, published)
    if (days === null) return null
    if (days.expected === first.days.expected && first.answer !== null) return first.answer
    return onDays(formatPeriod(period), days, 'LEARNED', days.known, share.final())
  }

  return { expected, expectedFinal, announced }
}

/**
 * The periods that come next, after the newest with a value. A daily series without a value at weekends has none there
 * in future either.
 */
export function nextPeriods(
  { frequency, published, newest }: Pick<SeriesRhythm, 'frequency' | 'published' | 'newest'>,
  count: number,
): readonly Period[] {
  if (newest === null) return []
  const isWeekend = (ordinal: number) => weekdayOf(ordinal) > 4
  const skips = frequency === 'DAILY' && !published.slice(-daysLookedAt).some(({ ordinal }) => isWeekend(ordinal))
  const next: Period[] = []
  for (let ordinal = newest.ordinal + 1; next.length < count; ordinal++)
    if (!skips || !isWeekend(ordinal)) next.push({ frequency, ordinal })
  return next
}

const daysLookedAt = 30

/** The days of the first publication: as it was, or as it is expected. */
function firstOf(
  period: Period,
  published: readonly FirstPrint[],
  expected: (period: Period) => ExpectedDate | null,
): { readonly days: { expected: Day; latest: Day }; readonly answer: ExpectedDate | null } | null {
  const was = published.find(({ ordinal }) => ordinal === period.ordinal)
  if (was !== undefined) return { days: { expected: was.day, latest: was.day }, answer: null }
  const answer = expected(period)
  if (answer === null) return null
  const days = { expected: dayOfEntry({ at: answer.expectedAt }), latest: dayOfEntry({ at: answer.latestAt }) }
  return { days, answer }
}

/** The usual delay is one number for all series of a provider: its window is twice as wide. */
function usualDays(period: Period, delayDays: number | null): Omit<UsualDays, 'known'> | null {
  if (delayDays === null) return null
  const end = lastDayOf(period)
  return { expected: end + delayDays, latest: end + 2 * delayDays }
}

function onDays(
  period: string,
  { expected, latest }: Omit<UsualDays, 'known'>,
  basis: DateBasis,
  known: number | null,
  hits: string | null,
): ExpectedDate {
  return { period, expectedAt: formatDay(expected), latestAt: formatDay(latest), basis, known, hitRate: hits }
}

function hasDate(entry: Release): entry is Release & { readonly status: 'OFFICIAL' | 'DATE_ONLY' } {
  return entry.status === 'OFFICIAL' || entry.status === 'DATE_ONLY'
}

/**
 * The share of the last periods for which a rule was right, each by the publications known when the period ended. Periods
 * without an answer then are not counted.
 */
function hitRate({ frequency, published }: SeriesRhythm, rule: Rule, granted: number): string | null {
  const checks = published.slice(-checkedPeriods).flatMap(({ ordinal, day }) => {
    const period = { frequency, ordinal }
    const by = lastDayOf(period)
    const then = published.filter(other => other.ordinal < ordinal && other.day <= by)
    const said = rule(period, then, by)
    return said === null ? [] : [isRight(said, day, granted)]
  })
  return shareOf(checks)
}

/** The hit rate for final figures, by the publications known when the first one came. */
function finalHitRate({ frequency, published }: SeriesRhythm): string | null {
  const finals = published.filter(({ finalDay }) => finalDay !== null)
  const checks = finals.slice(-checkedPeriods).flatMap(({ ordinal, day, finalDay }) => {
    const then = finals.filter(other => other.ordinal < ordinal && other.finalDay! <= day)
    const said = learnedFinal(frequency, ordinal, { expected: day, latest: day }, then)
    return said === null ? [] : [isRight(said, finalDay!, grantedDays.LEARNED)]
  })
  return shareOf(checks)
}

/**
 * The window has as many days before the expected day as after it: a figure that comes long before was not expected then
 * either.
 */
export function isRight({ expected, latest }: Omit<UsualDays, 'known'>, day: Day, granted: number): boolean {
  const last = latest + granted
  return day <= last && day >= expected - (last - expected)
}

/** Two decimals, half up, on whole numbers. */
function shareOf(checks: readonly boolean[]): string | null {
  if (checks.length === 0) return null
  const right = checks.filter(isSo => isSo).length
  const hundredths = Math.floor((200 * right + checks.length) / (2 * checks.length))
  return `${Math.floor(hundredths / 100)}.${(hundredths % 100).toString().padStart(2, '0')}`
}

function once<T>(compute: () => T): () => T {
  let kept: { readonly value: T } | null = null
  return () => {
    kept ??= { value: compute() }
    return kept.value
  }
}
