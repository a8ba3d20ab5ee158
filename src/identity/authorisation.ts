// One visit to an identity provider and back (authorisation code with PKCE, state and nonce). Its start is kept sealed in a
// cookie of the browser that begins, so an answer counts only in that browser, for that purpose, in time and once. The result is
// the checked ID token with the key that signed it; callers decide who that is here.
import { createHash, randomBytes } from 'node:crypto'
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  ResponseBodyError,
  randomPKCECodeVerifier,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import { checkIdToken, type IdToken } from '../core/identity/id-token.ts'
import { readSignedToken } from '../core/identity/signed-token.ts'
import { Refusal } from '../core/refusal.ts'
import type { Json } from '../core/text/canonical-json.ts'
import { type Instant, instantOfMicros, microsOf } from '../core/time/instant.ts'
import type { KeyRing } from '../storage/keys/key-ring.ts'
import { SealedText } from '../storage/keys/sealed-text.ts'
import type { BoundedFetch } from './bounded-fetch.ts'
import { identityLimits } from './identity-limits.ts'
import { IdentityRefused } from './identity-refusal.ts'
import { discoveryAddress, type ProviderAccess, type ProviderDirectory, unreachable } from './provider-directory.ts'

export const callbackPath = '/sso/callback'

/** Purpose of a visit; an answer for one purpose is of no use for another. */
export type AuthorisationPurpose = 'sign-in' | 'sign-off'

interface Asking {
  readonly purpose: AuthorisationPurpose
  /** Our own name of the provider: the settings that are in force when the answer arrives count. */
  readonly providerId: string
  /** Nonce; a new one is made by default. */
  readonly nonce?: string
  readonly scope: string
  readonly prompt?: 'login'
  /** `max_age` as it is sent; the token has to say when the person signed in. */
  readonly maxAgeSeconds?: number
  /** Greatest age of that sign-in when the answer arrives; absent where it does not matter. */
  readonly mostAgeSeconds?: number
  /** Path of ours where the person was. */
  readonly returnTo: string
  /** Data that the purpose needs later. Sealed: the browser cannot read it. */
  readonly carried?: Json
}

/** The start of a visit, as the sealed cookie has it. */
export interface Begun extends Pick<Asking, 'purpose' | 'providerId' | 'returnTo' | 'mostAgeSeconds'> {
  readonly nonce: string
  readonly state: string
  readonly verifier: string
  readonly until: Instant
  readonly carried: Json
}

interface Started {
  /** Address that the browser goes to. */
  readonly url: string
  /** Cookie to set under this name for `identityLimits.requestSeconds`. */
  readonly cookie: { readonly name: string; readonly value: string }
}

/** A checked ID token, with everything that somebody else needs to check it again. */
export interface CheckedToken extends IdToken {
  readonly raw: string
  readonly issuer: string
  readonly clientId: string
  /** Address at which the provider describes itself and names its keys. */
  readonly discovery: string
  readonly checkedAt: Instant
}

interface AuthorisationContext {
  readonly ring: KeyRing
  /** Address of the pages: `https://prices.example`. */
  readonly publicUrl: string
  readonly fetch: BoundedFetch
  readonly directory: ProviderDirectory
  readonly now: () => Instant
  /** Notes an answer; false the second time. */
  readonly answerOnce: (digest: Buffer, until: Instant) => Promise<boolean>
}

const cookiePrefix = '__Host-assize-sso-'
const stateLength = 43

/** Cookie in which an answer with this state finds its start; null for a state that is none of ours. */
function cookieOfState(state: string): string | null {
  return /^[\w-]+$/.test(state) && state.length === stateLength ? `${cookiePrefix}${state.slice(0, 16)}` : null
}

export class Authorisation {
  readonly #parts: AuthorisationContext
  readonly #sealed: SealedText
  readonly #redirectUri: string

  constructor(parts: AuthorisationContext) {
    this.#parts = parts
    this.#sealed = new SealedText(parts.ring, 'identity requests')
    this.#redirectUri = `${parts.publicUrl}${callbackPath}`
  }

