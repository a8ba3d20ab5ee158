// Alarms about figures that agreements wait for: a late release, a cancelled one, a moved one and a long silence raise exactly
// one alarm each, of the right cause, and it is cleared by what ends it.
import { expect, test } from 'vitest'
import { formatDay, parseDay } from '../../src/core/time/day.ts'
import { saveState } from '../../src/storage/series/series-state.ts'
import { ownHouse } from '../support/houses/house.ts'
import { makeSeries } from '../support/houses/workspace.ts'
import { openTestDatabase } from '../support/run/postgres.ts'
import { openDueGround } from './due-ground.ts'

const db = ownHouse(openTestDatabase)

test('a late release raises one alarm two hours after its time, and its value clears it', async () => {
  const ground = await openDueGround(db)
  await ground.apply('steel')
  await ground.apply('copper')
  await ground.announce()
  ground.set('2024-08-12T14:29:59Z')
  expect(await ground.look()).toEqual({ raised: 0, cleared: 0 })
  ground.set('2024-08-12T14:30:00Z')
  expect(await ground.look()).toEqual({ raised: 1, cleared: 0 })
  ground.set('2024-08-13')
  expect(await ground.look()).toEqual({ raised: 0, cleared: 0 })
  expect(await ground.alarms()).toEqual([{ period: '2024-07', cause: 'ANSWERED_WITHOUT', by: null }])
  await ground.publish('2024-07', '118', '2024-08-13')
  expect(await ground.look()).toEqual({ raised: 0, cleared: 1 })
  expect(await ground.alarms()).toEqual([{ period: '2024-07', cause: 'ANSWERED_WITHOUT', by: 'VALUE' }])
})

test('a provider in trouble is named as the cause, and no longer once it answers', async () => {
  const ground = await openDueGround(db)
  await ground.apply('steel')
  await ground.announce()
  ground.set('2024-08-13')
  const state = {
    seriesId: ground.seriesId,
    lastAskedAt: '2024-08-13T00:00:00.000000Z',
    lastAnsweredAt: null,
    lastChangedAt: null,
    rangeAskedAt: null,
    wholeAskedAt: null,
    notice: null,
    requestHash: null,
    etag: null,
    lastModified: null,
  }
  await saveState(db.sql, { ...state, trouble: 'FRED answered 503' })
  await ground.look()
  expect(await ground.alarms()).toEqual([{ period: '2024-07', cause: 'PROVIDER', by: null }])
  await saveState(db.sql, { ...state, lastAnsweredAt: '2024-08-13T00:00:00.000000Z', trouble: null })
  expect(await ground.look()).toEqual({ raised: 0, cleared: 0 })
  expect(await ground.alarms()).toEqual([{ period: '2024-07', cause: 'ANSWERED_WITHOUT', by: null }])
})

test('a cancelled release raises one alarm at once, and a late one ends with the cancellation', async () => {
  const ground = await openDueGround(db)
  await ground.apply('steel')
  await ground.announce({ status: 'CANCELLED' })
  expect(await ground.look()).toEqual({ raised: 1, cleared: 0 })
  ground.set('2024-09-30')
  expect((await ground.alarms()).filter(({ by }) => by === null)).toEqual([
    { period: '2024-07', cause: 'CANCELLED', by: null },
  ])
  ground.set('2024-08-20')
  await ground.publish('2024-07', '118', '2024-08-20')
  expect(await ground.look()).toEqual({ raised: 0, cleared: 1 })
  expect(await ground.alarms()).toEqual([{ period: '2024-07', cause: 'CANCELLED', by: 'VALUE' }])

  const late = await openDueGround(db)
  await late.apply('steel')
  await late.announce()
  late.set('2024-08-13')
  await late.look()
  await late.announce({ status: 'CANCELLED' })
  expect(await late.look()).toEqual({ raised: 1, cleared: 1 })
  expect(await late.alarms()).toEqual([
    { period: '2024-07', cause: 'ANSWERED_WITHOUT', by: 'CANCELLED' },
    { period: '2024-07', cause: 'CANCELLED', by: null },
  ])
})

test('a release whose date is taken back raises one alarm, and the moved date clears it', async () => {
  const ground = await openDueGround(db)
  await ground.apply('steel')
  await ground.announce()
  await ground.announce({ status: 'POSTPONED' })
  ground.set('2024-08-12T14:00:00Z')
  expect(await ground.look()).toEqual({ raised: 0, cleared: 0 })
  ground.set('2024-08-12T14:30:00Z')
  expect(await ground.look()).toEqual({ raised: 1, cleared: 0 })
  expect(await ground.alarms()).toEqual([{ period: '2024-07', cause: 'MOVED', by: null }])
  await ground.announce({ at: '2024-08-20T12:30:00.000000Z' })
  expect(await ground.look()).toEqual({ raised: 0, cleared: 1 })
  await ground.publish('2024-07', '118', '2024-08-20T12:30:00Z')
  ground.set('2024-08-21')
  expect(await ground.look()).toEqual({ raised: 0, cleared: 0 })
  expect(await ground.alarms()).toEqual([{ period: '2024-07', cause: 'MOVED', by: 'MOVED' }])
})

