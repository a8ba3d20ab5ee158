// API keys. Only a keyed digest of each is kept, and its last four characters; the key itself is shown once, to the
// person who created it, and never appears in a message or a log.
import { timingSafeEqual } from 'node:crypto'
import type { KeyScope } from '../../core/people/key-scope.ts'
import { Refusal } from '../../core/refusal.ts'
import { readOneLine } from '../../core/text/one-line.ts'
import { type Instant, parseInstant } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import type { KeyedDigests } from '../keys/key-ring.ts'
import { confirmAccess, confirmOne, recordsAccess } from '../log/access-log.ts'
import { inWorkspace, type Queryable, type Sql, type Transaction, withWorkspace } from '../postgres/database.ts'
import { makeIdentifier } from '../postgres/identifier.ts'
import { type Actor, noteActivity } from './activity.ts'
import { isWellFormedKey, makeKey } from './key-format.ts'
import { enforceQuota, lockForQuota } from './quotas.ts'
import { workspaceRateLimitOf } from './workspace-limits.ts'

export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly scope: KeyScope
  readonly lastFour: string
  /** Person who made it, and knows it. */
  readonly madeBy: string
  readonly createdAt: Instant
  readonly expiresAt: Instant | null
  readonly revokedAt: Instant | null
  readonly lastUsedAt: Instant | null
}

/** The key in clear: to be shown once. */
export interface IssuedApiKey {
  readonly id: string
  readonly key: string
  readonly name: string
  readonly scope: KeyScope
  readonly expiresAt: Instant | null
}

/** Rights of a request with a known key, while it lives: http/frame/key-check.ts decides that at each request. */
export interface ApiKeyAccess {
  readonly workspaceId: string
  readonly workspaceSlug: string
  /** Requests a minute of this key, and of all keys of its workspace together. */
  readonly rateLimit: number
  readonly workspaceRateLimit: number
  readonly id: string
  readonly name: string
  readonly scope: KeyScope
  readonly expiresAt: Instant | null
  readonly revokedAt: Instant | null
}

/** LISTEN here for keys whose life changed; the message is the key's id. */
export const apiKeyChannel = 'assize_keys'

interface NewApiKey {
  readonly workspaceId: string
  readonly name: string
  /** Scope; `read` by default. */
  readonly scope?: KeyScope
  readonly expiresAt: Instant | null
  /** Maker, noted with it; the key ends with their place. The operator by default. */
  readonly by?: Actor
}

export async function createApiKey(sql: Sql, digests: KeyedDigests, given: NewApiKey): Promise<IssuedApiKey> {
  const { workspaceId, by } = given
  const name = readOneLine(given.name, "a key's name", limits.namesLength)
  return withWorkspace(sql, workspaceId, async tx => {
    const issued = await insertKey(tx, digests, { ...given, name })
    if (by !== undefined)
      await noteActivity(tx, workspaceId, {
        ...by,
        act: 'key.create',
        what: createdWords(issued),
        subject: subjectOf(issued),
      })
    return issued
  })
}

async function insertKey(tx: Transaction, digests: KeyedDigests, given: NewApiKey): Promise<IssuedApiKey> {
  const { workspaceId, name, scope = 'read', expiresAt, by } = given
  recordsAccess(tx)
  await lockForQuota(tx, workspaceId)
  const key = makeKey()
  const id = makeIdentifier('key')
  await tx`
    insert into api_key (workspace_id, id, name, key_scope, digest, last_four, expires_at, made_by)
    values (${workspaceId}, ${id}, ${name}, ${scope}, ${digests.make(key)}, ${key.slice(-4)}, ${expiresAt},
      ${by?.who ?? 'operator'})`
  await enforceQuota(tx, workspaceId, 'keys')
  await refuseTooManyKept(tx, workspaceId)
  return { id, key, name, scope, expiresAt }
}

/** Ended keys stay, so that an old request still has the name of its key. */
async function refuseTooManyKept(tx: Transaction, workspaceId: string): Promise<void> {
  const [row] = await tx<{ kept: number }[]>`select count(*) as kept from api_key where workspace_id = ${workspaceId}`
  if (row!.kept > limits.keysKept)
    throw new Refusal(
      'conflict',
      `a workspace keeps at most ${limits.keysKept} keys, ended ones included, and has as many`,
    )
}

/** Words for the creation, with the scope of a key that reads money. */
function createdWords({ scope }: IssuedApiKey): string {
  return scope === 'read' ? 'key created' : `key created, scope ${scope}`
}

/** Name of a key in the activity, by which it is found again. */
function subjectOf({ name, id }: Pick<ApiKey, 'name' | 'id'>): string {
  return `${name} (${id})`
}

export function listApiKeys(sql: Sql, workspaceId: string): Promise<readonly ApiKey[]> {
  return inWorkspace(sql, workspaceId)<ApiKey[]>`
    select id, name, key_scope as scope, last_four as "lastFour", made_by as "madeBy", created_at as "createdAt",
      expires_at as "expiresAt", revoked_at as "revokedAt", last_used_at as "lastUsedAt"
    from api_key where workspace_id = ${workspaceId} order by id`
}

