// The choices of a step during its computation, in sentences with its figures: the row of a table, the branch of an `if`, a
// limit that applied. It observes the engine and decides nothing.
import type { Expression } from '../formula/expression.ts'
import type { Formula, Step } from '../formula/formula.ts'
import type { ChoiceListener } from '../formula/resolve.ts'
import { rowFor } from '../formula/table-row.ts'
import type { Table } from '../formula/terms.ts'
import { compare, formatCarried, type Ratio } from '../numbers/ratio.ts'
import { cutDecimals } from '../text/words.ts'

/** Values by their names in the expression. */
type Values = ReadonlyMap<string, Ratio | null>
type Write = (tree: Expression, values: Map<string, Ratio | null>) => string

type Choice =
  | { readonly kind: 'row'; readonly table: Table; readonly of: Expression; readonly x: Ratio }
  | { readonly kind: 'condition'; readonly of: Expression; readonly holds: boolean }
  | {
      readonly kind: 'limit'
      readonly of: Expression
      readonly x: Ratio
      readonly side: 'low' | 'high'
      readonly at: Ratio
    }

/** Enough decimals to follow the calculation. */
const readableDecimals = 6

export class StepNarrator implements ChoiceListener {
  readonly #formula: Formula
  readonly #step: Step
  readonly #write: Write
  #choices: Choice[] = []

  constructor(formula: Formula, step: Step, write: Write) {
    this.#formula = formula
    this.#step = step
    this.#write = write
  }

  lookedUp(table: Table, of: Expression, x: Ratio): void {
    this.#note({ kind: 'row', table, of, x })
  }

  decided(of: Expression, holds: boolean): void {
    this.#note({ kind: 'condition', of, holds })
  }

  clamped(of: Expression, x: Ratio, low: Ratio, high: Ratio): void {
    if (compare(x, high) > 0) this.#note({ kind: 'limit', of, x, side: 'high', at: high })
    else if (compare(x, low) < 0) this.#note({ kind: 'limit', of, x, side: 'low', at: low })
  }

  /** An expression is computed again for every period of a receipt: its last choice counts. */
  #note(choice: Choice): void {
    this.#choices = [...this.#choices.filter(({ of }) => of !== choice.of), choice]
  }

  /** The lines of a clause are explained by the clause itself. */
  tell(values: Values): readonly string[] {
    if (this.#step.compiled) return []
    const variable = this.#choices.filter(({ of }) => /\p{L}/u.test(this.#write(of, new Map())))
    return variable
      .map(choice => this.#say(choice, values))
      .map(words => (/^\p{L}/u.test(words) ? words : `here ${words}`))
  }

  #say(choice: Choice, values: Values): string {
    const named = signs(this.#write(choice.of, new Map())).replaceAll('_', ' ')
    if (choice.kind === 'condition') {
      const numbers = signs(this.#write(choice.of, new Map(values)))
      return `${named} is ${choice.holds ? 'true' : 'false'}${numbers === named ? '' : ` (${numbers})`}`
    }
    const x = formatNumber(choice.x)
    const subject = named === x ? x : `${named} ${choice.of.kind === 'name' ? '' : '= '}${x}`
    if (choice.kind === 'limit')
      return `${subject} is ${choice.side === 'high' ? 'above' : 'below'} the limit of ${formatNumber(choice.at)}, which counts`
    const row = rowFor(choice.table, choice.x)
    return `${subject} lies in the row ${formatRow(choice.table, row)}: ${formatNumber(choice.table.rows[row]!.value)}${this.#unit()}`
  }

  /** The unit of a step that is nothing but a table look-up. */
  #unit(): string {
    const { result, steps, contract } = this.#formula
    if (steps[result.step] !== this.#step || !/^\s*lookup\([^()]*\)\s*$/.test(this.#step.expr)) return ''
    if (result.kind === 'CHANGE_PCT') return ' %'
    if ((result.kind !== 'SURCHARGE' && result.kind !== 'PRICE') || contract.price === null) return ''
    const { currency, unit } = contract.price
    return ` ${currency}${unit === '' ? '' : ` per ${unit}`}`
  }
}

/** `up to 3.85`, `below 4`; the last row by its beginning. */
function formatRow({ rows }: Table, row: number): string {
  const { edge, closed } = rows[row]!
  if (edge !== null) return `${closed ? 'up to' : 'below'} ${formatNumber(edge)}`
  const before = rows[row - 1]
  if (before === undefined || before.edge === null) return 'for every number'
  return before.closed ? `above ${formatNumber(before.edge)}` : `from ${formatNumber(before.edge)} on`
}

function formatNumber(value: Ratio): string {
  return signs(cutDecimals(formatCarried(value), readableDecimals))
}

/** An expression as it is written on paper. */
export function signs(expression: string): string {
  return expression
    .replaceAll(' * ', ' × ')
    .replaceAll(' / ', ' ÷ ')
    .replaceAll(' - ', ' − ')
    .replaceAll(' <= ', ' ≤ ')
    .replaceAll(' >= ', ' ≥ ')
    .replaceAll(' == ', ' = ')
    .replaceAll(' != ', ' ≠ ')
    .replace(/(^|[(,] ?)-/g, '$1−')
}
