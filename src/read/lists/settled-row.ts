// Values by which lists sort and filter agreements without opening them: the settled price, the proposal beside it, and whether it
// can be corrected. Texts alone, so that it is stored as it is.

import { type OpenPath, paidStep } from '../../core/prices/shown-step.ts'
import type { Day } from '../../core/time/day.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Adjustments } from '../agreements/adjustments.ts'
import type { AgreementState } from '../agreements/agreement-snapshot.ts'
import { openPath, settledOn, termsOf } from '../agreements/settled-price.ts'

export interface SettledRow {
  /** Settled price of today, of the whole agreement; null where it is unknown. */
  readonly settled: {
    /** Null for `start`. */
    readonly agreedAt: Instant | null
    readonly cumulativePct: string
    readonly price: string | null
  } | null
  /** Change from the settled price to the newest open number, in percent; null where there is none. */
  readonly proposedPct: string | null
  readonly currency: string | null
  /** Whether both have signed a period, and the contract says when it is corrected. */
  readonly mayBeCorrected: boolean
}

export function settledRowOf(standing: AgreementState, adjustments: Adjustments, today: Day): SettledRow {
  const settled = settledOn(standing, today)
  const { formula } = standing.versions.at(-1)!
  const policy = formula.corrections
  return {
    settled:
      settled === null
        ? null
        : { agreedAt: settled.agreedAt, cumulativePct: settled.cumulativePct, price: settled.price },
    proposedPct: proposedPct(openPath(standing, adjustments.computed)),
    currency: termsOf(formula).price?.currency ?? null,
    mayBeCorrected: standing.signed.length > 0 && policy !== null && policy.when !== 'NONE',
  }
}

function proposedPct(path: OpenPath): string | null {
  return path.steps.length === 0 ? null : paidStep(path, path.steps.length - 1).changePct
}
