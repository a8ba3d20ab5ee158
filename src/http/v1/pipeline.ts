// A request of v1 in one breath: key → limit → parse → load → evaluate → present. On node's own request and response: the
// answers are ready bytes, and the framework's reply would add a quarter to what it costs to send them (decision 0240).
import type { IncomingMessage, ServerResponse } from 'node:http'
import { TooHeavyHere } from '../../core/work-budget.ts'
import { limits } from '../../limits.ts'
import type { Freshness } from '../../read/freshness.ts'
import type { ApiKeyAccess } from '../../storage/api-keys.ts'
import { scopesOf } from '../../storage/publish.ts'
import type { WorkPool } from '../../workers/pool.ts'
import { type Answer, jsonAnswer, send } from '../answer.ts'
import { markKnown } from '../connections.ts'
import type { Cors } from '../cors.ts'
import { answerFor, errorAnswer, isDiskFull, notFound, unauthorized } from '../errors.ts'
import type { KeyAnswer, KeyCheck } from '../key-check.ts'
import { readQuery } from '../parameters.ts'
import { type RateDecision, type RateLimiter, writeRateLimit, writeRateLimitPolicy } from '../rate-limit.ts'
import type { RequestLog } from '../request-log.ts'
import { SlowAnswers } from '../slow-answers.ts'
import { transportLines } from '../transport-headers.ts'
import { type V1Parts, whenThere } from './context.ts'
import { type ApiJob, decodeAnswer, type EncodedApiAnswer } from './elsewhere.ts'
import { LazyRequest } from './request.ts'
import { findRoute, type Route } from './routes.ts'

export interface PipelineParts extends V1Parts {
  readonly keys: KeyCheck
  readonly limiter: RateLimiter
  readonly freshness: Freshness
  readonly cors: Cors
  readonly log: RequestLog
  /** Milliseconds that only grow. */
  readonly monotonicMs: () => number
  readonly clientAddress: (req: IncomingMessage) => string
  /** Whether it came over TLS, as far as our own proxies say. */
  readonly isSecure: (req: IncomingMessage) => boolean
  /** Where requests go that are too heavy for here. */
  readonly computing: WorkPool
  /** Whether there is more work under way than can be answered in time. */
  readonly isOverloaded: () => boolean
}

/** A request that may go on, or the answer with which it ends, and for whom. */
type Admission = (Answer & { readonly access?: ApiKeyAccess }) | { readonly access: ApiKeyAccess }

const prefixes = ['/v1', '/api/v1'] as const

/** The path behind the prefix, or null where the request is not for v1. */
export function behindPrefix(path: string): string | null {
  for (const prefix of prefixes)
    if (path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === '/'))
      return path.slice(prefix.length)
  return null
}

export class Pipeline {
  readonly #parts: PipelineParts
  /** The policy header for each limit in use. */
  readonly #policies = { default: new Map<number, string>(), workspace: new Map<number, string>() }
  readonly #slowAnswers = new SlowAnswers(limits.slowedAnswers)

  constructor(parts: PipelineParts) {
    this.#parts = parts
  }

