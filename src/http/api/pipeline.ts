// Pipeline of the API: key → limit → parse → load → evaluate → present. On node's own request and response: the answers are ready
// bytes, and the framework's reply would add a quarter to the cost of sending them (decision 0240). v1 and /ext/v1 share it; their
// differences are in definition.ts.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { TooHeavyHere } from '../../core/numbers/work-budget.ts'
import { covers } from '../../core/people/key-scope.ts'
import { limits } from '../../limits.ts'
import { scopesOf } from '../../storage/log/append.ts'
import type { ApiKeyAccess } from '../../storage/workspaces/api-keys.ts'
import { type Answer, bytesOf, jsonAnswer, send, typedAnswer } from '../frame/answer.ts'
import { answerFor, errorAnswer, isForTheLog, notFound, unauthorized, unauthorizedAsUser } from '../frame/errors.ts'
import { readQuery } from '../frame/parameters.ts'
import { hasNul, unstorableWords } from '../frame/storable-request.ts'
import { transportHeaders } from '../frame/transport-headers.ts'
import { markAnswered, markKnown } from '../traffic/connections.ts'
import { formatRateLimit, formatRateLimitPolicy, type RateDecision } from '../traffic/rate-limit.ts'
import { hasBody, readBody } from './body.ts'
import type { CheckedRequest } from './context.ts'
import { type ApiDefinition, addressFor, formatFor } from './definition.ts'
import { type ApiJob, decodeAnswer, type EncodedApiAnswer } from './elsewhere.ts'
import type { EncodedAnswer } from './encoded-answers.ts'
import { withWholeLinks } from './links.ts'
import type { PipelineContext } from './pipeline-parts.ts'
import { LazyRequest } from './request.ts'
import type { FoundRoute, Route } from './route.ts'

export class Pipeline {
  readonly definition: ApiDefinition
  readonly #parts: PipelineContext
  /** Headers of every answer, over plain HTTP and over TLS. */
  readonly #plainHeaders: readonly string[]
  readonly #secureHeaders: readonly string[]

  constructor(definition: ApiDefinition, parts: PipelineContext) {
    this.definition = definition
    this.#parts = parts
    const headers = ['cache-control', 'private, no-cache', 'vary', definition.vary]
    this.#plainHeaders = [...headers, ...transportHeaders(false)]
    this.#secureHeaders = [...headers, ...transportHeaders(true)]
  }

