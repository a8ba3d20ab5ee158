// Choice of prices in a request: by period, day, range, item and agreement.
import type { RowFilter } from '../../core/prices/price-rows.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Day } from '../../core/time/day.ts'
import type { RowChoice } from '../../formats/price-files/price-file.ts'
import { type CutText, checkRange } from '../api/query.ts'
import type { Values } from '../frame/parameters.ts'
import { changedSince, ids, item, priceDate, pricePeriod, pricesFrom, pricesTo } from './query.ts'

export const filterParameters = { period: pricePeriod, date: priceDate, from: pricesFrom, to: pricesTo, item }
export const choiceParameters = { ...filterParameters, ids, changedSince }

type FilterQuery = Values<typeof filterParameters>
export type ChoiceQuery = Values<typeof choiceParameters>

export function filterOf({ period, date, from, to, item: key }: FilterQuery): RowFilter {
  const isRange = from !== null || to !== null
  if ([period !== null, date !== null, isRange].filter(Boolean).length > 1)
    throw new Refusal('invalid', 'only one of period, date, and from with to can be given')
  checkRange(from, to)
  const given = (day: Day | null) => day ?? undefined
  return { period: period ?? undefined, date: given(date), from: given(from), to: given(to), item: key ?? undefined }
}

/** Filter for prices of many agreements: those of a day, unless a period or a range is chosen. */
export function ofDay(filter: RowFilter, today: Day, withProposed: boolean): RowFilter {
  const { period, from, to, date = today } = filter
  return period === undefined && from === undefined && to === undefined ? { ...filter, date, withProposed } : filter
}

/** Whether the proposal beside a price in force is a row of its own. */
export function isWithProposed(only: RowChoice | null): boolean {
  return only === 'signed' || only === 'all'
}

/** Filters that a cursor belongs to. */
export function narrowing(query: FilterQuery & Partial<ChoiceQuery> & { readonly knownAt: CutText | null }): string {
  const { period, date, from, to, item: key, knownAt: cut, ids: named = null, changedSince: since = null } = query
  return JSON.stringify([period, date, from, to, key, cut?.text ?? null, named, since?.text ?? null])
}
