// The step of a price, wherever it is shown for a signature or in a list (decision 0830): the price before it, the price after
// it, and the percent between exactly these two. It is what is paid; a change in the API is the adjustment of the contract,
// which is computed before prices are rounded and goes on from the signed path.

import { divide, formatFixed, hundred, multiply, one, ratio, subtract } from '../numbers/ratio.ts'
import type { Party } from '../parties.ts'

export interface ShownStep {
  /** The settled price, else the proposed price of the period before. Null without a price. */
  readonly priceBefore: string | null
  /** The settled price of the period, else the proposed one. */
  readonly price: string | null
  /** After ÷ before, so that a reader can check it; without prices the adjustment. Null after a price of 0. */
  readonly changePct: string | null
}

/** The signatures of a period that is not signed by both, for the viewer. */
export type SignedSoFar =
  | 'NOBODY'
  | 'YOU'
  | 'BUYER'
  | 'SUPPLIER'
  /** It waits for the viewer: a signature of a later period counts for it too. */
  | 'TOGETHER'

/** The way from the settled price to a step, where something lies between. */
export interface StepFromSettled {
  readonly settled: string
  /** The newest periods before it that not both have signed, by date. */
  readonly between: readonly ProposedBetween[]
  /** The number of further periods before these. */
  readonly moreBetween: number
  /** The percent from the settled price to the price after the step. */
  readonly paidPct: string | null
  /** The contract's own starting point, where an agreed correction settled another price. */
  readonly goesOnFrom: { readonly price: string; readonly isHeal: boolean } | null
}

interface ProposedBetween {
  readonly period: string
  readonly price: string | null
  readonly signed: SignedSoFar
}

const shownDecimals = 2

export function shownStep(priceBefore: string | null, price: string | null, adjustmentPct: string | null): ShownStep {
  const hasPrices = priceBefore !== null && price !== null
  return { priceBefore, price, changePct: hasPrices ? changeOf(priceBefore, price) : adjustmentPct }
}

/** The change in percent; null from a price of 0. */
function changeOf(before: string, after: string): string | null {
  const [from, to] = [exact(before), exact(after)]
  if (from.n === 0n) return null
  return formatFixed(multiply(subtract(divide(to, from), one), hundred), shownDecimals)
}

/** A price with endless decimals is written with its first ones and `…`. */
function exact(price: string) {
  return ratio(price.replace('…', ''))
}

function signedSoFar(waitsFor: readonly Party[], viewer: Party | null): SignedSoFar {
  if (viewer !== null && waitsFor.includes(viewer)) return 'TOGETHER'
  if (waitsFor.length === 2) return 'NOBODY'
  const signer = waitsFor[0] === 'buyer' ? 'supplier' : 'buyer'
  if (signer === viewer) return 'YOU'
  return signer === 'buyer' ? 'BUYER' : 'SUPPLIER'
}

/** The beginning of a path of steps. */
export interface StepBasis {
  readonly settled: string | null
  readonly goesOnFrom: StepFromSettled['goesOnFrom']
}

/** A period that is not signed by both. */
export interface OpenStep {
  readonly period: string
  readonly date: string
  /** The contract's number, which is signed. */
  readonly adjustmentPct: string | null
  readonly price: string | null
  /** The price that was renegotiated, where the path begins anew with it. */
  readonly begins: string | null
}

/** All periods that are not signed by both, by date, and the settled price before them. */
export interface OpenPath extends StepBasis {
  readonly steps: readonly OpenStep[]
}

/** The beginning of a period's path, with its first place. */
function beginningOf({ steps, settled, goesOnFrom }: OpenPath, place: number): StepBasis & { readonly from: number } {
  const from = steps.findLastIndex(({ begins }, i) => i <= place && begins !== null)
  return from < 0 ? { from: 0, settled, goesOnFrom } : { from, settled: steps[from]!.begins, goesOnFrom: null }
}

export function openStep(path: OpenPath, place: number): ShownStep {
  const { price, adjustmentPct, begins } = path.steps[place]!
  const before = begins ?? (place === 0 ? path.settled : path.steps[place - 1]!.price)
  return shownStep(before, price, adjustmentPct)
}

/** The step from the settled price, whatever lies between. */
export function paidStep(path: OpenPath, place: number): ShownStep {
  const { price, adjustmentPct } = path.steps[place]!
  return shownStep(beginningOf(path, place).settled, price, adjustmentPct)
}

/** A longer list would not be read. */
const mostBetween = 2

/** `waitsFor`: the parties that each step waits for; `viewer`: the side that the viewer signs for, null for none. */
export function openGround(
  path: OpenPath,
  place: number,
  waitsFor: readonly (readonly Party[])[],
  viewer: Party | null,
): StepFromSettled | null {
  const { from, settled, goesOnFrom } = beginningOf(path, place)
  if (settled === null || (from === place && goesOnFrom === null)) return null
  const first = Math.max(from, place - mostBetween)
  return {
    settled,
    between: path.steps.slice(first, place).map(({ period, price }, i) => ({
      period,
      price,
      signed: signedSoFar(waitsFor[first + i]!, viewer),
    })),
    moreBetween: first - from,
    paidPct: paidStep(path, place).changePct,
    goesOnFrom,
  }
}
