// Challenges for passkeys: random, short-lived, for one purpose and one session or person, and answered once. They
// carry their own expiry under our key, so that issuing one stores nothing; only answered ones are stored.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Instant, instantOfMicros, microsOf } from '../../../core/time/instant.ts'
import { limits } from '../../../limits.ts'
import { deriveKey } from '../../../storage/log/secret.ts'
import { answerChallenge } from '../../../storage/people/second-factors.ts'
import type { Queryable } from '../../../storage/postgres/database.ts'

/** What a challenge is for. Signing is not listed: there the hash to be signed is the challenge. */
type ChallengePurpose = 'sign-in' | 'second-factor' | 'confirmation' | 'registration'

/** `to` is the session's or the person's id; empty where the person is not known yet. */
export interface ChallengeBond {
  readonly purpose: ChallengePurpose
  readonly to: string
}

const nonceBytes = 16
const endBytes = 6
const millisecond = 1000

export class Challenges {
  readonly #key: Buffer
  readonly #now: () => Instant

  constructor(secret: string, now: () => Instant) {
    this.#key = deriveKey(secret, 'passkey challenges')
    this.#now = now
  }

  /** As base64url. */
  make(bond: ChallengeBond): string {
    const head = Buffer.alloc(nonceBytes + endBytes)
    randomBytes(nonceBytes).copy(head)
    head.writeUIntBE(this.#nowMs() + limits.challengeSeconds * 1000, nonceBytes, endBytes)
    return Buffer.concat([head, this.#sign(head, bond)]).toString('base64url')
  }

  /** Ours, for this, and not too old. */
  holds(challenge: string, bond: ChallengeBond): boolean {
    const bytes = Buffer.from(challenge, 'base64url')
    const head = bytes.subarray(0, nonceBytes + endBytes)
    const expected = this.#sign(head, bond)
    const given = bytes.subarray(nonceBytes + endBytes)
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false
    return head.readUIntBE(nonceBytes, endBytes) > this.#nowMs()
  }

  /** Uses up a valid challenge that was answered correctly; false the second time. */
  answer(sql: Queryable, challenge: string): Promise<boolean> {
    const bytes = Buffer.from(challenge, 'base64url')
    const until = instantOfMicros(bytes.readUIntBE(nonceBytes, endBytes) * millisecond)
    return answerChallenge(sql, createHash('sha256').update(bytes).digest(), until)
  }

  #sign(head: Buffer, { purpose, to }: ChallengeBond): Buffer {
    return createHmac('sha256', this.#key).update(`${purpose} ${to} `).update(head).digest()
  }

  #nowMs(): number {
    return Math.floor(microsOf(this.#now()) / millisecond)
  }
}
