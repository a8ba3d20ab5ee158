// The state of a proposal that two parties sign: derived from the signatures and refusals, never stored.
import type { Party } from '../parties.ts'

export const proposalStates = [
  'PROPOSED',
  'SIGNED_BY_BUYER',
  'SIGNED_BY_SUPPLIER',
  'AGREED',
  'SUPERSEDED',
  'REFUSED',
  'LAPSED',
] as const
export type ProposalState = (typeof proposalStates)[number]

/** States in which a side still has to sign. */
export const openStates: readonly ProposalState[] = ['PROPOSED', 'SIGNED_BY_BUYER', 'SIGNED_BY_SUPPLIER']

export interface ProposalStanding {
  /** Parties that have signed exactly this body. */
  readonly signedBy: ReadonlySet<Party>
  /** Whether a party refused it. */
  readonly isRefused: boolean
  /** Whether there is a newer body for the same subject. */
  readonly isSuperseded: boolean
  /** Whether it has expired. */
  readonly isLapsed: boolean
}

/** A proposal that both have signed stays agreed, whatever happens later. */
export function stateOfProposal({ signedBy, isRefused, isSuperseded, isLapsed }: ProposalStanding): ProposalState {
  if (signedBy.size === 2) return 'AGREED'
  if (isRefused) return 'REFUSED'
  if (isSuperseded) return 'SUPERSEDED'
  if (isLapsed) return 'LAPSED'
  if (signedBy.has('buyer')) return 'SIGNED_BY_BUYER'
  return signedBy.has('supplier') ? 'SIGNED_BY_SUPPLIER' : 'PROPOSED'
}
