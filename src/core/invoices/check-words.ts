// The texts of the numbers and reasons of a check.

import { equal, formatCarried, formatFixed, formatRounded, formatShort, type Ratio, ratio } from '../numbers/ratio.ts'
import type { PriceStatus } from '../prices/agreement.ts'
import { startLabel } from '../prices/price-list.ts'
import type { CheckRow, Reason } from './check-row.ts'
import type { Subject } from './hypotheses.ts'
import type { InvoiceLine } from './invoice-line.ts'
import type { Explanation } from './reasons.ts'

const mostDecimals = 12

/** Exact if it is a decimal of reasonable length, else with twelve decimals. */
export function formatDecimal(value: Ratio): string {
  const carried = formatCarried(value)
  return carried.endsWith('…') ? formatShort(value, mostDecimals) : carried
}

/** The price as written on the invoice if no conversion to another `per` or unit was needed. */
export function formatBilledPrice({ texts, unitPrice }: InvoiceLine, brought: Ratio): string {
  return equal(unitPrice!, brought) ? texts.unitPrice!.trim().replace(/^\+/, '') : formatDecimal(brought)
}

/** The difference with the decimals of the longer of its two neighbours. */
export function formatDifference(difference: Ratio, a: string, b: string): string {
  const decimals = (text: string) => text.split('.')[1]?.length ?? 0
  return formatFixed(difference, Math.max(decimals(a), decimals(b)))
}

/** The price with the decimals of the item's prices, and more only where it has more. */
function formatPriceLike(price: Ratio, { price: { rounding } }: Subject): string {
  const written = formatRounded(price, rounding)
  return equal(price, ratio(written)) ? written : formatDecimal(price)
}

const statusWords: Readonly<Record<PriceStatus, string>> = {
  AGREED: 'the settled',
  SIGNED_BY_BUYER: 'the buyer’s signed',
  SIGNED_BY_SUPPLIER: 'the supplier’s signed',
  OPEN: 'the proposed',
}

/** `15.31 is in force; 16.44 is proposed for 2026-Q2`. Null for a missing price. */
export function formatUnagreed(inForce: string | null, proposed: string | null, period: string): string {
  const settled = inForce === null ? 'no price is in force' : `${inForce} is in force`
  const other =
    proposed === null ? `the list proposed for ${period} no longer has it` : `${proposed} is proposed for ${period}`
  return `${settled}; ${other}`
}

type ShownCheck = Pick<CheckRow, 'status' | 'period' | 'price' | 'billedPrice' | 'amount' | 'billedAmount'>

/** `12.73 is the price of 2024-Q1; the settled price of 2024-Q2 is 12.69.` */
export function formatByPrice(row: ShownCheck, { code, what }: Explanation): Reason {
  return { code, sentence: `${row.billedPrice} is ${what}; ${formatAgreed(row)}.` }
}

export function formatByAmount(row: ShownCheck, { code, price, what }: Explanation, subject: Subject): Reason {
  const at = formatPriceLike(price, subject)
  return { code, sentence: `${row.billedAmount} is the amount at ${at}, ${what}; ${formatAgreed(row)}.` }
}

export function formatShared({ billedAmount, status, amount }: ShownCheck, { code, what }: Explanation): Reason {
  return { code, sentence: `${billedAmount} is the amount at ${what}; ${statusWords[status!]} amount is ${amount}.` }
}

function formatAgreed({ status, period, price }: ShownCheck): string {
  return `${statusWords[status!]} price of ${period === startLabel ? 'the start' : period} is ${price}`
}
