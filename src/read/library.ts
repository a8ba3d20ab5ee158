// The library that the API answers from: series, agreements and lists in memory, loaded on first use, dropped when something
// changes that they depend on. It never answers from data that may be stale: memory/changes.ts knows the changes.
import type { SeriesData } from '../core/formula/bind.ts'
import { TooHeavyHere } from '../core/numbers/work-budget.ts'
import type { Issuer } from '../core/receipt/receipt.ts'
import type { Instant } from '../core/time/instant.ts'
import {
  type AgreementHistory,
  loadAgreementHistories,
  loadAgreementHistory,
} from '../storage/agreements/agreements.ts'
import { loadMarks } from '../storage/log/append.ts'
import { publicScope, type Sql, type Transaction, withWorkspace } from '../storage/postgres/database.ts'
import { databaseTroubleOf } from '../storage/postgres/database-errors.ts'
import { loadVintagesUpTo } from '../storage/series/series.ts'
import { loadUploads } from '../storage/series/uploads.ts'
import type { VisibleSeries } from '../storage/series/visible-series.ts'
import { type AdjustmentRequest, Adjustments } from './agreements/adjustments.ts'
import type { ReadersBySeries } from './agreements/agreement-readers.ts'
import { AgreementSnapshot } from './agreements/agreement-snapshot.ts'
import { Corrections } from './corrections.ts'
import { Suspects } from './index-suspects.ts'
import { AgreementPrices } from './lists/agreement-prices.ts'
import { AgreementRows } from './lists/agreement-rows.ts'
import { type Gathered, gatherSeries } from './lists/agreement-series.ts'
import { CachedAgreement } from './lists/cached-agreement.ts'
import type { CachedIndex } from './lists/cached-index.ts'
import { CachedMoment, Moments } from './lists/cached-moment.ts'
import { Digests } from './lists/digests.ts'
import { isSeenBy, type NoticedEntry } from './lists/entry-effects.ts'
import { ErpNames } from './lists/erp-names.ts'
import { type ListPiece, loadListPiece } from './lists/list-pieces.ts'
import { Lists } from './lists/lists.ts'
import type { ReadsAgreements, WithFigures } from './lists/reads-agreements.ts'
import type { AnswerToKeep } from './memory/answer-book.ts'
import { TicketedCache } from './memory/cache.ts'
import { Changes, topics } from './memory/changes.ts'
import { type LibraryBounds, type LibraryTrust, lengthOf, unbounded } from './memory/library-bounds.ts'
import type { Keepable } from './memory/shelf.ts'
import { Prices } from './prices.ts'
import { Radar } from './radar.ts'
import { CachedSeries, HeavySeries } from './series/cached-series.ts'
import { cancelledReleases, nameCancelled } from './series/cancelled-releases.ts'
import { Heads } from './series/heads.ts'
import { IndexEvents } from './series/index-events.ts'
import { originOfSeries } from './series/origins.ts'
import { Outlooks } from './series/outlooks.ts'
import { Releases } from './series/releases.ts'
import { type RowsRequest, SeriesSnapshot } from './series/series-snapshot.ts'
import type { RowsView } from './series/series-view.ts'
import { TermsChanges } from './terms-changes.ts'
import { TrueUpLists } from './true-up-lists.ts'
import { TrueUps } from './true-ups.ts'

/** Number of answers kept beside a series, and beside a list or an agreement. */
const mostAnswersOfSeries = 12
const mostAnswers = 256

type CachedThing = CachedSeries | HeavySeries | CachedAgreement

export class Library implements ReadsAgreements {
  readonly #sql: Sql
  readonly #trust: LibraryTrust
  readonly bounds: LibraryBounds
  readonly changes = new Changes()
  /** Series by id and agreements by id. */
  readonly #kept: TicketedCache<CachedThing>
  readonly #lists: Lists

  /** Ends of series, and states of agreements, for lists. */
  readonly heads: Heads
  readonly digests: Digests
  /** Release calendars announced by providers. */
  readonly releases: Releases
  /** Expected dates of figures. */
  readonly outlooks: Outlooks
  /** Events of indices. */
  readonly indexEvents: IndexEvents
  /** Suspicions about indices, from their figures. */
  readonly suspects: Suspects
  readonly prices: Prices
  readonly trueUps: TrueUps
  readonly corrections: Corrections
  /** Splices and amendments that both parties sign. */
  readonly termsChanges: TermsChanges
  /** Effects of publications on agreements. */
  readonly radar: Radar
  /** True-ups of many agreements, for lists. */
  readonly trueUpLists: TrueUpLists
  /** The newest numbers of agreements, for lists. */
  readonly rows: AgreementRows
  /** Prices of agreements, for lists. */
  readonly pricesOfMany: AgreementPrices
  /** Names of other systems' keys in price lists. */
  readonly erpNames: ErpNames
  /** Instant of the newest data of each workspace. */
  readonly moments: Moments

