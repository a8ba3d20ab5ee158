// Selection in the inbox. The periods of an agreement are signed oldest first, so a selection is a number of periods. The
// selection keeps the rows themselves: a row that a filter hides stays selected.
import type { InboxPeriod, InboxRow, PeriodsRow } from '../../../../src/views/shapes/inbox.ts'

interface Selected {
  readonly row: InboxRow
  /** Number of its oldest periods; 1 for a correction or a change of terms. */
  readonly count: number
}

/** Selected parts by the key of the row. */
export type Selection = ReadonlyMap<string, Selected>

export const nothingSelected: Selection = new Map()

export function keyOfRow(row: InboxRow): string {
  return row.kind === 'periods' ? `periods ${row.slug}` : `${row.kind} ${row.id}`
}

/** Number of things in a row that can be selected: periods, or one correction or change of terms. */
export function sizeOfRow(row: InboxRow): number {
  return row.kind === 'periods' ? row.periods.length : 1
}

function select(selection: Selection, row: InboxRow, count: number): Selection {
  const next = new Map(selection)
  if (count === 0) next.delete(keyOfRow(row))
  else next.set(keyOfRow(row), { row, count })
  return next
}

/** Selects all of a row, or nothing of it if all of it was selected. */
export function toggleRow(selection: Selection, row: InboxRow): Selection {
  const isWhole = selection.get(keyOfRow(row))?.count === sizeOfRow(row)
  return select(selection, row, isWhole ? 0 : sizeOfRow(row))
}

/** A period with those before it; unselecting one also unselects those after it. */
export function togglePeriod(selection: Selection, row: PeriodsRow, period: InboxPeriod): Selection {
  const place = row.periods.indexOf(period)
  const isIn = (selection.get(keyOfRow(row))?.count ?? 0) > place
  return select(selection, row, isIn ? place : place + 1)
}

export function selectAll(selection: Selection, rows: readonly InboxRow[]): Selection {
  return new Map([...selection, ...rows.map(row => [keyOfRow(row), { row, count: sizeOfRow(row) }] as const)])
}

/** Selection without the rows with these keys. */
export function unselectAll(selection: Selection, gone: ReadonlySet<string>): Selection {
  return new Map([...selection].filter(([key]) => !gone.has(key)))
}

/** Whether all, some or none of the shown rows are selected. */
export function stateOfAll(selection: Selection, rows: readonly InboxRow[]): 'all' | 'some' | 'none' {
  const own = rows.map(row => ({ size: sizeOfRow(row), count: selection.get(keyOfRow(row))?.count ?? 0 }))
  if (own.every(({ count }) => count === 0)) return 'none'
  return own.every(({ size, count }) => count >= size) ? 'all' : 'some'
}

/**
 * Selection among the newest rows. A selected row that is not among them is hidden by a filter, or has been signed: `isAll` says
 * that nothing is hidden.
 */
export function refreshed(selection: Selection, rows: readonly InboxRow[], isAll: boolean): Selection {
  const newest = new Map(rows.map(row => [keyOfRow(row), row]))
  return new Map(
    [...selection].flatMap(([key, each]) => {
      const row = newest.get(key)
      if (row === undefined) return isAll ? [] : [[key, each] as const]
      // A filter by month shows the first periods alone.
      if (!isAll && sizeOfRow(row) < each.count) return [[key, each] as const]
      return [[key, { row, count: Math.min(each.count, sizeOfRow(row)) }] as const]
    }),
  )
}

export interface SelectionSize {
  readonly agreements: number
  readonly periods: number
  readonly corrections: number
  readonly changes: number
}

export function sizeOf(selection: Selection): SelectionSize {
  const all = [...selection.values()]
  const periods = all.filter(({ row }) => row.kind === 'periods')
  return {
    agreements: periods.length,
    periods: periods.reduce((sum, { count }) => sum + count, 0),
    corrections: all.filter(({ row }) => row.kind === 'correction').length,
    changes: all.filter(({ row }) => row.kind === 'change').length,
  }
}
