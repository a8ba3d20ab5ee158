// Things kept in memory until something they depend on changes. Every thing gets in through a load, which takes its ticket before
// it reads: whatever changes meanwhile, an older truth is never kept. A load of one thing serves all its callers; a load whose
// ticket no longer holds is given to the callers who wait for it and to nobody else.

import type { EntryNotice } from '../../storage/log/append.ts'
import type { EntryKind } from '../../storage/log/entry-kinds.ts'
import { publicScope } from '../../storage/postgres/database.ts'
import { type Changes, type Dependent, type Ticket, topics } from './changes.ts'
import { BoundedCache, type Keepable } from './shelf.ts'

/** Dependencies of a thing beside its key, if the key is a subject of the log, and everything in its scope at once. */
interface DependsOn<T> {
  /** The key is an agreement's id, and the figures of its series count; so does everything public at once. */
  readonly figures?: boolean
  /** The key is an agreement's id, and lines billed under it count. `TrueUps` finds out which lines those are. */
  readonly billing?: boolean
  /** Entries of these kinds in its scope, or public ones, whatever their subject. */
  readonly kinds?: ReadonlySet<EntryKind>
  /** The thing is about a time that is over: only entries of its kinds change it. */
  readonly isPast?: boolean
  /** Every entry that the workspace sees and whose subject is the key. */
  readonly sight?: (workspaceId: string, entry: EntryNotice) => boolean
  /** The rest of a thing when the figures of an agreement move; left out, all of it. */
  withoutNumbers?(thing: T): T
}

/** Bytes shared by several caches, each of which adds its own things. */
export type Room = Pick<BoundedCache<Keepable>, 'most' | 'size' | 'count'>

interface Load<T> {
  readonly ticket: Ticket
  /** Id of a workspace, or `public`. */
  readonly scope: string
  /** Workspace for which it was begun. */
  readonly asker: string
  /** Null where several are loaded together. */
  readonly loaded: Promise<T | null> | null
}

export class TicketedCache<T extends Keepable> implements Dependent {
  readonly #changes: Changes
  readonly #shelf: BoundedCache<Keepable>
  readonly #dependsOn: DependsOn<T> | null
  readonly #kinds: ReadonlySet<EntryKind>
  readonly #isOwn: (thing: Keepable) => boolean
  readonly #readsPublic: boolean
  readonly #underWay = new Map<string, Load<T>>()

  /**
   * `room` is a number of bytes, or the room of others, from whom `isOwn` tells its own things apart. `dependsOn` is null where the
   * owner decides what is dropped.
   */
  constructor(
    changes: Changes,
    room: number | Room,
    dependsOn: DependsOn<T> | null,
    isOwn: (thing: Keepable) => boolean = () => true,
  ) {
    this.#changes = changes
    this.#shelf = room instanceof BoundedCache ? room : new BoundedCache(room as number)
    this.#dependsOn = dependsOn
    const { figures = false, kinds = new Set<EntryKind>(), sight } = dependsOn ?? {}
    this.#kinds = kinds
    this.#isOwn = isOwn
    this.#readsPublic = figures || sight !== undefined || kinds.size > 0
    if (dependsOn !== null) changes.add(this)
  }

  get room(): Room {
    return this.#shelf
  }

  get(key: string): T | undefined {
    return this.#shelf.get(key) as T | undefined
  }

  /** A thing without counting as used. */
  peek(key: string): T | undefined {
    return this.#shelf.peek(key) as T | undefined
  }

