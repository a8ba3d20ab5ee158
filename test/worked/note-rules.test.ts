// The rules of EN 16931 and Peppol that we check ourselves: a note that keeps all of them, and for each rule and field one that breaks it.
import { expect, test } from 'vitest'
import { negate, ofInteger, one, ratio, zero } from '../../src/core/numbers/ratio.ts'
import { readBillingFile } from '../../src/formats/notes/billing-file.ts'
import { billingProfile } from '../../src/formats/notes/billing-profile.ts'
import type { DocumentLine, NoteDocument, TaxGroup } from '../../src/formats/notes/note-document.ts'
import { noteDocument } from '../../src/formats/notes/note-document.ts'
import { formatNote } from '../../src/formats/notes/note-file.ts'
import { brokenRules, noteLacks, standardRules } from '../../src/formats/notes/rules/check-note.ts'
import { peppolRules } from '../../src/formats/notes/rules/peppol-rules.ts'
import type { NoteRule } from '../../src/formats/notes/rules/rule.ts'
import { taxRuleCategories } from '../../src/formats/notes/rules/tax-rules.ts'
import { specimenFile, specimenNote } from '../support/files/note-specimens.ts'

const file = specimenFile('S')

function documentOf(net: '-250.00' | '250.00', source = file): NoteDocument {
  const note = specimenNote(net)
  return noteDocument(note, billingProfile(note.kept, readBillingFile(source), null))
}

type Change = (document: NoteDocument) => Partial<NoteDocument>

const supplier =
  (parts: Partial<NoteDocument['supplier']>): Change =>
  document => ({ supplier: { ...document.supplier, ...parts } })
const buyer =
  (parts: Partial<NoteDocument['supplier']>): Change =>
  document => ({ buyer: { ...document.buyer, ...parts } })
const totals =
  (parts: Partial<NoteDocument['totals']>): Change =>
  document => ({ totals: { ...document.totals, ...parts } })
const lines =
  (parts: Partial<DocumentLine>): Change =>
  document => ({ lines: document.lines.map(line => ({ ...line, ...parts })) })
const taxes =
  (parts: Partial<TaxGroup>): Change =>
  document => ({ taxes: document.taxes.map(tax => ({ ...tax, ...parts })) })
const payment =
  (parts: Partial<NonNullable<NoteDocument['payment']>>): Change =>
  document => ({ payment: { ...document.payment!, ...parts } })

const ofCategory = (category: string) => documentOf('-250.00', specimenFile(category))

const tenth = ratio('0.001')
const noAddress = { street: null, street2: null, city: null, zip: null, region: null, country: null }

