// Adjustments of one agreement: signed periods keep their number, later ones continue from the newest of them, and a cut or a
// version recomputes from data alone (C23 to C28). Pure over an agreement's standing and its series.

import type { Adjustment, Blocked, BoundVersion } from '../../core/calculation/adjustment.ts'
import { evaluate, evaluateDate, type GovernedDate, scheduleOf } from '../../core/calculation/evaluate.ts'
import { type Gap, otherGap, toldAs } from '../../core/calculation/gap.ts'
import type { SeriesData } from '../../core/formula/bind.ts'
import { isLabelOf, lastDayOfLabel } from '../../core/formula/schedule.ts'
import { formatRoundedShort, parseExact, type Ratio } from '../../core/numbers/ratio.ts'
import { usualReceiptUnits, type WorkBudget } from '../../core/numbers/work-budget.ts'
import { type Party, parties as partyNames } from '../../core/parties.ts'
import { ownPrice } from '../../core/prices/item-prices.ts'
import { type CalculationEntry, formatPct, formatPrice, presentAdjustment } from '../../core/receipt/calculation.ts'
import type { PartyObjection } from '../../core/receipt/objection.ts'
import type { PartySignature } from '../../core/receipt/party-signature.ts'
import {
  buildBody,
  carriedToJson,
  hashOf,
  type Issuer,
  type OriginOf,
  type ReceiptBody,
  withoutNames,
} from '../../core/receipt/receipt.ts'
import { receiptFormat } from '../../core/receipt/receipt-schema.ts'
import { Refusal } from '../../core/refusal.ts'
import type { VersionTag } from '../../core/series/series.ts'
import { canonicalJson, type Json } from '../../core/text/canonical-json.ts'
import { type Day, formatDay, parseDay } from '../../core/time/day.ts'
import type { Instant } from '../../core/time/instant.ts'
import { type AgreementSnapshot, type AgreementState, nothingSigned, type SignedPeriod } from './agreement-snapshot.ts'
import { bindVersions } from './governing-versions.ts'
import type { OpenPeriod } from './open-periods.ts'
import { besideBy, isDisputed, partyObjection, partySignature } from './receipt-attachments.ts'
import { type SettledPrice, settledOf, termsOfVersion } from './settled-price.ts'
import { calculationOf } from './signed-calculation.ts'

export interface AdjustmentRequest {
  readonly asOf: Instant | null
  readonly knownAt: Instant | null
  readonly version: VersionTag | null
  /** The last day whose date has come: today, or the day of a cut. */
  readonly until: Day
  /** Signatures and objections up to this instant stand beside the numbers; left out: all that are known. */
  readonly besideBy?: Instant | null
}

/** One period with its number, computed or signed. */
export interface PeriodEntry {
  readonly period: string
  readonly date: Day
  readonly calculation: CalculationEntry
  readonly body: ReceiptBody
  readonly hash: string
  readonly carried: Json
  readonly isSigned: boolean
  /** The contract's own price at this number, rounded as in price tables; null for a contract without a price. */
  readonly ownPrice: string | null
  /** Price that both agreed for the period, corrections included; null while they have not. */
  readonly settled: SettledPrice | null
  /** Day on which each party signed exactly this receipt. */
  readonly confirmed: Readonly<Record<Party, string | null>>
  /** Signatures on exactly this receipt, in the order they were given. */
  readonly signatures: readonly PartySignature[]
  /** Objections to any number proposed for the period, in the order they were made. */
  readonly objections: readonly PartyObjection[]
}

/** An adjustment date and its exact results. */
export interface EntrySummary {
  readonly date: string
  /** Null for the one period after a price of 0. */
  readonly adjustmentPct: string | null
  readonly cumulativePct: string
  readonly price: string | null
  /** The contract's own price at this number, rounded as in price tables. */
  readonly ownPrice: string | null
}

