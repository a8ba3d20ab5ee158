// Console routes for sign-in by an identity provider. The browser begins here, goes to the provider, and comes back to a page that
// sends the provider's answer. A way in is revealed only to people who have its address.
import { Refusal } from '../../../core/refusal.ts'
import { arrive } from '../../../identity/arrival.ts'
import type { AuthorisationPurpose, Begun, CheckedToken } from '../../../identity/authorisation.ts'
import type { IdentityCounts } from '../../../identity/counts.ts'
import type { Identity } from '../../../identity/identity-connections.ts'
import { identityLimits } from '../../../identity/identity-limits.ts'
import { IdentityRefused } from '../../../identity/identity-refusal.ts'
import { noteSignIn } from '../../../storage/identity/links.ts'
import { type FoundProvider, findProvider } from '../../../storage/identity/providers.ts'
import { openIdentitySession } from '../../../storage/people/sessions.ts'
import type { SignInAnswer, WayInView } from '../../../views/shapes/session.ts'
import { groupOf } from '../../traffic/failed-attempts.ts'
import { HourlyLimit } from '../../traffic/hourly-limit.ts'
import { type PublicRequestOf, type PublicRoute, publicRoute as route } from '../frame/public-route.ts'
import { ConsoleAnswer, type ConsoleParts } from '../frame/route.ts'
import { formatRequestCookie } from '../frame/session-cookie.ts'
import { keepSession, refusePlainHttp } from './session-routes.ts'
import { tellingRefused } from './sign-in-acts.ts'
import { keepProof } from './signing-visits.ts'

/** Most sign-ins an address may begin: each asks a provider of somebody else's choice. */
const beginningsAnHour = 300

export function identityRoutes(
  parts: ConsoleParts,
  identity: Identity,
  counts: IdentityCounts,
  monotonicMs: () => number,
): readonly PublicRoute[] {
  const begun = new HourlyLimit(beginningsAnHour)
  const find = async (wayIn: string): Promise<FoundProvider> => {
    const provider = await findProvider(parts.installation.sql, wayIn, identity.secrets)
    if (provider === null || provider.wayIn !== wayIn)
      throw new Refusal('not-found', 'there is no sign-in by a company at this address; look at the link again')
    return provider
  }
  return [
    route('POST /sso/look', { isOpen: true, answer: async ({ body }) => wayInOf(await find(body.wayIn)) }),
    route('POST /sso/begin', {
      isOpen: true,
      answer: request =>
        counts.counting(async () => {
          refusePlainHttp(request)
          const wait = begun.take(groupOf(request.fromAddress), monotonicMs())
          if (wait > 0)
            throw new Refusal('too-often', 'too many sign-ins were begun from your address; wait a while', wait)
          const { wayIn, returnTo = '/', link = null } = request.body
          const provider = await find(wayIn)
          const started = await identity.authorisation.start(provider, {
            purpose: 'sign-in',
            providerId: provider.id,
            returnTo,
            carried: { link },
            scope: await scopeFor(identity, provider),
          })
          const cookie = formatRequestCookie(started.cookie, identityLimits.requestSeconds)
          return new ConsoleAnswer({ body: { url: started.url }, cookies: [cookie] })
        }),
    }),
    route('POST /sso/answer', {
      isOpen: true,
      answer: request => {
        const { sql } = parts.installation
        const said = 'sign-in by the identity provider refused'
        return tellingRefused({ sql, email: null, fromAddress: request.fromAddress, said }, () =>
          counts.counting(() => answer(parts, identity, counts, request)),
        )
      },
    }),
  ]
}

export function wayInOf({ wayIn, partyName, workspaceName, issuer, isRequired }: FoundProvider): WayInView {
  return { wayIn, name: partyName ?? workspaceName, host: new URL(issuer).host, isRequired }
}

/** Requested scopes, no more than needed: the identity, and those in which providers put groups, names and addresses. */
async function scopeFor({ directory }: Identity, { issuer, groupsClaim, joining }: FoundProvider): Promise<string> {
  const { scopes_supported: offered = [] } = await directory.metadata(issuer)
  const groups = groupsClaim !== null && offered.includes('groups') ? ['groups'] : []
  return ['openid', ...(joining === null ? [] : ['profile', 'email']), ...groups].join(' ')
}

type AnswerRequest = PublicRequestOf<'POST /sso/answer'>

/** Somebody back from their provider, with the purpose of their visit. */
interface Returned {
  readonly provider: FoundProvider
  readonly begun: Begun
  readonly token: CheckedToken
}

async function answer(
  parts: ConsoleParts,
  { authorisation, secrets }: Identity,
  counts: IdentityCounts,
  request: AnswerRequest,
): Promise<ConsoleAnswer<SignInAnswer>> {
  refusePlainHttp(request)
  const query = new URLSearchParams(request.body.query)
  const begun = authorisation.begun(query, request.cookie)
  const provider = await findProvider(parts.installation.sql, begun.providerId, secrets)
  if (provider === null)
    throw new IdentityRefused(
      'place',
      'this way to sign in was removed or changed meanwhile; ask an owner of the workspace',
    )
  const token = await authorisation.finish(provider, begun, query)
  const done = await purposes[begun.purpose](parts, { provider, begun, token }, request)
  if (begun.purpose === 'sign-in') counts.signedIn++
  return done
}

type ForPurpose = (
  parts: ConsoleParts,
  returned: Returned,
  request: AnswerRequest,
) => Promise<ConsoleAnswer<SignInAnswer>>

const purposes: Readonly<Record<AuthorisationPurpose, ForPurpose>> = {
  'sign-in': signIn,
  'sign-off': async (parts, { begun, token }) =>
    new ConsoleAnswer({
      body: { returnTo: begun.returnTo, session: null, signing: await keepProof(parts, begun, token) },
    }),
}

async function signIn(
  parts: ConsoleParts,
  { provider, begun, token }: Returned,
  request: AnswerRequest,
): Promise<ConsoleAnswer<SignInAnswer>> {
  const { sql } = parts.installation
  const { fromAddress, userAgent } = request
  const { link } = begun.carried as { readonly link: string | null }
  const here = await arrive(sql, provider, token, { link, fromAddress })
  const { sid } = token.claims
  const { id: personId, name, email, passwordHash } = here.account
  const opened = await openIdentitySession(sql, {
    personId,
    passwordHash,
    fromAddress,
    userAgent,
    link: here.id,
    providerSession: typeof sid === 'string' && sid.length <= 255 ? sid : null,
  })
  await noteSignIn(sql, provider, here.id)
  const kept = await keepSession(parts, request, { id: personId, name, email }, opened, true)
  const returnTo = begun.returnTo === '/' ? `/w/${provider.workspaceSlug}` : begun.returnTo
  return new ConsoleAnswer({ body: { returnTo, session: kept.session }, cookies: kept.cookies })
}
