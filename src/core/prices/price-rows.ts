// The prices of an agreement as rows: one for each item, step and period that has a price, with the days on which it is
// valid. The same rows are listed, answered and exported.

import { compare, type Ratio, writeShort } from '../numbers/ratio.ts'
import { type Day, writeDay } from '../time/day.ts'
import { numberOf, type PriceStatus } from './agreement.ts'
import { compareKeys, type ListItem, type PriceStep } from './price-list.ts'
import { type ItemPrice, type Offer, type Pricing, unitOf } from './pricing.ts'

/** A row as it is shown; decimals and days are text. */
export interface PriceRow {
  readonly agreement: string
  readonly item: string
  readonly fromQuantity: string
  readonly period: string
  readonly validFrom: string
  /** Null where it is valid until further notice. */
  readonly validTo: string | null
  readonly price: string
  readonly per: string
  readonly unit: string
  readonly currency: string
  readonly factor: string
  readonly status: PriceStatus
  readonly receiptHash: string | null
  readonly listVersion: number | null
}

/** A row with the numbers behind it, for files of other systems. */
export interface ExactRow {
  readonly row: PriceRow
  readonly price: Ratio
  readonly per: Ratio
  readonly from: Ratio
  readonly validFrom: Day
  readonly validTo: Day | null
  readonly erp: Readonly<Record<string, string>>
}

/** A row as other systems read it: with their own keys of the item. */
export type KeyedRow = PriceRow & { readonly [key: `erp_${string}`]: string }

export function keyedRow({ row, erp }: Pick<ExactRow, 'row' | 'erp'>): KeyedRow {
  const keys = Object.keys(erp).sort()
  return { ...row, ...Object.fromEntries(keys.map(name => [`erp_${name}`, erp[name]!])) }
}

/** Which rows are wanted; a key that is left out does not filter. */
export interface RowFilter {
  readonly period?: string | undefined
  /** The prices of one day. */
  readonly date?: Day | undefined
  /** Rows whose validity touches the range. */
  readonly from?: Day | undefined
  readonly to?: Day | undefined
  readonly item?: string | undefined
}

const factorDecimals = 12

/** By item, step and validity. */
export function priceRows(pricing: Pricing, filter: RowFilter = {}): ExactRow[] {
  return pageOfRows(pricing, filter).rows
}

export interface RowPage {
  readonly rows: ExactRow[]
  /** Where the next page begins; null where there are no more rows. */
  readonly next: number | null
}

/**
 * One page: at most `limit` rows from an offset on. Only the rows of the page are priced; those before it are only
 * counted.
 */
export function pageOfRows(
  pricing: Pricing,
  filter: RowFilter,
  from = 0,
  most: number = Number.POSITIVE_INFINITY,
): RowPage {
  const rows: ExactRow[] = []
  for (const { place, row } of placedRows(pricing, filter, from)) {
    if (rows.length === most) return { rows, next: place }
    rows.push(row)
  }
  return { rows, next: null }
}

/** A row and its place among all items, steps and periods, with a price or not. */
interface PlacedRow {
  readonly place: number
  readonly row: ExactRow
}

/** Rows from a place on, each made when it is asked for. */
export function* placedRows(pricing: Pricing, filter: RowFilter, from = 0): Generator<PlacedRow> {
  let place = 0
  for (const entry of entriesOf(pricing, filter)) {
    const here = place++
    if (here < from) continue
    const price = pricing.price(entry.place, entry.step, entry.offer.list.currency)
    if (!('gap' in price)) yield { place: here, row: makeRow(pricing, entry, price) }
  }
}

/** What a row is made of. */
interface Entry {
  readonly place: number
  readonly offer: Offer
  readonly item: ListItem
  readonly step: PriceStep
  readonly cut: Validity
}

interface OfferedPeriod {
  readonly place: number
  readonly validity: Validity
  readonly offer: Offer
}

