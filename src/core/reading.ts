// How a series is read for an adjustment date: links, window, conversion, missing values, rounding. It takes values and
// nothing else: every observation used is named, and a value that is not there is said with its period.
import { civilOf, type Day, dayOf, daysInMonth, firstYear } from './day.ts'
import type { BoundInput, BoundWindow } from './formula/bind.ts'
import type { Base, Using } from './formula/formula.ts'
import { endOfDay } from './instant.ts'
import {
  type Frequency,
  firstAtLeast,
  firstDayOf,
  lastDayOf,
  ordinalAt,
  ordinalsWithin,
  type Period,
  shift,
  writePeriod,
  yearBefore,
} from './period.ts'
import {
  add,
  divide,
  greatest,
  hundred,
  least,
  multiply,
  ofInteger,
  one,
  type Ratio,
  ratio,
  round,
  subtract,
  sum,
} from './ratio.ts'
import { goBack } from './schedule.ts'
import type { SeriesHistory, VersionTag } from './series.ts'
import { type Cuts, newest, type Selection, selectVintage, type ValuedVintage, vintagesInside } from './vintage.ts'
import { type WorkBudget, workOf } from './work-budget.ts'

/** An observation that went into a reading. */
export interface UsedObservation {
  readonly series: string
  readonly period: Period
  readonly vintage: ValuedVintage
}

export interface TakenReading {
  readonly value: Ratio
  readonly used: readonly UsedObservation[]
  /** Whether a missing value was estimated or substituted: the data version then is PRELIMINARY. */
  readonly substituted: boolean
}

/** A value that is not there: the period cannot be computed. */
export class MissingValue extends Error {}

export interface ReadingRules {
  readonly cuts: Cuts
  readonly tag: VersionTag | null
  /** With `tag`: nothing but that tag, and no filling in of missing values. */
  readonly strict: boolean
}

export class InputReader {
  readonly #bound: BoundInput
  readonly #rules: ReadingRules
  readonly #work: WorkBudget
  readonly #selection: Selection

  constructor(bound: BoundInput, rules: ReadingRules, work: WorkBudget) {
    this.#bound = bound
    this.#rules = rules
    this.#work = work
    this.#selection = { policy: bound.input.vintage, tag: rules.tag, orNewest: !rules.strict }
  }

  /** The reading for an adjustment date. */
  at(date: Day): TakenReading {
    const { input, series, window } = this.#bound
    if (input.interpolate) return this.#finish(this.#interpolated(date), date, null)
    const lagged = goBack(date, input.lag)
    const ordinal =
      input.pick === 'LATEST_PUBLISHED' ? this.#latestPublished(lagged) : ordinalAt(series.frequency, lagged)
    const day = input.pick === 'LATEST_PUBLISHED' ? firstDayOf({ frequency: series.frequency, ordinal }) : lagged
    const range = windowOrdinals(series.frequency, window, ordinal, day)
    // The window ends with the period that was picked: later ones were not published by then.
    const last = input.pick === 'LATEST_PUBLISHED' ? ordinal : range.last
    return this.#finish(this.#joined({ ...range, last }), date, null)
  }

  base(base: Base): TakenReading {
    if (base.kind === 'value') return { value: base.value, used: [], substituted: false }
    const { input, series } = this.#bound
    if (input.interpolate && base.from.frequency === 'DAILY')
      return this.#finish(this.#interpolated(base.from.ordinal), base.from.ordinal, base)
    const { first, last } = ordinalsWithin(series.frequency, firstDayOf(base.from), lastDayOf(base.to))
    const sparse = isSparse(series.frequency) && base.from.frequency !== series.frequency
    return this.#finish(this.#joined({ first, last, sparse }), lastDayOf(base.to), base)
  }

