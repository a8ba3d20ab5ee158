// Sign-in. An unknown account and a wrong password give the same answer after the same work, which does not grow with the accounts
// of an address. Failed attempts are counted by address and by account, from the moment they begin, so that many at once gain
// nothing. Attempts of others lock nobody out: neither a person in a browser or on a network where they signed in before, nor
// anybody with a valid passkey or one-time link. Only a few passwords are hashed at once, off the main thread, and known people
// wait least.
import { createHash } from 'node:crypto'
import { Refusal } from '../../../core/refusal.ts'
import { limits } from '../../../limits.ts'
import { accountLimits } from '../../../storage/people/account-limits.ts'
import type { SignIn } from '../../../storage/people/member.ts'
import { hashUnder, verifyPassword } from '../../../storage/people/password.ts'
import { findAccount } from '../../../storage/people/people.ts'
import type { SessionHolder } from '../../../storage/people/sessions.ts'
import { type FoundAccount, findByHash, loadSignInGround } from '../../../storage/people/sign-ins.ts'
import type { Sql } from '../../../storage/postgres/database.ts'
import type { ViewContext } from '../../../views/sight/view-parts.ts'
import { NotServed, WaitingLine } from '../../../workers/waiting-line.ts'
import { FailedAttempts, groupOf } from '../../traffic/failed-attempts.ts'
import { tellingRefused } from './sign-in-acts.ts'
import { Try } from './tries.ts'

interface Entering {
  readonly email: string
  readonly password: string
  readonly address: string
  /** Person who has signed in with this browser before, if any; see frame/known-browsers.ts. */
  readonly browserOf: string | null
}

const wrong = 'the e-mail address or the password is wrong'
const wrongSecond = 'that code is wrong, or was used before; try the next one'
const wrongPasskey = 'this passkey opens nothing here; sign in with your password, or try again'
const { failedSignIns } = limits