  /** `path` is the part after the prefix; `url` is the whole address as received. */
  handle(req: IncomingMessage, res: ServerResponse, url: string, path: string): void {
    const { monotonicMs, isSecure, log, cors } = this.#parts
    const startedMs = monotonicMs()
    const exchange = new Exchange(req, res, url, path, startedMs, log.idFor(req))
    exchange.common.push(...(isSecure(req) ? this.#secureHeaders : this.#plainHeaders), ...cors.headersFor(req))
    void this.#serve(exchange)
  }

  async #serve(exchange: Exchange): Promise<void> {
    try {
      await this.#finish(exchange, await this.#admit(exchange))
    } catch (error) {
      this.#fail(exchange, error)
    }
  }

  async #finish(exchange: Exchange, answer: Answer): Promise<void> {
    const { req, common, requestId, startedMs, key } = exchange
    // An answer sent before the body was read ends the connection: the rest of the body must not be parsed as the
    // next request.
    if (exchange.isBodyUnread) common.push('connection', 'close')
    const nowMs = this.#parts.monotonicMs()
    this.#parts.log.answered(req, {
      requestId,
      route: this.#routeName(exchange),
      status: answer.status,
      keyId: key?.id ?? null,
      ms: nowMs - startedMs,
    })
    const written = this.#written(exchange, answer)
    await send(exchange, req.method === 'POST' ? withoutTag(written) : written)
    markAnswered(req, nowMs)
  }

  /** The answer in the form of this API. */
  #written({ req, requestId }: Exchange, answer: Answer): Answer {
    const { accepts, tellRefusal } = this.definition
    if (answer.status >= 400 && tellRefusal !== undefined)
      return tellRefusal(answer, formatFor(this.definition, req), { id: requestId, now: this.#parts.now() })
    return accepts === null
      ? answer
      : withWholeLinks(answer, { host: req.headers.host, isSecure: this.#parts.isSecure(req) })
  }

  #fail(exchange: Exchange, error: unknown): void {
    if (exchange.res.headersSent) {
      // A client that went away is no failure.
      if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE')
        this.#parts.log.failed(exchange.requestId, this.#routeName(exchange), error)
      exchange.res.destroy()
      return
    }
    const answer = answerFor(error)
    if (isForTheLog(error, answer.status)) this.#parts.log.failed(exchange.requestId, this.#routeName(exchange), error)
    void this.#finish(exchange, answer)
  }

  /** Admits a request by key and limit, except where anybody may ask. */
  async #admit(exchange: Exchange): Promise<Answer> {
    const { req, startedMs } = exchange
    const { keys, limiter, clientAddress, cors } = this.#parts
    if (req.method === 'OPTIONS' && cors.isPreflight(req))
      return jsonAnswer([], null, cors.preflightHeaders(this.definition.crossOrigin), 204)
    if (this.#isHealth(exchange)) return this.#health(exchange)
    const key = await keys.check(req.rawHeaders, clientAddress(req), startedMs, this.definition.takesBasic)
    if (key.kind === 'refused') return this.#refuse()
    markKnown(req)
    const decision = await limiter.take(key.access, startedMs)
    exchange.common.push('ratelimit-policy', formatRateLimitPolicy(decision), 'ratelimit', formatRateLimit(decision))
    if (decision.accepted) return this.#answer(exchange, key.access)
    return errorAnswer(429, limitReached(decision), ['retry-after', decision.resetSeconds.toString()])
  }

  /** One refusal for a missing key and a wrong one, whatever failed before. */
  #refuse(): Answer {
    const { takesBasic, challenge } = this.definition
    return errorAnswer(401, takesBasic ? unauthorizedAsUser : unauthorized, ['www-authenticate', challenge])
  }

  #isHealth({ path }: Exchange): boolean {
    return path === '/health' && this.definition.hasHealth
  }

  #health({ req, url }: Exchange): Answer {
    const refused = refuseMethod(req) ?? refuseBody(req)
    if (refused !== null) return refused
    readQuery(searchOf(url), {})
    const timestamp = `${this.#parts.now().slice(0, 23)}Z`
    return jsonAnswer(JSON.stringify({ status: 'ok', version: 'v1', timestamp }), null)
  }

  async #answer(exchange: Exchange, key: ApiKeyAccess): Promise<Answer> {
    exchange.key = key
    const { req, url } = exchange
    const { id: keyId, workspaceId, scope } = key
    const accepted = formatFor(this.definition, req)
    const address = addressFor(this.definition, url, accepted, scope)
    const kept = this.#keptAnswer(exchange, address, workspaceId)
    if (kept !== undefined) {
      exchange.routeName = kept.routeName
      return kept.answer
    }
    // No thing has an identifier that the database cannot store.
    if (hasNul(exchange.path)) return errorAnswer(404, notFound)
    if (hasNul(url)) return errorAnswer(400, unstorableWords)
    const found = this.definition.table.find(exchange.path)
    // A route beyond the key's scope does not exist for it, whatever the method.
    if (found === null || !covers(scope, found.route.needs)) return errorAnswer(404, notFound)
    const { route } = found
    exchange.routeName = found.name
    if (req.method === 'OPTIONS' && this.definition.answersOptions) return jsonAnswer([], null, optionsOf(route), 204)
    const refused = route.body === null ? (refuseMethod(req) ?? refuseBody(req)) : refuseOtherThanBody(req)
    if (refused !== null) return refused
    if (this.#parts.isOverloaded(workspaceId))
      return errorAnswer(503, 'too much is asked at once; try again', ['retry-after', '1'])
    const asked = {
      workspaceId,
      keyId,
      scope,
      address,
      url,
      search: searchOf(url),
      accepted,
      body: null,
      bodyType: null,
    }
    if (route.body === null) return this.#load(exchange, found, asked)
    const read = await readBody(req, route.body)
    if ('status' in read) return read
    exchange.isBodyUnread = false
    return this.#load(exchange, found, { ...asked, body: read.bytes, bodyType: read.type })
  }

  async #load({ path, res }: Exchange, found: FoundRoute, asked: CheckedRequest): Promise<Answer> {
    const request = new LazyRequest(this.#parts, asked, found, res)
    // Reads the query, so that a bad one is refused before any look-up: a handler may need no parameter.
    void request.query
    // A worker asks the database itself for changes.
    if (found.route.isHeavy) return this.#elsewhere(request, path)
    const { freshness } = this.#parts
    if (!freshness.isHearing) await freshness.catchUp(scopesOf(asked.workspaceId))
    try {
      return await found.route.handle(request)
    } catch (error) {
      if (error instanceof TooHeavyHere) return this.#elsewhere(request, path)
      throw error
    }
  }

  async #elsewhere({ asked }: LazyRequest, path: string): Promise<Answer> {
    const job: ApiJob = { kind: 'api', api: this.definition.name, path, asked }
    const owner = { workspace: asked.workspaceId, person: asked.keyId }
    // The API only reads, so a job may be begun again.
    const { result } = this.#parts.computing.run<EncodedApiAnswer>(owner, job, { length: 'unknown' })
    return decodeAnswer(await result)
  }

  /** Name of the route for counting: all addresses without a route share one. */
  #routeName(exchange: Exchange): string {
    if (exchange.routeName !== null) return exchange.routeName
    // A refused request may have no route yet.
    if (this.#isHealth(exchange)) return `/${this.definition.name}/health`
    return this.definition.table.find(exchange.path)?.name ?? 'other'
  }

  /** The cached answer to this exact address, if nothing needs to be checked or refused first. */
  #keptAnswer({ req, isBodyUnread }: Exchange, address: string, workspaceId: string): EncodedAnswer | undefined {
    const { freshness, isOverloaded, library, now } = this.#parts
    const isReading = (req.method === 'GET' || req.method === 'HEAD') && !isBodyUnread
    if (!isReading || !freshness.isHearing || isOverloaded(workspaceId)) return undefined
    return library.answerKept(workspaceId, address, now) as EncodedAnswer | undefined
  }
}

