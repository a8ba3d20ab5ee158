// Console routes about proofs of a person's identity: the password asked for again, passkeys, one-time codes and recovery codes.
// Changes require a recent confirmation, and are noted in every workspace of the person.

import type { Act } from '../../../core/people/acts.ts'
import { Refusal } from '../../../core/refusal.ts'
import { readOneLine } from '../../../core/text/one-line.ts'
import { limits } from '../../../limits.ts'
import { addPasskey, listPasskeys, type Passkey, removePasskey } from '../../../storage/people/passkeys.ts'
import { listMemberships, recordAboutPerson } from '../../../storage/people/people.ts'
import {
  beginCodes,
  endCodes,
  loadSecondFactors,
  proposeCodeSecret,
  wantPasskey,
} from '../../../storage/people/second-factors.ts'
import { confirmSession, loadConfirmations, type SessionHolder } from '../../../storage/people/sessions.ts'
import { noteInPlaces } from '../../../storage/workspaces/activity.ts'
import type {
  AssertionRequest,
  CodeSecretView,
  FactorsView,
  PasskeyView,
  RecoveryCodesView,
  RegistrationRequest,
} from '../../../views/shapes/factors.ts'
import {
  type PublicRequest,
  type PublicRequestOf,
  type PublicRoute,
  publicRoute as route,
  signedIn,
} from '../frame/public-route.ts'
import { type ConsoleAnswer, type ConsoleParts, created } from '../frame/route.ts'
import { passkeysFor, readRegistration, requestRegistration, whyNoPasskeys } from './passkeys.ts'
import type { FactorDesk } from './second-factor.ts'
import { checkPasswordAgain, type SignInGuard } from './sign-in.ts'

export function factorRoutes(parts: ConsoleParts, guard: SignInGuard, desk: FactorDesk): readonly PublicRoute[] {
  const routes = new FactorRoutes(parts, guard, desk)
  return [
    route('GET /factors', { answer: request => routes.show(request) }),
    route('POST /confirm', { answer: request => routes.confirm(request) }),
    route('POST /confirm/passkey/begin', { answer: request => routes.beginConfirming(request) }),
    route('POST /confirm/passkey', { answer: request => routes.confirmByPasskey(request) }),
    route('POST /passkeys/begin', { answer: request => routes.beginPasskey(request) }),
    route('POST /passkeys', { answer: request => routes.addPasskey(request) }),
    route('DELETE /passkeys/:id', { answer: request => routes.removePasskey(request) }),
    route('POST /passkey-only', { answer: request => routes.wantPasskey(request) }),
    route('POST /codes/begin', { answer: request => routes.proposeCodes(request) }),
    route('POST /codes', { answer: request => routes.beginCodes(request) }),
    route('DELETE /codes', { answer: request => routes.endCodes(request) }),
    route('POST /recovery-codes', { answer: request => routes.renewRecoveryCodes(request) }),
  ]
}

/** Request fields that all of them use. */
type Asking = Pick<PublicRequest, 'holder' | 'ours' | 'fromAddress'>

class FactorRoutes {
  readonly #parts: ConsoleParts
  readonly #guard: SignInGuard
  readonly #desk: FactorDesk

  constructor(parts: ConsoleParts, guard: SignInGuard, desk: FactorDesk) {
    this.#parts = parts
    this.#guard = guard
    this.#desk = desk
  }

