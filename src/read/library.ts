// What the API answers from: series, formulas and lists kept in memory, loaded on first use, forgotten when something
// is published about them. It never answers from data that may be stale: freshness.ts says when to forget.
import type { SeriesData } from '../core/formula/bind.ts'
import { TooHeavyHere } from '../core/numbers/work-budget.ts'
import type { Issuer } from '../core/receipt/receipt.ts'
import type { Instant } from '../core/time/instant.ts'
import { type KeptPam, readPam, readPams } from '../storage/agreements/agreements.ts'
import { type Marks, type PublicationNotice, readMarks } from '../storage/log/publish.ts'
import { publicScope, type Sql, type Transaction, withWorkspace } from '../storage/postgres/database.ts'
import { readVintagesUpTo, type VisibleSeries } from '../storage/series/series.ts'
import { readUploads } from '../storage/series/uploads.ts'
import { type AdjustmentRequest, Adjustments } from './agreements/adjustments.ts'
import type { FormulaReaders } from './agreements/agreement-readers.ts'
import { PamSnapshot } from './agreements/agreement-snapshot.ts'
import { Corrections } from './corrections.ts'
import { AgreementPrices } from './lists/agreement-prices.ts'
import { AgreementRows } from './lists/agreement-rows.ts'
import { CachedPam } from './lists/cached-agreement.ts'
import { CachedIndex } from './lists/cached-index.ts'
import { CachedMoment, Moments } from './lists/cached-moment.ts'
import { Digests } from './lists/digests.ts'
import { changesAllRows, isSeenBy, type Published } from './lists/entry-effects.ts'
import { type Gathered, gatherSeries } from './lists/gathered.ts'
import { type ListPiece, readListPiece } from './lists/list-pieces.ts'
import { changesNoList, Lists } from './lists/lists.ts'
import type { AnswerToKeep } from './memory/answer-book.ts'
import { type LibraryBounds, type LibraryTrust, lengthOf, unbounded } from './memory/library-bounds.ts'
import { type CachedThing, Loads } from './memory/loads.ts'
import type { ReadsStorage } from './memory/reads-storage.ts'
import { Shelf } from './memory/shelf.ts'
import { Prices } from './prices.ts'
import { Radar } from './radar.ts'
import { CachedSeries } from './series/cached-series.ts'
import { Heads } from './series/heads.ts'
import { originOfSeries } from './series/origins.ts'
import { type RowsRequest, type RowsView, SeriesSnapshot } from './series/series-snapshot.ts'
import { TrueUps } from './true-ups.ts'

/** Answers kept beside a series, and beside a list or a formula. */
const mostAnswersOfSeries = 12
const mostAnswers = 256
/** How often a formula's series are gathered from memory if some of them are published meanwhile. */
const mostTurns = 2
/** Per PAM: adjustments under the cuts that were asked for last. */
const mostRequests = 16

export class Library implements ReadsStorage {
  readonly #sql: Sql
  readonly #trust: LibraryTrust
  readonly bounds: LibraryBounds
  /** Series that turned out to be too large for this cache. */
  readonly #heavySeries = new Set<string>()
  readonly #memory: Shelf<CachedThing>
  readonly #loads: Loads
  readonly #lists: Lists
  /** Which PAMs were computed from a series. */
  readonly #dependents = new Map<string, Set<string>>()

  /** The ends of series, and the state of formulas, for lists. */
  readonly heads: Heads
  readonly digests: Digests
  readonly prices: Prices
  readonly trueUps: TrueUps
  readonly corrections: Corrections
  /** What publications did to agreements. */
  readonly radar: Radar
  /** The newest numbers of agreements, for lists. */
  readonly rows: AgreementRows
  /** Prices of agreements, for lists. */
  readonly pricesOfMany: AgreementPrices
  /** How recent the data of each workspace is. */
  readonly moments: Moments

