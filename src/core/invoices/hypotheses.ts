// Hypotheses about a billed price that is not the agreed one: seventeen mistakes, each tried on its own. A hypothesis changes
// one thing and computes everything after it again; base, share, rounding and quantity step of the item stay.

import {
  add,
  divide,
  equal,
  hundred,
  multiply,
  one,
  powerOfTen,
  type Ratio,
  type Rounding,
  reduce,
  round,
  roundingModes,
  roundTo,
  subtract,
} from '../numbers/ratio.ts'
import { numberOf, type PricedPeriod, type SettledNumber } from '../prices/agreement.ts'
import { type ItemPrice, movedPrice, type Offer, type Pricing } from '../prices/item-prices.ts'
import { type ListItem, type PriceStep, startLabel, stepFor } from '../prices/price-list.ts'
import { formatRounding } from '../text/words.ts'
import type { Instant } from '../time/instant.ts'
import {
  formatObserved,
  type OtherPaths,
  type PathReading,
  type VintageReading,
  vintageReadings,
} from './other-paths.ts'

/** Codes in the order in which they are tried. */
export const reasonCodes = [
  'PERIOD_BEFORE',
  'PERIOD_AFTER',
  'BEFORE_CORRECTION',
  'NO_ADJUSTMENT',
  'STEP_ONLY',
  'TWICE',
  'ROUNDING',
  'VINTAGE',
  'CONTROL_LEFT_OUT',
  'LAG',
  'BASIS',
  'PER',
  'UNIT',
  'QUANTITY_STEP',
  'OTHER_ITEM',
  'CURRENCY',
  'VERSION_BEFORE',
] as const
export type ReasonCode = (typeof reasonCodes)[number]

/** A price somebody may have used, for the step's own `per`. */
export interface Candidate {
  readonly code: ReasonCode
  /** Tells apart the mistakes under one code; it stays from period to period. */
  readonly variant: string
  readonly price: Ratio
  /** `the price of 2024-Q1`. */
  readonly what: () => string
}

interface ReasonWords {
  readonly code: ReasonCode
  readonly variant: string
  readonly what: string
}

/** A step of an item in a period, with its right price. */
export interface Subject {
  readonly place: number
  readonly offer: Offer
  readonly item: ListItem
  readonly step: PriceStep
  readonly price: ItemPrice
}

export class Hypotheses {
  readonly #pricing: Pricing
  readonly #paths: OtherPaths | null

  constructor(pricing: Pricing, paths: OtherPaths | null) {
    this.#pricing = pricing
    this.#paths = paths
  }

  /**
   * All candidates in order, but for those that need the line itself (unit, other items) and those that give the right price.
   */
  candidates(subject: Subject): Candidate[] {
    const found = [
      ...this.#neighbours(subject, 'PERIOD_BEFORE', -1),
      ...this.#neighbours(subject, 'PERIOD_AFTER', 1),
      ...this.#beforeCorrection(subject),
      ...this.#withoutAdjustment(subject),
      ...this.#misapplied(subject),
      ...this.#roundedOtherwise(subject),
      ...this.#vintages(subject),
      ...this.#leftOut(subject),
      ...this.#onPath(subject, 'LAG', 'lag-more', 'the price with one month more lag'),
      ...this.#onPath(subject, 'LAG', 'lag-less', 'the price with one month less lag'),
      ...this.#onPath(subject, 'BASIS', 'basis', `the price measured from ${this.#otherBasis}`),
      ...mistakenPer(subject),
      ...this.#otherSteps(subject),
      ...this.#onPath(subject, 'CURRENCY', 'without-fx', 'the price without converting the currency'),
      ...this.#versionBefore(subject),
    ]
    return found.filter(({ price }) => !equal(price, subject.price.value))
  }