export class SignInGuard {
  readonly #sql: Sql
  readonly #monotonicMs: () => number
  readonly #byAddress = new FailedAttempts(failedSignIns.address)
  readonly #byAccountFromAddress = new FailedAttempts(failedSignIns.accountFromAddress)
  readonly #byAccount = new FailedAttempts(failedSignIns.account)
  /** Attempts of people in a browser of theirs, by account. */
  readonly #inBrowser = new FailedAttempts(failedSignIns.accountFromAddress)
  /** Attempts of signed-in people, by session and by account. */
  readonly #bySession = new FailedAttempts(failedSignIns.accountFromAddress)
  readonly #byPerson = new FailedAttempts(failedSignIns.account)
  readonly #byKeyFromAddress = new FailedAttempts(failedSignIns.accountFromAddress)
  readonly #passkeysByAddress = new FailedAttempts(failedSignIns.address)
  /** Attempts with a one-time link, by the address it was made for. */
  readonly #byLinkFromAddress = new FailedAttempts(failedSignIns.accountFromAddress)
  readonly #byLink = new FailedAttempts(failedSignIns.account)
  readonly #line = new WaitingLine({
    atOnce: limits.passwordChecks,
    waiting: limits.passwordChecksWaiting,
    timeoutMs: limits.passwordCheckMs,
  })
  readonly #passkeyLine = new WaitingLine(accountLimits.passkeyChecks)

  constructor(sql: Sql, monotonicMs: () => number) {
    this.#sql = sql
    this.#monotonicMs = monotonicMs
  }

  /** The account of the address whose password matches. `isPassed` decides about the second factor. */
  async recognise(
    { email, password, address, browserOf }: Entering,
    isPassed: (person: SignIn) => Promise<boolean>,
  ): Promise<SignIn> {
    const attempt = new Try<'address' | 'here' | 'account' | 'browser'>(this.#monotonicMs())
    const network = groupOf(address)
    return settled(attempt, async () => {
      const isVouched = browserOf !== null && attempt.take('browser', { log: this.#inBrowser, key: browserOf })
      attempt.take('address', { log: this.#byAddress, key: address })
      attempt.take('here', { log: this.#byAccountFromAddress, key: nameOf(email, network) })
      attempt.take('account', { log: this.#byAccount, key: nameOf(email) })
      // Refusal before any look-up.
      if (attempt.isFull('here') && !isVouched) throw tooMany()
      const { salts, isKnown } = await loadSignInGround(this.#sql, email, network)
      if (attempt.isFull('address', 'account') && !isVouched && !isKnown) throw tooMany()
      const hashes = await this.workOut(() => hashUnder(salts, password), isVouched || isKnown, network)
      const found = await findByHash(this.#sql, email, hashes, network)
      // Somebody else’s account may be under the same address: a known browser speaks for its own account alone.
      const isTheirs = found !== null && isVouched && found.id === browserOf
      const isRefused = attempt.isFull('here')
        ? !isTheirs
        : attempt.isFull('address', 'account') && !isTheirs && found?.isKnown !== true
      if (isRefused) return tooMany()
      if (found === null) return new Refusal('not-signed-in', wrong)
      return (await isPassed(found)) ? plain(found) : new Refusal('not-signed-in', wrongSecond)
    })
  }

  /**
   * The person of a passkey. A right one is never refused, whatever others tried: it cannot be guessed. Wrong ones are refused each
   * for itself, and checked last.
   */
  async byPasskey(
    { credentialId, address }: { readonly credentialId: string; readonly address: string },
    recognise: () => Promise<SignIn | null>,
  ): Promise<SignIn> {
    const attempt = new Try<'key' | 'address'>(this.#monotonicMs())
    return settled(attempt, async () => {
      attempt.take('key', { log: this.#byKeyFromAddress, key: nameOf(credentialId, groupOf(address)) })
      attempt.take('address', { log: this.#passkeysByAddress, key: address })
      const person = await inTurn(this.#passkeyLine, recognise, !attempt.isFull('key', 'address'), groupOf(address))
      if (person !== null) return person
      return attempt.isFull('key', 'address') ? tooMany() : new Refusal('not-signed-in', wrongPasskey)
    })
  }

  /** Confirmation by a signed-in person; `null` if it failed. Attempts of others do not count. */
  async confirming<T>(
    { person, sessionId }: Pick<SessionHolder, 'person' | 'sessionId'>,
    failed: string,
    work: () => Promise<T | null>,
  ): Promise<T> {
    const attempt = new Try<'session' | 'person'>(this.#monotonicMs())
    return settled(attempt, async () => {
      attempt.take('session', { log: this.#bySession, key: sessionId })
      attempt.take('person', { log: this.#byPerson, key: person.id })
      if (attempt.isFull('session', 'person')) throw tooMany()
      return (await work()) ?? new Refusal('invalid', failed)
    })
  }

  /**
   * Use of a one-time link: every use is counted, because each may be a guess at the password of an account of its address.
   * Attempts to sign in do not count here.
   */
  async byLink<T>(email: string, address: string, work: () => Promise<T>): Promise<T> {
    const attempt = new Try<'here' | 'account'>(this.#monotonicMs())
    try {
      attempt.take('here', { log: this.#byLinkFromAddress, key: nameOf(email, groupOf(address)) })
      attempt.take('account', { log: this.#byLink, key: nameOf(email) })
      if (attempt.isFull('here', 'account')) throw tooMany()
      return await work()
    } catch (error) {
      attempt.giveBack()
      throw error
    }
  }

  /** Hashes a password, in turn: `name` is the address or the person that it is for, and none of them owns the queue. */
  workOut<T>(work: () => Promise<T>, isTrusted: boolean, name: string): Promise<T> {
    return inTurn(this.#line, work, isTrusted, name)
  }
}

function inTurn<T>(line: WaitingLine, work: () => Promise<T>, isTrusted: boolean, name: string): Promise<T> {
  return line.run(work, isTrusted, name).catch(error => {
    if (error instanceof NotServed)
      throw new Refusal('unavailable', 'too many people are signing in at this moment; try again')
    throw error
  })
}

/** Gives the attempt back unless a returned error says that it failed; a thrown one says that it was not made. */
async function settled<T extends object>(attempt: Try<string>, work: () => Promise<T | Refusal>): Promise<T> {
  let hasFailed = false
  try {
    const outcome = await work()
    hasFailed = outcome instanceof Error
    if (outcome instanceof Error) throw outcome
    return outcome
  } finally {
    if (!hasFailed) attempt.giveBack()
  }
}

function tooMany(): Refusal {
  return new Refusal('too-often', 'too many failed attempts; wait a minute and try again', limits.rateWindowMs / 1000)
}

function plain({ isKnown: _isKnown, ...account }: FoundAccount): SignIn {
  return account
}

/** Checks the password of the signed-in person, counted like one at sign-in. Returns the matching hash. */
export async function checkPasswordAgain(
  { installation }: Pick<ViewContext, 'installation'>,
  guard: SignInGuard,
  holder: Pick<SessionHolder, 'person' | 'sessionId'>,
  password: string,
): Promise<string> {
  const held = (await findAccount(installation.sql, holder.person.id))!.passwordHash
  const { sql } = installation
  const trying = { sql, email: holder.person.email, fromAddress: null, said: 'a wrong password while signed in' }
  await tellingRefused({ ...trying, kind: 'invalid' }, () =>
    guard.confirming(holder, 'that password is wrong', async () =>
      (await guard.workOut(() => verifyPassword(held, password), true, holder.person.id)) ? {} : null,
    ),
  )
  return held
}

/** Hashed, so that memory does not grow with long names. */
function nameOf(name: string, place = ''): string {
  return createHash('sha256').update(`${name.trim().toLowerCase()} ${place}`).digest('base64url')
}
