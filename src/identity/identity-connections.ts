// Connections to identity providers: requests within bounds, the directory of providers, visits, and the key under which secrets
// of clients are sealed.
import { type Config, publicUrlOf } from '../config.ts'
import type { Instant } from '../core/time/instant.ts'
import { userAgent } from '../ingest/ingest-connections.ts'
import { resolveBySystem } from '../outbound/address.ts'
import { PrivateHosts } from '../outbound/private-hosts.ts'
import type { KeyRing } from '../storage/keys/key-ring.ts'
import { SealedText } from '../storage/keys/sealed-text.ts'
import { answerChallenge } from '../storage/people/second-factors.ts'
import type { Queryable } from '../storage/postgres/database.ts'
import { Authorisation } from './authorisation.ts'
import { type BoundedFetch, boundedFetch } from './bounded-fetch.ts'
import { ProviderDirectory } from './provider-directory.ts'

interface IdentityContext {
  readonly config: Config
  readonly installation: { readonly sql: Queryable; readonly ring: KeyRing }
  readonly now: () => Instant
}

export interface Identity {
  readonly fetch: BoundedFetch
  readonly directory: ProviderDirectory
  readonly authorisation: Authorisation
  readonly secrets: SealedText
}

export function openIdentity(
  { config, installation: { sql, ring }, now }: IdentityContext,
  monotonicMs: () => number,
): Identity {
  const fetch = boundedFetch({
    resolve: resolveBySystem,
    privateHosts: new PrivateHosts(config.privateHosts),
    userAgent: userAgent(config.contact),
  })
  const directory = new ProviderDirectory(fetch, monotonicMs)
  const authorisation = new Authorisation({
    ring,
    fetch,
    directory,
    now,
    publicUrl: publicUrlOf(config),
    answerOnce: (digest, until) => answerChallenge(sql, digest, until),
  })
  return { fetch, directory, authorisation, secrets: clientSecrets(ring) }
}

export function clientSecrets(ring: KeyRing): SealedText {
  return new SealedText(ring, 'identity provider secrets')
}
