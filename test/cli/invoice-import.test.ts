// Invoice lines and quantities that are kept by command: completely or not at all, once, reversed. Every edge case uses the real
// storage.
import { beforeAll, describe, expect, test } from 'vitest'
import type { CheckAnswer } from '../../src/core/invoices/check.ts'
import type { InvoiceRow } from '../../src/read/invoice-row.ts'
import { ublCreditNote, ublInvoice } from '../support/files/invoice-specimens.ts'
import { ownHouse } from '../support/houses/house.ts'
import {
  openBracketHouse,
  openPriceHouse,
  type PriceHouse,
  pricedDocument,
  steelPrices,
} from '../support/houses/price-house.ts'
import { longTest } from '../support/run/long-test.ts'

const ground = ownHouse(openBracketHouse)

describe('invoice import', () => {
  let own: PriceHouse
  beforeAll(async () => {
    own = await openPriceHouse(ground.house)
    await own.importFigures(steelPrices)
    await own.apply(pricedDocument())
    await own.apply(pricedDocument({ slug: 'second' }))
  })
  const head = 'invoice,line,supplier,agreement,quantity,unit_price,amount,date\n'
  const importCsv = async (rows: string) => own.json('invoice', 'import', await own.file('month.csv', head + rows))
  const kept = async (...words: string[]) => (await own.json<{ data: InvoiceRow[] }>('invoice', 'list', ...words)).data

  test('keeps every line with its agreement, whatever its outcome, and adds nothing the second time', async () => {
    const rows = '100,1,,steel-brackets,10,12.69,126.90,2024-05-10\n100,2,,steel-brackets,10,99,990,2024-05-10\n'
    expect(await importCsv(rows)).toEqual({ outcome: 'imported', added: 2, unchanged: 0 })
    expect(await importCsv(`${rows}100,3,,steel-brackets,1,12.69,,2023-01-01\n`)).toEqual({
      outcome: 'imported',
      added: 1,
      unchanged: 2,
    })
    expect(await importCsv(rows.replace('12.69,126.90', '12.690,126.9'))).toEqual({
      outcome: 'unchanged',
      added: 0,
      unchanged: 2,
    })
    const [first, second, third] = await kept()
    expect([first!.period, second!.period, third!.period]).toEqual([null, '2024-Q2', '2024-Q2'])
    expect(second).toEqual({
      invoice: '100',
      line: '1',
      supplier: 'steel-brackets',
      agreement: 'steel-brackets',
      contractRef: null,
      item: 'steel-brackets',
      quantity: '10',
      unit: null,
      unitPrice: '12.69',
      per: '1',
      amount: '126.90',
      currency: 'EUR',
      date: '2024-05-10',
      serviceFrom: null,
      serviceTo: null,
      orderDate: null,
      kind: 'INVOICE',
      id: expect.stringMatching(/^inl_/),
      period: '2024-Q2',
      importedAt: expect.stringMatching(/Z$/),
      reverses: null,
      note: null,
      difference: null,
    })
  })

  test('refuses a file with an unknown line or different content, and keeps nothing of it', async () => {
    const before = await kept()
    const bad = await own.file(
      'bad.csv',
      `${head}200,1,,steel-brackets,1,12.69,,2024-05-10\n200,2,,nobody,1,1,,2024-05-10\n200,3,,steel-brackets,x,1,,2024-05-10\n`,
    )
    expect((await own.refused('invoice', 'import', bad)).problems).toEqual([
      { line: 3, column: 'agreement', message: 'there is no agreement "nobody"' },
      { line: 4, column: 'quantity', message: 'quantity must be a decimal number such as 12.40, got "x"' },
    ])
    const other = await own.file(
      'other.csv',
      `${head}201,1,,steel-brackets,1,12.69,,2024-05-10\n100,1,,steel-brackets,11,12.69,,2024-05-10\n201,1,,steel-brackets,2,12.69,,2024-05-10\n`,
    )
    expect((await own.refused('invoice', 'import', other)).problems).toEqual([
      expect.objectContaining({ line: 3, column: 'quantity' }),
      expect.objectContaining({ line: 4, column: 'quantity' }),
    ])
    expect(await kept()).toEqual(before)
  })

  test('keeps the same number of two suppliers apart', async () => {
    const rows = '300,1,acme,steel-brackets,1,12.69,,2024-05-10\n300,1,other-co,second,1,12.69,,2024-05-10\n'
    expect(await importCsv(rows)).toMatchObject({ added: 2 })
    expect((await kept('second')).map(({ supplier }) => supplier)).toEqual(['other-co'])
    expect(await own.refused('invoice', 'reverse', '300')).toEqual({
      error: '2 suppliers have an invoice "300": acme, other-co; say which with --supplier',
    })
    expect(await own.json('invoice', 'reverse', '300', '--supplier', 'acme')).toEqual({
      outcome: 'reversed',
      supplier: 'acme',
      number: '300',
      added: 1,
    })
  })

  longTest('commands', 'keeps a line once, however its number, its line and its supplier are spelled', async () => {
    await own.json('party', 'create', 'ohio-forge', '--name', 'Ohio Forge Ltd')
    await own.json('party', 'create', 'graz-metal', '--name', 'Graz Metal')
    await own.apply(pricedDocument({ slug: 'of-a-company', parties: '{ supplier: ohio-forge }' }))
    const line = (invoice: string, number: string, supplier: string) =>
      `"${invoice}",${number},"${supplier}",of-a-company,10,12.69,126.90,2024-05-10\n`
    expect(await importCsv(line('4711', '1', ''))).toMatchObject({ added: 1 })
    const spelled = [
      line('4711', '01', ''),
      line('04711', '1', 'ohio-forge'),
      line('４７１１', '１', 'OHIO-FORGE'),
      line('47\u200b11', '1\u200d', 'Ohio  Forge Ltd.'),
      line('٤٧١١', '1', 'ｏｈｉｏ\u2011ｆｏｒｇｅ'),
      line('47\u00ad11', '001', 'ohio forge ltd'),
      line('\u202e4711\u202c.', '1', '\u00a0Ohio Forge\u00a0Ltd'),
    ]
    expect(await importCsv(spelled.join(''))).toEqual({ outcome: 'unchanged', added: 0, unchanged: spelled.length })
    expect((await kept('of-a-company')).map(({ invoice, line: own }) => [invoice, own])).toEqual([['4711', '1']])
    const others = ['Ohio Forge Inc', 'graz-metal', 'Graz Metal']
    const ofOthers = await own.file('o.csv', head + others.map(other => line('4711', '1', other)).join(''))
    expect((await own.refused('invoice', 'import', ofOthers)).problems).toEqual(
      others.map((other, at) => ({
        line: 2 + at,
        column: 'supplier',
        message: `"${other}" is not the supplier of of-a-company, which is ohio-forge (Ohio Forge Ltd)`,
      })),
    )
    // What reads differently is another invoice.
    const numbers = ['47-11', '47 11', '4711-1', '47110']
    expect(await importCsv(numbers.map(number => line(number, '1', '')).join(''))).toMatchObject({ added: 4 })
    const changed = await own.file('c.csv', head + line('04711', '01', '').replace('126.90', '126.91'))
    expect((await own.refused('invoice', 'import', changed)).problems![0]!.message).toMatch(
      /^invoice 04711, line 01 of ohio-forge is kept since \d{4}-\d\d-\d\d as invoice 4711, line 1 of ohio-forge with another amount;/,
    )
    const empty = await own.file('e.csv', head + line('\u200b', '1', ''))
    expect((await own.refused('invoice', 'import', empty)).problems![0]!.message).toBe('invoice is empty')
  })

  longTest('commands', 'keeps a line of an agreement without a company once, whatever supplier it names', async () => {
    const line = (supplier: string) => `888,1,${supplier},second,1,12.69,,2024-05-10\n`
    expect(await importCsv(line(''))).toMatchObject({ added: 1 })
    const suppliers = ['acme', 'ACME', 'graz-metal', 'second']
    expect(await importCsv(suppliers.map(line).join(''))).toMatchObject({ added: 0, unchanged: 4 })
    expect(await own.json('invoice', 'reverse', '0888', '--supplier', 'SECOND')).toEqual({
      outcome: 'reversed',
      supplier: 'second',
      number: '888',
      added: 1,
    })
  })

  test('is undone by opposite lines, after which the number is free again', async () => {
    await importCsv('400,1,,steel-brackets,10,12.69,126.90,2024-06-10\n400,2,,steel-brackets,-2,12.69,,2024-06-11\n')
    expect(await own.json('invoice', 'reverse', '400')).toMatchObject({ added: 2 })
    const lines = (await kept()).filter(({ invoice }) => invoice === '400')
    expect(lines.map(({ line, quantity, amount, reverses }) => [line, quantity, amount, reverses === null])).toEqual([
      ['1', '10', '126.90', true],
      ['1', '-10', '-126.90', false],
      ['2', '-2', null, true],
      ['2', '2', null, false],
    ])
    expect(lines[1]!.reverses).toBe(lines[0]!.id)
    expect((await own.refused('invoice', 'reverse', '400')).error).toBe('invoice "400" is reversed already')
    expect((await own.refused('invoice', 'reverse', '401')).error).toBe('no lines of invoice "401" are kept')
    expect(await importCsv('400,1,,steel-brackets,11,12.69,,2024-06-10\n')).toMatchObject({ added: 1 })
    expect(await own.json('invoice', 'reverse', '400')).toMatchObject({ added: 1 })
  })

  test('keeps a correction that names its agreement, and reads electronic invoices', async () => {
    const csv = `invoice,line,agreement,amount,date,kind\n500,1,steel-brackets,-12.00,2024-07-01,CORRECTION\n`
    expect(await own.json('invoice', 'import', await own.file('note.csv', csv))).toMatchObject({ added: 1 })
    await own.apply(pricedDocument({ slug: 'electronic', contract: '  references: [FA-2024-17]\n' }))
    await own.json(
      'prices',
      'apply',
      'electronic',
      await own.file('l.csv', 'item,price,currency,unit\nBR-100,12.40,EUR,C62\n'),
    )
    for (const text of [ublInvoice(), ublCreditNote()]) {
      const file = await own.file('invoice.xml', text)
      const { data } = await own.json<CheckAnswer>('invoice', 'check', file)
      expect(data.length).toBeGreaterThan(0)
      expect(data.every(({ invoice }) => invoice !== null)).toBe(true)
    }
  })

  longTest('commands', 'is in the hash chain: a line that is changed in the database is found', async () => {
    const verify = () => own.run('verify', '--chain')
    expect((await verify()).status).toBe(0)
    const { owner } = own.house.installation
    await owner.begin(async tx => {
      await tx`alter table invoice_line disable trigger append_only`
      await tx`update invoice_line set fields = replace(fields, '12.69', '12.70')
        where workspace_id = ${own.workspace.id} and line = '1' and fields like '%12.69%'`
    })
    const { status, err } = await verify()
    expect(status).toBe(1)
    expect(err).toContain('the rows of this publication (invoice of inv_')
    await owner`update invoice_line set fields = replace(fields, '12.70', '12.69')
      where workspace_id = ${own.workspace.id} and line = '1' and fields like '%12.70%'`
    await owner`alter table invoice_line enable trigger append_only`
    expect((await verify()).status).toBe(0)
  })
})

