// True-ups of agreements, loaded through the library and cached with its agreements: dropped with the agreement, and when something
// is billed under it. Stores nothing itself.

import type { LineDocument } from '../core/invoices/ledger-differences.ts'
import type { WorkBudget } from '../core/numbers/work-budget.ts'
import type { Day } from '../core/time/day.ts'
import { type BilledAmounts, loadBilledAgreements, loadMoney } from '../storage/agreements/billed-amounts.ts'
import { type CorrectionTexts, loadCorrectionTexts, type StoredCorrection } from '../storage/agreements/corrections.ts'
import type { StoredLine } from '../storage/agreements/invoices.ts'
import type { EntryNotice } from '../storage/log/append.ts'
import { type EntryKind, kindsWhere } from '../storage/log/entry-kinds.ts'
import type { Transaction } from '../storage/postgres/database.ts'
import { type Tenure, tenureOfSupplier } from './agreements/tenure.ts'
import { newestBySupplier, TrueUp } from './agreements/true-up.ts'
import { CachedAgreement } from './lists/cached-agreement.ts'
import type { ReadsAgreements, WithFigures } from './lists/reads-agreements.ts'
import { type Dependent, type Ticket, topics } from './memory/changes.ts'
import type { PricedState, Prices, PriceTime } from './prices.ts'

/** More pending imports than this are not checked one by one: all billed lines of the workspace are read again. */
const mostPending = 1_000

/** Units change billed quantities, and company names decide whose lines are whose. */
const changesAllBilling: ReadonlySet<EntryKind> = new Set(kindsWhere(({ stale }) => stale.trueUps === 'scope'))

/** The prices of an agreement, or of a part of it. */
type PricesPart = (part: CachedAgreement) => Promise<PricedState | null>

export class TrueUps implements Dependent {
  readonly #library: ReadsAgreements
  readonly #prices: Prices
  readonly #work: () => WorkBudget
  /** By workspace with loaded billing: imports whose agreements are not known yet. */
  readonly #pending = new Map<string, Set<string>>()

  constructor(library: ReadsAgreements, prices: Prices, work: () => WorkBudget) {
    this.#library = library
    this.#prices = prices
    this.#work = work
    library.changes.add(this)
  }

  /** True-up of an agreement by id or slug; null where there was no such agreement by then. */
  async find(workspaceId: string, agreement: string, time: PriceTime): Promise<TrueUp | null> {
    const id = (await this.#library.index(workspaceId, { agreements: [agreement] })).agreementId(agreement)
    return id === undefined ? null : this.of(workspaceId, id, time)
  }

  /** True-up by agreement id; of a part, where not all of it belongs to the viewer. */
  async of(workspaceId: string, id: string, time: PriceTime, tenure: Tenure | null = null): Promise<TrueUp | null> {
    const cached = await this.#library.agreement(workspaceId, id)
    if (cached === null || cached.snapshot.at(time.knownAt) === null) return null
    const whole = await this.#whole(workspaceId, cached, time)
    const part = cached.partOf(tenure)
    return part === cached ? whole : this.#partOf(workspaceId, whole, part, time)
  }

  async #whole(workspaceId: string, cached: CachedAgreement, time: PriceTime): Promise<TrueUp> {
    await this.resolveImports(workspaceId)
    const known = cached.trueUps.get(keyOf(time))
    if (known !== undefined) return known
    using ticket = this.#library.changes.ticket()
    const money = cached.money ?? (await this.#readMoney(workspaceId, [cached], ticket)).get(cached.snapshot.id)!
    const made = await this.#make(workspaceId, cached, money, time)
    // If something was billed meanwhile, it is older than what the next request reads.
    if (!ticket.holds(restsOn(cached))) return made
    cached.trueUps.set(keyOf(time), made)
    this.#library.account(cached)
    return made
  }

  /** True-up with figures that nobody has recorded yet; not cached. */
  async with(workspaceId: string, id: string, until: Day, withFigures: WithFigures): Promise<TrueUp | null> {
    await this.resolveImports(workspaceId)
    const cached = await this.#library.agreement(workspaceId, id)
    const time = { knownAt: null, until }
    if (cached === null || cached.snapshot.at(null) === null) return null
    using ticket = this.#library.changes.ticket()
    const money = cached.money ?? (await this.#readMoney(workspaceId, [cached], ticket)).get(id)!
    return this.#make(workspaceId, cached, money, time, part =>
      this.#prices.standingWith(workspaceId, part, time, withFigures),
    )
  }

  /** Not cached: it is a view of the whole, which is. */
  async #partOf(
    workspaceId: string,
    whole: TrueUp,
    part: CachedAgreement,
    time: PriceTime,
    price: PricesPart = each => this.#prices.standing(workspaceId, each, time),
  ): Promise<TrueUp | null> {
    const { snapshot } = part
    const standing = snapshot.at(time.knownAt)
    if (standing === null) return null
    const { adjustments, pricing } = (await price(part))!
    return whole.partOf({ snapshot, standing, adjustments, pricing })
  }

  /** Outcome of the corrections among these lines, by id. */
  async documentsOf(
    workspaceId: string,
    lines: readonly Pick<StoredLine, 'id' | 'agreementId' | 'fields'>[],
    time: PriceTime,
  ): Promise<ReadonlyMap<string, LineDocument>> {
    const wanted = lines.filter(({ fields }) => fields.kind === 'CORRECTION')
    const agreementIds = [...new Set(wanted.map(({ agreementId }) => agreementId))]
    if (agreementIds.length > 1) await this.prepare(workspaceId, agreementIds)
    const found = new Map<string, LineDocument>()
    for (const agreementId of agreementIds) {
      const documents = (await this.of(workspaceId, agreementId, time))?.documents
      for (const { id, agreementId: own } of wanted) {
        const document = own === agreementId ? documents?.get(id) : undefined
        if (document !== undefined) found.set(id, document)
      }
    }
    return found
  }

