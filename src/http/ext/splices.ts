// `GET /splices` and `/splices/{spliceId}`: changes of terms that both parties sign, splices and amendments.

import { Refusal } from '../../core/refusal.ts'
import { proposalStates } from '../../core/true-up/proposal-state.ts'
import { limits } from '../../limits.ts'
import { stateOfChange } from '../../read/agreements/terms-state.ts'
import { showChange, summarizeChange } from '../../read/agreements/terms-view.ts'
import type { ApiRequest } from '../api/context.ts'
import { contentTag } from '../api/encoded-answers.ts'
import { format, listAnswer, pageLimit } from '../api/list.ts'
import { cursor } from '../api/query.ts'
import { type Answer, jsonAnswer } from '../frame/answer.ts'
import { choiceParameter, type Parameter, refuse } from '../frame/parameters.ts'
import { refused } from '../frame/sealed-cursor.ts'
import { noSuchPam } from '../v1/agreements.ts'
import { spliceSchemas } from './description/splice-schemas.ts'
import { onlyPam } from './query.ts'

const state = choiceParameter('state', proposalStates, 'Only those in this state')

const splicedSeries: Parameter<string> = {
  name: 'series',
  description: 'Only those that replace this series or put it in the place of another: `PROVIDER/code`',
  schema: { type: 'string', minLength: 1 },
  example: 'EUROSTAT/prc_hicp_midx',
  read: text => (text === '' ? refuse('series', 'PROVIDER/code', text) : text),
}

export const splicesParameters = {
  pam: onlyPam,
  state,
  series: splicedSeries,
  limit: pageLimit(limits.ext.splices),
  cursor,
  format,
}
export const spliceParameters = {}

export async function listSplices(request: ApiRequest<typeof splicesParameters>): Promise<Answer> {
  const { query, parts, workspaceId } = request
  const limit = query.limit ?? limits.ext.splices
  const filters = `ext splices ${JSON.stringify([query.pam, query.state, query.series])}`
  const before = query.cursor === null ? null : placeOf(parts.cursors.open(workspaceId, filters, query.cursor))
  const agreementId = query.pam === null ? null : (await parts.library.index(workspaceId)).agreementId(query.pam)
  if (agreementId === undefined) throw noSuchPam()
  const { rows, next } = await parts.library.termsChanges.list(workspaceId, {
    before,
    agreementIds: agreementId === null ? null : [agreementId],
    series: query.series,
    limit,
    isWanted: ({ kept, change }) => query.state === null || stateOfChange(kept, change) === query.state,
  })
  return listAnswer(request, spliceSchemas.SpliceRow, {
    rows: rows.map(({ kept, change }) => summarizeChange(kept, change)),
    limit,
    hasMore: next !== null,
    nextCursor: next === null ? null : parts.cursors.sign(workspaceId, filters, `1 ${next}`),
  })
}

/** Number of the last examined entry. */
function placeOf(opened: string): number {
  const seq = /^1 (\d{1,15})$/.exec(opened)?.[1]
  if (seq === undefined) throw refused()
  return Number.parseInt(seq, 10)
}

export async function showSplice({ parts, workspaceId, id }: ApiRequest<typeof spliceParameters>): Promise<Answer> {
  const found = await parts.library.termsChanges.find(workspaceId, id)
  if (found === null) throw new Refusal('not-found', 'there is no such change of terms')
  const body = JSON.stringify(showChange(found.kept, found.change, found.body))
  return jsonAnswer(body, contentTag(body))
}
