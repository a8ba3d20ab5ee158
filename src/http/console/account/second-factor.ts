// Step after the right password: a one-time code, a recovery code or a passkey, for people who turned it on. And the confirmation
// that is required again before an important change.
import { Refusal } from '../../../core/refusal.ts'
import { limits } from '../../../limits.ts'
import type { SignIn } from '../../../storage/people/member.ts'
import { findPasskeyOwner, listPasskeys, type Passkey } from '../../../storage/people/passkeys.ts'
import { loadSecondFactors, type SecondFactors, takeCodeTry } from '../../../storage/people/second-factors.ts'
import { confirmSession, loadConfirmations, type SessionHolder } from '../../../storage/people/sessions.ts'
import type { Queryable } from '../../../storage/postgres/database.ts'
import type { AssertionView } from '../../../views/calls/factor-calls.ts'
import type { AssertionRequest } from '../../../views/shapes/factors.ts'
import { DetailedRefusal } from '../../../views/sight/detailed-refusal.ts'
import type { ViewContext } from '../../../views/sight/view-parts.ts'
import { type ChallengeBond, Challenges } from './challenges.ts'
import { OneTimeCodes } from './one-time-codes.ts'
import { checkAssertion, passkeysFor, requestAssertion } from './passkeys.ts'

/** Proofs sent along with the password. */
interface SecondGiven {
  readonly code?: string
  readonly passkey?: AssertionView
}

export class FactorDesk {
  readonly #sql: Queryable
  readonly codes: OneTimeCodes
  readonly challenges: Challenges

  constructor({ installation, now }: Pick<ViewContext, 'installation' | 'now'>) {
    this.#sql = installation.sql
    this.codes = new OneTimeCodes(installation.ring, now)
    this.challenges = new Challenges(installation.ring, now)
  }

  /**
   * Step after the right password: true if nothing more is needed or the proof was right. Throws a 401 that names a missing one.
   */
  async isPassed(personId: string, given: SecondGiven, origin: string): Promise<boolean> {
    const factors = await loadSecondFactors(this.#sql, personId)
    if (factors.codesSince === null && !factors.wantsPasskey) return true
    if (given.passkey !== undefined) {
      const bond = { purpose: 'second-factor', to: personId } as const
      return this.#answers(await listPasskeys(this.#sql, personId), given.passkey, bond, origin, false)
    }
    if (given.code === undefined) throw await this.#ask(personId, factors, origin)
    if (!(await takeCodeTry(this.#sql, personId))) throw tooManyCodes()
    return this.codes.spend(this.#sql, personId, factors, given.code)
  }

  /**
   * Sign-in without an entered name: the passkey identifies the person and replaces the password. `null` if it is not
   * valid.
   */
  async recognise(given: AssertionView, origin: string): Promise<SignIn | null> {
    const person = await findPasskeyOwner(this.#sql, given.id)
    const { userHandle } = given.response
    if (person === null || person.passwordHash === null) return null
    if (userHandle !== undefined && Buffer.from(userHandle, 'base64url').toString() !== person.id) return null
    const bond = { purpose: 'sign-in', to: '' } as const
    const keys = await listPasskeys(this.#sql, person.id)
    return (await this.#answers(keys, given, bond, origin, true)) ? person : null
  }

  /** Whether the passkey of the signed-in person answers the challenge that was made for this session. */
  async isConfirmed({ person, sessionId }: SessionHolder, given: AssertionView, origin: string): Promise<boolean> {
    const bond = { purpose: 'confirmation', to: sessionId } as const
    const isRight = await this.#answers(await listPasskeys(this.#sql, person.id), given, bond, origin, false)
    if (isRight) await confirmSession(this.#sql, sessionId, 'passkey')
    return isRight
  }

  /** Refuses if neither password nor passkey was given again recently. */
  async needConfirmation({
    sessionId,
    identityLink,
  }: Pick<SessionHolder, 'sessionId' | 'identityLink'>): Promise<void> {
    const { passwordUntil, passkeyUntil, providerUntil } = await loadConfirmations(this.#sql, sessionId)
    if (passwordUntil !== null || passkeyUntil !== null || providerUntil !== null) return
    throw identityLink === null ? askAgain() : signInAgain()
  }

  request(bond: ChallengeBond, passkeys: readonly Passkey[], origin: string): Promise<AssertionRequest> {
    return requestAssertion(origin, this.challenges.make(bond), passkeys)
  }

  async #answers(
    keys: readonly Passkey[],
    given: AssertionView,
    bond: ChallengeBond,
    origin: string,
    needsUser: boolean,
  ): Promise<boolean> {
    const passkey = keys.find(({ credentialId }) => credentialId === given.id)
    if (passkey === undefined) return false
    const isChallenge = (challenge: string) => this.challenges.holds(challenge, bond)
    const answered = await checkAssertion(this.#sql, { origin, given, passkey, isChallenge, needsUser })
    return answered !== null && (await this.challenges.answer(this.#sql, answered))
  }

  async #ask(personId: string, factors: SecondFactors, origin: string): Promise<Refusal> {
    const passkeys = passkeysFor(origin, await listPasskeys(this.#sql, personId))
    const bond = { purpose: 'second-factor', to: personId } as const
    const passkey = passkeys.length === 0 ? null : await this.request(bond, passkeys, origin)
    const takesCodes = factors.codesSince !== null && !factors.wantsPasskey
    const words = takesCodes ? 'enter the code from your app' : 'use your passkey'
    return new DetailedRefusal('not-signed-in', `the password is right; ${words} to continue`, {
      needs: { kind: 'second-factor', takesCodes, passkey },
    })
  }
}

export function askAgain(): Refusal {
  return new DetailedRefusal('forbidden', 'enter your password again, or use a passkey, to continue', {
    needs: { kind: 'confirmation' },
  })
}

/** Refusal for somebody who has no password to enter. */
function signInAgain(): Refusal {
  const minutes = limits.confirmedSeconds / 60
  return new Refusal(
    'forbidden',
    `sign out, sign in by your company again, and do this within ${minutes} minutes; or use a passkey if you have one`,
  )
}

function tooManyCodes(): Refusal {
  const { most, seconds } = limits.failedCodes
  return new Refusal(
    'too-often',
    `${most} codes in a row were not right; wait ${seconds / 60} minutes, or ask the operator of this server`,
    seconds,
  )
}
