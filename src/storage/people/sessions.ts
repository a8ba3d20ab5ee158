// Sessions: the signed-in people, their addresses and times. The token is the browser's alone; only a keyed digest of it is
// stored. A session carries a seal that binds it to its person, the password it was opened under and the identity provider that
// opened it, and none without one counts. The session is looked up for each request, so one that has ended is ended everywhere at
// once.
import { randomBytes } from 'node:crypto'
import { Refusal } from '../../core/refusal.ts'
import type { Role } from '../../core/roles.ts'
import { type Instant, instantOfMicros, microsOf } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import {
  type AccessFacts,
  accountsScope,
  type ConfirmedRow,
  changingAccess,
  confirmedFacts,
  loadSaid,
  saidFacts,
} from '../log/access-log.ts'
import { type AccessSeals, accessSealsOf, type ConfirmationFacts, type SessionFacts } from '../log/access-seals.ts'
import { beginSealing } from '../log/ring-state.ts'
import { rowSealsOf } from '../log/row-seals.ts'
import { inTransaction, type Queryable, type Transaction } from '../postgres/database.ts'
import { makeIdentifier } from '../postgres/identifier.ts'
import { accountLimits } from './account-limits.ts'
import { type AdmissionRow, isByWorkspace } from './confirmed-people.ts'
import { isLocked } from './password.ts'

interface Session {
  readonly id: string
  readonly createdAt: Instant
  readonly lastSeenAt: Instant
  readonly expiresAt: Instant
  readonly fromAddress: string | null
  readonly userAgent: string | null
}

/** The person of a session, and their place in the named workspace; `null` where they have none there. */
export interface SessionHolder {
  readonly sessionId: string
  readonly person: { readonly id: string; readonly email: string; readonly name: string }
  readonly isOperator: boolean
  /** Link to the identity provider that opened it; null where none did. */
  readonly identityLink: string | null
  readonly place: SessionPlace | null
}

interface SessionPlace {
  readonly workspace: { readonly id: string; readonly slug: string; readonly name: string }
  readonly role: Role
  /** The slug of the company they belong to there. */
  readonly company: string | null
  /** See `Member`. */
  readonly isNameable: boolean
}

const tokenBytes = 32

/** A malformed token is not looked up. */
function digestsOf(seals: AccessSeals, token: string): readonly Buffer[] | null {
  return /^[\w-]{43}$/.test(token) ? seals.tokens(token) : null
}

interface NewSession {
  readonly personId: string
  /** Hash against which the password was checked: a password changed meanwhile opens nothing. */
  readonly passwordHash: string
  readonly fromAddress: string | null
  readonly userAgent: string | null
}

/** The row of a session, with the facts that its seal covers. */
interface SessionRow extends SessionFacts, ConfirmationFacts {
  readonly last_seen_at: Instant
  readonly expires_at: Instant
  readonly from_address: string | null
  readonly user_agent: string | null
  readonly seal: Buffer | null
  readonly confirmed_seal: Buffer | null
  readonly now: Instant
}

/** However long it was made to last, it ends when its seal says so. */
function counts(seals: AccessSeals, row: SessionRow): boolean {
  return row.latest_end > row.now && seals.isSession(row, row.seal)
}

/** Opens a session and returns its token, to be sent once; `null` where the password is no longer the checked one. */
export function openSession(sql: Queryable, given: NewSession): Promise<string | null> {
  const token = randomBytes(tokenBytes).toString('base64url')
  const { sessionIdleDays, sessionDays, sessionsPerPerson, userAgentLength } = limits
  return changingAccess(sql, async tx => {
    const seals = accessSealsOf(tx)
    await beginSealing(tx)
    const [row] = await tx<SessionRow[]>`
      select * from open_session(${makeIdentifier('ses')}, ${given.personId}, ${given.passwordHash},
        ${seals.token(token)}, ${given.fromAddress}, ${given.userAgent?.slice(0, userAgentLength) ?? null},
        ${sessionIdleDays}, ${sessionDays}, ${sessionsPerPerson})`
    if (row === undefined) return null
    await tx`select seal_session(${row.id}, ${seals.session(row)})`
    return token
  })
}

interface NewIdentitySession extends NewSession {
  readonly link: string
  /** The provider's own name for the session, if it has one. */
  readonly providerSession: string | null
}

