// Contents of a scope's entries, worked out again from its rows for the check of its log, and their redactions. A redacted entry
// keeps its hash, so that proofs hold; its redactions say from which hash to which its content went. They excuse nothing else: a
// redaction that does not continue the hash before it, or that is of an entry that names nobody, is a finding itself.
import type { Json } from '../../core/text/canonical-json.ts'
import type { Instant } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import type { Queryable, Transaction } from '../postgres/database.ts'
import { RowCursor } from '../postgres/row-cursor.ts'
import type { Salt } from './content.ts'
import { contentOf, type EntryKind, entryKinds, hashEntry, readKinds } from './entry-kinds.ts'
import { type EntryRow, selectEntries } from './entry-rows.ts'

export interface EntryContent extends EntryRow {
  readonly kind: EntryKind
  /** Hash of the content; null where the rows cannot be read. */
  readonly hash: Buffer | null
}

/** An entry as it was recorded. */
export interface LogEntry extends EntryRow {
  readonly kind: EntryKind
  readonly hash: Buffer
  readonly salt: Salt
}

/** Line of an entry in its leaf of the tree. */
export function lineOf({ seq, kind, subject, hash }: LogEntry): string {
  return `${seq}|${kind}|${subject}|${hash.toString('hex')}`
}

/** Difference between an entry and its rows. */
export function whyChanged(entry: LogEntry, found: readonly EntryContent[]): string | null {
  const what = `${entry.kind} of ${entry.subject}`
  const [rows, ...more] = found
  if (rows === undefined) return `the rows of this publication (${what}) are gone`
  if (more.length > 0) return `there are more rows than were published (${what})`
  if (rows.hash === null) return `the rows of this publication (${what}) cannot be read: they were changed`
  const isSame = rows.kind === entry.kind && rows.subject === entry.subject && rows.recordedAt === entry.recordedAt
  return isSame && rows.hash.equals(entry.hash) ? null : `the rows of this publication (${what}) were changed`
}

/** Contents by sequence number; more than one where rows were inserted by hand. */
type Contents = ReadonlyMap<number, readonly EntryContent[]>

/** Reads everything but observations, of which there may be millions. Row by row through a cursor: receipts are long. */
export async function loadFactsOf(tx: Transaction, scope: string, saltOf: (seq: number) => Salt): Promise<Contents> {
  const found: EntryContent[] = []
  for (const kind of readKinds) {
    // Each cursor has its own name, because the driver expects the same columns for one name.
    const rows = await RowCursor.open(tx, `facts_${kind}`, selectEntries(tx, kind, scope), limits.factsVerified)
    for (let row = await rows.take(); row !== null; row = await rows.take()) {
      found.push(findIn(kind, row, saltOf(row.seq)))
    }
    await rows.close()
  }
  return Map.groupBy(found, ({ seq }) => seq)
}

/** Content of a row; it has no hash if nothing of ours can have written it. */
export function findIn(kind: EntryKind, row: EntryRow, salt: Salt): EntryContent {
  const { seq, subject, recordedAt } = row
  const found = { seq, subject, recordedAt, kind }
  try {
    return { ...found, hash: hashEntry(kind, row as never, recordedAt, salt) }
  } catch {
    return { ...found, hash: null }
  }
}

/** Content that one entry's hash covers. */
interface SubjectContent extends EntryRow {
  readonly kind: EntryKind
  readonly content: Json
}

/** Contents about one subject, but observations, in the order they were recorded. */
export async function loadSubjectContents(
  tx: Transaction,
  scope: string,
  subject: string,
): Promise<readonly SubjectContent[]> {
  const found: SubjectContent[] = []
  for (const kind of readKinds) {
    const rows = await tx<EntryRow[]>`
      select * from (${selectEntries(tx, kind, scope)}) facts where facts.subject = ${subject}`
    for (const row of rows) {
      const { seq, recordedAt } = row
      found.push({ seq, kind, subject, recordedAt, content: contentOf(kind, row as never, recordedAt) })
    }
  }
  return found.sort((a, b) => a.seq - b.seq)
}

