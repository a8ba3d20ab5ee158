// The reading of a series for an adjustment date: links, window, conversion, missing values, rounding. It only reads values:
// every observation used is named, and a missing value is reported with its period.

import type { BoundInput } from '../formula/bind.ts'
import { goBack } from '../formula/schedule.ts'
import type { Base } from '../formula/terms.ts'
import { add, divide, multiply, type Ratio, ratio, round, subtract } from '../numbers/ratio.ts'
import { type WorkBudget, workOf } from '../numbers/work-budget.ts'
import type { SeriesHistory, VersionTag, Vintage } from '../series/series.ts'
import { type Cuts, newest, type Selection, selectVintage, vintagesInside } from '../series/vintage.ts'
import { civilOf, type Day, daysInMonth } from '../time/day.ts'
import { dayOfInstant, endOfDay } from '../time/instant.ts'
import { firstAtLeast, lastDayOf, ordinalAt, type Period } from '../time/period.ts'
import { estimateByTrend, estimateByYear, type KnownValue, type KnownValues } from './estimates.ts'
import { type Gap, MissingValue } from './gap.ts'
import { newestBefore, type PeriodSource, readPerPeriod, sourceOf } from './period-source.ts'
import {
  combine,
  formatLabel,
  type Lack,
  noValue,
  readLabel,
  readWindow,
  standingDay,
  type TakenReading,
  type Windowed,
} from './reading-window.ts'

export type { TakenReading, UsedObservation } from './reading-window.ts'

export interface ReadingRules {
  readonly cuts: Cuts
  readonly tag: VersionTag | null
  /** True with `tag`: values with that tag alone, and missing values are not filled in. */
  readonly strict: boolean
  /**
   * The day of the cut, else of the clock: a window that ends before it is over. Null where there is neither: then every window
   * is over.
   */
  readonly today: Day | null
  /** The vintages of a period that count for an input; left out: those inside the cuts. */
  readonly counting?: CountingRule
  /** Receives all vintages of every period that is looked at, whichever of them count. */
  readonly watch?: (vintages: readonly Vintage[]) => void
}

export type CountingRule = (
  input: string,
  series: string,
  ordinal: number,
  vintages: readonly Vintage[],
) => readonly Vintage[]

export class InputReader {
  readonly #bound: BoundInput
  readonly #rules: ReadingRules
  readonly #work: WorkBudget
  readonly #selection: Selection
  readonly #series: Windowed
  readonly #fx: Windowed | null

