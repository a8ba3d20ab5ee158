import { describe, expect, test } from 'vitest'
import {
  ciiInvoice,
  type Specimen,
  type SpecimenLine,
  ublCreditNote,
  ublInvoice,
} from '../../test/support/files/invoice-specimens.ts'
import type { InvoiceLine } from '../core/invoices/invoice-line.ts'
import { limits } from '../limits.ts'
import { readInvoiceXml } from './invoice-lines.ts'
import { InvoiceXml } from './invoice-xml.ts'

const most = 100

function linesOf(xml: string): readonly InvoiceLine[] {
  const { lines, problems } = readInvoiceXml(xml, most)
  expect(problems).toEqual([])
  return lines
}

function broken(xml: string): string {
  const { lines, problems } = readInvoiceXml(xml, most)
  expect(lines).toEqual([])
  expect(problems).toHaveLength(1)
  return problems[0]!.message
}

const textsOf = (xml: string) => linesOf(xml)[0]!.texts
const problemsOf = (xml: string) => linesOf(xml)[0]!.problems.map(({ field, message }) => `${field}: ${message}`)

const full: Specimen = {
  contract: 'FA-2024-17',
  order: 'PO-9',
  period: ['2024-05-01', '2024-05-31'],
  lines: [
    {
      id: '7',
      quantity: '12.500',
      unit: 'KGM',
      amount: '159.13',
      price: '1273.00',
      base: '100',
      seller: 'BR-100',
      buyer: 'B 17',
    },
  ],
}

describe.each([
  ['UBL', ublInvoice],
  ['CII', ciiInvoice],
])('an invoice in %s', (_name, make) => {
  const one = (line: SpecimenLine, more: Specimen = {}) => make({ ...more, lines: [{ id: '1', ...line }] })

  test('is read with every field, digits as they were sent', () => {
    const [line] = linesOf(make(full))
    expect(line!.problems).toEqual([])
    expect(line!.texts).toEqual({
      invoice: '4711',
      line: '7',
      contractRef: 'FA-2024-17',
      item: 'BR-100',
      quantity: '12.500',
      unit: 'KGM',
      unitPrice: '1273.00',
      per: '100',
      amount: '159.13',
      currency: 'EUR',
      date: '2024-05-10',
      serviceFrom: '2024-05-01',
      serviceTo: '2024-05-31',
      orderDate: '2024-04-20',
      kind: 'INVOICE',
    })
    expect(line!.items).toEqual(['BR-100', 'B 17'])
  })

  test('names its contract by the order if it names no contract', () => {
    expect(textsOf(make({ order: 'PO-9' })).contractRef).toBe('PO-9')
    expect(textsOf(make()).contractRef).toBeNull()
  })

  test('has the period of the line before the one of the document', () => {
    const [first, second] = linesOf(
      make({
        period: ['2024-05-01', '2024-05-31'],
        lines: [
          { id: '1', price: '1', period: ['2024-04-01', '2024-04-30'] },
          { id: '2', price: '1' },
        ],
      }),
    )
    expect([first!.texts.serviceFrom, second!.texts.serviceFrom]).toEqual(['2024-04-01', '2024-05-01'])
  })

  test('may have a negative line, and one with only another item number', () => {
    const line = linesOf(one({ quantity: '-3', amount: '-38.19', price: '12.73', buyer: 'B 17' }))[0]!
    expect([line.texts.quantity, line.texts.amount, line.items]).toEqual(['-3', '-38.19', ['B 17']])
  })

  test('has the amount before allowances and charges, which are listed with it', () => {
    const line = linesOf(
      one({ quantity: '100', price: '12.73', amount: '1258.5', allowances: ['20.00', '-5.505'] }),
    )[0]!
    // 1258.5 + 20.00 − 5.505
    expect(line.texts.amount).toBe('1272.995')
    expect(line.allowances).toEqual([
      { isCharge: false, amount: '20.00' },
      { isCharge: true, amount: '5.505' },
    ])
  })

  test('keeps what is wrong in a cell with its line', () => {
    expect(problemsOf(one({ quantity: 'ten', price: '1,5', amount: '1' }))).toEqual([
      'quantity: quantity must be a decimal number such as 12.40, got "ten"',
      'unitPrice: unit_price must be a decimal number such as 12.40, got "1,5"',
    ])
    expect(problemsOf(one({ quantity: '1' }))).toEqual(['unitPrice: nothing is billed: write unit_price or amount'])
    expect(problemsOf(make({ lines: [{ price: '1' }] }))).toEqual(['line: line is empty'])
    expect(problemsOf(one({ price: '1' }, { issued: '2024-02-30' }))[0]).toMatch(/^date: date must be a day/)
    expect(problemsOf(one({ price: '1', unit: 'KGM', quantity: '1', base: '1', baseUnit: 'TNE' }))).toEqual([
      'per: the quantity is in KGM, but the price is for a quantity in TNE',
    ])
    expect(problemsOf(one({ price: '1', amount: '1', allowances: ['x'] }))).toEqual([
      'amount: an allowance or charge of the line cannot be read',
    ])
  })

  test('is read the same in pieces of any size', () => {
    const xml = make({ ...full, lines: [...full.lines!, { id: '8', price: '1', seller: 'Ö-😀' }] })
    const whole = linesOf(xml)
    for (const size of [1, 7, 64]) {
      const document = new InvoiceXml(most)
      for (let at = 0; at < xml.length; at += size) document.push(xml.slice(at, at + size))
      expect(document.finish().lines).toEqual(whole)
    }
  })

  test('is refused with a DOCTYPE, broken, nested too deep, or with too many lines', () => {
    const xml = make()
    expect(broken(xml.replace('?>\n', '?>\n<!DOCTYPE a [<!ENTITY b "c">]>\n'))).toBe('XML with a DOCTYPE is refused')
    expect(broken(xml.slice(0, -20))).toMatch(/^is not well-formed XML: /)
    expect(broken(xml.replace('4711<', '4711&nbsp;<'))).toMatch(/^is not well-formed XML: /)
    const nested = '<a xmlns="x">'.repeat(limits.invoiceDepth + 1) + '</a>'.repeat(limits.invoiceDepth + 1)
    expect(broken(xml.replace(/<\/[^<]*>\n$/, end => nested + end))).toMatch(/nested more than 64 deep/)
    const attributes = Array.from({ length: limits.invoiceAttributes + 1 }, (_, i) => `a${i}="1"`).join(' ')
    expect(broken(xml.replace(/<\/[^<]*>\n$/, end => `<b ${attributes}/>${end}`))).toMatch(/more than 200 attributes/)
    expect(broken(xml.replace(/<\/[^<]*>\n$/, end => `<!--${'x'.repeat(2_000_000)}-->${end}`))).toMatch(/is too long/)
    const lines = Array.from({ length: most + 1 }, (_, i) => ({ id: `${i}`, price: '1' }))
    expect(broken(make({ lines }))).toBe('there are more than 100 lines')
    expect(linesOf(make({ lines: lines.slice(1) }))).toHaveLength(most)
    expect(broken(make({ lines: [] }))).toBe('has no lines')
  })

  test('says where it is broken', () => {
    const xml = make().split('\n')
    xml[4] += '<'
    expect(readInvoiceXml(xml.join('\n'), most).problems[0]).toMatchObject({ line: 6, column: '', pointer: null })
  })
})

