// The usual move of the first prints of a series: from the first value published for a period to the one that counts now. Shown
// to people who are asked to sign a number based on a first print.
import { absolute, compare, divide, formatFixed, multiply, type Ratio, ratio, subtract } from '../numbers/ratio.ts'
import type { SeriesHistory } from './series.ts'
import { type Cuts, newest, selectVintage, vintagesInside } from './vintage.ts'

export interface FirstPrintMoves {
  /** The number of periods in the statistic: the newest that are no longer preliminary. */
  readonly periods: number
  /** The middle and the largest move, in percent of the first print, without sign. */
  readonly usualPct: string
  readonly mostPct: string
}

const hundred = ratio('100')

/** The moves; null where too few periods have settled. */
export function firstPrintMoves(
  { ordinals, periods }: SeriesHistory,
  cuts: Cuts,
  most: number,
): FirstPrintMoves | null {
  const moves: Ratio[] = []
  for (const ordinal of ordinals.toReversed()) {
    const inside = vintagesInside(periods.get(ordinal)!, cuts)
    const first = inside.find(({ value }) => value !== null)
    const now = selectVintage(inside, newest)
    if (first?.value == null || first.tag !== 'PRELIMINARY' || now === undefined || now.tag === 'PRELIMINARY') continue
    const from = ratio(first.value)
    if (from.n === 0n) continue
    moves.push(absolute(divide(subtract(ratio(now.value), from), from)))
    if (moves.length === most) break
  }
  if (moves.length < leastPeriods) return null
  const sorted = moves.sort(compare)
  const write = (move: Ratio) => formatFixed(multiply(move, hundred), 2)
  return {
    periods: moves.length,
    usualPct: write(sorted[Math.floor((sorted.length - 1) / 2)]!),
    mostPct: write(sorted.at(-1)!),
  }
}

const leastPeriods = 3