  get #otherBasis(): string {
    return this.#paths?.isChained
      ? 'the base every time, and not from the last adjustment'
      : 'the last adjustment, and not from the base'
  }

  #number(place: number): SettledNumber {
    return numberOf(this.#pricing.at(place))!
  }

  #moved({ step, price: { rounding } }: Subject, words: ReasonWords, movement: Ratio): Candidate {
    const { code, variant, what } = words
    return { code, variant, price: round(movedPrice(step, movement), rounding), what: () => what }
  }

  /** The nearest period with a number: as priced there, and as priced by the row of this period. */
  #neighbours(subject: Subject, code: 'PERIOD_BEFORE' | 'PERIOD_AFTER', way: -1 | 1): Candidate[] {
    const pricing = this.#pricing
    const place = pricing.neighbour(subject.place, way)
    if (place < 0) return []
    const { period } = pricing.at(place)
    const what = `the price of ${period === startLabel ? 'the start' : period}`
    const there = this.#priceThere(subject, place)
    const movement = pricing.isSameStart(place, subject.place) ? pricing.movement(place, subject.step.base) : null
    return [
      ...(there === null ? [] : [{ code, variant: 'listed', price: there, what: () => what }]),
      ...(movement === null || 'gap' in movement
        ? []
        : [this.#moved(subject, { code, variant: 'moved', what }, movement)]),
    ]
  }

  /** The item's price in another period, by the list that governs there; for this step's `per`. */
  #priceThere({ item, step }: Subject, place: number): Ratio | null {
    const offer = this.#pricing.offer(place)
    const same = 'gap' in offer ? undefined : offer.list.find(item.item)
    const there = same === undefined ? null : stepFor(same, step.from)
    if ('gap' in offer || there === null) return null
    const price = this.#pricing.price(place, there, offer.list.currency)
    return 'gap' in price ? null : broughtTo(step, there, price.value)
  }

  #beforeCorrection(subject: Subject): Candidate[] {
    const { beforeCorrection: now, factor } = this.#number(subject.place)
    const base = numberOf(this.#pricing.base(subject.place, subject.step.base)!)!
    const pairs = [
      ...(now === null ? [] : [{ variant: 'period', of: now, from: base.factor }]),
      ...(base.beforeCorrection === null ? [] : [{ variant: 'base', of: now ?? factor, from: base.beforeCorrection }]),
    ]
    const words = { code: 'BEFORE_CORRECTION', what: 'the price before the last agreed correction' } as const
    return pairs.flatMap(({ variant, of, from }) =>
      from.n === 0n ? [] : [this.#moved(subject, { ...words, variant }, divide(of, from))],
    )
  }

  #withoutAdjustment({ step, price: { rounding } }: Subject): Candidate[] {
    const words = { code: 'NO_ADJUSTMENT', what: () => 'the base price, without any adjustment' } as const
    return [
      { ...words, variant: 'written', price: step.price },
      { ...words, variant: 'rounded', price: round(step.price, rounding) },
    ]
  }

  /** F(period) ÷ F(before), if both count from one start. */
  #stepOf(place: number): Ratio | null {
    const before = this.#pricing.neighbour(place, -1)
    if (before < 0 || !this.#pricing.isSameStart(before, place)) return null
    const { factor } = this.#number(before)
    return factor.n === 0n ? null : reduce(divide(this.#number(place).factor, factor))
  }

  #misapplied(subject: Subject): Candidate[] {
    const { period } = this.#pricing.at(subject.place)
    const { movement } = subject.price
    const step = this.#stepOf(subject.place)
    const alone = `the base price with the adjustment of ${period} alone`
    const twice = { code: 'TWICE', what: 'the price with the adjustment applied twice' } as const
    const squared = this.#moved(subject, { ...twice, variant: 'squared' }, multiply(movement, movement))
    if (step === null) return [squared]
    return [
      this.#moved(subject, { code: 'STEP_ONLY', variant: '', what: alone }, step),
      this.#moved(subject, { ...twice, variant: 'again' }, multiply(movement, step)),
      squared,
    ]
  }

  #roundedOtherwise(subject: Subject): Candidate[] {
    const { step, price } = subject
    const exact = movedPrice(step, price.movement)
    const otherwise = otherRoundings(price.rounding).map(
      rounding =>
        ({
          code: 'ROUNDING',
          variant: `${'dp' in rounding ? rounding.dp : 'multiple'} ${rounding.mode}`,
          price: round(exact, rounding),
          what: () => `the price rounded differently (${formatRounding(rounding)})`,
        }) as const,
    )
    const since = this.#roundedPercents(subject, price.movement, one, 'the percent since the base')
    const own = this.#stepOf(subject.place)
    if (own === null || own.n === 0n) return [...otherwise, ...since]
    const before = divide(price.movement, own)
    return [...otherwise, ...since, ...this.#roundedPercents(subject, own, before, "this period's percent")]
  }

  /** The movement by a percent that is rounded first, on top of the earlier movement. */
  #roundedPercents(subject: Subject, movement: Ratio, before: Ratio, whose: string): Candidate[] {
    const percent = multiply(subtract(movement, one), hundred)
    return [0, 1, 2, 3, 4].map(dp => {
      const rounded = add(one, divide(roundTo(percent, dp), hundred))
      const what = `the price with ${whose} rounded to ${dp === 1 ? '1 decimal' : `${dp} decimals`} first`
      return this.#moved(subject, { code: 'ROUNDING', variant: `${dp} ${whose}`, what }, multiply(before, rounded))
    })
  }

  /** The movement with both dates read from a path; null where the path has no number for one of them. */
  #movementOn(subject: Subject, reading: PathReading, knownAt: Instant | null): Ratio | null {
    const paths = this.#paths
    if (paths === null) return null
    const factorOf = ({ period, date }: Pick<PricedPeriod, 'period' | 'date'>) =>
      period === startLabel ? one : paths.factorAt(reading, knownAt, date)
    const [of, from] = [
      factorOf(this.#pricing.at(subject.place)),
      factorOf(this.#pricing.base(subject.place, subject.step.base)!),
    ]
    return of === null || from === null || from.n === 0n ? null : divide(of, from)
  }

  #onPath(subject: Subject, code: ReasonCode, reading: PathReading, what: string): Candidate[] {
    const movement = this.#movementOn(subject, reading, this.#number(subject.place).agreedAt)
    const variant = typeof reading === 'string' ? reading : ''
    return movement === null ? [] : [this.#moved(subject, { code, variant, what }, movement)]
  }

  #vintages(subject: Subject): Candidate[] {
    return vintageReadings.flatMap(reading => {
      const movement = this.#movementOn(subject, reading, null)
      if (movement === null) return []
      const candidate = this.#moved(subject, { code: 'VINTAGE', variant: reading, what: '' }, movement)
      return [{ ...candidate, what: () => `the price with ${this.#tellVintage(subject, reading)}` }]
    })
  }

  /** `the preliminary March value`, where it is one. */
  #tellVintage({ place }: Subject, reading: VintageReading): string {
    const { date } = this.#pricing.at(place)
    const { agreedAt, correctedAt } = this.#number(place)
    // A settled price reads the values known when it was agreed, a corrected one those known at its correction.
    const periods = this.#paths!.differingFrom(reading, correctedAt ?? agreedAt, date)
    const words = { preliminary: 'preliminary', first: 'first published', newest: 'newest' }[reading]
    if (periods.length !== 1) return reading === 'newest' ? 'the newest values' : `${words} values`
    return `the ${words} ${formatObserved(periods[0]!, date)} value`
  }

  #leftOut(subject: Subject): Candidate[] {
    return (this.#paths?.controlsLeftOut ?? []).flatMap(reading =>
      this.#onPath(subject, 'CONTROL_LEFT_OUT', reading, `the price without ${formatControl(reading)}`),
    )
  }

  #otherSteps({ place, offer, item, step }: Subject): Candidate[] {
    const at = item.steps.indexOf(step)
    return [-1, 1].flatMap(way => {
      const other = item.steps[at + way]
      const price = other === undefined ? null : this.#pricing.price(place, other, offer.list.currency)
      if (other === undefined || price === null || 'gap' in price) return []
      const words = { code: 'QUANTITY_STEP', variant: `${way}` } as const
      const what = () => `the price from quantity ${other.fromText} on`
      return [{ ...words, price: broughtTo(step, other, price.value), what }]
    })
  }

  #versionBefore(subject: Subject): Candidate[] {
    const { formulaVersion } = this.#pricing.at(subject.place)
    const what = `the price under the formula before version ${formulaVersion}`
    return this.#onPath(subject, 'VERSION_BEFORE', { before: formulaVersion }, what)
  }
}

