// The prices in force on a day: those of the newest period that both signed, until the next is signed; and the proposed prices
// beside them. Lists, routes, files, pages and the check ask here and nowhere else, so that they all agree.

import { compare } from '../numbers/ratio.ts'
import type { Day } from '../time/day.ts'
import type { PriceStatus } from './agreement.ts'
import type { Offer, Pricing } from './item-prices.ts'
import type { ListItem, PriceStep } from './price-list.ts'

/** An item of a period, by the list that governs there. */
interface ItemOfPeriod {
  readonly place: number
  readonly offer: Offer
  readonly item: ListItem
}

export interface StepOfPeriod extends ItemOfPeriod {
  readonly step: PriceStep
}

/** Pairs of items of different periods, in which the later item is the earlier one, or replaces it. */
interface Succession {
  /** Successors by the settled item. */
  readonly successors: ReadonlyMap<ListItem, ListItem>
  readonly predecessors: ReadonlyMap<ListItem, readonly ListItem[]>
}

export class InForce {
  readonly #pricing: Pricing
  readonly #successions = new Map<string, Succession>()

  constructor(pricing: Pricing) {
    this.#pricing = pricing
  }

  /** Whether the contract covers a day, and the next adjustment date is still to come on it. */
  isTold(day: Day): boolean {
    const { start, end, next } = this.#pricing.agreement
    return day >= start && (end === null || day <= end) && (next === null || day < next.date)
  }

  /**
   * The place of the newest period that both signed. Null for a viewer who may not see that one, and where later records cannot
   * be relied on.
   */
  settledOn(day: Day): number | null {
    if (!this.isTold(day)) return null
    const place = this.#lastSettled(this.#pricing.placeOn(day))
    return place === null || this.#isEnd(place) ? null : place
  }

  /** The place of the newest later period by that day that has a number and a list. */
  proposedOn(day: Day): number | null {
    if (!this.isTold(day)) return null
    const newest = this.#pricing.placeOn(day)
    const settled = this.#lastSettled(newest) ?? -1
    for (let place = newest; place > settled; place--) if (this.#isPriced(place)) return place
    return null
  }

  /** The day before the next period that both signed; null where none has come. */
  settledUntil(place: number): Day | null {
    const { periods } = this.#pricing.agreement
    const next = periods.findIndex((_, i) => i > place && this.#isSettled(i))
    return next < 0 ? null : periods[next]!.date - 1
  }

  #lastSettled(from: number): number | null {
    for (let place = from; place >= 0; place--) if (this.#isSettled(place)) return place
    return null
  }

  /** Whether both signed a period, or may have: nothing counts before a record that was changed from outside. */
  #isSettled(place: number): boolean {
    const { number } = this.#pricing.at(place)
    if (!this.#pricing.isPeriod(place)) return false
    return 'gap' in number ? number.gap.kind === 'record' : number.status === 'AGREED'
  }

  #isEnd(place: number): boolean {
    const { number, isBaseOnly } = this.#pricing.at(place)
    return isBaseOnly === true || 'gap' in number
  }

  #isPriced(place: number): boolean {
    return this.#pricing.isPeriod(place) && !('gap' in this.#pricing.at(place).number) && this.offer(place) !== null
  }

  offer(place: number | null): Offer | null {
    const offer = place === null ? null : this.#pricing.offer(place)
    return offer === null || 'gap' in offer ? null : offer
  }

  /** The status of the numbers behind a step's price; null where it has no price. */
  statusOf({ place, step }: Pick<StepOfPeriod, 'place' | 'step'>): PriceStatus | null {
    return this.#pricing.statusOf(place, step.base)
  }

