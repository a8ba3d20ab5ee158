// Prices of agreements and the check of invoice lines, answered from what the library has in memory: for commands, routes and
// pages alike. It computes and stores nothing.
import { type Day, parseDay } from '../core/day.ts'
import type { Instant } from '../core/instant.ts'
import { AgreementBook, type BookedAgreement, needsOf, priceDayOf } from '../core/invoices/agreement-book.ts'
import { type CheckAnswer, type CheckGround, checkLines } from '../core/invoices/check.ts'
import type { InvoiceLine } from '../core/invoices/invoice-line.ts'
import { UnitTable } from '../core/invoices/unit-table.ts'
import { compareKeys } from '../core/prices/price-list.ts'
import { type ExactRow, priceRows, type RowFilter, whyNoRows } from '../core/prices/price-rows.ts'
import { Pricing } from '../core/prices/pricing.ts'
import { ratio } from '../core/ratio.ts'
import { Refusal } from '../core/refusal.ts'
import { isBy } from '../core/vintage.ts'
import type { WorkBudget } from '../core/work-budget.ts'
import { type Sql, type Transaction, withWorkspace } from '../storage/database.ts'
import { type LineFilter, readLines, type StoredLine } from '../storage/invoices.ts'
import { findAgreementsBy, readPriceLists } from '../storage/price-lists.ts'
import { readUnits } from '../storage/units.ts'
import { findWorkspace } from '../storage/workspaces.ts'
import type { Ledger } from './adjustments.ts'
import type { CachedPam } from './cached-pam.ts'
import type { Library } from './library.ts'
import { type CachedList, cachedListOf, labelOn, pathGroundOf, pricedAgreementOf } from './priced-agreement.ts'

/** When: what was known then, and the last day whose date had come. */
export interface PriceTime {
  readonly knownAt: Instant | null
  readonly until: Day
}

/** Which agreements somebody may see, by id; the others are as if they were not there. */
export type SeesAgreement = (pamId: string) => boolean

const seesAll: SeesAgreement = () => true

/** Characters of JSON become about so many bytes of items in memory. */
const bytesPerCharacter = 6

export class Prices {
  readonly #library: Library
  readonly #sql: Sql
  readonly #work: () => WorkBudget
  readonly #priced = new WeakMap<Ledger, Pricing>()

  constructor(library: Library, sql: Sql, work: () => WorkBudget) {
    this.#library = library
    this.#sql = sql
    this.#work = work
  }

  /** An agreement with its prices; null where there is none, or was none by then. */
  async pricing(workspaceId: string, pam: string, time: PriceTime): Promise<Pricing | null> {
    const cached = await this.#find(workspaceId, pam)
    return cached === null ? null : this.#pricingOf(workspaceId, cached, time)
  }

  async #find(workspaceId: string, pam: string): Promise<CachedPam | null> {
    const id = (await this.#library.index(workspaceId, { formulas: [pam] })).pamId(pam)
    return id === undefined ? null : this.#library.pam(workspaceId, id)
  }

