// Binds a checked formula to the series it names: they exist, and window, base, links and interpolation fit their frequency.
// All misfits are reported together; a bound formula can be evaluated.

import type { Problem } from '../refusal.ts'
import type { SeriesHistory } from '../series/series.ts'
import {
  type Frequency,
  firstDayOf,
  formatPeriod,
  lastDayOf,
  monthsIn,
  type Period,
  parsePeriod,
  periodNouns,
  rankOf,
} from '../time/period.ts'
import { seriesOf } from './check/check-inputs.ts'
import { type Formula, type Input, type Window, weekdays } from './formula.ts'
import { monthsPerUnit } from './schedule.ts'
import { usualWeekday } from './series-habits.ts'
import type { Span, SpanUnit } from './terms.ts'

export type SeriesData = ReadonlyMap<string, SeriesHistory>

/** A window in terms of its series: so many periods, so many calendar units that hold the day, or as it is written. */
export type BoundWindow =
  | { readonly kind: 'periods'; readonly count: number }
  | { readonly kind: 'calendar'; readonly frequency: Frequency; readonly count: number }
  | Exclude<Window, { readonly kind: 'span' }>

export interface BoundInput {
  readonly input: Input
  readonly series: SeriesHistory
  /** The frequency in which the series is read: monthly if it is read month by month, else its own. */
  readonly frequency: Frequency
  /** The day that stands for a week; 0 for Monday. */
  readonly weekday: number
  readonly window: BoundWindow
  readonly links: readonly { readonly link: Input['links'][number]; readonly series: SeriesHistory }[]
  readonly fx: { readonly series: SeriesHistory; readonly weekday: number; readonly window: BoundWindow } | null
  readonly fallback: SeriesHistory | null
  /** The number of periods behind a trend; null where nothing is estimated by one. */
  readonly trendOver: number | null
}

/** Every series that an input may read: its own, its links, its exchange rate and its fallback. */
export function historiesOf({ series, links, fx, fallback }: BoundInput): SeriesHistory[] {
  return [
    series,
    ...links.map(link => link.series),
    ...(fx === null ? [] : [fx.series]),
    ...(fallback === null ? [] : [fallback]),
  ]
}

export interface BoundFormula {
  readonly formula: Formula
  readonly inputs: readonly BoundInput[]
}

export function bindFormula(formula: Formula, data: SeriesData): { bound: BoundFormula | null; problems: Problem[] } {
  const { inputs, problems } = bindInputs(formula, data)
  return problems.length > 0 ? { bound: null, problems } : { bound: { formula, inputs }, problems }
}

/** Every misfit of a document and its series, all at once, for a document that is being written. */
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
  const frequency = input.expand ? 'MONTHLY' : series.frequency
  const weekday = input.week === null ? usualWeekday(series) : weekdays.indexOf(input.week)
  const window = bindWindow(input.window, series.reference, frequency, `${path}.window`, problems)
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
          weekday: usualWeekday(fxSeries),
          window: bindRateWindow(input, fxSeries, `${path}.convert.window`, problems),
        }
  const fallback = input.missing.kind === 'FALLBACK' ? (data.get(input.missing.series) ?? null) : null
  if (fallback !== null && fallback.frequency !== series.frequency)
    problems.push({
      path: `${path}.missing.fallback`,
      message: `${fallback.reference} is ${fallback.frequency}, but ${input.series} is ${series.frequency}`,
    })
  const trendOver = bindTrend(input, series, `${path}.missing.trend.over`, problems)
  const bound = { input, series, frequency, weekday, window, links, fx, fallback, trendOver }
  checkFit(bound, path, problems)
  return bound
}