/** Converts a price from the `per` of another step to the `per` of this one. */
function broughtTo(step: PriceStep, from: PriceStep, price: Ratio): Ratio {
  return equal(step.per, from.per) ? price : divide(multiply(price, step.per), from.per)
}

function otherRoundings(rounding: Rounding): Rounding[] {
  const modes = roundingModes.filter(mode => mode !== rounding.mode).map(mode => ({ ...rounding, mode }))
  if ('dp' in rounding) {
    const { dp, mode } = rounding
    return [...modes, { dp: dp + 1, mode }, { dp: dp - 1, mode }]
  }
  // Tries the decimals of the multiple without the multiple itself.
  return [...modes, { dp: rounding.multiple.d.toString().length - 1, mode: rounding.mode }]
}

const partWords = ['a tenth', 'a hundredth', 'a thousandth']

function mistakenPer({ price: { value } }: Subject): Candidate[] {
  return partWords.flatMap((part, i) => {
    const [times, code] = [powerOfTen(i + 1), 'PER' as const]
    const words = (words: string) => () => `${words} the price: the quantity that the price is for was mistaken`
    return [
      { code, variant: `${times}`, price: { n: value.n * times, d: value.d }, what: words(`${times} times`) },
      { code, variant: `1/${times}`, price: { n: value.n, d: value.d * times }, what: words(`${part} of`) },
    ]
  })
}

/** `without-cap-periodPct` is the cap of a period. */
function formatControl(reading: string): string {
  const [, control, limit] = reading.split('-')
  const of = { periodPct: ' of a period', yearPct: ' of a year', cumulativePct: ' since the start' }[limit ?? '']
  return `the ${control}${of ?? ''}`
}
