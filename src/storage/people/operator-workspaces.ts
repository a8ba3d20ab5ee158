// Every workspace as operators of the installation see it, and the limits they set. The database itself checks that the
// person is an operator: otherwise the application's role may do neither.

import { Refusal } from '../../core/refusal.ts'
import type { Instant } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import { changingAccess } from '../log/access-log.ts'
import type { Queryable, Sql } from '../postgres/database.ts'
import { type Actor, noteActivity } from '../workspaces/activity.ts'
import { quotaKinds, quotasOf, type StandingRow } from '../workspaces/quotas.ts'
import {
  columnsOf,
  formatLimits,
  type LimitChanges,
  type LimitKey,
  workspaceRateLimitOf,
} from '../workspaces/workspace-limits.ts'
import { notOperator, requireOperator } from './operators.ts'

interface LimitUse {
  readonly most: number
  /** Nobody has set it for this workspace. */
  readonly isDefault: boolean
  /** Default limit. */
  readonly byDefault: number
  /** Used amount; `null` where nothing is counted: requests, and files that each server counts for itself. */
  readonly used: number | null
}

export interface WorkspaceWithLimits {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly createdAt: Instant
  readonly limits: Readonly<Record<LimitKey, LimitUse>>
}

type WorkspaceRow = StandingRow & {
  readonly name: string
  readonly created_at: Instant
  readonly rate_limit: number
  readonly workspace_rate_limit: number | null
}

/** Lists workspaces by slug. `personId` is the operator who asks. */
export async function listWorkspacesFor(sql: Queryable, personId: string): Promise<readonly WorkspaceWithLimits[]> {
  await requireOperator(sql, personId)
  const rows = await sql<WorkspaceRow[]>`select * from workspaces_for_operator(${personId})`.catch(explainRefused)
  return rows.map(workspaceOf)
}

/** The message of `require_operator` in the database. Any other missing privilege is a mistake of ours. */
const refusedByDatabase = 'only operators of this installation may do this'

/** An operator may have been removed since the request began: the database checks again. */
function explainRefused(error: unknown): never {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  throw code === '42501' && message === refusedByDatabase ? notOperator() : error
}

function workspaceOf(row: WorkspaceRow): WorkspaceWithLimits {
  const { id, slug, name, created_at: createdAt } = row
  const quotas = new Map(quotasOf(row).quotas.map(({ kind, ...stored }) => [kind, stored]))
  const stored = quotaKinds.map(kind => [kind, { ...quotas.get(kind)!, byDefault: limits.quotas[kind] }])
  return { id, slug, name, createdAt, limits: { ...requestsOf(row), ...Object.fromEntries(stored) } }
}

function requestsOf(row: WorkspaceRow): Pick<WorkspaceWithLimits['limits'], 'rateLimit' | 'workspaceRateLimit'> {
  const { rate_limit: rateLimit, workspace_rate_limit: workspaceRateLimit } = row
  const byDefault = limits.requestsPerMinute
  return {
    rateLimit: { most: rateLimit, isDefault: rateLimit === byDefault, byDefault, used: null },
    workspaceRateLimit: {
      most: workspaceRateLimitOf({ rateLimit, workspaceRateLimit }),
      isDefault: workspaceRateLimit === null,
      byDefault: workspaceRateLimitOf({ rateLimit, workspaceRateLimit: null }),
      used: null,
    },
  }
}

/** Sets all limits or none, and notes the changed ones in the workspace. Returns the workspace as it stands then. */
export async function setLimitsAs(
  sql: Sql,
  personId: string,
  { slug, changes, by }: { readonly slug: string; readonly changes: LimitChanges; readonly by: Actor },
): Promise<WorkspaceWithLimits> {
  const columns = columnsOf(changes)
  return changingAccess(sql, async tx => {
    await requireOperator(tx, personId)
    const [before] = await tx<(Record<string, unknown> & { readonly id: string })[]>`
      select * from set_limits_as_operator(${personId}, ${slug}, ${tx.json(columns)})`.catch(explainRefused)
    if (before === undefined) throw new Refusal('not-found', `there is no workspace "${slug}"`)
    await tx`select set_config('assize.workspace', ${before.id}, true)`
    for (const what of formatLimits(changes, before))
      await noteActivity(tx, before.id, { ...by, act: 'workspace.change', what, subject: slug })
    // The list is read in the same transaction: somebody who has been removed by now gets nothing and changes nothing.
    return (await listWorkspacesFor(tx, personId)).find(each => each.slug === slug)!
  })
}
