// A provider: data and two pure functions. `request` turns a query into requests, `read` parses an answer; its release
// calendar, if it has one, is another such pair. No network, no clock and no environment here: ingest sends the requests.

import type { Release } from '../core/calendar/release.ts'
import type { SeriesHabits } from '../core/formula/series-habits.ts'
import type { DataType, ProviderName, VersionTag } from '../core/series/series.ts'
import type { Day } from '../core/time/day.ts'
import type { Instant } from '../core/time/instant.ts'
import type { Frequency } from '../core/time/period.ts'

export interface Provider {
  readonly name: ProviderName
  /** The provider's own name, for people. */
  readonly title: string
  /** Its name in a table or in a sentence. */
  readonly shortTitle: string
  readonly home: string
  /** Scheme, host and fixed first part of the path; paths of requests are appended to it. */
  readonly baseUrl: string
  /** Hosts that requests may go to; redirects to other hosts are not followed. */
  readonly hosts: readonly string[]
  readonly key: 'none' | 'optional' | 'required'
  readonly limits: ProviderLimits
  /** The minutes between two requests, and the days of publication in words. */
  readonly askEveryMinutes: number
  readonly publishes: string
  /** Release times in its own time zone, if it announces them; it is asked shortly after each. */
  readonly calendar?: ReleaseCalendar
  /** Given if it can report changes since a day, and asking for them is worth it. */
  readonly delta?: Delta
  /** The charset of bodies that are not UTF-8 and do not name theirs; windows-1252 unless given. */
  readonly charset?: 'shift_jis' | 'windows-1252'
  /** General facts about its series, used for warnings. */
  readonly habits?: SeriesHabits
  /** The notation of codes here, with an example. */
  readonly codeNotation: string
  readonly codeExample: string
  /** Terms of use in one or two sentences. */
  readonly terms: string
  /** The requests that together answer the query, in order. Refuses a code it cannot read. */
  request(query: ProviderQuery): readonly ProviderRequest[]
  /** Parses one answer. Never throws, whatever the provider sent: what cannot be read becomes a problem. */
  read(answer: Answer): ParsedAnswer
  /** The next request if the answer continues (paging), or null. */
  next?(request: ProviderRequest, answer: Answer): ProviderRequest | null
  /** The type of data behind a code, if the code makes it obvious. */
  dataTypeOf?(code: string): DataType | null
  /** The part of a code that decides what an answer looks like; the part before the last slash unless given. */
  dataSetOf?(code: string): string
  /** Fields that come and go with the series, by their paths. */
  readonly looseFields?: RegExp
  /** Removes personal data from a body before it is stored. */
  withoutPersons?(body: string): string
  /** The release calendar, if a program can read it. */
  readonly releases?: ReleasesPart
}

/** The release calendar of a provider. */
export interface ReleasesPart {
  /** The time zone of the calendar's dates. */
  readonly zone: string
  /**
   * The requests that together give the calendar, in order. Codes it cannot read are left out. A request that follows from an
   * answer may repeat an earlier one (its path and body): its answer is known, so it need not be sent again.
   */
  requests(query: ReleasesQuery): readonly ProviderRequest[]
  /** Parses one answer. Never throws: what cannot be read becomes a problem, and no date is guessed. */
  read(answer: Answer): ParsedReleases
  /** The next request if the answer continues or leads to another one, or null. */
  next?(request: ProviderRequest, answer: Answer): ProviderRequest | null
  /** The release that a series belongs to, if its code says so; null if only an answer can (`ParsedReleases.series`). */
  releaseOf(code: string): string | null
}

export interface ReleasesQuery {
  readonly today: Day
  readonly key: string | null
  /** The codes that are followed. */
  readonly codes: readonly string[]
  /** The releases of series that earlier answers named, by code: these are not asked for again. */
  readonly known: ReadonlyMap<string, string>
}

export type ParsedRelease = Omit<Release, 'provider'>

export interface ParsedReleases {
  /** The entries of the answer that belong to a release, in the order of the answer. */
  readonly releases: readonly ParsedRelease[]
  /** The releases that series belong to, if the answer says so. */
  readonly series: readonly { readonly code: string; readonly release: string }[]
  /**
   * One sentence for each entry that could not be read fully. An entry with an unclear period is also among the releases,
   * without a period; an entry with an unclear date is not.
   */
  readonly unread: readonly string[]
  readonly problems: readonly AnswerProblem[]
}

interface ReleaseCalendar {
  readonly zone: string
  /** Hours, the first minute after the release, and days of the week, in cron notation. */
  readonly times: readonly { readonly minute: number; readonly hours: string; readonly days: string }[]
}

interface Delta {
  /** Frequencies whose full answers would be long: others are asked for no delta; null for all. */
  readonly frequencies: readonly Frequency[] | null
  /** A delta does not show every change, so values are also requested once a day and on demand. */
  readonly isPartial: boolean
}

export interface ProviderLimits {
  readonly requestsPerMinute: number
  readonly requestsPerDay: number | null
  readonly seriesPerRequest: number
}

export interface ProviderQuery {
  readonly codes: readonly string[]
  /** Only periods that end on this day or later; null for the whole history. */
  readonly from: Day | null
  /** Only what changed since then, if the provider supports it; null otherwise. */
  readonly changedSince: Instant | null
  readonly today: Day
  readonly key: string | null
}

export interface ProviderRequest {
  /** The codes whose values this request fetches. */
  readonly codes: readonly string[]
  readonly method: 'GET' | 'POST'
  /** Replaces the provider's own base for data served elsewhere; the host must be one of its hosts. */
  readonly baseUrl?: string
  /** Path and query string, appended to the base address; it starts with a slash. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** Parts of the path, the headers and the body that must not be logged or stored. */
  readonly secrets: readonly string[]
}

export interface Answer {
  /** HTTP status; 200 if a recording does not say. */
  readonly status: number
  readonly contentType: string | null
  /** The requested address, if known. */
  readonly url: string | null
  /** The requested codes; empty if a recording does not say. */
  readonly codes: readonly string[]
  readonly body: string
}

export interface ParsedAnswer {
  readonly series: readonly ParsedSeries[]
  readonly problems: readonly AnswerProblem[]
}

export interface ParsedSeries {
  readonly code: string
  readonly name: string | null
  readonly unit: string | null
  readonly frequency: Frequency
  /** Ascending by period, then by publication. */
  readonly observations: readonly ParsedObservation[]
  readonly missing: readonly MissingObservation[]
}

export interface ParsedObservation {
  /** A period in our notation: `2024-03`, `2024-Q1`. */
  readonly period: string
  /** The provider's digits. */
  readonly value: string
  readonly version: VersionTag
  readonly flag: string | null
  /** A day or an instant, if the answer says when the value was published; else null. */
  readonly published: string | null
}

export interface MissingObservation {
  readonly period: string
  readonly flag: string | null
  readonly reason: string
  /** The days between which there was no value, if the provider says so; `to` is null while that lasts. */
  readonly window?: { readonly from: string; readonly to: string | null }
}

export const problemKinds = [
  'bad-key',
  'unknown-series',
  'bad-request',
  'rate-limited',
  'too-large',
  'provider-error',
  'unreadable',
] as const
export type ProblemKind = (typeof problemKinds)[number]

export interface AnswerProblem {
  readonly kind: ProblemKind
  readonly message: string
}
