// Console calls about proofs of a person's identity: passkeys, one-time codes, recovery codes, and the password asked for again.
// Under `/console`, all of them about the person who is signed in.
import { Type } from '../../formats/json-schema.ts'
import { limits } from '../../limits.ts'
import type {
  AssertionRequest,
  CodeSecretView,
  FactorsView,
  RecoveryCodesView,
  RegistrationRequest,
} from '../shapes/factors.ts'
import { answers, type Calls, closed, nothing, type Sent } from './call.ts'

/** Fields that browsers add are accepted and ignored. */
const open = { additionalProperties: true } as const
const base64url = Type.String({ pattern: '^[\\w-]*$', maxLength: 20_000, description: 'base64url' })
const credentialId = Type.String({ pattern: '^[\\w-]+$', maxLength: 1_400, description: 'base64url' })
const credential = { id: credentialId, rawId: credentialId, type: Type.Literal('public-key') }

/** Answer of an authenticator, as JSON. Binary values are base64url. */
export const assertionBody = Type.Object(
  {
    ...credential,
    response: Type.Object(
      {
        authenticatorData: base64url,
        clientDataJSON: base64url,
        signature: base64url,
        userHandle: Type.Optional(base64url),
      },
      open,
    ),
  },
  open,
)
export type AssertionView = Sent<typeof assertionBody>

/** Id of a signature by one touch of a passkey on several agreements and corrections, and the salt that hides one of them in it. */
export const batchId = Type.String({ pattern: '^sgb_[0-9a-z]{26}$' })
export const batchSalt = Type.String({ pattern: '^[0-9a-f]{32}$', description: '32 hexadecimal digits' })

const registrationBody = Type.Object(
  {
    ...credential,
    response: Type.Object(
      { attestationObject: base64url, clientDataJSON: base64url, transports: Type.Optional(Type.Array(Type.String())) },
      open,
    ),
  },
  open,
)
export type RegistrationView = Sent<typeof registrationBody>

const passwordText = Type.String({ minLength: 1, maxLength: limits.maximumPasswordLength })
const passkeyName = Type.String({ minLength: 1, maxLength: limits.passkeyNameLength })

const newPasskeyBody = Type.Object({ name: passkeyName, registration: registrationBody }, closed)

export const factorCalls = {
  'GET /factors': { answer: answers<FactorsView>() },
  /** Confirms by the password. */
  'POST /confirm': { body: Type.Object({ password: passwordText }, closed), answer: nothing },
  /** Confirms by a passkey. */
  'POST /confirm/passkey/begin': { answer: answers<AssertionRequest>() },
  'POST /confirm/passkey': { body: Type.Object({ passkey: assertionBody }, closed), answer: nothing },
  'POST /passkeys/begin': { answer: answers<RegistrationRequest>() },
  /** Answers 201. */
  'POST /passkeys': { body: newPasskeyBody, answer: answers<{ readonly id: string }>() },
  'DELETE /passkeys/:id': { answer: nothing },
  'POST /passkey-only': {
    body: Type.Object({ isWanted: Type.Boolean() }, closed),
    answer: answers<RecoveryCodesView>(),
  },
  /** Secret for an app. */
  'POST /codes/begin': { answer: answers<CodeSecretView>() },
  /** Takes the app's first code; from then on codes are required. */
  'POST /codes': {
    body: Type.Object({ code: Type.String({ minLength: 1, maxLength: 40 }) }, closed),
    answer: answers<RecoveryCodesView>(),
  },
  'DELETE /codes': { answer: nothing },
  'POST /recovery-codes': { answer: answers<RecoveryCodesView>() },
} satisfies Calls
