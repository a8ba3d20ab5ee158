// Checks an authenticator's signature offline: no server, no account, nothing but the assertion and its hash. The code runs in
// Node and in a browser; the caller passes its WebCrypto. It does not know the owner of a passkey.

import type { SignatureCheck } from '../identity/signature-check.ts'
import { Refusal } from '../refusal.ts'
import { base64urlOf, bytesOfBase64url } from '../text/base64url.ts'
import { sha256 } from '../text/sha256.ts'
import { readStrictJson } from '../text/strict-json.ts'
import { decodeUtf8 } from '../text/utf8.ts'
import type { PasskeyAssertion } from './party-signature.ts'

interface PasskeyVerdict {
  /** The reason, in a sentence, why it does not sign that challenge; null where it does. */
  readonly problem: string | null
  /** Whether the authenticator asked for a fingerprint, face or code, not only for a touch. */
  readonly userVerified: boolean
  /** The page on which it was made, such as `https://prices.example.com`; empty where that cannot be read. */
  readonly origin: string
}

/** The bytes that an authenticator signs for a hash of 64 hexadecimal digits: 32 of them. */
export function challengeBytes(hash: string): Uint8Array<ArrayBuffer> {
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error(`${hash} is not a hash`)
  return Uint8Array.from({ length: 32 }, (_, i) => Number.parseInt(hash.slice(2 * i, 2 * i + 2), 16))
}

/** `challenge` as 64 hexadecimal digits, see `challengeOf`. The origin must belong to the assertion's `rpId`. */
export async function checkPasskey(
  subtle: SignatureCheck,
  assertion: PasskeyAssertion,
  challenge: string,
): Promise<PasskeyVerdict> {
  try {
    const client = readClientData(assertion, challenge)
    const authenticator = readAuthenticatorData(assertion)
    const signed = await joinSigned(subtle, authenticator.bytes, client.bytes)
    const holds = await isSigned(subtle, assertion, signed)
    const problem = holds ? null : 'it is not a signature of what the authenticator was shown under the key it names'
    return { problem, userVerified: authenticator.userVerified, origin: client.origin }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { problem: error.message, userVerified: false, origin: '' }
  }
}

function refuse(message: string): never {
  throw new Refusal('invalid', message)
}

function decode(assertion: PasskeyAssertion, part: 'authenticatorData' | 'clientDataJSON' | 'publicKey' | 'signature') {
  return bytesOfBase64url(assertion[part]) ?? refuse(`${part} is not base64url`)
}

/** Far more than a browser writes. */
const clientDataBounds = { length: 10_000, depth: 4 }

function readClientData(assertion: PasskeyAssertion, challenge: string) {
  const bytes = decode(assertion, 'clientDataJSON')
  const data = readStrictJson(decodeText(bytes), 'clientDataJSON', clientDataBounds)
  if (typeof data !== 'object' || data === null || Array.isArray(data)) refuse('clientDataJSON is not a mapping')
  const { type, challenge: signed, origin, crossOrigin } = data as { readonly [key: string]: unknown }
  if (type !== 'webauthn.get') refuse('clientDataJSON is not of a signature (its type is not webauthn.get)')
  if (signed !== base64urlOf(challengeBytes(challenge))) refuse('it was made for another hash')
  if (crossOrigin !== undefined && crossOrigin !== false) refuse('it was made inside a page of another site')
  if (typeof origin !== 'string' || !belongsTo(origin, assertion.rpId))
    refuse(`it was made on ${JSON.stringify(origin)}, which does not belong to ${assertion.rpId}`)
  return { bytes, origin }
}

function decodeText(bytes: Uint8Array): string {
  return decodeUtf8(bytes) ?? refuse('clientDataJSON is not UTF-8')
}

/** `https://` and the site itself or a host under it; a browser allows plain `http://` only for localhost. */
function belongsTo(origin: string, rpId: string): boolean {
  const parts = /^(https?):\/\/([a-z0-9.-]+)(?::[0-9]{1,5})?$/.exec(origin)
  if (parts === null || rpId === '') return false
  const [, scheme, host] = parts
  if (host !== rpId && !host!.endsWith(`.${rpId}`)) return false
  return scheme === 'https' || host === 'localhost' || host!.endsWith('.localhost')
}

