// Factors between units of a workspace: rows are added, and of two for the same units the later counts.
import type { Instant } from '../core/instant.ts'
import { unitContent } from './content.ts'
import { type Sql, type Transaction, withWorkspace } from './database.ts'
import { publishing } from './publish.ts'

export interface StoredUnit {
  readonly unit: string
  readonly other: string
  /** How many of the other make one of the unit, as it was written. */
  readonly factor: string
  readonly setBy: string
  readonly recordedAt: Instant
}

/** Those that count, the oldest first. Inside a transaction of the workspace. */
export async function readUnits(tx: Transaction, workspaceId: string): Promise<readonly StoredUnit[]> {
  const rows = await tx<(StoredUnit & { seq: number })[]>`
    select distinct on (least(lower(unit), lower(other)), greatest(lower(unit), lower(other)))
      seq, unit, other, factor, set_by as "setBy", recorded_at as "recordedAt"
    from unit_factor where workspace_id = ${workspaceId}
    order by least(lower(unit), lower(other)), greatest(lower(unit), lower(other)), seq desc`
  return rows.toSorted((a, b) => a.seq - b.seq).map(({ seq: _seq, ...row }) => row)
}

/** Says whether anything changed: the same line again adds nothing. */
export function setUnit(
  sql: Sql,
  workspaceId: string,
  { unit, other, factor }: Pick<StoredUnit, 'unit' | 'other' | 'factor'>,
  setBy: string,
  onChange: (tx: Transaction) => Promise<void>,
): Promise<boolean> {
  return publishing(sql, workspaceId, async (tx, publication) => {
    const held = await readUnits(tx, workspaceId)
    if (held.some(each => each.unit === unit && each.other === other && each.factor === factor)) return false
    const seq = await publication.append('unit', workspaceId, unitContent({ unit, other, factor, setBy }))
    await tx`
      insert into unit_factor (workspace_id, seq, unit, other, factor, set_by, recorded_at)
      values (${workspaceId}, ${seq}, ${unit}, ${other}, ${factor}, ${setBy}, ${publication.recordedAt})`
    await onChange(tx)
    return true
  })
}

export function listUnits(sql: Sql, workspaceId: string): Promise<readonly StoredUnit[]> {
  return withWorkspace(sql, workspaceId, tx => readUnits(tx, workspaceId))
}
