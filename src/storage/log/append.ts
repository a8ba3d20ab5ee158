// The one door through which anything that changes an answer enters: a transaction that waits for its turn in its scope,
// is given the next sequence numbers and one recorded instant, and adds to the scope's tree under its keyed head. It refuses to hand out
// an instant twice or by a clock that is wrong, and `settle` refuses to answer for one at which something may still appear.
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../../core/refusal.ts'
import { type Instant, instantOfMicros } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import { answerMs, answerWithin } from '../postgres/answer-within.ts'
import { ConnectionError } from '../postgres/connection-error.ts'
import {
  type LogWriter,
  logWriterOf,
  publicScope,
  type Queryable,
  type Sql,
  type Transaction,
  withWorkspace,
} from '../postgres/database.ts'
import { whyClockIsWrong } from './clock-guard.ts'
import { makeSalt } from './content.ts'
import { type EntryKind, entryKinds, type FactsOf, hashEntry } from './entry-kinds.ts'
import { beginSealing } from './ring-state.ts'
import { coverEntries, isHead, type ScopeEnd } from './scope-head.ts'

/** The channel of LISTEN; each message is a `Notice` as JSON. */
export const entryChannel = 'assize'

export interface EntryNotice {
  readonly seq: number
  /** A workspace's id, or `public`. */
  readonly scope: string
  readonly kind: EntryKind
  /** The id of the series or the agreement. */
  readonly subject: string
}

/** Notice of a transaction with too many entries to list one by one: everything of the scope may have changed. */
interface ScopeNotice {
  readonly seq: number
  readonly scope: string
  readonly kind: 'all'
}

export type Notice = EntryNotice | ScopeNotice

export function readNotice(payload: string): Notice {
  return JSON.parse(payload) as Notice
}

/** The newest entry of each scope, by its number there. Within a scope, entries become visible in their order. */
export type Marks = ReadonlyMap<string, number>

/**
 * An entry under way: its scope's lock is held until its transaction ends. A function that takes one is called while it is open.
 */
export interface OpenLog {
  readonly scope: string
  /** Instant of the whole transaction, so that no cut falls inside it. */
  readonly recordedAt: Instant
  /** The scope's newest number before this transaction: nothing newer exists while it runs. */
  readonly lastSeq: number
  /** Takes the next place in the sequence; rows that belong to it carry the number returned. */
  append<K extends EntryKind>(kind: K, subject: string, facts: FactsOf<K>): Promise<number>
  /** Takes places for many entries of one kind, in their order. */
  appendMany<K extends EntryKind>(kind: K, entries: readonly NewEntry<K>[]): Promise<readonly number[]>
}

export interface NewEntry<K extends EntryKind> {
  readonly subject: string
  readonly facts: FactsOf<K>
}

/** A log that was begun here, and is brought to its end here. */
export interface SealableLog extends OpenLog {
  /** Puts appended entries into the tree under a new head, and notifies listeners: the last thing before the commit. */
  seal(): Promise<void>
}

/** Runs `work` alone among all entries of the scope. Its reads of the scope are still true when it commits. */
export async function appending<T>(
  sql: Sql,
  scope: string,
  work: (tx: Transaction, log: OpenLog) => Promise<T>,
): Promise<T> {
  const publisher = logWriterOf(sql)
  return withWorkspace(sql, scope, async tx => {
    const log = await beginAppending(tx, scope, publisher)
    const result = await work(tx, log)
    await log.seal()
    return result
  })
}

/** Clock and head of a scope when an entry begins. */
export interface Begun extends Pick<ScopeEnd, 'instants'> {
  readonly recorded_at: Instant
  readonly database_now: Instant
  readonly last_seq: number
  readonly head: Buffer
  readonly tree_size: number
  readonly tree_edge: Buffer
}

