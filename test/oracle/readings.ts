// How the oracle reads an input: lag, window, links, conversion, missing values. One function for each sentence of
// formula.md, "Inputs: how a series is read".
import {
  beginningWithin,
  goBack,
  isCoarser,
  type Label,
  monthLength,
  move,
  parseDate,
  parseLabel,
  parseSpan,
  parts,
  startOf,
  takesWhatThereIs,
  type Window,
  windowOf,
  writeLabel,
} from './calendar.ts'
import type { InputModel, Tag, Using } from './document.ts'
import { NotComputable, quotient } from './expression.ts'
import { choose, endOfDay, type HeldSeries } from './held.ts'
import { decimal, Fraction, hundred, larger, one, roundAs, smaller, total } from './numbers.ts'

export interface Reading {
  readonly value: Fraction
  /** Of all that was used. */
  readonly tags: readonly Tag[]
}

export class Reader {
  readonly #input: InputModel
  readonly #name: string
  readonly #series: HeldSeries
  readonly #held: ReadonlyMap<string, HeldSeries>
  readonly #done = new Map<string, Reading>()

  constructor(name: string, input: InputModel, held: ReadonlyMap<string, HeldSeries>) {
    this.#name = name
    this.#input = input
    this.#held = held
    this.#series = held.get(input.series)!
  }

