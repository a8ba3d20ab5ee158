// Sends one request to a provider and follows it to the last page: stays within the provider's rate limits, retries
// temporary failures and honours Retry-After. It reads the answers and decides nothing about them.
import { createHash } from 'node:crypto'
import { detach } from '../core/series/observation-table.ts'
import type { ProviderName } from '../core/series/series.ts'
import type { Instant } from '../core/time/instant.ts'
import type {
  Answer,
  AnswerProblem,
  ParsedAnswer,
  ParsedSeries,
  Provider,
  ProviderRequest,
} from '../providers/provider.ts'
import { type PackedText, packText } from '../storage/postgres/packed-text.ts'
import type { TraceCarrier } from '../tracing/spans.ts'
import { formOf, type ObservedForm } from './drift/form.ts'
import { type Fetched, type Fetcher, noValidators, type Validators } from './fetch.ts'
import type { Chain } from './gather.ts'
import { ingestLimits } from './ingest-limits.ts'
import type { Pace, Sleep } from './pace.ts'
import { redactBody, redactMessage, redactor } from './redact.ts'

export interface Asking {
  readonly fetcher: Pick<Fetcher, 'fetch'>
  readonly pace: Pace
  readonly sleep: Sleep
  readonly clock: () => Instant
  readonly bases: ReadonlyMap<ProviderName, string>
}

/** Form of an answer, and its address. */
interface ObservedAnswer {
  readonly address: string
  readonly status: number
  readonly seen: ObservedForm
}

function seenAnswer(answer: Answer, provider: Provider): ObservedAnswer {
  return { address: answer.url ?? provider.baseUrl, status: answer.status, seen: formOf(answer, provider) }
}

/** An answer as stored: without keys, and compressed at once because many may wait in memory to be published. */
interface RecordedAnswer extends ObservedAnswer {
  readonly codes: readonly string[]
  readonly contentType: string | null
  readonly receivedAt: Instant
  readonly body: PackedText
}

/** Parser of the answers of a chain: of series, or of a calendar. */
export interface AnswerReader<Parsed extends { readonly problems: readonly AnswerProblem[] }> {
  /** Must not throw; if it does on a strange answer, `nothing` was read. */
  read(answer: Answer): Parsed
  next(request: ProviderRequest, answer: Answer): ProviderRequest | null
  readonly nothing: Parsed
  isEmpty(parsed: Parsed): boolean
  /** Values or entries; there is a bound for a chain. */
  rowsOf(parsed: Parsed): number
}

/** One request and every request that followed from it. */
export interface AnswerChain<Parsed> {
  readonly codes: readonly string[]
  readonly parsedAnswers: readonly Parsed[]
  readonly failure: AnswerProblem | null
  readonly hasMarkedEnds: boolean
  /** The provider says that nothing has changed since it sent the validators. */
  readonly isUnchanged: boolean
  /** Validators; only for a chain of one answer, because they mean nothing for several. */
  readonly validators: Validators
  /** Trace context of the question; only for a chain of one answer. */
  readonly trace: TraceCarrier | null
  readonly answers: readonly RecordedAnswer[]
  /** The answer that the provider refused with; the chain stopped after it. */
  readonly refused: ObservedAnswer | null
  readonly requests: number
  /** Hash of the first request, without its keys. */
  readonly requestHash: string
}

export type AskedChain = Chain & AnswerChain<ParsedAnswer>

/** Hash of a request without its keys: the same whichever key it carries. */
export function requestHash({ method, path, body, secrets }: ProviderRequest): string {
  const redact = redactor(secrets)
  return createHash('sha256')
    .update(`${method} ${redact(path)} ${redact(body ?? '')}`)
    .digest('hex')
}

/** Record of a provider's behaviour in this run: after several failures in a row it is not asked again. */
export class Lane {
  readonly provider: Provider
  /** Aborted when the run is cancelled. */
  readonly signal: AbortSignal
  #troubles = 0

  constructor(provider: Provider, signal: AbortSignal) {
    this.provider = provider
    this.signal = signal
  }

  noteAnswer(): void {
    this.#troubles = 0
  }

  noteTrouble(): void {
    this.#troubles++
  }

  get isClosed(): boolean {
    return this.#troubles >= ingestLimits.providerTroublesInARow
  }
}

