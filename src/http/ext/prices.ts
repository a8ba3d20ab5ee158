// `GET /pams/{pamId}/prices`: the prices of one agreement by item, step and period; `GET /prices`: those of all agreements, by
// slug, in pages or as a file for another system. The rows are those of price files and of `prices list`.

import { type KeyedRow, keyedRow, type RowFilter } from '../../core/prices/price-rows.ts'
import { Refusal } from '../../core/refusal.ts'
import { chosenRows } from '../../formats/price-files/price-file.ts'
import { limits } from '../../limits.ts'
import type { CachedMoment } from '../../read/lists/cached-moment.ts'
import type { AnswerFormat, ApiRequest } from '../api/context.ts'
import { keepAnswer } from '../api/encoded-answers.ts'
import { format, listAnswer, pageLimit } from '../api/list.ts'
import { cursor, knownAt } from '../api/query.ts'
import type { Answer } from '../frame/answer.ts'
import { countParameter } from '../frame/parameters.ts'
import { noSuchPam } from '../v1/agreements.ts'
import { namedAgreements } from './adjustments.ts'
import { schemas } from './description/schemas.ts'
import { momentOf } from './moments.ts'
import { choiceParameters, filterOf, filterParameters, isWithProposed, narrowing, ofDay } from './price-choice.ts'
import { answerFile, isForPages } from './price-files.ts'
import { decimals, only, priceFormat, set } from './query.ts'
import { formatPlace, type WalkPlace, walkFrom } from './walk.ts'

const most = limits.ext.prices

export const pricesOfOneParameters = { ...filterParameters, limit: pageLimit(most), cursor, knownAt, format }
type OneRequest = ApiRequest<typeof pricesOfOneParameters>

export const pricesParameters = {
  ...choiceParameters,
  only,
  // No default: generated clients send defaults, and a file has no pages.
  limit: countParameter('limit', most, null, `At most this many, ${most} unless said otherwise; not with files`),
  cursor,
  knownAt,
  format: priceFormat,
  set,
  decimals,
}
type PricesRequest = ApiRequest<typeof pricesParameters>

export function listPricesOfOne(request: OneRequest): Promise<Answer> {
  const filter = filterOf(request.query)
  const filters = `ext prices ${request.id} ${narrowing(request.query)}`
  return walkFrom(request, filters, async (place, moment) => {
    const { parts, workspaceId, id } = request
    const index = await parts.library.index(workspaceId, { agreements: [id] })
    const agreementId = index.agreementId(id)
    if (agreementId === undefined) throw noSuchPam()
    const from = place.after === '' ? 0 : Number.parseInt(place.after, 10)
    const asked = { ...filter, knownAt: place.knownAt, until: place.day }
    const page = await parts.library.prices.page(workspaceId, agreementId, asked, { from, most: limitOf(request) })
    if (page === null) throw noSuchPam()
    const after = page.next === null ? null : `${page.next}`
    const rows = page.rows.map(keyedRow)
    const answer = await write(request, request.query.format, filters, { place, rows, after, ids: [agreementId] })
    return keepAnswer(request, index, moment, answer, request.now.slice(0, 10))
  })
}

export function listPricesOfAll(request: PricesRequest): Promise<Answer> {
  const { query } = request
  const filter = filterOf(query)
  const filters = `ext prices of all ${narrowing(query)} ${query.only}`
  const { format: chosen } = query
  if (!isForPages(chosen)) {
    if (query.limit !== null || query.cursor !== null)
      throw new Refusal('invalid', `${chosen} is a whole file: limit and cursor are for json and csv`)
    return walkFrom(request, filters, place => answerFile(request, chosen, place))
  }
  if (query.set !== null || query.decimals !== null)
    throw new Refusal('invalid', 'set and decimals are for files of SAP, Dynamics 365 and Business Central')
  return walkFrom(request, filters, async (place, moment) => {
    const narrowed = ofDay(filter, place.day, isWithProposed(query.only))
    return pageOfAll(request, chosen, filters, { filter: narrowed, place, moment })
  })
}

interface PageWanted {
  readonly filter: RowFilter
  readonly place: WalkPlace
  readonly moment: CachedMoment
}

async function pageOfAll(
  request: PricesRequest,
  chosen: AnswerFormat | null,
  filters: string,
  { filter, place, moment }: PageWanted,
): Promise<Answer> {
  const { parts, workspaceId, now, query } = request
  const { library } = parts
  const limit = limitOf(request)
  const asked = { filter, knownAt: place.knownAt, until: place.day }
  const index = await library.index(workspaceId)
  const since = await momentOf(request, query.changedSince)
  const agreements = namedAgreements(await library.prices.active(workspaceId, asked), index, query.ids)
  const [first, skipped] = beginOf(place)
  const rows: KeyedRow[] = []
  let next = agreements.findIndex(({ slug }) => slug >= first)
  let offset = agreements[next]?.slug === first ? skipped : 0
  let computed = 0
  while (next >= 0 && next < agreements.length && rows.length < limit && computed < limits.ext.computedRows) {
    const some = agreements.slice(next, next + Math.min(limits.digestsAtOnce, limit - rows.length)).map(({ id }) => id)
    computed += some.filter(id => !library.pricesOfMany.has(id, asked)).length
    const prices = await library.pricesOfMany.read(workspaceId, some, asked)
    for (const id of some) {
      const own = prices.get(id)
      const isWanted = own !== undefined && (since === null || own.isChangedSince(since))
      const page = isWanted ? own.page(offset, limit - rows.length) : null
      rows.push(
        ...chosenRows(
          (page?.rows ?? []).map(row => ({ row })),
          query.only ?? 'all',
        ).map(({ row }) => row),
      )
      offset = page?.next ?? 0
      if (page !== null && page.next !== null) break
      next++
    }
  }
  const after = next >= 0 && next < agreements.length ? `${agreements[next]!.slug} ${offset}` : null
  const ids = agreements.map(({ id }) => id)
  const answer = await write(request, chosen, filters, { place, rows, after, ids })
  return keepAnswer(request, index, moment, answer, now.slice(0, 10))
}

/** First agreement of a page, and the offset into it. */
function beginOf({ after }: WalkPlace): readonly [string, number] {
  const [slug = '', offset = '0'] = after.split(' ')
  return [slug, Number.parseInt(offset, 10)]
}

interface PricePage {
  readonly place: WalkPlace
  readonly rows: readonly KeyedRow[]
  /** Start of the next page; null where there is none. */
  readonly after: string | null
  /** Agreements of the walk: a table has the columns of all of them on every page. */
  readonly ids: readonly string[]
}

async function write(
  request: Pick<PricesRequest, 'parts' | 'workspaceId' | 'now' | 'today' | 'path' | 'search' | 'accepted'> & {
    readonly query: Pick<PricesRequest['query'], 'limit' | 'cursor' | 'knownAt'>
  },
  chosen: AnswerFormat | null,
  filters: string,
  { place, rows, after, ids }: PricePage,
): Promise<Answer> {
  const { parts, workspaceId, path, search, accepted } = request
  const isTable = (chosen ?? accepted) === 'csv'
  const names = isTable ? await parts.library.erpNames.read(workspaceId, ids, place.knownAt) : []
  return listAnswer({ path, search, accepted, query: { format: chosen } }, schemas.PriceRow, {
    rows,
    limit: limitOf(request),
    hasMore: after !== null,
    nextCursor: after === null ? null : formatPlace(request, filters, { ...place, after }),
    moreColumns: names.map(name => `erp_${name}`),
  })
}

function limitOf({ query }: { readonly query: { readonly limit: number | null } }): number {
  return query.limit ?? most
}
