// The one door through which anything that changes an answer enters: a transaction that waits for its turn, is given the
// next sequence numbers and one recorded instant, and adds to the scope's chain of hashes. It refuses to hand out an
// instant twice, and `settle` refuses to answer for one at which something may still appear.
import type { Json } from '../core/canonical-json.ts'
import type { Instant } from '../core/instant.ts'
import { Refusal } from '../core/refusal.ts'
import { limits } from '../limits.ts'
import { hashContent } from './content.ts'
import { type Queryable, type Sql, type Transaction, withWorkspace } from './database.ts'

export type PublicationKind = 'observations' | 'metadata' | 'follow' | 'pam' | 'formula' | 'receipt' | 'sign-off'

/** The channel of LISTEN; each message is a `PublicationNotice` as JSON. */
export const publicationChannel = 'assize'

export interface PublicationNotice {
  readonly seq: number
  /** A workspace's id, or `public`. */
  readonly scope: string
  readonly kind: PublicationKind
  /** The id of the series or the PAM. */
  readonly subject: string
}

export function readNotice(payload: string): PublicationNotice {
  return JSON.parse(payload) as PublicationNotice
}

/** A publication under way: the lock is held until its transaction ends. */
export interface Publication {
  readonly scope: string
  /** One for the whole transaction, so that no cut falls inside it. */
  readonly recordedAt: Instant
  /** The newest sequence number before this transaction: nothing newer exists while it runs. */
  readonly lastSeq: number
  /** Takes the next place in the sequence; rows that belong to it carry the number returned. */
  append(kind: PublicationKind, subject: string, content: Json): Promise<number>
}

/** Runs `work` alone among all publications. What it reads inside is what is true when it commits. */
export function publishing<T>(
  sql: Sql,
  scope: string,
  work: (tx: Transaction, publication: Publication) => Promise<T>,
): Promise<T> {
  return withWorkspace(sql, scope, async tx => work(tx, await beginPublication(tx, scope)))
}

export interface Published {
  readonly seq: number
  readonly recordedAt: Instant
}

/** The usual case: one subject, its content, and the rows that carry it. */
export function publish(
  sql: Sql,
  what: {
    readonly scope: string
    readonly kind: PublicationKind
    readonly subject: string
    readonly content: Json
  },
  insertRows: (tx: Transaction, published: Published) => Promise<void>,
): Promise<Published> {
  return publishing(sql, what.scope, async (tx, publication) => {
    const seq = await publication.append(what.kind, what.subject, what.content)
    const published = { seq, recordedAt: publication.recordedAt }
    await insertRows(tx, published)
    return published
  })
}

/** Inside a transaction that has its workspace set. Take nothing else that others may hold before this. */
export async function beginPublication(tx: Transaction, scope: string): Promise<Publication> {
  await tx`select set_config('lock_timeout', ${String(limits.publishLockTimeoutMs)}, true),
    set_config('statement_timeout', '0', true)`
  const [begun] = await tx<{ recorded_at: Instant; last_seq: number }[]>`
    select recorded_at, last_seq from begin_publication()`.catch(explainLock)
  await tx`set local lock_timeout to default`
  return {
    scope,
    recordedAt: begun!.recorded_at,
    lastSeq: begun!.last_seq,
    append: async (kind, subject, content) => (await appendAll(tx, kind, [subject], [hashContent(content)]))[0]!,
  }
}

/** The sequence numbers in the order of the subjects. */
export async function appendAll(
  tx: Transaction,
  kind: PublicationKind,
  subjects: readonly string[],
  hashes: readonly Buffer[],
): Promise<readonly number[]> {
  const hex = hashes.map(hash => hash.toString('hex'))
  const rows = await tx<{ seq: number }[]>`
    select seq from append_publications(${kind}, ${subjects as string[]}::text[],
      array(select decode(h, 'hex') from unnest(${hex}::text[]) with ordinality as t (h, n) order by n))`
  return rows.map(({ seq }) => seq)
}

const lockNotAvailable = '55P03'
const queryCancelled = '57014'

function explainLock(error: { code?: string }): never {
  if (error.code === lockNotAvailable || error.code === queryCancelled)
    throw new Refusal('unavailable', 'a large publication is under way; try again in a moment')
  throw error
}

/**
 * For an answer cut at `knownAt`: when this returns, nothing at or before it can still be recorded, now or later. The
 * instant returned is at least that, and may be remembered: what is settled stays settled.
 */
export async function settle(sql: Queryable, at: Instant): Promise<Instant> {
  const tolerance = `${limits.clockToleranceMs} milliseconds`
  const [row] = await sql<{ settled: Instant }[]>`
    select settle(${at}::timestamptz, ${tolerance}::interval) as settled`.catch(error => {
    if (error.code === '22008') throw new Refusal('invalid', `${at} is later than the database's clock`)
    return explainLock(error)
  })
  return row!.settled
}

/** The newest instant for which `knownAt` answers are repeatable. Does not wait. */
export async function horizon(sql: Queryable): Promise<Instant> {
  const [row] = await sql<{ settled: Instant }[]>`select horizon() as settled`
  return row!.settled
}

/** The newest sequence number that is visible. */
export async function newestSeq(sql: Queryable): Promise<number> {
  const [row] = await sql<{ seq: number }[]>`select seq from clock`
  return row!.seq
}

/** What was published after `seq`, in every scope; `null` where it is more than `most`. Subjects only, no content. */
export async function readPublicationsSince(
  sql: Queryable,
  seq: number,
  most: number,
): Promise<readonly PublicationNotice[] | null> {
  const rows = await sql<
    PublicationNotice[]
  >`select seq, scope, kind, subject from publications_since(${seq}, ${most + 1})`
  return rows.length > most ? null : rows
}
