// Invoice lines by command: checked with a reason for each difference, kept completely or not at all, reversed; also
// units and quantities. Every edge case uses the real storage.
import { describe, expect, test } from 'vitest'
import type { CheckAnswer } from '../../src/core/invoices/check.ts'
import type { CheckRow } from '../../src/core/invoices/check-row.ts'
import { ownHouse } from '../support/houses/house.ts'
import { openBracketHouse, pricedDocument } from '../support/houses/price-house.ts'
import { longTest } from '../support/run/long-test.ts'

const ground = ownHouse(openBracketHouse)

type Texts = Readonly<Record<string, string>>

/** As JSON, so that a test writes the fields it means and no other. */
async function check(...lines: Texts[]): Promise<CheckAnswer> {
  const body = { lines: lines.map((line, i) => ({ invoice: '4711', line: `${i + 1}`, ...line })) }
  return ground.json<CheckAnswer>('invoice', 'check', await ground.file('lines.json', JSON.stringify(body)))
}
const checkOne = async (line: Texts): Promise<CheckRow> => (await check(line)).data[0]!
const brackets = { agreement: 'steel-brackets', date: '2024-05-10' }
const list = async (slug: string, csv: string) =>
  ground.json('prices', 'apply', slug, await ground.file('list.csv', csv))

