// Text and digits for agreements: factors shortened for reading, prices with their unit.

import type { AgreementListRow } from '../../../src/views/shapes/agreements.ts'
import type { CauseKind } from '../../../src/views/shapes/causes.ts'
import { formatFigure, formatMoney, formatSigned, shortenCut } from './words.ts'

/** Decimals of a factor that are shown; the file has all of them. */
const factorDecimals = 6

export function formatFactor(factor: string): string {
  const point = factor.indexOf('.')
  if (point < 0) return formatFigure(factor)
  const cut = factor.slice(0, point + 1 + factorDecimals).replace(/\.?0+$/, '')
  return formatFigure(cut === '-0' ? '0' : cut)
}

/** `12.40 EUR per piece`. */
export function formatPrice(amount: string, price: AgreementListRow['price']): string {
  return `${formatMoney(amount, price?.currency)}${price?.unit ? ` per ${price.unit}` : ''}`
}

/** A difference in money, with its sign and currency. */
export function formatMoneyChange(difference: string, currency: string | null | undefined): string {
  const read = formatSigned(shortenCut(difference))
  return currency ? `${read}\u00a0${currency}` : read
}

export function formatPoints(difference: string): string {
  return `${formatSigned(difference)}\u00a0${/^[+-]?1$/.test(difference) ? 'point' : 'points'}`
}

/** `a → b`, or one of them if they are the same. */
export function formatWay(before: string, after: string): string {
  return before === after ? after : `${before} → ${after}`
}

const causeWords: Readonly<Record<CauseKind, string>> = {
  figures: 'changed figures',
  version: 'a newer version',
  earlier: 'earlier signed periods',
}

/** `changed figures, a newer version` */
export function formatCauses(because: readonly CauseKind[]): string {
  return because.map(kind => causeWords[kind]).join(', ')
}
