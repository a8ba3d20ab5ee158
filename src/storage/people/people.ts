// People and their place in workspaces. An invitation makes an account of its own, whatever accounts the address has elsewhere;
// the person who opens its one-time link sets a password for it, or joins with the password of an account they have. So no
// workspace learns anything from another, gives anything to it or takes anything away (decision 0410).

import { createHash, randomBytes } from 'node:crypto'
import { Refusal } from '../../core/refusal.ts'
import type { Role } from '../../core/roles.ts'
import type { Json } from '../../core/text/canonical-json.ts'
import { isOneLine, readOneLine } from '../../core/text/one-line.ts'
import type { Instant } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import { changingAccess, recordsAccess } from '../log/access-log.ts'
import { appending, type OpenLog } from '../log/append.ts'
import { rowSealsOf } from '../log/row-seals.ts'
import { type Queryable, type Sql, type Transaction, withWorkspace } from '../postgres/database.ts'
import { makeIdentifier } from '../postgres/identifier.ts'
import { type Actor, noteActivity } from '../workspaces/activity.ts'
import { enforceQuota, lockForQuota } from '../workspaces/quotas.ts'
import { checkAdmits, checkInviter, checkJoining, isOutsider, ownersInvite } from './company-people.ts'
import { confirmMembers, confirmMemberships, confirmSignIns, isOpenLink } from './confirmed-people.ts'
import { makeRoomForInvitation } from './invitation-bounds.ts'
import type { Invitee, Member, MemberState, Membership, SignIn } from './member.ts'
import { findCompany, putIntoCompany } from './parties.ts'
import { checkPassword, hashPassword, hashUnder } from './password.ts'
import { refusePassword } from './password-rule.ts'
import { type Acting, appendPeopleEvent, linkFacts, loadActing, type NewPeopleEvent } from './people-events.ts'
import { sealAgain } from './sessions.ts'
import { findByHash, loadSignInGround } from './sign-ins.ts'

const uniqueViolation = '23505'

/** Reads an address in one spelling, or refuses it. */
export function readEmail(text: string): string {
  const email = text.trim().toLowerCase()
  if (!/^[^@\s]+@[^@\s]+$/.test(email) || email.length > limits.emailLength || !isOneLine(email))
    throw new Refusal('invalid', `an e-mail address such as ann@buyer.test is needed, got ${JSON.stringify(text)}`)
  return email
}

export interface Newcomer {
  readonly email: string
  readonly name?: string
  readonly role: Role
  /** Slug of the company. */
  readonly company?: string | null
}

/** Actor at the server itself: there is no address, and no person is named. */
const atTheMachine: Actor = { who: 'operator', fromAddress: null }

/** Adds the person to the workspace, as a new account that has not been used yet. */
export function createMember(
  sql: Sql,
  workspaceId: string,
  given: Newcomer,
  by: Actor = atTheMachine,
): Promise<Invitee> {
  return admitting(sql, workspaceId, given, by, tx => admit(tx, workspaceId, given, by))
}

/**
 * Runs `work` for a newcomer. Refuses a person who may not admit anybody to the company. The invitation and its maker are an
 * entry.
 */
export async function admitting<T>(
  sql: Sql,
  workspaceId: string,
  newcomer: Newcomer,
  by: Actor,
  work: (tx: Transaction, acting: Acting) => Promise<T>,
): Promise<T> {
  const { company = null, role } = newcomer
  const email = readEmail(newcomer.email)
  return appending(sql, workspaceId, async (tx, log) => {
    const acting = await loadActing(tx, workspaceId, by)
    await checkInviter(tx, workspaceId, acting, { email, role, company })
    if (company !== null) await findCompany(tx, workspaceId, company)
    await checkAdmits(tx, workspaceId, acting, company)
    await putIntoCompany(tx, log, email, company)
    const result = await work(tx, acting).catch(error => {
      throw isOutsider(acting) && error instanceof Refusal && error.kind === 'conflict' ? ownersInvite(email) : error
    })
    const event = { kind: 'INVITED', email, personId: null, party: company, facts: { role } } as const
    await appendPeopleEvent(tx, log, acting, event)
    return result
  })
}