/** Answers with values of series. */
export function seriesReader(provider: Provider): AnswerReader<ParsedAnswer> {
  return {
    read(answer) {
      const { series, problems } = provider.read(answer)
      return { series: series.map(detachSeries), problems }
    },
    next: (request, answer) => provider.next?.(request, answer) ?? null,
    nothing: { series: [], problems: [] },
    isEmpty: ({ series }) => series.length === 0,
    rowsOf: ({ series }) => series.reduce((sum, { observations }) => sum + observations.length, 0),
  }
}

export async function askChain<Parsed extends { readonly problems: readonly AnswerProblem[] }>(
  lane: Lane,
  first: ProviderRequest,
  validators: Validators,
  asking: Asking,
  reader: AnswerReader<Parsed>,
): Promise<AnswerChain<Parsed>> {
  const { provider } = lane
  const parsedAnswers: Parsed[] = []
  const answers: RecordedAnswer[] = []
  const chain = { codes: first.codes, requestHash: requestHash(first), parsedAnswers, answers, isUnchanged: false }
  let requests = 0
  let rows = 0
  let last: Validators = noValidators
  let trace: TraceCarrier | null = null
  let hasMarkedEnds = true
  let refused: ObservedAnswer | null = null
  const ended = (failure: AnswerProblem | null): AnswerChain<Parsed> => {
    const kept = requests === 1 && failure === null ? last : noValidators
    return {
      ...chain,
      failure,
      refused,
      requests,
      hasMarkedEnds,
      validators: kept,
      trace: requests === 1 ? trace : null,
    }
  }
  for (let request: ProviderRequest | null = first; request !== null; ) {
    if (parsedAnswers.length >= ingestLimits.providerChain)
      return ended(
        problem('too-large', `${provider.name} has more than ${ingestLimits.providerChain} pages for one request`),
      )
    const tried = await askPatiently(lane, request, requests === 0 ? validators : noValidators, asking, reader)
    requests += tried.requests
    if (tried.kind === 'failed') {
      if (tried.answer !== null) refused = seenAnswer(tried.answer, provider)
      return ended(tried.problem)
    }
    if (tried.kind === 'unchanged') return { ...ended(null), isUnchanged: true }
    const { answer, parsed } = tried
    answers.push(await keep(answer, request, provider, asking.clock()))
    hasMarkedEnds &&= tried.hasMarkedEnd
    last = tried.validators
    trace = tried.trace ?? null
    rows += reader.rowsOf(parsed)
    if (rows > ingestLimits.providerRows)
      return ended(problem('too-large', `more than ${ingestLimits.providerRows} values were sent for one request`))
    const next = nextSafely(reader, request, answer)
    if (next === 'unreadable') return ended(problem('unreadable', 'the address of the next page could not be read'))
    parsedAnswers.push(next === null ? parsed : { ...parsed, problems: [] })
    request = next
  }
  return ended(null)
}

function problem(kind: AnswerProblem['kind'], message: string): AnswerProblem {
  return { kind, message }
}

async function keep(
  answer: Answer,
  { codes, secrets }: ProviderRequest,
  provider: Provider,
  receivedAt: Instant,
): Promise<RecordedAnswer> {
  const redact = redactor(secrets)
  return {
    ...seenAnswer(answer, provider),
    codes,
    contentType: answer.contentType,
    receivedAt,
    body: await packText(redactBody(answer.body, provider, redact)),
  }
}

type Tried<Parsed> =
  | {
      readonly kind: 'answer'
      readonly answer: Answer
      readonly parsed: Parsed
      readonly validators: Validators
      readonly hasMarkedEnd: boolean
      readonly trace?: TraceCarrier | null
      readonly requests: number
    }
  | { readonly kind: 'unchanged'; readonly requests: number }
  | {
      readonly kind: 'failed'
      readonly problem: AnswerProblem
      readonly requests: number
      /** The answer that came with the failure. */
      readonly answer: Answer | null
    }

