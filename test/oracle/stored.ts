// Published data as the oracle keeps it: for each series and period the vintages, oldest publication first, and which
// of them counts (docs/FORMULA.md on tables, C9 to C12).
import { endOf, type Frequency, parseDate, parseLabel } from './calendar.ts'
import type { DataModel, InputModel, ObservationModel, Tag } from './document.ts'
import { decimal, type Fraction } from './numbers.ts'

export interface StoredVintage {
  readonly value: Fraction
  readonly tag: Tag
  /** Milliseconds since 1970. */
  readonly published: number
}

export interface StoredSeries {
  readonly frequency: Frequency
  /** By the first day of the period. */
  readonly periods: ReadonlyMap<number, readonly StoredVintage[]>
}

const dayMs = 86_400_000

/** The last instant of a day, for cuts and for "on or before". */
export function endOfDay(day: number): number {
  return (day + 1) * dayMs - 1
}

export function storeAll(data: DataModel, asOf: string | null): Map<string, StoredSeries> {
  const cut = asOf === null ? Number.POSITIVE_INFINITY : endOfDay(parseDate(asOf))
  return new Map(Object.entries(data).map(([reference, rows]) => [reference, hold(rows, cut)]))
}

function hold(rows: readonly ObservationModel[], cut: number): StoredSeries {
  const groups = new Map<number, ObservationModel[]>()
  const { frequency } = parseLabel(rows[0]!.period)
  for (const row of rows) {
    const { first } = parseLabel(row.period)
    const group = groups.get(first)
    if (group === undefined) groups.set(first, [row])
    else group.push(row)
  }
  const periods = new Map<number, StoredVintage[]>()
  for (const [first, group] of groups) {
    const vintages = tagged(group, frequency, first).filter(vintage => vintage.published <= cut)
    if (vintages.length > 0) periods.set(first, vintages)
  }
  return { frequency, periods }
}

// Tags are given before the cut: what a value is does not depend on the cut.
function tagged(rows: readonly ObservationModel[], frequency: Frequency, first: number): StoredVintage[] {
  const published = (row: ObservationModel) => {
    if (row.published === undefined) return (endOf(frequency, first) + 1) * dayMs
    return row.published.length === 10 ? parseDate(row.published) * dayMs : Date.parse(row.published)
  }
  const done: StoredVintage[] = []
  for (const row of [...rows].sort((a, b) => published(a) - published(b))) {
    const value = decimal(row.value)
    const settled = done.findLast(vintage => vintage.tag !== 'PRELIMINARY')
    const byRule = settled === undefined ? 'FINAL' : settled.value.equals(value) ? settled.tag : 'REVISED'
    done.push({ value, tag: row.version ?? byRule, published: published(row) })
  }
  return done
}

export function choose(
  series: StoredSeries,
  first: number,
  policy: InputModel['vintage'] = 'LATEST',
): StoredVintage | undefined {
  const vintages = series.periods.get(first)
  if (vintages === undefined) return undefined
  if (policy === 'FIRST') return vintages[0]
  if (policy === 'FINAL') return vintages.findLast(vintage => vintage.tag === 'FINAL')
  return vintages.at(-1)
}

export function weakest(tags: Iterable<Tag>): Tag {
  const set = new Set(tags)
  if (set.has('PRELIMINARY')) return 'PRELIMINARY'
  return set.has('REVISED') ? 'REVISED' : 'FINAL'
}
