// The contract's policy for revised periods, as far as it does not follow from billed amounts: for readers who may not see
// amounts, and must not learn them from a state either.
import { type CorrectionInputs, findStated, type PolicyState, type StatedPeriod } from './correction.ts'

/** Whether the time limit of a period counts from its invoices. */
export function countsFromInvoices({ restated: { policy } }: StatedPeriod): boolean {
  return policy?.within?.of === 'INVOICE'
}

/** States by the label of the period; null where the state follows from amounts or from the days of invoices. */
export function policiesWithoutMoney(ground: CorrectionInputs): ReadonlyMap<string, PolicyState | null> {
  const stated = findStated({ ...ground, lines: [], quantities: [] })
  // One minimum counts for everything that is due together.
  const hasMinimum = stated.some(({ restated }) => restated.policy !== null && restated.policy.min !== null)
  return new Map(
    stated.map(each => {
      const isDecided = each.state === 'NONE' || each.state === 'NO_POLICY'
      const isHidden = !isDecided && (countsFromInvoices(each) || (each.state === 'DUE' && hasMinimum))
      return [each.restated.signed.period, isHidden ? null : each.state]
    }),
  )
}
