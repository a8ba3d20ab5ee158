// Compares a parsed series with what we have stored (C12) and decides whether an operator must review it first (T15).
// Pure: the clock is an argument, and nothing is published here. A missing period counts only where a complete answer
// should have included it.

import type { VersionTag, Vintage } from '../core/series/series.ts'
import {
  isPastPreliminary,
  isSameValue,
  isStatement,
  placeBehind,
  type Statement,
  vintageBehind,
} from '../core/series/vintage.ts'
import type { Day } from '../core/time/day.ts'
import { dayOfInstant, type Instant, parseDayOrInstant, startOfDay } from '../core/time/instant.ts'
import { type Frequency, firstDayOf, lastDayOf, parsePeriod } from '../core/time/period.ts'
import type { ParsedObservation, ParsedSeries } from '../providers/provider.ts'
import { ingestLimits } from './ingest-limits.ts'

export interface StoredSeries {
  /** Unit; empty if unknown. */
  readonly unit: string
  readonly frequency: Frequency
  /** Vintages by the period's ordinal; oldest publication first. */
  readonly vintages: ReadonlyMap<number, readonly Vintage[]>
}

export interface AskedRange {
  /** First day: only periods that end then or later; null for the whole history. */
  readonly from: Day | null
  /** Whether only changes were requested, so that a missing period means nothing. */
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
  /** `null`: unknown, so the moment of recording is used. */
  readonly publishedAt: Instant | null
}

export interface SeriesComparison {
  readonly rows: readonly NewVintage[]
  /** Vintages of periods that had none before. */
  readonly added: number
  /** Vintages that change a period already stored. */
  readonly revised: number
  readonly withdrawn: number
  /** Final values that were changed or withdrawn, among those compared. */
  readonly rewritten: readonly { readonly period: number; readonly value: string | null }[]
  readonly finalInRange: number
  readonly final: number
  /** Final values before the first period of a complete history: gone at the provider, kept here. */
  readonly dropped: number
  readonly unitChange: { readonly from: string; readonly to: string } | null
}

export function compareSeries(parsed: ParsedSeries, stored: StoredSeries, asked: AskedRange): SeriesComparison {
  const today = dayOfInstant(asked.now)
  const current = groupByPeriod(parsed, today)
  const withdrawn = findWithdrawn(parsed, current, stored, asked, today)
  const rows: NewVintage[] = []
  const rewritten: { period: number; value: string | null }[] = []
  let [added, revised, gone] = [0, 0, 0]
  for (const period of new Set([...current.keys(), ...withdrawn.keys()])) {
    const before = stored.vintages.get(period) ?? []
    const observations = current.get(period) ?? []
    const fresh = judgePeriod(period, observations, withdrawn.get(period), before, asked.now)
    rows.push(...fresh)
    const values = fresh.filter(({ value }) => value !== null).length
    gone += fresh.length - values
    if (before.length === 0) added += values
    else revised += values
    const final = finalValue(before)
    const value = withdrawn.has(period) ? null : observations.at(-1)!.value
    if (final !== null && !isSameValue(final, value)) rewritten.push({ period, value })
  }
  rows.sort((a, b) => a.period - b.period)
  const first = asked.from === null && !asked.isDelta && asked.isComplete ? firstOf(current) : -Infinity
  const counts = countFinal(stored, asked.from, first)
  const unitChange = unitChangeOf(stored.unit, parsed.unit)
  return { rows, added, revised, withdrawn: gone, rewritten, ...counts, unitChange }
}

/** Groups by ordinal. A period that has not begun yet is a forecast or an announcement, whatever its mark says. */
function groupByPeriod(parsed: ParsedSeries, today: Day): ReadonlyMap<number, readonly ParsedObservation[]> {
  const groups = new Map<number, ParsedObservation[]>()
  for (const observation of parsed.observations) {
    const period = parsePeriod(observation.period)!
    if (firstDayOf(period) > today) continue
    const group = groups.get(period.ordinal)
    if (group === undefined) groups.set(period.ordinal, [observation])
    else group.push(observation)
  }
  return groups
}

/** Moment of a withdrawal; `null` if the provider does not say. */
type Withdrawal = Instant | null

/**
 * Judges the new vintages of one period. All rows but the last are history: each is inserted in date order, unless it is already
 * stored or repeats the one before. The last row, or the withdrawal after it, is the provider's present figure: unless it repeats
 * the newest vintage it becomes the newest, with its own date if that is not earlier than the newest one's.
 */
function judgePeriod(
  period: number,
  observations: readonly ParsedObservation[],
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
  const take = (at: number, { value, version, flag }: ParsedObservation, publishedAt: Instant | null) => {
    // A value without a mark of its own may be FINAL or REVISED: the vintages before it decide.
    const mark = version === 'FINAL' ? 'NOT_PRELIMINARY' : version
    const said: Statement = { value, mark, flag, publishedAt: publishedAt ?? now, recordedAt: null }
    const vintage = vintageBehind(timeline.slice(0, at), said)
    if (vintage === null || (publishedAt !== null && timeline.some(each => isStatement(each, said)))) return
    add(at, { value, tag: vintage.tag, flag, publishedAt })
  }
  /** The date, if it is neither in the future nor earlier than the newest vintage. */
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
    // A value stored under that date and replaced since is current again, from an unknown day. In every other case this call adds
    // nothing to the one above.
    take(timeline.length, last, null)
  } else if (timeline.at(-1)?.value != null) {
    add(timeline.length, { value: null, tag: null, flag: null, publishedAt: currentDate(withdrawal) })
  }
  return fresh
}

