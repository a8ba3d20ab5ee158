// Makes spans of what the server tells on diagnostic channels: requests, jobs of workers, transactions and statements, questions to
// providers, publications. Whoever tells knows nothing of traces, and tells nobody as long as nobody listens; what belongs together
// is known by AsyncLocalStorage, which exists only here.
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, tracingChannel, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TraceSampler } from '../core/text/trace-settings.ts'
import {
  type EndedSpan,
  isSampled,
  makeId,
  readTraceparent,
  type Span,
  type SpanContext,
  spanKinds,
  writeTraceparent,
} from './span.ts'

/** What work on a channel tells of itself; a job also takes along where it belongs. */
interface Told {
  readonly provider?: string
  readonly method?: string
  readonly operation?: string
  carried?: string | null
  /** Ours, while the work goes on. */
  span?: Span
}

interface ChannelRule {
  readonly name: (told: Told) => string
  readonly kind: number
  /** Of nothing but a part of something: what the server does by itself every second is no trace. */
  readonly isPart?: true
  readonly attributes: (told: Told) => Readonly<Record<string, string | number>>
}

const provider = ({ provider: name }: Told) => ({ 'assize.provider': name ?? '' })

/** By the name of the channel. */
const rules: Readonly<Record<string, ChannelRule>> = {
  'assize:job': { name: () => 'job', kind: spanKinds.producer, attributes: () => ({}) },
  'assize:work': { name: () => 'worker', kind: spanKinds.consumer, attributes: () => ({}) },
  'assize:transaction': {
    name: () => 'transaction',
    kind: spanKinds.client,
    isPart: true,
    attributes: () => ({ 'db.system.name': 'postgresql' }),
  },
  'assize:statement': {
    name: ({ operation = 'statement' }) => operation,
    kind: spanKinds.client,
    isPart: true,
    attributes: ({ operation = 'statement' }) => ({ 'db.system.name': 'postgresql', 'db.operation.name': operation }),
  },
  'assize:refresh': { name: () => 'refresh', kind: spanKinds.internal, attributes: provider },
  'assize:fetch': {
    name: ({ method = 'GET' }) => `fetch ${method}`,
    kind: spanKinds.client,
    attributes: told => ({ ...provider(told), 'http.request.method': told.method ?? 'GET' }),
  },
  'assize:publication': { name: () => 'publication', kind: spanKinds.internal, attributes: provider },
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY', 'CONNECT', 'TRACE'])

interface StartedRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly server: object
}

/** Where nothing is recorded. */
const untraced: SpanContext = { traceId: '0'.repeat(32), spanId: '0'.repeat(16), isSampled: false }

const requestStart = 'http.server.request.start'

export class Tracer {
  readonly #sampler: TraceSampler
  readonly #onEnded: (span: EndedSpan) => void
  readonly #now: () => number
  readonly #current = new AsyncLocalStorage<SpanContext>()
  readonly #requests = new WeakMap<object, Span>()
  readonly #ending: (() => void)[] = []

  constructor(
    sampler: TraceSampler,
    onEnded: (span: EndedSpan) => void,
    now: () => number = () => performance.timeOrigin + performance.now(),
  ) {
    this.#sampler = sampler
    this.#onEnded = onEnded
    this.#now = now
    for (const [name, rule] of Object.entries(rules)) this.#listen(name, rule)
  }

  /** Requests of this server, from the moment node has read their head. */
  watchRequests(server: object): void {
    const hear = (message: unknown) => {
      const started = message as StartedRequest
      if (started.server === server) this.#beginRequest(started)
    }
    subscribe(requestStart, hear)
    this.#ending.push(() => unsubscribe(requestStart, hear))
  }

  /** How the route of a request is declared, and its status. */
  answered(request: object, route: string, status: number): void {
    const span = this.#requests.get(request)
    if (span === undefined) return
    span.name = `${span.attributes['http.request.method']} ${route}`
    span.hasFailed = status >= 500
    span.attributes = {
      ...span.attributes,
      ...{ 'http.route': route, 'url.path': route, 'http.response.status_code': status },
    }
  }

  stop(): void {
    for (const end of this.#ending.splice(0)) end()
    this.#current.disable()
  }

  #listen(name: string, rule: ChannelRule): void {
    const channel = tracingChannel<Told, SpanContext>(name)
    channel.start.bindStore(this.#current, told => this.#beginWork(rule, told))
    const handlers = {
      start() {},
      end() {},
      asyncStart() {},
      asyncEnd: (told: Told) => {
        if (told.span !== undefined) this.#end(told.span)
      },
      error(told: Told) {
        if (told.span !== undefined) told.span.hasFailed = true
      },
    }
    channel.subscribe(handlers)
    this.#ending.push(() => {
      channel.unsubscribe(handlers)
      channel.start.unbindStore(this.#current)
    })
  }

  #beginWork({ name, kind, attributes, isPart }: ChannelRule, told: Told): SpanContext {
    const parent = readTraceparent(told.carried ?? undefined) ?? this.#current.getStore() ?? null
    if (parent === null && isPart === true) return untraced
    // Whether it is recorded was decided where the trace began.
    const wanted = (traceId: string) => parent?.isSampled ?? isSampled(this.#sampler, traceId, null)
    const span = this.#begin(parent, name(told), kind, attributes(told), wanted)
    if (Object.hasOwn(told, 'carried')) told.carried = writeTraceparent(span)
    if (span.isSampled) told.span = span
    return span
  }

  #beginRequest({ request, response }: StartedRequest): void {
    const { method = '' } = request
    const sent = request.headers.traceparent
    const parent = readTraceparent(typeof sent === 'string' ? sent : undefined)
    const known = methods.has(method) ? method : '_OTHER'
    const wanted = (traceId: string) => isSampled(this.#sampler, traceId, parent)
    const span = this.#begin(parent, known, spanKinds.server, { 'http.request.method': known }, wanted)
    this.#current.enterWith(span)
    if (!span.isSampled) return
    this.#requests.set(request, span)
    // What else waits for the end of the answer may still say what it was.
    response.once('close', () => setImmediate(() => this.#end(span)))
  }

  #begin(
    parent: SpanContext | null,
    name: string,
    kind: number,
    attributes: Span['attributes'],
    wanted: (traceId: string) => boolean,
  ): Span {
    const traceId = parent?.traceId ?? makeId(16)
    return {
      ...{ traceId, spanId: makeId(8), parentId: parent?.spanId ?? null },
      isSampled: wanted(traceId),
      ...{ name, kind, attributes, startedMs: this.#now(), hasFailed: false },
    }
  }

  #end(span: Span): void {
    this.#onEnded({ ...span, endedMs: this.#now() })
  }
}
