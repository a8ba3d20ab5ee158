// Picking what to sign from a list. The periods of an agreement are signed oldest first, so a pick is a number of periods.
// Periods of 0 % are folded into the one they are signed with.
import { decimalDifference } from '../../../../src/core/numbers/decimal-difference.ts'
import { add, type Ratio, ratio, writeCarried, zero } from '../../../../src/core/numbers/ratio.ts'
import { signedHashOf } from '../../../../src/core/receipt/party-signature.ts'
import type { SignManyRequest } from '../../../../src/views/calls/agreement-calls.ts'
import type { WaitingRow } from '../../../../src/views/shapes/agreements.ts'
import { isNothing } from '../../../components/figures/decimals.ts'
import type { Batch } from '../../../components/signing/batch.ts'

/** A row of the list: a period, and the periods of 0 % before it that are folded into it. */
export interface FoldedRow {
  readonly row: WaitingRow
  readonly folded: readonly WaitingRow[]
  /** How many periods of the agreement are picked when this row is. */
  readonly count: number
}

/** A disputed period is never folded away. */
function canFold({ entry: { adjustmentPct, disputedBy } }: WaitingRow): boolean {
  return adjustmentPct !== null && isNothing(adjustmentPct) && disputedBy.length === 0
}

/** Keeps the order of the list, in which the periods of an agreement are sorted by date. */
export function foldZeros(rows: readonly WaitingRow[]): readonly FoldedRow[] {
  const shown = new Map<WaitingRow, FoldedRow>()
  for (const own of Map.groupBy(rows, ({ slug }) => slug).values()) {
    let folded: WaitingRow[] = []
    own.forEach((row, i) => {
      if (canFold(row) && i < own.length - 1) folded.push(row)
      else {
        shown.set(row, { row, folded, count: i + 1 })
        folded = []
      }
    })
  }
  return rows.flatMap(row => shown.get(row) ?? [])
}

/** How many of the oldest periods of an agreement are picked, by its slug. */
export type Picked = ReadonlyMap<string, number>

/** Unpicking a row also unpicks the later ones; picking a row also picks the earlier ones. */
export function togglePick(picked: Picked, { row, folded, count }: FoldedRow): Picked {
  const now = picked.get(row.slug) ?? 0
  const next = new Map(picked)
  const left = count - 1 - folded.length
  if (now < count) next.set(row.slug, count)
  else if (left > 0) next.set(row.slug, left)
  else next.delete(row.slug)
  return next
}

export function pickAll(rows: readonly WaitingRow[]): Picked {
  return new Map([...Map.groupBy(rows, ({ slug }) => slug)].map(([slug, own]) => [slug, own.length]))
}

/** An agreement whose periods are being signed. */
export interface PickedAgreement {
  readonly slug: string
  readonly name: string
  readonly currency: string | null
  readonly periods: readonly WaitingRow[]
  readonly priceBefore: string | null
  readonly priceAfter: string | null
  /** Per unit; null if there is no price. */
  readonly effect: string | null
}

export function agreementsOf(rows: readonly WaitingRow[], picked: Picked): readonly PickedAgreement[] {
  return [...Map.groupBy(rows, ({ slug }) => slug)].flatMap(([slug, own]) => {
    const periods = own.slice(0, picked.get(slug) ?? 0)
    const [first, last] = [periods[0], periods.at(-1)]
    if (first === undefined || last === undefined) return []
    const [priceBefore, priceAfter] = [first.priceBefore, last.entry.price]
    const effect = priceBefore === null || priceAfter === null ? null : decimalDifference(priceBefore, priceAfter)
    return [{ slug, name: first.name, currency: first.currency, periods, priceBefore, priceAfter, effect }]
  })
}

/** The total effect by currency, for one unit of each agreement. */
export function sumEffects(agreements: readonly PickedAgreement[]): readonly { currency: string; amount: string }[] {
  const sums = new Map<string, Ratio>()
  for (const { currency, effect } of agreements)
    if (currency !== null && effect !== null) sums.set(currency, add(sums.get(currency) ?? zero, ratio(effect)))
  return [...sums].map(([currency, amount]) => ({ currency, amount: writeCarried(amount) }))
}

/** What is signed of one agreement. */
export function signedHash({ periods }: PickedAgreement): string {
  return signedHashOf(periods.map(({ entry }) => entry))
}

/** `batchId`: what the passkey signed, if that is the proof. */
export function signRequestOf(
  agreements: readonly PickedAgreement[],
  batch: Batch,
  batchId: string | undefined,
): SignManyRequest {
  return {
    agreements: agreements.map(agreement => ({
      slug: agreement.slug,
      party: agreement.periods[0]!.as!,
      periods: agreement.periods.map(({ entry }) => ({ period: entry.period, hash: entry.hash })),
      ...(batchId === undefined ? {} : { salt: batch.saltOf(signedHash(agreement)) }),
    })),
    ...(batchId === undefined ? {} : { batch: batchId }),
  }
}
