// Prices of many agreements at once, for lists over thousands of them. Rows are remembered under the last filter, until something
// is published that they rest on, and for the day. Missing rows are read a few agreements at a time and computed in slices. No
// documents or numbers are kept, so that a walk does not empty the memory of single requests.

import { TooHeavyHere } from '../../core/numbers/work-budget.ts'
import { Pricing } from '../../core/prices/item-prices.ts'
import { type ExactRow, type KeyedRow, keyedRow, placedRows, type RowFilter } from '../../core/prices/price-rows.ts'
import type { Day } from '../../core/time/day.ts'
import { dayOfInstant, type Instant } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import { type AgreementHistory, loadAgreementHistories } from '../../storage/agreements/agreements.ts'
import { loadPriceListsOf, type StoredPriceList } from '../../storage/agreements/price-lists.ts'
import type { Transaction } from '../../storage/postgres/database.ts'
import { adjustmentsOrGap, cachedListOf, pricedAgreementOf } from '../agreements/priced-agreement.ts'
import { TicketedCache } from '../memory/cache.ts'
import { SizedValue } from '../memory/memory.ts'
import { Slices } from '../memory/slices.ts'
import type { ComputesRows } from './agreement-rows.ts'
import { changesAllRows } from './entry-effects.ts'
import { touchedAt } from './last-change.ts'

interface AgreementPricesRequest {
  readonly filter: RowFilter
  /** Nothing that was recorded later counts. */
  readonly knownAt: Instant
  /** The last day whose date has come. */
  readonly until: Day
}

interface PricesPage {
  readonly rows: readonly KeyedRow[]
  /** Start of the next page; null where there are no more rows. */
  readonly next: number | null
}

/** The rows of one agreement, a page at a time. */
interface PricesOfOne {
  /** At most so many rows from a place on. */
  page(from: number, most: number): PricesPage
  /** Whether something may have changed them after an instant: an entry, or a date that came. */
  isChangedSince(instant: Instant): boolean
}

interface PricesOfDay {
  readonly prices: PricesOfOne
  readonly day: Day
  readonly filter: string
  /** Instant of the newest thing the rows rest on: they are the same at every later cut. */
  readonly touchedAt: Instant
}

/** Approximate bytes of a row with its texts, and of an agreement beside its rows. */
const bytesOfRow = 600
const bytesOfAgreement = 600

export class AgreementPrices {
  readonly #library: ComputesRows & { readonly bounds: { readonly listCharacters: number } }
  readonly #kept: TicketedCache<SizedValue<PricesOfDay>>

  constructor(library: ComputesRows & { readonly bounds: { readonly listCharacters: number } }) {
    this.#library = library
    const dependsOn = { figures: true, kinds: changesAllRows }
    this.#kept = new TicketedCache(library.changes, limits.pricesBytes, dependsOn)
  }

  /** Whether the rows of an agreement are there without computing them. */
  has(id: string, request: AgreementPricesRequest): boolean {
    return this.#find(id, request) !== undefined
  }

