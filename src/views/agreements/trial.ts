// A document tried out over its whole history, and the reason why one is too much for that: the basis of previews, comparisons and
// the effects of versions.
import type { Adjustment, Evaluation } from '../../core/calculation/adjustment.ts'
import type { SeriesData } from '../../core/formula/bind.ts'
import type { Formula, Window } from '../../core/formula/formula.ts'
import { adjustmentDates } from '../../core/formula/schedule.ts'
import { formatRoundedShort, formatShort } from '../../core/numbers/ratio.ts'
import { formatPct, formatPrice, presentBreakdown } from '../../core/receipt/calculation.ts'
import { formatStepRounding } from '../../core/text/words.ts'
import { type Day, formatDay } from '../../core/time/day.ts'
import { limits } from '../../limits.ts'
import type { Preview, PreviewEntry, StepLine } from '../shapes/agreements.ts'
import { blockedRow } from './period-row.ts'

/** Why it is too much work while somebody waits; null for a usual document. */
export function whyTooMuch({ contract, steps, inputs }: Formula, data: SeriesData, until: Day): string | null {
  const dates = adjustmentDates(contract, until).length
  const parts = steps.reduce((sum, { expression }) => sum + expression.nodes, 0)
  const values = inputs.reduce((sum, input) => sum + valuesRead(input, data), 0)
  if (dates * (parts + partsPerValue * values) <= limits.previewWork) return null
  return `${dates} periods, each with ${parts} parts of expressions and up to ${values} values, are too many to compute while you write; the numbers are left out`
}

/** Reading one value of a window takes as long as this many parts of an expression. */
const partsPerValue = 4
const daysPerUnit = { day: 1, week: 7, month: 31, quarter: 92, year: 366 } as const
const daysPerPeriod = { DAILY: 1, WEEKLY: 7, MONTHLY: 28, QUARTERLY: 90, SEMIANNUAL: 181, ANNUAL: 365 } as const

/** Approximate number of values one reading may use: those of its window, and never more than exist. */
function valuesRead({ window, series }: Formula['inputs'][number], data: SeriesData): number {
  const history = data.get(series)
  if (window === null || history === undefined) return 1
  return Math.min(periodsOf(window, daysPerPeriod[history.frequency]), history.ordinals.length)
}

function periodsOf(window: Window, periodDays: number): number {
  if (window.kind === 'last') return window.count
  const days = window.kind === 'days' ? 62 : window.span.count * daysPerUnit[window.span.unit]
  return Math.ceil(days / periodDays)
}

export function presentTrial(evaluation: Evaluation | null): Pick<Preview, 'entries' | 'blocked'> {
  return {
    entries: evaluation?.adjustments.map(trialEntry) ?? [],
    blocked: evaluation?.blocked.map(blockedRow) ?? [],
  }
}

export const factorDecimals = 12

export function trialEntry(adjustment: Adjustment): PreviewEntry {
  const { show, price } = adjustment
  return {
    period: adjustment.period,
    adjustmentDate: formatDay(adjustment.date),
    adjustmentPct: formatPct(adjustment.adjustmentPct, show),
    cumulativePct: formatRoundedShort(adjustment.cumulativePct, show),
    factor: formatShort(adjustment.factor, factorDecimals, 'DOWN'),
    price: price === null ? null : formatPrice(price),
    dataVersion: adjustment.dataVersion,
    controls: presentBreakdown(adjustment).controls.map(({ control }) => control),
  }
}

export function stepLines({ steps }: Formula): StepLine[] {
  return steps.map(step => {
    const rounding = formatStepRounding(step)
    return { name: step.name, expr: step.expr, rounding: rounding === '' ? null : rounding, note: step.note }
  })
}
