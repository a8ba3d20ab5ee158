// Wire types of the console: agreements, their numbers, effects of changes, and signatures. A supplier sees the agreements it is a
// party to; others do not exist for it (404).

import type { Status } from '../../core/formula/formula.ts'
import type { Party, SignKind } from '../../core/parties.ts'
import type { ShownStep, StepFromSettled } from '../../core/prices/shown-step.ts'
import type { PeriodToSign } from '../../core/receipt/party-signature.ts'
import type { FirstPrintMoves } from '../../core/series/first-prints.ts'
import type { CauseKind, CausesView } from './causes.ts'
import type { DueCancelled } from './due.ts'
import type { LastLookView } from './history.ts'
import type { ObjectionsView } from './objections.ts'
import type { InSupplierTime, SideView, SupplierChoice } from './parties.ts'
import type { OriginView, VersionTag } from './series.ts'
import type { ProblemView } from './session.ts'
import type { Signatures, SignatureView, Signers } from './signatures.ts'

export type AgreementStatus = Status
export type { Party } from '../../core/parties.ts'

/** A series that agreements read. */
export interface SeriesChoice {
  readonly id: string
  readonly name: string
  readonly agreements: number
}

export interface AgreementList {
  readonly rows: readonly AgreementListRow[]
  /** Suppliers of all agreements. */
  readonly suppliers: readonly SupplierChoice[]
  /** Number with these words, this status and this supplier, and number of all. */
  readonly found: number
  readonly all: number
  /** `after` for the next page; null on the last. */
  readonly next: string | null
  /** Agreements still being computed: the order, and the results of a filter, may change. */
  readonly pending: number
}

export interface SearchHits {
  readonly agreements: readonly FoundAgreement[]
  /** Found agreements with the typed period, where they have it. */
  readonly periods: readonly (FoundAgreement & { readonly period: string })[]
  readonly series: readonly {
    readonly id: string
    readonly provider: string
    readonly code: string
    readonly name: string
    /** True for a provider's series; false for the workspace's own, whatever its code. */
    readonly isFollowed: boolean
  }[]
  readonly suppliers: readonly SupplierChoice[]
  readonly people: readonly { readonly name: string; readonly email: string; readonly company: string | null }[]
  /** Kept invoices whose number begins with the text. */
  readonly invoices: readonly {
    readonly number: string
    readonly supplier: string
    readonly agreement: FoundAgreement
  }[]
  /** Items of price lists whose key begins with the text. */
  readonly items: readonly { readonly item: string; readonly agreement: FoundAgreement }[]
}

interface FoundAgreement {
  readonly slug: string
  readonly name: string
}

export interface AgreementListRow extends InSupplierTime {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly status: Status
  readonly supplier: SideView
  readonly version: number
  /** `QUARTERLY`, or `EVERY_4_MONTHS`. */
  readonly frequency: string
  readonly price: { readonly amount: string; readonly currency: string; readonly unit: string | null } | null
  /** Settled price of today; null where nothing was agreed with the person who asks, or it is unknown. */
  readonly settled: SettledView | null
  /** Change from the price before it, as that stands; null for `start`. */
  readonly settledPct: string | null
  /** The newest period with a number, signed or proposed. */
  readonly last: PeriodRow | null
  /** The next date of the calendar after today, `YYYY-MM-DD`; null where there is none. */
  readonly nextDate: string | null
  /** Number of open periods, and the parties who have to sign the oldest. */
  readonly unsigned: number
  readonly waitsFor: readonly Party[]
  /** Number of disputed periods among the oldest 12 open ones. */
  readonly disputed: number
  /** The first period that has come and cannot be computed. */
  readonly blocked: BlockedRow | null
  /** Reason why nothing can be computed at all, in words. */
  readonly trouble: string | null
}

export interface BlockedRow {
  readonly period: string
  readonly reason: string
}

