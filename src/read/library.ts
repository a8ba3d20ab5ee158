// What the API answers from: series, formulas and lists kept in memory, loaded on first use, forgotten when something
// is published about them. It never answers from what may be stale: freshness.ts says when to forget.
import type { SeriesData } from '../core/formula/bind.ts'
import type { Instant } from '../core/instant.ts'
import type { Issuer } from '../core/receipt.ts'
import { TooHeavyHere } from '../core/work-budget.ts'
import { publicScope, type Sql, type Transaction, withWorkspace } from '../storage/database.ts'
import { readIdentity } from '../storage/identity.ts'
import { type KeptPam, readPam, readPams, readReferences } from '../storage/pams.ts'
import { type Marks, type PublicationKind, type PublicationNotice, readMarks } from '../storage/publish.ts'
import type { RowSeals } from '../storage/row-seals.ts'
import { readVintagesUpTo, readVisibleSeries, type VisibleSeries } from '../storage/series.ts'
import { readUploads } from '../storage/uploads.ts'
import { type AdjustmentRequest, Ledger } from './adjustments.ts'
import type { AnswerToKeep } from './answer-book.ts'
import { CachedIndex, type ReferencesByPam } from './cached-index.ts'
import { CachedPam } from './cached-pam.ts'
import { CachedSeries } from './cached-series.ts'
import { Digests } from './digests.ts'
import { type Gathered, gatherSeries } from './gathered.ts'
import { Heads } from './heads.ts'
import { type LibraryBounds, lengthOf, unbounded } from './library-bounds.ts'
import { originOfSeries } from './origins.ts'
import { PamSnapshot } from './pam-snapshot.ts'
import { Prices } from './prices.ts'
import { type RowsRequest, type RowsView, SeriesSnapshot } from './series-snapshot.ts'
import { Shelf } from './shelf.ts'

/** What is published of these leaves a workspace's lists of series and formulas as they are. */
const changesNoList: ReadonlySet<PublicationKind> = new Set([
  'observations',
  'sign-off',
  'signature',
  'receipt',
  'objection',
  'objection-answer',
  'upload',
  'party-member',
  'price-list',
  'unit',
  'quantity',
  'invoice',
])

/** Answers kept beside a series, and beside a list or a formula. */
const mostAnswersOfSeries = 12
const mostAnswers = 256
/** How often a formula's series are gathered from memory, where some of them are published meanwhile. */
const mostTurns = 2
/** Per PAM: ledgers under the cuts that were asked for last. */
const mostLedgers = 16

/** What is on its way from the database. */
interface Loading {
  readonly scope: string
  readonly loaded: Promise<CachedIndex | CachedSeries | CachedPam | null>
}

/** How what is stored of signatures is judged when it is loaded. */
export interface LibraryTrust {
  readonly seals: RowSeals
  /** Called for every stored row that is not valid, with a sentence. */
  readonly report: (problem: string) => void
}

export class Library {
  readonly #sql: Sql
  readonly #trust: LibraryTrust
  readonly #bounds: LibraryBounds
  /** Series that turned out to be larger than is kept here. */
  readonly #heavySeries = new Set<string>()
  readonly #memory: Shelf<CachedIndex | CachedSeries | CachedPam>
  readonly #loading = new Map<string, Loading>()
  /** Which PAMs were computed from a series. */
  readonly #dependents = new Map<string, Set<string>>()

  /** The ends of series, and the state of formulas, for lists. */
  readonly heads: Heads
  readonly digests: Digests
  readonly prices: Prices

  /** For each gathering under way, what was forgotten since it began; a scope's name stands for all of it. */
  readonly #gatherings = new Set<Set<string>>()
  /** Told the publications that a load has seen; returns when all up to them is forgotten. */
  #catchUpTo: (marks: Marks) => Promise<void> | undefined = () => undefined

  /** `bounds` are those of a place where others wait, or of a thread where nobody does. */
  constructor(sql: Sql, mostBytes: number, trust: LibraryTrust, bounds: LibraryBounds = unbounded) {
    this.#sql = sql
    this.#trust = trust
    this.#bounds = bounds
    this.#memory = new Shelf(mostBytes)
    this.heads = new Heads(sql)
    this.digests = new Digests(this, sql)
    this.prices = new Prices(this, sql, bounds.work)
  }

