// `GET /adjustments`: one row per agreement, in the order of their slugs.
import { Refusal } from '../../core/refusal.ts'
import { limits } from '../../limits.ts'
import type { AgreementRow, RowChoice } from '../../read/agreements/agreement-row.ts'
import type { CachedIndex } from '../../read/lists/cached-index.ts'
import type { AgreementRecord } from '../../storage/agreements/agreements.ts'
import type { ApiRequest } from '../api/context.ts'
import { keepAnswer } from '../api/encoded-answers.ts'
import { format, listAnswer, pageLimit } from '../api/list.ts'
import { cursor, date, knownAt, period } from '../api/query.ts'
import type { Answer } from '../frame/answer.ts'
import { schemas } from './description/schemas.ts'
import { ids, latest, rowStatus } from './query.ts'
import { formatPlace, type WalkPlace, walkFrom } from './walk.ts'

export const adjustmentsParameters = {
  date,
  period,
  latest,
  status: rowStatus,
  ids,
  limit: pageLimit(limits.ext.adjustments),
  cursor,
  knownAt,
  format,
}
type AdjustmentsRequest = ApiRequest<typeof adjustmentsParameters>

export function listAdjustments(request: AdjustmentsRequest): Promise<Answer> {
  const choice = choiceOf(request.query)
  return walkFrom(request, filtersOf(request), async (place, moment) => {
    // Read after the moment: entries between the two are in the lists, and the answer is not cached.
    const index = await request.parts.library.index(request.workspaceId)
    const answer = await page(request, index, choice, place)
    return keepAnswer(request, index, moment, answer, request.now.slice(0, 10))
  })
}

function choiceOf({ date: day, period: label, latest: isLatest }: AdjustmentsRequest['query']): RowChoice {
  const given = [day, label, isLatest].filter(each => each !== null)
  if (given.length > 1) throw new Refusal('invalid', 'only one of date, period and latest can be given')
  if (day !== null) return { kind: 'date', date: day }
  return label === null ? { kind: 'latest' } : { kind: 'period', period: label }
}

async function page(
  request: AdjustmentsRequest,
  index: CachedIndex,
  choice: RowChoice,
  pin: WalkPlace,
): Promise<Answer> {
  const { query, parts, workspaceId } = request
  const limit = query.limit ?? limits.ext.adjustments
  const asked = { choice, knownAt: pin.knownAt, day: pin.day }
  if (choice.kind === 'latest') await parts.library.rows.prepare(workspaceId)
  const agreements = namedAgreements(index.pamsBySlug, index, query.ids)
  const rows: AgreementRow[] = []
  let place = firstAfter(agreements, pin.after)
  let computed = 0
  while (place < agreements.length && rows.length < limit && computed < limits.ext.computedRows) {
    const some = agreements.slice(place, place + limit - rows.length).map(({ id }) => id)
    computed += some.filter(id => !parts.library.rows.has(id, asked)).length
    const found = await parts.library.rows.read(workspaceId, some, asked)
    rows.push(...found.filter(row => row !== null).filter(row => isWanted(row, query.status)))
    place += some.length
  }
  const hasMore = place < agreements.length
  const after = agreements[place - 1]?.slug ?? ''
  return listAnswer(request, schemas.AdjustmentRow, {
    rows,
    limit,
    hasMore,
    nextCursor: hasMore ? formatPlace(request, filtersOf(request), { ...pin, after }) : null,
  })
}

/** SIGNED rows are signed by both; OPEN rows are neither signed nor blocked. */
function isWanted({ status }: AgreementRow, wanted: AdjustmentsRequest['query']['status']): boolean {
  if (wanted === null) return true
  if (wanted === 'SIGNED') return status === 'AGREED'
  return wanted === 'BLOCKED' ? status === 'BLOCKED' : status !== 'AGREED' && status !== 'BLOCKED'
}

/** Named agreements of a list, in its order; all unless some are named. A missing one is refused. */
export function namedAgreements<Each extends Pick<AgreementRecord, 'id'>>(
  list: readonly Each[],
  index: CachedIndex,
  wanted: readonly string[] | null,
): readonly Each[] {
  if (wanted === null) return list
  const found = new Set(
    wanted.map((idOrSlug, i) => {
      const id = index.agreementId(idOrSlug)
      // Refused by its place: the answer about a name of another workspace equals that about an unknown name.
      if (id === undefined) throw new Refusal('not-found', `there is no such agreement: number ${i + 1} of ids`)
      return id
    }),
  )
  return list.filter(({ id }) => found.has(id))
}

function firstAfter(list: readonly { readonly slug: string }[], slug: string): number {
  const place = list.findIndex(each => each.slug > slug)
  return place < 0 ? list.length : place
}

function filtersOf({ query }: AdjustmentsRequest): string {
  const { date: day, period: label, latest: isLatest, status, ids: wanted, knownAt: cut } = query
  return `ext adjustments ${JSON.stringify([day, label, isLatest, status, wanted, cut?.text ?? null])}`
}
