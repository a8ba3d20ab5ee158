// Finds a series among those of the workspace by some of its words.

import { parseDay } from '../../../../../src/core/time/day.ts'
import { formatPeriod, parsePeriod, periodAt, shift } from '../../../../../src/core/time/period.ts'
import type { SeriesRow } from '../../../../../src/views/shapes/series.ts'
import type { Plain } from '../document/document.ts'
import { freeName } from '../document/steps.ts'

const mostShown = 40

export function referenceOf({ provider, code }: Pick<SeriesRow, 'provider' | 'code'>): string {
  return `${provider}/${code}`
}

/** The series that contain every word; those whose name starts with the first word come first. */
export function matchSeries(rows: readonly SeriesRow[], wanted: string): readonly SeriesRow[] {
  const words = wanted
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '')
  if (words.length === 0) return rows.slice(0, mostShown)
  const found = rows.filter(row => {
    const text = `${row.name} ${referenceOf(row)} ${row.unit}`.toLowerCase()
    return words.every(word => text.includes(word))
  })
  const rank = ({ name, code }: SeriesRow) =>
    name.toLowerCase().startsWith(words[0]!) || code.toLowerCase().startsWith(words[0]!) ? 0 : 1
  return found.toSorted((a, b) => rank(a) - rank(b)).slice(0, mostShown)
}

/** A short name for an input that reads a series: `PPI, iron and steel` → `iron`. */
export function inputNameFor(row: SeriesRow, taken: readonly string[]): string {
  const plain = row.name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const words = plain.match(/[a-z][a-z0-9]+/g) ?? []
  const common = ['index', 'price', 'prices', 'all', 'items', 'not', 'the', 'and', 'of', 'ppi', 'us', 'average', 'city']
  return freeName(taken, words.find(word => word.length > 2 && !common.includes(word)) ?? words[0] ?? 'input')
}

const usualLags: Readonly<Record<string, { readonly text: string; readonly periods: number }>> = {
  DAILY: { text: '1 day', periods: 1 },
  WEEKLY: { text: '1 week', periods: 1 },
  MONTHLY: { text: '2 months', periods: 2 },
  QUARTERLY: { text: '2 quarters', periods: 2 },
  SEMIANNUAL: { text: '6 months', periods: 1 },
  ANNUAL: { text: '1 year', periods: 1 },
}

/** A first version of an input: a lag after which values are published, and the period it reads at the start as the base. */
export function inputFor(row: SeriesRow, start: string, weight: string | null): Plain {
  const lag = usualLags[row.frequency]!
  const day = parseDay(start)
  const base = day === null ? (row.last?.period ?? '') : formatPeriod(shift(periodAt(row.frequency, day), -lag.periods))
  return {
    series: referenceOf(row),
    ...(weight === null ? {} : { weight }),
    ...(parsePeriod(base) === null ? {} : { base }),
    lag: lag.text,
  }
}