describe('quantity import', () => {
  test('declares quantities by period; the newest counts, and the same again adds nothing', async () => {
    const csv = 'agreement,item,period,quantity\nsteel-brackets,,2024-Q2,1200\nsteel-brackets,,start,10.5\n'
    const declare = async (text: string) => ground.json('quantity', 'import', await ground.file('q.csv', text))
    expect(await declare(csv)).toEqual({ outcome: 'imported', added: 2, unchanged: 0 })
    expect(await declare(csv.replace('1200', '1200.0'))).toEqual({ outcome: 'unchanged', added: 0, unchanged: 2 })
    expect(await declare(csv.replace('1200', '1300'))).toEqual({ outcome: 'imported', added: 1, unchanged: 1 })
  })

  test('refuses a bad file with every problem', async () => {
    const file = await ground.file(
      'bad.csv',
      'agreement,item,period,quantity\nnobody,,2024-Q2,1\nsteel-brackets,X,2024-Q2,1\nsteel-brackets,,2031-Q1,1\nsteel-brackets,,start,1\nsteel-brackets,,start,2\n',
    )
    expect((await ground.refused('quantity', 'import', file)).problems).toEqual([
      { line: 2, column: 'agreement', message: 'there is no agreement "nobody"' },
      { line: 3, column: 'item', message: 'steel-brackets has no item "X" in 2024-Q2' },
      { line: 4, column: 'period', message: 'steel-brackets has no period 2031-Q1' },
      { line: 6, column: 'item', message: '"steel-brackets" in start is there already (line 5)' },
    ])
    const cells = await ground.file('cells.csv', 'agreement,item,period,quantity\n,,start,-1\nsteel-brackets,,,x\n')
    expect((await ground.refused('quantity', 'import', cells)).problems).toEqual([
      { line: 2, column: 'agreement', message: 'is empty' },
      { line: 2, column: 'quantity', message: 'must not be negative, got "-1"' },
      { line: 3, column: 'period', message: 'is empty' },
      { line: 3, column: 'quantity', message: 'must be a decimal number such as 1200, got "x"' },
    ])
  })
})
