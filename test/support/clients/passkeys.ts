// An authenticator and a browser, as far as a signature by passkey needs them.

import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { PasskeyAssertion } from '../../../src/core/receipt/party-signature.ts'
import { challengeBytes } from '../../../src/core/receipt/passkey-check.ts'
import type { SignerOrigin } from '../../../src/core/receipt/signer-origin.ts'

export interface Authenticator {
  readonly algorithm: PasskeyAssertion['algorithm']
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

export function makeAuthenticator(algorithm: PasskeyAssertion['algorithm'] = 'ES256'): Authenticator {
  if (algorithm === 'EdDSA') return { algorithm, ...generateKeyPairSync('ed25519') }
  if (algorithm === 'RS256') return { algorithm, ...generateKeyPairSync('rsa', { modulusLength: 2048 }) }
  return { algorithm, ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) }
}

export interface Making {
  readonly rpId?: string
  readonly origin?: string
  readonly type?: string
  /** As it stands in the client's data; base64url. */
  readonly challenge?: string
  readonly flags?: number
  readonly clientData?: string
}

export const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url')

/** Origin of a buyer with one key, that of `assertionOf`. */
export const originOfBuyer: SignerOrigin = {
  role: 'buyer',
  invited: { by: null, at: '2024-01-02T08:00:00.000000Z', from: 'OPERATOR', role: null, company: null },
  joinedAt: '2024-01-03T08:00:00.000000Z',
  renewed: null,
  company: null,
  passkeys: [{ id: base64url('credential'), registeredAt: '2024-02-03T08:00:00.000000Z' }],
}

/** `hash`: 64 hexadecimal digits. */
export function assertionOf(authenticator: Authenticator, hash: string, making: Making = {}): PasskeyAssertion {
  const rpId = making.rpId ?? 'prices.example.com'
  const clientData =
    making.clientData ??
    JSON.stringify({
      type: making.type ?? 'webauthn.get',
      challenge: making.challenge ?? base64url(challengeBytes(hash)),
      origin: making.origin ?? 'https://prices.example.com',
      crossOrigin: false,
    })
  const site = createHash('sha256').update(rpId).digest()
  const authenticatorData = Buffer.concat([site, Buffer.from([making.flags ?? 0x05, 0, 0, 0, 7])])
  const signed = Buffer.concat([authenticatorData, createHash('sha256').update(clientData).digest()])
  const digest = authenticator.algorithm === 'EdDSA' ? null : 'sha256'
  return {
    credentialId: base64url('credential'),
    publicKey: base64url(authenticator.publicKey.export({ format: 'der', type: 'spki' })),
    algorithm: authenticator.algorithm,
    rpId,
    authenticatorData: base64url(authenticatorData),
    clientDataJSON: base64url(clientData),
    signature: base64url(sign(digest, signed, authenticator.privateKey)),
  }
}
