// `QUERY` and `POST /check`: checks invoice lines against the settled prices and stores nothing. Problems with the form
// of the lines become one refusal that names all of them; a problem in a cell stays with its line.

import { answeredRow } from '../../core/invoices/check-row.ts'
import { tooManyLines } from '../../core/invoices/invoice-line.ts'
import { Refusal } from '../../core/refusal.ts'
import { dayOfInstant } from '../../core/time/instant.ts'
import { type FormProblem, type LineTextKind, readInvoiceBytes } from '../../import/invoice-lines.ts'
import { limits } from '../../limits.ts'
import type { ApiRequest } from '../api/context.ts'
import { contentTag } from '../api/encoded-answers.ts'
import { csvAnswer, format, formatOf } from '../api/list.ts'
import { knownAt, readKnownAt } from '../api/query.ts'
import type { BodyRule } from '../api/route.ts'
import { type Answer, jsonAnswer } from '../frame/answer.ts'
import { errorAnswer } from '../frame/errors.ts'
import { schemas } from './description/schemas.ts'

export const checkParameters = { knownAt, format }

const kinds: Readonly<Record<string, LineTextKind>> = {
  'application/json': 'json',
  'text/csv': 'csv',
  'application/xml': 'xml',
  'text/xml': 'xml',
}

export const checkBody: BodyRule = { mostBytes: limits.ext.checkBytes, types: Object.keys(kinds) }

export async function checkInvoiceLines(request: ApiRequest<typeof checkParameters>): Promise<Answer> {
  const { query, now, today, parts, workspaceId, body, bodyType } = request
  const asked = readKnownAt(query.knownAt, now)
  const most = limits.ext.checkLines
  const { lines, problems } = readInvoiceBytes(kinds[bodyType!]!, body!, most)
  if (problems.some(({ message }) => message === tooManyLines(most))) return errorAnswer(413, tooManyLines(most))
  if (problems.length > 0) throw new Refusal('invalid', tell(problems))
  if (asked !== null) await parts.settle(workspaceId, asked)
  const until = asked === null ? today : Math.min(today, dayOfInstant(asked))
  const { data, summary } = await parts.library.prices.check(workspaceId, lines, { knownAt: asked, until })
  const rows = data.map(answeredRow)
  if (formatOf(request) === 'csv') return csvAnswer(schemas.CheckRow, rows)
  const written = JSON.stringify({ data: rows, summary })
  return jsonAnswer(written, contentTag(written))
}

/** Problems with their places: a pointer into JSON, or line and column. */
function tell(problems: readonly FormProblem[]): string {
  const shown = problems.slice(0, limits.importProblems).map(({ pointer, line, column, message }) => {
    const place = pointer ?? [line === 0 ? '' : `line ${line}`, column].filter(part => part !== '').join(', ')
    return place === '' ? message : `${place}: ${message}`
  })
  const rest = problems.length - shown.length
  return rest === 0 ? shown.join('; ') : `${shown.join('; ')}; and ${rest} more`
}
