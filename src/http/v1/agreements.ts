// `GET /pams` and `GET /pams/:id`: the agreements of a workspace and one of them.

import { Refusal } from '../../core/refusal.ts'
import { formatDay } from '../../core/time/day.ts'
import { limits } from '../../limits.ts'
import type { CachedAgreement } from '../../read/lists/cached-agreement.ts'
import { type CachedIndex, placeAfter } from '../../read/lists/cached-index.ts'
import { type AgreementRecord, type AgreementStateRow, updatedAt } from '../../storage/agreements/agreements.ts'
import type { ApiRequest } from '../api/context.ts'
import { contentTag, keepAnswer } from '../api/encoded-answers.ts'
import { cursor, limitParameter } from '../api/query.ts'
import { type Answer, jsonAnswer } from '../frame/answer.ts'
import type { CursorPlace } from '../frame/cursor.ts'
import { milliseconds } from './series.ts'

export const pamListParameters = { limit: limitParameter(limits.agreementPage), cursor }
export const pamParameters = {}

export async function listPams(request: ApiRequest<typeof pamListParameters>): Promise<Answer> {
  const { query, parts, workspaceId } = request
  const place = query.cursor === null ? null : parts.cursors.read(workspaceId, 'pams', query.cursor)
  const limit = query.limit ?? limits.agreementPage.usual
  const agreementPage = { after: place?.after ?? '', seq: place?.pin.own ?? null, most: limit + 1 }
  const index = await parts.library.index(workspaceId, { agreementPage })
  return keepAnswer(request, index, index, page(request, { place, limit }, index))
}

function page(
  { parts, workspaceId }: ApiRequest<typeof pamListParameters>,
  { place, limit }: { readonly place: CursorPlace | null; readonly limit: number },
  { agreements, newestOfAgreements }: CachedIndex,
): Answer {
  const seq = place?.pin.own ?? newestOfAgreements
  const shown: AgreementRecord[] = []
  let hasMore = false
  for (let i = placeAfter(agreements, place?.after ?? ''); i < agreements.length && !hasMore; i++) {
    const pam = agreements[i]!
    if ((pam.states[0]?.seq ?? Number.POSITIVE_INFINITY) > seq) continue
    if (shown.length === limit) hasMore = true
    else shown.push(pam)
  }
  const pin = { own: seq, public: 0 }
  const nextCursor = hasMore ? parts.cursors.write(workspaceId, 'pams', { after: shown.at(-1)!.id, pin }) : null
  const data = shown.map(pam => summary(pam, pam.states.findLast(state => state.seq <= seq)!, seq))
  const body = JSON.stringify({ data, pagination: { limit, hasMore, nextCursor } })
  return jsonAnswer(body, contentTag(body))
}

function summary(pam: AgreementRecord, { name, description, status }: AgreementStateRow, seq?: number) {
  const times = { createdAt: milliseconds(pam.createdAt), updatedAt: milliseconds(updatedAt(pam, seq)) }
  return { id: pam.id, name, description, status, ...times }
}

/** The agreement in the path, by id or slug, with the index that has it. */
export async function findPam({
  parts,
  workspaceId,
  id,
}: Pick<ApiRequest<Record<string, never>>, 'parts' | 'workspaceId' | 'id'>): Promise<
  readonly [CachedAgreement, CachedIndex]
> {
  const index = await parts.library.index(workspaceId, { agreements: [id] })
  const agreementId = index.agreementId(id)
  const cached = agreementId === undefined ? null : await parts.library.agreement(workspaceId, agreementId)
  if (cached === null) throw noSuchPam()
  return [cached, index]
}

export function noSuchPam(): Refusal {
  return new Refusal('not-found', 'there is no such agreement')
}

export async function showPam(request: ApiRequest<typeof pamParameters>): Promise<Answer> {
  // Reads the query: the route has no parameters, so none are accepted.
  void request.query
  const [cached, index] = await findPam(request)
  const row = index.findAgreement(cached.snapshot.id)
  const state = cached.snapshot.kept.states.at(-1)
  const formula = cached.snapshot.versions.at(-1)?.formula
  if (row === undefined || state === undefined || formula === undefined) throw noSuchPam()
  const { start, end, frequency } = formula.contract
  const data = {
    ...summary(row, state),
    contractStartDate: `${formatDay(start)}T00:00:00.000Z`,
    contractEndDate: end === null ? null : `${formatDay(end)}T00:00:00.000Z`,
    adjustmentFrequency: frequency.wire,
  }
  const body = JSON.stringify({ data })
  return keepAnswer(request, index, cached, jsonAnswer(body, contentTag(body)))
}
