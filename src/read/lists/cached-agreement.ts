// One PAM as the library caches it, with the adjustments that were computed from it.
import type { Pricing } from '../../core/prices/pricing.ts'
import type { KeptMoney } from '../../storage/agreements/billed.ts'
import type { Adjustments } from '../agreements/adjustments.ts'
import type { PamSnapshot } from '../agreements/agreement-snapshot.ts'
import type { CachedList } from '../agreements/priced-agreement.ts'
import type { Tenure } from '../agreements/tenure.ts'
import type { TrueUp } from '../agreements/true-up.ts'
import { Cached } from '../memory/answer-book.ts'

/** Approximate bytes of a price with its exact numbers. */
const bytesPerPrice = 400
/** Of one agreement, for those who asked last. */
const mostParts = 4

export class CachedPam extends Cached {
  readonly scope: string
  /** Whether its numbers turned out to be more work than is done here. */
  isHeavy = false
  readonly snapshot: PamSnapshot
  /** The slugs of parties whose names are in its receipts. */
  readonly companies: readonly string[]
  readonly adjustmentsByRequest = new Map<string, Adjustments>()
  /** Its price lists, read when first needed, and their approximate bytes. */
  lists: { readonly all: readonly CachedList[]; readonly bytes: number } | null = null
  /** Its prices under the cut that was asked for last. */
  pricing: { readonly adjustments: Adjustments; readonly pricing: Pricing } | null = null
  /** What was billed under it, as of a turn in true-ups.ts. */
  money: { readonly kept: KeptMoney; readonly turn: number; readonly bytes: number } | null = null
  readonly trueUps = new Map<string, TrueUp>()
  /** The parts that belong to one party each, by the key of its time; they are forgotten with the whole. */
  readonly #parts = new Map<string, CachedPam>()

  constructor(scope: string, snapshot: PamSnapshot) {
    super()
    this.scope = scope
    this.snapshot = snapshot
    this.companies = snapshot.companies
  }

  /** What belongs to somebody who was a party for some time; itself where all of it does. */
  partOf(tenure: Tenure | null): CachedPam {
    if (tenure === null || tenure.isWhole) return this
    const known = this.#parts.get(tenure.key)
    if (known !== undefined) return known
    const part = new CachedPam(this.scope, this.snapshot.partOf(tenure))
    for (const oldest of this.#parts.keys()) {
      if (this.#parts.size < mostParts) break
      this.#parts.delete(oldest)
    }
    this.#parts.set(tenure.key, part)
    return part
  }

  /** As it is stored, without anything that was computed from figures. */
  withoutNumbers(): CachedPam {
    const renewed = new CachedPam(this.scope, this.snapshot)
    renewed.lists = this.lists
    renewed.money = this.money
    return renewed
  }

  get size(): number {
    let total = 20_000 + this.snapshot.versions.length * 8_000 + this.answersSize + (this.lists?.bytes ?? 0)
    if (this.pricing !== null) total += this.pricing.pricing.priced * bytesPerPrice
    total += this.money?.bytes ?? 0
    for (const trueUp of this.trueUps.values()) total += trueUp.size
    for (const adjustments of this.adjustmentsByRequest.values()) total += adjustments.size
    for (const part of this.#parts.values()) total += part.size
    return total
  }
}
