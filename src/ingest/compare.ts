// What a reading means beside what we hold (C12), and whether a person has to look at it first (T15). Pure: the
// clock is an argument, and nothing is published here. Absence counts only in what was asked for and came whole.
import type { Day } from '../core/day.ts'
import { dayOfInstant, type Instant, parseDayOrInstant, startOfDay } from '../core/instant.ts'
import { type Frequency, firstDayOf, lastDayOf, parsePeriod } from '../core/period.ts'
import type { VersionTag, Vintage } from '../core/series.ts'
import { isSameValue, isSettled, isStatement, placeBehind, type Statement, vintageBehind } from '../core/vintage.ts'
import { limits } from '../limits.ts'
import type { ObservationReading, SeriesReading } from '../providers/provider.ts'

export interface Held {
  /** Empty where it is not known. */
  readonly unit: string
  readonly frequency: Frequency
  /** By the period's running number; oldest publication first. */
  readonly vintages: ReadonlyMap<number, readonly Vintage[]>
}

export interface Asked {
  /** Only periods that reach this day; null for the whole history. */
  readonly from: Day | null
  /** Only what changed was asked for: absence says nothing. */
  readonly isDelta: boolean
  readonly isComplete: boolean
  readonly now: Instant
}

export interface NewVintage {
  readonly period: number
  /** `null`: withdrawn. */
  readonly value: string | null
  readonly tag: VersionTag | null
  readonly flag: string | null
  /** `null`: unknown, so the moment it is recorded. */
  readonly publishedAt: Instant | null
}

export interface Comparison {
  readonly rows: readonly NewVintage[]
  /** Vintages of periods that had none. */
  readonly added: number
  /** Vintages that change what was held of a period. */
  readonly revised: number
  readonly withdrawn: number
  /** Settled values that were changed or withdrawn, among those that were looked at. */
  readonly rewritten: readonly { readonly period: number; readonly value: string | null }[]
  readonly settledInRange: number
  readonly settled: number
  /** Settled values before the first period of a whole history that came: gone at the provider, kept here. */
  readonly dropped: number
  readonly unitChange: { readonly from: string; readonly to: string } | null
}

export function compareReading(reading: SeriesReading, held: Held, asked: Asked): Comparison {
  const today = dayOfInstant(asked.now)
  const current = groupByPeriod(reading, today)
  const withdrawn = findWithdrawn(reading, current, held, asked, today)
  const rows: NewVintage[] = []
  const rewritten: { period: number; value: string | null }[] = []
  let [added, revised, gone] = [0, 0, 0]
  for (const period of new Set([...current.keys(), ...withdrawn.keys()])) {
    const before = held.vintages.get(period) ?? []
    const observations = current.get(period) ?? []
    const fresh = judgePeriod(period, observations, withdrawn.get(period), before, asked.now)
    rows.push(...fresh)
    const values = fresh.filter(({ value }) => value !== null).length
    gone += fresh.length - values
    if (before.length === 0) added += values
    else revised += values
    const settled = settledValue(before)
    const value = withdrawn.has(period) ? null : observations.at(-1)!.value
    if (settled !== null && !isSameValue(settled, value)) rewritten.push({ period, value })
  }
  rows.sort((a, b) => a.period - b.period)
  const first = asked.from === null && !asked.isDelta && asked.isComplete ? firstOf(current) : -Infinity
  const counts = countSettled(held, asked.from, first)
  const unitChange = unitChangeOf(held.unit, reading.unit)
  return { rows, added, revised, withdrawn: gone, rewritten, ...counts, unitChange }
}

/** By running number. A period that has not begun is a forecast or an announcement, whatever it is called. */
function groupByPeriod(reading: SeriesReading, today: Day): ReadonlyMap<number, readonly ObservationReading[]> {
  const groups = new Map<number, ObservationReading[]>()
  for (const observation of reading.observations) {
    const period = parsePeriod(observation.period)!
    if (firstDayOf(period) > today) continue
    const group = groups.get(period.ordinal)
    if (group === undefined) groups.set(period.ordinal, [observation])
    else group.push(observation)
  }
  return groups
}

