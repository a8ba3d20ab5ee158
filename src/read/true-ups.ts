// True-ups of agreements, loaded through the library and cached with its agreements: forgotten with the agreement, and
// when something is billed under it. It computes and stores nothing itself.

import type { WorkBudget } from '../core/numbers/work-budget.ts'
import type { LineDocument } from '../core/true-up/ledger-differences.ts'
import { type KeptMoney, readBilledPams, readMoney } from '../storage/agreements/billed.ts'
import { type CorrectionTexts, type KeptCorrection, readCorrectionTexts } from '../storage/agreements/corrections.ts'
import type { StoredLine } from '../storage/agreements/invoices.ts'
import type { PublicationNotice } from '../storage/log/publish.ts'
import type { Transaction } from '../storage/postgres/database.ts'
import { type Tenure, tenureOfSupplier } from './agreements/tenure.ts'
import { newestBySupplier, TrueUp } from './agreements/true-up.ts'
import type { Library } from './library.ts'
import { CachedPam } from './lists/cached-agreement.ts'
import type { PriceTime } from './prices.ts'

/** For one agreement: those of the most recent cuts. */
const mostTrueUps = 8
/** More imports than this are not checked one by one: everything that was billed in the workspace is read again. */
const mostPending = 1_000

/** What is known about the invoices of a workspace. */
interface Billing {
  /** Grows with every import that this process was notified of. */
  turn: number
  /** Anything read before this turn is out of date. */
  wholeSince: number
  /** By agreement: the turn in which something was last billed under it. */
  readonly changed: Map<string, number>
  /** Imports whose agreements are not known yet. More may come while those of some are looked up. */
  readonly pending: Set<string>
}

export class TrueUps {
  readonly #library: Library
  readonly #work: () => WorkBudget
  readonly #billing = new Map<string, Billing>()

  constructor(library: Library, work: () => WorkBudget) {
    this.#library = library
    this.#work = work
  }

  /** By id or slug; null where there is no such agreement, or was none by then. */
  async find(workspaceId: string, pam: string, time: PriceTime): Promise<TrueUp | null> {
    const id = (await this.#library.index(workspaceId, { formulas: [pam] })).pamId(pam)
    return id === undefined ? null : this.of(workspaceId, id, time)
  }

  /** By id; of somebody's part, where it is not all theirs. */
  async of(workspaceId: string, id: string, time: PriceTime, tenure: Tenure | null = null): Promise<TrueUp | null> {
    const cached = await this.#library.pam(workspaceId, id)
    if (cached === null || cached.snapshot.at(time.knownAt) === null) return null
    const whole = await this.#whole(workspaceId, cached, time)
    const part = cached.partOf(tenure)
    return part === cached ? whole : this.#partOf(workspaceId, whole, part, time)
  }

  async #whole(workspaceId: string, cached: CachedPam, time: PriceTime): Promise<TrueUp> {
    await this.#resolve(workspaceId)
    const known = this.#isCurrent(workspaceId, cached) ? cached.trueUps.get(keyOf(time)) : undefined
    if (known !== undefined) return known
    const turn = this.#billingOf(workspaceId).turn
    const money = await this.#money(workspaceId, cached, turn)
    return this.#make(workspaceId, cached, money, time)
  }

  /** Not cached: it is a view of the whole, which is. */
  async #partOf(workspaceId: string, whole: TrueUp, part: CachedPam, time: PriceTime): Promise<TrueUp | null> {
    const { snapshot } = part
    const standing = snapshot.at(time.knownAt)
    if (standing === null) return null
    const { adjustments, pricing } = (await this.#library.prices.standing(workspaceId, part, time))!
    return whole.partOf({ snapshot, standing, adjustments, pricing })
  }

  /** What became of those lines that are corrections, by id. */
  async documentsOf(
    workspaceId: string,
    lines: readonly Pick<StoredLine, 'id' | 'pamId' | 'fields'>[],
    time: PriceTime,
  ): Promise<ReadonlyMap<string, LineDocument>> {
    const wanted = lines.filter(({ fields }) => fields.kind === 'CORRECTION')
    const pamIds = [...new Set(wanted.map(({ pamId }) => pamId))]
    if (pamIds.length > 1) await this.prepare(workspaceId, pamIds)
    const found = new Map<string, LineDocument>()
    for (const pamId of pamIds) {
      const documents = (await this.of(workspaceId, pamId, time))?.documents
      for (const { id, pamId: own } of wanted) {
        const document = own === pamId ? documents?.get(id) : undefined
        if (document !== undefined) found.set(id, document)
      }
    }
    return found
  }

