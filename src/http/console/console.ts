// The console: the JSON interface of the web pages, separate from the API and with its own database connections. It is a plugin of
// Fastify: hooks identify the person and refuse, the schemas of the calls check the request, and routes answer. A refused request
// never reaches a route, and a body is read only from somebody who may send it.

import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../../core/refusal.ts'
import type { IdentityCounts } from '../../identity/counts.ts'
import type { Identity } from '../../identity/identity-connections.ts'
import type { WorkPool } from '../../workers/pool.ts'
import { notFound } from '../frame/errors.ts'
import type { RequestLog } from '../frame/request-log.ts'
import type { Proxies } from '../traffic/client-address.ts'
import type { Patience } from '../traffic/patience.ts'
import { identityRoutes } from './account/identity-routes.ts'
import { publicRoutes } from './account/session-routes.ts'
import { setUpRoutes } from './account/set-up-routes.ts'
import { SignInGuard } from './account/sign-in.ts'
import { unsubscribeRoutes } from './account/unsubscribe-routes.ts'
import { agreementRoutes } from './agreements/agreement-routes.ts'
import { slipRoutes } from './agreements/slips.ts'
import { termsRoutes } from './agreements/terms-routes.ts'
import { answerSomewhere } from './frame/elsewhere.ts'
import { guardPublic, guardWorkspace } from './frame/entrance.ts'
import { FileIntake } from './frame/file-intake.ts'
import { addFrame, tellFailure } from './frame/frame.ts'
import { readKnownBrowser } from './frame/known-browsers.ts'
import type { PublicRequest, PublicRoute } from './frame/public-route.ts'
import type { ConsoleParts, ConsoleRoute, Returned } from './frame/route.ts'
import { sendAnswer } from './frame/send-answer.ts'
import { readCookie } from './frame/session-cookie.ts'
import { Spool } from './frame/spool.ts'
import { Visitors } from './frame/visitors.ts'
import { addPlaces } from './frame/work-places.ts'
import { askedSigningRoutes } from './pending-signing.ts'
import { seriesRoutes } from './series/series-routes.ts'
import { installationRoutes } from './settings/installation-routes.ts'
import { settingsRoutes } from './settings/settings-routes.ts'
import { trueUpRoutes } from './true-up/true-up-routes.ts'

export interface ConsoleContext {
  readonly parts: ConsoleParts
  readonly proxies: Proxies
  readonly log: RequestLog
  readonly monotonicMs: () => number
  /** Workers for routes that are too heavy for the main thread. */
  readonly computing: WorkPool
  readonly identity: Identity
  readonly identityCounts: IdentityCounts
  /** Whether memory may be shown without asking the database. */
  readonly isHearing: () => boolean
}

export function consoleRoutes(parts: ConsoleParts): readonly ConsoleRoute[] {
  return [
    ...seriesRoutes(parts),
    ...agreementRoutes(parts),
    ...termsRoutes(parts),
    ...slipRoutes(parts),
    ...trueUpRoutes(parts),
    ...settingsRoutes(parts),
    ...askedSigningRoutes(parts),
  ]
}

export async function addConsole(app: FastifyInstance, ground: ConsoleContext, patience: Patience): Promise<void> {
  const { parts, proxies, log, monotonicMs } = ground
  const { sql } = parts.installation
  const clientAddress = (req: IncomingMessage) => proxies.clientAddress(req)
  const visitors = new Visitors({ sql, clientAddress, patience, monotonicMs })
  /** Registers a route: its rules are for the hooks, its schemas for the checks. */
  const add = <R extends PublicRoute | ConsoleRoute>(
    scope: FastifyInstance,
    route: R,
    answer: (route: R, request: FastifyRequest) => Promise<Returned>,
  ) =>
    scope.route({
      method: route.method,
      url: route.path,
      schema: route.schema,
      config: { rules: route },
      handler: async (request, reply) =>
        sendAnswer(reply, await answer(route, request), error => tellFailure(log, request, error)),
    })
  await app.register(
    async console => {
      addFrame(console, ground)
      addPlaces(console)
      await console.register(async open => {
        const guard = new SignInGuard(sql, monotonicMs)
        guardPublic(open, visitors)
        const routes = [
          publicRoutes(parts, guard),
          setUpRoutes(parts, guard, ground.identity),
          installationRoutes(parts),
          unsubscribeRoutes(parts),
          identityRoutes(parts, ground.identity, ground.identityCounts, monotonicMs),
        ]
        for (const route of routes.flat())
          add(open, route, ({ answer }, request) => answer(publicRequest(request, clientAddress)))
      })
      await console.register(
        async workspace => {
          const files = new FileIntake(sql, new Spool(parts.config.dataFolder, patience))
          guardWorkspace(workspace, visitors, clientAddress)
          for (const route of consoleRoutes(parts))
            add(workspace, route, (each, request) => answerRoute(ground, files, each, request))
        },
        { prefix: '/w/:workspace' },
      )
      for (const url of ['', '/*'])
        console.all(url, async () => {
          throw new Refusal('not-found', notFound)
        })
    },
    { prefix: '/console' },
  )
}

function publicRequest(
  { raw, ours, visit, params, query, body }: FastifyRequest,
  clientAddress: (req: IncomingMessage) => string,
): PublicRequest {
  return {
    holder: visit!.holder,
    params: params as PublicRequest['params'],
    query,
    body,
    ours,
    fromAddress: clientAddress(raw),
    userAgent: raw.headers['user-agent'] ?? null,
    knownBrowser: readKnownBrowser(raw),
    cookie: name => readCookie(raw, name),
  }
}

async function answerRoute(
  { computing, parts, isHearing }: ConsoleContext,
  files: FileIntake,
  route: ConsoleRoute,
  request: FastifyRequest,
): Promise<Returned> {
  const { ours, query, body } = request
  const seat = request.seat!
  const params = request.params as Readonly<Record<string, string>>
  const call = { seat, params, query, body, origin: ours.origin }
  if (!isHearing()) await parts.catchUp()
  if (route.takes === 'file') return route.answer({ ...call, file: await files.admit(request, seat) })
  const leave = () => request.leavePlace?.()
  return answerSomewhere({ computing, catchUp: parts.catchUp, leave }, route, { ...call, file: null })
}
