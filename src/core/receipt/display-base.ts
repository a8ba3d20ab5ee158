// The reading from which a receipt's display measures its parts: that of the last adjustment, or that of the base. Change and
// points of one view count from one reading.

import { formatRoundedShort } from '../numbers/ratio.ts'
import { formatDay } from '../time/day.ts'
import type { WorkedReceipt } from './worked-steps.ts'

export interface Measured {
  /** One item for each component; null where there is only one reading to measure from. */
  readonly since: readonly ({ readonly lastPct: string; readonly basePoints: string } | null)[]
  /** The date of the last adjustment that was applied; null for the first. */
  readonly lastApplied: string | null
  /** Whether every period is compared with the one before. */
  readonly isChained: boolean
}

export function measureParts({ adjustment, receipt, formula }: WorkedReceipt): Measured {
  const { show, breakdown } = adjustment
  const { date } = receipt.carriedIn.last
  return {
    since: breakdown.components.map(({ since }) =>
      since === null
        ? null
        : { lastPct: formatRoundedShort(since.lastPct, show), basePoints: formatRoundedShort(since.basePoints, show) },
    ),
    lastApplied: date === null ? null : formatDay(date),
    isChained: formula.clause?.basis === 'CHAINED',
  }
}