/** By rule and field. Taken from the credit note of category S where nothing else is said. */
const specimens: readonly (readonly [rule: string, field: string, change: Change, from?: NoteDocument])[] = [
  ['BR-01', 'customization', () => ({ customization: '' })],
  ['BR-02', 'number', () => ({ number: ' ' })],
  ['BR-03', 'date', () => ({ date: '2024-02-30' })],
  ['BR-04', 'invoiceCode', () => ({ typeCode: '' })],
  ['BR-05', 'currency', () => ({ currency: '' })],
  ['BR-CL-01', 'invoiceCode', () => ({ typeCode: '380' })],
  ['BR-CL-04', 'currency', () => ({ currency: 'QQQ' })],
  ['BR-06', 'supplier.name', supplier({ name: null })],
  ['BR-07', 'buyer.name', buyer({ name: '' })],
  ['BR-08', 'supplier.country', supplier(noAddress)],
  ['BR-09', 'supplier.country', supplier({ country: null })],
  ['BR-10', 'buyer.country', buyer(noAddress)],
  ['BR-11', 'buyer.country', buyer({ country: null })],
  ['BR-62', 'supplier.endpoint', supplier({ endpoint: { scheme: null, id: 'x' } })],
  ['BR-63', 'buyer.endpoint', buyer({ endpoint: { scheme: null, id: 'x' } })],
  ['BR-CO-26', 'supplier.vat', supplier({ vat: null, id: null })],
  ['BR-CO-09', 'supplier.vat', supplier({ vat: 'QQ1' })],
  ['BR-CO-09', 'buyer.vat', buyer({ vat: '12345678' })],
  ['BR-CL-14', 'supplier.country', supplier({ country: 'QQ' })],
  ['BR-CL-14', 'buyer.country', buyer({ country: 'UK' })],
  ['BR-CL-25', 'supplier.endpoint', supplier({ endpoint: { scheme: '1234', id: 'x' } })],
  ['BR-CL-25', 'buyer.endpoint', buyer({ endpoint: { scheme: '9956', id: 'x' } })],
  ['BR-CL-10', 'supplier.identifier', supplier({ identifier: { scheme: '9915', id: 'x' } })],
  ['BR-CL-10', 'buyer.identifier', buyer({ identifier: { scheme: 'EM', id: 'x' } })],
  ['BR-CL-11', 'supplier.id', supplier({ id: { scheme: '9915', id: 'x' } })],
  ['BR-CL-11', 'buyer.id', buyer({ id: { scheme: 'EM', id: 'x' } })],
  ['BR-16', 'lines', () => ({ lines: [] })],
  ['BR-21', 'lines', lines({ id: '' })],
  ['BR-23', 'unitCode', lines({ unit: '' })],
  ['BR-25', 'lines', lines({ item: ' ' })],
  ['BR-27', 'lines', lines({ price: negate(one) })],
  ['BR-CL-23', 'unitCode', lines({ unit: 'pieces' })],
  ['BR-55', 'lines', () => ({ corrected: ['4711', ''] })],
  ['BR-49', 'payment.code', payment({ code: '' })],
  ['BR-CL-16', 'payment.code', payment({ code: '71' })],
  ['BR-61', 'payment.iban', payment({ account: '' })],
  ['BR-CO-25', 'payment.days', () => ({ terms: null, dueDate: null }), documentOf('250.00')],
  ['BR-CO-04', 'tax.category', lines({ category: null })],
  ['BR-47', 'tax.category', taxes({ category: null })],
  ['BR-48', 'tax.rate', taxes({ rate: null })],
  ['BR-CO-17', 'tax.rate', taxes({ amount: ratio('50.01') })],
  ['BR-CO-18', 'tax.category', () => ({ taxes: [] })],
  ['BR-CL-17', 'tax.category', taxes({ category: 'L' })],
  ['BR-CL-22', 'tax.exemptionCode', taxes({ exemptionCode: 'because' })],
  ...taxRuleCategories.flatMap(({ code, name, reason }) => {
    const from = ofCategory(code)
    const other = code === 'O' ? supplier({ vat: 'ATU12345678' }) : supplier({ vat: null, taxNumber: null })
    const both = ['AE', 'K'].includes(code)
    return [
      [`BR-${name}-01`, 'tax.category', taxes({ category: null }), from],
      [`BR-${name}-02`, 'supplier.vat', other, from],
      ...(both ? [[`BR-${name}-02`, 'buyer.vat', buyer({ vat: null, id: null }), from] as const] : []),
      [`BR-${name}-05`, 'tax.rate', lines({ rate: code === 'S' ? zero : one }), from],
      [`BR-${name}-08`, 'lines', taxes({ taxable: one }), from],
      [`BR-${name}-09`, 'tax.rate', taxes({ amount: one }), from],
      [`BR-${name}-10`, 'tax.exemption', taxes({ exemption: reason === 'needed' ? null : 'by law' }), from],
    ] as const
  }),
  ['BR-IC-11', 'lines', () => ({ periodStart: null }), ofCategory('K')],
  ['BR-IC-12', 'buyer.country', () => ({ deliveryCountry: null }), ofCategory('K')],
  [
    'BR-O-11',
    'tax.category',
    ({ taxes: [first] }) => ({ taxes: [first!, { ...first!, category: 'Z' }] }),
    ofCategory('O'),
  ],
  ['BR-O-12', 'tax.category', lines({ category: 'Z' }), ofCategory('O')],
  ['BR-CO-10', 'lines', lines({ amount: one })],
  ['BR-CO-13', 'lines', totals({ exclusive: one })],
  ['BR-CO-14', 'tax.rate', totals({ tax: one })],
  ['BR-CO-15', 'tax.rate', totals({ inclusive: one })],
  ['BR-CO-16', 'lines', totals({ payable: one })],
  ['BR-DEC-09', 'currency', totals({ lines: tenth })],
  ['BR-DEC-12', 'currency', totals({ exclusive: tenth })],
  ['BR-DEC-13', 'currency', totals({ tax: tenth })],
  ['BR-DEC-14', 'currency', totals({ inclusive: tenth })],
  ['BR-DEC-18', 'currency', totals({ payable: tenth })],
  ['BR-DEC-19', 'currency', taxes({ taxable: tenth })],
  ['BR-DEC-20', 'currency', taxes({ amount: tenth })],
  ['BR-DEC-23', 'currency', lines({ amount: tenth })],
  ['PEPPOL-EN16931-R001', 'process', () => ({ process: '' })],
  ['PEPPOL-EN16931-R003', 'buyer.reference', () => ({ buyerReference: null, orderReference: null })],
  ['PEPPOL-EN16931-R004', 'customization', () => ({ customization: 'urn:cen.eu:en16931:2017' })],
  ['PEPPOL-EN16931-R007', 'process', () => ({ process: 'urn:other' })],
  ['PEPPOL-EN16931-R010', 'buyer.endpoint', buyer({ endpoint: null })],
  ['PEPPOL-EN16931-R020', 'supplier.endpoint', supplier({ endpoint: null })],
  ['PEPPOL-EN16931-CL008', 'supplier.endpoint', supplier({ endpoint: { scheme: '1234', id: 'x' } })],
  ['PEPPOL-EN16931-CL008', 'buyer.endpoint', buyer({ endpoint: { scheme: '1234', id: 'x' } })],
  ...(
    [
      ['PEPPOL-COMMON-R040', '0088', '5790000435952'],
      ['PEPPOL-COMMON-R041', '0192', '991825828'],
      ['PEPPOL-COMMON-R043', '0208', '0123456789'],
      ['PEPPOL-COMMON-R049', '0007', '5567321708'],
    ] as const
  ).flatMap(([id, scheme, wrong]) => [
    [id, 'supplier.endpoint', supplier({ endpoint: { scheme, id: wrong } })] as const,
    [id, 'buyer.endpoint', buyer({ identifier: { scheme, id: wrong } })] as const,
  ]),
  ['PEPPOL-EN16931-R061', 'payment.code', payment({ code: '59' })],
  ['PEPPOL-EN16931-R120', 'lines', lines({ quantity: ofInteger(101) })],
  ['PEPPOL-EN16931-R121', 'lines', lines({ per: zero })],
  ['PEPPOL-EN16931-F001', 'date', () => ({ dueDate: '1.10.2024' })],
  ['PEPPOL-EN16931-P0100', 'invoiceCode', () => ({ typeCode: '384' }), documentOf('250.00')],
  ['PEPPOL-EN16931-P0101', 'invoiceCode', () => ({ typeCode: '261' })],
  ...['G', 'O', 'IC', 'AE', 'D', 'F', 'I', 'J'].map(
    (code, i) =>
      [`PEPPOL-EN16931-P0${104 + i}`, 'tax.exemptionCode', taxes({ exemptionCode: `VATEX-EU-${code}` })] as const,
  ),
  ...(
    [
      ['DE-R-001', 'payment.iban', () => ({ payment: null })],
      ['DE-R-002', 'supplier.contact.name', supplier({ contact: null })],
      ['DE-R-003', 'supplier.city', supplier({ city: null })],
      ['DE-R-004', 'supplier.zip', supplier({ zip: null })],
      ['DE-R-005', 'supplier.contact.name', supplier({ contact: { name: null, phone: '1', email: 'a@b' } })],
      ['DE-R-006', 'supplier.contact.phone', supplier({ contact: { name: 'Kim', phone: null, email: 'a@b' } })],
      ['DE-R-007', 'supplier.contact.email', supplier({ contact: { name: 'Kim', phone: '1', email: null } })],
      ['DE-R-008', 'buyer.city', buyer({ city: null })],
      ['DE-R-009', 'buyer.zip', buyer({ zip: null })],
      ['DE-R-015', 'buyer.reference', () => ({ buyerReference: null, orderReference: 'PO-1' })],
    ] as const
  ).map(([id, field, change]) => [id, field, change as Change, german()] as const),
]

