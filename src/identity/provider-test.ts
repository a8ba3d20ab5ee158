// Test of sign-in by a provider, before people try it: its description, its keys, and its answer to our client. The test cannot
// sign in as anybody, so it asks for a token with a code that cannot be right: a provider that knows the client and its secret
// refuses the code, one that does not refuses the client. The fault is told in one sentence.
import { Refusal } from '../core/refusal.ts'
import { callbackPath } from './authorisation.ts'
import type { Identity } from './identity-connections.ts'
import type { ProviderAccess, ProviderMetadata } from './provider-directory.ts'

interface TestedProvider extends ProviderAccess {
  readonly groupsClaim: string | null
}

/** The fault; null where none is found. */
export async function testProvider(
  identity: Identity,
  provider: TestedProvider,
  publicUrl: string,
): Promise<string | null> {
  try {
    const metadata = await identity.directory.metadata(provider.issuer)
    return (
      (await lacksKeys(identity, metadata)) ??
      (await refusesClient(identity, provider, metadata, publicUrl)) ??
      lacks(metadata)
    )
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.message
  }
}

/** A provider without a key that we accept signs in nobody. */
async function lacksKeys({ directory }: Identity, { issuer }: ProviderMetadata): Promise<string | null> {
  const keys = await directory.keys(issuer)
  return keys.length > 0
    ? null
    : 'the provider publishes no key for RS256, PS256, ES256 or EdDSA: its tokens cannot be checked'
}

async function refusesClient(
  { authorisation }: Identity,
  provider: TestedProvider,
  { token_endpoint: address }: ProviderMetadata,
  publicUrl: string,
): Promise<string | null> {
  const host = new URL(address).host
  const said = await authorisation.tryClient(provider)
  if (said === 'invalid_grant' || said === 'invalid_request') return null
  if (said === 'invalid_client' || said === 'unauthorized_client')
    return `${host} does not accept the client id or its secret (${said}): look at both, and whether the secret has expired`
  if (said === 'redirect_uri_mismatch' || said === 'invalid_redirect_uri')
    return `${host} does not accept the redirect address: enter ${publicUrl}${callbackPath} there, letter by letter`
  return `${host} answers a request for a token with ${said}, which is not the answer of a provider that knows our client`
}

function lacks({
  code_challenge_methods_supported: methods,
  scopes_supported: scopes,
}: ProviderMetadata): string | null {
  if (methods !== undefined && !methods.includes('S256'))
    return 'the provider does not support PKCE with S256, which is used always'
  if (scopes !== undefined && !scopes.includes('openid')) return 'the provider does not offer the scope openid'
  return null
}

export function wordsWhenGood({ issuer }: Pick<ProviderAccess, 'issuer'>): string {
  return `${new URL(issuer).host} can be reached, publishes its keys and knows our client: people can sign in by it`
}
