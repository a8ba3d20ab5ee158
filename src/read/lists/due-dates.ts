// Due dates in the digest of an agreement: every date without a number signed by both, up to a year and more ahead, with the
// figures it waits for. The arrival of figures is known elsewhere, so neither the clock nor a calendar makes the dates stale.

import type { Adjustment, Blocked } from '../../core/calculation/adjustment.ts'
import { scheduleOf } from '../../core/calculation/evaluate.ts'
import { type AwaitedFigure, AwaitedFigures, type AwaitedOnDate } from '../../core/calendar/awaited-figures.ts'
import type { DueDate } from '../../core/calendar/due.ts'
import type { MissingPolicy } from '../../core/formula/formula.ts'
import { TooHeavyHere } from '../../core/numbers/work-budget.ts'
import { Refusal } from '../../core/refusal.ts'
import { isPastPreliminary } from '../../core/series/vintage.ts'
import type { Day } from '../../core/time/day.ts'
import { parseDay } from '../../core/time/day.ts'
import type { Instant } from '../../core/time/instant.ts'
import { lastDayOf, ordinalAt, parsePeriod } from '../../core/time/period.ts'
import { governingVersion } from '../../core/true-up/policy-cut.ts'
import { limits } from '../../limits.ts'
import type { Adjustments } from '../agreements/adjustments.ts'
import type { AgreementSnapshot, AgreementState } from '../agreements/agreement-snapshot.ts'

export interface PackedDue {
  /** Awaited series, as the formula names them. */
  readonly series: readonly string[]
  /** One line for each date, sorted: texts take a fraction of the memory of objects. */
  readonly lines: string
}

/** A date with the facts that decide who sees it. */
export interface CachedDueDate extends DueDate {
  /** Instant of the second signature; null while one is missing. */
  readonly agreedAt: Instant | null
}

const nothingDue: PackedDue = { series: [], lines: '' }

/** Days for which a gap is shown that later periods have passed. */
const gapDays = 366

/** Due dates; null where the readings take more work than is done here. */
export function dueDates(snapshot: AgreementSnapshot, adjustments: Adjustments, today: Day): PackedDue | null {
  const standing = snapshot.at(null)!
  if (standing.state.status !== 'ACTIVE' || standing.broken !== null) return nothingDue
  try {
    return pack(new DueReader(standing, adjustments, today).dates())
  } catch (error) {
    if (error instanceof TooHeavyHere || error instanceof Refusal) return null
    throw error
  }
}

class DueReader {
  readonly #standing: AgreementState
  readonly #adjustments: Adjustments
  readonly #today: Day
  readonly #awaited: ReadonlyMap<number, AwaitedFigures>

