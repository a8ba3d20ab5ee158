// The calculation as scripts read it: the JSON shape of `evaluate --json`, `adjustment --json` and `view=calculation`. Decimals
// are strings; reported figures add up to the last printed digit.

import type { Adjustment, Blocked } from '../calculation/adjustment.ts'
import {
  formatCarried,
  formatRounded,
  formatRoundedShort,
  type Ratio,
  type Rounding,
  round,
  subtract,
  sum,
} from '../numbers/ratio.ts'
import type { WrittenFields } from '../text/exact-shape.ts'
import { formatDay } from '../time/day.ts'
import { formatPublished } from '../time/instant.ts'
import { formatPeriod } from '../time/period.ts'
import type { resultFields } from './receipt-schema.ts'

export interface CalculationEntry extends WrittenFields<typeof resultFields> {
  readonly steps: readonly { readonly name: string; readonly value: string; readonly shown?: string }[]
  readonly observations: readonly {
    readonly input: string
    readonly series: string
    readonly period: string
    readonly value: string
    readonly version: string
    readonly published: string
    readonly recorded?: string
  }[]
}

export interface Calculation {
  readonly pam: string
  readonly formulaVersion: number
  readonly adjustments: readonly CalculationEntry[]
  readonly blocked: readonly { readonly period: string; readonly reason: string }[]
}

export function presentCalculation(
  agreement: string,
  formulaVersion: number,
  adjustments: readonly Adjustment[],
  blocked: readonly Blocked[],
): Calculation {
  return {
    pam: agreement,
    formulaVersion,
    adjustments: adjustments.map(presentAdjustment),
    blocked: blocked.map(({ period, gap }) => ({ period, reason: gap.sentence })),
  }
}

export function presentAdjustment(adjustment: Adjustment): CalculationEntry {
  const { show } = adjustment
  const { components, controls } = presentBreakdown(adjustment)
  return {
    period: adjustment.period,
    adjustmentDate: formatDay(adjustment.date),
    adjustmentPct: formatPct(adjustment.adjustmentPct, show),
    cumulativePct: formatRoundedShort(adjustment.cumulativePct, show),
    formulaVersion: adjustment.formulaVersion,
    dataVersion: adjustment.dataVersion,
    ...(adjustment.price === null ? {} : { price: formatPrice(adjustment.price) }),
    ...(adjustment.surcharge === null ? {} : { surcharge: formatCarried(adjustment.surcharge) }),
    components,
    steps: adjustment.steps.map(({ step, value }) => ({
      name: step.name,
      value: formatCarried(value),
      ...(step.show === null ? {} : { shown: formatRounded(value, step.show) }),
    })),
    observations: adjustment.breakdown.observations.map(({ input, series, period, vintage }) => ({
      input,
      series,
      period: formatPeriod(period),
      value: vintage.value,
      version: vintage.tag,
      published: formatPublished(vintage.publishedAt),
      ...(vintage.recordedAt === null ? {} : { recorded: vintage.recordedAt }),
    })),
    controls,
  }
}

/** A percentage as reported; null stays null. */
export function formatPct(pct: Ratio | null, show: Rounding): string | null {
  return pct === null ? null : formatRoundedShort(pct, show)
}

/** Money keeps the decimals its rounding implies: `13.60`. */
export function formatPrice({ value, rounding }: NonNullable<Adjustment['price']>): string {
  return rounding === null ? formatCarried(value) : formatRounded(value, rounding)
}

// Contributions and points are rounded for reporting, and `rounding` takes the remainder, so that the printed
// figures add up to the printed adjustment.
export function presentBreakdown(adjustment: Adjustment): Pick<CalculationEntry, 'components' | 'controls'> {
  const { show } = adjustment
  const { controls, addsUp } = adjustment.breakdown
  const shares = adjustment.breakdown.components.map(component => round(component.contribution, show))
  const components = adjustment.breakdown.components.map((component, i) => ({
    input: component.input,
    series: component.series,
    weight: component.weight,
    change: formatRoundedShort(component.changePct, show),
    contribution: formatRoundedShort(shares[i]!, show),
  }))
  if (!addsUp || adjustment.adjustmentPct === null) return { components, controls: [] }
  const points = new Map(
    controls
      .filter(({ control }) => control !== 'rounding')
      .map(({ control, points }) => [control, round(points, show)]),
  )
  const rest = subtract(round(adjustment.adjustmentPct, show), sum([...shares, ...points.values()]))
  points.set('rounding', rest)
  const listed = [...points]
    .filter(([, value]) => value.n !== 0n)
    .map(([control, value]) => ({ control, points: formatRoundedShort(value, show) }))
  return { components, controls: listed }
}
