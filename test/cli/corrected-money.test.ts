// Corrections in money end to end, by command: currencies without cents and with three decimals, a line that crosses an
// adjustment date, and a base that is revised.
import { describe, expect, test } from 'vitest'
import type { ShownCorrection } from '../../src/read/agreements/correction-view.ts'
import { openCommandHouse } from '../support/houses/command-house.ts'
import { ownHouse } from '../support/houses/house.ts'
import { openPriceHouse, type PriceHouse } from '../support/houses/price-house.ts'
import { longTest } from '../support/run/long-test.ts'

const house = ownHouse(openCommandHouse)

const figures = `series,period,value,version,published,name
CUSTOM/metal,2023-12,100.0,PRELIMINARY,2024-01-15,Metal
CUSTOM/metal,2024-03,106.0,PRELIMINARY,2024-04-10,Metal
CUSTOM/metal,2024-06,105.0,FINAL,2024-07-10,Metal
`
const lineColumns = 'invoice,line,agreement,item,quantity,unit_price,amount,currency,date,service_from,service_to'

interface Terms {
  readonly price: string
  readonly settle?: string
}

/** Two quarters, signed by both. */
async function signed({ price, settle = 'NOTE' }: Terms): Promise<PriceHouse> {
  const ground = await openPriceHouse(house)
  await ground.importFigures(figures)
  await ground.apply(`slug: parts
name: Parts
status: ACTIVE
contract:
  start: 2024-01-01
  end: 2024-12-31
  frequency: QUARTERLY
  price: ${price}
inputs:
  metal: { series: CUSTOM/metal, weight: 1, base: 2023-12, lag: 1 month }
clause: {}
parties: { supplier: [sam@supplier.test] }
corrections: { when: EACH, settle: ${settle} }
`)
  for (const period of ['2024-Q2', '2024-Q3']) await ground.signBoth('parts', period)
  return ground
}
const bill = (ground: PriceHouse, rows: string) => ground.importLines(`${lineColumns}\n${rows}\n`)
const publish = (ground: PriceHouse, row: string) =>
  ground.importFigures(`series,period,value,version,published\n${row}\n`)
async function agreed(ground: PriceHouse): Promise<ShownCorrection> {
  const { id } = await ground.json<ShownCorrection>('correction', 'propose', 'parts')
  await ground.json('correction', 'sign', id, '--party', 'buyer', '--as', 'ann@buyer.test')
  return ground.json('correction', 'sign', id, '--party', 'supplier', '--as', 'sam@supplier.test')
}
const note = (ground: PriceHouse, id: string, number: string) =>
  ground.json<{ amount: string; currency: string; text: string; part: number }>(
    'correction',
    'note',
    id,
    '--number',
    number,
    '--date',
    '2024-09-01',
  )
interface Books {
  readonly currency: string
  readonly balances: Readonly<Record<string, string>>
  readonly open: Readonly<Record<string, string>>
}
const books = (ground: PriceHouse) => ground.json<Books>('ledger', 'parts')

longTest(
  'commands',
  'a line under a corrected price is explained by what was known when both had signed the period',
  async () => {
    const ground = await openPriceHouse(house)
    await ground.importFigures(`${figures}CUSTOM/metal,2024-02,102.0,FINAL,2024-03-10,Metal\n`)
    await ground.apply(`slug: parts
name: Parts
status: ACTIVE
contract: { start: 2024-01-01, end: 2024-06-30, frequency: QUARTERLY, price: { amount: 100, currency: EUR, round: { dp: 2 } } }
inputs: { metal: { series: CUSTOM/metal, weight: 1, base: { value: 100 }, lag: 1 month } }
clause: {}
parties: { supplier: [sam@supplier.test] }
corrections: { when: EACH, settle: NOTE }
`)
    await ground.signBoth('parts', '2024-Q2')
    await bill(ground, '1,1,parts,,10,106.00,,EUR,2024-05-10,,')
    // Of two months that are not read: one is revised, the other was not out when the period was signed.
    await publish(
      ground,
      ['2024-03,103.5', '2024-02,104.3', '2024-04,109.0'].map(row => `CUSTOM/metal,${row},FINAL,2024-08-13`).join('\n'),
    )
    await agreed(ground)
    const lines = ['102.00', '104.30', '109.00'].map((price, i) => `2,${i + 1},parts,,1,${price},,EUR,2024-05-10,,\n`)
    const file = await ground.file('lines.csv', `${lineColumns}\n${lines.join('')}`)
    const { data } = await ground.json<{ data: { price: string; reason: { code: string } | null }[] }>(
      'invoice',
      'check',
      file,
    )
    expect(data.map(({ price, reason }) => `${price} ${reason?.code}`)).toEqual([
      '103.50 LAG',
      '103.50 undefined',
      '103.50 undefined',
    ])
  },
)

