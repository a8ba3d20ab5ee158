// A request of the API: key → limit → parse → load → evaluate → present. On node's own request and response:
// the answers are ready bytes, and the framework's reply would add a quarter to what it costs to send them (decision 0240).
// v1 and /ext/v1 go through it alike; what tells them apart is in definition.ts.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { TooHeavyHere } from '../../core/numbers/work-budget.ts'
import { covers } from '../../core/people/key-scope.ts'
import { limits } from '../../limits.ts'
import type { Freshness } from '../../read/freshness.ts'
import { scopesOf } from '../../storage/log/publish.ts'
import type { ApiKeyAccess } from '../../storage/workspaces/api-keys.ts'
import type { WorkPool } from '../../workers/pool.ts'
import { type Answer, bytesOf, jsonAnswer, send, typedAnswer } from '../frame/answer.ts'
import type { Cors } from '../frame/cors.ts'
import { answerFor, errorAnswer, isForTheLog, notFound, unauthorized } from '../frame/errors.ts'
import type { KeyAnswer, KeyCheck } from '../frame/key-check.ts'
import { readQuery } from '../frame/parameters.ts'
import type { RequestLog } from '../frame/request-log.ts'
import { transportLines } from '../frame/transport-headers.ts'
import { markKnown } from '../traffic/connections.ts'
import { type RateDecision, type RateLimiter, writeRateLimit, writeRateLimitPolicy } from '../traffic/rate-limit.ts'
import type { SlowAnswers } from '../traffic/slow-answers.ts'
import { hasBody, readBody } from './body.ts'
import { type ApiParts, type Asked, whenThere } from './context.ts'
import { type ApiDefinition, addressFor, formatFor } from './definition.ts'
import { type ApiJob, decodeAnswer, type EncodedApiAnswer } from './elsewhere.ts'
import { nextPage } from './list.ts'
import { LazyRequest } from './request.ts'
import type { Route } from './route.ts'

export interface PipelineParts extends ApiParts {
  readonly keys: KeyCheck
  readonly limiter: RateLimiter
  readonly freshness: Freshness
  readonly cors: Cors
  readonly log: RequestLog
  /** A monotonic clock in milliseconds. */
  readonly monotonicMs: () => number
  readonly clientAddress: (req: IncomingMessage) => string
  /** Whether it came over TLS, according to our own proxies. */
  readonly isSecure: (req: IncomingMessage) => boolean
  /** Where requests go that are too heavy for the main thread. */
  readonly computing: WorkPool
  /** Whether there is more work under way than can be answered in time, and too much of it for this workspace. */
  readonly isOverloaded: (workspaceId: string) => boolean
  /** Delays refusals for an address that tries many wrong keys. */
  readonly slowAnswers: SlowAnswers
}

/** A request that may continue, or the answer with which it ends, and for which workspace. */
type Admission = (Answer & { readonly access?: ApiKeyAccess }) | { readonly access: ApiKeyAccess }

export class Pipeline {
  readonly definition: ApiDefinition
  readonly #parts: PipelineParts
  /** The policy header for each limit in use. */
  readonly #policies = { default: new Map<number, string>(), workspace: new Map<number, string>() }

  constructor(definition: ApiDefinition, parts: PipelineParts) {
    this.definition = definition
    this.#parts = parts
  }