/** Opens a session by a provider: for some hours only. */
export function openIdentitySession(sql: Queryable, given: NewIdentitySession): Promise<string | null> {
  const token = randomBytes(tokenBytes).toString('base64url')
  return changingAccess(sql, async tx => {
    const seals = accessSealsOf(tx)
    await beginSealing(tx)
    const [row] = await tx<SessionRow[]>`
      select * from open_identity_session(${makeIdentifier('ses')}, ${given.personId}, ${given.passwordHash},
        ${seals.token(token)}, ${given.fromAddress}, ${given.userAgent?.slice(0, limits.userAgentLength) ?? null},
        ${accountLimits.providerSessionHours}, ${limits.sessionsPerPerson}, ${given.link}, ${given.providerSession})`
    if (row === undefined) return null
    await tx`select seal_session(${row.id}, ${seals.session(row)})`
    return token
  })
}

/** Seals a session again after its password was changed from it: it stays open under the new one. */
export async function sealAgain(tx: Queryable, sessionId: string): Promise<void> {
  await beginSealing(tx)
  const [row] = await tx<SessionRow[]>`select * from session_of(${sessionId})`
  if (row !== undefined) await tx`select seal_session(${row.id}, ${accessSealsOf(tx).session(row)})`
}

/**
 * People of the workspace that is set lose their password, where that is their only place, and the sessions opened by it.
 * Sessions by an identity provider go on.
 */
export async function lockPasswords(tx: Transaction, people: readonly string[]): Promise<void> {
  const seals = accessSealsOf(tx)
  const rows = await tx<SessionRow[]>`select * from lock_accounts(${[...people]}::text[])`
  for (const row of rows) if (counts(seals, row)) await sealAgain(tx, row.id)
}

/** Finds a session; `null` where it is unknown, ended or too old. */
export async function findSession(sql: Queryable, token: string, slug: string | null): Promise<SessionHolder | null> {
  const seals = accessSealsOf(sql)
  const digests = digestsOf(seals, token)
  if (digests === null) return null
  // One query reads everything: each kind that is asked about is a row.
  const rows = await sql<SessionMatchRow[]>`
    select (f.session).*, f.person_name, f.workspace_id, f.slug, f.workspace_name, f.party, c.kind as c_kind, c.scope as c_scope,
      c.subject as c_subject, c.number as c_number, c.at as c_at, c.content as c_content, c.previous as c_previous,
      c.seal as c_seal, c.facts as c_facts,
      a.seq as a_seq, a.kind as a_kind, a.email as a_email, a.person_id as a_person_id, a.done_by as a_done_by,
      a.done_from as a_done_from, a.done_role as a_done_role, a.done_company as a_done_company, a.facts as a_facts,
      a.recorded_at as a_recorded_at, a.party_id as a_party_id, a.seal as a_seal
    from find_session(array(select decode(h, 'hex') from unnest(${digests.map(digest => digest.toString('hex'))}::text[]) as t (h)), ${slug}, ${limits.sessionIdleDays}, ${limits.sessionSeenSeconds}) f
    left join lateral admission_of(f.workspace_id, (f.session).email, f.party) a on true
    cross join lateral confirm_access(
      array['ended-session', 'password', 'operator', 'member', 'company', 'provider', 'identity'],
      array[${accountsScope}, ${accountsScope}, ${accountsScope}, f.workspace_id, f.workspace_id, f.workspace_id, f.workspace_id],
      array[(f.session).id, (f.session).person_id, (f.session).person_id, (f.session).person_id, lower((f.session).email),
        coalesce(f.party, ''), (f.session).identity_link]) c`
  const [row] = rows
  if (row === undefined || !digests.some(digest => row.token_hash.equals(digest)) || !counts(seals, row)) return null
  // The end of a session is in the log: one that is put back does not open again.
  if (rows.some(each => each.c_kind === 'ended-session' && each.c_number !== null)) return null
  const { id: sessionId, person_id: id, email, identity_link: identityLink } = row
  const said = <K extends AccessSource>(kind: K, scope: string | null, subject: string) =>
    saidAbout(seals, rows, kind, scope, subject) as AccessFacts[K] | null
  // An account that ended, or never was, does not come back with its rows.
  if (said('password', accountsScope, id)?.email !== email) return null
  // A person who signs in by a provider has no other way in.
  if (identityLink === null && isLocked(row.password_hash)) return null
  const isOperator = identityLink === null && said('operator', accountsScope, id) !== null
  const member = said('member', row.workspace_id, id)
  const belonging = said('company', row.workspace_id, email.toLowerCase())
  const company = belonging?.belongs === true ? belonging.party : null
  const isHere = member?.joined_at !== undefined && member.email === email
  const isLetIn = isHere && (await isWayIn(sql, seals, rows, row, company))
  const workspace = { id: row.workspace_id!, slug: row.slug!, name: row.workspace_name! }
  const isNameable = company === null || isKnownHere(sql, row, company)
  const place = isLetIn ? { workspace, role: member.role as Role, company, isNameable } : null
  const name = isHere ? member.name : row.person_name
  if (!seals.isCurrent(row.token_hash)) await renewToken(sql, row, token)
  return { sessionId, person: { id, email, name }, isOperator, identityLink, place }
}

