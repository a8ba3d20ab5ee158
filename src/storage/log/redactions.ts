// What was redacted in a scope, and what the content of each entry hashes to since. The entry itself keeps its hash, so that links
// and proofs hold; a redaction says from which hash to which the content went. It excuses nothing else: one that does not go on
// from the hash before it, or that is of an entry that names nobody, is a finding itself.
import type { Instant } from '../../core/time/instant.ts'
import type { Queryable, Transaction } from '../postgres/database.ts'
import type { LogEntry } from './chain-contents.ts'
import { type EntryKind, entryKinds } from './entry-kinds.ts'

export interface Redaction {
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

/** Of a scope, or of some of its entries, in their order. */
export function readRedactions(
  tx: Transaction,
  scope: string,
  entries: readonly number[] | null = null,
): Promise<readonly Redaction[]> {
  return tx<Redaction[]>`
    select seq, entry, entry_kind as kind, was, becomes as is, instead, reason, done_by as by, recorded_at as at
    from redaction where scope = ${scope}
      ${entries === null ? tx`` : tx`and entry = any(${entries as number[]}::bigint[])`} order by seq`
}

/** The newest of the entry with this number, as a value of a row; null where there is none. Text of our own. */
export function redactedBy(tx: Queryable, scope: string, seqColumn: string) {
  return tx`(
    select jsonb_build_object('at', instant_text(x.recorded_at), 'by', x.done_by, 'reason', x.reason) from redaction x
    where x.scope = ${scope} and x.entry = ${tx.unsafe(seqColumn)} order by x.seq desc limit 1)`
}

export class Redactions {
  readonly #byEntry: ReadonlyMap<number, readonly Redaction[]>
  readonly count: number
  /** Those whose entry was not seen yet. */
  readonly #unseen: Map<number, Redaction>

  constructor(redactions: readonly Redaction[]) {
    this.#byEntry = Map.groupBy(redactions, ({ entry }) => entry)
    this.#unseen = new Map(redactions.map(each => [each.entry, each]))
    this.count = redactions.length
  }

  static async of(tx: Transaction, scope: string): Promise<Redactions> {
    return new Redactions(await readRedactions(tx, scope))
  }

  /** The entry with the hash that its content has now. */
  applied<T extends LogEntry>(entry: T): T {
    const last = this.#byEntry.get(entry.seq)?.at(-1)
    return last === undefined ? entry : { ...entry, hash: Buffer.from(last.is, 'hex') }
  }

  /** What is wrong with those of an entry; null where nothing is. */
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

  /** One of an entry that does not exist; null where there is none. */
  get stray(): number | null {
    return this.#unseen.values().next().value?.seq ?? null
  }
}

function namesPeople(kind: EntryKind): boolean {
  return Object.hasOwn(entryKinds, kind) && entryKinds[kind].names
}
