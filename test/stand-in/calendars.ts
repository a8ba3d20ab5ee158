// Imitates the release calendars of six providers, each in its own shape. It answers the addresses of calendars only.

import type { ProviderName } from '../../src/core/series/series.ts'
import { civilOf, parseDay } from '../../src/core/time/day.ts'
import { findZone } from '../../src/core/time/local-time.ts'
import { firstDayOf, parsePeriod } from '../../src/core/time/period.ts'
import type { StandInRelease } from './data/default-releases.ts'
import { type Ask, type Told, tellJson, tellText } from './exchange.ts'
import { monthName } from './notation.ts'

type Entries = readonly StandInRelease[]

/** `null` if the address is not one of a calendar: the stand-in for values answers. */
export function answerCalendar(provider: ProviderName, ask: Ask, entries: Entries): Told | null {
  return answers[provider]?.(ask, entries) ?? null
}

const answers: Readonly<Partial<Record<ProviderName, (ask: Ask, entries: Entries) => Told | null>>> = {
  BLS: (ask, entries) =>
    ask.path === '/schedule/news_release/bls.ics' ? tellText(writeCalendar(entries), 200, 'text/calendar') : null,
  FRED: answerFred,
  EUROSTAT: (ask, entries) =>
    ask.path === '/eurostat/o/calendars/eventsJson' ? tellJson(entries.map(writeEvent)) : null,
  ONS: answerOns,
  STATCAN: (ask, entries) =>
    ask.path === '/n1/dai-quo/ssi/homepage/schedule-key_indicators-eng.json' ? tellJson(entries.map(writeKey)) : null,
  BIS: (ask, entries) => (ask.path === '/data/BIS,BIS_REL_CAL,1.0/all' ? tellText(writeTable(entries), 200) : null),
}

const blsTitles: Readonly<Record<string, string>> = {
  CPI: 'Consumer Price Index',
  PPI: 'Producer Price Index',
  ECI: 'Employment Cost Index',
  EMPSIT: 'Employment Situation',
  XIMPIM: 'U.S. Import and Export Price Indexes',
}

function writeCalendar(entries: Entries): string {
  const events = entries.flatMap(({ release, period, day, clock, status, id }) => [
    'BEGIN:VEVENT',
    'SEQUENCE:1',
    `UID:${id}@bls.gov`,
    clock === null
      ? `DTSTART;VALUE=DATE:${compact(day)}`
      : `DTSTART;TZID=US-Eastern:${compact(day)}T${compact(clock)}00`,
    'DURATION:PT0M',
    ...fold(`SUMMARY:${blsTitles[release]} for ${periodWords(period)}`),
    'LOCATION:Washington\\, DC',
    ...(status === 'CANCELLED' ? ['STATUS:CANCELLED'] : []),
    'END:VEVENT',
  ])
  const head = ['BEGIN:VCALENDAR', 'PRODID:-//Department of Labor//Bureau of Labor Statistics//EN', 'VERSION:2.0']
  return `${[...head, ...events, 'END:VCALENDAR'].join('\r\n')}\r\n`
}

function compact(text: string): string {
  return text.replace(/[-:]/g, '')
}

function fold(line: string): readonly string[] {
  return line.length <= 30 ? [line] : [line.slice(0, 30), ` ${line.slice(30)}`]
}

/** `October 2026`, `Third quarter 2026`. */
function periodWords(text: string): string {
  const period = parsePeriod(text)!
  const { year, month } = civilOf(firstDayOf(period))
  if (period.frequency === 'MONTHLY') return `${monthName(period)} ${year}`
  const quarters = ['First', 'Second', 'Third', 'Fourth'] as const
  return period.frequency === 'QUARTERLY' ? `${quarters[(month - 1) / 3]} quarter ${year}` : text
}

