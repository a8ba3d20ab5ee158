// `GET /pams/{pamId}/ledger`: every cent between contract and invoices, now or at an instant.
import { dayOfInstant } from '../../core/time/instant.ts'
import type { ApiRequest } from '../api/context.ts'
import { contentTag } from '../api/encoded-answers.ts'
import { knownAt, readKnownAt } from '../api/query.ts'
import { type Answer, jsonAnswer } from '../frame/answer.ts'
import { noSuchPam } from '../v1/agreements.ts'

export const ledgerParameters = { knownAt }

export async function readLedger(request: ApiRequest<typeof ledgerParameters>): Promise<Answer> {
  const { parts, workspaceId, id, query, now, today } = request
  const at = readKnownAt(query.knownAt, now)
  if (at !== null) await parts.settle(workspaceId, at)
  const until = at === null ? today : Math.min(today, dayOfInstant(at))
  const trueUp = await parts.library.trueUps.find(workspaceId, id, { knownAt: at, until })
  if (trueUp === null) throw noSuchPam()
  const body = JSON.stringify(trueUp.presentedLedger)
  return jsonAnswer(body, contentTag(body))
}
