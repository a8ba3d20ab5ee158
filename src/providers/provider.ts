// What a provider is: data, and two pure functions. `request` says what to ask, `read` says what an answer means. No
// network, no clock, no environment here: ingest does the asking.
import type { Day } from '../core/day.ts'
import type { SeriesHabits } from '../core/formula/series-habits.ts'
import type { Instant } from '../core/instant.ts'
import type { Frequency } from '../core/period.ts'
import type { DataType, ProviderName, VersionTag } from '../core/series.ts'

export interface Provider {
  readonly name: ProviderName
  /** The provider's own name, for people. */
  readonly title: string
  /** What it is called in a table or in a sentence. */
  readonly shortTitle: string
  /** Where people find it on the web. */
  readonly home: string
  /** Scheme, host and fixed first part of the path; paths of requests are appended to it. */
  readonly baseUrl: string
  /** Hosts that may be asked; redirects off them are not followed. */
  readonly hosts: readonly string[]
  readonly key: 'none' | 'optional' | 'required'
  readonly limits: ProviderLimits
  /** How often it is worth asking, in minutes, and when its releases come, in words. */
  readonly askEveryMinutes: number
  readonly releases: string
  /** The same by its own clock, where it says when it publishes; it is then asked shortly after. */
  readonly calendar?: ReleaseCalendar
  /** Where it can tell what changed since, and that is worth asking for. */
  readonly delta?: Delta
  /** What its bytes are when they are no UTF-8 and nothing names them; windows-1252 unless said otherwise. */
  readonly charset?: 'shift_jis' | 'windows-1252'
  /** What its series are generally known for; warnings go by it. */
  readonly habits?: SeriesHabits
  /** How a code is written in our notation, with an example. */
  readonly codeNotation: string
  readonly codeExample: string
  /** Terms of use in one or two sentences. */
  readonly terms: string
  /** The requests that together answer the question, in order. Refuses a code it cannot read. */
  request(question: Question): readonly ProviderRequest[]
  /** What one answer means. Never throws for what a provider sent: trouble is a problem in the reading. */
  read(answer: Answer): Reading
  /** The further request a long answer calls for (paging), or null. */
  next?(request: ProviderRequest, answer: Answer): ProviderRequest | null
  /** What the figures of a code are, where the code says it plainly. */
  dataTypeOf?(code: string): DataType | null
  /** A body without what is nobody's business, before it is kept. */
  withoutPersons?(body: string): string
}

export interface ReleaseCalendar {
  readonly zone: string
  /** Hours and the first minute after the release, and the days in cron's notation. */
  readonly times: readonly { readonly minute: number; readonly hours: string; readonly days: string }[]
}

export interface Delta {
  /** Of series whose other answers would be long; null for all. */
  readonly frequencies: readonly Frequency[] | null
  /** It does not show everything: values are asked for once a day, and whenever somebody asks. */
  readonly isPartial: boolean
}

export interface ProviderLimits {
  readonly requestsPerMinute: number
  readonly requestsPerDay: number | null
  readonly seriesPerRequest: number
}

export interface Question {
  readonly codes: readonly string[]
  /** Only periods that reach this day or later; null for the whole history. */
  readonly from: Day | null
  /** Only what changed since, where the provider can tell; null otherwise. */
  readonly changedSince: Instant | null
  readonly today: Day
  readonly key: string | null
}

export interface ProviderRequest {
  /** The codes whose values this request brings. */
  readonly codes: readonly string[]
  readonly method: 'GET' | 'POST'
  /** Path and query, appended to the base address; it begins with a slash. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** Parts of the path, the headers and the body that must not be logged or kept. */
  readonly secrets: readonly string[]
}

export interface Answer {
  /** HTTP status; 200 where a recording does not say. */
  readonly status: number
  readonly contentType: string | null
  /** The address that was asked, where it is known. */
  readonly url: string | null
  /** The codes that were asked for; empty where a recording does not say. */
  readonly codes: readonly string[]
  readonly body: string
}

export interface Reading {
  readonly series: readonly SeriesReading[]
  readonly problems: readonly ReadingProblem[]
}

export interface SeriesReading {
  readonly code: string
  readonly name: string | null
  readonly unit: string | null
  readonly frequency: Frequency
  /** Ascending by period, then by publication. */
  readonly observations: readonly ObservationReading[]
  readonly missing: readonly MissingReading[]
}

export interface ObservationReading {
  /** In our notation: `2024-03`, `2024-Q1`. */
  readonly period: string
  /** The provider's digits. */
  readonly value: string
  readonly version: VersionTag
  readonly flag: string | null
  /** A day or an instant, where the answer says when it was public; else null. */
  readonly published: string | null
}

export interface MissingReading {
  readonly period: string
  readonly flag: string | null
  readonly reason: string
  /** The days from and to which there was no value, where the provider says that; `to` is null while it lasts. */
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

export interface ReadingProblem {
  readonly kind: ProblemKind
  readonly message: string
}
