// A settled correction, by its receipt: once both have signed it this is fixed, whatever is billed or published later. The
// ledger, the radar and every page about agreed money read it here. Pure.
import type { AgreedCorrection } from '../invoices/ledger-facts.ts'
import { add, parseExact, type Ratio, ratio, zero } from '../numbers/ratio.ts'
import type { Instant } from '../time/instant.ts'
import type { CorrectionBody } from './correction-body.ts'

export interface SettledCorrection extends AgreedCorrection {
  /** The instant of the proposal: its figures were known by then. */
  readonly proposedAt: Instant
  /** The numbers that it settled, by the label of the period; without periods of which only the base of a price moved. */
  readonly factors: ReadonlyMap<string, Ratio>
  /** The buyer's additional amount by the label of the period; null where neither lines nor quantities were stored. */
  readonly amounts: ReadonlyMap<string, Ratio | null>
}

interface SignedBody extends Pick<SettledCorrection, 'id' | 'proposedAt' | 'agreedAt'> {
  readonly body: CorrectionBody
  /** Ids of its lines, in their order; null for a declared quantity. */
  readonly lineIds: readonly (string | null)[]
}

/** `currency` is that of the agreement, for one that names none. */
export function settledCorrection({ body, lineIds, ...signed }: SignedBody, currency: string): SettledCorrection {
  const lines = body.lines.map(({ item, period, amount }, i) => ({
    lineId: lineIds[i] ?? null,
    item,
    period,
    amount: ratio(amount),
  }))
  return {
    ...signed,
    isWaiver: body.waived,
    currency: body.currency ?? currency,
    lines,
    factors: new Map(
      body.periods.flatMap(({ period, factorAfter, receiptAfter }) =>
        receiptAfter === null ? [] : [[period, parseExact(factorAfter)!] as const],
      ),
    ),
    amounts: amountsOf(body, lines),
  }
}

/** Amounts by period. A line that begins in a period without a moved price is in no period's amount, and has one of its own. */
function amountsOf({ periods }: CorrectionBody, lines: AgreedCorrection['lines']): SettledCorrection['amounts'] {
  const amounts = new Map<string, Ratio | null>(
    periods.map(({ period, amount }) => [period, amount === null ? null : ratio(amount)]),
  )
  for (const { period, amount } of lines)
    if (!periods.some(each => each.period === period)) amounts.set(period, add(amounts.get(period) ?? zero, amount))
  return amounts
}
