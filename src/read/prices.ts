// Prices of agreements and the check of invoice lines, answered from the library's memory, for commands, routes and pages. Stores
// nothing.

import { AgreementBook, type BookedAgreement, needsOf, priceDayOf } from '../core/invoices/agreement-book.ts'
import { type CheckAnswer, type CheckContext, checkLines } from '../core/invoices/check.ts'
import type { LineSequence } from '../core/invoices/invoice-line.ts'
import { PathMemory } from '../core/invoices/other-paths.ts'
import { ratio } from '../core/numbers/ratio.ts'
import { TooHeavyHere, type WorkBudget } from '../core/numbers/work-budget.ts'
import { Pricing } from '../core/prices/item-prices.ts'
import { normalForm } from '../core/prices/line-identity.ts'
import {
  type ExactRow,
  pageOfRows,
  type RowFilter,
  type RowPage,
  type RowsOfAgreement,
  rowsOfAgreement,
  whyNoRows,
} from '../core/prices/price-rows.ts'
import { Refusal } from '../core/refusal.ts'
import { isBy } from '../core/series/vintage.ts'
import { type Day, parseDay } from '../core/time/day.ts'
import type { Instant } from '../core/time/instant.ts'
import { limits } from '../limits.ts'
import type { AgreementRecord } from '../storage/agreements/agreements.ts'
import {
  type InvoiceName,
  type LineFilter,
  loadLines,
  loadSpellings,
  type StoredLine,
} from '../storage/agreements/invoices.ts'
import {
  findAgreementsBy,
  loadPriceLists,
  loadPriceListsOf,
  type StoredPriceList,
} from '../storage/agreements/price-lists.ts'
import { loadUnitHistory } from '../storage/agreements/units.ts'
import { loadSupplierNames } from '../storage/people/parties.ts'
import type { Transaction } from '../storage/postgres/database.ts'
import { loadTolerances } from '../storage/workspaces/workspaces.ts'
import type { AgreementState } from './agreements/agreement-snapshot.ts'
import { issuedNotes } from './agreements/issued-notes.ts'
import {
  type AdjustmentsOrGap,
  adjustmentsOrGap,
  type CachedList,
  cachedListOf,
  labelOn,
  pathGroundOf,
  pricedAgreementOf,
  unitTableOf,
} from './agreements/priced-agreement.ts'
import { isWithin, type Tenure } from './agreements/tenure.ts'
import { hasDateAfter, refuseHeavyLists } from './lists/agreement-prices.ts'
import type { CachedAgreement } from './lists/cached-agreement.ts'
import { type KnowsMoments, touchedAt } from './lists/last-change.ts'
import type { ReadsAgreements, WithFigures } from './lists/reads-agreements.ts'
import { Slices } from './memory/slices.ts'

/** The moment: an instant of knowledge, and the last day whose date had come. */
export interface PriceTime {
  readonly knownAt: Instant | null
  readonly until: Day
}

/** An agreement's prices, and the adjustments they come from. */
export interface PricedState {
  readonly pricing: Pricing
  readonly adjustments: AdjustmentsOrGap
}

/** Filter, moment and agreements of the wanted prices. */
export interface RowsWanted extends RowFilter, PriceTime {
  /** Agreement ids; all unless named. */
  readonly ids?: ReadonlySet<string> | null
  /** Restricts to agreements whose prices an entry or a date may have changed after this instant. */
  readonly changedSince?: Instant | null
  readonly partOf?: PartOfAgreement
}

/** Visible part of an agreement, by its id: null for all of it; `undefined` where it does not exist for the person. */
export type PartOfAgreement = (agreementId: string) => Tenure | null | undefined

export const wholeOfAll: PartOfAgreement = () => null

export const listOfAnother = 'no price list was applied since you became the supplier'

/** Approximate bytes of items in memory per character of JSON. */
const bytesPerCharacter = 6

export class Prices {
  readonly #library: ReadsAgreements & KnowsMoments
  readonly #work: () => WorkBudget

  constructor(library: ReadsAgreements & KnowsMoments, work: () => WorkBudget) {
    this.#library = library
    this.#work = work
  }

  /** An agreement with its prices; null where there was none by then. */
  async pricing(
    workspaceId: string,
    agreement: string,
    time: PriceTime,
    tenure: Tenure | null = null,
  ): Promise<Pricing | null> {
    const cached = await this.#find(workspaceId, agreement)
    return cached === null ? null : this.#pricingOf(workspaceId, cached.partOf(tenure), time)
  }

