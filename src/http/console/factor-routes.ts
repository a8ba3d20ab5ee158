// The routes of the console about how a person shows who they are: the password asked for again, passkeys, one-time codes
// and recovery codes. Whatever changes them needs who is at the browser to have shown it again of late, and is noted in
// every workspace of the person.
import { Refusal } from '../../core/refusal.ts'
import { noteActivity } from '../../storage/activity.ts'
import { withWorkspace } from '../../storage/database.ts'
import { addPasskey, listPasskeys, type Passkey, removePasskey } from '../../storage/passkeys.ts'
import { listMemberships } from '../../storage/people.ts'
import {
  beginCodes,
  endCodes,
  proposeCodeSecret,
  readSecondFactors,
  wantPasskey,
} from '../../storage/second-factors.ts'
import { confirmSession, readConfirmations, type SessionHolder } from '../../storage/sessions.ts'
import { passkeysFor, readRegistration, requestRegistration, whyNoPasskeys } from './passkeys.ts'
import {
  type PublicQuestion,
  type PublicQuestionOf,
  type PublicRoute,
  publicRoute as route,
  signedIn,
} from './public-route.ts'
import { type ConsoleAnswer, type ConsoleParts, created, done, ok } from './route.ts'
import type { FactorDesk } from './second-factor.ts'
import { checkPasswordAgain, type SignInDoor } from './sign-in.ts'
import type {
  AssertionRequest,
  CodeSecretView,
  FactorsView,
  PasskeyView,
  RecoveryCodesView,
  RegistrationRequest,
} from './wire/factors.ts'

export function factorRoutes(parts: ConsoleParts, door: SignInDoor, desk: FactorDesk): readonly PublicRoute[] {
  const routes = new FactorRoutes(parts, door, desk)
  return [
    route('GET /factors', { answer: question => routes.show(question) }),
    route('POST /confirm', { answer: question => routes.confirm(question) }),
    route('POST /confirm/passkey/begin', { answer: question => routes.beginConfirming(question) }),
    route('POST /confirm/passkey', { answer: question => routes.confirmByPasskey(question) }),
    route('POST /passkeys/begin', { answer: question => routes.beginPasskey(question) }),
    route('POST /passkeys', { answer: question => routes.addPasskey(question) }),
    route('DELETE /passkeys/:id', { answer: question => routes.removePasskey(question) }),
    route('POST /passkey-only', { answer: question => routes.wantPasskey(question) }),
    route('POST /codes/begin', { answer: question => routes.proposeCodes(question) }),
    route('POST /codes', { answer: question => routes.beginCodes(question) }),
    route('DELETE /codes', { answer: question => routes.endCodes(question) }),
    route('POST /recovery-codes', { answer: question => routes.renewRecoveryCodes(question) }),
  ]
}

/** What all of them look at. */
type Asking = Pick<PublicQuestion, 'holder' | 'ours' | 'fromAddress'>

class FactorRoutes {
  readonly #parts: ConsoleParts
  readonly #door: SignInDoor
  readonly #desk: FactorDesk

  constructor(parts: ConsoleParts, door: SignInDoor, desk: FactorDesk) {
    this.#parts = parts
    this.#door = door
    this.#desk = desk
  }