/** Begins inside a transaction that has its workspace set. Take no lock that others may hold before this one. */
export async function beginAppending(tx: Transaction, scope: string, publisher: LogWriter): Promise<SealableLog> {
  await tx`select set_config('lock_timeout', ${String(limits.publishLockTimeoutMs)}, true),
    set_config('statement_timeout', '0', true)`
  await beginSealing(tx)
  const processNow = instantOfMicros(publisher.nowMs() * 1000)
  const [begun] = await tx<Begun[]>`select * from begin_publication()`.catch(explainLock)
  await tx`set local lock_timeout to default`
  const { recorded_at: recordedAt, database_now: databaseNow } = begun!
  const why = whyClockIsWrong({ processNow, databaseNow, recordedAt })
  if (why !== null) throw new Refusal('unavailable', why)
  return openLog(tx, scope, publisher, begun!)
}

/**
 * Opens the log after the scope's lock was taken and the instant given. Refuses to go on from a history that was cut or changed.
 */
export function openLog(
  tx: Transaction,
  scope: string,
  { ring }: LogWriter,
  { recorded_at: recordedAt, last_seq: lastSeq, instants, head, ...begun }: Omit<Begun, 'database_now'>,
): SealableLog {
  const tree = { size: begun.tree_size, edge: begun.tree_edge }
  const end: ScopeEnd = { scope, seq: lastSeq, instants, tree }
  if (!isHead(ring, end, head))
    throw new Refusal(
      'conflict',
      'the history of this workspace was changed in the database itself: run assize verify --chain; nothing is published until it is restored',
    )
  const appendMany: OpenLog['appendMany'] = async (kind, entries) => {
    const subjects = entries.map(({ subject }) => subject)
    const salts = entries.map(() => (entryKinds[kind].names ? makeSalt() : null))
    const hashes = entries.map(({ facts }, i) => hashEntry(kind, facts, recordedAt, salts[i]!))
    const rows = await tx<{ seq: number }[]>`
      select seq from append_publications(${kind}, ${subjects}::text[], ${bytes(tx, hashes)}, ${bytes(tx, salts)})`
    return rows.map(({ seq }) => seq)
  }
  return {
    scope,
    recordedAt,
    lastSeq,
    append: async (kind, subject, facts) => (await appendMany(kind, [{ subject, facts }]))[0]!,
    appendMany,
    async seal() {
      const reached = await coverEntries(tx, ring, end, recordedAt)
      if (reached !== null) await notify(tx, scope, lastSeq, reached.seq)
    },
  }
}

function bytes(tx: Transaction, values: readonly (Buffer | null)[]) {
  const digits = values.map(value => value?.toString('hex') ?? null)
  return tx`array(select decode(h, 'hex') from unnest(${digits}::text[]) with ordinality as t (h, n) order by n)`
}

/** Sends one notice for each entry, or one for all of them: a million would fill the queue that all scopes share. */
async function notify(tx: Transaction, scope: string, after: number, last: number): Promise<void> {
  if (last - after > limits.noticesTogether)
    await tx`
      select pg_notify(${entryChannel},
        json_build_object('seq', ${last}::bigint, 'scope', ${scope}::text, 'kind', 'all')::text)`
  else
    await tx`
      select pg_notify(${entryChannel},
        json_build_object('seq', seq, 'scope', scope, 'kind', kind, 'subject', subject)::text)
      from publication where scope = ${scope} and seq > ${after} order by seq`
}

const lockNotAvailable = '55P03'
const queryCancelled = '57014'

function explainLock(error: { code?: string }): never {
  if (error.code === lockNotAvailable || error.code === queryCancelled) throw underWay()
  throw error
}

function underWay(): Refusal {
  return new Refusal('unavailable', 'a large publication is under way; try again in a moment')
}

/**
 * Waits for an answer cut at `knownAt`: when it returns, nothing of the scope at or before it can still be recorded, now or
 * later. The instant returned is at least that, and may be remembered: a settled instant stays settled. No connection is held
 * while it waits.
 */
