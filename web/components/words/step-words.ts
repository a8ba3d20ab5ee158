// Step of a price against the paid price, in words: the same in rows, panels, dialogs and on pages (decision 0830).
import type { ShownStep, SignedSoFar, StepFromSettled } from '../../../src/core/prices/shown-step.ts'
import { isSameFigure } from '../figures/decimals.ts'
import { countOf, formatMoney, formatPct } from './words.ts'

const signedWords: Readonly<Record<SignedSoFar, string>> = {
  NOBODY: 'signed by nobody',
  YOU: 'signed by you',
  BUYER: 'signed by the buyer',
  SUPPLIER: 'signed by the supplier',
  TOGETHER: 'part of this signature',
}

/**
 * `12.79 settled → 13.30 (2026-Q2, signed by you) → 13.73 · +3.23 % on 2026-Q2, +7.35 % on what is paid`; after a correction
 * `21.59 settled → 21.32: −1.25 %. The path goes on from 21.51 as the contract says (HEAL).` Null where there is nothing to say.
 */
export function formatGround({ price, changePct }: ShownStep, ground: StepFromSettled | null): string | null {
  if (ground === null || price === null) return null
  const { settled, between, moreBetween, paidPct, goesOnFrom } = ground
  const before = between.at(-1)
  const way = [
    `${formatMoney(settled, null)} settled`,
    ...(moreBetween === 0 ? [] : [countOf(moreBetween, 'more period')]),
    ...between.map(
      each =>
        `${each.price === null ? 'no price' : formatMoney(each.price, null)} (${each.period}, ${signedWords[each.signed]})`,
    ),
    formatMoney(price, null),
  ].join(' → ')
  const told =
    before === undefined
      ? `${way}: ${formatPct(changePct)}`
      : `${way} · ${formatPct(changePct)} on ${before.period}, ${formatPct(paidPct)} on what is paid`
  if (goesOnFrom === null) return told
  const why = goesOnFrom.isHeal ? ' (HEAL)' : ''
  return `${told}. The path goes on from ${formatMoney(goesOnFrom.price, null)} as the contract says${why}.`
}

/** Words before the reasons of a number that the contract computes from another price than the paid one; else empty. */
export function formatPath(ground: StepFromSettled | null): string {
  const from = ground?.goesOnFrom ?? null
  return from === null ? '' : `On the path of the contract, from ${formatMoney(from.price, null)}: `
}

/** The adjustment of the contract, where it is another than the change of the price that it was rounded to or goes on from. */
export function formatAdjustment({ changePct }: ShownStep, adjustmentPct: string | null): string | null {
  if (adjustmentPct === null || changePct === null || isSameFigure(adjustmentPct, changePct)) return null
  return `the adjustment under the contract is ${formatPct(adjustmentPct)}`
}
