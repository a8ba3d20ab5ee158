// People and their place in workspaces. Of a password only the hash is kept; the first one is set with a one-time link.
// Whoever invites cannot set the password of somebody who has one already, and nobody comes into a workspace by the link
// of another.
import { createHash, randomBytes } from 'node:crypto'
import type { Instant } from '../core/instant.ts'
import { Refusal } from '../core/refusal.ts'
import { limits } from '../limits.ts'
import { type Actor, noteActivity } from './activity.ts'
import { type Queryable, type Sql, type Transaction, withWorkspace } from './database.ts'
import { makeIdentifier } from './identifier.ts'
import { hashPassword, verifyPassword } from './password.ts'

export const roles = ['owner', 'editor', 'buyer', 'supplier', 'viewer'] as const
export type Role = (typeof roles)[number]

export interface Member {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: Role
}

export interface Membership {
  readonly workspaceId: string
  readonly slug: string
  readonly name: string
  readonly role: Role
}

const uniqueViolation = '23505'

/** One spelling for an address, or a refusal. */
export function readEmail(text: string): string {
  const email = text.trim().toLowerCase()
  if (!/^[^@\s]+@[^@\s]+$/.test(email) || email.length > limits.emailLength)
    throw new Refusal('invalid', `an e-mail address such as ann@buyer.test is needed, got "${text}"`)
  return email
}

export interface Newcomer {
  readonly email: string
  readonly name?: string
  readonly role: Role
}

/** Takes the person into the workspace; a person known from another workspace keeps name and password. */
export function createMember(sql: Sql, workspaceId: string, given: Newcomer): Promise<Member> {
  return withWorkspace(sql, workspaceId, tx => admit(tx, given))
}

async function admit(tx: Transaction, { role, ...given }: Newcomer): Promise<Member> {
  const email = readEmail(given.email)
  const name = given.name ?? email.slice(0, email.indexOf('@'))
  const [row] = await tx<{ id: string }[]>`
    select admit_person(${makeIdentifier('usr')}, ${email}, ${name}, ${role}) as id`.catch(error => {
    if (error.code === uniqueViolation) throw new Refusal('conflict', `${email} is a member of this workspace already`)
    throw error
  })
  const [person] = await tx<{ name: string }[]>`select name from person where id = ${row!.id}`
  return { id: row!.id, email, name: person!.name, role }
}

