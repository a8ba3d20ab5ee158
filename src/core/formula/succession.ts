// The rule for a new version of a formula: the price of a contract is agreed once; a different price is accepted only if the
// document says that it was renegotiated.
import { equal } from '../numbers/ratio.ts'
import type { Problem } from '../refusal.ts'
import type { Formula } from './formula.ts'

export function checkSuccession(older: Formula, newer: Formula): Problem[] {
  const [before, now] = [older.contract.price, newer.contract.price]
  if (before === null || now === null || newer.contract.restart || equal(before.amount, now.amount)) return []
  return [
    {
      path: 'contract.price.amount',
      message: `the price is ${now.text} here and ${before.text} in the version before; write contract.restart: true if it was renegotiated and counts from effectiveFrom, or keep the price of the start`,
    },
  ]
}
