// DBnomics, an aggregator: for indices that have no provider of their own here. Reads the parallel arrays of a series. It gives
// no flags, because DBnomics drops the flags of its sources.

import { Refusal } from '../core/refusal.ts'
import { type Frequency, type Period, parsePeriod } from '../core/time/period.ts'
import { getRequest, query, withParameter } from './formats/address.ts'
import { failureOf, openBody, strange, withoutKeys } from './formats/body.ts'
import { itemsOf, member, wholeOf, wordsOf } from './formats/lossless.ts'
import { failed, joinAnswers, problem } from './formats/problem.ts'
import { asWeek } from './formats/time-period.ts'
import { assemble, readPoint } from './points.ts'
import type { Answer, AnswerProblem, ParsedAnswer, Provider, ProviderQuery, ProviderRequest } from './provider.ts'

export const dbnomics: Provider = {
  name: 'DBNOMICS',
  title: 'DBnomics',
  shortTitle: 'DBnomics',
  home: 'https://db.nomics.world/',
  baseUrl: 'https://api.db.nomics.world/v22',
  hosts: ['api.db.nomics.world'],
  key: 'none',
  limits: { requestsPerMinute: 30, requestsPerDay: null, seriesPerRequest: 1 },
  askEveryMinutes: 720,
  publishes: 'some time after the source; some feeds stall for months, so check that the newest period is up to date',
  codeNotation: 'provider, data set and series',
  codeExample: 'BIS/cbpol/M.CA',
  terms: 'ODbL for the database; the terms of each source apply to its content.',
  request,
  read,
  next,
}

const seriesPerPage = 1000

function request({ codes }: ProviderQuery): readonly ProviderRequest[] {
  return codes.map(code => {
    // Quirk DBNOMICS-4: codes contain dots and colons, so every part is encoded.
    const parts = code.split('/')
    if (parts.length < 3 || parts.some(part => part === '' || part === '.' || part === '..')) {
      throw new Refusal('invalid', `a DBnomics code is provider/data set/series such as BIS/cbpol/M.CA, got "${code}"`)
    }
    const [provider, dataset, ...series] = parts as [string, string, ...string[]]
    return getRequest(
      [code],
      // Quirk DBNOMICS-3: without `observations=1` there are no values and no error.
      `/series/${[provider, dataset, series.join('/')].map(encodeURIComponent).join('/')}${query([
        ['observations', '1'],
        ['format', 'json'],
        ['metadata', '0'],
        ['limit', seriesPerPage.toString()],
        ['offset', '0'],
      ])}`,
    )
  })
}

function next(asked: ProviderRequest, answer: Answer): ProviderRequest | null {
  const body = openBody(answer)
  const series = body.form === 'json' ? member(body.value, 'series') : undefined
  const found = wholeOf(member(series, 'num_found'))
  const offset = wholeOf(member(series, 'offset'))
  const docs = itemsOf(member(series, 'docs')).length
  if (found === null || offset === null || docs === 0 || offset + docs >= found) return null
  return { ...asked, path: withParameter(asked.path, 'offset', (offset + docs).toString()) }
}

function read(answer: Answer): ParsedAnswer {
  const body = openBody(answer)
  if (body.form !== 'json') return failureOf(answer, body, withoutKeys)
  // Quirk DBNOMICS-5: errors may come together with good series.
  const problems = itemsOf(member(body.value, 'errors')).map(problemOf)
  const series = member(body.value, 'series')
  const docs = member(series, 'docs')
  if (!Array.isArray(docs)) return problems.length > 0 ? { series: [], problems } : refused(body.value, answer)
  if (docs.length === 0 && problems.length === 0 && (wholeOf(member(series, 'offset')) ?? 0) === 0) {
    return failed('unknown-series', 'no series was sent')
  }
  return joinAnswers([...docs.map(readSeries), { series: [], problems }])
}

function problemOf(error: unknown): AnswerProblem {
  const text = wordsOf(error) ?? wordsOf(member(error, 'message')) ?? 'an error without a message'
  const place = ['provider_code', 'dataset_code', 'series_code'].map(name => wordsOf(member(error, name)))
  const words = [place.filter(part => part !== null).join('/'), text].filter(part => part !== '').join(': ')
  return problem(/time-?out|unavailable|internal/i.test(text) ? 'provider-error' : 'unknown-series', words)
}

function refused(document: unknown, answer: Answer): ParsedAnswer {
  const words = wordsOf(member(document, 'message')) ?? wordsOf(member(document, 'error'))
  if (words !== null && answer.status < 500) return { series: [], problems: [problemOf(words)] }
  return strange(answer, 'a DBnomics answer without series', withoutKeys)
}

const frequencyOfName: Readonly<Record<string, Frequency>> = {
  annual: 'ANNUAL',
  'bi-annual': 'SEMIANNUAL',
  quarterly: 'QUARTERLY',
  monthly: 'MONTHLY',
  weekly: 'WEEKLY',
  daily: 'DAILY',
}

function readSeries(doc: unknown): ParsedAnswer {
  const parts = ['provider_code', 'dataset_code', 'series_code'].map(name => wordsOf(member(doc, name)))
  if (parts.includes(null)) return failed('unreadable', 'a series without its provider, data set or code')
  const code = parts.join('/')
  const periods = member(doc, 'period')
  const values = member(doc, 'value')
  if (!Array.isArray(periods) || !Array.isArray(values)) {
    return failed('bad-request', `${code} was sent without observations: observations=1 was not requested`)
  }
  // Quirk DBNOMICS-2: the arrays are parallel; if their lengths differ they mean nothing.
  const starts = member(doc, 'period_start_day')
  if (periods.length !== values.length || (Array.isArray(starts) && starts.length !== periods.length)) {
    return failed('unreadable', `${code}: ${periods.length} periods and ${values.length} values`)
  }
  const frequency = frequencyOf(doc, periods)
  if (frequency === null) return failed('unreadable', `${code}: no supported frequency`)
  // Quirk DBNOMICS-7: the unit is only part of the name. Quirk DBNOMICS-6: `indexed_at` is not a publication date.
  const head = { code, name: wordsOf(member(doc, 'series_name')), unit: null, frequency }
  return assemble(
    head,
    periods.map((period, index) => {
      const when = wordsOf(period) ?? ''
      // Quirk DBNOMICS-1: "NA" occurs among numbers. Quirk DBNOMICS-8: digits are kept as sent, float or not.
      return readPoint({ when, period: asWeek(parseNotation(when), frequency), value: values[index] })
    }),
  )
}

function frequencyOf(doc: unknown, periods: readonly unknown[]): Frequency | null {
  const name = wordsOf(member(doc, '@frequency'))
  if (name !== null) return Object.hasOwn(frequencyOfName, name) ? frequencyOfName[name]! : null
  const first = parseNotation(wordsOf(periods[0]) ?? '')
  return first?.frequency ?? null
}

function parseNotation(text: string): Period | null {
  return parsePeriod(text.replace(/^(\d{4})-S([12])$/, '$1-H$2'))
}
