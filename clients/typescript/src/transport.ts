// One request until it has an answer: within the limit, with a timeout, tried again where that helps. Every request of the API
// only reads, so that each may be made again.
import { type Clock, systemClock } from './clock.ts'
import { type EtagStore, type KeptAnswer, MemoryStore } from './etag-store.ts'
import { Pacing } from './pacing.ts'
import { AssizeError, type Problem, problemOf } from './problem.ts'

export interface Options {
  /** Where the server is: `https://assize.example`. `ASSIZE_URL` if left out and there is an environment. */
  readonly url?: string | undefined
  /** The API key. `ASSIZE_KEY` if left out. */
  readonly key?: string | undefined
  /** For one attempt, in milliseconds: 60,000. */
  readonly timeoutMs?: number
  /** How often a request is made again after 429, 5xx or a broken connection: 8. */
  readonly retries?: number
  /** The longest wait that is granted before another attempt, in milliseconds: 120,000. Asked for longer, it gives up. */
  readonly mostWaitMs?: number
  /** Answers that were read before; `false` for none. */
  readonly etags?: EtagStore | false
  readonly fetch?: typeof globalThis.fetch
  readonly clock?: Clock
}

export interface Request {
  /** With its prefix: `/ext/v1/prices`. */
  readonly path: string
  readonly query?: Readonly<Record<string, unknown>> | undefined
  readonly body?: { readonly type: string; readonly text: string } | undefined
  /** `application/json` unless given. */
  readonly accept?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Time that the server is asked to take, beside the timeout. */
  readonly heldMs?: number | undefined
  /** Fields whose JSON numbers are read as decimals, with their digits. */
  readonly numbers?: readonly string[] | undefined
}

export interface Answer {
  readonly text: string
  /** The text as JSON, where that was asked for. */
  readonly value: unknown
  readonly link: string | null
  readonly requestId: string
}

/** What became of one attempt that gave no answer. */
interface Failure {
  readonly problem: Problem
  readonly sentence: string
  readonly status: number | null
  readonly requestId: string
  readonly retryAfterSeconds: number | null
  readonly mayRetry: boolean
  readonly cause?: unknown
}

const json = 'application/json'
const firstPauseMs = 500
const mostPauseMs = 30_000

export class Transport {
  readonly #base: string
  readonly #key: string
  readonly #timeoutMs: number
  readonly #retries: number
  readonly #mostWaitMs: number
  readonly #etags: EtagStore | null
  readonly #fetch: typeof globalThis.fetch
  readonly #clock: Clock
  readonly #pacing: Pacing

  constructor(options: Options) {
    this.#base = baseOf(options.url ?? environment('ASSIZE_URL'))
    this.#key = options.key ?? environment('ASSIZE_KEY') ?? ''
    if (!/^[\x21-\x7e]+$/.test(this.#key)) throw new TypeError('an API key is needed: new Assize({ url, key })')
    this.#timeoutMs = options.timeoutMs ?? 60_000
    this.#retries = options.retries ?? 8
    this.#mostWaitMs = options.mostWaitMs ?? 120_000
    this.#etags = options.etags === false ? null : (options.etags ?? new MemoryStore())
    this.#fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init))
    this.#clock = options.clock ?? systemClock
    this.#pacing = new Pacing(this.#clock)
  }

  async send(request: Request): Promise<Answer> {
    const path = `${request.path}${searchOf(request.query)}`
    const method = request.body === undefined ? 'GET' : 'POST'
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#attempt(request, method, path)
      if ('text' in outcome) return outcome
      const { problem, sentence, cause, mayRetry, ...facts } = outcome
      const waitMs = this.#waitMs(outcome, attempt)
      const fail = () => new AssizeError(problem, sentence, { ...facts, method, path, attempts: attempt }, cause)
      if (!mayRetry || attempt > this.#retries || waitMs > this.#mostWaitMs) throw fail()
      // A limit holds for everybody who uses this client.
      if (facts.status === 429 && facts.retryAfterSeconds !== null) this.#pacing.closeFor(waitMs)
      else await this.#clock.sleep(waitMs, request.signal)
    }
  }

  /** As long as was asked for; else at random up to a bound that doubles, so that many clients do not come back together. */
  #waitMs({ retryAfterSeconds }: Failure, attempt: number): number {
    if (retryAfterSeconds !== null) return retryAfterSeconds * 1000
    return this.#clock.random() * Math.min(mostPauseMs, firstPauseMs * 2 ** (attempt - 1))
  }

  async #attempt(request: Request, method: string, path: string): Promise<Answer | Failure> {
    const { signal, accept = json, heldMs = 0 } = request
    const place = `${accept} ${this.#base}${path}`
    const kept = method === 'GET' ? await this.#etags?.get(place) : undefined
    const number = await this.#pacing.take(signal)
    const requestId = newRequestId()
    const timeout = AbortSignal.timeout(this.#timeoutMs + heldMs)
    try {
      const response = await this.#fetch(`${this.#base}${path}`, {
        method,
        headers: this.#headers(request, requestId, kept),
        body: request.body?.text ?? null,
        redirect: 'manual',
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      })
      this.#pacing.heard(number, response.headers.get('ratelimit'))
      // Read to its end before anything is believed: half an answer is none.
      const body = await response.text()
      const known = response.headers.get('x-request-id') ?? requestId
      if (response.status === 304 && kept !== undefined)
        return { ...read(kept.body, request), link: kept.link, requestId: known }
      if (response.status !== 200) return refusalOf(response, body, known)
      const type = response.headers.get('content-type') ?? 'something without a type'
      const answer = type.startsWith(accept) ? readOrNull(body, request) : null
      if (answer === null)
        return unreadable(`${accept} was expected, and ${type} came: is this the address of the server?`, known)
      const [etag, link] = [response.headers.get('etag'), response.headers.get('link')]
      if (etag !== null && method === 'GET') await this.#etags?.set(place, { etag, body, link })
      return { ...answer, link, requestId: known }
    } catch (cause) {
      signal?.throwIfAborted()
      const isLate = timeout.aborted
      const sentence = isLate ? `no answer within ${(this.#timeoutMs + heldMs) / 1000} s` : wordsOf(cause)
      return { ...unreadable(sentence, requestId), problem: isLate ? 'timeout' : 'network', status: null, cause }
    } finally {
      this.#pacing.done()
    }
  }

  #headers({ accept = json, body }: Request, requestId: string, kept: KeptAnswer | undefined): Record<string, string> {
    return {
      accept,
      authorization: `Bearer ${this.#key}`,
      'x-request-id': requestId,
      ...(kept === undefined ? {} : { 'if-none-match': kept.etag }),
      ...(body === undefined ? {} : { 'content-type': body.type }),
    }
  }
}