export async function admit(
  tx: Transaction,
  workspaceId: string,
  { role, company = null, ...given }: Newcomer,
  { who, fromAddress }: Actor,
): Promise<Invitee> {
  const email = readEmail(given.email)
  const name = readOneLine(given.name ?? email.slice(0, email.indexOf('@')), "a person's name", limits.namesLength)
  recordsAccess(tx)
  await lockForQuota(tx, workspaceId)
  await makeRoomForInvitation(tx, workspaceId)
  const [row] = await tx<{ id: string }[]>`
    select admit_person(${makeIdentifier('usr')}, ${email}, ${name}, ${role}, ${who}, ${fromAddress}) as id`.catch(
    error => {
      if (error.code === uniqueViolation)
        throw new Refusal('conflict', `${email} is a member of this workspace already`)
      throw error
    },
  )
  await enforceQuota(tx, workspaceId, 'people')
  return { id: row!.id, email, name, role, company }
}

/**
 * Sets the password of somebody who has not joined, as if they had opened their link. Returns the account they now have in the
 * workspace.
 */
export async function setFirstPassword(
  sql: Sql,
  workspaceId: string,
  personId: string,
  password: string,
): Promise<string> {
  const member = (await listMembers(sql, workspaceId)).find(({ id }) => id === personId)
  const refused = new Refusal('conflict', 'this person is not a member here or has a password already')
  if (member === undefined) throw refused
  const joined = await joinAs(sql, member.email, password, ({ known, hash, seen }) =>
    appending(sql, workspaceId, async (tx, log) => {
      recordsAccess(tx)
      await refusePassword(tx, workspaceId, member)
      const [row] = await tx<{ id: string | null }[]>`
        select join_here(${personId}, ${known?.id ?? null}, ${hash}, ${[...seen]}) as id`
      const { id } = row!
      const event = { kind: 'JOINED', email: member.email, personId: id, party: member.company } as const
      const acting = await loadActing(tx, workspaceId, atTheMachine)
      if (id !== null) await appendPeopleEvent(tx, log, acting, event)
      return id
    }),
  )
  if (joined === null) throw refused
  return joined.outcome
}

/** The account with which somebody joins: one they have, by its password, or the one that was made for them. */
interface Joining {
  readonly known: SignIn | null
  readonly hash: string
  /** The salts of the address under which the password was tried. */
  readonly seen: readonly string[]
}

/** Accounts of the address that came up meanwhile are looked at too; `null` where the place itself is gone. */
async function joinAs<T>(
  sql: Queryable,
  email: string,
  password: string,
  enter: (joining: Joining) => Promise<T | null>,
): Promise<{ readonly outcome: T; readonly hash: string } | null> {
  checkPassword(password)
  for (let turn = 0; turn < limits.joiningTurns; turn++) {
    const { salts: seen } = await loadSignInGround(sql, email, '')
    const hashes = await hashUnder(seen, password)
    const known = await findByHash(sql, email, hashes, '')
    const hash = known?.passwordHash ?? hashes[0]!
    const outcome = await enter({ known, hash, seen })
    if (outcome !== null) return { outcome, hash }
  }
  return null
}

/** The token of a one-time link; `null` for somebody who has joined already and needs none. */
export function issueSetUpLink(
  sql: Sql,
  workspaceId: string,
  personId: string,
  expiresAt: Instant,
): Promise<string | null> {
  return withWorkspace(sql, workspaceId, tx => issueLink(tx, personId, expiresAt))
}

export async function issueLink(tx: Transaction, personId: string, expiresAt: Instant): Promise<string | null> {
  const token = randomBytes(32).toString('base64url')
  recordsAccess(tx)
  const [row] = await tx<{ done: boolean | null }[]>`
    select issue_set_up_link(${personId}, ${hashToken(token)}, ${expiresAt}::timestamptz) as done`
  return row?.done === true ? token : null
}

