// Public keys of an identity provider (RFC 7517), as far as they sign tokens: finds the key of a token and checks its
// signature. Only the members that make up the key and its name are kept, so that a key has one spelling wherever it is stored.

import { bytesOfBase64url } from '../text/base64url.ts'
import { canonicalJson, type Json } from '../text/canonical-json.ts'
import { either, literal, mapping, oneOf, optional, refuseShape, text, type Written } from '../text/exact-shape.ts'
import type { SignatureCheck } from './signature-check.ts'
import { refuse, type SignedToken, type TokenAlgorithm, tokenAlgorithms } from './signed-token.ts'

const nameFields = {
  kid: optional(text('Its name at the provider')),
  alg: optional(oneOf(tokenAlgorithms, 'What it signs with; left out where the provider does not say')),
}
const kinds = ['RSA', 'EC', 'OKP']

export const providerKey = either(
  'The provider’s public key as a JWK (RFC 7517), as it was published when the token was checked',
  [
    mapping('For RS256 and PS256.', {
      kty: literal('RSA', 'Its kind'),
      n: text('The modulus, base64url'),
      e: text('The exponent, base64url'),
      ...nameFields,
    }),
    mapping('For ES256.', {
      kty: literal('EC', 'Its kind'),
      crv: literal('P-256', 'The curve'),
      x: text('base64url'),
      y: text('base64url'),
      ...nameFields,
    }),
    mapping('For EdDSA.', {
      kty: literal('OKP', 'Its kind'),
      crv: literal('Ed25519', 'The curve'),
      x: text('base64url'),
      ...nameFields,
    }),
  ],
  ({ kty }, path) => {
    const place = kinds.indexOf(String(kty))
    return place < 0 ? refuseShape(`${path}.kty`, 'RSA, EC or OKP') : place
  },
)

export type ProviderKey = Written<typeof providerKey>

/** More than any provider publishes. */
const mostKeys = 100

/**
 * The keys of a published set that can sign tokens here. Keys of other kinds, for encryption or out of shape are left out, as
 * providers publish them beside the others; anything but a key set is refused.
 */
export function readProviderKeys(set: unknown): readonly ProviderKey[] {
  const keys = (set as { readonly keys?: unknown } | null | undefined)?.keys
  if (!Array.isArray(keys))
    refuse('the keys of the provider are not a JSON Web Key Set (a mapping with a list of keys)')
  if (keys.length > mostKeys) refuse(`the provider publishes ${keys.length} keys; at most ${mostKeys} are read`)
  return keys.flatMap(each => readProviderKey(each) ?? [])
}

/** A key; null for anything that signs no tokens here. */
function readProviderKey(written: unknown): ProviderKey | null {
  if (typeof written !== 'object' || written === null) return null
  const { kty, kid, alg, use, key_ops: operations, ...members } = written as { readonly [key: string]: unknown }
  if (use !== undefined && use !== 'sig') return null
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify'))) return null
  if ((kid !== undefined && typeof kid !== 'string') || !(alg === undefined || isAlgorithm(alg))) return null
  const name = { ...(kid === undefined ? {} : { kid }), ...(alg === undefined ? {} : { alg }) }
  const key = { ...keyMembers(kty, members), ...name } as ProviderKey
  return kty !== undefined && key.kty === kty && whyUnusable(key) === null ? key : null
}

function isAlgorithm(alg: unknown): alg is TokenAlgorithm {
  return tokenAlgorithms.some(each => each === alg)
}

function keyMembers(kty: unknown, { n, e, crv, x, y }: { readonly [key: string]: unknown }): object {
  if (kty === 'RSA') return { kty, n, e }
  if (kty === 'EC') return { kty, crv, x, y }
  return { kty: 'OKP', crv, x }
}

const algorithmsOf: Readonly<Record<ProviderKey['kty'], readonly TokenAlgorithm[]>> = {
  RSA: ['RS256', 'PS256'],
  EC: ['ES256'],
  OKP: ['EdDSA'],
}
const fewestRsaBytes = 256
const mostRsaBytes = 1024

