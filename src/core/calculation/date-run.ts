// The computation of one adjustment date: its steps in order, the readings, params and carried values they ask for, and the
// result.

import { appliedLine, priceRounding } from '../formula/clause.ts'
import { isMoving } from '../formula/controls/clause-facts.ts'
import type { Input, Step } from '../formula/formula.ts'
import { type BuiltinName, type ReadingKind, readingKinds, type StepContext } from '../formula/resolve.ts'
import { dateAfter, lastAnniversary, periodsSinceStart, yearsSinceStart } from '../formula/schedule.ts'
import { valueAt } from '../formula/terms.ts'
import {
  add,
  compare,
  divide,
  hundred,
  multiply,
  ofInteger,
  one,
  type Ratio,
  reduce,
  round,
  subtract,
  zero,
} from '../numbers/ratio.ts'
import { hasOutgrown, isLong, type WorkBudget, workOf, writingCost } from '../numbers/work-budget.ts'
import type { VersionTag } from '../series/series.ts'
import { compareVintages, weakerTag } from '../series/vintage.ts'
import { addMonths, civilOf, type Day, dayOf, daysInMonth, isLeapYear } from '../time/day.ts'
import {
  type Adjustment,
  type BoundVersion,
  Breakdown,
  type Carried,
  type InputObservation,
  withFactor,
} from './adjustment.ts'
import type { Explanation } from './breakdown.ts'
import { explain, isClauseResult } from './explain.ts'
import { MissingValue, otherGap } from './gap.ts'
import type { TakenReading } from './series-reading.ts'
import type { VersionReaders } from './version-readers.ts'

/** Surroundings that all dates of one calculation share. */
export interface RunSurroundings {
  readonly work: WorkBudget
  /** Whether any version needs past factors. */
  readonly keepsFactors: boolean
  /** The cost of a date's receipt: it holds the date's values and those it continues from. */
  receiptCost(date: Day, writing: number, carried: Carried): number
  /** Whether an input reads as it did in an older version, so that its carried readings still apply. */
  meansTheSame(now: Input, versionNumber: number): boolean
}

export class DateRun implements StepContext {
  /** The step, or another act, being computed; put into words only for a message. */
  #doing: Step | string = ''
  readonly work: WorkBudget
  readonly #version: BoundVersion
  readonly #date: Day
  readonly #carried: Carried
  readonly #readers: VersionReaders
  readonly #surroundings: RunSurroundings
  readonly #values: Ratio[] = []
  readonly #taken = new Map<number, TakenReading>()
  /** The cost of writing out its long values: of all of them, and of the longest. */
  #writing = 0
  #longest = 0

  constructor(
    version: BoundVersion,
    date: Day,
    carried: Carried,
    readers: VersionReaders,
    surroundings: RunSurroundings,
  ) {
    this.#version = version
    this.#date = date
    this.#carried = carried
    this.#readers = readers
    this.#surroundings = surroundings
    this.work = surroundings.work
  }

