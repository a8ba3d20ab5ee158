// Documents of corrections as files: elements in the order of UBL 2.1, prices that are never negative, lines that come to their
// amounts, totals that add up; and our own reader of invoices reads them back with the same money.
import { SaxesParser } from 'saxes'
import { describe, expect, test } from 'vitest'
import { formatFixed, ratio, subtract, sum } from '../../src/core/numbers/ratio.ts'
import type { CorrectedLine, CorrectionBody } from '../../src/core/true-up/correction-body.ts'
import { readBillingFile } from '../../src/formats/notes/billing-file.ts'
import { billingProfile } from '../../src/formats/notes/billing-profile.ts'
import { noteDocument } from '../../src/formats/notes/note-document.ts'
import { type Note, noteLines } from '../../src/formats/notes/note-lines.ts'
import { formatNoteUbl } from '../../src/formats/notes/note-ubl.ts'
import { enWords } from '../../src/formats/print/words-en.ts'
import { readInvoiceBytes } from '../../src/import/invoice-lines.ts'

const nobody = { name: null, details: {} }

function ublOf(note: Note, file: string): string {
  const profile = billingProfile({ supplier: nobody, buyer: nobody }, readBillingFile(file), null)
  return formatNoteUbl(noteDocument(note, profile))
}

const usual =
  'supplier: { name: Ohio & Sons, country: US, endpoint: "0088:123" }\nbuyer: { name: Graz, country: AT, vat: ATU1, city: Graz }\ntax: { category: S, rate: 20 }\n'

const least =
  'supplier: { name: Ohio, country: US }\nbuyer: { name: Graz, country: AT }\ntax: { category: S, rate: 20 }\n'
const party = [
  'street: "1 Main St", street2: "2nd floor", city: Here, zip: "8010", region: There, vat: AT1, id: "0002:R1"',
  'identifier: "0088:2", endpoint: "0088:1", contact: { name: Kim, phone: "+1 2", email: "kim@example.com" }',
].join(', ')
const most = `supplier: { name: Ohio, country: US, taxNumber: "12", ${party} }
buyer: { name: Graz, country: AT, reference: R-7, order: PO-1, ${party} }
payment: { iban: AT611904300234573201, bic: ABCDATWW, holder: Ohio, days: 30, terms: net }
tax: { category: K, rate: 0, exemption: by law, exemptionCode: VATEX-EU-IC }
`

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
  const net = formatFixed(sum(lines.map(({ amount }) => ratio(amount))), 2)
  const periods = [{ period: '2024-Q2', adjustmentDate: '2024-04-01' }]
  const body = {
    pam: 'brackets',
    currency: 'EUR',
    net,
    lines,
    settle: 'NOTE',
    parts: [net],
    periods,
    ...more,
  } as CorrectionBody
  return { correctionId: 'cor_x', number: 'CN-1', date: '2024-09-01', part: 1, body }
}

interface Found {
  readonly name: string
  readonly children: string[]
  readonly attributes: Readonly<Record<string, string>>
  content: string
}

const schemas = 'urn:oasis:names:specification:ubl:schema:xsd:'

/** `cbc:` or `cac:` by its namespace, not by the prefix in the file; a document has neither, and is in a namespace of its name. */
function nameOf(uri: string, local: string): string {
  if (uri === `${schemas}CommonBasicComponents-2`) return `cbc:${local}`
  if (uri === `${schemas}CommonAggregateComponents-2`) return `cac:${local}`
  return uri === `${schemas}${local}-2` ? local : `${uri} ${local}`
}

/** Every element with the names of its children in their order, its attributes and its text. */
function elementsOf(xml: string): readonly Found[] {
  const all: Found[] = []
  const open: Found[] = []
  const parser = new SaxesParser({ xmlns: true })
  parser.on('opentag', ({ uri, local, attributes }) => {
    const own = Object.values(attributes).filter(({ name }) => !/^xmlns(?::|$)/.test(name))
    const element: Found = {
      name: nameOf(uri, local),
      children: [],
      attributes: Object.fromEntries(own.map(({ name, value }) => [name, value])),
      content: '',
    }
    open.at(-1)?.children.push(local)
    open.push(element)
    all.push(element)
  })
  parser.on('text', text => {
    const element = open.at(-1)
    if (element !== undefined) element.content += text
  })
  parser.on('closetag', () => void open.pop())
  parser.write(xml).close()
  return all
}

