// Sides of an agreement: the people that a document names, or the people of the company that it names. If no buyer is named,
// every member with that role is the buyer. A supplier has to be named; otherwise nobody can sign for it.

import { formatSignKinds, type Party, parties as partyNames } from '../core/parties.ts'
import { isAcceptedKind, type SignatureMeans } from '../core/receipt/party-signature.ts'
import type { Role } from '../core/roles.ts'
import { type Tenure, tenureOf } from '../read/agreements/tenure.ts'
import type { RadarSight } from '../read/radar.ts'
import type { AgreementParties, AgreementRecord, AgreementStateRow } from '../storage/agreements/agreements.ts'
import type { Audience } from './status-words.ts'

export const otherParty = { buyer: 'supplier', supplier: 'buyer' } as const

/** Normalises an address to one spelling. */
export function spell(email: string): string {
  return email.trim().toLowerCase()
}

/** Somebody who may be on a side. */
export interface Signatory {
  readonly email: string
  /** Role in the workspace; null for somebody who is not a member. */
  readonly role: Role | null
  /** The slug of the company they belong to; null for somebody without one, and for somebody who is not a member. */
  readonly company: string | null
  /** False for somebody whom a company let in by itself: the workspace does not know who came under that address. */
  readonly isNameable: boolean
}

export function standsFor(party: Party, person: Signatory, parties: AgreementParties): boolean {
  const { email, role, company, isNameable } = person
  const side = parties[party]
  if (typeof side === 'string') return company === side
  if (!isNameable) return false
  if (side === null) return party === 'buyer' && role === 'buyer'
  return side.some(each => spell(each) === spell(email))
}

/** The side that somebody signs and speaks for; null for none, and for somebody who is named on both. */
export function sideOf(person: Signatory, { parties }: Pick<AgreementStateRow, 'parties'>): Party | null {
  const sides = partyNames.filter(party => standsFor(party, person, parties))
  return sides.length === 1 ? sides[0]! : null
}

/** Why a contract does not accept a signature that is given this way; null if it does. */
export function whyNotByKind(signWith: AgreementParties['signWith'], means: SignatureMeans): string | null {
  if (isAcceptedKind(signWith, means)) return null
  const given = {
    PASSKEY: 'a passkey',
    PROVIDER: 'an identity provider',
    PASSWORD: 'a password',
    OPERATOR: 'the operator',
  }[means]
  return `the contract is signed ${formatSignKinds(signWith!)} (parties.signWith), so ${given} does not sign it; nothing was signed`
}

/** Why somebody may not sign or speak for the party; never allowed for the other side. `null` if they may. */
export function whyNotAs(
  party: Party,
  person: Signatory,
  { parties }: Pick<AgreementStateRow, 'parties'>,
  does: 'sign' | 'speak' = 'sign',
  hearer: Audience = person.role === 'supplier' ? 'supplier' : 'insider',
): string | null {
  const { email } = person
  const other = otherParty[party]
  if (standsFor(other, person, parties)) return `${email} is on the ${other}'s side and cannot ${does} as ${party}`
  if (standsFor(party, person, parties)) return null
  const side = parties[party]
  if (side === null && party === 'supplier')
    return `${email} cannot ${does} as supplier: the agreement names no supplier; name one under parties`
  if (isMeantFor(party, person, parties)) return whyNotNamed(party, person, hearer)
  // A supplier is not told who another supplier is.
  if (hearer !== 'insider') return `${email} cannot ${does} as ${party} of this agreement`
  return `${email} cannot ${does} as ${party}: that is for ${formatSide(side, party)}`
}

/** Whether a named side would be this person's, had the workspace let them in. */
function isMeantFor(party: Party, person: Signatory, parties: AgreementParties): boolean {
  return !standsFor(party, person, parties) && standsFor(party, { ...person, isNameable: true }, parties)
}

/** Why somebody stands for neither side though one of them names their address; null where none does. */
export function whyNameWaits(
  person: Signatory,
  { parties }: Pick<AgreementStateRow, 'parties'>,
  hearer: Audience,
): string | null {
  const party = partyNames.find(each => isMeantFor(each, person, parties))
  return party === undefined || sideOf(person, { parties }) !== null ? null : `${whyNotNamed(party, person, hearer)}.`
}

/** The name waits until the workspace has let in somebody under the address itself. */
export function whyNotNamed(
  party: Party,
  { email, company }: Pick<Signatory, 'email' | 'company'>,
  hearer: Audience,
): string {
  const why = `${email} came by an invitation of ${company}, so that the address does not stand for the ${party}`
  return hearer === 'insider'
    ? `${why}: name ${company} as the party, or have an owner remove and invite them again, without a company`
    : why
}

function formatSide(side: AgreementParties[Party], party: Party): string {
  if (side === null) return `a member with the role ${party}`
  if (typeof side === 'string') return `the people of ${side}`
  return side.length === 0 ? 'nobody, by its list' : side.map(spell).join(', ')
}

/**
 * The agreements whose revisions a supplier is told: those that are in force and that it is a party to, each as far as it
 * is its own.
 */
export function radarSight(
  person: Signatory,
  agreements: readonly Pick<AgreementRecord, 'id' | 'states'>[],
): RadarSight {
  const whole = new Set<string>()
  const parts = new Map<string, Tenure>()
  for (const { id, states } of agreements) {
    if (states.at(-1)?.status === 'DRAFT') continue
    const tenure = tenureOf(states, parties => partyNames.some(party => standsFor(party, person, parties)))
    if (tenure === null || tenure.endedAt !== null) continue
    if (tenure.isWhole) whole.add(id)
    else parts.set(id, tenure)
  }
  return { whole, parts }
}
