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
import {
  add,
  compare,
  divide,
  hundred,
  isHeavy,
  multiply,
  ofInteger,
  one,
  type Ratio,
  round,
  subtract,
  zero,
} from './ratio.ts'
import { InputReader, MissingValue, type ReadingRules, type TakenReading } from './reading.ts'
import { Refusal } from './refusal.ts'
import { labelOf, periodsSinceStart, schedule, yearsSinceStart } from './schedule.ts'
import type { VersionTag } from './series.ts'
import { type Cuts, weakestTag } from './vintage.ts'

export interface EvaluationQuestion {
  readonly versions: readonly BoundVersion[]
  readonly cuts: Cuts
  /** With a tag: vintages of that tag where there are some (decision 25). */
  readonly tag: VersionTag | null
  /** No date after this one is computed. */
  readonly until: Day
  /** Where to go on from: a signed period and what it carried. */
  readonly after: Carried | null
}

/** Every adjustment date in order, each going on from the one before. */
export function evaluate(question: EvaluationQuestion): Evaluation {
  const evaluator = new Evaluator(question.versions, { cuts: question.cuts, tag: question.tag, strict: false })
  const adjustments: Adjustment[] = []
  const blocked: Blocked[] = []
  let carried = question.after ?? nothingCarried
  for (const { date, version } of scheduleOf(question.versions, question.until)) {
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
): Adjustment | Blocked {
  const governing = versions.find(candidate => candidate.number === version)!
  return new Evaluator(versions, rules).compute(governing, date, carried)
}

export function scheduleOf(versions: readonly BoundVersion[], until: Day): { date: Day; version: BoundVersion }[] {
  const plain = versions.map(({ number, bound }) => ({ number, formula: bound.formula }))
  return schedule(plain, until).map(({ date, version }) => ({
    date,
    version: versions.find(candidate => candidate.number === version.number)!,
  }))
}

/** Parts of expressions evaluated on numbers of over a thousand digits, for a whole formula: a second or two. */
const maxHeavyNodes = 200_000

class Evaluator {
  readonly #versions: readonly BoundVersion[]
  readonly #rules: ReadingRules
  readonly #readers = new Map<number, VersionReaders>()
  #heavyNodes = 0

  constructor(versions: readonly BoundVersion[], rules: ReadingRules) {
    this.#versions = versions
    this.#rules = rules
  }

  compute(version: BoundVersion, date: Day, carried: Carried): Adjustment | Blocked {
    const { formula } = version.bound
    const period = labelOf(formula.contract, date)
    let readers = this.#readers.get(version.number)
    if (readers === undefined) {
      readers = new VersionReaders(version.bound, this.#rules)
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

  /** Work with long numbers is bounded, so that no document can hold up the others. */
  spend(nodes: number): void {
    this.#heavyNodes += nodes
    if (this.#heavyNodes > maxHeavyNodes)
      throw new Refusal(
        'too-large',
        'more work with long numbers than is done for one formula; round a value that is carried on',
      )
  }

  /** How an input was defined in an older version, to know whether its carried readings still mean the same. */
  definitions(versionNumber: number): readonly Input[] {
    return this.#versions.find(candidate => candidate.number === versionNumber)?.bound.formula.inputs ?? []
  }
}

/** The readers of one formula version; readings that do not depend on the date are taken once. */
class VersionReaders {
  readonly readers: readonly InputReader[]
  /** Base readings: always with the newest where the tag lacks. */
  readonly #baseReaders: readonly InputReader[]
  readonly #bases: (TakenReading | undefined)[] = []
  readonly #bound: BoundFormula

  constructor(bound: BoundFormula, rules: ReadingRules) {
    this.#bound = bound
    this.readers = bound.inputs.map(input => new InputReader(input, rules))
    this.#baseReaders = rules.strict
      ? bound.inputs.map(input => new InputReader(input, { ...rules, strict: false }))
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
  readonly #version: BoundVersion
  readonly #date: Day
  readonly #carried: Carried
  readonly #readers: VersionReaders
  readonly #evaluator: Evaluator
  readonly #values: Ratio[] = []
  readonly #taken = new Map<number, TakenReading>()

  constructor(version: BoundVersion, date: Day, carried: Carried, readers: VersionReaders, evaluator: Evaluator) {
    this.#version = version
    this.#date = date
    this.#carried = carried
    this.#readers = readers
    this.#evaluator = evaluator
  }

  adjustment(period: string): Adjustment {
    const { formula } = this.#version.bound
    for (const step of formula.steps) {
      this.doing = `the step "${step.name}"`
      const value = step.expression.evaluate(this)
      if (isHeavy(value)) this.#evaluator.spend(step.expression.nodes)
      this.#values.push(step.round === null ? value : round(value, step.round))
    }
    this.doing = 'the result'
    const result = this.#values[formula.result.step]!
    const factor = this.#factor(result)
    const lines = new Map(formula.steps.map((step, i) => [step.name, this.#values[i]!]))
    const isApplied =
      formula.clause === null
        ? compare(factor, this.#carried.factor) !== 0
        : compare(lines.get('threshold_met') ?? one, one) === 0
    const breakdown = new Breakdown(
      () => this.#explanation(lines),
      () => this.#observations(),
    )
    return {
      period,
      date: this.#date,
      formulaVersion: this.#version.number,
      factor,
      adjustmentPct: this.#adjustmentPct(factor, lines, isApplied),
      cumulativePct: multiply(subtract(factor, one), hundred),
      show: formula.result.show,
      price: this.#price(factor, result),
      dataVersion: this.#dataVersion(),
      steps: formula.steps.map((step, i) => ({ step, value: this.#values[i]! })),
      breakdown,
      carriedIn: this.#carried,
      carried: this.#carry(factor, lines, isApplied),
    }
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
    return multiply(subtract(divide(factor, this.#carried.factor), one), hundred)
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
    const now = this.#version.bound.inputs[input]!.input
    const then = this.#evaluator.definitions(version).find(candidate => candidate.name === now.name)
    return then !== undefined && definitionOf(then) === definitionOf(now)
  }

  #factor(result: Ratio): Ratio {
    const { formula } = this.#version.bound
    if (formula.result.kind === 'FACTOR') return result
    if (formula.result.kind === 'PRICE') return divide(result, formula.contract.price!.amount)
    return multiply(this.#carried.factor, add(one, divide(result, hundred)))
  }

  #price(factor: Ratio, result: Ratio): Adjustment['price'] {
    const { contract, clause, result: kind } = this.#version.bound.formula
    if (contract.price === null) return null
    const exact = kind.kind === 'PRICE' ? result : multiply(contract.price.amount, factor)
    const rounding = clause?.rounding.price ?? contract.price.round
    return { value: rounding === null ? exact : round(exact, rounding), rounding }
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
    const order = this.#version.bound.inputs.map(({ input }) => input.name)
    return list.sort(
      (a, b) =>
        order.indexOf(a.input) - order.indexOf(b.input) ||
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
