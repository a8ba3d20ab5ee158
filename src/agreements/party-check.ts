// Whether the parties a document names are in its workspace, and whether anybody would be on both sides of it. Core checks the
// document by itself.
import { didYouMean } from '../core/formula/check/suggestion.ts'
import { parties as partyNames } from '../core/parties.ts'
import type { Problem } from '../core/refusal.ts'
import type { AgreementParties } from '../storage/agreements/agreements.ts'
import type { Member } from '../storage/people/member.ts'
import { loadCompanies } from '../storage/people/parties.ts'
import { loadMembers } from '../storage/people/people.ts'
import type { Transaction } from '../storage/postgres/database.ts'
import { otherParty, spell, whyNotNamed } from './parties.ts'

export interface PartyDirectory {
  /** The slugs of its companies. */
  readonly slugs: readonly string[]
  readonly members: readonly Member[]
}

export async function loadPartyGround(tx: Transaction, workspaceId: string): Promise<PartyDirectory> {
  const slugs = (await loadCompanies(tx, workspaceId)).map(({ slug }) => slug)
  return { slugs, members: await loadMembers(tx, workspaceId) }
}

/** Finds problems of the parties; reads nothing where nobody could be on both sides. */
export async function findPartyProblems(
  parties: AgreementParties,
  read: () => Promise<PartyDirectory>,
): Promise<readonly Problem[]> {
  const isOneNamed = partyNames.some(party => parties[party] === null)
  if (isOneNamed && partyNames.every(party => typeof parties[party] !== 'string')) return []
  const { slugs, members } = await read()
  return [...findUnknown(parties, slugs), ...findBothSides(parties, members), ...findOneCompany(parties, members)]
}

/** Addresses that are named and stand for nobody, and what would make them stand for somebody. */
export function findWaitingNames(parties: AgreementParties, members: readonly Member[]): readonly Problem[] {
  return partyNames.flatMap(party => {
    const side = parties[party]
    if (side === null || typeof side === 'string') return []
    const named = new Set(side.map(spell))
    return members
      .filter(({ email, isNameable }) => !isNameable && named.has(spell(email)))
      .map(member => ({ path: `parties.${party}`, message: whyNotNamed(party, member, 'insider') }))
  })
}

function findUnknown(parties: AgreementParties, slugs: readonly string[]): Problem[] {
  return partyNames.flatMap(party => {
    const side = parties[party]
    if (typeof side !== 'string' || slugs.includes(side)) return []
    const what = `there is no party "${side}" in this workspace${didYouMean(side, slugs)}`
    return [{ path: `parties.${party}`, message: `${what}; add it under Settings, or with assize party create` }]
  })
}

/** People of one company who are named on both sides by their addresses. */
function findOneCompany({ buyer, supplier }: AgreementParties, members: readonly Member[]): Problem[] {
  if (!Array.isArray(buyer) || !Array.isArray(supplier)) return []
  const named = (side: readonly string[]) => {
    const addresses = new Set(side.map(spell))
    return members.filter(({ email, company }) => company !== null && addresses.has(spell(email)))
  }
  const suppliers = named(supplier)
  return named(buyer).flatMap(({ email, company }) => {
    const other = suppliers.find(each => each.company === company)
    if (other === undefined) return []
    return [
      {
        path: 'parties.buyer',
        message: `${email} and ${other.email} both belong to ${company}, which would be on both sides; no company signs for both`,
      },
    ]
  })
}

function findBothSides(parties: AgreementParties, members: readonly Member[]): Problem[] {
  return partyNames.flatMap(party => {
    const [side, other] = [parties[party], parties[otherParty[party]]]
    if (typeof side !== 'string' || other === null || typeof other === 'string') return []
    const named = new Set(other.map(spell))
    return members
      .filter(({ email, company }) => company === side && named.has(spell(email)))
      .map(({ email }) => ({
        path: `parties.${otherParty[party]}`,
        message: `${email} belongs to ${side} and would be on both sides; nobody signs for both`,
      }))
  })
}
