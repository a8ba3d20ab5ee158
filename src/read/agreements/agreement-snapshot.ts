// One agreement with everything that decides its numbers: checked formula versions, states, sign-offs, signed receipts, agreed
// corrections. A cut at an instant gives the standing of then; a part for the time of one party has that party's rows, with the
// same numbers.
import { type Carried, type DatedState, stateAfter } from '../../core/calculation/adjustment.ts'
import { calculatingText } from '../../core/formula/canonical.ts'
import { checkDocument } from '../../core/formula/check/check.ts'
import { seriesOf } from '../../core/formula/check/check-inputs.ts'
import type { Billing, Formula } from '../../core/formula/formula.ts'
import type { LabelledDate } from '../../core/formula/schedule.ts'
import type { Party } from '../../core/parties.ts'
import type { ReceiptBody } from '../../core/receipt/receipt.ts'
import { carriedFromJson } from '../../core/receipt/receipt-parser.ts'
import { isBy } from '../../core/series/vintage.ts'
import { type Day, formatDay, parseDay } from '../../core/time/day.ts'
import { type Instant, justBefore } from '../../core/time/instant.ts'
import { type RebasedState, type SignedState, signedStateOf } from '../../core/true-up/signed-state.ts'
import {
  type AgreementHistory,
  type AgreementParties,
  type AgreementStateRow,
  type FormulaVersion,
  findUnsealed,
  type SignedReceipt,
  type SignOff,
  type StoredAgreementState,
} from '../../storage/agreements/agreements.ts'
import type { StoredObjection } from '../../storage/agreements/objections.ts'
import type { RowSeals } from '../../storage/log/row-seals.ts'
import { AgreedBodies, type AgreedBody, type CorrectedNumber, rebasedBy, settledBy } from './agreed-corrections.ts'
import { partOf, supplierOfPeriods } from './party-part.ts'
import { besideBy } from './receipt-attachments.ts'
import { isWithin, type Tenure } from './tenure.ts'

export interface AgreementVersion {
  readonly number: number
  readonly formula: Formula
  /** The part of the document that makes the formula, as JSON text. */
  readonly document: string
  /** Hash of the contract's own words; null where it has none. */
  readonly wordsHash: string | null
  readonly recordedAt: Instant
}

/** A period that both parties signed: its number is final forever. */
export interface SignedPeriod {
  readonly period: string
  readonly adjustmentDate: string
  readonly hash: string
  readonly body: ReceiptBody
  readonly carried: Carried
  /** Instant of the first signature. */
  readonly recordedAt: Instant
}

/** A period whose stored receipt or signature was not made by this installation, or changed since. */
interface BrokenPeriod {
  readonly period: string
  readonly reason: string
}

/** Start for the periods after signed ones: the newest state, with every factor that a year limit may need. */
interface ContinuesFrom {
  readonly after: Carried | null
  readonly keptLabels: readonly LabelledDate[]
}

export function afterSigned({ signed, rebased }: Pick<AgreementState, 'signed' | 'rebased'>): ContinuesFrom {
  const keptLabels = signed.map(({ period, adjustmentDate }) => ({ date: parseDay(adjustmentDate)!, label: period }))
  const dated = signed.map(({ carried }, i) => ({ date: keptLabels[i]!.date, carried }))
  return { after: rebased === null ? stateAfter(dated) : afterRebased(dated, rebased.carried), keptLabels }
}

/** Signatures given since then continue from the restated state. */
function afterRebased(dated: readonly DatedState[], rebased: Carried): Carried | null {
  const since = dated.filter(({ date }) => rebased.date === null || date > rebased.date)
  return stateAfter(since, rebased)
}

/** Start for numbers that are computed from data alone. */
export const nothingSigned: Pick<AgreementState, 'signed' | 'continuesFrom'> = {
  signed: [],
  continuesFrom: { after: null, keptLabels: [] },
}

