// Last look of a person at a period, with the number they saw.
import type { Instant } from '../../core/time/instant.ts'
import { type Sql, withWorkspace } from '../postgres/database.ts'

export interface LastLook {
  readonly at: Instant
  readonly hash: string
}

interface Looked {
  readonly personId: string
  readonly agreementId: string
  readonly period: string
}

export function findLastLook(
  sql: Sql,
  workspaceId: string,
  { personId, agreementId, period }: Looked,
): Promise<LastLook | null> {
  return withWorkspace(sql, workspaceId, async tx => {
    const [row] = await tx<LastLook[]>`
      select looked_at as at, receipt_hash as hash from last_look
      where workspace_id = ${workspaceId} and person_id = ${personId} and agreement_id = ${agreementId} and period = ${period}`
    return row ?? null
  })
}

/** The newest look takes the place of the one before. */
export function rememberLook(
  sql: Sql,
  workspaceId: string,
  { personId, agreementId, period }: Looked,
  { at, hash }: LastLook,
): Promise<void> {
  return withWorkspace(sql, workspaceId, async tx => {
    await tx`
      insert into last_look (workspace_id, person_id, agreement_id, period, receipt_hash, looked_at)
      values (${workspaceId}, ${personId}, ${agreementId}, ${period}, ${hash}, ${at})
      on conflict (workspace_id, person_id, agreement_id, period) do update
      set receipt_hash = excluded.receipt_hash, looked_at = excluded.looked_at
      where last_look.looked_at < excluded.looked_at`
  })
}
