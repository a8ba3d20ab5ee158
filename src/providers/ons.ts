// UK Office for National Statistics. Finds the address of a time series and reads its document, which holds up to three
// series. It does not compute quarters from months and keeps no personal data of the contact.

import { Refusal } from '../core/refusal.ts'
import { type Day, dayOf, formatDay, weekdayOf } from '../core/time/day.ts'
import { dayOfInstant, parseInstant } from '../core/time/instant.ts'
import { type Frequency, type Period, parsePeriod } from '../core/time/period.ts'
import { getRequest, query } from './formats/address.ts'
import { failureOf, openBody, strange, withoutKeys } from './formats/body.ts'
import { isRecord, itemsOf, member, wordsOf } from './formats/lossless.ts'
import { failed, joinAnswers, nothingRead } from './formats/problem.ts'
import { assemble, readPoint } from './points.ts'
import type { Answer, ParsedAnswer, Provider, ProviderQuery, ProviderRequest } from './provider.ts'
import { onsReleases } from './releases/ons-releases.ts'

export const ons: Provider = {
  name: 'ONS',
  title: 'UK Office for National Statistics',
  shortTitle: 'ONS',
  home: 'https://www.ons.gov.uk/',
  baseUrl: 'https://api.beta.ons.gov.uk/v1',
  hosts: ['api.beta.ons.gov.uk'],
  key: 'none',
  limits: { requestsPerMinute: 90, requestsPerDay: null, seriesPerRequest: 3 },
  askEveryMinutes: 240,
  publishes: 'the main indicators at 07:00 London time on the days of the release calendar',
  calendar: { zone: 'Europe/London', times: [{ minute: 3, hours: '7', days: '1-5' }] },
  // Quirk ONS-11: documents name a contact person, which is not stored.
  withoutPersons: body => body.replace(/("contact"\s*:\s*)\{[^{}]*\}/g, '$1{}'),
  habits: { delayDays: { MONTHLY: 20, QUARTERLY: 45 } },
  codeNotation: 'CDID, data set and frequency letter A, Q or M',
  codeExample: 'D7BT/MM23/M',
  terms: 'Open Government Licence 3. Name the Office for National Statistics.',
  dataSetOf: code => code.split('/')[1] ?? '',
  // Descriptions differ from one series to the next.
  looseFields: /^\$\.description\./,
  request,
  read,
  next,
  releases: onsReleases,
}

// Consumer prices are all under one address; other series are looked up with the search first.
const topics: Readonly<Record<string, string>> = { MM23: '/economy/inflationandpriceindices' }

function request({ codes }: ProviderQuery): readonly ProviderRequest[] {
  const documents = new Map<string, string[]>()
  for (const code of codes) {
    // Quirk ONS-2: a CDID exists in several data sets, so the data set is part of the code.
    const match = /^([A-Z0-9]{3,6}\/[A-Z0-9]{1,12})\/[AQM]$/i.exec(code)
    if (!match) throw new Refusal('invalid', `an ONS code is CDID/data set/letter such as D7BT/MM23/M, got "${code}"`)
    const place = match[1]!.toUpperCase()
    // Quirk ONS-1: one document contains all three frequencies.
    documents.set(place, [...(documents.get(place) ?? []), code])
  }
  return [...documents.values()].map(own => {
    const uri = knownPlace(own[0]!)
    return uri === null ? search(own) : ask(own, documentPath(uri))
  })
}

function knownPlace(code: string): string | null {
  const [cdid, dataset] = code.toUpperCase().split('/') as [string, string]
  return Object.hasOwn(topics, dataset) ? `${topics[dataset]}/timeseries/${cdid}/${dataset}`.toLowerCase() : null
}

function documentPath(uri: string): string {
  return `/data${query([['uri', uri]])}`
}

function ask(codes: readonly string[], path: string): ProviderRequest {
  return getRequest(codes, path)
}

function search(codes: readonly string[]): ProviderRequest {
  const cdid = codes[0]!.split('/', 1)[0]!.toUpperCase()
  return ask(
    codes,
    `/search${query([
      ['content_type', 'timeseries'],
      ['cdids', cdid],
    ])}`,
  )
}

/** A search is followed by the document it found; a document that is not at the expected address, by a search. */
function next(asked: ProviderRequest, answer: Answer): ProviderRequest | null {
  const known = asked.codes[0] === undefined ? null : knownPlace(asked.codes[0])
  if (asked.path.startsWith('/search')) {
    const uri = foundIn(answer, asked.codes)
    return uri === null || uri === known ? null : ask(asked.codes, documentPath(uri))
  }
  const tried = known !== null && asked.path === documentPath(known)
  return tried && read(answer).problems[0]?.kind === 'unknown-series' ? search(asked.codes) : null
}