interface LoadedAgreement {
  readonly snapshot: AgreementSnapshot
  readonly standing: AgreementState
  readonly data: SeriesData
  readonly request: AdjustmentRequest
  readonly issuer: Issuer
  readonly originOf: OriginOf
  /** Budget for the work of computing, and again for showing every entry. */
  readonly work: () => WorkBudget
}

const bytesPerEntry = 30_000

/** All entries and blocked periods of an agreement for one request. */
export class Adjustments {
  readonly #at: LoadedAgreement
  readonly versions: readonly BoundVersion[]
  /** Sorted by adjustment date: periods as they were signed, and periods as they are proposed. */
  readonly signed: readonly SignedPeriod[]
  readonly computed: readonly Adjustment[]
  /** Gaps in them name cancelled releases, which the library adds. */
  blocked: readonly Blocked[]
  /** Period from which on nothing is answered. */
  readonly broken: AgreementState['broken']
  /** True for a cut by publication or a version: signed numbers do not count. */
  readonly isFromData: boolean
  /** State that open periods continue from. */
  readonly #from: Pick<AgreementState, 'signed' | 'continuesFrom'>
  readonly #beside: ReturnType<typeof besideBy>
  readonly #entries = new Map<Adjustment | SignedPeriod, PeriodEntry>()

  constructor(at: LoadedAgreement) {
    this.#at = at
    this.#beside = besideBy(at.standing, at.request.besideBy ?? null)
    this.versions = bindVersions(at.standing.versions, at.data)
    const { asOf, knownAt, version, until } = at.request
    this.isFromData = asOf !== null || version !== null
    this.#from = this.isFromData ? nothingSigned : at.standing
    this.signed = this.#from.signed
    this.broken = this.isFromData ? null : at.standing.broken
    // Nothing is computed: periods would continue from an invalid number, or are those of another supplier.
    if (this.broken !== null || !at.standing.isOpen) {
      this.computed = []
      this.blocked = []
      return
    }
    const { adjustments, blocked } = evaluate({
      versions: this.versions,
      cuts: { asOf, knownAt },
      tag: version,
      until,
      today: until,
      ...this.#from.continuesFrom,
      work: at.work(),
    })
    const isOwn = ({ date }: { readonly date: Day }) => at.standing.owns(date)
    this.computed = adjustments.filter(isOwn)
    this.blocked = blocked.filter(isOwn)
  }

  /** Approximate bytes of the numbers and of the receipts that were built. */
  get size(): number {
    return 60_000 + this.#entries.size * bytesPerEntry
  }

  /** Series it was computed from, with all vintages. */
  get data(): SeriesData {
    return this.#at.data
  }

  work(): WorkBudget {
    return this.#at.work()
  }

  get formulaVersion(): number {
    return this.versions.at(-1)!.number
  }

