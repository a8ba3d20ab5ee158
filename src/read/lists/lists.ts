// Lists of workspaces. They are read as a whole once, then changed entry by entry. Until the whole list is in memory, a request
// that needs only a piece is answered from a piece: nobody waits for a hundred thousand series to see fifty.

import { limits } from '../../limits.ts'
import { loadAgreementSummaries, loadReferences } from '../../storage/agreements/agreement-lists.ts'
import { type EntryNotice, loadMarks, loadSubjectsSince } from '../../storage/log/append.ts'
import { type EntryKind, kindsWhere } from '../../storage/log/entry-kinds.ts'
import { loadIdentity } from '../../storage/people/issuer-names.ts'
import { publicScope, type Sql, type Transaction, withWorkspace } from '../../storage/postgres/database.ts'
import { loadVisibleSeries } from '../../storage/series/series.ts'
import { ReadersBySeries } from '../agreements/agreement-readers.ts'
import { type Room, TicketedCache } from '../memory/cache.ts'
import type { Dependent } from '../memory/changes.ts'
import type { ReadsStorage } from '../memory/reads-storage.ts'
import type { Keepable } from '../memory/shelf.ts'
import { Stale } from '../memory/stale.ts'
import { Arrival } from './arrival.ts'
import { CachedIndex, type ListChanges } from './cached-index.ts'
import { isAllAgreements, type ListPiece, loadListPiece } from './list-pieces.ts'

/** Kinds of entries that leave a workspace's lists of series and agreements unchanged. */
const changesNoList: ReadonlySet<EntryKind> = new Set(kindsWhere(({ stale }) => stale.lists === undefined))

/** Kinds of entries that change more than one subject in the lists. */
const makesNewLists: ReadonlySet<EntryKind> = new Set(kindsWhere(({ stale }) => stale.lists === 'scope'))

interface ListsContext {
  readonly sql: Sql
  readonly library: ReadsStorage
  readonly room: Room
  /** Whether the whole is read as soon as a piece of it is requested. */
  readonly readsAhead: boolean
}

export class Lists implements Dependent {
  readonly #sql: Sql
  readonly #library: ListsContext['library']
  /** Keyed by the list of agreements they are made for, which is another one after every change. */
  readonly #readersUnderWay = new WeakMap<
    CachedIndex['agreements'],
    { readonly series: CachedIndex['series']; readonly made: Promise<ReadersBySeries> }
  >()
  readonly #kept: TicketedCache<CachedIndex>
  readonly #readsAhead: boolean
  /** Workspaces whose lists turned out to be too large for memory. */
  readonly #tooLong = new Set<string>()
  /** Lists being read, by workspace. */
  readonly #arrivals = new Map<string, Arrival>()
  /** Pieces being read, by workspace. */
  readonly #pieces = new Map<string, Set<Promise<CachedIndex>>>()

  constructor({ sql, library, room, readsAhead }: ListsContext) {
    this.#sql = sql
    this.#library = library
    // Without dependencies: the entries below change the lists in place.
    this.#kept = new TicketedCache(library.changes, room, null, isIndex)
    this.#readsAhead = readsAhead
    library.changes.add(this)
  }

  /** Lists in memory; they may be stale. */
  inMemory(workspaceId: string): CachedIndex | undefined {
    return this.#kept.get(workspaceId)
  }

  /** Lists in memory, without counting as used. */
  peek(workspaceId: string): CachedIndex | undefined {
    return this.#kept.peek(workspaceId)
  }