/** The state at one instant, or now. */
export interface AgreementState {
  readonly versions: readonly AgreementVersion[]
  readonly state: AgreementStateRow
  /** Terms by which invoices find the contract and its prices. */
  readonly billing: Billing
  readonly signOffs: readonly SignOff[]
  /** Objections, with the answers that were given by then. */
  readonly objections: readonly StoredObjection[]
  /** Sorted by adjustment date. */
  readonly signed: readonly SignedPeriod[]
  /** Corrections that both parties signed, in the order they were agreed. */
  readonly corrections: readonly AgreedBody[]
  /** Numbers that replaced signed ones, by the label of the period; read on first use. */
  readonly corrected: ReadonlyMap<string, CorrectedNumber>
  /**
   * The state with which an agreed correction replaced a signed one, for the periods after it; null if there is none.
   */
  readonly rebased: RebasedState | null
  /** Start for open periods; computed on first use. */
  readonly continuesFrom: ContinuesFrom
  /** Instant of the second signature of each signed period. */
  readonly agreedAt: ReadonlyMap<SignedPeriod, Instant>
  /** Stored receipts of every period that somebody signed or objected to, also where both signed. */
  readonly kept: readonly CachedBody[]
  /** The earliest period from which on stored data cannot be relied on; null if all of it is valid. */
  readonly broken: (BrokenPeriod & { readonly adjustmentDate: string }) | null
  /**
   * The standing that numbers are computed from: itself or, for a part, the standing it is cut from. Nothing else of it may be
   * shown.
   */
  readonly whole: AgreementState
  /** Whether an adjustment date belongs to it: always, where it is the whole. */
  owns(date: Day): boolean
  /** Whether open periods belong to it: not once somebody else is the party. */
  readonly isOpen: boolean
}

/** Number of cuts remembered for one agreement. */
const mostStandings = 8

/** A stored receipt that is read on first use. */
interface CachedBody {
  readonly period: string
  readonly hash: string
  readonly body: () => ReceiptBody
}

export class AgreementSnapshot {
  readonly id: string
  readonly slug: string
  readonly kept: AgreementHistory
  readonly versions: readonly AgreementVersion[]
  /** Stored rows that do not carry this installation's seal. */
  readonly broken: readonly BrokenPeriod[]
  readonly #signed = new Map<string, SignedPeriod>()
  readonly #bodies = new Map<string, ReceiptBody>()
  readonly #agreed: AgreedBodies
  readonly #states = new Map<SignedPeriod, SignedState>()
  readonly #standings = new Map<Instant | null, AgreementState | null>()
  #suppliers: ReturnType<typeof supplierOfPeriods> | null = null
  /** For a part: the whole it is cut from, and the time it covers; null for the whole. */
  readonly #of: { readonly whole: AgreementSnapshot; readonly tenure: Tenure } | null

  constructor(
    kept: AgreementHistory,
    seals: RowSeals | { readonly whole: AgreementSnapshot; readonly tenure: Tenure },
  ) {
    this.#of = 'whole' in seals ? seals : null
    this.kept = kept
    this.broken = 'whole' in seals ? seals.whole.broken : brokenIn(kept, seals)
    this.#agreed = new AgreedBodies(kept.corrections)
    this.id = kept.id
    this.slug = kept.slug
    this.versions = 'whole' in seals ? seals.whole.versions : kept.versions.map(formula => readVersion(kept, formula))
  }

  /** The part that belongs to somebody who was a party for some time; itself where all of it does. `buyer`: today's buyer. */
  partOf(tenure: Tenure, buyer?: AgreementParties['buyer']): AgreementSnapshot {
    if (tenure.isWhole) return this
    const kept = partOf(this.kept, tenure)
    const renamed = (state: StoredAgreementState): StoredAgreementState =>
      buyer === undefined ? state : { ...state, parties: { ...state.parties, buyer } }
    const states = kept.states.map((state, i) => (i === kept.states.length - 1 ? renamed(state) : state))
    return new AgreementSnapshot({ ...kept, states }, { whole: this, tenure })
  }

  /** The whole that it may be a part of: for computing, not for showing. */
  get whole(): AgreementSnapshot {
    return this.#of?.whole ?? this
  }

  /** The supplier whose periods a correction is about; `undefined` where these periods are no longer signed by both. */
  supplierOf({ periods }: { readonly periods: readonly string[] }): AgreementParties['supplier'] | undefined {
    this.#suppliers ??= supplierOfPeriods(this.kept)
    return this.#suppliers.get(periods.at(-1) ?? '')
  }

