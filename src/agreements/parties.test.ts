import { describe, expect, test } from 'vitest'
import { parties as partyNames } from '../core/parties.ts'
import type { AgreementParties } from '../storage/agreements/agreements.ts'
import { type Signatory, sideOf, whyNotAs } from './parties.ts'

const [ann, sam] = ['ann@buyer.test', 'sam@supplier.test']
const sides = [null, 'brenner', [], [ann], [' ANN@buyer.test '], [sam], [ann, sam]] as const
const people: readonly Signatory[] = [ann, sam].flatMap(email =>
  ([null, 'buyer', 'supplier', 'owner'] as const).flatMap(role =>
    [null, 'brenner', 'other'].map(company => ({ email, role, company })),
  ),
)

describe('the side of a person', () => {
  test('is the one that they may sign for', () => {
    const found = new Set<string | null>()
    for (const buyer of sides)
      for (const supplier of sides)
        for (const person of people) {
          const parties: AgreementParties = { buyer, supplier }
          const allowed = partyNames.filter(party => whyNotAs(party, person, { parties }) === null)
          const side = sideOf(person, { parties })
          expect(side, JSON.stringify({ parties, person })).toBe(allowed[0] ?? null)
          found.add(side)
        }
    expect(found).toEqual(new Set(['buyer', 'supplier', null]))
  })

  test('is none for somebody named on both', () => {
    const person = { email: ann, role: 'buyer', company: null } as const
    expect(sideOf(person, { parties: { buyer: [ann], supplier: [ann] } })).toBeNull()
    expect(sideOf(person, { parties: { buyer: null, supplier: [sam] } })).toBe('buyer')
  })
})