  /** Every entry up to a date, by adjustment date; signed entries as they were signed. */
  entries(until: Day): PeriodEntry[] {
    this.#refuseBroken(until)
    const signed = this.signed.map(period => this.#signedEntry(period)).filter(({ date }) => date <= until)
    return [...signed, ...this.#entriesOf(this.computed.filter(({ date }) => date <= until))]
  }

  #refuseBroken(date: Day): void {
    if (this.broken !== null && date >= parseDay(this.broken.adjustmentDate)!)
      throw new Refusal('broken', this.broken.reason)
  }

  /** Number of periods that have a number and are not signed by both. */
  get openCount(): number {
    return this.computed.length
  }

  /** The oldest open entries. */
  openEntries(most: number): PeriodEntry[] {
    return this.#entriesOf(this.computed.slice(0, most))
  }

  #entriesOf(computed: readonly Adjustment[]): PeriodEntry[] {
    const work = this.#at.work()
    for (const each of computed) if (!this.#entries.has(each)) work.spend(usualReceiptUnits + each.receiptUnits)
    return computed.map(each => this.#entry(each))
  }

  /** The open entry of a date; `undefined` where the date is not open. */
  openEntry(date: Day): PeriodEntry | undefined {
    const open = this.computed.find(each => each.date === date)
    return open === undefined ? undefined : this.#entry(open)
  }

  /** Every open period and who has to sign it. A receipt is built only where somebody signed or objected. */
  openPeriods(): OpenPeriod[] {
    const { signOffs, objections } = this.#beside
    const touched = new Set([...signOffs, ...objections].map(({ period }) => period))
    return this.computed.map(adjustment => {
      const entry = touched.has(adjustment.period) ? this.#entry(adjustment) : null
      const waitsFor = partyNames.filter(party => entry === null || entry.confirmed[party] === null)
      return { date: formatDay(adjustment.date), waitsFor, isDisputed: entry !== null && isDisputed(entry) }
    })
  }

  /** The date of the newest period with a number; `null` where there is none. */
  get newestDate(): string | null {
    const newest = this.computed.at(-1)
    return newest === undefined ? (this.signed.at(-1)?.adjustmentDate ?? null) : formatDay(newest.date)
  }

  /** Dates and exact results alone, without building receipts: for the list of values. */
  summaries(): EntrySummary[] {
    this.#refuseBroken(this.#at.request.until)
    const priceAt = this.#priceAt
    const signed = this.signed.map(({ body: { result }, adjustmentDate }) => ({
      date: adjustmentDate,
      adjustmentPct: result.adjustmentPct,
      cumulativePct: result.cumulativePct,
      price: result.price ?? null,
      get ownPrice() {
        return priceAt(result.formulaVersion, parseExact(result.factor)!)
      },
    }))
    const computed = this.computed.map(
      ({ date, adjustmentPct, cumulativePct, show, price, formulaVersion, factor }) => ({
        date: formatDay(date),
        adjustmentPct: formatPct(adjustmentPct, show),
        cumulativePct: formatRoundedShort(cumulativePct, show),
        price: price === null ? null : formatPrice(price),
        get ownPrice() {
          return priceAt(formulaVersion, factor)
        },
      }),
    )
    return [...signed, ...computed]
  }

  readonly #priceAt = (version: number, factor: Ratio) => ownPrice(termsOfVersion(this.#at.standing, version), factor)

  /** The entry of a period, of the day a date falls into, or the newest. Refuses with the reason. */
  find(period: string | null, date: Day | null): PeriodEntry {
    const { version } = this.#at.request
    if (period !== null) return this.#ofPeriod(period)
    if (date !== null) return this.#inForce(date)
    if (version !== null) return this.#newestTagged()
    this.#refuseBroken(this.#at.request.until)
    const newest = this.computed.at(-1)
    if (newest !== undefined) return this.#entry(newest)
    const signed = this.signed.at(-1)
    if (signed !== undefined) return this.#signedEntry(signed)
    throw new Refusal('not-found', this.nothing().sentence)
  }

  #ofPeriod(period: string): PeriodEntry {
    const contracts = this.versions.map(({ bound }) => bound.formula.contract)
    if (!contracts.some(contract => isLabelOf(contract, period)))
      throw new Refusal(
        'not-found',
        `there is no period ${period}: this contract adjusts ${contracts.at(-1)!.frequency.wire}`,
      )
    const due = this.#schedule(lastDayOfLabel(period)!).find(({ label }) => label === period)
    // A signed label stays valid even where the calendar has changed since.
    if (due !== undefined) this.#refuseBroken(due.date)
    const signed = this.signed.findLast(each => each.period === period)
    if (signed !== undefined && !this.computed.some(each => each.date === due?.date)) return this.#signedEntry(signed)
    if (due === undefined) throw new Refusal('not-found', `${period} lies outside the contract`)
    return this.#ofDate(due.date, period)
  }

  /** The entry of one adjustment date, or why there is none. */
  #ofDate(date: Day, period: string): PeriodEntry {
    this.#refuseBroken(date)
    const written = formatDay(date)
    const signed = this.signed.find(candidate => candidate.adjustmentDate === written)
    if (signed !== undefined) return this.#signedEntry(signed)
    const computed = this.computed.find(candidate => candidate.date === date)
    if (computed !== undefined) return this.#strict(computed)
    if (!this.#at.standing.owns(date))
      throw new Refusal('not-found', `${period} has no number here: it was agreed with another supplier`)
    const blocked = this.blocked.find(candidate => candidate.date === date)
    if (blocked !== undefined) throw new Refusal('not-found', `${period} cannot be computed: ${blocked.gap.sentence}`)
    if (this.signed.some(each => each.adjustmentDate > written))
      throw new Refusal('not-found', `${period} could not be computed when a later period was signed, and has no entry`)
    throw new Refusal('not-found', `${period} is not computed: its date ${written} has not come`)
  }

  #inForce(date: Day): PeriodEntry {
    if (date > this.#at.request.until)
      throw new Refusal('not-found', `nothing is computed for ${formatDay(date)}: the day has not come`)
    const contracts = this.versions.map(({ bound }) => bound.formula)
    const { contract } = contracts.findLast(({ effectiveFrom }) => effectiveFrom <= date) ?? contracts[0]!
    if (date < contract.start || (contract.end !== null && date > contract.end))
      throw new Refusal('not-found', `${formatDay(date)} lies outside the contract`)
    const due = this.#schedule(date).at(-1)
    if (due === undefined) throw new Refusal('not-found', `no adjustment date comes before ${formatDay(date)}`)
    return this.#ofDate(due.date, due.label)
  }

  /** Signed labels stay, whatever the calendar is now. */
  #schedule(until: Day): readonly GovernedDate[] {
    return scheduleOf(this.versions, until, this.#from.continuesFrom.keptLabels)
  }

  /** The newest period whose own readings all carry the tag. */
  #newestTagged(): PeriodEntry {
    const work = this.#at.work()
    for (const computed of this.computed.toReversed()) {
      const outcome = this.#recompute(computed, work)
      if (!('gap' in outcome)) return this.#entry(outcome)
    }
    throw new Refusal('not-found', `no period has readings that are all ${this.#at.request.version}`)
  }

