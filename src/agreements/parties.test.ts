import { describe, expect, test } from 'vitest'
import { parties as partyNames } from '../core/parties.ts'
import type { AgreementParties } from '../storage/agreements/agreements.ts'
import { type Signatory, sideOf, whyNotAs } from './parties.ts'

const [ann, sam] = ['ann@buyer.test', 'sam@supplier.test']
const sides = [null, 'brenner', [], [ann], [' ANN@buyer.test '], [sam], [ann, sam]] as const
const people: readonly Signatory[] = [ann, sam].flatMap(email =>
  ([null, 'buyer', 'supplier', 'owner'] as const).flatMap(role =>
    [null, 'brenner', 'other'].flatMap(company =>
      [true, false].map(isNameable => ({ email, role, company, isNameable })),
    ),
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

  test('is that of their company alone for somebody whom their company let in', () => {
    const person = { email: ann, role: 'buyer', company: 'brenner', isNameable: false } as const
    for (const buyer of sides)
      for (const supplier of sides) {
        const side = sideOf(person, { parties: { buyer, supplier } })
        const own =
          buyer === supplier ? null : buyer === 'brenner' ? 'buyer' : supplier === 'brenner' ? 'supplier' : null
        expect(side, JSON.stringify({ buyer, supplier })).toBe(own)
      }
    expect(whyNotAs('buyer', person, { parties: { buyer: [ann], supplier: [sam] } })).toContain(
      'came by an invitation of brenner, so that the address does not stand for the buyer: name brenner',
    )
  })

  test('is none for somebody named on both', () => {
    const person = { email: ann, role: 'buyer', company: null, isNameable: true } as const
    expect(sideOf(person, { parties: { buyer: [ann], supplier: [ann] } })).toBeNull()
    expect(sideOf(person, { parties: { buyer: null, supplier: [sam] } })).toBe('buyer')
  })
})
