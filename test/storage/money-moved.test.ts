// What adjustments do to the money of an agreement: the quantity of each period times the price after less the price before,
// this year and in the next quarter, by index; and what corrections leave owed.
import { beforeAll, describe, expect, test } from 'vitest'
import { parseDay } from '../../src/core/time/day.ts'
import { insertQuantities } from '../../src/storage/agreements/quantities.ts'
import { appending } from '../../src/storage/log/append.ts'
import { ownHouse } from '../support/houses/house.ts'
import { billedInQ2, openTrueUpHouse, trueUpDocument } from '../support/houses/true-up-house.ts'

const ground = ownHouse(openTrueUpHouse)
/** The same on two indices and with a limit, of which nothing is billed. */
const twoIndices = trueUpDocument({ slug: 'two-indices', clause: '{ cap: { periodPct: 3 } }' })
  .replace('weight: 1,', 'weight: 0.5,')
  .replace('clause:', '  wages: { series: CUSTOM/wages, weight: 0.5, base: { value: 100 }, lag: 1 month }\nclause:')
let ids: Record<'brackets' | 'two', string>

beforeAll(async () => {
  await ground.importFigures(`series,period,value,name
CUSTOM/wages,2024-03,102.0,Wages
CUSTOM/wages,2024-06,102.0,Wages
CUSTOM/wages,2024-09,102.0,Wages
`)
  await ground.apply(twoIndices)
  const index = await ground.library().index(ground.workspace.id)
  ids = { brackets: index.agreementId('steel-brackets')!, two: index.agreementId('two-indices')! }
})

/** As of a day, for a server that has just started. */
const moved = async (day: string) => {
  const { digests: kept } = ground.library()
  const ask = () => kept.gather(ground.workspace.id, Object.values(ids), parseDay(day)!)
  await expect.poll(async () => (await ask()).pending).toBe(0)
  const { digests } = await ask()
  return { brackets: digests.get(ids.brackets)!.money!, two: digests.get(ids.two)!.money! }
}

const declare = (period: string, quantity: string, item = 'steel-brackets', agreementId = ids.brackets) => {
  const { sql } = ground.house.installation
  const row = { agreementId, item, period, quantity }
  return appending(sql, ground.workspace.id, (tx, log) => insertQuantities(tx, log, [row], 'ann@buyer.test'))
}

describe('without quantities', () => {
  test('there is the change in percent alone, and the points of each index', async () => {
    const { brackets, two } = await moved('2024-11-15')
    expect(brackets.year).toMatchObject({ adjustments: 3, unsigned: 0, priced: 0, pct: '7', amount: null })
    expect(brackets.year.byIndex).toMatchObject([{ series: 'CUSTOM/metal', amount: null }])
    expect(two.year).toMatchObject({ adjustments: 3, priced: 0, amount: null })
    expect(two.year.byIndex.map(({ series }) => series)).toEqual(['CUSTOM/metal', 'CUSTOM/wages'])
  })
})

describe('with quantities', () => {
  test('of what was billed, each period counts with its own price less the one before', async () => {
    expect((await moved('2024-11-15')).brackets.year.amount).toBeNull()
    await ground.importLines(billedInQ2)
    // 100 pieces × (106.00 − 100.00).
    expect((await moved('2024-11-15')).brackets.year).toMatchObject({
      adjustments: 3,
      priced: 1,
      amount: '600.00',
      pct: '7',
      byIndex: [{ series: 'CUSTOM/metal', amount: '600.00' }],
    })
  })

  test('that were declared count where nothing was billed', async () => {
    await declare('2024-Q3', '50')
    await declare('2024-Q2', '9999')
    // 50 pieces × (105.00 − 106.00); the 100 that were billed in 2024-Q2 stand for what was declared then.
    expect((await moved('2024-11-15')).brackets.year).toMatchObject({ priced: 2, amount: '550.00' })
  })

  test('are divided by the points that each index gave; what a limit took is in none of them', async () => {
    await declare('2024-Q2', '100', 'two-indices', ids.two)
    // 3 points from the metal and 1 from wages, and no more than 3 together: 100 pieces × (103.00 − 100.00).
    expect((await moved('2024-04-15')).two.year).toMatchObject({
      amount: '300.00',
      priced: 1,
      unsigned: 1,
      byIndex: [
        { series: 'CUSTOM/metal', points: '3', amount: '300.00' },
        { series: 'CUSTOM/wages', points: '1', amount: '100.00' },
      ],
    })
  })

  test('of the newest period count for the next quarter, if its figures are published', async () => {
    const { brackets } = await moved('2024-08-15')
    expect(brackets.year).toMatchObject({ adjustments: 2, unsigned: 0, amount: '550.00' })
    // 50 pieces × (107.00 − 105.00).
    expect(brackets.nextQuarter).toMatchObject({ adjustments: 1, priced: 1, amount: '100.00' })
    expect(brackets.notYet).toBe(0)
    expect((await moved('2024-11-15')).brackets.nextQuarter).toMatchObject({ adjustments: 0, amount: null })
  })
})
