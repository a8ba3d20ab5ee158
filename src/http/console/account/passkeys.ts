// Passkeys (WebAuthn): requests to browsers, and the check of their answers. The relying party is the host under which the browser
// sees this server. It validates one answer and grants no access itself.
import { isIP } from 'node:net'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { PasskeyAssertion } from '../../../core/receipt/party-signature.ts'
import { Refusal } from '../../../core/refusal.ts'
import { limits } from '../../../limits.ts'
import { countPasskey, type NewPasskey, type Passkey } from '../../../storage/people/passkeys.ts'
import type { Queryable } from '../../../storage/postgres/database.ts'
import type { AssertionView, RegistrationView } from '../../../views/calls/factor-calls.ts'
import type { AssertionRequest, RegistrationRequest } from '../../../views/shapes/factors.ts'

/**
 * Loads the library, some 300 modules, on first use of a passkey: a server starts sooner, and so does each of its threads, which
 * never use it.
 */
async function loadLibrary() {
  const [library, keys] = await Promise.all([import('@simplewebauthn/server'), import('./passkey-key.ts')])
  return { ...library, ...keys }
}

/** Browsers offer passkeys only for host names. `null` if this host is one. */
export function whyNoPasskeys(origin: string): string | null {
  const { hostname, port } = new URL(origin)
  if (isIP(hostname.replace(/^\[|\]$/g, '')) === 0) return null
  const local = `http://localhost${port === '' ? '' : `:${port}`}`
  return `Browsers keep passkeys for a name, and ${hostname} is an address. On this machine, open ${local}.`
}

function hostOf(origin: string): string {
  return new URL(origin).hostname
}

/** Passkeys that this host can ask for. */
export function passkeysFor(origin: string, passkeys: readonly Passkey[]): readonly Passkey[] {
  return passkeys.filter(({ rpId }) => rpId === hostOf(origin))
}

const timeout = limits.challengeSeconds * 1000
const bytesOf = (challenge: string) => new Uint8Array(Buffer.from(challenge, 'base64url'))

/** With an empty list the browser offers the passkeys it has: then nobody has to enter who they are. */
export async function requestAssertion(
  origin: string,
  challenge: string,
  passkeys: readonly Passkey[],
): Promise<AssertionRequest> {
  const { generateAuthenticationOptions } = await loadLibrary()
  return generateAuthenticationOptions({
    rpID: hostOf(origin),
    challenge: bytesOf(challenge),
    timeout,
    userVerification: passkeys.length === 0 ? 'required' : 'preferred',
    allowCredentials: passkeysFor(origin, passkeys).map(({ credentialId: id, transports }) => ({
      id,
      transports: [...transports],
    })),
  }) as Promise<AssertionRequest>
}

export async function requestRegistration(
  origin: string,
  challenge: string,
  person: { readonly id: string; readonly email: string; readonly name: string },
  passkeys: readonly Passkey[],
): Promise<RegistrationRequest> {
  const why = whyNoPasskeys(origin)
  if (why !== null) throw new Refusal('conflict', why)
  const { algorithmIds, generateRegistrationOptions } = await loadLibrary()
  return generateRegistrationOptions({
    rpName: 'Assize',
    rpID: hostOf(origin),
    userID: new Uint8Array(Buffer.from(person.id)),
    userName: person.email,
    userDisplayName: person.name,
    challenge: bytesOf(challenge),
    timeout,
    attestationType: 'none',
    excludeCredentials: passkeysFor(origin, passkeys).map(({ credentialId: id }) => ({ id })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    supportedAlgorithmIDs: [...algorithmIds],
  }) as Promise<RegistrationRequest>
}

const notRegistered = 'the browser’s answer does not fit what it was asked for; begin again'

/** Challenge of the answer, and the key to store. */
export async function readRegistration(
  origin: string,
  given: RegistrationView,
  isChallenge: (challenge: string) => boolean,
): Promise<{ readonly challenge: string; readonly passkey: Omit<NewPasskey, 'name'> }> {
  const { algorithmIds, keyFromCose, verifyRegistrationResponse } = await loadLibrary()
  let answered = ''
  const { registrationInfo } = await verifyRegistrationResponse({
    response: given as unknown as RegistrationResponseJSON,
    expectedOrigin: origin,
    expectedRPID: hostOf(origin),
    requireUserVerification: false,
    supportedAlgorithmIDs: [...algorithmIds],
    expectedChallenge(challenge) {
      answered = challenge
      return isChallenge(challenge)
    },
  }).catch(() => {
    throw new Refusal('invalid', notRegistered)
  })
  if (registrationInfo === undefined) throw new Refusal('invalid', notRegistered)
  const { credential: key, userVerified } = registrationInfo
  return {
    challenge: answered,
    passkey: {
      credentialId: key.id,
      ...keyFromCose(key.publicKey),
      rpId: hostOf(origin),
      verifiesUser: userVerified,
      counter: key.counter,
      transports: (key.transports ?? []).slice(0, 8).map(each => each.slice(0, 20)),
    },
  }
}

interface AssertionCheck {
  readonly origin: string
  readonly given: AssertionView
  readonly passkey: Passkey
  readonly isChallenge: (challenge: string) => boolean
  /** True if the passkey also replaces the password. An authenticator that verified the person once must do so every time. */
  readonly needsUser: boolean
}

/** The answered challenge; `null` where the answer is not valid. The authenticator's counter is stored with it. */
export async function checkAssertion(sql: Queryable, check: AssertionCheck): Promise<string | null> {
  const { origin, given, passkey, isChallenge, needsUser } = check
  const { keyToCose, verifyAuthenticationResponse } = await loadLibrary()
  let answered = ''
  const outcome = await verifyAuthenticationResponse({
    response: given as unknown as AuthenticationResponseJSON,
    expectedOrigin: origin,
    expectedRPID: passkey.rpId,
    requireUserVerification: needsUser || passkey.verifiesUser,
    credential: { id: passkey.credentialId, publicKey: keyToCose(passkey), counter: 0 },
    expectedChallenge(challenge) {
      answered = challenge
      return isChallenge(challenge)
    },
    // Every invalid answer throws its reason; from outside all look alike.
  }).catch(() => null)
  if (outcome?.verified !== true || hostOf(origin) !== passkey.rpId) return null
  const isNew = await countPasskey(sql, passkey.credentialId, outcome.authenticationInfo.newCounter)
  return isNew ? answered : null
}

/** Assertion stored next to the signed content, so that anybody can check it again. */
export function assertionOf({ response }: AssertionView, passkey: Passkey): PasskeyAssertion {
  const { credentialId, publicKey, algorithm, rpId } = passkey
  const { authenticatorData, clientDataJSON, signature } = response
  return { credentialId, publicKey, algorithm, rpId, authenticatorData, clientDataJSON, signature }
}
