// Passwords as argon2id, in the usual text form that carries its own parameters. Nothing here keeps or logs one.
import { argon2, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Refusal } from '../../core/refusal.ts'
import { limits } from '../../limits.ts'

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

/** Hashes a password with the salt of another hash, if one is given: all accounts of an address share theirs (decision 0410). */
export async function hashPassword(password: string, like: string | null = null): Promise<string> {
  checkPassword(password)
  return derived(password, prefixOf(like) ?? freshPrefix())
}

/** Algorithm, strength and salt: the part of a hash before its result. */
interface Prefix {
  readonly text: string
  readonly nonce: Buffer
  readonly parameters: Parameters
}

function freshPrefix(): Prefix {
  const nonce = randomBytes(16)
  const { memory, passes, parallelism } = strength
  const text = `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$`
  return { text, nonce, parameters: strength }
}

function prefixOf(hash: string | null): Prefix | null {
  const match = hash === null ? null : pattern.exec(hash)
  if (match === null) return null
  const [memory, passes, parallelism] = match.slice(1, 4).map(text => Number.parseInt(text, 10))
  const nonce = Buffer.from(match[4]!, 'base64')
  return {
    text: hash!.slice(0, hash!.lastIndexOf('$') + 1),
    nonce,
    parameters: { memory: memory!, passes: passes!, parallelism: parallelism! },
  }
}

async function derived(password: string, { text, nonce, parameters }: Prefix): Promise<string> {
  const tag = await derive(password.slice(0, limits.maximumPasswordLength), nonce, parameters)
  return text + unpadded(tag)
}

/**
 * A password under each of the salts of an address, or under a new one where there is none. An address has one salt, so it is
 * worked out once, however many accounts there are and also where there is none: the time reveals nothing.
 */
export async function hashUnder(salts: readonly string[], password: string): Promise<readonly string[]> {
  const prefixes = salts.flatMap(salt => prefixOf(`${salt}A`) ?? [])
  const hashes: string[] = []
  for (const prefix of prefixes.length === 0 ? [freshPrefix()] : prefixes) hashes.push(await derived(password, prefix))
  return hashes
}

/**
 * Text in place of a hash, for an account that has no password: no hash ends like it. It has the salt of its address, so that the
 * work of a sign-in stays the same.
 */
export function lockedHash(salts: readonly string[]): string {
  const { text } = prefixOf(`${salts[0] ?? ''}A`) ?? freshPrefix()
  return `${text}*${randomUUID()}`
}

/** Whether it belongs to an account without a password. */
export function isLocked(hash: string | null): boolean {
  return hash?.includes('$*') === true
}

function isSame(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length === other.length && timingSafeEqual(one, other)
}

export function checkPassword(password: string): void {
  const { minimumPasswordLength: least, maximumPasswordLength: most } = limits
  if (password.length < least || password.length > most)
    throw new Refusal('invalid', `a password must have ${least} to ${most} characters, got ${password.length}`)
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

const pattern =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$(?:[A-Za-z0-9+/]+|\*[0-9a-f-]{36})$/

/**
 * Verifies a password. Without a hash it takes as long and says no, so that an unknown account cannot be told from a wrong
 * password.
 */
export async function verifyPassword(hash: string | null, password: string): Promise<boolean> {
  const own = await derived(password, prefixOf(hash) ?? freshPrefix())
  return hash !== null && isSame(own, hash)
}
