// The step of a price as every place shows it where it is signed, was signed or is listed (decision 0830): the price before it,
// the price after it, and the percent between exactly these two. What the API calls a change is the adjustment of the contract,
// which is computed before prices are rounded and goes on from the signed path; this is what is paid.

import { divide, formatFixed, hundred, multiply, one, ratio, subtract } from '../numbers/ratio.ts'
import type { Party } from '../parties.ts'

export interface ShownStep {
  /** The settled price, else what is proposed for the period before. Null without a price. */
  readonly priceBefore: string | null
  /** The settled price of the period, else the proposed one. */
  readonly price: string | null
  /** After ÷ before, so that a reader can check it; without prices the adjustment. Null after a price of 0. */
  readonly changePct: string | null
}

/** Who has signed a period that is not signed by both, for the person who looks. */
export type SignedSoFar =
  | 'NOBODY'
  | 'YOU'
  | 'BUYER'
  | 'SUPPLIER'
  /** It waits for the person who looks: whoever signs a later period signs it too. */
  | 'TOGETHER'

/** What lies between the settled price and a step, where there is anything. */
export interface StepFromSettled {
  readonly settled: string
  /** The newest periods before it that not both have signed, by date. */
  readonly between: readonly ProposedBetween[]
  /** How many more come before these. */
  readonly moreBetween: number
  /** From the settled price to the price after the step. */
  readonly paidPct: string | null
  /** What the contract goes on from, where an agreed correction settled another price. */
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

/** In percent; null from a price of 0. */
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

/** What a path of steps begins with. */
export interface StepBasis {
  readonly settled: string | null
  readonly goesOnFrom: StepFromSettled['goesOnFrom']
}

/** A period that is not signed by both. */
export interface OpenStep {
  readonly period: string
  readonly date: string
  /** As the contract has it: the number that is signed. */
  readonly adjustmentPct: string | null
  readonly price: string | null
  /** The price that was renegotiated, where the path begins anew with it. */
  readonly begins: string | null
}

/** All periods that are not signed by both, by date, and the settled price before them. */
export interface OpenPath extends StepBasis {
  readonly steps: readonly OpenStep[]
}

/** Where the path of a period begins: its first place, and what it begins with. */
function beginningOf({ steps, settled, goesOnFrom }: OpenPath, place: number): StepBasis & { readonly from: number } {
  const from = steps.findLastIndex(({ begins }, i) => i <= place && begins !== null)
  return from < 0 ? { from: 0, settled, goesOnFrom } : { from, settled: steps[from]!.begins, goesOnFrom: null }
}

export function openStep(path: OpenPath, place: number): ShownStep {
  const { price, adjustmentPct, begins } = path.steps[place]!
  const before = begins ?? (place === 0 ? path.settled : path.steps[place - 1]!.price)
  return shownStep(before, price, adjustmentPct)
}

/** From the settled price, whatever lies between. */
export function paidStep(path: OpenPath, place: number): ShownStep {
  const { price, adjustmentPct } = path.steps[place]!
  return shownStep(beginningOf(path, place).settled, price, adjustmentPct)
}

/** More would not be read. */
const mostBetween = 2

/** `waitsFor` are those of all steps; `viewer` is the side that the person who looks signs for, null for none. */
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
