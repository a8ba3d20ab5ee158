// How the numbers and reasons of a check are written.

import { equal, type Ratio, ratio, writeCarried, writeFixed, writeRounded, writeShort } from '../numbers/ratio.ts'
import type { PriceStatus } from '../prices/agreement.ts'
import { startLabel, stepFor } from '../prices/price-list.ts'
import type { Pricing } from '../prices/pricing.ts'
import type { CheckRow, Reason } from './check-row.ts'
import type { Subject } from './hypotheses.ts'
import type { InvoiceLine } from './invoice-line.ts'
import type { Explanation } from './reasons.ts'

const mostDecimals = 12

/** Exact if it is a decimal of reasonable length, else with twelve decimals. */
export function writeDecimal(value: Ratio): string {
  const carried = writeCarried(value)
  return carried.endsWith('…') ? writeShort(value, mostDecimals) : carried
}

/** As written on the invoice if no conversion to another `per` or unit was needed. */
export function writeBilledPrice({ texts, unitPrice }: InvoiceLine, brought: Ratio): string {
  return equal(unitPrice!, brought) ? texts.unitPrice!.trim().replace(/^\+/, '') : writeDecimal(brought)
}

/** With as many decimals as the longer of its two neighbours. */
export function writeDifference(difference: Ratio, a: string, b: string): string {
  const decimals = (text: string) => text.split('.')[1]?.length ?? 0
  return writeFixed(difference, Math.max(decimals(a), decimals(b)))
}

/** With the decimals that prices of the item have, and more only where it has more. */
function writePriceLike(price: Ratio, { price: { rounding } }: Subject): string {
  const written = writeRounded(price, rounding)
  return equal(price, ratio(written)) ? written : writeDecimal(price)
}

const statusWords: Readonly<Record<PriceStatus, string>> = {
  AGREED: 'the settled',
  SIGNED_BY_BUYER: 'the buyer’s signed',
  SIGNED_BY_SUPPLIER: 'the supplier’s signed',
  OPEN: 'the proposed',
}

const signedWords: Readonly<Record<PriceStatus, string>> = {
  AGREED: '',
  SIGNED_BY_BUYER: ' and signed by the buyer',
  SIGNED_BY_SUPPLIER: ' and signed by the supplier',
  OPEN: '',
}

/** `not agreed yet: the contract’s price is 97.65, proposed 87.07`. */
export function tellUnagreed(pricing: Pricing, subject: Subject): string {
  const { price } = subject
  const proposed = `proposed${signedWords[price.status]} ${price.text}`
  const agreed = lastAgreed(pricing, subject)
  return `not agreed yet: ${agreed === null ? 'no price before it is agreed' : agreed}, ${proposed}`
}

/** The price in force until this one is agreed: that of the newest period before it that both agreed to. */
function lastAgreed(pricing: Pricing, { place, item, step }: Subject): string | null {
  for (let before = place - 1; before >= 0 && pricing.at(before).isBaseOnly !== true; before--) {
    const offer = pricing.offer(before)
    const there = 'gap' in offer ? undefined : offer.list.find(item.item)
    const same = there === undefined ? null : stepFor(there, step.from)
    const price = 'gap' in offer || same === null ? null : pricing.price(before, same, offer.list.currency)
    if (price === null || 'gap' in price || price.status !== 'AGREED') continue
    const { period } = pricing.at(before)
    return `${period === startLabel ? 'the contract’s price' : `the price of ${period}`} is ${price.text}`
  }
  return null
}

type Shown = Pick<CheckRow, 'status' | 'period' | 'price' | 'billedPrice' | 'amount' | 'billedAmount'>

/** `12.73 is the price of 2024-Q1; the settled price of 2024-Q2 is 12.69.` */
export function tellByPrice(row: Shown, { code, what }: Explanation): Reason {
  return { code, sentence: `${row.billedPrice} is ${what}; ${tellAgreed(row)}.` }
}

export function tellByAmount(row: Shown, { code, price, what }: Explanation, subject: Subject): Reason {
  const at = writePriceLike(price, subject)
  return { code, sentence: `${row.billedAmount} is the amount at ${at}, ${what}; ${tellAgreed(row)}.` }
}

export function tellShared({ billedAmount, status, amount }: Shown, { code, what }: Explanation): Reason {
  return { code, sentence: `${billedAmount} is the amount at ${what}; ${statusWords[status!]} amount is ${amount}.` }
}

function tellAgreed({ status, period, price }: Shown): string {
  return `${statusWords[status!]} price of ${period === startLabel ? 'the start' : period} is ${price}`
}
