// The console: the JSON interface of the web pages, separate from the API and with its own database connections. Every
// request takes the same path: session → membership of the workspace → role → sent by our own page → body → answer.
// What is refused on the way never reaches a route, and a body is read only from somebody who may send it.
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { limits } from '../../limits.ts'
import { withWorkspace } from '../../storage/database.ts'
import { readQuota, whoCanRaise } from '../../storage/quotas.ts'
import type { WorkPool } from '../../workers/pool.ts'
import type { Proxies } from '../client-address.ts'
import { isDiskFull, notFound } from '../errors.ts'
import type { Patience } from '../patience.ts'
import type { RequestLog } from '../request-log.ts'
import { sendAnswer } from './console-answer.ts'
import { answerSomewhere } from './elsewhere.ts'
import { ConsoleFailure, failureAnswer } from './failure.ts'
import { formulaRoutes } from './formula-routes.ts'
import { installationRoutes } from './installation-routes.ts'
import { isBegunHere, type Ours, readOurs } from './origin-check.ts'
import { type PublicRoute, signedIn } from './public-route.ts'
import { onlyOperators } from './quarantine.ts'
import { type BodyKind, checkContentType, discardRest, readFile, readJson } from './request-body.ts'
import { checkBody, checkQuery } from './request-check.ts'
import type { ConsoleAnswer, ConsoleParts, ConsoleRequest, ConsoleRoute, Seat } from './route.ts'
import { seriesRoutes } from './series-routes.ts'
import { publicRoutes } from './session-routes.ts'
import { setUpRoutes } from './set-up-routes.ts'
import { settingsRoutes } from './settings-routes.ts'
import { SignInDoor } from './sign-in.ts'
import { unsubscribeRoutes } from './unsubscribe-routes.ts'
import { type Visit, Visitors } from './visitors.ts'

export interface ConsoleGround {
  readonly parts: ConsoleParts
  readonly proxies: Proxies
  readonly log: RequestLog
  readonly monotonicMs: () => number
  /** Where routes are answered that are too heavy for the main thread. */
  readonly computing: WorkPool
}

export function consoleRoutes(parts: ConsoleParts): readonly ConsoleRoute[] {
  return [...seriesRoutes(parts), ...formulaRoutes(parts), ...settingsRoutes(parts)]
}

export async function addConsole(app: FastifyInstance, ground: ConsoleGround, patience: Patience): Promise<void> {
  const { parts } = ground
  const console = new Console(ground, patience)
  const door = new SignInDoor(parts.installation.sql, ground.monotonicMs)
  await app.register(async scope => {
    // Bodies are read here, when it is known who sends them.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    const open = [
      ...[publicRoutes(parts, door), setUpRoutes(parts, door)],
      ...[installationRoutes(parts), unsubscribeRoutes(parts)],
    ]
    for (const route of open.flat())
      scope.route({
        method: route.method,
        url: `/console${route.path}`,
        handler: (request, reply) => console.handle(request, reply, asked => console.answerPublic(route, asked)),
      })
    for (const route of consoleRoutes(parts))
      scope.route({
        method: route.method,
        url: `/console/w/:workspace${route.path}`,
        handler: (request, reply) => console.handle(request, reply, asked => console.answerRoute(route, asked)),
      })
    const nothing = async () => {
      throw new ConsoleFailure(404, notFound)
    }
    for (const url of ['/console', '/console/*'])
      scope.all(url, (request, reply) => console.handle(request, reply, nothing))
  })
}

/** One request on its way. */
interface Asked {
  readonly req: IncomingMessage
  readonly params: Readonly<Record<string, string>>
  readonly search: URLSearchParams
  readonly ours: Ours
  /** Whose session it is, and the slot that is freed when the request is answered. */
  receive(slug: string | null): Promise<Visit>
}

