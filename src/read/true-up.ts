// One agreement with everything its true-up is computed from: the signed, the settled and the restated path, what was
// billed, what was proposed, and what the contract's policy makes of it. Pure over facts that were loaded at one
// moment; each part is computed when somebody first looks at it.
import type { BoundVersion } from '../core/adjustment.ts'
import type { BilledLine, DeclaredQuantity } from '../core/billed-line.ts'
import { type Assessment, assess, type CorrectionGround, type OpenDifferences } from '../core/correction.ts'
import type { Day } from '../core/day.ts'
import type { Instant } from '../core/instant.ts'
import { UnitTable } from '../core/invoices/unit-table.ts'
import {
  type LedgerFacts,
  openByRevision,
  openLedger,
  type PresentedLedger,
  presentLedger,
  type TrueUpLedger,
} from '../core/ledger.ts'
import type { PricedAgreement, PricedPeriod, SettledNumber } from '../core/prices/agreement.ts'
import { startLabel } from '../core/prices/price-list.ts'
import type { Pricing } from '../core/prices/pricing.ts'
import { type ProposalState, stateOfProposal } from '../core/proposal-state.ts'
import { ratio } from '../core/ratio.ts'
import { Refusal } from '../core/refusal.ts'
import { type RestatedPeriod, restate, type SignedState } from '../core/restate.ts'
import { billedLineOf } from '../core/signed-state.ts'
import { isBy } from '../core/vintage.ts'
import type { WorkBudget } from '../core/work-budget.ts'
import type { KeptMoney } from '../storage/billed.ts'
import type { KeptCorrection } from '../storage/corrections.ts'
import type { PamParties } from '../storage/pams.ts'
import type { Adjustments } from './adjustments.ts'
import { type AgreedBody, settledBy } from './agreed-corrections.ts'
import type { PamSnapshot, PamStanding, SignedPeriod } from './pam-snapshot.ts'
import { moneyOfPart } from './part-of-money.ts'
import { sideKey } from './tenure.ts'

export interface TrueUpSources {
  readonly snapshot: PamSnapshot
  readonly standing: PamStanding
  /** Or why nothing can be computed: then nothing is restated. */
  readonly adjustments: Adjustments | { readonly why: string }
  /** With settled numbers. */
  readonly pricing: Pricing
  readonly money: KeptMoney
  /** As it stood at an instant; null: now. */
  readonly knownAt: Instant | null
  /** The day of that instant, else of the clock. */
  readonly today: Day
  readonly work: () => WorkBudget
  /** Of one supplier's part: the true-up that it is a part of. What is restated is the whole path. */
  readonly whole?: TrueUp
}

/** A proposal with the state it is in. */
export interface Proposal {
  readonly kept: KeptCorrection
  readonly state: ProposalState
}

export const openStates: readonly ProposalState[] = ['PROPOSED', 'SIGNED_BY_BUYER', 'SIGNED_BY_SUPPLIER']

export class TrueUp {
  readonly id: string
  readonly slug: string
  readonly #sources: TrueUpSources
  #signed: readonly SignedState[] | null = null
  #restated: readonly RestatedPeriod[] | null = null
  #lines: readonly BilledLine[] | null = null
  #assessment: Assessment | null = null
  #facts: LedgerFacts | null = null
  #ledger: TrueUpLedger | null = null

  constructor(sources: TrueUpSources) {
    this.#sources = sources
    this.id = sources.snapshot.id
    this.slug = sources.snapshot.slug
  }