/** Every step of every item in every period that the filter matches, in the order of the rows. */
function* entriesOf(pricing: Pricing, filter: RowFilter): Generator<Entry> {
  const periods = offeredPeriods(pricing, filter)
  for (const key of itemKeys(periods, filter)) {
    const entries = periods.flatMap(period => entriesOfItem(period, key, filter))
    // Periods are in the order of their days, and sorting keeps it for equal steps.
    yield* entries.sort((a, b) => compare(a.step.from, b.step.from))
  }
}

function offeredPeriods(pricing: Pricing, filter: RowFilter): OfferedPeriod[] {
  return pricing.agreement.periods.flatMap((_, place) => {
    const validity = validityOf(pricing, place)
    if (validity === null || !isAsked(pricing, place, validity, filter)) return []
    const offer = pricing.offer(place)
    return 'gap' in offer ? [] : [{ place, validity, offer }]
  })
}

/** In order. The requested item may have a different key in each list. */
function itemKeys(periods: readonly OfferedPeriod[], { item: wanted }: RowFilter): readonly string[] {
  const lists = [...new Set(periods.map(({ offer }) => offer.list))]
  const items = lists.flatMap(list =>
    wanted === undefined ? list.items : [list.find(wanted)].filter(each => each !== undefined),
  )
  const keys = items.map(({ item }) => item)
  // The items of one list are in order already.
  return lists.length <= 1 ? keys : [...new Set(keys)].sort(compareKeys)
}

function entriesOfItem({ place, validity, offer }: OfferedPeriod, key: string, filter: RowFilter): Entry[] {
  const item = offer.list.find(key)
  // A key that an item replaced also finds the item, and is not the item's own key.
  if (item === undefined || item.item !== key) return []
  if (filter.item !== undefined && offer.list.find(filter.item) !== item) return []
  const cut = within(validity, item)
  if (cut === null || !touches(cut, filter.from, filter.to)) return []
  if (filter.date !== undefined && !touches(cut, filter.date, filter.date)) return []
  return item.steps.map(step => ({ place, offer, item, step, cut }))
}

interface Validity {
  readonly from: Day
  readonly to: Day | null
}

/** Up to the day before the next date that has come, with a number or not; null if no day is left. */
function validityOf({ agreement: { periods, end } }: Pricing, place: number): Validity | null {
  const from = periods[place]!.date
  const next = periods[place + 1]
  const to = next === undefined ? end : earlier(next.date - 1, end)
  return to !== null && to < from ? null : { from, to }
}

/** Null is never. */
function earlier(a: Day | null, b: Day | null): Day | null {
  return a === null ? b : b === null ? a : Math.min(a, b)
}

function within({ from, to }: Validity, { validFrom, validTo }: ListItem): Validity | null {
  const cut = { from: validFrom === null ? from : Math.max(from, validFrom), to: earlier(to, validTo) }
  return cut.to !== null && cut.to < cut.from ? null : cut
}

function isAsked(pricing: Pricing, place: number, validity: Validity, filter: RowFilter): boolean {
  const { period, date } = filter
  if (period !== undefined && pricing.at(place).period !== period) return false
  if (date === undefined) return true
  const { next } = pricing.agreement
  return touches(validity, date, date) && (next === null || date < next.date)
}

function touches({ from, to }: Validity, first: Day | undefined, last: Day | undefined): boolean {
  return (last === undefined || from <= last) && (first === undefined || to === null || to >= first)
}

function makeRow(pricing: Pricing, { place, offer, item, step, cut }: Entry, price: ItemPrice): ExactRow {
  const period = pricing.at(place)
  const number = numberOf(period)!
  return {
    row: {
      agreement: pricing.agreement.slug,
      item: item.item,
      fromQuantity: step.fromText,
      period: period.period,
      validFrom: writeDay(cut.from),
      validTo: cut.to === null ? null : writeDay(cut.to),
      price: price.text,
      per: step.perText,
      unit: unitOf(item, period.terms),
      currency: offer.list.currency,
      factor: writeShort(number.factor, factorDecimals),
      status: price.status,
      receiptHash: number.receiptHash,
      listVersion: offer.version,
    },
    price: price.value,
    per: step.per,
    from: step.from,
    validFrom: cut.from,
    validTo: cut.to,
    erp: step.erp,
  }
}

