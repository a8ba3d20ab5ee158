// Calendar feeds: addresses that a calendar program fetches without signing in. The token in an address is the secret: a keyed
// digest of it is kept, and it is shown once. A feed belongs to a person, shows what they see and ends with their place; or it
// belongs to the workspace. A feed counts while its row equals the access log.
import { timingSafeEqual } from 'node:crypto'
import { Refusal } from '../../core/refusal.ts'
import { readOneLine } from '../../core/text/one-line.ts'
import type { Instant } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import type { KeyedDigests } from '../keys/key-ring.ts'
import { confirmAccess, confirmAll, recordsAccess } from '../log/access-log.ts'
import { type Queryable, type Sql, type Transaction, withWorkspace } from '../postgres/database.ts'
import { makeIdentifier } from '../postgres/identifier.ts'
import { type Actor, noteActivity } from '../workspaces/activity.ts'
import { makeFeedToken } from '../workspaces/key-format.ts'
import { loadPlace } from './confirmed-people.ts'
import { feedBounds } from './feed-bounds.ts'
import type { Member } from './member.ts'

export const feedContents = ['ALL', 'RELEASES', 'DATES'] as const
export type FeedContent = (typeof feedContents)[number]

/** Content of a feed, and its agreements; null for all that are seen. */
interface FeedFilter {
  readonly shows: FeedContent
  readonly agreementIds: readonly string[] | null
}

export interface Feed extends FeedFilter {
  readonly id: string
  readonly name: string
  /** The person; null for a feed of the workspace. */
  readonly personId: string | null
  readonly email: string | null
  readonly lastFour: string
  readonly createdAt: Instant
  readonly revokedAt: Instant | null
  readonly lastUsedAt: Instant | null
}

interface NewFeed extends FeedFilter {
  readonly workspaceId: string
  readonly name: string
  readonly personId: string | null
  readonly by: Actor
}

interface IssuedFeed {
  readonly id: string
  readonly name: string
  /** Token in clear: to be shown once. */
  readonly token: string
}

export function createFeed(sql: Sql, digests: KeyedDigests, given: NewFeed): Promise<IssuedFeed> {
  const { workspaceId, personId, shows, agreementIds, by } = given
  const name = readOneLine(given.name, "a feed's name", limits.namesLength)
  const token = makeFeedToken()
  const id = makeIdentifier('fed')
  return withWorkspace(sql, workspaceId, async tx => {
    recordsAccess(tx)
    await refuseTooMany(tx, workspaceId, personId)
    await tx`
      insert into feed (workspace_id, id, person_id, name, shows, agreement_ids, digest, last_four, made_by)
      values (${workspaceId}, ${id}, ${personId}, ${name}, ${shows}, ${agreementIds as string[] | null}::text[],
        ${digests.make(token)}, ${token.slice(-4)}, ${by.who})`
    await noteActivity(tx, workspaceId, {
      ...by,
      act: 'feed.create',
      what: 'calendar feed created',
      subject: `${name} (${id})`,
    })
    return { id, name, token }
  })
}

/** Refuses a feed over the bound; revoked feeds do not count. */
async function refuseTooMany(tx: Transaction, workspaceId: string, personId: string | null): Promise<void> {
  const [row] = await tx<{ live: number }[]>`
    select count(*) as live from feed where workspace_id = ${workspaceId} and revoked_at is null
      and person_id is not distinct from ${personId}`
  if (row!.live >= feedBounds.each)
    throw new Refusal('conflict', `there are ${feedBounds.each} feeds already; revoke one that is not used`)
}

/** Feeds, newest first; of one person, of the workspace itself (`null`), or of all. */
export function listFeeds(sql: Sql, workspaceId: string, of: string | null | 'all' = 'all'): Promise<readonly Feed[]> {
  return withWorkspace(sql, workspaceId, async tx => {
    const rows = await tx<Feed[]>`
      select f.id, f.name, f.person_id as "personId", p.email, f.shows, f.agreement_ids as "agreementIds",
        f.last_four as "lastFour", f.created_at as "createdAt", f.revoked_at as "revokedAt", f.last_used_at as "lastUsedAt"
      from feed f left join person p on p.id = f.person_id
      where f.workspace_id = ${workspaceId} ${of === 'all' ? tx`` : tx`and f.person_id is not distinct from ${of}`}
      order by f.id desc`
    const said = await confirmAll(
      tx,
      'feed',
      workspaceId,
      rows.map(({ id }) => id),
    )
    return rows.filter(({ id }) => said.get(id) !== undefined)
  })
}

