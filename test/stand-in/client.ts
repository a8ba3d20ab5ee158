// A small client for tests: sends a provider's own requests to a stand-in over real HTTP and parses the answers, page after
// page. It has none of the safeguards of ingest, so only tests use it.

import type { ProviderName } from '../../src/core/series/series.ts'
import type { Day } from '../../src/core/time/day.ts'
import { dayOfInstant, type Instant } from '../../src/core/time/instant.ts'
import { providers } from '../../src/providers/catalogue/catalogue.ts'
import type {
  Answer,
  AnswerProblem,
  ParsedAnswer,
  ParsedObservation,
  ParsedSeries,
  ProviderRequest,
} from '../../src/providers/provider.ts'
import { standInKeys } from './speakers.ts'
import type { StandIn } from './stand-in.ts'

export interface Inquiry {
  readonly provider: ProviderName
  readonly codes: readonly string[]
  readonly from?: Day | null
  readonly changedSince?: Instant | null
  /** `undefined`: the stand-in's own key. */
  readonly key?: string | null
  /** How many answers to one request and its pages are read. */
  readonly mostPages?: number
}

export interface Exchange {
  readonly request: ProviderRequest
  readonly answer: Answer
}

/** Every request of an inquiry with its answer, further pages included. */
export async function exchange(standIn: StandIn, inquiry: Inquiry): Promise<readonly Exchange[]> {
  const provider = providers[inquiry.provider]
  const exchanges: Exchange[] = []
  const requests = provider.request({
    codes: inquiry.codes,
    from: inquiry.from ?? null,
    changedSince: inquiry.changedSince ?? null,
    today: dayOfInstant(standIn.now),
    key: inquiry.key === undefined ? (standInKeys[inquiry.provider] ?? null) : inquiry.key,
  })
  for (const first of requests) {
    let request: ProviderRequest | null = first
    for (let page = 0; request !== null && page < (inquiry.mostPages ?? 50); page++) {
      const answer = await ask(standIn.baseOf(inquiry.provider), request)
      exchanges.push({ request, answer })
      request = provider.next?.(request, answer) ?? null
    }
  }
  return exchanges
}

export async function ask(base: string, request: ProviderRequest): Promise<Answer> {
  const url = `${base}${request.path}`
  const response = await fetch(url, {
    method: request.method,
    headers: request.headers,
    body: request.body,
    redirect: 'manual',
  })
  // A byte order mark is kept: readers must handle it.
  const body = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer())
  return { status: response.status, contentType: response.headers.get('content-type'), url, codes: request.codes, body }
}

/** All answers of an inquiry as one parsed answer. */
export async function inquire(standIn: StandIn, inquiry: Inquiry): Promise<ParsedAnswer> {
  const exchanges = await exchange(standIn, inquiry)
  return mergeAnswers(exchanges.map(({ answer }) => providers[inquiry.provider].read(answer)))
}

/** Merges the parts of each series; rows repeated on several pages count once. */
export function mergeAnswers(answers: readonly ParsedAnswer[]): ParsedAnswer {
  const series = new Map<string, ParsedSeries>()
  for (const part of answers.flatMap(parsed => parsed.series)) {
    const held = series.get(part.code)
    series.set(part.code, held === undefined ? part : join(held, part))
  }
  const problems: readonly AnswerProblem[] = answers.flatMap(parsed => parsed.problems)
  return { series: [...series.values()], problems }
}

function join(a: ParsedSeries, b: ParsedSeries): ParsedSeries {
  const key = ({ period, published }: ParsedObservation) => `${period} ${published ?? ''}`
  const observations = new Map([...b.observations, ...a.observations].map(each => [key(each), each]))
  const missing = new Map([...b.missing, ...a.missing].map(each => [each.period, each]))
  return {
    code: a.code,
    name: a.name ?? b.name,
    unit: a.unit ?? b.unit,
    frequency: a.frequency,
    observations: [...observations].sort(byKey).map(([, each]) => each),
    missing: [...missing].sort(byKey).map(([, each]) => each),
  }
}

function byKey(a: readonly [string, unknown], b: readonly [string, unknown]): number {
  return a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0
}