/** When a period was withdrawn; `null` where nobody says when. */
type Withdrawal = Instant | null

/**
 * The vintages of one period that are new. All rows but the last are its past: they are taken in at their place, unless
 * they are held or repeat the one before. The last, or the withdrawal behind it, is what the provider says now: unless it
 * repeats the newest vintage, it becomes the newest, under its own date where that is not before the newest.
 */
function judgePeriod(
  period: number,
  observations: readonly ObservationReading[],
  withdrawal: Withdrawal | undefined,
  before: readonly Vintage[],
  now: Instant,
): readonly NewVintage[] {
  const fresh: NewVintage[] = []
  const timeline = [...before]
  const add = (at: number, vintage: Omit<NewVintage, 'period'>) => {
    timeline.splice(at, 0, { ...vintage, publishedAt: vintage.publishedAt ?? now, recordedAt: null })
    fresh.push({ period, ...vintage })
  }
  const take = (at: number, { value, version, flag }: ObservationReading, publishedAt: Instant | null) => {
    // What a provider does not mark as preliminary or revised, it only calls settled.
    const mark = version === 'FINAL' ? 'SETTLED' : version
    const said: Statement = { value, mark, flag, publishedAt: publishedAt ?? now, recordedAt: null }
    const vintage = vintageBehind(timeline.slice(0, at), said)
    if (vintage === null || (publishedAt !== null && timeline.some(each => isStatement(each, said)))) return
    add(at, { value, tag: vintage.tag, flag, publishedAt })
  }
  /** The date itself, where what happens now can have happened then. */
  const currentDate = (published: Instant | null): Instant | null => {
    const newest = timeline.at(-1)
    const isBelieved =
      published !== null && published <= now && (newest === undefined || published >= newest.publishedAt)
    return isBelieved ? published : null
  }
  const past = withdrawal === undefined ? observations.slice(0, -1) : observations
  past.forEach((observation, index) => {
    const publishedAt = pastPublication(observation, instantOf(observations[index + 1]) ?? withdrawal ?? null)
    if (publishedAt !== null && publishedAt <= now) take(placeBehind(timeline, publishedAt), observation, publishedAt)
  })
  if (withdrawal === undefined) {
    const last = observations.at(-1)!
    take(timeline.length, last, currentDate(instantOf(last)))
    // Held under that date and overruled since: it is back, and nobody says when. Otherwise this repeats the line above.
    take(timeline.length, last, null)
  } else if (timeline.at(-1)?.value != null) {
    add(timeline.length, { value: null, tag: null, flag: null, publishedAt: currentDate(withdrawal) })
  }
  return fresh
}

function instantOf(observation: ObservationReading | undefined): Instant | null {
  return observation?.published == null ? null : parseDayOrInstant(observation.published)
}

/** Where the start of its window is not known, a row was in force until the day before what followed it. */
function pastPublication(observation: ObservationReading, next: Instant | null): Instant | null {
  if (observation.published !== null) return instantOf(observation)
  return next === null ? null : startOfDay(dayOfInstant(next) - 1)
}

/** The value in force, where it is a settled one. */
function settledValue(vintages: readonly Vintage[]): string | null {
  const newest = vintages.at(-1)
  return newest !== undefined && isSettled(newest) ? newest.value : null
}

/** Marks in the place of a value, as they stand now: a window that has closed again is over. */
function marksOf(reading: SeriesReading): ReadonlyMap<number, Withdrawal> {
  const marks = new Map<number, Withdrawal>()
  for (const { period, window } of reading.missing)
    if (window === undefined || window.to === null)
      marks.set(parsePeriod(period)!.ordinal, window === undefined ? null : parseDayOrInstant(window.from))
  return marks
}