describe('a correction in a currency', () => {
  test('without cents is rounded to whole yen, and so is each part of it', async () => {
    const ground = await signed({
      price: '{ amount: 1250, currency: JPY, unit: piece, round: { dp: 0 } }',
      settle: '{ spread: 3 }',
    })
    await bill(ground, '4711,1,parts,parts,10.3,1325,13648,JPY,2024-05-10,,')
    await publish(ground, 'CUSTOM/metal,2024-03,103.5,FINAL,2024-08-13')
    // 1250 × 1.035 = 1293.75, rounded 1294; 10.3 × 1294 = 13328.2; billed at 1325: 13647.5, rounded up.
    const { id, net, currency, parts } = await agreed(ground)
    expect([net, currency]).toEqual(['-320', 'JPY'])
    expect(parts).toEqual(['-106', '-106', '-108'])
    const notes = [await note(ground, id, 'CN-1'), await note(ground, id, 'CN-2'), await note(ground, id, 'CN-3')]
    expect(notes.map(({ amount, part }) => [part, amount])).toEqual([
      [1, '-106'],
      [2, '-106'],
      [3, '-108'],
    ])
    expect(notes[2]!.text).toContain('-108')
    expect(await books(ground)).toMatchObject({
      currency: 'JPY',
      balances: {
        entitled: '13328',
        provisional: '0',
        billed: '13328',
        billingDifferences: '0',
        agreed: '0',
        waived: '0',
      },
    })
  })

  longTest('commands', 'with three decimals keeps them', async () => {
    const ground = await signed({ price: '{ amount: 1.250, currency: KWD, unit: piece, round: { dp: 3 } }' })
    await bill(ground, '4711,1,parts,parts,7.25,1.325,9.606,KWD,2024-05-10,,')
    await publish(ground, 'CUSTOM/metal,2024-03,103.5,FINAL,2024-08-13')
    // 1.25 × 1.035 = 1.29375, rounded 1.294; × 7.25 = 9.3815, rounded 9.382; billed 9.60625, rounded 9.606.
    const { id, net } = await agreed(ground)
    expect(net).toBe('-0.224')
    const { amount, currency, text } = await note(ground, id, 'CN-1')
    expect([amount, currency]).toEqual(['-0.224', 'KWD'])
    expect(text).toContain('-0.224')
    expect((await books(ground)).balances).toEqual({
      entitled: '9.382',
      provisional: '0.000',
      billed: '9.382',
      billingDifferences: '0.000',
      agreed: '0.000',
      waived: '0.000',
    })
  })
})

const euros = '{ amount: 100.00, currency: EUR, unit: piece, round: { dp: 2 } }'

describe('a line that crosses an adjustment date', () => {
  test('is SPANS in the check and in no correction, until it is split', async () => {
    const ground = await signed({ price: euros })
    const spanning = '4712,1,parts,parts,60,106.00,6360.00,EUR,2024-07-15,2024-06-15,2024-07-14'
    await bill(ground, `4711,1,parts,parts,100,106.00,10600.00,EUR,2024-05-10,,\n${spanning}`)
    const { status, out } = await ground.run(
      'invoice',
      'check',
      await ground.file('spanning.csv', `${lineColumns}\n${spanning}\n`),
      '--json',
    )
    // The check says by its status that something is not as agreed.
    expect(status).not.toBe(2)
    const { data } = JSON.parse(out) as { data: { outcome: string; spans: { period: string }[] }[] }
    expect(data.map(({ outcome, spans }) => [outcome, spans.map(({ period }) => period)])).toEqual([
      ['SPANS', ['2024-Q2', '2024-Q3']],
    ])
    await publish(ground, 'CUSTOM/metal,2024-03,103.5,FINAL,2024-08-13')
    const first = await agreed(ground)
    expect(first).toMatchObject({ net: '-250.00', lines: [{ invoice: '4711', amount: '-250.00' }] })
    expect((await books(ground)).balances).toMatchObject({
      entitled: '10350.00',
      provisional: '6360.00',
      billed: '16960.00',
      agreed: '-250.00',
    })

    await ground.json('invoice', 'reverse', '4712')
    await bill(
      ground,
      '4713,1,parts,parts,32,106.00,3392.00,EUR,2024-07-15,2024-06-15,2024-06-30\n4713,2,parts,parts,28,106.00,2968.00,EUR,2024-07-15,2024-07-01,2024-07-14',
    )
    // Priced at what is settled by now: 32 × 103.50 and 28 × 105.00. What was billed beyond that is no revision.
    expect((await books(ground)).balances).toEqual({
      entitled: '16602.00',
      provisional: '0.00',
      billed: '16960.00',
      billingDifferences: '-108.00',
      agreed: '-250.00',
      waived: '0.00',
    })
    expect((await ground.refused('correction', 'propose', 'parts')).error).toBe('parts: nothing is due')
  })
})

longTest('commands', 'a base that is revised moves every signed period, in one correction', async () => {
  const ground = await signed({ price: euros })
  await bill(
    ground,
    '4711,1,parts,parts,100,106.00,10600.00,EUR,2024-05-10,,\n4712,1,parts,parts,50,105.00,5250.00,EUR,2024-08-10,,',
  )
  await publish(ground, 'CUSTOM/metal,2023-12,101.0,FINAL,2024-09-13')
  // 106 ÷ 101 and 105 ÷ 101 of 100.00.
  const radar = await ground.json<{ data: { period: string; kind: string; amount: string }[] }>('radar')
  expect(radar.data.filter(({ kind }) => kind === 'SIGNED_MOVED')).toMatchObject([
    { period: '2024-Q2', amount: '-105.00' },
    { period: '2024-Q3', amount: '-52.00' },
  ])
  expect(await agreed(ground)).toMatchObject({
    state: 'AGREED',
    net: '-157.00',
    causes: [{ series: 'CUSTOM/metal', period: '2023-12', before: '100.0', after: '101.0', tag: 'FINAL' }],
    periods: [
      { period: '2024-Q2', priceBefore: '106.00', priceAfter: '104.95', amount: '-105.00' },
      { period: '2024-Q3', priceBefore: '105.00', priceAfter: '103.96', amount: '-52.00' },
    ],
  })
  expect((await books(ground)).balances).toMatchObject({ entitled: '15693.00', agreed: '-157.00' })
  expect((await ground.refused('correction', 'propose', 'parts')).error).toBe('parts: nothing is due')
})