export function notHere(): Refusal {
  return new Refusal('not-found', 'this person is not in the workspace')
}

/** Digest of a token: it has 256 random bits, so a plain hash is enough. The log has the person of the link. */
function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** The part of a link that may be shown: the words of the inviting person. */
interface SetUpLink {
  readonly email: string
  readonly workspaceName: string
}

interface OpenLink extends SetUpLink {
  readonly personId: string
  readonly workspaceId: string
}

/** Finds a link; `null` when it is unknown, used or too old, or the invitation was withdrawn. */
export async function findOpenLink(sql: Queryable, token: string, now: Instant): Promise<OpenLink | null> {
  const hash = hashToken(token)
  const [link] = await sql<OpenLink[]>`
    select email, workspace_name as "workspaceName", person_id as "personId", workspace_id as "workspaceId"
    from find_set_up_link(${hash}, ${now}::timestamptz)`
  if (link === undefined) return null
  return (await isOpenLink(sql, { ...link, hash, now })) ? link : null
}

export async function findSetUpLink(sql: Queryable, token: string, now: Instant): Promise<SetUpLink | null> {
  const link = await findOpenLink(sql, token, now)
  return link === null ? null : { email: link.email, workspaceName: link.workspaceName }
}

interface Redemption {
  readonly personId: string
  readonly workspaceId: string
  readonly passwordHash: string
}

interface Redeeming {
  readonly fromAddress?: string | null
  /** Whether the password must be that of an account they have. */
  readonly isMember?: boolean
}

/**
 * Uses the link up: the person joins its workspace, by the password of an account of theirs or with a new account that gets it.
 * The two ways take the same work, and only the account itself shows which it was.
 */
export async function redeemSetUpLink(
  sql: Sql,
  token: string,
  password: string,
  now: Instant,
  { fromAddress = null, isMember = false }: Redeeming = {},
): Promise<Redemption> {
  const link = await findSetUpLink(sql, token, now)
  if (link === null) throw linkGone()
  const { email } = link
  const joined = await joinAs(sql, email, password, async ({ known, hash, seen }) => {
    if (isMember && known === null)
      throw new Refusal('invalid', `no account with the address ${email} has this password; nothing was done`)
    const place = await findOpenLink(sql, token, now)
    if (place === null) throw linkGone()
    const { workspaceId } = place
    const entered = await appending(sql, workspaceId, (tx, log) =>
      enterByLink(tx, log, { token, place, joining: { known, hash, seen }, now, fromAddress }),
    )
    if (entered === null && (await findSetUpLink(sql, token, now)) === null) throw linkGone()
    return entered
  })
  if (joined === null) throw linkGone()
  return { ...joined.outcome, passwordHash: joined.hash }
}

interface Entering {
  readonly token: string
  readonly place: OpenLink
  readonly joining: Joining
  readonly now: Instant
  readonly fromAddress: string | null
  /** Facts about the joining, for their company and readers of their signatures. */
  readonly facts?: Readonly<Record<string, Json>>
  /** Whether the person joins without a password. */
  readonly isByProvider?: boolean
}

/** Joins by a link; null where accounts of the address have come up meanwhile. */
export async function enterByLink(
  tx: Transaction,
  log: OpenLog,
  { token, place, joining: { known, hash, seen }, now, fromAddress, facts = {}, isByProvider = false }: Entering,
): Promise<{ readonly personId: string; readonly workspaceId: string } | null> {
  const { workspaceId, email } = place
  recordsAccess(tx)
  const invited = (await loadMemberStates(tx, workspaceId)).find(({ id }) => id === place.personId)
  if (invited === undefined) throw linkGone()
  if (!isByProvider) await refusePassword(tx, workspaceId, invited)
  const admission = await checkJoining(tx, workspaceId, invited, rowSealsOf(tx))
  const [row] = await tx<{ personId: string; workspaceId: string }[]>`
    select person_id as "personId", workspace_id as "workspaceId" from redeem_set_up_link(
      ${hashToken(token)}, ${known?.id ?? null}, ${hash}, ${[...seen]}, ${now}::timestamptz, ${fromAddress})`
  if (row === undefined) return null
  await noteActivity(tx, workspaceId, {
    who: email,
    personId: row.personId,
    fromAddress,
    act: 'person.join',
    what: 'joined the workspace',
    subject: email,
  })
  const { personId } = row
  const isAgain = admission?.kind === 'PASSWORD_LINK'
  const acting = await loadActing(tx, workspaceId, { who: email, personId, fromAddress })
  const told = { ...(isAgain ? linkFacts(admission) : {}), ...facts }
  await appendPeopleEvent(tx, log, acting, {
    kind: isAgain ? 'JOINED_AGAIN' : 'JOINED',
    email,
    personId,
    party: invited.company,
    ...(Object.keys(told).length === 0 ? {} : { facts: told }),
  })
  return row
}

