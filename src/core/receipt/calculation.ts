// The calculation as scripts read it: the JSON shape of `evaluate --json`, `adjustment --json` and `view=calculation`. Decimals
// are strings; reported figures add up to the last printed digit.

import type { Adjustment, Blocked } from '../calculation/adjustment.ts'
import {
  type Ratio,
  type Rounding,
  round,
  subtract,
  sum,
  writeCarried,
  writeRounded,
  writeRoundedShort,
} from '../numbers/ratio.ts'
import type { WrittenFields } from '../text/exact-shape.ts'
import { writeDay } from '../time/day.ts'
import { writePublished } from '../time/instant.ts'
import { writePeriod } from '../time/period.ts'
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
    adjustmentDate: writeDay(adjustment.date),
    adjustmentPct: writePct(adjustment.adjustmentPct, show),
    cumulativePct: writeRoundedShort(adjustment.cumulativePct, show),
    formulaVersion: adjustment.formulaVersion,
    dataVersion: adjustment.dataVersion,
    ...(adjustment.price === null ? {} : { price: writePrice(adjustment.price) }),
    ...(adjustment.surcharge === null ? {} : { surcharge: writeCarried(adjustment.surcharge) }),
    components,
    steps: adjustment.steps.map(({ step, value }) => ({
      name: step.name,
      value: writeCarried(value),
      ...(step.show === null ? {} : { shown: writeRounded(value, step.show) }),
    })),
    observations: adjustment.breakdown.observations.map(({ input, series, period, vintage }) => ({
      input,
      series,
      period: writePeriod(period),
      value: vintage.value,
      version: vintage.tag,
      published: writePublished(vintage.publishedAt),
      ...(vintage.recordedAt === null ? {} : { recorded: vintage.recordedAt }),
    })),
    controls,
  }
}

/** A percentage as reported; null stays null. */
export function writePct(pct: Ratio | null, show: Rounding): string | null {
  return pct === null ? null : writeRoundedShort(pct, show)
}

/** Money keeps the decimals its rounding implies: `13.60`. */
export function writePrice({ value, rounding }: NonNullable<Adjustment['price']>): string {
  return rounding === null ? writeCarried(value) : writeRounded(value, rounding)
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
    change: writeRoundedShort(component.changePct, show),
    contribution: writeRoundedShort(shares[i]!, show),
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
    .map(([control, value]) => ({ control, points: writeRoundedShort(value, show) }))
  return { components, controls: listed }
}