function german(): NoteDocument {
  const source = file
    .replaceAll('vat: ATU', 'vat: DE')
    .replace('  country: US', '  country: DE\n  contact: { name: Kim, phone: "1", email: a@b }')
  return documentOf('-250.00', source)
}

const nameOf = ({ id, field }: Pick<NoteRule, 'id' | 'field'>) => `${id} ${field}`

test.each(specimens.map(([id, field, change, from]) => ({ id, field, change, from: from ?? documentOf('-250.00') })))(
  '$id is broken by $field of its specimen',
  ({ id, field, change, from }) => {
    const names = (document: NoteDocument) => brokenRules(document).map(nameOf)
    expect(names(from)).toEqual([])
    expect(names({ ...from, ...change(from) })).toContain(`${id} ${field}`)
  },
)

test('every rule that is checked has a specimen', () => {
  const checked = [...standardRules, ...peppolRules].map(nameOf)
  expect(new Set(specimens.map(([id, field]) => `${id} ${field}`))).toEqual(new Set(checked))
})

test('identifiers with right check digits are taken', () => {
  for (const [scheme, id] of [
    ['0088', '5790000435951'],
    ['0192', '991825827'],
    ['0208', '0123456749'],
    ['0007', '5567321707'],
  ] as const) {
    const document = documentOf('-250.00')
    expect([scheme, brokenRules({ ...document, ...buyer({ endpoint: { scheme, id } })(document) })]).toEqual([
      scheme,
      [],
    ])
  }
})

