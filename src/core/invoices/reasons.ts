// The mistakes that give the billed price. A billed unit price must match exactly; if there is none, or it contradicts the
// amount, the amount must match.
import { amountOf, halfMinorUnit, roundMoney } from '../numbers/money.ts'
import {
  absolute,
  add,
  compare,
  divide,
  equal,
  multiply,
  type Ratio,
  reduce,
  subtract,
  zero,
} from '../numbers/ratio.ts'
import type { Pricing } from '../prices/item-prices.ts'
import { andList } from '../text/words.ts'
import type { OpenAgreement } from './agreement-book.ts'
import { type Candidate, reasonCodes, type Subject } from './hypotheses.ts'

/** The billed figures in the item's own unit. */
export interface Billed {
  /** The price for the item's `per`; null where none was billed, or it contradicts the amount. */
  readonly price: Ratio | null
  readonly quantity: Ratio | null
  /** Rounded as money. */
  readonly amount: Ratio | null
  readonly currency: string
  /** Given if the line has another unit: the number of the item's units in one of the line's, and the names of both. */
  readonly unit: { readonly factor: Ratio; readonly of: string; readonly billed: string } | null
}

/** Days of service under one price. */
export interface PricedDays {
  readonly subject: Subject
  readonly days: number
}

/** A price that explains the billed one. */
export interface Explanation {
  readonly code: Candidate['code']
  readonly price: Ratio
  readonly what: string
}

/** Bounded: not all prices of many items in many periods are remembered. */
const mostRemembered = 2_000

/** Finds reasons for one agreement; the result for an item in a period is remembered. */
export class ReasonFinder {
  readonly #open: OpenAgreement
  readonly #candidates = new Map<string, readonly Candidate[]>()
  readonly #others = new Map<number, OtherItems>()

  constructor(open: OpenAgreement) {
    this.#open = open
  }