  #computed = 0

  /** `bounds` of the main thread, where others wait, or of a thread where nobody does. */
  constructor(sql: Sql, mostBytes: number, trust: LibraryTrust, bounds: LibraryBounds = unbounded) {
    this.#sql = sql
    this.#trust = trust
    this.bounds = bounds
    this.#kept = new TicketedCache(this.changes, mostBytes, { withoutNumbers }, isThing)
    // Before the lists: once these are stale, what a workspace sees is not known.
    this.moments = new Moments(this, (workspaceId, entry) => this.isSeen(workspaceId, entry))
    this.#lists = new Lists({ sql, library: this, room: this.#kept.room, readsAhead: bounds.readsListsAhead })
    this.heads = new Heads(this)
    this.digests = new Digests(this)
    this.releases = new Releases(this)
    this.outlooks = new Outlooks(this)
    this.indexEvents = new IndexEvents(this)
    this.suspects = new Suspects(this)
    this.prices = new Prices(this, bounds.work)
    this.trueUps = new TrueUps(this, this.prices, bounds.work)
    this.corrections = new Corrections(this, this.trueUps)
    this.termsChanges = new TermsChanges(this)
    this.rows = new AgreementRows(this)
    this.pricesOfMany = new AgreementPrices(this)
    this.erpNames = new ErpNames(this)
    this.radar = new Radar(this, this.trueUps)
    this.trueUpLists = new TrueUpLists(this, this.trueUps, this.radar)
  }

  /** Whether a workspace sees a published entry; true where that is not known. */
  isSeen(workspaceId: string, published: NoticedEntry): boolean {
    const index = this.#lists.peek(workspaceId)
    return isSeenBy(workspaceId, index?.isCurrent ? index : null, published)
  }

  get bytes(): number {
    return this.#kept.room.size
  }

  get cached(): number {
    return this.#kept.room.count
  }

  get loading(): number {
    return this.#kept.loading + this.#lists.loading
  }