  get #sql() {
    return this.#parts.installation.sql
  }

  async show(question: Asking): Promise<ConsoleAnswer<FactorsView>> {
    const { person, sessionId } = signedIn(question)
    const { origin } = question.ours
    const passkeys = await listPasskeys(this.#sql, person.id)
    const { codesSince, wantsPasskey, recoveryCodes } = await readSecondFactors(this.#sql, person.id)
    const view: FactorsView = {
      passkeys: passkeys.map(each => passkeyView(each, passkeysFor(origin, passkeys).includes(each))),
      whyNoPasskeys: whyNoPasskeys(origin),
      codesSince,
      wantsPasskey,
      recoveryCodes,
      ...(await readConfirmations(this.#sql, sessionId)),
    }
    return ok(view)
  }

  async confirm(question: PublicQuestionOf<'POST /confirm'>): Promise<ConsoleAnswer<undefined>> {
    const holder = signedIn(question)
    const { password } = question.body
    await checkPasswordAgain(this.#parts, this.#door, holder, question.fromAddress, password)
    await confirmSession(this.#sql, holder.sessionId, 'password')
    return done
  }

  async beginConfirming(question: Asking): Promise<ConsoleAnswer<AssertionRequest>> {
    const { person, sessionId } = signedIn(question)
    const { origin } = question.ours
    const passkeys = passkeysFor(origin, await listPasskeys(this.#sql, person.id))
    if (passkeys.length === 0) throw new Refusal('conflict', 'you have no passkey for this address')
    return ok(await this.#desk.request({ purpose: 'confirmation', to: sessionId }, passkeys, origin))
  }

  async confirmByPasskey(question: PublicQuestionOf<'POST /confirm/passkey'>): Promise<ConsoleAnswer<undefined>> {
    const holder = signedIn(question)
    const { passkey } = question.body
    const trying = { name: holder.person.email, address: question.fromAddress, isKnown: true }
    const { failed } = await this.#door.attempt(trying, async () => {
      const isRight = await this.#desk.isConfirmed(holder, passkey, question.ours.origin)
      return { failed: isRight ? null : 'the passkey was not accepted; try again' }
    })
    if (failed !== null) throw new Refusal('invalid', failed)
    return done
  }

  async beginPasskey(question: Asking): Promise<ConsoleAnswer<RegistrationRequest>> {
    const { person, sessionId } = await this.#confirmed(question)
    const challenge = this.#desk.challenges.make({ purpose: 'registration', to: sessionId })
    return ok(
      await requestRegistration(question.ours.origin, challenge, person, await listPasskeys(this.#sql, person.id)),
    )
  }

  async addPasskey(question: PublicQuestionOf<'POST /passkeys'>): Promise<ConsoleAnswer<{ readonly id: string }>> {
    const holder = await this.#confirmed(question)
    const { registration, name } = question.body
    const { challenges } = this.#desk
    const bond = { purpose: 'registration', to: holder.sessionId } as const
    const read = await readRegistration(question.ours.origin, registration, challenge =>
      challenges.holds(challenge, bond),
    )
    if (!(await challenges.answer(this.#sql, read.challenge)))
      throw new Refusal('conflict', 'this was registered before; begin again')
    const plain = name.trim() === '' ? 'Passkey' : name.trim()
    await addPasskey(this.#sql, holder.person.id, { ...read.passkey, name: plain })
    await this.#note(question, holder, `registered the passkey “${plain}”`)
    return created({ id: read.passkey.credentialId })
  }

  async removePasskey(question: PublicQuestionOf<'DELETE /passkeys/:id'>): Promise<ConsoleAnswer<undefined>> {
    const holder = await this.#confirmed(question)
    const name = await removePasskey(this.#sql, holder.person.id, question.params.id)
    await this.#note(question, holder, `removed the passkey “${name}”`)
    return done
  }

  async wantPasskey(question: PublicQuestionOf<'POST /passkey-only'>): Promise<ConsoleAnswer<RecoveryCodesView>> {
    const holder = await this.#confirmed(question)
    const { isWanted } = question.body
    await wantPasskey(this.#sql, holder.person.id, isWanted)
    await this.#note(question, holder, isWanted ? 'signs in by passkey only' : 'signs in by password again')
    return ok(isWanted ? await this.#firstRecoveryCodes(holder) : { recoveryCodes: [] })
  }

  async proposeCodes(question: Asking): Promise<ConsoleAnswer<CodeSecretView>> {
    const { person } = await this.#confirmed(question)
    const { sealed, secret, uri } = this.#desk.codes.makeSecret(person.id, person.email)
    await proposeCodeSecret(this.#sql, person.id, sealed)
    return ok({ secret, uri })
  }

  async beginCodes(question: PublicQuestionOf<'POST /codes'>): Promise<ConsoleAnswer<RecoveryCodesView>> {
    const holder = await this.#confirmed(question)
    const { id } = holder.person
    const { code } = question.body
    const { codeSecret, codesSince } = await readSecondFactors(this.#sql, id)
    if (codeSecret === null || codesSince !== null)
      throw new Refusal('conflict', 'there is no code to begin with; scan the picture again')
    const step = this.#desk.codes.stepOf(id, codeSecret, code)
    if (step === null)
      throw new Refusal('invalid', 'this is not the code of the app now; check that the clock of the phone is right')
    if (!(await beginCodes(this.#sql, id, codeSecret, step)))
      throw new Refusal('conflict', 'another secret was shown meanwhile; scan the picture again')
    await this.#note(question, holder, 'turned on one-time codes')
    return ok(await this.#firstRecoveryCodes(holder))
  }

  async endCodes(question: Asking): Promise<ConsoleAnswer<undefined>> {
    const holder = await this.#confirmed(question)
    if (await endCodes(this.#sql, holder.person.id)) await this.#note(question, holder, 'turned off one-time codes')
    return done
  }

  async renewRecoveryCodes(question: Asking): Promise<ConsoleAnswer<RecoveryCodesView>> {
    const holder = await this.#confirmed(question)
    const { codesSince, wantsPasskey } = await readSecondFactors(this.#sql, holder.person.id)
    if (codesSince === null && !wantsPasskey)
      throw new Refusal('conflict', 'recovery codes are for who signs in with one-time codes or by passkey only')
    const recoveryCodes = await this.#desk.codes.makeRecoveryCodes(this.#sql, holder.person.id)
    await this.#note(question, holder, 'made new recovery codes')
    return ok({ recoveryCodes })
  }

  /** With the first second factor; who has some keeps them. */
  async #firstRecoveryCodes({ person }: SessionHolder): Promise<RecoveryCodesView> {
    const { recoveryCodes: left } = await readSecondFactors(this.#sql, person.id)
    return { recoveryCodes: left > 0 ? [] : await this.#desk.codes.makeRecoveryCodes(this.#sql, person.id) }
  }

  async #confirmed(question: Asking): Promise<SessionHolder> {
    const holder = signedIn(question)
    await this.#desk.needConfirmation(holder)
    return holder
  }

  async #note({ fromAddress }: Asking, { person }: SessionHolder, what: string): Promise<void> {
    for (const { workspaceId } of await listMemberships(this.#sql, person.id))
      await withWorkspace(this.#sql, workspaceId, tx =>
        noteActivity(tx, workspaceId, { who: person.email, what, subject: person.email, fromAddress }),
      )
  }
}

function passkeyView({ credentialId, name, createdAt, lastUsedAt, transports }: Passkey, isUsableHere: boolean) {
  const view: PasskeyView = { id: credentialId, name, createdAt, lastUsedAt, transports, isUsableHere }
  return view
}