describe('invoice check', () => {
  test('says what a line should have cost, and why it cost something else', async () => {
    const line = { ...brackets, item: 'steel-brackets', quantity: '100', unit: 'piece', unitPrice: '12.73', per: '1' }
    const answer = await check({ ...line, amount: '1273.00', currency: 'EUR' })
    expect(answer).toEqual({
      data: [
        {
          invoice: '4711',
          line: '1',
          outcome: 'OVER',
          agreement: 'steel-brackets',
          item: 'steel-brackets',
          period: '2024-Q2',
          status: 'AGREED',
          price: '12.69',
          billedPrice: '12.73',
          priceDifference: '0.04',
          amount: '1269.00',
          billedAmount: '1273.00',
          difference: '4.00',
          currency: 'EUR',
          reason: {
            code: 'VINTAGE',
            sentence: '12.73 is the price with the preliminary March value; the settled price of 2024-Q2 is 12.69.',
          },
          alsoPossible: [],
          message: null,
          contradiction: false,
          candidates: [],
          spans: [],
        },
      ],
      summary: { lines: 1, outcomes: { OVER: 1 }, over: { EUR: '4.00' }, under: {} },
    })
  })

  test('shows a person the lines that are not right, and the money', async () => {
    const file = await ground.file(
      'lines.csv',
      'invoice,line,agreement,quantity,unit_price,date\n7,1,steel-brackets,10,12.69,2024-05-10\n7,2,steel-brackets,10,12.40,2024-05-10\n',
    )
    const { status, out } = await ground.run('invoice', 'check', file)
    expect(status).toBe(0)
    expect(out).toBe(
      '7 2: UNDER -2.90 EUR: 12.40 is the price of the start; the settled price of 2024-Q2 is 12.69.\n2 lines\n  OK     1\n  UNDER  1\nbilled too little: 2.90 EUR\n',
    )
  })

  test('judges a zero quantity by its amount alone: ours is 0', async () => {
    expect(await checkOne({ ...brackets, quantity: '0', amount: '15.00' })).toMatchObject({
      outcome: 'OVER',
      amount: '0.00',
      difference: '15.00',
      contradiction: false,
    })
    expect((await checkOne({ ...brackets, quantity: '0', amount: '0' })).outcome).toBe('OK')
  })

  test('uses the amount if it contradicts the unit price, and says so', async () => {
    const row = await checkOne({ ...brackets, quantity: '100', unitPrice: '12.69', amount: '1273.00' })
    expect(row).toMatchObject({ outcome: 'OVER', contradiction: true, difference: '4.00' })
    expect(row.message).toBe(
      'unit price and amount contradict each other: 100 at 12.69 for 1 is 1269.00, but 1273.00 is billed',
    )
  })

  longTest('commands', 'accepts a price of 0', async () => {
    await ground.apply(pricedDocument({ slug: 'free' }))
    await list('free', 'item,price,currency\nGIFT,0,EUR\n')
    const line = { agreement: 'free', item: 'GIFT', date: '2024-01-10', quantity: '3' }
    expect((await checkOne({ ...line, unitPrice: '0', amount: '0.00' })).outcome).toBe('OK')
    expect(await checkOne({ ...line, unitPrice: '1' })).toMatchObject({ outcome: 'OVER', difference: '3.00' })
  })

  longTest('commands', 'does not guess between two agreements with the same item', async () => {
    for (const slug of ['twin-a', 'twin-b']) {
      await ground.apply(pricedDocument({ slug }))
      await list(slug, 'item,price,currency\nTWIN,5,EUR\n')
    }
    expect(await checkOne({ item: 'TWIN', date: '2024-02-01', quantity: '1', unitPrice: '5' })).toMatchObject({
      outcome: 'UNKNOWN',
      candidates: ['twin-a', 'twin-b'],
      message: '2 agreements have the item "TWIN": twin-a, twin-b',
    })
    await ground.apply(pricedDocument({ slug: 'twin-a', status: 'ARCHIVED' }))
    const found = await checkOne({ item: 'TWIN', date: '2024-02-01', quantity: '1', unitPrice: '5' })
    expect(found).toMatchObject({ outcome: 'OK', agreement: 'twin-b' })
  })

  longTest('commands', 'finds the agreement by a reference, and of several the one that covers the day', async () => {
    const contract = '  references: [FA-17]\n'
    await ground.apply(pricedDocument({ slug: 'referred', contract }))
    const line = { contractRef: 'FA-17', quantity: '1', unitPrice: '12.40' }
    expect(await checkOne({ ...line, date: '2024-02-01' })).toMatchObject({ outcome: 'OK', agreement: 'referred' })
    const after = { slug: 'referred-later', start: '2025-01-01', end: '2025-02-28', contract }
    await ground.apply(pricedDocument(after))
    expect((await checkOne({ ...line, date: '2024-02-01' })).agreement).toBe('referred')
    expect((await checkOne({ ...line, date: '2025-02-01' })).agreement).toBe('referred-later')
    expect((await checkOne({ ...line, contractRef: 'steel-brackets', date: '2024-02-01' })).agreement).toBe(
      'steel-brackets',
    )
  })

  longTest(
    'commands',
    'takes the price of start before the first adjustment, and is OUTSIDE before the contract and after it',
    async () => {
      const line = { agreement: 'steel-brackets', quantity: '1', unitPrice: '12.40' }
      expect(await checkOne({ ...line, date: '2024-01-01' })).toMatchObject({
        outcome: 'OK',
        period: 'start',
        status: 'AGREED',
      })
      expect(await checkOne({ ...line, date: '2023-12-31' })).toMatchObject({
        outcome: 'OUTSIDE',
        message: '2023-12-31 lies before the contract, which starts on 2024-01-01',
      })
      expect((await checkOne({ ...line, date: '2025-01-01' })).outcome).toBe('OUTSIDE')
    },
  )

  test('prorates a rent that crosses an adjustment by days if the contract says so', async () => {
    const service = { serviceFrom: '2024-03-25', serviceTo: '2024-04-05', quantity: '12' }
    await ground.apply(pricedDocument({ slug: 'rent', contract: '  prorate: DAYS\n' }))
    // 7 days at 12.40 and 5 at 12.69.
    expect(await checkOne({ agreement: 'rent', ...service, amount: '150.25' })).toMatchObject({
      outcome: 'PROVISIONAL',
      amount: '150.25',
      price: null,
      spans: [
        { period: 'start', days: 7, price: '12.40' },
        { period: '2024-Q2', days: 5, price: '12.69' },
      ],
    })
    expect((await checkOne({ agreement: 'steel-brackets', ...service, amount: '150.25' })).outcome).toBe('SPANS')
  })

  longTest('commands', 'counts in a currency without decimals, and with three', async () => {
    for (const [slug, currency, price, amount] of [
      ['yen', 'JPY', '1001', '3075'],
      ['dinar', 'KWD', '10.001', '30.708'],
    ] as const) {
      await ground.apply(pricedDocument({ slug, price: null }))
      await list(slug, `item,price,currency\nA,${price},${currency}\n`)
      const line = { agreement: slug, item: 'A', date: '2024-05-10', quantity: '3' }
      expect(await checkOne({ ...line, amount })).toMatchObject({ outcome: 'PROVISIONAL', amount, currency })
      expect((await checkOne({ ...line, amount, currency: 'EUR' })).outcome).toBe('UNKNOWN')
    }
  })

  longTest('commands', 'converts units both ways by the factors of the workspace', async () => {
    const line = { ...brackets, quantity: '2', unit: 'BOX', unitPrice: '609.12', amount: '1218.24' }
    expect(await checkOne(line)).toMatchObject({
      outcome: 'UNKNOWN',
      message: 'the line is in BOX, but "steel-brackets" is priced in piece, and no factor between them is set',
    })
    expect(await ground.json('unit', 'set', 'box', 'piece', '48')).toEqual({
      outcome: 'set',
      unit: 'box',
      other: 'piece',
      factor: '48',
    })
    expect(await ground.json('unit', 'set', 'box', 'piece', '48')).toMatchObject({ outcome: 'unchanged' })
    expect(await checkOne(line)).toMatchObject({ outcome: 'OK', billedPrice: '12.69', amount: '1218.24' })
    expect(await checkOne({ ...line, unitPrice: '12.69', amount: '25.38' })).toMatchObject({ reason: { code: 'UNIT' } })
    expect(await ground.json<object[]>('unit', 'list')).toEqual([
      expect.objectContaining({ unit: 'box', other: 'piece', factor: '48', setBy: 'operator' }),
    ])
    await ground.json('unit', 'set', 'PIECE', 'BOX', '0.02')
    expect(await ground.json<object[]>('unit', 'list')).toHaveLength(1)
    // A box is 50 pieces now.
    expect((await checkOne(line)).outcome).toBe('UNDER')
    await ground.json('unit', 'set', 'box', 'piece', '48')
  })

  test('is BLOCKED where a period has no number, and PROVISIONAL where both have not signed', async () => {
    await ground.apply(pricedDocument({ slug: 'open-end', end: '2025-12-31' }))
    const line = { agreement: 'open-end', quantity: '1' }
    expect((await checkOne({ ...line, date: '2024-11-01', unitPrice: '13.64' })).outcome).toBe('PROVISIONAL')
    const blocked = await checkOne({ ...line, date: '2025-02-01', unitPrice: '13.64' })
    expect(blocked.outcome).toBe('BLOCKED')
    expect(blocked.message).toMatch(/^2025-Q1 cannot be computed: .*2024-12/)
  })

  test('tolerates what the workspace tolerates, in a period that both signed what it tolerated then', async () => {
    const line = { ...brackets, date: '2024-10-10', quantity: '100', unitPrice: '13.68' }
    const signed = { ...brackets, quantity: '100', unitPrice: '12.73' }
    const set = (pct: string) => ground.house.run(['workspace', 'set', ground.workspace.slug, '--price-tolerance', pct])
    expect((await set('0.5')).status).toBe(0)
    expect((await checkOne(line)).outcome).toBe('OK_WITHIN')
    expect(await checkOne(signed)).toMatchObject({ outcome: 'OVER', reason: { code: 'VINTAGE' } })
    expect((await set('x')).status).toBe(2)
    expect((await set('default')).status).toBe(0)
    expect((await checkOne(line)).outcome).toBe('OVER')
  })

  test('leaves corrections alone, and turns a bad cell into an UNKNOWN line', async () => {
    const { data, summary } = await check(
      { ...brackets, kind: 'CORRECTION', amount: '-3' },
      { ...brackets, quantity: 'many', unitPrice: '1' },
      { ...brackets, date: '2024-02-30', quantity: '1', unitPrice: '1' },
      { agreement: 'nobody', date: '2024-02-01', quantity: '1', unitPrice: '1' },
    )
    expect(data.map(({ outcome, message }) => [outcome, message])).toEqual([
      ['SKIPPED', null],
      ['UNKNOWN', 'quantity must be a decimal number such as 12.40, got "many"'],
      ['UNKNOWN', 'date must be a day such as 2024-05-10, got "2024-02-30"'],
      ['UNKNOWN', 'there is no agreement "nobody"'],
    ])
    expect(summary.outcomes).toEqual({ UNKNOWN: 3, SKIPPED: 1 })
  })

  test('refuses problems with the form, with pointer or line and column', async () => {
    const number = await ground.file('a.json', '{"lines":[{"invoice":"1","line":"1","quantity":3},{"invoice":"1"}]}')
    expect((await ground.refused('invoice', 'check', number)).problems).toEqual([
      { pointer: '/lines/0/quantity', message: 'must be a text: write the number in quotes' },
      { pointer: '/lines/1/line', message: 'line is missing' },
    ])
    const csv = await ground.file('a.csv', 'invoice,line,colour\n1,1,red\n')
    expect((await ground.refused('invoice', 'check', csv)).problems).toEqual([
      { line: 1, column: 'colour', message: expect.stringContaining('unknown column "colour"') },
    ])
    const xml = await ground.file('a.xml', '<!DOCTYPE x><Invoice/>')
    expect((await ground.refused('invoice', 'check', xml)).problems).toHaveLength(1)
    const text = await ground.file('a.txt', '')
    expect((await ground.refused('invoice', 'check', text)).error).toMatch(
      /^the file must be \.csv, \.xlsx, \.json or \.xml/,
    )
  })
})
