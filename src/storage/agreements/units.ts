// Factors between units of a workspace: rows are added, and the later of two for the same units counts.

import { pairOf, type UnitTexts } from '../../core/invoices/unit-table.ts'
import { isBy } from '../../core/series/vintage.ts'
import type { Instant } from '../../core/time/instant.ts'
import { appending } from '../log/append.ts'
import { loadClockRepairs } from '../log/clock-repairs.ts'
import { appendEntry } from '../log/entry-rows.ts'
import { type Sql, type Transaction, withWorkspace } from '../postgres/database.ts'

export interface StoredUnit {
  readonly unit: string
  readonly other: string
  /** How many of the other make one of the unit, as it was written. */
  readonly factor: string
  readonly setBy: string
  readonly recordedAt: Instant
}

/** Factors that count, or counted at an instant, oldest first. */
export async function loadUnits(
  tx: Transaction,
  workspaceId: string,
  knownAt: Instant | null = null,
): Promise<readonly StoredUnit[]> {
  const newest = new Map<string, StoredUnit>()
  for (const row of await loadUnitHistory(tx, workspaceId, knownAt)) {
    const key = pairOf(row)
    // The later of two takes the later place.
    newest.delete(key)
    newest.set(key, row)
  }
  return [...newest.values()]
}

/** All factors ever set, or set by an instant, oldest first. */
export async function loadUnitHistory(
  tx: Transaction,
  workspaceId: string,
  knownAt: Instant | null,
): Promise<readonly StoredUnit[]> {
  const rows = await tx<(StoredUnit & { seq: number })[]>`
    select seq, unit, other, factor, set_by as "setBy", recorded_at as "recordedAt"
    from unit_factor where workspace_id = ${workspaceId} order by seq`
  const repairs = await loadClockRepairs(tx, workspaceId)
  return rows
    .map(({ seq, ...row }) => ({ ...row, recordedAt: repairs.instantOf(workspaceId, seq, row.recordedAt) }))
    .filter(({ recordedAt }) => isBy(recordedAt, knownAt))
}

/** Sets the factors that are new or changed, together, and returns their number: a repeated line adds nothing. */
export function setUnits(
  sql: Sql,
  workspaceId: string,
  units: readonly UnitTexts[],
  setBy: string,
  onChange: (tx: Transaction, changed: number) => Promise<void>,
): Promise<number> {
  return appending(sql, workspaceId, async (tx, log) => {
    const held = await loadUnits(tx, workspaceId)
    const fresh = units.filter(each => !held.some(known => isSameUnit(known, each)))
    for (const { unit, other, factor } of fresh)
      await appendEntry(tx, log, 'unit', { subject: workspaceId, facts: { unit, other, factor, setBy } })
    if (fresh.length > 0) await onChange(tx, fresh.length)
    return fresh.length
  })
}

export function isSameUnit(a: UnitTexts, b: UnitTexts): boolean {
  return a.unit === b.unit && a.other === b.other && a.factor === b.factor
}

export function listUnits(sql: Sql, workspaceId: string): Promise<readonly StoredUnit[]> {
  return withWorkspace(sql, workspaceId, tx => loadUnits(tx, workspaceId))
}
