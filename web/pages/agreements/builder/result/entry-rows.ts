// Periods before and after a change, side by side, for the table and the save dialog.

import { firstDayOf, parsePeriod } from '../../../../../src/core/time/period.ts'
import type { BlockedRow, PreviewEntry } from '../../../../../src/views/shapes/agreements.ts'

export interface EntryPair {
  readonly period: string
  readonly date: string | null
  readonly after: PreviewEntry | null
  readonly before: PreviewEntry | null
  /** Why there is no number. */
  readonly blocked: string | null
  readonly isChanged: boolean
}

interface Sides {
  readonly entries: readonly PreviewEntry[]
  readonly before: readonly PreviewEntry[]
  readonly blocked: readonly BlockedRow[]
}

/** Rows, one for each period that either side has, newest first. */
export function pairEntries({ entries, before, blocked }: Sides): EntryPair[] {
  const reasons = new Map(blocked.map(row => [row.period, row.reason]))
  const afterBy = new Map(entries.map(entry => [entry.period, entry]))
  const beforeBy = new Map(before.map(entry => [entry.period, entry]))
  const periods = [...new Set([...afterBy.keys(), ...beforeBy.keys(), ...reasons.keys()])]
  const hasBefore = before.length > 0
  return periods
    .map(period => {
      const [after, earlier] = [afterBy.get(period) ?? null, beforeBy.get(period) ?? null]
      return {
        period,
        date: after?.adjustmentDate ?? earlier?.adjustmentDate ?? null,
        after,
        before: earlier,
        blocked: after === null ? (reasons.get(period) ?? null) : null,
        isChanged: hasBefore && isOther(after, earlier),
      }
    })
    .sort((a, b) => placeOf(b) - placeOf(a))
}

function isOther(after: PreviewEntry | null, before: PreviewEntry | null): boolean {
  if (after === null || before === null) return after !== before
  return (
    after.adjustmentPct !== before.adjustmentPct ||
    after.cumulativePct !== before.cumulativePct ||
    after.price !== before.price
  )
}

/** Days since 1970; a blocked period has no date, so its own first day is used. */
function placeOf({ date, period }: EntryPair): number {
  const known = parsePeriod(date ?? period)
  return known === null ? 0 : firstDayOf(known)
}