function foundIn(answer: Answer, codes: readonly string[]): string | null {
  const body = openBody(answer)
  if (body.form !== 'json' || codes.length === 0) return null
  const [cdid, dataset] = codes[0]!.toUpperCase().split('/') as [string, string]
  for (const item of itemsOf(member(body.value, 'items'))) {
    const uri = wordsOf(member(item, 'uri'))
    const isSame =
      wordsOf(member(item, 'cdid'))?.toUpperCase() === cdid &&
      (wordsOf(member(item, 'dataset_id'))?.toUpperCase() === dataset || uri?.toUpperCase().endsWith(`/${dataset}`))
    if (uri !== null && isSame) return uri
  }
  return null
}

function read(answer: Answer): ParsedAnswer {
  const body = openBody(answer)
  if (body.form !== 'json') return failureOf(answer, body, withoutKeys)
  const document = body.value
  const description = member(document, 'description')
  if (isRecord(description) && wordsOf(member(description, 'cdid')) !== null) return readDocument(document, description)
  if (Array.isArray(member(document, 'items'))) return readSearch(answer)
  const message = wordsOf(member(document, 'message')) ?? wordsOf(member(document, 'error'))
  if (message !== null && /not found|404/i.test(message)) return failed('unknown-series', message)
  return strange(answer, 'an ONS answer that is not a time series document', withoutKeys)
}

function readSearch(answer: Answer): ParsedAnswer {
  const code = answer.codes[0]
  if (code === undefined) return nothingRead
  const uri = foundIn(answer, answer.codes)
  if (uri === null) return failed('unknown-series', `the search does not find ${code}`)
  // For a known address, the search runs only after nothing was found there.
  return uri === knownPlace(code) ? failed('provider-error', `${uri} is listed but was not found`) : nothingRead
}

const kinds = [
  { list: 'years', frequency: 'ANNUAL' },
  { list: 'quarters', frequency: 'QUARTERLY' },
  { list: 'months', frequency: 'MONTHLY' },
] as const

function readDocument(document: unknown, description: unknown): ParsedAnswer {
  const cdid = wordsOf(member(description, 'cdid'))!.toUpperCase()
  const dataset = datasetOf(document, description)
  if (dataset === null) return failed('unreadable', `${cdid}: neither the document nor its points name the data set`)
  const name = wordsOf(member(description, 'title'))
  const unit = [member(description, 'preUnit'), member(description, 'unit')].map(each => wordsOf(each) ?? '').join('')
  return joinAnswers(
    kinds.map(({ list, frequency }) => {
      const points = itemsOf(member(document, list)).map(point => readRow(point, frequency))
      const code = `${cdid}/${dataset}/${frequency[0]}`
      // Quirk ONS-10: `description.number` repeats the newest point and is not read.
      return points.length === 0
        ? nothingRead
        : assemble({ code, name, unit: unit === '' ? null : unit, frequency }, points)
    }),
  )
}

/** Quirk ONS-7: older documents name the data set only in their points. */
function datasetOf(document: unknown, description: unknown): string | null {
  const named = wordsOf(member(description, 'datasetId'))
  if (named !== null) return named.toUpperCase()
  for (const { list } of kinds) {
    for (const point of itemsOf(member(document, list))) {
      const source = wordsOf(member(point, 'sourceDataset'))
      if (source !== null) return source.toUpperCase()
    }
  }
  return null
}

function readRow(point: unknown, frequency: Frequency) {
  const when = wordsOf(member(point, 'date')) ?? ''
  // Quirk ONS-5: an empty string means missing. Quirk ONS-6: "-0.0" is a number.
  return readPoint({
    when,
    period: periodOf(when, frequency),
    value: member(point, 'value'),
    published: londonDay(wordsOf(member(point, 'updateDate'))),
  })
}

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']

function periodOf(text: string, frequency: Frequency): Period | null {
  if (frequency !== 'MONTHLY') return parsePeriod(text.replace(/^(\d{4}) (Q[1-4])$/, '$1-$2'))
  const match = /^(\d{4}) ([A-Za-z]{3})$/.exec(text)
  const month = match === null ? -1 : months.indexOf(match[2]!.toUpperCase())
  return month < 0 ? null : parsePeriod(`${match![1]}-${(month + 1).toString().padStart(2, '0')}`)
}

/** Quirk ONS-3: midnight in London is written in UTC, in summer as 23:00 of the day before. */
function londonDay(text: string | null): string | null {
  const instant = text === null ? null : parseInstant(text)
  if (instant === null) return null
  const day = dayOfInstant(instant)
  const hour = Number.parseInt(instant.slice(11, 13), 10)
  return formatDay(hour === 23 && isSummerEvening(day) ? day + 1 : day)
}

/**
 * Whether 23:00 UTC of a day is in British summer time: from the last Sunday of March to the last Sunday of October, 01:00 UTC.
 */
function isSummerEvening(day: Day): boolean {
  const year = Number.parseInt(formatDay(day).slice(0, 4), 10)
  return day >= lastSunday(year, 3) && day < lastSunday(year, 10)
}

function lastSunday(year: number, month: number): Day {
  const last = dayOf(year, month, 31)
  return last - ((weekdayOf(last) + 1) % 7)
}
