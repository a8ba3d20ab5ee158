// Readings that are shown beside the clause as written, and their periods.
import type { PreviewEntry, ReadingVariant } from '../../../../src/views/shapes/agreements.ts'
import { compareFigures, differenceIfBoth, isNothing } from '../../../components/figures/decimals.ts'

/** Most lines that can be told apart at a glance. */
const mostUnasked = 3

/** Chosen by the address (`basis,lag-more`, or `none`), else those with the largest difference. The written one comes first. */
export function chosenReadings(readings: readonly ReadingVariant[], asked: string | undefined): ReadingVariant[] {
  const [written, ...others] = readings
  if (written === undefined) return []
  const possible = others.filter(({ notApplicable, entries }) => notApplicable === null && entries.length > 0)
  if (asked !== undefined) {
    const ids = asked.split(',')
    return [written, ...possible.filter(({ id }) => ids.includes(id))]
  }
  const size = ({ effect }: ReadingVariant) => (effect === null ? '0' : effect.points.replace('-', ''))
  const largest = possible
    .filter(reading => !isNothing(size(reading)))
    .sort((a, b) => compareFigures(size(b), size(a)))
    .slice(0, mostUnasked)
  return [written, ...possible.filter(reading => largest.includes(reading))]
}

export interface ReadingLine {
  readonly period: string
  readonly adjustmentDate: string
  /** Cells, one for each reading, in order. */
  readonly cells: readonly ReadingCell[]
}

export interface ReadingCell {
  readonly entry: PreviewEntry | null
  /** The difference from the first reading; null for that reading itself and if one of the two has no number. */
  readonly points: string | null
  readonly money: string | null
}

/** Every period that any of them computed, newest first. */
export function readingLines(readings: readonly ReadingVariant[]): ReadingLine[] {
  const byPeriod = readings.map(({ entries }) => new Map(entries.map(entry => [entry.period, entry])))
  const dates = new Map(readings.flatMap(({ entries }) => entries.map(entry => [entry.period, entry.adjustmentDate])))
  return [...dates]
    .sort(([, a], [, b]) => (a < b ? 1 : -1))
    .map(([period, adjustmentDate]) => {
      const written = byPeriod[0]?.get(period)
      return {
        period,
        adjustmentDate,
        cells: byPeriod.map((entries, i) => {
          const entry = entries.get(period) ?? null
          return {
            entry,
            points: i === 0 ? null : differenceIfBoth(written?.cumulativePct, entry?.cumulativePct),
            money: i === 0 ? null : differenceIfBoth(written?.price, entry?.price),
          }
        }),
      }
    })
}
