// The last date up to which an open contract can be computed without a clock: the last one for which its inputs have data.

import type { BoundFormula, BoundInput } from '../formula/bind.ts'
import type { ReadingKind } from '../formula/resolve.ts'
import { furthestDate, goBack, monthsPerUnit } from '../formula/schedule.ts'
import type { Span } from '../formula/terms.ts'
import { addMonths, type Day } from '../time/day.ts'
import { dayOfInstant } from '../time/instant.ts'
import { type Frequency, lastDayOf } from '../time/period.ts'

/** The readings the steps may need, as positions and kinds, each once. */
export function readingsInUse({ formula }: BoundFormula): { input: number; kind: ReadingKind }[] {
  const seen = new Map<string, { input: number; kind: ReadingKind }>()
  for (const step of formula.steps)
    for (const reading of step.expression.readings) seen.set(`${reading.input} ${reading.kind}`, reading)
  return [...seen.values()]
}

/** The last date for which every input in use has data, for an open contract and no clock. */
export function lastDateWithData(bound: BoundFormula): Day {
  const used = new Set(
    readingsInUse(bound)
      .filter(({ kind }) => kind === 'current')
      .map(({ input }) => input),
  )
  const ends = bound.inputs.filter((_, i) => used.has(i)).map(lastReadableDate)
  return Math.min(furthestDate(bound.formula.contract), ...ends)
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

/** The last day that, less the span, is still `day` or earlier. */
function goForward(day: Day, { count, unit }: Span): Day {
  if (unit === 'day') return day + count
  if (unit === 'week') return day + 7 * count
  let date = addMonths(day, count * monthsPerUnit[unit])
  while (goBack(date + 1, { count, unit }) <= day) date++
  return date
}
