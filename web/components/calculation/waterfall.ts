// The bars from zero to the adjustment, part by part: where each one starts and ends within the drawing.

import type { AdjustmentPage } from '../../../src/views/shapes/agreements.ts'
import { addsUpTo, pixelsOf, restOf, stretchesOf } from '../figures/decimals.ts'

export interface Bar {
  readonly kind: 'component' | 'control' | 'total'
  readonly label: string
  readonly weight: string | null
  readonly changePct: string | null
  readonly points: string
  /** Fractions of the width, 0 to 1. */
  readonly from: number
  readonly to: number
}

export interface Waterfall {
  readonly bars: readonly Bar[]
  readonly total: Bar
  /** Position of 0 points, as a fraction of the width. */
  readonly zero: number
}

type AdjustmentParts = Pick<AdjustmentPage, 'components' | 'controls'> & { readonly adjustmentPct: string | null }

/** Space at both edges, so that no bar touches them. */
const margin = 0.03

/** Makes the bars; null if the parts do not add up to the adjustment: a formula written as steps. */
export function waterfallOf(
  { components, controls, adjustmentPct }: AdjustmentParts,
  totalLabel = 'Adjustment',
): Waterfall | null {
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
      label: totalLabel,
      weight: null,
      changePct: null,
      points: adjustmentPct,
      from: place(0),
      to: place(stretches.at(-1)!.to),
    },
    zero: place(0),
  }
}

/** The reading that changes are measured from: that of the last adjustment, or the base. */
export type Reference = 'last' | 'base'

/** Whether both measures exist and differ. */
export function hasBoth(components: AdjustmentPage['components']): boolean {
  return components.length > 0 && components.every(({ since }) => since !== null)
}

/**
 * Parts with changes and points measured from one reading. From the base they add up to the change since the start, with one part
 * for everything that is not an index: limits, rounding, and agreements in between.
 */
export function partsSince(reference: Reference, parts: AdjustmentParts, cumulativePct: string): AdjustmentParts {
  if (!hasBoth(parts.components)) return parts
  if (reference === 'last')
    return {
      ...parts,
      components: parts.components.map(each => ({ ...each, changePct: each.since!.lastPct })),
    }
  const components = parts.components.map(each => ({ ...each, contribution: each.since!.basePoints }))
  const rest = restOf(
    components.map(({ contribution }) => contribution),
    cumulativePct,
  )
  const controls = /[1-9]/.test(rest)
    ? [{ control: 'rest', words: 'limits, rounding and movements that wait', points: rest }]
    : []
  return { components, controls, adjustmentPct: cumulativePct }
}
