// An identity provider, as far as its tokens go: a key of each kind, and tokens that it signs with it.
import { constants, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { type ProviderKey, readProviderKeys } from '../../../src/core/identity/provider-key.ts'
import type { TokenAlgorithm } from '../../../src/core/identity/signed-token.ts'

export interface TokenSigner {
  readonly algorithm: TokenAlgorithm
  readonly privateKey: KeyObject
  readonly key: ProviderKey
}

export function makeTokenSigner(algorithm: TokenAlgorithm = 'ES256', kid = 'key-1'): TokenSigner {
  const pair = makePair(algorithm)
  const [key] = readProviderKeys({ keys: [{ ...pair.publicKey.export({ format: 'jwk' }), kid, use: 'sig' }] })
  return { algorithm, privateKey: pair.privateKey, key: key! }
}

function makePair(algorithm: TokenAlgorithm) {
  if (algorithm === 'EdDSA') return generateKeyPairSync('ed25519')
  if (algorithm === 'ES256') return generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return generateKeyPairSync('rsa', { modulusLength: 2048 })
}

const base64url = (text: string) => Buffer.from(text).toString('base64url')

interface TokenText {
  /** In place of what the signer writes. */
  readonly header?: object | string
  readonly claims: object | string
}

/** The token of these claims, signed as the header says that it is. */
export function signToken(signer: TokenSigner, { header, claims }: TokenText): string {
  const { algorithm, privateKey, key } = signer
  const written = [header ?? { alg: algorithm, kid: key.kid, typ: 'JWT' }, claims]
  const signed = written.map(each => base64url(typeof each === 'string' ? each : JSON.stringify(each))).join('.')
  return `${signed}.${signatureOf(algorithm, privateKey, signed).toString('base64url')}`
}

function signatureOf(algorithm: TokenAlgorithm, key: KeyObject, signed: string): Buffer {
  const bytes = Buffer.from(signed)
  if (algorithm === 'EdDSA') return sign(null, bytes, key)
  if (algorithm === 'ES256') return sign('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' })
  if (algorithm === 'RS256') return sign('sha256', bytes, key)
  return sign('sha256', bytes, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 })
}