  /** Whether a step of the settled period is in force on a day: it may be billed, and both signed its numbers. */
  #holds(step: StepOfPeriod, day: Day): boolean {
    return isValidOn(step.item, day) && this.statusOf(step) === 'AGREED'
  }

  /** The items whose prices are in force on a day; for one key, also the items that it is proposed to replace. */
  itemsOn(day: Day, key?: string): readonly ItemOfPeriod[] {
    const place = this.settledOn(day)
    const offer = this.offer(place)
    if (place === null || offer === null) return []
    return this.#itemsBy(offer.list, day, key).map(item => ({ place, offer, item }))
  }

  #itemsBy({ items, find }: Offer['list'], day: Day, key: string | undefined): readonly ListItem[] {
    if (key === undefined) return items
    const own = find(key)
    if (own !== undefined) return [own]
    const coming = this.offer(this.proposedOn(day))?.list.find(key)
    return coming === undefined ? [] : (this.#successionOn(day)?.predecessors.get(coming) ?? [])
  }

  stepsOn(day: Day, key?: string): readonly StepOfPeriod[] {
    return this.itemsOn(day, key).flatMap(found =>
      found.item.steps.map(step => ({ ...found, step })).filter(step => this.#holds(step, day)),
    )
  }

  /** Every step that is proposed on a day, beside another that is in force or alone. */
  proposedStepsOn(day: Day, key?: string): readonly StepOfPeriod[] {
    const place = this.proposedOn(day)
    const offer = this.offer(place)
    if (place === null || offer === null) return []
    const items = key === undefined ? offer.list.items : this.#proposedBy(offer.list, day, key)
    return items
      .filter(item => isValidOn(item, day))
      .flatMap(item => item.steps.map(step => ({ place, offer, item, step })))
      .filter(step => this.statusOf(step) !== null)
  }

  #proposedBy({ find }: Offer['list'], day: Day, key: string): readonly ListItem[] {
    const own = find(key)
    if (own !== undefined) return [own]
    const current = this.offer(this.settledOn(day))?.list.find(key)
    const coming = current === undefined ? undefined : this.#successionOn(day)?.successors.get(current)
    return coming === undefined ? [] : [coming]
  }

  /** Proposed steps of an item, or of a step, that has no price in force on the day. */
  proposedAloneOn(day: Day, key?: string): readonly StepOfPeriod[] {
    const proposed = this.proposedStepsOn(day, key)
    const current = this.settledOn(day)
    const offer = this.offer(current)
    if (current === null || offer === null) return proposed
    const before = this.#successionOn(day)?.predecessors
    const held = new Map<ListItem, readonly StepOfPeriod[]>()
    const heldOf = (item: ListItem) =>
      held.getOrInsertComputed(item, () =>
        (before?.get(item) ?? [])
          .flatMap(each => each.steps.map(step => ({ place: current, offer, item: each, step })))
          .filter(step => this.#holds(step, day)),
      )
    return proposed.filter(({ item, step }) => {
      if (heldOf(item).length === 0) return true
      const same = (before?.get(item) ?? []).flatMap(({ steps }) => steps).filter(isSameStep(step))
      return same.length > 0 && !heldOf(item).some(each => isSameStep(step)(each.step))
    })
  }

  /** The proposed step for one that is in force on a day; null for a step that is not, and where nothing is proposed. */
  proposedFor(day: Day, from: StepOfPeriod): StepOfPeriod | null {
    const place = this.proposedOn(day)
    const offer = this.offer(place)
    if (place === null || offer === null || from.place !== this.settledOn(day) || !this.#holds(from, day)) return null
    const item = this.#successionOn(day)?.successors.get(from.item)
    const step = item?.steps.find(isSameStep(from.step))
    return item === undefined || step === undefined || !isValidOn(item, day) ? null : { place, offer, item, step }
  }

  /** The succession of the settled and the proposed items of a day; null where one of the two is missing. */
  #successionOn(day: Day): Succession | null {
    const [from, to] = [this.settledOn(day), this.proposedOn(day)]
    const [before, after] = [this.offer(from), this.offer(to)]
    if (before === null || after === null) return null
    return this.#successions.getOrInsertComputed(`${from} ${to}`, () => {
      const successors = new Map(
        before.list.items.flatMap(item => {
          const next = this.#successor(item.item, before, after)
          return next === undefined ? [] : [[item, next] as const]
        }),
      )
      const pairs = Map.groupBy(successors, ([, next]) => next)
      return { successors, predecessors: new Map([...pairs].map(([next, each]) => [next, each.map(([item]) => item)])) }
    })
  }

  /** An item of another list may have been replaced more than once since. */
  #successor(key: string, before: Offer, after: Offer): ListItem | undefined {
    const own = after.list.find(key)
    if (own !== undefined) return own
    const between = this.#pricing.agreement.lists.filter(
      ({ number }) => number > (before.version ?? 0) && number < (after.version ?? 0),
    )
    return after.list.find(between.reduce((name, { list }) => list.find(name)?.item ?? name, key))
  }
}

function isSameStep({ from }: PriceStep): (other: PriceStep) => boolean {
  return other => compare(other.from, from) === 0
}

export function isValidOn({ validFrom, validTo }: ListItem, day: Day): boolean {
  return (validFrom === null || validFrom <= day) && (validTo === null || day <= validTo)
}
