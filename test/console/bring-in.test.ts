// One way for every kind of file: it is recognised by its columns, read by a layout that is remembered, shown with what it would
// change, and imported as a whole; who may do what of it.
import { beforeAll, describe, expect, test } from 'vitest'
import type { ImportEnd, InvoiceResult, TableLook, TableResult } from '../../src/views/shapes/imports.ts'
import { ublInvoice } from '../support/files/invoice-specimens.ts'
import type { Browser } from '../support/houses/console.ts'
import { linesOf } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'
import { pricedDocument, steelPrices } from '../support/houses/price-house.ts'

const house = consoleHouse()

beforeAll(async () => {
  const { tenant } = house
  await tenant.import(steelPrices)
  await tenant.apply(pricedDocument())
})

async function send<End = ImportEnd>(
  content: string,
  query: Readonly<Record<string, string>>,
  as: Browser = house.as.editor,
): Promise<End> {
  const reply = await as.upload(`/import?${new URLSearchParams({ file: 'a.csv', mode: 'preview', ...query })}`, content)
  expect(reply.status, reply.text).toBe(200)
  return linesOf<End>(reply).at(-1)!
}

const activities = () =>
  house.api.owner<{ who: string; what: string; subject: string }[]>`
    select who, what, subject from activity where workspace_id = ${house.tenant.id} order by id`

describe('a file', () => {
  test('is recognised by its columns, whatever system they are from, and by hand where they mislead', async () => {
    const kinds: string[] = []
    for (const content of [
      'series,period,value\nCUSTOM/steel,2024-12,111\n',
      'Monat;Preis Schrott\n2024-01;1,5\n2024-02;1,6\n',
      'invoice,line,unit_price\n1,1,1\n',
      'Rechnungsnr.;Pos.;Artikel;Menge;Einzelpreis;Rechnungsdatum\n1;1;BR-100;5;12,40;10.05.2024\n',
      'item,price,currency\nBR-100,12.40,EUR\n',
      'Preisliste 2024\n\nMaterial;Preis;Währung\nBR-100;12,40;EUR\n',
      'agreement,item,period,quantity\nsteel-brackets,,2024-Q2,100\n',
      'unit,other,factor\nKGM,TNE,0.001\n',
    ]) {
      const end = await send(content, {})
      kinds.push('kind' in end ? end.kind : end.stage)
    }
    expect(kinds).toEqual([
      'observations',
      'observations',
      'invoices',
      'invoices',
      'prices',
      'prices',
      'quantities',
      'units',
    ])
    expect(await send(ublInvoice(), { file: 'a.xml' })).toMatchObject({ kind: 'invoices', summary: { lines: 1 } })
    const byHand = await send('a,b\n1,2\n', { kind: 'quantities' })
    expect(byHand).toMatchObject({ stage: 'look', kind: 'quantities', layout: { columns: ['ignore', 'ignore'] } })
  })

  test('is asked only for what no column of it says', async () => {
    const lacks = async (content: string, query = {}) => (await send(content, query)).lacks
    const agreement = 'steel-brackets'
    expect(await lacks('item,price,currency,unit\nBR-100,12.40,EUR,piece\n', { kind: 'prices', agreement })).toEqual([])
    expect(await lacks('item,price,currency\nBR-100,12.40,EUR\n', { kind: 'prices', agreement })).toEqual(['unit'])
    expect(await lacks('Material;Preis;Währung\nBR-100;12,40;EUR\n')).toEqual(['unit'])
    expect(await lacks('Material;Preis\nBR-100;12,40\n', { currency: 'EUR' })).toEqual(['currency', 'unit'])
    expect(await lacks('invoice,line,agreement,unit_price\n1,1,steel-brackets,1\n')).toEqual(['supplier', 'currency'])
    expect(await lacks(ublInvoice(), { file: 'a.xml' })).toEqual([])
  })

  test('is previewed and imported by owners and editors; everybody else may check invoices', async () => {
    const units = 'unit,other,factor\nbox,piece,12\n'
    for (const role of ['buyer', 'supplier', 'viewer'] as const) {
      const refused = await house.as[role].upload('/import?file=a.csv&mode=preview', units)
      expect(linesOf<{ error?: string }>(refused).at(-1)!.error ?? refused.text).toContain('your role cannot')
      expect((await house.as[role].upload('/import?file=a.csv&mode=import&kind=units', units)).status).toBe(403)
      const lines = 'invoice,line,agreement,quantity,unit_price,date\n1,1,steel-brackets,1,12.69,2024-05-10\n'
      const checked = await send<InvoiceResult>(lines, {}, house.as[role])
      expect([checked.data[0]!.outcome, checked.keeping]).toEqual(['PROVISIONAL', null])
      expect((await house.as[role].upload('/import?file=a.csv&mode=import&kind=invoices', lines)).status).toBe(403)
    }
  })
})