const document = (typeCode: string, line: string) => [
  'CustomizationID?',
  'ProfileID?',
  'ID',
  'IssueDate',
  ...(typeCode === 'InvoiceTypeCode' ? ['DueDate?'] : []),
  `${typeCode}?`,
  'Note*',
  'DocumentCurrencyCode?',
  'BuyerReference?',
  'InvoicePeriod*',
  'OrderReference?',
  'BillingReference*',
  'AccountingSupplierParty',
  'AccountingCustomerParty',
  'Delivery*',
  'PaymentMeans*',
  'PaymentTerms*',
  'TaxTotal*',
  'LegalMonetaryTotal',
  `${line}+`,
]

/**
 * What the schemas of UBL 2.1 say about the elements that are written: their children in order, each once, or `?` at most once,
 * `*` any number, `+` at least once. Children that we never write are left out. An element that is not here has text and no children.
 */
const parts: Readonly<Record<string, readonly string[]>> = {
  CreditNote: document('CreditNoteTypeCode', 'CreditNoteLine'),
  Invoice: document('InvoiceTypeCode', 'InvoiceLine'),
  'cac:BillingReference': ['InvoiceDocumentReference?'],
  'cac:InvoiceDocumentReference': ['ID'],
  'cac:AccountingSupplierParty': ['Party?'],
  'cac:AccountingCustomerParty': ['Party?'],
  'cac:InvoicePeriod': ['StartDate?'],
  'cac:OrderReference': ['ID'],
  'cac:Party': [
    'EndpointID?',
    'PartyIdentification*',
    'PartyName*',
    'PostalAddress?',
    'PartyTaxScheme*',
    'PartyLegalEntity*',
    'Contact?',
  ],
  'cac:PartyIdentification': ['ID'],
  'cac:PartyName': ['Name'],
  'cac:PostalAddress': [
    'StreetName?',
    'AdditionalStreetName?',
    'CityName?',
    'PostalZone?',
    'CountrySubentity?',
    'Country?',
  ],
  'cac:Contact': ['Name?', 'Telephone?', 'ElectronicMail?'],
  'cac:Delivery': ['DeliveryLocation?'],
  'cac:DeliveryLocation': ['Address?'],
  'cac:Address': ['Country?'],
  'cac:PaymentMeans': ['PaymentMeansCode', 'PaymentID*', 'PayeeFinancialAccount?'],
  'cac:PayeeFinancialAccount': ['ID?', 'Name?', 'FinancialInstitutionBranch?'],
  'cac:FinancialInstitutionBranch': ['ID?'],
  'cac:PaymentTerms': ['Note*'],
  'cac:Country': ['IdentificationCode?'],
  'cac:PartyTaxScheme': ['CompanyID?', 'TaxScheme'],
  'cac:PartyLegalEntity': ['RegistrationName?', 'CompanyID?'],
  'cac:TaxScheme': ['ID?'],
  'cac:TaxTotal': ['TaxAmount', 'TaxSubtotal*'],
  'cac:TaxSubtotal': ['TaxableAmount?', 'TaxAmount', 'TaxCategory'],
  'cac:TaxCategory': ['ID?', 'Percent?', 'TaxExemptionReasonCode?', 'TaxExemptionReason*', 'TaxScheme'],
  'cac:ClassifiedTaxCategory': ['ID?', 'Percent?', 'TaxScheme'],
  'cac:LegalMonetaryTotal': ['LineExtensionAmount?', 'TaxExclusiveAmount?', 'TaxInclusiveAmount?', 'PayableAmount'],
  'cac:CreditNoteLine': ['ID', 'CreditedQuantity?', 'LineExtensionAmount?', 'Item?', 'Price?'],
  'cac:InvoiceLine': ['ID', 'InvoicedQuantity?', 'LineExtensionAmount', 'Item', 'Price?'],
  'cac:Item': ['Description*', 'Name?', 'SellersItemIdentification?', 'ClassifiedTaxCategory*'],
  'cac:SellersItemIdentification': ['ID'],
  'cac:Price': ['PriceAmount', 'BaseQuantity?'],
}

