// One-time codes of an app (TOTP: six digits, 30 seconds, SHA-1, as every app supports) and recovery codes. The secret
// is kept encrypted under a key made from the server secret, a recovery code as a digest under another.
import { randomBytes, randomInt } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { type Instant, microsOf } from '../../../core/time/instant.ts'
import { limits } from '../../../limits.ts'
import { KeyedDigests, type KeyRing } from '../../../storage/keys/key-ring.ts'
import { SealedText } from '../../../storage/keys/sealed-text.ts'
import {
  replaceRecoveryCodes,
  type SecondFactors,
  spendCodeStep,
  spendRecoveryCode,
} from '../../../storage/people/second-factors.ts'
import type { Queryable } from '../../../storage/postgres/database.ts'

const secretBytes = 20
const periodSeconds = 30
/** A clock that is half a minute fast or slow is accepted. */
const stepsOff = 1

/** No characters that look alike: twelve of them have 59 bits. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const groups = [4, 4, 4]

export class OneTimeCodes {
  readonly #sealed: SealedText
  readonly #digests: KeyedDigests
  readonly #now: () => Instant

  constructor(ring: KeyRing, now: () => Instant) {
    this.#sealed = new SealedText(ring, 'one-time codes')
    this.#digests = new KeyedDigests(ring, 'recovery codes')
    this.#now = now
  }

  makeSecret(
    personId: string,
    email: string,
  ): { readonly sealed: Buffer; readonly secret: string; readonly uri: string } {
    const bytes = randomBytes(secretBytes)
    const totp = totpOf(bytes, email)
    return { sealed: this.#sealed.seal(personId, bytes), secret: totp.secret.base32, uri: totp.toString() }
  }

  /** Time step of a code; `null` for a wrong one. */
  stepOf(personId: string, sealed: Buffer, code: string): number | null {
    const timestamp = Math.floor(microsOf(this.#now()) / 1000)
    const token = code.replaceAll(/\s/g, '')
    if (!/^\d{6}$/.test(token)) return null
    const bytes = this.#sealed.openBytes(personId, sealed)
    if (bytes === null) throw new Error('a secret of one-time codes cannot be opened')
    const delta = totpOf(bytes, '').validate({ token, timestamp, window: stepsOff })
    return delta === null ? null : Math.floor(timestamp / 1000 / periodSeconds) + delta
  }

  /** Whether the code is accepted; each works only once. Recovery codes work in place of one-time codes and of passkeys. */
  async spend(sql: Queryable, personId: string, factors: SecondFactors, code: string): Promise<boolean> {
    const step =
      factors.codesSince === null || factors.codeSecret === null || factors.wantsPasskey
        ? null
        : this.stepOf(personId, factors.codeSecret, code)
    if (step !== null) return spendCodeStep(sql, personId, step)
    return spendRecoveryCode(sql, personId, this.#digests.all(plainOf(personId, code)))
  }

  /** Replaces all existing codes. */
  async makeRecoveryCodes(sql: Queryable, personId: string): Promise<readonly string[]> {
    const codes = Array.from({ length: limits.recoveryCodes }, makeRecoveryCode)
    await replaceRecoveryCodes(
      sql,
      personId,
      codes.map(code => this.#digests.make(plainOf(personId, code))),
    )
    return codes
  }
}

/** Digested form of a code, however it was typed. */
function plainOf(personId: string, code: string): string {
  return `${personId} ${code.toLowerCase().replaceAll(/[\s-]/g, '')}`
}

function totpOf(bytes: Buffer, email: string): TOTP {
  const secret = new Secret({ buffer: new Uint8Array(bytes).buffer })
  return new TOTP({ issuer: 'Assize', label: email, secret, digits: 6, period: periodSeconds })
}

function makeRecoveryCode(): string {
  const group = (length: number) => Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
  return groups.map(group).join('-')
}