function instantOf(observation: ParsedObservation | undefined): Instant | null {
  return observation?.published == null ? null : parseDayOrInstant(observation.published)
}

/** If the start of its window is unknown, a row was in force until the day before the next one. */
function pastPublication(observation: ParsedObservation, next: Instant | null): Instant | null {
  if (observation.published !== null) return instantOf(observation)
  return next === null ? null : startOfDay(dayOfInstant(next) - 1)
}

/** The current value, if it is final. */
function finalValue(vintages: readonly Vintage[]): string | null {
  const newest = vintages.at(-1)
  return newest !== undefined && isPastPreliminary(newest) ? newest.value : null
}

/** Marks that currently stand in place of a value; a window that has closed no longer counts. */
function marksOf(parsed: ParsedSeries): ReadonlyMap<number, Withdrawal> {
  const marks = new Map<number, Withdrawal>()
  for (const { period, window } of parsed.missing)
    if (window === undefined || window.to === null)
      marks.set(parsePeriod(period)!.ordinal, window === undefined ? null : parseDayOrInstant(window.from))
  return marks
}

/**
 * Periods that have a value here and none at the provider. A mark in place of a value counts as missing, in a delta too.
 * Periods before the first one of a complete history do not count: data sets that keep only recent years drop the oldest
 * with every release.
 */
function findWithdrawn(
  parsed: ParsedSeries,
  current: ReadonlyMap<number, readonly ParsedObservation[]>,
  stored: StoredSeries,
  asked: AskedRange,
  today: Day,
): ReadonlyMap<number, Withdrawal> {
  if (!asked.isComplete) return new Map()
  const withdrawn = new Map<number, Withdrawal>()
  for (const [period, since] of marksOf(parsed)) {
    const newest = instantOf(current.get(period)?.at(-1))
    const isStored = stored.vintages.get(period)?.at(-1)?.value != null
    const isOver = current.has(period) && (since === null || newest === null || newest > since)
    if (!isOver && (current.has(period) || isStored)) withdrawn.set(period, since)
  }
  if (asked.isDelta) return withdrawn
  const first = firstOf(current)
  const { frequency } = stored
  for (const [ordinal, vintages] of stored.vintages) {
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

function countFinal({ vintages, frequency }: StoredSeries, from: Day | null, first: number) {
  let [final, finalInRange, dropped] = [0, 0, 0]
  for (const [ordinal, own] of vintages) {
    if (finalValue(own) === null) continue
    final++
    if (ordinal < first) dropped++
    if (from === null || lastDayOf({ frequency, ordinal }) >= from) finalInRange++
  }
  return { final, finalInRange, dropped }
}

/** Change of the unit; `null` if none is known. A unit without a multiplier means a multiplier of 1. */
function unitChangeOf(stored: string, read: string | null): { from: string; to: string } | null {
  const isScaleAlone = multiplierOf(stored) !== null && stored.trim() === multiplierOf(stored)
  if (read === null) return isScaleAlone ? { from: stored, to: '' } : null
  const isOther = stored !== '' && !isScaleAlone && plain(stored) !== plain(read)
  return isOther || multiplierOf(stored) !== multiplierOf(read) ? { from: stored, to: read } : null
}

function multiplierOf(unit: string): string | null {
  return /\(x10\^-?\d+\)/.exec(unit)?.[0] ?? null
}

function plain(unit: string): string {
  return unit.replace(/\s+/g, ' ').trim().toLowerCase()
}

function isMuch(rewritten: number, of: number): boolean {
  return rewritten >= ingestLimits.rewrittenLeast && rewritten * ingestLimits.rewrittenOneIn > of
}

/** If much of a window or anything in a delta was rewritten, only the whole history shows how much that really is. */
export function needsWholeHistory({ rewritten, finalInRange }: SeriesComparison, asked: AskedRange): boolean {
  if (asked.isDelta) return rewritten.length > 0
  return asked.from !== null && isMuch(rewritten.length, finalInRange)
}

/** Why an operator must review it before publication; `null` if it can be published. */
export function quarantineReason({ rewritten, final, dropped, unitChange }: SeriesComparison): string | null {
  const reasons = [
    unitChange === null ? null : `the unit changed from "${unitChange.from}" to "${unitChange.to}"`,
    isMuch(rewritten.length, final) ? `${rewritten.length} of ${final} final values would be rewritten` : null,
    isMuch(dropped, final) ? `the first ${dropped} of ${final} final values are no longer there` : null,
  ].filter(reason => reason !== null)
  return reasons.length === 0 ? null : reasons.join('; ')
}
