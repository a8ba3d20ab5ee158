// Documents of corrections as files: elements in the order of UBL 2.1, prices that are never negative, lines that come to their
// amounts, totals that add up; and our own reader of invoices reads them back with the same money.
import { SaxesParser } from 'saxes'
import { describe, expect, it } from 'vitest'
import type { CorrectedLine, CorrectionBody } from '../../src/core/correction-body.ts'
import { ratio, subtract, sum, writeFixed } from '../../src/core/ratio.ts'
import { readBillingProfile } from '../../src/formats/notes/billing-profile.ts'
import { type Note, noteLines } from '../../src/formats/notes/note-lines.ts'
import { writeNoteUbl } from '../../src/formats/notes/note-ubl.ts'
import { readInvoiceBytes } from '../../src/import/invoice-lines.ts'

const profile = readBillingProfile(
  'supplier: { name: Ohio & Sons, country: US, endpoint: "0088:123" }\nbuyer: { name: Graz, country: AT, vat: ATU1, city: Graz }\ntax: { category: S, rate: 20 }\n',
)

type LineWords = readonly [invoice: string, item: string, quantity: string, before: string, after: string]

function lineOf([invoice, item, quantity, priceBefore, priceAfter]: LineWords, i: number): CorrectedLine {
  const cents = (price: string) =>
    Math.sign(+quantity) * Math.round((Math.abs(+quantity) * Math.round(+price * 1000)) / 10)
  const [before, after] = [cents(priceBefore), cents(priceAfter)]
  const money = (units: number) => (units / 100).toFixed(2)
  return {
    supplier: 'ohio',
    invoice,
    line: `${i + 1}`,
    item,
    period: '2024-Q2',
    quantity,
    shares: [{ period: '2024-Q2', days: 1, per: '1', priceBefore, priceAfter }],
    amountBefore: money(before),
    amountAfter: money(after),
    amount: money(after - before),
  }
}

function noteOf(words: readonly LineWords[], more: Partial<CorrectionBody> = {}): Note {
  const lines = words.map(lineOf)
  const net = writeFixed(sum(lines.map(({ amount }) => ratio(amount))), 2)
  const body = { pam: 'brackets', currency: 'EUR', net, lines, settle: 'NOTE', parts: [net], ...more } as CorrectionBody
  return { correctionId: 'cor_x', number: 'CN-1', date: '2024-09-01', part: 1, body }
}

/** Every element with the names of its children in their order. */
function childrenOf(xml: string): { readonly name: string; readonly children: string[] }[] {
  const all: { name: string; children: string[] }[] = []
  const open: { name: string; children: string[] }[] = []
  const parser = new SaxesParser()
  parser.on('opentag', ({ name }) => {
    const element = { name, children: [] }
    open.at(-1)?.children.push(name.replace(/^c[ab]c:/, ''))
    open.push(element)
    all.push(element)
  })
  parser.on('closetag', () => void open.pop())
  parser.write(xml).close()
  return all
}

/** What the schemas of UBL 2.1 say about the order, for the elements that are written. */
const order: Readonly<Record<string, readonly string[]>> = {
  CreditNote: [
    ...['CustomizationID', 'ProfileID', 'ID', 'IssueDate', 'CreditNoteTypeCode', 'Note', 'DocumentCurrencyCode'],
    ...['BillingReference', 'AccountingSupplierParty', 'AccountingCustomerParty', 'TaxTotal', 'LegalMonetaryTotal'],
    'CreditNoteLine',
  ],
  Invoice: [
    ...['CustomizationID', 'ProfileID', 'ID', 'IssueDate', 'InvoiceTypeCode', 'Note', 'DocumentCurrencyCode'],
    ...['BillingReference', 'AccountingSupplierParty', 'AccountingCustomerParty', 'TaxTotal', 'LegalMonetaryTotal'],
    'InvoiceLine',
  ],
  'cac:Party': ['EndpointID', 'PartyName', 'PostalAddress', 'PartyTaxScheme', 'PartyLegalEntity'],
  'cac:PostalAddress': ['StreetName', 'CityName', 'PostalZone', 'Country'],
  'cac:TaxSubtotal': ['TaxableAmount', 'TaxAmount', 'TaxCategory'],
  'cac:TaxCategory': ['ID', 'Percent', 'TaxExemptionReason', 'TaxScheme'],
  'cac:LegalMonetaryTotal': ['LineExtensionAmount', 'TaxExclusiveAmount', 'TaxInclusiveAmount', 'PayableAmount'],
  'cac:CreditNoteLine': ['ID', 'CreditedQuantity', 'LineExtensionAmount', 'Item', 'Price'],
  'cac:InvoiceLine': ['ID', 'InvoicedQuantity', 'LineExtensionAmount', 'Item', 'Price'],
  'cac:Item': ['Description', 'Name', 'SellersItemIdentification', 'ClassifiedTaxCategory'],
  'cac:Price': ['PriceAmount', 'BaseQuantity'],
}

