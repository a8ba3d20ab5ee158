// What a reading means beside what we hold (decision 12), and whether a person has to look at it first (T15). Pure: the
// clock is an argument, and nothing is published here. Absence counts only in what was asked for and came whole.
import type { Day } from '../core/day.ts'
import { dayOfInstant, type Instant, parseDayOrInstant, startOfDay } from '../core/instant.ts'
import { type Frequency, firstDayOf, lastDayOf, parsePeriod } from '../core/period.ts'
import type { VersionTag, Vintage } from '../core/series.ts'
import { limits } from '../limits.ts'
import type { ObservationReading, SeriesReading } from '../providers/provider.ts'
import { isSameFigure } from './gather.ts'

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
  readonly unitChange: { readonly from: string; readonly to: string } | null
}

export function compareReading(reading: SeriesReading, held: Held, asked: Asked): Comparison {
  const today = dayOfInstant(asked.now)
  const current = groupByPeriod(reading, today)
  const rows: NewVintage[] = []
  const rewritten: { period: number; value: string | null }[] = []
  let [added, revised] = [0, 0]
  for (const [period, observations] of current) {
    const before = held.vintages.get(period) ?? []
    const fresh = judgePeriod(period, observations, before, asked.now)
    rows.push(...fresh)
    if (before.length === 0) added += fresh.length
    else revised += fresh.length
    const settled = settledValue(before)
    const value = observations.at(-1)!.value
    if (settled !== null && !isSameFigure(settled, value)) rewritten.push({ period, value })
  }
  const withdrawn = findWithdrawn(reading, current, held, asked, today)
  for (const period of withdrawn) {
    rows.push({ period, value: null, tag: null, flag: null, publishedAt: null })
    if (settledValue(held.vintages.get(period)!) !== null) rewritten.push({ period, value: null })
  }
  rows.sort((a, b) => a.period - b.period)
  const { settled, settledInRange } = countSettled(held, asked.from)
  const unitChange = unitChangeOf(held.unit, reading.unit)
  return { rows, added, revised, withdrawn: withdrawn.length, rewritten, settled, settledInRange, unitChange }
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

/**
 * The vintages of one period that are new. All rows but the last are its past: they are taken in at their place, unless
 * they are held or repeat the one before. The last is what the provider says now: unless it repeats the newest vintage, it
 * becomes the newest, under its own date where that is not before the newest.
 */
function judgePeriod(
  period: number,
  observations: readonly ObservationReading[],
  before: readonly Vintage[],
  now: Instant,
): readonly NewVintage[] {
  const fresh: NewVintage[] = []
  const timeline = [...before]
  const take = (at: number, { value, version, flag }: ObservationReading, publishedAt: Instant | null) => {
    const tag = tagOf(version, value, timeline.slice(0, at))
    const previous = timeline[at - 1]
    if (previous?.value != null && previous.tag === tag && isSameFigure(previous.value, value)) return
    if (timeline.some(each => isHeld(each, value, tag, publishedAt))) return
    timeline.splice(at, 0, { value, tag, flag, publishedAt: publishedAt ?? now, recordedAt: null })
    fresh.push({ period, value, tag, flag, publishedAt })
  }
  observations.slice(0, -1).forEach((observation, index) => {
    const publishedAt = pastPublication(observation, observations[index + 1]!)
    if (publishedAt !== null && publishedAt <= now) take(placeOf(timeline, publishedAt), observation, publishedAt)
  })
  const last = observations.at(-1)!
  const published = last.published === null ? null : parseDayOrInstant(last.published)
  const newest = timeline.at(-1)
  const isDated = published !== null && published <= now && (newest === undefined || published >= newest.publishedAt)
  take(timeline.length, last, isDated ? published : null)
  return fresh
}

function isHeld(vintage: Vintage, value: string, tag: VersionTag, publishedAt: Instant | null): boolean {
  return (
    publishedAt !== null &&
    vintage.publishedAt === publishedAt &&
    vintage.tag === tag &&
    isSameFigure(vintage.value!, value)
  )
}

/** Where the start of its window is not known, a row was in force until the day before the row behind it. */
function pastPublication({ published }: ObservationReading, next: ObservationReading): Instant | null {
  if (published !== null) return parseDayOrInstant(published)
  const end = next.published === null ? null : parseDayOrInstant(next.published)
  return end === null ? null : startOfDay(dayOfInstant(end) - 1)
}

/** Behind everything that was published by then. */
function placeOf(timeline: readonly Vintage[], publishedAt: Instant): number {
  const later = timeline.findIndex(vintage => vintage.publishedAt > publishedAt)
  return later < 0 ? timeline.length : later
}

/** The provider's own mark; without one FINAL, or REVISED where it changes a settled value. */
function tagOf(version: VersionTag, value: string, before: readonly Vintage[]): VersionTag {
  if (version !== 'FINAL') return version
  const settled = before.findLast(isSettled)
  if (settled === undefined) return 'FINAL'
  return isSameFigure(settled.value!, value) ? settled.tag! : 'REVISED'
}

function isSettled({ value, tag }: Vintage): boolean {
  return value !== null && (tag === 'FINAL' || tag === 'REVISED')
}

/** The value in force, where it is a settled one. */
function settledValue(vintages: readonly Vintage[]): string | null {
  const newest = vintages.at(-1)
  return newest !== undefined && isSettled(newest) ? newest.value : null
}

/**
 * Held periods that have a value here and none there. Before the first period of a whole history nothing counts: sets
 * that only keep the last years drop one at the front with every release.
 */
function findWithdrawn(
  reading: SeriesReading,
  current: ReadonlyMap<number, unknown>,
  held: Held,
  asked: Asked,
  today: Day,
): readonly number[] {
  if (!asked.isComplete) return []
  const missing = new Set(reading.missing.map(({ period }) => parsePeriod(period)!.ordinal))
  const first = [...current.keys(), ...missing].reduce((least, period) => Math.min(least, period), Infinity)
  const isAbsence = (period: number): boolean => {
    // A mark in the place of a value is as good as its absence, and may come in a delta as well.
    if (missing.has(period)) return true
    const { frequency } = held
    if (asked.from === null ? period < first : lastDayOf({ frequency, ordinal: period }) < asked.from) return false
    return !asked.isDelta && firstDayOf({ frequency, ordinal: period }) <= today
  }
  return [...held.vintages]
    .filter(([period, vintages]) => vintages.at(-1)?.value != null && !current.has(period) && isAbsence(period))
    .map(([period]) => period)
}

function countSettled({ vintages, frequency }: Held, from: Day | null) {
  let [settled, settledInRange] = [0, 0]
  for (const [ordinal, own] of vintages) {
    if (settledValue(own) === null) continue
    settled++
    if (from === null || lastDayOf({ frequency, ordinal }) >= from) settledInRange++
  }
  return { settled, settledInRange }
}

function unitChangeOf(held: string, read: string | null): { from: string; to: string } | null {
  if (held === '' || read === null || plain(held) === plain(read)) return null
  return { from: held, to: read }
}

function plain(unit: string): string {
  return unit.replace(/\s+/g, ' ').trim().toLowerCase()
}

function isMuch(rewritten: number, of: number): boolean {
  return rewritten >= limits.rewrittenLeast && rewritten * limits.rewrittenOneIn > of
}

/** Where much of a window was rewritten, only the whole history can tell how much that is. */
export function needsWholeHistory({ rewritten, settledInRange }: Comparison, asked: Asked): boolean {
  return asked.from !== null && isMuch(rewritten.length, settledInRange)
}

/** Why a person has to look at it before it is published; `null` where nobody has to. */
export function quarantineReason({ rewritten, settled, unitChange }: Comparison): string | null {
  const reasons = [
    unitChange === null ? null : `the unit changed from "${unitChange.from}" to "${unitChange.to}"`,
    isMuch(rewritten.length, settled) ? `${rewritten.length} of ${settled} settled values would be rewritten` : null,
  ].filter(reason => reason !== null)
  return reasons.length === 0 ? null : reasons.join('; ')
}