export interface PeriodRow {
  readonly period: string
  readonly adjustmentDate: string
  /** Null for the one period after a price of 0. */
  readonly adjustmentPct: string | null
  readonly cumulativePct: string
  /** The period's price ÷ price at start, as a decimal cut to 12 places. */
  readonly factor: string
  /** The contract's own price at this number, signed or proposed, rounded as in price tables. */
  readonly price: string | null
  readonly dataVersion: VersionTag
  readonly formulaVersion: number
  readonly hash: string
  readonly isSigned: boolean
  readonly signatures: Signatures
  /** Sides that object to exactly this number: then it is disputed. */
  readonly disputedBy: readonly Party[]
  /** Settled price of the period, corrections included; null while both have not agreed. */
  readonly settled: SettledView | null
  /** Step from the price before the period to its settled price, or to the proposed one. */
  readonly step: ShownStep
  /** Null where the step goes from the settled price, and the contract goes on from it too. */
  readonly ground: StepFromSettled | null
  /** Today's number of a signed period, with today's data and versions, where it differs from the settled one. */
  readonly today: TodayView | null
}

/** A number that both agreed, and the contract's own price at it. */
export interface SettledView {
  /** `start` before the first period that both signed. */
  readonly period: string
  /** First day on which it counts. */
  readonly date: string
  /** Null for the one period after a price of 0. */
  readonly adjustmentPct: string | null
  readonly cumulativePct: string
  readonly factor: string
  readonly price: string | null
  /** Last agreed correction that replaced the signed number. */
  readonly correction: {
    readonly id: string
    readonly agreedAt: string
    readonly factorBefore: string
    readonly priceBefore: string | null
  } | null
}

export interface TodayView {
  /** Null for the one period after a price of 0. */
  readonly adjustmentPct: string | null
  readonly cumulativePct: string
  readonly price: string | null
  /** Percentage points: today's less the settled one. Null where one of the two has no percent. */
  readonly differencePoints: string | null
  /** Difference in the price's currency; null without a price. */
  readonly differenceMoney: string | null
  /** Kinds of causes; null if they were not computed. */
  readonly because: readonly CauseKind[] | null
}

export interface AgreementPage {
  readonly agreement: AgreementListRow
  readonly description: string
  readonly parties: Readonly<Record<Party, SideView>>
  /** Newest document as saved, with the name, description, status and parties of now. */
  readonly documentText: string
  /** Whether its version has the contract's own words. */
  readonly hasWords: boolean
  /** Changes with every change of the formula or its description; send it back when saving. */
  readonly revision: number
  readonly entries: readonly PeriodRow[]
  readonly blocked: readonly BlockedRow[]
  readonly inputs: readonly InputView[]
  readonly warnings: readonly ProblemView[]
  readonly contract: ContractView
}

export interface ContractView {
  readonly start: string
  readonly end: string | null
  readonly frequency: string
}

export interface InputView {
  readonly input: string
  readonly weight: string | null
  /** Reference in the document. */
  readonly reference: string
  readonly seriesId: string | null
  readonly name: string | null
}

export interface Preview {
  readonly problems: readonly ProblemView[]
  readonly warnings: readonly ProblemView[]
  readonly entries: readonly PreviewEntry[]
  readonly blocked: readonly BlockedRow[]
  /** The clause as the steps it becomes, or the steps as they are. */
  readonly steps: readonly StepLine[]
  /** Numbers of the stored agreement with the same slug or `against`. */
  readonly before: readonly PreviewEntry[]
  /** Numbers in force, which keep signed ones and continue from them; null for a new agreement. */
  readonly inForce: InForce | null
  readonly inputs: readonly InputView[]
}

export interface PreviewEntry {
  readonly period: string
  readonly adjustmentDate: string
  /** Null for the one period after a price of 0. */
  readonly adjustmentPct: string | null
  readonly cumulativePct: string
  readonly factor: string
  readonly price: string | null
  readonly dataVersion: VersionTag
  /** Controls that had an effect: `periodCap`, `threshold` … */
  readonly controls: readonly string[]
}

