// One agreement with everything its true-up is computed from: the signed, the settled and the restated path, billed lines,
// proposals, and the assessment by the contract's policy. Pure over facts that were loaded at one moment; each part is computed on
// first use.
import type { BoundVersion } from '../../core/calculation/adjustment.ts'
import { type NoNumber, otherGap } from '../../core/calculation/gap.ts'
import type { BilledLine, DeclaredQuantity } from '../../core/invoices/billed-line.ts'
import { documentsOf, type LineDocument } from '../../core/invoices/ledger-differences.ts'
import type { LedgerFacts } from '../../core/invoices/ledger-facts.ts'
import { equal, ratio } from '../../core/numbers/ratio.ts'
import type { WorkBudget } from '../../core/numbers/work-budget.ts'
import { currencyOf, type PricedAgreement, type PricedPeriod, type SettledNumber } from '../../core/prices/agreement.ts'
import type { Pricing } from '../../core/prices/item-prices.ts'
import { SupplierNames } from '../../core/prices/line-identity.ts'
import { startLabel } from '../../core/prices/price-list.ts'
import { Refusal } from '../../core/refusal.ts'
import { isBy } from '../../core/series/vintage.ts'
import type { Day } from '../../core/time/day.ts'
import type { Instant } from '../../core/time/instant.ts'
import {
  type Assessment,
  assess,
  type CorrectionInputs,
  lapsedPeriods,
  type OpenDifferences,
  type StatedPeriod,
} from '../../core/true-up/correction.ts'
import { readCorrectionBody } from '../../core/true-up/correction-parser.ts'
import { openByRevision, openLedger, type TrueUpLedger } from '../../core/true-up/ledger.ts'
import { type PresentedLedger, presentLedger } from '../../core/true-up/ledger-view.ts'
import { countsFromInvoices, policiesWithoutMoney } from '../../core/true-up/policy-without-money.ts'
import { openStates, type ProposalState, stateOfProposal } from '../../core/true-up/proposal-state.ts'
import { type RestatedPeriod, restate } from '../../core/true-up/restate.ts'
import { type SettledCorrection, settledCorrection } from '../../core/true-up/settled-correction.ts'
import { billedLineOf, type SettledReceipt, type SignedState } from '../../core/true-up/signed-state.ts'
import type { AgreementParties } from '../../storage/agreements/agreements.ts'
import type { BilledAmounts } from '../../storage/agreements/billed-amounts.ts'
import type { CorrectionTexts, StoredCorrection } from '../../storage/agreements/corrections.ts'
import type { Adjustments } from './adjustments.ts'
import { settledBy, settledReceipts } from './agreed-corrections.ts'
import type { AgreementSnapshot, AgreementState, SignedPeriod } from './agreement-snapshot.ts'
import { issuedNotes } from './issued-notes.ts'
import { moneyOfPart } from './party-money.ts'
import { unitTableOf } from './priced-agreement.ts'
import { buildProposal, saysTheSame } from './proposed-correction.ts'
import { sideKey } from './tenure.ts'

interface TrueUpSources {
  readonly snapshot: AgreementSnapshot
  readonly standing: AgreementState
  /** Adjustments, or the reason why nothing can be computed: then nothing is restated. */
  readonly adjustments: Adjustments | NoNumber
  /** Prices at settled numbers. */
  readonly pricing: Pricing
  readonly money: BilledAmounts
  /** Texts of the newest correction of each supplier by then, by the correction's id. */
  readonly texts: ReadonlyMap<string, CorrectionTexts>
  /** If the supplier has changed: the parts of the suppliers who have a correction, by the supplier in one spelling. */
  readonly parts?: ReadonlyMap<string, TrueUp>
  /** Instant of the standing; null: now. */
  readonly knownAt: Instant | null
  /** The day of that instant, else of the clock. */
  readonly today: Day
  readonly work: () => WorkBudget
  /** For one supplier's part: the true-up it is a part of, whose whole path is restated. */
  readonly whole?: TrueUp
}

/** A proposal with the state it is in. */
export interface Proposal {
  readonly kept: StoredCorrection
  readonly state: ProposalState
}

/** Checks that decide whether an open proposal still stands. */
interface ProposalChecks {
  readonly hasLapsed: (kept: StoredCorrection) => boolean
  readonly isCurrent: (kept: StoredCorrection) => boolean
}

/** The newest correction of each supplier by then, by the supplier in one spelling: no other one can be open. */
export function newestBySupplier(
  { kept, whole }: AgreementSnapshot,
  knownAt: Instant | null,
): ReadonlyMap<string, StoredCorrection> {
  const known = kept.corrections.filter(({ recordedAt }) => isBy(recordedAt, knownAt))
  return new Map(known.map(each => [sideKey(whole.supplierOf(each) ?? null), each]))
}