function answerFred(ask: Ask, entries: Entries): Told | null {
  if (!/^\/(?:series\/release|release\/dates)$/.test(ask.path)) return null
  // The stand-in for values refuses a wrong key.
  if (!ask.keys.includes(ask.query.get('api_key') ?? '')) return null
  const today = ask.now.slice(0, 10)
  if (ask.path === '/series/release') {
    const code = ask.query.get('series_id') ?? ''
    if (!ask.series.some(series => series.code === code))
      return tellJson({ error_code: 400, error_message: 'Bad Request.  The series does not exist.' }, 400)
    const release = {
      id: fredRelease(code),
      realtime_start: today,
      realtime_end: today,
      name: code,
      press_release: true,
    }
    return tellJson({ realtime_start: today, realtime_end: today, releases: [release] })
  }
  const since = ask.query.get('realtime_start') ?? '1776-07-04'
  const id = ask.query.get('release_id')
  // A cancelled or postponed release is simply no longer listed.
  const own = entries.filter(({ release, day, status }) => release === id && day >= since && status === 'DATE_ONLY')
  return tellJson({
    realtime_start: since,
    realtime_end: '9999-12-31',
    order_by: 'release_date',
    sort_order: 'asc',
    count: own.length,
    offset: 0,
    limit: 10_000,
    release_dates: own.map(({ day }) => ({ release_id: Number.parseInt(id!, 10), date: day })).sort(byDate),
  })
}

function fredRelease(code: string): number {
  if (code.startsWith('CPI') || code.startsWith('APU')) return 10
  if (/^(?:PPI|WPU|PCU)/.test(code)) return 46
  return code.startsWith('GDP') ? 53 : 999
}

function byDate(a: { readonly date: string }, b: { readonly date: string }): number {
  return a.date < b.date ? -1 : a.date > b.date ? 1 : 0
}

/** Luxembourg's own time, with a `Z` behind it. A release that will not come is not listed. */
function writeEvent({ release, period, day, clock, id }: StandInRelease): unknown {
  const start = clock === null ? day : `${day}T${clock}Z`
  const words = /-Q\d$/.test(period) ? period.replace(/^(\d{4})-(Q\d)$/, '$2/$1') : periodWords(period)
  const title = release === 'prc_hicp_minr' ? 'Inflation (HICP)' : `Set ${release}`
  return {
    recordid: id,
    title,
    period: words,
    start,
    end: start,
    datasetCodes: release,
    preliminary: false,
    euroind: true,
  }
}

const onsTitles: Readonly<Record<string, string>> = {
  MM23: 'Consumer price inflation, UK',
  MM22: 'Producer price inflation, UK',
  SPPI: 'Services producer price inflation, UK',
}

function answerOns(ask: Ask, entries: Entries): Told | null {
  if (ask.path !== '/search/releases') return null
  const isCancelled = ask.query.get('release-type') === 'type-cancelled'
  const today = ask.now.slice(0, 10)
  const own = entries
    .filter(({ status, day }) => (isCancelled ? status === 'CANCELLED' : status !== 'CANCELLED' && day >= today))
    .sort((a, b) => (a.day < b.day ? -1 : 1))
  const offset = Number.parseInt(ask.query.get('offset') ?? '0', 10)
  const limit = Number.parseInt(ask.query.get('limit') ?? '10', 10)
  const releases = own.slice(offset, offset + limit).map(writeRelease)
  return tellJson({ took: 3, breakdown: { total: own.length }, releases })
}

function writeRelease({ release, period, day, clock, status, id }: StandInRelease): unknown {
  const [hours, minutes] = (clock ?? '07:00').split(':').map(part => Number.parseInt(part, 10)) as [number, number]
  const at = findZone('Europe/London')!.instantAt(parseDay(day)!, hours * 3600 + minutes * 60)
  return {
    uri: `/releases/${id.toLowerCase()}`,
    date_changes: null,
    description: {
      title: `${onsTitles[release]}: ${periodWords(period)}`,
      summary: '',
      release_date: at.replace('000000Z', '000Z'),
      published: false,
      cancelled: status === 'CANCELLED',
      finalised: status === 'OFFICIAL',
      postponed: status === 'POSTPONED',
      census: false,
    },
  }
}

function writeKey({ release, period, day }: StandInRelease): unknown {
  return { date: `${day} 00:00:01`, type: 'meeting', title: release, description: periodWords(period) }
}

function writeTable(entries: Entries): string {
  const rows = entries.map(({ release, period, day }) => {
    const [category, kind = 'S'] = release.split('.')
    return `${period.includes('Q') ? 'Q' : 'M'},${category},${kind},${period},${compact(day)},A,,F,`
  })
  const header = 'FREQ,CATEGORY,RELEASE_TYPE,TIME_PERIOD,OBS_VALUE,OBS_STATUS,OBS_PRE_BREAK,OBS_CONF,COMMENTARY'
  return `${[header, ...rows].join('\n')}\n`
}