  /** Prices by agreement id; agreements that were not there yet are left out. */
  async read(
    workspaceId: string,
    ids: readonly string[],
    request: AgreementPricesRequest,
  ): Promise<ReadonlyMap<string, PricesOfOne>> {
    const found = new Map<string, PricesOfOne>()
    const missing: string[] = []
    for (const id of ids) {
      const kept = this.#find(id, request)
      if (kept === undefined) missing.push(id)
      else found.set(id, kept.prices)
    }
    if (missing.length === 0) return found
    const load = (tx: Transaction) =>
      Promise.all([
        loadAgreementHistories(tx, workspaceId, missing),
        loadPriceListsOf(tx, workspaceId, missing),
      ] as const)
    return this.#kept.loadMany(missing, workspaceId, async keep => {
      const [agreements, lists] = await this.#library.readAndCatchUp(workspaceId, load)
      const slices = new Slices()
      for (const agreement of agreements) {
        const keepPrices = (prices: PricesOfDay, size: number) =>
          keep(agreement.id, new SizedValue(prices, size, workspaceId))
        const prices = await this.#compute(workspaceId, agreement, lists.get(agreement.id) ?? [], request, keepPrices)
        if (prices !== null) found.set(agreement.id, prices)
        await slices.rest()
      }
      return found
    })
  }

  #find(id: string, { filter, knownAt, until }: AgreementPricesRequest): PricesOfDay | undefined {
    const kept = this.#kept.get(id)?.value
    const isSame = kept !== undefined && kept.day === until && kept.touchedAt <= knownAt
    return isSame && kept.filter === JSON.stringify(filter) ? kept : undefined
  }

  async #compute(
    workspaceId: string,
    agreement: AgreementHistory,
    stored: readonly StoredPriceList[],
    { filter, knownAt, until }: AgreementPricesRequest,
    keep: (prices: PricesOfDay, size: number) => void,
  ): Promise<PricesOfOne | null> {
    refuseHeavyLists(stored, this.#library.bounds.listCharacters)
    const snapshot = this.#library.snapshotOf(agreement)
    const standing = snapshot.at(knownAt)
    if (standing === null) return null
    const request = { asOf: null, knownAt, version: null, until }
    const adjustments = await adjustmentsOrGap(() => this.#library.computeAdjustments(workspaceId, snapshot, request))
    const lists = stored.map(cachedListOf)
    const sources = { snapshot, standing, adjustments, lists, companies: [], until, knownAt }
    const pricing = new Pricing(pricedAgreementOf(sources))
    const rows = firstRows(pricing, filter)
    const touched = await touchedAt(this.#library, workspaceId, snapshot, recordedOf(lists))
    const changes = changesOf(touched, lastDateOf(pricing))
    if (rows === null) return new LongRows(pricing, filter, changes)
    const prices = new ShortRows(rows, changes)
    if (touched <= knownAt)
      keep(
        { day: until, filter: JSON.stringify(filter), touchedAt: touched, prices },
        bytesOfAgreement + rows.length * bytesOfRow,
      )
    return prices
  }
}

type IsChangedSince = PricesOfOne['isChangedSince']

/** Rows in memory. */
class ShortRows implements PricesOfOne {
  readonly #rows: readonly ShownRow[]
  readonly isChangedSince: IsChangedSince

  constructor(rows: readonly ShownRow[], isChangedSince: IsChangedSince) {
    this.#rows = rows
    this.isChangedSince = isChangedSince
  }

  page(from: number, most: number): PricesPage {
    return pageOf(this.#rows, from, most)
  }
}

/** Rows too many to keep: only those of a page are priced. */
class LongRows implements PricesOfOne {
  readonly #pricing: Pricing
  readonly #filter: RowFilter
  readonly isChangedSince: IsChangedSince

  constructor(pricing: Pricing, filter: RowFilter, isChangedSince: IsChangedSince) {
    this.#pricing = pricing
    this.#filter = filter
    this.isChangedSince = isChangedSince
  }

  page(from: number, most: number): PricesPage {
    return pageOf(placedRows(this.#pricing, this.#filter, from), from, most)
  }
}

/** A function of its own, so that its closure does not hold on to the numbers. */
function changesOf(touched: Instant, lastDate: Day | null): IsChangedSince {
  return instant => touched > instant || isAfter(lastDate, instant)
}

/** The newest date that has come. */
function lastDateOf({ agreement: { periods } }: Pricing): Day | null {
  return periods.at(-1)?.date ?? null
}

function isAfter(date: Day | null, instant: Instant): boolean {
  return date !== null && date > dayOfInstant(instant)
}

/** Whether a date came after the day of an instant: nothing is recorded when it does. */
export function hasDateAfter(pricing: Pricing, instant: Instant): boolean {
  return isAfter(lastDateOf(pricing), instant)
}

/** Budget check: all versions of an agreement's price list are read together. */
export function refuseHeavyLists(lists: readonly StoredPriceList[], mostCharacters: number): void {
  const characters = lists.reduce((sum, { listRows }) => sum + listRows.length, 0)
  if (characters > mostCharacters) throw new TooHeavyHere('price lists of many items')
}

function recordedOf(lists: readonly { readonly recordedAt: Instant }[]): Instant[] {
  return lists.map(({ recordedAt }) => recordedAt)
}

/** A row without the numbers that only files need. */
interface ShownRow {
  readonly place: number
  readonly row: Pick<ExactRow, 'row' | 'erp'>
}

/** All rows; null where there are more than a page has. */
function firstRows(pricing: Pricing, filter: RowFilter): readonly ShownRow[] | null {
  const rows: ShownRow[] = []
  for (const { place, row } of placedRows(pricing, filter)) {
    if (rows.length === limits.ext.prices) return null
    rows.push({ place, row: { row: row.row, erp: row.erp } })
  }
  return rows
}

function pageOf(rows: Iterable<ShownRow>, from: number, most: number): PricesPage {
  const found: KeyedRow[] = []
  for (const { place, row } of rows) {
    if (place < from) continue
    if (found.length === most) return { rows: found, next: place }
    found.push(keyedRow(row))
  }
  return { rows: found, next: null }
}