export class TrueUp {
  readonly id: string
  readonly slug: string
  readonly #sources: TrueUpSources
  #signed: readonly SignedState[] | null = null
  #settled: ReadonlyMap<string, SettledReceipt> | null = null
  #restated: readonly RestatedPeriod[] | null = null
  #lines: readonly BilledLine[] | null = null
  #assessment: Assessment | null = null
  #proposals: readonly Proposal[] | null = null
  #agreed: readonly SettledCorrection[] | null = null
  #facts: LedgerFacts | null = null
  #ledger: TrueUpLedger | null = null
  #documents: ReadonlyMap<string, LineDocument> | null = null

  constructor(sources: TrueUpSources) {
    this.#sources = sources
    this.id = sources.snapshot.id
    this.slug = sources.snapshot.slug
  }

  /** The part that belongs to one supplier, made from that part's snapshot and prices. */
  partOf(part: Pick<TrueUpSources, 'snapshot' | 'standing' | 'adjustments' | 'pricing'>): TrueUp {
    const money = moneyOfPart(this.#sources.money, part.snapshot, part.standing)
    return new TrueUp({ ...this.#sources, ...part, money, whole: this })
  }

  get snapshot(): AgreementSnapshot {
    return this.#sources.snapshot
  }

  get standing(): AgreementState {
    return this.#sources.standing
  }

  get knownAt(): Instant | null {
    return this.#sources.knownAt
  }

  get today(): Day {
    return this.#sources.today
  }

  /** Approximate bytes, without the parts it shares with the agreement. */
  get size(): number {
    return 20_000 + this.standing.signed.length * 6_000 + this.#sources.money.lines.length * 600
  }

  /** Why nothing can be restated, though something was signed; null where something can. */
  get whyNotRestated(): string | null {
    const { adjustments } = this.#sources
    return 'gap' in adjustments ? adjustments.gap.sentence : null
  }

  get versions(): readonly BoundVersion[] {
    const { adjustments } = this.#sources
    return 'gap' in adjustments ? [] : adjustments.versions
  }

  /** Adjustments that receipts are written from; null where nothing can be computed. */
  get adjustments(): Adjustments | null {
    const { adjustments } = this.#sources
    return 'gap' in adjustments ? null : adjustments
  }

  /** The settled path with prices: signed numbers, replaced by those of agreed corrections. */
  get agreement(): PricedAgreement {
    return this.#sources.pricing.agreement
  }

  get pricing(): Pricing {
    return this.#sources.pricing
  }

  /** Currency of the amounts; null where nothing has a price. */
  get currency(): string | null {
    return currencyOf(this.agreement)
  }

  /** The signed path, sorted by date. */
  get signed(): readonly SignedState[] {
    this.#signed ??= this.standing.signed.map(each => this.#stateOf(each))
    return this.#signed
  }

  #stateOf(signed: SignedPeriod): SignedState {
    return this.snapshot.signedState(signed, this.standing.agreedAt.get(signed)!)
  }

  /** The receipts of agreed corrections that replaced signed ones, by the label of the period. */
  get settled(): ReadonlyMap<string, SettledReceipt> {
    this.#settled ??= settledReceipts(this.standing.corrections)
    return this.#settled
  }

  /** The restated path, sorted by date; empty where nothing can be computed. */
  get restated(): readonly RestatedPeriod[] {
    this.#restated ??= this.#restate()
    return this.#restated
  }

  #restate(): readonly RestatedPeriod[] {
    const { knownAt, today, work, whole } = this.#sources
    const { versions, signed, settled } = this
    if (whole !== undefined) return whole.restated.filter(each => this.owns(each.signed))
    return versions.length === 0 ? [] : restate({ versions, signed, settled, knownAt, today, work: work() })
  }

  /** Whether a signed period belongs to it. */
  owns({ hash, period }: Pick<SignedState, 'hash' | 'period'>): boolean {
    return this.standing.signed.some(each => each.period === period && each.hash === hash)
  }

  /** The whole signed path, which its own may be a part of: for computing, not for showing. */
  get path(): Pick<TrueUp, 'signed' | 'settled' | 'versions'> {
    return this.#sources.whole ?? this
  }

  /** Every kept line, with lines that undo others. */
  get lines(): readonly BilledLine[] {
    const { money, pricing, knownAt } = this.#sources
    if (this.#lines !== null) return this.#lines
    const names = new SupplierNames(pricing.agreement.suppliers)
    const units = unitTableOf(money.units.filter(({ recordedAt }) => isBy(recordedAt, knownAt)))
    const kept = money.lines.filter(({ importedAt }) => isBy(importedAt, knownAt))
    this.#lines = kept.map(line => billedLineOf(line, pricing, units, names))
    return this.#lines
  }

  /** Lines that are neither undone nor undo another. */
  get standingLines(): readonly BilledLine[] {
    const { money, knownAt } = this.#sources
    const undoing = money.lines.filter(each => each.reverses !== null && isBy(each.importedAt, knownAt))
    if (undoing.length === 0) return this.lines
    const gone = new Set(undoing.flatMap(({ id, reverses }) => [id, reverses]))
    return this.lines.filter(({ id }) => !gone.has(id))
  }

  /** The newest quantity of each item and period. */
  get quantities(): readonly DeclaredQuantity[] {
    const { money, knownAt } = this.#sources
    const newest = new Map<string, DeclaredQuantity>()
    for (const { item, period, quantity, recordedAt } of money.quantities)
      if (isBy(recordedAt, knownAt)) newest.set(`${item}\n${period}`, { item, period, quantity: ratio(quantity) })
    return [...newest.values()]
  }

  /** Inputs of corrections. */
  get ground(): CorrectionInputs {
    return {
      agreement: this.agreement,
      restated: this.restated,
      covered: new Set(this.standing.corrected.keys()),
      lines: this.standingLines,
      quantities: this.quantities,
      today: this.today,
    }
  }

  /** Assessment by the policy of the differences between the settled and the restated path. */
  get assessment(): Assessment {
    this.#assessment ??= assess(this.ground)
    return this.#assessment
  }

  /** Every proposal that was made by then, the oldest first. */
  get proposals(): readonly Proposal[] {
    this.#proposals ??= this.#statedProposals({
      hasLapsed: kept => this.#hasLapsed(kept, () => true),
      isCurrent: kept => this.#isCurrent(kept),
    })
    return this.#proposals
  }

