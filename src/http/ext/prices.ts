// `GET /pams/{pamId}/prices`: the prices of one agreement by item, step and period; `GET /prices`: those of all agreements, by
// slug. The rows are those of price files and of `prices list`.

import type { PriceRow, RowFilter } from '../../core/prices/price-rows.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Day } from '../../core/time/day.ts'
import { limits } from '../../limits.ts'
import type { CachedMoment } from '../../read/lists/cached-moment.ts'
import type { ApiRequest, Handled } from '../api/context.ts'
import { keepAnswer } from '../api/encoded.ts'
import { format, listAnswer, pageLimit } from '../api/list.ts'
import { checkRange, cursor, knownAt } from '../api/query.ts'
import type { Answer } from '../frame/answer.ts'
import { noSuchPam } from '../v1/agreements.ts'
import { schemas } from './description/schemas.ts'
import { item, priceDate, pricePeriod, pricesFrom, pricesTo } from './query.ts'
import { type WalkPlace, walkFrom, writePlace } from './walk.ts'

export const pricesParameters = {
  period: pricePeriod,
  date: priceDate,
  from: pricesFrom,
  to: pricesTo,
  item,
  limit: pageLimit(limits.ext.prices),
  cursor,
  knownAt,
  format,
}
type PricesRequest = ApiRequest<typeof pricesParameters>

export function listPricesOfOne(request: PricesRequest): Handled {
  const filter = filterOf(request)
  const filters = `ext prices ${request.id} ${narrowing(request)}`
  return walkFrom(request, filters, async (place, moment) => {
    const { parts, workspaceId, id } = request
    const index = await parts.library.index(workspaceId, { formulas: [id] })
    const pamId = index.agreementId(id)
    if (pamId === undefined) throw noSuchPam()
    const limit = limitOf(request)
    const from = place.after === '' ? 0 : Number.parseInt(place.after, 10)
    const asked = { ...filter, knownAt: place.knownAt, until: place.day }
    const page = await parts.library.prices.page(workspaceId, pamId, asked, { from, most: limit })
    if (page === null) throw noSuchPam()
    const after = page.next === null ? null : `${page.next}`
    return keepAnswer(
      request,
      index,
      moment,
      write(
        request,
        filters,
        place,
        page.rows.map(({ row }) => row),
        after,
      ),
      request.now.slice(0, 10),
    )
  })
}

export function listPricesOfAll(request: PricesRequest): Handled {
  const filter = filterOf(request)
  const filters = `ext prices of all ${narrowing(request)}`
  return walkFrom(request, filters, async (place, moment) => {
    // Without a choice, those of the day.
    const isChosen = filter.period !== undefined || filter.from !== undefined || filter.to !== undefined
    const narrowed = isChosen ? filter : { ...filter, date: filter.date ?? place.day }
    return pageOfAll(request, filters, narrowed, place, moment)
  })
}

async function pageOfAll(
  request: PricesRequest,
  filters: string,
  filter: RowFilter,
  place: WalkPlace,
  moment: CachedMoment,
): Promise<Answer> {
  const { parts, workspaceId, now } = request
  const { library } = parts
  const limit = limitOf(request)
  const asked = { filter, knownAt: place.knownAt, until: place.day }
  const index = await library.index(workspaceId)
  const agreements = await library.prices.active(workspaceId, asked)
  const [first, skipped] = beginOf(place)
  const rows: PriceRow[] = []
  let next = agreements.findIndex(({ slug }) => slug >= first)
  let offset = agreements[next]?.slug === first ? skipped : 0
  let computed = 0
  while (next >= 0 && next < agreements.length && rows.length < limit && computed < limits.ext.computedRows) {
    const some = agreements.slice(next, next + Math.min(limits.digestsAtOnce, limit - rows.length)).map(({ id }) => id)
    computed += some.filter(id => !library.pricesOfMany.has(id, asked)).length
    const prices = await library.pricesOfMany.read(workspaceId, some, asked)
    for (const id of some) {
      const page = prices.get(id)?.page(offset, limit - rows.length) ?? null
      rows.push(...(page?.rows ?? []))
      offset = page?.next ?? 0
      if (page !== null && page.next !== null) break
      next++
    }
  }
  const after = next >= 0 && next < agreements.length ? `${agreements[next]!.slug} ${offset}` : null
  return keepAnswer(request, index, moment, write(request, filters, place, rows, after), now.slice(0, 10))
}

/** The agreement that a page begins with, and how far into it. */
function beginOf({ after }: WalkPlace): readonly [string, number] {
  const [slug = '', offset = '0'] = after.split(' ')
  return [slug, Number.parseInt(offset, 10)]
}

function write(
  request: PricesRequest,
  filters: string,
  place: WalkPlace,
  rows: readonly PriceRow[],
  after: string | null,
): Answer {
  return listAnswer(request, schemas.PriceRow, {
    rows,
    limit: limitOf(request),
    hasMore: after !== null,
    nextCursor: after === null ? null : writePlace(request, filters, { ...place, after }),
  })
}

function limitOf({ query }: PricesRequest): number {
  return query.limit ?? limits.ext.prices
}

function filterOf({ query }: PricesRequest): RowFilter {
  const { period, date, from, to, item: key } = query
  const isRange = from !== null || to !== null
  if ([period !== null, date !== null, isRange].filter(Boolean).length > 1)
    throw new Refusal('invalid', 'only one of period, date, and from with to can be given')
  checkRange(from, to)
  const given = (day: Day | null) => day ?? undefined
  return { period: period ?? undefined, date: given(date), from: given(from), to: given(to), item: key ?? undefined }
}

/** What a cursor belongs to. */
function narrowing({ query }: PricesRequest): string {
  const { period, date, from, to, item: key, knownAt: cut } = query
  return JSON.stringify([period, date, from, to, key, cut?.text ?? null])
}