export async function settle(sql: Queryable, scope: string, at: Instant): Promise<Instant> {
  const deadlineMs = performance.now() + limits.lockTimeoutMs
  const { least, most } = limits.settlePauseMs
  for (let pauseMs: number = least; ; pauseMs = Math.min(pauseMs * 2, most)) {
    const [row] = await sql<{ settled: Instant | null; ahead_ms: number }[]>`
      select settled, ahead_ms from settle(${scope}, ${at}::timestamptz)`
    const { settled, ahead_ms: aheadMs } = row!
    if (settled !== null) return settled
    if (aheadMs > limits.clockToleranceMs) throw new Refusal('invalid', `${at} is later than the database's clock`)
    if (aheadMs <= 0 && performance.now() > deadlineMs) throw underWay()
    await sleep(Math.max(aheadMs, pauseMs))
  }
}

/** Scopes with the entries that a workspace sees. */
export function scopesOf(workspaceId: string): readonly string[] {
  return workspaceId === publicScope ? [publicScope] : [publicScope, workspaceId]
}

/** The newest entries that are visible in this transaction, of the workspace and of the public series. */
export async function loadMarks(tx: Queryable, workspaceId: string): Promise<Marks> {
  const rows = await tx<{ scope: string; seq: number }[]>`
    select scope, seq from scope_clock where scope = any(${scopesOf(workspaceId)}::text[])`
  return new Map(rows.map(({ scope, seq }) => [scope, seq]))
}

/** Newest entries of these scopes, or of all. A server in recovery is refused: it may lack entries of the primary. */
export async function loadNewest(sql: Queryable, scopes: readonly string[] | null): Promise<Marks> {
  const rows = await answerWithin(
    answerMs.question,
    sql<{ isStandby: boolean; scope: string | null; seq: number | null }[]>`
      select s.is_standby as "isStandby", n.scope, n.seq
      from (select pg_is_in_recovery() as is_standby) s
      left join newest_publications(${scopes as string[] | null}::text[]) n on true`,
  )
  if (rows[0]!.isStandby) throw ConnectionError.of('STANDBY')
  return new Map(rows.flatMap(({ scope, seq }) => (scope === null ? [] : [[scope, seq!]])))
}

/**
 * Sends a heartbeat to all listeners. A standby refuses it; where commits wait for a standby, this one does as well (decision
 * 0791).
 */
export async function sendBeat(sql: Queryable, beat: string): Promise<void> {
  await answerWithin(answerMs.heartbeat, sql`select pg_notify(${entryChannel}, ${beat})`)
}

/** Subjects of entries of a scope after a number, but for some kinds, each once; `null` for more than `most`. */
export async function loadSubjectsSince(
  tx: Transaction,
  scope: string,
  after: number,
  { without, most }: { readonly without: ReadonlySet<EntryKind>; readonly most: number },
): Promise<readonly Pick<EntryNotice, 'kind' | 'subject'>[] | null> {
  const rows = await tx<Pick<EntryNotice, 'kind' | 'subject'>[]>`
    select distinct kind, subject from publication
    where scope = ${scope} and seq > ${after} and kind <> all(${[...without]}::text[]) limit ${most + 1}`
  return rows.length > most ? null : rows
}

/** The newest number of the scope that is visible. Inside a transaction of the scope. */
export async function newestSeq(tx: Queryable, scope: string): Promise<number> {
  const [row] = await tx<{ seq: number }[]>`select seq from scope_clock where scope = ${scope}`
  return row!.seq
}

/** Entries after the marks; `null` for more than `most`. Subjects only, no content. */
export async function loadEntriesSince(
  sql: Queryable,
  marks: Marks,
  most: number,
): Promise<readonly EntryNotice[] | null> {
  const rows = await sql<EntryNotice[]>`
    select seq, scope, kind, subject
    from publications_since(${[...marks.keys()]}::text[], ${[...marks.values()]}::bigint[], ${most + 1})`
  return rows.length > most ? null : rows
}
