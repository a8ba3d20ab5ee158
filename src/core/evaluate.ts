// The calculation: steps over readings, one adjustment date after the other. Pure; it states what it used and what it
// carried, and gives a reason where a date cannot be computed.
import {
  type Adjustment,
  type Blocked,
  type BoundVersion,
  Breakdown,
  type Carried,
  type Evaluation,
  type InputObservation,
  nothingCarried,
} from './adjustment.ts'
import type { Day } from './day.ts'
import { civilOf } from './day.ts'
import { type Explanation, explain, isClauseResult } from './explain.ts'
import type { BoundFormula } from './formula/bind.ts'
import type { Input, Param } from './formula/formula.ts'
import { type BuiltinName, type ReadingKind, readingKinds, type StepContext } from './formula/resolve.ts'
import { add, compare, divide, hundred, multiply, ofInteger, one, type Ratio, round, subtract, zero } from './ratio.ts'
import { InputReader, MissingValue, type ReadingRules, type TakenReading } from './reading.ts'
import { Refusal } from './refusal.ts'
import { labelOf, periodsSinceStart, schedule, yearsSinceStart } from './schedule.ts'
import type { VersionTag } from './series.ts'
import { type Cuts, weakestTag } from './vintage.ts'
import { WorkBudget, workOf, writingCost } from './work-budget.ts'

export interface EvaluationQuestion {
  readonly versions: readonly BoundVersion[]
  readonly cuts: Cuts
  /** With a tag: vintages of that tag where there are some (decision 25). */
  readonly tag: VersionTag | null
  /** No date after this one is computed. */
  readonly until: Day
  /** Where to go on from: a signed period and what it carried. */
  readonly after: Carried | null
  /** How much it may take; left out, as much as one formula may. */
  readonly work?: WorkBudget
}

/** Every adjustment date in order, each going on from the one before. */
export function evaluate(question: EvaluationQuestion): Evaluation {
  const { versions, cuts, tag, work = new WorkBudget() } = question
  const evaluator = new Evaluator(versions, { cuts, tag, strict: false }, work)
  const adjustments: Adjustment[] = []
  const blocked: Blocked[] = []
  let carried = question.after ?? nothingCarried
  for (const { date, version } of scheduleOf(versions, question.until)) {
    if (carried.date !== null && date <= carried.date) continue
    const outcome = evaluator.compute(version, date, carried)
    if ('reason' in outcome) blocked.push(outcome)
    else {
      adjustments.push(outcome)
      carried = outcome.carried
    }
  }
  return { adjustments, blocked }
}

/** One date from what is carried into it; `strict` takes nothing but the rules' tag. */
export function evaluateDate(
  versions: readonly BoundVersion[],
  rules: ReadingRules,
  version: number,
  date: Day,
  carried: Carried,
  work: WorkBudget = new WorkBudget(),
): Adjustment | Blocked {
  const governing = versions.find(candidate => candidate.number === version)!
  return new Evaluator(versions, rules, work).compute(governing, date, carried)
}

export function scheduleOf(versions: readonly BoundVersion[], until: Day): { date: Day; version: BoundVersion }[] {
  const plain = versions.map(({ number, bound }) => ({ number, formula: bound.formula }))
  return schedule(plain, until).map(({ date, version }) => ({
    date,
    version: versions.find(candidate => candidate.number === version.number)!,
  }))
}

class Evaluator {
  readonly #versions: readonly BoundVersion[]
  readonly #rules: ReadingRules
  readonly #readers = new Map<number, VersionReaders>()
  readonly #definitions = new Map<Input, string>()
  /** What writing down the values of a computed date costs: nothing where none of them is long. */
  readonly #writing = new Map<Day, number>()
  readonly work: WorkBudget

  constructor(versions: readonly BoundVersion[], rules: ReadingRules, work: WorkBudget) {
    this.#versions = versions
    this.#rules = rules
    this.work = work
  }

  compute(version: BoundVersion, date: Day, carried: Carried): Adjustment | Blocked {
    const { formula } = version.bound
    const period = labelOf(formula.contract, date)
    let readers = this.#readers.get(version.number)
    if (readers === undefined) {
      readers = new VersionReaders(version.bound, this.#rules, this.work)
      this.#readers.set(version.number, readers)
    }
    const run = new DateRun(version, date, carried, readers, this)
    try {
      return run.adjustment(period)
    } catch (error) {
      if (error instanceof MissingValue) return { period, date, reason: error.message }
      if (error instanceof Refusal && (error.kind === 'division-by-zero' || error.kind === 'too-large'))
        return { period, date, reason: `${run.doing} comes to ${error.message}` }
      throw error
    }
  }

  /** What the receipt of a date costs, which holds its values and those it goes on from. */
  receiptCost(date: Day, writing: number, carried: Carried): number {
    this.#writing.set(date, writing)
    return writing + this.#writingOf(carried.date, carried) + this.#writingOf(carried.last.date, carried.last)
  }

  #writingOf(date: Day | null, { steps, readings }: Pick<Carried, 'steps' | 'readings'>): number {
    if (date === null) return 0
    const known = this.#writing.get(date)
    if (known !== undefined) return known
    const values = [...steps.values(), ...readings.values().map(({ value }) => value)]
    const cost = values.reduce((total, { n, d }) => total + writingCost(n, d), 0)
    this.#writing.set(date, cost)
    return cost
  }

