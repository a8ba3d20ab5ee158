// Admission of requests, as hooks: session → membership of the workspace → role → sent by a page of this server. A request refused
// here never reaches a route, and nothing of its body is read.
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../../../core/refusal.ts'
import type { Role } from '../../../core/roles.ts'
import type { Seat } from '../../../views/sight/seat.ts'
import { notFound } from '../../frame/errors.ts'
import { isBegunHere } from './origin-check.ts'
import { signedIn } from './public-route.ts'
import { type BodyKind, checkContentType } from './request-body.ts'
import type { Visitors } from './visitors.ts'

const onlyOperators = 'only operators of this installation decide about public series; you see here what they decide'

/** Guards routes that belong to no workspace. */
export function guardPublic(scope: FastifyInstance, visitors: Visitors): void {
  scope.addHook('onRequest', async request => {
    const { isFromAnywhere, isOpen, isForOperators } = rulesOf(request)
    if (isFromAnywhere !== true) checkOrigin(request.raw, 'json')
    request.visit = await visitors.receive(request.raw, null)
    const { holder } = request.visit
    if (isOpen !== true) signedIn({ holder })
    if (isForOperators === true && holder?.isOperator !== true)
      throw new Refusal('forbidden', 'this page is for operators of the installation alone')
  })
}

/** Guards routes under `/w/:workspace`. */
export function guardWorkspace(
  scope: FastifyInstance,
  visitors: Visitors,
  addressOf: (req: IncomingMessage) => string,
): void {
  scope.addHook('onRequest', async request => {
    const { workspace } = request.params as { readonly workspace: string }
    request.visit = await visitors.receive(request.raw, workspace)
    const { sessionId, person, place, isOperator } = signedIn(request.visit)
    if (place === null) throw new Refusal('not-found', notFound)
    request.seat = { sessionId, person, ...place, isOperator, fromAddress: addressOf(request.raw) }
  })
  scope.addHook('onRequest', async request => {
    const { roles, orOfCompany, isForOperators, takes } = rulesOf(request)
    const seat = request.seat!
    const isOfCompany = orOfCompany === true && seat.company !== null
    if (roles !== undefined && !roles.includes(seat.role) && !isOfCompany)
      throw new Refusal('forbidden', wordsFor(roles, seat))
    if (isForOperators === true && !seat.isOperator) throw new Refusal('forbidden', onlyOperators)
    checkOrigin(request.raw, takes ?? 'json')
  })
}

function rulesOf(request: FastifyRequest) {
  return request.routeOptions.config.rules!
}

function checkOrigin(req: IncomingMessage, kind: BodyKind): void {
  if (req.method === 'GET' || req.method === 'HEAD') return
  if (!isBegunHere(req)) throw new Refusal('forbidden', 'this request was not sent by a page of Assize and is refused')
  checkContentType(req, kind)
}

function wordsFor(roles: readonly Role[], { role }: Seat): string {
  const may = roles.map(each => `${each}s`)
  const words = may.length < 2 ? may.join() : `${may.slice(0, -1).join(', ')} and ${may.at(-1)}`
  return `only ${words} of this workspace may do this; you are here as ${role}`
}