const decimal = /^-?\d+(?:\.\d+)?$/

/** What the types of UBL 2.1 say about elements with text: its form, and the attributes we write with it. */
const leaves: readonly (readonly [name: RegExp, content: RegExp, attributes: readonly string[]])[] = [
  [/Amount$/, decimal, ['currencyID']],
  [/Quantity$/, decimal, ['unitCode']],
  [/^cbc:Percent$/, decimal, []],
  [/Date$/, /^\d{4}-\d{2}-\d{2}$/, []],
  [/^cbc:EndpointID$/, /\S/, ['schemeID']],
  // Some identifiers have a scheme.
  [/^cbc:(?:ID|CompanyID)$/, /\S/, ['schemeID?']],
  [/./, /\S/, []],
]

function hasAttributes(attributes: Found['attributes'], wanted: readonly string[]): boolean {
  const names = Object.keys(attributes).join(' ')
  return new RegExp(
    `^${wanted.map(each => (each.endsWith('?') ? `(?:${each.slice(0, -1)})?` : each)).join(' ')}$`,
  ).test(names)
}

/** What breaks the rules above. */
function problemsOf(xml: string): readonly string[] {
  return elementsOf(xml).flatMap(({ name, children, attributes, content }) => {
    const rule = parts[name]
    if (rule !== undefined) {
      const pattern = rule.map(each => `(?:${each.replace(/[?*+]$/, '')} )${/[?*+]$/.exec(each)?.[0] ?? ''}`).join('')
      const isRight = new RegExp(`^${pattern}$`).test(children.map(child => `${child} `).join(''))
      const isPlain = content.trim() === '' && Object.keys(attributes).length === 0
      return isRight && isPlain ? [] : [`${name} ${JSON.stringify(attributes)}: ${children.join(' ')}`]
    }
    const [, form, wanted] = leaves.find(([leaf]) => leaf.test(name))!
    const isRight = children.length === 0 && form.test(content) && hasAttributes(attributes, wanted)
    return isRight && name.startsWith('cbc:') ? [] : [`${name} ${JSON.stringify(attributes)}: ${content}`]
  })
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
  const xml = ublOf(note, usual)

  test('has the elements, the order, the numbers and the attributes of the schemas', () => {
    expect(elementsOf(xml)[0]!.name).toBe(root)
    expect(problemsOf(xml)).toEqual([])
    // The check finds what is wrong.
    for (const [from, to] of [
      [/<cbc:ID>CN-1<\/cbc:ID>/, ''],
      [/(<cbc:Name>.*?<\/cbc:Name>)(<cac:SellersItemIdentification>.*?<\/cac:SellersItemIdentification>)/, '$2$1'],
      [/ currencyID="EUR"/, ''],
      [/(<cbc:PriceAmount[^>]*>)/, '$1 1,'],
      [/<cac:TaxScheme>.*?<\/cac:TaxScheme>/, ''],
      [/<cbc:Note>/, '<cbc:Note languageID="en">'],
      [/<cac:Party>/, '<cac:Party id="1">'],
      [/CommonBasicComponents-2/, 'CommonBasicComponents-1'],
      [/xsd:(?:CreditNote|Invoice)-2/, 'xsd:DebitNote-2'],
      [/<(\/?)cac:Item>/g, '<$1Item>'],
    ] as const)
      expect([from, problemsOf(xml.replace(from, to)).length]).not.toEqual([from, 0])
  })

  test('is right with the least and with the most that a profile can say', () => {
    expect(problemsOf(ublOf(note, least))).toEqual([])
    const full = ublOf(note, most)
    expect(problemsOf(full)).toEqual([])
    // Nothing in the table is there without being written.
    for (const [name, found] of Map.groupBy(elementsOf(full), each => each.name)) {
      const written = new Set(found.flatMap(({ children }) => children))
      expect([name, [...written]]).toEqual([name, (parts[name] ?? []).map(each => each.replace(/[?*+]$/, ''))])
    }
  })

  test('adds up: lines make the net, net and tax the total, and the tax its rate', () => {
    const amounts = (name: string) =>
      elementsOf(xml)
        .filter(each => each.name === `cbc:${name}`)
        .map(({ content }) => ratio(content))
    const [net, ...lines] = amounts('LineExtensionAmount')
    expect(formatFixed(sum(lines), 2)).toBe(formatFixed(net!, 2))
    const [tax, ofCategory] = amounts('TaxAmount')
    expect(ofCategory).toEqual(tax)
    expect(Math.abs(Number(tax!.n * 5n * net!.d - net!.n * tax!.d))).toBeLessThanOrEqual(Number(net!.d * tax!.d) / 40)
    for (const [name, total] of [
      ['TaxExclusiveAmount', net!],
      ['TaxableAmount', net!],
      ['TaxInclusiveAmount', sum([net!, tax!])],
      ['PayableAmount', sum([net!, tax!])],
    ] as const)
      expect([name, amounts(name).map(amount => formatFixed(amount, 2))]).toEqual([name, [formatFixed(total, 2)]])
  })

  test('refers to each corrected invoice once, and has no negative price', () => {
    expect([...xml.matchAll(/<cac:InvoiceDocumentReference><cbc:ID>(\d+)</g)].map(([, id]) => id)).toEqual([
      '4711',
      '4712',
      '4713',
      '4714',
    ])
    expect(xml).not.toMatch(/PriceAmount[^>]*>-/)
    expect(xml).toContain('Ohio &amp; Sons')
  })

  test('is read back by our own reader with the same money', () => {
    const { lines, problems } = readInvoiceBytes('xml', Buffer.from(xml), 100)
    expect(problems).toEqual([])
    const amounts = lines.map(({ amount }) => amount!)
    expect(formatFixed(sum(amounts), 2)).toBe(note.body.net)
    for (const { quantity, price, per, amount } of noteLines(note)) {
      const apart = subtract({ n: quantity.n * price.n * per.d, d: quantity.d * price.d * per.n }, amount)
      expect(Math.abs(Number(apart.n) / Number(apart.d))).toBeLessThanOrEqual(0.02)
    }
  })
})

