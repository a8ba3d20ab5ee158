// Revisions, corrections and postings in words.

import type { DifferenceCode } from '../../../src/core/invoices/ledger-differences.ts'
import type { Account, LedgerEvent } from '../../../src/core/invoices/ledger-facts.ts'
import type { PolicyState } from '../../../src/core/true-up/correction.ts'
import type { ProposalState } from '../../../src/core/true-up/proposal-state.ts'
import type { RadarKind } from '../../../src/core/true-up/radar.ts'
import type { KindCounts, MoneyFlow, MoneyState } from '../../../src/views/shapes/revision-rows.ts'
import type { StateKind } from '../figures/state-kind.ts'
import { countOf, formatFigure, formatMoney, formatPrice } from '../words/words.ts'

interface StateWords {
  readonly kind: StateKind
  readonly words: string
}

export const kindWords: Readonly<Record<RadarKind, StateWords>> = {
  SIGNED_MOVED: { kind: 'trouble', words: 'Signed price moved' },
  OPEN_MOVED: { kind: 'waiting', words: 'Proposal moved' },
  NOW_COMPUTABLE: { kind: 'good', words: 'Can be computed now' },
  NOW_BLOCKED: { kind: 'trouble', words: 'Cannot be computed any more' },
  NOW_FINAL: { kind: 'good', words: 'Final now, same number' },
  NO_EFFECT: { kind: 'plain', words: 'Moved, without effect' },
}

export const policyWords: Readonly<Record<PolicyState, string>> = {
  DUE: 'due for correction',
  WAITING_FOR_FINAL: 'waits for final figures',
  UNDER_MINIMUM: 'under the smallest correction',
  LAPSED: 'lapsed',
  NONE: 'nothing to correct',
  NO_POLICY: 'no correction clause',
}

/** Headings for the outcomes of signed periods that moved. */
export const moneyWords: Readonly<Record<MoneyState, string>> = {
  DUE: 'Due',
  WAITING_FOR_FINAL: 'Waiting for final figures',
  UNDER_MINIMUM: 'Under the minimum',
  PROPOSED: 'Proposed, waiting for signatures',
  AGREED: 'Agreed',
  WAIVED: 'Waived by both sides',
  LAPSED: 'Lapsed',
  NONE: 'Nothing to correct',
  NO_POLICY: 'No correction clause',
}

export const stateWords: Readonly<Record<ProposalState, StateWords>> = {
  PROPOSED: { kind: 'waiting', words: 'Waits for both sides' },
  SIGNED_BY_BUYER: { kind: 'waiting', words: 'Waits for the supplier' },
  SIGNED_BY_SUPPLIER: { kind: 'waiting', words: 'Waits for the buyer' },
  AGREED: { kind: 'good', words: 'Signed by both sides' },
  SUPERSEDED: { kind: 'plain', words: 'No longer holds' },
  REFUSED: { kind: 'trouble', words: 'Refused' },
  LAPSED: { kind: 'plain', words: 'Lapsed' },
}

export const eventWords: Readonly<Record<LedgerEvent, string>> = {
  INVOICE_LINE: 'Billed',
  PERIOD_AGREED: 'Price agreed',
  CORRECTION_AGREED: 'Correction agreed',
  CORRECTION_WAIVED: 'Correction waived',
  BILLING_AGREED: 'Billing difference agreed',
  BILLING_WAIVED: 'Billing difference waived',
  NOTE_ISSUED: 'Note issued',
  NOTE_MATCHED: 'Matched to a note',
  NOTE_UNMATCHED: 'No longer matched to the note',
}

export const differenceWords: Readonly<Record<DifferenceCode, string>> = {
  PRICE: 'Other price',
  UNDONE: 'Undone',
  NO_NOTE: 'No note',
  OTHER_SUPPLIER: 'Other supplier',
  OTHER_CURRENCY: 'Other currency',
  OTHER_AMOUNT: 'Other amount',
  BILLED_TWICE: 'Billed twice',
  SETTLED: 'Settled',
}

export const accountWords: Readonly<Record<Account, string>> = {
  ENTITLED: 'entitled',
  PROVISIONAL: 'provisional',
  BILLED: 'billed',
  BILLING_DIFF: 'billing difference',
  AGREED: 'agreed, not yet billed',
  WAIVED: 'waived',
}

/** Amount with a sign: how much more or less is paid. */
export function formatAmount(amount: string, currency: string | null): string {
  const written = formatMoney(amount.replace(/^-/, ''), currency)
  if (/^-?0(\.0*)?$/.test(amount)) return written
  return `${amount.startsWith('-') ? '−' : '+'}${written}`
}

/** Money in a ledger: a true minus, no plus. */
export function formatBalance(amount: string, currency: string): string {
  return `${amount.startsWith('-') ? '−' : ''}${formatMoney(amount.replace(/^-/, ''), currency)}`
}

/** Amount without its sign: the side that gets it stands beside it. */
export function formatAbsolute(amount: string, currency: string): string {
  return formatMoney(amount.replace(/^-/, ''), currency)
}

/** Side that gets the amount a buyer has to pay; for a negative one, the buyer. */
export function payeeOf(amount: string, sides: { readonly buyer: string; readonly supplier: string }): string {
  return amount.startsWith('-') ? sides.buyer : sides.supplier
}

/** `4,212.10 EUR to Rheinstahl` */
export function formatFlow({ amount, currency, to }: MoneyFlow): string {
  return `${formatMoney(amount, currency)} to ${to}`
}

const kindSentences: Readonly<Record<RadarKind, string>> = {
  SIGNED_MOVED: 'a signed price that moves',
  OPEN_MOVED: 'a proposal that moves',
  NOW_COMPUTABLE: 'a number that has become computable',
  NOW_BLOCKED: 'a number that cannot be computed any more',
  NOW_FINAL: 'final figures and an unchanged number',
  NO_EFFECT: 'changed figures without effect',
}

/** `2 periods with a signed price that moves, 1 with a proposal that moves.` */
export function formatKinds(kinds: KindCounts): string {
  const told = (Object.keys(kindSentences) as RadarKind[]).flatMap(kind => {
    const count = kinds[kind] ?? 0
    return count === 0 ? [] : [{ count, words: kindSentences[kind] }]
  })
  return `${told.map(({ count, words }, i) => `${i === 0 ? countOf(count, 'period') : count} with ${words}`).join(', ')}.`
}

interface PricedRow {
  readonly priceBefore: string | null
  readonly priceAfter: string | null
  readonly currency: string | null
  readonly unit: string | null
}

/** `55.96 → 54.82 USD / piece`; empty without a price. */
export function formatPriceWay({ priceBefore, priceAfter, currency, unit }: PricedRow): string {
  const after = priceAfter === null ? 'none' : formatPrice(priceAfter, currency, unit)
  if (priceBefore === priceAfter) return priceAfter === null ? '' : after
  return `${priceBefore === null ? 'none' : formatMoney(priceBefore, null)} → ${after}`
}

interface CauseText {
  readonly series: string
  readonly period: string
  readonly before: string | null
  readonly after: string | null
}

export function formatCause({ series, period, before, after }: CauseText): string {
  const now = after === null ? 'withdrawn' : formatFigure(after)
  return `${series} ${period}: ${before === null ? now : `${formatFigure(before)}\u00a0→\u00a0${now}`}`
}
