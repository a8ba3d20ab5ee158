// Factors between units, as a workspace sets them: one line is used both ways, and units are compared without case.
import { divide, one, type Ratio } from '../numbers/ratio.ts'

export interface UnitFactor {
  readonly unit: string
  readonly other: string
  /** How many of the other unit make one of this unit: KGM, TNE, 0.001. More than 0. */
  readonly factor: Ratio
}

export class UnitTable {
  readonly #factors = new Map<string, Ratio>()

  /** Of two lines for the same units the later counts. */
  constructor(factors: readonly UnitFactor[]) {
    for (const { unit, other, factor } of factors) {
      this.#factors.set(keyOf(unit, other), factor)
      this.#factors.set(keyOf(other, unit), divide(one, factor))
    }
  }

  /** How many of `to` make one of `from`; null where it is not set. */
  factor(from: string, to: string): Ratio | null {
    if (from.toLowerCase() === to.toLowerCase()) return one
    return this.#factors.get(keyOf(from, to)) ?? null
  }
}

function keyOf(from: string, to: string): string {
  return `${from.toLowerCase()}\n${to.toLowerCase()}`
}