function read(text: string, { accept = json, numbers = [] }: Request): Pick<Answer, 'text' | 'value'> {
  if (accept !== json) return { text, value: null }
  return { text, value: JSON.parse(numbers.length === 0 ? text : withDecimals(text, numbers)) }
}

/** Null for what breaks off, or is not what it says. */
function readOrNull(text: string, request: Request): Pick<Answer, 'text' | 'value'> | null {
  try {
    return read(text, request)
  } catch {
    return null
  }
}

/** Inside a text of JSON a quotation mark is escaped, so that only a field can look like one. */
function withDecimals(text: string, fields: readonly string[]): string {
  return text.replace(new RegExp(`("(?:${fields.join('|')})":\\s*)(-?\\d[\\d.eE+-]*)`, 'g'), '$1"$2"')
}

function unreadable(sentence: string, requestId: string): Failure {
  return { problem: 'unreadable', sentence, status: 200, requestId, retryAfterSeconds: null, mayRetry: true }
}

function refusalOf(response: Response, text: string, requestId: string): Failure {
  const { status } = response
  const isElsewhere = response.type === 'opaqueredirect' || (status >= 300 && status < 400)
  const to = response.headers.get('location')
  return {
    problem: isElsewhere ? 'unreadable' : problemOf(status),
    sentence: isElsewhere
      ? `redirected${to === null ? '' : ` to ${to}`}: give that address as url`
      : sentenceIn(text, status),
    status,
    requestId,
    retryAfterSeconds: secondsOf(response.headers.get('retry-after')),
    mayRetry: status === 429 || status >= 500,
  }
}

function sentenceIn(text: string, status: number): string {
  try {
    const { error } = JSON.parse(text) as { error?: unknown }
    if (typeof error === 'string') return error
  } catch {}
  return `the answer has status ${status}`
}

/** Seconds, or a date; null for anything else. */
function secondsOf(header: string | null): number | null {
  if (header === null) return null
  if (/^\d+$/.test(header)) return Number.parseInt(header, 10)
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1000))
}

function wordsOf(cause: unknown): string {
  const inner = (cause as { cause?: { message?: unknown } } | null)?.cause?.message
  const outer = cause instanceof Error ? cause.message : String(cause)
  return typeof inner === 'string' && inner !== '' ? `${outer}: ${inner}` : outer
}

/** Lists are written with commas; what is undefined or null is left out. */
function searchOf(query: Request['query'] = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  const parts = given.map(([name, value]) => {
    const values = Array.isArray(value) ? value : [value]
    return `${name}=${values.map(each => encodeURIComponent(String(each))).join(',')}`
  })
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

function baseOf(written: string | undefined): string {
  if (written === undefined || written === '')
    throw new TypeError('the address of the server is needed: new Assize({ url, key })')
  const url = new URL(written)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new TypeError(`url must begin with https://, got ${url.protocol}`)
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new TypeError('url must be an address without a user, a query or a fragment; the key has its own field')
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Readonly<Record<string, string | undefined>> } }
  return process?.env?.[name]
}

function newRequestId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(10)), byte => (byte % 36).toString(36)).join('')
}
