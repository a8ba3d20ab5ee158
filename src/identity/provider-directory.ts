// Directory of identity providers: their addresses (OpenID Connect Discovery) and their keys, kept for some minutes. A key that
// is not known is looked for again, once a minute at most, so that a provider can change its keys and a stranger with made-up
// tokens cannot make us ask it all the time.
import { keyFor, type ProviderKey, readProviderKeys } from '../core/identity/provider-key.ts'
import type { SignedToken } from '../core/identity/signed-token.ts'
import { Refusal } from '../core/refusal.ts'
import { BodyRefused } from '../ingest/fetch-body.ts'
import { AddressRefused } from '../outbound/address.ts'
import { AnswerRefused, isThisMachine } from '../outbound/guarded-request.ts'
import type { BoundedFetch } from './bounded-fetch.ts'
import { identityLimits } from './identity-limits.ts'
import { IdentityRefused } from './identity-refusal.ts'

/** Our client at a provider. */
export interface ProviderAccess {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

/** The used part of a provider's description. */
export interface ProviderMetadata {
  readonly issuer: string
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly jwks_uri: string
  readonly authorization_response_iss_parameter_supported?: boolean
  readonly token_endpoint_auth_methods_supported?: readonly string[]
  readonly scopes_supported?: readonly string[]
  readonly code_challenge_methods_supported?: readonly string[]
}

interface KnownProvider {
  readonly metadata: ProviderMetadata
  readonly askedMs: number
  keys: readonly ProviderKey[]
  keysAskedMs: number
}

export function discoveryAddress(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
}

export class ProviderDirectory {
  readonly #fetch: BoundedFetch
  readonly #monotonicMs: () => number
  readonly #known = new Map<string, Promise<KnownProvider>>()

  constructor(fetch: BoundedFetch, monotonicMs: () => number) {
    this.#fetch = fetch
    this.#monotonicMs = monotonicMs
  }

  async metadata(issuer: string): Promise<ProviderMetadata> {
    return (await this.#provider(issuer)).metadata
  }

  /** Keys that sign tokens. */
  async keys(issuer: string): Promise<readonly ProviderKey[]> {
    return (await this.#provider(issuer)).keys
  }

  /** Published keys; asked for again if none of them signed the token. */
  async keysFor(issuer: string, token: SignedToken): Promise<readonly ProviderKey[]> {
    const provider = await this.#provider(issuer)
    const isDue = this.#monotonicMs() - provider.keysAskedMs >= identityLimits.keysAgainMs
    if (keyFor(token, provider.keys) !== null || !isDue) return provider.keys
    provider.keysAskedMs = this.#monotonicMs()
    provider.keys = await this.#askKeys(provider.metadata)
    return provider.keys
  }

  async #provider(issuer: string): Promise<KnownProvider> {
    const known = await this.#known.get(issuer)
    if (known !== undefined && this.#monotonicMs() - known.askedMs < identityLimits.knownMs) return known
    const asked = this.#ask(issuer)
    if (this.#known.size >= identityLimits.providers) this.#known.delete(this.#known.keys().next().value!)
    this.#known.set(issuer, asked)
    try {
      return await asked
    } catch (error) {
      if (this.#known.get(issuer) === asked) this.#known.delete(issuer)
      throw error
    }
  }

  async #ask(issuer: string): Promise<KnownProvider> {
    const address = discoveryAddress(issuer)
    const metadata = readMetadata(await this.#json(address, 'its description'), issuer)
    const now = this.#monotonicMs()
    return { metadata, askedMs: now, keys: await this.#askKeys(metadata), keysAskedMs: now }
  }

  async #askKeys({ jwks_uri: address }: ProviderMetadata): Promise<readonly ProviderKey[]> {
    const set = await this.#json(address, 'its keys')
    try {
      return readProviderKeys(set)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      throw new IdentityRefused('unreachable', error.message)
    }
  }

  async #json(address: string, what: string): Promise<unknown> {
    const host = URL.parse(address)?.host ?? address
    const response = await this.#fetch(address, { headers: { accept: 'application/json' } }).catch(error => {
      throw unreachable(error, host)
    })
    if (response.status !== 200)
      throw new IdentityRefused('unreachable', `${host} answers ${response.status} when it is asked for ${what}`)
    const text = await response.text()
    try {
      return JSON.parse(text)
    } catch {
      throw new IdentityRefused('unreachable', `${host} answers something else than JSON when it is asked for ${what}`)
    }
  }
}

/** Refusal for a request that got no answer, or none within bounds. */
export function unreachable(error: unknown, host: string): IdentityRefused {
  const { message, code, name } = error as Error & { code?: string }
  if (error instanceof AddressRefused || error instanceof AnswerRefused)
    return new IdentityRefused('unreachable', message)
  if (error instanceof BodyRefused) return new IdentityRefused('unreachable', `${host}: ${message}`)
  if (name === 'AbortError' || name === 'TimeoutError')
    return new IdentityRefused('unreachable', `${host} took longer than ${identityLimits.answerMs / 1000} s to answer`)
  return new IdentityRefused('unreachable', `${host} cannot be reached: ${code ?? message}`)
}

/** Refuses another issuer, and what no browser or server should be sent to. */
function readMetadata(found: unknown, issuer: string): ProviderMetadata {
  const metadata = (typeof found === 'object' && found !== null ? found : {}) as Partial<Record<string, unknown>>
  if (metadata.issuer !== issuer)
    throw new IdentityRefused(
      'settings',
      `the provider calls itself ${quoted(metadata.issuer)}, and the issuer is set as "${issuer}": they must be the same, letter by letter`,
    )
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
    const url = typeof metadata[name] === 'string' ? URL.parse(metadata[name]) : null
    const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isThisMachine(url.hostname))
    if (!isSafe)
      throw new IdentityRefused('settings', `the provider's ${name} is ${quoted(metadata[name])}, not an https address`)
  }
  return metadata as unknown as ProviderMetadata
}

function quoted(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 200)
}