export function linkGone(): Refusal {
  return new Refusal('not-found', 'this link was used already or is too old; ask for a new one')
}

/** Every account of an address, oldest first, for commands of the operator. Sign-in does not read them: see sign-ins.ts. */
export async function findSignIns(sql: Queryable, email: string): Promise<readonly SignIn[]> {
  const rows = await sql<SignIn[]>`
    select id, email, name, password_hash as "passwordHash" from find_sign_in(${email.trim().toLowerCase()})`
  return confirmSignIns(sql, rows)
}

/** Finds an account; `null` where there is none, or it has no password yet. */
export async function findAccount(sql: Queryable, personId: string): Promise<SignIn | null> {
  const rows = await sql<SignIn[]>`
    select id, email, name, password_hash as "passwordHash" from find_account(${personId})
    where password_hash is not null`
  return (await confirmSignIns(sql, rows))[0] ?? null
}

export function listMembers(sql: Sql, workspaceId: string): Promise<readonly Member[]> {
  return withWorkspace(sql, workspaceId, tx => loadMembers(tx, workspaceId))
}

export async function loadMembers(tx: Transaction, workspaceId: string): Promise<readonly Member[]> {
  const members = await loadMemberStates(tx, workspaceId)
  return members.map(({ id, email, name, role, company, isNameable }) => ({
    id,
    email,
    name,
    role,
    company,
    isNameable,
  }))
}

/** The member with this address, for commands that act `--as` somebody. */
export async function findMember(sql: Sql, workspaceId: string, email: string): Promise<Member | null> {
  const wanted = email.trim().toLowerCase()
  return (await listMembers(sql, workspaceId)).find(member => member.email.toLowerCase() === wanted) ?? null
}

export async function listMemberships(sql: Queryable, personId: string): Promise<readonly Membership[]> {
  const rows = await sql<Membership[]>`
    select workspace_id as "workspaceId", slug, name, role from memberships_of(${personId})`
  return confirmMemberships(sql, personId, rows)
}

export function listMemberStates(sql: Sql, workspaceId: string): Promise<readonly MemberState[]> {
  return withWorkspace(sql, workspaceId, tx => loadMemberStates(tx, workspaceId))
}

export async function loadMemberStates(tx: Transaction, workspaceId: string): Promise<readonly MemberState[]> {
  const rows = await tx<Omit<MemberState, 'company' | 'isNameable'>[]>`
    select p.id, p.email, m.name, m.role, m.joined_at is not null as "hasJoined",
      m.last_seen_at as "lastSeenAt", m.invited_by as "invitedBy", m.invited_at as "invitedAt",
      m.invited_from as "invitedFrom", m.joined_at as "joinedAt", m.joined_from as "joinedFrom"
    from member m join person p on p.id = m.person_id
    where m.workspace_id = ${workspaceId} order by p.email`
  return confirmMembers(tx, workspaceId, rows)
}

