// Things kept in memory until what they depend on changes. Nothing gets in except through a load, which takes its ticket before it
// reads: whatever changes meanwhile, an older truth is never kept. Loads of one thing are made once for all callers, and
// those whose ticket no longer holds are given to the callers who wait for them and to nobody else.

import type { EntryNotice } from '../../storage/log/append.ts'
import type { EntryKind } from '../../storage/log/entry-kinds.ts'
import { publicScope } from '../../storage/postgres/database.ts'
import { type Changes, type Dependent, type Ticket, topics } from './changes.ts'
import { BoundedCache, type Keepable } from './shelf.ts'

/** What a thing depends on beside its key, if that is a subject of the log, and everything in its scope at once. */
interface DependsOn<T> {
  /** The figures of an agreement, whose id is the key: its series, and everything public at once. */
  readonly figures?: boolean
  /** What was billed under an agreement, whose id is the key. Who billed what is found out by `TrueUps`. */
  readonly billing?: boolean
  /** Entries of these kinds in its scope, or public ones, whatever their subject. */
  readonly kinds?: ReadonlySet<EntryKind>
  /** It is about a time that is over: nothing changes it but entries of its kinds. */
  readonly isPast?: boolean
  /** Every entry that the workspace sees whose id is the key. */
  readonly sight?: (workspaceId: string, entry: EntryNotice) => boolean
  /** What stays of a thing when the figures of an agreement move; without this all of it. */
  withoutNumbers?(thing: T): T
}

/** The bytes that several share. What is in it is put there by those whose it is. */
export type Room = Pick<BoundedCache<Keepable>, 'most' | 'size' | 'count'>

interface Load<T> {
  readonly ticket: Ticket
  /** A workspace's id, or `public`. */
  readonly scope: string
  /** The workspace for which it was begun. */
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
   * `room` is so many bytes, or that of others, from whom `isOwn` tells its own things apart. `dependsOn` is null where the owner
   * decides what is dropped.
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

  /** Without counting as used. */
  peek(key: string): T | undefined {
    return this.#shelf.peek(key) as T | undefined
  }

  *entries(): Generator<readonly [key: string, thing: T]> {
    for (const [key, thing] of this.#shelf.entries()) if (this.#isOwn(thing)) yield [key, thing as T]
  }

  /** After something was added to it: that counts as well. */
  recount(thing: Keepable): void {
    this.#shelf.recount(thing)
  }

  get loading(): number {
    return this.#underWay.size
  }

  /** How many loads were begun for each workspace. */
  loadingByAsker(): Map<string, number> {
    const counts = new Map<string, number>()
    for (const { asker } of this.#underWay.values()) counts.set(asker, (counts.get(asker) ?? 0) + 1)
    return counts
  }

  /** Whether it is being loaded and may still be kept. */
  isLoading(key: string): boolean {
    const load = this.#underWay.get(key)
    return load?.ticket.holds(this.#restsOn(key, load.scope)) === true
  }

  /** From memory at once, or loaded. */
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

  /** Several that are loaded together; each is kept as soon as it is there. */
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

  /** It is stale, and so is what is being loaded for it. */
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