const rolesInWords: Readonly<Record<string, string>> = {
  owner: 'owners',
  editor: 'editors',
  buyer: 'buyers',
  supplier: 'suppliers',
  viewer: 'viewers',
}

class Console {
  readonly #ground: ConsoleGround
  readonly #patience: Patience
  readonly #visitors: Visitors
  /** Requests whose file is being read, with the workspace it is for. */
  readonly #files = new Map<IncomingMessage, string>()
  /** Requests in progress, by workspace. */
  readonly #ofWorkspace = new Map<string, number>()

  constructor(ground: ConsoleGround, patience: Patience) {
    this.#ground = ground
    this.#patience = patience
    const { parts, monotonicMs } = ground
    const { clientAddress, installation } = parts
    this.#visitors = new Visitors({ sql: installation.sql, clientAddress, patience, monotonicMs })
  }

  /** Counts, answers and logs; whatever goes wrong becomes an answer. */
  async handle(
    request: FastifyRequest,
    reply: FastifyReply,
    answer: (asked: Asked) => Promise<ConsoleAnswer>,
  ): Promise<void> {
    reply.hijack()
    const { raw: req, id: requestId } = request
    const res = reply.raw
    const startedMs = this.#ground.monotonicMs()
    const failed = (error: unknown) => {
      const failure = failureAnswer(error)
      if (failure.status === 500 || isDiskFull(error)) this.#ground.log.failed(requestId, error)
      return failure
    }
    const isSecure = this.#ground.proxies.isSecure(req)
    const finish = (outcome: ConsoleAnswer) =>
      sendAnswer({ req, res, requestId, isSecure, isReadOn: this.#files.has(req), onBroken: failed }, outcome)
    let status = 500
    let visit: Visit | null = null
    const receive = async (slug: string | null) => {
      visit = await this.#visitors.receive(req, slug)
      return visit
    }
    try {
      const outcome = await answer(this.#read(request, receive))
      status = outcome.status
      await finish(outcome)
    } catch (error) {
      const failure = failed(error)
      status = failure.status
      if (res.headersSent) res.destroy()
      else await finish(failure).catch(() => res.destroy())
    } finally {
      ;(visit as Visit | null)?.place.leave()
      if (this.#files.delete(req)) discardRest(req)
      const ms = this.#ground.monotonicMs() - startedMs
      const route = request.routeOptions.url ?? 'other'
      this.#ground.log.answered(req, { requestId, route, status, keyId: null, ms })
    }
  }

  #read(request: FastifyRequest, receive: Asked['receive']): Asked {
    const { raw: req } = request
    const ours = readOurs(req, this.#ground.proxies)
    if (ours === null) throw new ConsoleFailure(400, 'the Host header names no host')
    const url = req.url ?? '/'
    const search = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '')
    return { req, params: request.params as Readonly<Record<string, string>>, search, ours, receive }
  }

  async answerPublic(route: PublicRoute, { req, params, search, ours, receive }: Asked): Promise<ConsoleAnswer> {
    if (route.isFromAnywhere !== true) checkOrigin(req, 'json')
    const { holder, place } = await receive(null)
    if (route.isOpen !== true) signedIn({ holder })
    if (route.isForOperators === true && holder?.isOperator !== true)
      throw new ConsoleFailure(403, 'this page is for operators of the installation alone')
    const query = checkQuery(route.query, search)
    const body = await readBody(req, route, holder === null ? limits.strangersBodyBytes : limits.bodyBytes)
    place.keep()
    const fromAddress = this.#ground.parts.clientAddress(req)
    const userAgent = req.headers['user-agent'] ?? null
    return route.answer({ holder, params, query, body, ours, fromAddress, userAgent })
  }

  async answerRoute(route: ConsoleRoute, asked: Asked): Promise<ConsoleAnswer> {
    const { req, params, search, ours } = asked
    const seat = await this.#seatOf(asked)
    const isOfCompany = route.orOfCompany === true && seat.company !== null
    if (route.roles !== undefined && !route.roles.includes(seat.role) && !isOfCompany)
      throw new ConsoleFailure(403, refusalOf(route.roles, seat))
    if (route.isForOperators === true && !seat.isOperator) throw new ConsoleFailure(403, onlyOperators)
    checkOrigin(req, route.takes ?? 'json')
    const call = { seat, params, query: checkQuery(route.query, search), origin: ours.origin }
    return this.#inWorkspace(seat.workspace.id, async () => {
      if (route.takes === 'file') return this.#answerFile(route, req, call)
      const { computing, parts } = this.#ground
      const body = await readBody(req, route, limits.bodyBytes)
      return answerSomewhere(computing, parts, route, { ...call, body, file: null })
    })
  }

  /** Within the number of requests that one workspace may have in progress. */
  async #inWorkspace(workspaceId: string, answer: () => Promise<ConsoleAnswer>): Promise<ConsoleAnswer> {
    const taken = this.#ofWorkspace.get(workspaceId) ?? 0
    if (taken >= limits.consoleOfWorkspace)
      throw new ConsoleFailure(503, 'too many requests at once in this workspace; try again', {
        headers: { 'retry-after': '1' },
      })
    this.#ofWorkspace.set(workspaceId, taken + 1)
    try {
      return await answer()
    } finally {
      const left = this.#ofWorkspace.get(workspaceId)! - 1
      if (left === 0) this.#ofWorkspace.delete(workspaceId)
      else this.#ofWorkspace.set(workspaceId, left)
    }
  }

