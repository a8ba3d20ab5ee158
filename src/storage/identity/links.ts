// Links of accounts to identities at providers: made when somebody accepts an invitation through the provider, or joins by a
// group, and never by an e-mail address. The account is always the one that the invitation made, so a provider opens one
// workspace and no other.
import { Refusal } from '../../core/refusal.ts'
import type { Role } from '../../core/roles.ts'
import type { Instant } from '../../core/time/instant.ts'
import { changingAccess, confirmOne, recordsAccess } from '../log/access-log.ts'
import { appending, type OpenLog } from '../log/append.ts'
import type { MemberState, SignIn } from '../people/member.ts'
import { changeMember } from '../people/member-changes.ts'
import { endSecretsOf } from '../people/membership-end.ts'
import { lockedHash } from '../people/password.ts'
import { enterByLink, findAccount, findOpenLink, linkGone, loadMemberStates } from '../people/people.ts'
import { loadSignInGround } from '../people/sign-ins.ts'
import { inWorkspace, type Queryable, type Sql, type Transaction, withWorkspace } from '../postgres/database.ts'
import { makeIdentifier } from '../postgres/identifier.ts'
import { noteActivity } from '../workspaces/activity.ts'
import type { FoundProvider, IdentityProvider } from './providers.ts'

/** Somebody as a provider names them, and their account here. */
export interface IdentityLink {
  readonly id: string
  readonly account: SignIn
  readonly member: MemberState
}

interface LinkRow {
  readonly id: string
  readonly personId: string
}

/**
 * Finds a link; null where nobody is linked, or only with SQL alone, and where the account or the place is gone, or of another
 * party.
 */
export async function findLink(sql: Sql, provider: IdentityProvider, subject: string): Promise<IdentityLink | null> {
  const { workspaceId } = provider
  const found = await withWorkspace(sql, workspaceId, async tx => {
    const [row] = await tx<LinkRow[]>`
      select id, person_id as "personId" from identity_link
      where workspace_id = ${workspaceId} and provider_id = ${provider.id} and subject = ${subject}`
    const said = row === undefined ? null : await confirmOne(tx, 'identity', workspaceId, row.id)
    const isSaid = said?.subject === subject && said.provider_id === provider.id && said.person_id === row?.personId
    const members = isSaid ? await loadMemberStates(tx, workspaceId) : []
    const member = members.find(({ id, hasJoined }) => id === row?.personId && hasJoined)
    return member === undefined || member.company !== provider.party ? null : { id: row!.id, member }
  })
  const account = found === null ? null : await findAccount(sql, found.member.id)
  return found === null || account === null ? null : { ...found, account }
}

interface Arriving {
  readonly subject: string
  readonly now: Instant
  readonly fromAddress: string
}

/** Uses the one-time link up. Refuses one that is not for people of this provider. */
export async function joinByLink(
  sql: Sql,
  provider: FoundProvider,
  token: string,
  { subject, now, fromAddress }: Arriving,
): Promise<void> {
  const { workspaceId, party, issuer } = provider
  const place = await findOpenLink(sql, token, now)
  if (place === null || place.workspaceId !== workspaceId) throw linkGone()
  const { salts: seen } = await loadSignInGround(sql, place.email, '')
  const joining = { known: null, hash: lockedHash(seen), seen }
  await appending(sql, workspaceId, async (tx, log) => {
    const invited = (await loadMemberStates(tx, workspaceId)).find(({ id }) => id === place.personId)
    if (invited === undefined) throw linkGone()
    if (invited.company !== party) throw otherParty()
    const facts = { identity: { issuer, subject } }
    const entered = await enterByLink(tx, log, { token, place, joining, now, fromAddress, facts, isByProvider: true })
    if (entered === null) throw linkGone()
    await addLink(tx, log, provider, subject, entered.personId)
  })
}

function otherParty(): Refusal {
  return new Refusal('forbidden', 'this identity provider signs in people of another party than the invitation is for')
}

/** Links an account that has just joined and has no password. */
export async function addLink(
  tx: Transaction,
  { scope }: OpenLog,
  { id: providerId }: IdentityProvider,
  subject: string,
  personId: string,
): Promise<void> {
  recordsAccess(tx)
  const [row] = await tx`
    insert into identity_link (workspace_id, id, provider_id, subject, person_id)
    values (${scope}, ${makeIdentifier('idl')}, ${providerId}, ${subject}, ${personId})
    on conflict (workspace_id, provider_id, subject) do nothing returning 1`
  if (row === undefined)
    throw new Refusal(
      'conflict',
      'this identity belongs to somebody here already; sign in with it, or ask an owner to remove the one you no longer use',
    )
}

export async function noteSignIn(sql: Sql, { workspaceId }: IdentityProvider, linkId: string): Promise<void> {
  await inWorkspace(sql, workspaceId)`
    update identity_link set last_at = clock_timestamp() where workspace_id = ${workspaceId} and id = ${linkId}`
}

/** Applies the role that the groups give now. The last owner stays one, so that the workspace keeps one. */
export async function followRole(
  sql: Sql,
  { workspaceId, issuer }: IdentityProvider,
  member: MemberState,
  role: Role,
): Promise<void> {
  if (member.role === role) return
  const by = { who: issuer, fromAddress: null }
  await changeMember(sql, workspaceId, member.id, { role }, by).catch(error => {
    if (!(error instanceof Refusal && error.kind === 'conflict')) throw error
  })
}

/** Ends the access of somebody who is in no group any more that has it: open sessions end at once, and signatures stay. */
export async function loseAccess(
  sql: Sql,
  { id: providerId, workspaceId, issuer }: IdentityProvider,
  { member }: IdentityLink,
  subject: string,
): Promise<void> {
  await endSessionsOf(sql, [providerId], { subject, session: null })
  const by = { who: issuer, fromAddress: null }
  await withWorkspace(sql, workspaceId, async tx => {
    recordsAccess(tx)
    await tx`
      update feed set revoked_at = clock_timestamp()
      where workspace_id = ${workspaceId} and person_id = ${member.id} and revoked_at is null`
    await endSecretsOf(tx, workspaceId, member.email, by)
    await noteActivity(tx, workspaceId, {
      ...by,
      act: 'access.lose',
      what: 'lost access: in no group that has it',
      subject: member.email,
    })
  })
}

/** Ends sessions of a subject of these providers, or one session there; returns their number. */
export function endSessionsOf(
  sql: Queryable,
  providers: readonly string[],
  { subject, session }: { readonly subject: string | null; readonly session: string | null },
): Promise<number> {
  return changingAccess(sql, async tx => {
    const [row] = await tx<{ ended: number }[]>`
      select end_identity_sessions(${[...providers]}::text[], ${subject}, ${session}) as ended`
    return row!.ended
  })
}

interface LinkedPerson {
  readonly personId: string
  readonly providerId: string
  readonly lastAt: Instant | null
}

/** Everybody in the workspace who signs in by a provider. */
export function loadLinks(tx: Transaction, workspaceId: string): Promise<readonly LinkedPerson[]> {
  return tx<LinkedPerson[]>`
    select person_id as "personId", provider_id as "providerId", last_at as "lastAt" from identity_link
    where workspace_id = ${workspaceId} order by person_id`
}