  /** The reading for an adjustment date. */
  at(date: number): Reading {
    return this.#once(`at ${date}`, () => {
      const { interpolate, lag } = this.#input
      const lagged = goBack(date, parseSpan(lag))
      const rate = (tags: Tag[]) => this.#rateAt(date, tags)
      if (interpolate === 'DAILY') return this.#finish(tags => this.#interpolated(date, lagged, tags), rate)
      const { frequency } = this.#series
      const start = this.#input.pick === 'LATEST_PUBLISHED' ? this.#published(lagged) : startOf(frequency, lagged)
      const window = windowOf(frequency, this.#input.window, start, lagged)
      return this.#finish(tags => this.#over(window, tags), rate)
    })
  }

  base(): Reading {
    return this.#once('base', () => {
      const { base, interpolate, lag } = this.#input
      if (base === undefined) throw new Error(`${this.#name} has no base`)
      if (typeof base !== 'string') return { value: decimal(base.value), tags: [] }
      const [from, to = from] = base.split('..').map(parseLabel) as [Label, Label?]
      const label = { frequency: from.frequency, first: from.first, last: to.last }
      const rate = (tags: Tag[]) => this.#rateOver(label, tags)
      if (interpolate === 'DAILY' && label.frequency === 'DAILY') {
        const date = parseDate(base)
        return this.#finish(tags => this.#interpolated(date, goBack(date, parseSpan(lag)), tags), rate)
      }
      return this.#finish(tags => this.#over(windowOfLabel(label, this.#series), tags), rate)
    })
  }

  #once(key: string, take: () => Reading): Reading {
    const held = this.#done.get(key)
    if (held !== undefined) return held
    const reading = take()
    this.#done.set(key, reading)
    return reading
  }

  // links → each observation's conversion → window → fx → scale → round
  #finish(take: (tags: Tag[]) => Fraction, rate: (tags: Tag[]) => Fraction): Reading {
    const tags: Tag[] = []
    let value = take(tags)
    const { convert, round } = this.#input
    if (convert?.fx !== undefined && convert.each !== true) value = this.#exchanged(value, rate(tags))
    if (convert?.scale !== undefined) value = value.mul(decimal(convert.scale))
    return { value: roundAs(value, round), tags }
  }

  #exchanged(value: Fraction, rate: Fraction): Fraction {
    return this.#input.convert!.operation === 'MULTIPLY' ? value.mul(rate) : quotient(value, rate)
  }

  #over(window: Window, tags: Tag[]): Fraction {
    return join(this.#values(window, tags), this.#input.using)
  }

  #values({ starts, asThereAre }: Window, tags: Tag[]): Fraction[] {
    if (!asThereAre) return starts.map(start => this.#observation(start, tags))
    const there = starts.filter(start => this.#known(start) !== undefined)
    if (there.length > 0) return there.map(start => this.#observation(start, tags))
    return [this.#observation(starts.at(-1)!, tags)]
  }

  // I(m) + (day − 1) / days × (I(m+1) − I(m))
  #interpolated(date: number, lagged: number, tags: Tag[]): Fraction {
    const month = startOf('MONTHLY', lagged)
    const { year, month: ofYear, day } = parts(date)
    const first = this.#observation(month, tags)
    if (day === 1) return first
    const next = this.#observation(move('MONTHLY', month, 1), tags)
    return first.add(new Fraction(day - 1, monthLength(year, ofYear)).mul(next.sub(first)))
  }

  /** The newest period published on or before the lagged date. */
  #published(lagged: number): number {
    let newest: number | undefined
    for (const [start, vintages] of this.#series.periods)
      if (vintages[0]!.published <= endOfDay(lagged) && (newest === undefined || start > newest)) newest = start
    if (newest === undefined) throw this.#lacks(lagged)
    return newest
  }

  #lacks(start: number): NotComputable {
    const period = writeLabel(this.#series.frequency, start)
    return new NotComputable(`${this.#name} lacks ${period}`, [this.#name, period])
  }

  /** What is published for a period, by the links and the vintage policy. */
  #known(start: number): { value: Fraction; tag: Tag } | undefined {
    const link = this.#input.links?.find(
      ({ from, until }) =>
        (until === undefined || start <= parseLabel(until).first) &&
        (from === undefined || start >= parseLabel(from).first),
    )
    if (link === undefined) return choose(this.#series, start, this.#input.vintage)
    const vintage = choose(this.#held.get(link.series)!, start, this.#input.vintage)
    if (vintage === undefined) return undefined
    return { value: roundAs(vintage.value.mul(decimal(link.coefficient)), link.round), tag: vintage.tag }
  }

  #observation(start: number, tags: Tag[]): Fraction {
    const known = this.#known(start)
    if (known !== undefined) tags.push(known.tag)
    const value = known === undefined ? this.#substitute(start, tags) : known.value
    if (this.#input.convert?.each !== true) return value
    const label = parseLabel(writeLabel(this.#series.frequency, start))
    return this.#exchanged(value, this.#rateOver(label, tags))
  }

  #substitute(start: number, tags: Tag[]): Fraction {
    const { missing = 'BLOCK', vintage } = this.#input
    if (missing === 'BLOCK') throw this.#lacks(start)
    if (missing !== 'LAST_KNOWN' && 'agreed' in missing) {
      const agreed = missing.agreed[writeLabel(this.#series.frequency, start)]
      if (agreed === undefined) throw this.#lacks(start)
      return decimal(agreed)
    }
    tags.push('PRELIMINARY')
    if (missing === 'LAST_KNOWN') return this.#lastKnown(start)
    if ('yoyEstimate' in missing) {
      const estimate = this.#estimate(start, missing.yoyEstimate.capPct)
      if (estimate === undefined) throw this.#lacks(start)
      return estimate
    }
    const other = choose(this.#held.get(missing.fallback)!, start, vintage)
    if (other === undefined) throw this.#lacks(start)
    return other.value
  }

  #lastKnown(start: number): Fraction {
    for (const earlier of this.#periodsBefore(start)) {
      const known = this.#known(earlier)
      if (known !== undefined) return known.value
    }
    throw this.#lacks(start)
  }

  /** Periods of the series and those it is linked to, before a period, newest first. */
  #periodsBefore(start: number): number[] {
    const references = [this.#input.series, ...(this.#input.links ?? []).map(link => link.series)]
    const starts = new Set(references.flatMap(reference => [...this.#held.get(reference)!.periods.keys()]))
    return [...starts].filter(period => period < start).sort((a, b) => b - a)
  }

  // The value a year before × the last known year-on-year ratio, the step from the period before within ± capPct.
  #estimate(start: number, capPct: string | undefined): Fraction | undefined {
    const { frequency } = this.#series
    const yearAgo = (period: number) => this.#known(startOf(frequency, goBack(period, { count: 1, unit: 'year' })))
    const year = yearAgo(start)
    const latest = this.#periodsBefore(start).find(
      period => this.#known(period) !== undefined && yearAgo(period) !== undefined,
    )
    if (year === undefined || latest === undefined) return undefined
    const estimate = year.value.mul(quotient(this.#known(latest)!.value, yearAgo(latest)!.value))
    if (capPct === undefined) return estimate
    const before = move(frequency, start, -1)
    const from = this.#known(before)?.value ?? this.#estimate(before, capPct)
    if (from === undefined) return undefined
    const cap = decimal(capPct).div(hundred)
    return larger(from.mul(one.sub(cap)), smaller(from.mul(one.add(cap)), estimate))
  }

  /** The exchange rate for an adjustment date; its lag is the input's own unless given. */
  #rateAt(date: number, tags: Tag[]): Fraction {
    const { lag, window, using } = this.#input.convert!
    const series = this.#fx()
    const day = goBack(date, parseSpan(lag ?? this.#input.lag))
    const span = windowOf(series.frequency, window, startOf(series.frequency, day), day)
    return join(this.#rates(span, series, tags), using)
  }

  /** The exchange rate of a label: a base's, or an observation's own period. */
  #rateOver(label: Label, tags: Tag[]): Fraction {
    return join(this.#rates(windowOfLabel(label, this.#fx()), this.#fx(), tags), this.#input.convert!.using)
  }

  #fx(): HeldSeries {
    return this.#held.get(this.#input.convert!.fx!)!
  }

  #rates({ starts, asThereAre }: Window, series: HeldSeries, tags: Tag[]): Fraction[] {
    const { missing } = this.#input
    const there = asThereAre ? starts.filter(start => choose(series, start) !== undefined) : starts
    return (there.length > 0 ? there : [starts.at(-1)!]).map(start => {
      const found = choose(series, start)
      if (found !== undefined) {
        tags.push(found.tag)
        return found.value
      }
      const earlier = [...series.periods.keys()].filter(period => period < start).sort((a, b) => b - a)
      const last = earlier[0]
      if (missing !== 'LAST_KNOWN' || last === undefined)
        throw new NotComputable(`${this.#name} lacks a rate`, [this.#name, this.#input.convert!.fx!])
      tags.push('PRELIMINARY')
      return choose(series, last)!.value
    })
  }
}

/** A label's own periods: those of the series that begin inside it, or the one that holds it where that is longer. */
function windowOfLabel(label: Label, { frequency }: HeldSeries): Window {
  if (isCoarser(frequency, label.frequency)) return { starts: [startOf(frequency, label.first)], asThereAre: false }
  return {
    starts: beginningWithin(frequency, label.first, label.last),
    asThereAre: takesWhatThereIs(frequency) && isCoarser(label.frequency, frequency),
  }
}

function join(values: readonly Fraction[], using: Using = 'MEAN'): Fraction {
  switch (using) {
    case 'MEAN':
      return total(values).div(values.length)
    case 'SUM':
      return total(values)
    case 'FIRST':
      return values[0]!
    case 'LAST':
      return values.at(-1)!
    case 'MIN':
      return values.reduce(smaller)
    case 'MAX':
      return values.reduce(larger)
    case 'COMPOUND':
      return values
        .map(rate => one.add(rate.div(hundred)))
        .reduce((product, factor) => product.mul(factor))
        .sub(one)
        .mul(hundred)
  }
}