function checkFit({ input, series, frequency }: BoundInput, path: string, problems: Problem[]): void {
  const { base, interpolate, missing } = input
  if (input.expand && (monthsIn(series.frequency) ?? 1) === 1)
    problems.push({
      path: `${path}.expand`,
      message: `MONTHLY needs a quarterly, half-yearly or yearly series, ${input.series} is ${series.frequency}`,
    })
  if (input.week !== null && series.frequency !== 'WEEKLY')
    problems.push({
      path: `${path}.week`,
      message: `week needs a weekly series, ${input.series} is ${series.frequency}`,
    })
  if (interpolate && frequency !== 'MONTHLY')
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
          message: `${period} is not a ${periodNouns[series.frequency]}, and ${input.series} is ${series.frequency}`,
        })
  if (base?.kind !== 'label') return
  const isDate = base.from.frequency === 'DAILY'
  if (isDate && interpolate) return
  if (rankOf(base.from.frequency) < rankOf(frequency)) {
    const hint = isDate ? 'write interpolate: DAILY, or ' : ''
    problems.push({
      path: `${path}.base`,
      message: `${base.text} is a ${periodNouns[base.from.frequency]}, but ${input.series} is ${series.frequency}: ${hint}name a ${periodNouns[frequency]}`,
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
    const message = `${base.text} lies before ${input.series} begins (${formatPeriod(begins)}); link an older base`
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

function bindWindow(
  window: Window | null,
  reference: string,
  frequency: Frequency,
  path: string,
  problems: Problem[],
): BoundWindow {
  if (window === null) return onePeriod
  if (window.kind === 'last') return window
  if (window.kind === 'days') {
    if (frequency === 'DAILY' || frequency === 'WEEKLY') return window
    problems.push({ path, message: `{ from, to } needs a daily or weekly series, ${reference} is ${frequency}` })
    return onePeriod
  }
  const { span } = window
  const unit = unitFrequencies[span.unit]
  if (unit === frequency) return { kind: 'periods', count: span.count }
  if (rankOf(unit) > rankOf(frequency)) return { kind: 'calendar', frequency: unit, count: span.count }
  const periods = wholePeriods(span, frequency)
  if (periods !== null) return { kind: 'periods', count: periods }
  problems.push({
    path,
    message: `${formatSpan(span)} is not a whole number of ${periodNouns[frequency]}s, and ${reference} is ${frequency}`,
  })
  return onePeriod
}

/** The rate has the input's window unless it is given one. */
function bindRateWindow(input: Input, series: SeriesHistory, path: string, problems: Problem[]): BoundWindow {
  const { window, isWindowWritten } = input.convert!.fx!
  // Every observation takes the rate of its own period.
  if (input.convert!.each) return onePeriod
  const own: Problem[] = []
  const bound = bindWindow(window, series.reference, series.frequency, path, own)
  const hint = isWindowWritten ? '' : '; the window is the input’s own: write one for the rate'
  problems.push(...own.map(({ message }) => ({ path, message: `${message}${hint}` })))
  return bound
}

function bindTrend({ missing }: Input, series: SeriesHistory, path: string, problems: Problem[]): number | null {
  if (missing.kind !== 'TREND') return null
  const { reference, frequency } = series
  const { count, unit } = missing.over
  const periods =
    frequency === 'DAILY' ? null : unitFrequencies[unit] === frequency ? count : wholePeriods(missing.over, frequency)
  if (periods !== null && periods <= longestTrend) return periods
  const message =
    frequency === 'DAILY'
      ? `trend needs a weekly or coarser series, ${reference} is DAILY`
      : periods === null
        ? `${formatSpan(missing.over)} is not a whole number of ${periodNouns[frequency]}s, and ${reference} is ${frequency}`
        : `a trend is taken over at most ${longestTrend} periods, got ${periods}`
  problems.push({ path, message })
  return null
}

/** The longest root that is taken. */
const longestTrend = 366

function formatSpan({ count, unit }: Span): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** A window in a finer unit than the series: `6 months` on a quarterly one is two quarters. */
function wholePeriods({ count, unit }: Span, frequency: Frequency): number | null {
  if (unit === 'day') return frequency === 'WEEKLY' && count % 7 === 0 ? count / 7 : null
  const months = monthsIn(frequency)
  if (unit === 'week' || months === null) return null
  const total = count * monthsPerUnit[unit]
  return total % months === 0 ? total / months : null
}
