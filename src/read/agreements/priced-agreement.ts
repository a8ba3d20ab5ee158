// An agreement as prices and checks need it, made from its adjustments: signed periods have their signed or corrected numbers, the
// others the proposal. Every number is exact. Pure over adjustments, their standing and its price lists.

import type { Adjustment } from '../../core/calculation/adjustment.ts'
import { type Gap, gapOfRefusal, type NoNumber, otherGap } from '../../core/calculation/gap.ts'
import type { SeriesData } from '../../core/formula/bind.ts'
import type { JsonObject } from '../../core/formula/canonical.ts'
import { checkDocument } from '../../core/formula/check/check.ts'
import { nextDateAfter, schedule } from '../../core/formula/schedule.ts'
import type { PathContext } from '../../core/invoices/other-paths.ts'
import { UnitTable } from '../../core/invoices/unit-table.ts'
import { ratio } from '../../core/numbers/ratio.ts'
import type { WorkBudget } from '../../core/numbers/work-budget.ts'
import type { Party } from '../../core/parties.ts'
import {
  type PricedAgreement,
  type PricedPeriod,
  type PriceStatus,
  type SettledNumber,
  startNumber,
} from '../../core/prices/agreement.ts'
import type { KnownSupplier } from '../../core/prices/line-identity.ts'
import { type ListRow, type ListVersion, makePriceList, startLabel } from '../../core/prices/price-list.ts'
import { Refusal } from '../../core/refusal.ts'
import { isBy } from '../../core/series/vintage.ts'
import { type Day, formatDay, parseDay } from '../../core/time/day.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { StoredPriceList } from '../../storage/agreements/price-lists.ts'
import type { StoredUnit } from '../../storage/agreements/units.ts'
import type { Adjustments } from './adjustments.ts'
import type { AgreementSnapshot, AgreementState, SignedPeriod } from './agreement-snapshot.ts'
import { settledNumber, startsOf, termsOf } from './settled-price.ts'

/** A price list, read once and cached with the agreement. */
export interface CachedList extends ListVersion {
  readonly recordedAt: Instant
}

export function cachedListOf(stored: StoredPriceList): CachedList {
  const { version, fromPeriod, fromDate, ownPriceUntil: until, listRows, recordedAt } = stored
  const list = makePriceList(JSON.parse(listRows) as ListRow[])
  const ownPriceUntil = until === null ? null : parseDay(until)
  return { number: version, from: fromPeriod, fromDate: parseDay(fromDate)!, ownPriceUntil, list, recordedAt }
}

/** Table of all units that were ever set, the oldest first. */
export function unitTableOf(units: readonly StoredUnit[]): UnitTable {
  return new UnitTable(units.map(({ factor, ...unit }) => ({ ...unit, factor: ratio(factor) })))
}

/** Adjustments, or the reason why nothing can be computed: then only signed periods have a number. */
export type AdjustmentsOrGap = Adjustments | NoNumber

/** An agreement whose series are gone has no numbers beyond the signed ones, and a reason. */
export async function adjustmentsOrGap(compute: () => Promise<Adjustments | null>): Promise<AdjustmentsOrGap> {
  try {
    return (await compute())!
  } catch (error) {
    if (error instanceof Refusal && (error.kind === 'not-found' || error.kind === 'too-large'))
      return { gap: gapOfRefusal(error) }
    throw error
  }
}

interface PricedSources {
  readonly snapshot: AgreementSnapshot
  readonly standing: AgreementState
  readonly adjustments: AdjustmentsOrGap
  readonly lists: readonly CachedList[]
  /** Companies of the workspace, needed to name suppliers. */
  readonly companies: readonly KnownSupplier[]
  /** The last day whose date has come. */
  readonly until: Day
  readonly knownAt: Instant | null
}

export function pricedAgreementOf(sources: PricedSources): PricedAgreement {
  const { snapshot, standing, lists, until, knownAt } = sources
  const { state, billing, versions } = standing
  const { supplier } = state.parties
  return {
    id: snapshot.id,
    slug: snapshot.slug,
    status: state.status,
    supplier: typeof supplier === 'string' ? supplier : null,
    suppliers: suppliersOf(sources),
    start: versions[0]!.formula.contract.start,
    end: versions.at(-1)!.formula.contract.end,
    billing,
    today: until,
    periods: periodsOf(sources),
    next: nextOf(standing, until),
    comingOn: comingOf(standing),
    lists: lists.filter(({ recordedAt }) => isBy(recordedAt, knownAt)),
  }
}