/** Lists keys as they stood at a moment, by the access log. */
export function listApiKeysAt(
  sql: Sql,
  workspaceId: string,
  at: Instant,
): Promise<readonly Pick<ApiKey, 'id' | 'expiresAt' | 'revokedAt'>[]> {
  return inWorkspace(sql, workspaceId)<Pick<ApiKey, 'id' | 'expiresAt' | 'revokedAt'>[]>`
    select distinct on (subject) subject as id, (content ->> 'expires_at')::timestamptz as "expiresAt",
      (content ->> 'revoked_at')::timestamptz as "revokedAt"
    from access_entry where scope = ${workspaceId} and kind = 'key' and at <= ${at} order by subject, number desc`
}

interface ApiKeyState extends ApiKey {
  /** State by the database's clock. */
  readonly state: 'live' | 'expired' | 'revoked'
}

/** Keys with their states, newest first. */
export function listApiKeyStates(sql: Sql, workspaceId: string): Promise<readonly ApiKeyState[]> {
  return withWorkspace(sql, workspaceId, tx => loadStates(tx, workspaceId))
}

function loadStates(tx: Transaction, workspaceId: string): Promise<readonly ApiKeyState[]> {
  return tx<ApiKeyState[]>`
    select id, name, key_scope as scope, last_four as "lastFour", made_by as "madeBy", created_at as "createdAt",
      expires_at as "expiresAt", revoked_at as "revokedAt", last_used_at as "lastUsedAt",
      case when revoked_at <= clock_timestamp() then 'revoked' when expires_at <= clock_timestamp() then 'expired'
        else 'live' end as state
    from api_key where workspace_id = ${workspaceId} order by id desc`
}

/** A bad checksum is refused without asking the database. */
export async function findApiKey(sql: Sql, digests: KeyedDigests, key: string): Promise<ApiKeyAccess | null> {
  if (!isWellFormedKey(key)) return null
  const [access] = await findApiKeys(sql, [digests.all(key)])
  return access!
}

/**
 * Finds keys in one query, each by the digests that it may have, the current one first; in the order asked, null for keys that
 * were never issued. A key whose digest was made under an earlier secret depends on the current one from then on.
 */
export async function findApiKeys(
  sql: Sql,
  asked: readonly (readonly Buffer[])[],
): Promise<readonly (ApiKeyAccess | null)[]> {
  type Row = Omit<ApiKeyAccess, 'workspaceRateLimit'> & { workspaceRateLimit: number | null }
  const each = asked.flatMap((digests, place) => digests.map(digest => ({ digest, place })))
  const rows = await sql<(Row & { place: number; digest: Buffer })[]>`
    select asked.place, found.workspace_id as "workspaceId", found.workspace_slug as "workspaceSlug",
      found.rate_limit as "rateLimit", found.workspace_rate_limit as "workspaceRateLimit", found.id, found.name,
      found.key_scope as scope, found.digest, found.expires_at as "expiresAt",
      found.revoked_at as "revokedAt"
    from unnest(${each.map(({ digest }) => digest.toString('hex'))}::text[], ${each.map(({ place }) => place)}::integer[]) as asked (digest, place),
      find_api_key(decode(asked.digest, 'hex')) as found`
  const said = await confirmAccess(
    sql,
    rows.map(({ workspaceId, id }) => ({ kind: 'key', scope: workspaceId, subject: id })),
  )
  const found = asked.map((): ApiKeyAccess | null => null)
  for (const [i, { place, digest, ...access }] of rows.entries()) {
    const facts = said[i] ?? null
    const isKnown =
      facts !== null && facts.digest === `\\x${digest.toString('hex')}` && facts.key_scope === access.scope
    const [current] = asked[place]!
    if (isKnown && asked[place]!.some(other => timingSafeEqual(digest, other))) {
      if (!digest.equals(current!)) await renewDigest(sql, access, digest, current!)
      found[place] = {
        ...access,
        name: facts.name,
        expiresAt: instantOf(facts.expires_at),
        revokedAt: instantOf(facts.revoked_at),
        workspaceRateLimit: workspaceRateLimitOf(access),
      }
    }
  }
  return found
}

/** Renews a digest, unless the database only reads: the key works without it, and is asked for again. */
async function renewDigest(
  sql: Sql,
  { workspaceId, id }: Pick<ApiKeyAccess, 'workspaceId' | 'id'>,
  known: Buffer,
  digest: Buffer,
): Promise<void> {
  await withWorkspace(sql, workspaceId, async tx => {
    recordsAccess(tx)
    await tx`
      update api_key set digest = ${digest}
      where workspace_id = ${workspaceId} and id = ${id} and digest = ${known}`
  }).catch(() => {})
}

/** Instant in the log. One that cannot be read counts as long past. */
function instantOf(text: string | undefined): Instant | null {
  return text === undefined ? null : (parseInstant(text) ?? '')
}

/**
 * Whether a key lives, for lists and commands. Requests are stricter: to them a key with any `revokedAt` is revoked, whatever the
 * clocks say.
 */
