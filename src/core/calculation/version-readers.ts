// The readers of the inputs of one formula version.
import type { BoundFormula } from '../formula/bind.ts'
import type { WorkBudget } from '../numbers/work-budget.ts'
import { InputReader, type ReadingRules, type TakenReading } from './series-reading.ts'

/** Readings that do not depend on the date are read once. */
export class VersionReaders {
  readonly readers: readonly InputReader[]
  /** Base readings: if no vintage has the tag, the newest is used. */
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

  /** The reader for earlier dates and bases, which are never strict. */
  earlier(input: number): InputReader {
    return this.#baseReaders[input]!
  }

  base(input: number): TakenReading {
    const known = this.#bases[input]
    if (known !== undefined) return known
    const { formula, inputs } = this.#bound
    const reading = this.#baseReaders[input]!.base(inputs[input]!.input.base!, formula.contract.start)
    this.#bases[input] = reading
    return reading
  }
}
