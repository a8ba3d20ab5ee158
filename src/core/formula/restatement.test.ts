import { describe, expect, test } from 'vitest'
import { bracketsDocument } from '../../../test/support/agreements/brackets.ts'
import { canonicalJson } from '../text/canonical-json.ts'
import { calculatingPart } from './canonical.ts'
import { checkDocument } from './check/check.ts'
import { restate } from './restatement.ts'

const text = bracketsDocument({ more: 'parties: { supplier: [sam@supplier.test] }\n' })
const formula = checkDocument(text).formula!

describe('a document with its current descriptions', () => {
  test('is exactly the same text if nothing changed', () => {
    expect(restate(text, formula)).toBe(text)
  })

  test('takes over name, description, status and parties, and leaves the formula and its comments alone', () => {
    const now = {
      name: 'Brackets: "new" # name',
      description: 'Two\nlines',
      status: 'SUSPENDED' as const,
      parties: { buyer: ['ann@buyer.test'], supplier: null },
      billing: { references: ['FA-17', 'a: "b" # c'], priceDate: 'ORDER' as const, prorate: 'DAYS' as const },
    }
    const again = restate(text, now)
    const checked = checkDocument(again)
    expect(checked.formula).toMatchObject(now)
    expect(again).toContain('# the contract of May 2023')
    expect(again).toContain('amount: 12.40,')
    const part = (document: string) => canonicalJson(calculatingPart(checkDocument(document).document))
    expect(part(again)).toBe(part(text))
  })

  test('takes over the ways to sign, in the one order that counts', () => {
    const written = bracketsDocument({ more: 'parties: { signWith: [password, passkey] }\n' })
    const { parties } = checkDocument(written).formula!
    expect(parties.signWith).toEqual(['passkey', 'password'])
    const stricter = { ...formula, parties: { ...formula.parties, signWith: ['passkey'] as const } }
    expect(checkDocument(restate(written, stricter)).formula?.parties).toEqual(stricter.parties)
    expect(checkDocument(restate(written, formula)).formula?.parties).toEqual(formula.parties)
  })

  test('removes what is no longer there', () => {
    const now = { ...formula, description: '', parties: { buyer: null, supplier: null } }
    const billed = text.replace(
      '  price:',
      '  references: [FA-17] # as of May\n  priceDate: ORDER\n  prorate: DAYS\n  price:',
    )
    expect(checkDocument(billed).formula?.billing).toMatchObject({ references: ['FA-17'], prorate: 'DAYS' })
    const again = restate(billed, now)
    for (const gone of ['parties', 'description', 'references', 'priceDate', 'prorate'])
      expect(again).not.toContain(gone)
    expect(checkDocument(again).formula).toMatchObject({ description: '', parties: { buyer: null, supplier: null } })
  })

  test('works on JSON too', () => {
    const json = JSON.stringify(checkDocument(text).document)
    const billing = { references: ['FA-17'], priceDate: 'INVOICE' as const, prorate: 'DAYS' as const }
    const again = checkDocument(restate(json, { ...formula, status: 'ARCHIVED', billing }))
    expect(again.formula).toMatchObject({ status: 'ARCHIVED', billing })
  })
})