const down: readonly LineWords[] = [
  ['4711', 'A', '100', '106.00', '103.50'],
  ['4712', 'A', '3', '106.00', '103.50'],
  ['4713', 'B', '7', '10.00', '10.40'],
  ['4714', 'A', '-10', '106.00', '103.50'],
]
const up = down.map(([invoice, item, quantity, before, after]): LineWords => [invoice, item, quantity, after, before])

describe.each([
  ['a credit note', 'CreditNote', down],
  ['an invoice', 'Invoice', up],
] as const)('%s', (_, root, words) => {
  const note = noteOf(words)
  const xml = writeNoteUbl(note, profile)

  it('has its elements in the order of the schemas', () => {
    const elements = childrenOf(xml)
    expect(elements[0]!.name).toBe(root)
    const wrong = elements.flatMap(({ name, children }) => {
      const known = order[name]
      if (known === undefined) return []
      const places = children.map(child => known.indexOf(child))
      return places.every((place, i) => place >= 0 && (i === 0 || place >= places[i - 1]!)) ? [] : [[name, children]]
    })
    expect(wrong).toEqual([])
  })

  it('refers to each corrected invoice once, and has no negative price', () => {
    expect([...xml.matchAll(/<cac:InvoiceDocumentReference><cbc:ID>(\d+)</g)].map(([, id]) => id)).toEqual([
      ...['4711', '4712', '4713', '4714'],
    ])
    expect(xml).not.toMatch(/PriceAmount[^>]*>-/)
    expect(xml).toContain('Ohio &amp; Sons')
  })

  it('is read back by our own reader with the same money', () => {
    const { lines, problems } = readInvoiceBytes('xml', Buffer.from(xml), 100)
    expect(problems).toEqual([])
    const amounts = lines.map(({ amount }) => amount!)
    expect(writeFixed(sum(amounts), 2)).toBe(note.body.net)
    for (const { quantity, price, per, amount } of noteLines(note)) {
      const apart = subtract({ n: quantity.n * price.n * per.d, d: quantity.d * price.d * per.n }, amount)
      expect(Math.abs(Number(apart.n) / Number(apart.d))).toBeLessThanOrEqual(0.02)
    }
  })
})

describe('the lines of a note', () => {
  it('are joined by item and period where one quantity and one price give the amount', () => {
    expect(noteLines(noteOf(down)).map(({ item, amount }) => `${item} ${writeFixed(amount, 2)}`)).toEqual([
      'A -232.50',
      'B 2.80',
    ])
  })

  it('stay apart where the cents of many lines would not add up', () => {
    const many = Array.from({ length: 9 }, (_, i): LineWords => [`${i}`, 'A', '1', '0.004', '0.006'])
    expect(noteLines(noteOf(many))).toHaveLength(9)
  })

  it('are one line for a part of an amount that is spread', () => {
    const note = noteOf(down, { settle: 'SPREAD', parts: ['-100.00', '-129.70'] })
    expect(noteLines({ ...note, part: 2 }).map(({ amount, text }) => [writeFixed(amount, 2), text])).toEqual([
      ['-129.70', 'part 2 of 2 of correction cor_x'],
    ])
  })
})
