// The access log: who has access (decision 0114). Triggers note what a transaction changes about members, keys, links, passwords,
// passkeys, second factors, operators, settings and activity; here it is recorded before the transaction ends, entry by entry,
// under the server's secret. A row counts while it equals the newest entry about it: a row that was added, changed, moved or put
// back with SQL alone is as if it did not exist. Recording on top of such a row is refused.

import { Refusal } from '../../core/refusal.ts'
import { canonicalJson, type Json } from '../../core/text/canonical-json.ts'
import type { Instant } from '../../core/time/instant.ts'
import { beforeCommit, inTransaction, type Queryable, type Transaction } from '../postgres/database.ts'
import { type AccessEntry, type AccessSeals, accessSealsOf } from './access-seals.ts'
import { beginSealing } from './ring-state.ts'

/** Scope of entries about people rather than a workspace. */
export const accountsScope = 'accounts'

/** Kinds of entries, with words for their subjects. */
export const accessKinds = {
  member: 'a member',
  company: 'the party somebody belongs to',
  key: 'an API key',
  feed: 'the address of a calendar feed',
  webhook: 'a webhook',
  provider: 'how the people of a party sign in',
  identity: 'who somebody is at their identity provider',
  link: 'a one-time link',
  settings: 'the settings of the workspace',
  activity: 'an activity',
  password: 'a password',
  passkey: 'a passkey',
  operator: 'an operator of the installation',
  factors: 'how somebody signs in',
  recovery: 'somebody’s recovery codes',
  'ended-session': 'a session that was ended',
  redaction: 'a redaction',
  erasure: 'the erasure of a person',
} as const
export type AccessKind = keyof typeof accessKinds

/** Facts in an entry of each kind, as far as the program uses them; instants as JSON has them. */
export interface AccessFacts {
  member: { readonly email: string; readonly name: string; readonly role: string; readonly joined_at?: string }
  company: { readonly party: string; readonly belongs: boolean; readonly seq: number }
  key: {
    readonly name: string
    readonly key_scope: string
    readonly digest: string
    readonly expires_at?: string
    readonly revoked_at?: string
  }
  feed: {
    readonly person_id?: string
    readonly digest: string
    readonly shows: string
    readonly agreement_ids?: readonly string[]
    readonly revoked_at?: string
  }
  webhook: {
    readonly url: string
    readonly events: readonly string[]
    /** Hashes of the sealed secrets. */
    readonly secret: string
    readonly old_secret?: string
    readonly old_until?: string
    readonly made_by: string
    readonly created_at: string
    readonly disabled_at?: string
    readonly disabled_why?: string
  }
  provider: {
    readonly id: string
    readonly issuer: string
    readonly client_id: string
    /** Hash of the sealed secret. */
    readonly client_secret: string
    readonly way_in: string
    readonly is_required: boolean
    readonly except_person?: string
    readonly groups_claim?: string
    readonly group_roles: readonly { readonly group: string; readonly role: string }[]
    readonly join_group?: string
    readonly join_role?: string
    readonly set_by: string
    readonly set_at: string
  }
  identity: {
    readonly provider_id: string
    readonly subject: string
    readonly person_id: string
    readonly linked_at: string
  }
  link: { readonly person_id: string; readonly expires_at: string; readonly used_at?: string }
  settings: Readonly<Record<string, Json>>
  activity: { readonly hash: string }
  password: { readonly email: string; readonly hash: string }
  passkey: {
    readonly person_id: string
    readonly public_key: string
    readonly algorithm: string
    readonly rp_id: string
    readonly verifies_user: boolean
  }
  operator: { readonly added_by: string }
  factors: { readonly since?: string; readonly secret?: string; readonly wantsPasskey: boolean }
  recovery: { readonly codes: readonly string[] }
  'ended-session': { readonly person: string; readonly at: string }
  redaction: AccessRedaction
  erasure: { readonly reason: string; readonly by: string }
}

/** A redaction: the part of another entry about a person was replaced. Its subject is the number of that entry. */
export interface AccessRedaction {
  /** Seal of the other entry, or the one that the redaction before this one gave it, and the seal it would have as it is now. */
  readonly was: string
  readonly is: string
  readonly instead: string
  readonly reason: string
  readonly by: string
}

interface AccessSubject<K extends AccessKind = AccessKind> {
  readonly kind: K
  /** A workspace, or `accountsScope`. */
  readonly scope: string
  readonly subject: string
}

/** The newest entry about a subject, null throughout where there is none. */
interface NewestRow {
  readonly kind: string
  readonly scope: string
  readonly subject: string
  readonly number: number | null
  readonly at: Instant | null
  readonly content: Json
  readonly previous: Buffer | null
  readonly seal: Buffer | null
  /** Facts of the row now; null where there is no row. */
  readonly facts: Json
}

