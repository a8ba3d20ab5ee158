// Signing in. An unknown account and a wrong password give the same answer after the same work. Attempts in vain are
// counted by address and by account; who signs in from where they have signed in before is not kept out by what others
// tried. Few passwords are worked out at once, off the main thread, and known people wait least.
import { createHash } from 'node:crypto'
import { Refusal } from '../../core/refusal.ts'
import { limits } from '../../limits.ts'
import type { Sql } from '../../storage/database.ts'
import { verifyPassword } from '../../storage/password.ts'
import { findSignIn, type SignIn } from '../../storage/people.ts'
import { listSignInAddresses } from '../../storage/sessions.ts'
import { FailedAttempts, groupOf } from '../failed-attempts.ts'
import { NotServed, WaitingLine } from '../waiting-line.ts'
import { ConsoleFailure } from './failure.ts'

/** Somebody whose password was right. */
export type Recognised = SignIn & { readonly passwordHash: string }

const wrong = 'the e-mail address or the password is not right'

export class SignInDoor {
  readonly #sql: Sql
  readonly #monotonicMs: () => number
  readonly #byAddress = new FailedAttempts(limits.failedSignIns.address)
  readonly #byAccountFromAddress = new FailedAttempts(limits.failedSignIns.accountFromAddress)
  readonly #byAccount = new FailedAttempts(limits.failedSignIns.account)
  readonly #line = new WaitingLine({
    atOnce: limits.passwordChecks,
    waiting: limits.passwordChecksWaiting,
    timeoutMs: limits.passwordCheckMs,
  })

  constructor(sql: Sql, monotonicMs: () => number) {
    this.#sql = sql
    this.#monotonicMs = monotonicMs
  }

  async recognise(email: string, password: string, address: string): Promise<Recognised> {
    const person = await findSignIn(this.#sql, email)
    const before = await listSignInAddresses(this.#sql, person?.id ?? '')
    const isKnown = before.some(each => groupOf(each) === groupOf(address))
    this.refuseTooMany(email, address, isKnown)
    const isRight = await this.workOut(() => verifyPassword(person?.passwordHash ?? null, password), isKnown)
    if (!isRight) {
      this.countFailure(email, address)
      throw new ConsoleFailure(401, wrong)
    }
    return person as Recognised
  }

  refuseTooMany(email: string, address: string, isKnown: boolean): void {
    const nowMs = this.#monotonicMs()
    const isTooMany =
      this.#byAddress.areTooMany(address, nowMs) ||
      this.#byAccountFromAddress.areTooMany(nameOf(email, address), nowMs) ||
      (!isKnown && this.#byAccount.areTooMany(nameOf(email), nowMs))
    if (isTooMany)
      throw new ConsoleFailure(429, 'too many attempts that failed; wait a minute and try again', {
        headers: { 'retry-after': (limits.rateWindowMs / 1000).toString() },
      })
  }

  countFailure(email: string, address: string): void {
    const nowMs = this.#monotonicMs()
    this.#byAddress.count(address, nowMs)
    this.#byAccountFromAddress.count(nameOf(email, address), nowMs)
    this.#byAccount.count(nameOf(email), nowMs)
  }

  /** Work with a password, in its turn. */
  workOut<T>(work: () => Promise<T>, isTrusted: boolean): Promise<T> {
    return this.#line.run(work, isTrusted).catch(error => {
      if (error instanceof NotServed)
        throw new Refusal('unavailable', 'too many people are signing in at this moment; try again')
      throw error
    })
  }
}

/** Hashed, so that what is held does not grow with what is sent. */
function nameOf(email: string, address = ''): string {
  return createHash('sha256')
    .update(`${email.trim().toLowerCase()} ${groupOf(address)}`)
    .digest('base64url')
}
