// Digests of the agreements of a workspace: current ones, and the last known where one is being computed again. The database keeps
// them too: after a start, digests without a change since are current and not computed again (decision 0233). The content of a
// digest is decided elsewhere.
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

/** A computed digest with its validity. */
export interface KnownDigest<T> {
  readonly digest: T
  /** The day it was computed for, and the last one on which it is right if nothing is recorded. */
  readonly day: Day
  readonly lastDay: Day
  /** Ids of the series it reads; null where the digest is not worth keeping: another process might compute a fuller one. */
  readonly series: readonly string[] | null
  /** Approximate bytes. */
  readonly size: number
}

/** Narrow view of the library. */
export interface Remembers extends ReadsStorage {
  /** Writes rows that may be lost. */
  remember(workspaceId: string, write: (tx: Transaction) => Promise<void>): Promise<void>
}

export class DigestShelf<T> implements Dependent {
  readonly #library: Remembers
  readonly #kept: DigestList
  readonly #current: TicketedCache<SizedValue<KnownDigest<T>>>
  /** Last known digests, changed since or not. */
  readonly #last: TicketedCache<SizedValue<KnownDigest<T>>>
  /** By workspace: the reading of its kept digests, under way or done. */
  readonly #reads = new Map<string, Promise<void>>()

  constructor(library: Remembers, shape: number) {
    this.#library = library
    this.#kept = { list: 'digests', shape }
    const dependsOn = { figures: true, billing: true, kinds: changesEveryDigest }
    this.#current = new TicketedCache(library.changes, limits.digestsBytes, dependsOn)
    this.#last = new TicketedCache(library.changes, limits.digestsBytes, null)
    library.changes.add(this)
  }

  /** The digest as of the day. */
  find(id: string, today: Day): T | undefined {
    const known = this.#current.get(id)?.value
    return known !== undefined && known.day <= today && today <= known.lastDay ? known.digest : undefined
  }

  /** The last known digest, right or not. */
  findLast(id: string): T | undefined {
    return this.#last.get(id)?.value.digest
  }

  /** Whether it is being computed, and may still be right when it is done. */
  isComputing(id: string): boolean {
    return this.#current.isLoading(id)
  }

  /** Reads the kept digests of a workspace, once. */
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
        // Later changes are noticed from here on; changes during the read show in the ticket.
        for (const each of series) changes.computedFrom(each, id)
        keep(id, content, {
          isCurrent: holds && ticket.holds(series),
          // A digest computed with other parties may be theirs alone.
          isLast: hasSameParties && this.#last.peek(id) === undefined,
        })
      }
    })
  }

  /** Computes several together; each counts as soon as it is there. `work` returns the entries up to which it read. */
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

  /** A last known digest may be about other parties, and theirs alone. */
  entered({ kind, subject }: EntryNotice): void {
    if (kind === 'agreement') this.#last.drop(subject)
  }

  /** No digest counts as current any more; the stored marks say which ones still are. */
  enteredMany(): void {
    this.#reads.clear()
  }
}
