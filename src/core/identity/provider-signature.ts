// A signature that a company's own identity provider vouches for: an ID token whose nonce is the hash of the signed thing.
// Plain data that stands beside a signature, and its check offline, with nothing but the token, the bytes and the key in it.
// Its reader decides whether the key is the provider's (issuer-trust.ts).

import { sha256 as digest } from '@noble/hashes/sha2.js'
import { Refusal } from '../refusal.ts'
import { base64urlOf, bytesOfBase64url } from '../text/base64url.ts'
import { either, instant, literal, mapping, text, type Written } from '../text/exact-shape.ts'
import { type Instant, instantOfMicros, microsOf } from '../time/instant.ts'
import { checkIdToken, clockSkewSeconds, type IdToken } from './id-token.ts'
import { providerKey } from './provider-key.ts'
import type { SignatureCheck } from './signature-check.ts'
import { refuse } from './signed-token.ts'

const vouchedFields = {
  issuer: text('The provider’s address, as its tokens name it'),
  subject: text('Who signed, as the provider names the person'),
  discovery: text('Where the provider describes itself and names its keys'),
  clientId: text('The name of the installation at the provider: the token was made for it'),
  checkedAt: instant('When the token was checked here'),
  expiresAt: instant('Until when the token is valid'),
}

const vouchedWithProof = mapping('The proof, to be checked by anybody.', {
  ...vouchedFields,
  token: text(
    'The ID token; its nonce is, in base64url, SHA-256("assize sign-off/1\\n" ‖ `random` ‖ "\\n" ‖ the hash that was signed, as 64 hexadecimal digits)',
  ),
  random: text('32 random bytes, base64url', { pattern: '^[\\w-]{43}$' }),
  key: providerKey,
})

/** The shape without the token, which others could use until it expires. */
const vouchedWithoutProof = mapping('The token is valid still: the proof follows once it has expired.', {
  ...vouchedFields,
  proof: literal('FOLLOWS', 'What is made after `expiresAt` has it'),
})

export const providerSignature = either(
  'What the provider vouches for',
  [vouchedWithProof, vouchedWithoutProof],
  found => (Object.hasOwn(found, 'proof') ? 1 : 0),
)

/** The shape in storage. */
export type ProviderProof = Written<typeof vouchedWithProof>

/** The shape for everybody else. */
export type ProviderSignature = Written<typeof providerSignature>

/** The person and the provider behind a signature, in phrases. */
export function formatProvider(signature: ProviderSignature): string[] {
  const { subject, issuer, expiresAt } = signature
  const told = `signed by subject ${subject} at ${issuer}`
  if (!('proof' in signature)) return [told]
  return [told, `the proof follows: it is in what is made after ${expiresAt.slice(0, 16)}Z, when the token has expired`]
}

/** The part of a proof to show at an instant. Clocks differ: the token stays hidden a little longer than it says. */
export function shownAt(proof: ProviderProof, now: Instant): ProviderSignature {
  if (microsOf(now) > microsOf(proof.expiresAt) + clockSkewSeconds * 1_000_000) return proof
  const { token: _token, random: _random, key: _key, ...vouched } = proof
  return { ...vouched, proof: 'FOLLOWS' }
}

const randomBytes = 32

/** `hash`: 64 hexadecimal digits of the signed thing; their text is hashed here. */
export function signOffNonce(random: Uint8Array, hash: string): string {
  if (random.length !== randomBytes) throw new Error(`${random.length} random bytes in place of ${randomBytes}`)
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error(`${hash} is not a hash`)
  const encoder = new TextEncoder()
  const parts = [encoder.encode('assize sign-off/1\n'), random, encoder.encode(`\n${hash}`)]
  return base64urlOf(digest(Uint8Array.from(parts.flatMap(part => [...part]))))
}

/** A person signs within minutes of showing who they are. */
export const mostSignOffAgeSeconds = 300
/** Lets a proof follow within a day. */
const mostTokenSeconds = 86_400
/** One act may sign many agreements, in pieces, after the token was checked. */
const mostDelaySeconds = 1200

/** The check of a token that is to sign something: all of a sign-in, and that the person was there just now. */
async function checkSignOffToken(
  subtle: SignatureCheck,
  { token, random, key, issuer, clientId }: Pick<ProviderProof, 'token' | 'random' | 'key' | 'issuer' | 'clientId'>,
  hash: string,
  now: number,
): Promise<IdToken> {
  const bytes = bytesOfBase64url(random)
  if (bytes?.length !== randomBytes) refuse(`the random bytes are not ${randomBytes} bytes`)
  const nonce = signOffNonce(bytes, hash)
  const expected = { issuer, clientId, nonce, now, mostAgeSeconds: mostSignOffAgeSeconds }
  const read = await checkIdToken(subtle, token, [key], expected)
  if (read.expiresAt - read.issuedAt > mostTokenSeconds)
    refuse('the token is valid for more than a day; a signature needs one whose proof can be shown soon')
  return read
}

/**
 * The reason, in a sentence, why a proof does not sign that hash; null where it does. `signedAt`: the time of its recording.
 */
export async function checkProviderProof(
  subtle: SignatureCheck,
  proof: ProviderProof,
  hash: string,
  signedAt: Instant,
): Promise<string | null> {
  try {
    const checkedAt = secondsOf(proof.checkedAt)
    const { subject, expiresAt } = await checkSignOffToken(subtle, proof, hash, checkedAt)
    if (subject !== proof.subject) refuse(`the token is about ${subject}, not about ${proof.subject}`)
    if (proof.expiresAt !== instantOfSeconds(expiresAt)) refuse('the token expires at another time than is said')
    const delay = secondsOf(signedAt) - checkedAt
    if (delay < -clockSkewSeconds || delay > mostDelaySeconds)
      refuse('the token was checked at another time than the signature is of')
    return null
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.message
  }
}

function secondsOf(at: Instant): number {
  return Math.floor(microsOf(at) / 1_000_000)
}

export function instantOfSeconds(seconds: number): Instant {
  return instantOfMicros(seconds * 1_000_000)
}
