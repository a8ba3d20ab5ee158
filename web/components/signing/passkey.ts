// Asks the browser for a passkey. Its answer goes to the server unchanged; errors become readable sentences.
import type { AssertionView, RegistrationView } from '../../../src/views/calls/factor-calls.ts'
import type { AssertionRequest, RegistrationRequest } from '../../../src/views/shapes/factors.ts'
import { ApiFailure } from '../../api.ts'

/** Loaded when first needed: most visits never need it. */
const load = () => import('@simplewebauthn/browser')

const given = 'No passkey was used: the browser’s dialog was closed or timed out. Nothing was done; try again.'
const known = 'This passkey is registered already.'

function explain(error: unknown): never {
  const { name, message } = error as Error
  if (name === 'InvalidStateError') throw new ApiFailure(409, known)
  if (name === 'NotAllowedError' || name === 'AbortError') throw new ApiFailure(400, given)
  throw new ApiFailure(400, `The browser could not use a passkey: ${message}`)
}

export async function answerWithPasskey(request: AssertionRequest): Promise<AssertionView> {
  const { startAuthentication } = await load()
  const optionsJSON = request as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON']
  return (await startAuthentication({ optionsJSON }).catch(explain)) as AssertionView
}

export async function makePasskey(request: RegistrationRequest): Promise<RegistrationView> {
  const { startRegistration } = await load()
  const optionsJSON = request as unknown as Parameters<typeof startRegistration>[0]['optionsJSON']
  return (await startRegistration({ optionsJSON }).catch(explain)) as RegistrationView
}

/** Uses the hash to sign as the challenge, so the passkey signs that and nothing else. `hash` is hexadecimal. */
export function requestSignature(hash: string, passkeyIds: readonly string[]): AssertionRequest {
  const bytes = hash.match(/../g)!.map(pair => String.fromCharCode(Number.parseInt(pair, 16)))
  const challenge = btoa(bytes.join('')).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
  return {
    challenge,
    rpId: location.hostname,
    timeout: 300_000,
    userVerification: 'preferred',
    allowCredentials: passkeyIds.map(id => ({ id, type: 'public-key' })),
  }
}
