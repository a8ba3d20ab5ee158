// World Bank, Indicators API v2. Reads `[header, rows]` and the one-element arrays that are its errors. It applies
// the date window again and does not use the date of the source as a publication date.

import { Refusal } from '../core/refusal.ts'
import type { Day } from '../core/time/day.ts'
import { formatPeriod, type Period, parsePeriod, periodAt } from '../core/time/period.ts'
import { askedFor, askedSpelling, getRequest, query, withParameter } from './formats/address.ts'
import { type Body, failureOf, openBody, strange, withoutKeys } from './formats/body.ts'
import { isRecord, itemsOf, member, wholeOf, wordsOf } from './formats/lossless.ts'
import { failed, joinAnswers, nothingRead } from './formats/problem.ts'
import { assemble, type ParsedPoint, readPoint, type SeriesHead } from './points.ts'
import type { Answer, ParsedAnswer, ProblemKind, Provider, ProviderQuery, ProviderRequest } from './provider.ts'

export const worldBank: Provider = {
  name: 'WORLD_BANK',
  title: 'World Bank, Indicators',
  shortTitle: 'World Bank',
  home: 'https://data.worldbank.org/',
  baseUrl: 'https://api.worldbank.org/v2',
  hosts: ['api.worldbank.org'],
  key: 'none',
  limits: { requestsPerMinute: 60, requestsPerDay: null, seriesPerRequest: 1 },
  askEveryMinutes: 1440,
  publishes: 'several updates a year, at no fixed time',
  habits: { delayDays: { MONTHLY: 5, ANNUAL: 180 } },
  codeNotation:
    'indicator and three-letter country; a third part M or Q asks for months or quarters where there are any',
  codeExample: 'FP.CPI.TOTL/CAN',
  terms: 'CC BY 4.0 for most indicators, with exceptions for those of third parties. Name the World Bank.',
  request,
  read,
  next,
}

const rowsPerPage = 1000
const frequencyOfLetter = { Y: 'ANNUAL', Q: 'QUARTERLY', M: 'MONTHLY' } as const
const firstPeriods = { Y: '1960', Q: '1960Q1', M: '1960M01' } as const
type Letter = keyof typeof frequencyOfLetter

function request({ codes, from, today }: ProviderQuery): readonly ProviderRequest[] {
  return codes.map(code => {
    const match = /^([A-Za-z0-9][A-Za-z0-9._]*)\/(?!all\b)([A-Za-z0-9]{2,3})(?:\/([MQ]))?$/i.exec(code)
    if (!match) {
      throw new Refusal('invalid', `a World Bank code is indicator/country such as FP.CPI.TOTL/CAN, got "${code}"`)
    }
    const letter = (match[3]?.toUpperCase() ?? 'Y') as Letter
    // Quirk WORLD_BANK-5: `mrv` silently overrides `date`, so it is never sent. Quirk WORLD_BANK-11: nor is
    // `searchterm`, which has no effect.
    const window = from === null && letter === 'Y' ? null : windowText(letter, from, today)
    return getRequest(
      [code],
      `/country/${match[2]}/indicator/${match[1]}${query([
        ['format', 'json'],
        ['per_page', rowsPerPage.toString()],
        ['page', '1'],
        ['frequency', letter === 'Y' ? null : letter],
        ['date', window],
      ])}`,
    )
  })
}

function windowText(letter: Letter, from: Day | null, today: Day): string {
  return `${from === null ? firstPeriods[letter] : formatDate(letter, from)}:${formatDate(letter, today)}`
}

/** `2024`, `2024Q1`, `2024M03`: the period that contains a day, as the provider writes it. */
function formatDate(letter: Letter, day: Day): string {
  return formatPeriod(periodAt(frequencyOfLetter[letter], day)).replace('-', letter === 'M' ? 'M' : '')
}

function next(asked: ProviderRequest, answer: Answer): ProviderRequest | null {
  const body = openBody(answer)
  const header = body.form === 'json' ? itemsOf(body.value)[0] : undefined
  const page = wholeOf(member(header, 'page'))
  const pages = wholeOf(member(header, 'pages'))
  if (page === null || pages === null || page >= pages) return null
  return { ...asked, path: withParameter(asked.path, 'page', (page + 1).toString()) }
}

function read(answer: Answer): ParsedAnswer {
  const body = openBody(answer)
  const messages = messagesOf(body)
  if (messages.length > 0) return refused(messages)
  if (body.form !== 'json') return failureOf(answer, body, withoutKeys)
  const [header, rows] = itemsOf(body.value)
  if (!isRecord(header) || wholeOf(member(header, 'page')) === null) {
    return strange(answer, 'a World Bank answer without a header', withoutKeys)
  }
  const total = wholeOf(member(header, 'total'))
  if (!Array.isArray(rows))
    return rows === null || total === 0 ? nothingRead : strange(answer, 'a header without rows', withoutKeys)
  const observed = rows.filter(row => isRecord(member(row, 'indicator')) && isRecord(member(row, 'country')))
  if (observed.length === 0 && rows.length > 0)
    return strange(answer, 'a World Bank list without observations', withoutKeys)
  return joinAnswers([
    readRows(observed, answer),
    observed.length === rows.length
      ? nothingRead
      : failed('unreadable', `${rows.length - observed.length} rows do not name an indicator and a country`),
  ])
}