  /** `path` is the part after the prefix; `url` is the whole address as received. */
  handle(req: IncomingMessage, res: ServerResponse, url: string, path: string): void {
    const startedMs = this.#parts.monotonicMs()
    const requestId = this.#parts.log.idFor(req)
    const isSecure = this.#parts.isSecure(req)
    const head = new Head(res, requestId, isSecure, this.definition.vary)
    const { common } = head
    head.isBodyUnread = hasBody(req)
    const cors = this.#parts.cors.headersFor(req)
    if (cors.length > 0) common.push(...cors)
    const finish = (answer: Answer, key: ApiKeyAccess | null) => {
      // An answer sent before the body was read ends the connection: the rest of the body must not be parsed as the
      // next request.
      if (head.isBodyUnread) common.unshift('connection', 'close')
      this.#parts.log.answered(req, {
        requestId,
        route: this.#routeName(path),
        status: answer.status,
        keyId: key?.id ?? null,
        ms: this.#parts.monotonicMs() - startedMs,
      })
      const written = this.definition.isNegotiated ? withWholeLinks(answer, req, isSecure) : answer
      return send({ req, res, common, lines: head.lines }, req.method === 'POST' ? withoutTag(written) : written)
    }
    let key: ApiKeyAccess | null = null
    const fail = (error: unknown) => {
      if (res.headersSent) {
        res.destroy()
        return
      }
      const answer = answerFor(error)
      if (isForTheLog(error, answer.status)) this.#parts.log.failed(requestId, this.#routeName(path), error)
      void finish(answer, key)
    }
    try {
      const outcome = whenThere(this.#admit(req, url, path, head, startedMs), admitted => {
        if ('status' in admitted) return finish(admitted, admitted.access ?? null)
        key = admitted.access
        return whenThere(this.#answer(req, url, path, admitted.access, head), answer => finish(answer, key))
      })
      if (outcome instanceof Promise) outcome.catch(fail)
    } catch (error) {
      fail(error)
    }
  }

  /** Key and limit; returns an answer if the request ends here. */
  #admit(req: IncomingMessage, url: string, path: string, head: Head, nowMs: number): Admission | Promise<Admission> {
    if (req.method === 'OPTIONS' && this.#parts.cors.isPreflight(req))
      return jsonAnswer([], null, this.#parts.cors.preflightHeaders(this.definition.crossOrigin), 204)
    if (path === '/health' && this.definition.hasHealth) return this.#health(req, url)
    const { keys, limiter, clientAddress } = this.#parts
    const { takesBasic } = this.definition
    return whenThere(keys.check(req.rawHeaders, clientAddress(req), nowMs, takesBasic), (checked: KeyAnswer) => {
      if (checked.kind === 'refused') return this.#refuse(checked.retryAfterSeconds)
      const { access } = checked
      markKnown(req)
      return whenThere(limiter.take(access, nowMs), (decision: RateDecision) => {
        head.lines += `ratelimit-policy: ${this.#policy(decision)}\r\nratelimit: ${writeRateLimit(decision)}\r\n`
        if (decision.accepted) return { access }
        const wait = decision.resetSeconds.toString()
        return errorAnswer(429, limitReached(decision), ['retry-after', wait])
      })
    })
  }

  /** Always 401; beyond the limit of failures of an address it comes later and says when to try again. */
  #refuse(retryAfterSeconds: number | null): Answer | Promise<Answer> {
    const challenge = ['www-authenticate', this.definition.challenge]
    if (retryAfterSeconds === null) return errorAnswer(401, unauthorized, challenge)
    const headers = [...challenge, 'retry-after', retryAfterSeconds.toString()]
    return whenThere(this.#parts.slowAnswers.hold(), () => errorAnswer(401, unauthorized, headers))
  }

  #policy(decision: RateDecision): string {
    const policies = this.#policies[decision.policy]
    let policy = policies.get(decision.limit)
    if (policy === undefined) {
      policy = writeRateLimitPolicy(decision)
      policies.set(decision.limit, policy)
    }
    return policy
  }

  #health(req: IncomingMessage, url: string): Answer {
    const refused = refuseMethod(req) ?? refuseBody(req)
    if (refused !== null) return refused
    readQuery(searchOf(url), {})
    const timestamp = `${this.#parts.now().slice(0, 23)}Z`
    return jsonAnswer(JSON.stringify({ status: 'ok', version: 'v1', timestamp }), null)
  }

  #answer(
    req: IncomingMessage,
    url: string,
    path: string,
    { id: keyId, workspaceId, scope }: ApiKeyAccess,
    head: Head,
  ): Answer | Promise<Answer> {
    const accepted = formatFor(this.definition, req)
    const address = addressFor(this.definition, url, accepted, scope)
    const kept = this.#keptAnswer(req, address, workspaceId)
    if (kept !== undefined) return kept
    const found = this.definition.table.find(path)
    // What a key may not read does not exist for it, whatever the method.
    if (found === null || !covers(scope, found.route.needs)) return errorAnswer(404, notFound)
    const { route, ids } = found
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
    if (route.body === null) return this.#load(route, ids, asked, path, head)
    return readBody(req, route.body).then(read => {
      if ('status' in read) return read
      head.isBodyUnread = false
      return this.#load(route, ids, { ...asked, body: read.bytes, bodyType: read.type }, path, head)
    })
  }

  #load(route: Route, ids: readonly string[], asked: Asked, path: string, head: Head): Answer | Promise<Answer> {
    const request = new LazyRequest(this.#parts, asked, ids, route.parameters, head.res)
    // A worker asks the database itself what has changed.
    if (route.isHeavy) return this.#elsewhere(request, path)
    const handle = () => this.#handled(route, request, path)
    return this.#parts.freshness.isHearing
      ? handle()
      : this.#parts.freshness.catchUp(scopesOf(asked.workspaceId)).then(handle)
  }

  #handled(route: Route, request: LazyRequest, path: string): Answer | Promise<Answer> {
    const elsewhere = (error: unknown) => {
      if (error instanceof TooHeavyHere) return this.#elsewhere(request, path)
      throw error
    }
    try {
      const answer = route.handle(request)
      return answer instanceof Promise ? answer.catch(elsewhere) : answer
    } catch (error) {
      return elsewhere(error)
    }
  }

  async #elsewhere({ asked }: LazyRequest, path: string): Promise<Answer> {
    const job: ApiJob = { kind: 'api', api: this.definition.name, path, asked }
    const owner = { workspace: asked.workspaceId, person: asked.keyId }
    // The API only reads.
    const { result } = this.#parts.computing.run<EncodedApiAnswer>(owner, job, { length: 'unknown' })
    return decodeAnswer(await result)
  }

  /** For counting: all addresses without a route share one name. */
  #routeName(path: string): string {
    const { name, hasHealth, table } = this.definition
    if (path === '/health' && hasHealth) return `/${name}/health`
    const found = table.find(path)
    return found === null ? 'other' : `/${name}${found.route.path}`
  }

  /** The cached answer to this exact address, if nothing needs to be checked or refused first. */
  #keptAnswer(req: IncomingMessage, address: string, workspaceId: string): Answer | undefined {
    const { freshness, isOverloaded, library, now } = this.#parts
    const isReading = (req.method === 'GET' || req.method === 'HEAD') && !hasBody(req)
    if (!isReading || !freshness.isHearing || isOverloaded(workspaceId)) return undefined
    return library.answerKept(workspaceId, address, now()) as Answer | undefined
  }
}

