// Declared quantities of items in periods: rows are added, and the newest of an item in a period counts.

import { compareKeys } from '../../core/prices/price-list.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { OpenLog } from '../log/append.ts'
import type { Transaction } from '../postgres/database.ts'
import { insertRows } from '../postgres/many-rows.ts'
import { enforceQuota } from '../workspaces/quotas.ts'

export interface DeclaredQuantity {
  readonly agreementId: string
  readonly item: string
  /** `start` or a label. */
  readonly period: string
  readonly quantity: string
}

export interface StoredQuantity extends DeclaredQuantity {
  readonly declaredBy: string
  readonly recordedAt: Instant
}

/** Quantities that count, by agreement, item and period. */
export function loadQuantities(
  tx: Transaction,
  workspaceId: string,
  agreementIds: readonly string[],
): Promise<readonly StoredQuantity[]> {
  return tx<StoredQuantity[]>`
    select distinct on (agreement_id, item, period) agreement_id as "agreementId", item, period, quantity, declared_by as "declaredBy",
      recorded_at as "recordedAt"
    from quantity where workspace_id = ${workspaceId} and agreement_id = any(${agreementIds as string[]}::text[])
    order by agreement_id, item, period, seq desc`
}

/** Inserts quantities, with one entry for each agreement. */
export async function insertQuantities(
  tx: Transaction,
  log: OpenLog,
  quantities: readonly DeclaredQuantity[],
  declaredBy: string,
): Promise<void> {
  const { scope, recordedAt } = log
  const groups = [...Map.groupBy(quantities, ({ agreementId }) => agreementId)].map(
    ([agreementId, rows]) =>
      [agreementId, rows.toSorted((a, b) => compareKeys(a.item, b.item) || compareKeys(a.period, b.period))] as const,
  )
  const entries = groups.map(([subject, rows]) => {
    const lines = rows.map(({ item, period, quantity }) => `${item}\t${period}\t${quantity}`).join('\n')
    return { subject, facts: { lines, declaredBy } }
  })
  const seqs = await log.appendMany('quantity', entries)
  const rows = groups.flatMap(([agreementId, own], i) =>
    own.map(({ item, period, quantity }) => ({
      workspace_id: scope,
      agreement_id: agreementId,
      item,
      period,
      seq: seqs[i]!,
      quantity,
      declared_by: declaredBy,
      recorded_at: recordedAt,
    })),
  )
  await insertRows(tx, 'quantity', rows)
  await enforceQuota(tx, scope, 'prices')
}
