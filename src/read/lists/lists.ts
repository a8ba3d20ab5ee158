// The lists of workspaces. They are read as a whole once, then changed piece by piece as things are published about them.
// Until the whole list is in memory, a request that needs only a piece is answered from a piece: nobody waits for a
// hundred thousand series to see fifty.
import { limits } from '../../limits.ts'
import { readPams, readReferences } from '../../storage/agreements/agreement-lists.ts'
import { type Marks, type PublicationKind, readMarks, readSubjectsSince } from '../../storage/log/publish.ts'
import { readIdentity } from '../../storage/people/identity.ts'
import { publicScope, type Sql, type Transaction, withWorkspace } from '../../storage/postgres/database.ts'
import { readVisibleSeries } from '../../storage/series/series.ts'
import { FormulaReaders } from '../agreements/agreement-readers.ts'
import type { CachedThing, Loads } from '../memory/loads.ts'
import type { ReadsStorage } from '../memory/reads-storage.ts'
import type { Shelf } from '../memory/shelf.ts'
import { Stale } from '../memory/stale.ts'
import { Arrival } from './arrival.ts'
import { CachedIndex, type ListChanges } from './cached-index.ts'
import { isAllFormulas, type ListPiece, readListPiece } from './list-pieces.ts'

/** Publications of these kinds leave a workspace's lists of series and formulas unchanged. */
export const changesNoList: ReadonlySet<PublicationKind> = new Set([
  'observations',
  'sign-off',
  'objection',
  'objection-answer',
  'signature',
  'receipt',
  'upload',
  'party-member',
  'people',
  'price-list',
  'unit',
  'quantity',
  'invoice',
  'correction',
  'correction-signature',
  'correction-refusal',
  'correction-note',
])

/** Publications of these kinds change more than the entry of one subject. */
const makesNewLists: ReadonlySet<PublicationKind> = new Set(['party', 'clock', 'workspace', 'installation'])

export interface ListsParts {
  readonly sql: Sql
  readonly library: ReadsStorage & { catchUpTo(marks: Marks): Promise<void> }
  readonly memory: Shelf<CachedThing>
  readonly loads: Loads
  /** Whether the whole is read as soon as a piece of it is requested. */
  readonly readsAhead: boolean
}

export class Lists {
  readonly #sql: Sql
  readonly #library: ListsParts['library']
  /** By the list of formulas they are made for, which is another one after every change. */
  readonly #readersUnderWay = new WeakMap<
    CachedIndex['pams'],
    { readonly series: CachedIndex['series']; readonly made: Promise<FormulaReaders> }
  >()
  readonly #memory: Shelf<CachedThing>
  readonly #loads: Loads
  readonly #readsAhead: boolean
  /** Workspaces whose lists turned out to be too large for memory. */
  readonly #tooLong = new Set<string>()
  /** By workspace: lists that are being read. */
  readonly #arrivals = new Map<string, Arrival>()
  /** By workspace: pieces that are being read. */
  readonly #pieces = new Map<string, Set<Promise<CachedIndex>>>()

  constructor({ sql, library, memory, loads, readsAhead }: ListsParts) {
    this.#sql = sql
    this.#library = library
    this.#memory = memory
    this.#loads = loads
    this.#readsAhead = readsAhead
  }

  /** Pieces that are being read, of all workspaces. */
  get pieces(): number {
    // Every request asks, and there is hardly ever one.
    return this.#pieces.size === 0 ? 0 : this.#pieces.values().reduce((sum, { size }) => sum + size, 0)
  }

  *piecesByWorkspace(): Generator<readonly [workspaceId: string, pieces: number]> {
    for (const [workspaceId, { size }] of this.#pieces) yield [workspaceId, size]
  }

  /** The whole; or, if a piece is enough, the piece until the whole is in memory. */
  index(workspaceId: string, piece: ListPiece | null): CachedIndex | Promise<CachedIndex> {
    const cached = this.#memory.get(workspaceId)
    if (cached instanceof CachedIndex) return cached.isCurrent ? cached : this.#upToDate(workspaceId, cached, piece)
    return piece === null ? this.#whole(workspaceId) : this.#wholeOrPiece(workspaceId, piece)
  }

  async #whole(workspaceId: string): Promise<CachedIndex> {
    const index = await this.#loads.get(workspaceId, workspaceId, () => this.#load(workspaceId))
    return index.isCurrent ? index : this.#upToDate(workspaceId, index, null)
  }

