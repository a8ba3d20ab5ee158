// Spans of our own work for OpenTelemetry: requests, jobs, transactions, statements, questions to providers, publications. The operator
// preloads an SDK (docs/operating/traces.md), which makes them; without one nothing of OpenTelemetry is loaded, and work is called
// as it is. Names and attributes are a fixed list of words: no key, address, identifier, figure, or text of a statement.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Attributes, Context, Span } from '@opentelemetry/api'

/** The key under which the API, in any version 1, keeps in the global object what an SDK has registered. */
const registered = Symbol.for('opentelemetry.js.api.1')

const api = registered in globalThis ? await import('@opentelemetry/api') : null
const tracer = api?.trace.getTracer('assize')

export const isTraced = api !== null

/** The trace that work belongs to, as text: for another thread, or for later. */
export type TraceCarrier = Readonly<Record<string, string>>

interface WorkRule {
  readonly name: string
  readonly kind: 'internal' | 'client' | 'producer' | 'consumer'
  readonly attributes?: Attributes
  /** The trace it belongs to; by default that of the work around it. */
  readonly carrier?: TraceCarrier | null
  /** Whether it makes no trace by itself: work that the server does every second is no trace. */
  readonly isPart?: true
}

export async function traced<T>(rule: WorkRule, work: () => Promise<T>): Promise<T> {
  if (api === null) return work()
  const { name, kind, attributes = {}, carrier = null, isPart = false } = rule
  const active = api.context.active()
  if (isPart && api.trace.getSpan(active) === undefined) return work()
  const parent = carrier === null ? active : api.propagation.extract(active, carrier)
  const spanKind = api.SpanKind[kind.toUpperCase() as 'INTERNAL' | 'CLIENT' | 'PRODUCER' | 'CONSUMER']
  const span = tracer!.startSpan(name, { kind: spanKind, attributes }, parent)
  try {
    return await api.context.with(api.trace.setSpan(parent, span), work)
  } catch (error) {
    // The message is left out: it may name what somebody asked for.
    span.setStatus({ code: api.SpanStatusCode.ERROR })
    throw error
  } finally {
    span.end()
  }
}

/** A transaction, or a statement by its first word. */
export function tracedQuery<T>(text: string | null, work: () => Promise<T>): Promise<T> {
  if (api === null) return work()
  const operation = text === null ? null : (/^\s*([a-z]+)/i.exec(text)?.[1]?.toUpperCase() ?? 'statement')
  const attributes = {
    'db.system.name': 'postgresql',
    ...(operation === null ? {} : { 'db.operation.name': operation }),
  }
  return traced({ name: operation ?? 'transaction', kind: 'client', attributes, isPart: true }, work)
}

/** The trace of the work around this call. `null` without an SDK. */
export function carryTrace(): TraceCarrier | null {
  if (api === null) return null
  const carrier: Record<string, string> = {}
  api.propagation.inject(api.context.active(), carrier)
  return carrier
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY', 'CONNECT', 'TRACE'])
const requests = new WeakMap<object, Span>()

/** Handles a request within its span, which continues the caller's trace, and ends with the answer. */
export function tracedRequest(req: IncomingMessage, res: ServerResponse, handle: () => void): void {
  if (api === null) {
    handle()
    return
  }
  const active = api.context.active()
  // The request is part of the span that an instrumentation of HTTP may have begun.
  const parent: Context =
    api.trace.getSpan(active) === undefined ? api.propagation.extract(active, req.headers) : active
  const method = methods.has(req.method ?? '') ? req.method! : '_OTHER'
  const span = tracer!.startSpan(
    method,
    { kind: api.SpanKind.SERVER, attributes: { 'http.request.method': method } },
    parent,
  )
  requests.set(req, span)
  // Other listeners for the end of the answer may still name the request.
  res.once('close', () => setImmediate(() => span.end()))
  api.context.with(api.trace.setSpan(parent, span), handle)
}

/** Notes the declared route of a request, and its status. */
export function nameTracedRequest(req: object, route: string, status: number): void {
  const span = requests.get(req)
  if (span === undefined) return
  span.updateName(`${(req as IncomingMessage).method} ${route}`)
  span.setAttributes({ 'http.route': route, 'url.path': route, 'http.response.status_code': status })
  if (status >= 500) span.setStatus({ code: api!.SpanStatusCode.ERROR })
}