describe('what a schema would refuse', () => {
  test('a tax rate that is no decimal is refused with the profile', () => {
    expect(() => readBillingFile(least.replace('rate: 20', 'rate: 25/3'))).toThrow(
      'tax.rate must be a decimal number from 0 to 100, got "25/3"',
    )
    expect(ublOf(noteOf(down), least.replace('rate: 20', 'rate: 15/2'))).toContain('<cbc:Percent>7.5</cbc:Percent>')
  })

  test('characters that XML does not allow are left out', () => {
    const xml = ublOf(noteOf([['4711', 'A\u0001\ufffe\uffffB', '1', '2.00', '1.00']]), usual)
    expect(xml).toContain('<cbc:Name>AB</cbc:Name>')
    expect(problemsOf(xml)).toEqual([])
  })
})

describe('the lines of a note', () => {
  test('are joined by item and period where one quantity and one price give the amount', () => {
    expect(noteLines(noteOf(down)).map(({ item, amount }) => `${item} ${formatFixed(amount, 2)}`)).toEqual([
      'A -232.50',
      'B 2.80',
    ])
  })

  test('stay apart where the cents of many lines would not add up', () => {
    const many = Array.from({ length: 9 }, (_, i): LineWords => [`${i}`, 'A', '1', '0.004', '0.006'])
    expect(noteLines(noteOf(many))).toHaveLength(9)
  })

  test('are one line for a part of an amount that is spread', () => {
    const note = noteOf(down, { settle: 'SPREAD', parts: ['-100.00', '-129.70'] })
    expect(
      noteLines({ ...note, part: 2 }).map(({ amount, said }) => [formatFixed(amount, 2), enWords.lineText(said)]),
    ).toEqual([['-129.70', 'Part 2 of 2 of correction cor_x']])
  })
})