function limitReached({ policy, limit, resetSeconds }: RateDecision): string {
  const whose = policy === 'workspace' ? ' for all keys of this workspace' : ''
  return `the limit of ${limit} requests a minute${whose} is reached; wait ${resetSeconds} s`
}

/** What every answer to one request begins with. */
class Head {
  /** Finished lines, with our own text only. */
  lines: string
  /** Headers that node has to see, or that contain somebody else's text. */
  readonly common: string[] = []
  /** Whether there is a body that nobody has read. */
  isBodyUnread = false
  readonly res: ServerResponse

  constructor(res: ServerResponse, requestId: string, isSecure: boolean, vary: string) {
    this.res = res
    this.lines = `x-request-id: ${requestId}\r\ncache-control: private, no-cache\r\nvary: ${vary}\r\n${transportLines(isSecure)}`
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

/** Only what reads safely (GET, HEAD, QUERY) can be asked for again by a tag. */
function withoutTag(answer: Answer): Answer {
  return answer.etag === null ? answer : typedAnswer(answer.type, [bytesOf(answer)], { ...answer, etag: null })
}

/** Our own links begin with a slash; a client that stores one needs the whole address. */
function withWholeLinks(answer: Answer, { headers: { host } }: IncomingMessage, isSecure: boolean): Answer {
  const place = answer.headers.indexOf(nextPage)
  if (place < 0) return answer
  const origin = host !== undefined && /^[\w.:[\]-]+$/.test(host) ? `http${isSecure ? 's' : ''}://${host}` : ''
  const headers = answer.headers.slice()
  headers.splice(place, 2, 'link', `<${origin}${answer.headers[place + 1]}>; rel="next"`)
  return { ...answer, headers }
}

function refuseMethod(req: IncomingMessage): Answer | null {
  if (req.method === 'GET' || req.method === 'HEAD') return null
  return errorAnswer(405, `${req.method} is not accepted here; this interface only reads`, ['allow', 'GET, HEAD'])
}

/** No route here accepts a body; a request that has one is a mistake worth reporting. */
function refuseBody(req: IncomingMessage): Answer | null {
  const length = Number.parseInt(req.headers['content-length'] ?? '0', 10)
  if (length > limits.bodyBytes) return errorAnswer(413, `a body of ${length} bytes is not accepted`)
  return hasBody(req) ? errorAnswer(400, 'a request body is not accepted here') : null
}
