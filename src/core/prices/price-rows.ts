// The prices of an agreement as rows, for lists, answers and exports alike: one for each item, step and period that has a
// price, with the days on which it is valid.

import type { Gap } from '../calculation/gap.ts'
import { compare, divide, equal, formatShort, multiply, type Ratio } from '../numbers/ratio.ts'
import { type Day, formatDay } from '../time/day.ts'
import { numberOf, type PriceStatus } from './agreement.ts'
import { type ItemPrice, type Offer, type Pricing, unitOf } from './item-prices.ts'
import { compareKeys, type ListItem } from './price-list.ts'
import { InForce, type StepOfPeriod } from './prices-in-force.ts'

/** The proposed price beside one in force. */
interface ProposedPrice {
  readonly period: string
  /** The price for the `per` of the row. */
  readonly price: string
  readonly status: PriceStatus
}

/** A row as it is shown; decimals and days are text. */
export interface PriceRow {
  readonly agreement: string
  readonly item: string
  readonly fromQuantity: string
  readonly period: string
  readonly validFrom: string
  /** The last day of its period; null where no later date has come. */
  readonly validTo: string | null
  /** The last day on which it is in force; null where none is known yet, and where not both signed it. */
  readonly inForceUntil: string | null
  /** Given only for the row in force on the requested day; null where nothing is proposed beside it. */
  readonly proposed: ProposedPrice | null
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
  /** The last day of its own period, also where the item became valid after it. */
  readonly ownLast: Day | null
  /** The last day on which it can be paid; for a price that not both signed, the last day of its item or contract. */
  readonly last: Day | null
  readonly erp: Readonly<Record<string, string>>
}

/** A row as other systems read it: with their own keys of the item. */
export type KeyedRow = PriceRow & { readonly [key: `erp_${string}`]: string }

export function keyedRow({ row, erp }: Pick<ExactRow, 'row' | 'erp'>): KeyedRow {
  const keys = Object.keys(erp).sort()
  return { ...row, ...Object.fromEntries(keys.map(name => [`erp_${name}`, erp[name]!])) }
}

/** The wanted rows; a key that is left out does not filter. */
export interface RowFilter {
  readonly period?: string | undefined
  /** The prices in force on one day, and proposed prices of items without one. */
  readonly date?: Day | undefined
  /** With `date`: also rows of proposed prices beside those in force. */
  readonly withProposed?: boolean
  /** Rows that touch the range while they are in force, or valid where not both signed them. */
  readonly from?: Day | undefined
  readonly to?: Day | undefined
  readonly item?: string | undefined
}

const factorDecimals = 12

/** Rows by item, step and validity. */
export function priceRows(pricing: Pricing, filter: RowFilter = {}): ExactRow[] {
  return pageOfRows(pricing, filter).rows
}

export interface RowPage {
  readonly rows: ExactRow[]
  /** The offset of the next page; null where there are no more rows. */
  readonly next: number | null
}

/** One page: at most `limit` rows from an offset on. Only its own rows are priced; earlier rows are only counted. */
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
  const inForce = new InForce(pricing)
  const day = filter.date ?? pricing.agreement.today
  let place = 0
  for (const entry of entriesOf(pricing, inForce, filter)) {
    const here = place++
    if (here < from) continue
    const price = priceOf(pricing, entry)
    if (!('gap' in price)) yield { place: here, row: makeRow(pricing, inForce, day, entry, price) }
  }
}

function priceOf(pricing: Pricing, { place, offer, step }: StepOfPeriod) {
  return pricing.price(place, step, offer.list.currency)
}

interface StepWithValidity extends StepOfPeriod {
  readonly cut: Validity
}

interface OfferedPeriod {
  readonly place: number
  readonly validity: Validity
  readonly offer: Offer
}

/** Every step of every item that the filter matches, in the order of the rows. */
function* entriesOf(pricing: Pricing, inForce: InForce, filter: RowFilter): Generator<StepWithValidity> {
  if (filter.date !== undefined) {
    yield* entriesOfDay(pricing, inForce, filter.date, filter)
    return
  }
  const periods = offeredPeriods(pricing, filter)
  for (const key of itemKeys(periods, filter)) {
    const entries = periods.flatMap(period => entriesOfItem(period, key, filter))
    // Periods are in the order of their days, and sorting keeps it for equal steps.
    yield* entries
      .filter(entry => isInRange(pricing, inForce, entry, filter))
      .sort((a, b) => compare(a.step.from, b.step.from))
  }
}

