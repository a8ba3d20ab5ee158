// One agreement as the library caches it, with the adjustments that were computed from it.
import type { PathMemory } from '../../core/invoices/other-paths.ts'
import type { Pricing } from '../../core/prices/item-prices.ts'
import type { BilledAmounts } from '../../storage/agreements/billed-amounts.ts'
import type { Adjustments } from '../agreements/adjustments.ts'
import type { AgreementSnapshot } from '../agreements/agreement-snapshot.ts'
import type { CachedList } from '../agreements/priced-agreement.ts'
import type { Tenure } from '../agreements/tenure.ts'
import type { TrueUp } from '../agreements/true-up.ts'
import { Cached } from '../memory/answer-book.ts'
import { Recent } from '../memory/recent.ts'

/** Approximate bytes of a price with its exact numbers. */
const bytesPerPrice = 400
/** Limits for one agreement, by last use: adjustments and true-ups by their cuts, parts by their time. */
const mostRequests = 16
const mostTrueUps = 8
const mostParts = 4
/** Approximate bytes of a billed line with its fields. */
const bytesPerLine = 1_200

export class CachedAgreement extends Cached {
  readonly scope: string
  /** Whether its numbers turned out to be more work than is done here. */
  isHeavy = false
  readonly snapshot: AgreementSnapshot
  /** Slugs of the parties named in its receipts. */
  readonly companies: readonly string[]
  readonly adjustmentsByRequest = new Recent<Adjustments>(mostRequests)
  /** Its price lists, read when first needed, and their approximate bytes. */
  lists: { readonly all: readonly CachedList[]; readonly bytes: number } | null = null
  /** Prices under the last cut, and the answers that checks of invoice lines got about other readings. */
  pricing: { readonly adjustments: Adjustments; readonly pricing: Pricing; readonly paths: PathMemory } | null = null
  /** Lines billed under it, read when first needed, and the true-ups made from them. */
  #money: BilledAmounts | null = null
  readonly trueUps = new Recent<TrueUp>(mostTrueUps)
  /** Parts of one party each, by the key of its time; they are forgotten with the whole. */
  readonly #parts = new Recent<CachedAgreement>(mostParts)

  constructor(scope: string, snapshot: AgreementSnapshot) {
    super()
    this.scope = scope
    this.snapshot = snapshot
    this.companies = snapshot.companies
  }

  /** The part of somebody who was a party for some time; itself where all of it is theirs. */
  partOf(tenure: Tenure | null): CachedAgreement {
    if (tenure === null || tenure.isWhole) return this
    // Parts at a chosen moment are not kept: there are too many moments.
    if (tenure.correctedBy !== undefined) return new CachedAgreement(this.scope, this.snapshot.partOf(tenure))
    const known = this.#parts.get(tenure.key)
    if (known !== undefined) return known
    const part = new CachedAgreement(this.scope, this.snapshot.partOf(tenure))
    this.#parts.set(tenure.key, part)
    return part
  }

  /** The stored rows, without anything computed from figures. */
  withoutNumbers(): CachedAgreement {
    const renewed = new CachedAgreement(this.scope, this.snapshot)
    renewed.lists = this.lists
    renewed.#money = this.#money
    return renewed
  }

  get money(): BilledAmounts | null {
    return this.#money
  }

  /** Null where newly billed lines are not read yet. */
  set money(money: BilledAmounts | null) {
    this.#money = money
    this.trueUps.clear()
  }

  get size(): number {
    let total = 20_000 + this.snapshot.versions.length * 8_000 + this.answersSize + (this.lists?.bytes ?? 0)
    if (this.pricing !== null) total += this.pricing.pricing.priced * bytesPerPrice + this.pricing.paths.size
    if (this.#money !== null) total += (this.#money.lines.length + this.#money.quantities.length) * bytesPerLine
    for (const trueUp of this.trueUps.values()) total += trueUp.size
    for (const adjustments of this.adjustmentsByRequest.values()) total += adjustments.size
    for (const part of this.#parts.values()) total += part.size
    return total
  }
}
