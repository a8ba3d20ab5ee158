// `GET /radar`: effects of publications on agreements in a span of time, the largest amounts first; for a key without `money` the
// largest moves first, so that the order reveals no amount. A walk is pinned to the span of its first page, so that its pages fit
// together and the same request always has the same answer.

import { covers } from '../../core/people/key-scope.ts'
import { Refusal } from '../../core/refusal.ts'
import { type Day, formatDay, parseDay } from '../../core/time/day.ts'
import { dayOfInstant, type Instant, instantOfMicros, microsOf } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import type { RadarQuestion, RadarRow, RadarRowWithoutMoney } from '../../read/radar.ts'
import type { ApiRequest } from '../api/context.ts'
import { keepAnswer } from '../api/encoded-answers.ts'
import { format, listAnswer, pageLimit } from '../api/list.ts'
import { cursor } from '../api/query.ts'
import type { Answer } from '../frame/answer.ts'
import { refused } from '../frame/sealed-cursor.ts'
import { noSuchPam } from '../v1/agreements.ts'
import { schemas } from './description/schemas.ts'
import { momentOf } from './moments.ts'
import { onlyPam, since, until } from './query.ts'

export const radarParameters = { since, until, pam: onlyPam, limit: pageLimit(limits.radar.page), cursor, format }
type RadarRequest = ApiRequest<typeof radarParameters>

/** Pin of a walk, and the number of returned rows. */
interface RadarWalk {
  readonly since: Instant
  readonly until: Instant
  readonly day: Day
  readonly given: number
}

export async function listRadar(request: RadarRequest): Promise<Answer> {
  const { query, now, parts, workspaceId } = request
  const place = query.cursor === null ? null : readPlace(request, query.cursor)
  const moment = await parts.library.moments.of(workspaceId)
  const pin = place ?? (await pinOf(request, moment.newest))
  await parts.settle(workspaceId, pin.until)
  const index = await parts.library.index(workspaceId)
  const agreementId = query.pam === null ? null : index.agreementId(query.pam)
  if (agreementId === undefined) throw noSuchPam()
  const { since: after, until: by, day } = pin
  const rows = await readRows(request, { since: after, until: by, day, agreementId })
  return keepAnswer(request, index, moment, page(request, rows, pin), now.slice(0, 10))
}

async function readRows(
  { parts, workspaceId, scope }: RadarRequest,
  question: RadarQuestion,
): Promise<readonly (RadarRow | RadarRowWithoutMoney)[]> {
  // Nothing was published since then.
  if (question.since >= question.until) return []
  const { radar } = parts.library
  if (!covers(scope, 'money')) return radar.readWithoutMoney(workspaceId, question)
  return (await radar.read(workspaceId, question)).map(({ row }) => row)
}

/** Pin of a request. The default end is the newest entry; the default beginning some days before that. */
async function pinOf(request: RadarRequest, newest: Instant): Promise<RadarWalk> {
  const { query, today } = request
  const end = await momentOf(request, query.until)
  const day = end === null ? today : Math.min(today, dayOfInstant(end))
  const by = end ?? newest
  const begin = await momentOf(request, query.since)
  const after = begin ?? instantOfMicros(microsOf(by) - limits.radar.days * 86_400_000_000)
  if (end !== null && after > end) throw new Refusal('invalid', 'since must not lie after until')
  return { since: after, until: by, day, given: 0 }
}

function page(request: RadarRequest, rows: readonly (RadarRow | RadarRowWithoutMoney)[], pin: RadarWalk): Answer {
  const limit = request.query.limit ?? limits.radar.page
  const given = pin.given + limit
  const hasMore = rows.length > given
  return listAnswer(request, schemas.RadarRow, {
    rows: rows.slice(pin.given, given),
    limit,
    hasMore,
    nextCursor: hasMore ? formatPlace(request, { ...pin, given }) : null,
  })
}

function filtersOf({ query }: RadarRequest): string {
  return `ext radar ${JSON.stringify([query.since, query.until, query.pam])}`
}

function formatPlace(request: RadarRequest, { since: after, until: by, day, given }: RadarWalk): string {
  const text = `1 ${microsOf(after)} ${microsOf(by)} ${formatDay(day)} ${given}`
  return request.parts.cursors.sign(request.workspaceId, filtersOf(request), text)
}

function readPlace(request: RadarRequest, text: string): RadarWalk {
  const opened = request.parts.cursors.open(request.workspaceId, filtersOf(request), text)
  const match = /^1 (-?\d{1,17}) (\d{1,17}) (\d{4}-\d{2}-\d{2}) (\d{1,9})$/.exec(opened)
  if (match === null) throw refused()
  const [after, by] = [match[1]!, match[2]!].map(micros => instantOfMicros(Number(micros))) as [Instant, Instant]
  return { since: after, until: by, day: parseDay(match[3]!)!, given: Number.parseInt(match[4]!, 10) }
}