  async #answerFile(
    route: ConsoleRoute,
    req: IncomingMessage,
    call: Omit<ConsoleRequest, 'body' | 'file'>,
  ): Promise<ConsoleAnswer> {
    const { id, slug } = call.seat.workspace
    const { sql } = this.#ground.parts.installation
    const { most } = await withWorkspace(sql, id, tx => readQuota(tx, id, 'uploads'))
    // There is no await between here and the counting: of many simultaneous requests no more than the limit get in.
    if (this.#files.size >= limits.uploadsAtOnce)
      throw comeAgain(503, 'other files are being read; try again in a moment')
    if (
      this.#files
        .values()
        .filter(each => each === id)
        .toArray().length >= most
    )
      throw comeAgain(
        409,
        `this workspace may have at most ${most} files read at the same time, and has; try again when one is done; ${whoCanRaise(slug, 'uploads')}`,
      )
    this.#files.set(req, id)
    this.#patience.give(req, limits.uploadMs)
    return route.answer({ ...call, body: undefined, file: readFile(req) })
  }

  async #seatOf({ req, params, receive }: Asked): Promise<Seat> {
    const { sessionId, person, place, isOperator } = signedIn(await receive(params.workspace!))
    if (place === null) throw new ConsoleFailure(404, notFound)
    return { sessionId, person, ...place, isOperator, fromAddress: this.#ground.parts.clientAddress(req) }
  }
}

function refusalOf(roles: readonly Seat['role'][], { role }: Seat): string {
  const may = roles.map(each => rolesInWords[each])
  const words = may.length < 2 ? may.join() : `${may.slice(0, -1).join(', ')} and ${may.at(-1)}`
  return `only ${words} of this workspace may do this; you are here as ${role}`
}

function comeAgain(status: number, message: string): ConsoleFailure {
  return new ConsoleFailure(status, message, { headers: { 'retry-after': '5' } })
}

function isReading({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD'
}

function checkOrigin(req: IncomingMessage, kind: BodyKind): void {
  if (isReading(req)) return
  if (!isBegunHere(req)) throw new ConsoleFailure(403, 'this request was not sent by a page of Assize and is refused')
  checkContentType(req, kind)
}

async function readBody(req: IncomingMessage, { body }: Pick<ConsoleRoute, 'body'>, most: number): Promise<unknown> {
  return body === undefined ? undefined : checkBody(body, await readJson(req, most))
}