/** Suppliers in the order they came to be named; a supplier that was named once stays known. */
function suppliersOf({ snapshot, knownAt, companies }: PricedSources): readonly KnownSupplier[] {
  const states = snapshot.kept.states.filter(({ recordedAt }) => isBy(recordedAt, knownAt))
  const slugs = new Set(states.map(({ parties }) => parties.supplier))
  return companies.filter(({ slug }) => slugs.has(slug))
}

function nextOf(standing: AgreementState, until: Day): PricedAgreement['next'] {
  const { versions } = standing
  const date = nextDateAfter(versions, until)
  if (date === null) return null
  return { period: schedule(versions, date, standing.continuesFrom.keptLabels).at(-1)!.label, date }
}

/** Remembers the period of each day, because many lines have the same day. */
function comingOf(standing: AgreementState): NonNullable<PricedAgreement['comingOn']> {
  const known = new Map<Day, ReturnType<typeof periodOn>>()
  return day => {
    const found = known.get(day) ?? periodOn(standing, day)
    known.set(day, found)
    return found
  }
}

/** `start`, every adjustment date that has come, and a new `start` wherever the price was renegotiated. */
function periodsOf(sources: PricedSources): PricedPeriod[] {
  const { standing, until } = sources
  const { versions, signed } = standing.whole
  const dates = schedule(versions, until, standing.continuesFrom.keptLabels)
  const scheduled = new Set(dates.map(({ date }) => date))
  const numbers = new NumbersOf(sources)
  const numbered = new Map(versions.map(version => [version.number, version]))
  // A period that both signed keeps the terms it was signed under, whatever a later version says about its date.
  const signedOn = new Map(signed.map(each => [parseDay(each.adjustmentDate)!, each]))
  const firstSignedAt = firstSignatures(standing.whole)
  const dated = dates.map(({ date, label, version }): PricedPeriod => {
    const signedHere = signedOn.get(date)
    const under = signedHere === undefined ? undefined : numbered.get(signedHere.body.result.formulaVersion)
    const { number: formulaVersion, formula } = under ?? version
    const period = { period: label, date, formulaVersion, number: numbers.at(date, label), terms: termsOf(formula) }
    return signedHere === undefined ? period : { ...period, ...firstSignedAt(signedHere) }
  })
  // Periods signed under a calendar that the agreement no longer has still stand.
  const others = signed.filter(({ adjustmentDate }) => !scheduled.has(parseDay(adjustmentDate)!))
  const apart = others.map((each): PricedPeriod => {
    const { period, adjustmentDate, body } = each
    const { formulaVersion } = body.result
    const date = parseDay(adjustmentDate)!
    const { formula } = numbered.get(formulaVersion) ?? versions[0]!
    const settled = { number: numbers.at(date, period), terms: termsOf(formula) }
    return { period, date, formulaVersion, ...settled, ...firstSignedAt(each) }
  })
  // Sorting keeps the order of equal days, so a start comes before an adjustment of the same day.
  const all = [...startsOf(versions, until).map(start => startPeriod(start, standing)), ...dated, ...apart].sort(
    (a, b) => a.date - b.date,
  )
  return all.map(each => (standing.owns(each.date) ? each : { ...each, isBaseOnly: true }))
}

function startPeriod(
  { date, version: { number, formula } }: ReturnType<typeof startsOf>[number],
  { whole: { signOffs } }: AgreementState,
): PricedPeriod {
  const written = formatDay(date)
  const later = signOffs.filter(({ adjustmentDate }) => adjustmentDate >= written).map(({ signedAt }) => signedAt)
  const start = { period: startLabel, date, formulaVersion: number, number: startNumber, terms: termsOf(formula) }
  return later.length === 0 ? start : { ...start, firstSignedAt: later.reduce(earlier) }
}

const earlier = (a: Instant, b: Instant): Instant => (a < b ? a : b)

/** The instant at which the first party signed the receipt that stands, by signed period. */
function firstSignatures({ signOffs }: AgreementState) {
  const first = new Map<string, Instant>()
  for (const { period, receiptHash, signedAt } of signOffs) {
    const key = `${period} ${receiptHash}`
    first.set(key, earlier(signedAt, first.get(key) ?? signedAt))
  }
  return ({ period, hash }: SignedPeriod): Pick<PricedPeriod, 'firstSignedAt'> => {
    const firstSignedAt = first.get(`${period} ${hash}`)
    return firstSignedAt === undefined ? {} : { firstSignedAt }
  }
}

