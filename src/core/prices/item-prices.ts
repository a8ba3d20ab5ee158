// The exact price of every item in every period of one agreement: round( price × ( (1 − share) + share × F(period) ÷ F(base) )
// ). Results are remembered, because thousands of lines need the same few prices.

import { type NoNumber, otherGap, toldAs } from '../calculation/gap.ts'
import type { ContractPrice } from '../formula/formula.ts'
import { minorUnits } from '../numbers/money.ts'
import {
  add,
  divide,
  formatRounded,
  multiply,
  one,
  type Ratio,
  type Rounding,
  reduce,
  round,
  subtract,
} from '../numbers/ratio.ts'
import { type Day, formatDay } from '../time/day.ts'
import {
  numberOf,
  type PricedAgreement,
  type PricedPeriod,
  type PriceStatus,
  type PriceTerms,
  weakerStatus,
} from './agreement.ts'
import {
  type ListItem,
  type ListVersion,
  makePriceList,
  onlyRow,
  type PriceList,
  type PriceStep,
  startLabel,
  withSole,
} from './price-list.ts'

/** The offer of a period: a version of the list, or the contract's own price as the only item. */
export interface Offer {
  readonly list: PriceList
  /** The list's version; null for the contract's own price. */
  readonly version: number | null
}

/** The price of a step in a period, for its own `per`. */
export interface ItemPrice {
  readonly value: Ratio
  readonly text: string
  readonly rounding: Rounding
  /** F(period) ÷ F(base). */
  readonly movement: Ratio
  readonly status: PriceStatus
}

/** The rounding of a price: its row's, with the mode of the contract; else the contract's; else that of its own digits. */
function roundingOf({ round: own, priceText }: PriceStep, currency: string, terms: PriceTerms): Rounding {
  if (own !== null) return { ...own, mode: terms.rounding?.mode ?? 'HALF_UP' }
  return terms.rounding ?? asWritten(priceText, currency)
}

/** Rounding to the decimals of the written price, at least those of its currency. */
function asWritten(priceText: string, currency: string): Rounding {
  const written = priceText.split('.')[1]?.length ?? 0
  return { dp: Math.max(written, minorUnits(currency)), mode: 'HALF_UP' }
}

/** The contract's own price at a factor, as it is the only item of a contract without a list; null where it has none. */
export function ownPrice({ price, rounding }: PriceTerms, factor: Ratio): string | null {
  if (price === null) return null
  const rule = rounding ?? asWritten(price.text, price.currency)
  return formatRounded(round(multiply(price.amount, factor), rule), rule)
}

/** The price of a step under a movement, before it is rounded. */
export function movedPrice({ price, share }: PriceStep, movement: Ratio): Ratio {
  return multiply(price, add(subtract(one, share), multiply(share, movement)))
}

/** The unit of an item in a period; empty where neither list nor contract names one. */
export function unitOf({ unit }: ListItem, { price }: PriceTerms): string {
  return unit ?? price?.unit ?? ''
}

/** Prices of one agreement. Places are those of `agreement.periods`. */
export class Pricing {
  readonly agreement: PricedAgreement
  /** The place of the `start` that each period counts from. */
  readonly #starts: readonly number[]
  readonly #offers: (Offer | NoNumber | undefined)[] = []
  /** Lists with the contract's own price. */
  readonly #lists = new Map<string, PriceList>()
  readonly #movements = new Map<string, Ratio | NoNumber>()
  readonly #prices: Map<PriceStep, ItemPrice | NoNumber>[]

