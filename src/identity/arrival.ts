// Arrival from an identity provider with a valid token: finds the person here by the provider and its own name for them, by the
// one-time link they opened, or by a group that may join, and never by an e-mail address.
import type { Claims } from '../core/identity/signed-token.ts'
import { Refusal } from '../core/refusal.ts'
import type { Role } from '../core/roles.ts'
import { isOneLine } from '../core/text/one-line.ts'
import { joinByGroup } from '../storage/identity/group-joins.ts'
import { findLink, followRole, type IdentityLink, joinByLink, loseAccess } from '../storage/identity/links.ts'
import type { FoundProvider } from '../storage/identity/providers.ts'
import type { Sql } from '../storage/postgres/database.ts'
import type { CheckedToken } from './authorisation.ts'
import { IdentityRefused } from './identity-refusal.ts'

interface Arriving {
  /** The token of the one-time link that is accepted; null where somebody signs in. */
  readonly link: string | null
  readonly fromAddress: string
}

/** Finds or adds the person. A refusal because of who somebody is counts as one of the place. */
export async function arrive(
  sql: Sql,
  provider: FoundProvider,
  token: CheckedToken,
  arriving: Arriving,
): Promise<IdentityLink> {
  try {
    return await placeOf(sql, provider, token, arriving)
  } catch (error) {
    if (!(error instanceof Refusal) || error instanceof IdentityRefused) throw error
    throw new IdentityRefused('place', error.message, error.kind)
  }
}

async function placeOf(
  sql: Sql,
  provider: FoundProvider,
  { subject, claims, checkedAt: now }: CheckedToken,
  { link, fromAddress }: Arriving,
): Promise<IdentityLink> {
  const groups = groupsIn(provider, claims)
  const role = roleBy(provider, groups)
  const known = await findLink(sql, provider, subject)
  if (role === null && provider.groups.length > 0) {
    if (known !== null) await loseAccess(sql, provider, known, subject)
    throw noGroup(provider, claims)
  }
  if (link !== null) await joinByLink(sql, provider, link, { subject, now, fromAddress })
  else if (known === null) await joinUninvited(sql, provider, groups, { subject, claims, fromAddress })
  const here = link === null && known !== null ? known : await findLink(sql, provider, subject)
  if (here === null) throw notInvited()
  if (role !== null) await followRole(sql, provider, here.member, role)
  return here
}

function notInvited(): IdentityRefused {
  return new IdentityRefused(
    'place',
    'nobody with this identity has a place here; open the link of your invitation and sign in from there, or ask for one',
  )
}

async function joinUninvited(
  sql: Sql,
  provider: FoundProvider,
  groups: readonly string[],
  { subject, claims, fromAddress }: Pick<CheckedToken, 'subject' | 'claims'> & { readonly fromAddress: string },
): Promise<void> {
  if (provider.joining === null || !groups.includes(provider.joining.group)) throw notInvited()
  const { email, email_verified: isVerified, name } = claims
  if (typeof email !== 'string' || isVerified === false)
    throw new IdentityRefused(
      'place',
      'the provider names no confirmed e-mail address of yours, which is needed to join',
    )
  await joinByGroup(sql, provider, {
    subject,
    email,
    name: typeof name === 'string' && isOneLine(name) ? name : null,
    fromAddress,
  })
}

/** Groups in a claim, which may be a text or a list of texts. */
function groupsIn({ groupsClaim }: FoundProvider, claims: Claims): readonly string[] {
  if (groupsClaim === null || !Object.hasOwn(claims, groupsClaim)) return []
  const found = claims[groupsClaim]!
  return (Array.isArray(found) ? found : [found]).filter(each => typeof each === 'string')
}

/** Role by the listed groups; null where none of the groups has a role, or groups do not matter. */
function roleBy({ groups: listed, joining }: FoundProvider, groups: readonly string[]): Role | null {
  if (listed.length === 0) return null
  const all = joining === null ? listed : [...listed, joining]
  return all.find(({ group }) => groups.includes(group))?.role ?? null
}

function noGroup({ groupsClaim, issuer }: FoundProvider, claims: Claims): IdentityRefused {
  const host = new URL(issuer).host
  // Entra ID lists no groups of people who are in more than 200.
  const isElsewhere = Object.hasOwn(claims, '_claim_names')
  if (isElsewhere || !Object.hasOwn(claims, groupsClaim!))
    return new IdentityRefused(
      'group',
      `${host} does not say which groups you are in (${groupsClaim}); ask whoever looks after it`,
    )
  return new IdentityRefused('group', 'you are in none of the groups that have access here')
}
