// What waits for a signature, whose turn it is, and what was signed recently, for each person.
import { describe, expect, test } from 'vitest'
import type { Inbox, InboxPeriod, RecentlySigned } from '../../src/views/shapes/inbox.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { linesOf } from '../support/agreements/inbox-lines.ts'
import { eventually } from '../support/houses/api.ts'
import { type Browser, emails, makeSeats, type Seats } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'

const console = consoleHouse()

async function ready(document = bracketsDocument()): Promise<Seats> {
  const seats = await makeSeats(console.api)
  await seats.tenant.import(bracketsTable)
  await seats.tenant.apply(document)
  return seats
}

/** Once everything is computed. */
const ask = (browser: Browser) =>
  eventually(
    () => browser.json<Inbox>('/sign-offs'),
    ({ pending }) => pending === 0,
  )
const tell = ({ slug, period, waitsFor }: InboxPeriod & { readonly slug: string }) =>
  `${slug} ${period} ${waitsFor.join(' ')}`

describe('what waits', () => {
  test('is everything with a number at first, for both sides, the oldest date first', async () => {
    const { as, tenant } = await ready()
    await tenant.apply(bracketsDocument({ slug: 'another', end: '2024-06-30' }))
    const expected = [
      'another 2024-Q2 buyer supplier',
      'brackets 2024-Q2 buyer supplier',
      'brackets 2024-Q3 buyer supplier',
      'brackets 2024-Q4 buyer supplier',
    ]
    for (const role of ['buyer', 'supplier'] as const) {
      const { mine, others } = await ask(as[role])
      expect([linesOf(mine).map(tell), others.rows], role).toEqual([expected, []])
    }
    for (const role of ['owner', 'editor', 'viewer'] as const) {
      const { mine, others } = await ask(as[role])
      expect([mine.rows, linesOf(others).map(tell)], role).toEqual([[], expected])
    }
  })

  test('is the other side’s once one has signed', async () => {
    const { as, tenant } = await ready()
    await tenant.sign('brackets', '2024-Q3', 'buyer', { through: true })
    const buyer = await ask(as.buyer)
    expect(linesOf(buyer.mine).map(tell)).toEqual(['brackets 2024-Q4 buyer supplier'])
    expect(linesOf(buyer.others).map(tell)).toEqual(['brackets 2024-Q2 supplier', 'brackets 2024-Q3 supplier'])
    const supplier = await ask(as.supplier)
    expect(linesOf(supplier.mine).map(tell)).toEqual([
      'brackets 2024-Q2 supplier',
      'brackets 2024-Q3 supplier',
      'brackets 2024-Q4 buyer supplier',
    ])
    expect(supplier.mine.rows).toMatchObject([
      {
        kind: 'periods',
        name: 'Steel brackets',
        as: 'supplier',
        currency: 'EUR',
        unit: 'piece',
        periods: [
          { period: '2024-Q2', priceBefore: '12.40', price: '12.40', hasMoved: false, isDisputed: false },
          {},
          {},
        ],
      },
    ])
  })

  test('returns to a person whose signed number has changed since', async () => {
    const { as, tenant } = await ready(bracketsDocument({ clause: '{ fixed: 0.40 }' }))
    await tenant.signBoth('brackets', '2024-Q2')
    await tenant.sign('brackets', '2024-Q3', 'buyer')
    await tenant.import('series,period,value,version,published\nCUSTOM/steel,2024-06,118.00,REVISED,2024-10-15\n')
    const { mine } = await ask(as.buyer)
    expect(linesOf(mine).map(row => [row.period, row.hasMoved])).toEqual([
      ['2024-Q3', true],
      ['2024-Q4', false],
    ])
    await tenant.sign('brackets', '2024-Q3', 'buyer')
    expect(linesOf((await ask(as.supplier)).mine)[0]).toMatchObject({ hasMoved: false, waitsFor: ['supplier'] })
  })

  test('is nothing of a formula that is not in force, nor of one somebody else is a party to', async () => {
    const { as, tenant } = await ready(bracketsDocument({ more: 'parties: { supplier: [other@supplier.test] }\n' }))
    expect((await ask(as.supplier)).mine.rows).toEqual([])
    expect((await ask(as.supplier)).others.rows).toEqual([])
    await tenant.apply(bracketsDocument({ status: 'SUSPENDED' }))
    const { mine, others } = await ask(as.buyer)
    expect([mine.rows, others.rows]).toEqual([[], []])
  })

  test('is of one formula every open period, however many', async () => {
    const { as, tenant } = await makeSeats(console.api)
    const months = Array.from(
      { length: 24 },
      (_, i) => `${2023 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}`,
    )
    await tenant.importValues('CUSTOM/x', Object.fromEntries(months.map((month, i) => [month, `${100 + i}`])))
    await tenant.apply(`
slug: months
status: ACTIVE
contract: { start: 2023-01-01, end: 2024-12-31, frequency: MONTHLY }
inputs: { x: { series: CUSTOM/x, weight: 1, base: 2023-01 } }
clause: {}
parties: { supplier: [sam@supplier.test] }
`)
    const { mine, counts } = await ask(as.buyer)
    expect([mine.rows.length, counts.mine]).toEqual([1, { agreements: 1, periods: 23, corrections: 0, changes: 0 }])
    expect(linesOf(mine)[0]?.period).toBe('2023-02')
    await tenant.sign('months', '2024-03', 'buyer', { through: true })
    expect(linesOf((await ask(as.buyer)).others)[0]?.period).toBe('2023-02')
    await tenant.sign('months', '2024-03', 'supplier', { through: true })
    expect(linesOf((await ask(as.buyer)).mine).map(({ period }) => period)).toEqual(months.slice(15))
  })
})

describe('what was signed recently', () => {
  test('comes by the second signature, the newest first, with what it would be today', async () => {
    const { as, tenant } = await ready(
      bracketsDocument({ clause: '{ fixed: 0.40, rounding: { percent: { dp: 2 } } }' }),
    )
    await tenant.apply(bracketsDocument({ slug: 'another' }))
    await tenant.signBoth('brackets', '2024-Q3', { through: true })
    await tenant.signBoth('another', '2024-Q2')
    await tenant.import('series,period,value,version,published\nCUSTOM/steel,2024-06,118.00,REVISED,2024-10-15\n')
    const { rows: recent } = await as.viewer.json<RecentlySigned>('/sign-offs/recent')
    expect(recent.map(({ slug, entry }) => `${slug} ${entry.period}`)).toEqual([
      'another 2024-Q2',
      'brackets 2024-Q3',
      'brackets 2024-Q2',
    ])
    expect(recent[1]?.entry).toMatchObject({
      isSigned: true,
      adjustmentPct: '3.38',
      price: '13.19',
      today: { adjustmentPct: '4.06', price: '13.27', differencePoints: '0.68', differenceMoney: '0.08' },
      signatures: { buyer: { email: emails.buyer }, supplier: { email: emails.supplier } },
    })
    expect(recent[2]?.entry.today).toBeNull()
  })
})