  *entries(): Generator<readonly [key: string, thing: T]> {
    for (const [key, thing] of this.#shelf.entries()) if (this.#isOwn(thing)) yield [key, thing as T]
  }

  /** Counts a thing again after something was added to it. */
  recount(thing: Keepable): void {
    this.#shelf.recount(thing)
  }

  get loading(): number {
    return this.#underWay.size
  }

  /** Number of loads begun for each workspace. */
  loadingByAsker(): Map<string, number> {
    const counts = new Map<string, number>()
    for (const { asker } of this.#underWay.values()) counts.set(asker, (counts.get(asker) ?? 0) + 1)
    return counts
  }

  /** Whether a load is under way that may still be kept. */
  isLoading(key: string): boolean {
    const load = this.#underWay.get(key)
    return load?.ticket.holds(this.#restsOn(key, load.scope)) === true
  }

  /** The thing from memory at once, or loaded. */
  load<Found extends T | null>(
    key: string,
    scope: string,
    read: () => Promise<Found>,
    asker: string = scope,
  ): Found | Promise<Found> {
    const kept = this.#shelf.get(key)
    if (kept !== undefined) return kept as T as Found
    if (this.isLoading(key)) return this.#underWay.get(key)!.loaded as Promise<Found>
    const ticket = this.#changes.ticket()
    const loaded: Promise<Found> = Promise.try(read)
      .then(thing => {
        if (thing !== null) this.#keep(ticket, key, thing)
        return thing
      })
      .finally(() => this.#end([key], load))
    const load: Load<T> = { ticket, scope, asker, loaded }
    this.#underWay.set(key, load)
    return loaded
  }

  /** Loads several together; each is kept as soon as it is there. */
  async loadMany<Result>(
    keys: readonly string[],
    scope: string,
    read: (keep: (key: string, thing: T) => void) => Promise<Result>,
  ): Promise<Result> {
    const ticket = this.#changes.ticket()
    const load: Load<T> = { ticket, scope, asker: scope, loaded: null }
    for (const key of keys) this.#underWay.set(key, load)
    try {
      return await read((key, thing) => this.#keep(ticket, key, thing))
    } finally {
      this.#end(keys, load)
    }
  }

  #end(keys: readonly string[], load: Load<T>): void {
    load.ticket[Symbol.dispose]()
    for (const key of keys) if (this.#underWay.get(key) === load) this.#underWay.delete(key)
  }

  #keep(ticket: Ticket, key: string, thing: T): void {
    if (ticket.holds(this.#restsOn(key, thing.scope))) this.#shelf.set(key, thing)
  }

  #restsOn(key: string, scope: string): readonly string[] {
    if (this.#dependsOn === null) return [key]
    const { figures, billing, isPast, sight } = this.#dependsOn
    const scopes = this.#readsPublic ? [scope, publicScope] : [scope]
    const rests = scopes.flatMap(each => [...this.#kinds].map(kind => topics.kindIn(kind, each)))
    if (isPast) return rests
    rests.push(key, ...scopes.map(topics.everythingIn))
    if (figures) rests.push(topics.numbersOf(key))
    if (billing) rests.push(topics.billedUnder(key), topics.billedUnder(scope))
    if (sight !== undefined) rests.push(...scopes.map(topics.anythingIn))
    return rests
  }

  /** Drops a thing as stale, with every load under way for it. */
  drop(key: string): void {
    this.#changes.touch(key)
    this.#shelf.delete(key)
  }

  dropAll(): void {
    for (const key of new Set([...this.#underWay.keys(), ...this.entries().map(([each]) => each)])) this.drop(key)
  }

  entered(entry: EntryNotice): void {
    const { scope, kind, subject } = entry
    const sight = this.#dependsOn?.sight
    this.#shelf.delete(subject)
    if (this.#kinds.has(kind)) this.#deleteIn(scope)
    if (sight !== undefined) for (const [key] of [...this.entries()]) if (sight(key, entry)) this.#shelf.delete(key)
  }

  enteredMany(scope: string): void {
    if (!this.#dependsOn?.isPast) this.#deleteIn(scope)
  }

  #deleteIn(scope: string): void {
    const isAll = this.#readsPublic && scope === publicScope
    for (const [key, thing] of [...this.entries()]) if (isAll || thing.scope === scope) this.#shelf.delete(key)
  }

  numbersMoved(agreementId: string): void {
    const { figures = false, withoutNumbers } = this.#dependsOn ?? {}
    const thing = withoutNumbers === undefined ? undefined : this.peek(agreementId)
    if (thing !== undefined) this.#shelf.set(agreementId, withoutNumbers!(thing))
    else if (figures) this.#shelf.delete(agreementId)
  }
  billedMore(agreementOrScope: string): void {
    if (!this.#dependsOn?.billing) return
    this.#shelf.delete(agreementOrScope)
    this.#deleteIn(agreementOrScope)
  }
}
