// The calculation: steps over readings, one adjustment date after the other. Pure; it reports the figures it used and the state
// it carried, and gives a reason where a date cannot be computed.

import { hasYearLimit } from '../formula/controls/year.ts'
import type { Input } from '../formula/formula.ts'
import { type LabelledDate, labelOf, schedule } from '../formula/schedule.ts'
import { WorkBudget, writingCost } from '../numbers/work-budget.ts'
import { Refusal } from '../refusal.ts'
import type { VersionTag } from '../series/series.ts'
import type { Cuts } from '../series/vintage.ts'
import type { Day } from '../time/day.ts'
import {
  type Adjustment,
  type Blocked,
  type BoundVersion,
  type Carried,
  type Evaluation,
  nothingCarried,
} from './adjustment.ts'
import { DateRun, type RunSurroundings } from './date-run.ts'
import { gapOfRefusal, MissingValue } from './gap.ts'
import type { ReadingRules } from './series-reading.ts'
import { VersionReaders } from './version-readers.ts'

interface EvaluationRequest {
  readonly versions: readonly BoundVersion[]
  readonly cuts: Cuts
  /** The tag whose vintages count where there are some (C25). */
  readonly tag: VersionTag | null
  /** No date after this one is computed. */
  readonly until: Day
  /**
   * The day of the cut, else of the clock: a period that ends before it is over. Null if there is neither: then every period
   * counts as over.
   */
  readonly today: Day | null
  /** The state to continue from: that of a signed period. */
  readonly after: Carried | null
  /** Periods that keep their labels, such as signed ones, whatever the calendar is now. */
  readonly keptLabels?: readonly LabelledDate[]
  /** The work it may do; left out, as much as one formula may. */
  readonly work?: WorkBudget
}

/** Every adjustment date in order, each continuing from the one before. */
export function evaluate(request: EvaluationRequest): Evaluation {
  const { versions, cuts, tag, today, work = new WorkBudget() } = request
  const evaluator = new Evaluator(versions, { cuts, tag, strict: false, today }, work)
  const adjustments: Adjustment[] = []
  const blocked: Blocked[] = []
  let carried = request.after ?? nothingCarried
  // A run that continues from signed periods includes their factors; without a year limit they are not needed.
  if (!evaluator.keepsFactors) carried = { ...carried, factors: [] }
  for (const { date, label, version } of scheduleOf(versions, request.until, request.keptLabels)) {
    if (request.after?.date != null && date <= request.after.date) continue
    const outcome = evaluator.compute(version, { date, label }, carried)
    if ('gap' in outcome) blocked.push(outcome)
    else {
      adjustments.push(outcome)
      carried = outcome.carried
    }
  }
  return { adjustments, blocked }
}

/** One date, from the state carried into it; `strict` accepts only values with the tag that the rules ask for. */
export function evaluateDate(
  versions: readonly BoundVersion[],
  rules: ReadingRules,
  version: number,
  dated: DatedPeriod,
  carried: Carried,
  work: WorkBudget = new WorkBudget(),
): Adjustment | Blocked {
  const governing = versions.find(candidate => candidate.number === version)!
  return new Evaluator(versions, rules, work).compute(governing, dated, carried)
}

/** An adjustment date; without a label it has the plain one of its calendar period. */
interface DatedPeriod {
  readonly date: Day
  readonly label?: string
}

export interface GovernedDate extends LabelledDate {
  readonly version: BoundVersion
}

export function scheduleOf(
  versions: readonly BoundVersion[],
  until: Day,
  keptLabels: readonly LabelledDate[] = [],
): GovernedDate[] {
  const plain = versions.map(version => ({ number: version.number, formula: version.bound.formula, version }))
  return schedule(plain, until, keptLabels).map(({ date, label, version }) => ({
    date,
    label,
    version: version.version,
  }))
}

/** A version with a renegotiated price starts with nothing carried over. */
function enter({ bound: { formula } }: BoundVersion, carried: Carried): Carried {
  if (!formula.contract.restart || carried.origin === formula.effectiveFrom) return carried
  return { ...nothingCarried, origin: formula.effectiveFrom }
}

class Evaluator implements RunSurroundings {
  readonly keepsFactors: boolean
  readonly #versions: readonly BoundVersion[]
  readonly #rules: ReadingRules
  readonly #readers = new Map<number, VersionReaders>()
  readonly #definitions = new Map<Input, string>()
  /** The cost of writing out the values of a computed date: nothing if none of them is long. */
  readonly #writing = new Map<Day, number>()
  readonly work: WorkBudget

  constructor(versions: readonly BoundVersion[], rules: ReadingRules, work: WorkBudget) {
    this.#versions = versions
    this.#rules = rules
    this.work = work
    this.keepsFactors = versions.some(
      ({ bound: { formula } }) => formula.clause !== null && hasYearLimit(formula.clause),
    )
  }

  compute(version: BoundVersion, { date, label }: DatedPeriod, before: Carried): Adjustment | Blocked {
    const period = label ?? labelOf(version.bound.formula.contract, date)
    const carried = enter(version, before)
    let readers = this.#readers.get(version.number)
    if (readers === undefined) {
      readers = new VersionReaders(version.bound, this.#rules, this.work)
      this.#readers.set(version.number, readers)
    }
    const run = new DateRun(version, date, carried, readers, this)
    try {
      return run.adjustment(period)
    } catch (error) {
      if (error instanceof MissingValue) return { period, date, gap: error.gap }
      if (!(error instanceof Refusal)) throw error
      if (error.kind === 'division-by-zero' || error.kind === 'too-large')
        return { period, date, gap: gapOfRefusal(error, `${run.doing} comes to ${error.message}`) }
      if (error.kind === 'not-computable')
        return { period, date, gap: gapOfRefusal(error, `${run.doing} cannot be computed: ${error.message}`) }
      throw error
    }
  }

  receiptCost(date: Day, writing: number, carried: Carried): number {
    this.#writing.set(date, writing)
    return writing + this.#writingOf(carried.date, carried) + this.#writingOf(carried.last.date, carried.last)
  }

  #writingOf(date: Day | null, { steps, readings }: Pick<Carried, 'steps' | 'readings'>): number {
    if (date === null) return 0
    const known = this.#writing.get(date)
    if (known !== undefined) return known
    const values = [...steps.values(), ...[...readings.values()].map(({ value }) => value)]
    const cost = values.reduce((total, { n, d }) => total + writingCost(n, d), 0)
    this.#writing.set(date, cost)
    return cost
  }

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

/** An input without the keys that do not affect its readings. */
function definitionOf({ weight: _weight, base: _base, ...rest }: Input): string {
  return JSON.stringify(rest, (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value instanceof Map ? [...value] : value,
  )
}
