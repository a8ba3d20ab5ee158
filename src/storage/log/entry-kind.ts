// The parts that every kind of entry has. A kind without one of them does not compile; what the log does with a kind, it
// derives from these.
import type { Json } from '../../core/text/canonical-json.ts'
import type { Instant } from '../../core/time/instant.ts'

/**
 * What the subject of an entry is. `scope`: the workspace, the installation, or the public series as a whole. `any`: whatever the
 * entry is about that it belongs to.
 */
type EntrySubject = 'series' | 'release' | 'index' | 'agreement' | 'invoice' | 'company' | 'file' | 'scope' | 'any'

/** Where a fact is stored. */
export interface Column<T> {
  /** In the kind's table, where that is not the fact's own name. */
  readonly name?: string
  readonly isJson?: boolean
  /** It is read with SQL from somewhere else; the table is called r there. */
  readonly sql?: string
  /** For the compiler alone. */
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

/** What no column of the table has by itself. */
export interface WrittenEntry {
  readonly sql: string
}

/** A seal of the row itself, which covers where the row is. */
interface SealRule {
  /** Of two kinds in one table it is the same. */
  readonly as: string
  /** Whether its number and instant are covered too: a row that is repeated later by SQL alone is not valid there. */
  readonly coversNumber: boolean
}

export function sealedAs(as: string): SealRule {
  return { as, coversNumber: false }
}

/** What is kept in memory beside what belongs to one subject alone. */
type KeptInMemory = 'lists' | 'rows' | 'digests' | 'trueUps'

/** What an entry makes stale in its scope, beside its subject and what is computed from it: for the subject, or the whole. */
type Stale = Readonly<Partial<Record<KeptInMemory, 'subject' | 'scope'>>>

/** What a change is called in `/ext/v1/changes`. */
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
  /** What an entry may be there. Which of two depends on other rows; the first where nothing else is known. */
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
  /** Has a row for each entry, or some. Called r in SQL. */
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
  /** What rows are read from, where it is not the table itself. */
  readonly source?: string
  readonly join?: string
  readonly where?: string
  readonly groupBy?: string
  /**
   * What its hash covers, so written that the same facts always give the same bytes. It never changes its form: a column that
   * comes later is added where a row has it, so that older rows keep their bytes; another form is a new kind. Null where
   * rows are too many to be read: then the database hashes them, as the fact `hash`.
   */
  readonly content: ((facts: EntryFacts<C>, at: Instant) => Json) | null
  readonly seal: SealRule | null
  readonly stale: Stale
  /** Null for what is in no feed. */
  readonly feed: FeedRule | null
}

/** Any kind, whatever its facts. */
export type AnyEntryRule = Omit<EntryRule<Columns, string>, 'content'> & {
  readonly content: ((facts: never, at: Instant) => Json) | null
}

/** Holds the parts of a kind to its facts. */
export function entryKind<const C extends Columns, const Beside extends string = never>(
  rule: EntryRule<C, Beside>,
): EntryRule<C, Beside> {
  return rule
}