  /** With a version, the readings of the requested period itself must carry it. */
  #strict(computed: Adjustment): PeriodEntry {
    if (this.#at.request.version === null) return this.#entry(computed)
    const outcome = this.#recompute(computed)
    if ('gap' in outcome)
      throw new Refusal('not-found', `${computed.period} cannot be computed: ${outcome.gap.sentence}`)
    return this.#entry(outcome)
  }

  #recompute({ formulaVersion, date, period, carriedIn }: Adjustment, work = this.#at.work()): Adjustment | Blocked {
    const { asOf, knownAt, version, until } = this.#at.request
    const rules = { cuts: { asOf, knownAt }, tag: version, strict: true, today: until }
    return evaluateDate(this.versions, rules, formulaVersion, { date, label: period }, carriedIn, work)
  }

  #entry(adjustment: Adjustment): PeriodEntry {
    const known = this.#entries.get(adjustment)
    if (known !== undefined) return known
    const calculation = presentAdjustment(adjustment)
    const { body, hash } = this.#bodyOf(adjustment, calculation)
    const entry: PeriodEntry = {
      period: adjustment.period,
      date: adjustment.date,
      calculation,
      body,
      hash,
      // Computed on first use: only signing needs it.
      get carried() {
        return carriedToJson(adjustment.carried)
      },
      isSigned: false,
      ownPrice: this.#priceAt(adjustment.formulaVersion, adjustment.factor),
      settled: null,
      ...this.#signatures(adjustment.period, hash),
    }
    this.#entries.set(adjustment, entry)
    return entry
  }

  /** If somebody has signed exactly this number, under any names, their receipt is shown. */
  #bodyOf(adjustment: Adjustment, calculation: CalculationEntry): Pick<PeriodEntry, 'body' | 'hash'> {
    const { body, hash } = this.receiptOf(adjustment, calculation)
    const kept = this.#at.standing.kept.filter(({ period }) => period === adjustment.period)
    if (kept.length === 0 || kept.some(each => each.hash === hash)) return { body, hash }
    const said = canonicalJson(withoutNames(body))
    const same = kept.findLast(each => {
      const stored = each.body()
      return stored.format === receiptFormat && canonicalJson(withoutNames(stored)) === said
    })
    return same === undefined ? { body, hash } : { body: same.body(), hash: same.hash }
  }

  /** The receipt of a number, proposed or restated, under the current names. */
  receiptOf(adjustment: Adjustment, calculation?: CalculationEntry): Pick<PeriodEntry, 'body' | 'hash'> {
    const { snapshot, standing, request, issuer, originOf } = this.#at
    const surroundings = {
      issuer,
      agreement: snapshot.slug,
      name: standing.state.name,
      parties: standing.state.parties,
      documents: new Map(snapshot.versions.map(({ number, document }) => [number, document])),
      wordsHash: snapshot.versions.find(({ number }) => number === adjustment.formulaVersion)!.wordsHash,
      dataVersionAsked: request.version,
      originOf,
    }
    const body = buildBody(adjustment, this.versions, surroundings, calculation)
    return { body, hash: hashOf(body) }
  }

  /** The last agreed correction of a signed period; null where there is none. */
  correctionOf(period: string): string | null {
    return this.#at.standing.corrected.get(period)?.correctionId ?? null
  }

  /** The standing, the issuer of receipts, and the origin of figures. */
  get surroundings(): Pick<LoadedAgreement, 'standing' | 'issuer' | 'originOf'> {
    return this.#at
  }

  #signedEntry(signed: SignedPeriod): PeriodEntry {
    const known = this.#entries.get(signed)
    if (known !== undefined) return known
    const { period, adjustmentDate, hash, body, carried } = signed
    const { standing } = this.#at
    const entry: PeriodEntry = {
      period,
      date: parseDay(adjustmentDate)!,
      calculation: calculationOf(body),
      body,
      hash,
      get carried() {
        return carriedToJson(carried)
      },
      isSigned: true,
      ownPrice: this.#priceAt(body.result.formulaVersion, parseExact(body.result.factor)!),
      // Computed on first use: it reads a receipt only where a correction replaced the number.
      get settled() {
        return settledOf(standing, signed)
      },
      ...this.#signatures(period, hash),
    }
    this.#entries.set(signed, entry)
    return entry
  }

  /** A party confirms only exactly the receipt shown with it. */
  #signatures(period: string, hash: string): Pick<PeriodEntry, 'confirmed' | 'signatures' | 'objections'> {
    const { broken } = this.#at.standing
    const { signOffs, objections } = this.#beside
    const given = broken === null ? signOffs.filter(each => each.period === period && each.receiptHash === hash) : []
    const dateOf = (party: Party) => given.find(each => each.party === party)?.signedAt.slice(0, 10) ?? null
    return {
      confirmed: { buyer: dateOf('buyer'), supplier: dateOf('supplier') },
      signatures: given.map(partySignature),
      objections: broken === null ? objections.filter(each => each.period === period).map(partyObjection) : [],
    }
  }

  /** The reason why no period has a number. */
  nothing(): Gap {
    const blocked = this.blocked.at(-1)
    if (blocked !== undefined)
      return toldAs(blocked.gap, `nothing can be computed: ${blocked.gap.sentence} (${blocked.period})`)
    const first = this.versions.at(-1)!.bound.formula.contract.firstAdjustment
    return otherGap('date', `nothing is computed yet: the first adjustment date is ${formatDay(first)}`)
  }
}