/** Renews a digest made under an earlier secret: from now on it depends on the current one. */
async function renewToken(sql: Queryable, { id, token_hash: known }: SessionRow, token: string): Promise<void> {
  await inTransaction(sql, async tx => {
    await beginSealing(tx)
    const seals = accessSealsOf(tx)
    const [row] = await tx<SessionRow[]>`select * from renew_session(${id}, ${known}, ${seals.token(token)})`
    // Somebody else was faster; a session that does not count is not sealed.
    if (row === undefined || !seals.isSession({ ...row, token_hash: known }, row.seal)) return
    await tx`select seal_session(${id}, ${seals.session(row)})`
  })
}

type AccessSource = 'password' | 'operator' | 'member' | 'company' | 'provider' | 'identity'

/** Whether a session opens the workspace: by the provider of the person's own party, or by none where none is required. */
async function isWayIn(
  sql: Queryable,
  seals: AccessSeals,
  rows: readonly SessionMatchRow[],
  row: SessionMatchRow,
  company: string | null,
): Promise<boolean> {
  const { workspace_id: scope, person_id: person, identity_link: link } = row
  const subject = company ?? ''
  // The requirement of a provider must not be lost with its row, nor with that of the person's party.
  const provider =
    subject === (row.party ?? '')
      ? newestSaid(seals, rows, 'provider', scope!, subject)
      : await loadSaid(sql, 'provider', scope!, subject)
  if (link === null) return provider?.is_required !== true || provider.except_person === person
  const identity = saidAbout(seals, rows, 'identity', scope, link) as AccessFacts['identity'] | null
  return identity?.person_id === person && identity.provider_id === provider?.id
}

/** Whether the workspace let them into their company; of another company than the rows say, it did not. */
function isKnownHere(sql: Queryable, row: SessionMatchRow, company: string): boolean {
  const { workspace_id: scope, party } = row
  return scope !== null && party === company && isByWorkspace(rowSealsOf(sql), scope, admissionIn(row))
}

function admissionIn(row: SessionMatchRow): AdmissionRow | null {
  if (row.a_seq === null) return null
  return {
    seq: row.a_seq,
    kind: row.a_kind,
    email: row.a_email,
    person_id: row.a_person_id,
    done_by: row.a_done_by,
    done_from: row.a_done_from,
    done_role: row.a_done_role,
    done_company: row.a_done_company,
    facts: row.a_facts,
    recorded_at: row.a_recorded_at,
    party_id: row.a_party_id,
    seal: row.a_seal,
  }
}

type PrefixedAdmission = { readonly [K in Exclude<keyof AdmissionRow, 'seq'> as `a_${K}`]: AdmissionRow[K] }

interface SessionMatchRow extends SessionRow, PrefixedAdmission {
  /** Admission of the person; null where none was recorded. */
  readonly a_seq: number | null
  readonly person_name: string
  readonly workspace_id: string | null
  readonly slug: string | null
  readonly workspace_name: string | null
  readonly party: string | null
  readonly c_kind: string
  readonly c_scope: string | null
  readonly c_subject: string
  readonly c_number: number | null
  readonly c_at: Instant | null
  readonly c_content: ConfirmedRow['content']
  readonly c_previous: Buffer | null
  readonly c_seal: Buffer | null
  readonly c_facts: ConfirmedRow['facts']
}

