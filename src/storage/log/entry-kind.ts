// The parts that every kind of entry has. A kind without one of them does not compile; everything that the log does with a kind
// derives from them.
import type { Json } from '../../core/text/canonical-json.ts'
import type { Instant } from '../../core/time/instant.ts'

/**
 * Kinds of subjects of entries. `scope`: the workspace, the installation, or the public series as a whole. `any`: the subject of
 * the entry that it belongs to.
 */
type EntrySubject = 'series' | 'release' | 'index' | 'agreement' | 'invoice' | 'company' | 'file' | 'scope' | 'any'

export interface Column<T> {
  /** Column of the kind's table, where that is not the fact's own name. */
  readonly name?: string
  readonly isJson?: boolean
  /** SQL that reads the fact from somewhere else; the table is called r there. */
  readonly sql?: string
  /** Type, for the compiler alone. */
  readonly type?: T
}

type Columns = Readonly<Record<string, Column<unknown>>>

export type EntryFacts<C extends Columns> = { readonly [Name in keyof C]: C[Name] extends Column<infer T> ? T : never }

export const text: Column<string> = {}
export const textOrNull: Column<string | null> = {}
export const number: Column<number> = {}
export const truth: Column<boolean> = {}
export function column<T>(name: string): Column<T> {
  return { name }
}
export function json<T>(): Column<T> {
  return { isJson: true }
}
export function sql<T>(text: string): Column<T> & WrittenEntry {
  return { sql: text }
}

/** A value that no column of the table has by itself. */
export interface WrittenEntry {
  readonly sql: string
}

/** A seal of the row itself, which covers where the row is. */
interface SealRule {
  /** Name of the seal, which two kinds in one table share. */
  readonly as: string
  /** Whether its number and instant are covered too: a row that is repeated later by SQL alone is not valid there. */
  readonly coversNumber: boolean
}

export function sealedAs(as: string): SealRule {
  return { as, coversNumber: false }
}

/** Data in memory beside the data of one subject alone. */
type KeptInMemory = 'lists' | 'rows' | 'digests' | 'trueUps'

/**
 * Data that an entry makes stale in its scope, beside its subject and everything computed from it: for the subject, or the whole.
 */
type Stale = Readonly<Partial<Record<KeptInMemory, 'subject' | 'scope'>>>

/** Names of changes in `/ext/v1/changes`. */
export type ChangeKind =
  | 'observations'
  | 'metadata'
  | 'calendar'
  | 'index-event'
  | 'follow'
  | 'formula'
  | 'status'
  | 'signoff'
  | 'agreed'
  | 'objection'
  | 'price-list'
  | 'invoice'
  | 'quantity'
  | 'correction'
  | 'note'
  | 'waiver'
  | 'splice'
  | 'amendment'

interface FeedRule {
  /** Names that an entry may have there. Other rows decide between two; the first is used where nothing else is known. */
  readonly as: readonly [ChangeKind, ...ChangeKind[]]
  /** SQL over its rows: the period, the correction, or the change of terms that it is about. */
  readonly period?: string
  readonly correction?: string
  readonly change?: string
}

export interface EntryRule<C extends Columns, Beside extends string> {
  readonly about: EntrySubject
  /** Whether its content can name a person. Then each entry's hash has a salt, so that a name that was erased cannot be guessed. */
  readonly names: boolean
  /** Table with a row for each entry, or some. Called r in SQL. */
  readonly table: string
  /** The column that has the subject. */
  readonly subject: string | WrittenEntry
  /** Every fact that the hash covers. */
  readonly columns: C
  /** Columns of the table that are not hashed, or only as part of a fact. */
  readonly beside?: readonly Beside[]
  /** Other columns than `workspace_id`, `seq` and `recorded_at`. */
  readonly scope?: string | WrittenEntry
  readonly seq?: string
  readonly at?: string
  /** Source of the rows, where it is not the table itself. */
  readonly source?: string
  readonly join?: string
  readonly where?: string
  readonly groupBy?: string
  /**
   * Content that the hash covers, so written that the same facts always give the same bytes. It never changes its form: a column
   * that comes later is added where a row has it, so that older rows keep their bytes; another form is a new kind. Null where
   * rows are too many to be read: then the database hashes them, as the fact `hash`.
   */
  readonly content: ((facts: EntryFacts<C>, at: Instant) => Json) | null
  readonly seal: SealRule | null
  readonly stale: Stale
  /** Rule of the feed; null for a kind that is in none. */
  readonly feed: FeedRule | null
}

/** A rule of any kind, whatever its facts. */
export type AnyEntryRule = Omit<EntryRule<Columns, string>, 'content'> & {
  readonly content: ((facts: never, at: Instant) => Json) | null
}

/** Holds the parts of a kind to its facts. */
export function entryKind<const C extends Columns, const Beside extends string = never>(
  rule: EntryRule<C, Beside>,
): EntryRule<C, Beside> {
  return rule
}
