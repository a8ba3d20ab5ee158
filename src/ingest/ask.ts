// Asks a provider one question to its end: every request it takes, every page that follows, with the provider's pace kept,
// passing trouble tried again and Retry-After honoured. It reads what came and decides nothing about it.
import { createHash } from 'node:crypto'
import type { Instant } from '../core/instant.ts'
import { detach } from '../core/observation-table.ts'
import type { ProviderName } from '../core/series.ts'
import { limits } from '../limits.ts'
import type {
  Answer,
  Provider,
  ProviderRequest,
  Reading,
  ReadingProblem,
  SeriesReading,
} from '../providers/provider.ts'
import { type PackedText, packText } from '../storage/packed-text.ts'
import { type Fetched, type Fetcher, noValidators, type Validators } from './fetch.ts'
import type { Chain } from './gather.ts'
import type { Pace, Sleep } from './pace.ts'
import { redactBody, redactMessage, redactor } from './redact.ts'

export interface Asking {
  readonly fetcher: Pick<Fetcher, 'fetch'>
  readonly pace: Pace
  readonly sleep: Sleep
  readonly clock: () => Instant
  readonly bases: ReadonlyMap<ProviderName, string>
}

/** An answer as it is kept: without keys, and packed at once, since there may be many before they are settled. */
export interface KeptAnswer {
  readonly codes: readonly string[]
  readonly address: string
  readonly status: number
  readonly contentType: string | null
  readonly receivedAt: Instant
  readonly body: PackedText
}

export interface AskedChain extends Chain {
  /** The provider says that nothing changed since the validators were given out. */
  readonly isUnchanged: boolean
  /** Of a chain of one answer; they say nothing about several. */
  readonly validators: Validators
  readonly answers: readonly KeptAnswer[]
  readonly requests: number
  /** Which question it was, without its keys. */
  readonly questionHash: string
}

/** The same for the same question, whoever's key it carries. */
export function questionHash({ method, path, body, secrets }: ProviderRequest): string {
  const redact = redactor(secrets)
  return createHash('sha256')
    .update(`${method} ${redact(path)} ${redact(body ?? '')}`)
    .digest('hex')
}

/** How a provider has behaved in this run: after several failures in a row it is left alone. */
export class Lane {
  readonly provider: Provider
  /** Aborted when the run is given up. */
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
    return this.#troubles >= limits.providerTroublesInARow
  }
}

export async function askChain(
  lane: Lane,
  first: ProviderRequest,
  validators: Validators,
  asking: Asking,
): Promise<AskedChain> {
  const { provider } = lane
  const readings: Reading[] = []
  const answers: KeptAnswer[] = []
  const chain = { codes: first.codes, questionHash: questionHash(first), readings, answers, isUnchanged: false }
  let requests = 0
  let rows = 0
  let last: Validators = noValidators
  let hasMarkedEnds = true
  const ended = (failure: ReadingProblem | null): AskedChain => {
    const kept = requests === 1 && failure === null ? last : noValidators
    return { ...chain, failure, requests, hasMarkedEnds, validators: kept }
  }
  for (let request: ProviderRequest | null = first; request !== null; ) {
    if (readings.length >= limits.providerChain)
      return ended(
        problem('too-large', `${provider.name} has more than ${limits.providerChain} pages for one question`),
      )
    const tried = await askPatiently(lane, request, requests === 0 ? validators : noValidators, asking)
    requests += tried.requests
    if (tried.kind === 'failed') return ended(tried.problem)
    if (tried.kind === 'unchanged') return { ...ended(null), isUnchanged: true }
    const { answer, reading } = tried
    answers.push(await keep(answer, request, provider, asking.clock()))
    hasMarkedEnds &&= tried.hasMarkedEnd
    last = tried.validators
    rows += reading.series.reduce((sum, { observations }) => sum + observations.length, 0)
    if (rows > limits.providerRows)
      return ended(problem('too-large', `more than ${limits.providerRows} values came for one question`))
    const next = nextSafely(provider, request, answer)
    if (next === 'unreadable') return ended(problem('unreadable', 'what to ask for next could not be read'))
    readings.push(next === null ? reading : { series: reading.series, problems: [] })
    request = next
  }
  return ended(null)
}

function problem(kind: ReadingProblem['kind'], message: string): ReadingProblem {
  return { kind, message }
}

async function keep(
  answer: Answer,
  { codes, secrets }: ProviderRequest,
  provider: Provider,
  receivedAt: Instant,
): Promise<KeptAnswer> {
  const redact = redactor(secrets)
  return {
    codes,
    address: answer.url ?? provider.baseUrl,
    status: answer.status,
    contentType: answer.contentType,
    receivedAt,
    body: await packText(redactBody(answer.body, provider, redact)),
  }
}

