// Agreed prices in words, for commands: in a line, and as JSON.
import type { ContractPrice } from '../../core/formula/formula.ts'
import { formatDay } from '../../core/time/day.ts'
import { formatFactor } from '../../read/agreements/agreement-row.ts'
import type { SettledPrice } from '../../read/agreements/settled-price.ts'

export function settledJson(settled: SettledPrice | null) {
  if (settled === null) return null
  const { period, date, factor, price, correction } = settled
  return {
    period,
    since: formatDay(date),
    factor: formatFactor(factor),
    price,
    correction: correction === null ? null : { id: correction.id, agreedAt: correction.agreedAt },
  }
}

/** `263.19 EUR per metre since 2025-12-01 (2025-Q4), corrected from 263.44 by cor_…, agreed 2026-11-17`. */
export function settledWords(settled: SettledPrice, price: ContractPrice | null): string {
  const { period, date, factor, correction } = settled
  const unit = price === null || price.unit === '' ? '' : ` per ${price.unit}`
  const amount = price === null || settled.price === null ? null : `${settled.price} ${price.currency}${unit}`
  const before = correction?.priceBefore ?? (correction === null ? '' : formatFactor(correction.factorBefore))
  const corrected =
    correction === null
      ? ''
      : `, corrected from ${before} by ${correction.id}, agreed ${correction.agreedAt.slice(0, 10)}`
  return `${amount ?? `factor ${formatFactor(factor)}`} since ${formatDay(date)} (${period})${corrected}`
}
