// Console routes about the identity providers of a workspace and of its parties. Owners see all of them and set those of people of
// no party and of companies that have nobody yet; a company's administrators set their own.
import { publicUrlOf } from '../../../config.ts'
import { Refusal } from '../../../core/refusal.ts'
import { callbackPath } from '../../../identity/authorisation.ts'
import { openIdentity } from '../../../identity/identity-connections.ts'
import { testProvider, wordsWhenGood } from '../../../identity/provider-test.ts'
import { loadLinks } from '../../../storage/identity/links.ts'
import {
  findProvider,
  type IdentityProvider,
  loadProviders,
  removeProvider,
  setProvider,
} from '../../../storage/identity/providers.ts'
import { loadCompanies } from '../../../storage/people/parties.ts'
import { loadMemberStates } from '../../../storage/people/people.ts'
import { withWorkspace } from '../../../storage/postgres/database.ts'
import type { ProviderRequest } from '../../../views/calls/identity-calls.ts'
import type { IdentityProvidersPage } from '../../../views/shapes/settings.ts'
import { actorOf, type Seat } from '../../../views/sight/seat.ts'
import { logoutPath } from '../account/back-channel.ts'
import { type ConsoleParts, type ConsoleRoute, route } from '../frame/route.ts'

export function providerRoutes(parts: ConsoleParts): readonly ConsoleRoute[] {
  const { sql } = parts.installation
  const identity = openIdentity(parts, () => performance.now())
  /** A provider visible to the person. */
  const find = async (seat: Seat, id: string): Promise<IdentityProvider> => {
    const { workspace } = seat
    const providers = await withWorkspace(sql, workspace.id, tx => loadProviders(tx, workspace.id))
    const found = providers.find(each => each.id === id && isTheirs(seat, each.party))
    if (found === undefined)
      throw new Refusal('not-found', 'there is no such identity provider; it may have been removed')
    return found
  }
  return [
    route('GET /identity-providers', {
      roles: ['owner'],
      orOfCompany: true,
      answer: ({ seat }) => showProviders(parts, seat),
    }),
    route('POST /identity-providers', {
      roles: ['owner'],
      orOfCompany: true,
      async answer({ seat, body }) {
        await setProvider(sql, seat.workspace.id, wanted(body), identity.secrets, actorOf(seat))
        return showProviders(parts, seat)
      },
    }),
    route('DELETE /identity-providers/:id', {
      roles: ['owner'],
      orOfCompany: true,
      async answer({ seat, params }) {
        const { party } = await find(seat, params.id)
        await removeProvider(sql, seat.workspace.id, party, actorOf(seat))
      },
    }),
    route('POST /identity-providers/:id/test', {
      roles: ['owner'],
      orOfCompany: true,
      changesNothing: true,
      async answer({ seat, params }) {
        const found = await findProvider(sql, (await find(seat, params.id)).id, identity.secrets)
        if (found === null)
          throw new Refusal('not-found', 'there is no such identity provider; it may have been removed')
        // New connections each time: metadata of the provider from before its last correction must not count.
        const asked = openIdentity(parts, () => performance.now())
        const wrong = await testProvider(asked, found, publicUrlOf(parts.config))
        return { isGood: wrong === null, sentence: wrong ?? wordsWhenGood(found) }
      },
    }),
  ]
}

function isTheirs({ role, company }: Seat, party: string | null): boolean {
  return role === 'owner' || (party !== null && party === company)
}

function wanted({ party, issuer, clientId, isRequired, groups, ...body }: ProviderRequest) {
  return {
    party,
    issuer,
    clientId,
    isRequired,
    groups,
    clientSecret: body.clientSecret ?? null,
    except: body.except ?? null,
    groupsClaim: body.groupsClaim ?? null,
    joining: body.joining ?? null,
  }
}

async function showProviders({ installation, config }: ConsoleParts, seat: Seat): Promise<IdentityProvidersPage> {
  const { id } = seat.workspace
  const address = publicUrlOf(config)
  return withWorkspace(installation.sql, id, async tx => {
    const members = await loadMemberStates(tx, id)
    const links = await loadLinks(tx, id)
    const companies = (await loadCompanies(tx, id)).filter(({ slug }) => isTheirs(seat, slug))
    const providers = (await loadProviders(tx, id)).filter(({ party }) => isTheirs(seat, party))
    const own = seat.role === 'owner' ? [{ party: null, name: seat.workspace.name }] : []
    return {
      providers: providers.map(({ exceptPerson, wayIn, workspaceId: _workspaceId, ...provider }) => {
        const theirs = members.filter(({ company, hasJoined }) => company === provider.party && hasJoined)
        const isLinked = (each: { readonly id: string }) =>
          links.some(({ personId, providerId }) => personId === each.id && providerId === provider.id)
        return {
          ...provider,
          partyName: companies.find(({ slug }) => slug === provider.party)?.name ?? null,
          address: `${address}/sign-in?by=${wayIn}`,
          except: members.find(each => each.id === exceptPerson)?.email ?? null,
          linked: theirs.filter(isLinked).length,
          unlinked: theirs.filter(each => !isLinked(each) && each.id !== exceptPerson).map(({ email }) => email),
        }
      }),
      parties: [...own, ...companies.map(({ slug, name }) => ({ party: slug, name }))],
      owners: members
        .filter(({ role, hasJoined, company }) => role === 'owner' && hasJoined && isTheirs(seat, company))
        .map(({ email, company }) => ({ email, party: company })),
      redirectAddress: `${address}${callbackPath}`,
      logoutAddress: `${address}${logoutPath}`,
    }
  })
}
