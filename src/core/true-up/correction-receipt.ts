// Checks that a correction follows from the receipts it names: factors from receipts that replay, prices from factors, amounts
// from prices, the net from the amounts. It makes no request and reads no file.

import { minorUnits, roundMoney } from '../numbers/money.ts'
import {
  add,
  divide,
  equal,
  formatFixed,
  formatRounded,
  isSameRounded,
  multiply,
  ofInteger,
  one,
  parseExact,
  type Ratio,
  type Rounding,
  roundTo,
  subtract,
  sum,
  zero,
} from '../numbers/ratio.ts'
import { hashOf, type ReceiptBody, type WrittenRounding } from '../receipt/receipt.ts'
import { readBody } from '../receipt/receipt-parser.ts'
import { firstDifference, replay } from '../receipt/replay.ts'
import { canonicalJson } from '../text/canonical-json.ts'
import type { Written } from '../text/exact-shape.ts'
import type { CorrectedLine, CorrectedPeriod, CorrectedPrice, CorrectionBody } from './correction-body.ts'
import type { correctionReceipt } from './correction-schema.ts'

export type CorrectionReceipt = Written<typeof correctionReceipt>

/** Everything that does not follow from the receipt's own figures, one sentence each; empty if all of it follows. */
export function checkCorrection({ body, receipts }: Pick<CorrectionReceipt, 'body' | 'receipts'>): string[] {
  const byHash = new Map(receipts.map(receipt => [hashOf(receipt), receipt]))
  return [
    ...body.periods.flatMap(period => [...checkPeriod(body, period, byHash), ...checkOnlyPrice(body, period)]),
    ...body.prices.flatMap(price => checkPrice(body, price)),
    ...body.lines.flatMap(line => checkLine(body, line)),
    ...checkAmounts(body),
    ...checkNamed(body, byHash),
  ]
}

function exact(text: string): Ratio {
  return parseExact(text) ?? zero
}

/** Checks that the signed body names, by hash, every receipt beside it. */
function checkNamed({ periods }: CorrectionBody, receipts: ReadonlyMap<string, ReceiptBody>): string[] {
  const named = new Set(periods.flatMap(({ receiptBefore, receiptAfter }) => [receiptBefore, receiptAfter]))
  return [...receipts.keys()].filter(hash => !named.has(hash)).map(hash => `receipts: no period names ${hash}`)
}

function checkPeriod(
  { pam: agreement }: CorrectionBody,
  { period, factorBefore, factorAfter, receiptBefore, receiptAfter }: CorrectedPeriod,
  receipts: ReadonlyMap<string, ReceiptBody>,
): string[] {
  const check = (hash: string | null, factor: string, what: string): string[] => {
    if (hash === null) return factorBefore === factorAfter ? [] : [`${period}: its number moved without a receipt`]
    const receipt = receipts.get(hash)
    if (receipt === undefined) return [`${period}: the ${what} receipt ${hash} is not there`]
    if (receipt.pam !== agreement || receipt.period !== period)
      return [`${period}: the ${what} receipt is of another period`]
    const difference = firstDifference(replay(readBody(receipt)))
    if (difference !== null)
      return [`${period}: ${difference.line} of the ${what} receipt does not follow from its figures`]
    return receipt.result.factor === factor
      ? []
      : [`${period}: the ${what} receipt has the factor ${receipt.result.factor}, not ${factor}`]
  }
  return [...check(receiptBefore, factorBefore, 'settled'), ...check(receiptAfter, factorAfter, 'restated')]
}

/** Checks that the price of the only item is a computed one. */
function checkOnlyPrice({ prices }: CorrectionBody, { period, priceBefore, priceAfter }: CorrectedPeriod): string[] {
  const isListed = prices.some(
    each => each.period === period && each.before === priceBefore && each.after === priceAfter,
  )
  return priceBefore === priceAfter || isListed ? [] : [`${period}: its price is not among the corrected prices`]
}

function readRounding(written: WrittenRounding): Rounding {
  return 'dp' in written ? written : { multiple: exact(written.multiple), mode: written.mode }
}

