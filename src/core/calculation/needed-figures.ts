// The figures that a formula needs for an adjustment date, by the calendar alone: series and periods, without looking at any
// value. Callers decide which of them are there.
import type { BoundFormula, BoundInput } from '../formula/bind.ts'
import { goBack } from '../formula/schedule.ts'
import type { Base } from '../formula/terms.ts'
import type { SeriesHistory } from '../series/series.ts'
import { civilOf, type Day } from '../time/day.ts'
import { ordinalAt, type Period } from '../time/period.ts'
import { readPerPeriod, sourceOf } from './period-source.ts'
import { periodsOfLabel, periodsOfWindow } from './reading-window.ts'
import { readingsInUse } from './requirements.ts'

export interface NeededFigure {
  readonly series: SeriesHistory
  readonly period: Period
  /** The stage of values that count; null where any stage does. */
  readonly stage: 'FINAL' | null
}

/** Inputs that are read for the date itself, and inputs whose base is read. */
export function inputsInUse(bound: BoundFormula): { readonly current: Set<number>; readonly base: Set<number> } {
  const used = { current: new Set<number>(), base: new Set<number>() }
  for (const { input, kind } of readingsInUse(bound)) {
    if (kind === 'current') used.current.add(input)
    // Without an earlier date, the previous reading is the base.
    else if (bound.inputs[input]!.input.base !== null) used.base.add(input)
  }
  return used
}

/**
 * Figures in the order of their periods. An input that takes the newest published figure needs none in particular. A window
 * over days or weeks, which have holidays, needs its last figure alone.
 */
export function neededFigures(bound: BoundInput, date: Day): readonly NeededFigure[] {
  const { input, fx, frequency } = bound
  if (input.pick === 'LATEST_PUBLISHED') return []
  const lagged = goBack(date, input.lag)
  const { first, last } = input.interpolate
    ? interpolated(date, ordinalAt('MONTHLY', lagged))
    : periodsOfWindow(bound, bound.window, lagged)
  const own = figuresOf(bound, first, last)
  if (fx === null) return own
  const rate = { frequency: fx.series.frequency, weekday: fx.weekday }
  if (!input.convert!.each)
    return [...own, ...ratesOf(fx.series, periodsOfWindow(rate, fx.window, goBack(date, input.convert!.fx!.lag)))]
  return [
    ...own,
    ...range(first, last).flatMap(ordinal => {
      const period: Period = { frequency, ordinal }
      return ratesOf(fx.series, periodsOfLabel(rate, period, period))
    }),
  ]
}

export function neededForBase(bound: BoundInput, base: Base): readonly NeededFigure[] {
  if (base.kind === 'value') return []
  const { input, fx } = bound
  const { first, last } =
    input.interpolate && base.from.frequency === 'DAILY'
      ? interpolated(base.from.ordinal, ordinalAt('MONTHLY', goBack(base.from.ordinal, input.lag)))
      : periodsOfLabel(bound, base.from, base.to)
  const own = figuresOf(bound, first, last)
  if (fx === null) return own
  const rate = { frequency: fx.series.frequency, weekday: fx.weekday }
  return [...own, ...ratesOf(fx.series, periodsOfLabel(rate, base.from, base.to))]
}

/** The first of a month does not need the next month's figure. */
function interpolated(date: Day, month: number): { readonly first: number; readonly last: number } {
  return { first: month, last: civilOf(date).day === 1 ? month : month + 1 }
}

/** `first` and `last` are periods in which the series is read. */
function figuresOf(bound: BoundInput, first: number, last: number): readonly NeededFigure[] {
  const per = readPerPeriod(bound)
  return range(Math.floor(first / per), Math.floor(last / per)).map(ordinal => {
    const { series } = sourceOf(bound, ordinal)
    const stage = bound.input.vintage === 'FINAL' ? 'FINAL' : null
    return { series, period: { frequency: series.frequency, ordinal }, stage }
  })
}

function ratesOf(series: SeriesHistory, { first, last }: { readonly first: number; readonly last: number }) {
  return range(first, last).map((ordinal): NeededFigure => {
    return { series, period: { frequency: series.frequency, ordinal }, stage: null }
  })
}

function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i)
}