  constructor(agreement: PricedAgreement) {
    this.agreement = agreement
    const { periods } = agreement
    const starts = [...periods.keys()].filter(i => periods[i]!.period === startLabel)
    // A number that both signed before the price was renegotiated counts from its old start, also on dates after that.
    this.#starts = periods.map(
      ({ formulaVersion }, place) =>
        starts.findLast(i => i <= place && periods[i]!.formulaVersion <= formulaVersion) ?? 0,
    )
    this.#prices = agreement.periods.map(() => new Map())
  }

  /** The number of remembered prices. */
  get priced(): number {
    return this.#prices.reduce((sum, { size }) => sum + size, 0)
  }

  at(place: number): PricedPeriod {
    return this.agreement.periods[place]!
  }

  startOf(place: number): PricedPeriod {
    return this.at(this.#starts[place]!)
  }

  /** Whether a place is a period of its own: a renegotiated price counts from a `start` that is none. */
  isPeriod(place: number): boolean {
    return place === 0 || this.at(place).period !== startLabel
  }

  /** The period after this one; -1 where none has come. */
  periodAfter(place: number): number {
    const { periods } = this.agreement
    return periods.findIndex((_, i) => i > place && this.isPeriod(i))
  }

  /** The place of the period of a day: the newest whose date is not after it; -1 before the first. */
  placeOn(day: Day): number {
    let place = this.latestOn(day)
    while (place > 0 && !this.isPeriod(place)) place--
    return place
  }

  /** The newest place by date; it may be the `start` of a renegotiated price. */
  latestOn(day: Day): number {
    const { periods } = this.agreement
    let [low, high] = [0, periods.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (periods[middle]!.date <= day) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  /** The nearest period before, or after, that has a number; -1 where there is none. */
  neighbour(place: number, way: -1 | 1): number {
    for (let i = place + way; i >= 0 && i < this.agreement.periods.length; i += way)
      if (numberOf(this.at(i)) !== null) return this.at(i).isBaseOnly === true ? -1 : i
    return -1
  }

  /** Whether the contract's own price is an item in some period: where no list governs yet, or beside one that reaches back. */
  get hasOwnPrice(): boolean {
    const [first] = this.agreement.lists
    if (first === undefined) return true
    return first.number === 1 && (first.ownPriceUntil !== null || first.fromDate > this.at(0).date)
  }

  /** Whether two periods count from the same start. */
  isSameStart(a: number, b: number): boolean {
    return this.#starts[a] === this.#starts[b]
  }

  /** The items of a period, or why there are none. */
  offer(place: number): Offer | NoNumber {
    this.#offers[place] ??= this.#findOffer(place)
    return this.#offers[place]
  }

  #findOffer(place: number): Offer | NoNumber {
    const { lists, slug } = this.agreement
    const { period, date, terms, isBaseOnly } = this.at(place)
    if (isBaseOnly === true) return { gap: otherGap('tenure', `${period} was agreed with another supplier`) }
    const start = this.startOf(place)
    const governing = lists.findLast(({ fromDate }) => fromDate <= date && fromDate >= start.date)
    if (governing !== undefined) {
      const { list, number: version, ownPriceUntil } = governing
      const isBeside = ownPriceUntil !== null && date <= ownPriceUntil && terms.price !== null
      return { list: isBeside ? this.#besideOwn(governing, terms.price) : list, version }
    }
    if (lists.some(({ fromDate }) => fromDate < start.date))
      return unpriced(
        `the price was renegotiated from ${formatDay(start.date)}, and no price list was applied from then on`,
      )
    // An earlier list belongs to another supplier, who alone sees it.
    if (lists.length > 0 && lists[0]!.number > 1)
      return unpriced(`no price list governs ${period}: the first one begins with ${lists[0]!.from}`)
    if (terms.price === null) {
      const first = lists.length === 0 ? '' : ` before ${lists[0]!.from}`
      return unpriced(`${slug} has neither a price list nor a price of its own${first}`)
    }
    return { list: this.#ownList(terms.price), version: null }
  }

  /** Periods with one price share one list. */
  #ownList(price: ContractPrice): PriceList {
    const { slug } = this.agreement
    return this.#lists.getOrInsertComputed(`${price.text} ${price.currency} ${price.unit}`, () => ownList(slug, price))
  }

  #besideOwn({ list, number }: ListVersion, price: ContractPrice): PriceList {
    const key = `${number} ${price.text} ${price.currency} ${price.unit}`
    return this.#lists.getOrInsertComputed(key, () => withSole(list, this.#ownList(price)))
  }

  /** The period that a base names, seen from another one: a price that was renegotiated counts from its own start. */
  base(place: number, label: string): PricedPeriod | undefined {
    if (label === startLabel) return this.startOf(place)
    return this.agreement.periods.find((each, i) => each.period === label && this.isSameStart(i, place))
  }

  /** F(period) ÷ F(base). */
  movement(place: number, base: string): Ratio | NoNumber {
    const key = `${place} ${base}`
    const known = this.#movements.get(key)
    if (known !== undefined) return known
    const movement = this.#findMovement(place, base)
    this.#movements.set(key, movement)
    return movement
  }

  #findMovement(place: number, base: string): Ratio | NoNumber {
    const { number } = this.at(place)
    if ('gap' in number) return number
    const from = this.base(place, base)
    if (from === undefined) return unpriced(`${base}, whose price is the base, is not a period of this price`)
    if ('gap' in from.number) {
      const { gap } = from.number
      return { gap: toldAs(gap, `${base}, whose price is the base, has no number: ${gap.sentence}`) }
    }
    if (from.number.factor.n === 0n)
      return { gap: otherGap('arithmetic', `the price had come to 0 in ${base}, which is the base`) }
    return reduce(divide(number.factor, from.number.factor))
  }

  /** The price of a step; it must be one of the list that governs the period. */
  price(place: number, step: PriceStep, currency: string): ItemPrice | NoNumber {
    const known = this.#prices[place]!.get(step)
    if (known !== undefined) return known
    const price = this.#makePrice(place, step, currency)
    this.#prices[place]!.set(step, price)
    return price
  }

  /** The weaker status of the numbers of a period and a base; null where one is missing. */
  statusOf(place: number, base: string): PriceStatus | null {
    if ('gap' in this.movement(place, base)) return null
    return weakerStatus(numberOf(this.at(place))!.status, numberOf(this.base(place, base)!)!.status)
  }

  #makePrice(place: number, step: PriceStep, currency: string): ItemPrice | NoNumber {
    const movement = this.movement(place, step.base)
    if ('gap' in movement) return movement
    const rounding = roundingOf(step, currency, this.at(place).terms)
    const value = round(movedPrice(step, movement), rounding)
    const status = this.statusOf(place, step.base)!
    return { value, text: formatRounded(value, rounding), rounding, movement, status }
  }
}

/** Whether prices with a base can differ between two states of one agreement: each is made of two numbers. */
export function mayDiffer(a: Pricing, b: Pricing, place: number, base: string): boolean {
  return a.at(place).number !== b.at(place).number || a.base(place, base)?.number !== b.base(place, base)?.number
}

/** The price of the only step of the only item in a period; null where there are several, or it has none. */
export function onlyPrice(pricing: Pricing, place: number): string | null {
  const offer = pricing.offer(place)
  if ('gap' in offer || offer.list.sole?.steps.length !== 1) return null
  const price = pricing.price(place, offer.list.sole.steps[0]!, offer.list.currency)
  return 'gap' in price ? null : price.text
}

/** The gap of a number that makes no price, because nothing has one. */
export function unpriced(sentence: string): NoNumber {
  return { gap: otherGap('price', sentence) }
}

/** The contract's own price as a list: one item, named by the slug, per 1. */
function ownList(slug: string, { text, currency, unit }: ContractPrice): PriceList {
  return makePriceList([{ ...onlyRow(slug, text, currency), unit: unit === '' ? null : unit }])
}
