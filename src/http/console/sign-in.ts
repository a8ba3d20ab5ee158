// Signing in. An unknown account and a wrong password give the same answer after the same work. Failed attempts are
// counted by address and by account, from the moment they begin, so that many at once gain nothing; a person who signs
// in from an address they used before is not locked out by the attempts of others. Only a few passwords are hashed at
// once, off the main thread, and known people wait least.
import { createHash } from 'node:crypto'
import { Refusal } from '../../core/refusal.ts'
import { limits } from '../../limits.ts'
import type { Sql } from '../../storage/database.ts'
import { judgePassword, verifyPassword } from '../../storage/password.ts'
import { findAccount, findSignIns, type SignIn } from '../../storage/people.ts'
import { listSignInAddresses, type SessionHolder } from '../../storage/sessions.ts'
import { FailedAttempts, groupOf } from '../failed-attempts.ts'
import { NotServed, WaitingLine } from '../waiting-line.ts'
import { ConsoleFailure } from './failure.ts'
import type { ConsoleParts } from './route.ts'

export interface Entering {
  readonly email: string
  readonly password: string
  readonly address: string
}

/** Who tries something, and from where. */
export interface Attempting {
  readonly name: string
  readonly address: string
  /** Whether they signed in from there before, or are signed in now: then attempts of others elsewhere do not count. */
  readonly isKnown: boolean
}

const wrong = 'the e-mail address or the password is not right'
const wrongSecond = 'this is not right, or was used before; try the next code'

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

  /** The account of the address whose password matches. `isPassed` decides about the second factor. */
  async recognise(
    { email, password, address }: Entering,
    isPassed: (person: SignIn) => Promise<boolean>,
  ): Promise<SignIn> {
    const accounts = await findSignIns(this.#sql, email)
    const before = await this.#addressesBefore(accounts)
    const isKnown = before.some(each => groupOf(each) === groupOf(address))
    const hashes = accounts.map(({ passwordHash }) => passwordHash)
    const { person, failed } = await this.attempt({ name: email, address, isKnown }, async () => {
      const { fits } = await this.workOut(() => judgePassword(hashes, password), isKnown, groupOf(address))
      const found = fits === null ? null : accounts[fits]!
      if (found === null) return { person: null, failed: wrong }
      return { person: found, failed: (await isPassed(found)) ? null : wrongSecond }
    })
    if (person === null || failed !== null) throw new ConsoleFailure(401, failed ?? wrong)
    return person
  }

  /** The network addresses from which this e-mail address has signed in; looked up even where there is no account. */
  async #addressesBefore(accounts: readonly SignIn[]): Promise<readonly string[]> {
    const ids = accounts.length === 0 ? [''] : accounts.map(({ id }) => id)
    return (await Promise.all(ids.map(id => listSignInAddresses(this.#sql, id)))).flat()
  }

  /** An attempt is counted before the work begins; it is uncounted unless it failed. */
  async attempt<T extends { readonly failed: string | null }>(who: Attempting, work: () => Promise<T>): Promise<T> {
    const giveBack = this.#takeTry(who)
    let hasFailed = false
    try {
      const outcome = await work()
      hasFailed = outcome.failed !== null
      return outcome
    } finally {
      if (!hasFailed) giveBack()
    }
  }

  #takeTry({ name, address, isKnown }: Attempting): () => void {
    const nowMs = this.#monotonicMs()
    const counts: readonly (readonly [FailedAttempts, string, boolean])[] = [
      [this.#byAddress, address, true],
      [this.#byAccountFromAddress, nameOf(name, address), true],
      [this.#byAccount, nameOf(name), !isKnown],
    ]
    if (counts.some(([log, key, refuses]) => refuses && log.areTooMany(key, nowMs)))
      throw new ConsoleFailure(429, 'too many failed attempts; wait a minute and try again', {
        headers: { 'retry-after': (limits.rateWindowMs / 1000).toString() },
      })
    const taken = counts.filter(([log, key]) => log.count(key, nowMs) === null)
    return () => {
      for (const [log, key] of taken) log.giveBack(key, nowMs)
    }
  }

  /** Hashing a password, in turn: `name` is the address or the person that it is for, and none of them owns the queue. */
  workOut<T>(work: () => Promise<T>, isTrusted: boolean, name: string): Promise<T> {
    return this.#line.run(work, isTrusted, name).catch(error => {
      if (error instanceof NotServed)
        throw new Refusal('unavailable', 'too many people are signing in at this moment; try again')
      throw error
    })
  }
}

/** Checks the password of the signed-in person, counted like one at sign-in. Returns the hash that it matches. */
export async function checkPasswordAgain(
  { installation }: Pick<ConsoleParts, 'installation'>,
  door: SignInDoor,
  { person }: Pick<SessionHolder, 'person'>,
  address: string,
  password: string,
): Promise<string> {
  const held = (await findAccount(installation.sql, person.id))!.passwordHash
  const { failed } = await door.attempt({ name: person.email, address, isKnown: true }, async () => {
    const isRight = await door.workOut(() => verifyPassword(held, password), true, person.id)
    return { failed: isRight ? null : 'the current password is not right' }
  })
  if (failed !== null) throw new Refusal('invalid', failed)
  return held
}

/** Hashed, so that memory does not grow with what is sent. */
function nameOf(name: string, address = ''): string {
  return createHash('sha256')
    .update(`${name.trim().toLowerCase()} ${groupOf(address)}`)
    .digest('base64url')
}
