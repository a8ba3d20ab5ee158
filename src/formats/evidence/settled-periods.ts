// The settled number of each period of an evidence package, corrections included. It follows from the receipts and the
// corrections in the package, so anybody can work it out again.
import { hashOf } from '../../core/receipt/receipt.ts'
import { workReceipt } from '../../core/receipt/worked-steps.ts'
import { signed } from '../../core/text/words.ts'
import type { CorrectedPeriod } from '../../core/true-up/correction-body.ts'
import type { CorrectionReceipt } from '../../core/true-up/correction-receipt.ts'
import { formatCsv } from '../sheet.ts'
import type { NamedReceipt } from './tables.ts'

export const settledPath = 'settled.csv'

export interface NamedCorrection {
  readonly id: string
  readonly correction: Pick<CorrectionReceipt, 'body' | 'receipts' | 'signatures'>
}

/** A number: the price, if there is one, and the change since the start. */
interface AgreedNumber {
  readonly price: string | null
  readonly cumulativePct: string
}

export interface SettledPeriod {
  readonly period: string
  /** The receipt that counts: the one signed by both, else the proposed one. */
  readonly receipt: string
  readonly isSigned: boolean
  /** The number as signed or proposed, before any correction. */
  readonly before: AgreedNumber
  /** The settled number; null while the period is not signed by both. */
  readonly settled: AgreedNumber | null
  /** The newest correction that both signed; null if there is none. */
  readonly correction: { readonly id: string; readonly agreedAt: string } | null
}

/** Sorted by date. */
export function settledPeriods(
  receipts: readonly NamedReceipt[],
  corrections: readonly NamedCorrection[],
): readonly SettledPeriod[] {
  const counting = new Map<string, NamedReceipt>()
  for (const each of receipts) {
    const { period } = each.receipt.body
    const known = counting.get(period)
    if (known === undefined || isAgreed(each) || (!isAgreed(known) && each.name === period)) counting.set(period, each)
  }
  const agreed = agreedInOrder(corrections)
  return [...counting.values()]
    .toSorted((a, b) => (a.receipt.body.adjustmentDate < b.receipt.body.adjustmentDate ? -1 : 1))
    .map(each => settle(each, agreed))
}

function isAgreed({ receipt: { hash, signatures } }: NamedReceipt): boolean {
  return new Set(signatures.filter(each => each.hash === hash).map(({ party }) => party)).size === 2
}

type AgreedCorrection = NamedCorrection & { readonly agreedAt: string }

/** Agreed corrections; the last one settles. */
function agreedInOrder(corrections: readonly NamedCorrection[]): readonly AgreedCorrection[] {
  return corrections
    .flatMap(each => {
      const { signatures } = each.correction
      const last = signatures.map(({ signedAt }) => signedAt).sort()
      return signatures.length < 2 ? [] : [{ ...each, agreedAt: last.at(-1)! }]
    })
    .toSorted((a, b) => (a.agreedAt === b.agreedAt ? 0 : a.agreedAt < b.agreedAt ? -1 : 1))
}

function settle(counting: NamedReceipt, agreed: readonly AgreedCorrection[]): SettledPeriod {
  const { name, receipt } = counting
  const { period, result } = receipt.body
  const number = { price: result.price ?? null, cumulativePct: result.cumulativePct }
  const isSigned = isAgreed(counting)
  const own = agreed.flatMap(each => {
    const moved = each.correction.body.periods.find(other => other.period === period)
    return moved === undefined || !isSigned ? [] : [{ ...each, moved }]
  })
  // The receipt of an agreement with a list of one item has no price of the item; its corrections have.
  const before = { ...number, price: own[0]?.moved.priceBefore ?? number.price }
  let settled = before
  for (const { correction, moved } of own) settled = afterCorrection(settled, correction, moved)
  const last = own.at(-1)
  return {
    period,
    receipt: name,
    isSigned,
    before,
    settled: isSigned ? settled : null,
    correction: last === undefined ? null : { id: last.id, agreedAt: last.agreedAt },
  }
}

function afterCorrection(
  before: AgreedNumber,
  { receipts }: NamedCorrection['correction'],
  { priceAfter, receiptAfter }: CorrectedPeriod,
): AgreedNumber {
  // If only the base of a price moved, the number of the period is unchanged.
  const restated = receiptAfter === null ? undefined : receipts.find(each => hashOf(each) === receiptAfter)
  return { price: priceAfter, cumulativePct: restated?.result.cumulativePct ?? before.cumulativePct }
}

export function settledTable(periods: readonly SettledPeriod[]): string {
  const figure = (text: string | null | undefined) => (text == null ? null : { figure: text })
  return formatCsv({
    name: 'settled',
    head: [
      'period',
      'state',
      'price before',
      'settled price',
      'since start before %',
      'settled since start %',
      'correction',
      'agreed at',
    ],
    rows: periods.map(({ period, isSigned, before, settled, correction }) => [
      period,
      isSigned ? (correction === null ? 'SIGNED' : 'CORRECTED') : 'PROPOSED',
      figure(before.price),
      figure(settled?.price),
      figure(before.cumulativePct),
      figure(settled?.cumulativePct),
      correction?.id ?? '',
      correction?.agreedAt ?? '',
    ]),
  })
}

/** The currency of the terms by which a receipt was computed; null where they name no price. */
export function currencyOf({ receipt }: NamedReceipt): string | null {
  return workReceipt(receipt.body).formula.contract.price?.currency ?? null
}

/** The settled number of a period, in one sentence. */
export function formatSettled(
  { period, before, settled, correction }: SettledPeriod,
  currency: string | null,
  formatDay: (instant: string) => string,
): string {
  const figure = ({ price, cumulativePct }: AgreedNumber) =>
    price === null
      ? `${signed(cumulativePct)} % since the start`
      : [price, ...(currency === null ? [] : [currency])].join(' ')
  const what = before.price === null ? 'number' : 'price'
  if (settled === null) return `${period}: proposed ${figure(before)}, not signed by both.`
  if (correction === null) return `${period}: the settled ${what} is ${figure(settled)}, as signed.`
  return `${period}: the settled ${what} is ${figure(settled)}, corrected from ${figure(before)}, agreed on ${formatDay(correction.agreedAt)} (${correction.id}).`
}
