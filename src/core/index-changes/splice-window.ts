// The periods behind a splice: the last one read from the old series, the window of common ones, its neighbours, and the
// figures of the two series in it.

import { formatExact } from '../numbers/ratio.ts'
import { hashOf, vintageLine } from '../receipt/receipt.ts'
import { Refusal } from '../refusal.ts'
import type { SeriesHistory } from '../series/series.ts'
import { type Cuts, newest, selectVintage, vintagesInside } from '../series/vintage.ts'
import { andList } from '../text/words.ts'
import { formatPeriod, lastDayOf, type Period, parsePeriod } from '../time/period.ts'
import { closenessOf, furthest } from './closeness.ts'
import { type Coefficient, coefficientOf, toNewLevel, usualRounding } from './coefficient.ts'
import { type CommonPeriod, Overlap, type OverlapWindow, pairsOf } from './overlap.ts'
import type { Candidate, SpliceQuestion } from './splice-question.ts'
import type { SpliceBody } from './splice-schema.ts'

function readPeriod(text: string, what: string, frequency: SeriesHistory['frequency'] | null): Period {
  const period = parsePeriod(text)
  if (period === null || (frequency !== null && period.frequency !== frequency))
    throw new Refusal(
      'invalid',
      `${what} must be a period${frequency === null ? '' : ` of a ${frequency} series`}, such as 2025-12, got "${text}"`,
    )
  return period
}

/** The last period read from the old series. */
export function joinOf({ join, cuts, successor }: SpliceQuestion, old: SeriesHistory): Period {
  if (join !== null) return readPeriod(join, 'the join', old.frequency)
  const { frequency } = old
  const reached = lastValued(successor, cuts)
  const ordinals = old.ordinals.filter(
    ordinal => selectVintage(vintagesInside(old.periods.get(ordinal)!, cuts), newest) !== undefined,
  )
  const end = reached === null ? null : lastDayOf(reached)
  const last = ordinals.findLast(ordinal => end === null || lastDayOf({ frequency, ordinal }) <= end) ?? ordinals.at(-1)
  if (last === undefined)
    throw new Refusal('invalid', `${old.reference} has no value at all; write a formula version with the new series`)
  return { frequency, ordinal: last }
}

function lastValued({ ordinals, periods, frequency }: SeriesHistory, cuts: SpliceQuestion['cuts']): Period | null {
  const ordinal = ordinals.findLast(
    each => selectVintage(vintagesInside(periods.get(each)!, cuts), newest) !== undefined,
  )
  return ordinal === undefined ? null : { frequency, ordinal }
}

const withoutOverlap =
  'use a PUBLISHED coefficient, SAME_LEVEL if both are on one level, or RELEVEL with a base in the new series'

export function windowOf(question: SpliceQuestion, overlap: Overlap): OverlapWindow | null {
  const { method, window, point, old, successor } = question
  const found = (() => {
    if (method === 'POINT') {
      if (point === null) return overlap.newest(1, null)
      const period = readPeriod(point, 'the point', null)
      return overlap.within(period, period)
    }
    if (window === null) return overlap.newest(overlap.usualLength, null)
    return overlap.within(readPeriod(window.from, 'the window', null), readPeriod(window.until, 'the window', null))
  })()
  if (method !== 'OVERLAP' && method !== 'POINT') return found
  const least = method === 'POINT' ? 1 : overlap.leastLength
  const common = found?.common.length ?? 0
  if (found === null || common === 0)
    throw new Refusal(
      'invalid',
      `${old} and ${successor.reference} have no common period${named(found)}; ${withoutOverlap}`,
    )
  if (common < least)
    throw new Refusal(
      'invalid',
      `${method} needs at least ${least} common periods and finds ${common}${named(found)}; take a longer window, POINT, or ${withoutOverlap}`,
    )
  return found
}

function named(window: OverlapWindow | null): string {
  const left = window?.leftOut ?? []
  if (left.length === 0) return ''
  const shown = left.slice(0, 5).map(({ why }) => why)
  return ` (${shown.join('; ')}${left.length > shown.length ? `; and ${left.length - shown.length} more` : ''})`
}

export function waitForFinal(window: OverlapWindow | null): void {
  const waiting = preliminaryIn(window?.common ?? [])
  if (waiting.length > 0)
    throw new Refusal(
      'conflict',
      `${andList(waiting)} of the window ${waiting.length === 1 ? 'is' : 'are'} preliminary; it waits for final values`,
    )
}

function preliminaryIn(common: readonly CommonPeriod[]): readonly string[] {
  return common
    .filter(each => [...each.old, ...each.new].some(({ vintage }) => vintage.tag === 'PRELIMINARY'))
    .map(({ period }) => formatPeriod(period))
}

export function writeWindow(window: OverlapWindow, { averaged }: Overlap): NonNullable<SpliceBody['window']> {
  return {
    from: formatPeriod(window.from),
    until: formatPeriod(window.until),
    averaged,
    leftOut: window.leftOut.map(({ period, why }) => ({ period: formatPeriod(period), why })),
  }
}

export function evidenceOf(common: readonly CommonPeriod[], coefficient: Coefficient | null): SpliceBody['evidence'] {
  const overlap = common.map(each => ({
    period: formatPeriod(each.period),
    old: each.old.map(vintageLine),
    new: each.new.map(vintageLine),
    ratio: formatExact(each.ratio),
  }))
  const level = coefficient === null ? null : toNewLevel(coefficient)
  const worst =
    level === null || common.length === 0
      ? null
      : furthest(
          common.map(each => each.ratio),
          level,
        )
  return {
    overlap,
    worst: worst === null ? null : overlap[worst]!.period,
    ...closenessOf(pairsOf(common), level),
    hash: hashOf(overlap),
  }
}

/** The figures for another candidate, over its own last common periods. */
export function compareCandidate(
  old: SeriesHistory,
  { series, why }: Candidate,
  cuts: Cuts,
): SpliceBody['alternatives'][number] {
  const overlap = new Overlap(old, series, cuts)
  const window = overlap.newest(overlap.usualLength, null)
  const level = window === null ? null : toNewLevel(coefficientOf(window.common, 'OLD_TO_NEW', usualRounding))
  return {
    series: series.reference,
    name: series.name,
    why,
    common: window === null ? null : `${formatPeriod(window.from)}..${formatPeriod(window.until)}`,
    ...closenessOf(pairsOf(window?.common ?? []), level),
  }
}

interface Neighbour {
  readonly window: OverlapWindow
  readonly coefficient: Coefficient
}

/** Windows half and twice as long; for a point, the two common periods before it. */
export function neighbouring(
  { method }: SpliceQuestion,
  overlap: Overlap,
  window: OverlapWindow | null,
  { direction, rounding }: Coefficient,
): readonly Neighbour[] {
  if (window === null || rounding === null || (method !== 'OVERLAP' && method !== 'POINT')) return []
  const length = window.common.length
  const windows =
    method === 'POINT'
      ? (overlap.newest(3, window.until)?.common.slice(0, -1).reverse() ?? []).map(({ period }) =>
          overlap.within(period, period),
        )
      : [Math.max(overlap.leastLength, Math.floor(length / 2)), length * 2].map(each =>
          overlap.newest(each, window.until),
        )
  return windows
    .filter(each => each !== null)
    .filter(each => each.common.length > 0 && each.common.length !== (method === 'POINT' ? 0 : length))
    .map(each => ({ window: each, coefficient: coefficientOf(each.common, direction, rounding) }))
}
