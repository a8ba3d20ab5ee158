// The lines of one period as its breakdown and its narrative use them: the limit that changed the step, and by how much.
import { compare, hundred, multiply, one, type Ratio } from '../../numbers/ratio.ts'
import type { ClauseNumber, ClauseTerms, LimitSide } from '../terms.ts'

export interface LineParts {
  readonly clause: ClauseTerms
  /** Controls that act on the clause, in their order. */
  readonly controls: readonly ActingControl[]
  readonly lines: ReadonlyMap<string, Ratio>
  /** The values at the previous computed period. */
  readonly carriedSteps: ReadonlyMap<string, Ratio>
  /** A number of the clause on the adjustment date. */
  readonly number: (number: ClauseNumber) => Ratio
}

export interface ActingControl {
  /** The name under which the clause keeps what it read. */
  readonly name: string
  /** The names it has in a breakdown, each with the text shown to people. */
  readonly points: Readonly<Record<string, string>>
  readonly link?: { readonly line: string }
  /** Limits of the step: those above and those below. */
  readonly bounds?: (clause: ClauseTerms) => Readonly<Record<'above' | 'below', readonly StepLimit[]>>
}

export interface StepLimit {
  /** The limit of the step, as a fraction, in a computed period. */
  readonly valueAt: (view: LimitView) => Ratio
}

/** The facts that a limit needs to compute its level. */
interface LimitView {
  readonly line: (name: string) => Ratio
  readonly number: (number: ClauseNumber) => Ratio
  /** The factor that was last applied. */
  readonly inForce: Ratio
}

export class PeriodLines implements LimitView {
  readonly clause: ClauseTerms
  readonly controls: readonly ActingControl[]
  readonly number: (number: ClauseNumber) => Ratio
  /** The lines from the movement of the indices to the target, in their order. */
  readonly chain: readonly string[]
  readonly #lines: ReadonlyMap<string, Ratio>
  readonly #carried: ReadonlyMap<string, Ratio>
  #held: number | null = null

  constructor({ clause, controls, lines, carriedSteps, number }: LineParts) {
    this.clause = clause
    this.controls = controls
    this.number = number
    this.#lines = lines
    this.#carried = carriedSteps
    this.chain = controls.flatMap(({ link }) => (link === undefined ? [] : [link.line]))
  }

  readonly line = (name: string): Ratio => this.#lines.get(name)!

  lineOrNull(name: string): Ratio | null {
    return this.#lines.get(name) ?? null
  }

  carriedLine(name: string): Ratio | null {
    return this.#carried.get(name) ?? null
  }

  get inForce(): Ratio {
    return this.carriedLine('applied') ?? one
  }

  /** The last line of the chain: the target is computed from it. */
  get lastLink(): string {
    return this.chain.at(-1)!
  }

  get stepPct(): Ratio {
    return multiply(this.line('step'), hundred)
  }

  /** The percent inside its limits, before it is rounded. */
  get limitedPct(): Ratio {
    return this.lineOrNull('pct_held') ?? (this.clause.rounding.percent === null ? this.line('pct') : this.stepPct)
  }

  /** Whether the limits left the step as it was. */
  get isFree(): boolean {
    return this.#order === 0
  }

  /** Whether this control's limit is the one that changed the step. */
  isLimitedBy(name: string, side: LimitSide): boolean {
    const order = this.#order
    return (side === 'cap' ? order < 0 : order > 0) && this.#binding(side) === name
  }

  /** The side of the step on which the percent inside its limits lies. */
  get #order(): number {
    this.#held ??= compare(this.limitedPct, this.stepPct)
    return this.#held
  }

  /** The control whose limit lies nearest. */
  #binding(side: LimitSide): string | null {
    let found: { readonly name: string; readonly at: Ratio } | null = null
    for (const { name, bounds } of this.controls) {
      const { above, below } = bounds?.(this.clause) ?? { above: [], below: [] }
      for (const bound of side === 'cap' ? above : below) {
        const at = bound.valueAt(this)
        const order = found === null ? 0 : compare(at, found.at)
        if (found === null || (side === 'cap' ? order < 0 : order > 0)) found = { name, at }
      }
    }
    return found?.name ?? null
  }
}