  async start(access: ProviderAccess, asking: Asking): Promise<Started> {
    const { scope, prompt, maxAgeSeconds, purpose, providerId, returnTo, mostAgeSeconds, carried = null } = asking
    const configuration = await this.#configuration(access, this.#parts.fetch)
    const state = randomBytes(32).toString('base64url')
    const nonce = asking.nonce ?? randomBytes(32).toString('base64url')
    const verifier = randomPKCECodeVerifier()
    const until = instantOfMicros(microsOf(this.#parts.now()) + identityLimits.requestSeconds * 1_000_000)
    const url = buildAuthorizationUrl(configuration, {
      response_type: 'code',
      redirect_uri: this.#redirectUri,
      scope,
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(prompt === undefined ? {} : { prompt }),
      ...(maxAgeSeconds === undefined ? {} : { max_age: String(maxAgeSeconds) }),
    })
    const begun: Begun = {
      purpose,
      providerId,
      returnTo,
      nonce,
      state,
      verifier,
      until,
      carried,
      ...(mostAgeSeconds === undefined ? {} : { mostAgeSeconds }),
    }
    const name = cookieOfState(state)!
    return {
      url: url.href,
      cookie: { name, value: this.#sealed.seal(name, JSON.stringify(begun)).toString('base64url') },
    }
  }

  /** The start that this browser made. `query`: of the callback's address; `cookieIn`: the value of a cookie the browser sent. */
  begun(query: URLSearchParams, cookieIn: (name: string) => string | null): Begun {
    const states = query.getAll('state')
    const name = states.length === 1 ? cookieOfState(states[0]!) : null
    const value = name === null ? null : cookieIn(name)
    const text = name === null || value === null ? null : this.#sealed.open(name, Buffer.from(value, 'base64url'))
    if (text === null)
      throw new IdentityRefused('start', 'this was not begun in this browser, or took too long; begin again')
    const begun = JSON.parse(text) as Begun
    if (begun.state !== states[0])
      throw new IdentityRefused('sender', 'the answer belongs to another request than the one begun here; begin again')
    if (begun.until <= this.#parts.now())
      throw new IdentityRefused('start', 'it took too long at the provider; begin again')
    return begun
  }

  /** Refuses an answer that was used before, or is not that of the provider. */
  async finish(access: ProviderAccess, begun: Begun, query: URLSearchParams): Promise<CheckedToken> {
    const digest = createHash('sha256').update(`identity ${begun.state}`).digest()
    if (!(await this.#parts.answerOnce(digest, begun.until)))
      throw new IdentityRefused('start', 'this answer of the provider was used before; begin again')
    await this.#checkAnswer(access, query)
    const taken: { token: string | null } = { token: null }
    const configuration = await this.#configuration(access, async (address, options) => {
      const response = await this.#parts.fetch(address, options)
      const body: unknown = await response
        .clone()
        .json()
        .catch(() => null)
      const { id_token: token } = (body ?? {}) as { readonly id_token?: unknown }
      if (response.status === 200 && typeof token === 'string') taken.token = token
      return response
    })
    const address = new URL(`${this.#redirectUri}?${query}`)
    const { verifier: pkceCodeVerifier, state: expectedState, nonce: expectedNonce } = begun
    const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true }
    const refused = await authorizationCodeGrant(configuration, address, checks).then(
      () => null,
      error => explain(error, access),
    )
    // Our message names the fault of a token, the library's says that there is one.
    const token = taken.token === null ? null : await this.#check(access, taken.token, begun)
    if (refused !== null) throw refused
    if (token === null)
      throw new IdentityRefused('token', 'the provider did not say who signed in: there is no ID token')
    return token
  }

  /** The provider's answer to a code that cannot be right: the standard's own word for the refusal. */
  async tryClient(access: ProviderAccess): Promise<string> {
    const state = randomBytes(32).toString('base64url')
    const query = new URLSearchParams({ code: randomBytes(16).toString('base64url'), state, iss: access.issuer })
    const checks = { pkceCodeVerifier: randomPKCECodeVerifier(), expectedState: state, idTokenExpected: true }
    const address = new URL(`${this.#redirectUri}?${query}`)
    const configuration = await this.#configuration(access, this.#parts.fetch)
    try {
      await authorizationCodeGrant(configuration, address, checks)
      return 'a token'
    } catch (error) {
      if (error instanceof WWWAuthenticateChallengeError) return 'invalid_client'
      if (error instanceof ResponseBodyError) return word(error.error)
      throw explain(error, access)
    }
  }

  /** Checks that the answer has one meaning: no parameter twice, and from the provider that was asked (RFC 9207). */
  async #checkAnswer({ issuer }: ProviderAccess, query: URLSearchParams): Promise<void> {
    for (const name of ['code', 'state', 'iss', 'error'])
      if (query.getAll(name).length > 1)
        throw new IdentityRefused('sender', `the answer says ${name} more than once; begin again`)
    const said = query.get('iss')
    const { authorization_response_iss_parameter_supported: saysSo } = await this.#parts.directory.metadata(issuer)
    if (said === null ? saysSo === true : said !== issuer)
      throw new IdentityRefused('sender', 'the answer does not come from the provider that was asked; begin again')
    if (query.get('error') === null && !query.get('code'))
      throw new IdentityRefused('sender', 'the answer has no code with which to ask who signed in; begin again')
  }

  async #check(access: ProviderAccess, raw: string, begun: Begun): Promise<CheckedToken> {
    const { issuer, clientId } = access
    const checkedAt = this.#parts.now()
    const { nonce, mostAgeSeconds } = begun
    const now = Math.floor(microsOf(checkedAt) / 1_000_000)
    const expected = { issuer, clientId, nonce, now, ...(mostAgeSeconds === undefined ? {} : { mostAgeSeconds }) }
    const read = await asToken(async () => {
      const keys = await this.#parts.directory.keysFor(issuer, readSignedToken(raw))
      return checkIdToken(crypto.subtle, raw, keys, expected)
    })
    return { ...read, raw, issuer, clientId, discovery: discoveryAddress(issuer), checkedAt }
  }

  async #configuration(access: ProviderAccess, fetch: BoundedFetch): Promise<Configuration> {
    const { clientId, clientSecret } = access
    const metadata = await this.#parts.directory.metadata(access.issuer)
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = metadata
    const isPosted = methods.includes('client_secret_post') && !methods.includes('client_secret_basic')
    const configuration = new Configuration(
      metadata as ConstructorParameters<typeof Configuration>[0],
      clientId,
      undefined,
      isPosted ? ClientSecretPost(clientSecret) : ClientSecretBasic(clientSecret),
    )
    configuration[customFetch] = (address, { method, headers, body, signal }) =>
      fetch(address, { method, headers, body, ...(signal == null ? {} : { signal }) })
    // The bounds of `fetch` decide which addresses may be asked without TLS.
    allowInsecureRequests(configuration)
    return configuration
  }
}