export interface ConfirmedRow extends NewestRow {
  readonly place: number
  readonly is_touched: boolean
}

/** Runs `work` in the transaction given, or in one of its own, and records the access that it changes. */
export function changingAccess<T>(sql: Queryable, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return inTransaction(sql, tx => {
    recordsAccess(tx)
    return work(tx)
  })
}

/** Records the changed access before the transaction ends. */
export function recordsAccess(tx: Transaction): void {
  beforeCommit(tx, 'access', () => recordTouched(tx, true))
}

interface TouchedRow extends NewestRow {
  /** Facts of the row before this transaction. */
  readonly before: Json
  readonly last_number: number | null
  readonly last_seal: Buffer | null
  readonly head: Buffer | null
  readonly now: Instant
}

/** Records the changes of the transaction so far, for callers that go on to work with the entries. */
export function recordNow(tx: Transaction): Promise<void> {
  return recordTouched(tx, false)
}

/**
 * Records touched rows. `isEnd`: with the database's own changes when a transaction ends, such as ending accounts without a
 * place.
 */
async function recordTouched(tx: Transaction, isEnd: boolean): Promise<void> {
  const seals = accessSealsOf(tx)
  const touched = await tx<TouchedRow[]>`select * from touched_access(${isEnd})`
  const changed = touched.filter(({ facts, content }) => !isEqual(facts, content))
  if (changed.length === 0) return
  for (const row of changed) refuseChanged(seals, row)
  await appendEntries(
    tx,
    seals,
    changed.map(({ kind, scope, subject, facts, now, last_number, last_seal }) => ({
      kind,
      scope,
      subject,
      at: now,
      content: facts,
      end: { scope, number: last_number!, seal: last_seal! },
    })),
  )
}

/** Equality of facts; a value that the program never writes, such as a fraction, equals nothing. */
function isEqual(a: Json, b: Json): boolean {
  return isTrue(() => canonicalJson(a) === canonicalJson(b))
}

function isTrue(check: () => boolean): boolean {
  try {
    return check()
  } catch {
    return false
  }
}

/** Refuses a row that was changed with SQL alone: it would be recorded as it stands with its next change. */
function refuseChanged(seals: AccessSeals, row: TouchedRow): void {
  const { scope, last_number: number, last_seal: seal, head } = row
  const isEnd = number !== null && seal !== null && seals.isEnd({ scope, number, seal }, head)
  if (!isEnd || !isSealed(seals, row) || carriesOver(row)) throw changedInDatabase(row.kind as AccessKind)
}

function changedInDatabase(kind: AccessKind): Refusal {
  return new Refusal(
    'conflict',
    `${accessKinds[kind]} was changed in the database itself: run assize verify --chain; nothing more is done with it until it is restored`,
  )
}

/** Whether a part of the row stays as it was that the newest entry does not have. */
function carriesOver({ facts, before, content }: TouchedRow): boolean {
  const [now, was, said] = [facts, before, content].map(each => (each ?? {}) as Readonly<Record<string, Json>>)
  return Object.keys(now!).some(
    key => Object.hasOwn(was!, key) && isEqual(now![key]!, was![key]!) && !isEqual(now![key]!, said![key] ?? null),
  )
}

/** Whether the entry has our seal; true where there is no entry. */
function isSealed(seals: AccessSeals, { number, at, previous, seal, ...row }: NewestRow): boolean {
  if (number === null) return true
  return isTrue(() => seals.isEntry({ ...row, number, at: at!, previous: previous! }, seal))
}

/** An entry to be added behind the end of its log. */
export interface NewEntry extends Omit<AccessEntry, 'number' | 'previous'> {
  readonly end: { readonly scope: string; readonly number: number; readonly seal: Buffer }
}

/** Adds entries, those of one log in the order given, and returns the new ends. The logs are locked, or nobody else is there. */
export async function appendEntries(
  tx: Transaction,
  seals: AccessSeals,
  entries: readonly NewEntry[],
): Promise<ReadonlyMap<string, NewEntry['end']>> {
  await beginSealing(tx)
  const ends = new Map<string, NewEntry['end']>()
  const made = entries.map(({ end, ...entry }) => {
    const { number, seal: previous } = ends.get(entry.scope) ?? end
    const next = { ...entry, number: number + 1, previous }
    const seal = seals.entry(next)
    ends.set(entry.scope, { scope: entry.scope, number: next.number, seal })
    return { ...next, seal }
  })
  const heads = [...ends.values()].map(end => ({ ...end, head: seals.end(end) }))
  const hex = (bytes: readonly Buffer[]) =>
    tx`array(select decode(h, 'hex') from unnest(${bytes.map(each => each.toString('hex'))}::text[]) with ordinality as t (h, n) order by n)`
  const contents = made.map(({ content }) => JSON.stringify(content))
  await tx`
    select append_access(${made.map(({ scope }) => scope)}::text[], ${made.map(({ number }) => number)}::bigint[],
      ${made.map(({ kind }) => kind)}::text[], ${made.map(({ subject }) => subject)}::text[],
      ${made.map(({ at }) => at)}::timestamptz[],
      ${contents}::text[], ${hex(made.map(({ previous }) => previous))}, ${hex(made.map(({ seal }) => seal))},
      ${heads.map(({ scope }) => scope)}::text[], ${heads.map(({ number }) => number)}::bigint[],
      ${hex(heads.map(({ seal }) => seal))}, ${hex(heads.map(({ head }) => head))})`
  return ends
}

