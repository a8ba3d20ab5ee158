// The words that a language gives for printed pages, named by their use.
import type { MissingPolicy } from '../../core/formula/formula.ts'
import type { LineSaid } from '../notes/note-lines.ts'

export interface PrintWords {
  /** Titles of a note: money goes back, or is due. */
  readonly creditNote: string
  readonly debitNote: string
  readonly noteOf: (correction: string, agreement: string) => string
  readonly lineText: (said: LineSaid) => string
  readonly nothingDue: string
  /** The colon after a label, as the language sets it. */
  readonly colon: string
  readonly number: string
  readonly date: string
  readonly supplier: string
  readonly buyer: string
  readonly vat: string
  readonly taxNumber: string
  readonly registration: string
  readonly identifier: string
  readonly contact: string
  readonly buyerReference: string
  readonly orderReference: string
  readonly corrects: string
  readonly item: string
  readonly description: string
  readonly quantity: string
  readonly price: string
  readonly per: string
  readonly amount: string
  readonly net: string
  readonly tax: (rate: string) => string
  readonly noTax: string
  readonly totalBack: string
  readonly totalDue: string
  readonly dueBy: string
  readonly terms: string
  readonly account: string
  readonly bic: string
  readonly holder: string
  readonly draft: string
  readonly adjustment: string
  readonly agreement: string
  readonly period: string
  readonly takesEffect: string
  readonly formulaVersion: string
  readonly figuresAre: string
  readonly cancelledRelease: string
  /** The clause's substitute for a figure that will not come. */
  readonly instead: Readonly<Record<MissingPolicy['kind'], string>>
  /** The effect of each control. */
  readonly controls: Readonly<Record<string, string>>
  readonly change: string
  readonly sinceStart: string
  readonly priceBefore: string
  readonly priceAfter: string
  readonly priceChange: string
  readonly goesOnFrom: string
  readonly settled: string
  readonly proposed: string
  readonly corrected: (correction: string) => string
  readonly parts: string
  readonly part: string
  readonly weight: string
  readonly changePct: string
  readonly points: string
  readonly calculation: string
  readonly line: string
  readonly expression: string
  readonly value: string
  readonly figures: string
  readonly series: string
  readonly published: string
  readonly version: string
  readonly signatures: string
  readonly forBuyer: string
  readonly forSupplier: string
  readonly signedOn: (when: string) => string
  readonly notSigned: string
  readonly nameAndDate: string
  readonly receipt: string
  readonly versionTags: Readonly<Record<'PRELIMINARY' | 'FINAL' | 'REVISED', string>>
  /** The lines of a clause by their names; `ratioOf` for an input, `lineOf` for a line that its author named. */
  readonly lines: Readonly<Record<ClauseLine, string>>
  readonly ratioOf: (input: string) => string
  readonly lineOf: (name: string) => string
}

export const clauseLines = [
  'ratio',
  'factor',
  'movement',
  'payable',
  'threshold_met',
  'movement_applied',
  'shared',
  'total_held',
  'total_nearest',
  'total_down',
  'total_up',
  'total',
  'target',
  'step',
  'pct_held',
  'pct_nearest',
  'pct_down',
  'pct_up',
  'pct',
  'applied',
  'year_cap',
  'year_floor',
  'held_back',
] as const
type ClauseLine = (typeof clauseLines)[number]