  /** I(m) + (day − 1) / days × (I(m+1) − I(m)); on the first of a month the next one is not asked for. */
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
        if (selectVintage(vintagesInside(vintages, cuts), policy) === undefined) continue
        found = ordinal
        break
      }
    if (found === null) throw new MissingValue(`${this.#name()} had nothing published by ${by.slice(0, 10)}`)
    return found
  }

  #joined({ first, last, sparse }: OrdinalRange): TakenReading {
    const { input, series, links } = this.#bound
    if (first === last && !sparse) return this.#each(first)
    const readings: TakenReading[] = []
    if (sparse) {
      for (const ordinal of this.#heldBetween([series, ...links.map(link => link.series)], first, last))
        if (this.#plain(ordinal) !== null) readings.push(this.#each(ordinal))
    } else for (let ordinal = first; ordinal <= last; ordinal++) readings.push(this.#each(ordinal))
    if (readings.length === 0) {
      if (input.missing.kind === 'BLOCK' || this.#rules.strict)
        throw new MissingValue(`${this.#name()} has no value from ${this.#label(first)} to ${this.#label(last)}`)
      readings.push(this.#each(last))
    }
    return combine(
      readings,
      join(
        readings.map(reading => reading.value),
        input.using,
        this.#work,
      ),
    )
  }

  /** One observation, converted on its own where the document says `each`. */
  #each(ordinal: number): TakenReading {
    const { input, fx } = this.#bound
    const reading = this.#observation(ordinal)
    if (fx === null || input.convert?.each !== true) return reading
    const period: Period = { frequency: this.#bound.series.frequency, ordinal }
    return this.#exchange(reading, this.#fxFor(firstDayOf(period), lastDayOf(period), period.frequency))
  }

  /** Fx, scale and rounding, in this order. */
  #finish(reading: TakenReading, date: Day, base: Base | null): TakenReading {
    const { input, fx } = this.#bound
    const { convert } = input
    let result = reading
    if (fx !== null && convert?.fx && !convert.each) {
      const rate =
        base?.kind === 'label'
          ? this.#fxFor(firstDayOf(base.from), lastDayOf(base.to), base.from.frequency)
          : this.#fxAt(goBack(date, convert.fx.lag))
      result = this.#exchange(result, rate)
    }
    if (convert?.scale) result = { ...result, value: multiply(result.value, convert.scale, this.#work) }
    return input.round === null ? result : { ...result, value: round(result.value, input.round, this.#work) }
  }

  #exchange(reading: TakenReading, rate: TakenReading): TakenReading {
    const exchange = this.#bound.input.convert!.fx!.operation === 'DIVIDE' ? divide : multiply
    return combine([reading, rate], exchange(reading.value, rate.value, this.#work))
  }

  #fxAt(day: Day): TakenReading {
    const { series, window } = this.#bound.fx!
    return this.#fxOver(windowOrdinals(series.frequency, window, ordinalAt(series.frequency, day), day))
  }

  /** The rate of a label: the periods that begin inside it, or the one coarser period that holds its end. */
  #fxFor(from: Day, to: Day, label: Frequency): TakenReading {
    const { frequency } = this.#bound.fx!.series
    const { first, last } = ordinalsWithin(frequency, from, to)
    const holding = ordinalAt(frequency, to)
    if (first > last) return this.#fxOver({ first: holding, last: holding, sparse: false })
    return this.#fxOver({ first, last, sparse: isSparse(frequency) && label !== frequency })
  }

  #fxOver({ first, last, sparse }: OrdinalRange): TakenReading {
    const { series } = this.#bound.fx!
    const readings: TakenReading[] = []
    if (sparse) {
      for (const ordinal of this.#heldBetween([series], first, last)) {
        const found = this.#take(series, ordinal, newestIn(this.#selection))
        if (found !== null) readings.push(found)
      }
      if (readings.length === 0) readings.push(this.#lastKnownRate(last) ?? this.#noRate(first, last))
    } else
      for (let ordinal = first; ordinal <= last; ordinal++)
        readings.push(
          this.#take(series, ordinal, newestIn(this.#selection)) ??
            this.#lastKnownRate(ordinal) ??
            this.#noRate(ordinal, ordinal),
        )
    const values = readings.map(reading => reading.value)
    return combine(readings, join(values, this.#bound.input.convert!.fx!.using, this.#work))
  }

  #noRate(first: number, last: number): never {
    const { frequency, reference } = this.#bound.fx!.series
    const [from, to] = [first, last].map(ordinal => writeLabel({ frequency, ordinal }))
    const when = first === last ? `for ${from}` : `from ${from} to ${to}`
    throw new MissingValue(`${this.#name()}: the exchange rate ${reference} has no value ${when}`)
  }

  #lastKnownRate(ordinal: number): TakenReading | null {
    if (this.#bound.input.missing.kind !== 'LAST_KNOWN' || this.#rules.strict) return null
    const { series } = this.#bound.fx!
    const earlier = newestBefore(series, ordinal, candidate => this.#take(series, candidate, newestIn(this.#selection)))
    return earlier === null ? null : { ...earlier, substituted: true }
  }

  /** The value of one period: as published, through a link, or by the missing-value policy. */
  #observation(ordinal: number): TakenReading {
    return this.#plain(ordinal) ?? this.#filledIn(ordinal)
  }

  /** Which series a period comes from, and what its values are multiplied with. */
  #source(ordinal: number): { series: SeriesHistory; link: BoundInput['links'][number]['link'] | null } {
    const { series, links } = this.#bound
    this.#work.spend(workOf.part + workOf.value * links.length)
    if (links.length === 0) return { series, link: null }
    const first = firstDayOf({ frequency: series.frequency, ordinal })
    let found: BoundInput['links'][number] | null = null
    for (const candidate of links) {
      const { from, until } = candidate.link
      if (until !== null && first > lastDayOf(until)) continue
      if (from !== null && first < firstDayOf(from)) continue
      if (found === null || isNarrower(candidate.link, found.link)) found = candidate
    }
    return found === null ? { series, link: null } : found
  }

  #plain(ordinal: number): TakenReading | null {
    const { series, link } = this.#source(ordinal)
    const taken = this.#take(series, ordinal, this.#selection)
    if (taken === null || link === null) return taken
    const value = multiply(taken.value, link.coefficient, this.#work)
    return { ...taken, value: link.round === null ? value : round(value, link.round, this.#work) }
  }

  #take(series: SeriesHistory, ordinal: number, selection: Selection): TakenReading | null {
    this.#work.spend(workOf.value)
    const vintages = series.periods.get(ordinal)
    if (vintages === undefined) return null
    this.#work.scan(vintages.length)
    const vintage = selectVintage(vintagesInside(vintages, this.#rules.cuts), selection)
    if (vintage === undefined) return null
    const used = [{ series: series.reference, period: { frequency: series.frequency, ordinal }, vintage }]
    return { value: ratio(vintage.value), used, substituted: false }
  }

  #filledIn(ordinal: number): TakenReading {
    const { input, fallback } = this.#bound
    const { missing } = input
    if (!this.#rules.strict) {
      if (missing.kind === 'LAST_KNOWN') {
        const earlier = this.#newestKnownBefore(ordinal)
        if (earlier !== null) return { ...earlier, substituted: true }
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
        const estimate = this.#estimate(ordinal, missing.capPct)
        if (estimate !== null) return { ...estimate, substituted: true }
      }
    }
    throw new MissingValue(this.#missingReason(ordinal))
  }

  #newestKnownBefore(ordinal: number): TakenReading | null {
    const { series, links } = this.#bound
    let best: { ordinal: number; reading: TakenReading } | null = null
    for (const history of [series, ...links.map(link => link.series)])
      newestBefore(history, ordinal, candidate => {
        if (best !== null && candidate <= best.ordinal) return null
        if (this.#source(candidate).series !== history) return null
        const reading = this.#plain(candidate)
        if (reading !== null) best = { ordinal: candidate, reading }
        return reading
      })
    return (best as { reading: TakenReading } | null)?.reading ?? null
  }

  /**
   * The value a year before times the last known year-on-year ratio, the step from the period before held within
   * ± capPct. In a gap of several periods the one before is estimated first.
   */
  #estimate(ordinal: number, capPct: Ratio | null, depth = 0): TakenReading | null {
    const { frequency } = this.#bound.series
    const yearOf = (at: number) => this.#plain(yearBefore({ frequency, ordinal: at }).ordinal)
    const yearAgo = yearOf(ordinal)
    if (yearAgo === null || depth > maxGap) return null
    for (let known = ordinal - 1; ordinal - known <= maxGap; known--) {
      const [now, then] = [this.#plain(known), yearOf(known)]
      if (now === null || then === null) continue
      const work = this.#work
      const raw = combine([yearAgo, now, then], divide(multiply(yearAgo.value, now.value, work), then.value, work))
      if (capPct === null) return raw
      const before = this.#plain(ordinal - 1) ?? this.#estimate(ordinal - 1, capPct, depth + 1)
      return before === null ? null : combine([raw, before], holdWithin(raw.value, before.value, capPct, work))
    }
    return null
  }

  /** The running numbers that any of the series holds inside the span, ascending. */
  #heldBetween(histories: readonly SeriesHistory[], first: number, last: number): number[] {
    const held = new Set<number>()
    for (const { ordinals } of histories)
      for (let i = firstAtLeast(ordinals, first); i < ordinals.length && ordinals[i]! <= last; i++) {
        this.#work.spend(workOf.part)
        held.add(ordinals[i]!)
      }
    return [...held].sort((a, b) => a - b)
  }

  #missingReason(ordinal: number): string {
    const source = this.#source(ordinal).series
    const through = source === this.#bound.series ? '' : ` (through the link to ${source.reference})`
    const tag = this.#rules.strict
      ? ` tagged ${this.#rules.tag}`
      : this.#bound.input.vintage === 'FINAL'
        ? ' that is FINAL'
        : ''
    return `${this.#name()} has no value${tag} for ${this.#label(ordinal)}${through}`
  }

  #name(): string {
    const { input } = this.#bound
    return `${input.name} (${input.series})`
  }

  #label(ordinal: number): string {
    return writeLabel({ frequency: this.#bound.series.frequency, ordinal })
  }
}

const maxGap = 120

const beginning = dayOf(firstYear, 1, 1)

/** A long lag or window may lead out of the calendar. */
function writeLabel(period: Period): string {
  return firstDayOf(period) < beginning ? 'before the year 1' : writePeriod(period)
}

interface OrdinalRange {
  readonly first: number
  readonly last: number
  /** Whether the window takes the observations there are. */
  readonly sparse: boolean
}

function isSparse(frequency: Frequency): boolean {
  return frequency === 'DAILY' || frequency === 'WEEKLY'
}

function newestIn(selection: Selection): Selection {
  return selection.tag === null ? newest : { ...newest, tag: selection.tag, orNewest: true }
}

function isNarrower(a: BoundInput['links'][number]['link'], b: BoundInput['links'][number]['link']): boolean {
  if (a.until !== null && b.until !== null) return lastDayOf(a.until) < lastDayOf(b.until)
  if (a.from !== null && b.from !== null) return firstDayOf(a.from) > firstDayOf(b.from)
  return false
}

export function windowOrdinals(frequency: Frequency, window: BoundWindow, ordinal: number, day: Day): OrdinalRange {
  if (window.kind === 'periods') return { first: ordinal - window.count + 1, last: ordinal, sparse: false }
  const unit: Period = { frequency: window.frequency, ordinal: ordinalAt(window.frequency, day) }
  const { first, last } = ordinalsWithin(frequency, firstDayOf(shift(unit, 1 - window.count)), lastDayOf(unit))
  return { first, last, sparse: isSparse(frequency) }
}

function newestBefore<T>(history: SeriesHistory, ordinal: number, read: (candidate: number) => T | null): T | null {
  for (let i = firstAtLeast(history.ordinals, ordinal) - 1; i >= 0; i--) {
    const found = read(history.ordinals[i]!)
    if (found !== null) return found
  }
  return null
}

function combine(readings: readonly TakenReading[], value: Ratio): TakenReading {
  return {
    value,
    used: readings.flatMap(reading => reading.used),
    substituted: readings.some(reading => reading.substituted),
  }
}

function holdWithin(value: Ratio, previous: Ratio, capPct: Ratio, work: WorkBudget): Ratio {
  const share = divide(capPct, hundred)
  const low = multiply(previous, subtract(one, share), work)
  return least(greatest(value, low, work), multiply(previous, add(one, share), work), work)
}

function join(values: readonly Ratio[], using: Using, work: WorkBudget): Ratio {
  if (using === 'MEAN')
    return values.length === 1 ? values[0]! : divide(sum(values, work), ofInteger(values.length), work)
  if (using === 'SUM') return sum(values, work)
  if (using === 'FIRST') return values[0]!
  if (using === 'LAST') return values.at(-1)!
  if (using === 'MIN') return values.reduce((a, b) => least(a, b, work))
  if (using === 'MAX') return values.reduce((a, b) => greatest(a, b, work))
  const growth = values.reduce((product, rate) => multiply(product, add(one, divide(rate, hundred)), work), one)
  return multiply(subtract(growth, one, work), hundred, work)
}
