// Factors and prices of agreements as observations. Each counts from a day on, which is its period in time; a number not signed by
// both is provisional.

import { numberOf, type PriceStatus } from '../../core/prices/agreement.ts'
import type { Pricing } from '../../core/prices/item-prices.ts'
import { placedRows } from '../../core/prices/price-rows.ts'
import { Refusal } from '../../core/refusal.ts'
import { type Day, formatDay, parseDay } from '../../core/time/day.ts'
import { codeId, notApplicable } from '../../formats/sdmx/code-id.ts'
import type { Observation, SeriesOfData } from '../../formats/sdmx/data-set.ts'
import { limits } from '../../limits.ts'
import { formatFactor } from '../../read/agreements/agreement-row.ts'
import { Slices } from '../../read/memory/slices.ts'
import type { ApiRequest } from '../api/context.ts'
import { digestOf, type Moment } from './moment.ts'
import type { DataQuery, FoundData, ObservationCount } from './requested-data.ts'

type AgreementRequest = Pick<ApiRequest<Record<string, never>>, 'parts' | 'workspaceId'>

export async function readAgreementData(
  request: AgreementRequest,
  moment: Moment,
  wanted: DataQuery,
  count: ObservationCount,
): Promise<FoundData | null> {
  refuseOtherClocks(wanted)
  const { agreements } = moment.catalogue
  const chosen = agreements.filter(({ id, name }) => mayMatch(wanted, id, name))
  // Without any agreement the dataflow exists, and is empty.
  if (chosen.length === 0) return agreements.length === 0 && wanted.key.firsts === null ? found(moment, []) : null
  if (chosen.length > limits.sdmx.agreements)
    throw new Refusal(
      'answer-too-large',
      `an answer is about at most ${limits.sdmx.agreements} agreements; name them in the key, with + between them`,
    )
  const { knownAt, day: until } = moment
  const slices = new Slices()
  const all: SeriesOfData[] = []
  for (const { id, name } of chosen) {
    if (count.isFull) break
    const pricing = await request.parts.library.prices.pricing(request.workspaceId, id, { knownAt, until })
    if (pricing === null) continue
    for await (const series of seriesOf(pricing, name, wanted, slices)) {
      count.add(series.observations.length)
      all.push(series)
    }
    await slices.rest()
  }
  if (all.length === 0 && !isAnyIndicator(wanted)) return null
  return found(moment, all)
}

async function found({ asked, catalogue }: Moment, all: readonly SeriesOfData[]): Promise<FoundData> {
  const slices = new Slices()
  const parts: string[] = []
  for (const each of all) {
    parts.push(digestOf([JSON.stringify(each)]))
    await slices.rest()
  }
  return {
    prepared: asked ?? catalogue.newest,
    content: digestOf(parts),
    async *series() {
      yield* all
    },
  }
}

function refuseOtherClocks({ asOf, updatedAfter, hasHistory }: DataQuery): void {
  const asked = asOf !== null ? 'asOf' : updatedAfter !== null ? 'updatedAfter' : hasHistory ? 'includeHistory' : null
  if (asked !== null)
    throw new Refusal('not-implemented', `${asked} is served for series; of agreements ask what was known with knownAt`)
}

function mayMatch({ key, tests }: DataQuery, slug: string, name: string): boolean {
  if (key.firsts !== null && !key.firsts.has(slug)) return false
  return (tests.get('AGREEMENT')?.(slug) ?? true) && (tests.get('TITLE')?.(name) ?? true)
}

/** Whether only agreements and time were asked for: then an answer without observations is right. */
function isAnyIndicator({ key, tests }: DataQuery): boolean {
  return key.firsts === null || tests.size === 0
}

interface CountedSeries extends SeriesOfData {
  readonly observations: readonly Observation[]
}

async function* seriesOf(
  pricing: Pricing,
  name: string,
  wanted: DataQuery,
  slices: Slices,
): AsyncGenerator<CountedSeries> {
  const { slug } = pricing.agreement
  const factor = [slug, 'FACTOR', notApplicable, notApplicable]
  if (isKeyWanted(wanted, factor)) yield* finished(factor, name, factorsOf(pricing), wanted)
  const prices = new Map<string, { readonly key: readonly string[]; readonly observations: DatedObservation[] }>()
  for (const { row: exact } of placedRows(pricing, {})) {
    await slices.rest()
    const { row } = exact
    const key = [slug, 'PRICE', codeId(row.item), codeId(row.fromQuantity)]
    if (!isKeyWanted(wanted, key)) continue
    const series = prices.get(key.join('.')) ?? { key, observations: [] }
    prices.set(key.join('.'), series)
    const { validFrom, validTo, status, period, currency, per, unit, price } = row
    series.observations.push(observation(parseDay(validFrom)!, price, { status, period, validTo, currency, per, unit }))
  }
  for (const { key, observations } of prices.values()) {
    await slices.rest()
    yield* finished(key, name, observations, wanted)
  }
}

function isKeyWanted({ key, tests }: DataQuery, [agreement, indicator, item, from]: readonly string[]): boolean {
  const values = { AGREEMENT: agreement!, INDICATOR: indicator!, ITEM: item!, FROM_QUANTITY: from! }
  return (
    key.matches(Object.values(values)) &&
    (['INDICATOR', 'ITEM', 'FROM_QUANTITY'] as const).every(each => tests.get(each)?.(values[each]) ?? true)
  )
}

interface DatedObservation extends Observation {
  readonly day: Day
  readonly status: PriceStatus
}

function factorsOf({ agreement: { periods, end } }: Pricing): DatedObservation[] {
  return periods.flatMap((each, i) => {
    const number = numberOf(each)
    if (number === null || each.isBaseOnly === true) return []
    const next = periods[i + 1]
    const last = next === undefined ? end : end === null ? next.date - 1 : Math.min(next.date - 1, end)
    // A new start on the same day leaves the one before no day.
    if (last !== null && last < each.date) return []
    const facts = { status: number.status, period: each.period, validTo: last === null ? null : formatDay(last) }
    return [observation(each.date, formatFactor(number.factor), { ...facts, currency: null, per: null, unit: null })]
  })
}

interface PriceFacts {
  readonly status: PriceStatus
  readonly period: string
  readonly validTo: string | null
  readonly currency: string | null
  readonly per: string | null
  readonly unit: string | null
}

function observation(
  day: Day,
  value: string,
  { status, period, validTo, currency, per, unit }: PriceFacts,
): DatedObservation {
  return {
    day,
    status,
    period: formatDay(day),
    value,
    attributes: [status === 'AGREED' ? 'A' : 'P', status, period, validTo, currency, per, unit],
    action: 'Information',
    validFrom: null,
    validTo: null,
  }
}

function* finished(
  key: readonly string[],
  name: string,
  observations: readonly DatedObservation[],
  { isTimeWanted, tests, first, last }: DataQuery,
): Generator<CountedSeries> {
  const inTime = observations.filter(each => isTimeWanted(each.day) && (tests.get('SIGNED')?.(each.status) ?? true))
  const kept =
    first === null && last === null
      ? inTime
      : inTime.filter((_, i) => i < (first ?? 0) || i >= inTime.length - (last ?? 0))
  if (kept.length > 0) yield { key, names: [name, null, null, null], attributes: [name], observations: kept }
}