describe('a credit note', () => {
  const lines = [
    { id: '1', quantity: '100', price: '12.73', amount: '1273.00' },
    { id: '2', quantity: '-2', price: '12.73', amount: '-25.46' },
    { id: '3', quantity: '0', price: '12.73', amount: '0.00' },
  ]
  const signs = (xml: string) => linesOf(xml).map(({ texts, kind }) => [texts.quantity, texts.amount, kind].join(' '))
  const turned = ['-100 -1273.00 CREDIT_NOTE', '2 25.46 CREDIT_NOTE', '0 0.00 CREDIT_NOTE']

  test('has quantities and amounts with the opposite sign, in UBL and in CII', () => {
    expect(signs(ublCreditNote({ lines }))).toEqual(turned)
    expect(signs(ciiInvoice({ lines, typeCode: '381' }))).toEqual(turned)
    expect(signs(ciiInvoice({ lines, typeCode: '384' }))[0]).toBe('100 1273.00 INVOICE')
    expect(signs(ublInvoice({ lines, typeCode: '383' }))[0]).toBe('100 1273.00 DEBIT_NOTE')
  })

  test('has allowances with the opposite sign, like its amount', () => {
    const [line] = linesOf(ublCreditNote({ lines: [{ id: '1', price: '1', amount: '90.00', allowances: ['10.00'] }] }))
    expect(line!.texts.amount).toBe('-100.00')
  })
})

describe('what looks like an invoice', () => {
  test('is refused if its root has another name or namespace', () => {
    expect(broken('<a/>')).toBe('must be a UBL 2.1 Invoice or CreditNote or a CII invoice, got <a>')
    expect(broken('<Invoice xmlns="urn:other"><ID>1</ID></Invoice>')).toMatch(/^must be a UBL 2.1 Invoice/)
    expect(broken('')).toMatch(/well-formed|empty/)
    expect(broken(ublInvoice().replace('<cbc:ID>4711</cbc:ID>\n', ''))).toBe('has no invoice number')
  })

  test('is refused if the invoice number occurs twice', () => {
    const twice = ublInvoice().replace('<cbc:ID>4711</cbc:ID>', '<cbc:ID>4711</cbc:ID><cbc:ID>4712</cbc:ID>')
    expect(broken(twice)).toBe('<ID> occurs twice')
  })

  test('has a problem in the line if an amount occurs twice there, or in another currency', () => {
    const line = '<cbc:LineExtensionAmount currencyID="EUR">1273.00</cbc:LineExtensionAmount>\n<cac:Order'
    const twice = ublInvoice().replace(line, `${line.replace('\n<cac:Order', '').repeat(2)}\n<cac:Order`)
    expect(problemsOf(twice)).toEqual(['amount: amount occurs twice in this line'])
    const mixed = ublInvoice().replace(line, line.replace('EUR', 'USD'))
    expect(problemsOf(mixed)).toEqual(['currency: the invoice is in EUR, but the line in USD'])
  })

  test('may write days with a zone and decimals without a zero', () => {
    const texts = textsOf(ublInvoice({ issued: '2024-05-10+02:00', lines: [{ id: '1', price: '.5', amount: '5.' }] }))
    expect([texts.date, texts.unitPrice, texts.amount]).toEqual(['2024-05-10', '0.5', '5'])
    const spaced = ublInvoice().replace('>12.73<', '>\n 12.73 <').replace('>100<', '><![CDATA[100]]><')
    expect([textsOf(spaced).unitPrice, textsOf(spaced).quantity]).toEqual(['12.73', '100'])
  })
})
