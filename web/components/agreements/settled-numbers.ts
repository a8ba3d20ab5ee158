// Settled and proposed numbers of an agreement. A number not signed by both is never called the price.
import type { AgreementListRow, PeriodRow, SettledView } from '../../../src/views/shapes/agreements.ts'
import { isNothing } from '../figures/decimals.ts'

/** The period before the first adjustment. */
const startPeriod = 'start'

/** Whether it is the contract's own price, which nothing has moved yet. */
export function isContractPrice({ period }: Pick<SettledView, 'period'>): boolean {
  return period === startPeriod
}

/** The newest number, where it is not signed by both. */
export function proposedOf({ last }: Pick<AgreementListRow, 'last'>): PeriodRow | null {
  return last === null || last.isSigned ? null : last
}

/** Number that a row reports: the settled one, else the proposed one. */
export function reportedOf(
  entry: PeriodRow,
): Pick<SettledView, 'adjustmentPct' | 'cumulativePct' | 'factor' | 'price'> {
  return entry.settled ?? entry
}

/** Whether the price, or without one the number, would be another with today's figures. */
export function isOtherToday({ today }: Pick<PeriodRow, 'today'>): boolean {
  if (today === null) return false
  const difference = today.differenceMoney ?? today.differencePoints
  return difference === null || !isNothing(difference)
}
