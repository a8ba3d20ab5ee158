import { describe, expect, test } from 'vitest'
import { LineIdentities, type NamedLine, normalForm, SupplierNames, visibleForm } from './line-identity.ts'

const spellings = [
  '4711',
  '04711',
  '0004711',
  '４７１１',
  '٤٧١١',
  '४७११',
  '𝟒𝟕𝟏𝟏',
  '47\u200b11',
  '4\u034f711',
  '47\u00ad11',
  '\u202e4711\u202c',
  '\u2066\u200f4711',
  '\ufeff4711',
  '4711\ufe0f',
  '4\u3164711',
  '\u00a04711\u3000',
  '47\u200911',
  '47\u202f11',
  '4711.',
  "'4711",
  ' 4711 ;',
]

describe('the normal form', () => {
  test('is one for every way of writing a number that reads the same', () => {
    for (const text of spellings) expect([text, normalForm(text)]).toEqual([text, '4711'])
    expect(['RE-0012', 're-12', 'ＲＥ－12', 'RE\u201112', 'RE – 12', 'ВЕ-1'].map(normalForm)).toEqual([
      're-12',
      're-12',
      're-12',
      're-12',
      're-12',
      'be-1',
    ])
    expect(['STRASSE 7', 'Straße 07', 'ﬁ1', 'FI1', 'Ⅳ', 'iv'].map(normalForm)).toEqual([
      'strasse7',
      'strasse7',
      'fi1',
      'fi1',
      'iv',
      'iv',
    ])
  })

  test('leaves apart what reads differently', () => {
    const different = ['A-1', 'A1', 'A/1', 'A.1', '1', '11', '1 1', '10', '100', '1-1', '0', 'O', 'I', 'l', 'é', 'e']
    expect(new Set(different.map(normalForm)).size).toBe(different.length)
    expect([normalForm('0'), normalForm('000'), normalForm('A-0')]).toEqual(['0', '0', 'a-0'])
  })

  test('is nothing for what cannot be seen', () => {
    expect(['\u200b', '\u3164\u00ad', ' . ', '\u2800'].map(normalForm)).toEqual(['', '', '', ''])
  })

  test('is its own normal form', () => {
    for (const text of [
      ...spellings,
      'Ohio  Forge Ltd.',
      'İ-01',
      'ŉ0',
      '. 0 0',
      "0'0",
      '１ ０１',
      '㎏ 07',
      'ͅα',
      '½ 01',
    ])
      expect([text, normalForm(normalForm(text))]).toEqual([text, normalForm(text)])
  })

  test('keeps case and zeros in keys where they count', () => {
    expect(['BR\u201101', 'ＢＲ-01', 'BR-\u200b٠١'].map(visibleForm)).toEqual(['BR-01', 'BR-01', 'BR-01'])
    expect(new Set(['BR-01', 'br-01', 'BR-1'].map(visibleForm)).size).toBe(3)
  })
})

describe('suppliers', () => {
  test('are companies by their slug, their name, or a name they had', () => {
    const names = new SupplierNames([
      { slug: 'ohio-forge', names: ['Ohio Forge Ltd', 'Dayton'] },
      { slug: 'dayton', names: ['Dayton Works'] },
      { slug: 'graz', names: ['Metal'] },
      { slug: 'linz', names: ['METAL.'] },
    ])
    expect(['OHIO-FORGE', 'ohio forge ltd.', 'Dayton', 'dayton works'].map(each => names.find(each))).toEqual([
      'ohio-forge',
      'ohio-forge',
      'dayton',
      'dayton',
    ])
    // A slug comes before a former name; a name of two companies names neither.
    expect([names.find('metal'), names.find('nobody'), names.find('')]).toEqual([null, null, null])
  })
})

describe('a line', () => {
  const of = (words: Partial<NamedLine>): NamedLine => ({
    supplierKey: 'ohio',
    isParty: true,
    number: '4711',
    line: '1',
    agreementId: 'a',
    ...words,
  })
  const isSame = (one: Partial<NamedLine>, other: Partial<NamedLine>): boolean => {
    const identities = new LineIdentities<NamedLine>()
    identities.add(of(one))
    return identities.find(of(other)).length > 0
  }

  test('is the same by supplier, number and line, whichever agreement it names', () => {
    expect(isSame({}, { number: '04711', line: '01' })).toBe(true)
    expect(isSame({}, { agreementId: 'b' })).toBe(true)
    expect(isSame({}, { number: '4712' })).toBe(false)
    expect(isSame({}, { line: '2' })).toBe(false)
  })

  test('of one agreement is told apart by its supplier only if both suppliers are known parties', () => {
    expect(isSame({}, { supplierKey: 'graz' })).toBe(false)
    expect(isSame({}, { supplierKey: 'somebody', isParty: false })).toBe(true)
    expect(isSame({ supplierKey: 'nobody', isParty: false }, {})).toBe(true)
    expect(isSame({ supplierKey: 'nobody', isParty: false }, { supplierKey: 'somebody', isParty: false })).toBe(true)
    expect(isSame({ isParty: false }, { supplierKey: 'somebody', isParty: false, agreementId: 'b' })).toBe(false)
  })
})