  /** The part of it that belongs to one supplier, whose snapshot and prices are given. */
  partOf(part: Pick<TrueUpSources, 'snapshot' | 'standing' | 'adjustments' | 'pricing'>): TrueUp {
    const money = moneyOfPart(this.#sources.money, part.snapshot, part.standing)
    return new TrueUp({ ...this.#sources, ...part, money, whole: this })
  }

  get snapshot(): PamSnapshot {
    return this.#sources.snapshot
  }

  get standing(): PamStanding {
    return this.#sources.standing
  }

  get knownAt(): Instant | null {
    return this.#sources.knownAt
  }

  get today(): Day {
    return this.#sources.today
  }

  /** Approximate bytes, without what it shares with the agreement. */
  get size(): number {
    return 20_000 + this.standing.signed.length * 6_000 + this.#sources.money.lines.length * 600
  }

  /** Why nothing can be restated, though something was signed; null where it can. */
  get whyNotRestated(): string | null {
    const { adjustments } = this.#sources
    return 'why' in adjustments ? adjustments.why : null
  }

  get versions(): readonly BoundVersion[] {
    const { adjustments } = this.#sources
    return 'why' in adjustments ? [] : adjustments.versions
  }

  /** What receipts are written from; null where nothing can be computed. */
  get adjustments(): Adjustments | null {
    const { adjustments } = this.#sources
    return 'why' in adjustments ? null : adjustments
  }

  /** The settled path with prices: signed numbers, those of agreed corrections in their place. */
  get agreement(): PricedAgreement {
    return this.#sources.pricing.agreement
  }

  get pricing(): Pricing {
    return this.#sources.pricing
  }

  /** Of the amounts; null where nothing has a price. */
  get currency(): string | null {
    const { lists, periods } = this.agreement
    return lists.at(-1)?.list.currency ?? periods.at(-1)?.terms.price?.currency ?? null
  }

  /** The signed path, by date. */
  get signed(): readonly SignedState[] {
    this.#signed ??= this.standing.signed.map(each => this.#stateOf(each))
    return this.#signed
  }

  #stateOf(signed: SignedPeriod): SignedState {
    return this.snapshot.signedState(signed, this.standing.agreedAt.get(signed)!)
  }

  /** The restated path, by date; empty where nothing can be computed. */
  get restated(): readonly RestatedPeriod[] {
    this.#restated ??= this.#restate()
    return this.#restated
  }

  #restate(): readonly RestatedPeriod[] {
    const { knownAt, today, work, whole } = this.#sources
    const { versions, signed } = this
    if (whole !== undefined) return whole.restated.filter(each => this.owns(each.signed))
    return versions.length === 0 ? [] : restate({ versions, signed, knownAt, today, work: work() })
  }

  /** Whether a signed period is part of it. */
  owns({ hash, period }: Pick<SignedState, 'hash' | 'period'>): boolean {
    return this.standing.signed.some(each => each.period === period && each.hash === hash)
  }

  /** The whole signed path, of which its own may be a part: for computing, not for showing. */
  get path(): Pick<TrueUp, 'signed' | 'versions'> {
    return this.#sources.whole ?? this
  }

  /** Every kept line, with those that undo others. */
  get lines(): readonly BilledLine[] {
    const { money, pricing, knownAt } = this.#sources
    if (this.#lines !== null) return this.#lines
    const units = new UnitTable(
      money.units
        .filter(({ recordedAt }) => isBy(recordedAt, knownAt))
        .map(({ unit, other, factor }) => ({ unit, other, factor: ratio(factor) })),
    )
    const kept = money.lines.filter(({ importedAt }) => isBy(importedAt, knownAt))
    this.#lines = kept.map(line => billedLineOf(line, pricing, units))
    return this.#lines
  }

  /** Those that are neither undone nor undo another. */
  get standingLines(): readonly BilledLine[] {
    const { money, knownAt } = this.#sources
    const undoing = money.lines.filter(each => each.reverses !== null && isBy(each.importedAt, knownAt))
    if (undoing.length === 0) return this.lines
    const gone = new Set(undoing.flatMap(({ id, reverses }) => [id, reverses]))
    return this.lines.filter(({ id }) => !gone.has(id))
  }

  /** The newest of each item and period. */
  get quantities(): readonly DeclaredQuantity[] {
    const { money, knownAt } = this.#sources
    const newest = new Map<string, DeclaredQuantity>()
    for (const { item, period, quantity, recordedAt } of money.quantities)
      if (isBy(recordedAt, knownAt)) newest.set(`${item}\n${period}`, { item, period, quantity: ratio(quantity) })
    return [...newest.values()]
  }

  /** What corrections are computed from. */
  get ground(): CorrectionGround {
    return {
      agreement: this.agreement,
      restated: this.restated,
      covered: new Set(settledBy(this.standing.corrections).keys()),
      lines: this.standingLines,
      quantities: this.quantities,
      today: this.today,
    }
  }

  /** What the policy makes of the differences between the settled and the restated path. */
  get assessment(): Assessment {
    this.#assessment ??= assess(this.ground)
    return this.#assessment
  }

  /** Every proposal that was made by then, the oldest first. */
  get proposals(): readonly Proposal[] {
    const { knownAt } = this
    const known = this.snapshot.kept.corrections.filter(({ recordedAt }) => isBy(recordedAt, knownAt))
    return known.map((kept, i) => {
      const signedBy = new Set(kept.signatures.filter(each => isBy(each.signedAt, knownAt)).map(({ party }) => party))
      const isRefused = kept.refusal !== null && isBy(kept.refusal.at, knownAt)
      const isSuperseded = known.slice(i + 1).some(later => this.#holderOf(later) === this.#holderOf(kept))
      const isOpen = signedBy.size < 2 && !isRefused && !isSuperseded
      return {
        kept,
        state: stateOfProposal({ signedBy, isRefused, isSuperseded, isLapsed: isOpen && this.#hasLapsed(kept) }),
      }
    })
  }

  /** The supplier whose periods a correction is about, in one spelling. */
  #holderOf(correction: Pick<KeptCorrection, 'periods'>): string {
    return sideKey(this.snapshot.whole.supplierOf(correction) ?? null)
  }

  /** Whether the time limit is over for every period it covers. */
  #hasLapsed({ periods }: KeptCorrection): boolean {
    const states = new Map(this.assessment.moved.map(({ restated, state }) => [restated.signed.period, state]))
    return periods.length > 0 && periods.every(period => states.get(period) === 'LAPSED')
  }

  /** Who signs a correction: the buyer of today, and the supplier whose periods it is about. */
  partiesOf(correction: Pick<KeptCorrection, 'periods'>): PamParties {
    const { parties } = this.standing.whole.state
    const supplier = this.snapshot.whole.supplierOf(correction)
    return { buyer: parties.buyer, supplier: supplier === undefined ? parties.supplier : supplier }
  }

  /** The newest one that waits for a signature; null where none does. A supplier has one at most. */
  get openProposal(): Proposal | null {
    return this.proposals.findLast(({ state }) => openStates.includes(state)) ?? null
  }

  /** Whether a period has moved whose supplier has no open proposal. */
  get hasUnproposed(): boolean {
    const open = this.proposals.filter(({ state }) => openStates.includes(state))
    const waiting = new Set(open.map(({ kept }) => this.#holderOf(kept)))
    return this.assessment.moved.some(
      ({ hasEffect, restated }) => hasEffect && !waiting.has(this.#holderOf({ periods: [restated.signed.period] })),
    )
  }

  /** What the ledger is computed from. */
  get facts(): LedgerFacts {
    this.#facts ??= {
      lines: this.lines,
      settled: this.#settledStates(),
      corrections: this.standing.corrections.map(agreedCorrectionOf),
      billing: [],
      notes: this.standing.corrections.flatMap(({ id, kept: { notes } }) =>
        notes
          .filter(({ recordedAt }) => isBy(recordedAt, this.knownAt))
          .map(({ part, number, amount, recordedAt }) => ({
            id: `${id}/${part}`,
            issuedAt: recordedAt,
            number,
            amount: ratio(amount),
          })),
      ),
    }
    return this.#facts
  }

  /** The agreement after each period and each correction that was agreed. Numbers that are not agreed do not count. */
  #settledStates(): LedgerFacts['settled'] {
    const { signed, standing, agreement } = this
    const first = this.snapshot.kept.states[0]!.recordedAt
    const instants = [first, ...signed.map(each => each.agreedAt), ...standing.corrections.map(each => each.agreedAt)]
    const byPeriod = new Map(signed.map(each => [each.period, each]))
    return [...new Set(instants)].sort().map(at => {
      const settled = settledBy(standing.corrections.filter(({ agreedAt }) => agreedAt <= at))
      const numberAt = ({ period, number, isBaseOnly }: PricedPeriod): PricedPeriod['number'] => {
        if (period === startLabel || isBaseOnly === true || 'blocked' in number) return number
        const own = byPeriod.get(period)
        if (own === undefined || own.agreedAt > at) return { blocked: `${period} is not agreed yet` }
        return settled.get(period) ?? signedNumber(own)
      }
      return {
        at,
        agreement: { ...agreement, periods: agreement.periods.map(each => ({ ...each, number: numberAt(each) })) },
      }
    })
  }

  /** Every posting, and what it comes to. */
  get ledger(): TrueUpLedger {
    this.#ledger ??= openLedger(this.facts, this.knownAt)
    return this.#ledger
  }

  /** As it is answered. Refuses where nothing has a price: then there is nothing to account for. */
  get presentedLedger(): PresentedLedger {
    const { currency } = this
    if (currency === null) throw new Refusal('not-found', `${this.slug} has no price, and so no ledger`)
    return presentLedger(this.slug, currency, this.ledger, this.open)
  }

  /** What is owed under the restated numbers beyond what is posted, grouped by what holds it back. */
  get open(): OpenDifferences {
    return openByRevision(this.ledger, this.assessment, this.agreement, this.lines)
  }
}

function signedNumber({ factor, hash, agreedAt }: SignedState): SettledNumber {
  return { factor, status: 'AGREED', receiptHash: hash, agreedAt, beforeCorrection: null }
}

function agreedCorrectionOf({ id, agreedAt, body, kept }: AgreedBody): LedgerFacts['corrections'][number] {
  return {
    id,
    agreedAt,
    isWaiver: body.waived,
    lines: body.lines.map(({ item, period, amount }, i) => ({
      lineId: kept.lineIds[i] ?? null,
      item,
      period,
      amount: ratio(amount),
    })),
  }
}
