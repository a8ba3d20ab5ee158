// HTTP to providers: one request to one provider, one answer as text. Fixed hosts, https, public addresses, limits on time and
// size; a base address set by the operator is exempt from the first three. It does not judge an answer by its status, retries
// nothing, and returns no key.
import type { IncomingMessage, RequestOptions } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { AddressRefused, lookupPublic, type Resolve } from '../outbound/address.ts'
import { readRetryAfter } from '../outbound/retry-after.ts'
import type { Answer, AnswerProblem, Provider, ProviderRequest } from '../providers/provider.ts'
import { carryTrace, type TraceCarrier, traced } from '../tracing/spans.ts'
import { decodeBody } from './charset.ts'
import { type Body, type BodyBounds, BodyRefused, readBody } from './fetch-body.ts'
import { ingestLimits } from './ingest-limits.ts'
import { type Redact, redactMessage, redactor } from './redact.ts'
import { Turns } from './turns.ts'

// `node:http` is not imported by name: that would load everything behind `fetch` and `WebSocket` as well.
const { Agent: HttpAgent, request: requestHttp } = process.getBuiltinModule('node:http')

/** Validators of an earlier answer, so that an unchanged one need not be sent again. */
export interface Validators {
  readonly etag: string | null
  readonly lastModified: string | null
}

export const noValidators: Validators = { etag: null, lastModified: null }

export interface FetchRequest {
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
      readonly retryAfterMs: number | null
      readonly hasMarkedEnd: boolean
      readonly trace?: TraceCarrier | null
    }
  | { readonly kind: 'unchanged' }
  /** Nothing readable was received. `isPassing`: a retry may help. */
  | { readonly kind: 'failed'; readonly problem: AnswerProblem; readonly isPassing: boolean }

export interface FetcherOptions {
  readonly resolve: Resolve
  /** The name of the program and a contact address of its operator. */
  readonly userAgent: string
  /** Clock for a `Retry-After` given as a date. */
  readonly nowMs: () => number
  readonly answerMs?: number
  readonly bounds?: BodyBounds
}

const usualBounds: BodyBounds = {
  wireBytes: ingestLimits.providerWireBytes,
  unpackedBytes: ingestLimits.providerUnpackedBytes,
  ratio: ingestLimits.providerUnpackedRatio,
  ratioFromBytes: ingestLimits.providerRatioFromBytes,
  largeBytes: ingestLimits.providerLargeBytes,
}

/** Keeps connections open between requests; `close` ends them. */
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

  async fetch(fetchRequest: FetchRequest, signal: AbortSignal): Promise<Fetched> {
    const { provider, request } = fetchRequest
    const attributes = { 'assize.provider': provider.name, 'http.request.method': request.method }
    return traced({ name: `fetch ${request.method}`, kind: 'client', attributes }, async () => {
      const fetched = await this.#fetch(fetchRequest, signal)
      return fetched.kind === 'answer' ? { ...fetched, trace: carryTrace() } : fetched
    })
  }

  async #fetch(fetchRequest: FetchRequest, signal: AbortSignal): Promise<Fetched> {
    const answerMs = this.#options.answerMs ?? ingestLimits.providerAnswerMs
    const deadline = AbortSignal.timeout(answerMs)
    const redact = redactor(fetchRequest.request.secrets)
    try {
      return await this.#ask(fetchRequest, redact, AbortSignal.any([signal, deadline]))
    } catch (error) {
      if (signal.aborted) throw signal.reason
      const name = fetchRequest.provider.name
      // No retry: another try of this length is left to the next run.
      if (deadline.aborted) return failed('provider-error', `${name} took longer than ${answerMs / 1000} s`, false)
      return explain(error, name, redact)
    }
  }

  close(): void {
    for (const agent of [this.#public, this.#ownHttp, this.#ownHttps]) agent.destroy()
  }

  async #ask(fetchRequest: FetchRequest, redact: Redact, signal: AbortSignal): Promise<Fetched> {
    const { provider, request, base } = fetchRequest
    let url = new URL(`${base ?? request.baseUrl ?? provider.baseUrl}${request.path}`)
    for (let followed = 0; ; followed++) {
      checkAddress(url, provider, base)
      const response = await this.#send(url, fetchRequest, signal)
      const location = redirectOf(response)
      if (location === null) return await this.#read(response, fetchRequest, redact, signal)
      response.destroy()
      url = nextAddress(url, location, fetchRequest, followed)
    }
  }

  #send(url: URL, { request, base, validators }: FetchRequest, signal: AbortSignal): Promise<IncomingMessage> {
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

  async #read(
    response: IncomingMessage,
    fetchRequest: FetchRequest,
    redact: Redact,
    signal: AbortSignal,
  ): Promise<Fetched> {
    const { provider, request, validators } = fetchRequest
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
      // The provider's own address, even behind a base of the operator: an answer means the same whichever server
      // passed it on.
      answer: {
        status,
        contentType,
        url: redact(`${request.baseUrl ?? provider.baseUrl}${request.path}`),
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

/** The reader notices a JSON or XML document that is cut; a table without its last line end may be cut unnoticed. */
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

function nextAddress(from: URL, location: string, { provider, request }: FetchRequest, followed: number): URL {
  const to = URL.parse(location, from)
  if (to === null) throw new BodyRefused('provider-error', `${provider.name} redirects to an invalid address`)
  // Redirects may not change the host, even to another one of the provider: it has one for its values and may have one for its
  // calendar.
  if (to.origin !== from.origin)
    throw new BodyRefused(
      'provider-error',
      `${provider.name} redirects to ${to.protocol}//${to.host}, which is not followed`,
    )
  if (request.method !== 'GET')
    throw new BodyRefused('provider-error', `${provider.name} redirects a request with a body, which is not followed`)
  if (followed >= ingestLimits.providerRedirects)
    throw new BodyRefused(
      'provider-error',
      `${provider.name} redirects more than ${ingestLimits.providerRedirects} times`,
    )
  return to
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function failed(kind: AnswerProblem['kind'], message: string, isPassing: boolean): Fetched {
  return { kind: 'failed', problem: { kind, message }, isPassing }
}

function explain(error: unknown, name: string, redact: Redact): Fetched {
  const { message, code } = error as Error & { code?: string }
  const words = redactMessage(message, redact)
  // An answer that is too large stays too large; one that broke off may arrive complete next time.
  if (error instanceof BodyRefused) return failed(error.kind, words, error.kind === 'unreadable')
  if (error instanceof AddressRefused) return failed('provider-error', words, false)
  return failed('provider-error', `${name} cannot be reached: ${code ?? words}`, true)
}