/** The number of a period before or after; periods that do not move are not listed and are not checked. */
function checkPrice({ periods }: CorrectionBody, price: CorrectedPrice): string[] {
  const at = periods.find(({ period }) => period === price.period)
  if (at === undefined) return [`${price.item}: ${price.period} is not among the corrected periods`]
  const base = periods.find(({ period }) => period === price.base)
  const share = exact(price.share)
  const sides = [
    ['before', price.before, price.movementBefore, at.factorBefore, base?.factorBefore],
    ['after', price.after, price.movementAfter, at.factorAfter, base?.factorAfter],
  ] as const
  return sides.flatMap(([what, written, movement, factor, from]) => {
    const named = `${price.item} in ${price.period}: the price ${what}`
    const divisor = from === undefined ? (price.base === 'start' ? one : null) : exact(from)
    if (divisor !== null && divisor.n !== 0n && !equal(divide(exact(factor), divisor), exact(movement)))
      return [`${named} moves by ${movement}, which is not the factor over its base`]
    const moved = multiply(exact(price.price), add(subtract(one, share), multiply(share, exact(movement))))
    const rounding = readRounding(price.rounding)
    const own = formatRounded(moved, rounding)
    return isSameRounded(written, own, rounding) ? [] : [`${named} comes to ${own}, not ${written}`]
  })
}

function checkLine({ currency, prices }: CorrectionBody, line: CorrectedLine): string[] {
  const named = line.invoice === null ? `${line.item} in ${line.period}` : `${line.invoice}, line ${line.line}`
  if (currency === null) return [`${named}: an amount without a currency`]
  const days = ofInteger(line.shares.reduce((total, share) => total + share.days, 0))
  const amountAt = (priceOf: (share: CorrectedLine['shares'][number]) => string) =>
    formatFixed(
      roundMoney(
        sum(
          line.shares.map(share => {
            const quantity = divide(multiply(exact(line.quantity), ofInteger(share.days)), days)
            return divide(multiply(quantity, exact(priceOf(share))), exact(share.per))
          }),
        ),
        currency,
      ),
      minorUnits(currency),
    )
  const [before, after] = [amountAt(share => share.priceBefore), amountAt(share => share.priceAfter)]
  const isListed = ({ period, priceBefore, priceAfter }: CorrectedLine['shares'][number]) =>
    priceBefore === priceAfter ||
    prices.some(
      price =>
        price.period === period &&
        price.item === line.item &&
        price.before === priceBefore &&
        price.after === priceAfter,
    )
  const problems: string[] = []
  if (!line.shares.every(isListed)) problems.push(`${named}: its price is not among the corrected prices`)
  if (before !== line.amountBefore)
    problems.push(`${named}: the amount before comes to ${before}, not ${line.amountBefore}`)
  if (after !== line.amountAfter) problems.push(`${named}: the amount after comes to ${after}, not ${line.amountAfter}`)
  if (!equal(subtract(exact(line.amountAfter), exact(line.amountBefore)), exact(line.amount)))
    problems.push(`${named}: ${line.amount} is not the difference of its amounts`)
  return problems
}

function checkAmounts({ net, lines, periods, parts, waived, currency, settle }: CorrectionBody): string[] {
  if (net === null) return lines.length === 0 ? [] : ['net: it is missing beside amounts of lines']
  const problems: string[] = []
  const total = sum(lines.map(({ amount }) => exact(amount)))
  if (!equal(total, exact(net))) problems.push(`net: ${net} is not the sum of its lines`)
  const ofPeriods = sum(periods.map(({ amount }) => (amount === null ? zero : exact(amount))))
  if (!equal(ofPeriods, exact(net))) problems.push(`net: ${net} is not the sum of its periods`)
  if (waived) return parts.length === 0 ? problems : [...problems, 'parts: what is waived is not settled by anything']
  const own = ownParts(exact(net), settle === 'SPREAD' ? parts.length : 1, minorUnits(currency ?? ''))
  if (canonicalJson(own) !== canonicalJson([...parts])) problems.push(`parts: they are ${own.join(', ')}`)
  return problems
}

function ownParts(net: Ratio, count: number, decimals: number): string[] {
  const each = roundTo(divide(net, ofInteger(Math.max(count, 1))), decimals, 'DOWN')
  const first = Array.from({ length: count - 1 }, () => each)
  return [...first, subtract(net, sum(first))].map(part => formatFixed(part, decimals))
}
