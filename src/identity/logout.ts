// Back-channel logout (OpenID Connect Back-Channel Logout 1.0): the provider tells us, server to server, that a session there has
// ended. Its token is checked like one of a sign-in, and counts once.
import { createHash } from 'node:crypto'
import { checkSigned, clockSkewSeconds } from '../core/identity/id-token.ts'
import { readSignedToken, refuse } from '../core/identity/signed-token.ts'
import { isStorable } from '../core/text/storable-text.ts'
import { type Instant, instantOfMicros, microsOf } from '../core/time/instant.ts'
import { asToken } from './authorisation.ts'
import { identityLimits } from './identity-limits.ts'
import { IdentityRefused } from './identity-refusal.ts'
import type { ProviderDirectory } from './provider-directory.ts'

const event = 'http://schemas.openid.net/event/backchannel-logout'

/** Sessions that end: those of a subject, or one by the provider's own name for it. */
interface Logout {
  /** Our own names of the providers it is about. */
  readonly providers: readonly string[]
  readonly subject: string | null
  readonly session: string | null
}

interface LogoutContext {
  readonly directory: ProviderDirectory
  readonly now: () => Instant
  /** Providers set here for a client of an issuer: only those are asked for their keys. */
  readonly providersOf: (issuer: string, clientId: string) => Promise<readonly string[]>
  /** Notes a token; false the second time. */
  readonly answerOnce: (digest: Buffer, until: Instant) => Promise<boolean>
}

/** Reads a token. Refuses one that is not valid, and an ID token, which would otherwise log somebody out. */
export async function readLogout(parts: LogoutContext, written: string): Promise<Logout> {
  try {
    return await asToken(() => checkLogout(parts, written))
  } catch (error) {
    if (!(error instanceof IdentityRefused)) throw error
    throw new IdentityRefused('logout', error.message, 'unreadable')
  }
}

async function checkLogout(
  { directory, now, providersOf, answerOnce }: LogoutContext,
  written: string,
): Promise<Logout> {
  const token = readSignedToken(written, ['logout+jwt', 'jwt'])
  const { iss, aud, iat, exp, jti, sub, sid, nonce, events } = token.claims
  const audiences = Array.isArray(aud) ? aud : [aud]
  if (typeof iss !== 'string' || audiences.length !== 1 || typeof audiences[0] !== 'string')
    refuse('the logout token does not say from whom it is, or for whom')
  const at = Math.floor(microsOf(now()) / 1_000_000)
  if (typeof iat !== 'number' || iat > at + clockSkewSeconds)
    refuse('the logout token is from the future, or has no time')
  if (iat < at - identityLimits.tokenSeconds) refuse('the logout token is too old')
  if (exp !== undefined && !(typeof exp === 'number' && exp > at - clockSkewSeconds))
    refuse('the logout token has expired')
  const isLogout = typeof events === 'object' && events !== null && Object.hasOwn(events, event)
  if (!isLogout || nonce !== undefined) refuse('the token is not for logging out')
  const [subject, session] = [nameIn(sub), nameIn(sid)]
  if (subject === null && session === null) refuse('the logout token names neither a person nor a session')
  if (typeof jti !== 'string' || jti === '') refuse('the logout token has no name of its own (jti)')
  // The issuer is looked up last: a token that is wrong by itself is refused whether its issuer is known here or not.
  const providers = await providersOf(iss, audiences[0])
  if (providers.length === 0) refuse('the logout token is from or for somebody who is not known here')
  await checkSigned(crypto.subtle, token, await directory.keysFor(iss, token))
  const digest = createHash('sha256')
    .update(`logout ${JSON.stringify([iss, jti])}`)
    .digest()
  const until = instantOfMicros((iat + identityLimits.tokenSeconds + clockSkewSeconds) * 1_000_000)
  if (!(await answerOnce(digest, until))) refuse('the logout token was used before')
  return { providers, subject, session }
}

function nameIn(claim: unknown): string | null {
  if (claim === undefined) return null
  if (typeof claim !== 'string' || claim === '' || claim.length > 255 || !isStorable(claim))
    refuse('a name in the logout token is not a text')
  return claim
}