export function isLive(access: Pick<ApiKeyAccess, 'expiresAt' | 'revokedAt'>, now: Instant): boolean {
  return (access.revokedAt === null || access.revokedAt > now) && (access.expiresAt === null || access.expiresAt > now)
}

/** Revoking twice is not an error; the first time counts, and it alone is noted. */
export async function revokeApiKey(sql: Sql, workspaceId: string, id: string, by?: Actor): Promise<void> {
  await changeLife(sql, workspaceId, id, async tx => {
    const [key] = await tx<{ name: string }[]>`
      update api_key set revoked_at = clock_timestamp()
      where workspace_id = ${workspaceId} and id = ${id} and revoked_at is null returning name`
    if (key !== undefined && by !== undefined)
      await noteActivity(tx, workspaceId, {
        ...by,
        act: 'key.revoke',
        what: 'key revoked',
        subject: subjectOf({ ...key, id }),
      })
    return tx`select 1 from api_key where workspace_id = ${workspaceId} and id = ${id}`
  })
}

interface Rotation {
  readonly workspaceId: string
  readonly id: string
  readonly overlapHours: number
  readonly by: Actor
}

/** A new key in the place of a live one, of the same name and scope and for as long; the old one goes on for the overlap. */
export function rotateApiKey(sql: Sql, digests: KeyedDigests, rotation: Rotation): Promise<IssuedApiKey> {
  const { workspaceId, id, overlapHours, by } = rotation
  return withWorkspace(sql, workspaceId, async tx => {
    await tx`select 1 from api_key where workspace_id = ${workspaceId} and id = ${id} for update`
    const old = (await loadStates(tx, workspaceId)).find(key => key.id === id)
    // A key that was changed with SQL alone is not made into another.
    const isKnown = old !== undefined && (await confirmOne(tx, 'key', workspaceId, id)) !== null
    if (!isKnown) throw new Refusal('not-found', `there is no key "${id}"`)
    if (old.state !== 'live')
      throw new Refusal('conflict', `the key ${old.name} is ${old.state} and cannot be rotated; create a new one`)
    const [ends] = await tx<{ expiresAt: Instant | null }[]>`
      update api_key set expires_at = least(expires_at, clock_timestamp() + make_interval(hours => ${overlapHours}))
      where workspace_id = ${workspaceId} and id = ${id}
      returning clock_timestamp() + (${old.expiresAt}::timestamptz - created_at) as "expiresAt"`
    const issued = await insertKey(tx, digests, {
      workspaceId,
      name: old.name,
      scope: old.scope,
      expiresAt: ends!.expiresAt,
      by,
    })
    const what = `key rotated; the old one ${overlapHours === 0 ? 'ended' : `goes on for ${overlapHours} h at most`}`
    await noteActivity(tx, workspaceId, { ...by, act: 'key.create', what, subject: subjectOf(issued) })
    await tx`select pg_notify(${apiKeyChannel}, ${id})`
    return issued
  })
}

/** Retires a key with a grace time: it goes on until `until`, unless its end comes before. */
export async function retireApiKey(sql: Sql, workspaceId: string, id: string, until: Instant): Promise<void> {
  await changeLife(
    sql,
    workspaceId,
    id,
    tx => tx`
    update api_key set expires_at = least(expires_at, ${until}::timestamptz)
    where workspace_id = ${workspaceId} and id = ${id}`,
  )
}

async function changeLife(
  sql: Sql,
  workspaceId: string,
  id: string,
  change: (tx: Transaction) => PromiseLike<{ readonly count: number }>,
): Promise<void> {
  await withWorkspace(sql, workspaceId, async tx => {
    recordsAccess(tx)
    const { count } = await change(tx)
    if (count === 0) throw new Refusal('not-found', `there is no key "${id}"`)
    await tx`select pg_notify(${apiKeyChannel}, ${id})`
  })
}

/** Finds the workspace of a key for the operator, who revokes by the key's id alone. */
export async function findWorkspaceOfKey(owner: Queryable, id: string): Promise<string> {
  const [row] = await owner<{ workspace_id: string }[]>`select workspace_id from api_key where id = ${id}`
  if (row === undefined) throw new Refusal('not-found', `there is no key "${id}"`)
  return row.workspace_id
}

/** Gathers the uses of keys and writes them down now and then: not a write per request. The caller of `flush` decides when. */
export class ApiKeyUses {
  readonly #sql: Queryable
  readonly #seen = new Map<string, { readonly workspaceId: string; readonly at: Instant }>()

  constructor(sql: Queryable) {
    this.#sql = sql
  }

  note(access: Pick<ApiKeyAccess, 'id' | 'workspaceId'>, at: Instant): void {
    this.#seen.set(access.id, { workspaceId: access.workspaceId, at })
  }

  async flush(): Promise<void> {
    if (this.#seen.size === 0) return
    const uses = [...this.#seen]
    this.#seen.clear()
    const workspaces = uses.map(([, use]) => use.workspaceId)
    const ids = uses.map(([id]) => id)
    const times = uses.map(([, use]) => use.at)
    await this.#sql`
      select record_api_key_use(${workspaces}::text[], ${ids}::text[], ${times}::timestamptz[])`
  }
}