type Tried =
  | {
      readonly kind: 'answer'
      readonly answer: Answer
      readonly reading: Reading
      readonly validators: Validators
      readonly hasMarkedEnd: boolean
      readonly requests: number
    }
  | { readonly kind: 'unchanged'; readonly requests: number }
  | { readonly kind: 'failed'; readonly problem: ReadingProblem; readonly requests: number }

async function askPatiently(
  lane: Lane,
  request: ProviderRequest,
  validators: Validators,
  asking: Asking,
): Promise<Tried> {
  const { provider, signal } = lane
  const { pace, sleep, fetcher, bases } = asking
  const question = { provider, request, base: bases.get(provider.name) ?? null, validators }
  for (let requests = 0; ; ) {
    if (lane.isClosed)
      return notAsked(provider, `it gave no answer ${limits.providerTroublesInARow} times in a row`, requests)
    const wait = await pace.take(provider, signal)
    if (wait > 0)
      return notAsked(provider, `its limits allow the next request in ${describeWait(wait)}`, requests, 'rate-limited')
    requests++
    const fetched = await fetcher.fetch(question, signal)
    const reading = fetched.kind === 'answer' ? readSafely(provider, fetched.answer, request) : null
    const trouble = troubleOf(fetched, reading)
    if (trouble === null) {
      lane.noteAnswer()
      if (fetched.kind === 'unchanged') return { kind: 'unchanged', requests }
      return { ...(fetched as Extract<Fetched, { kind: 'answer' }>), reading: reading!, requests }
    }
    if (trouble.pauseMs !== null) await pace.pause(provider.name, trouble.pauseMs)
    if (
      !trouble.isPassing ||
      requests >= limits.providerTries ||
      (trouble.pauseMs ?? 0) > limits.providerLongestWaitMs
    ) {
      lane.noteTrouble()
      return { kind: 'failed', problem: trouble.problem, requests }
    }
    // A pause is waited for where the next place is taken.
    if (trouble.pauseMs === null) await sleep(limits.providerBackoffMs * 4 ** (requests - 1), signal)
  }
}

function notAsked(
  { name }: Provider,
  why: string,
  requests: number,
  kind: ReadingProblem['kind'] = 'provider-error',
): Tried {
  return { kind: 'failed', problem: problem(kind, `${name} was not asked: ${why}`), requests }
}

function describeWait(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000)
  if (seconds < 120) return `${seconds} s`
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3600)} hours`
}

function nextSafely(
  provider: Provider,
  request: ProviderRequest,
  answer: Answer,
): ProviderRequest | null | 'unreadable' {
  try {
    return provider.next?.(request, answer) ?? null
  } catch {
    return 'unreadable'
  }
}

/** Readers promise not to throw; a promise that is broken by a strange answer must not end the run of all others. */
function readSafely(provider: Provider, answer: Answer, { secrets }: ProviderRequest): Reading {
  const redact = redactor(secrets)
  try {
    const { series, problems } = provider.read(answer)
    return {
      series: series.map(detachSeries),
      problems: problems.map(({ kind, message }) => problem(kind, redactMessage(message, redact))),
    }
  } catch (error) {
    const words = redactMessage(error instanceof Error ? error.message : String(error), redact)
    return { series: [], problems: [problem('unreadable', `the answer could not be read: ${words.slice(0, 200)}`)] }
  }
}

/** Its names are parts of the answer, and would keep all of it in memory for as long as they are. */
function detachSeries(series: SeriesReading): SeriesReading {
  const { code, name, unit } = series
  return {
    ...series,
    code: detach(code),
    name: name === null ? null : detach(name),
    unit: unit === null ? null : detach(unit),
  }
}

interface Trouble {
  readonly problem: ReadingProblem
  readonly isPassing: boolean
  readonly pauseMs: number | null
}

/** What is worth another try: no answer, a server in trouble, too many requests. */
function troubleOf(fetched: Fetched, reading: Reading | null): Trouble | null {
  if (fetched.kind === 'failed') return { problem: fetched.problem, isPassing: fetched.isPassing, pauseMs: null }
  if (fetched.kind === 'unchanged' || reading === null) return null
  const { status } = fetched.answer
  const limited = reading.problems.find(({ kind }) => kind === 'rate-limited')
  if (limited !== undefined || status === 429 || status === 503) {
    const told = limited ?? reading.problems[0] ?? problem('rate-limited', `too many requests (status ${status})`)
    return { problem: told, isPassing: true, pauseMs: fetched.retryAfterMs }
  }
  // A body is not believed under a status that says the server failed, however good it looks.
  if (status >= 500) {
    const told = reading.problems[0] ?? problem('provider-error', `the server failed (status ${status})`)
    return { problem: told, isPassing: true, pauseMs: fetched.retryAfterMs }
  }
  const isServer = reading.series.length === 0 && reading.problems.some(({ kind }) => kind === 'provider-error')
  return isServer ? { problem: reading.problems[0]!, isPassing: true, pauseMs: null } : null
}