const userPresent = 0x01
const userVerified = 0x04
/** The hash of the site, the flags and the counter. */
const leastAuthenticatorBytes = 37

function readAuthenticatorData(assertion: PasskeyAssertion) {
  const bytes = decode(assertion, 'authenticatorData')
  if (bytes.length < leastAuthenticatorBytes) refuse('authenticatorData is too short')
  const site = Array.from(bytes.subarray(0, 32), byte => byte.toString(16).padStart(2, '0')).join('')
  if (site !== sha256(assertion.rpId)) refuse(`the authenticator signed for another site than ${assertion.rpId}`)
  const flags = bytes[32]!
  if ((flags & userPresent) === 0) refuse('the authenticator does not say that a person was present')
  return { bytes, userVerified: (flags & userVerified) !== 0 }
}

/** An authenticator signs its own data followed by the SHA-256 of the client's. */
async function joinSigned(subtle: SignatureCheck, authenticator: Uint8Array, client: Uint8Array<ArrayBuffer>) {
  const digest = new Uint8Array(await subtle.digest('SHA-256', client))
  const signed = new Uint8Array(authenticator.length + digest.length)
  signed.set(authenticator)
  signed.set(digest, authenticator.length)
  return signed
}

const algorithms = {
  ES256: { key: { name: 'ECDSA', namedCurve: 'P-256' }, verify: { name: 'ECDSA', hash: 'SHA-256' } },
  EdDSA: { key: { name: 'Ed25519' }, verify: { name: 'Ed25519' } },
  RS256: { key: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }, verify: { name: 'RSASSA-PKCS1-v1_5' } },
} as const

async function isSigned(subtle: SignatureCheck, assertion: PasskeyAssertion, signed: Uint8Array<ArrayBuffer>) {
  const { algorithm } = assertion
  const known = Object.hasOwn(algorithms, algorithm) ? algorithms[algorithm] : refuse(`${algorithm} is not known here`)
  const raw = decode(assertion, 'signature')
  const signature = algorithm === 'ES256' ? flattenEcdsa(raw) : raw
  if (signature === null) return false
  const key = await importKey(subtle, decode(assertion, 'publicKey'), known.key)
  return key !== null && (await subtle.verify(known.verify, key, signature, signed))
}

/** The imported key; null for bytes that are not a key of that kind. A kind that the browser does not support is reported. */
async function importKey(
  subtle: SignatureCheck,
  spki: Uint8Array<ArrayBuffer>,
  kind: (typeof algorithms)[keyof typeof algorithms]['key'],
) {
  try {
    return await subtle.importKey('spki', spki, kind, false, ['verify'])
  } catch (error) {
    if (error instanceof Error && error.name === 'NotSupportedError') refuse(`${kind.name} cannot be checked here`)
    return null
  }
}

/** Authenticators write an ECDSA signature as DER, WebCrypto reads its two numbers of 32 bytes side by side. */
function flattenEcdsa(der: Uint8Array): Uint8Array<ArrayBuffer> | null {
  if (der[0] !== 0x30 || der[1] !== der.length - 2) return null
  const flat = new Uint8Array(64)
  const second = placeNumber(der, 2, flat, 0)
  return second !== null && placeNumber(der, second, flat, 32) === der.length ? flat : null
}

/**
 * Writes one number of a DER sequence right-aligned into 32 bytes. Returns where the next number begins; null for
 * anything unexpected.
 */
function placeNumber(der: Uint8Array, at: number, flat: Uint8Array, to: number): number | null {
  const length = der[at + 1]
  if (der[at] !== 0x02 || length === undefined || length === 0 || at + 2 + length > der.length) return null
  const isPadded = der[at + 2] === 0 && length > 1
  // Negative, or with an unneeded leading zero: DER has one spelling.
  if (der[at + 2]! > 0x7f || (isPadded && der[at + 3]! < 0x80)) return null
  const number = der.subarray(at + 2 + (isPadded ? 1 : 0), at + 2 + length)
  if (number.length > 32) return null
  flat.set(number, to + 32 - number.length)
  return at + 2 + length
}