  /** Explanations in the order of the codes, one for each. */
  find(subject: Subject, billed: Billed): Explanation[] {
    const holds = (price: Ratio) =>
      billed.price === null ? hasAmount(subject, price, billed) : equal(price, billed.price)
    const unit = billed.unit === null ? [] : [unitLeftOut(subject, billed.unit)]
    const holding = [...this.#candidatesOf(subject), ...unit].filter(({ price }) => holds(price))
    const others =
      billed.price === null ? this.#othersByAmount(subject, billed) : this.#othersByPrice(subject, billed.price)
    return firstOfEach([...holding, ...others])
  }

  /** Explanations of a line divided by days: all parts share one mistake. */
  findShared(parts: readonly PricedDays[], billed: Billed): Explanation[] {
    const keyOf = ({ code, variant }: Candidate) => `${code} ${variant}`
    const known = parts.map(({ subject }) => new Map(this.#candidatesOf(subject).map(each => [keyOf(each), each])))
    const variants = Map.groupBy(
      known.flatMap(each => [...each.values()]),
      keyOf,
    )
    const holding = [...variants].flatMap(([key, candidates]) => {
      const prices = parts.map(({ subject }, i) => known[i]!.get(key)?.price ?? subject.price.value)
      const amount = sharedAmount(parts, prices, billed.quantity!)
      if (billed.amount === null || !equal(roundMoney(amount, billed.currency), billed.amount)) return []
      return [{ ...candidates[0]!, what: () => andList([...new Set(candidates.map(({ what }) => what()))]) }]
    })
    return firstOfEach(holding)
  }

  #candidatesOf(subject: Subject): readonly Candidate[] {
    const { place, item, step } = subject
    const key = `${place} ${step.fromText} ${item.item}`
    const known = this.#candidates.get(key)
    if (known !== undefined) return known
    const candidates = this.#open.hypotheses.candidates(subject)
    if (this.#candidates.size >= mostRemembered) this.#candidates.clear()
    this.#candidates.set(key, candidates)
    return candidates
  }

  #othersIn(subject: Subject): OtherItems {
    const found = this.#others.get(subject.place)
    if (found !== undefined) return found
    const others = new OtherItems(this.#open.pricing, subject)
    this.#others.set(subject.place, others)
    return others
  }

  #othersByPrice(subject: Subject, price: Ratio): Candidate[] {
    if (equal(price, subject.price.value)) return []
    return otherItem(subject, this.#othersIn(subject).priced(divide(price, subject.step.per)), price)
  }

  #othersByAmount(subject: Subject, { quantity, amount, currency }: Billed): Candidate[] {
    if (quantity === null || amount === null || quantity.n === 0n) return []
    const half = halfMinorUnit(currency)
    const edges = [subtract(amount, half), add(amount, half)].map(edge => divide(edge, quantity))
    const [low, high] = compare(edges[0]!, edges[1]!) <= 0 ? edges : edges.toReversed()
    const found = this.#othersIn(subject)
      .between(low!, high!)
      .filter(({ price }) => {
        const brought = multiply(price, subject.step.per)
        return !equal(brought, subject.price.value) && hasAmount(subject, brought, { quantity, amount, currency })
      })
    const [first] = found
    if (first === undefined) return []
    return otherItem(
      subject,
      found.map(({ item }) => item),
      multiply(first.price, subject.step.per),
    )
  }
}

function keyOf(price: Ratio): string {
  const { n, d } = reduce(price)
  return `${n}/${d}`
}

function hasAmount(
  { step: { per } }: Subject,
  price: Ratio,
  { quantity, amount, currency }: Pick<Billed, 'quantity' | 'amount' | 'currency'>,
): boolean {
  return quantity !== null && amount !== null && equal(amountOf({ quantity, price, per }, currency), amount)
}

/** The price of the item's unit was billed for the line's. */
function unitLeftOut({ price }: Subject, { factor, of, billed }: NonNullable<Billed['unit']>): Candidate {
  const what = () => `the price for ${of} billed for ${billed}: the factor between the units was left out`
  return { code: 'UNIT', variant: '', price: divide(price.value, factor), what }
}

const mostNamed = 3

function otherItem({ item }: Subject, keys: readonly string[], price: Ratio): Candidate[] {
  const others = [...new Set(keys)].filter(key => key !== item.item)
  if (others.length === 0) return []
  const named = others.slice(0, mostNamed).map(key => `"${key}"`)
  const more = others.length - named.length
  const what = () => `the price of ${andList(more > 0 ? [...named, `${more} more`] : named)}`
  return [{ code: 'OTHER_ITEM', variant: '', price, what }]
}

function firstOfEach(holding: readonly Candidate[]): Explanation[] {
  return reasonCodes.flatMap(code => {
    const first = holding.find(each => each.code === code)
    return first === undefined ? [] : [{ code, price: first.price, what: first.what() }]
  })
}

/** The cost of a quantity that is divided by days; not rounded yet. Prices are for the `per` of each part. */
export function sharedAmount(parts: readonly PricedDays[], prices: readonly Ratio[], quantity: Ratio): Ratio {
  const days = parts.reduce((sum, part) => sum + part.days, 0)
  return parts.reduce<Ratio>((sum, part, i) => {
    const share = { n: quantity.n * BigInt(part.days), d: quantity.d * BigInt(days) }
    return add(sum, divide(multiply(share, prices[i]!), part.subject.step.per))
  }, zero)
}

interface PricedItem {
  readonly item: string
  /** The price for one unit. */
  readonly price: Ratio
}

/** Every step of every item in one period, by price. */
class OtherItems {
  readonly #byPrice: ReadonlyMap<string, readonly PricedItem[]>
  readonly #sorted: readonly PricedItem[]

  constructor(pricing: Pricing, { place, offer: { list } }: Subject) {
    const all = list.items.flatMap(({ item, steps }) =>
      steps.flatMap(step => {
        const price = pricing.price(place, step, list.currency)
        return 'gap' in price ? [] : [{ item, price: reduce(divide(price.value, step.per)) }]
      }),
    )
    this.#byPrice = Map.groupBy(all, ({ price }) => keyOf(price))
    this.#sorted = [...all].sort((a, b) => compare(a.price, b.price))
  }

  priced(price: Ratio): string[] {
    return (this.#byPrice.get(keyOf(price)) ?? []).map(({ item }) => item)
  }

  /** Items from `low` to `high`, both included. */
  between(low: Ratio, high: Ratio): PricedItem[] {
    let [from, end] = [0, this.#sorted.length]
    while (from < end) {
      const middle = (from + end) >> 1
      if (compare(this.#sorted[middle]!.price, low) < 0) from = middle + 1
      else end = middle
    }
    const found: PricedItem[] = []
    for (let i = from; i < this.#sorted.length && compare(this.#sorted[i]!.price, high) <= 0; i++)
      found.push(this.#sorted[i]!)
    return found
  }
}

/** Whether two amounts are at most half a minor unit apart. */
export function isWithinHalf(a: Ratio, b: Ratio, currency: string): boolean {
  return compare(absolute(subtract(a, b)), halfMinorUnit(currency)) <= 0
}
