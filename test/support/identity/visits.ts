// Visits of a person to a hostile provider and back, over the real server: begin, come back with whatever token, and what is
// answered. And what an owner sets.

import type { Role } from '../../../src/core/roles.ts'
import { clientSecrets } from '../../../src/identity/identity-connections.ts'
import { type IdentityProvider, type NewProvider, setProvider } from '../../../src/storage/identity/providers.ts'
import { invite } from '../../../src/storage/people/invitations.ts'
import { createCompany } from '../../../src/storage/people/parties.ts'
import type { Api } from '../houses/api.ts'
import { Browser, type ConsoleReply } from '../houses/console.ts'
import { type Asked, type Claims, type HostileProvider, mint } from './hostile-provider.ts'

export const operator = { who: 'operator', fromAddress: null }
const farAway = '2100-01-01T00:00:00.000000Z'

/** What differs from the usual settings of a test. */
export type Settings = Partial<Omit<NewProvider, 'party'>>

export async function setHostile(
  { sql, ring }: Pick<Api, 'sql' | 'ring'>,
  workspaceId: string,
  provider: HostileProvider,
  party: string | null,
  more: Settings = {},
): Promise<IdentityProvider> {
  const usual = { clientId: 'assize', clientSecret: 'a secret', isRequired: false, except: null, groupsClaim: null }
  const wanted = { ...usual, groups: [], joining: null, issuer: provider.issuer, party, ...more }
  return (await setProvider(sql, workspaceId, wanted, clientSecrets(ring), operator)).provider
}

export async function addCompany({ sql }: Pick<Api, 'sql'>, workspaceId: string, slug: string): Promise<void> {
  await createCompany(sql, workspaceId, { slug, name: `${slug} Ltd` }, operator)
}

/** The token of a one-time link. */
export async function inviteTo(
  { sql }: Pick<Api, 'sql'>,
  workspaceId: string,
  email: string,
  company: string | null,
  role: Role = 'supplier',
): Promise<string> {
  return (await invite(sql, workspaceId, { email, role, company }, farAway, operator)).token
}

interface Visiting {
  readonly link?: string
  readonly returnTo?: string
}

/** The browser has begun: what was asked for at the provider. */
export async function begin(
  browser: Browser,
  { wayIn }: Pick<IdentityProvider, 'wayIn'>,
  more: Visiting = {},
): Promise<Asked> {
  const reply = await browser.send('POST', '/sso/begin', { wayIn, ...more })
  if (reply.status !== 200) throw new Error(`a sign-in cannot begin: ${reply.status} ${reply.text}`)
  const { url } = reply.json as { readonly url: string }
  const { searchParams } = new URL(url)
  const of = (name: string) => searchParams.get(name) ?? ''
  return { state: of('state'), nonce: of('nonce'), clientId: of('client_id'), url: new URL(url) }
}

export function answer(browser: Browser, query: URLSearchParams): Promise<ConsoleReply> {
  return browser.send('POST', '/sso/answer', { query: query.toString() })
}

/** All of it with a good token, of a subject with claims. */
export async function signInBy(
  browser: Browser,
  provider: HostileProvider,
  settings: Pick<IdentityProvider, 'wayIn'>,
  subject: string,
  { claims = {}, ...visiting }: Visiting & { readonly claims?: Claims } = {},
): Promise<ConsoleReply> {
  const asked = await begin(browser, settings, visiting)
  return answer(browser, provider.comeBack(asked, mint(provider.key, provider.claims(asked, subject, claims))))
}

/** `from`: an address of this machine; each begins so many sign-ins an hour. */
export function newBrowser(api: Api, slug: string, from?: string): Browser {
  return new Browser(api, slug, from === undefined ? {} : { from })
}
