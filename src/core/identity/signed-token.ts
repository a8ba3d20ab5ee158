// Reads a token in its compact form (RFC 7515: header, claims and signature as base64url, with dots between) without any
// leniency: one token has one meaning. It judges neither the signature (provider-key.ts) nor the claims (id-token.ts).

import { Refusal } from '../refusal.ts'
import { bytesOfBase64url } from '../text/base64url.ts'
import type { Json } from '../text/canonical-json.ts'
import { readStrictJson } from '../text/strict-json.ts'
import { decodeUtf8 } from '../text/utf8.ts'

/**
 * Signatures that only the holder of a private key can make. There is no `none`, and none with a shared secret: anybody who
 * knows the public key could make those.
 */
export const tokenAlgorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const
export type TokenAlgorithm = (typeof tokenAlgorithms)[number]

export type Claims = { readonly [key: string]: Json }

export interface SignedToken {
  readonly algorithm: TokenAlgorithm
  /** The name of the key; null where the token names none. */
  readonly keyId: string | null
  readonly claims: Claims
  /** The signed bytes. */
  readonly signed: Uint8Array<ArrayBuffer>
  readonly signature: Uint8Array<ArrayBuffer>
}

/** A directory with hundreds of groups writes about half of it. */
const mostTokenLength = 32_000
/** An RSA key of 8,192 bits. */
const mostSignatureBytes = 1024
const bounds = { length: mostTokenLength, depth: 8 }

/** `types`: what the token may call itself, in lower case, unless it says nothing. */
export function readSignedToken(token: string, types: readonly string[] = ['jwt']): SignedToken {
  if (token.length > mostTokenLength)
    refuse(`the token has ${token.length} characters; at most ${mostTokenLength} are read`)
  const parts = token.split('.')
  if (parts.length !== 3) refuse(`the token has ${parts.length} parts in place of 3`)
  const [header, claims, written] = parts as [string, string, string]
  const { algorithm, keyId } = readHeader(readMapping(header, 'the header of the token'), types)
  const signature = decode(written, 'the signature of the token')
  if (signature.length === 0) refuse('the token is not signed')
  if (signature.length > mostSignatureBytes) refuse('the signature of the token is too long')
  return {
    algorithm,
    keyId,
    claims: readMapping(claims, 'the claims of the token'),
    signed: new TextEncoder().encode(`${header}.${claims}`),
    signature,
  }
}

export function refuse(message: string): never {
  throw new Refusal('invalid', message)
}

function decode(part: string, what: string): Uint8Array<ArrayBuffer> {
  return bytesOfBase64url(part) ?? refuse(`${what} is not base64url`)
}

function readMapping(part: string, what: string): Claims {
  const json = readStrictJson(decodeText(decode(part, what), what), what, bounds)
  if (typeof json !== 'object' || json === null || Array.isArray(json)) refuse(`${what} is not a mapping`)
  return json as Claims
}

function decodeText(bytes: Uint8Array, what: string): string {
  return decodeUtf8(bytes) ?? refuse(`${what} is not UTF-8`)
}

/** A key inside the header (`jwk`, `x5c`) or an address of one (`jku`, `x5u`) is never used. */
function readHeader({ alg, kid, typ, crit }: Claims, types: readonly string[]) {
  const algorithm = tokenAlgorithms.find(each => each === alg)
  if (algorithm === undefined)
    refuse(`the token is signed by ${told(alg)}; ${tokenAlgorithms.join(', ')} are accepted and nothing else`)
  if (crit !== undefined) refuse('the token demands an extension (crit), and none is known here')
  if (kid !== undefined && typeof kid !== 'string') refuse('kid of the token is not a text')
  const type = typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : typ
  if (type !== undefined && !types.some(each => each === type)) refuse(`the token is of another type: ${told(typ)}`)
  return { algorithm, keyId: kid ?? null }
}

/** A value as it is quoted in a sentence. */
export function told(value: Json | undefined): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > 120 ? `${text.slice(0, 120)}…` : text
}