  /** Reads many agreements, their price lists and billed lines at once, so that each needs no query. */
  async prepare(workspaceId: string, ids: readonly string[]): Promise<void> {
    await this.resolveImports(workspaceId)
    const agreements = await this.#library.agreements(workspaceId, ids)
    await this.#prices.prepare(workspaceId, agreements)
    const missing = agreements.filter(({ money }) => money === null)
    if (missing.length === 0) return
    using ticket = this.#library.changes.ticket()
    await this.#readMoney(workspaceId, missing, ticket)
  }

  async #make(
    workspaceId: string,
    cached: CachedAgreement,
    money: BilledAmounts,
    time: PriceTime,
    price: PricesPart = each => this.#prices.standing(workspaceId, each, time),
  ): Promise<TrueUp> {
    const { snapshot } = cached
    const { knownAt, until } = time
    const { adjustments, pricing } = (await price(cached))!
    const standing = snapshot.at(knownAt)!
    const newest = newestBySupplier(snapshot, knownAt)
    const texts = await this.#texts(workspaceId, [...newest.values()])
    const parts = new Map<string, TrueUp>()
    const made = new TrueUp({
      snapshot,
      standing,
      adjustments,
      pricing,
      money,
      texts,
      parts,
      knownAt,
      today: until,
      work: this.#work,
    })
    for (const [supplier, correction] of newest) {
      const part = partFor(cached, correction)
      const own = part === null ? null : await this.#partOf(workspaceId, made, part, time, price)
      if (own !== null) parts.set(supplier, own)
    }
    return made
  }

  /** Texts of these corrections. Those of an agreement's newest are in memory. */
  async #texts(
    workspaceId: string,
    corrections: readonly StoredCorrection[],
  ): Promise<ReadonlyMap<string, CorrectionTexts>> {
    const missing = corrections.filter(({ texts }) => texts === null).map(({ id }) => id)
    const read = (tx: Transaction) => loadCorrectionTexts(tx, workspaceId, missing)
    const stored = missing.length === 0 ? new Map() : await this.#library.readAndCatchUp(workspaceId, read)
    return new Map(corrections.map(({ id, texts }) => [id, texts ?? stored.get(id)!]))
  }

  /** Billed lines by agreement; kept with each agreement for which the ticket still holds. */
  async #readMoney(
    workspaceId: string,
    agreements: readonly CachedAgreement[],
    ticket: Ticket,
  ): Promise<ReadonlyMap<string, BilledAmounts>> {
    const ids = agreements.map(({ snapshot }) => snapshot.id)
    const read = await this.#library.readAndCatchUp(workspaceId, tx => loadMoney(tx, workspaceId, ids))
    for (const cached of agreements)
      if (ticket.holds(restsOn(cached))) {
        cached.money = read.get(cached.snapshot.id)!
        this.#library.account(cached)
      }
    return read
  }

  /** Finds the agreements of announced imports: their billed lines, and everything computed from these, are stale. */
  async resolveImports(workspaceId: string): Promise<void> {
    const pending = this.#pending.get(workspaceId)
    if (pending === undefined) this.#pending.set(workspaceId, new Set())
    if (pending === undefined || pending.size === 0) return
    // More imports may come while these are looked up.
    const imports = [...pending]
    const read = (tx: Transaction) => loadBilledAgreements(tx, workspaceId, imports)
    const agreements = new Set(await this.#library.readAndCatchUp(workspaceId, read))
    for (const id of agreements) this.#library.changes.billedUnder(id)
    for (const cached of this.#library.agreementsInMemory(workspaceId))
      if (agreements.has(cached.snapshot.id)) cached.money = null
    for (const each of imports) pending.delete(each)
  }

  /** Changes of one agreement alone are dropped with it. */
  entered({ scope, kind, subject }: EntryNotice): void {
    const pending = this.#pending.get(scope)
    if (kind === 'invoice') pending?.add(subject)
    if (!changesAllBilling.has(kind) && (pending?.size ?? 0) <= mostPending) return
    pending?.clear()
    this.#library.changes.billedUnder(scope)
    for (const cached of this.#library.agreementsInMemory(scope)) cached.money = null
  }

  enteredMany(scope: string): void {
    this.#pending.get(scope)?.clear()
  }
}

/** Topics of the billed lines of an agreement, and of results made from them. */
function restsOn({ scope, snapshot: { id } }: CachedAgreement): readonly string[] {
  return [topics.billedUnder(id), topics.billedUnder(scope), topics.everythingIn(scope)]
}

function keyOf({ knownAt, until }: PriceTime): string {
  return `${knownAt} ${until}`
}

/** Part that a correction is proposed from if the supplier has changed: that of its supplier, with the buyer of today. */
function partFor({ scope, snapshot }: CachedAgreement, correction: StoredCorrection): CachedAgreement | null {
  const { states } = snapshot.kept
  const supplier = snapshot.supplierOf(correction)
  const tenure = supplier === undefined ? null : tenureOfSupplier(states, supplier)
  if (tenure === null || tenure.isWhole) return null
  return new CachedAgreement(scope, snapshot.partOf(tenure, states.at(-1)!.parties.buyer))
}