/** Revokes a feed of one person, of the workspace itself, or of anybody. Revoking twice is no error; the first time counts. */
export async function revokeFeed(
  sql: Sql,
  workspaceId: string,
  id: string,
  { of, by }: { readonly of: string | null | 'anybody'; readonly by: Actor },
): Promise<void> {
  await withWorkspace(sql, workspaceId, async tx => {
    recordsAccess(tx)
    const [feed] = await tx<{ name: string; revokedAt: Instant | null }[]>`
      select name, revoked_at as "revokedAt" from feed where workspace_id = ${workspaceId} and id = ${id}
        ${of === 'anybody' ? tx`` : tx`and person_id is not distinct from ${of}`} for update`
    if (feed === undefined) throw noSuchFeed(id)
    if (feed.revokedAt !== null) return
    await tx`update feed set revoked_at = clock_timestamp() where workspace_id = ${workspaceId} and id = ${id}`
    await noteActivity(tx, workspaceId, {
      ...by,
      act: 'feed.revoke',
      what: 'calendar feed revoked',
      subject: `${feed.name} (${id})`,
    })
  })
}

/** Workspace of a feed, for the operator, who revokes by the id alone. */
export async function findWorkspaceOfFeed(owner: Queryable, id: string): Promise<string> {
  const [row] = await owner<{ workspace_id: string }[]>`select workspace_id from feed where id = ${id}`
  if (row === undefined) throw noSuchFeed(id)
  return row.workspace_id
}

function noSuchFeed(id: string): Refusal {
  return new Refusal('not-found', `there is no feed "${id}"`)
}

/** The feed that a token opens. */
export interface OpenFeed extends FeedFilter {
  readonly workspaceId: string
  readonly id: string
  readonly name: string
  readonly createdAt: Instant
  /** The member whose sight it has; null for the workspace's. */
  readonly member: Member | null
}

interface FoundFeed extends FeedFilter {
  readonly workspaceId: string
  readonly id: string
  readonly personId: string | null
  readonly name: string
  readonly createdAt: Instant
  readonly digest: Buffer
  readonly revokedAt: Instant | null
}

/** Finds a feed; null for a token that opens nothing, after the same look at the database. */
export async function findFeed(sql: Sql, digests: KeyedDigests, token: string): Promise<OpenFeed | null> {
  const all = digests.all(token)
  const [found] = await sql<FoundFeed[]>`
    select workspace_id as "workspaceId", id, person_id as "personId", shows, agreement_ids as "agreementIds", name,
      created_at as "createdAt", digest, revoked_at as "revokedAt"
    from unnest(${all.map(digest => digest.toString('hex'))}::text[]) as asked (hex), find_feed(decode(asked.hex, 'hex'))`
  const [said] = await confirmAccess(sql, [
    { kind: 'feed', scope: found?.workspaceId ?? nowhere, subject: found?.id ?? nowhere },
  ])
  const scope = found?.workspaceId ?? nowhere
  const member = await withWorkspace(sql, scope, tx => loadPlace(tx, scope, found?.personId ?? nowhere))
  if (found === undefined || said == null || !isSaid(found, said)) return null
  if (!all.some(digest => timingSafeEqual(digest, found.digest))) return null
  const { workspaceId, id, personId, name, createdAt, shows, agreementIds } = found
  if (personId !== null && member === null) return null
  if (!found.digest.equals(all[0]!)) await renewDigest(sql, found, all[0]!)
  return { workspaceId, id, name, createdAt, shows, agreementIds, member }
}

/** Renews a digest made under an earlier secret: from now on it depends on the current one. */
async function renewDigest(sql: Sql, { workspaceId, id, digest: known }: FoundFeed, digest: Buffer): Promise<void> {
  await withWorkspace(sql, workspaceId, async tx => {
    recordsAccess(tx)
    await tx`
      update feed set digest = ${digest} where workspace_id = ${workspaceId} and id = ${id} and digest = ${known}`
  }).catch(() => {})
}

/** No workspace has this id. */
const nowhere = 'wsp_00000000000000000000000000'

interface FeedRecord {
  readonly digest: string
  readonly shows: string
  readonly person_id?: string
  readonly agreement_ids?: readonly string[]
  readonly revoked_at?: string
}

/** Whether the row equals the log and was not revoked. */
function isSaid(found: FoundFeed, said: FeedRecord): boolean {
  return (
    found.revokedAt === null &&
    said.revoked_at === undefined &&
    said.digest === `\\x${found.digest.toString('hex')}` &&
    said.shows === found.shows &&
    (said.person_id ?? null) === found.personId &&
    JSON.stringify(said.agreement_ids ?? null) === JSON.stringify(found.agreementIds)
  )
}
