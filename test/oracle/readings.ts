// How the oracle reads an input: lag, window, links, conversion, missing values. One function for each sentence of
// docs/FORMULA.md, "Inputs: how a series is read".
import {
  beginningWithin,
  endOf,
  type Frequency,
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
import { type InputModel, type Tag, type Using, weekdays } from './document.ts'
import { NotComputable, quotient, roundedPower } from './expression.ts'
import { decimal, Fraction, hundred, larger, one, roundAs, smaller, total } from './numbers.ts'
import { choose, endOfDay, type StoredSeries } from './stored.ts'

export interface Reading {
  readonly value: Fraction
  /** Of all that was used. */
  readonly tags: readonly Tag[]
}

/** The data as it can be seen, and by when: cut again for inputs that are read as they stood. */
export interface Sight {
  readonly held: ReadonlyMap<string, StoredSeries>
  /** The day of the cut; null where there is none. */
  readonly today: number | null
}

export class Reader {
  readonly #input: InputModel
  readonly #name: string
  readonly #look: (by: number | null) => Sight
  readonly #start: number
  readonly #done = new Map<string, Reading>()
  /** What is seen while one reading is taken. */
  #sight: Sight

  /** `start` is the contract's; `look` gives the data as it stood at the end of a day, or as it is. */
  constructor(name: string, input: InputModel, start: number, look: (by: number | null) => Sight) {
    this.#name = name
    this.#input = input
    this.#start = start
    this.#look = look
    this.#sight = look(null)
  }

  /** The reading for an adjustment date. */
  at(date: number): Reading {
    return this.#once(`at ${date}`, date, () => {
      const { interpolate, lag } = this.#input
      const lagged = goBack(date, parseSpan(lag))
      const rate = (tags: Tag[]) => this.#rateAt(date, tags)
      if (interpolate === 'DAILY') return this.#finish(tags => this.#interpolated(date, lagged, tags), rate)
      const { frequency } = this
      const picked = this.#input.pick === 'LATEST_PUBLISHED' ? this.#published(lagged) : null
      const day = picked === null ? lagged : picked + (frequency === 'WEEKLY' ? this.#weekday : 0)
      const window = windowOf(frequency, this.#input.window, picked ?? startOf(frequency, lagged), day)
      return this.#finish(tags => this.#over(window, tags, picked), rate)
    })
  }

  base(): Reading {
    return this.#once('base', this.#start, () => {
      const { base, interpolate, lag } = this.#input
      if (base === undefined) throw new Error(`${this.#name} has no base`)
      if (typeof base !== 'string') return { value: decimal(base.value), tags: [] }
      const [from, to = from] = base.split('..').map(parseLabel) as [Label, Label?]
      const rate = (tags: Tag[]) => this.#rateOver(from, to, tags)
      if (interpolate === 'DAILY' && from.frequency === 'DAILY') {
        const date = parseDate(base)
        return this.#finish(tags => this.#interpolated(date, goBack(date, parseSpan(lag)), tags), rate)
      }
      const window = windowOfLabel(from, to, this.frequency)
      return this.#finish(tags => this.#over(window, tags, null), rate)
    })
  }

  /** In which it is read. */
  get frequency(): Frequency {
    return this.#input.expand === 'MONTHLY' ? 'MONTHLY' : this.#series.frequency
  }

  get #series(): StoredSeries {
    return this.#sight.held.get(this.#input.series)!
  }

  get #weekday(): number {
    return weekdays.indexOf(this.#input.week ?? 'MONDAY')
  }

  #once(key: string, day: number, take: () => Reading): Reading {
    const held = this.#done.get(key)
    if (held !== undefined) return held
    this.#sight = this.#look(this.#input.vintage === 'AT_DATE' ? day : null)
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

  #over(window: Window, tags: Tag[], picked: number | null): Fraction {
    return join(this.#values(window, tags, picked), this.#input.using)
  }

  #values(window: Window, tags: Tag[], picked: number | null): Fraction[] {
    if (window.kind === 'periods') return window.starts.map(start => this.#observation(start, tags))
    const all = this.#readable().filter(start => this.#known(this.#source(start)) !== undefined)
    const chosen = chooseFrom(all, window, {
      standing: start => start + (this.frequency === 'WEEKLY' ? this.#weekday : 0),
      picked,
      today: this.#sight.today,
    })
    if (typeof chosen !== 'string') return chosen.map(start => this.#observation(start, tags))
    return [this.#instead(all, this.#lastOf(window, picked), chosen, tags)]
  }

  /** The period a window ends with. */
  #lastOf(window: Exclude<Window, { kind: 'periods' }>, picked: number | null): number {
    if (window.kind === 'newest') return window.upTo
    const end = window.stretches.at(-1)!.last - (this.frequency === 'WEEKLY' ? this.#weekday : 0)
    return Math.min(startOf(this.frequency, end), picked ?? Number.POSITIVE_INFINITY)
  }

  /** A window that lacks something is missing as a whole. */
  #instead(all: readonly number[], end: number, why: string, tags: Tag[]): Fraction {
    const { missing = 'BLOCK' } = this.#input
    if (missing === 'BLOCK') throw new NotComputable(`${this.#name}: ${why}`, [this.#name])
    if (missing !== 'LAST_KNOWN') return this.#substitute(this.#source(end), tags)
    const last = all.findLast(start => start <= end)
    if (last === undefined) throw new NotComputable(`${this.#name}: ${why}`, [this.#name])
    tags.push('PRELIMINARY')
    return this.#known(this.#source(last))!.value
  }

  /** First days of the periods in which something may be known, ascending. */
  #readable(): number[] {
    const references = [this.#input.series, ...(this.#input.links ?? []).map(link => link.series)]
    const starts = [...new Set(references.flatMap(reference => [...this.#sight.held.get(reference)!.periods.keys()]))]
    const sorted = starts.sort((a, b) => a - b)
    if (this.#input.expand !== 'MONTHLY') return sorted
    return sorted.flatMap(start => beginningWithin('MONTHLY', start, endOf(this.#series.frequency, start)))
  }

  /** The series' own period in which a month lies that it is read by. */
  #source(start: number): number {
    return this.#input.expand === 'MONTHLY' ? startOf(this.#series.frequency, start) : start
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
    const { frequency } = this.#series
    return this.#input.expand === 'MONTHLY' ? startOf('MONTHLY', endOf(frequency, newest)) : newest
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
    if (link === undefined) return choose(this.#series, start, this.#policy)
    const vintage = choose(this.#sight.held.get(link.series)!, start, this.#policy)
    if (vintage === undefined) return undefined
    return { value: roundAs(vintage.value.mul(decimal(link.coefficient)), link.round), tag: vintage.tag }
  }

  get #policy(): 'LATEST' | 'FIRST' | 'FINAL' {
    const { vintage = 'LATEST' } = this.#input
    return vintage === 'AT_DATE' ? 'LATEST' : vintage
  }

  #observation(start: number, tags: Tag[]): Fraction {
    const source = this.#source(start)
    const known = this.#known(source)
    if (known !== undefined) tags.push(known.tag)
    const value = known === undefined ? this.#substitute(source, tags) : known.value
    if (this.#input.convert?.each !== true) return value
    const label = parseLabel(writeLabel(this.frequency, start))
    return this.#exchanged(value, this.#rateOver(label, label, tags))
  }

  #substitute(start: number, tags: Tag[]): Fraction {
    const { missing = 'BLOCK' } = this.#input
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
    if ('trend' in missing) {
      const trend = this.#trend(start, missing.trend)
      if (trend === undefined) throw this.#lacks(start)
      return trend
    }
    const other = choose(this.#sight.held.get(missing.fallback)!, start, this.#policy)
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
    const starts = new Set(references.flatMap(reference => [...this.#sight.held.get(reference)!.periods.keys()]))
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

  // last × (last ÷ the value one `over` before it)^(n ÷ over): the root of the whole, which is rounded once.
  #trend(start: number, { over, dp }: { readonly over: string; readonly dp: string }): Fraction | undefined {
    const { frequency } = this.#series
    const at = this.#periodsBefore(start).find(period => this.#known(period) !== undefined)
    if (at === undefined) return undefined
    const then = startOf(frequency, goBack(at, parseSpan(over)))
    const [last, before] = [this.#known(at)!.value, this.#known(then)?.value]
    if (before === undefined || last.compare(0) <= 0 || before.compare(0) <= 0) return undefined
    const ahead = stepsBetween(frequency, at, start)
    const length = stepsBetween(frequency, then, at)
    const moved = last.div(before).pow(ahead)!
    return roundedPower(last.pow(length)!.mul(moved), new Fraction(1, length), decimal(dp))
  }

  /** The exchange rate for an adjustment date; lag, window and `using` are the input's own unless given. */
  #rateAt(date: number, tags: Tag[]): Fraction {
    const { lag = this.#input.lag, window = this.#input.window } = this.#input.convert!
    const series = this.#fx()
    const day = goBack(date, parseSpan(lag))
    const span = windowOf(series.frequency, window, startOf(series.frequency, day), day)
    return join(this.#rates(span, series, tags), this.#rateUsing)
  }

  /** The exchange rate of a label: a base's, or an observation's own period. */
  #rateOver(from: Label, to: Label, tags: Tag[]): Fraction {
    return join(this.#rates(windowOfLabel(from, to, this.#fx().frequency), this.#fx(), tags), this.#rateUsing)
  }

  get #rateUsing(): Using | undefined {
    return this.#input.convert!.using ?? this.#input.using
  }

  #fx(): StoredSeries {
    return this.#sight.held.get(this.#input.convert!.fx!)!
  }

  #rates(window: Window, series: StoredSeries, tags: Tag[]): Fraction[] {
    const all = [...series.periods.keys()].sort((a, b) => a - b)
    const lacks = () => new NotComputable(`${this.#name} lacks a rate`, [this.#name, this.#input.convert!.fx!])
    const lastKnown = (upTo: number) => {
      const last = all.findLast(start => start <= upTo)
      if (this.#input.missing !== 'LAST_KNOWN' || last === undefined) throw lacks()
      tags.push('PRELIMINARY')
      return choose(series, last)!.value
    }
    const rate = (start: number) => {
      const found = choose(series, start)
      if (found === undefined) return lastKnown(start)
      tags.push(found.tag)
      return found.value
    }
    if (window.kind === 'periods') return window.starts.map(rate)
    const chosen = chooseFrom(all, window, { standing: start => start, picked: null, today: this.#sight.today })
    if (typeof chosen !== 'string') return chosen.map(rate)
    return [lastKnown(window.kind === 'newest' ? window.upTo : window.stretches.at(-1)!.last)]
  }
}

/** How many periods lie from one to another, counted one by one. */
function stepsBetween(frequency: Frequency, from: number, to: number): number {
  let steps = 0
  for (let at = from; at < to; at = move(frequency, at, 1)) steps++
  return steps
}

interface Choosing {
  /** The day that stands for a period. */
  standing(start: number): number
  /** The period that was picked as the newest published. */
  readonly picked: number | null
  readonly today: number | null
}

/** What a window takes of what is known, or what it lacks. */
function chooseFrom(
  known: readonly number[],
  window: Exclude<Window, { kind: 'periods' }>,
  { standing, picked, today }: Choosing,
): number[] | string {
  if (window.kind === 'newest') {
    const found = known.filter(start => start <= window.upTo).slice(-window.count)
    return found.length < window.least ? 'too few' : found
  }
  const visible = picked === null ? known : known.filter(start => start <= picked)
  const inside = window.stretches.map(({ first, last }) =>
    visible.filter(start => standing(start) >= first && standing(start) <= last),
  )
  if (inside.some(list => list.length === 0)) return 'a unit is empty'
  if (inside.flat().length < window.least) return 'too few'
  const end = window.stretches.at(-1)!.last
  const isOver = picked !== null || today === null || today > end || known.some(start => standing(start) > end)
  return isOver ? inside.flat() : 'not over'
}

/** A label's own periods: those of the series that begin inside it, or the one that holds it where that is longer. */
function windowOfLabel(from: Label, to: Label, frequency: Frequency): Window {
  if (isCoarser(frequency, from.frequency)) return { kind: 'periods', starts: [startOf(frequency, to.last)] }
  if (!takesWhatThereIs(frequency) || !isCoarser(from.frequency, frequency))
    return { kind: 'periods', starts: beginningWithin(frequency, from.first, to.last) }
  const units = beginningWithin(from.frequency, from.first, to.last)
  const stretches = units.map(first => ({ first, last: endOf(from.frequency, first) }))
  return { kind: 'stretches', stretches, least: 1 }
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
