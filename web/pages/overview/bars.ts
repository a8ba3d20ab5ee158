// Lengths of the bars in a table of money, in percent of their cell: bars of one currency share a scale, and all of them the
// place of zero. Lengths are drawn, never read as figures.
import type { PortfolioRow } from '../../../src/views/shapes/portfolio.ts'

interface Bar {
  readonly from: number
  readonly length: number
  readonly falls: boolean
}

export interface BarLengths {
  /** The place of zero; null where nothing is drawn. */
  readonly zero: number | null
  readonly year: Bar | null
  readonly nextQuarter: Bar | null
}

/** The shortest bar that is seen. */
const least = 0.6

export function barsOf(rows: readonly PortfolioRow[]): readonly BarLengths[] {
  const amountsOf = ({ money }: PortfolioRow) => (money === null ? [] : [Number(money.year), Number(money.nextQuarter)])
  const scales = new Map<string, number>()
  for (const row of rows)
    for (const amount of amountsOf(row)) {
      const { currency } = row.money!
      scales.set(currency, Math.max(scales.get(currency) ?? 0, Math.abs(amount)))
    }
  const shares = rows.map(row => amountsOf(row).map(amount => amount / (scales.get(row.money!.currency) || 1)))
  const [lowest, highest] = [Math.min(0, ...shares.flat()), Math.max(0, ...shares.flat())]
  if (lowest === highest) return rows.map(() => nothingDrawn)
  const unit = 100 / (highest - lowest)
  const zero = -lowest * unit
  const bar = (share: number): Bar | null => {
    if (share === 0) return null
    const length = Math.max(least, Math.abs(share) * unit)
    return { from: share < 0 ? zero - length : zero, length, falls: share < 0 }
  }
  return shares.map(([year, nextQuarter]) =>
    year === undefined ? nothingDrawn : { zero, year: bar(year), nextQuarter: bar(nextQuarter!) },
  )
}

const nothingDrawn: BarLengths = { zero: null, year: null, nextQuarter: null }
