// Workspaces: made and listed by the operator. Tenants never see this list; each sees itself, and may change its name.

import { Refusal } from '../../core/refusal.ts'
import { readOneLine } from '../../core/text/one-line.ts'
import type { Instant } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import { changingAccess, openAccessLog } from '../log/access-log.ts'
import { accessSealsOf } from '../log/access-seals.ts'
import { appending } from '../log/append.ts'
import { appendEntry } from '../log/entry-rows.ts'
import { beginSealing } from '../log/ring-state.ts'
import { openScope } from '../log/scope-head.ts'
import { logWriterOf, type Queryable, type Sql, withWorkspace } from '../postgres/database.ts'
import { makeIdentifier } from '../postgres/identifier.ts'
import { type Actor, noteActivity } from './activity.ts'
import { checkWhole, columnsOf, type LimitChanges, workspaceRateLimitOf } from './workspace-limits.ts'

export interface Workspace {
  readonly id: string
  readonly slug: string
  readonly name: string
  /** Requests per minute and key. */
  readonly rateLimit: number
  /** Requests per minute of all its keys together. */
  readonly workspaceRateLimit: number
  /** Percent up to which differences of invoice lines are tolerated; null: none are. */
  readonly priceTolerancePct: string | null
  readonly createdAt: Instant
}

type WorkspaceRow = Omit<Workspace, 'workspaceRateLimit'> & { readonly workspaceRateLimit: number | null }

function workspaceOf(row: WorkspaceRow): Workspace {
  return { ...row, workspaceRateLimit: workspaceRateLimitOf(row) }
}

function columns(sql: Queryable) {
  return sql`id, slug, name, rate_limit as "rateLimit", workspace_rate_limit as "workspaceRateLimit",
    price_tolerance as "priceTolerancePct", created_at as "createdAt"`
}

interface NewWorkspace {
  readonly slug: string
  readonly name?: string
  readonly rateLimit?: number
}

const slugPattern = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
const uniqueViolation = '23505'

/** Creates a workspace with the clock and the chain of its future entries. */
export async function createWorkspace(owner: Sql, given: NewWorkspace): Promise<Workspace> {
  const { slug, rateLimit = limits.requestsPerMinute } = given
  checkWorkspace(slug, rateLimit)
  const name = readWorkspaceName(given.name ?? slug)
  const { ring } = logWriterOf(owner)
  return changingAccess(owner, async tx => {
    const [row] = await tx<WorkspaceRow[]>`
      insert into workspace (id, slug, name, rate_limit) values (${makeIdentifier('wsp')}, ${slug}, ${name}, ${rateLimit})
      returning ${columns(tx)}`.catch(error => {
      if (error.code === uniqueViolation)
        throw new Refusal('conflict', `a workspace with the slug "${slug}" exists already`)
      throw error
    })
    await beginSealing(tx)
    await openScope(tx, ring, row!.id)
    await openAccessLog(tx, accessSealsOf(tx), row!.id)
    return workspaceOf(row!)
  })
}

function checkWorkspace(slug: string, rateLimit: number): void {
  if (!slugPattern.test(slug))
    throw new Refusal(
      'invalid',
      `a workspace's slug must be 1 to ${limits.slugLength} of a-z, 0-9 and inner hyphens, got "${slug}"`,
    )
  checkWhole('rate-limit', rateLimit, 1, limits.highestRequestsPerMinute)
}

export function readWorkspaceName(given: string): string {
  return readOneLine(given, "a workspace's name", limits.namesLength)
}

export async function listWorkspaces(owner: Queryable): Promise<readonly Workspace[]> {
  const rows = await owner<WorkspaceRow[]>`select ${columns(owner)} from workspace order by slug`
  return rows.map(workspaceOf)
}

/** Finds a workspace by slug or id, among those that are seen. */
export async function findWorkspace(owner: Queryable, wanted: string): Promise<Workspace> {
  const [row] = await owner<WorkspaceRow[]>`
    select ${columns(owner)} from workspace where slug = ${wanted} or id = ${wanted}`
  if (row === undefined) throw new Refusal('not-found', `there is no workspace "${wanted}"`)
  return workspaceOf(row)
}

/** Sets all of the changes or none. */
export async function setWorkspace(owner: Queryable, workspaceId: string, given: LimitChanges): Promise<Workspace> {
  const changes = columnsOf(given)
  if (Object.keys(changes).length > 0)
    await changingAccess(owner, tx => tx`update workspace set ${tx(changes)} where id = ${workspaceId}`)
  return findWorkspace(owner, workspaceId)
}

/** Sets the tolerance; null: nothing is tolerated. */
export async function setPriceTolerance(owner: Queryable, workspaceId: string, pct: string | null): Promise<void> {
  await changingAccess(owner, tx => tx`update workspace set price_tolerance = ${pct} where id = ${workspaceId}`)
}

interface StoredTolerance {
  /** Percent; null: nothing is tolerated. */
  readonly pct: string | null
  readonly since: Instant
}

/** Tolerances that were ever set, oldest first, by the access log; the first counts for everything before it. */
export async function loadTolerances(tx: Queryable, workspaceId: string): Promise<readonly StoredTolerance[]> {
  const rows = await tx<StoredTolerance[]>`
    select content ->> 'price_tolerance' as pct, at as since from access_entry
    where scope = ${workspaceId} and kind = 'settings' and subject = ${workspaceId} order by number`
  return rows.map((row, i) => (i === 0 ? { ...row, since: '' } : row))
}

/** The workspace itself, as its people see it. */
export function loadWorkspace(sql: Sql, workspaceId: string): Promise<Workspace> {
  return withWorkspace(sql, workspaceId, tx => findWorkspace(tx, workspaceId))
}

/**
 * Renames a workspace by an entry, because receipts name their workspace. Its slug, which is in addresses, stays. Nothing is
 * noted where the name is the same.
 */
export function renameWorkspace(sql: Sql, workspaceId: string, given: string, by: Actor): Promise<Workspace> {
  const name = readWorkspaceName(given)
  return appending(sql, workspaceId, async (tx, log) => {
    const before = await findWorkspace(tx, workspaceId)
    if (before.name === name) return before
    const facts = { name, nameBefore: before.name }
    await appendEntry(tx, log, 'workspace', { subject: workspaceId, facts })
    await tx`update workspace set name = ${name} where id = ${workspaceId}`
    await noteActivity(tx, workspaceId, {
      ...by,
      act: 'workspace.change',
      what: `workspace renamed from ${before.name}`,
      subject: name,
    })
    return { ...before, name }
  })
}
