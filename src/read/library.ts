// What the API answers from: series, formulas and lists held in memory, loaded on first use, forgotten when something is
// published about them. It never answers from what may be stale: freshness.ts says when to forget.
import type { SeriesData } from '../core/formula/bind.ts'
import type { Instant } from '../core/instant.ts'
import type { OriginOf } from '../core/receipt.ts'
import { Refusal } from '../core/refusal.ts'
import type { SeriesHistory } from '../core/series.ts'
import { publicScope, type Sql, withWorkspace } from '../storage/database.ts'
import { type Identity, readIdentity } from '../storage/identity.ts'
import { type PamRow, readPam, readPams } from '../storage/pams.ts'
import { type Marks, type PublicationKind, type PublicationNotice, readMarks } from '../storage/publish.ts'
import type { RowSeals } from '../storage/row-seals.ts'
import { readVintages, readVisibleSeries, type SeriesMetadata, type VisibleSeries } from '../storage/series.ts'
import { readUploads } from '../storage/uploads.ts'
import { type AdjustmentQuestion, Ledger } from './adjustments.ts'
import { AnswerBook, type AnswerToKeep, Held } from './answer-book.ts'
import { Heads } from './heads.ts'
import { originOfSeries, originsOf, type SeriesOrigin } from './origins.ts'
import { PamSnapshot } from './pam-snapshot.ts'
import { type RowsQuestion, SeriesSnapshot, type SeriesView } from './series-snapshot.ts'
import { Shelf } from './shelf.ts'

/** The lists of one workspace, and what was answered to it. */
export class HeldIndex extends Held {
  readonly scope: string
  readonly series: readonly VisibleSeries[]
  readonly pams: readonly PamRow[]
  /** Null where nothing is issued from it. */
  readonly identity: Identity | null
  readonly #byId: ReadonlyMap<string, VisibleSeries>
  readonly #byReference: ReadonlyMap<string, VisibleSeries>
  readonly #pamIds: ReadonlyMap<string, string>
  /** Other things made from these lists. */
  readonly answers = new Map<string, unknown>()
  readonly book = new AnswerBook()

  constructor(scope: string, series: readonly VisibleSeries[], pams: readonly PamRow[], identity: Identity | null) {
    super()
    this.identity = identity
    this.scope = scope
    this.series = series
    this.pams = pams
    this.#byId = new Map(series.map(each => [each.id, each]))
    this.#byReference = new Map(series.map(each => [`${each.provider}/${each.code}`, each]))
    this.#pamIds = new Map(pams.flatMap(({ id, slug }) => [[slug, id] as const, [id, id] as const]))
  }

  find(id: string): VisibleSeries | undefined {
    return this.#byId.get(id)
  }

  /** As formulas name it: `PROVIDER/code`, or an id. */
  findByReference(reference: string): VisibleSeries | undefined {
    return this.#byReference.get(reference) ?? this.#byId.get(reference)
  }

  pamId(idOrSlug: string): string | undefined {
    return this.#pamIds.get(idOrSlug)
  }

  get size(): number {
    const lists = 2_000 + this.series.length * 600 + this.pams.length * 600
    return lists + this.answers.size * 10_000 + this.answersSize
  }

  override leave(): void {
    super.leave()
    this.book.clear()
  }
}

/** A series' metadata as it was known then; the first version where it was not known yet. */
export function metadataAt({ metadata }: VisibleSeries, knownAt: Instant | null): SeriesMetadata {
  if (knownAt === null) return metadata.at(-1)!
  return metadata.findLast(version => version.recordedAt <= knownAt) ?? metadata[0]!
}

export class HeldSeries extends Held {
  readonly scope: string
  readonly snapshot: SeriesSnapshot
  readonly originOf: SeriesOrigin
  /** Without any cut: what is asked for most, and what other views share their beginning with. */
  #newest: SeriesView | null = null
  /** Under a cut, oldest first. */
  readonly #views = new Map<string, SeriesView>()

  constructor(scope: string, snapshot: SeriesSnapshot, originOf: SeriesOrigin) {
    super()
    this.scope = scope
    this.snapshot = snapshot
    this.originOf = originOf
  }

