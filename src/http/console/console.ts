// The console: the JSON interface of the web pages, separate from the API and with its own database connections. Every
// request takes the same path: session → membership of the workspace → role → sent by our own page → body → answer.
// What is refused on the way never reaches a route, and a body is read only from somebody who may send it.
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { limits } from '../../limits.ts'
import { withWorkspace } from '../../storage/postgres/database.ts'
import { readQuota, whoCanRaise } from '../../storage/workspaces/quotas.ts'
import type { WorkPool } from '../../workers/pool.ts'
import { isForTheLog, notFound } from '../frame/errors.ts'
import type { RequestLog } from '../frame/request-log.ts'
import type { Proxies } from '../traffic/client-address.ts'
import { FairPlaces, type LeavePlace } from '../traffic/fair-places.ts'
import type { Patience } from '../traffic/patience.ts'
import { placeLimits } from '../traffic/place-limits.ts'
import { publicRoutes } from './account/session-routes.ts'
import { setUpRoutes } from './account/set-up-routes.ts'
import { SignInDoor } from './account/sign-in.ts'
import { unsubscribeRoutes } from './account/unsubscribe-routes.ts'
import { formulaRoutes } from './agreements/agreement-routes.ts'
import { sendAnswer } from './frame/console-answer.ts'
import { answerSomewhere } from './frame/elsewhere.ts'
import { ConsoleFailure, comeAgain, failureAnswer } from './frame/failure.ts'
import { readKnownBrowser } from './frame/known-browsers.ts'
import { isBegunHere, type Ours, readOurs } from './frame/origin-check.ts'
import { type PublicRoute, signedIn } from './frame/public-route.ts'
import { type BodyKind, checkContentType, discardRest, readJson } from './frame/request-body.ts'
import { checkBody, checkQuery } from './frame/request-check.ts'
import type { ConsoleAnswer, ConsoleParts, ConsoleRequest, ConsoleRoute, Seat } from './frame/route.ts'
import { Spool } from './frame/spool.ts'
import { type Visit, Visitors } from './frame/visitors.ts'
import { onlyOperators } from './series/quarantine.ts'
import { seriesRoutes } from './series/series-routes.ts'
import { installationRoutes } from './settings/installation-routes.ts'
import { settingsRoutes } from './settings/settings-routes.ts'

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
  readonly #visitors: Visitors
  /** Requests with a file: what arrives after the answer is read too. */
  readonly #files = new Set<IncomingMessage>()
  /** Files that wait or are read, by workspace. */
  readonly #reading = new Map<IncomingMessage, string>()
  readonly #spool: Spool
  readonly #bodies = new FairPlaces(placeLimits.arrivingBodies)
  readonly #work = new FairPlaces(placeLimits.consoleWork)

  constructor(ground: ConsoleGround, patience: Patience) {
    this.#ground = ground
    const { parts, monotonicMs } = ground
    const { clientAddress, installation } = parts
    this.#visitors = new Visitors({ sql: installation.sql, clientAddress, patience, monotonicMs })
    this.#spool = new Spool(parts.config.dataFolder, patience)
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
    const route = request.routeOptions.url ?? 'other'
    const failed = (error: unknown) => {
      const failure = failureAnswer(error)
      if (isForTheLog(error, failure.status)) this.#ground.log.failed(requestId, route, error)
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
      ;(visit as Visit | null)?.place?.leave()
      this.#reading.delete(req)
      if (this.#files.delete(req)) discardRest(req)
      const ms = this.#ground.monotonicMs() - startedMs
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
    const fromAddress = this.#ground.parts.clientAddress(req)
    const userAgent = req.headers['user-agent'] ?? null
    const call = { holder, params, query, ours, fromAddress, userAgent, knownBrowser: readKnownBrowser(req) }
    if (holder === null) {
      const body = await readBody(req, route, limits.strangersBodyBytes)
      place?.keep()
      return route.answer({ ...call, body })
    }
    // Of no workspace: a person is a group of one.
    const { id } = holder.person
    const body = await this.#arriving(id, id, req, route)
    return this.#working(id, id, () => route.answer({ ...call, body }))
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
    if (route.takes === 'file') return this.#answerFile(route, req, call)
    const { computing, parts } = this.#ground
    const [workspaceId, personId] = [seat.workspace.id, seat.person.id]
    const body = await this.#arriving(workspaceId, personId, req, route)
    return this.#working(workspaceId, personId, leave =>
      answerSomewhere({ computing, catchUp: parts.catchUp, leave }, route, { ...call, body, file: null }),
    )
  }

  /** While a body arrives, nothing else is held for it. */
  async #arriving(
    group: string,
    person: string,
    req: IncomingMessage,
    route: Pick<ConsoleRoute, 'body'>,
  ): Promise<unknown> {
    if (route.body === undefined) return undefined
    return within(this.#bodies, group, person, () => readBody(req, route, limits.bodyBytes))
  }

  /** Once everything of the request is here. It may leave its place before the answer. */
  #working(
    group: string,
    person: string,
    answer: (leave: LeavePlace) => Promise<ConsoleAnswer>,
  ): Promise<ConsoleAnswer> {
    return within(this.#work, group, person, answer)
  }

  /** The file is received first; only a whole one counts as one that is read. */
  async #answerFile(
    route: ConsoleRoute,
    req: IncomingMessage,
    call: Omit<ConsoleRequest, 'body' | 'file'>,
  ): Promise<ConsoleAnswer> {
    const { workspace, person } = call.seat
    const { sql } = this.#ground.parts.installation
    const { most } = await withWorkspace(sql, workspace.id, tx => readQuota(tx, workspace.id, 'uploads'))
    this.#refuseBeyond(most, call.seat)
    this.#files.add(req)
    const perWorkspace = Math.max(placeLimits.arrivingFiles.perGroup, most)
    const file = async () => {
      const kept = await this.#spool.receive(req, { workspace: workspace.id, person: person.id, perWorkspace })
      try {
        // There is no await between here and the counting: of many simultaneous files no more than the limit get in.
        this.#refuseBeyond(most, call.seat)
      } catch (error) {
        await kept.remove()
        throw error
      }
      this.#reading.set(req, workspace.id)
      return kept
    }
    return route.answer({ ...call, body: undefined, file })
  }

  #refuseBeyond(most: number, { workspace: { id, slug } }: Seat): void {
    const reading = this.#reading.values().reduce((sum, each) => (each === id ? sum + 1 : sum), 0)
    if (reading >= most)
      throw comeAgain(
        409,
        `this workspace may have at most ${most} files read at the same time, and has; try again when one is done; ${whoCanRaise(slug, 'uploads')}`,
      )
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

/** Runs in a place that is left at the end, if not before. */
async function within<T>(
  places: FairPlaces,
  group: string,
  person: string,
  run: (leave: LeavePlace) => Promise<T>,
): Promise<T> {
  const place = places.take(group, person)
  if (place === 'group') throw comeAgain(503, 'too many requests at once in this workspace; try again', 1)
  if (typeof place === 'string') throw comeAgain(503, 'too many requests at once; try again', 1)
  try {
    return await run(place)
  } finally {
    place()
  }
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
