// Binds a checked formula to the series it names: do they exist, and do window, base, links and interpolation fit their
// frequency? All misfits are reported together; a bound formula can be evaluated.
import {
  type Frequency,
  firstDayOf,
  lastDayOf,
  monthsIn,
  type Period,
  parsePeriod,
  periodNouns,
  rankOf,
  writePeriod,
} from '../period.ts'
import type { Problem } from '../refusal.ts'
import { monthsPerUnit } from '../schedule.ts'
import type { SeriesHistory } from '../series.ts'
import { seriesOf } from './check-inputs.ts'
import type { Formula, Input, Span, SpanUnit } from './formula.ts'

export type SeriesData = ReadonlyMap<string, SeriesHistory>

/** An averaging window in terms of its series: so many periods, or so many calendar units that hold the day. */
export type BoundWindow =
  | { readonly kind: 'periods'; readonly count: number }
  | { readonly kind: 'calendar'; readonly frequency: Frequency; readonly count: number }

export interface BoundInput {
  readonly input: Input
  readonly series: SeriesHistory
  readonly window: BoundWindow
  readonly links: readonly { readonly link: Input['links'][number]; readonly series: SeriesHistory }[]
  readonly fx: { readonly series: SeriesHistory; readonly window: BoundWindow } | null
  readonly fallback: SeriesHistory | null
}

export interface BoundFormula {
  readonly formula: Formula
  readonly inputs: readonly BoundInput[]
}

export function bindFormula(formula: Formula, data: SeriesData): { bound: BoundFormula | null; problems: Problem[] } {
  const { inputs, problems } = bindInputs(formula, data)
  return problems.length > 0 ? { bound: null, problems } : { bound: { formula, inputs }, problems }
}

/** For a document that is being written: everything in which it does not fit its series, at once. */
export function findMisfits(formula: Formula, data: SeriesData): Problem[] {
  const { inputs, problems } = bindInputs(formula, data)
  return [...problems, ...checkBases(inputs)]
}

export function unknownSeries(path: string, series: string): Problem {
  return { path, message: `unknown series ${series}` }
}

function bindInputs(formula: Formula, data: SeriesData): { inputs: BoundInput[]; problems: Problem[] } {
  const problems: Problem[] = seriesOf(formula.inputs)
    .filter(({ series }) => !data.has(series))
    .map(({ path, series }) => unknownSeries(path, series))
  const inputs: BoundInput[] = []
  for (const input of formula.inputs) {
    const bound = bindInput(input, data, problems)
    if (bound !== null) inputs.push(bound)
  }
  return { inputs, problems }
}

const onePeriod: BoundWindow = { kind: 'periods', count: 1 }

function bindInput(input: Input, data: SeriesData, problems: Problem[]): BoundInput | null {
  const path = `inputs.${input.name}`
  const series = data.get(input.series)
  if (series === undefined) return null
  const window = bindWindow(input.window, series, `${path}.window`, problems)
  const links = input.links.flatMap((link, i) => {
    const linked = data.get(link.series)
    if (linked !== undefined && linked.frequency !== series.frequency)
      problems.push({
        path: `${path}.links[${i}].series`,
        message: `${link.series} is ${linked.frequency}, but ${input.series} is ${series.frequency}`,
      })
    return linked === undefined ? [] : [{ link, series: linked }]
  })
  const fxSeries = input.convert?.fx ? data.get(input.convert.fx.series) : undefined
  const fx =
    fxSeries === undefined
      ? null
      : {
          series: fxSeries,
          window: bindWindow(input.convert!.fx!.window, fxSeries, `${path}.convert.window`, problems),
        }
  const fallback = input.missing.kind === 'FALLBACK' ? (data.get(input.missing.series) ?? null) : null
  if (fallback !== null && fallback.frequency !== series.frequency)
    problems.push({
      path: `${path}.missing.fallback`,
      message: `${fallback.reference} is ${fallback.frequency}, but ${input.series} is ${series.frequency}`,
    })
  checkFit({ input, series, window, links, fx, fallback }, path, problems)
  return { input, series, window, links, fx, fallback }
}

