import { describe, expect, test } from 'vitest'
import { type ProposalStanding, stateOfProposal } from './proposal-state.ts'

const open: ProposalStanding = { signedBy: new Set(), isRefused: false, isSuperseded: false, isLapsed: false }

describe('the state of a proposal', () => {
  test.each<[Partial<ProposalStanding>, string]>([
    [{}, 'PROPOSED'],
    [{ signedBy: new Set(['buyer']) }, 'SIGNED_BY_BUYER'],
    [{ signedBy: new Set(['supplier']) }, 'SIGNED_BY_SUPPLIER'],
    [{ signedBy: new Set(['buyer', 'supplier']) }, 'AGREED'],
    [{ signedBy: new Set(['buyer', 'supplier']), isSuperseded: true, isLapsed: true }, 'AGREED'],
    [{ signedBy: new Set(['buyer']), isSuperseded: true }, 'SUPERSEDED'],
    [{ signedBy: new Set(['buyer']), isRefused: true, isSuperseded: true }, 'REFUSED'],
    [{ signedBy: new Set(['supplier']), isLapsed: true }, 'LAPSED'],
  ])('follows from what was said about it: %o', (changed, state) => {
    expect(stateOfProposal({ ...open, ...changed })).toBe(state)
  })
})
