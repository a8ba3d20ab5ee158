// Wire types of the console: agreements, their numbers, what a change would do, and signatures. A supplier sees the
// agreements it is a party to; every other one does not exist for it (404).

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
  /** The suppliers of all of them. */
  readonly suppliers: readonly SupplierChoice[]
  /** How many there are with these words, this status and this supplier, and how many in all. */
  readonly found: number
  readonly all: number
  /** What to ask `after` for the next page; null on the last. */
  readonly next: string | null
  /** Agreements that are still being computed: the order, and what a filter finds, may change. */
  readonly pending: number
}

export interface SearchHits {
  readonly agreements: readonly FoundAgreement[]
  /** Of these agreements, where a period was typed that they have. */
  readonly periods: readonly (FoundAgreement & { readonly period: string })[]
  readonly series: readonly {
    readonly id: string
    readonly provider: string
    readonly code: string
    readonly name: string
    /** Otherwise it is the workspace's own, whatever its code. */
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
  /** What both agreed, in force now; null where nothing was agreed with the person who asks, or it cannot be told. */
  readonly settled: SettledView | null
  /** From the price before it, as that stands; null for `start`. */
  readonly settledPct: string | null
  /** The newest period with a number, signed or proposed. */
  readonly last: PeriodRow | null
  /** The next date of the calendar after today, `YYYY-MM-DD`; null where there is none. */
  readonly nextDate: string | null
  /** Periods with a number that are not signed by both; who has to sign the oldest of them. */
  readonly unsigned: number
  readonly waitsFor: readonly Party[]
  /** How many of the oldest 12 of them a side objects to. */
  readonly disputed: number
  /** The first period that has come and cannot be computed. */
  readonly blocked: BlockedRow | null
  /** Why nothing can be computed at all, in words. */
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
  /** The contract's own price at this number, as price tables have it: as it was signed, or as it is proposed. */
  readonly price: string | null
  readonly dataVersion: VersionTag
  readonly formulaVersion: number
  readonly hash: string
  readonly isSigned: boolean
  readonly signatures: Signatures
  /** The sides that object to exactly this number: then it is disputed. */
  readonly disputedBy: readonly Party[]
  /** What both agreed for the period, corrections included; null while they have not. */
  readonly settled: SettledView | null
  /** From what stands before the period to its settled price, or to the proposed one. */
  readonly step: ShownStep
  /** Null where the step goes from the settled price, and the contract goes on from it too. */
  readonly ground: StepFromSettled | null
  /** For a signed period whose number would not be the settled one today, with today's data and versions. */
  readonly today: TodayView | null
}

/** A number that both agreed, and the contract's own price at it. */
export interface SettledView {
  /** `start` before the first period that both signed. */
  readonly period: string
  /** Since when it counts. */
  readonly date: string
  /** Null for the one period after a price of 0. */
  readonly adjustmentPct: string | null
  readonly cumulativePct: string
  readonly factor: string
  readonly price: string | null
  /** The last agreed correction that replaced the signed number. */
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
  /** In the price's currency; null without a price. */
  readonly differenceMoney: string | null
  /** What explains it; null if that was not computed. */
  readonly because: readonly CauseKind[] | null
}

export interface AgreementPage {
  readonly agreement: AgreementListRow
  readonly description: string
  readonly parties: Readonly<Record<Party, SideView>>
  /** The newest document as it was saved, with the name, description, status and parties of now. */
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
  /** As the document names it. */
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
  /** The numbers of the stored agreement with the same slug or `against`. */
  readonly before: readonly PreviewEntry[]
  /** The numbers in force, which keep what is signed and continue from it; null for a new agreement. */
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
  /** Which controls had an effect: `periodCap`, `threshold` … */
  readonly controls: readonly string[]
}

/** What the API answers now, and what it would answer once the document is saved. */
export interface InForce {
  readonly before: readonly PreviewEntry[]
  /** Null where the document cannot be computed. */
  readonly after: readonly PreviewEntry[] | null
  /** How many of them are signed by both and stay as they are. */
  readonly signed: number
  /** What a new version would affect; null if the document cannot be computed. */
  readonly reach: Reach | null
}

/** The open periods that a version governs from its start on: they become new proposals. */
export interface Reach {
  readonly effectiveFrom: string
  /** The first adjustment date that is not signed by both, come or yet to come; null where the calendar has none left. */
  readonly firstUnsigned: string | null
  readonly periods: readonly ReachedPeriod[]
}

interface ReachedPeriod {
  readonly period: string
  readonly adjustmentDate: string
  /** Who has signed what is proposed now: these signatures become void. */
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
  /** The first is the document as it is. */
  readonly readings: readonly ReadingVariant[]
}

export interface ReadingVariant {
  /** `as-written`, `basis`, `preliminary`, `final`, `first`, `latest`, `cap`, `lag-more`, `lag-less`. */
  readonly id: string
  readonly title: string
  /** What is read differently, in a sentence. */
  readonly words: string
  /** Why this reading does not apply to the document; then without entries. */
  readonly notApplicable: string | null
  readonly entries: readonly PreviewEntry[]
  readonly blocked: readonly BlockedRow[]
  /** Against the document as it is, at the newest period both have. */
  readonly effect: {
    readonly period: string
    /** Cumulative, in percentage points. */
    readonly points: string
    /** Per unit of the price. */
    readonly money: string | null
  } | null
}

export interface Saved {
  /** `proposed`: the contract leaves other terms to both, so it waits for their signatures. */
  readonly outcome: 'created' | 'new version' | 'changed' | 'unchanged' | 'proposed'
  readonly slug: string
  readonly version: number
  /** The amendment that it became; null where it was saved. */
  readonly proposal: string | null
}

export interface AdjustmentPage {
  readonly agreement: Pick<AgreementListRow, 'slug' | 'name' | 'status' | 'price' | 'version' | 'asSupplier'>
  readonly entry: PeriodRow
  readonly signers: Signers
  /** Why, in one or two sentences. */
  readonly sentence: string
  /** What the number that was signed or is proposed goes on from under the contract: its parts are points of it. */
  readonly pathPrice: string | null
  readonly components: readonly ComponentView[]
  /** The date of the last adjustment that was applied, from which a chained change and points count; null for the first. */
  readonly lastApplied: string | null
  /** Whether every period is compared with the one before. */
  readonly isChained: boolean
  /** With the components they add up to the adjustment; empty for steps. */
  readonly controls: readonly { readonly control: string; readonly words: string; readonly points: string }[]
  readonly steps: readonly WorkedStep[]
  readonly observations: readonly ObservationView[]
  /** Whether the numbers come from a stored, signed receipt. */
  readonly isFromReceipt: boolean
  readonly issuedAt: string | null
  readonly previousPeriod: string | null
  readonly nextPeriod: string | null
  /** For a signed period that would have another number today; null if that cannot be determined. */
  readonly causes: CausesView | null
  /** The figures behind an open number that may still change, one line each. */
  readonly preliminary: readonly PreliminaryFigure[]
  /** Figures that were never published, and what the clause reads in their place. */
  readonly cancelled: readonly DueCancelled[]
  readonly datedTerms: DatedTerms
  readonly signing: SigningView
  readonly objections: ObjectionsView
  /** Before this one; null where the person never looked, and for a page as it stood. */
  readonly lastLook: LastLookView | null
}

export interface ComponentView {
  readonly input: string
  readonly reference: string
  readonly seriesId: string | null
  readonly name: string
  readonly weight: string
  /** Since the base, or in a chained clause since the reading before. */
  readonly changePct: string
  readonly contribution: string
  /** Of a clause that counts from its base: the change since the last adjustment, and points of the price at the base. */
  readonly since: { readonly lastPct: string; readonly basePoints: string } | null
}

export interface WorkedStep extends StepLine {
  /** What people call it: `the movement of the indices`. */
  readonly words: string
  /** The expression with numbers in place of names. */
  readonly numbers: string
  /**
   * Which row of a table counted, which branch of an `if` was taken, which limit applied; empty if nothing was chosen.
   */
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
  /** The side that the person who asks may sign for; null for none. */
  readonly as: Party | null
  /** Why not, in words, where `as` is null. */
  readonly whyNot: string | null
  /** The ways in which the contract may be signed, the strictest first; left out: any. */
  readonly signWith?: readonly SignKind[]
  /** Every period that is signed with this one, which is the last: earlier periods that wait are signed too. */
  readonly periods: readonly (PeriodToSign & { readonly step: ShownStep })[]
  /** Receipts of this period that were signed and are no longer proposed. */
  readonly moved: readonly MovedView[]
}

/** Unit factors and the tolerance of the workspace: lines of a period keep those of its first signature. */
export interface DatedTerms {
  /** The newest; how many of the other make one of the unit. */
  readonly units: readonly { readonly unit: string; readonly other: string; readonly factor: string }[]
  readonly unitCount: number
  /** In percent; null: nothing is tolerated. */
  readonly tolerancePct: string | null
}

export interface PreliminaryFigure {
  readonly input: string
  readonly seriesId: string | null
  readonly name: string
  readonly period: string
  readonly value: string
  /** How much first prints of the series usually move; null where too few periods have settled to say. */
  readonly moves: FirstPrintMoves | null
}

export interface MovedView {
  readonly party: Party
  readonly signature: SignatureView
  readonly hash: string
  /** Null for the one period after a price of 0. */
  readonly adjustmentPct: string | null
  readonly price: string | null
  /** What differs now, in sentences. */
  readonly changes: readonly string[]
}

/** How much waits: exact, whatever it is. */
export interface WaitingTally {
  /** With at least one of any of them. */
  readonly agreements: number
  readonly periods: number
  readonly corrections: number
  /** Changes of terms. */
  readonly changes: number
}

/** The same on every page, in the badge and in mail. */
export interface WaitingCounts {
  /** For the person who asks. */
  readonly mine: WaitingTally
  /** For others. */
  readonly others: WaitingTally
  /** Periods with an open objection, of both. */
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
  /** What the price is for: `piece`. */
  readonly unit: string | null
  readonly waitsFor: readonly Party[]
  /** The side that the person who asks signs it for; null if it waits for somebody else. */
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
