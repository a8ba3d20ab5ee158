// A passkey's public key in its two forms: COSE, as authenticators return it, and SubjectPublicKeyInfo, as it is stored
// and carried in receipts, where common tools can read it.
import { createPublicKey } from 'node:crypto'
import { cose, isoCBOR } from '@simplewebauthn/server/helpers'
import type { PasskeyAssertion } from '../../../core/receipt/party-signature.ts'
import { Refusal } from '../../../core/refusal.ts'

export type StoredKey = Pick<PasskeyAssertion, 'publicKey' | 'algorithm'>

/** Algorithms offered to authenticators, the preferred first. */
export const algorithmIds: readonly number[] = [cose.COSEALG.EdDSA, cose.COSEALG.ES256, cose.COSEALG.RS256]

const bytesOf = (base64url: string | undefined) => new Uint8Array(Buffer.from(base64url ?? '', 'base64url'))
const textOf = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('base64url')

export function keyFromCose(bytes: Uint8Array): StoredKey {
  const { algorithm, jwk } = readCose(isoCBOR.decodeFirst<cose.COSEPublicKey>(new Uint8Array(bytes)))
  const spki = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'der' })
  return { publicKey: spki.toString('base64url'), algorithm }
}

function readCose(key: cose.COSEPublicKey): {
  readonly algorithm: StoredKey['algorithm']
  readonly jwk: Readonly<Record<string, string>>
} {
  const { COSEALG, COSECRV, COSEKEYS } = cose
  const algorithm = key.get(COSEKEYS.alg)
  if (cose.isCOSEPublicKeyEC2(key) && algorithm === COSEALG.ES256 && key.get(COSEKEYS.crv) === COSECRV.P256)
    return {
      algorithm: 'ES256',
      jwk: { kty: 'EC', crv: 'P-256', x: textOf(key.get(COSEKEYS.x)), y: textOf(key.get(COSEKEYS.y)) },
    }
  if (cose.isCOSEPublicKeyOKP(key) && algorithm === COSEALG.EdDSA && key.get(COSEKEYS.crv) === COSECRV.ED25519)
    return { algorithm: 'EdDSA', jwk: { kty: 'OKP', crv: 'Ed25519', x: textOf(key.get(COSEKEYS.x)) } }
  if (cose.isCOSEPublicKeyRSA(key) && algorithm === COSEALG.RS256)
    return { algorithm: 'RS256', jwk: { kty: 'RSA', n: textOf(key.get(COSEKEYS.n)), e: textOf(key.get(COSEKEYS.e)) } }
  throw new Refusal('invalid', 'this authenticator makes keys of another kind than ES256, Ed25519 or RS256')
}

export function keyToCose({ publicKey, algorithm }: StoredKey): Uint8Array<ArrayBuffer> {
  const { COSEALG, COSECRV, COSEKEYS, COSEKTY } = cose
  const jwk = createPublicKey({ key: Buffer.from(publicKey, 'base64url'), type: 'spki', format: 'der' }).export({
    format: 'jwk',
  })
  const parts: Readonly<Record<StoredKey['algorithm'], readonly (readonly [number, number | Uint8Array])[]>> = {
    ES256: [
      [COSEKEYS.kty, COSEKTY.EC2],
      [COSEKEYS.alg, COSEALG.ES256],
      [COSEKEYS.crv, COSECRV.P256],
      [COSEKEYS.x, bytesOf(jwk.x)],
      [COSEKEYS.y, bytesOf(jwk.y)],
    ],
    EdDSA: [
      [COSEKEYS.kty, COSEKTY.OKP],
      [COSEKEYS.alg, COSEALG.EdDSA],
      [COSEKEYS.crv, COSECRV.ED25519],
      [COSEKEYS.x, bytesOf(jwk.x)],
    ],
    RS256: [
      [COSEKEYS.kty, COSEKTY.RSA],
      [COSEKEYS.alg, COSEALG.RS256],
      [COSEKEYS.n, bytesOf(jwk.n)],
      [COSEKEYS.e, bytesOf(jwk.e)],
    ],
  }
  return isoCBOR.encode(new Map(parts[algorithm]) as never)
}