/** Numbers of the API now, and once the document is saved. */
export interface InForce {
  readonly before: readonly PreviewEntry[]
  /** Null where the document cannot be computed. */
  readonly after: readonly PreviewEntry[] | null
  /** Number of periods signed by both, which stay as they are. */
  readonly signed: number
  /** Reach of a new version; null if the document cannot be computed. */
  readonly reach: Reach | null
}

/** The open periods that a version governs from its start on: they become new proposals. */
export interface Reach {
  readonly effectiveFrom: string
  /** First adjustment date that is not signed by both, come or yet to come; null where the calendar has none left. */
  readonly firstUnsigned: string | null
  readonly periods: readonly ReachedPeriod[]
}

interface ReachedPeriod {
  readonly period: string
  readonly adjustmentDate: string
  /** Signers of present proposals: their signatures become void. */
  readonly signedBy: readonly Party[]
}

export interface StepLine {
  readonly name: string
  readonly expr: string
  /** In words: `rounded 4 dp`. */
  readonly rounding: string | null
  readonly note: string | null
}

export interface AgreementComparison {
  readonly problems: readonly ProblemView[]
  /** Readings; the first is the document as it is. */
  readonly readings: readonly ReadingVariant[]
}

export interface ReadingVariant {
  /** `as-written`, `basis`, `preliminary`, `final`, `first`, `latest`, `cap`, `lag-more`, `lag-less`. */
  readonly id: string
  readonly title: string
  /** The different reading, in a sentence. */
  readonly words: string
  /** Why the reading does not apply to the document; then without entries. */
  readonly notApplicable: string | null
  readonly entries: readonly PreviewEntry[]
  readonly blocked: readonly BlockedRow[]
  /** Difference from the document as it is, at the newest period both have. */
  readonly effect: {
    readonly period: string
    /** Cumulative, in percentage points. */
    readonly points: string
    /** Difference per unit of the price. */
    readonly money: string | null
  } | null
}

export interface Saved {
  /** `proposed`: the contract leaves other terms to both, so the document waits for their signatures. */
  readonly outcome: 'created' | 'new version' | 'changed' | 'unchanged' | 'proposed'
  readonly slug: string
  readonly version: number
  /** Id of its amendment; null where it was saved. */
  readonly proposal: string | null
}

export interface AdjustmentPage {
  readonly agreement: Pick<AgreementListRow, 'slug' | 'name' | 'status' | 'price' | 'version' | 'asSupplier'>
  readonly entry: PeriodRow
  readonly signers: Signers
  /** The reasons, in one or two sentences. */
  readonly sentence: string
  /** Price that the signed or proposed number goes on from under the contract: its parts are points of it. */
  readonly pathPrice: string | null
  readonly components: readonly ComponentView[]
  /** Date of the last applied adjustment, from which a chained change and points count; null for the first. */
  readonly lastApplied: string | null
  /** Whether every period is compared with the one before. */
  readonly isChained: boolean
  /** Effects of controls, which with the components add up to the adjustment; empty for steps. */
  readonly controls: readonly { readonly control: string; readonly words: string; readonly points: string }[]
  readonly steps: readonly WorkedStep[]
  readonly observations: readonly ObservationView[]
  /** Whether the numbers come from a stored, signed receipt. */
  readonly isFromReceipt: boolean
  readonly issuedAt: string | null
  readonly previousPeriod: string | null
  readonly nextPeriod: string | null
  /** Causes why a signed period would have another number today; null if they cannot be determined. */
  readonly causes: CausesView | null
  /** Figures behind an open number that may still change, one line each. */
  readonly preliminary: readonly PreliminaryFigure[]
  /** Figures that were never published, and the clause's reading in their place. */
  readonly cancelled: readonly DueCancelled[]
  readonly datedTerms: DatedTerms
  readonly signing: SigningView
  readonly objections: ObjectionsView
  /** The look before this one; null where the person never looked, and for a page as it stood. */
  readonly lastLook: LastLookView | null
}