function saidAbout(
  seals: AccessSeals,
  rows: readonly SessionMatchRow[],
  kind: string,
  scope: string | null,
  subject: string,
): ConfirmedRow['content'] {
  const row = rows.find(each => each.c_kind === kind)
  return row === undefined || scope === null ? null : confirmedFacts(seals, entryIn(row, kind, scope, subject))
}

/** Facts of the newest entry, whatever became of the row. */
function newestSaid<K extends AccessSource>(
  seals: AccessSeals,
  rows: readonly SessionMatchRow[],
  kind: K,
  scope: string,
  subject: string,
): AccessFacts[K] | null {
  const row = rows.find(each => each.c_kind === kind)
  return row === undefined
    ? null
    : (saidFacts(seals, kind, entryIn(row, kind, scope, subject)) as AccessFacts[K] | null)
}

function entryIn(row: SessionMatchRow, kind: string, scope: string, subject: string): ConfirmedRow {
  const { c_number: number, c_at: at, c_content: content, c_previous: previous, c_seal: seal, c_facts: facts } = row
  return { kind, scope, subject, number, at, content, previous, seal, facts, place: 1, is_touched: false }
}

/** Open sessions, the one used last first. */
export async function listSessions(sql: Queryable, personId: string): Promise<readonly Session[]> {
  const seals = accessSealsOf(sql)
  const rows = await sql<SessionRow[]>`select * from sessions_of(${personId})`
  return rows
    .filter(row => counts(seals, row))
    .map(({ id, created_at: createdAt, last_seen_at: lastSeenAt, expires_at: expiresAt, ...row }) => ({
      id,
      createdAt,
      lastSeenAt,
      expiresAt,
      fromAddress: row.from_address,
      userAgent: row.user_agent,
    }))
}

export async function endSession(sql: Queryable, personId: string, id: string): Promise<void> {
  const [row] = await changingAccess(
    sql,
    tx => tx<{ ended: boolean | null }[]>`select end_session(${personId}, ${id}) as ended`,
  )
  if (row?.ended !== true) throw new Refusal('not-found', 'there is no such session; it may have ended already')
}

export async function endOtherSessions(sql: Queryable, personId: string, kept: string): Promise<void> {
  await changingAccess(sql, tx => tx`select end_other_sessions(${personId}, ${kept})`)
}

/** Ends of the times in which the person need not confirm who they are again; `null` where they have to. */
interface Confirmations {
  readonly passwordUntil: Instant | null
  readonly passkeyUntil: Instant | null
  /** End of the time after a sign-in by an identity provider, in which the person needs no password, which they do not have. */
  readonly providerUntil: Instant | null
}

export async function loadConfirmations(sql: Queryable, sessionId: string): Promise<Confirmations> {
  const seals = accessSealsOf(sql)
  const [row] = await sql<SessionRow[]>`select * from session_of(${sessionId})`
  const nothing = { passwordUntil: null, passkeyUntil: null, providerUntil: null }
  if (row === undefined || !counts(seals, row)) return nothing
  const until = (at: Instant | null) => {
    if (at === null) return null
    const end = instantOfMicros(microsOf(at) + limits.confirmedSeconds * 1_000_000)
    return end > row.now ? end : null
  }
  const providerUntil = row.identity_link === null ? null : until(row.created_at)
  if (!seals.isConfirmation(row, row.confirmed_seal)) return { ...nothing, providerUntil }
  return { passwordUntil: until(row.password_at), passkeyUntil: until(row.passkey_at), providerUntil }
}

/** The person has confirmed again who they are. */
export async function confirmSession(sql: Queryable, sessionId: string, by: 'password' | 'passkey'): Promise<void> {
  await inTransaction(sql, async tx => {
    const seals = accessSealsOf(tx)
    await beginSealing(tx)
    const [before] = await tx<SessionRow[]>`select * from session_of(${sessionId})`
    // A confirmation without our seal is not taken over.
    const isOurs = before !== undefined && seals.isConfirmation(before, before.confirmed_seal)
    await tx`select confirm_session(${sessionId}, ${by === 'passkey'}, ${isOurs})`
    const [row] = await tx<SessionRow[]>`select * from session_of(${sessionId})`
    if (row !== undefined) await tx`select seal_confirmation(${sessionId}, ${seals.confirmation(row)})`
  })
}