async function askPatiently<Parsed extends { readonly problems: readonly AnswerProblem[] }>(
  lane: Lane,
  request: ProviderRequest,
  validators: Validators,
  asking: Asking,
  reader: AnswerReader<Parsed>,
): Promise<Tried<Parsed>> {
  const { provider, signal } = lane
  const { pace, sleep, fetcher, bases } = asking
  const fetchRequest = { provider, request, base: bases.get(provider.name) ?? null, validators }
  for (let requests = 0; ; ) {
    if (lane.isClosed)
      return notAsked(provider, `it gave no answer ${ingestLimits.providerTroublesInARow} times in a row`, requests)
    const wait = await pace.take(provider, signal)
    if (wait > 0)
      return notAsked(provider, `its limits allow the next request in ${formatWait(wait)}`, requests, 'rate-limited')
    requests++
    const fetched = await fetcher.fetch(fetchRequest, signal)
    const parsed = fetched.kind === 'answer' ? readSafely(reader, fetched.answer, request) : null
    const trouble = troubleOf(fetched, parsed, reader)
    if (trouble === null) {
      lane.noteAnswer()
      if (fetched.kind === 'unchanged') return { kind: 'unchanged', requests }
      return { ...(fetched as Extract<Fetched, { kind: 'answer' }>), parsed: parsed!, requests }
    }
    if (trouble.pauseMs !== null) await pace.pause(provider.name, trouble.pauseMs)
    if (
      !trouble.isPassing ||
      requests >= ingestLimits.providerTries ||
      (trouble.pauseMs ?? 0) > ingestLimits.providerLongestWaitMs
    ) {
      lane.noteTrouble()
      const answer = fetched.kind === 'answer' ? fetched.answer : null
      return { kind: 'failed', problem: trouble.problem, requests, answer }
    }
    // `pace.take` waits for a pause.
    if (trouble.pauseMs === null) await sleep(ingestLimits.providerBackoffMs * 4 ** (requests - 1), signal)
  }
}

function notAsked(
  { name }: Provider,
  why: string,
  requests: number,
  kind: AnswerProblem['kind'] = 'provider-error',
): Tried<never> {
  return { kind: 'failed', problem: problem(kind, `${name} was not asked: ${why}`), requests, answer: null }
}

function formatWait(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000)
  if (seconds < 120) return `${seconds} s`
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3600)} hours`
}

function nextSafely(
  reader: Pick<AnswerReader<never>, 'next'>,
  request: ProviderRequest,
  answer: Answer,
): ProviderRequest | null | 'unreadable' {
  try {
    return reader.next(request, answer)
  } catch {
    return 'unreadable'
  }
}

/** Reads safely: after an answer that a reader cannot stand, the other series still continue. */
function readSafely<Parsed extends { readonly problems: readonly AnswerProblem[] }>(
  reader: AnswerReader<Parsed>,
  answer: Answer,
  { secrets }: ProviderRequest,
): Parsed {
  const redact = redactor(secrets)
  try {
    const parsed = reader.read(answer)
    return {
      ...parsed,
      problems: parsed.problems.map(({ kind, message }) => problem(kind, redactMessage(message, redact))),
    }
  } catch (error) {
    const words = redactMessage(error instanceof Error ? error.message : String(error), redact)
    const told = problem('unreadable', `the answer could not be read: ${words.slice(0, 200)}`)
    return { ...reader.nothing, problems: [told] }
  }
}

/** Copies the texts of a series: slices of the answer would keep the whole answer in memory. */
function detachSeries(series: ParsedSeries): ParsedSeries {
  const { code, name, unit } = series
  return {
    ...series,
    code: detach(code),
    name: name === null ? null : detach(name),
    unit: unit === null ? null : detach(unit),
  }
}

interface Trouble {
  readonly problem: AnswerProblem
  readonly isPassing: boolean
  readonly pauseMs: number | null
}

/** Failures that are worth a retry: no answer, a server error, too many requests. */
function troubleOf<Parsed extends { readonly problems: readonly AnswerProblem[] }>(
  fetched: Fetched,
  parsed: Parsed | null,
  reader: AnswerReader<Parsed>,
): Trouble | null {
  if (fetched.kind === 'failed') return { problem: fetched.problem, isPassing: fetched.isPassing, pauseMs: null }
  if (fetched.kind === 'unchanged' || parsed === null) return null
  const { status } = fetched.answer
  const limited = parsed.problems.find(({ kind }) => kind === 'rate-limited')
  if (limited !== undefined || status === 429 || status === 503) {
    const told = limited ?? parsed.problems[0] ?? problem('rate-limited', `too many requests (status ${status})`)
    return { problem: told, isPassing: true, pauseMs: fetched.retryAfterMs }
  }
  // The body under a status of a server failure is not trusted, however good it looks.
  if (status >= 500) {
    const told = parsed.problems[0] ?? problem('provider-error', `the server failed (status ${status})`)
    return { problem: told, isPassing: true, pauseMs: fetched.retryAfterMs }
  }
  const isServer = reader.isEmpty(parsed) && parsed.problems.some(({ kind }) => kind === 'provider-error')
  return isServer ? { problem: parsed.problems[0]!, isPassing: true, pauseMs: null } : null
}
