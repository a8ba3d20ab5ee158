// The rows that belong to entries, as their kinds describe them: inserted with the entry and under its seal, and read again to
// verify the log.
import type { Instant } from '../../core/time/instant.ts'
import type { Transaction } from '../postgres/database.ts'
import { insertRows } from '../postgres/many-rows.ts'
import type { NewEntry, OpenLog } from './append.ts'
import type { AnyEntryRule, Column, WrittenEntry } from './entry-kind.ts'
import { type BesideOf, type EntryKind, entryKinds } from './entry-kinds.ts'
import { rowSealsOf } from './row-seals.ts'

/** An entry with the columns that are stored and not hashed, where the kind has some. */
type NewRow<K extends EntryKind> = NewEntry<K> &
  ([BesideOf<K>] extends [never] ? unknown : { readonly beside: Readonly<Record<BesideOf<K>, unknown>> })

interface Appended {
  readonly seq: number
  readonly seal: Buffer | null
}

/** Appends entries of a kind with one row for each. */
export async function appendEntries<K extends EntryKind>(
  tx: Transaction,
  log: OpenLog,
  kind: K,
  entries: readonly NewRow<K>[],
): Promise<readonly Appended[]> {
  const { scope, recordedAt } = log
  const rule = entryKinds[kind]
  const seqs = await log.appendMany(kind, entries)
  const seals = rule.seal === null ? null : rowSealsOf(tx)
  const appended = entries.map(({ subject, facts }, i) => {
    const seq = seqs[i]!
    return { seq, seal: seals?.seal(kind, { scope, subject }, facts, { seq, at: recordedAt }) ?? null }
  })
  const rows = entries.map(({ subject, facts, ...row }, i) => {
    const { seq, seal } = appended[i]!
    return {
      ...columnsOf(tx, rule, facts),
      ...(row as { readonly beside?: object }).beside,
      ...inColumn(rule.subject, subject),
      ...inColumn(rule.scope ?? 'workspace_id', scope),
      [rule.at ?? 'recorded_at']: recordedAt,
      seq,
      ...(seal === null ? {} : { seal }),
    }
  })
  await insertRows(tx, rule.table, rows)
  return appended
}

/** Appends one entry, the usual case, and returns its number. */
export async function appendEntry<K extends EntryKind>(
  tx: Transaction,
  log: OpenLog,
  kind: K,
  entry: NewRow<K>,
): Promise<number> {
  const [appended] = await appendEntries(tx, log, kind, [entry])
  return appended!.seq
}

function inColumn(column: string | WrittenEntry, value: string): Readonly<Record<string, string>> {
  return typeof column === 'string' ? { [column]: value } : {}
}

function columnsOf(tx: Transaction, { columns }: AnyEntryRule, facts: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(columns).flatMap(([fact, column]) => {
      const place = placeOf(fact, column)
      if (typeof place !== 'string') return []
      const value = (facts as Readonly<Record<string, unknown>>)[fact]
      return [[place, column.isJson === true && value !== null ? tx.json(value as never) : value]]
    }),
  )
}

/** `documentText` is in `document_text`, unless its kind says otherwise. */
function placeOf(fact: string, { name, sql }: Column<unknown>): string | WrittenEntry {
  if (sql !== undefined) return { sql }
  return name ?? fact.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}

/** Contents of an entry's rows now, with its facts. */
export interface EntryRow {
  readonly seq: number
  readonly subject: string
  readonly recordedAt: Instant
}

/** All entries of a kind and scope, in no order. */
export function selectEntries(tx: Transaction, kind: EntryKind, scope: string) {
  const rule = entryKinds[kind]
  const { seq = 'seq', at = 'recorded_at', where = 'true', groupBy } = rule
  const facts = Object.entries(rule.columns).map(([fact, column]) => `${read(placeOf(fact, column))} as "${fact}"`)
  const columns = [`r.${seq} as seq`, `${read(rule.subject)} as subject`, `r.${at} as "recordedAt"`, ...facts]
  // The text comes from the kinds alone, never from outside.
  return tx<EntryRow[]>`
    select ${tx.unsafe(columns.join(', '))} from ${rowsOf(tx, kind)}
    where ${tx.unsafe(read(rule.scope ?? 'workspace_id'))} = ${scope} and ${tx.unsafe(where)}
    ${tx.unsafe(groupBy === undefined ? '' : `group by ${groupBy}`)}`
}

/** Source of a kind's rows, for a `from`: they are called r. */
export function rowsOf(tx: Transaction, kind: EntryKind) {
  const { source, table, join = '' } = entryKinds[kind]
  return tx.unsafe(`${source ?? table} r ${join}`)
}

function read(column: string | WrittenEntry): string {
  return typeof column === 'string' ? `r.${column}` : column.sql
}
