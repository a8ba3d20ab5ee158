// `GET /due`: open adjustment dates, the figures each waits for and their expected dates. A walk is pinned to the instant of its
// first page and continues after the last returned date.
import { dueStates } from '../../core/calendar/due.ts'
import { lastDayWithin, withinWords } from '../../core/calendar/within.ts'
import { type Day, formatDay, parseDay } from '../../core/time/day.ts'
import { type Instant, instantOfMicros, microsOf } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import { type DueRecord, dueRecord, listDue } from '../../read/due.ts'
import type { ApiRequest } from '../api/context.ts'
import { format, listAnswer, pageLimit } from '../api/list.ts'
import { cursor } from '../api/query.ts'
import type { Answer } from '../frame/answer.ts'
import { choiceParameter, type Parameter, refuse } from '../frame/parameters.ts'
import { refused } from '../frame/sealed-cursor.ts'
import { schemas } from './description/schemas.ts'

const usualWithin = '30d'

/** Most waits of a request for digests under computation. */
const mostTurns = 20

const within: Parameter<string> = {
  name: 'within',
  description: `How far ahead: ${withinWords}; ${usualWithin} unless given`,
  schema: { type: 'string', pattern: '^[1-9][0-9]{0,2}[dwm]$' },
  example: '90d',
  // Checks the form alone, for which the length of months does not matter.
  read: text => (lastDayWithin(text, 0) === null ? refuse('within', withinWords, text) : text),
}

export const dueParameters = {
  within,
  state: choiceParameter('state', dueStates, 'Only dates in this state'),
  limit: pageLimit(limits.due.page),
  cursor,
  format,
}
type DueRequest = ApiRequest<typeof dueParameters>

/** Pin of a walk, and the last returned date; empty texts at the beginning. */
interface DueWalk {
  readonly now: Instant
  readonly until: Day
  readonly after: { readonly date: string; readonly agreement: string; readonly period: string } | null
}

export async function listDueDates(request: DueRequest): Promise<Answer> {
  const { query, parts, workspaceId } = request
  const place = query.cursor === null ? firstPlace(request) : readPlace(request, query.cursor)
  const limit = query.limit ?? limits.due.page
  const entries = await listDue(parts.library, workspaceId, { ...place, turns: mostTurns })
  const wanted = entries.filter(({ now }) => query.state === null || now.state === query.state).map(dueRecord)
  const rest = place.after === null ? wanted : wanted.filter(row => isAfter(row, place.after!))
  const rows = rest.slice(0, limit)
  const hasMore = rest.length > limit
  return listAnswer(request, schemas.DueRow, {
    rows,
    limit,
    hasMore,
    nextCursor: hasMore ? formatPlace(request, { ...place, after: rows.at(-1)! }) : null,
  })
}

/** Whether a row comes after a place, in the order of `byDueDate`. */
function isAfter(row: DueRecord, { date, agreement, period }: NonNullable<DueWalk['after']>): boolean {
  if (row.date !== date) return row.date > date
  return row.agreement === agreement ? row.period > period : row.agreement > agreement
}

function firstPlace({ query, now, today }: DueRequest): DueWalk {
  const text = query.within ?? usualWithin
  return { now, until: lastDayWithin(text, today) ?? refuse('within', withinWords, text), after: null }
}

function filtersOf({ query }: DueRequest): string {
  return `ext due ${JSON.stringify([query.within, query.state])}`
}

function formatPlace(request: DueRequest, { now, until, after }: DueWalk): string {
  const text = `1 ${microsOf(now)} ${formatDay(until)} ${after!.date} ${after!.agreement} ${after!.period}`
  return request.parts.cursors.sign(request.workspaceId, filtersOf(request), text)
}

function readPlace(request: DueRequest, text: string): DueWalk {
  const opened = request.parts.cursors.open(request.workspaceId, filtersOf(request), text)
  const match = /^1 (\d{1,17}) (\d{4}-\d{2}-\d{2}) (\d{4}-\d{2}-\d{2}) (\S+) (\S+)$/.exec(opened)
  if (match === null) throw refused()
  const [, micros, until, date, agreement, period] = match as unknown as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  return { now: instantOfMicros(Number(micros)), until: parseDay(until)!, after: { date, agreement, period } }
}