  #computed = 0
  /** For each gathering under way, what was forgotten since it began; the name of a scope means everything in it. */
  readonly #gatherings = new Set<Set<string>>()
  /** Called with the publications that a load has seen; resolves when everything up to them is forgotten. */
  #catchUpTo: (marks: Marks) => Promise<void> | undefined = () => undefined

  /** `bounds` are those of the main thread, where others wait, or of a thread where nobody does. */
  constructor(sql: Sql, mostBytes: number, trust: LibraryTrust, bounds: LibraryBounds = unbounded) {
    this.#sql = sql
    this.#trust = trust
    this.bounds = bounds
    this.#memory = new Shelf(mostBytes)
    this.#loads = new Loads(this.#memory)
    this.#lists = new Lists({
      sql,
      library: this,
      memory: this.#memory,
      loads: this.#loads,
      readsAhead: bounds.readsListsAhead,
    })
    this.heads = new Heads(this)
    this.digests = new Digests(this)
    this.prices = new Prices(this, bounds.work)
    this.trueUps = new TrueUps(this, bounds.work)
    this.corrections = new Corrections(this)
    this.rows = new AgreementRows(this)
    this.pricesOfMany = new AgreementPrices(this)
    this.radar = new Radar(this, bounds)
    this.moments = new Moments(this)
  }

  /** A load may see a publication before its notification arrives; then what is older must go before both are used. */
  keepUpWith(catchUpTo: (marks: Marks) => Promise<void> | undefined): void {
    this.#catchUpTo = catchUpTo
  }

  /** Returns when everything up to these publications is forgotten. */
  async catchUpTo(marks: Marks): Promise<void> {
    await this.#catchUpTo(marks)
  }

  /** Whether a workspace sees what was published; true where that is not known. */
  isSeen(workspaceId: string, published: Published): boolean {
    const index = this.#memory.peek(workspaceId)
    return isSeenBy(workspaceId, index instanceof CachedIndex && index.isCurrent ? index : null, published)
  }

  get bytes(): number {
    return this.#memory.size
  }

  get cached(): number {
    return this.#memory.count
  }

  get loading(): number {
    return this.#loads.size + this.#lists.pieces
  }

  /** Whether more than so many loads are under way, and more than its share of them are for this workspace. */
  isOverloaded(workspaceId: string, most: number): boolean {
    if (this.loading <= most) return false
    const counts = this.#loads.byAsker()
    for (const [asker, pieces] of this.#lists.piecesByWorkspace()) counts.set(asker, (counts.get(asker) ?? 0) + pieces)
    return (counts.get(workspaceId) ?? 0) > most / counts.size
  }

  /** How often adjustments were computed. */
  get computed(): number {
    return this.#computed
  }

  /** The lists of a workspace. Where a piece of them is enough, nobody waits for the whole. */
  index(workspaceId: string, piece: ListPiece | null = null): CachedIndex | Promise<CachedIndex> {
    return this.#lists.index(workspaceId, piece)
  }

  /** Which formulas read which series. `index` is the whole. */
  readers(workspaceId: string, index: CachedIndex): Promise<FormulaReaders> {
    return this.#lists.readers(workspaceId, index)
  }

  series(workspaceId: string, visible: VisibleSeries): CachedSeries | Promise<CachedSeries> {
    const { owner, id } = visible
    if (this.#heavySeries.has(id)) throw new TooHeavyHere('a series that was too much before')
    const load = () => this.readAndCatchUp(workspaceId, tx => this.#readSeries(tx, workspaceId, visible))
    return this.#loads.get(owner, id, load, workspaceId) as CachedSeries | Promise<CachedSeries>
  }

  async readAndCatchUp<Found>(workspaceId: string, read: (tx: Transaction) => Promise<Found>): Promise<Found> {
    const load = (tx: Transaction) => Promise.all([read(tx), readMarks(tx, workspaceId)])
    const [found, marks] = await withWorkspace(this.#sql, workspaceId, load, 'snapshot')
    await this.#catchUpTo(marks)
    return found
  }

  /** As it is now, not cached. */
  async #readSeries(tx: Transaction, workspaceId: string, visible: VisibleSeries): Promise<CachedSeries> {
    const { owner, id, metadata } = visible
    const rows = await readVintagesUpTo(tx, owner, id, this.bounds.vintages)
    if (rows === null) {
      this.#heavySeries.add(id)
      throw new TooHeavyHere('a series of many vintages')
    }
    const uploads = await readUploads(tx, workspaceId, visible)
    return new CachedSeries(
      owner,
      new SeriesSnapshot(id, metadata.at(-1)!.frequency, rows),
      originOfSeries(visible, uploads),
    )
  }

  /** A view of a series, its size accounted for. */
  view(workspaceId: string, series: VisibleSeries, request: RowsRequest): RowsView | Promise<RowsView> {
    const cached = this.series(workspaceId, series)
    return cached instanceof CachedSeries
      ? this.viewOf(cached, request)
      : cached.then(loaded => this.viewOf(loaded, request))
  }

  viewOf(cached: CachedSeries, request: RowsRequest): RowsView {
    const before = cached.size
    const view = cached.view(request)
    if (cached.size !== before) this.#memory.recount(cached)
    return view
  }

  pam(workspaceId: string, id: string): CachedPam | null | Promise<CachedPam | null> {
    return this.#loads.get(workspaceId, id, async () => {
      const kept = await this.readAndCatchUp(workspaceId, tx => readPam(tx, workspaceId, id))
      return kept === null ? null : new CachedPam(workspaceId, this.snapshotOf(kept))
    }) as CachedPam | null | Promise<CachedPam | null>
  }

  /** Many by their ids, read together; those that are not there are left out. */
  async pams(workspaceId: string, ids: readonly string[]): Promise<readonly CachedPam[]> {
    let kept: Promise<ReadonlyMap<string, KeptPam>> | null = null
    const missing = ids.filter(id => this.#memory.get(id) === undefined)
    const read = async (tx: Transaction) =>
      new Map((await readPams(tx, workspaceId, missing)).map(pam => [pam.id, pam] as const))
    const load = async (id: string) => {
      kept ??= this.readAndCatchUp(workspaceId, read)
      const pam = (await kept).get(id)
      return pam === undefined ? null : new CachedPam(workspaceId, this.snapshotOf(pam))
    }
    const loads = ids.map(id => this.#loads.get<CachedPam | null>(workspaceId, id, () => load(id)))
    return (await Promise.all(loads)).filter(each => each !== null)
  }

  /** Checked; what does not carry our seal is reported. */
  snapshotOf(kept: KeptPam): PamSnapshot {
    if (lengthOf(kept) > this.bounds.documents) throw new TooHeavyHere('documents that are long to read')
    const snapshot = new PamSnapshot(kept, this.#trust.seals)
    for (const { reason } of snapshot.broken) this.#trust.report(`${kept.slug} (${kept.id}): ${reason}`)
    return snapshot
  }

  /** The adjustments of a PAM for a request; `null` where the PAM did not exist by then. */
  async adjustments(workspaceId: string, cached: CachedPam, request: AdjustmentRequest): Promise<Adjustments | null> {
    const issuer = await this.#issuer(workspaceId, request)
    const companies = cached.companies.map(issuer.companyName)
    const names = JSON.stringify([issuer.installation.name, issuer.workspace.name, companies])
    const key = `${request.asOf} ${request.knownAt} ${request.version} ${request.until} ${names}`
    const known = cached.adjustmentsByRequest.get(key)
    if (known !== undefined) return known
    if (cached.isHeavy) throw new TooHeavyHere('numbers that were too much before')
    const adjustments = await this.#compute(workspaceId, cached.snapshot, request, issuer).catch(error => {
      cached.isHeavy ||= error instanceof TooHeavyHere
      throw error
    })
    if (adjustments === null) return null
    for (const oldest of cached.adjustmentsByRequest.keys()) {
      if (cached.adjustmentsByRequest.size < mostRequests) break
      cached.adjustmentsByRequest.delete(oldest)
    }
    cached.adjustmentsByRequest.set(key, adjustments)
    this.account(cached, cached.snapshot.id)
    return adjustments
  }

  /** The same, computed again and not cached. */
  async computeAdjustments(
    workspaceId: string,
    snapshot: PamSnapshot,
    request: AdjustmentRequest,
  ): Promise<Adjustments | null> {
    return this.#compute(workspaceId, snapshot, request, await this.#issuer(workspaceId, request))
  }

  async #issuer(workspaceId: string, { knownAt }: AdjustmentRequest): Promise<Issuer> {
    return (await this.index(workspaceId, {})).identity!.issuerAt(knownAt)
  }

  async #compute(
    workspaceId: string,
    snapshot: PamSnapshot,
    request: AdjustmentRequest,
    issuer: Issuer,
  ): Promise<Adjustments | null> {
    const standing = snapshot.at(request.knownAt)
    if (standing === null) return null
    const { data, originOf } = await this.#gatherTrue(workspaceId, snapshot, request.knownAt)
    const { work } = this.bounds
    this.#computed++
    return new Adjustments({ snapshot, standing, data, request, issuer, originOf, work })
  }

  /** The series a PAM reads, by the names its documents use. Those that are not there are left out. */
  async data(workspaceId: string, snapshot: PamSnapshot, knownAt: Instant | null): Promise<SeriesData> {
    return (await this.#gather(workspaceId, snapshot, knownAt)).data
  }

  /** The same, with the origins of their figures. */
  gather(workspaceId: string, snapshot: PamSnapshot, knownAt: Instant | null): Promise<Gathered> {
    return this.#gatherTrue(workspaceId, snapshot, knownAt)
  }

  /**
   * As of one moment. If one of several series is published while they are gathered, they would be of two moments: they
   * are gathered again, and if that keeps happening, all of them are read in one transaction.
   */
  async #gatherTrue(workspaceId: string, snapshot: PamSnapshot, knownAt: Instant | null): Promise<Gathered> {
    for (let turn = 1; turn <= mostTurns; turn++) {
      const forgotten = new Set<string>()
      this.#gatherings.add(forgotten)
      try {
        const gathered = await this.#gather(workspaceId, snapshot, knownAt)
        const isTouched = [workspaceId, publicScope, ...gathered.ids].some(id => forgotten.has(id))
        if (gathered.ids.size < 2 || !isTouched) return gathered
      } finally {
        this.#gatherings.delete(forgotten)
      }
    }
    return this.readAndCatchUp(workspaceId, tx => this.#gatherInside(tx, workspaceId, snapshot, knownAt))
  }

  async #gather(workspaceId: string, { references, id }: PamSnapshot, knownAt: Instant | null): Promise<Gathered> {
    const index = await this.index(workspaceId, { series: references })
    return gatherSeries(index, references, knownAt, visible => {
      this.#depend(visible.id, id)
      return this.series(workspaceId, visible)
    })
  }

  /** The same in one transaction, with the lists as it sees them. */
  async #gatherInside(
    tx: Transaction,
    workspaceId: string,
    { references, id }: PamSnapshot,
    knownAt: Instant | null,
  ): Promise<Gathered> {
    const { index } = await readListPiece(tx, workspaceId, { series: references })
    return gatherSeries(index, references, knownAt, visible => {
      this.#depend(visible.id, id)
      return this.#readSeries(tx, workspaceId, visible)
    })
  }

  #depend(seriesId: string, pamId: string): void {
    const pams = this.#dependents.get(seriesId)
    if (pams === undefined) this.#dependents.set(seriesId, new Set([pamId]))
    else pams.add(pamId)
  }

  /** Called after something was added to a cached thing: it counts as well. */
  account(cached: CachedThing, id: string): void {
    if (this.#memory.get(id) === cached) this.#memory.recount(cached)
  }

  /**
   * The cached answer to this address of the workspace, as long as everything it was made from is cached and current.
   */
  answerKept(workspaceId: string, address: string, now: () => Instant): unknown {
    const index = this.#memory.get(workspaceId)
    return index instanceof CachedIndex ? index.book.find(address, now) : undefined
  }

  /** Keeps an answer that was made from these two, unless one of them has left meanwhile. */
  keepAnswer(index: CachedIndex, from: CachedThing | CachedMoment, made: AnswerToKeep): void {
    if (!index.isKept || !from.isKept || (from === index && !index.isCurrent)) return
    index.book.keep(from, made, from instanceof CachedSeries ? mostAnswersOfSeries : mostAnswers)
    if (from instanceof CachedMoment) this.moments.recount(from)
    else this.#memory.recount(from)
  }

  /** Something was published: what it affects is loaded again at the next request. */
  forget({ scope, kind, subject }: PublicationNotice): void {
    for (const forgotten of this.#gatherings) forgotten.add(subject)
    this.heads.forget(subject)
    this.trueUps.forget({ scope, kind, subject })
    this.#dropSubject(subject)
    this.moments.forget(workspaceId => this.isSeen(workspaceId, { scope, kind, subject }))
    if (kind === 'clock') this.forgetScope(scope)
    if (kind === 'clock') this.radar.forgetAll()
    if (kind === 'workspace' || kind === 'installation') this.digests.forgetScope(scope)
    if (changesAllRows.has(kind)) this.#forgetRows(scope)
    if (changesNoList.has(kind)) return
    // Receipts name parties, and answers with the old name may still be on their way into the cache of these lists.
    if (kind === 'party') this.#drop(scope)
    else if (scope !== publicScope) this.#lists.outdate(scope, subject)
    else if (kind === 'metadata') this.#lists.outdatePublic(subject)
    else this.#lists.dropAll()
  }

  /**
   * So much was published in a scope that nothing of it is kept. What belongs to others stays, and so do lists where it is
   * known after which publication it came: they find out which of their entries it affects.
   */
  forgetScope(scope: string, after: number | null = null): void {
    for (const forgotten of this.#gatherings) forgotten.add(scope)
    this.heads.forgetScope(scope)
    this.digests.forgetScope(scope)
    this.trueUps.forgetScope(scope)
    this.#forgetRows(scope)
    this.moments.forgetScope(scope)
    for (const [key, cached] of [...this.#memory.entries()])
      if (cached.scope === scope && !(cached instanceof CachedIndex && after !== null)) this.#dropSubject(key)
    // A public series may have left memory before the formulas that were computed from it.
    if (scope === publicScope) for (const subject of [...this.#dependents.keys()]) this.#dropDependents(subject)
    this.#heavySeries.clear()
    if (after !== null) this.#lists.outdateAfter(scope, after)
    else if (scope === publicScope) this.#lists.dropAll()
    this.#loads.forgetScope(scope, after === null ? null : scope)
  }

  #forgetRows(scope: string): void {
    this.rows.forgetScope(scope)
    this.pricesOfMany.forgetScope(scope)
  }

  /** With the PAMs that were computed from it. */
  #dropSubject(subject: string): void {
    this.#drop(subject)
    this.#heavySeries.delete(subject)
    this.#dropDependents(subject)
  }

  #dropDependents(subject: string): void {
    for (const pam of this.#dependents.get(subject) ?? []) this.#renew(pam)
    this.#dependents.delete(subject)
  }

  /** Of a PAM whose figures changed, what was computed is dropped; what was loaded stays. */
  #renew(id: string): void {
    const cached = this.#memory.peek(id)
    this.#drop(id)
    if (cached instanceof CachedPam) this.#memory.set(id, cached.withoutNumbers())
  }

  #drop(key: string): void {
    this.digests.forget(key)
    this.rows.forget(key)
    this.pricesOfMany.forget(key)
    this.#memory.delete(key)
    this.#loads.forget(key)
  }
}
