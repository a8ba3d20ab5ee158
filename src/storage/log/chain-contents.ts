// What the rows of a scope say now, entry by entry, worked out again for the check of its chain.
import type { Json } from '../../core/text/canonical-json.ts'
import { limits } from '../../limits.ts'
import type { Transaction } from '../postgres/database.ts'
import { RowCursor } from '../postgres/row-cursor.ts'
import type { Salt } from './content.ts'
import { contentOf, type EntryKind, hashEntry, readKinds } from './entry-kinds.ts'
import { type EntryRow, selectEntries } from './entry-rows.ts'

/** What the rows of one entry say now. */
export interface Found extends EntryRow {
  readonly kind: EntryKind
  /** Null where they cannot be read. */
  readonly hash: Buffer | null
}

/** An entry as it was recorded. */
export interface LogEntry extends EntryRow {
  readonly kind: EntryKind
  readonly hash: Buffer
  readonly salt: Salt
}

/** What an entry says beside what its rows say now; null where that is the same. */
export function whyChanged(entry: LogEntry, found: readonly Found[]): string | null {
  const what = `${entry.kind} of ${entry.subject}`
  const [rows, ...more] = found
  if (rows === undefined) return `the rows of this publication (${what}) are gone`
  if (more.length > 0) return `there are more rows than were published (${what})`
  if (rows.hash === null) return `the rows of this publication (${what}) cannot be read: they were changed`
  const isSame = rows.kind === entry.kind && rows.subject === entry.subject && rows.recordedAt === entry.recordedAt
  return isSame && rows.hash.equals(entry.hash) ? null : `the rows of this publication (${what}) were changed`
}

/** By sequence number; more than one where rows were inserted by hand. */
type Contents = ReadonlyMap<number, readonly Found[]>

/** Everything but observations, of which there may be millions. Row by row through a cursor: receipts are long. */
export async function readFactsOf(tx: Transaction, scope: string, saltOf: (seq: number) => Salt): Promise<Contents> {
  const found: Found[] = []
  for (const kind of readKinds) {
    // Each has its own name: what is fetched by one name has the same columns, for the driver.
    const rows = await RowCursor.open(tx, `facts_${kind}`, selectEntries(tx, kind, scope), limits.factsVerified)
    for (let row = await rows.take(); row !== null; row = await rows.take()) {
      found.push(findIn(kind, row, saltOf(row.seq)))
    }
    await rows.close()
  }
  return Map.groupBy(found, ({ seq }) => seq)
}

/** No hash for what nothing of ours can have written. */
export function findIn(kind: EntryKind, row: EntryRow, salt: Salt): Found {
  const { seq, subject, recordedAt } = row
  const found = { seq, subject, recordedAt, kind }
  try {
    return { ...found, hash: hashEntry(kind, row as never, recordedAt, salt) }
  } catch {
    return { ...found, hash: null }
  }
}

/** What one entry's hash covers. */
interface SubjectContent extends EntryRow {
  readonly kind: EntryKind
  readonly content: Json
}

/** Everything about one subject, but observations, in the order it was recorded. */
export async function readSubjectContents(
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
    select p.id from pam p
    left join lateral (
      select s.seq, s.recorded_at from pam_state s where s.workspace_id = p.workspace_id and s.pam_id = p.id
      union all
      select f.seq, f.recorded_at from formula f where f.workspace_id = p.workspace_id and f.pam_id = p.id
      order by seq limit 1
    ) first on true
    where p.workspace_id = ${scope} and p.created_at is distinct from first.recorded_at
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