  #load(workspaceId: string): Promise<CachedIndex> {
    const arrival = new Arrival(workspaceId)
    this.#arrivals.set(workspaceId, arrival)
    const loaded = this.#read(workspaceId, arrival).catch(error => {
      arrival.fail(error)
      throw error
    })
    // Until it is in memory, where it is notified directly.
    const arrived = () => {
      if (this.#arrivals.get(workspaceId) === arrival) this.#arrivals.delete(workspaceId)
    }
    void loaded.then(() => setImmediate(arrived), arrived)
    return loaded
  }

  async #read(workspaceId: string, arrival: Arrival): Promise<CachedIndex> {
    const read = async (tx: Transaction) => {
      const marks = await readMarks(tx, workspaceId)
      const identity = await readIdentity(tx, workspaceId)
      const pams = await readPams(tx, workspaceId)
      arrival.haveFormulas({ pams, identity, marks })
      return { marks, lists: [await readVisibleSeries(tx, workspaceId), pams, identity] as const }
    }
    const { marks, lists } = await withWorkspace(this.#sql, workspaceId, read, 'snapshot')
    await this.#library.catchUpTo(marks)
    const index = await CachedIndex.make(workspaceId, ...lists)
    arrival.have(index)
    if (index.size > this.#memory.most * index.mostShare) this.#tooLong.add(workspaceId)
    return index
  }

  /** Both are read; short lists arrive as soon as a piece, and then serve everybody. */
  async #wholeOrPiece(workspaceId: string, piece: ListPiece): Promise<CachedIndex> {
    const isAhead = this.#readsAhead && !this.#tooLong.has(workspaceId)
    const whole = isAhead ? this.#whole(workspaceId) : null
    // A request that is answered from a piece does not wait for errors of the whole.
    whole?.catch(() => {})
    const arrival = this.#arrivals.get(workspaceId)
    if (whole !== null && arrival !== undefined && isAllFormulas(piece)) {
      const formulas = await this.#arriving(arrival)
      if (formulas !== null) return formulas
    }
    const others = () => this.#pieces.get(workspaceId) ?? new Set()
    for (let awaited = whole; others().size >= limits.piecesAtOnce; ) {
      const first = await firstOf(others(), awaited)
      if (first instanceof CachedIndex) return first
      if (first === 'no whole') awaited = null
      if (this.#memory.peek(workspaceId) instanceof CachedIndex) return this.index(workspaceId, null)
    }
    const reading = this.#piece(workspaceId, piece)
    return whole === null ? reading : Promise.race([reading, whole.catch(() => reading)])
  }

  /**
   * All formulas are read with the whole, before its series; reading them separately would keep everybody waiting twice
   * as long. Null if they cannot be read, or if something was published meanwhile that they do not include.
   */
  async #arriving(arrival: Arrival): Promise<CachedIndex | null> {
    if (!arrival.stale.isEmpty) return null
    const formulas = await arrival.formulas.catch(() => null)
    if (formulas !== null) await this.#library.catchUpTo(await arrival.marks)
    return arrival.stale.isEmpty ? formulas : null
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
    const read = (tx: Transaction) => readListPiece(tx, workspaceId, piece)
    const { index, marks } = await withWorkspace(this.#sql, workspaceId, read, 'snapshot')
    await this.#library.catchUpTo(marks)
    return index
  }

  /** With everything that was published about it; read once for all callers meanwhile. */
  async #upToDate(workspaceId: string, index: CachedIndex, piece: ListPiece | null): Promise<CachedIndex> {
    index.renewal ??= this.#renew(workspaceId, index).finally(() => {
      index.renewal = null
    })
    return (await index.renewal) ?? this.index(workspaceId, piece)
  }

  /** Null where so much has changed that the lists have to be read as a whole. */
  async #renew(workspaceId: string, index: CachedIndex): Promise<CachedIndex | null> {
    for (let stale = index.takeStale(); !stale.isEmpty; stale = index.takeStale()) {
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
      this.#memory.recount(index)
    }
    return index
  }

  #drop(workspaceId: string, index: CachedIndex): void {
    if (this.#memory.peek(workspaceId) === index) this.#memory.delete(workspaceId)
  }

  async #readChanges(workspaceId: string, index: CachedIndex, stale: Stale): Promise<ListChanges | null> {
    const subjects = new Set(stale.subjects)
    for (const [scope, after] of stale.after) {
      const bounds = { without: changesNoList, most: limits.listChanges }
      const published = await withWorkspace(this.#sql, scope, tx => readSubjectsSince(tx, scope, after, bounds))
      if (published === null || published.some(({ kind }) => makesNewLists.has(kind))) return null
      // A public series is in the lists of its followers, and of nobody else.
      for (const { subject } of published)
        if (scope !== publicScope || index.find(subject) !== undefined) subjects.add(subject)
    }
    if (subjects.size > limits.listChanges) return null
    const ids = [...subjects]
    const read = async (tx: Transaction) => ({
      subjects,
      series: await readVisibleSeries(tx, workspaceId, { ids }),
      pams: await readPams(tx, workspaceId, ids),
      references: index.readers === null ? null : await readReferences(tx, workspaceId, ids),
    })
    return this.#library.readAndCatchUp(workspaceId, read)
  }

  /** Which formulas read which series. Cached with the lists, and as current as they are. Only for the whole. */
  async readers(workspaceId: string, index: CachedIndex): Promise<FormulaReaders> {
    if (index.readers !== null) return index.readers
    const { series, pams } = index
    const underWay = this.#readersUnderWay.get(pams)
    const isShared = underWay?.series === series
    const made = isShared ? underWay.made : this.#makeReaders(workspaceId, index)
    if (!isShared) this.#readersUnderWay.set(pams, { series, made })
    const readers = await made.finally(() => this.#readersUnderWay.delete(pams))
    if (index.readers !== null) return index.readers
    const isSame = index.isCurrent && index.series === series && index.pams === pams
    if (isSame) {
      index.keepReaders(readers)
      this.#memory.recount(index)
    }
    return readers
  }

  async #makeReaders(workspaceId: string, index: CachedIndex): Promise<FormulaReaders> {
    const { pams } = index
    const read = (tx: Transaction) => readReferences(tx, workspaceId)
    const references = await this.#library.readAndCatchUp(workspaceId, read)
    return FormulaReaders.make(pams, references, index)
  }

  /** Something was published about a series or a formula of the workspace. */
  outdate(workspaceId: string, subject: string): void {
    const stale = new Stale()
    stale.add(subject)
    this.#outdate(workspaceId, stale)
  }

  /** A public series is in the lists of its followers; a workspace that starts to follow one publishes that itself. */
  outdatePublic(subject: string): void {
    const stale = new Stale()
    stale.add(subject)
    // A series that is just being followed is not in the lists yet, and may be read as it was before.
    for (const [workspaceId, cached] of [...this.#memory.entries()])
      if (cached instanceof CachedIndex && (cached.find(subject) !== undefined || cached.renewal !== null))
        this.#outdate(workspaceId, stale)
    for (const arrival of this.#arrivals.values()) arrival.outdate(stale)
  }

  /** So much was published in a scope that single notifications were not sent. */
  outdateAfter(scope: string, seq: number): void {
    const stale = new Stale()
    stale.addAfter(scope, seq)
    if (scope !== publicScope) this.#outdate(scope, stale)
    else {
      for (const cached of this.#memory.values()) if (cached instanceof CachedIndex) cached.outdate(stale)
      for (const arrival of this.#arrivals.values()) arrival.outdate(stale)
    }
  }

  #outdate(workspaceId: string, stale: Stale): void {
    this.#arrivals.get(workspaceId)?.outdate(stale)
    const index = this.#memory.peek(workspaceId)
    if (!(index instanceof CachedIndex)) return
    index.outdate(stale)
    if (index.isMostlyStale) this.#memory.delete(workspaceId)
  }

  /** Affects all lists: something changed that is in none of their entries. */
  dropAll(): void {
    for (const [workspaceId, cached] of [...this.#memory.entries()])
      if (cached instanceof CachedIndex) this.#memory.delete(workspaceId)
    for (const workspaceId of this.#arrivals.keys()) this.#loads.forget(workspaceId)
  }
}

/**
 * Of many simultaneous requests a few are served by pieces. The others wait for one of these to end, or for the whole.
 */
function firstOf(
  pieces: Iterable<Promise<CachedIndex>>,
  whole: Promise<CachedIndex> | null,
): Promise<CachedIndex | 'turn' | 'no whole'> {
  // An error while reading a piece is reported to its callers.
  const turn = () => 'turn' as const
  const turns = [...pieces].map(piece => piece.then(turn, turn))
  return Promise.race(whole === null ? turns : [...turns, whole.catch(() => 'no whole' as const)])
}
