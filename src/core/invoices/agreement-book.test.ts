import { describe, expect, test } from 'vitest'
import { listVersion, makeAgreement } from '../../../test/support/agreements/priced-agreement.ts'
import { AgreementBook, type OpenAgreement, supplierOf } from './agreement-book.ts'

const brackets = 'item,price,currency\nBR-100,12.40,EUR\nBR-200,30,EUR\n'
const listed = () => makeAgreement({ lists: [listVersion(brackets)] })

describe('the supplier of lines', () => {
  test('is the company that the agreement names, in any spelling, and to no other', () => {
    const ohio = { slug: 'ohio-forge', names: ['Ohio Forge Ltd', 'Dayton Steel'] }
    const before = { slug: 'graz-metal', names: ['Graz Metal'] }
    const ours = { ...listed(), supplier: 'ohio-forge', suppliers: [before, ohio] }
    const open = new AgreementBook([{ agreement: ours, ground: null }]).open(ours.id)!
    for (const spelling of [
      null,
      'ohio-forge',
      'OHIO\u2011FORGE',
      'Ohio  Forge\u00a0Ltd.',
      'ｏｈｉｏ-ｆｏｒｇｅ',
      'dayton steel',
    ])
      expect([spelling, supplierOf({ supplier: spelling }, open)]).toEqual([
        spelling,
        { company: 'ohio-forge', supplier: 'ohio-forge' },
      ])
    expect(supplierOf({ supplier: 'GRAZ METAL' }, open)).toEqual({ company: 'graz-metal', supplier: 'graz-metal' })
    expect(supplierOf({ supplier: 'Ohio Forge Inc' }, open)).toMatchObject({
      field: 'supplier',
      message: '"Ohio Forge Inc" is not the supplier of steel-brackets, which is ohio-forge (Ohio Forge Ltd)',
    })
  })

  test('is kept as the line writes it, else as the agreement, where that names no company', () => {
    const open = new AgreementBook([{ agreement: listed(), ground: null }]).open(listed().id) as OpenAgreement
    expect(supplierOf({ supplier: 'Ohio' }, open)).toEqual({ company: null, supplier: 'Ohio' })
    expect(supplierOf({ supplier: null }, open)).toEqual({ company: null, supplier: 'steel-brackets' })
  })
})

describe('the item of a line', () => {
  test('is found as it looks, but case and zeros count', () => {
    const { list } = listVersion('item,price,currency\nBR-01,1,EUR\nbr-01,2,EUR\nBR-1,3,EUR\nX 1,4,EUR\n')
    expect(['BR\u201101', 'ｂｒ-01', 'BR-\u200b1', 'X\u00a01'].map(key => list.keyOf(key))).toEqual([
      'BR-01',
      'br-01',
      'BR-1',
      'X 1',
    ])
    expect(['Br-01', 'BR-001', 'x 1'].map(key => list.find(key))).toEqual([undefined, undefined, undefined])
  })

  test('is none of two that look the same', () => {
    const { list } = listVersion('item,price,currency\nA\u20111,1,EUR\nA\u20121,2,EUR\n')
    expect([list.keyOf('A-1'), list.keyOf('A\u20111')]).toEqual([undefined, 'A\u20111'])
  })
})
