// The release calendar of Statistics Canada: its schedule of key indicators. Only the data service can say which table a vector
// belongs to; a table belongs to the release that announces it. The schedule has days; The Daily comes at 08:30.
import { formatDay, parseDay } from '../../core/time/day.ts'
import type { Instant } from '../../core/time/instant.ts'
import { findZone, type Zone } from '../../core/time/local-time.ts'
import { failureOf, openBody, strange, withoutKeys } from '../formats/body.ts'
import { isRecord, member, wholeOf, wordsOf } from '../formats/lossless.ts'
import { problem } from '../formats/problem.ts'
import type { Answer, ParsedReleases, ProviderRequest, ReleasesPart, ReleasesQuery } from '../provider.ts'
import { failedReleases, noReleases, type ReleaseEntry, readEntries } from './release-entries.ts'

const zone = 'America/Toronto'
const vectorsPerRequest = 100

/** The titles of the schedule and the tables that each announces. */
const tables: ReadonlyMap<string, readonly number[]> = new Map([
  ['Consumer Price Index', [18100004, 18100005, 18100006, 18100007, 18100256]],
  ['Industrial product and raw materials price indexes', [18100265, 18100266, 18100267, 18100268]],
  ['New Housing Price Index', [18100205]],
  ['Building construction price indexes', [18100276, 18100289]],
  ['Labour Force Survey', [14100017, 14100022, 14100287]],
  ['Payroll employment, earnings and hours, and job vacancies', [14100201, 14100203, 14100220, 14100222, 14100223]],
  ['Gross domestic product by industry', [36100434]],
  ['Gross domestic product, income and expenditure', [36100103, 36100104]],
  ['Monthly Survey of Manufacturing', [16100047, 16100048]],
  ['Wholesale trade', [20100003, 20100074]],
  ['Retail trade', [20100008, 20100056]],
])

const releaseOfTitle = new Map([...tables.keys()].map(title => [title.toLowerCase(), title]))
const releaseOfTable = new Map([...tables].flatMap(([title, own]) => own.map(table => [table, title])))

export const statcanReleases: ReleasesPart = { zone, requests, read, releaseOf: () => null }

function requests({ codes, known }: ReleasesQuery): readonly ProviderRequest[] {
  const vectors = codes.filter(code => /^v\d{1,12}$/i.test(code) && !known.has(code))
  const schedule: ProviderRequest = {
    codes,
    method: 'GET',
    baseUrl: 'https://www150.statcan.gc.ca',
    path: '/n1/dai-quo/ssi/homepage/schedule-key_indicators-eng.json',
    headers: {},
    body: null,
    secrets: [],
  }
  const asked: ProviderRequest[] = [schedule]
  for (let start = 0; start < vectors.length; start += vectorsPerRequest) {
    const batch = vectors.slice(start, start + vectorsPerRequest)
    asked.push({
      codes: batch,
      method: 'POST',
      path: '/getSeriesInfoFromVector',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(batch.map(code => ({ vectorId: Number.parseInt(code.slice(1), 10) }))),
      secrets: [],
    })
  }
  return asked
}

function read(answer: Answer): ParsedReleases {
  const body = openBody(answer)
  if (body.form !== 'json' || answer.status >= 400) return failedReleases(failureOf(answer, body, withoutKeys).problems)
  if (!Array.isArray(body.value) || body.value.length === 0)
    return failedReleases(strange(answer, 'neither a schedule nor replies about vectors', withoutKeys).problems)
  const items: readonly unknown[] = body.value
  if (items.some(item => isRecord(item) && 'status' in item && 'object' in item)) return readReplies(items, answer)
  const entries = readSchedule(items)
  return entries.length === 0
    ? failedReleases([problem('unreadable', `none of the ${items.length} entries of the schedule is a known release`)])
    : readEntries(entries, zone)
}

/** The release of each vector; a vector whose table is in no release is left out. */
function readReplies(replies: readonly unknown[], { codes }: Answer): ParsedReleases {
  const series = replies.flatMap(reply => {
    const object = member(reply, 'object')
    const vector = wholeOf(member(object, 'vectorId'))
    const release = releaseOfTable.get(wholeOf(member(object, 'productId')) ?? 0)
    const code = codes.find(each => each.toLowerCase() === `v${vector}`)
    return release === undefined || code === undefined ? [] : [{ code, release }]
  })
  return { ...noReleases, series }
}

/** Quirk STATCAN-14: an entry has no id; title and period name it, and stay when its date moves. */
function readSchedule(items: readonly unknown[]): readonly ReleaseEntry[] {
  const toronto = findZone(zone)!
  return items.flatMap(item => {
    const title = wordsOf(member(item, 'title'))?.replace(/\s+/g, ' ') ?? ''
    const release = releaseOfTitle.get(title.toLowerCase())
    if (release === undefined) return []
    const periodText = wordsOf(member(item, 'description')) ?? ''
    const date = wordsOf(member(item, 'date')) ?? ''
    const at = readDate(date, toronto)
    const status = at?.length === 10 ? 'DATE_ONLY' : 'OFFICIAL'
    return [{ release, title, periodText, at, writtenAt: date, status, sourceId: `${release}/${periodText}` }]
  })
}

/** Quirk STATCAN-15: the first second of a day stands for the day. */
function readDate(text: string, toronto: Zone): Instant | string | null {
  const match = /^(\d{4}-\d{2}-\d{2})(?:[ T]([01]\d|2[0-3]):([0-5]\d)(?::[0-5]\d)?)?$/.exec(text)
  const day = match === null ? null : parseDay(match[1]!)
  if (match === null || day === null) return null
  const [hours, minutes] = [match[2] ?? '0', match[3] ?? '0'].map(part => Number.parseInt(part, 10)) as [number, number]
  return hours === 0 && minutes === 0 ? formatDay(day) : toronto.instantAt(day, hours * 3600 + minutes * 60)
}