/** The period of a day, whether its date has come or not; null outside the contract. */
export function labelOn(standing: AgreementState, day: Day): string | null {
  const { versions } = standing
  const { end } = versions.at(-1)!.formula.contract
  if (day < versions[0]!.formula.contract.start || (end !== null && day > end)) return null
  return periodOn(standing, day).period
}

/** The period and date of a day, from the contract's start on. */
function periodOn({ versions, continuesFrom }: AgreementState, day: Day): Pick<PricedPeriod, 'period' | 'date'> {
  const last = schedule(versions, day, continuesFrom.keptLabels).at(-1)
  return last === undefined
    ? { period: startLabel, date: versions[0]!.formula.contract.start }
    : { period: last.label, date: last.date }
}

/** The settled number of each date, or why there is none. */
class NumbersOf {
  readonly #sources: PricedSources
  readonly #signed: ReadonlyMap<string, SignedPeriod>
  readonly #computed: ReadonlyMap<Day, Adjustment>
  readonly #blocked: ReadonlyMap<Day, Gap>
  /** Periods that somebody has signed: for the others no receipt has to be built to find out. */
  readonly #touched: ReadonlySet<string>

  constructor(sources: PricedSources) {
    const { adjustments, standing } = sources
    this.#sources = sources
    this.#signed = new Map(standing.whole.signed.map(each => [each.adjustmentDate, each]))
    const { computed, blocked } = 'gap' in adjustments ? { computed: [], blocked: [] } : adjustments
    this.#computed = new Map(computed.map(each => [each.date, each]))
    this.#blocked = new Map(blocked.map(({ date, gap }) => [date, gap]))
    this.#touched = new Set(standing.signOffs.map(({ period }) => period))
  }

  at(date: Day, period: string): PricedPeriod['number'] {
    const { adjustments, standing } = this.#sources
    const { broken } = standing
    const written = formatDay(date)
    if (broken !== null && written >= broken.adjustmentDate) return { gap: otherGap('record', broken.reason) }
    const signed = this.#signed.get(written)
    if (signed !== undefined) return settledNumber(standing, signed)
    const computed = this.#computed.get(date)
    if (computed !== undefined) return this.#proposed(computed, adjustments as Adjustments)
    const gap = this.#blocked.get(date)
    if (gap !== undefined) return { gap }
    if (standing.whole.signed.some(({ adjustmentDate }) => adjustmentDate > written))
      return { gap: otherGap('passed', `${period} could not be computed when a later period was signed`) }
    return 'gap' in adjustments ? adjustments : { gap: otherGap('formula', 'it has no number') }
  }

  /** Builds its receipt when its hash is first read. */
  #proposed({ date, period, factor }: Adjustment, adjustments: Adjustments): SettledNumber {
    return {
      factor,
      status: this.#touched.has(period) ? statusOf(adjustments.openEntry(date)!.confirmed) : 'OPEN',
      get receiptHash() {
        return adjustments.openEntry(date)!.hash
      },
      agreedAt: null,
      beforeCorrection: null,
    }
  }
}

function statusOf({ buyer, supplier }: Readonly<Record<Party, string | null>>): PriceStatus {
  if (buyer !== null && supplier !== null) return 'AGREED'
  if (buyer !== null) return 'SIGNED_BY_BUYER'
  return supplier === null ? 'OPEN' : 'SIGNED_BY_SUPPLIER'
}

/** Sources for other readings of a price path. Documents are parsed when the first reading is tried. */
export function pathGroundOf(
  { snapshot, until, knownAt }: Pick<PricedSources, 'snapshot' | 'until' | 'knownAt'>,
  data: SeriesData,
  work: () => WorkBudget,
): PathContext {
  const texts = new Map(snapshot.kept.versions.map(({ version, documentText }) => [version, documentText]))
  const documents = new Map<number, JsonObject>()
  const known = snapshot.versions.filter(({ recordedAt }) => isBy(recordedAt, knownAt))
  const versions = known.map(({ number, formula, recordedAt }) => ({
    number,
    formula,
    recordedAt,
    get document() {
      const document = documents.get(number) ?? checkDocument(texts.get(number)!).document
      documents.set(number, document)
      return document
    },
  }))
  return { versions, data, today: until, work }
}
