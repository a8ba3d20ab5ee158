// Due dates: the state of an agreement's adjustment date, by the figures it waits for, their expected dates and the time. The
// instants at which something becomes late are computed once; with them, every later state is a comparison.
import { type Day, formatDay, parseDay } from '../time/day.ts'
import { dayOfInstant, type Instant, instantOfMicros, microsOf, startOfDay } from '../time/instant.ts'
import type { AwaitedFigure, AwaitedOnDate, FigureName } from './awaited-figures.ts'
import type { DateBasis, ExpectedDate, ReleaseStatus } from './release.ts'

/** The most pressing first. */
export const dueStates = ['LATE', 'BLOCKED', 'AT_RISK', 'WAITING', 'READY', 'FINAL_PENDING', 'SCHEDULED'] as const
export type DueState = (typeof dueStates)[number]

/** The published end of a series. */
export interface SeriesEnd {
  readonly kind: 'ENDED' | 'SUPERSEDED'
  readonly sentence: string
}

/** Facts about the arrival of a figure. */
export interface Outlook {
  /** The expected date; null where there is none. */
  readonly expected: ExpectedDate | null
  /** The instant from which the figure is late; null without an expected date. */
  readonly lateFrom: Instant | null
  /** The published status of its release; null where nothing was published. */
  readonly status: ReleaseStatus | null
  /** Whether its release had another date before. */
  readonly isMoved: boolean
  /** The instant from which the series is silent for so long that it has probably ended; null while it is not. */
  readonly endedFrom: Instant | null
  /** The published end; null while its series goes on. */
  readonly end: SeriesEnd | null
  /** True for series whose figures people record themselves: nobody announces a date. */
  readonly isOwn: boolean
}

export const nothingKnownOf: Outlook = {
  expected: null,
  lateFrom: null,
  status: null,
  isMoved: false,
  endedFrom: null,
  end: null,
  isOwn: false,
}

type OutlookOf = (figure: FigureName) => Outlook

/** One adjustment date that still needs something. */
export interface DueDate extends AwaitedOnDate {
  readonly date: Day
  /** The label of its period. */
  readonly period: string
  /** Whether both signed it on figures that are not final, which the contract corrects with the final ones. */
  readonly isSigned: boolean
  /** Why it has no number although no figure is missing; null where it has one, or will. */
  readonly gap: string | null
}

/** A figure that a date waits for, with its date. */
export interface WaitsFor extends FigureName {
  /** An instant, or a day; null without an expected date. */
  readonly expectedAt: string | null
  readonly basis: DateBasis | null
}

/** A figure whose release was cancelled, and the clause's rule for it. */
export interface CancelledFigure extends FigureName, Pick<AwaitedFigure, 'rule' | 'instead'> {}

/** A figure whose series has ended, as published or, by its silence, probably. */
export interface EndedFigure extends FigureName, Pick<Outlook, 'end'> {}

export interface DueNow {
  readonly state: DueState
  /** The latest awaited figure; for a provisional number, the latest real value. */
  readonly waitsFor: WaitsFor | null
  /** The first day on which its number can be proposed; null where no day can be said. */
  readonly readyOn: string | null
  /** Whether the number rests on the clause's substitutes for missing figures. */
  readonly isProvisional: boolean
  /** The newer figure that comes before the date is fixed, for readings of the newest ones. */
  readonly newer: WaitsFor | null
  readonly late: readonly FigureName[]
  readonly cancelled: readonly CancelledFigure[]
  readonly ended: readonly EndedFigure[]
  /** Why it has no number although no figure is missing. */
  readonly gap: string | null
}

const microsPerHour = 3_600_000_000

/** The grace after the latest date, by the basis of the date. */
const granted = { instantHours: 2, dateOnlyDays: 1, learnedDays: 3 } as const

/**
 * A date with a time of day is granted hours. A day is over when it ends, and is granted another day; a learned day is granted
 * as many days as its window has, and three at least.
 */
export function lateFrom({ expectedAt, latestAt, basis }: ExpectedDate): Instant {
  const day = parseDay(latestAt)
  if (day === null) return instantOfMicros(microsOf(latestAt) + granted.instantHours * microsPerHour)
  if (basis === 'OFFICIAL' || basis === 'DATE_ONLY') return startOfDay(day + 1 + granted.dateOnlyDays)
  return startOfDay(day + 1 + Math.max(granted.learnedDays, day - dayOfExpected(expectedAt)))
}

export function dayOfExpected(at: string): Day {
  return parseDay(at) ?? dayOfInstant(at)
}

/** Whether the release of a figure will not come. */
export function isCancelled({ status }: Outlook): boolean {
  return status === 'CANCELLED'
}

/** A figure that will not come is not late. */
export function isLate({ lateFrom: from, status, end }: Outlook, now: Instant): boolean {
  return status !== 'CANCELLED' && end === null && from !== null && from <= now
}

/**
 * Adds the date to an own figure for which nothing was learned: it is late when the date has come, unless the clause does
 * without it.
 */
export function onDate(outlook: Outlook, date: Day, { instead }: Pick<AwaitedFigure, 'instead'>): Outlook {
  if (!outlook.isOwn || outlook.lateFrom !== null || instead !== null) return outlook
  return { ...outlook, lateFrom: startOfDay(date + 1 + granted.dateOnlyDays) }
}

export function hasEnded({ endedFrom, end }: Outlook, now: Instant): boolean {
  return end !== null || (endedFrom !== null && endedFrom <= now)
}