/** Steps in force on a day, and proposed ones. */
function entriesOfDay(
  pricing: Pricing,
  inForce: InForce,
  day: Day,
  { item, withProposed }: RowFilter,
): StepWithValidity[] {
  const proposed = withProposed === true ? inForce.proposedStepsOn(day, item) : inForce.proposedAloneOn(day, item)
  return [...inForce.stepsOn(day, item), ...proposed]
    .map(entry => ({ ...entry, cut: cutOfDay(validityOf(pricing, entry.place)!, entry.item) }))
    .sort((a, b) => compareKeys(a.item.item, b.item.item) || compare(a.step.from, b.step.from) || a.place - b.place)
}

/** An item that becomes valid after the last day of its period is in force while the next one is not settled. */
function cutOfDay(validity: Validity, item: ListItem): Validity {
  return within(validity, item) ?? { from: Math.max(validity.from, item.validFrom ?? validity.from), to: validity.to }
}

function offeredPeriods(pricing: Pricing, filter: RowFilter): OfferedPeriod[] {
  return pricing.agreement.periods.flatMap(({ period }, place) => {
    const validity = validityOf(pricing, place)
    if (validity === null || (filter.period !== undefined && period !== filter.period)) return []
    const offer = pricing.offer(place)
    return 'gap' in offer ? [] : [{ place, validity, offer }]
  })
}

/** Keys in order. The requested item may have a different key in each list. */
function itemKeys(periods: readonly OfferedPeriod[], { item: wanted }: RowFilter): readonly string[] {
  const lists = [...new Set(periods.map(({ offer }) => offer.list))]
  const items = lists.flatMap(list =>
    wanted === undefined ? list.items : [list.find(wanted)].filter(each => each !== undefined),
  )
  const keys = items.map(({ item }) => item)
  // The items of one list are in order already.
  return lists.length <= 1 ? keys : [...new Set(keys)].sort(compareKeys)
}

function entriesOfItem({ place, validity, offer }: OfferedPeriod, key: string, filter: RowFilter): StepWithValidity[] {
  const item = offer.list.find(key)
  // A key that an item replaced also finds the item, and is not the item's own key.
  if (item === undefined || item.item !== key) return []
  if (filter.item !== undefined && offer.list.find(filter.item) !== item) return []
  const cut = within(validity, item)
  return cut === null ? [] : item.steps.map(step => ({ place, offer, item, step, cut }))
}

function isInRange(pricing: Pricing, inForce: InForce, entry: StepWithValidity, { from, to }: RowFilter): boolean {
  if (from === undefined && to === undefined) return true
  const isSettled = inForce.statusOf(entry) === 'AGREED'
  const last = isSettled ? lastOf(pricing, inForce, entry, isSettled) : entry.cut.to
  return touches({ from: entry.cut.from, to: last }, from, to)
}

interface Validity {
  readonly from: Day
  readonly to: Day | null
}

/** The days up to the one before the next date that has come, with a number or not; null if no day is left. */
function validityOf(pricing: Pricing, place: number): Validity | null {
  const { periods, end } = pricing.agreement
  const { date: from } = periods[place]!
  if (!pricing.isPeriod(place)) return null
  const next = pricing.periodAfter(place)
  const to = next < 0 ? end : earlier(periods[next]!.date - 1, end)
  return to !== null && to < from ? null : { from, to }
}

/** The earlier of two days; null is never. */
export function earlier(a: Day | null, b: Day | null): Day | null {
  return a === null ? b : b === null ? a : Math.min(a, b)
}

function within({ from, to }: Validity, { validFrom, validTo }: ListItem): Validity | null {
  const cut = { from: validFrom === null ? from : Math.max(from, validFrom), to: earlier(to, validTo) }
  return cut.to !== null && cut.to < cut.from ? null : cut
}

function touches({ from, to }: Validity, first: Day | undefined, last: Day | undefined): boolean {
  return (last === undefined || from <= last) && (first === undefined || to === null || to >= first)
}

/** A settled price is in force until the next one; any ends with its item and its contract. */
function lastOf(pricing: Pricing, inForce: InForce, { place, item }: StepWithValidity, isSettled: boolean): Day | null {
  const ends = earlier(item.validTo, pricing.agreement.end)
  return isSettled ? earlier(ends, inForce.settledUntil(place)) : ends
}