  /** Whether an input means what it meant in an older version, so that its carried readings still hold. */
  meansTheSame(now: Input, versionNumber: number): boolean {
    const older = this.#versions.find(candidate => candidate.number === versionNumber)
    const then = older?.bound.formula.inputs.find(candidate => candidate.name === now.name)
    return then !== undefined && this.#definition(then) === this.#definition(now)
  }

  #definition(input: Input): string {
    const known = this.#definitions.get(input)
    if (known !== undefined) return known
    const definition = definitionOf(input)
    this.work.scan(definition.length)
    this.#definitions.set(input, definition)
    return definition
  }
}

/** The readers of one formula version; readings that do not depend on the date are taken once. */
class VersionReaders {
  readonly readers: readonly InputReader[]
  /** Base readings: always with the newest where the tag lacks. */
  readonly #baseReaders: readonly InputReader[]
  readonly #bases: (TakenReading | undefined)[] = []
  readonly #bound: BoundFormula

  constructor(bound: BoundFormula, rules: ReadingRules, work: WorkBudget) {
    this.#bound = bound
    this.readers = bound.inputs.map(input => new InputReader(input, rules, work))
    this.#baseReaders = rules.strict
      ? bound.inputs.map(input => new InputReader(input, { ...rules, strict: false }, work))
      : this.readers
  }

  /** For readings of earlier dates and bases, which are never strict. */
  earlier(input: number): InputReader {
    return this.#baseReaders[input]!
  }

  base(input: number): TakenReading {
    const known = this.#bases[input]
    if (known !== undefined) return known
    const reading = this.#baseReaders[input]!.base(this.#bound.inputs[input]!.input.base!)
    this.#bases[input] = reading
    return reading
  }
}

/** One adjustment date while it is computed. */
class DateRun implements StepContext {
  /** What is being computed, for a reason. */
  doing = ''
  readonly work: WorkBudget
  readonly #version: BoundVersion
  readonly #date: Day
  readonly #carried: Carried
  readonly #readers: VersionReaders
  readonly #evaluator: Evaluator
  readonly #values: Ratio[] = []
  readonly #taken = new Map<number, TakenReading>()
  /** What writing down its long values costs: all of them, and the longest. */
  #writing = 0
  #longest = 0

  constructor(version: BoundVersion, date: Day, carried: Carried, readers: VersionReaders, evaluator: Evaluator) {
    this.#version = version
    this.#date = date
    this.#carried = carried
    this.#readers = readers
    this.#evaluator = evaluator
    this.work = evaluator.work
  }