/** Opens the empty log of a new scope. For the owner's connection. */
export async function openAccessLog(tx: Queryable, seals: AccessSeals, scope: string): Promise<NewEntry['end']> {
  const end = { scope, number: 0, seal: seals.zero(scope) }
  await tx`
    insert into access_head (scope, number, seal, head) values (${scope}, 0, ${end.seal}, ${seals.end(end)})
    on conflict (scope) do nothing`
  return end
}

/** Facts of the log about each subject; null where there are none, where the row differs, or where the seal is not valid. */
export async function confirmAccess<K extends AccessKind>(
  sql: Queryable,
  asked: readonly AccessSubject<K>[],
): Promise<readonly (AccessFacts[K] | null)[]> {
  if (asked.length === 0) return []
  const rows = await loadConfirmed(sql, asked)
  if (!rows.some(({ is_touched: isTouched }) => isTouched)) return confirmed(sql, asked, rows)
  // Changes of this transaction itself are recorded now, and read again.
  await recordTouched(sql as Transaction, false)
  return confirmed(sql, asked, await loadConfirmed(sql, asked))
}

function loadConfirmed(sql: Queryable, asked: readonly AccessSubject[]): Promise<readonly ConfirmedRow[]> {
  return sql<ConfirmedRow[]>`
    select * from confirm_access(${asked.map(({ kind }) => kind)}::text[], ${asked.map(({ scope }) => scope)}::text[],
      ${asked.map(({ subject }) => subject)}::text[])`
}

function confirmed<K extends AccessKind>(
  sql: Queryable,
  asked: readonly AccessSubject<K>[],
  rows: readonly ConfirmedRow[],
): readonly (AccessFacts[K] | null)[] {
  const seals = accessSealsOf(sql)
  const found = asked.map((): AccessFacts[K] | null => null)
  for (const row of rows) {
    const wanted = asked[row.place - 1]
    const isAsked = wanted?.kind === row.kind && wanted.scope === row.scope && wanted.subject === row.subject
    if (isAsked) found[row.place - 1] = confirmedFacts(seals, row) as AccessFacts[K] | null
  }
  return found
}

/** Facts of a row that was read together with something else. */
export function confirmedFacts(seals: AccessSeals, row: ConfirmedRow): Json {
  if (row.content === null || !isSealed(seals, row) || !isEqual(row.facts, row.content)) return null
  return row.content
}

/** Facts of many subjects of one kind and scope; those that do not count are left out. */
export async function confirmAll<K extends AccessKind>(
  sql: Queryable,
  kind: K,
  scope: string,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, AccessFacts[K]>> {
  const facts = await confirmAccess(
    sql,
    subjects.map(subject => ({ kind, scope, subject })),
  )
  return new Map(subjects.flatMap((subject, i) => (facts[i] == null ? [] : [[subject, facts[i]] as const])))
}

export async function confirmOne<K extends AccessKind>(
  sql: Queryable,
  kind: K,
  scope: string,
  subject: string,
): Promise<AccessFacts[K] | null> {
  const [facts] = await confirmAccess(sql, [{ kind, scope, subject }])
  return facts ?? null
}

/**
 * Facts of the newest entry, whatever became of the row: for restrictions, which must not be lost with their row. Refuses an
 * entry that was changed itself.
 */
export async function loadSaid<K extends AccessKind>(
  sql: Queryable,
  kind: K,
  scope: string,
  subject: string,
): Promise<AccessFacts[K] | null> {
  const [row] = await loadConfirmed(sql, [{ kind, scope, subject }])
  if (row === undefined) throw changedInDatabase(kind)
  return saidFacts(accessSealsOf(sql), kind, { ...row, kind, scope, subject }) as AccessFacts[K] | null
}

/** Facts of an entry that was read together with something else. */
export function saidFacts(seals: AccessSeals, kind: AccessKind, row: ConfirmedRow): Json {
  if (!isSealed(seals, row)) throw changedInDatabase(kind)
  return row.content
}