/** Sets a password in place of the one that was checked against `checkedHash`. Every session but `keptSession` ends. */
export async function changePassword(
  sql: Queryable,
  personId: string,
  change: { readonly checkedHash: string; readonly next: string; readonly keptSession: string },
): Promise<void> {
  const hash = await hashPassword(change.next, change.checkedHash)
  const isDone = await changingAccess(sql, async tx => {
    const [row] = await tx<{ done: boolean }[]>`
      select change_password(${personId}, ${change.checkedHash}, ${hash}, ${change.keptSession}) as done`
    if (row!.done) await sealAgain(tx, change.keptSession)
    return row!.done
  })
  if (!isDone) throw new Refusal('conflict', 'the password was changed elsewhere at the same moment; sign in again')
}

/**
 * Replaces a password, where the operator of the server lets somebody back in. All their sessions end. Returns the workspaces
 * they are in, for the note. An address with several accounts needs the workspace that one of them is in.
 */
export async function replacePassword(
  owner: Sql,
  email: string,
  password: string,
  workspaceId: string | null,
): Promise<readonly string[]> {
  const account = await findTheAccount(owner, email, workspaceId)
  const hash = await hashPassword(password, account.passwordHash)
  return changingAccess(owner, async tx => {
    await refuseUseless(tx, account)
    await tx`update person set password_hash = ${hash} where id = ${account.id}`
    await tx`update session set ended_at = clock_timestamp() where person_id = ${account.id} and ended_at is null`
    const rows = await tx<{ id: string }[]>`select workspace_id as id from member where person_id = ${account.id}`
    return rows.map(({ id }) => id)
  })
}

/** Refuses a password that opens no place of the account, because all of them require an identity provider. */
async function refuseUseless(tx: Transaction, { id, email }: SignIn): Promise<void> {
  const rows = await tx<{ workspaceId: string; company: string | null }[]>`
    select m.workspace_id as "workspaceId", c.slug as company from member m
    left join company_of_address c on c.workspace_id = m.workspace_id and c.email = ${email.toLowerCase()}
    where m.person_id = ${id}`
  const refusals: Refusal[] = []
  for (const { workspaceId, company } of rows)
    await refusePassword(tx, workspaceId, { id, company }).catch(error => void refusals.push(error))
  if (rows.length > 0 && refusals.length === rows.length) throw refusals[0]!
}

/** Records a change of a member's account, by themselves or by the operator, told to their company. */
export function recordAboutPerson(
  sql: Sql,
  workspaceId: string,
  by: Actor,
  email: string,
  event: Pick<NewPeopleEvent, 'kind' | 'facts'>,
): Promise<void> {
  return appending(sql, workspaceId, async (tx, log) => {
    const address = email.toLowerCase()
    const member = (await loadMembers(tx, workspaceId)).find(each => each.email.toLowerCase() === address)
    if (member === undefined) return
    const acting = await loadActing(tx, workspaceId, by)
    const about = { email, personId: member.id, party: member.company }
    await appendPeopleEvent(tx, log, acting, { ...event, ...about })
  })
}

/** Finds the one account of an address, or the one that is in the workspace. */
export async function findTheAccount(owner: Sql, email: string, workspaceId: string | null): Promise<SignIn> {
  const address = readEmail(email)
  const accounts = await findSignIns(owner, address)
  const places = await owner<{ personId: string; workspaceId: string; slug: string }[]>`
    select m.person_id as "personId", w.id as "workspaceId", w.slug from member m join workspace w on w.id = m.workspace_id
    where m.joined_at is not null and m.person_id = any(${accounts.map(({ id }) => id)}) order by w.slug`
  const meant =
    workspaceId === null
      ? accounts
      : accounts.filter(({ id }) => places.some(each => each.personId === id && each.workspaceId === workspaceId))
  if (meant.length === 1) return meant[0]!
  if (meant.length === 0)
    throw new Refusal('not-found', `nobody with a password has the address ${address}; user create makes a link`)
  const slugs = accounts.map(({ id }) => places.filter(each => each.personId === id).map(({ slug }) => slug))
  throw new Refusal(
    'conflict',
    `${address} has ${accounts.length} accounts, in ${slugs.map(each => each.join(' and ')).join('; ')}: say --workspace W for the one that is meant`,
  )
}
