// An authenticator in software: it makes a key pair, registers it, and signs challenges as one in a phone would. What
// it returns has the shape that a browser passes to the page.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { cose, isoCBOR } from '@simplewebauthn/server/helpers'
import type { AssertionView, RegistrationView } from '../../../src/views/calls/factor-calls.ts'

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest()

export interface Asked {
  readonly challenge: string
  /** Where the page is. */
  readonly origin: string
  /** As given to the authenticator; default: the host of the origin. */
  readonly rpId?: string
  readonly isVerified?: boolean
  readonly counter?: number
}

export class Authenticator {
  readonly id = randomBytes(20)
  readonly #keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject }
  #counter = 0

  constructor() {
    this.#keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  }

  register(asked: Asked): RegistrationView {
    const id = this.id.toString('base64url')
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.id.length)
    const attested = Buffer.concat([Buffer.alloc(16), length, this.id, this.#coseKey()])
    const authData = Buffer.concat([this.#head(asked, 0x40), attested])
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', new Uint8Array(authData)],
    ])
    const attestationObject = Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url')
    const clientDataJSON = clientData('webauthn.create', asked).toString('base64url')
    return { id, rawId: id, type: 'public-key', response: { attestationObject, clientDataJSON, transports: ['usb'] } }
  }

  assert(asked: Asked, userHandle?: string): AssertionView {
    const id = this.id.toString('base64url')
    const authenticatorData = this.#head(asked, 0)
    const clientDataJSON = clientData('webauthn.get', asked)
    const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientDataJSON)]), this.#keys.privateKey)
    return {
      id,
      rawId: id,
      type: 'public-key',
      response: {
        authenticatorData: authenticatorData.toString('base64url'),
        clientDataJSON: clientDataJSON.toString('base64url'),
        signature: signature.toString('base64url'),
        ...(userHandle === undefined ? {} : { userHandle: Buffer.from(userHandle).toString('base64url') }),
      },
    }
  }

  /** Relying party, flags, counter: 37 bytes. */
  #head({ origin, rpId = new URL(origin).hostname, isVerified = true, counter }: Asked, flags: number): Buffer {
    const rest = Buffer.alloc(5)
    rest[0] = flags | 0x01 | (isVerified ? 0x04 : 0)
    rest.writeUInt32BE(counter ?? ++this.#counter, 1)
    return Buffer.concat([sha256(rpId), rest])
  }

  #coseKey(): Buffer {
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' })
    const bytes = (text: string | undefined) => new Uint8Array(Buffer.from(text!, 'base64url'))
    const { COSEALG, COSECRV, COSEKEYS, COSEKTY } = cose
    const key = new Map<number, unknown>([
      [COSEKEYS.kty, COSEKTY.EC2],
      [COSEKEYS.alg, COSEALG.ES256],
      [COSEKEYS.crv, COSECRV.P256],
      [COSEKEYS.x, bytes(x)],
      [COSEKEYS.y, bytes(y)],
    ])
    return Buffer.from(isoCBOR.encode(key as never))
  }
}

function clientData(type: string, { challenge, origin }: Asked): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}
