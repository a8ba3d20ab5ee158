// A receipt as the parts of an adjustment's page: the same tables, filled from the file alone.

import { controlWords } from '../../../src/core/formula/controls/controls.ts'
import { formatCarried } from '../../../src/core/numbers/ratio.ts'
import { presentAdjustment } from '../../../src/core/receipt/calculation.ts'
import { measureParts } from '../../../src/core/receipt/display-base.ts'
import { formatLine } from '../../../src/core/receipt/line-words.ts'
import type { ReceiptBody } from '../../../src/core/receipt/receipt.ts'
import { workReceipt } from '../../../src/core/receipt/worked-steps.ts'
import { formatStepRounding } from '../../../src/core/text/words.ts'
import type { AdjustmentPage, WorkedStep } from '../../../src/views/shapes/agreements.ts'
import { viewOrigin } from './origins.ts'

export interface ReceiptView
  extends Pick<AdjustmentPage, 'components' | 'controls' | 'observations' | 'lastApplied' | 'isChained'> {
  readonly name: string
  readonly period: string
  readonly adjustmentDate: string
  readonly adjustmentPct: string | null
  readonly cumulativePct: string
  readonly dataVersion: string
  readonly formulaVersion: number
  readonly price: string | null
  readonly currency: string | null
  readonly unit: string | null
  readonly steps: readonly WorkedStep[]
}

/** The recomputed values; the verdict shows what the file claims. The breakdown is the file's if the receipt holds. */
export function viewReceipt(body: ReceiptBody, holds: boolean): ReceiptView {
  const worked = workReceipt(body)
  const { formula, adjustment, lines } = worked
  const { since, ...measured } = measureParts(worked)
  const entry = presentAdjustment(adjustment)
  const { components, controls } = holds ? body.result : entry
  const seriesNames = new Map(body.series.map(({ series, name }) => [series, name ?? series]))
  const { price } = formula.contract
  return {
    name: body.name ?? formula.name,
    period: entry.period,
    adjustmentDate: entry.adjustmentDate,
    adjustmentPct: entry.adjustmentPct,
    cumulativePct: entry.cumulativePct,
    dataVersion: entry.dataVersion,
    formulaVersion: entry.formulaVersion,
    price: entry.price ?? null,
    currency: price?.currency ?? null,
    unit: price === null || price.unit === '' ? null : price.unit,
    components: components.map(({ input, series, weight, change, contribution }, i) => ({
      input,
      reference: series,
      seriesId: null,
      name: seriesNames.get(series) ?? series,
      weight,
      changePct: change,
      contribution,
      since: since[i] ?? null,
    })),
    ...measured,
    controls: controls.map(({ control, points }) => ({
      control,
      words: controlWords[control] ?? control,
      points,
    })),
    steps: lines.map(({ step, value, numbers, told }, i) => ({
      name: step.name,
      words: formatLine(step),
      expr: step.expr,
      rounding: formatStepRounding(step) || null,
      note: step.note,
      numbers,
      told,
      value: formatCarried(value),
      shown: entry.steps[i]!.shown ?? null,
    })),
    observations: body.observations.map(({ input, series, period, value, version, published, recorded, origin }) => ({
      input,
      reference: series,
      seriesId: null,
      name: seriesNames.get(series) ?? series,
      period,
      value,
      tag: version,
      publishedAt: published,
      recordedAt: recorded,
      origin: viewOrigin(origin),
    })),
  }
}
