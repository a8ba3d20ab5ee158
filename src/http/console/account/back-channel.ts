// `POST /sso/logout`: server to server, identity providers report here that a session of theirs has ended. One address for all of
// them: the token names its sender. The answer is only whether it was accepted: a reason would tell strangers who is set up here.
// The reason is in the server's log.
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../../core/refusal.ts'
import type { IdentityCounts } from '../../../identity/counts.ts'
import type { Identity } from '../../../identity/identity-connections.ts'
import { identityLimits } from '../../../identity/identity-limits.ts'
import { readLogout } from '../../../identity/logout.ts'
import { noteAct } from '../../../storage/audit/audit-acts.ts'
import { endSessionsOf } from '../../../storage/identity/links.ts'
import { findProvidersOfClient } from '../../../storage/identity/providers.ts'
import { answerChallenge } from '../../../storage/people/second-factors.ts'
import type { ViewContext } from '../../../views/sight/view-parts.ts'
import type { RequestLog } from '../../frame/request-log.ts'
import { HourlyLimit } from '../../traffic/hourly-limit.ts'

export const logoutPath = '/sso/logout'
const logoutsAnHour = 2_000

interface LogoutContext {
  readonly parts: ViewContext
  readonly log: RequestLog
  readonly proxies: { clientAddress(req: IncomingMessage): string }
  readonly monotonicMs: () => number
  readonly identity: Identity
  readonly identityCounts: IdentityCounts
}

export async function addBackChannel(app: FastifyInstance, ground: LogoutContext): Promise<void> {
  const { parts, log, proxies, monotonicMs, identity, identityCounts: counts } = ground
  const { sql } = parts.installation
  const sent = new HourlyLimit(logoutsAnHour)
  const logoutParts = {
    directory: identity.directory,
    now: parts.now,
    providersOf: (issuer: string, clientId: string) => findProvidersOfClient(sql, issuer, clientId),
    answerOnce: (digest: Buffer, until: string) => answerChallenge(sql, digest, until),
  }
  await app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 2 * identityLimits.tokenLength },
      async (_request: unknown, body: string) => new URLSearchParams(body),
    )
    scope.setErrorHandler((error, _request, reply) => {
      const { statusCode = 500 } = error as { readonly statusCode?: number }
      reply.code(statusCode).header('cache-control', 'no-store').send({ error: 'invalid_request' })
    })
    scope.post(logoutPath, { config: { takesForm: true } }, async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const wait = sent.take(proxies.clientAddress(request.raw), monotonicMs())
      if (wait > 0) return reply.code(429).header('retry-after', String(wait)).send({ error: 'invalid_request' })
      const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
      const tokens = form.getAll('logout_token')
      try {
        const logout = await counts.counting(() => readLogout(logoutParts, tokens.length === 1 ? tokens[0]! : ''))
        await endSessionsOf(sql, logout.providers, logout)
        const fromAddress = proxies.clientAddress(request.raw)
        const told = { who: 'identity provider', fromAddress, subject: logout.providers.join(', ') }
        await noteAct(sql, { ...told, act: 'session.end', said: 'sessions ended by the identity provider' })
        counts.loggedOut++
        return reply.code(200).send()
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        log.refusedSilently(request.id, 'a logout by an identity provider', error.message)
        return reply.code(400).send({ error: 'invalid_request' })
      }
    })
  })
}