function makeRow(pricing: Pricing, inForce: InForce, day: Day, entry: StepWithValidity, price: ItemPrice): ExactRow {
  const { place, offer, item, step, cut } = entry
  const period = pricing.at(place)
  const number = numberOf(period)!
  const isSettled = price.status === 'AGREED'
  const last = lastOf(pricing, inForce, entry, isSettled)
  const isAfterOwn = cut.to !== null && cut.to < cut.from
  return {
    row: {
      agreement: pricing.agreement.slug,
      item: item.item,
      fromQuantity: step.fromText,
      period: period.period,
      validFrom: formatDay(cut.from),
      validTo: cut.to === null || isAfterOwn ? null : formatDay(cut.to),
      inForceUntil: isSettled && last !== null ? formatDay(last) : null,
      proposed: proposedOf(pricing, inForce.proposedFor(day, entry), step.per),
      price: price.text,
      per: step.perText,
      unit: unitOf(item, period.terms),
      currency: offer.list.currency,
      factor: formatShort(number.factor, factorDecimals),
      status: price.status,
      receiptHash: number.receiptHash,
      listVersion: offer.version,
    },
    price: price.value,
    per: step.per,
    from: step.from,
    validFrom: cut.from,
    ownLast: cut.to,
    last,
    erp: step.erp,
  }
}

function proposedOf(pricing: Pricing, proposed: StepOfPeriod | null, per: Ratio): ProposedPrice | null {
  const price = proposed === null ? null : priceOf(pricing, proposed)
  if (proposed === null || price === null || 'gap' in price) return null
  const { place, step } = proposed
  const isSamePer = equal(step.per, per)
  return {
    period: pricing.at(place).period,
    price: isSamePer ? price.text : formatShort(divide(multiply(price.value, per), step.per), factorDecimals),
    status: price.status,
  }
}

/** A period that the filter matches and that has no price, with the reason. */
interface UnpricedPeriod {
  /** The period; null where its date has not come. */
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
 * Periods without a number or a list, by date. A contract that does not cover the day, or has no such period, lacks nothing;
 * one whose date has not come does.
 */
function unpricedPeriods(pricing: Pricing, filter: RowFilter): readonly UnpricedPeriod[] {
  const { periods, next } = pricing.agreement
  const matched = [...periods.keys()].filter(place => isMatched(pricing, place, filter))
  const isToCome =
    matched.length === 0 &&
    next !== null &&
    (next.period === filter.period || (filter.date !== undefined && isCovered(pricing, filter.date)))
  if (isToCome) return [{ period: null, why: whyNoRows(pricing, filter) }]
  return matched.flatMap(place => {
    const gap = gapOf(pricing, place)
    return gap === null ? [] : [{ period: pricing.at(place).period, why: gap.sentence }]
  })
}

/** Why a period has no price at all; null where it has. */
function gapOf(pricing: Pricing, place: number): Gap | null {
  const { number } = pricing.at(place)
  const offer = pricing.offer(place)
  return 'gap' in number ? number.gap : 'gap' in offer ? offer.gap : null
}

/** Whether a filter is about a period by its own days. */
function isMatched(pricing: Pricing, place: number, { period, date, from, to }: RowFilter): boolean {
  const validity = validityOf(pricing, place)
  if (validity === null || (period !== undefined && pricing.at(place).period !== period)) return false
  if (date === undefined) return touches(validity, from, to)
  const { next } = pricing.agreement
  return touches(validity, date, date) && (next === null || date < next.date)
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
export function whyNoRows(pricing: Pricing, filter: RowFilter): string {
  const { period, date, item } = filter
  const { slug, periods, next } = pricing.agreement
  if (period !== undefined && !periods.some(each => each.period === period))
    return next?.period === period
      ? `${period} has no price: its date ${formatDay(next.date)} has not come`
      : `${slug} has no period ${period}`
  if (date !== undefined && !isCovered(pricing, date)) return `${formatDay(date)} lies outside the contract`
  if (date !== undefined && next !== null && date >= next.date)
    return `${next.period} has no price: its date ${formatDay(next.date)} has not come`
  const places = date === undefined ? undatedPlaces(pricing, period) : placesOfDay(pricing, date)
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

function undatedPlaces(pricing: Pricing, period: string | undefined): readonly number[] {
  const { periods } = pricing.agreement
  return [...periods.keys()].filter(
    place => pricing.isPeriod(place) && (period === undefined || periods[place]!.period === period),
  )
}

/** The places in force and proposed on a day; without both the day's own, which has the reason. */
function placesOfDay(pricing: Pricing, date: Day): readonly number[] {
  const inForce = new InForce(pricing)
  const places = [inForce.settledOn(date), inForce.proposedOn(date)].filter(place => place !== null)
  return places.length === 0 ? [pricing.placeOn(date)] : places
}