  /** A load may see a publication before its notification arrives; then what is older must go before both are used. */
  keepUpWith(catchUpTo: (marks: Marks) => Promise<void> | undefined): void {
    this.#catchUpTo = catchUpTo
  }

  get bytes(): number {
    return this.#memory.size
  }

  get cached(): number {
    return this.#memory.count
  }

  get loading(): number {
    return this.#loading.size
  }

  index(workspaceId: string): CachedIndex | Promise<CachedIndex> {
    const index = this.#get(workspaceId, workspaceId, async () => {
      const load = withWorkspace(
        this.#sql,
        workspaceId,
        async tx =>
          [
            await readVisibleSeries(tx, workspaceId),
            await readPams(tx, workspaceId),
            await readIdentity(tx, workspaceId),
          ] as const,
        'snapshot',
      )
      return CachedIndex.make(workspaceId, ...(await load))
    }) as CachedIndex | Promise<CachedIndex>
    return index instanceof CachedIndex && !index.isCurrent ? this.#renew(workspaceId, index) : index
  }

  /** Once for all who ask meanwhile: reads what was published about, and changes the lists in place. */
  #renew(workspaceId: string, index: CachedIndex): Promise<CachedIndex> {
    index.renewal ??= this.#readStale(workspaceId, index).finally(() => {
      index.renewal = null
    })
    return index.renewal
  }

  async #readStale(workspaceId: string, index: CachedIndex): Promise<CachedIndex> {
    for (let subjects = index.takeStale(); subjects.size > 0; subjects = index.takeStale()) {
      const ids = [...subjects]
      const load = withWorkspace(
        this.#sql,
        workspaceId,
        async tx => ({
          subjects,
          series: await readVisibleSeries(tx, workspaceId, { ids }),
          pams: await readPams(tx, workspaceId, ids),
          references: index.references === null ? null : await readReferences(tx, workspaceId, ids),
        }),
        'snapshot',
      )
      const changes = await load.catch(error => {
        // What could not be read is not to be forgotten: the lists are read as a whole the next time.
        this.#memory.delete(workspaceId)
        throw error
      })
      index.change(changes)
      this.account(index, workspaceId)
    }
    return index
  }

  /** The series that each formula's documents name. Kept with the lists, and true as they are. */
  async references(workspaceId: string, index: CachedIndex): Promise<ReferencesByPam> {
    if (index.references !== null) return index.references
    const read = (tx: Transaction) => readReferences(tx, workspaceId)
    const references = await withWorkspace(this.#sql, workspaceId, read, 'snapshot')
    if (!index.isCurrent) return references
    index.holdReferences(references)
    this.account(index, workspaceId)
    return references
  }

  series(workspaceId: string, visible: VisibleSeries): CachedSeries | Promise<CachedSeries> {
    const { owner, id } = visible
    if (this.#heavySeries.has(id)) throw new TooHeavyHere('a series that was too much before')
    return this.#get(owner, id, async () => {
      const load = async (tx: Transaction) =>
        [await this.#readSeries(tx, workspaceId, visible), await readMarks(tx, workspaceId)] as const
      const [series, marks] = await withWorkspace(this.#sql, workspaceId, load, 'snapshot')
      await this.#catchUpTo(marks)
      return series
    }) as CachedSeries | Promise<CachedSeries>
  }

  /** As it is now, not cached. */
  async #readSeries(tx: Transaction, workspaceId: string, visible: VisibleSeries): Promise<CachedSeries> {
    const { owner, id, metadata } = visible
    const rows = await readVintagesUpTo(tx, owner, id, this.#bounds.vintages)
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
    return this.#get(workspaceId, id, async () => {
      const kept = await withWorkspace(this.#sql, workspaceId, tx => readPam(tx, workspaceId, id), 'snapshot')
      return kept === null ? null : new CachedPam(workspaceId, this.snapshotOf(kept))
    }) as CachedPam | null | Promise<CachedPam | null>
  }

  /** Checked, and what does not carry our seal reported. */
  snapshotOf(kept: KeptPam): PamSnapshot {
    if (lengthOf(kept) > this.#bounds.documents) throw new TooHeavyHere('documents that are long to read')
    const snapshot = new PamSnapshot(kept, this.#trust.seals)
    for (const { reason } of snapshot.broken) this.#trust.report(`${kept.slug} (${kept.id}): ${reason}`)
    return snapshot
  }

  /** The ledger of a PAM for a request; `null` where the PAM did not exist by then. */
  async ledger(workspaceId: string, cached: CachedPam, request: AdjustmentRequest): Promise<Ledger | null> {
    const issuer = await this.#issuer(workspaceId, request)
    const companies = cached.companies.map(issuer.companyName)
    const names = JSON.stringify([issuer.installation.name, issuer.workspace.name, companies])
    const key = `${request.asOf} ${request.knownAt} ${request.version} ${request.until} ${names}`
    const known = cached.ledgers.get(key)
    if (known !== undefined) return known
    if (cached.isHeavy) throw new TooHeavyHere('numbers that were too much before')
    const ledger = await this.#compute(workspaceId, cached.snapshot, request, issuer).catch(error => {
      cached.isHeavy ||= error instanceof TooHeavyHere
      throw error
    })
    if (ledger === null) return null
    for (const oldest of cached.ledgers.keys()) {
      if (cached.ledgers.size < mostLedgers) break
      cached.ledgers.delete(oldest)
    }
    cached.ledgers.set(key, ledger)
    this.account(cached, cached.snapshot.id)
    return ledger
  }

  /** The same, computed again and not cached. */
  async computeLedger(workspaceId: string, snapshot: PamSnapshot, request: AdjustmentRequest): Promise<Ledger | null> {
    return this.#compute(workspaceId, snapshot, request, await this.#issuer(workspaceId, request))
  }

  async #issuer(workspaceId: string, { knownAt }: AdjustmentRequest): Promise<Issuer> {
    return (await this.index(workspaceId)).identity!.issuerAt(knownAt)
  }

  async #compute(
    workspaceId: string,
    snapshot: PamSnapshot,
    request: AdjustmentRequest,
    issuer: Issuer,
  ): Promise<Ledger | null> {
    const standing = snapshot.at(request.knownAt)
    if (standing === null) return null
    const { data, originOf } = await this.#gatherTrue(workspaceId, snapshot, request.knownAt)
    const { work } = this.#bounds
    return new Ledger({ snapshot, standing, data, request, issuer, originOf, work })
  }

  /** The series a PAM reads, by the names its documents use. Those that are not there are left out. */
  async data(workspaceId: string, snapshot: PamSnapshot, knownAt: Instant | null): Promise<SeriesData> {
    return (await this.#gather(workspaceId, snapshot, knownAt)).data
  }

  /**
   * Of one moment. Where one of several series is published while they are gathered, they would be of two: they are gathered
   * again, and where that happens without end, all of them are read in one transaction.
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
    const load = async (tx: Transaction) => ({
      gathered: await this.#gather(workspaceId, snapshot, knownAt, visible =>
        this.#readSeries(tx, workspaceId, visible),
      ),
      marks: await readMarks(tx, workspaceId),
    })
    const { gathered, marks } = await withWorkspace(this.#sql, workspaceId, load, 'snapshot')
    await this.#catchUpTo(marks)
    return gathered
  }

  async #gather(
    workspaceId: string,
    { references, id }: PamSnapshot,
    knownAt: Instant | null,
    open: (visible: VisibleSeries) => CachedSeries | Promise<CachedSeries> = visible =>
      this.series(workspaceId, visible),
  ): Promise<Gathered> {
    const index = await this.index(workspaceId)
    return gatherSeries(index, references, knownAt, visible => {
      this.#depend(visible.id, id)
      return open(visible)
    })
  }

  #depend(seriesId: string, pamId: string): void {
    const pams = this.#dependents.get(seriesId)
    if (pams === undefined) this.#dependents.set(seriesId, new Set([pamId]))
    else pams.add(pamId)
  }

  /** After something was added to what is cached: it takes room as well. */
  account(cached: CachedIndex | CachedSeries | CachedPam, id: string): void {
    if (this.#memory.get(id) === cached) this.#memory.recount(cached)
  }

  /** What was answered to this address of the workspace before, while all it was made from is cached and current. */
  answerKept(workspaceId: string, address: string, now: Instant): unknown {
    const index = this.#memory.get(workspaceId)
    return index instanceof CachedIndex ? index.book.find(address, now) : undefined
  }

  /** Keeps an answer that was made from these two, unless one of them has left meanwhile. */
  keepAnswer(index: CachedIndex, from: CachedIndex | CachedSeries | CachedPam, made: AnswerToKeep): void {
    if (!index.isKept || !from.isKept || (from === index && !index.isCurrent)) return
    index.book.keep(from, made, from instanceof CachedSeries ? mostAnswersOfSeries : mostAnswers)
    this.#memory.recount(from)
  }

  /** Something was published: what it touches is loaded again at the next request. */
  forget({ scope, kind, subject }: PublicationNotice): void {
    for (const forgotten of this.#gatherings) forgotten.add(subject)
    this.heads.forget(subject)
    this.#dropSubject(subject)
    if (kind === 'clock') this.forgetScope(scope)
    if (kind === 'workspace' || kind === 'installation') this.digests.forgetScope(scope)
    if (changesNoList.has(kind)) return
    // Receipts name parties, and answers with the name before may still be on their way into the book of these lists.
    if (kind === 'party') this.#drop(scope)
    else if (scope !== publicScope) this.#outdate(scope, subject)
    else if (kind === 'metadata') this.#outdatePublic(subject)
    else this.#dropIndexes()
  }

  /** So much was published in a scope that nothing of it is kept. What belongs to others stays. */
  forgetScope(scope: string): void {
    for (const forgotten of this.#gatherings) forgotten.add(scope)
    this.heads.forgetScope(scope)
    this.digests.forgetScope(scope)
    for (const [key, cached] of [...this.#memory.entries()]) if (cached.scope === scope) this.#dropSubject(key)
    this.#heavySeries.clear()
    if (scope === publicScope) this.#dropIndexes()
    // What is being loaded is given to the waiting requests, but not kept.
    for (const [key, loading] of this.#loading) if (loading.scope === scope) this.#loading.delete(key)
  }

  /** With the PAMs that were computed from it. */
  #dropSubject(subject: string): void {
    this.#drop(subject)
    this.#heavySeries.delete(subject)
    for (const pam of this.#dependents.get(subject) ?? []) this.#drop(pam)
    this.#dependents.delete(subject)
  }

  #dropIndexes(): void {
    for (const [key, cached] of this.#memory.entries()) if (cached instanceof CachedIndex) this.#memory.delete(key)
    this.#dropLoadingLists()
  }

  #dropLoadingLists(): void {
    // Lists are kept under their workspace. One that is being loaded is given to the waiting requests, but not kept.
    for (const [key, { scope }] of this.#loading) if (key === scope) this.#loading.delete(key)
  }

  #outdate(workspaceId: string, subject: string): void {
    // Lists that are being loaded are given to the waiting requests, but not kept.
    this.#loading.delete(workspaceId)
    const index = this.#memory.peek(workspaceId)
    if (!(index instanceof CachedIndex)) return
    index.outdate(subject)
    if (index.isMostlyStale) this.#memory.delete(workspaceId)
  }

  /**
   * A public series is in the lists of the workspaces that follow it; starting to follow one is announced on its own.
   */
  #outdatePublic(subject: string): void {
    for (const [workspaceId, cached] of [...this.#memory.entries()])
      if (cached instanceof CachedIndex && cached.find(subject) !== undefined) this.#outdate(workspaceId, subject)
    this.#dropLoadingLists()
  }

  #drop(key: string): void {
    this.digests.forget(key)
    this.#memory.delete(key)
    this.#loading.delete(key)
  }

  /** From memory at once, or from the database, once for all who ask meanwhile. */
  #get<T extends CachedIndex | CachedSeries | CachedPam | null>(
    scope: string,
    key: string,
    load: () => Promise<T>,
  ): T | Promise<T> {
    const cached = this.#memory.get(key)
    if (cached !== undefined) return cached as T
    const underWay = this.#loading.get(key)
    if (underWay !== undefined) return underWay.loaded as Promise<T>
    const loaded: Promise<T> = load().then(
      thing => {
        // What was forgotten while it loaded is given to the waiting requests, but not kept.
        if (this.#loading.get(key) === loading) {
          this.#loading.delete(key)
          if (thing !== null) this.#memory.set(key, thing)
        }
        return thing
      },
      error => {
        if (this.#loading.get(key) === loading) this.#loading.delete(key)
        throw error
      },
    )
    const loading: Loading = { scope, loaded }
    this.#loading.set(key, loading)
    return loaded
  }
}