  async #pricingOf(workspaceId: string, cached: CachedPam, { knownAt, until }: PriceTime): Promise<Pricing | null> {
    const { snapshot } = cached
    const standing = snapshot.at(knownAt)
    if (standing === null) return null
    const ledger = await this.#ledgerOf(workspaceId, cached, { knownAt, until })
    const known = 'why' in ledger ? undefined : this.#priced.get(ledger)
    if (known !== undefined) return known
    const lists = await this.#lists(workspaceId, cached)
    const pricing = new Pricing(pricedAgreementOf({ snapshot, standing, ledger, lists, until, knownAt }))
    if (!('why' in ledger)) this.#priced.set(ledger, pricing)
    return pricing
  }

  /** A formula whose series are gone has no numbers beyond the signed ones, and a reason. */
  async #ledgerOf(workspaceId: string, cached: CachedPam, time: PriceTime): Promise<Ledger | { readonly why: string }> {
    try {
      const question = { ...time, asOf: null, version: null }
      return (await this.#library.ledger(workspaceId, cached, question))!
    } catch (error) {
      if (error instanceof Refusal && (error.kind === 'not-found' || error.kind === 'too-large'))
        return { why: error.message }
      throw error
    }
  }

  async #lists(workspaceId: string, cached: CachedPam): Promise<readonly CachedList[]> {
    if (cached.lists !== null) return cached.lists.all
    const { id } = cached.snapshot
    const read = (tx: Transaction) => readPriceLists(tx, workspaceId, id)
    const kept = await withWorkspace(this.#sql, workspaceId, read, 'snapshot')
    const bytes = kept.reduce((sum, { listRows }) => sum + listRows.length * bytesPerCharacter, 0)
    cached.lists = { all: kept.map(cachedListOf), bytes }
    this.#library.account(cached, id)
    return cached.lists.all
  }

  /** The rows of one agreement. Refuses what gives nothing, with the reason. */
  async rows(workspaceId: string, pam: string, question: RowFilter & PriceTime): Promise<readonly ExactRow[]> {
    const pricing = await this.pricing(workspaceId, pam, question)
    if (pricing === null) throw new Refusal('not-found', `there is no agreement "${pam}"`)
    const rows = priceRows(pricing, question)
    const { period, date, item } = question
    const isAsked = period !== undefined || date !== undefined || item !== undefined
    if (rows.length === 0 && isAsked) throw new Refusal('not-found', whyNoRows(pricing, question))
    return rows
  }

  /** The agreements that are neither drafts nor archived, by slug. */
  async active(
    workspaceId: string,
    { knownAt }: Pick<PriceTime, 'knownAt'>,
    sees = seesAll,
  ): Promise<readonly string[]> {
    const { pams } = await this.#library.index(workspaceId)
    return pams
      .filter(({ id, states }) => {
        const status = states.findLast(({ recordedAt }) => isBy(recordedAt, knownAt))?.status
        return status !== undefined && status !== 'DRAFT' && status !== 'ARCHIVED' && sees(id)
      })
      .map(({ slug }) => slug)
      .sort(compareKeys)
  }

  /** The rows of many, agreement by agreement from a slug on; those without a price are left out. */
  async *rowsOfAll(
    workspaceId: string,
    question: RowFilter & PriceTime,
    { from = '', sees = seesAll }: { readonly from?: string; readonly sees?: SeesAgreement } = {},
  ): AsyncGenerator<{ readonly slug: string; readonly rows: readonly ExactRow[] }> {
    for (const slug of await this.active(workspaceId, question, sees)) {
      if (compareKeys(slug, from) < 0) continue
      const pricing = await this.pricing(workspaceId, slug, question)
      const rows = pricing === null ? [] : priceRows(pricing, question)
      if (rows.length > 0) yield { slug, rows }
    }
  }

  /** One outcome for each line, in order. Nothing is stored. */
  async check(
    workspaceId: string,
    lines: readonly InvoiceLine[],
    until: Day,
    sees: SeesAgreement = seesAll,
  ): Promise<CheckAnswer> {
    return checkLines(lines, await this.checkGround(workspaceId, lines, until, sees))
  }

  /** Everything a check of these lines needs, loaded at once. */
  async checkGround(
    workspaceId: string,
    lines: readonly InvoiceLine[],
    until: Day,
    sees: SeesAgreement = seesAll,
  ): Promise<CheckGround> {
    const needs = needsOf(lines)
    const load = async (tx: Transaction) => ({
      ids: await findAgreementsBy(tx, workspaceId, needs),
      units: await readUnits(tx, workspaceId),
      workspace: await findWorkspace(tx, workspaceId),
    })
    const { ids, units, workspace } = await withWorkspace(this.#sql, workspaceId, load, 'snapshot')
    const booked: BookedAgreement[] = []
    for (const id of ids) {
      const cached = sees(id) ? await this.#library.pam(workspaceId, id) : null
      const each = cached === null ? null : await this.#book(workspaceId, cached, until)
      if (each !== null) booked.push(each)
    }
    return {
      book: new AgreementBook(booked),
      units: new UnitTable(units.map(({ unit, other, factor }) => ({ unit, other, factor: ratio(factor) }))),
      tolerancePct: workspace.priceTolerancePct === null ? null : ratio(workspace.priceTolerancePct),
    }
  }

  async #book(workspaceId: string, cached: CachedPam, until: Day): Promise<BookedAgreement | null> {
    const pricing = await this.#pricingOf(workspaceId, cached, { knownAt: null, until })
    if (pricing === null) return null
    const { snapshot } = cached
    const data = await this.#library.data(workspaceId, snapshot, null)
    return { agreement: pricing.agreement, ground: pathGroundOf({ snapshot, until }, data, this.#work) }
  }

  /** Kept lines in their order, each with its agreement's slug and the period of its day. */
  async lines(workspaceId: string, question: LineFilter): Promise<readonly ListedLine[]> {
    const kept = await withWorkspace(this.#sql, workspaceId, tx => readLines(tx, workspaceId, question), 'snapshot')
    const listed: ListedLine[] = []
    for (const line of kept) {
      const { snapshot } = (await this.#library.pam(workspaceId, line.pamId))!
      const standing = snapshot.at(null)!
      const day = priceDayOf(daysOf(line), standing)
      listed.push({ ...line, agreement: snapshot.slug, period: day === null ? null : labelOn(standing, day) })
    }
    return listed
  }
}

export interface ListedLine extends StoredLine {
  /** The slug. */
  readonly agreement: string
  /** Null where its day is not written, or lies outside the contract. */
  readonly period: string | null
}

function daysOf({ fields: { date, serviceFrom, orderDate } }: StoredLine) {
  const day = (text: string | null) => (text === null ? null : parseDay(text))
  return { date: day(date), serviceFrom: day(serviceFrom), orderDate: day(orderDate) }
}
