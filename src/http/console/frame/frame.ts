// Frame of every console request, whoever sends it: headers that forbid to keep or run the answer, compression, one shape of
// errors, checks by the schemas of the calls, and a line in the log.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../../core/refusal.ts'
import { compressFor } from '../../frame/answer.ts'
import { isForTheLog } from '../../frame/errors.ts'
import type { RequestLog } from '../../frame/request-log.ts'
import type { Proxies } from '../../traffic/client-address.ts'
import { type FailureAnswer, failureAnswer } from './failure.ts'
import { readOurs } from './origin-check.ts'
import { discardRest } from './request-body.ts'
import { validatorCompiler } from './request-check.ts'
import { initialState } from './request-state.ts'
import { dataHeaders } from './security-headers.ts'

interface FrameContext {
  readonly proxies: Proxies
  readonly log: RequestLog
}

const headers = { 'cache-control': 'no-store', vary: 'Cookie, Accept-Encoding', ...dataHeaders }

export function addFrame(scope: FastifyInstance, { proxies, log }: FrameContext): void {
  for (const [name, value] of Object.entries(initialState)) scope.decorateRequest(name, value)
  scope.setValidatorCompiler(validatorCompiler)
  scope.setErrorHandler((error, request, reply) => {
    const { status, headers: more, body } = tellFailure(log, request, error)
    reply.code(status).headers(more).send(body)
  })
  scope.addHook('onRequest', async (request, reply) => {
    reply.headers(headers)
    const ours = readOurs(request.raw, proxies)
    if (ours === null) throw new Refusal('unreadable', 'the Host header names no host')
    request.ours = ours
  })
  scope.addHook('onSend', async (request, reply, payload) => {
    request.leavePlace?.()
    request.visit?.place?.leave()
    const { raw: req, isReadOn } = request
    // The unread rest of a body must not be parsed as the next request.
    if (!req.complete && !isReadOn) reply.header('connection', 'close')
    if (isReadOn) discardRest(req)
    logWhenClosed(log, request, reply)
    return compressed(request, reply, payload)
  })
}

function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'other'
}

/** Answer for an error; logs an error that an operator has to know of. */
export function tellFailure(log: RequestLog, request: FastifyRequest, error: unknown): FailureAnswer {
  const failure = failureAnswer(error)
  if (isForTheLog(error, failure.status)) log.failed(request.id, routeOf(request), error)
  return failure
}

/** Logs on close: Fastify reports no answer whose client left before it, and those are counted too. */
function logWhenClosed(log: RequestLog, request: FastifyRequest, reply: FastifyReply): void {
  const answered = () => {
    const { statusCode: status, elapsedTime: ms } = reply
    log.answered(request.raw, { requestId: request.id, route: routeOf(request), status, keyId: null, ms })
  }
  if (reply.raw.closed) answered()
  else reply.raw.once('close', answered)
}

/** Streams go out as they are produced. */
async function compressed(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  // JSON has one encoding, which its type does not name.
  if (typeof payload === 'string') reply.type('application/json')
  else if (!Buffer.isBuffer(payload)) return payload
  const packed = await compressFor(request.headers['accept-encoding'], Buffer.from(payload))
  if (packed === null) return payload
  reply.header('content-encoding', packed.encoding)
  return packed.body
}
