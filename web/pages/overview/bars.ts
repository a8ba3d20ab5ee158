// How long the bars of a table of money are, in percent of their cell: those of one currency share a scale, and all of them the
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
  const scales = new Map<string, number>()
  let [rises, falls] = [false, false]
  for (const { money } of rows)
    for (const amount of money === null ? [] : [Number(money.year), Number(money.nextQuarter)]) {
      scales.set(money!.currency, Math.max(scales.get(money!.currency) ?? 0, Math.abs(amount)))
      rises ||= amount > 0
      falls ||= amount < 0
    }
  const zero = falls ? (rises ? 50 : 100) : 0
  const most = rises && falls ? 50 : 100
  return rows.map(({ money }) => {
    const scale = money === null ? 0 : scales.get(money.currency)!
    if (money === null || scale === 0) return { zero: null, year: null, nextQuarter: null }
    const bar = (amount: number): Bar | null => {
      if (amount === 0) return null
      const length = Math.max(least, (Math.abs(amount) / scale) * most)
      return { from: amount < 0 ? zero - length : zero, length, falls: amount < 0 }
    }
    return { zero, year: bar(Number(money.year)), nextQuarter: bar(Number(money.nextQuarter)) }
  })
}
