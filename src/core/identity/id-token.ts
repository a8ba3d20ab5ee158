// Checks an ID token (OpenID Connect Core, 3.1.3.7) for sign-in and for signatures: signed by a key of the provider, made for
// us, for this request, now, and by a person who has just shown who they are. It makes no request and does not know the time.

import type { Json } from '../text/canonical-json.ts'
import { isStorable } from '../text/storable-text.ts'
import { isSignedBy, keyFor, type ProviderKey } from './provider-key.ts'
import type { SignatureCheck } from './signature-check.ts'
import { type Claims, readSignedToken, refuse, type SignedToken, told } from './signed-token.ts'

export interface TokenExpectation {
  readonly issuer: string
  readonly clientId: string
  readonly nonce: string
  /** Seconds since 1970. */
  readonly now: number
  /** The most seconds since the person showed who they are; left out where that is not asked. */
  readonly mostAgeSeconds?: number
}

export interface IdToken {
  readonly subject: string
  /** The key that signed the token. */
  readonly key: ProviderKey
  /** Seconds since 1970, like all times here. */
  readonly issuedAt: number
  readonly expiresAt: number
  /** The time at which the person showed who they are; null where the provider does not say. */
  readonly authenticatedAt: number | null
  readonly claims: Claims
}

/** The largest difference between the clocks of a provider and of a server. */
export const clockSkewSeconds = 60
const mostSubjectLength = 255

/** Refuses a token with the first thing that is wrong with it, in a sentence. */
export async function checkIdToken(
  subtle: SignatureCheck,
  written: string,
  keys: readonly ProviderKey[],
  expected: TokenExpectation,
): Promise<IdToken> {
  const token = readSignedToken(written)
  const key = await checkSigned(subtle, token, keys)
  const { claims } = token
  if (claims.iss !== expected.issuer) refuse(`the token is from ${told(claims.iss)}, not from ${expected.issuer}`)
  checkAudience(claims, expected.clientId)
  if (claims.nonce !== expected.nonce) refuse('the token was made for another request (its nonce is another)')
  const { sub: subject } = claims
  if (typeof subject !== 'string' || subject === '' || subject.length > mostSubjectLength || !isStorable(subject))
    refuse(`the token names no person: sub is ${told(subject)}`)
  return { subject, key, claims, ...checkTimes(claims, expected) }
}

/** The key that signed the token, for ID tokens and others, such as tokens that end sessions. */
export async function checkSigned(
  subtle: SignatureCheck,
  token: SignedToken,
  keys: readonly ProviderKey[],
): Promise<ProviderKey> {
  const key = keyFor(token, keys)
  if (key === null) refuse(`the provider publishes no key ${told(token.keyId ?? undefined)} for ${token.algorithm}`)
  if (!(await isSignedBy(subtle, token, key))) refuse('the token is not signed by the key of the provider')
  return key
}

/** A single audience must be our client; a token for several must say that it was made for it. */
function checkAudience({ aud, azp }: Claims, clientId: string): void {
  const audiences: readonly Json[] = Array.isArray(aud) ? aud : [aud]
  if (!audiences.includes(clientId)) refuse(`the token was made for ${told(aud)}, not for ${clientId}`)
  if (audiences.length > 1 && azp === undefined)
    refuse('the token was made for several, and does not say for whom (azp)')
  if (azp !== undefined && azp !== clientId) refuse(`the token was made for ${told(azp)} (azp), not for ${clientId}`)
}

function checkTimes(claims: Claims, { now, mostAgeSeconds }: TokenExpectation) {
  const issuedAt = timeIn(claims, 'iat')
  const expiresAt = timeIn(claims, 'exp')
  const latest = now + clockSkewSeconds
  if (expiresAt <= now - clockSkewSeconds) refuse('the token has expired')
  if (issuedAt > latest) refuse('the token is from the future')
  if (expiresAt <= issuedAt) refuse('the token expires before it was made')
  if (claims.nbf !== undefined && timeIn(claims, 'nbf') > latest) refuse('the token is not valid yet')
  if (claims.auth_time === undefined && mostAgeSeconds === undefined)
    return { issuedAt, expiresAt, authenticatedAt: null }
  const authenticatedAt = timeIn(claims, 'auth_time')
  if (authenticatedAt > latest) refuse('the token says that the person will sign in later (auth_time)')
  if (mostAgeSeconds !== undefined && authenticatedAt < now - mostAgeSeconds)
    refuse(`the person signed in at the provider more than ${mostAgeSeconds} seconds ago (auth_time)`)
  return { issuedAt, expiresAt, authenticatedAt }
}

function timeIn(claims: Claims, name: 'iat' | 'exp' | 'nbf' | 'auth_time'): number {
  const time = claims[name]
  if (typeof time !== 'number' || time < 0) refuse(`${name} of the token is ${told(time)}, not a time`)
  return time
}
