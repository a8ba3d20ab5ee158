// Nasdaq Data Link (formerly Quandl), time-series API v3. Every column of a data set is a daily series. It does not
// turn dates into longer periods and asks for nothing that is computed.

import { Refusal } from '../core/refusal.ts'
import { formatDay } from '../core/time/day.ts'
import { parsePeriod } from '../core/time/period.ts'
import { getRequest, query } from './formats/address.ts'
import { failureOf, openBody, strange, withKeys } from './formats/body.ts'
import { isRecord, itemsOf, member, wordsOf } from './formats/lossless.ts'
import { failed, joinAnswers } from './formats/problem.ts'
import { assemble, readPoint } from './points.ts'
import type { Answer, ParsedAnswer, ProblemKind, Provider, ProviderQuery, ProviderRequest } from './provider.ts'

export const nasdaqDataLink: Provider = {
  name: 'NASDAQ_DATA_LINK',
  title: 'Nasdaq Data Link',
  shortTitle: 'Nasdaq Data Link',
  home: 'https://data.nasdaq.com/',
  baseUrl: 'https://data.nasdaq.com/api/v3',
  hosts: ['data.nasdaq.com'],
  key: 'optional',
  limits: { requestsPerMinute: 60, requestsPerDay: 50_000, seriesPerRequest: 1 },
  askEveryMinutes: 720,
  publishes: 'by database; free feeds stop without notice, so check that the newest date is up to date',
  codeNotation: 'database, data set code and column',
  codeExample: 'ECONOMIST/BIGMAC_USA/dollar_price',
  terms: 'A licence for each database; many forbid passing data on.',
  request,
  read,
}

function request({ codes, from, key }: ProviderQuery): readonly ProviderRequest[] {
  const sets = new Map<string, string[]>()
  for (const code of codes) {
    // Quirk NASDAQ_DATA_LINK-4: a set has several columns, so the column is part of the code.
    const match = /^([A-Z0-9_]+\/[A-Z0-9_][A-Z0-9_.-]*)\/\S.*$/.exec(code)
    if (!match) {
      throw new Refusal(
        'invalid',
        `a Nasdaq Data Link code is database/code/column such as ${nasdaqDataLink.codeExample}, got "${code}"`,
      )
    }
    sets.set(match[1]!, [...(sets.get(match[1]!) ?? []), code])
  }
  return [...sets].map(([set, own]) =>
    getRequest(
      own,
      // `collapse` and `transform` are never sent: they return computed figures.
      `/datasets/${set}.json${query([
        ['order', 'asc'],
        ['start_date', from === null ? null : formatDay(from)],
        ['api_key', key],
      ])}`,
      { secrets: key === null ? [] : [key] },
    ),
  )
}

function read(answer: Answer): ParsedAnswer {
  const body = openBody(answer)
  if (body.form !== 'json') return failureOf(answer, body, withKeys)
  const error = member(body.value, 'quandl_error')
  if (isRecord(error)) return refused(error)
  const set = member(body.value, 'dataset') ?? member(body.value, 'dataset_data')
  if (!isRecord(set) || !Array.isArray(set.data))
    return strange(answer, 'a Nasdaq Data Link answer that is not a data set', withKeys)
  const place = placeOf(set, answer)
  if (place === null) return failed('unreadable', 'the body does not name its data set: the code must be given')
  return readSet(set, place)
}

/** Quirk NASDAQ_DATA_LINK-1: the message repeats a bad key; keys are blanked when it becomes a problem. */
function refused(error: unknown): ParsedAnswer {
  const code = wordsOf(member(error, 'code')) ?? ''
  const message = wordsOf(member(error, 'message')) ?? 'an error without a message'
  return failed(kindOfLetter[code.slice(0, 3)] ?? 'provider-error', `${code}: ${message}`)
}

const kindOfLetter: Readonly<Record<string, ProblemKind>> = {
  QEA: 'bad-key',
  QEP: 'bad-key',
  QEC: 'unknown-series',
  QEL: 'rate-limited',
  QES: 'bad-request',
  QEM: 'provider-error',
  QEX: 'provider-error',
}

/** Quirk NASDAQ_DATA_LINK-7: rows alone do not say which data set they belong to. */
function placeOf(set: unknown, answer: Answer): string | null {
  const database = wordsOf(member(set, 'database_code'))
  const code = wordsOf(member(set, 'dataset_code'))
  if (database !== null && code !== null) return `${database}/${code}`
  const asked = answer.codes[0]?.split('/') ?? []
  if (asked.length >= 2) return `${asked[0]}/${asked[1]}`
  const match = /\/datasets\/([^/?]+)\/([^/?]+?)(?:\.json|\.csv)?(?:[/?]|$)/.exec(answer.url ?? '')
  return match === null ? null : `${match[1]}/${match[2]}`
}

function readSet(set: unknown, place: string): ParsedAnswer {
  const columns = itemsOf(member(set, 'column_names')).map(wordsOf)
  const rows = itemsOf(member(set, 'data'))
  const title = wordsOf(member(set, 'name'))
  if (columns.length < 2) return failed('unreadable', `${place}: a data set without a column of values`)
  return joinAnswers(
    columns.slice(1).map((column, index) => {
      if (column === null) return failed('unreadable', `${place}: a column without a name`)
      const name = title !== null && columns.length > 2 ? `${title}, ${column}` : title
      // Quirks NASDAQ_DATA_LINK-2 and NASDAQ_DATA_LINK-3: `frequency` is unreliable and two dates can fall into the
      // same half-year, so dates stay dates.
      const head = { code: `${place}/${column}`, name, unit: null, frequency: 'DAILY' } as const
      // Quirk NASDAQ_DATA_LINK-5: rows come newest first; they are sorted when the series is built.
      return assemble(
        head,
        rows.map(row => readRow(row, index + 1)),
      )
    }),
  )
}

// Quirk NASDAQ_DATA_LINK-8: figures are numbers of up to 15 digits, kept as literals.
function readRow(row: unknown, column: number) {
  const cells = itemsOf(row)
  const when = wordsOf(cells[0]) ?? ''
  return readPoint({ when, period: parsePeriod(when), value: cells[column] })
}