  constructor(bound: BoundInput, rules: ReadingRules, work: WorkBudget) {
    const { input, series, links, frequency, weekday, fx } = bound
    this.#bound = bound
    this.#rules = rules
    this.#work = work
    const policy = input.vintage === 'AT_DATE' ? 'LATEST' : input.vintage
    this.#selection = { policy, tag: rules.tag, orNewest: !rules.strict }
    this.#series = {
      frequency,
      weekday,
      using: input.using,
      work,
      held: (first, last) => this.#storedBetween([series, ...links.map(link => link.series)], first, last),
      isKnown: ordinal => this.#plain(this.#sourceOrdinal(ordinal)) !== null,
      read: ordinal => this.#each(ordinal),
      instead: (last, lack) => this.#instead(last, lack),
    }
    this.#fx =
      fx === null
        ? null
        : {
            frequency: fx.series.frequency,
            weekday: fx.weekday,
            using: input.convert!.fx!.using,
            work,
            held: (first, last) => this.#between([fx.series], first, last),
            isKnown: ordinal => this.#rate(ordinal) !== null,
            read: ordinal =>
              this.#rate(ordinal) ?? this.#lastKnownRate(ordinal) ?? this.#noRate(noValue(this.#fxLabel(ordinal))),
            instead: (last, lack) => this.#lastKnownRate(last + 1) ?? this.#noRate(lack),
          }
  }

  at(date: Day): TakenReading {
    return this.#bound.input.vintage === 'AT_DATE' ? this.#asItStood(date).#at(date) : this.#at(date)
  }

  #at(date: Day): TakenReading {
    const { input, window, frequency } = this.#bound
    if (input.interpolate) return this.#finish(this.#interpolated(date), date, null)
    const lagged = goBack(date, input.lag)
    const isPicked = input.pick === 'LATEST_PUBLISHED'
    const ordinal = isPicked ? this.#latestPublished(lagged) : ordinalAt(frequency, lagged)
    const day = isPicked ? standingDay(this.#series, ordinal) : lagged
    const reading = readWindow(this.#series, window, { ordinal, day, isPicked, today: this.#rules.today })
    return this.#finish(reading, date, null)
  }

  /** `start`: the contract's first day, by which an AT_DATE base is read as it stood then. */
  base(base: Base, start: Day): TakenReading {
    if (base.kind === 'value') return { value: base.value, used: [], substituted: false }
    return this.#bound.input.vintage === 'AT_DATE' ? this.#asItStood(start).#base(base) : this.#base(base)
  }

  #base(base: Extract<Base, { kind: 'label' }>): TakenReading {
    if (this.#bound.input.interpolate && base.from.frequency === 'DAILY')
      return this.#finish(this.#interpolated(base.from.ordinal), base.from.ordinal, base)
    const reading = readLabel(this.#series, base.from, base.to, this.#rules.today)
    return this.#finish(reading, lastDayOf(base.to), base)
  }

  /** The input with the figures that had been published by the end of a day. */
  #asItStood(day: Day): InputReader {
    const { cuts, today } = this.#rules
    const by = endOfDay(day)
    const asOf = cuts.asOf !== null && cuts.asOf < by ? cuts.asOf : by
    // The figures published by a day do not change with the cuts of a later request.
    const { counting: _counting, ...plain } = this.#rules
    const rules = { ...plain, cuts: { ...cuts, asOf }, today: Math.min(dayOfInstant(asOf), today ?? Infinity) }
    return new InputReader(this.#bound, rules, this.#work)
  }

  /** I(m) + (day − 1) / days × (I(m+1) − I(m)); on the first of a month the next one is not needed. */
  #interpolated(date: Day): TakenReading {
    const { year, month, day } = civilOf(date)
    const ordinal = ordinalAt('MONTHLY', goBack(date, this.#bound.input.lag))
    const start = this.#each(ordinal)
    if (day === 1) return start
    const next = this.#each(ordinal + 1)
    const share: Ratio = { n: BigInt(day - 1), d: BigInt(daysInMonth(year, month)) }
    const work = this.#work
    return combine(
      [start, next],
      add(start.value, multiply(share, subtract(next.value, start.value, work), work), work),
    )
  }

  #latestPublished(lagged: Day): number {
    const { series, links, input } = this.#bound
    const by = endOfDay(lagged)
    const cuts: Cuts = {
      ...this.#rules.cuts,
      asOf: this.#rules.cuts.asOf !== null && this.#rules.cuts.asOf < by ? this.#rules.cuts.asOf : by,
    }
    const policy: Selection = { ...newest, policy: input.vintage === 'FINAL' ? 'FINAL' : 'LATEST' }
    let found: number | null = null
    for (const history of [series, ...links.map(link => link.series)])
      for (let i = history.ordinals.length - 1; i >= 0; i--) {
        const ordinal = history.ordinals[i]!
        if (found !== null && ordinal <= found) break
        if (this.#source(ordinal).series !== history) continue
        const vintages = history.periods.get(ordinal)!
        this.#work.scan(vintages.length)
        this.#rules.watch?.(vintages)
        if (selectVintage(vintagesInside(vintages, cuts), policy) === undefined) continue
        if (this.#counted(history, ordinal, vintages).length === 0) continue
        found = ordinal
        break
      }
    if (found === null) {
      const day = by.slice(0, 10)
      const sentence = `${this.#name()} had nothing published by ${day}`
      throw new MissingValue({
        kind: 'publication',
        series: series.reference,
        period: day,
        stage: this.#stage,
        sentence,
      })
    }
    return this.#perPeriod === 1 ? found : (found + 1) * this.#perPeriod - 1
  }

  get #perPeriod(): number {
    return readPerPeriod(this.#bound)
  }

  /** The series' own period that holds a read one. */
  #sourceOrdinal(ordinal: number): number {
    return Math.floor(ordinal / this.#perPeriod)
  }

  #storedBetween(histories: readonly SeriesHistory[], first: number, last: number): readonly number[] {
    const per = this.#perPeriod
    if (per === 1) return this.#between(histories, first, last)
    return this.#between(histories, Math.floor(first / per), Math.floor(last / per))
      .flatMap(ordinal => Array.from({ length: per }, (_, i) => ordinal * per + i))
      .filter(ordinal => ordinal >= first && ordinal <= last)
  }

  /** The running numbers that any of the series has inside the span, ascending. */
  #between(histories: readonly SeriesHistory[], first: number, last: number): readonly number[] {
    const slices = histories.map(({ ordinals }) => {
      const end = last === Infinity ? ordinals.length : firstAtLeast(ordinals, last + 1)
      return ordinals.slice(first === -Infinity ? 0 : firstAtLeast(ordinals, first), end)
    })
    for (const { length } of slices) this.#work.spend(workOf.part * length)
    return slices.length === 1 ? slices[0]! : [...new Set(slices.flat())].sort((a, b) => a - b)
  }

  /** One observation, converted on its own where the document says `each`. */
  #each(ordinal: number): TakenReading {
    const { input, frequency } = this.#bound
    const source = this.#sourceOrdinal(ordinal)
    const reading = this.#plain(source) ?? this.#filledIn(source, ordinal)
    if (this.#fx === null || input.convert?.each !== true) return reading
    const period: Period = { frequency, ordinal }
    return this.#exchange(reading, readLabel(this.#fx, period, period, this.#rules.today))
  }

  /** The reading that replaces a window which lacks a value. */
  #instead(last: number, { kind, period, words }: Lack): TakenReading {
    const { missing } = this.#bound.input
    const source = this.#sourceOrdinal(last)
    if (missing.kind === 'BLOCK' || this.#rules.strict) {
      const series = this.#source(source).series.reference
      throw new MissingValue({ kind, series, period, stage: this.#stage, sentence: `${this.#name()} ${words}` })
    }
    if (missing.kind === 'LAST_KNOWN') {
      const known = this.#newestKnownBefore(source + 1)
      if (known !== null) return { ...known.reading, substituted: true }
    }
    return this.#filledIn(source, last)
  }

  /** Fx, scale and rounding, in this order. */
  #finish(reading: TakenReading, date: Day, base: Base | null): TakenReading {
    const { input, fx } = this.#bound
    const { convert } = input
    let result = reading
    if (fx !== null && convert?.fx && !convert.each) {
      const rate =
        base?.kind === 'label'
          ? readLabel(this.#fx!, base.from, base.to, this.#rules.today)
          : this.#rateAt(goBack(date, convert.fx.lag))
      result = this.#exchange(result, rate)
    }
    if (convert?.scale) result = { ...result, value: multiply(result.value, convert.scale, this.#work) }
    return input.round === null ? result : { ...result, value: round(result.value, input.round, this.#work) }
  }

  #exchange(reading: TakenReading, rate: TakenReading): TakenReading {
    const exchange = this.#bound.input.convert!.fx!.operation === 'DIVIDE' ? divide : multiply
    return combine([reading, rate], exchange(reading.value, rate.value, this.#work))
  }

  #rateAt(day: Day): TakenReading {
    const { series, window } = this.#bound.fx!
    const ordinal = ordinalAt(series.frequency, day)
    return readWindow(this.#fx!, window, { ordinal, day, isPicked: false, today: this.#rules.today })
  }

  #rate(ordinal: number): TakenReading | null {
    return this.#take(this.#bound.fx!.series, ordinal, newestIn(this.#selection))
  }

  #fxLabel(ordinal: number): string {
    return formatLabel({ frequency: this.#bound.fx!.series.frequency, ordinal })
  }

  #noRate({ kind, period, words }: Lack): never {
    const { reference: series } = this.#bound.fx!.series
    const sentence = `${this.#name()}: the exchange rate ${series} ${words}`
    throw new MissingValue({ kind, series, period, stage: null, sentence })
  }

  #lastKnownRate(ordinal: number): TakenReading | null {
    if (this.#bound.input.missing.kind !== 'LAST_KNOWN' || this.#rules.strict) return null
    const earlier = newestBefore(this.#bound.fx!.series, ordinal, candidate => this.#rate(candidate))
    return earlier === null ? null : { ...earlier, substituted: true }
  }

  #source(ordinal: number): PeriodSource {
    this.#work.spend(workOf.part + workOf.value * this.#bound.links.length)
    return sourceOf(this.#bound, ordinal)
  }

  #plain(ordinal: number): TakenReading | null {
    const { series, link } = this.#source(ordinal)
    const taken = this.#take(series, ordinal, this.#selection)
    if (taken === null || link === null) return taken
    const value = multiply(taken.value, link.coefficient, this.#work)
    return { ...taken, value: link.round === null ? value : round(value, link.round, this.#work) }
  }

  #take(series: SeriesHistory, ordinal: number, selection: Selection): TakenReading | null {
    const vintages = series.periods.get(ordinal)
    this.#work.spend(workOf.value + (vintages?.length ?? 0) / workOf.scannedPerUnit)
    if (vintages === undefined) return null
    this.#rules.watch?.(vintages)
    const vintage = selectVintage(this.#counted(series, ordinal, vintages), selection)
    if (vintage === undefined) return null
    const used = [{ series: series.reference, period: { frequency: series.frequency, ordinal }, vintage }]
    return { value: ratio(vintage.value), used, substituted: false }
  }

  #counted({ reference }: SeriesHistory, ordinal: number, vintages: readonly Vintage[]): readonly Vintage[] {
    const { counting, cuts } = this.#rules
    if (counting === undefined) return vintagesInside(vintages, cuts)
    return counting(this.#bound.input.name, reference, ordinal, vintages)
  }

  /** `asked` is the period as it was read, where the series itself is coarser. */
  #filledIn(ordinal: number, asked: number): TakenReading {
    const { input, fallback } = this.#bound
    const { missing } = input
    if (!this.#rules.strict) {
      if (missing.kind === 'LAST_KNOWN') {
        const earlier = this.#newestKnownBefore(ordinal)
        if (earlier !== null) return { ...earlier.reading, substituted: true }
      }
      if (missing.kind === 'FALLBACK' && fallback !== null) {
        const other = this.#take(fallback, ordinal, this.#selection)
        if (other !== null) return { ...other, substituted: true }
      }
      if (missing.kind === 'AGREED') {
        const value = missing.values.get(this.#label(ordinal))
        if (value !== undefined) return { value, used: [], substituted: false }
      }
      if (missing.kind === 'YOY_ESTIMATE') {
        const estimate = estimateByYear(this.#values, ordinal, missing.capPct)
        if (estimate !== null) return { ...estimate, substituted: true }
      }
      if (missing.kind === 'TREND') {
        const trend = estimateByTrend(this.#values, ordinal, this.#bound.trendOver!, missing.dp)
        if (trend !== null) return { ...trend, substituted: true }
      }
    }
    throw new MissingValue(this.#gapAt(ordinal, asked))
  }

  /** Published values, for estimates of unpublished ones. */
  get #values(): KnownValues {
    return {
      frequency: this.#bound.series.frequency,
      read: ordinal => this.#plain(ordinal),
      newestBefore: ordinal => this.#newestKnownBefore(ordinal),
      work: this.#work,
    }
  }

  #newestKnownBefore(ordinal: number): KnownValue | null {
    const { series, links } = this.#bound
    let best: KnownValue | null = null
    for (const history of [series, ...links.map(link => link.series)])
      newestBefore(history, ordinal, candidate => {
        if (best !== null && candidate <= best.ordinal) return null
        if (this.#source(candidate).series !== history) return null
        const reading = this.#plain(candidate)
        if (reading !== null) best = { ordinal: candidate, reading }
        return reading
      })
    return best
  }

  #gapAt(ordinal: number, asked: number): Gap {
    const { series, frequency } = this.#bound
    const source = this.#source(ordinal).series
    const through = source === series ? '' : ` (through the link to ${source.reference})`
    const stage = this.#stage
    const tag = stage === null ? '' : this.#rules.strict ? ` tagged ${stage}` : ` that is ${stage}`
    const month = this.#perPeriod === 1 ? '' : ` (asked for ${formatLabel({ frequency, ordinal: asked })})`
    const period = this.#label(ordinal)
    const sentence = `${this.#name()} has no value${tag} for ${period}${month}${through}`
    return { kind: 'value', series: source.reference, period, stage, sentence }
  }

  /** The only stage of values that counts; null where any does. */
  get #stage(): VersionTag | null {
    if (this.#rules.strict) return this.#rules.tag
    return this.#bound.input.vintage === 'FINAL' ? 'FINAL' : null
  }

  #name(): string {
    const { input } = this.#bound
    return `${input.name} (${input.series})`
  }

  #label(ordinal: number): string {
    return formatLabel({ frequency: this.#bound.series.frequency, ordinal })
  }
}

function newestIn(selection: Selection): Selection {
  return selection.tag === null ? newest : { ...newest, tag: selection.tag, orNewest: true }
}
