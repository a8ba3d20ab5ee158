// The changes of a new price list, item by item: the base price as written, and the price in the newest period.

import { currencyOf, numberOf, type PricedAgreement, type PriceStatus } from './agreement.ts'
import { Pricing } from './item-prices.ts'
import {
  compareKeys,
  type ListRow,
  type ListVersion,
  makePriceList,
  type PriceList,
  type PriceStep,
} from './price-list.ts'

interface ListChange {
  readonly item: string
  /** The quantity from which it counts, `0` for all. */
  readonly fromQuantity: string
  /** Base prices, `12.40`; null where the other list alone has the item. */
  readonly before: string | null
  readonly after: string | null
  /** The prices in the newest period, and who has signed its number; null where there is none. */
  readonly nowBefore: string | null
  readonly nowAfter: string | null
  readonly status: PriceStatus | null
}

export interface ListComparison {
  readonly changes: readonly ListChange[]
  readonly unchanged: number
  readonly currency: string | null
  /** The period; null before the first one that the list governs. */
  readonly period: string | null
}

/** `start`: the beginning of the new list. */
export function compareLists(
  agreement: PricedAgreement,
  rows: readonly ListRow[],
  start: Pick<ListVersion, 'from' | 'fromDate' | 'ownPriceUntil'>,
): ListComparison {
  const list = makePriceList(rows)
  const place = agreement.periods.length - 1
  const before = new Pricing(agreement)
  const number = (agreement.lists.at(-1)?.number ?? 0) + 1
  const { from, fromDate, ownPriceUntil } = start
  const after = new Pricing({
    ...agreement,
    lists: [...agreement.lists, { number, from, fromDate, ownPriceUntil, list }],
  })
  const offer = before.offer(place)
  const old = 'gap' in offer || offer.version === null ? null : offer.list
  const isGoverning = agreement.periods[place]!.date >= start.fromDate
  const priceIn = (pricing: Pricing, step: PriceStep | undefined, currency: string) => {
    const price = step === undefined ? null : pricing.price(place, step, currency)
    return price === null || 'gap' in price ? null : price
  }
  const [oldSteps, newSteps] = [stepsOf(old), stepsOf(list)]
  const keys = [...new Set([...oldSteps.keys(), ...newSteps.keys()])].sort(compareKeys)
  const all = keys.map((key): ListChange => {
    const [was, is] = [oldSteps.get(key), newSteps.get(key)]
    const [nowBefore, nowAfter] = [
      old === null ? null : priceIn(before, was?.step, old.currency),
      isGoverning ? priceIn(after, is?.step, list.currency) : null,
    ]
    return {
      item: (is ?? was)!.item,
      fromQuantity: (is ?? was)!.step.fromText,
      before: was === undefined ? null : written(was.step),
      after: is === undefined ? null : written(is.step),
      nowBefore: nowBefore?.text ?? null,
      nowAfter: isGoverning ? (nowAfter?.text ?? null) : (nowBefore?.text ?? null),
      status: (nowAfter ?? nowBefore)?.status ?? numberOf(agreement.periods[place]!)?.status ?? null,
    }
  })
  const changes = all.filter(each => each.before !== each.after || each.nowBefore !== each.nowAfter)
  return {
    changes,
    unchanged: all.length - changes.length,
    currency: list.currency ?? currencyOf(agreement),
    period: isGoverning ? agreement.periods[place]!.period : null,
  }
}

function stepsOf(list: PriceList | null): ReadonlyMap<string, { readonly item: string; readonly step: PriceStep }> {
  const steps = (list?.items ?? []).flatMap(({ item, steps: own }) => own.map(step => ({ item, step })))
  return new Map(steps.map(each => [`${each.item}\n${each.step.fromText}`, each]))
}

/** The price with its quantity, if that is not one. */
function written({ priceText, perText }: PriceStep): string {
  return perText === '1' ? priceText : `${priceText} / ${perText}`
}