  /** For a part: the time it covers; null for the whole. */
  get tenure(): Tenure | null {
    return this.#of?.tenure ?? null
  }

  /** Every series that any version reads, as the documents name them. */
  get references(): readonly string[] {
    return [...new Set(this.versions.flatMap(({ formula }) => seriesOf(formula.inputs).map(({ series }) => series)))]
  }

  /** The slugs of the parties that any state names. */
  get companies(): readonly string[] {
    const sides = this.kept.states.flatMap(({ parties }) => [parties.buyer, parties.supplier])
    return [...new Set(sides.filter(side => typeof side === 'string'))]
  }

  /** The standing at an instant; `null` where the agreement did not exist by then. */
  at(knownAt: Instant | null): AgreementState | null {
    const known = this.#standings.get(knownAt)
    if (known !== undefined) return known
    const standing = this.#standingAt(knownAt)
    for (const oldest of this.#standings.keys()) {
      if (this.#standings.size < mostStandings) break
      this.#standings.delete(oldest)
    }
    this.#standings.set(knownAt, standing)
    return standing
  }

  #standingAt(knownAt: Instant | null): AgreementState | null {
    const isKnown = (instant: Instant) => isBy(instant, knownAt)
    const endedAt = this.#of?.tenure.endedAt ?? null
    const isTheirs = (instant: Instant) => endedAt === null || instant < endedAt
    const versions = this.versions.filter(({ recordedAt }) => isKnown(recordedAt) && isTheirs(recordedAt))
    const state = this.kept.states.findLast(candidate => isKnown(candidate.recordedAt))
    const wider = this.#of?.whole.at(knownAt) ?? null
    if (versions.length === 0 || state === undefined || (this.#of !== null && wider === null)) return null
    const { signOffs, objections } = besideBy(this.kept, knownAt)
    const broken = this.#firstBroken()
    const signedBy = new Map<string, Set<Party>>()
    const newest = new Map<string, Instant>()
    for (const { period, receiptHash, party, signedAt } of signOffs) {
      const key = `${period} ${receiptHash}`
      signedBy.set(key, (signedBy.get(key) ?? new Set<Party>()).add(party))
      if (signedAt > (newest.get(key) ?? '')) newest.set(key, signedAt)
    }
    const signed = this.kept.receipts
      .filter(({ period, receiptHash }) => signedBy.get(`${period} ${receiptHash}`)?.size === 2)
      .filter(({ adjustmentDate }) => broken === null || adjustmentDate < broken.adjustmentDate)
      .map(receipt => this.#signedPeriod(receipt))
      .sort((a, b) => (a.adjustmentDate < b.adjustmentDate ? -1 : 1))
    const receipts = broken === null ? this.kept.receipts.filter(({ recordedAt }) => isKnown(recordedAt)) : []
    const kept = receipts.map(receipt => ({
      period: receipt.period,
      hash: receipt.receiptHash,
      body: () => this.#body(receipt),
    }))
    const billing = state.billing ?? versions.at(-1)!.formula.billing
    const corrections = broken === null ? this.#agreed.by(this.#correctedBy(knownAt)) : []
    const rebased = wider === null ? rebasedBy(corrections) : wider.rebased
    const tenure = this.#of?.tenure ?? null
    const isOpen = tenure === null || (knownAt === null ? tenure.endedAt === null : isWithin(tenure, knownAt))
    let continuesFrom: ContinuesFrom | null = null
    let corrected: AgreementState['corrected'] | null = null
    const standing: AgreementState = {
      versions,
      state,
      billing,
      signOffs,
      objections,
      signed,
      corrections,
      rebased,
      kept,
      broken,
      agreedAt: new Map(signed.map(each => [each, newest.get(`${each.period} ${each.hash}`)!])),
      get continuesFrom() {
        continuesFrom ??= wider === null ? afterSigned({ signed, rebased }) : wider.continuesFrom
        return continuesFrom
      },
      get corrected() {
        corrected ??= settledBy(corrections)
        return corrected
      },
      get whole() {
        return wider ?? standing
      },
      isOpen,
      owns: wider === null ? () => true : ownerOf(wider, signed, isOpen),
    }
    return standing
  }

  /** The cut for corrections: a former party's periods may still be corrected after its last standing. */
  #correctedBy(knownAt: Instant | null): Instant | null {
    const endedAt = this.#of?.tenure.endedAt ?? null
    if (endedAt === null || knownAt === null) return knownAt
    return knownAt >= justBefore(endedAt) ? null : knownAt
  }

  /** A signed period in the form that restating needs, read from its receipt once. */
  signedState(signed: SignedPeriod, agreedAt: Instant): SignedState {
    if (this.#of !== null) return this.#of.whole.signedState(signed, agreedAt)
    const known = this.#states.get(signed)
    if (known?.agreedAt === agreedAt) return known
    const { hash, body, carried, recordedAt } = signed
    // No correction was agreed between the two signatures: the number would be another one.
    const rebased = rebasedBy(this.#agreed.by(recordedAt))
    const state = signedStateOf({ hash, body, carried, agreedAt, rebased })
    this.#states.set(signed, state)
    return state
  }

  #firstBroken(): AgreementState['broken'] {
    if (this.#of !== null) return this.#of.whole.#firstBroken()
    const rows = [...this.kept.receipts, ...this.kept.signOffs]
    const dated = this.broken.map(each => {
      const dates = rows.filter(({ period }) => period === each.period).map(({ adjustmentDate }) => adjustmentDate)
      // A correction of a period that nobody signed was not made by this installation: nothing is answered.
      return { ...each, adjustmentDate: dates.sort()[0] ?? '0001-01-01' }
    })
    return dated.sort((a, b) => (a.adjustmentDate < b.adjustmentDate ? -1 : 1))[0] ?? null
  }

  #body(kept: SignedReceipt): ReceiptBody {
    if (this.#of !== null) return this.#of.whole.#body(kept)
    const { period, receiptHash, receipt } = kept
    const key = `${period} ${receiptHash}`
    const known = this.#bodies.get(key)
    if (known !== undefined) return known
    const { body } = JSON.parse(receipt) as { readonly body: ReceiptBody }
    this.#bodies.set(key, body)
    return body
  }

  #signedPeriod(kept: SignedReceipt): SignedPeriod {
    if (this.#of !== null) return this.#of.whole.#signedPeriod(kept)
    const key = `${kept.period} ${kept.receiptHash}`
    const known = this.#signed.get(key)
    if (known !== undefined) return known
    const period: SignedPeriod = {
      period: kept.period,
      adjustmentDate: kept.adjustmentDate,
      hash: kept.receiptHash,
      body: this.#body(kept),
      carried: carriedFromJson(kept.carried),
      recordedAt: kept.recordedAt,
    }
    this.#signed.set(key, period)
    return period
  }
}

/**
 * Says which dates are its own: a date belongs to whoever agreed the next signed number, the date's own included; after the last
 * signed number, to the party of then.
 */
function ownerOf(wider: AgreementState, signed: readonly SignedPeriod[], isOpen: boolean): (date: Day) => boolean {
  const own = new Set(signed)
  return date => {
    const written = formatDay(date)
    const next = wider.signed.find(({ adjustmentDate }) => adjustmentDate >= written)
    return next === undefined ? isOpen : own.has(next)
  }
}

function brokenIn(kept: AgreementHistory, seals: RowSeals): readonly BrokenPeriod[] {
  return findUnsealed(kept, seals).map(({ period, what }) => ({
    period,
    reason: `${what} does not carry this installation's seal; nothing from then on is answered, see assize verify --chain`,
  }))
}

/** Reads the original text: the database's own form of the document has lost the order of its inputs. */
function readVersion(
  { slug }: AgreementHistory,
  { version, documentText, wordsHash, recordedAt }: FormulaVersion,
): AgreementVersion {
  const { formula, document, problems } = checkDocument(documentText)
  if (formula === null) throw new Error(`formula ${version} of ${slug} no longer reads: ${problems[0]?.message}`)
  return { number: version, formula, document: calculatingText(document), wordsHash, recordedAt }
}

/** Parties that have signed exactly this receipt. */
export function partiesOf(signOffs: readonly SignOff[], { period, receiptHash }: SignedReceipt): Set<Party> {
  return new Set(
    signOffs
      .filter(signOff => signOff.period === period && signOff.receiptHash === receiptHash)
      .map(signOff => signOff.party),
  )
}
