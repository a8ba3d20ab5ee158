// The scale of an axis of heights: round limits, a round step, and labels that all have the decimals of the step. All floats:
// positions on the screen, not figures.
import { formatFigure } from '../words/words.ts'

export interface Scale {
  readonly low: number
  readonly high: number
  readonly step: number
}

/** Round limits and steps for the visible values: about `marks` grid lines. */
export function roundScale(low: number, high: number, marks: number): Scale {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return { low: 0, high: 1, step: 0.25 }
  const least = low === high ? Math.abs(low) * 0.02 || 1 : 0
  const span = high - low || least * 2
  const rough = span / marks
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 2.5, 5, 10].map(times => times * power).find(each => each >= rough * 0.999)!
  const bottom = Math.floor((low - least) / step + 1e-9) * step
  const top = Math.ceil((high + least) / step - 1e-9) * step
  return { low: bottom, high: top === bottom ? bottom + step : top, step }
}

/** The number of decimals needed to tell the steps of a scale apart. */
export function decimalsOfStep(step: number): number {
  for (let decimals = 0; decimals < 12; decimals++)
    if (Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) < 1e-6) return decimals
  return 12
}

/** An axis label: its decimals depend on the step. */
export function formatMark(value: number, decimals: number, unit: string): string {
  const text = value.toFixed(decimals)
  return `${formatFigure(Number.parseFloat(text) === 0 ? text.replace(/^-/, '') : text)}${unit}`
}
