// What is due is kept: counted, what each kind of change computes again, and that the clock alone computes nothing.
import { expect, test } from 'vitest'
import { ownHouse } from '../support/houses/house.ts'
import { openTestDatabase } from '../support/run/postgres.ts'
import { type DueGround, openDueGround } from './due-ground.ts'

const db = ownHouse(openTestDatabase)

/** How many agreements and how many series were computed meanwhile. */
async function counted(grounds: readonly DueGround[], work: () => Promise<unknown>): Promise<readonly number[]> {
  const read = () => [
    grounds[0]!.library.computed + grounds[1]!.library.computed,
    grounds[0]!.library.outlooks.computed + grounds[1]!.library.outlooks.computed,
  ]
  const before = read()
  await work()
  return read().map((count, i) => count - before[i]!)
}

const states = async (ground: DueGround, until = '2024-12-31') =>
  (await ground.due(until)).map(({ agreement, due, now }) => `${agreement.slug} ${due.period} ${now.state}`)

test('a figure, a calendar and a document compute again what they touch, and the clock nothing', async () => {
  const ground = await openDueGround(db)
  const other = await openDueGround(db)
  const both = [ground, other]
  for (const slug of ['steel', 'copper', 'zinc']) await ground.apply(slug)
  await other.apply('wood')
  await ground.announce()
  ground.set('2024-08-12T12:00:00Z')
  other.set('2024-08-12T12:00:00Z')
  const all = () => Promise.all([states(ground), states(other)])
  expect(await counted(both, all)).toEqual([4, 2])
  expect(await counted(both, all)).toEqual([0, 0])

  // Within the day it becomes late, and nothing is computed for it.
  expect(await states(ground, '2024-08-31')).toContain('steel 2024-08 WAITING')
  ground.set('2024-08-12T14:30:00Z')
  expect(
    await counted(both, async () => expect(await states(ground, '2024-08-31')).toContain('steel 2024-08 LATE')),
  ).toEqual([0, 0])

  // What is announced about a release touches the dates of its series, and the agreements that lack a figure of it: a cancelled
  // one is told in place of their numbers.
  expect(await counted(both, () => ground.announce({ at: '2024-08-15T12:30:00.000000Z' }))).toEqual([0, 0])
  expect(await counted(both, all)).toEqual([3, 1])
  expect(await states(ground, '2024-08-31')).toContain('steel 2024-08 WAITING')

  // A figure touches the agreements that read it, and its series.
  await ground.publish('2024-07', '118', '2024-08-12')
  expect(await counted(both, all)).toEqual([3, 1])
  expect(await states(ground, '2024-08-31')).toContain('steel 2024-08 READY')

  // A document touches its agreement.
  await ground.apply('zinc', { input: ', missing: LAST_KNOWN' })
  expect(await counted(both, all)).toEqual([1, 0])
})

test('dates are those of the calendar up to the day asked for, and only of agreements in force', async () => {
  const ground = await openDueGround(db)
  await ground.apply('steel')
  ground.set('2024-07-20')
  expect(await states(ground, '2024-10-15')).toEqual([
    'steel 2024-07 READY',
    'steel 2024-08 AT_RISK',
    'steel 2024-09 AT_RISK',
    'steel 2024-10 AT_RISK',
  ])
  const [, august] = await ground.due('2024-08-31')
  expect(august!.now).toMatchObject({
    waitsFor: { series: ground.reference, period: '2024-07', expectedAt: '2024-08-13', basis: 'LEARNED' },
    readyOn: '2024-08-13',
  })
})
