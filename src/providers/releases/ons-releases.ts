// The release calendar of the UK Office for National Statistics: upcoming releases and cancelled ones, from its search. A
// series belongs to the release of its data set, and an entry to a release by its title.
import type { ReleaseStatus } from '../../core/calendar/release.ts'
import { formatDay } from '../../core/time/day.ts'
import { parseInstant } from '../../core/time/instant.ts'
import { askedFor, query, withParameter } from '../formats/address.ts'
import { failureOf, openBody, strange, withoutKeys } from '../formats/body.ts'
import { isRecord, itemsOf, member, wholeOf, wordsOf } from '../formats/lossless.ts'
import { quoted, sentence } from '../formats/problem.ts'
import type { Answer, ParsedReleases, ProviderRequest, ReleasesPart, ReleasesQuery } from '../provider.ts'
import { failedReleases, type ReleaseEntry, readEntries } from './release-entries.ts'

const zone = 'Europe/London'
const [daysBack, daysAhead] = [400, 400]
const perPage = 500

interface OnsRelease {
  /** The release, called by the data set that is named after it. */
  readonly release: string
  readonly sets: readonly string[]
  /** Quirk ONS-13: some titles end with the month of publication, not with the period of the figures. */
  readonly titleHasPeriod: boolean
}

const releases: ReadonlyMap<string, OnsRelease> = new Map([
  ['consumer price inflation, uk', { release: 'MM23', sets: ['MM23'], titleHasPeriod: true }],
  ['producer price inflation, uk', { release: 'MM22', sets: ['MM22', 'PPI'], titleHasPeriod: true }],
  ['services producer price inflation, uk', { release: 'SPPI', sets: ['SPPI'], titleHasPeriod: true }],
  ['retail sales, great britain', { release: 'DRSI', sets: ['DRSI'], titleHasPeriod: true }],
  ['gdp quarterly national accounts, uk', { release: 'QNA', sets: ['QNA'], titleHasPeriod: true }],
  ['gdp first quarterly estimate, uk', { release: 'PN2', sets: ['PN2'], titleHasPeriod: true }],
  ['labour market overview, uk', { release: 'LMS', sets: ['LMS', 'EMP'], titleHasPeriod: false }],
])

const releaseOfSet = new Map([...releases.values()].flatMap(({ release, sets }) => sets.map(set => [set, release])))

export const onsReleases: ReleasesPart = { zone, requests, read, next, releaseOf }

function releaseOf(code: string): string | null {
  return releaseOfSet.get(code.split('/')[1]?.toUpperCase() ?? '') ?? null
}

function requests({ today, codes }: ReleasesQuery): readonly ProviderRequest[] {
  const ask = (kind: string, from: string) => ({
    codes,
    method: 'GET' as const,
    path: `/search/releases${query([
      ['release-type', kind],
      ['sort', 'release_date_asc'],
      ['highlight', 'false'],
      ['fromDate', from],
      ['toDate', formatDay(today + daysAhead)],
      ['limit', perPage.toString()],
      ['offset', '0'],
    ])}`,
    headers: {},
    body: null,
    secrets: [],
  })
  return [ask('type-upcoming', formatDay(today)), ask('type-cancelled', formatDay(today - daysBack))]
}

/** Quirk ONS-12: the total of a page is in its breakdown. */
function next(asked: ProviderRequest, answer: Answer): ProviderRequest | null {
  const body = openBody(answer)
  if (body.form !== 'json') return null
  const total = wholeOf(member(member(body.value, 'breakdown'), 'total'))
  const found = itemsOf(member(body.value, 'releases')).length
  const offset = Number.parseInt(/[?&]offset=(\d{1,9})(?:&|$)/.exec(asked.path)?.[1] ?? '0', 10)
  if (total === null || found === 0 || offset + found >= total) return null
  return { ...asked, path: withParameter(asked.path, 'offset', (offset + found).toString()) }
}

function read(answer: Answer): ParsedReleases {
  const body = openBody(answer)
  if (body.form !== 'json' || answer.status >= 400) return failedReleases(failureOf(answer, body, withoutKeys).problems)
  const found = member(body.value, 'releases')
  if (!Array.isArray(found) || !isRecord(member(body.value, 'breakdown')))
    return failedReleases(strange(answer, 'an answer without releases and their breakdown', withoutKeys).problems)
  const isFirst = (askedFor(answer, 'offset') ?? '0') === '0'
  if (found.length === 0 && isFirst && askedFor(answer, 'release-type') === 'type-upcoming')
    return failedReleases(strange(answer, 'a calendar without a single upcoming release', withoutKeys).problems)
  if (found.length > 0 && !found.some(item => titleOf(item) !== ''))
    return failedReleases(strange(answer, 'no release has a description with a title', withoutKeys).problems)
  const own = found.flatMap(ownItem)
  const open = own.filter(({ status }) => status === null).map(openWords)
  const parsed = readEntries(own.flatMap(entryOf), zone)
  return { ...parsed, unread: [...parsed.unread, ...open] }
}

interface OwnItem {
  readonly item: unknown
  readonly known: OnsRelease
  readonly title: string
  /** The end of the title: `October 2026`. */
  readonly ending: string
  /** The status; null while the date is open. */
  readonly status: ReleaseStatus | null
}

function titleOf(item: unknown): string {
  return wordsOf(member(member(item, 'description'), 'title')) ?? ''
}

/**
 * An item of a release in our table, titled like `Consumer price inflation, UK: October 2026`. Quirk ONS-15: a second item,
 * with `time series` behind its title, announces the files of the release.
 */
function ownItem(item: unknown): readonly OwnItem[] {
  const title = titleOf(item)
  if (/ time series$/i.test(title)) return []
  const colon = Math.max(title.lastIndexOf(': '), 0)
  const known = releases.get(title.slice(0, colon).toLowerCase())
  const status = statusOf(member(item, 'description'))
  return known === undefined ? [] : [{ item, known, title, ending: title.slice(colon + 2), status }]
}

function entryOf({ item, known, title, ending, status }: OwnItem): readonly ReleaseEntry[] {
  const date = wordsOf(member(member(item, 'description'), 'release_date')) ?? ''
  const periodText = known.titleHasPeriod ? ending : null
  const sourceId = wordsOf(member(item, 'uri'))
  const { release } = known
  return status === null
    ? []
    : [{ release, title, periodText, at: parseInstant(date), writtenAt: date, status, sourceId }]
}

function openWords({ item, title }: OwnItem): string {
  const announced = wordsOf(member(member(item, 'description'), 'provisional_date')) ?? 'no day yet'
  return sentence(`${quoted(title)} is left out: its date is provisional (${announced})`)
}

/**
 * Quirk ONS-14: until a date is final, `release_date` is only a guess within the announced month. A postponed release has
 * a new date once it is final again.
 */
function statusOf(description: unknown): ReleaseStatus | null {
  const is = (name: string) => member(description, name) === true
  if (is('cancelled')) return 'CANCELLED'
  if (is('finalised') || is('published')) return 'OFFICIAL'
  return is('postponed') ? 'POSTPONED' : null
}