  constructor(standing: AgreementState, adjustments: Adjustments, today: Day) {
    this.#standing = standing
    this.#adjustments = adjustments
    this.#today = today
    const work = adjustments.work()
    this.#awaited = new Map(
      adjustments.versions.map(version => [version.number, new AwaitedFigures(version, today, work)]),
    )
  }

  dates(): readonly CachedDueDate[] {
    const { computed, blocked } = this.#adjustments
    const newest = computed.at(-1)?.date ?? Number.NEGATIVE_INFINITY
    const gaps = blocked.filter(({ date }) => date > newest || date >= this.#today - gapDays)
    const all = [
      ...this.#finalPending(),
      ...computed.map(each => this.#withNumber(each, each.date === newest)),
      ...gaps.map(each => this.#withGap(each)),
      ...this.#ahead(),
    ]
    return all.sort((a, b) => a.date - b.date)
  }

  /** Only the newest number, and a number on preliminary figures, can still wait for figures. */
  #withNumber({ date, period, dataVersion, formulaVersion }: Adjustment, isNewest: boolean): CachedDueDate {
    const figures = this.#awaited.get(formulaVersion)!
    const isLookedAt = isNewest || dataVersion === 'PRELIMINARY' || figures.hasAgreed
    const awaited = isLookedAt ? figures.on(date) : nothingAwaited
    // The number did without a figure that has no stand-in, so that figure is not awaited.
    return openDate(date, period, { ...awaited, figures: awaited.figures.filter(({ instead }) => instead !== null) })
  }

  #withGap({ date, period, gap }: Blocked): CachedDueDate {
    const version = governingVersion(this.#adjustments.versions, date)
    const awaited = gap.series === null ? nothingAwaited : this.#awaited.get(version.number)!.on(date)
    const isExplained = awaited.figures.some(({ instead }) => instead === null)
    return { ...openDate(date, period, awaited), gap: isExplained ? null : gap.sentence }
  }

  /** Dates ahead. They stay right to the end of the quarter at most, and are asked for so many days ahead. */
  #ahead(): readonly CachedDueDate[] {
    const quarter = { frequency: 'QUARTERLY', ordinal: ordinalAt('QUARTERLY', this.#today) } as const
    const until = lastDayOf(quarter) + limits.due.mostDays
    const { keptLabels } = this.#standing.continuesFrom
    return scheduleOf(this.#adjustments.versions, until, keptLabels)
      .filter(({ date }) => date > this.#today)
      .map(({ date, label, version }) => openDate(date, label, this.#awaited.get(version.number)!.on(date)))
  }

  /** Periods signed on preliminary figures, where the contract waits for final ones that are missing. */
  #finalPending(): readonly CachedDueDate[] {
    const { versions } = this.#adjustments
    return this.#standing.signed.flatMap(signed => {
      const date = parseDay(signed.adjustmentDate)!
      if (signed.body.result.dataVersion !== 'PRELIMINARY') return []
      if (governingVersion(versions, date).bound.formula.corrections?.when !== 'FINAL') return []
      const figures = signed.body.observations.flatMap(({ series, period, version }) =>
        version === 'PRELIMINARY' && !this.#isFinal(series, period) ? [finalOf(series, period)] : [],
      )
      if (figures.length === 0) return []
      const agreedAt = this.#standing.agreedAt.get(signed) ?? null
      return [{ date, period: signed.period, isSigned: true, gap: null, figures, agreed: [], newer: null, agreedAt }]
    })
  }

  #isFinal(series: string, period: string): boolean {
    const ordinal = parsePeriod(period)?.ordinal
    const vintages = ordinal === undefined ? undefined : this.#adjustments.data.get(series)?.periods.get(ordinal)
    return vintages?.some(isPastPreliminary) === true
  }
}

const nothingAwaited: AwaitedOnDate = { figures: [], agreed: [], newer: null }

function openDate(date: Day, period: string, awaited: AwaitedOnDate): CachedDueDate {
  return { date, period, isSigned: false, gap: null, ...awaited, agreedAt: null }
}

function finalOf(series: string, period: string): AwaitedFigure {
  return { series, period, stage: 'FINAL', rule: 'BLOCK', instead: null, countsUntil: null }
}

function pack(dates: readonly CachedDueDate[]): PackedDue {
  const places = new Map<string, number>()
  const placeOf = (series: string) => places.getOrInsertComputed(series, () => places.size)
  const lines = dates.map(({ date, period, isSigned, gap, figures, agreed, newer, agreedAt }) => {
    const next = newer === null ? '' : `${placeOf(newer.series)} ${newer.period} ${newer.countsUntil}`
    const awaited = [...figures, ...agreed].map(
      ({ series, period: of, stage, rule, instead, countsUntil }) =>
        `${placeOf(series)} ${of} ${stage ?? ''} ${rule} ${instead ?? ''} ${countsUntil ?? ''}`,
    )
    const sentence = gap?.replace(/[\t\n]/g, ' ') ?? ''
    return [date, period, isSigned ? '1' : '', sentence, agreedAt ?? '', next, ...awaited].join('\t')
  })
  return { series: [...places.keys()], lines: lines.join('\n') }
}

/** Sorted by date. */
export function unpackDue({ series, lines }: PackedDue): readonly CachedDueDate[] {
  if (lines === '') return []
  return lines.split('\n').map(line => {
    const [date, period, isSigned, gap, agreedAt, next, ...awaited] = line.split('\t') as [string, ...string[]]
    return {
      date: Number(date),
      period: period!,
      isSigned: isSigned === '1',
      gap: gap || null,
      agreedAt: agreedAt || null,
      newer: newerOf(series, next!),
      ...partedBy(awaited.map(each => figureOf(series, each))),
    }
  })
}

/** Parts awaited figures from values to agree on: a rule that agrees on values gives one, or the figure is waited for. */
function partedBy(all: readonly AwaitedFigure[]): Pick<AwaitedOnDate, 'figures' | 'agreed'> {
  const isAgreed = ({ rule, instead }: AwaitedFigure) => rule === 'AGREED' && instead !== null
  return { figures: all.filter(each => !isAgreed(each)), agreed: all.filter(isAgreed) }
}

function newerOf(series: readonly string[], text: string): AwaitedOnDate['newer'] {
  if (text === '') return null
  const [place, period, countsUntil] = text.split(' ') as [string, string, string]
  return { series: series[Number(place)]!, period, stage: null, countsUntil: Number(countsUntil) }
}

function figureOf(series: readonly string[], text: string): AwaitedFigure {
  const [place, period, stage, rule, instead, countsUntil] = text.split(' ') as [string, ...string[]]
  return {
    series: series[Number(place)]!,
    period: period!,
    stage: stage === 'FINAL' ? stage : null,
    rule: rule as MissingPolicy['kind'],
    instead: instead || null,
    countsUntil: countsUntil === '' ? null : Number(countsUntil),
  }
}
