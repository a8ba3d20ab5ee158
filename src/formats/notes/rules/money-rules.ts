// Rules about sums and decimals: every total follows from the lines and the tax, and no amount has more than two decimals.
import { add, equal, hundred, isWhole, multiply, type Ratio, sum } from '../../../core/numbers/ratio.ts'
import type { NoteDocument } from '../note-document.ts'
import { type NoteRule, rule } from './rule.ts'

function isFine(amount: Ratio): boolean {
  return isWhole(multiply(amount, hundred))
}

const decimals: readonly (readonly [
  id: string,
  what: string,
  amounts: (document: NoteDocument) => readonly Ratio[],
])[] = [
  ['BR-DEC-09', 'the sum of the lines', ({ totals }) => [totals.lines]],
  ['BR-DEC-12', 'the total without tax', ({ totals }) => [totals.exclusive]],
  ['BR-DEC-13', 'the total tax', ({ totals }) => [totals.tax]],
  ['BR-DEC-14', 'the total with tax', ({ totals }) => [totals.inclusive]],
  ['BR-DEC-18', 'the amount due', ({ totals }) => [totals.payable]],
  ['BR-DEC-19', 'a taxable amount', ({ taxes }) => taxes.map(({ taxable }) => taxable)],
  ['BR-DEC-20', 'a tax amount', ({ taxes }) => taxes.map(({ amount }) => amount)],
  ['BR-DEC-23', 'the amount of a line', ({ lines }) => lines.map(({ amount }) => amount)],
]

export const moneyRules: readonly NoteRule[] = [
  rule('BR-CO-10', 'lines', 'lines that come to their sum', ({ lines, totals }) => {
    return !equal(sum(lines.map(({ amount }) => amount)), totals.lines)
  }),
  rule('BR-CO-13', 'lines', 'a total without tax that is the sum of the lines', ({ totals }) => {
    return !equal(totals.exclusive, totals.lines)
  }),
  rule('BR-CO-14', 'tax.rate', 'a total tax that is the sum of the taxes', ({ taxes, totals }) => {
    return !equal(sum(taxes.map(({ amount }) => amount)), totals.tax)
  }),
  rule('BR-CO-15', 'tax.rate', 'a total with tax that is the total without it and the tax', ({ totals }) => {
    return !equal(add(totals.exclusive, totals.tax), totals.inclusive)
  }),
  rule('BR-CO-16', 'lines', 'an amount due that is the total with tax', ({ totals }) => {
    return !equal(totals.payable, totals.inclusive)
  }),
  ...decimals.map(([id, what, amounts]) =>
    rule(id, 'currency', `at most two decimals in ${what}`, document => !amounts(document).every(isFine)),
  ),
]
