// `GET /invoices`: kept invoice lines, by date, supplier, invoice and line; `GET /invoices/{supplierKey}/{number}`: the lines of
// one invoice. Lines that undo others are listed with them.

import { Refusal } from '../../core/refusal.ts'
import { formatDay } from '../../core/time/day.ts'
import { limits } from '../../limits.ts'
import { invoiceRowOf } from '../../read/invoice-row.ts'
import type { CachedIndex } from '../../read/lists/cached-index.ts'
import type { LinesWanted } from '../../read/prices.ts'
import type { ApiRequest } from '../api/context.ts'
import { keepAnswer } from '../api/encoded-answers.ts'
import { format, listAnswer, pageLimit } from '../api/list.ts'
import { checkRange, cursor, knownAt } from '../api/query.ts'
import type { Answer } from '../frame/answer.ts'
import { refused } from '../frame/sealed-cursor.ts'
import { noSuchPam } from '../v1/agreements.ts'
import { schemas } from './description/schemas.ts'
import { invoicesFrom, invoicesTo, pam } from './query.ts'
import { formatPlace, type WalkPlace, walkFrom } from './walk.ts'

const paging = { limit: pageLimit(limits.ext.invoiceLines), cursor, knownAt, format }
export const invoicesParameters = { pam, from: invoicesFrom, to: invoicesTo, ...paging }
export const invoiceParameters = paging
type PagingRequest = ApiRequest<typeof paging>

export function listInvoices(request: ApiRequest<typeof invoicesParameters>): Promise<Answer> {
  const { pam: wanted, from, to, knownAt: cut } = request.query
  checkRange(from, to)
  const filters = `ext invoices ${JSON.stringify([wanted, from, to, cut?.text ?? null])}`
  const days = { from: from === null ? null : formatDay(from), to: to === null ? null : formatDay(to) }
  return walkFrom(request, filters, async (place, moment) => {
    const { library } = request.parts
    const index = await library.index(request.workspaceId, wanted === null ? {} : { agreements: [wanted] })
    const agreementIds = wanted === null ? null : [idOf(index, wanted)]
    const answer = await page(request, filters, place, { agreementIds, ...days })
    return keepAnswer(request, index, moment, answer)
  })
}

function idOf(index: CachedIndex, wanted: string): string {
  const id = index.agreementId(wanted)
  if (id === undefined) throw noSuchPam()
  return id
}

export function showInvoice(request: PagingRequest): Promise<Answer> {
  const [supplier, number] = request.ids as readonly [string, string]
  // Reads the query, so that a bad one is refused before any look-up.
  void request.query
  if (![supplier, number].every(isName)) throw new Refusal('not-found', noSuchInvoice)
  const filters = `ext invoice ${JSON.stringify([supplier, number, request.query.knownAt?.text ?? null])}`
  return walkFrom(request, filters, async (place, moment) => {
    const index = await request.parts.library.index(request.workspaceId, {})
    const answer = await page(
      request,
      filters,
      place,
      { agreementIds: null, invoice: { supplier, number } },
      noSuchInvoice,
    )
    return keepAnswer(request, index, moment, answer)
  })
}

const noSuchInvoice = 'there is no such invoice'

/** False for texts that are never stored, and that the database would not accept. */
function isName(text: string): boolean {
  return text.isWellFormed() && !/\p{Cc}/u.test(text)
}

/** `nothing` is the refusal for a list without lines. */
async function page(
  request: PagingRequest,
  filters: string,
  place: WalkPlace,
  filter: Omit<LinesWanted, 'most'>,
  nothing: string | null = null,
): Promise<Answer> {
  const { parts, workspaceId, query } = request
  const limit = query.limit ?? limits.ext.invoiceLines
  if (place.after !== '' && !/^inl_[0-9a-z]{26}$/.test(place.after)) throw refused()
  const after = place.after === '' ? null : place.after
  const wanted = { ...filter, knownAt: place.knownAt, after, most: limit + 1 }
  const lines = await parts.library.prices.lines(workspaceId, wanted)
  if (lines.length === 0 && nothing !== null) throw new Refusal('not-found', nothing)
  const shown = lines.slice(0, limit)
  const time = { knownAt: place.knownAt, until: place.day }
  const documents = await parts.library.trueUps.documentsOf(workspaceId, shown, time)
  const hasMore = lines.length > limit
  const last = shown.at(-1)?.id ?? ''
  return listAnswer(request, schemas.InvoiceLine, {
    rows: shown.map(line => invoiceRowOf(line, documents.get(line.id) ?? null)),
    limit,
    hasMore,
    nextCursor: hasMore ? formatPlace(request, filters, { ...place, after: last }) : null,
  })
}
