// The quotas of a workspace and what it uses. Code that adds rows calls `enforceQuota` afterwards, in the same
// transaction: over a quota it refuses, and nothing of the transaction remains. Counters are kept by the database with
// every insert. It deletes nothing: a quota below what is stored only refuses what is new.
import { Refusal } from '../../core/refusal.ts'
import { formatCount } from '../../core/text/words.ts'
import { limits } from '../../limits.ts'
import { publicScope, type Queryable, type Transaction } from '../postgres/database.ts'

export type QuotaKind = keyof typeof limits.quotas
export const quotaKinds = Object.keys(limits.quotas) as readonly QuotaKind[]

const words: Readonly<Record<QuotaKind, string>> = {
  agreements: 'agreements',
  series: 'series, its own and followed ones together,',
  keys: 'live keys',
  vintages: 'vintages',
  people: 'people',
  uploads: 'files that are read at the same time',
  prices: 'items of price lists and declared quantities',
  lines: 'kept invoice lines',
}

/** Name of its option in commands: for agreements it is `max-formulas`. */
export function quotaOption(kind: QuotaKind): string {
  return kind === 'agreements' ? 'max-formulas' : `max-${kind}`
}

export interface Quota {
  readonly kind: QuotaKind
  readonly most: number
  /** Nobody has set it for this workspace. */
  readonly isDefault: boolean
  /** Used amount; `null` for uploads, which each server counts for itself. */
  readonly used: number | null
}

export interface WorkspaceQuotas {
  readonly slug: string
  readonly quotas: readonly Quota[]
}

/** A row of the view `workspace_standing`; limits are null where the default applies. */
export type StandingRow = Readonly<Record<`max_${QuotaKind}`, number | null>> &
  Readonly<Record<`used_${Exclude<QuotaKind, 'uploads'>}`, number>> & { readonly id: string; readonly slug: string }

export function quotasOf(row: StandingRow): WorkspaceQuotas {
  const quotas = quotaKinds.map(kind => {
    const set = row[`max_${kind}`]
    const used = kind === 'uploads' ? null : row[`used_${kind}`]
    return { kind, most: set ?? limits.quotas[kind], isDefault: set === null, used }
  })
  return { slug: row.slug, quotas }
}

/** Quotas, read inside a transaction of the workspace, or by the owner. */
export async function loadQuotas(sql: Queryable, workspaceId: string): Promise<WorkspaceQuotas> {
  const [row] = await sql<StandingRow[]>`select * from workspace_standing where id = ${workspaceId}`
  if (row === undefined) throw new Refusal('not-found', `there is no workspace "${workspaceId}"`)
  return quotasOf(row)
}

export async function loadAllQuotas(owner: Queryable): Promise<ReadonlyMap<string, WorkspaceQuotas>> {
  const rows = await owner<StandingRow[]>`select * from workspace_standing`
  return new Map(rows.map(row => [row.id, quotasOf(row)]))
}

export async function loadQuota(sql: Queryable, workspaceId: string, kind: QuotaKind): Promise<Quota> {
  const { quotas } = await loadQuotas(sql, workspaceId)
  return quotas.find(each => each.kind === kind)!
}

/** Sentence that `count` of a kind are too many, and who can raise the limit. */
export function overQuota(slug: string, { kind, most }: Quota, count: number): string {
  return `this workspace may have at most ${formatCount(most)} ${words[kind]} and would have ${formatCount(count)}; ${whoCanRaise(slug, kind)}`
}

/** Words for a person at a page and at a command line alike. */
export function whoCanRaise(slug: string, kind: QuotaKind): string {
  return `an operator of this installation can raise the limit on the Installation page, or with assize workspace set ${slug} --${quotaOption(kind)} N`
}

/**
 * Enforces a quota after rows were added, before the transaction ends. Formulas, series and vintages are added under the entry's
 * lock; for keys and people the workspace is locked first (`lockForQuota`), so that of two who add the last one the second is
 * refused. Public series belong to no workspace.
 */
export async function enforceQuota(tx: Transaction, workspaceId: string, kind: QuotaKind): Promise<void> {
  if (workspaceId !== publicScope) await refuseOverQuota(tx, workspaceId, kind, 0)
}

/** Refuses additions over a quota at a first look, before the work of adding them. */
export async function refuseOverQuota(
  tx: Queryable,
  workspaceId: string,
  kind: QuotaKind,
  adding: number,
): Promise<void> {
  const { slug, quotas } = await loadQuotas(tx, workspaceId)
  const quota = quotas.find(each => each.kind === kind)!
  const count = (quota.used ?? 0) + adding
  if (count > quota.most) throw new Refusal('conflict', overQuota(slug, quota, count))
}

/** Locks the workspace: additions at the same time wait as entries wait for each other. */
export async function lockForQuota(tx: Transaction, workspaceId: string): Promise<void> {
  await tx`select set_config('lock_timeout', ${String(limits.publishLockTimeoutMs)}, true)`
  await tx`select 1 from workspace where id = ${workspaceId} for no key update`
  await tx`set local lock_timeout to default`
}
