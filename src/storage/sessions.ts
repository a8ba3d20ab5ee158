// Sessions: who is signed in, from where, since when. The token is the browser's alone; only its hash is stored, from
// which it cannot be guessed. A session is looked up for each request, so one that has ended is ended everywhere at
// once.
import { createHash, randomBytes } from 'node:crypto'
import type { Instant } from '../core/instant.ts'
import { Refusal } from '../core/refusal.ts'
import { limits } from '../limits.ts'
import type { Queryable } from './database.ts'
import { makeIdentifier } from './identifier.ts'
import type { Role } from './people.ts'

export interface Session {
  readonly id: string
  readonly createdAt: Instant
  readonly lastSeenAt: Instant
  readonly expiresAt: Instant
  readonly fromAddress: string | null
  readonly userAgent: string | null
}

/** Whose session it is, and their place in the workspace that was named; `null` where they have none there. */
export interface SessionHolder {
  readonly sessionId: string
  readonly person: { readonly id: string; readonly email: string; readonly name: string }
  /** Of the installation. */
  readonly isOperator: boolean
  readonly place: SessionPlace | null
}

export interface SessionPlace {
  readonly workspace: { readonly id: string; readonly slug: string; readonly name: string }
  readonly role: Role
  /** The slug of the company they belong to there. */
  readonly company: string | null
}

const tokenBytes = 32

/** A malformed token is not looked up. */
function hashOf(token: string): Buffer | null {
  return /^[\w-]{43}$/.test(token) ? createHash('sha256').update(token).digest() : null
}

export interface NewSession {
  readonly personId: string
  /** The hash against which the password was checked: a password changed meanwhile opens nothing. */
  readonly passwordHash: string
  readonly fromAddress: string | null
  readonly userAgent: string | null
}

/** The token, to be sent once; `null` where the password is no longer the one that was checked. */
export async function openSession(sql: Queryable, given: NewSession): Promise<string | null> {
  const token = randomBytes(tokenBytes).toString('base64url')
  const { sessionIdleDays, sessionDays, sessionsPerPerson, userAgentLength } = limits
  const [row] = await sql<{ opened: boolean }[]>`
    select open_session(${makeIdentifier('ses')}, ${given.personId}, ${given.passwordHash}, ${hashOf(token)},
      ${given.fromAddress}, ${given.userAgent?.slice(0, userAgentLength) ?? null},
      ${sessionIdleDays}, ${sessionDays}, ${sessionsPerPerson}) as opened`
  return row!.opened ? token : null
}

/** `null` where the session is unknown, ended or too old. */
export async function findSession(sql: Queryable, token: string, slug: string | null): Promise<SessionHolder | null> {
  const hash = hashOf(token)
  if (hash === null) return null
  const [row] = await sql<FoundRow[]>`
    select session_id, person_id, email, person_name, is_operator, workspace_id, slug, workspace_name, role,
      case when workspace_id is not null then company_of(workspace_id, email) end as company
    from find_session(${hash}, ${slug}, ${limits.sessionIdleDays}, ${limits.sessionSeenSeconds})`
  if (row === undefined) return null
  const { session_id: sessionId, person_id: id, email, person_name: name, role } = row
  const workspace = { id: row.workspace_id!, slug: row.slug!, name: row.workspace_name! }
  const place = role === null ? null : { workspace, role, company: row.company }
  return { sessionId, person: { id, email, name }, isOperator: row.is_operator, place }
}

interface FoundRow {
  readonly session_id: string
  readonly person_id: string
  readonly email: string
  readonly person_name: string
  readonly is_operator: boolean
  readonly workspace_id: string | null
  readonly slug: string | null
  readonly workspace_name: string | null
  readonly role: Role | null
  readonly company: string | null
}

/** Those that are open, the one used last first. */
export function listSessions(sql: Queryable, personId: string): Promise<readonly Session[]> {
  return sql<Session[]>`
    select id, created_at as "createdAt", last_seen_at as "lastSeenAt", expires_at as "expiresAt",
      from_address as "fromAddress", user_agent as "userAgent"
    from sessions_of(${personId})`
}

export async function endSession(sql: Queryable, personId: string, id: string): Promise<void> {
  const [row] = await sql<{ ended: boolean | null }[]>`select end_session(${personId}, ${id}) as ended`
  if (row?.ended !== true) throw new Refusal('not-found', 'there is no such session; it may have ended already')
}

export async function endOtherSessions(sql: Queryable, personId: string, kept: string): Promise<void> {
  await sql`select end_other_sessions(${personId}, ${kept})`
}

/** Until when the person need not confirm who they are again; `null` where they have to. */
export interface Confirmations {
  readonly passwordUntil: Instant | null
  readonly passkeyUntil: Instant | null
}

export async function readConfirmations(sql: Queryable, sessionId: string): Promise<Confirmations> {
  const [row] = await sql<Confirmations[]>`
    select password_until as "passwordUntil", passkey_until as "passkeyUntil"
    from session_confirmations(${sessionId}, ${limits.confirmedSeconds})`
  return row ?? { passwordUntil: null, passkeyUntil: null }
}

/** The person has confirmed again who they are. */
export async function confirmSession(sql: Queryable, sessionId: string, by: 'password' | 'passkey'): Promise<void> {
  await sql`select confirm_session(${sessionId}, ${by === 'passkey'})`
}