test('everything that a note lacks is named at once, by field, with the numbers of its rules, and nothing is written', () => {
  const said = readBillingFile('supplier: { country: US }\nbuyer: { name: Graz, endpoint: "9915:b" }\n')
  const note = { ...specimenNote('-250.00'), said }
  const lacks = noteLacks(noteDocument(note, billingProfile(note.kept, said, null)))
  expect(lacks.map(({ field, rules }) => [field, ...rules])).toEqual([
    ['supplier.name', 'BR-06'],
    ['buyer.country', 'BR-10', 'BR-11'],
    ['supplier.vat', 'BR-CO-26'],
    ['tax.category', 'BR-CO-04', 'BR-47'],
    ['tax.rate', 'BR-48'],
    ['buyer.reference', 'PEPPOL-EN16931-R003'],
    ['supplier.endpoint', 'PEPPOL-EN16931-R020'],
  ])
  for (const form of ['ubl', 'cii', 'print'] as const)
    expect(() => formatNote(note, form, null)).toThrow(
      /it needs supplier\.name: the legal name of the supplier \(BR-06\); buyer\.country: .* \(BR-10, BR-11\); supplier\.vat: .* \(BR-CO-26\); .*R020\)$/,
    )
})

test('an amount in thousandths has no place in a note', () => {
  const note = specimenNote('-250.00')
  const said = readBillingFile(file)
  const kuwait = {
    ...note,
    said,
    body: {
      ...note.body,
      currency: 'KWD',
      parts: ['-250.125'],
      lines: note.body.lines.map(line => ({ ...line, amount: '-250.125' })),
    },
  }
  expect(() => formatNote(kuwait, 'ubl', null)).toThrow('BR-DEC-09')
})