  view(question: RowsQuestion): SeriesView {
    if ('vintagesKnownAt' in question)
      return this.#cut(`vintages ${question.vintagesKnownAt}`, () => this.snapshot.vintages(question.vintagesKnownAt))
    const { asOf, knownAt, version, summaryDate } = question
    if (asOf === null && knownAt === null && version === null && summaryDate === null) {
      this.#newest ??= this.snapshot.view(question)
      return this.#newest
    }
    return this.#cut(`${asOf} ${knownAt} ${version} ${summaryDate}`, () => this.snapshot.view(question, this.#newest))
  }

  #cut(key: string, make: () => SeriesView): SeriesView {
    const known = this.#views.get(key)
    if (known !== undefined) return known
    for (const oldest of this.#views.keys()) {
      if (this.#views.size < mostCuts) break
      this.#views.delete(oldest)
    }
    const view = make()
    this.#views.set(key, view)
    return view
  }

  get size(): number {
    let total = this.snapshot.size + (this.#newest?.size ?? 0)
    for (const view of this.#views.values()) total += view.size
    return total + this.answersSize
  }
}

/** What is published of these leaves a workspace's lists of series and formulas as they are. */
const changesNoList: ReadonlySet<PublicationKind> = new Set([
  'observations',
  'sign-off',
  'signature',
  'receipt',
  'upload',
])

/** Answers kept beside a series, and beside a list or a formula. */
const mostAnswersOfSeries = 12
const mostAnswers = 256
/** Per series: the cuts that were asked for last. */
const mostCuts = 8
/** How often a formula's series are gathered anew because something was published meanwhile. */
const mostTurns = 20
/** Per PAM: ledgers under the cuts that were asked for last. */
const mostLedgers = 16

export class HeldPam extends Held {
  readonly scope: string
  readonly snapshot: PamSnapshot
  readonly ledgers = new Map<string, Ledger>()

  constructor(scope: string, snapshot: PamSnapshot) {
    super()
    this.scope = scope
    this.snapshot = snapshot
  }

  get size(): number {
    let total = 20_000 + this.snapshot.versions.length * 8_000 + this.answersSize
    for (const ledger of this.ledgers.values()) total += ledger.size
    return total
  }
}

/** What is on its way from the database. */
interface Loading {
  readonly scope: string
  readonly loaded: Promise<HeldIndex | HeldSeries | HeldPam | null>
}

/** How what is stored of signatures is judged when it is loaded. */
export interface LibraryTrust {
  readonly seals: RowSeals
  /** Told of every stored row that does not hold, in a sentence. */
  readonly report: (problem: string) => void
}

export class Library {
  readonly #sql: Sql
  readonly #trust: LibraryTrust
  readonly #memory: Shelf<HeldIndex | HeldSeries | HeldPam>
  readonly #loading = new Map<string, Loading>()
  /** Which PAMs were computed from a series. */
  readonly #dependents = new Map<string, Set<string>>()

  /** How series stand at their ends, for lists. */
  readonly heads: Heads

  /** By scope, how often something was forgotten: what was gathered across such a moment may not belong together. */
  readonly #forgotten = new Map<string, number>()
  /** Told the publications that a load has seen; returns when all up to them is forgotten. */
  #catchUpTo: (marks: Marks) => Promise<void> | undefined = () => undefined

  constructor(sql: Sql, mostBytes: number, trust: LibraryTrust) {
    this.#sql = sql
    this.#trust = trust
    this.#memory = new Shelf(mostBytes)
    this.heads = new Heads(sql)
  }

  /** A load may see a publication before its notice is heard; then what is older must go before both are used. */
  keepUpWith(catchUpTo: (marks: Marks) => Promise<void> | undefined): void {
    this.#catchUpTo = catchUpTo
  }

  get bytes(): number {
    return this.#memory.size
  }

  get held(): number {
    return this.#memory.count
  }

  get loading(): number {
    return this.#loading.size
  }

  index(workspaceId: string): HeldIndex | Promise<HeldIndex> {
    return this.#get(workspaceId, workspaceId, async () => {
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
      return new HeldIndex(workspaceId, ...(await load))
    }) as HeldIndex | Promise<HeldIndex>
  }