/** The figures that a calendar shows: awaited ones, and agreed ones whose release was cancelled. */
export function figuresTold(
  { figures, agreed }: Pick<AwaitedOnDate, 'figures' | 'agreed'>,
  outlookOf: OutlookOf,
): readonly AwaitedFigure[] {
  return agreed.length === 0 ? figures : [...figures, ...agreed.filter(figure => isCancelled(outlookOf(figure)))]
}

export function dueNow(due: DueDate, outlookOf: OutlookOf, now: Instant): DueNow {
  const known = due.figures.map(figure => ({ figure, outlook: onDate(outlookOf(figure), due.date, figure) }))
  const agreed = due.agreed.map(figure => ({ figure, outlook: outlookOf(figure) }))
  // A substitute gives a number, and its figure is still expected.
  const open = known.filter(({ figure }) => figure.instead === null)
  return {
    state: stateOf(due, known, open, now),
    waitsFor: latestOf(open.length > 0 ? open : known),
    readyOn: readyOn(due, open, now),
    isProvisional: open.length === 0 && known.length > 0 && !due.isSigned,
    newer: newerOf(due, outlookOf),
    late: namesOf(known, outlook => isLate(outlook, now)),
    cancelled: cancelledIn([...known, ...agreed]),
    ended: endedIn(known, now),
    gap: due.gap,
  }
}

interface KnownFigure {
  readonly figure: AwaitedFigure
  readonly outlook: Outlook
}

function stateOf(due: DueDate, known: readonly KnownFigure[], open: readonly KnownFigure[], now: Instant): DueState {
  if (due.isSigned) return 'FINAL_PENDING'
  const today = dayOfInstant(now)
  const hasCome = due.date <= today
  if (due.gap !== null && hasCome) return 'BLOCKED'
  if (open.some(({ figure, outlook }) => willNotCount(figure, outlook, now))) return 'BLOCKED'
  if (hasCome && open.length === 0) return 'READY'
  if ((hasCome ? open : known).some(({ outlook }) => isLate(outlook, now))) return 'LATE'
  if (hasCome) return 'WAITING'
  return open.some(({ outlook }) => isAfter(outlook.expected, due.date)) ? 'AT_RISK' : 'SCHEDULED'
}

/** Whether its release is cancelled, its series has ended, or the last day for its publication is over. */
function willNotCount({ countsUntil }: AwaitedFigure, outlook: Outlook, now: Instant): boolean {
  if (isCancelled(outlook) || hasEnded(outlook, now)) return true
  return countsUntil !== null && countsUntil < dayOfInstant(now)
}

function isAfter(expected: ExpectedDate | null, date: Day): boolean {
  return expected !== null && dayOfExpected(expected.expectedAt) > date
}

/** The latest figure: one without a date comes after all others. */
function latestOf(known: readonly KnownFigure[]): WaitsFor | null {
  let latest: KnownFigure | null = null
  for (const each of known) {
    if (each.outlook.expected === null) return waitsFor(each.figure, each.outlook)
    if (latest === null || latest.outlook.expected!.expectedAt < each.outlook.expected.expectedAt) latest = each
  }
  return latest === null ? null : waitsFor(latest.figure, latest.outlook)
}

function waitsFor({ series, period, stage }: FigureName, { expected }: Outlook): WaitsFor {
  return { series, period, stage, expectedAt: expected?.expectedAt ?? null, basis: expected?.basis ?? null }
}

/** No day is known for a figure that should have come by now, or will not come. */
function readyOn({ date, gap, isSigned }: DueDate, open: readonly KnownFigure[], now: Instant): string | null {
  if (gap !== null || isSigned) return null
  let last = formatDay(date)
  for (const { figure, outlook } of open) {
    if (outlook.expected === null || isLate(outlook, now) || willNotCount(figure, outlook, now)) return null
    // Days and instants begin with the day, and sort as they read.
    const day = outlook.expected.expectedAt.slice(0, 10)
    if (day > last) last = day
  }
  return last
}

function newerOf({ newer }: DueDate, outlookOf: OutlookOf): WaitsFor | null {
  if (newer === null) return null
  const outlook = outlookOf(newer)
  return outlook.expected === null || isAfter(outlook.expected, newer.countsUntil) ? null : waitsFor(newer, outlook)
}

const none: readonly never[] = []

/** Most dates have none, in lists of many thousands: they share one list. */
function namesOf(known: readonly KnownFigure[], is: (outlook: Outlook) => boolean): readonly FigureName[] {
  if (!known.some(({ outlook }) => is(outlook))) return none
  return known
    .filter(({ outlook }) => is(outlook))
    .map(({ figure: { series, period, stage } }) => ({ series, period, stage }))
}

function endedIn(known: readonly KnownFigure[], now: Instant): readonly EndedFigure[] {
  if (!known.some(({ outlook }) => hasEnded(outlook, now))) return none
  return known
    .filter(({ outlook }) => hasEnded(outlook, now))
    .map(({ figure: { series, period, stage }, outlook: { end } }) => ({ series, period, stage, end }))
}

function cancelledIn(known: readonly KnownFigure[]): readonly CancelledFigure[] {
  if (!known.some(({ outlook }) => isCancelled(outlook))) return none
  return known
    .filter(({ outlook }) => isCancelled(outlook))
    .map(({ figure: { series, period, stage, rule, instead } }) => ({ series, period, stage, rule, instead }))
}