  /** Lists and pieces that are being read, of all workspaces. */
  get loading(): number {
    // Fast path: every request asks, and there is hardly ever a piece.
    if (this.#pieces.size === 0) return this.#kept.loading
    return this.#kept.loading + this.#pieces.values().reduce((sum, { size }) => sum + size, 0)
  }

  loadingByWorkspace(): Map<string, number> {
    const counts = this.#kept.loadingByAsker()
    for (const [workspaceId, { size }] of this.#pieces) counts.set(workspaceId, (counts.get(workspaceId) ?? 0) + size)
    return counts
  }

  /** The whole; or, if a piece is enough, the piece until the whole is in memory. */
  index(workspaceId: string, piece: ListPiece | null): CachedIndex | Promise<CachedIndex> {
    const cached = this.#kept.get(workspaceId)
    if (cached !== undefined) return cached.isCurrent ? cached : this.#upToDate(workspaceId, cached, piece)
    return piece === null ? this.#whole(workspaceId) : this.#wholeOrPiece(workspaceId, piece)
  }

  async #whole(workspaceId: string): Promise<CachedIndex> {
    const index = await this.#kept.load(workspaceId, workspaceId, () => this.#load(workspaceId))
    return index.isCurrent ? index : this.#upToDate(workspaceId, index, null)
  }

  #load(workspaceId: string): Promise<CachedIndex> {
    const arrival = new Arrival(workspaceId)
    this.#arrivals.set(workspaceId, arrival)
    const loaded = this.#read(workspaceId, arrival).catch(error => {
      arrival.fail(error)
      throw error
    })
    // The arrival ends once the lists are in memory.
    const arrived = () => {
      if (this.#arrivals.get(workspaceId) === arrival) this.#arrivals.delete(workspaceId)
    }
    void loaded.then(() => setImmediate(arrived), arrived)
    return loaded
  }

  async #read(workspaceId: string, arrival: Arrival): Promise<CachedIndex> {
    const read = async (tx: Transaction) => {
      const marks = await loadMarks(tx, workspaceId)
      const identity = await loadIdentity(tx, workspaceId)
      const agreements = await loadAgreementSummaries(tx, workspaceId)
      arrival.haveAgreements({ agreements, identity, marks })
      return { marks, lists: [await loadVisibleSeries(tx, workspaceId), agreements, identity] as const }
    }
    const { marks, lists } = await withWorkspace(this.#sql, workspaceId, read, 'snapshot')
    await this.#library.changes.catchUpTo(marks)
    const index = await CachedIndex.make(workspaceId, ...lists, arrival.stale)
    if (index.size > this.#kept.room.most * index.mostShare) this.#tooLong.add(workspaceId)
    return index
  }

  /** Reads both; short lists arrive as soon as a piece, and then serve everybody. */
  async #wholeOrPiece(workspaceId: string, piece: ListPiece): Promise<CachedIndex> {
    const isAhead = this.#readsAhead && !this.#tooLong.has(workspaceId)
    const whole = isAhead ? this.#whole(workspaceId) : null
    // A request that is answered from a piece does not wait for errors of the whole.
    whole?.catch(() => {})
    const arrival = this.#arrivals.get(workspaceId)
    if (whole !== null && arrival !== undefined && isAllAgreements(piece)) {
      const agreements = await this.#arriving(arrival)
      if (agreements !== null) return agreements
    }
    const others = () => this.#pieces.get(workspaceId) ?? new Set()
    for (let awaited = whole; others().size >= limits.piecesAtOnce; ) {
      const first = await firstOf(others(), awaited)
      if (first instanceof CachedIndex) return first
      if (first === 'no whole') awaited = null
      if (this.#kept.peek(workspaceId) !== undefined) return this.index(workspaceId, null)
    }
    const reading = this.#piece(workspaceId, piece)
    return whole === null ? reading : Promise.race([reading, whole.catch(() => reading)])
  }

  /**
   * All agreements are read with the whole, before its series; reading them separately would keep everybody waiting twice as long.
   * Null if they cannot be read, or do not include something published meanwhile.
   */
  async #arriving(arrival: Arrival): Promise<CachedIndex | null> {
    if (!arrival.stale.isEmpty) return null
    const agreements = await arrival.agreements.catch(() => null)
    if (agreements !== null) await this.#library.changes.catchUpTo(await arrival.marks)
    return arrival.stale.isEmpty ? agreements : null
  }

  #piece(workspaceId: string, piece: ListPiece): Promise<CachedIndex> {
    const underWay = this.#pieces.get(workspaceId) ?? new Set()
    this.#pieces.set(workspaceId, underWay)
    const reading = this.#readPiece(workspaceId, piece).finally(() => {
      underWay.delete(reading)
      if (underWay.size === 0) this.#pieces.delete(workspaceId)
    })
    underWay.add(reading)
    return reading
  }

  async #readPiece(workspaceId: string, piece: ListPiece): Promise<CachedIndex> {
    const read = (tx: Transaction) => loadListPiece(tx, workspaceId, piece)
    const { index, marks } = await withWorkspace(this.#sql, workspaceId, read, 'snapshot')
    await this.#library.changes.catchUpTo(marks)
    return index
  }

  /** Lists with everything published about them; read once for all callers meanwhile. */
  async #upToDate(workspaceId: string, index: CachedIndex, piece: ListPiece | null): Promise<CachedIndex> {
    index.renewal ??= this.#renew(workspaceId, index).finally(() => {
      index.renewal = null
    })
    return (await index.renewal) ?? this.index(workspaceId, piece)
  }

  /** Renewed lists; null where so much has changed that they have to be read as a whole. */
  async #renew(workspaceId: string, index: CachedIndex): Promise<CachedIndex | null> {
    for (let stale = index.stale.take(); !stale.isEmpty; stale = index.stale.take()) {
      const changes = await this.#readChanges(workspaceId, index, stale).catch(error => {
        // Changes that could not be read must stay marked as stale, also for code that already holds these lists.
        index.outdate(stale)
        this.#drop(workspaceId, index)
        throw error
      })
      if (changes === null) {
        this.#drop(workspaceId, index)
        return null
      }
      index.change(changes)
      this.#kept.recount(index)
    }
    return index
  }

  #drop(workspaceId: string, index: CachedIndex): void {
    if (this.#kept.peek(workspaceId) === index) this.#kept.drop(workspaceId)
  }

  async #readChanges(workspaceId: string, index: CachedIndex, stale: Stale): Promise<ListChanges | null> {
    const subjects = new Set(stale.subjects)
    for (const [scope, after] of stale.after) {
      const bounds = { without: changesNoList, most: limits.listChanges }
      const published = await withWorkspace(this.#sql, scope, tx => loadSubjectsSince(tx, scope, after, bounds))
      if (published === null || published.some(({ kind }) => makesNewLists.has(kind))) return null
      // A public series is in the lists of its followers alone.
      for (const { subject } of published)
        if (scope !== publicScope || index.find(subject) !== undefined) subjects.add(subject)
    }
    if (subjects.size > limits.listChanges) return null
    const ids = [...subjects]
    const read = async (tx: Transaction) => ({
      subjects,
      series: await loadVisibleSeries(tx, workspaceId, { ids }),
      agreements: await loadAgreementSummaries(tx, workspaceId, ids),
      references: index.readers === null ? null : await loadReferences(tx, workspaceId, ids),
    })
    return this.#library.readAndCatchUp(workspaceId, read)
  }

  /** Index from series to agreements, cached with the lists and as current as they are. Only for the whole. */
  async readers(workspaceId: string, index: CachedIndex): Promise<ReadersBySeries> {
    if (index.readers !== null) return index.readers
    const { series, agreements } = index
    const underWay = this.#readersUnderWay.get(agreements)
    const isShared = underWay?.series === series
    const made = isShared ? underWay.made : this.#makeReaders(workspaceId, index)
    if (!isShared) this.#readersUnderWay.set(agreements, { series, made })
    const readers = await made.finally(() => this.#readersUnderWay.delete(agreements))
    if (index.readers !== null) return index.readers
    const isSame = index.isCurrent && index.series === series && index.agreements === agreements
    if (isSame) {
      index.keepReaders(readers)
      this.#kept.recount(index)
    }
    return readers
  }

  async #makeReaders(workspaceId: string, index: CachedIndex): Promise<ReadersBySeries> {
    const { agreements } = index
    const read = (tx: Transaction) => loadReferences(tx, workspaceId)
    const references = await this.#library.readAndCatchUp(workspaceId, read)
    return ReadersBySeries.make(agreements, references, index)
  }

  entered({ scope, kind, subject }: EntryNotice): void {
    if (changesNoList.has(kind)) return
    const stale = new Stale()
    stale.add(subject)
    if (scope !== publicScope) {
      // Receipts name parties, and answers with the old name may still be on their way into the cache of these lists.
      if (makesNewLists.has(kind)) this.#kept.drop(scope)
      else this.#outdate(scope, stale)
    } else if (kind === 'metadata') {
      // A public series is in the lists of its followers; a new follower has an entry of its own. A series that is just being
      // followed is not in the lists yet, and may be read as it was before.
      for (const [workspaceId, index] of [...this.#kept.entries()])
        if (index.find(subject) !== undefined || index.renewal !== null) this.#outdate(workspaceId, stale)
      for (const arrival of this.#arrivals.values()) arrival.stale.addAll(stale)
    } else this.#kept.dropAll()
  }

  enteredMany(scope: string, after: number | null): void {
    const stale = new Stale()
    if (after !== null) stale.addAfter(scope, after)
    if (scope !== publicScope) {
      if (after === null) this.#kept.drop(scope)
      else this.#outdate(scope, stale)
    } else if (after === null) this.#kept.dropAll()
    else {
      for (const [, index] of this.#kept.entries()) index.outdate(stale)
      for (const arrival of this.#arrivals.values()) arrival.stale.addAll(stale)
    }
  }

  #outdate(workspaceId: string, stale: Stale): void {
    this.#arrivals.get(workspaceId)?.stale.addAll(stale)
    const index = this.#kept.peek(workspaceId)
    index?.outdate(stale)
    if (index?.isMostlyStale) this.#kept.drop(workspaceId)
  }
}

const isIndex = (thing: Keepable) => thing instanceof CachedIndex

/** A few of many simultaneous requests are served by pieces. The others wait for a piece to end, or for the whole. */
function firstOf(
  pieces: Iterable<Promise<CachedIndex>>,
  whole: Promise<CachedIndex> | null,
): Promise<CachedIndex | 'turn' | 'no whole'> {
  // An error while reading a piece is reported to its callers.
  const turn = () => 'turn' as const
  const turns = [...pieces].map(piece => piece.then(turn, turn))
  return Promise.race(whole === null ? turns : [...turns, whole.catch(() => 'no whole' as const)])
}
