// What is known of each agreement of a workspace: what is current, and what was known last where that is being computed again.
// It is kept in the database as well: after a start, whatever nothing has changed since is current without being computed
// (decision 0233). What is in a digest is not its business.
import type { Day } from '../../core/time/day.ts'
import { limits } from '../../limits.ts'
import {
  changesEveryDigest,
  type DigestList,
  loadKeptDigests,
  writeKeptDigests,
} from '../../storage/agreements/stored-digests.ts'
import type { EntryNotice, Marks } from '../../storage/log/append.ts'
import type { Transaction } from '../../storage/postgres/database.ts'
import { TicketedCache } from '../memory/cache.ts'
import type { Dependent } from '../memory/changes.ts'
import { SizedValue } from '../memory/memory.ts'
import type { ReadsStorage } from '../memory/reads-storage.ts'

/** What was computed of one agreement. */
export interface KnownDigest<T> {
  readonly digest: T
  /** The day for which it was computed, and the last one on which it is still right if nothing is recorded. */
  readonly day: Day
  readonly lastDay: Day
  /** The ids of the series it reads; null where it is not worth keeping: it says less than somebody else might compute. */
  readonly series: readonly string[] | null
  /** Approximate bytes. */
  readonly size: number
}

/** The library. */
export interface Remembers extends ReadsStorage {
  /** Writes what may be lost. */
  remember(workspaceId: string, write: (tx: Transaction) => Promise<void>): Promise<void>
}

export class DigestShelf<T> implements Dependent {
  readonly #library: Remembers
  readonly #kept: DigestList
  readonly #current: TicketedCache<SizedValue<KnownDigest<T>>>
  /** Whether or not something has changed since. */
  readonly #last: TicketedCache<SizedValue<KnownDigest<T>>>
  /** By workspace of which everything that was kept is read. */
  readonly #reads = new Map<string, Promise<void>>()

  constructor(library: Remembers, shape: number) {
    this.#library = library
    this.#kept = { list: 'digests', shape }
    const dependsOn = { figures: true, billing: true, kinds: changesEveryDigest }
    this.#current = new TicketedCache(library.changes, limits.digestsBytes, dependsOn)
    this.#last = new TicketedCache(library.changes, limits.digestsBytes, null)
    library.changes.add(this)
  }

  /** As of the day. */
  find(id: string, today: Day): T | undefined {
    const known = this.#current.get(id)?.value
    return known !== undefined && known.day <= today && today <= known.lastDay ? known.digest : undefined
  }

  /** As it was last known, right or not. */
  findLast(id: string): T | undefined {
    return this.#last.get(id)?.value.digest
  }

  /** Whether it is being computed, and may still be right then. */
  isComputing(id: string): boolean {
    return this.#current.isLoading(id)
  }

  /** Reads what was kept of a workspace, once. */
  read(workspaceId: string): Promise<void> {
    const known = this.#reads.get(workspaceId)
    if (known !== undefined) return known
    const read = this.#read(workspaceId)
    this.#reads.set(workspaceId, read)
    read.catch(() => {
      if (this.#reads.get(workspaceId) === read) this.#reads.delete(workspaceId)
    })
    return read
  }

  #read(workspaceId: string): Promise<void> {
    const { changes } = this.#library
    return this.#keeping(workspaceId, [], async keep => {
      using ticket = changes.ticket()
      const rows = await this.#library.readAndCatchUp(workspaceId, tx =>
        loadKeptDigests<KnownDigest<T>>(tx, workspaceId, this.#kept),
      )
      for (const { agreementId: id, content, holds, hasSameParties } of rows) {
        const series = content.series ?? []
        // What changes from now on is noticed, and what has changed meanwhile shows in the ticket.
        for (const each of series) changes.computedFrom(each, id)
        keep(id, content, {
          isCurrent: holds && ticket.holds(series),
          // What was computed with other parties may be theirs alone.
          isLast: hasSameParties && this.#last.peek(id) === undefined,
        })
      }
    })
  }

  /** Some that are computed together; each counts as soon as it is there. `work` says up to which entries it read. */
  async compute(
    workspaceId: string,
    ids: readonly string[],
    work: (keep: (id: string, known: KnownDigest<T>) => void) => Promise<Marks>,
  ): Promise<void> {
    const made: { readonly agreementId: string; readonly content: string }[] = []
    const marks = await this.#keeping(workspaceId, ids, keep =>
      work((id, known) => {
        keep(id, known, { isCurrent: true, isLast: true })
        if (known.series !== null) made.push({ agreementId: id, content: JSON.stringify(known) })
      }),
    )
    if (made.length === 0) return
    const rows = made.map(row => ({ ...row, whose: '', marks }))
    await this.#library.remember(workspaceId, tx => writeKeptDigests(tx, workspaceId, this.#kept, rows))
  }

  #keeping<Result>(
    workspaceId: string,
    ids: readonly string[],
    work: (
      keep: (id: string, known: KnownDigest<T>, as: { readonly isCurrent: boolean; readonly isLast: boolean }) => void,
    ) => Promise<Result>,
  ): Promise<Result> {
    return this.#last.loadMany(ids, workspaceId, keepLast =>
      this.#current.loadMany(ids, workspaceId, keepCurrent =>
        work((id, known, { isCurrent, isLast }) => {
          const place = new SizedValue(known, known.size, workspaceId)
          if (isCurrent) keepCurrent(id, place)
          if (isLast) keepLast(id, place)
        }),
      ),
    )
  }

  /** What was known of an agreement with other parties may be theirs alone. */
  entered({ kind, subject }: EntryNotice): void {
    if (kind === 'agreement') this.#last.drop(subject)
  }

  /** Nothing there counts as current any more; what was kept says which of it still is. */
  enteredMany(): void {
    this.#reads.clear()
  }
}