  adjustment(period: string): Adjustment {
    const { formula } = this.#version.bound
    this.doing = 'the date'
    this.work.spend(workOf.date)
    for (const step of formula.steps) {
      this.doing = `the step "${step.name}"`
      this.work.spend(workOf.part * (step.expression.nodes + 1))
      const exact = step.expression.evaluate(this)
      const value = step.round === null ? exact : round(exact, step.round, this.work)
      this.#note(value)
      this.#values.push(value)
    }
    this.doing = 'the result'
    const result = this.#values[formula.result.step]!
    const factor = this.#factor(result)
    const lines = new Map(formula.steps.map((step, i) => [step.name, this.#values[i]!]))
    const isApplied =
      formula.clause === null
        ? compare(factor, this.#carried.factor, this.work) !== 0
        : compare(lines.get('threshold_met') ?? one, one, this.work) === 0
    const breakdown = new Breakdown(
      () => this.#explanation(lines),
      () => this.#observations(),
    )
    const adjustment: Adjustment = {
      period,
      date: this.#date,
      formulaVersion: this.#version.number,
      factor,
      adjustmentPct: this.#adjustmentPct(factor, lines, isApplied),
      cumulativePct: multiply(subtract(factor, one, this.work), hundred, this.work),
      show: formula.result.show,
      price: this.#price(factor, result),
      dataVersion: this.#dataVersion(),
      steps: formula.steps.map((step, i) => ({ step, value: this.#values[i]! })),
      breakdown,
      carriedIn: this.#carried,
      carried: this.#carry(factor, lines, isApplied),
    }
    this.#checkReceipt(breakdown)
    return adjustment
  }

  #note({ n, d }: Ratio): void {
    const cost = writingCost(n, d)
    if (cost === 0) return
    this.#writing += cost
    if (cost > this.#longest) this.#longest = cost
  }

  /** What was computed can also be explained and written down: very long numbers are explained at once. */
  #checkReceipt(breakdown: Breakdown): void {
    this.doing = 'the receipt'
    const explaining = this.#longest * explainingCost * this.#version.bound.inputs.length
    this.work.checkReceipt(explaining + this.#evaluator.receiptCost(this.#date, this.#writing, this.#carried))
    if (this.#longest >= explainedAtOnce) void breakdown.components
  }

  /**
   * In a clause the percent is a line of its own; anywhere else it is the way between two factors. From a price that
   * has come to nothing there is no way in percent, also where a chained clause takes its step without dividing.
   */
  #adjustmentPct(factor: Ratio, lines: ReadonlyMap<string, Ratio>, isApplied: boolean): Ratio {
    if (isClauseResult(this.#version.bound.formula)) {
      if (this.#carried.factor.n === 0n) throw new Refusal('division-by-zero', 'a division by zero')
      return isApplied ? lines.get('pct')! : zero
    }
    const growth = divide(factor, this.#carried.factor, this.work)
    return multiply(subtract(growth, one, this.work), hundred, this.work)
  }

  #explanation(lines: ReadonlyMap<string, Ratio>): Explanation {
    const { bound, number } = this.#version
    return explain({
      formula: bound.formula,
      lines,
      carried: this.#carried,
      version: number,
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
    if (value === null) throw new MissingValue(`the param ${param.name} has no value yet on this date`)
    return value
  }

  builtin(name: BuiltinName): Ratio {
    const { contract } = this.#version.bound.formula
    const { year, month } = civilOf(this.#date)
    switch (name) {
      case 'year':
        return ofInteger(year)
      case 'month':
        return ofInteger(month)
      case 'quarter':
        return ofInteger(Math.floor((month + 2) / 3))
      case 'periodsSinceStart':
        return ofInteger(periodsSinceStart(contract, this.#date))
      case 'yearsSinceStart':
        return ofInteger(yearsSinceStart(contract, this.#date))
      case 'daysSinceLast':
        return ofInteger(this.#date - (this.#carried.last.date ?? contract.start))
      case 'price':
        return contract.price!.amount
    }
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
    this.#note(reading.value)
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
    return this.#evaluator.meansTheSame(this.#version.bound.inputs[input]!.input, version)
  }

  #factor(result: Ratio): Ratio {
    const { formula } = this.#version.bound
    if (formula.result.kind === 'FACTOR') return result
    if (formula.result.kind === 'PRICE') return divide(result, formula.contract.price!.amount, this.work)
    return multiply(this.#carried.factor, add(one, divide(result, hundred, this.work), this.work), this.work)
  }

  #price(factor: Ratio, result: Ratio): Adjustment['price'] {
    const { contract, clause, result: kind } = this.#version.bound.formula
    if (contract.price === null) return null
    const exact = kind.kind === 'PRICE' ? result : multiply(contract.price.amount, factor, this.work)
    const rounding = clause?.rounding.price ?? contract.price.round
    return { value: rounding === null ? exact : round(exact, rounding, this.work), rounding }
  }

  #dataVersion(): VersionTag {
    const tags: VersionTag[] = []
    for (const { used, substituted } of this.#taken.values()) {
      if (substituted) return 'PRELIMINARY'
      for (const { vintage } of used) tags.push(vintage.tag)
    }
    return weakestTag(tags)
  }

  #observations(): readonly InputObservation[] {
    const seen = new Set<string>()
    const list: InputObservation[] = []
    for (const [key, reading] of this.#taken) {
      const input = this.#version.bound.inputs[Math.floor(key / readingKinds.length)]!.input.name
      for (const used of reading.used) {
        const { publishedAt, recordedAt } = used.vintage
        const id = `${input} ${used.series} ${used.period.ordinal} ${publishedAt} ${recordedAt}`
        if (seen.has(id)) continue
        seen.add(id)
        list.push({ ...used, input })
      }
    }
    const order = new Map(this.#version.bound.inputs.map(({ input }, i) => [input.name, i]))
    return list.sort(
      (a, b) =>
        order.get(a.input)! - order.get(b.input)! ||
        (a.series === b.series ? 0 : a.series < b.series ? -1 : 1) ||
        a.period.ordinal - b.period.ordinal,
    )
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
    return { date: this.#date, version, factor, steps, readings, last }
  }
}

/** Explaining the part of one input takes about as long as writing down so many numbers. */
const explainingCost = 3
/** From about 8,000 bits on, an explanation may come upon numbers that are over the bound. */
const explainedAtOnce = writingCost(1n << 8192n, 1n)

function readingKey(input: number, kind: ReadingKind): number {
  return input * readingKinds.length + readingKinds.indexOf(kind)
}

function valueAt({ values }: Param, date: Day): Ratio | null {
  return values.findLast(({ from }) => from === null || from <= date)?.value ?? null
}

/** An input without what does not touch its readings. */
function definitionOf({ weight: _weight, base: _base, ...rest }: Input): string {
  return JSON.stringify(rest, (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value instanceof Map ? [...value] : value,
  )
}
