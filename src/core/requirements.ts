// What a calculation needs before it runs: which series, over which periods, for one adjustment date. The caller
// gathers exactly that; evaluate takes it.
import { addMonths, type Day } from './day.ts'
import type { BoundFormula, BoundInput } from './formula/bind.ts'
import type { Span } from './formula/formula.ts'
import type { ReadingKind } from './formula/resolve.ts'
import { dayOfInstant } from './instant.ts'
import { type Frequency, firstDayOf, lastDayOf, ordinalAt, ordinalsWithin, type Period } from './period.ts'
import { windowOrdinals } from './reading.ts'
import { goBack, maxDates, monthsPerUnit } from './schedule.ts'
import type { SeriesHistory } from './series.ts'

export interface Requirement {
  readonly input: string
  readonly kind: ReadingKind | 'fx'
  /** `PROVIDER/code`. */
  readonly series: string
  readonly from: Period
  readonly to: Period
  /** Whether values before `from` may be asked for: last published, last known, estimates. */
  readonly mayReachBack: boolean
}

/** The readings the steps may ask for, as positions and kinds, each once. */
export function readingsInUse({ formula }: BoundFormula): { input: number; kind: ReadingKind }[] {
  const seen = new Map<string, { input: number; kind: ReadingKind }>()
  for (const step of formula.steps)
    for (const reading of step.expression.readings) seen.set(`${reading.input} ${reading.kind}`, reading)
  return [...seen.values()]
}

/** What the readings of one adjustment date need. Earlier dates (`prev`, `last`) state their own needs. */
export function requirements(bound: BoundFormula, date: Day): Requirement[] {
  const inUse = readingsInUse(bound)
  return bound.inputs.flatMap((input, i) => {
    const kinds = inUse.filter(reading => reading.input === i).map(reading => reading.kind)
    const current = kinds.includes('current') ? currentRequirements(input, date) : []
    const base = kinds.some(kind => kind !== 'current') ? baseRequirements(input) : []
    return [...current, ...base]
  })
}

function currentRequirements(bound: BoundInput, date: Day): Requirement[] {
  const { input, series, window, fx } = bound
  const lagged = goBack(date, input.lag)
  const ordinal = ordinalAt(series.frequency, lagged)
  const range = input.interpolate
    ? { first: ordinal, last: ordinal + 1 }
    : windowOrdinals(series.frequency, window, ordinal, lagged)
  const list = spanOver(bound, 'current', range.first, range.last)
  if (fx === null || !input.convert?.fx) return list
  const fxDay = goBack(date, input.convert.fx.lag)
  const fxRange = windowOrdinals(fx.series.frequency, fx.window, ordinalAt(fx.series.frequency, fxDay), fxDay)
  return [...list, need(bound, 'fx', fx.series, fxRange.first, fxRange.last)]
}

function baseRequirements(bound: BoundInput): Requirement[] {
  const { input, series, fx } = bound
  if (input.base?.kind !== 'label') return []
  const [from, to] = [firstDayOf(input.base.from), lastDayOf(input.base.to)]
  const isDate = input.interpolate && input.base.from.frequency === 'DAILY'
  const month = ordinalAt(series.frequency, goBack(from, input.lag))
  const range = isDate ? { first: month, last: month + 1 } : ordinalsWithin(series.frequency, from, to)
  const list = spanOver(bound, 'base', range.first, range.last)
  if (fx === null) return list
  const rates = ordinalsWithin(fx.series.frequency, from, to)
  const first = Math.min(rates.first, ordinalAt(fx.series.frequency, to))
  return [...list, need(bound, 'fx', fx.series, first, rates.last)]
}

/** The main series, and each linked one for its share of the span, and a fallback. */
function spanOver(bound: BoundInput, kind: ReadingKind, first: number, last: number): Requirement[] {
  const others = [...bound.links.map(link => link.series), ...(bound.fallback === null ? [] : [bound.fallback])]
  return [bound.series, ...others].map(series => need(bound, kind, series, first, last))
}

function need(
  bound: BoundInput,
  kind: Requirement['kind'],
  series: SeriesHistory,
  first: number,
  last: number,
): Requirement {
  const { input } = bound
  const mayReachBack =
    (kind === 'current' && input.pick === 'LATEST_PUBLISHED') ||
    input.missing.kind === 'LAST_KNOWN' ||
    input.missing.kind === 'YOY_ESTIMATE'
  const { frequency, reference } = series
  return {
    input: input.name,
    kind,
    series: reference,
    from: { frequency, ordinal: first },
    to: { frequency, ordinal: last },
    mayReachBack,
  }
}

/** For an open contract and no clock: the last date for which every input that is used has data. */
export function lastDateWithData(bound: BoundFormula): Day {
  const used = new Set(
    readingsInUse(bound)
      .filter(({ kind }) => kind === 'current')
      .map(({ input }) => input),
  )
  const ends = bound.inputs.filter((_, i) => used.has(i)).map(lastReadableDate)
  const { contract } = bound.formula
  const furthest = addMonths(contract.firstAdjustment, (contract.frequency.months ?? 0) * (maxDates - 1))
  return Math.min(furthest, ...ends)
}

/** The last day on which the input's reading has all its values. */
function lastReadableDate({ input, series, links }: BoundInput): Day {
  const newest = Math.max(
    ...[series, ...links.map(link => link.series)].map(({ ordinals }) => ordinals.at(-1) ?? -1_000_000),
  )
  if (input.pick === 'LATEST_PUBLISHED') {
    const published = series.periods.get(newest)?.[0]?.publishedAt
    const day =
      published === undefined ? lastDayOf({ frequency: series.frequency, ordinal: newest }) : dayOfInstant(published)
    // The newest value stays the newest until its successor is due, one period later.
    return goForward(day + daysIn(series.frequency), input.lag)
  }
  const last = lastDayOf({ frequency: series.frequency, ordinal: input.interpolate ? newest - 1 : newest })
  return input.interpolate
    ? Math.max(goForward(last, input.lag), goForward(last + 1, input.lag))
    : goForward(last, input.lag)
}

function daysIn(frequency: Frequency): number {
  return { DAILY: 1, WEEKLY: 7, MONTHLY: 31, QUARTERLY: 92, SEMIANNUAL: 184, ANNUAL: 366 }[frequency]
}

/** The last day from which going back the span still arrives at `day` or before it. */
function goForward(day: Day, { count, unit }: Span): Day {
  if (unit === 'day') return day + count
  if (unit === 'week') return day + 7 * count
  let date = addMonths(day, count * monthsPerUnit[unit])
  while (goBack(date + 1, { count, unit }) <= day) date++
  return date
}