  series(workspaceId: string, visible: VisibleSeries): HeldSeries | Promise<HeldSeries> {
    const { owner, id, metadata } = visible
    return this.#get(owner, id, async () => {
      const [rows, uploads, marks] = await withWorkspace(
        this.#sql,
        workspaceId,
        async tx =>
          [
            await readVintages(tx, owner, id),
            await readUploads(tx, workspaceId, visible),
            await readMarks(tx, workspaceId),
          ] as const,
        'snapshot',
      )
      await this.#catchUpTo(marks)
      const snapshot = new SeriesSnapshot(id, metadata.at(-1)!.frequency, rows)
      return new HeldSeries(owner, snapshot, originOfSeries(visible, uploads))
    }) as HeldSeries | Promise<HeldSeries>
  }

  /** A view of a series, its size accounted for. */
  view(workspaceId: string, series: VisibleSeries, question: RowsQuestion): SeriesView | Promise<SeriesView> {
    const held = this.series(workspaceId, series)
    return held instanceof HeldSeries ? this.viewOf(held, question) : held.then(loaded => this.viewOf(loaded, question))
  }

  viewOf(held: HeldSeries, question: RowsQuestion): SeriesView {
    const before = held.size
    const view = held.view(question)
    if (held.size !== before) this.#memory.recount(held)
    return view
  }

  pam(workspaceId: string, id: string): HeldPam | null | Promise<HeldPam | null> {
    return this.#get(workspaceId, id, async () => {
      const kept = await withWorkspace(this.#sql, workspaceId, tx => readPam(tx, workspaceId, id), 'snapshot')
      if (kept === null) return null
      const snapshot = new PamSnapshot(kept, this.#trust.seals)
      for (const { reason } of snapshot.broken) this.#trust.report(`${kept.slug} (${kept.id}): ${reason}`)
      return new HeldPam(workspaceId, snapshot)
    }) as HeldPam | null | Promise<HeldPam | null>
  }

  /** The ledger of a PAM under a question; `null` where the PAM did not exist by then. */
  async ledger(workspaceId: string, held: HeldPam, question: AdjustmentQuestion): Promise<Ledger | null> {
    const issuer = (await this.index(workspaceId)).identity!.issuerAt(question.knownAt)
    const names = `${issuer.installation.name} ${issuer.workspace.name}`
    const key = `${question.asOf} ${question.knownAt} ${question.version} ${question.until} ${names}`
    const known = held.ledgers.get(key)
    if (known !== undefined) return known
    const standing = held.snapshot.at(question.knownAt)
    if (standing === null) return null
    let data: SeriesData
    let generation: number
    let turns = 0
    // Of others nothing is gathered here: what they publish is no reason to begin again.
    const current = () => this.#timesForgotten(workspaceId) + this.#timesForgotten(publicScope)
    // What is published while the series are gathered would mix two moments: gathered again until nothing came between.
    do {
      if (turns++ === mostTurns)
        throw new Refusal('unavailable', 'too much is being published at the moment; try again')
      generation = current()
      data = await this.data(workspaceId, held.snapshot, question.knownAt)
    } while (generation !== current())
    const originOf = await this.#originsOf(workspaceId, held.snapshot)
    const ledger = new Ledger({ snapshot: held.snapshot, standing, data, question, issuer, originOf })
    for (const oldest of held.ledgers.keys()) {
      if (held.ledgers.size < mostLedgers) break
      held.ledgers.delete(oldest)
    }
    held.ledgers.set(key, ledger)
    this.account(held, held.snapshot.id)
    return ledger
  }

  /** The series a PAM reads, by the names its documents use. Those that are not there are left out. */
  async data(workspaceId: string, { references, id }: PamSnapshot, knownAt: Instant | null): Promise<SeriesData> {
    const index = await this.index(workspaceId)
    const histories = new Map<string, SeriesHistory>()
    for (const reference of references) {
      const visible = index.findByReference(reference)
      if (visible === undefined) continue
      this.#depend(visible.id, id)
      const { snapshot } = await this.series(workspaceId, visible)
      const { name, unit, frequency } = metadataAt(visible, knownAt)
      histories.set(reference, snapshot.history({ reference, name, unit, frequency }))
    }
    return histories
  }

  /** Of the series that were just gathered, so each of them is held. */
  async #originsOf(workspaceId: string, { references }: PamSnapshot): Promise<OriginOf> {
    const index = await this.index(workspaceId)
    const origins = new Map<string, SeriesOrigin>()
    for (const reference of references) {
      const visible = index.findByReference(reference)
      if (visible !== undefined) origins.set(reference, (await this.series(workspaceId, visible)).originOf)
    }
    return originsOf(origins)
  }

  #depend(seriesId: string, pamId: string): void {
    const pams = this.#dependents.get(seriesId)
    if (pams === undefined) this.#dependents.set(seriesId, new Set([pamId]))
    else pams.add(pamId)
  }

  /** After something was added to what is held: it takes room as well. */
  account(held: HeldIndex | HeldSeries | HeldPam, id: string): void {
    if (this.#memory.get(id) === held) this.#memory.recount(held)
  }

  /** What was answered to this address of the workspace before, while all it was made from is held and true. */
  answerKept(workspaceId: string, address: string, now: Instant): unknown {
    const index = this.#memory.get(workspaceId)
    return index instanceof HeldIndex ? index.book.find(address, now) : undefined
  }

  /** Keeps an answer that was made from these two, unless one of them has left meanwhile. */
  keepAnswer(index: HeldIndex, from: HeldIndex | HeldSeries | HeldPam, made: AnswerToKeep): void {
    if (!index.isKept || !from.isKept) return
    index.book.keep(from, made, from instanceof HeldSeries ? mostAnswersOfSeries : mostAnswers)
    this.#memory.recount(from)
  }

  /** Something was published: what it touches is loaded anew when it is next asked for. */
  forget({ scope, kind, subject }: PublicationNotice): void {
    this.#noteForgotten(scope)
    this.heads.forget(subject)
    this.#dropSubject(subject)
    if (kind === 'clock') this.forgetScope(scope)
    if (changesNoList.has(kind)) return
    if (scope === publicScope) this.#dropIndexes()
    else this.#drop(scope)
  }

  /** So much was published in a scope that nothing of it is kept. What belongs to others stays. */
  forgetScope(scope: string): void {
    this.#noteForgotten(scope)
    this.heads.forgetScope(scope)
    for (const [key, held] of [...this.#memory.entries()]) if (held.scope === scope) this.#dropSubject(key)
    if (scope === publicScope) this.#dropIndexes()
    // What is being loaded is handed to who waits for it, but not kept.
    for (const [key, loading] of this.#loading) if (loading.scope === scope) this.#loading.delete(key)
  }

  #timesForgotten(scope: string): number {
    return this.#forgotten.get(scope) ?? 0
  }

  #noteForgotten(scope: string): void {
    this.#forgotten.set(scope, this.#timesForgotten(scope) + 1)
  }

  /** With the PAMs that were computed from it. */
  #dropSubject(subject: string): void {
    this.#drop(subject)
    for (const pam of this.#dependents.get(subject) ?? []) this.#drop(pam)
    this.#dependents.delete(subject)
  }

  #dropIndexes(): void {
    for (const [key, held] of this.#memory.entries()) if (held instanceof HeldIndex) this.#memory.delete(key)
    // Lists are kept under their workspace. One that is being loaded is handed to who waits for it, but not kept.
    for (const [key, { scope }] of this.#loading) if (key === scope) this.#loading.delete(key)
  }

  #drop(key: string): void {
    this.#memory.delete(key)
    this.#loading.delete(key)
  }

  /** From memory at once, or from the database, once for all who ask meanwhile. */
  #get<T extends HeldIndex | HeldSeries | HeldPam | null>(
    scope: string,
    key: string,
    load: () => Promise<T>,
  ): T | Promise<T> {
    const held = this.#memory.get(key)
    if (held !== undefined) return held as T
    const underWay = this.#loading.get(key)
    if (underWay !== undefined) return underWay.loaded as Promise<T>
    const loaded: Promise<T> = load().then(
      thing => {
        // What was forgotten while it loaded is handed to who waits for it, but not kept.
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