/** The fault of a key: a short modulus, another exponent, numbers of another length; null if it has none. */
function whyUnusable(key: ProviderKey): string | null {
  if (key.alg !== undefined && !algorithmsOf[key.kty].includes(key.alg)) return `it is no key for ${key.alg}`
  if (key.kty === 'RSA') {
    // A modulus has no leading zero, which would make it shorter than it looks.
    const length = String(key.n).startsWith('AA') ? 0 : bytesIn(key.n)
    // With an exponent of 1 anything is a signature; providers use 65537.
    if (key.e !== 'AQAB') return 'its exponent is not 65537'
    return length >= fewestRsaBytes && length <= mostRsaBytes ? null : 'its modulus does not have 2,048 to 8,192 bits'
  }
  if (key.crv !== (key.kty === 'EC' ? 'P-256' : 'Ed25519')) return 'it is on another curve'
  const numbers = key.kty === 'EC' ? [key.x, key.y] : [key.x]
  return numbers.every(number => bytesIn(number) === 32) ? null : 'its numbers do not have 32 bytes'
}

/** The number of bytes; 0 for text that is not base64url. */
function bytesIn(written: unknown): number {
  return typeof written === 'string' ? (bytesOfBase64url(written)?.length ?? 0) : 0
}

/**
 * The one key of a set that a token can be signed by: the one it names, else the only one that fits. Null if there is none, as
 * when the provider has changed its keys.
 */
export function keyFor({ algorithm, keyId }: SignedToken, keys: readonly ProviderKey[]): ProviderKey | null {
  const fitting = keys.filter(
    ({ kty, alg, kid }) =>
      algorithmsOf[kty].includes(algorithm) &&
      (alg === undefined || alg === algorithm) &&
      (keyId === null || kid === keyId),
  )
  if (fitting.length > 1) refuse('several keys of the provider fit the token, and it does not say which one signed it')
  return fitting[0] ?? null
}

const checks = {
  RS256: { key: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }, verify: { name: 'RSASSA-PKCS1-v1_5' } },
  PS256: { key: { name: 'RSA-PSS', hash: 'SHA-256' }, verify: { name: 'RSA-PSS', saltLength: 32 } },
  ES256: { key: { name: 'ECDSA', namedCurve: 'P-256' }, verify: { name: 'ECDSA', hash: 'SHA-256' } },
  EdDSA: { key: { name: 'Ed25519' }, verify: { name: 'Ed25519' } },
} as const

/** Refuses a key that cannot be relied on, and one that does not fit the token. */
export async function isSignedBy(subtle: SignatureCheck, token: SignedToken, key: ProviderKey): Promise<boolean> {
  const { algorithm, signed, signature } = token
  if (keyFor(token, [key]) === null) refuse('the token is not signed by the key that is with it: it names another one')
  const unusable = whyUnusable(key)
  if (unusable !== null) refuse(`the provider’s key cannot be relied on: ${unusable}`)
  const { key: kind, verify } = checks[algorithm]
  const imported = await importKey(subtle, key, kind)
  return imported !== null && (await subtle.verify(verify, imported, signature, signed))
}

/** The imported key; null for numbers that are no key. A kind that the browser does not support is reported. */
async function importKey(subtle: SignatureCheck, key: ProviderKey, kind: (typeof checks)[TokenAlgorithm]['key']) {
  const { kid: _kid, alg: _alg, ...members } = key
  try {
    return await subtle.importKey('jwk', { ...members, ext: true }, kind, false, ['verify'])
  } catch (error) {
    if (error instanceof Error && error.name === 'NotSupportedError') refuse(`${kind.name} cannot be checked here`)
    return null
  }
}

/** Whether two spellings are one key, under whatever names. */
export function isSameKey(a: ProviderKey, b: ProviderKey): boolean {
  return keyText(a) === keyText(b)
}

function keyText({ kid: _kid, alg: _alg, ...members }: ProviderKey): string {
  return canonicalJson(members as Json)
}