  get #sql() {
    return this.#parts.installation.sql
  }

  async show(request: Asking): Promise<FactorsView> {
    const { person, sessionId } = signedIn(request)
    const { origin } = request.ours
    const passkeys = await listPasskeys(this.#sql, person.id)
    const { codesSince, wantsPasskey, recoveryCodes } = await loadSecondFactors(this.#sql, person.id)
    const { passwordUntil, passkeyUntil } = await loadConfirmations(this.#sql, sessionId)
    const view: FactorsView = {
      passkeys: passkeys.map(each => passkeyView(each, passkeysFor(origin, passkeys).includes(each))),
      whyNoPasskeys: whyNoPasskeys(origin),
      codesSince,
      wantsPasskey,
      recoveryCodes,
      passwordUntil,
      passkeyUntil,
    }
    return view
  }

  async confirm(request: PublicRequestOf<'POST /confirm'>): Promise<undefined> {
    const holder = signedIn(request)
    const { password } = request.body
    await checkPasswordAgain(this.#parts, this.#guard, holder, password)
    await confirmSession(this.#sql, holder.sessionId, 'password')
  }

  async beginConfirming(request: Asking): Promise<AssertionRequest> {
    const { person, sessionId } = signedIn(request)
    const { origin } = request.ours
    const passkeys = passkeysFor(origin, await listPasskeys(this.#sql, person.id))
    if (passkeys.length === 0) throw new Refusal('conflict', 'you have no passkey for this address')
    return this.#desk.request({ purpose: 'confirmation', to: sessionId }, passkeys, origin)
  }

  async confirmByPasskey(request: PublicRequestOf<'POST /confirm/passkey'>): Promise<undefined> {
    const holder = signedIn(request)
    const { passkey } = request.body
    await this.#guard.confirming(holder, 'the passkey was not accepted; try again', async () =>
      (await this.#desk.isConfirmed(holder, passkey, request.ours.origin)) ? {} : null,
    )
  }

  async beginPasskey(request: Asking): Promise<RegistrationRequest> {
    const { person, sessionId } = await this.#confirmed(request)
    const challenge = this.#desk.challenges.make({ purpose: 'registration', to: sessionId })
    return requestRegistration(request.ours.origin, challenge, person, await listPasskeys(this.#sql, person.id))
  }

  async addPasskey(request: PublicRequestOf<'POST /passkeys'>): Promise<ConsoleAnswer<{ readonly id: string }>> {
    const holder = await this.#confirmed(request)
    const { registration, name } = request.body
    const { challenges } = this.#desk
    const bond = { purpose: 'registration', to: holder.sessionId } as const
    const read = await readRegistration(request.ours.origin, registration, challenge =>
      challenges.holds(challenge, bond),
    )
    if (!(await challenges.answer(this.#sql, read.challenge)))
      throw new Refusal('conflict', 'this was registered before; begin again')
    const plain = name.trim() === '' ? 'Passkey' : readOneLine(name, "a passkey's name", limits.passkeyNameLength)
    const { id: personId } = holder.person
    const { credentialId } = read.passkey
    await addPasskey(this.#sql, personId, { ...read.passkey, name: plain })
    // A key does not stay unless it was announced.
    await this.#tell(request, holder, credentialId).catch(async error => {
      await removePasskey(this.#sql, personId, credentialId)
      throw error
    })
    await this.#note(request, holder, 'factor.add', `registered the passkey “${plain}”`)
    return created({ id: read.passkey.credentialId })
  }

  async removePasskey(request: PublicRequestOf<'DELETE /passkeys/:id'>): Promise<undefined> {
    const holder = await this.#confirmed(request)
    const name = await removePasskey(this.#sql, holder.person.id, request.params.id)
    await this.#note(request, holder, 'factor.remove', `removed the passkey “${name}”`)
  }

  async wantPasskey(request: PublicRequestOf<'POST /passkey-only'>): Promise<RecoveryCodesView> {
    const holder = await this.#confirmed(request)
    const { isWanted } = request.body
    await wantPasskey(this.#sql, holder.person.id, isWanted)
    await this.#note(
      request,
      holder,
      isWanted ? 'factor.add' : 'factor.remove',
      isWanted ? 'signs in by passkey only' : 'signs in by password again',
    )
    return isWanted ? await this.#firstRecoveryCodes(holder) : { recoveryCodes: [] }
  }

  async proposeCodes(request: Asking): Promise<CodeSecretView> {
    const { person } = await this.#confirmed(request)
    const { sealed, secret, uri } = this.#desk.codes.makeSecret(person.id, person.email)
    await proposeCodeSecret(this.#sql, person.id, sealed)
    return { secret, uri }
  }

  async beginCodes(request: PublicRequestOf<'POST /codes'>): Promise<RecoveryCodesView> {
    const holder = await this.#confirmed(request)
    const { id } = holder.person
    const { code } = request.body
    const { codeSecret, codesSince } = await loadSecondFactors(this.#sql, id)
    if (codeSecret === null || codesSince !== null)
      throw new Refusal('conflict', 'there is no code to begin with; scan the picture again')
    const step = this.#desk.codes.stepOf(id, codeSecret, code)
    if (step === null)
      throw new Refusal(
        'invalid',
        'this is not the current code of the app; check that the clock of the phone is right',
      )
    if (!(await beginCodes(this.#sql, id, codeSecret, step)))
      throw new Refusal('conflict', 'another secret was shown meanwhile; scan the picture again')
    await this.#note(request, holder, 'factor.add', 'turned on one-time codes')
    return this.#firstRecoveryCodes(holder)
  }

  async endCodes(request: Asking): Promise<undefined> {
    const holder = await this.#confirmed(request)
    if (await endCodes(this.#sql, holder.person.id))
      await this.#note(request, holder, 'factor.remove', 'turned off one-time codes')
  }

  async renewRecoveryCodes(request: Asking): Promise<RecoveryCodesView> {
    const holder = await this.#confirmed(request)
    const { codesSince, wantsPasskey } = await loadSecondFactors(this.#sql, holder.person.id)
    if (codesSince === null && !wantsPasskey)
      throw new Refusal('conflict', 'recovery codes are for people who sign in with one-time codes or by passkey only')
    const recoveryCodes = await this.#desk.codes.makeRecoveryCodes(this.#sql, holder.person.id)
    await this.#note(request, holder, 'factor.add', 'made new recovery codes')
    return { recoveryCodes }
  }

  /** Codes for the first second factor; a person who has some keeps them. */
  async #firstRecoveryCodes({ person }: SessionHolder): Promise<RecoveryCodesView> {
    const { recoveryCodes: left } = await loadSecondFactors(this.#sql, person.id)
    return { recoveryCodes: left > 0 ? [] : await this.#desk.codes.makeRecoveryCodes(this.#sql, person.id) }
  }

  async #confirmed(request: Asking): Promise<SessionHolder> {
    const holder = signedIn(request)
    await this.#desk.needConfirmation(holder)
    return holder
  }

  /** Reports in every workspace of the person, to the people of their company there. */
  async #tell({ fromAddress }: Asking, { person }: SessionHolder, credentialId: string): Promise<void> {
    const by = { who: person.email, personId: person.id, fromAddress }
    for (const { workspaceId } of await listMemberships(this.#sql, person.id))
      await recordAboutPerson(this.#parts.installation.sql, workspaceId, by, person.email, {
        kind: 'PASSKEY',
        facts: { id: credentialId },
      })
  }

  async #note({ fromAddress }: Asking, { person }: SessionHolder, act: Act, what: string): Promise<void> {
    const places = await listMemberships(this.#sql, person.id)
    await noteInPlaces(
      this.#sql,
      places.map(({ workspaceId }) => workspaceId),
      { who: person.email, personId: person.id, fromAddress, act, what, subject: person.email },
    )
  }
}

function passkeyView({ credentialId, name, createdAt, lastUsedAt, transports }: Passkey, isUsableHere: boolean) {
  const view: PasskeyView = { id: credentialId, name, createdAt, lastUsedAt, transports, isUsableHere }
  return view
}
