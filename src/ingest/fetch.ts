// The only outbound HTTP: one question to one provider, one answer as text. Fixed hosts, https, public addresses, bounds on
// time and size; a base address that the operator set is the exception to the first three. It judges no answer by its
// status, retries nothing and keeps no key in what it gives back.
import { Agent as HttpAgent, type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { limits } from '../limits.ts'
import type { Answer, Provider, ProviderRequest, ReadingProblem } from '../providers/provider.ts'
import { AddressRefused, lookupPublic, type Resolve } from './address.ts'
import { decodeBody } from './charset.ts'
import { type Body, type BodyBounds, BodyRefused, readBody } from './fetch-body.ts'
import { type Redact, redactMessage, redactor } from './redact.ts'
import { Turns } from './turns.ts'

/** What was kept of an earlier answer, so that an unchanged one need not be sent again. */
export interface Validators {
  readonly etag: string | null
  readonly lastModified: string | null
}

export const noValidators: Validators = { etag: null, lastModified: null }

export interface Question {
  readonly provider: Provider
  readonly request: ProviderRequest
  /** The operator's own base address for this provider. */
  readonly base: string | null
  readonly validators: Validators
}

export type Fetched =
  | {
      readonly kind: 'answer'
      readonly answer: Answer
      readonly validators: Validators
      /** How long the provider asks to be left alone. */
      readonly retryAfterMs: number | null
      readonly hasMarkedEnd: boolean
    }
  | { readonly kind: 'unchanged' }
  /** Nothing that could be read. `isPassing`: asking again may help. */
  | { readonly kind: 'failed'; readonly problem: ReadingProblem; readonly isPassing: boolean }

export interface FetcherOptions {
  readonly resolve: Resolve
  /** Who is asking: the name of the program and where its operator is reached. */
  readonly userAgent: string
  /** For `Retry-After` that is a date. */
  readonly nowMs: () => number
  readonly answerMs?: number
  readonly bounds?: BodyBounds
}

const usualBounds: BodyBounds = {
  wireBytes: limits.providerWireBytes,
  unpackedBytes: limits.providerUnpackedBytes,
  ratio: limits.providerUnpackedRatio,
  ratioFromBytes: limits.providerRatioFromBytes,
  largeBytes: limits.providerLargeBytes,
}

/** Holds connections open between questions; `close` ends them. */
export class Fetcher {
  readonly #options: FetcherOptions
  readonly #public: HttpsAgent
  readonly #ownHttp = new HttpAgent({ keepAlive: true })
  readonly #ownHttps = new HttpsAgent({ keepAlive: true })
  readonly #large = new Turns(1)

  constructor(options: FetcherOptions) {
    this.#options = options
    this.#public = new HttpsAgent({ keepAlive: true, lookup: lookupPublic(options.resolve) })
  }

  async fetch(question: Question, signal: AbortSignal): Promise<Fetched> {
    const answerMs = this.#options.answerMs ?? limits.providerAnswerMs
    const deadline = AbortSignal.timeout(answerMs)
    const redact = redactor(question.request.secrets)
    try {
      return await this.#ask(question, redact, AbortSignal.any([signal, deadline]))
    } catch (error) {
      if (signal.aborted) throw signal.reason
      const name = question.provider.name
      // It has had its time; another minute like this one belongs to the next run.
      if (deadline.aborted) return failed('provider-error', `${name} took longer than ${answerMs / 1000} s`, false)
      return explain(error, name, redact)
    }
  }

  close(): void {
    for (const agent of [this.#public, this.#ownHttp, this.#ownHttps]) agent.destroy()
  }

  async #ask(question: Question, redact: Redact, signal: AbortSignal): Promise<Fetched> {
    const { provider, request, base } = question
    let url = new URL(`${base ?? provider.baseUrl}${request.path}`)
    for (let followed = 0; ; followed++) {
      checkAddress(url, provider, base)
      const response = await this.#send(url, question, signal)
      const location = redirectOf(response)
      if (location === null) return await this.#read(response, question, redact, signal)
      response.destroy()
      url = nextAddress(url, location, question, followed)
    }
  }

  #send(url: URL, { request, base, validators }: Question, signal: AbortSignal): Promise<IncomingMessage> {
    const isOwn = base !== null
    const agent = !isOwn ? this.#public : url.protocol === 'http:' ? this.#ownHttp : this.#ownHttps
    const headers: Record<string, string | number> = {
      accept: '*/*',
      ...lowerCased(request.headers),
      'user-agent': this.#options.userAgent,
      'accept-encoding': 'gzip, br, deflate',
      ...(validators.etag === null ? {} : { 'if-none-match': validators.etag }),
      ...(validators.lastModified === null ? {} : { 'if-modified-since': validators.lastModified }),
      ...(request.body === null ? {} : { 'content-length': Buffer.byteLength(request.body) }),
    }
    const options: RequestOptions = { method: request.method, headers, agent, signal }
    return new Promise((resolve, reject) => {
      const sent = (url.protocol === 'http:' ? requestHttp : requestHttps)(url, options)
      sent.once('response', resolve).once('error', reject)
      sent.end(request.body ?? undefined)
    })
  }

  async #read(response: IncomingMessage, question: Question, redact: Redact, signal: AbortSignal): Promise<Fetched> {
    const { provider, request, validators } = question
    const status = response.statusCode ?? 0
    if (status === 304) {
      response.resume()
      if (validators.etag !== null || validators.lastModified !== null) return { kind: 'unchanged' }
    }
    const body = await readBody(response, this.#options.bounds ?? usualBounds, this.#large, signal)
    const contentType = response.headers['content-type'] ?? null
    const text = decodeBody(body.bytes, contentType, provider)
    refuseOpenEnd(body, text)
    return {
      kind: 'answer',
      // As if the provider itself had been asked: what an answer means does not depend on who passed it on.
      answer: {
        status,
        contentType,
        url: redact(`${provider.baseUrl}${request.path}`),
        codes: request.codes,
        body: text,
      },
      validators: {
        etag: response.headers.etag ?? null,
        lastModified: response.headers['last-modified'] ?? null,
      },
      retryAfterMs: readRetryAfter(response.headers['retry-after'], this.#options.nowMs()),
      hasMarkedEnd: body.hasMarkedEnd,
    }
  }
}

/** Documents close themselves, and a broken one is seen where it is read; a table without its last line end may be cut. */
function refuseOpenEnd(body: Body, text: string): void {
  if (body.hasMarkedEnd || /^\s*[[{<]/.test(text) || text === '' || text.endsWith('\n')) return
  throw new BodyRefused('unreadable', 'the answer does not say where it ends, and its last line is not closed')
}

function checkAddress(url: URL, provider: Provider, base: string | null): void {
  if (base !== null) return
  const isAllowed = url.protocol === 'https:' && url.port === '' && url.username === '' && url.password === ''
  if (!isAllowed || !provider.hosts.includes(url.hostname))
    throw new AddressRefused(`${url.host} is not an address of ${provider.name}`)
}

function redirectOf(response: IncomingMessage): string | null {
  const { statusCode = 0, headers } = response
  return [301, 302, 303, 307, 308].includes(statusCode) && headers.location !== undefined ? headers.location : null
}

function nextAddress(from: URL, location: string, { provider, request, base }: Question, followed: number): URL {
  const to = URL.parse(location, from)
  if (to === null) throw new BodyRefused('provider-error', `${provider.name} redirects to an address that is none`)
  const isHome =
    base === null ? provider.hosts.includes(to.hostname) && to.protocol === 'https:' : to.origin === from.origin
  if (!isHome)
    throw new BodyRefused(
      'provider-error',
      `${provider.name} redirects to ${to.protocol}//${to.host}, which is not followed`,
    )
  if (request.method !== 'GET')
    throw new BodyRefused(
      'provider-error',
      `${provider.name} redirects a question that has a body, which is not followed`,
    )
  if (followed >= limits.providerRedirects)
    throw new BodyRefused('provider-error', `${provider.name} redirects more than ${limits.providerRedirects} times`)
  return to
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

/** Seconds or a date; `null` for neither. */
export function readRetryAfter(text: string | undefined, nowMs: number): number | null {
  if (text === undefined) return null
  if (/^\d{1,9}$/.test(text.trim())) return Number.parseInt(text, 10) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs)
}

function failed(kind: ReadingProblem['kind'], message: string, isPassing: boolean): Fetched {
  return { kind: 'failed', problem: { kind, message }, isPassing }
}

function explain(error: unknown, name: string, redact: Redact): Fetched {
  const { message, code } = error as Error & { code?: string }
  const words = redactMessage(message, redact)
  // A bomb is a bomb the second time as well; what broke off may come whole.
  if (error instanceof BodyRefused) return failed(error.kind, words, error.kind === 'unreadable')
  if (error instanceof AddressRefused) return failed('provider-error', words, false)
  return failed('provider-error', `${name} cannot be reached: ${code ?? words}`, true)
}