  /** Whether more than `most` loads are under way, and more than its share of them are for this workspace. */
  isOverloaded(workspaceId: string, most: number): boolean {
    if (this.loading <= most) return false
    const counts = this.#kept.loadingByAsker()
    for (const [asker, lists] of this.#lists.loadingByWorkspace()) counts.set(asker, (counts.get(asker) ?? 0) + lists)
    return (counts.get(workspaceId) ?? 0) > most / counts.size
  }

  /** Number of times that adjustments were computed. */
  get computed(): number {
    return this.#computed
  }

  /** Lists of a workspace. Where a piece of them is enough, nobody waits for the whole. */
  index(workspaceId: string, piece: ListPiece | null = null): CachedIndex | Promise<CachedIndex> {
    return this.#lists.index(workspaceId, piece)
  }

  /** Index from series to agreements. `index` is the whole. */
  readers(workspaceId: string, index: CachedIndex): Promise<ReadersBySeries> {
    return this.#lists.readers(workspaceId, index)
  }

  series(workspaceId: string, visible: VisibleSeries): CachedSeries | Promise<CachedSeries> {
    const { owner, id } = visible
    const load = () => this.readAndCatchUp(workspaceId, tx => this.#readSeries(tx, workspaceId, visible))
    const found = this.#kept.load<CachedSeries | HeavySeries>(id, owner, load, workspaceId)
    return found instanceof Promise ? found.then(notHeavy) : notHeavy(found)
  }

  async readAndCatchUp<Found>(workspaceId: string, read: (tx: Transaction) => Promise<Found>): Promise<Found> {
    const load = (tx: Transaction) => Promise.all([read(tx), loadMarks(tx, workspaceId)])
    const [found, marks] = await withWorkspace(this.#sql, workspaceId, load, 'snapshot')
    await this.changes.catchUpTo(marks)
    return found
  }

  /** Writes derived rows. If the database is in trouble they are dropped: they can be computed again. */
  async remember(workspaceId: string, write: (tx: Transaction) => Promise<void>): Promise<void> {
    await withWorkspace(this.#sql, workspaceId, write).catch(error => {
      if (databaseTroubleOf(error) === null) throw error
    })
  }

  resolveImports(workspaceId: string): Promise<void> {
    return this.trueUps.resolveImports(workspaceId)
  }

  /** Reads a series of now, uncached. */
  async #readSeries(tx: Transaction, workspaceId: string, visible: VisibleSeries): Promise<CachedSeries | HeavySeries> {
    const { owner, id, metadata } = visible
    const rows = await loadVintagesUpTo(tx, owner, id, this.bounds.vintages)
    if (rows === null) return new HeavySeries(owner)
    const uploads = await loadUploads(tx, workspaceId, visible)
    return new CachedSeries(
      owner,
      new SeriesSnapshot(id, metadata.at(-1)!.frequency, rows),
      originOfSeries(visible, uploads),
    )
  }

  /** A view of a series, counted in its size. */
  view(workspaceId: string, series: VisibleSeries, request: RowsRequest): RowsView | Promise<RowsView> {
    const cached = this.series(workspaceId, series)
    return cached instanceof CachedSeries
      ? this.viewOf(cached, request)
      : cached.then(loaded => this.viewOf(loaded, request))
  }

  viewOf(cached: CachedSeries, request: RowsRequest): RowsView {
    const before = cached.size
    const view = cached.view(request)
    if (cached.size !== before) this.#kept.recount(cached)
    return view
  }

  agreement(workspaceId: string, id: string): CachedAgreement | null | Promise<CachedAgreement | null> {
    return this.#kept.load<CachedAgreement | null>(id, workspaceId, async () => {
      const kept = await this.readAndCatchUp(workspaceId, tx => loadAgreementHistory(tx, workspaceId, id))
      return kept === null ? null : new CachedAgreement(workspaceId, this.snapshotOf(kept))
    })
  }

  /** Agreements by their ids, read together; missing ones are left out. */
  async agreements(workspaceId: string, ids: readonly string[]): Promise<readonly CachedAgreement[]> {
    let kept: Promise<ReadonlyMap<string, AgreementHistory>> | null = null
    const missing = ids.filter(id => this.#kept.get(id) === undefined)
    const read = async (tx: Transaction) =>
      new Map(
        (await loadAgreementHistories(tx, workspaceId, missing)).map(agreement => [agreement.id, agreement] as const),
      )
    const load = async (id: string) => {
      kept ??= this.readAndCatchUp(workspaceId, read)
      const agreement = (await kept).get(id)
      return agreement === undefined ? null : new CachedAgreement(workspaceId, this.snapshotOf(agreement))
    }
    const loads = ids.map(id => this.#kept.load<CachedAgreement | null>(id, workspaceId, () => load(id)))
    return (await Promise.all(loads)).filter(each => each !== null)
  }

  *agreementsInMemory(workspaceId: string): Generator<CachedAgreement> {
    for (const [, thing] of this.#kept.entries())
      if (thing instanceof CachedAgreement && thing.scope === workspaceId) yield thing
  }

  /** The checked snapshot; rows without this installation's seal are reported. */
  snapshotOf(kept: AgreementHistory): AgreementSnapshot {
    if (lengthOf(kept) > this.bounds.documents) throw new TooHeavyHere('documents that are long to read')
    const snapshot = new AgreementSnapshot(kept, this.#trust.seals)
    for (const { reason } of snapshot.broken) this.#trust.report(`${kept.slug} (${kept.id}): ${reason}`)
    return snapshot
  }

  /** The adjustments of an agreement for a request; `null` where the agreement did not exist by then. */
  async adjustments(
    workspaceId: string,
    cached: CachedAgreement,
    request: AdjustmentRequest,
  ): Promise<Adjustments | null> {
    const issuer = await this.#issuer(workspaceId, request)
    const companies = cached.companies.map(issuer.companyName)
    const names = JSON.stringify([issuer.installation.name, issuer.workspace.name, companies])
    const key = `${request.asOf} ${request.knownAt} ${request.version} ${request.until} ${request.besideBy ?? ''} ${names}`
    const known = cached.adjustmentsByRequest.get(key)
    if (known !== undefined) return known
    if (cached.isHeavy) throw new TooHeavyHere('numbers that were too much before')
    const adjustments = await this.#compute(workspaceId, cached.snapshot, request, issuer).catch(error => {
      cached.isHeavy ||= error instanceof TooHeavyHere
      throw error
    })
    if (adjustments === null) return null
    cached.adjustmentsByRequest.set(key, adjustments)
    this.account(cached)
    return adjustments
  }

  /** Adjustments computed again and not cached; with other figures, where they are given. */
  async computeAdjustments(
    workspaceId: string,
    snapshot: AgreementSnapshot,
    request: AdjustmentRequest,
    withFigures?: WithFigures,
  ): Promise<Adjustments | null> {
    return this.#compute(workspaceId, snapshot, request, await this.#issuer(workspaceId, request), withFigures)
  }

  async #issuer(workspaceId: string, { knownAt }: AdjustmentRequest): Promise<Issuer> {
    return (await this.index(workspaceId, {})).identity!.issuerAt(knownAt)
  }

  async #compute(
    workspaceId: string,
    snapshot: AgreementSnapshot,
    request: AdjustmentRequest,
    issuer: Issuer,
    withFigures: WithFigures = data => data,
  ): Promise<Adjustments | null> {
    const standing = snapshot.at(request.knownAt)
    if (standing === null) return null
    const { data: stored, originOf } = await this.gather(workspaceId, snapshot, request.knownAt)
    const data = withFigures(stored)
    const { work } = this.bounds
    this.#computed++
    const adjustments = new Adjustments({ snapshot, standing, data, request, issuer, originOf, work })
    const missing = [...new Set(adjustments.blocked.flatMap(({ gap }) => gap.series ?? []))]
    if (missing.length > 0) {
      const index = await this.index(workspaceId, { series: missing })
      const series = new Map(
        missing.flatMap(reference => {
          const found = index.findByReference(reference)
          return found === undefined ? [] : [[reference, found] as const]
        }),
      )
      const isCancelled = await cancelledReleases(this, workspaceId, series, { ...request, of: snapshot.id })
      adjustments.blocked = nameCancelled(adjustments.blocked, adjustments.versions, isCancelled)
    }
    return adjustments
  }

  /** Series that an agreement reads, by the names its documents use. Missing ones are left out. */
  async data(workspaceId: string, snapshot: AgreementSnapshot, knownAt: Instant | null): Promise<SeriesData> {
    return (await this.#gather(workspaceId, snapshot, knownAt)).data
  }

  /** Series of one moment, with the origins of their figures. */
  gather(workspaceId: string, snapshot: AgreementSnapshot, knownAt: Instant | null): Promise<Gathered> {
    // A single series is of one moment anyway.
    const restsOn = ({ ids }: Gathered) =>
      ids.size < 2 ? [] : [...ids, topics.everythingIn(workspaceId), topics.everythingIn(publicScope)]
    return this.changes.gatherFor(
      snapshot.id,
      restsOn,
      () => this.#gather(workspaceId, snapshot, knownAt),
      () => this.readAndCatchUp(workspaceId, tx => this.#gatherInside(tx, workspaceId, snapshot, knownAt)),
    )
  }

  async #gather(
    workspaceId: string,
    { references, id }: AgreementSnapshot,
    knownAt: Instant | null,
  ): Promise<Gathered> {
    const index = await this.index(workspaceId, { series: references })
    return gatherSeries(index, references, knownAt, visible => {
      this.changes.computedFrom(visible.id, id)
      return this.series(workspaceId, visible)
    })
  }

  /** Series read in one transaction, with the lists as it sees them. */
  async #gatherInside(
    tx: Transaction,
    workspaceId: string,
    { references, id }: AgreementSnapshot,
    knownAt: Instant | null,
  ): Promise<Gathered> {
    const { index } = await loadListPiece(tx, workspaceId, { series: references })
    return gatherSeries(index, references, knownAt, async visible => {
      this.changes.computedFrom(visible.id, id)
      return notHeavy(await this.#readSeries(tx, workspaceId, visible))
    })
  }

  /** Counts a cached agreement again after something was added to it. */
  account(cached: CachedAgreement): void {
    this.#kept.recount(cached)
  }

  /** The cached answer to this address of the workspace, while all its sources are cached and current. */
  answerKept(workspaceId: string, address: string, now: () => Instant): unknown {
    return this.#lists.inMemory(workspaceId)?.book.find(address, now)
  }

  /** Keeps an answer that was made from these two, unless one of them has left the cache meanwhile. */
  keepAnswer(
    index: CachedIndex,
    from: CachedIndex | CachedSeries | CachedAgreement | CachedMoment,
    made: AnswerToKeep,
  ): void {
    if (!index.isKept || !from.isKept || (from === index && !index.isCurrent)) return
    index.book.keep(from, made, from instanceof CachedSeries ? mostAnswersOfSeries : mostAnswers)
    if (from instanceof CachedMoment) this.moments.recount(from)
    else this.#kept.recount(from)
  }
}

const isThing = (thing: Keepable) =>
  thing instanceof CachedSeries || thing instanceof HeavySeries || thing instanceof CachedAgreement

/** Loaded facts of an agreement stay when its figures change. */
const withoutNumbers = (thing: CachedThing) => (thing instanceof CachedAgreement ? thing.withoutNumbers() : thing)

function notHeavy(series: CachedSeries | HeavySeries): CachedSeries {
  if (series instanceof HeavySeries) throw new TooHeavyHere('a series of many vintages')
  return series
}