/** Rows that belong to no entry: every row is made with one and has its instant. */
export async function findRowsWithoutEntry(tx: Transaction, scope: string): Promise<string | null> {
  const [row] = await tx<{ id: string }[]>`
    select s.id from series s
    left join lateral (
      select m.recorded_at from series_metadata m where m.owner = s.owner and m.series_id = s.id order by m.seq limit 1
    ) first on true
    where s.owner = ${scope} and s.created_at is distinct from first.recorded_at
    union all
    select a.id from agreement a
    left join lateral (
      select s.seq, s.recorded_at from agreement_state s where s.workspace_id = a.workspace_id and s.agreement_id = a.id
      union all
      select f.seq, f.recorded_at from formula f where f.workspace_id = a.workspace_id and f.agreement_id = a.id
      order by seq limit 1
    ) first on true
    where a.workspace_id = ${scope} and a.created_at is distinct from first.recorded_at
    union all
    select p.id from party p
    left join lateral (
      select n.recorded_at from party_name n where n.workspace_id = p.workspace_id and n.party_id = p.id
      order by n.seq limit 1
    ) first on true
    where p.workspace_id = ${scope} and p.created_at is distinct from first.recorded_at
    limit 1`
  return row?.id ?? null
}

interface Redaction {
  readonly seq: number
  /** The number of the entry whose content was replaced. */
  readonly entry: number
  readonly kind: string
  /** Hashes of its content before and since, as hexadecimal digits. */
  readonly was: string
  readonly is: string
  readonly instead: string
  readonly reason: string
  readonly by: string
  readonly at: Instant
}

/** Redactions of a scope, or of some of its entries, in their order. */
export function loadRedactions(
  tx: Transaction,
  scope: string,
  entries: readonly number[] | null = null,
): Promise<readonly Redaction[]> {
  return tx<Redaction[]>`
    select seq, entry, entry_kind as kind, was, becomes as is, instead, reason, done_by as by, recorded_at as at
    from redaction where scope = ${scope}
      ${entries === null ? tx`` : tx`and entry = any(${entries as number[]}::bigint[])`} order by seq`
}

/**
 * Newest redaction of the entry with this number, as a value of a row; null where there is none. The column is text of our own.
 */
export function redactedBy(tx: Queryable, scope: string, seqColumn: string) {
  return tx`(
    select jsonb_build_object('at', instant_text(x.recorded_at), 'by', x.done_by, 'reason', x.reason) from redaction x
    where x.scope = ${scope} and x.entry = ${tx.unsafe(seqColumn)} order by x.seq desc limit 1)`
}

export class Redactions {
  readonly #byEntry: ReadonlyMap<number, readonly Redaction[]>
  readonly count: number
  /** Redactions whose entry was not seen yet. */
  readonly #unseen: Map<number, Redaction>

  constructor(redactions: readonly Redaction[]) {
    this.#byEntry = Map.groupBy(redactions, ({ entry }) => entry)
    this.#unseen = new Map(redactions.map(each => [each.entry, each]))
    this.count = redactions.length
  }

  static async of(tx: Transaction, scope: string): Promise<Redactions> {
    return new Redactions(await loadRedactions(tx, scope))
  }

  /** The entry with the hash that its content has now. */
  applied<T extends LogEntry>(entry: T): T {
    const last = this.#byEntry.get(entry.seq)?.at(-1)
    return last === undefined ? entry : { ...entry, hash: Buffer.from(last.is, 'hex') }
  }

  /** Problem of an entry's redactions. */
  problemOf({ seq, kind, hash }: LogEntry): { readonly seq: number; readonly message: string } | null {
    this.#unseen.delete(seq)
    let before = hash.toString('hex')
    for (const each of this.#byEntry.get(seq) ?? []) {
      const what = `the redaction of publication ${seq}`
      if (each.kind !== kind || !namesPeople(kind))
        return { seq: each.seq, message: `${what} is of a ${kind}, which names nobody, or says another kind` }
      if (each.seq <= seq || each.was !== before)
        return { seq: each.seq, message: `${what} does not go on from what was published` }
      before = each.is
    }
    return null
  }

  /** Number of a redaction whose entry does not exist. */
  get stray(): number | null {
    return this.#unseen.values().next().value?.seq ?? null
  }
}

function namesPeople(kind: EntryKind): boolean {
  return Object.hasOwn(entryKinds, kind) && entryKinds[kind].names
}