/** A period that the filter matches and that has no price, with the reason. */
interface UnpricedPeriod {
  /** Null where the date of the period has not come. */
  readonly period: string | null
  readonly why: string
}

/** The prices of an agreement, and its periods without one. */
export interface RowsOfAgreement {
  readonly slug: string
  readonly rows: readonly ExactRow[]
  readonly unpriced: readonly UnpricedPeriod[]
}

/**
 * Those without a number or a list, by date. A contract that does not cover the day, or has no such period, lacks
 * nothing; one whose date has not come does.
 */
function unpricedPeriods(pricing: Pricing, filter: RowFilter): readonly UnpricedPeriod[] {
  let matched = 0
  const unpriced: UnpricedPeriod[] = []
  for (const [place, { number, period }] of pricing.agreement.periods.entries()) {
    const validity = validityOf(pricing, place)
    if (validity === null || !isAsked(pricing, place, validity, filter)) continue
    if (!touches(validity, filter.from, filter.to)) continue
    matched++
    const offer = pricing.offer(place)
    const source = 'gap' in number ? number : 'gap' in offer ? offer : null
    if (source !== null) unpriced.push({ period, why: source.gap.sentence })
  }
  const { next } = pricing.agreement
  const isToCome =
    matched === 0 &&
    next !== null &&
    (next.period === filter.period || (filter.date !== undefined && isCovered(pricing, filter.date)))
  return isToCome ? [{ period: null, why: whyNoRows(pricing, filter) }] : unpriced
}

export function rowsOfAgreement(pricing: Pricing, filter: RowFilter): RowsOfAgreement {
  return {
    slug: pricing.agreement.slug,
    rows: priceRows(pricing, filter),
    unpriced: unpricedPeriods(pricing, filter),
  }
}

function isCovered({ agreement: { start, end } }: Pricing, date: Day): boolean {
  return date >= start && (end === null || date <= end)
}

/** Why a filter by period, day or item matches no row. */
export function whyNoRows(pricing: Pricing, { period, date, item }: RowFilter): string {
  const { agreement } = pricing
  const { slug, periods, next } = agreement
  if (period !== undefined && !periods.some(each => each.period === period))
    return next?.period === period
      ? `${period} has no price: its date ${writeDay(next.date)} has not come`
      : `${slug} has no period ${period}`
  if (date !== undefined && !isCovered(pricing, date)) return `${writeDay(date)} lies outside the contract`
  if (date !== undefined && next !== null && date >= next.date)
    return `${next.period} has no price: its date ${writeDay(next.date)} has not come`
  const places = periods.flatMap((each, i) =>
    (period === undefined || each.period === period) && (date === undefined || pricing.placeOn(date) === i) ? [i] : [],
  )
  const offers = places.map(place => pricing.offer(place))
  if (item !== undefined && offers.every(offer => 'gap' in offer || offer.list.find(item) === undefined)) {
    const blocked = offers.find(offer => 'gap' in offer)
    return blocked !== undefined && 'gap' in blocked && offers.length === 1
      ? blocked.gap.sentence
      : `${slug} has no item "${item}"`
  }
  for (const place of places) {
    const { number, period: label } = pricing.at(place)
    if ('gap' in number) return `${label} cannot be computed: ${number.gap.sentence}`
    const offer = pricing.offer(place)
    if ('gap' in offer) return offer.gap.sentence
  }
  return item === undefined ? `${slug} has no price then` : `"${item}" is not valid then`
}