  /** Reads many agreements, their price lists and what was billed under them at once, so that asking for each needs no query. */
  async prepare(workspaceId: string, ids: readonly string[]): Promise<void> {
    await this.#resolve(workspaceId)
    const { turn } = this.#billingOf(workspaceId)
    const pams = await this.#library.pams(workspaceId, ids)
    await this.#library.prices.prepare(workspaceId, pams)
    const missing = pams.filter(cached => !this.#isCurrent(workspaceId, cached))
    if (missing.length === 0) return
    const wanted = missing.map(({ snapshot }) => snapshot.id)
    const read = await this.#read(workspaceId, wanted)
    for (const cached of missing) this.#keep(cached, read.get(cached.snapshot.id)!, turn)
  }

  async #make(workspaceId: string, cached: CachedPam, money: KeptMoney, time: PriceTime): Promise<TrueUp> {
    const { snapshot } = cached
    const { knownAt, until } = time
    const { adjustments, pricing } = (await this.#library.prices.standing(workspaceId, cached, time))!
    const standing = snapshot.at(knownAt)!
    const newest = newestBySupplier(snapshot, knownAt)
    const texts = await this.#texts(workspaceId, [...newest.values()])
    const parts = new Map<string, TrueUp>()
    const made = new TrueUp({
      ...{ snapshot, standing, adjustments, pricing, money, texts, parts },
      ...{ knownAt, today: until, work: this.#work },
    })
    for (const [supplier, correction] of newest) {
      const part = partFor(cached, correction)
      const own = part === null ? null : await this.#partOf(workspaceId, made, part, time)
      if (own !== null) parts.set(supplier, own)
    }
    // If something was billed meanwhile and read by another request, this one is older than what is kept.
    if (cached.money?.kept !== money) return made
    for (const oldest of cached.trueUps.keys()) {
      if (cached.trueUps.size < mostTrueUps) break
      cached.trueUps.delete(oldest)
    }
    cached.trueUps.set(keyOf(time), made)
    this.#library.account(cached, snapshot.id)
    return made
  }

  /** Of these corrections. Those of the newest of an agreement are in memory. */
  async #texts(
    workspaceId: string,
    corrections: readonly KeptCorrection[],
  ): Promise<ReadonlyMap<string, CorrectionTexts>> {
    const missing = corrections.filter(({ texts }) => texts === null).map(({ id }) => id)
    const read = (tx: Transaction) => readCorrectionTexts(tx, workspaceId, missing)
    const stored = missing.length === 0 ? new Map() : await this.#library.readAndCatchUp(workspaceId, read)
    return new Map(corrections.map(({ id, texts }) => [id, texts ?? stored.get(id)!]))
  }

  async #money(workspaceId: string, cached: CachedPam, turn: number): Promise<KeptMoney> {
    if (this.#isCurrent(workspaceId, cached)) return cached.money!.kept
    const { id } = cached.snapshot
    const kept = (await this.#read(workspaceId, [id])).get(id)!
    this.#keep(cached, kept, turn)
    return kept
  }

  #isCurrent(workspaceId: string, { money, snapshot }: CachedPam): boolean {
    const { changed, wholeSince } = this.#billingOf(workspaceId)
    return money !== null && money.turn >= wholeSince && money.turn >= (changed.get(snapshot.id) ?? 0)
  }

  /** Unless a later reading was quicker. */
  #keep(cached: CachedPam, kept: KeptMoney, turn: number): void {
    if (cached.money !== null && cached.money.turn > turn) return
    cached.trueUps.clear()
    cached.money = { kept, turn, bytes: (kept.lines.length + kept.quantities.length) * bytesPerRow }
    this.#library.account(cached, cached.snapshot.id)
  }

  #read(workspaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, KeptMoney>> {
    const read = (tx: Transaction) => readMoney(tx, workspaceId, ids)
    return this.#library.readAndCatchUp(workspaceId, read)
  }

  /** Which agreements the imports that this process was notified of belong to. */
  async #resolve(workspaceId: string): Promise<void> {
    const billing = this.#billingOf(workspaceId)
    if (billing.pending.size === 0) return
    const ids = [...billing.pending]
    const read = (tx: Transaction) => readBilledPams(tx, workspaceId, ids)
    const pams = await this.#library.readAndCatchUp(workspaceId, read)
    billing.turn++
    for (const id of pams) billing.changed.set(id, billing.turn)
    for (const id of ids) billing.pending.delete(id)
  }

  #billingOf(workspaceId: string): Billing {
    const known = this.#billing.get(workspaceId)
    if (known !== undefined) return known
    const billing: Billing = { turn: 1, wholeSince: 0, changed: new Map(), pending: new Set() }
    this.#billing.set(workspaceId, billing)
    return billing
  }

  /** Something was published. What concerns one agreement alone is forgotten with it. */
  forget({ scope, kind, subject }: Pick<PublicationNotice, 'scope' | 'kind' | 'subject'>): void {
    // Names of companies say whose lines are whose.
    if (kind === 'unit' || kind === 'clock' || kind === 'party') this.forgetScope(scope)
    if (kind !== 'invoice') return
    const billing = this.#billing.get(scope)
    if (billing === undefined) return
    billing.pending.add(subject)
    if (billing.pending.size > mostPending) this.forgetScope(scope)
  }

  forgetScope(scope: string): void {
    const billing = this.#billing.get(scope)
    if (billing === undefined) return
    billing.turn++
    billing.wholeSince = billing.turn
    billing.changed.clear()
    billing.pending.clear()
  }
}

function keyOf({ knownAt, until }: PriceTime): string {
  return `${knownAt} ${until}`
}

/** Approximate bytes of a line with its fields. */
const bytesPerRow = 1_200

/** What a correction is proposed from if the supplier has changed: the part of its supplier, with the buyer of today. */
function partFor({ scope, snapshot }: CachedPam, correction: KeptCorrection): CachedPam | null {
  const { states } = snapshot.kept
  const supplier = snapshot.supplierOf(correction)
  const tenure = supplier === undefined ? null : tenureOfSupplier(states, supplier)
  if (tenure === null || tenure.isWhole) return null
  return new CachedPam(scope, snapshot.partOf(tenure, states.at(-1)!.parties.buyer))
}
