// Billed lines and declared quantities of agreements, all of them with the instants that count: restating and the ledger look at
// all of it as it stood at any moment.
import type { Instant } from '../../core/time/instant.ts'
import { type ClockRepairs, loadClockRepairs } from '../log/clock-repairs.ts'
import type { Transaction } from '../postgres/database.ts'
import { type LineRow, lineOf, type StoredLine } from './invoices.ts'
import type { StoredQuantity } from './quantities.ts'
import type { StoredUnit } from './units.ts'

export interface BilledAmounts {
  /** Lines in the order they came, with those that undo others. */
  readonly lines: readonly StoredLine[]
  /** Every declaration, the oldest first. */
  readonly quantities: readonly StoredQuantity[]
  /** Every factor ever set, the oldest first. */
  readonly units: readonly StoredUnit[]
}

interface Numbered {
  readonly seq: number
}

export async function loadMoney(
  tx: Transaction,
  workspaceId: string,
  agreementIds: readonly string[],
): Promise<ReadonlyMap<string, BilledAmounts>> {
  const wanted = tx`any(${agreementIds as string[]}::text[])`
  const [lines, quantities, units, repairs] = await Promise.all([
    tx<(LineRow & Numbered)[]>`
      select l.id, i.supplier, i.number, l.line, l.agreement_id as "agreementId", l.fields, l.reverses, i.recorded_at as "importedAt", i.seq
      from invoice_line l join invoice i on i.workspace_id = l.workspace_id and i.id = l.invoice_id
      where l.workspace_id = ${workspaceId} and l.agreement_id = ${wanted} order by i.seq, l.id`,
    tx<(StoredQuantity & Numbered)[]>`
      select agreement_id as "agreementId", item, period, quantity, declared_by as "declaredBy", recorded_at as "recordedAt", seq
      from quantity where workspace_id = ${workspaceId} and agreement_id = ${wanted} order by seq, item, period`,
    tx<(StoredUnit & Numbered)[]>`
      select unit, other, factor, set_by as "setBy", recorded_at as "recordedAt", seq
      from unit_factor where workspace_id = ${workspaceId} order by seq`,
    loadClockRepairs(tx, workspaceId),
  ])
  const ofLines = Map.groupBy(
    lines.map(({ seq, ...row }) => ({
      ...lineOf(row),
      importedAt: repairs.instantOf(workspaceId, seq, row.importedAt),
    })),
    ({ agreementId }) => agreementId,
  )
  const ofQuantities = Map.groupBy(counted(repairs, workspaceId, quantities), ({ agreementId }) => agreementId)
  const known = counted(repairs, workspaceId, units)
  return new Map(
    agreementIds.map(id => [
      id,
      { lines: ofLines.get(id) ?? [], quantities: ofQuantities.get(id) ?? [], units: known },
    ]),
  )
}

function counted<T extends Numbered & { readonly recordedAt: Instant }>(
  repairs: ClockRepairs,
  workspaceId: string,
  rows: readonly T[],
): readonly Omit<T, 'seq'>[] {
  return rows.map(({ seq, ...row }) => ({ ...row, recordedAt: repairs.instantOf(workspaceId, seq, row.recordedAt) }))
}

/** Agreements with lines of some imports. */
export async function loadBilledAgreements(
  tx: Transaction,
  workspaceId: string,
  invoiceIds: readonly string[],
): Promise<readonly string[]> {
  const rows = await tx<{ id: string }[]>`
    select distinct agreement_id as id from invoice_line
    where workspace_id = ${workspaceId} and invoice_id = any(${invoiceIds as string[]}::text[])`
  return rows.map(({ id }) => id)
}