  /** `path` is behind the prefix; `url` is the whole address as it came. */
  handle(req: IncomingMessage, res: ServerResponse, url: string, path: string): void {
    const startedMs = this.#parts.monotonicMs()
    const requestId = this.#parts.log.idFor(req)
    const head = new Head(requestId, this.#parts.isSecure(req))
    const { common } = head
    // What is answered before a body was read ends the connection: the rest of the body is no next request.
    if (hasBody(req)) common.push('connection', 'close')
    const cors = this.#parts.cors.headersFor(req)
    if (cors.length > 0) common.push(...cors)
    const finish = (answer: Answer, key: ApiKeyAccess | null) => {
      this.#parts.log.answered(req, {
        requestId,
        route: routeName(path),
        status: answer.status,
        keyId: key?.id ?? null,
        ms: this.#parts.monotonicMs() - startedMs,
      })
      return send({ req, res, common, lines: head.lines }, answer)
    }
    let key: ApiKeyAccess | null = null
    const fail = (error: unknown) => {
      if (res.headersSent) {
        res.destroy()
        return
      }
      const answer = answerFor(error)
      if (answer.status === 500 || isDiskFull(error)) this.#parts.log.failed(requestId, error)
      void finish(answer, key)
    }
    try {
      const outcome = whenThere(this.#admit(req, url, path, head, startedMs), admitted => {
        if ('status' in admitted) return finish(admitted, admitted.access ?? null)
        key = admitted.access
        return whenThere(this.#answer(req, url, path, admitted.access), answer => finish(answer, key))
      })
      if (outcome instanceof Promise) outcome.catch(fail)
    } catch (error) {
      fail(error)
    }
  }

  /** Key and limit; an answer where the request ends here. */
  #admit(req: IncomingMessage, url: string, path: string, head: Head, nowMs: number): Admission | Promise<Admission> {
    if (req.method === 'OPTIONS' && this.#parts.cors.isPreflight(req))
      return jsonAnswer([], null, this.#parts.cors.preflightHeaders(), 204)
    if (path === '/health') return this.#health(req, url)
    const { keys, limiter, clientAddress } = this.#parts
    return whenThere(keys.check(req.rawHeaders, clientAddress(req), nowMs), (checked: KeyAnswer) => {
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
    const challenge = ['www-authenticate', 'Bearer']
    if (retryAfterSeconds === null) return errorAnswer(401, unauthorized, challenge)
    const headers = [...challenge, 'retry-after', retryAfterSeconds.toString()]
    return whenThere(this.#slowAnswers.hold(), () => errorAnswer(401, unauthorized, headers))
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

  #answer(req: IncomingMessage, url: string, path: string, { workspaceId }: ApiKeyAccess): Answer | Promise<Answer> {
    const kept = this.#keptAnswer(req, url, workspaceId)
    if (kept !== undefined) return kept
    const found = findRoute(path)
    if (found === null) return errorAnswer(404, notFound)
    const refused = refuseMethod(req) ?? refuseBody(req)
    if (refused !== null) return refused
    if (this.#parts.isOverloaded())
      return errorAnswer(503, 'too many requests at once; try again', ['retry-after', '1'])
    const search = searchOf(url)
    const { route, id } = found
    const request = new LazyRequest(this.#parts, workspaceId, id, url, search, route.parameters)
    const handle = () => this.#handled(route, request, path)
    return this.#parts.freshness.isHearing
      ? handle()
      : this.#parts.freshness.catchUp(scopesOf(workspaceId)).then(handle)
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

  async #elsewhere({ workspaceId, url, search }: LazyRequest, path: string): Promise<Answer> {
    const job: ApiJob = { kind: 'v1', workspaceId, url, path, search }
    return decodeAnswer(await this.#parts.computing.run<EncodedApiAnswer>(workspaceId, job).result)
  }

  /** What was answered to this very address, where nothing needs to be asked or refused first. */
  #keptAnswer(req: IncomingMessage, url: string, workspaceId: string): Answer | undefined {
    const { freshness, isOverloaded, library, now } = this.#parts
    const isReading = (req.method === 'GET' || req.method === 'HEAD') && !hasBody(req)
    if (!isReading || !freshness.isHearing || isOverloaded()) return undefined
    return library.answerKept(workspaceId, url, now()) as Answer | undefined
  }
}

function limitReached({ policy, limit, resetSeconds }: RateDecision): string {
  const whose = policy === 'workspace' ? ' for all keys of this workspace' : ''
  return `the limit of ${limit} requests a minute${whose} is reached; wait ${resetSeconds} s`
}

/** What every answer to one request begins with. */
class Head {
  /** Ready lines, of our own words alone. */
  lines: string
  /** Headers that node has to see, or that somebody else worded. */
  readonly common: string[] = []

  constructor(requestId: string, isSecure: boolean) {
    this.lines = `x-request-id: ${requestId}\r\ncache-control: private, no-cache\r\nvary: Authorization, Accept-Encoding\r\n${transportLines(isSecure)}`
  }
}

/** For counting: what there is no route for has one name together. */
function routeName(path: string): string {
  if (path === '/health') return '/v1/health'
  const found = findRoute(path)
  return found === null ? 'other' : `/v1${found.route.path}`
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined
}

function searchOf(url: string): string {
  const mark = url.indexOf('?')
  return mark < 0 ? '' : url.slice(mark + 1)
}

function refuseMethod(req: IncomingMessage): Answer | null {
  if (req.method === 'GET' || req.method === 'HEAD') return null
  return errorAnswer(405, `${req.method} is not taken here; this interface only reads`, ['allow', 'GET, HEAD'])
}

/** Nothing here takes a body; one that comes all the same is a mistake worth telling. */
function refuseBody(req: IncomingMessage): Answer | null {
  const length = Number.parseInt(req.headers['content-length'] ?? '0', 10)
  if (length > limits.bodyBytes) return errorAnswer(413, `a body of ${length} bytes is not taken`)
  return hasBody(req) ? errorAnswer(400, 'a request body is not taken here') : null
}