  /**
   * Proposals as they stand for somebody who may not see invoices: a time limit that counts from invoices is not over, and billed
   * lines supersede nothing.
   */
  get proposalsWithoutMoney(): readonly Proposal[] {
    return this.#statedProposals({
      hasLapsed: kept => this.#hasLapsed(kept, each => !countsFromInvoices(each)),
      isCurrent: kept => this.#hasSameFigures(kept),
    })
  }

  #statedProposals({ hasLapsed, isCurrent }: ProposalChecks): readonly Proposal[] {
    const { knownAt } = this
    const known = this.snapshot.kept.corrections.filter(({ recordedAt }) => isBy(recordedAt, knownAt))
    const newest = newestBySupplier(this.snapshot, knownAt)
    return known.map(kept => {
      const signedBy = new Set(kept.signatures.filter(each => isBy(each.signedAt, knownAt)).map(({ party }) => party))
      const isRefused = kept.refusal !== null && isBy(kept.refusal.at, knownAt)
      const isReplaced = newest.get(this.#holderOf(kept)) !== kept
      const isOpen = signedBy.size < 2 && !isRefused && !isReplaced
      const isLapsed = isOpen && hasLapsed(kept)
      // A proposal that no longer follows from the facts is superseded by them, whether or not somebody has proposed again.
      const isSuperseded = isReplaced || (isOpen && !isLapsed && !isCurrent(kept))
      return { kept, state: stateOfProposal({ signedBy, isRefused, isSuperseded, isLapsed }) }
    })
  }

  /** The supplier whose periods a correction is about, in one spelling. */
  #holderOf(correction: Pick<StoredCorrection, 'periods'>): string {
    return sideKey(this.snapshot.whole.supplierOf(correction) ?? null)
  }

  /** The part of the supplier whose periods a correction is about: the proposal follows from it alone. */
  #partWith(correction: Pick<StoredCorrection, 'periods'>): TrueUp {
    return this.#sources.parts?.get(this.#holderOf(correction)) ?? this
  }

  /** Whether the time limit is over for every period it covers. */
  #hasLapsed({ periods }: StoredCorrection, isTold: (each: StatedPeriod) => boolean): boolean {
    const own = this.#partWith({ periods })
    if (own.adjustments === null || periods.length === 0) return false
    const lapsed = new Set(lapsedPeriods(own.ground, isTold))
    return periods.every(period => lapsed.has(period))
  }

  /** Whether the same correction would be proposed now. If nothing can be computed, it stays open. */
  #isCurrent(kept: StoredCorrection): boolean {
    const own = this.#partWith(kept)
    const texts = this.#sources.texts.get(kept.id)
    if (texts === undefined || own.adjustments === null || own.standing.broken !== null) return true
    const { reason } = readCorrectionBody(JSON.parse(texts.body))
    try {
      return saysTheSame(texts, buildProposal(own, { reason, isWaiver: kept.waives !== null }))
    } catch (error) {
      if (error instanceof Refusal) return false
      throw error
    }
  }

  /** Whether the same periods would be corrected to the same factors now; amounts and lines do not count. */
  #hasSameFigures(kept: StoredCorrection): boolean {
    const { periods: covered } = kept
    const own = this.#partWith(kept)
    const texts = this.#sources.texts.get(kept.id)
    if (texts === undefined || own.adjustments === null || own.standing.broken !== null) return true
    const { periods, reason } = readCorrectionBody(JSON.parse(texts.body))
    const policies = policiesWithoutMoney(own.ground)
    const after = new Map(own.restated.map(({ signed, factor }) => [signed.period, factor]))
    const isSame = covered.every(period => {
      const factor = after.get(period)
      const said = periods.find(each => each.period === period)?.factorAfter
      return policies.has(period) && factor !== undefined && said !== undefined && equal(factor, ratio(said))
    })
    const isWhole =
      reason !== null || [...policies].every(([period, state]) => state !== 'DUE' || covered.includes(period))
    return isSame && isWhole
  }

  /** Parties who sign a correction: the buyer of today, and the supplier whose periods it is about. */
  partiesOf(correction: Pick<StoredCorrection, 'periods'>): AgreementParties {
    const { parties } = this.standing.whole.state
    const supplier = this.snapshot.whole.supplierOf(correction)
    return supplier === undefined ? parties : { ...parties, supplier }
  }

  /** The newest proposal that waits for a signature; null where none does. A supplier has one at most. */
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

  /** Corrections that both had signed by then, in that order. */
  get agreed(): readonly SettledCorrection[] {
    this.#agreed ??= this.standing.corrections.map(({ id, agreedAt, body, kept: { recordedAt, lineIds } }) =>
      settledCorrection({ id, agreedAt, body, lineIds, proposedAt: recordedAt }, this.currency ?? ''),
    )
    return this.#agreed
  }

  /** Facts that the ledger is computed from. */
  get facts(): LedgerFacts {
    const currency = this.currency ?? ''
    this.#facts ??= {
      currency,
      lines: this.lines,
      settled: this.#settledStates(),
      corrections: this.agreed,
      billing: [],
      notes: issuedNotes(this.snapshot, this.standing, this.knownAt),
    }
    return this.#facts
  }

  /** Outcome of each line of kind CORRECTION, by id. */
  get documents(): ReadonlyMap<string, LineDocument> {
    this.#documents ??= documentsOf(this.lines, this.facts.notes)
    return this.#documents
  }

  /** The agreement after each signed period and each agreed correction. Numbers that are not agreed do not count. */
  #settledStates(): LedgerFacts['settled'] {
    const { signed, standing, agreement } = this
    const first = this.snapshot.kept.states[0]!.recordedAt
    const instants = [first, ...signed.map(each => each.agreedAt), ...standing.corrections.map(each => each.agreedAt)]
    const byPeriod = new Map(signed.map(each => [each.period, each]))
    return [...new Set(instants)].sort().map(at => {
      const settled = settledBy(standing.corrections.filter(({ agreedAt }) => agreedAt <= at))
      const numberAt = ({ period, number, isBaseOnly }: PricedPeriod): PricedPeriod['number'] => {
        if (period === startLabel || isBaseOnly === true || 'gap' in number) return number
        const own = byPeriod.get(period)
        if (own === undefined || own.agreedAt > at) return { gap: otherGap('date', `${period} is not agreed yet`) }
        return settled.get(period) ?? signedNumber(own)
      }
      return {
        at,
        agreement: { ...agreement, periods: agreement.periods.map(each => ({ ...each, number: numberAt(each) })) },
      }
    })
  }

  /** Every posting, and the sums. */
  get ledger(): TrueUpLedger {
    this.#ledger ??= openLedger(this.facts, this.knownAt)
    return this.#ledger
  }

  /** The ledger as it is answered. Refuses where nothing has a price: then there is nothing to account for. */
  get presentedLedger(): PresentedLedger {
    const { currency } = this
    if (currency === null) throw new Refusal('not-found', `${this.slug} has no price, and so no ledger`)
    return presentLedger(this.slug, currency, this.ledger, this.open)
  }

  /** Amounts owed under the restated numbers beyond the postings, grouped by what holds them back. */
  get open(): OpenDifferences {
    return openByRevision(this.ledger, this.assessment, this.agreement, this.lines)
  }
}

function signedNumber({ factor, hash, agreedAt }: SignedState): SettledNumber {
  return { factor, status: 'AGREED', receiptHash: hash, agreedAt, beforeCorrection: null }
}