  adjustment(period: string): Adjustment {
    const { formula } = this.#version.bound
    this.#doing = 'the date'
    this.work.spend(workOf.date)
    for (const step of formula.steps) {
      this.#doing = step
      this.work.spend(workOf.part * (step.expression.nodes + 1))
      const exact = step.expression.evaluate(this)
      const value = step.round === null ? exact : round(exact, step.round, this.work)
      this.#values.push(isLong(value.n, value.d) ? this.#noteLong(step, value) : value)
    }
    this.#doing = 'the result'
    const result = this.#values[formula.result.step]!
    const factor = this.#factor(result)
    const lines = new Map(formula.steps.map((step, i) => [step.name, this.#values[i]!]))
    const isApplied =
      formula.clause === null
        ? compare(factor, this.#carried.factor, this.work) !== 0
        : compare(lines.get('threshold_met') ?? one, one) === 0
    const breakdown = new Breakdown(
      () => this.#explanation(lines),
      isCarried => this.#observations(isCarried),
    )
    return {
      period,
      date: this.#date,
      formulaVersion: this.#version.number,
      factor,
      adjustmentPct: this.#adjustmentPct(factor, lines),
      cumulativePct: multiply(subtract(factor, one, this.work), hundred, this.work),
      show: formula.result.show,
      price: this.#price(factor, result),
      surcharge: formula.result.kind === 'SURCHARGE' ? result : null,
      dataVersion: this.#dataVersion(),
      steps: formula.steps.map((step, i) => ({ step, value: this.#values[i]! })),
      breakdown,
      receiptUnits: this.#checkReceipt(breakdown),
      carriedIn: this.#carried,
      carried: this.#carry(factor, lines, isApplied),
    }
  }

  /** The act being computed, for the message of a blocked period. */
  get doing(): string {
    return typeof this.#doing === 'string' ? this.#doing : `the step "${this.#doing.name}"`
  }

  /**
   * Brings a line that is much longer than a period before to lowest terms: a clause divides by the applied factor and
   * multiplies by it again, so common factors would double from period to period. A chain of rounded percents grows by a few
   * digits each time; reducing its fractions would cost more than it saves.
   */
  #trimmed(name: string, value: Ratio): Ratio {
    if (!hasOutgrown(value.d, this.#carried.steps.get(name)?.d ?? null)) return value
    this.work.spend(writingCost(value.n, value.d))
    return reduce(value)
  }

  /** A long value as it is carried. */
  #noteLong({ name, round: rounding }: Step, exact: Ratio): Ratio {
    const value = rounding === null ? this.#trimmed(name, exact) : exact
    this.#note(value)
    return value
  }

  #note({ n, d }: Ratio): void {
    const cost = writingCost(n, d)
    this.#writing += cost
    if (cost > this.#longest) this.#longest = cost
  }

  /** Makes sure that the result can also be explained and written out: very long numbers are explained at once. */
  #checkReceipt(breakdown: Breakdown): number {
    this.#doing = 'the receipt'
    const explaining = this.#longest * explainingCost * this.#version.bound.inputs.length
    const units = explaining + this.#surroundings.receiptCost(this.#date, this.#writing, this.#carried)
    this.work.checkReceipt(units)
    if (this.#longest >= explainedAtOnce) void breakdown.components
    return units
  }

  /**
   * The percent is a line of its own in a clause; anywhere else it is the change between two factors. A change from a price of
   * 0 has no percentage.
   */
  #adjustmentPct(factor: Ratio, lines: ReadonlyMap<string, Ratio>): Ratio | null {
    const before = this.#carried.factor
    if (before.n === 0n) return null
    if (this.#goesOnFromClause()) return isMoving(lines) ? lines.get('pct')! : zero
    return multiply(subtract(divide(factor, before, this.work), one, this.work), hundred, this.work)
  }

  /** Whether the result is what the clause applied, continuing from the previous factor. */
  #goesOnFromClause(): boolean {
    const { date, steps } = this.#carried
    return isClauseResult(this.#version.bound.formula) && (date === null || steps.has(appliedLine))
  }

  #explanation(lines: ReadonlyMap<string, Ratio>): Explanation {
    const { bound, number } = this.#version
    return explain({
      formula: bound.formula,
      lines,
      carried: this.#carried,
      version: number,
      date: this.#date,
      addsUp: this.#goesOnFromClause() && this.#carried.factor.n !== 0n,
      reading: (input, kind) => (this.#taken.get(readingKey(input, kind)) ?? this.#take(input, kind)).value,
      isTaken: (input, kind) => this.#taken.has(readingKey(input, kind)),
      seriesName: input => bound.inputs[input]!.series.name,
    })
  }

  reading(input: number, kind: ReadingKind): Ratio {
    return this.#reading(input, kind).value
  }

  param(index: number): Ratio {
    const param = this.#version.bound.formula.params[index]!
    this.work.scan(param.values.length)
    const value = valueAt(param, this.#date)
    if (value === null) throw lacking(`the param ${param.name} has no value yet on this date`)
    return value
  }

  builtin(name: BuiltinName): Ratio {
    const { contract } = this.#version.bound.formula
    const { origin, last } = this.#carried
    const { year, month, day } = civilOf(this.#date)
    switch (name) {
      case 'year':
        return ofInteger(year)
      case 'month':
        return ofInteger(month)
      case 'quarter':
        return ofInteger(Math.floor((month + 2) / 3))
      case 'day':
        return ofInteger(day)
      case 'daysInMonth':
        return ofInteger(daysInMonth(year, month))
      case 'daysInYear':
        return ofInteger(isLeapYear(year) ? 366 : 365)
      case 'daysInPeriod':
        return ofInteger(this.#daysInPeriod())
      case 'periodsSinceStart':
        return ofInteger(periodsSinceStart(contract, this.#date))
      case 'yearsSinceStart':
        return ofInteger(yearsSinceStart(contract, this.#date))
      case 'daysSinceLast':
        return ofInteger(this.#date - (last.date ?? origin ?? contract.start))
      case 'price':
        return contract.price!.amount
      case 'contractYearFactor':
        return this.#factorOn(lastAnniversary(origin ?? contract.start, this.#date))
      case 'calendarYearFactor':
        return this.#factorOn(dayOf(year, 1, 1))
      case 'yearAgoFactor':
        return this.#factorOn(addMonths(this.#date, -12))
    }
  }

  /** The last of listed dates, and a single date, last to the end of the contract. */
  #daysInPeriod(): number {
    const { contract } = this.#version.bound.formula
    const next = dateAfter(contract, this.#date) ?? (contract.end === null ? null : contract.end + 1)
    if (next === null) throw lacking('daysInPeriod has no value: no date follows, and the contract has no end')
    return next - this.#date
  }

  /**
   * The factor in force on a day: that of the newest adjustment date up to that day, else 1. This date's own factor is not
   * known yet.
   */
  #factorOn(day: Day): Ratio {
    return this.#carried.factors.findLast(({ date }) => date <= day)?.factor ?? one
  }

  step(index: number): Ratio {
    return this.#values[index]!
  }

  previous(index: number): Ratio | undefined {
    return this.#carried.steps.get(this.#version.bound.formula.steps[index]!.name)
  }

  #reading(input: number, kind: ReadingKind): TakenReading {
    const key = readingKey(input, kind)
    const known = this.#taken.get(key)
    if (known !== undefined) return known
    const reading = this.#take(input, kind)
    this.#taken.set(key, reading)
    if (isLong(reading.value.n, reading.value.d)) this.#note(reading.value)
    return reading
  }

  #take(input: number, kind: ReadingKind): TakenReading {
    if (kind === 'base') return this.#readers.base(input)
    if (kind === 'current') return this.#readers.readers[input]!.at(this.#date)
    const { name } = this.#version.bound.inputs[input]!.input
    const from = kind === 'prev' ? this.#carried : this.#carried.last
    if (from.date === null) return this.#readers.base(input)
    const carried = this.#meansTheSame(input, from.version) ? from.readings.get(name) : undefined
    return carried ?? this.#readers.earlier(input).at(from.date)
  }

  #meansTheSame(input: number, version: number | null): boolean {
    if (version === null || version === this.#version.number) return true
    return this.#surroundings.meansTheSame(this.#version.bound.inputs[input]!.input, version)
  }

  #factor(result: Ratio): Ratio {
    const { formula } = this.#version.bound
    if (formula.result.kind === 'FACTOR') return result
    if (formula.result.kind === 'PRICE') return divide(result, formula.contract.price!.amount, this.work)
    if (formula.result.kind === 'SURCHARGE')
      return add(one, divide(result, formula.contract.price!.amount, this.work), this.work)
    return multiply(this.#carried.factor, add(one, divide(result, hundred, this.work), this.work), this.work)
  }

  #price(factor: Ratio, result: Ratio): Adjustment['price'] {
    const { contract, clause, result: kind } = this.#version.bound.formula
    if (contract.price === null) return null
    const { amount } = contract.price
    const exact =
      kind.kind === 'PRICE'
        ? result
        : kind.kind === 'SURCHARGE'
          ? add(amount, result, this.work)
          : multiply(amount, factor, this.work)
    const rounding = priceRounding(clause, contract.price.round)
    return { value: rounding === null ? exact : round(exact, rounding, this.work), rounding }
  }

  #dataVersion(): VersionTag {
    let weakest: VersionTag = 'FINAL'
    for (const { used, substituted } of this.#taken.values()) {
      if (substituted) return 'PRELIMINARY'
      for (const { vintage } of used) weakest = weakerTag(weakest, vintage.tag)
    }
    return weakest
  }

  /** All observations, or only those that this date read itself. */
  #observations(withCarried: boolean): readonly InputObservation[] {
    const { inputs } = this.#version.bound
    const lists = inputs.map((): InputObservation[] => [])
    for (const [key, reading] of this.#taken) {
      const place = Math.floor(key / readingKinds.length)
      if (!withCarried && this.#isCarried(inputs[place]!.input.name, reading)) continue
      const input = inputs[place]!.input.name
      for (const { series, period, vintage } of reading.used) lists[place]!.push({ series, period, vintage, input })
    }
    return lists.flatMap(list => list.sort(byPeriod).filter(isFirst))
  }

  #isCarried(input: string, reading: TakenReading): boolean {
    const { readings, last } = this.#carried
    return reading === readings.get(input) || reading === last.readings.get(input)
  }

  #carry(factor: Ratio, steps: ReadonlyMap<string, Ratio>, isApplied: boolean): Carried {
    const { inputs } = this.#version.bound
    const version = this.#version.number
    const readings = new Map<string, TakenReading>()
    inputs.forEach(({ input }, i) => {
      const current = this.#taken.get(readingKey(i, 'current'))
      if (current !== undefined) readings.set(input.name, current)
    })
    const last = isApplied ? { date: this.#date, version, steps, readings } : this.#carried.last
    const { origin } = this.#carried
    return { date: this.#date, version, factor, steps, readings, last, origin, factors: this.#factors(steps) }
  }

  /** The applied factors that a year limit may still need. */
  #factors(steps: ReadonlyMap<string, Ratio>): Carried['factors'] {
    const applied = steps.get(appliedLine)
    if (!this.#surroundings.keepsFactors || applied === undefined) return []
    return withFactor(this.#carried.factors, this.#date, applied)
  }
}

/** Explaining the part of one input takes about as long as writing down so many numbers. */
const explainingCost = 3
/** From about 8,000 bits on, an explanation may need numbers that exceed the bound. */
const explainedAtOnce = writingCost(1n << 8192n, 1n)

function byPeriod(a: InputObservation, b: InputObservation): number {
  if (a.series !== b.series) return a.series < b.series ? -1 : 1
  return a.period.ordinal - b.period.ordinal
}

/** `list` is sorted by period: a vintage may be in several readings, and in a carried one as a different object. */
function isFirst(each: InputObservation, place: number, list: readonly InputObservation[]): boolean {
  for (let i = place - 1; i >= 0 && byPeriod(list[i]!, each) === 0; i--)
    if (compareVintages(list[i]!.vintage, each.vintage) === 0) return false
  return true
}

function readingKey(input: number, kind: ReadingKind): number {
  return input * readingKinds.length + readingKinds.indexOf(kind)
}

function lacking(sentence: string): MissingValue {
  return new MissingValue(otherGap('terms', sentence))
}