function checkFit({ input, series }: BoundInput, path: string, problems: Problem[]): void {
  const { base, interpolate, missing } = input
  if (interpolate && series.frequency !== 'MONTHLY')
    problems.push({
      path: `${path}.interpolate`,
      message: `DAILY needs a monthly series, ${input.series} is ${series.frequency}`,
    })
  if (missing.kind === 'YOY_ESTIMATE' && monthsIn(series.frequency) === null)
    problems.push({
      path: `${path}.missing`,
      message: `yoyEstimate needs a monthly or coarser series, ${input.series} is ${series.frequency}`,
    })
  if (missing.kind === 'AGREED')
    for (const period of missing.values.keys())
      if (parsePeriod(period)!.frequency !== series.frequency)
        problems.push({
          path: `${path}.missing.agreed.${period}`,
          message: `${period} is no ${periodNouns[series.frequency]}, and ${input.series} is ${series.frequency}`,
        })
  if (base?.kind !== 'label') return
  const isDate = base.from.frequency === 'DAILY'
  if (isDate && interpolate) return
  if (rankOf(base.from.frequency) < rankOf(series.frequency)) {
    const hint = isDate ? 'write interpolate: DAILY, or ' : ''
    problems.push({
      path: `${path}.base`,
      message: `${base.text} is a ${periodNouns[base.from.frequency]}, but ${input.series} is ${series.frequency}: ${hint}name a ${periodNouns[series.frequency]}`,
    })
  }
}

/** A base before its series begins can never be read. */
function checkBases(inputs: readonly BoundInput[]): Problem[] {
  return inputs.flatMap(({ input, series, links, fallback }) => {
    const { base, missing } = input
    if (base?.kind !== 'label' || fallback !== null) return []
    if (missing.kind === 'AGREED' && missing.values.has(base.text)) return []
    const begins = [series, ...links.map(link => link.series)]
      .filter(({ ordinals }) => ordinals.length > 0)
      .map(({ frequency, ordinals }): Period => ({ frequency, ordinal: ordinals[0]! }))
      .sort((a, b) => a.ordinal - b.ordinal)[0]
    if (begins === undefined || lastDayOf(base.to) >= firstDayOf(begins)) return []
    const message = `${base.text} lies before ${input.series} begins (${writePeriod(begins)}); link an older base`
    return [{ path: `inputs.${input.name}.base`, message }]
  })
}

const unitFrequencies: Readonly<Record<SpanUnit, Frequency>> = {
  day: 'DAILY',
  week: 'WEEKLY',
  month: 'MONTHLY',
  quarter: 'QUARTERLY',
  year: 'ANNUAL',
}

function bindWindow(window: Span | null, series: SeriesHistory, path: string, problems: Problem[]): BoundWindow {
  if (window === null) return onePeriod
  const unit = unitFrequencies[window.unit]
  const { frequency } = series
  if (unit === frequency) return { kind: 'periods', count: window.count }
  if (rankOf(unit) > rankOf(frequency)) return { kind: 'calendar', frequency: unit, count: window.count }
  const periods = wholePeriods(window, frequency)
  if (periods !== null) return { kind: 'periods', count: periods }
  problems.push({
    path,
    message: `${window.count} ${window.unit}${window.count === 1 ? '' : 's'} is no whole number of ${periodNouns[frequency]}s, and ${series.reference} is ${frequency}`,
  })
  return onePeriod
}

/** A window in a finer unit than the series: `6 months` on a quarterly one is two quarters. */
function wholePeriods({ count, unit }: Span, frequency: Frequency): number | null {
  if (unit === 'day') return frequency === 'WEEKLY' && count % 7 === 0 ? count / 7 : null
  const months = monthsIn(frequency)
  if (unit === 'week' || months === null) return null
  const total = count * monthsPerUnit[unit]
  return total % months === 0 ? total / months : null
}