describe('a price list', () => {
  const csv = 'item,price,currency\nBR-100,12.40,EUR\nBR-200,5,EUR\n'
  const of = { agreement: 'steel-brackets', kind: 'prices' }

  test('asks for its agreement, shows what it changes and becomes a version; again it changes nothing', async () => {
    expect(await send(csv, {})).toMatchObject({ stage: 'look', kind: 'prices', open: [] })
    const first = await send<TableResult>(csv, of)
    expect(first).toMatchObject({
      counts: { added: 2, changed: 0, removed: 0, unchanged: 0 },
      list: { outcome: 'created', items: 2, from: 'start', period: '2024-Q4' },
    })
    expect(await send<TableResult>(csv, { ...of, mode: 'import' })).toMatchObject({ isDone: true })
    const second = await send<TableResult>('item,price,currency\nBR-100,12.80,EUR\nBR-300,1,EUR\n', of)
    expect(second.list!.outcome).toBe('new version')
    expect(second.changes).toEqual([
      {
        name: 'BR-100',
        about: [],
        before: '12.40',
        after: '12.80',
        now: { before: '13.64', after: '14.08', isAgreed: false },
      },
      { name: 'BR-200', about: [], before: '5', after: null, now: { before: '5.50', after: null, isAgreed: false } },
      { name: 'BR-300', about: [], before: null, after: '1', now: { before: null, after: '1.10', isAgreed: false } },
    ])
    expect((await send<TableResult>(csv, of)).list!.outcome).toBe('unchanged')
    expect((await activities()).filter(({ what }) => what.startsWith('price list'))).toEqual([
      { who: 'eva@editor.test', what: 'price list created', subject: 'steel-brackets 1' },
    ])
  })

  test('of another system is mapped once and read the same way ever after', async () => {
    const theirs = 'Material;Preis;Gültig ab\nBR-100;12,40;01.02.2024\nBR-900;1.234,50;\n'
    const look = await send<TableLook>(theirs, {})
    expect(look.layout).toMatchObject({ separator: ';', decimal: 'COMMA', columns: ['item', 'price', 'valid_from'] })
    const said = { ...of, currency: 'EUR', layout: JSON.stringify(look.layout) }
    const planned = await send<TableResult>(theirs, { ...said, mode: 'import' })
    expect(planned.changes.map(({ name, after }) => [name, after])).toEqual([
      ['BR-200', null],
      ['BR-900', '1234.50'],
    ])
    const { layout: _layout, ...again } = said
    expect(await send(theirs, again)).toMatchObject({ stage: 'done', list: { outcome: 'unchanged' } })
  })

  test('is refused as a whole, with every problem by line and column', async () => {
    const bad = await send<TableResult>('item,price,currency\nA,x,EUR\nB,1,USD\nC,-1,EUR\n', of)
    expect(bad.problems.map(({ line, message }) => `${line} ${message.split(':')[0]}`)).toEqual([
      '2 price',
      '3 currency',
      '4 price',
    ])
    const other = await send<TableResult>('item,price,currency\nB,1,USD\n', { ...of, mode: 'import' })
    expect(other).toMatchObject({
      isDone: false,
      problems: [{ line: 2, message: "currency: is USD, but the contract's is EUR" }],
    })
    expect(await send(csv, { ...of, agreement: 'nobody' })).toMatchObject({ stage: 'refused', problemCount: 1 })
  })
})

