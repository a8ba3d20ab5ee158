// Challenges for passkeys: random, short-lived, for one purpose and one session or person, and answered once. They carry their own
// expiry under a server key, so that issuing one stores nothing; only answered ones are stored.
import { createHash, randomBytes } from 'node:crypto'
import { type Instant, instantOfMicros, microsOf } from '../../../core/time/instant.ts'
import { limits } from '../../../limits.ts'
import type { KeyRing } from '../../../storage/keys/key-ring.ts'
import { answerChallenge } from '../../../storage/people/second-factors.ts'
import type { Queryable } from '../../../storage/postgres/database.ts'

/** Purpose of a challenge. Signing is not listed: there the hash to be signed is the challenge. */
type ChallengePurpose = 'sign-in' | 'second-factor' | 'confirmation' | 'registration'

/** `to` is the id of the session or person; empty where the person is not known yet. */
export interface ChallengeBond {
  readonly purpose: ChallengePurpose
  readonly to: string
}

const nonceBytes = 16
const endBytes = 6
const millisecond = 1000
const ourPurpose = 'passkey challenges'

export class Challenges {
  readonly #ring: KeyRing
  readonly #now: () => Instant

  constructor(ring: KeyRing, now: () => Instant) {
    this.#ring = ring
    this.#now = now
  }

  /** Makes a challenge, as base64url. */
  make(bond: ChallengeBond): string {
    const head = Buffer.alloc(nonceBytes + endBytes)
    randomBytes(nonceBytes).copy(head)
    head.writeUIntBE(this.#nowMs() + limits.challengeSeconds * 1000, nonceBytes, endBytes)
    return Buffer.concat([head, this.#ring.mac(ourPurpose, textOf(head, bond))]).toString('base64url')
  }

  /** Whether a challenge was made here, for this purpose, and is not too old. */
  holds(challenge: string, bond: ChallengeBond): boolean {
    const bytes = Buffer.from(challenge, 'base64url')
    const head = bytes.subarray(0, nonceBytes + endBytes)
    const given = bytes.subarray(nonceBytes + endBytes)
    if (!this.#ring.holds(ourPurpose, textOf(head, bond), given)) return false
    return head.readUIntBE(nonceBytes, endBytes) > this.#nowMs()
  }

  /** Uses up a valid challenge that was answered correctly; false the second time. */
  answer(sql: Queryable, challenge: string): Promise<boolean> {
    const bytes = Buffer.from(challenge, 'base64url')
    const until = instantOfMicros(bytes.readUIntBE(nonceBytes, endBytes) * millisecond)
    return answerChallenge(sql, createHash('sha256').update(bytes).digest(), until)
  }

  #nowMs(): number {
    return Math.floor(microsOf(this.#now()) / millisecond)
  }
}

function textOf(head: Buffer, { purpose, to }: ChallengeBond): Buffer {
  return Buffer.concat([Buffer.from(`${purpose} ${to} `), head])
}