interface Message {
  readonly id: number | null
  readonly text: string
}

/** Quirk WORLD_BANK-1: an error is a one-element array with HTTP 200, or XML although JSON was requested. */
function messagesOf(body: Body): readonly Message[] {
  if (body.form === 'xml') {
    return body.elements
      .filter(element => element.name === 'message')
      .map(({ attributes, text }) => ({ id: wholeOf(attributes.id), text: `${attributes.key ?? ''} ${text}`.trim() }))
  }
  if (body.form !== 'json') return []
  const holder = Array.isArray(body.value) ? body.value[0] : body.value
  return itemsOf(member(holder, 'message')).map(each => ({
    id: wholeOf(member(each, 'id')),
    text: [member(each, 'key'), member(each, 'value')].map(wordsOf).filter(Boolean).join(': '),
  }))
}

/** Quirk WORLD_BANK-2: one message for each bad part of the path, without naming the part; together they are one problem. */
function refused(messages: readonly Message[]): ParsedAnswer {
  const texts = new Set(messages.map(({ id, text }) => `${text} (${id ?? 'no id'})`))
  return failed(kindOf(messages[0]!.id), [...texts].join('; '))
}

function kindOf(id: number | null): ProblemKind {
  if (id === 120 || id === 160 || id === 175) return 'unknown-series'
  return id === 105 || id === 199 ? 'provider-error' : 'bad-request'
}

function readRows(rows: readonly unknown[], answer: Answer): ParsedAnswer {
  const window = windowOf(answer)
  const groups = new Map<string, { readonly head: SeriesHead; readonly points: ParsedPoint[] }>()
  const lost: string[] = []
  for (const row of rows) {
    const when = wordsOf(member(row, 'date')) ?? ''
    const period = periodOf(when)
    const code = codeOf(row, period, answer)
    const group = groups.get(code)
    if (group === undefined && period === null) lost.push(when)
    else if (period === null || isWithin(period, window)) {
      const head = group?.head ?? headOf(row, code, period!)
      const points = group?.points ?? []
      groups.set(code, { head, points })
      // Quirks WORLD_BANK-6 and WORLD_BANK-7: neither the source's date nor `decimal` says anything about a figure.
      points.push(readPoint({ when, period, value: member(row, 'value'), flag: wordsOf(member(row, 'obs_status')) }))
    }
  }
  return joinAnswers([
    ...[...groups.values()].map(({ head, points }) => assemble(head, points)),
    lost.length === 0 ? nothingRead : failed('unreadable', `${lost.length} rows with a date such as "${lost[0]}"`),
  ])
}

/** Quirk WORLD_BANK-3: the three-letter code may be empty in older bodies; regions have one too (WORLD_BANK-8). */
function codeOf(row: unknown, period: Period | null, answer: Answer): string {
  const indicator = wordsOf(member(member(row, 'indicator'), 'id')) ?? ''
  const short = wordsOf(member(member(row, 'country'), 'id'))
  const long = wordsOf(member(row, 'countryiso3code')) ?? short ?? ''
  const letter = period?.frequency[0] ?? ''
  const plain = [`${indicator}/${long}`, `${indicator}/${short ?? long}`] as const
  return askedSpelling(answer, [...plain, ...plain.map(each => `${each}/${letter}`)])
}

function headOf(row: unknown, code: string, period: Period): SeriesHead {
  const words = [member(member(row, 'indicator'), 'value'), member(member(row, 'country'), 'value')].map(wordsOf)
  const name = words.filter(each => each !== null).join(', ')
  return { code, name: name === '' ? null : name, unit: wordsOf(member(row, 'unit')), frequency: period.frequency }
}

function periodOf(text: string): Period | null {
  return parsePeriod(text.replace(/^(\d{4})Q([1-4])$/, '$1-Q$2').replace(/^(\d{4})M(\d{2})$/, '$1-$2'))
}

interface Window {
  readonly from: Period
  readonly to: Period
}

/** Quirk WORLD_BANK-4: a window that cannot be applied is ignored and everything is sent, so it is applied again here. */
function windowOf(answer: Answer): Window | null {
  const [first = '', last = ''] = (askedFor(answer, 'date') ?? '').split(':')
  const from = periodOf(first)
  const to = periodOf(last)
  return from === null || to === null ? null : { from, to }
}

function isWithin(period: Period, window: Window | null): boolean {
  if (window === null || window.from.frequency !== period.frequency) return true
  return window.from.ordinal <= period.ordinal && period.ordinal <= window.to.ordinal
}