/** For somebody without a password yet. */
export async function setFirstPassword(
  sql: Sql,
  workspaceId: string,
  personId: string,
  password: string,
): Promise<void> {
  const hash = await hashPassword(password)
  const set = await withWorkspace(sql, workspaceId, async tx => {
    const [row] = await tx<{ done: boolean | null }[]>`select set_first_password(${personId}, ${hash}) as done`
    return row?.done === true
  })
  if (!set) throw new Refusal('conflict', 'this person is not a member here or has a password already')
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

async function issueLink(tx: Transaction, personId: string, expiresAt: Instant): Promise<string | null> {
  const token = randomBytes(32).toString('base64url')
  const [row] = await tx<{ done: boolean | null }[]>`
    select issue_set_up_link(${personId}, ${hashToken(token)}, ${expiresAt}::timestamptz) as done`
  return row?.done === true ? token : null
}

/** The person and the token of their one-time link. */
export interface Invitation {
  readonly member: MemberState
  readonly token: string
}

export function invite(
  sql: Sql,
  workspaceId: string,
  newcomer: Newcomer,
  expiresAt: Instant,
  by: Actor,
): Promise<Invitation> {
  return withWorkspace(sql, workspaceId, async tx => {
    const member = await admit(tx, newcomer)
    const token = await issueLink(tx, member.id, expiresAt)
    await noteActivity(tx, workspaceId, { ...by, what: `invited as ${member.role}`, subject: member.email })
    return { member: { ...member, hasJoined: false, lastSeenAt: null }, token: token! }
  })
}

/** For somebody who has not joined: the link they were given before no longer opens. */
export function inviteAgain(
  sql: Sql,
  workspaceId: string,
  personId: string,
  expiresAt: Instant,
  by: Actor,
): Promise<Invitation> {
  return withWorkspace(sql, workspaceId, async tx => {
    const member = (await readMemberStates(tx, workspaceId)).find(({ id }) => id === personId)
    if (member === undefined) throw notHere()
    const token = await issueLink(tx, personId, expiresAt)
    if (token === null) throw new Refusal('conflict', `${member.email} has joined already and needs no link`)
    await noteActivity(tx, workspaceId, { ...by, what: 'given a new set-up link', subject: member.email })
    return { member, token }
  })
}

function notHere(): Refusal {
  return new Refusal('not-found', 'this person is not in the workspace')
}

/** The token has 256 random bits: a plain hash is enough. */
function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

export interface SetUpLink {
  readonly personId: string
  readonly email: string
  /** `null`: the link sets the first password. Otherwise whoever opens it has to know the one there is. */
  readonly passwordHash: string | null
}

/** `null` when the link is unknown, used or too old, or the invitation was taken back. */
export async function findSetUpLink(sql: Queryable, token: string, now: Instant): Promise<SetUpLink | null> {
  const [row] = await sql<SetUpLink[]>`
    select person_id as "personId", email, password_hash as "passwordHash"
    from find_set_up_link(${hashToken(token)}, ${now}::timestamptz)`
  return row ?? null
}

export type Redemption =
  | { readonly kind: 'joined'; readonly personId: string; readonly passwordHash: string }
  | { readonly kind: 'wrong-password'; readonly email: string }

/** Uses the link up: the person joins its workspace, with the password that is set here or that they have. */
export async function redeemSetUpLink(
  sql: Sql,
  token: string,
  password: string,
  now: Instant,
  fromAddress: string | null = null,
): Promise<Redemption> {
  const link = await findSetUpLink(sql, token, now)
  if (link === null) throw linkGone()
  const { email, passwordHash: held } = link
  if (held !== null && !(await verifyPassword(held, password))) return { kind: 'wrong-password', email }
  const passwordHash = held ?? (await hashPassword(password))
  await sql.begin(async tx => {
    const [row] = await tx<{ workspaceId: string }[]>`
      select workspace_id as "workspaceId"
      from redeem_set_up_link(${hashToken(token)}, ${held}, ${passwordHash}, ${now}::timestamptz)`
    if (row === undefined) throw linkGone()
    await tx`select set_config('assize.workspace', ${row.workspaceId}, true)`
    await noteActivity(tx, row.workspaceId, { who: email, what: 'joined the workspace', subject: email, fromAddress })
  })
  return { kind: 'joined', personId: link.personId, passwordHash }
}

function linkGone(): Refusal {
  return new Refusal('not-found', 'this link was used already or is too old; ask for a new one')
}

export interface SignIn {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly passwordHash: string | null
}

/** For signing in: `null` where nobody has this address. The password is checked in password.ts either way. */
export async function findSignIn(sql: Queryable, email: string): Promise<SignIn | null> {
  const [row] = await sql<SignIn[]>`
    select id, email, name, password_hash as "passwordHash" from find_sign_in(${email.trim().toLowerCase()})`
  return row ?? null
}

export function listMembers(sql: Sql, workspaceId: string): Promise<readonly Member[]> {
  return withWorkspace(
    sql,
    workspaceId,
    tx => tx<Member[]>`
      select p.id, p.email, p.name, m.role from member m join person p on p.id = m.person_id
      where m.workspace_id = ${workspaceId} order by p.email`,
  )
}

/** The member with this address, for commands that act `--as` somebody. */
export async function findMember(sql: Sql, workspaceId: string, email: string): Promise<Member | null> {
  const wanted = email.trim().toLowerCase()
  const [row] = await withWorkspace(
    sql,
    workspaceId,
    tx => tx<Member[]>`
      select p.id, p.email, p.name, m.role from member m join person p on p.id = m.person_id
      where m.workspace_id = ${workspaceId} and lower(p.email) = ${wanted}`,
  )
  return row ?? null
}

export function listMemberships(sql: Queryable, personId: string): Promise<readonly Membership[]> {
  return sql<Membership[]>`
    select workspace_id as "workspaceId", slug, name, role from memberships_of(${personId})`
}

/** How somebody stands in a workspace, for those who look after it. */
export interface MemberState extends Member {
  readonly hasJoined: boolean
  /** In this workspace. */
  readonly lastSeenAt: Instant | null
}

export function listMemberStates(sql: Sql, workspaceId: string): Promise<readonly MemberState[]> {
  return withWorkspace(sql, workspaceId, tx => readMemberStates(tx, workspaceId))
}

function readMemberStates(tx: Transaction, workspaceId: string): Promise<readonly MemberState[]> {
  return tx<MemberState[]>`
    select p.id, p.email, p.name, m.role, m.joined_at is not null as "hasJoined", m.last_seen_at as "lastSeenAt"
    from member m join person p on p.id = m.person_id where m.workspace_id = ${workspaceId} order by p.email`
}

/** Noted in the same transaction; nothing is noted where nothing changes. */
export function changeRole(
  sql: Sql,
  workspaceId: string,
  personId: string,
  role: Role,
  by: Actor,
): Promise<MemberState> {
  return withWorkspace(sql, workspaceId, async tx => {
    const member = await lockMember(tx, workspaceId, personId, role)
    if (member.role === role) return member
    await tx`update member set role = ${role} where workspace_id = ${workspaceId} and person_id = ${personId}`
    const what = `role changed from ${member.role} to ${role}`
    await noteActivity(tx, workspaceId, { ...by, what, subject: member.email })
    return { ...member, role }
  })
}

/** Their sign-offs and what else they did stays. */
export function removeMember(sql: Sql, workspaceId: string, personId: string, by: Actor): Promise<void> {
  return withWorkspace(sql, workspaceId, async tx => {
    const { email } = await lockMember(tx, workspaceId, personId, null)
    await tx`delete from member where workspace_id = ${workspaceId} and person_id = ${personId}`
    await noteActivity(tx, workspaceId, { ...by, what: 'taken out of the workspace', subject: email })
  })
}

/**
 * The member about to be changed. All owners are locked first, so that of two who step down at the same moment the second
 * sees that the first has gone. Only an owner who has joined can look after the workspace.
 */
async function lockMember(
  tx: Transaction,
  workspaceId: string,
  personId: string,
  becomes: Role | null,
): Promise<MemberState> {
  const owners = await tx<{ id: string }[]>`
    select person_id as id from member where workspace_id = ${workspaceId} and role = 'owner' and joined_at is not null
    order by person_id for update`
  const member = (await readMemberStates(tx, workspaceId)).find(({ id }) => id === personId)
  if (member === undefined) throw notHere()
  if (becomes !== 'owner' && owners.length === 1 && owners[0]!.id === personId)
    throw new Refusal(
      'conflict',
      `${member.email} is the last owner of this workspace and stays one; make somebody else an owner first`,
    )
  return member
}

/** In place of the one that was checked against `checkedHash`. Every session but `keptSession` ends. */
export async function changePassword(
  sql: Queryable,
  personId: string,
  change: { readonly checkedHash: string; readonly next: string; readonly keptSession: string },
): Promise<void> {
  const hash = await hashPassword(change.next)
  const [row] = await sql<{ done: boolean }[]>`
    select change_password(${personId}, ${change.checkedHash}, ${hash}, ${change.keptSession}) as done`
  if (!row!.done) throw new Refusal('conflict', 'the password was changed elsewhere at the same moment; sign in again')
}

/**
 * For the owner's connection: whoever runs the server lets somebody back in. All their sessions end. The workspaces they
 * are in, for the note; refused for an address nobody has.
 */
export async function replacePassword(owner: Sql, email: string, password: string): Promise<readonly string[]> {
  const hash = await hashPassword(password)
  return owner.begin(async tx => {
    const [person] = await tx<{ id: string }[]>`
      update person set password_hash = ${hash}
      where lower(email) = ${readEmail(email)} and password_hash is not null returning id`
    if (person === undefined)
      throw new Refusal(
        'not-found',
        `nobody with a password has the address ${readEmail(email)}; user create makes a link`,
      )
    await tx`update session set ended_at = clock_timestamp() where person_id = ${person.id} and ended_at is null`
    const rows = await tx<{ id: string }[]>`select workspace_id as id from member where person_id = ${person.id}`
    return rows.map(({ id }) => id)
  }) as Promise<readonly string[]>
}