function limitReached({ policy, limit, resetSeconds }: RateDecision): string {
  const whose = policy === 'workspace' ? ' for all keys of this workspace' : ''
  return `the limit of ${limit} requests a minute${whose} is reached; wait ${resetSeconds} s`
}

/** A request under way: its address, the knowledge about it so far, and the first headers of its answer. */
class Exchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly url: string
  readonly path: string
  readonly startedMs: number
  readonly requestId: string
  /** Its key, once key and limit have admitted it. */
  key: ApiKeyAccess | null = null
  /** Null until its route is looked up. */
  routeName: string | null = null
  /** Whether it has an unread body. */
  isBodyUnread: boolean
  /** Headers of any answer; they grow as more is known. */
  readonly common: string[]

  constructor(
    req: IncomingMessage,
    res: ServerResponse,
    url: string,
    path: string,
    startedMs: number,
    requestId: string,
  ) {
    this.req = req
    this.res = res
    this.url = url
    this.path = path
    this.startedMs = startedMs
    this.requestId = requestId
    this.isBodyUnread = hasBody(req)
    this.common = ['x-request-id', requestId]
  }
}

function searchOf(url: string): string {
  const mark = url.indexOf('?')
  return mark < 0 ? '' : url.slice(mark + 1)
}

function methodsOf({ body }: Route): string {
  return body === null ? 'GET, HEAD' : 'QUERY, POST'
}

function optionsOf(route: Route): string[] {
  const types = route.body === null ? [] : ['accept-query', route.body.types.join(', ')]
  return ['allow', methodsOf(route), ...types]
}

function refuseOtherThanBody({ method }: IncomingMessage): Answer | null {
  if (method === 'QUERY' || method === 'POST') return null
  return errorAnswer(405, `${method} is not accepted here; ask with QUERY or POST`, ['allow', 'QUERY, POST'])
}

/** Drops the tag: only safe reads (GET, HEAD, QUERY) can be repeated with one. */
function withoutTag(answer: Answer): Answer {
  return answer.etag === null ? answer : typedAnswer(answer.type, [bytesOf(answer)], { ...answer, etag: null })
}

function refuseMethod(req: IncomingMessage): Answer | null {
  if (req.method === 'GET' || req.method === 'HEAD') return null
  return errorAnswer(405, `${req.method} is not accepted here; this interface only reads`, ['allow', 'GET, HEAD'])
}

/** Refuses a body: no route here accepts one, so it is a mistake worth reporting. */
function refuseBody(req: IncomingMessage): Answer | null {
  const length = Number.parseInt(req.headers['content-length'] ?? '0', 10)
  if (length > limits.bodyBytes) return errorAnswer(413, `a body of ${length} bytes is not accepted`)
  return hasBody(req) ? errorAnswer(400, 'a request body is not accepted here') : null
}