  async #find(workspaceId: string, agreement: string): Promise<CachedAgreement | null> {
    const id = (await this.#library.index(workspaceId, { agreements: [agreement] })).agreementId(agreement)
    return id === undefined ? null : this.#library.agreement(workspaceId, id)
  }

  async #pricingOf(workspaceId: string, cached: CachedAgreement, time: PriceTime): Promise<Pricing | null> {
    return (await this.standing(workspaceId, cached, time))?.pricing ?? null
  }

  /** An agreement's prices, and the adjustments they come from; null where there was none by then. */
  async standing(workspaceId: string, cached: CachedAgreement, time: PriceTime): Promise<PricedState | null> {
    if (cached.snapshot.at(time.knownAt) === null) return null
    const adjustments = await this.#adjustmentsOf(workspaceId, cached, time)
    if (cached.pricing?.adjustments === adjustments) {
      // Items priced since then also take memory.
      this.#library.account(cached)
      return { pricing: cached.pricing.pricing, adjustments }
    }
    const pricing = await this.#price(workspaceId, cached, adjustments, time)
    if (!('gap' in adjustments)) cached.pricing = { adjustments, pricing, paths: new PathMemory() }
    this.#library.account(cached)
    return { pricing, adjustments }
  }

  /** Prices with figures that nobody has recorded yet; not cached. */
  async standingWith(
    workspaceId: string,
    cached: CachedAgreement,
    time: PriceTime,
    withFigures: WithFigures,
  ): Promise<PricedState | null> {
    const { snapshot } = cached
    if (snapshot.at(time.knownAt) === null) return null
    const request = { ...time, asOf: null, version: null }
    const adjustments = await adjustmentsOrGap(() =>
      this.#library.computeAdjustments(workspaceId, snapshot, request, withFigures),
    )
    return { adjustments, pricing: await this.#price(workspaceId, cached, adjustments, time) }
  }

  async #price(
    workspaceId: string,
    cached: CachedAgreement,
    adjustments: AdjustmentsOrGap,
    { knownAt, until }: PriceTime,
  ): Promise<Pricing> {
    const { snapshot } = cached
    const standing = snapshot.at(knownAt)!
    const lists = await this.#lists(workspaceId, cached)
    const { tenure } = snapshot
    const own = tenure === null ? lists : lists.filter(({ recordedAt }) => isWithin(tenure, recordedAt))
    const { identity } = await this.#library.index(workspaceId, {})
    const companies = identity!.companiesAt(knownAt)
    const sources = { snapshot, standing, adjustments, lists: own, companies, until, knownAt }
    return new Pricing(pricedAgreementOf(sources))
  }

  async #adjustmentsOf(workspaceId: string, cached: CachedAgreement, time: PriceTime): Promise<AdjustmentsOrGap> {
    return adjustmentsOrGap(() =>
      this.#library.adjustments(workspaceId, cached, { ...time, asOf: null, version: null }),
    )
  }

  async #lists(workspaceId: string, cached: CachedAgreement): Promise<readonly CachedList[]> {
    if (cached.lists !== null) return cached.lists.all
    const { id } = cached.snapshot
    const read = (tx: Transaction) => loadPriceLists(tx, workspaceId, id)
    const kept = await this.#library.readAndCatchUp(workspaceId, read)
    return this.#keepLists(cached, kept)
  }

  /** Reads the lists of many agreements at once, so that the prices of each need no query. */
  async prepare(workspaceId: string, agreements: readonly CachedAgreement[]): Promise<void> {
    const missing = agreements.filter(({ lists }) => lists === null)
    if (missing.length === 0) return
    const ids = missing.map(({ snapshot }) => snapshot.id)
    const read = (tx: Transaction) => loadPriceListsOf(tx, workspaceId, ids)
    const lists = await this.#library.readAndCatchUp(workspaceId, read)
    for (const cached of missing) this.#keepLists(cached, lists.get(cached.snapshot.id) ?? [])
  }

  #keepLists(cached: CachedAgreement, kept: readonly StoredPriceList[]): readonly CachedList[] {
    refuseHeavyLists(kept, this.#library.bounds.listCharacters)
    const bytes = kept.reduce((sum, { listRows }) => sum + listRows.length * bytesPerCharacter, 0)
    const all = kept.map(cachedListOf)
    cached.lists = { all, bytes }
    this.#library.account(cached)
    return all
  }

  /** The rows of one agreement. Refuses a filter that matches nothing, with the reason. */
  async rows(workspaceId: string, agreement: string, request: RowFilter & PriceTime): Promise<readonly ExactRow[]> {
    const page = await this.page(workspaceId, agreement, request)
    if (page === null) throw new Refusal('not-found', `there is no agreement "${agreement}"`)
    return page.rows
  }

  /** A page of its rows from an offset on; null if there is no such agreement. Refuses a filter that matches nothing, as above. */
  async page(
    workspaceId: string,
    agreement: string,
    request: RowFilter & PriceTime,
    { from = 0, most = Number.POSITIVE_INFINITY }: { readonly from?: number; readonly most?: number } = {},
  ): Promise<RowPage | null> {
    const pricing = await this.pricing(workspaceId, agreement, request)
    if (pricing === null) return null
    const page = pageOfRows(pricing, request, from, most)
    const { period, date, item } = request
    const isNarrowed = period !== undefined || date !== undefined || item !== undefined
    if (page.rows.length === 0 && from === 0 && isNarrowed) throw new Refusal('not-found', whyNoRows(pricing, request))
    return page
  }

  /** The agreements that are neither drafts nor archived, by slug. */
  async active(workspaceId: string, { knownAt }: Pick<PriceTime, 'knownAt'>): Promise<readonly AgreementRecord[]> {
    const { pamsBySlug: agreementsBySlug } = await this.#library.index(workspaceId)
    return agreementsBySlug.filter(({ states }) => {
      const status = states.findLast(({ recordedAt }) => isBy(recordedAt, knownAt))?.status
      return status !== undefined && status !== 'DRAFT' && status !== 'ARCHIVED'
    })
  }

  /** Rows of all active agreements, one by one, and the periods without a price, with the reason of each. */
  async *rowsOfAll(workspaceId: string, wanted: RowsWanted): AsyncGenerator<RowsOfAgreement> {
    const { ids = null, changedSince = null, partOf = wholeOfAll } = wanted
    const active = (await this.active(workspaceId, wanted)).map(({ id }) => id)
    const seen = active.filter(id => (ids === null || ids.has(id)) && partOf(id) !== undefined)
    if (seen.length > this.#library.bounds.fileAgreements) throw new TooHeavyHere('prices of many agreements')
    for (let from = 0; from < seen.length; from += limits.digestsAtOnce) {
      const some = await this.#library.agreements(workspaceId, seen.slice(from, from + limits.digestsAtOnce))
      await this.prepare(workspaceId, some)
      for (const whole of some) {
        const cached = whole.partOf(partOf(whole.snapshot.id)!)
        const pricing = await this.#pricingOf(workspaceId, cached, wanted)
        if (pricing === null) continue
        if (await this.#isOfAnother(workspaceId, cached)) {
          yield { slug: cached.snapshot.slug, rows: [], unpriced: [{ period: null, why: listOfAnother }] }
          continue
        }
        if (changedSince !== null && !(await this.#isChanged(workspaceId, cached, pricing, changedSince))) continue
        yield rowsOfAgreement(pricing, wanted)
      }
    }
  }

  /** Whether prices follow another supplier's list: they are none of this one's, and the contract's own price is not in force. */
  async #isOfAnother(workspaceId: string, cached: CachedAgreement): Promise<boolean> {
    const { tenure } = cached.snapshot
    if (tenure === null) return false
    const lists = await this.#lists(workspaceId, cached)
    return lists.length > 0 && !lists.some(({ recordedAt }) => isWithin(tenure, recordedAt))
  }

  async #isChanged(workspaceId: string, cached: CachedAgreement, pricing: Pricing, since: Instant): Promise<boolean> {
    if (hasDateAfter(pricing, since)) return true
    const recorded = (await this.#lists(workspaceId, cached)).map(({ recordedAt }) => recordedAt)
    return (await touchedAt(this.#library, workspaceId, cached.snapshot, recorded)) > since
  }

  /** One outcome for each line, in order. Stores nothing. */
  async check(
    workspaceId: string,
    lines: LineSequence,
    time: PriceTime,
    partOf: PartOfAgreement = wholeOfAll,
  ): Promise<CheckAnswer> {
    return checkLines(lines, await this.checkGround(workspaceId, lines, time, partOf))
  }

  /** Inputs for the check of these lines, loaded at once. */
  async checkGround(
    workspaceId: string,
    lines: LineSequence,
    time: PriceTime,
    partOf: PartOfAgreement = wholeOfAll,
  ): Promise<CheckContext> {
    const needs = needsOf(lines)
    const load = async (tx: Transaction) => ({
      ids: await findAgreementsBy(tx, workspaceId, needs),
      units: await loadUnitHistory(tx, workspaceId, time.knownAt),
      tolerances: await loadTolerances(tx, workspaceId),
    })
    const { ids, units, tolerances } = await this.#library.readAndCatchUp(workspaceId, load)
    const seen = ids.filter(id => partOf(id) !== undefined)
    const agreements = await this.#library.agreements(workspaceId, seen)
    await this.prepare(workspaceId, agreements)
    const booked: BookedAgreement[] = []
    const slices = new Slices()
    for (const cached of agreements) {
      const each = await this.#book(workspaceId, cached.partOf(partOf(cached.snapshot.id)!), time)
      if (each !== null) booked.push(each)
      await slices.rest()
    }
    return {
      book: new AgreementBook(booked),
      units: unitTableOf(units),
      tolerances: tolerances
        .filter(({ since }) => isBy(since, time.knownAt))
        .map(({ pct, since }) => ({ pct: pct === null ? null : ratio(pct), since })),
    }
  }

  async #book(workspaceId: string, cached: CachedAgreement, time: PriceTime): Promise<BookedAgreement | null> {
    const pricing = await this.#pricingOf(workspaceId, cached, time)
    if (pricing === null) return null
    const { snapshot } = cached
    const data = await this.#library.data(workspaceId, snapshot, time.knownAt)
    return {
      agreement: pricing.agreement,
      ground: pathGroundOf({ snapshot, ...time }, data, this.#work),
      ...(cached.pricing?.pricing === pricing ? { paths: cached.pricing.paths } : {}),
      notes: issuedNotes(snapshot, snapshot.at(time.knownAt)!, time.knownAt),
    }
  }

  /** Kept lines in order, each with its agreement's slug and the period of its day. */
  async lines(workspaceId: string, filter: LinesWanted): Promise<readonly ListedLine[]> {
    const kept = await this.#library.readAndCatchUp(workspaceId, tx => loadWanted(tx, workspaceId, filter))
    const agreements = new Map<string, { readonly slug: string; readonly standing: AgreementState }>()
    for (const id of new Set(kept.map(({ agreementId }) => agreementId))) {
      const { snapshot } = (await this.#library.agreement(workspaceId, id))!
      agreements.set(id, { slug: snapshot.slug, standing: snapshot.at(filter.knownAt ?? null)! })
    }
    const labels = new Map<string, string | null>()
    return kept.map(line => {
      const { slug, standing } = agreements.get(line.agreementId)!
      const day = priceDayOf(daysOf(line), standing)
      const key = `${line.agreementId} ${day}`
      const period = labels.get(key) ?? (day === null ? null : labelOn(standing, day))
      labels.set(key, period)
      return { ...line, agreement: slug, period }
    })
  }
}

export interface LinesWanted extends Omit<LineFilter, 'invoice'> {
  /** Restricts to one invoice, however it is spelled. */
  readonly invoice?: InvoiceName
}

async function loadWanted(tx: Transaction, workspaceId: string, filter: LinesWanted): Promise<readonly StoredLine[]> {
  const { invoice, ...rest } = filter
  if (invoice === undefined) return loadLines(tx, workspaceId, rest)
  const names = await loadSupplierNames(tx, workspaceId)
  const keyOf = (text: string) => names.find(text) ?? normalForm(text)
  const spellings = await loadSpellings(tx, workspaceId, invoice.number)
  const own = spellings.filter(({ supplier }) => keyOf(supplier) === keyOf(invoice.supplier))
  return own.length === 0 ? [] : loadLines(tx, workspaceId, { ...rest, invoice: own })
}

export interface ListedLine extends StoredLine {
  /** Slug of the agreement. */
  readonly agreement: string
  /** Null if the line has no day, or the day lies outside the contract. */
  readonly period: string | null
}

function daysOf({ fields: { date, serviceFrom, orderDate } }: StoredLine) {
  const day = (text: string | null) => (text === null ? null : parseDay(text))
  return { date: day(date), serviceFrom: day(serviceFrom), orderDate: day(orderDate) }
}