export interface ComponentView {
  readonly input: string
  readonly reference: string
  readonly seriesId: string | null
  readonly name: string
  readonly weight: string
  /** Change since the base, or in a chained clause since the reading before. */
  readonly changePct: string
  readonly contribution: string
  /** For a clause that counts from its base: the change since the last adjustment, and points of the price at the base. */
  readonly since: { readonly lastPct: string; readonly basePoints: string } | null
}

export interface WorkedStep extends StepLine {
  /** Name for people: `the movement of the indices`. */
  readonly words: string
  /** Expression with numbers in place of names. */
  readonly numbers: string
  /** Choices: the row of a table, the branch of an `if`, the applied limit; empty if nothing was chosen. */
  readonly told: readonly string[]
  readonly value: string
  readonly shown: string | null
}

export interface ObservationView {
  readonly input: string
  readonly reference: string
  readonly seriesId: string | null
  readonly name: string
  readonly period: string
  readonly value: string
  readonly tag: VersionTag
  readonly publishedAt: string
  readonly recordedAt: string | null
  readonly origin: OriginView
}

export interface SigningView {
  /** Side that the person who asks may sign for; null for none. */
  readonly as: Party | null
  /** Reason in words, where `as` is null. */
  readonly whyNot: string | null
  /** Kinds of signatures the contract accepts, the strictest first; left out: any. */
  readonly signWith?: readonly SignKind[]
  /** Every period signed with this one, which is the last: earlier open periods are signed too. */
  readonly periods: readonly (PeriodToSign & { readonly step: ShownStep })[]
  /** Receipts of this period that were signed and are no longer proposed. */
  readonly moved: readonly MovedView[]
}

/** Unit factors and the tolerance of the workspace: lines of a period keep those of its first signature. */
export interface DatedTerms {
  /** Newest factors: so many `other` make one `unit`. */
  readonly units: readonly { readonly unit: string; readonly other: string; readonly factor: string }[]
  readonly unitCount: number
  /** Tolerance in percent; null: none. */
  readonly tolerancePct: string | null
}

export interface PreliminaryFigure {
  readonly input: string
  readonly seriesId: string | null
  readonly name: string
  readonly period: string
  readonly value: string
  /** Usual moves of the series' first prints; null where too few periods have settled to say. */
  readonly moves: FirstPrintMoves | null
}

export interface MovedView {
  readonly party: Party
  readonly signature: SignatureView
  readonly hash: string
  /** Null for the one period after a price of 0. */
  readonly adjustmentPct: string | null
  readonly price: string | null
  /** Present differences, in sentences. */
  readonly changes: readonly string[]
}

/** Exact counts of open signatures, however many. */
export interface WaitingTally {
  /** Agreements with at least one of these. */
  readonly agreements: number
  readonly periods: number
  readonly corrections: number
  /** Changes of terms. */
  readonly changes: number
}

/** Counts for every page, the badge and mail. */
export interface WaitingCounts {
  /** Counts for the person who asks. */
  readonly mine: WaitingTally
  /** Counts for others. */
  readonly others: WaitingTally
  /** Disputed periods in both counts. */
  readonly disputed: number
  /** Agreements whose numbers take long to compute: their periods are counted by the calendar. */
  readonly byCalendar: number
}

export interface WaitingRow {
  readonly slug: string
  readonly name: string
  readonly supplier: SideView
  readonly entry: PeriodRow
  readonly currency: string | null
  /** Unit of the price: `piece`. */
  readonly unit: string | null
  readonly waitsFor: readonly Party[]
  /** Side that the person who asks signs it for; null if it waits for somebody else. */
  readonly as: Party | null
  /** The party signed another proposal for this period before. */
  readonly hasMoved: boolean
}

export interface SignedRow {
  readonly slug: string
  readonly name: string
  readonly supplier: SideView
  readonly entry: PeriodRow
  readonly currency: string | null
  readonly unit: string | null
}