/** Counts a failure of the check as one of the token. */
export async function asToken<T>(check: () => Promise<T>): Promise<T> {
  try {
    return await check()
  } catch (error) {
    if (!(error instanceof Refusal) || error instanceof IdentityRefused) throw error
    throw new IdentityRefused('token', error.message)
  }
}

/** A word of the standard: everything else in an answer may be anybody's. */
function word(error: unknown): string {
  return typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? error : 'without a reason'
}

function explain(error: unknown, { issuer }: ProviderAccess): IdentityRefused {
  const host = new URL(issuer).host
  if (error instanceof IdentityRefused) return error
  if (error instanceof AuthorizationResponseError)
    return new IdentityRefused('provider', `the provider did not sign you in (${word(error.error)})`)
  if (error instanceof WWWAuthenticateChallengeError)
    return new IdentityRefused('settings', `${host} does not accept the client or its secret`)
  if (error instanceof ResponseBodyError) {
    if (error.error === 'invalid_grant')
      return new IdentityRefused('provider', `${host} no longer accepts this sign-in (invalid_grant); begin again`)
    return new IdentityRefused(
      'settings',
      `${host} does not accept the client, its secret or the address (${word(error.error)})`,
    )
  }
  const { code } = error as { readonly code?: string }
  if (typeof code === 'string' && code.startsWith('OAUTH_'))
    return new IdentityRefused('token', `the answer of ${host} is not one of OpenID Connect`)
  return unreachable(error, host)
}
