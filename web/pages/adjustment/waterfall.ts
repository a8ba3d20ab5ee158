// From nothing to the adjustment, part by part: where each bar begins and ends between the edges of the drawing.

import { absolute, compare, multiply, parseRatio, ratio, subtract } from '../../../src/core/ratio.ts'
import type { AdjustmentPage } from '../../../src/http/console/wire/formulas.ts'
import { addsUpTo, pixelsOf, stretchesOf } from '../formula/decimals.ts'

export interface Bar {
  readonly kind: 'component' | 'control' | 'total'
  readonly label: string
  readonly weight: string | null
  readonly changePct: string | null
  readonly points: string
  /** Shares of the width, 0 to 1. */
  readonly from: number
  readonly to: number
}

export interface Waterfall {
  readonly bars: readonly Bar[]
  readonly total: Bar
  /** Where nothing is. */
  readonly zero: number
}

type Parts = Pick<AdjustmentPage, 'components' | 'controls'> & { readonly adjustmentPct: string | null }

/** Room at both edges, so that no bar touches them. */
const margin = 0.03

/** Null where the parts do not make the adjustment: a formula written as steps. */
export function waterfallOf({ components, controls, adjustmentPct }: Parts): Waterfall | null {
  const parts = [
    ...components.map(({ name, weight, changePct, contribution }) => ({
      kind: 'component' as const,
      label: name,
      weight,
      changePct,
      points: contribution,
    })),
    ...controls.map(({ words, points }) => ({
      kind: 'control' as const,
      label: words,
      weight: null,
      changePct: null,
      points,
    })),
  ]
  const all = parts.map(({ points }) => points)
  if (parts.length === 0 || adjustmentPct === null || !addsUpTo(all, adjustmentPct)) return null
  const stretches = stretchesOf(all).map(({ from, to }) => ({ from: pixelsOf(from), to: pixelsOf(to) }))
  const ends = [0, ...stretches.map(({ to }) => to)]
  const low = Math.min(...ends)
  const span = Math.max(...ends) - low || 1
  const place = (value: number) => margin + ((value - low) / span) * (1 - 2 * margin)
  return {
    bars: parts.map((part, i) => ({ ...part, from: place(stretches[i]!.from), to: place(stretches[i]!.to) })),
    total: {
      kind: 'total',
      label: 'Adjustment',
      weight: null,
      changePct: null,
      points: adjustmentPct,
      from: place(0),
      to: place(stretches.at(-1)!.to),
    },
    zero: place(0),
  }
}

/** Digits in which weight × change and points may part by rounding alone. */
const closePoints = ratio('0.001')

/** Whether points are more than weight × change: a clause that counts from its base, or by levels. */
export function isPointsOfTheirOwn(components: AdjustmentPage['components']): boolean {
  return components.some(({ weight, changePct, contribution }) => {
    const share = parseRatio(weight)
    if (share === null) return false
    const plain = multiply(share, ratio(changePct))
    return compare(absolute(subtract(plain, ratio(contribution))), closePoints) > 0
  })
}