/**
 * Periods that have a value here and none there. A mark in the place of a value is as good as its absence, and may come
 * in a delta as well. Before the first period of a whole history absence does not count: sets that only keep the last
 * years drop one at the front with every release.
 */
function findWithdrawn(
  reading: SeriesReading,
  current: ReadonlyMap<number, readonly ObservationReading[]>,
  held: Held,
  asked: Asked,
  today: Day,
): ReadonlyMap<number, Withdrawal> {
  if (!asked.isComplete) return new Map()
  const withdrawn = new Map<number, Withdrawal>()
  for (const [period, since] of marksOf(reading)) {
    const newest = instantOf(current.get(period)?.at(-1))
    const isHeld = held.vintages.get(period)?.at(-1)?.value != null
    const isOver = current.has(period) && (since === null || newest === null || newest > since)
    if (!isOver && (current.has(period) || isHeld)) withdrawn.set(period, since)
  }
  if (asked.isDelta) return withdrawn
  const first = firstOf(current)
  const { frequency } = held
  for (const [ordinal, vintages] of held.vintages) {
    const period = { frequency, ordinal }
    const isInRange = asked.from === null ? ordinal >= first : lastDayOf(period) >= asked.from
    if (vintages.at(-1)?.value == null || current.has(ordinal) || withdrawn.has(ordinal)) continue
    if (isInRange && firstDayOf(period) <= today) withdrawn.set(ordinal, null)
  }
  return withdrawn
}

function firstOf(current: ReadonlyMap<number, unknown>): number {
  return [...current.keys()].reduce((least, period) => Math.min(least, period), Infinity)
}

function countSettled({ vintages, frequency }: Held, from: Day | null, first: number) {
  let [settled, settledInRange, dropped] = [0, 0, 0]
  for (const [ordinal, own] of vintages) {
    if (settledValue(own) === null) continue
    settled++
    if (ordinal < first) dropped++
    if (from === null || lastDayOf({ frequency, ordinal }) >= from) settledInRange++
  }
  return { settled, settledInRange, dropped }
}

/** `null` where nothing is known to have changed. A multiplier that nobody mentions is none. */
function unitChangeOf(held: string, read: string | null): { from: string; to: string } | null {
  const isScaleAlone = multiplierOf(held) !== null && held.trim() === multiplierOf(held)
  if (read === null) return isScaleAlone ? { from: held, to: '' } : null
  const isOther = held !== '' && !isScaleAlone && plain(held) !== plain(read)
  return isOther || multiplierOf(held) !== multiplierOf(read) ? { from: held, to: read } : null
}

function multiplierOf(unit: string): string | null {
  return /\(x10\^-?\d+\)/.exec(unit)?.[0] ?? null
}

function plain(unit: string): string {
  return unit.replace(/\s+/g, ' ').trim().toLowerCase()
}

function isMuch(rewritten: number, of: number): boolean {
  return rewritten >= limits.rewrittenLeast && rewritten * limits.rewrittenOneIn > of
}

/** Where much of a window was rewritten, or anything in a delta, only the whole history can tell how much that is. */
export function needsWholeHistory({ rewritten, settledInRange }: Comparison, asked: Asked): boolean {
  if (asked.isDelta) return rewritten.length > 0
  return asked.from !== null && isMuch(rewritten.length, settledInRange)
}

/** Why a person has to look at it before it is published; `null` where nobody has to. */
export function quarantineReason({ rewritten, settled, dropped, unitChange }: Comparison): string | null {
  const reasons = [
    unitChange === null ? null : `the unit changed from "${unitChange.from}" to "${unitChange.to}"`,
    isMuch(rewritten.length, settled) ? `${rewritten.length} of ${settled} settled values would be rewritten` : null,
    isMuch(dropped, settled) ? `the first ${dropped} of ${settled} settled values are no longer there` : null,
  ].filter(reason => reason !== null)
  return reasons.length === 0 ? null : reasons.join('; ')
}