describe('quantities and factors', () => {
  // After the price list: one that comes later does not govern what both have signed.
  beforeAll(async () => {
    for (const period of ['2024-Q2', '2024-Q3']) await house.tenant.signBoth('steel-brackets', period)
  })

  test('are shown with what they replace, and imported', async () => {
    const table = (quantity: string) => `agreement,item,period,quantity\nsteel-brackets,BR-100,2024-Q2,${quantity}\n`
    expect((await send<TableResult>(table('100'), { mode: 'import' })).counts.added).toBe(1)
    expect((await send<TableResult>(table('120'), {})).changes).toEqual([
      { name: 'BR-100', about: ['steel-brackets', '2024-Q2'], before: '100', after: '120', now: null },
    ])
    const without = 'item;Menge\nBR-100;1.200,5\n'
    const look = await send<TableLook>(without, {})
    const said = {
      kind: 'quantities',
      agreement: 'steel-brackets',
      period: '2024-Q3',
      layout: JSON.stringify(look.layout),
    }
    expect((await send<TableResult>(without, said)).changes[0]).toMatchObject({ after: '1200.5' })
    const bad = await send<TableResult>('agreement,item,period,quantity\nnobody,A,2024-Q2,1\n', { mode: 'import' })
    expect(bad).toMatchObject({
      isDone: false,
      problems: [{ line: 2, message: 'agreement: there is no agreement "nobody"' }],
    })
  })

  test('of units say what one makes of the other', async () => {
    const units = 'unit,other,factor\nKGM,TNE,0.001\nbox,piece,12\n'
    expect((await send<TableResult>(units, { mode: 'import' })).counts).toMatchObject({ added: 2, unchanged: 0 })
    const next = await send<TableResult>('unit,other,factor\nKGM,TNE,0.001\nbox,piece,24\n', {})
    expect([next.counts.unchanged, next.changes]).toEqual([
      1,
      [{ name: 'box', about: ['piece'], before: '1 box = 12 piece', after: '1 box = 24 piece', now: null }],
    ])
    const bad = await send<TableResult>('unit,other,factor\nbox,BOX,1\nbox,piece,0\n', {})
    expect(bad.problems.map(({ line }) => line)).toEqual([2, 3])
    expect((await activities()).at(-1)).toMatchObject({ what: 'units set', subject: 'a.csv: 2 factors' })
  })
})

describe('invoice lines', () => {
  const head = 'invoice,line,agreement,item,quantity,unit_price,date\n'
  const lines = `${head}A-1,1,steel-brackets,BR-100,10,12.73,2024-05-10\nA-1,2,steel-brackets,BR-100,10,12.69,2024-05-10\n`

  test('are checked, and kept by whoever may; the same again adds nothing', async () => {
    const checked = await send<InvoiceResult>(lines, {})
    expect([checked.summary.outcomes, checked.keeping]).toEqual([
      { OK: 1, OVER: 1 },
      { added: 2, unchanged: 0, problems: [], problemCount: 0 },
    ])
    expect(await send<InvoiceResult>(lines, { mode: 'import' })).toMatchObject({ isDone: true, keeping: { added: 2 } })
    expect((await send<InvoiceResult>(lines, {})).keeping).toMatchObject({ added: 0, unchanged: 2 })
    expect((await activities()).at(-1)).toMatchObject({ what: 'invoice lines imported', subject: 'a.csv: 2 lines' })
  })

  test('are not kept while one of them is unknown, which does not hinder the check', async () => {
    const unknown = `${head}A-2,1,steel-brackets,BR-100,10,12.69,2024-05-10\nA-2,2,nobody,X,1,1,2024-05-10\n`
    const { summary, keeping } = await send<InvoiceResult>(unknown, {})
    expect(summary.outcomes).toEqual({ OK: 1, UNKNOWN: 1 })
    expect(keeping!.problems).toEqual([{ line: 3, message: 'agreement: there is no agreement "nobody"' }])
    const kept = await send<InvoiceResult>(unknown, { mode: 'import' })
    expect([kept.isDone, kept.keeping!.problemCount]).toEqual([false, 1])
  })
})
