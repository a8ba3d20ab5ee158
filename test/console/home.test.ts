// The first page as a portfolio: what adjustments moved in money, by supplier and by index, from each side; what is owed and
// late; and what it says where no quantity is known.
import { beforeAll, describe, expect, test } from 'vitest'
import type { AgreementList } from '../../src/views/shapes/agreements.ts'
import type { Overview } from '../../src/views/shapes/overview.ts'
import { type Browser, emails, makeSeats, type Seats } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'
import { keepLines } from '../support/houses/priced-tenant.ts'

const year = new Date().getUTCFullYear()

/** Adjusted each first of January on the December before: 102.00, and 105.00 this year. */
const documentOf = (slug: string, currency: string, more = '') => `slug: ${slug}
name: ${slug}
status: ACTIVE
contract:
  start: ${year - 2}-01-01
  frequency: ANNUAL
  price: { amount: 100.00, currency: ${currency}, unit: piece, round: { dp: 2 } }
inputs:
  metal: { series: CUSTOM/metal, weight: 1, base: { value: 100 }, lag: 1 month }
clause: {}
parties: { buyer: [${emails.buyer}], supplier: [${emails.supplier}] }
${more}`

const figures = `series,period,value,name
CUSTOM/metal,${year - 2}-12,102.0,Metal
CUSTOM/metal,${year - 1}-12,105.0,Metal
`

const line = (agreement: string, quantity: string, currency: string) => ({
  invoice: `I-${agreement}`,
  line: '1',
  agreement,
  item: agreement,
  quantity,
  currency,
  unit_price: '105.00',
  amount: `${Number(quantity) * 105}.00`,
  date: `${year}-01-01`,
})

let seats: Seats
const console = consoleHouse()
beforeAll(async () => {
  seats = await makeSeats(console.api)
  await seats.tenant.import(figures)
  for (const [slug, currency] of [
    ['bolts', 'EUR'],
    ['rails', 'USD'],
    ['tubes', 'EUR'],
  ] as const)
    await seats.tenant.apply(documentOf(slug, currency))
})

const portfolioOf = async (browser: Browser) => {
  const ask = () => browser.json<Overview>('/overview')
  await expect.poll(async () => (await ask()).pending).toBe(0)
  return (await ask()).portfolio!
}

describe('where no quantity is known', () => {
  test('there are agreements and their average change, and no money', async () => {
    const { totals, without, parties, indices } = await portfolioOf(seats.as.buyer)
    expect(totals).toEqual([])
    expect(without).toEqual({ agreements: 3, yearPct: '2.94', nextQuarterPct: null })
    expect(parties.rows).toMatchObject([{ key: emails.supplier, money: null, without: { agreements: 3 } }])
    expect(indices.rows).toMatchObject([{ name: 'Metal', money: null, without: { agreements: 3, yearPct: '2.94' } }])
  })
})

describe('where something is billed', () => {
  beforeAll(async () => {
    await keepLines(seats.tenant, [line('bolts', '100', 'EUR'), line('rails', '10', 'USD')])
  })

  test('it is money, by currency, and what is left is still averaged', async () => {
    const { totals, without, parties, indices, unsigned, unpriced } = await portfolioOf(seats.as.buyer)
    // 100 pieces × (105.00 − 102.00), and 10.
    const money = [
      { currency: 'EUR', year: '300.00', nextQuarter: '0.00' },
      { currency: 'USD', year: '30.00', nextQuarter: '0.00' },
    ]
    expect(totals).toEqual(expect.arrayContaining(money))
    expect(without).toMatchObject({ agreements: 1, yearPct: '2.94' })
    expect(parties.rows.map(row => row.money)).toEqual(expect.arrayContaining(money))
    expect(indices.rows.map(row => row.money)).toEqual(expect.arrayContaining(money))
    expect([unsigned, unpriced]).toEqual([2, 1])
  })

  test('rows lead to lists of their agreements', async () => {
    const { parties, indices } = await portfolioOf(seats.as.buyer)
    const found = async (query: string) => (await seats.as.buyer.json<AgreementList>(`/agreements?${query}`)).found
    expect(await found(`supplier=${parties.rows[0]!.key}`)).toBe(3)
    expect(await found(`series=${indices.rows[0]!.key}`)).toBe(3)
  })

  test('a supplier sees the same by agreement, and an auditor what the buyer sees', async () => {
    const supplier = await portfolioOf(seats.as.supplier)
    expect(supplier.by).toBe('agreement')
    expect(supplier.parties.rows.map(({ key, money }) => `${key} ${money?.year}`).sort()).toEqual([
      'bolts 300.00',
      'rails 30.00',
      'tubes undefined',
    ])
    expect(await portfolioOf(seats.as.viewer)).toEqual({
      ...(await portfolioOf(seats.as.buyer)),
      late: expect.objectContaining({ mine: 0 }),
    })
  })
})

test('what a formula of steps moved is in no index', async () => {
  const { as, tenant } = await makeSeats(console.api)
  await tenant.import(`${figures}CUSTOM/wages,${year - 2}-12,100.0,Wages\nCUSTOM/wages,${year - 1}-12,100.0,Wages\n`)
  const steps = documentOf('steps', 'EUR').replace(
    /inputs:.*clause: \{\}/s,
    `inputs:
  metal: { series: CUSTOM/metal, base: { value: 100 }, lag: 1 month }
  wages: { series: CUSTOM/wages, base: { value: 100 }, lag: 1 month }
steps:
  - { name: factor, expr: metal * wages / 10000 }
result: { kind: FACTOR, step: factor }`,
  )
  await tenant.apply(steps)
  await keepLines(tenant, [line('steps', '100', 'EUR')])
  const { indices } = await portfolioOf(as.buyer)
  expect(indices.rows).toMatchObject([{ key: null, name: 'Agreements without weights', money: { year: '300.00' } }])
})

test('what is unsigned a month after its date is late', async () => {
  const { late } = await portfolioOf(seats.as.buyer)
  // Last year's is late on any day of this one.
  expect(late).toMatchObject({ oldest: `${year - 1}-01-01`, missing: 0, days: 30 })
  expect(late.periods).toBe(late.mine)
  expect([3, 6]).toContain(late.periods)
})

test('without agreements there is no portfolio', async () => {
  const { as } = await makeSeats(console.api)
  expect((await as.owner.json<Overview>('/overview')).portfolio).toBeNull()
})
