// Passwords as argon2id, in the usual text form that carries its own parameters. Nothing here keeps or logs one.
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Refusal } from '../core/refusal.ts'
import { limits } from '../limits.ts'

/** OWASP's second recommendation: 19 MiB, two passes, one lane. */
const strength = { memory: 19_456, passes: 2, parallelism: 1 } as const
const tagLength = 32

interface Parameters {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

function derive(password: string, nonce: Buffer, parameters: Parameters): Promise<Buffer> {
  return promisify(argon2)('argon2id', { message: password.normalize('NFKC'), nonce, tagLength, ...parameters })
}

export async function hashPassword(password: string): Promise<string> {
  checkPassword(password)
  const nonce = randomBytes(16)
  const tag = await derive(password, nonce, strength)
  const { memory, passes, parallelism } = strength
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(tag)}`
}

function checkPassword(password: string): void {
  const { minimumPasswordLength: least, maximumPasswordLength: most } = limits
  if (password.length < least || password.length > most)
    throw new Refusal('invalid', `a password must have ${least} to ${most} characters, got ${password.length}`)
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

const pattern = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** Without a hash it takes as long and says no, so that an unknown account cannot be told from a wrong password. */
export async function verifyPassword(hash: string | null, password: string): Promise<boolean> {
  const match = hash === null ? null : pattern.exec(hash)
  if (match === null) {
    await derive(password.slice(0, limits.maximumPasswordLength), Buffer.alloc(16), strength)
    return false
  }
  const [memory, passes, parallelism] = match.slice(1, 4).map(text => Number.parseInt(text, 10)) as [
    number,
    number,
    number,
  ]
  const tag = await derive(password.slice(0, limits.maximumPasswordLength), Buffer.from(match[4]!, 'base64'), {
    memory,
    passes,
    parallelism,
  })
  const held = Buffer.from(match[5]!, 'base64')
  return held.length === tag.length && timingSafeEqual(held, tag)
}
