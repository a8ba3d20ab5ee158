// People and their place in workspaces. Of a password only the hash is kept; the first one is set with a one-time link.
// Whoever invites cannot set the password of somebody who has one already.
import { createHash, randomBytes } from 'node:crypto'
import type { Instant } from '../core/instant.ts'
import { Refusal } from '../core/refusal.ts'
import { limits } from '../limits.ts'
import { type Queryable, type Sql, withWorkspace } from './database.ts'
import { makeIdentifier } from './identifier.ts'
import { hashPassword } from './password.ts'

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

/** Takes the person into the workspace; a person known from another workspace keeps name and password. */
export async function createMember(
  sql: Sql,
  workspaceId: string,
  given: { readonly email: string; readonly name?: string; readonly role: Role },
): Promise<Member> {
  const email = readEmail(given.email)
  const name = given.name ?? email.slice(0, email.indexOf('@'))
  return withWorkspace(sql, workspaceId, async tx => {
    const [row] = await tx<{ id: string }[]>`
      select admit_person(${makeIdentifier('usr')}, ${email}, ${name}, ${given.role}) as id`.catch(error => {
      if (error.code === uniqueViolation)
        throw new Refusal('conflict', `${email} is a member of this workspace already`)
      throw error
    })
    const [person] = await tx<{ name: string }[]>`select name from person where id = ${row!.id}`
    return { id: row!.id, email, name: person!.name, role: given.role }
  })
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

/** The token of a one-time link; `null` for somebody who has a password already and needs none. */
export async function issueSetUpLink(
  sql: Sql,
  workspaceId: string,
  personId: string,
  expiresAt: Instant,
): Promise<string | null> {
  const token = randomBytes(32).toString('base64url')
  return withWorkspace(sql, workspaceId, async tx => {
    const [row] = await tx<{ done: boolean | null }[]>`
      select issue_set_up_link(${personId}, ${hashToken(token)}, ${expiresAt}::timestamptz) as done`
    return row?.done === true ? token : null
  })
}

/** The token has 256 random bits: a plain hash is enough. */
function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Whose link it is, to greet them; `null` when it is unknown, used or too old. */
export async function findSetUpLink(sql: Queryable, token: string, now: Instant): Promise<{ email: string } | null> {
  const [row] = await sql<{ email: string }[]>`
    select email from find_set_up_link(${hashToken(token)}, ${now}::timestamptz)`
  return row ?? null
}

/** Sets the password and uses the link up. Returns the person's id. */
export async function redeemSetUpLink(sql: Queryable, token: string, password: string, now: Instant): Promise<string> {
  const hash = await hashPassword(password)
  const [row] = await sql<{ id: string | null }[]>`
    select redeem_set_up_link(${hashToken(token)}, ${hash}, ${now}::timestamptz) as id`
  if (row?.id == null) throw new Refusal('not-found', 'this link was used already or is too old; ask for a new one')
  return row.id
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
