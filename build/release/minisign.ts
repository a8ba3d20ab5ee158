// Keys and signatures in the format of minisign, so that a release is verified with a program that every distribution has and that
// is not ours. Ed25519 over BLAKE2b-512 of the file; the same file and key always give the same signature.
import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto'
import { blake2b } from '@noble/hashes/blake2.js'

/** Names the key in signatures, so that a wrong one is told as such. */
interface ReleaseKey {
  readonly id: Buffer
  readonly seed: Buffer
}

const algorithm = { key: 'Ed', signature: 'ED', checksum: 'B2' } as const
const lengths = { id: 8, seed: 32, salt: 32, limits: 16 } as const
const secretComment = 'untrusted comment: minisign unencrypted secret key'

export function makeReleaseKey(): ReleaseKey {
  return { id: randomBytes(lengths.id), seed: randomBytes(lengths.seed) }
}

/** As `minisign -G -W` writes it: without a password. Whoever holds the file can sign. */
export function writeSecretKey(key: ReleaseKey): string {
  const secret = Buffer.concat([key.seed, publicBytes(key)])
  const bytes = Buffer.concat([
    Buffer.from(algorithm.key),
    Buffer.alloc(2),
    Buffer.from(algorithm.checksum),
    Buffer.alloc(lengths.salt + lengths.limits),
    key.id,
    secret,
    checksum(key.id, secret),
  ])
  return `${secretComment}\n${bytes.toString('base64')}\n`
}

export function readSecretKey(text: string): ReleaseKey {
  const bytes = Buffer.from(text.split('\n')[1] ?? '', 'base64')
  const start = 6 + lengths.salt + lengths.limits
  const wrong = (why: string) => new Error(`the key of the release cannot be used: ${why}`)
  if (bytes.length !== start + lengths.id + 64 + 32 || bytes.subarray(0, 2).toString() !== algorithm.key)
    throw wrong('it is not a secret key of minisign')
  if (bytes.readUInt16LE(2) !== 0) throw wrong('it has a password; one without is made by minisign -G -W')
  const id = bytes.subarray(start, start + lengths.id)
  const secret = bytes.subarray(start + lengths.id, start + lengths.id + 64)
  if (!checksum(id, secret).equals(bytes.subarray(-32))) throw wrong('it is damaged')
  return { id, seed: secret.subarray(0, lengths.seed) }
}

/** The line that `minisign -P` takes. */
export function publicLine(key: ReleaseKey): string {
  return Buffer.concat([Buffer.from(algorithm.key), key.id, publicBytes(key)]).toString('base64')
}

export function signFile(key: ReleaseKey, content: Uint8Array, trustedComment: string): string {
  const own = privateKeyOf(key)
  const signature = sign(null, blake2b(content), own)
  const whole = sign(null, Buffer.concat([signature, Buffer.from(trustedComment)]), own)
  return [
    'untrusted comment: signature of a release of Assize',
    Buffer.concat([Buffer.from(algorithm.signature), key.id, signature]).toString('base64'),
    `trusted comment: ${trustedComment}`,
    whole.toString('base64'),
    '',
  ].join('\n')
}

const privatePrefix = Buffer.from('302e020100300506032b657004220420', 'hex')

function privateKeyOf({ seed }: ReleaseKey): KeyObject {
  return createPrivateKey({ key: Buffer.concat([privatePrefix, seed]), format: 'der', type: 'pkcs8' })
}

function publicBytes(key: ReleaseKey): Buffer {
  return createPublicKey(privateKeyOf(key)).export({ format: 'der', type: 'spki' }).subarray(-32)
}

function checksum(id: Buffer, secret: Buffer): Buffer {
  return Buffer.from(blake2b(Buffer.concat([Buffer.from(algorithm.key), id, secret]), { dkLen: 32 }))
}
