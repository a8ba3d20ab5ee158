// Prices as a whole file for another system, and `GET /left-out`: prices missing from such a file, or from the list, with reasons.
// A system that loads a file without a price would keep the old one.
import { Refusal } from '../../core/refusal.ts'
import { agreementsLeftOut, exportPrices, type LeftOut } from '../../formats/price-files/price-export.ts'
import type { PriceFileOptions, PriceFormat } from '../../formats/price-files/price-file.ts'
import { missingPartners } from '../../formats/price-files/sap-fields.ts'
import { limits } from '../../limits.ts'
import type { RowsWanted } from '../../read/prices.ts'
import type { ApiRequest } from '../api/context.ts'
import { contentTag } from '../api/encoded-answers.ts'
import { format, listAnswer, pageLimit } from '../api/list.ts'
import { cursor, knownAt } from '../api/query.ts'
import { type Answer, typedAnswer } from '../frame/answer.ts'
import { refused } from '../frame/sealed-cursor.ts'
import { namedAgreements } from './adjustments.ts'
import { schemas } from './description/schemas.ts'
import { momentOf } from './moments.ts'
import { type ChoiceQuery, choiceParameters, filterOf, narrowing, ofDay } from './price-choice.ts'
import { decimals, fileFor, only, set } from './query.ts'
import { formatPlace, type WalkPlace, walkFrom } from './walk.ts'

/** Header with the number of agreements that have missing prices. */
const leftOutHeader = 'assize-left-out'

/** Header with the missing fields of an IDoc's control record. */
const missingHeader = 'assize-missing'

export const leftOutParameters = {
  ...choiceParameters,
  for: fileFor,
  only,
  set,
  decimals,
  limit: pageLimit(limits.ext.prices),
  cursor,
  knownAt,
  format,
}
type LeftOutRequest = ApiRequest<typeof leftOutParameters>

/** Parameters that both routes share. */
interface FileQuery extends ChoiceQuery {
  readonly only: PriceFileOptions['only'] | null
  readonly set: PriceFileOptions['set'] | null
  readonly decimals: number | null
}
type FileRequest = Pick<ApiRequest<Record<string, never>>, 'parts' | 'workspaceId' | 'now'> & {
  readonly query: FileQuery
}

export function isForPages(priceFormat: PriceFormat | null): priceFormat is 'json' | 'csv' | null {
  return priceFormat === null || priceFormat === 'json' || priceFormat === 'csv'
}

/** Answers a whole file, without pages. */
export async function answerFile(
  request: FileRequest & Pick<ApiRequest<Record<string, never>>, 'path' | 'search'>,
  priceFormat: PriceFormat,
  place: WalkPlace,
): Promise<Answer> {
  const { text, leftOut } = await makeFile(request, priceFormat, place)
  const count = agreementsLeftOut(leftOut)
  const link = count === 0 ? [] : ['link', `<${leftOutAddress(request)}>; rel="related"`]
  const type = priceFormat === 'sap-idoc' ? 'application/xml' : 'text/csv'
  const missing = missingPartners(priceFormat, request.query.set ?? new Map())
  const lacking = missing.length === 0 ? [] : [missingHeader, missing.join(', ')]
  const headers = [leftOutHeader, `${count}`, ...lacking, ...link]
  return typedAnswer(`${type}; charset=utf-8`, text, { etag: contentTag(text), headers })
}

/** Address of the request for the missing prices. */
function leftOutAddress({ path, search }: Pick<ApiRequest<Record<string, never>>, 'path' | 'search'>): string {
  const query = search.replace(/(^|&)format=/, '$1for=')
  return `${path.replace(/prices$/, 'left-out')}?${query}`
}

export function listLeftOut(request: LeftOutRequest): Promise<Answer> {
  const { query } = request
  const filters = `ext left out ${narrowing(query)} ${JSON.stringify([query.for, query.only, [...(query.set ?? [])], query.decimals])}`
  return walkFrom(request, filters, async place => {
    const { leftOut } = await makeFile(request, query.for ?? 'json', place)
    const limit = query.limit ?? limits.ext.prices
    const from = place.after === '' ? 0 : Number.parseInt(place.after, 10)
    if (Number.isNaN(from)) throw refused()
    const next = from + limit
    const hasMore = next < leftOut.length
    return listAnswer(request, schemas.LeftOutRow, {
      rows: leftOut.slice(from, next),
      limit,
      hasMore,
      nextCursor: hasMore ? formatPlace(request, filters, { ...place, after: `${next}` }) : null,
    })
  })
}

async function makeFile(
  request: FileRequest,
  priceFormat: PriceFormat,
  place: WalkPlace,
): Promise<{ readonly text: string; readonly leftOut: readonly LeftOut[] }> {
  const { parts, workspaceId, query } = request
  const { library } = parts
  const filter = filterOf(query)
  const index = await library.index(workspaceId)
  const named = query.ids === null ? null : namedAgreements(index.pamsBySlug, index, query.ids)
  const wanted: RowsWanted = {
    // `true`: proposals beside a price in force are named.
    ...ofDay(filter, place.day, true),
    knownAt: place.knownAt,
    until: place.day,
    ids: named === null ? null : new Set(named.map(({ id }) => id)),
    changedSince: await momentOf(request, query.changedSince),
  }
  const agreements = []
  let count = 0
  for await (const each of library.prices.rowsOfAll(workspaceId, wanted)) {
    agreements.push(each)
    count += each.rows.length
    if (count > limits.ext.filePrices)
      throw new Refusal(
        'too-large',
        `a file has at most ${limits.ext.filePrices} prices; ask for fewer by ids, period, date or changedSince`,
      )
  }
  const options = {
    only: query.only ?? (isForPages(priceFormat) ? 'all' : 'agreed'),
    set: query.set ?? new Map<string, string>(),
    decimals: query.decimals,
  }
  const file = exportPrices(priceFormat, agreements, options)
  if ('problems' in file) throw new Refusal('invalid', file.problems.map(({ message }) => message).join('; '))
  return file
}