test('a long silence is one alarm that says in the end that the series may have ended', async () => {
  const ground = await openDueGround(db)
  await ground.apply('steel')
  const causes: string[] = []
  for (const day of ['2024-08-15', '2024-08-20', '2024-09-25', '2024-11-29', '2024-12-02']) {
    ground.set(day)
    await ground.look()
    causes.push((await ground.alarms()).map(({ period, cause }) => `${period} ${cause}`).join())
  }
  expect(causes).toEqual([
    '',
    '2024-07 ANSWERED_WITHOUT',
    '2024-07 ANSWERED_WITHOUT',
    '2024-07 ANSWERED_WITHOUT',
    '2024-07 ENDED',
  ])
  for (const period of ['2024-07', '2024-08', '2024-09', '2024-10']) await ground.publish(period, '118', '2024-12-02')
  expect(await ground.look()).toEqual({ raised: 0, cleared: 1 })
  expect(await ground.alarms()).toEqual([{ period: '2024-07', cause: 'ENDED', by: 'VALUE' }])
})

test('silence means the same for what is due and for what is suspected of an index', async () => {
  const ground = await openDueGround(db)
  await ground.apply('steel')
  const ended = async (day: string) => {
    ground.set(day)
    const due = (await ground.due(formatDay(ground.today() + 60))).some(({ now }) => now.ended.length > 0)
    const suspects = await ground.library.suspects.list(ground.workspaceId, { today: parseDay(day)! })
    return [due, suspects.some(({ kind }) => kind === 'ENDED')]
  }
  expect(await ended('2024-11-30')).toEqual([false, false])
  expect(await ended('2024-12-01')).toEqual([true, true])
})

test('a series that was replaced is not late: what is known of the index says so, and so does what is due', async () => {
  const ground = await openDueGround(db)
  await ground.apply('steel')
  ground.set('2024-08-20')
  await ground.look()
  expect(await ground.alarms()).toEqual([{ period: '2024-07', cause: 'ANSWERED_WITHOUT', by: null }])
  const sentence = 'Another data set goes on.'
  await ground.tell({ kind: 'SUPERSEDED', day: '2024-07-01', sentence })
  expect(await ground.look()).toEqual({ raised: 0, cleared: 0 })
  expect(await ground.alarms()).toEqual([{ period: '2024-07', cause: 'ENDED', by: null }])
  const rows = (await ground.due(formatDay(ground.today() + 60))).filter(({ due }) =>
    due.figures.some(({ period }) => period === '2024-07'),
  )
  expect(rows.map(({ now }) => [now.state, now.late, now.ended.map(({ end }) => end?.sentence)])).toEqual([
    ['BLOCKED', [], [sentence]],
  ])
})

test('a release that was cancelled by an event, without a calendar, is cancelled everywhere and not late', async () => {
  const ground = await openDueGround(db)
  await ground.apply('steel')
  ground.set('2024-08-20')
  await ground.tell({ kind: 'CANCELLED', day: '2024-07-01', sentence: 'No figure of July was published.' })
  expect(await ground.look()).toEqual({ raised: 1, cleared: 0 })
  expect(await ground.alarms()).toEqual([{ period: '2024-07', cause: 'CANCELLED', by: null }])
  const [row] = (await ground.due(formatDay(ground.today() + 60))).filter(({ now }) => now.cancelled.length > 0)
  expect([row!.now.late, row!.now.cancelled.map(({ period }) => period)]).toEqual([[], ['2024-07']])
})

test('an own series without dates is late when an adjustment date has come, and says that nobody recorded it', async () => {
  const ground = await openDueGround(db)
  await makeSeries(db.sql, ground.workspaceId, 'own-price')
  await ground.apply('steel', { input: ', convert: { fx: CUSTOM/own-price, operation: MULTIPLY }' })
  await ground.publish('2024-07', '118', '2024-08-10')
  ground.set('2024-07-02')
  expect(await ground.look()).toEqual({ raised: 0, cleared: 0 })
  ground.set('2024-08-10')
  expect(await ground.look()).toEqual({ raised: 1, cleared: 0 })
  expect(await ground.alarms()).toMatchObject([{ cause: 'NOT_RECORDED', by: null }])
})
