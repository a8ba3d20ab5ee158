// T26: a clock that is ahead or back records nothing, and what one has recorded in the future is repaired on record.
import { describe, expect, test } from 'vitest'
import { instantOfMicros, microsOf } from '../../src/core/time/instant.ts'
import { limits } from '../../src/limits.ts'
import { settle } from '../../src/storage/log/append.ts'
import { loadClockRepairs } from '../../src/storage/log/clock-repairs.ts'
import { makeHead } from '../../src/storage/log/scope-head.ts'
import {
  openApplication,
  openOwner,
  publicScope,
  type Sql,
  type Transaction,
  withWorkspace,
} from '../../src/storage/postgres/database.ts'
import { loadVintages } from '../../src/storage/series/series.ts'
import { loadSeriesHeads } from '../../src/storage/series/series-heads.ts'
import { verifyAllChains } from '../../src/storage/upkeep/chain.ts'
import { checkClocks, repairClocks } from '../../src/storage/upkeep/clock-repair.ts'
import { listActivity } from '../../src/storage/workspaces/activity.ts'
import { ownHouse } from '../support/houses/house.ts'
import { makeSeries, makeWorkspace, publishRows } from '../support/houses/workspace.ts'
import { foldInstants } from '../support/proof/scope-instants.ts'
import { makeTestRing, openTestDatabase } from '../support/run/postgres.ts'

const db = ownHouse(openTestDatabase)

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** A process whose clock differs this much from the database's. */
async function withClock<T>(offMs: number, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = openApplication(db.target, { connections: 1, nowMs: () => Date.now() + offMs })
  try {
    return await work(sql)
  } finally {
    await sql.end()
  }
}

const settledOf = async (scope: string) =>
  (await db.owner<{ at: string }[]>`select settled_at as at from scope_clock where scope = ${scope}`)[0]!.at

/** What a version without this guard would have left: everything from `seq` on recorded 50 days from now. */
async function recordAhead(scope: string, seq: number): Promise<void> {
  const shift = `${50 * 24} hours`
  await db.owner.begin(async tx => {
    await tx`set local session_replication_role = replica`
    await tx`update vintage set published_at = case when published_at = recorded_at then recorded_at + ${shift}::interval
      else published_at end, recorded_at = recorded_at + ${shift}::interval where owner = ${scope} and seq >= ${seq}`
    await tx`update scope_clock set settled_at = settled_at + ${shift}::interval where scope = ${scope}`
    await tx`update publication set recorded_at = recorded_at + ${shift}::interval where scope = ${scope} and seq >= ${seq}`
    const [clock] = await tx<{ size: number; edge: Buffer; last: number }[]>`
      select tree_size as size, tree_edge as edge, seq as last from scope_clock where scope = ${scope}`
    const { size, edge, last } = clock!
    const instants = await foldInstants(tx, scope)
    const head = makeHead(makeTestRing(), { scope, seq: last, tree: { size, edge }, instants })
    await tx`update scope_clock set instants = ${instants}, head = ${head} where scope = ${scope}`
  })
}

describe('publishing', () => {
  test.each([
    ['50 days behind the database’s', -50 * dayMs],
    ['three minutes behind', -3 * minuteMs],
    ['three minutes ahead', 3 * minuteMs],
  ])('is refused where the process’s clock is %s, and nothing is recorded', async (_, offMs) => {
    const workspace = await makeWorkspace(db)
    const before = await settledOf(workspace.id)
    const attempt = withClock(offMs, sql => makeSeries(sql, workspace.id, 'x'))
    await expect(attempt).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(/^the clock of the database says \S+Z and this machine's says \S+Z: nothing is/),
    })
    expect(await settledOf(workspace.id)).toBe(before)
    await makeSeries(db.sql, workspace.id, 'x')
  })

  test('continues while they differ by less, and after quiet weeks', async () => {
    const workspace = await makeWorkspace(db)
    await withClock(-minuteMs, sql => makeSeries(sql, workspace.id, 'a'))
    await withClock(minuteMs, sql => makeSeries(sql, workspace.id, 'b'))
    await db.owner`update scope_clock set settled_at = settled_at - interval '40 days' where scope = ${workspace.id}`
    await makeSeries(db.sql, workspace.id, 'c')
  })

  test('is refused where the newest publication lies in the future, and names the repair', async () => {
    const workspace = await makeWorkspace(db)
    const id = await makeSeries(db.sql, workspace.id, 'x')
    await db.owner`update scope_clock set settled_at = settled_at + interval '1 hour' where scope = ${workspace.id}`
    await expect(publishRows(db.sql, workspace.id, id, [{ period: 1, value: '1' }])).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('assize clock repair'),
    })
    await repairClocks(db.owner, 'operator')
    await publishRows(db.sql, workspace.id, id, [{ period: 1, value: '1' }])
  })

  test('is never pushed into the future by a request: an instant ahead of the clock is waited for or refused', async () => {
    const workspace = await makeWorkspace(db)
    const soon = instantOfMicros((Date.now() + 300) * 1000)
    expect((await settle(db.sql, workspace.id, soon)) >= soon).toBe(true)
    const [database] = await db.owner<{ now: string }[]>`select clock_timestamp() as now`
    expect((await settledOf(workspace.id)) <= database!.now).toBe(true)
    const late = instantOfMicros((Date.now() + limits.clockToleranceMs + 5_000) * 1000)
    await expect(settle(db.sql, workspace.id, late)).rejects.toMatchObject({ kind: 'invalid' })
  })
})

describe('what a clock that was ahead has recorded', () => {
  test('counts as recorded at the repair: later corrections come after it, and nothing that was recorded is changed', async () => {
    const workspace = await makeWorkspace(db)
    const id = await makeSeries(db.sql, workspace.id, 'ahead')
    await publishRows(db.sql, workspace.id, id, [{ period: 1, value: '1' }])
    await publishRows(db.sql, workspace.id, id, [{ period: 1, value: '2' }])
    const stored = () =>
      db.owner`select seq, value, published_at, recorded_at from vintage where owner = ${workspace.id} order by seq`
    await recordAhead(workspace.id, 3)
    const asRecorded = await stored()
    const report = await checkClocks(db.owner)
    expect(report.ahead).toMatchObject([{ scope: workspace.id, publications: 1 }])
    const [repaired] = await repairClocks(db.owner, 'operator')
    expect(repaired).toMatchObject({ scope: workspace.id, publications: 1 })
    expect(await stored()).toEqual(asRecorded)
    expect((await checkClocks(db.owner)).ahead).toEqual([])

    const { recordedAt } = await publishRows(db.sql, workspace.id, id, [{ period: 1, value: '3' }])
    expect(recordedAt! > repaired!.countsAs && microsOf(recordedAt!) < (Date.now() + minuteMs) * 1000).toBe(true)
    const [rows, heads] = await withWorkspace(db.sql, workspace.id, async tx => [
      await loadVintages(tx, workspace.id, id),
      await loadSeriesHeads(tx, workspace.id, [id]),
    ])
    expect(rows.map(({ value }) => value)).toEqual(['1', '2', '3'])
    expect(instantOfMicros(rows[1]!.recorded)).toBe(repaired!.countsAs)
    expect(instantOfMicros(rows[1]!.published)).toBe(repaired!.countsAs)
    expect(heads.get(id)).toMatchObject({ value: '3' })
    const activity = await listActivity(db.sql, workspace.id, { before: null, most: 5 })
    expect(activity[0]).toMatchObject({ who: 'operator', what: 'clock repaired' })
  })

  test('counts by repairs made meanwhile in a transaction that goes on, and by one set of them in a snapshot', async () => {
    const workspace = await makeWorkspace(db)
    const id = await makeSeries(db.sql, workspace.id, 'meanwhile')
    await publishRows(db.sql, workspace.id, id, [{ period: 1, value: '1' }])
    await recordAhead(workspace.id, 2)
    const newest = async (tx: Transaction) => (await loadVintages(tx, workspace.id, id)).at(-1)!.recorded
    // Two readers with connections of their own.
    const other = openApplication(db.target, { connections: 1, asksOthers: true })
    await withWorkspace(
      db.sql,
      workspace.id,
      async snapshot => {
        const known = loadClockRepairs(snapshot, workspace.id)
        const ahead = await newest(snapshot)
        await withWorkspace(other, workspace.id, async tx => {
          expect(await newest(tx)).toBe(ahead)
          await repairClocks(db.owner, 'operator')
          expect(await newest(tx)).toBeLessThan(ahead)
        })
        expect(await newest(snapshot)).toBe(ahead)
        expect(loadClockRepairs(snapshot, workspace.id)).toBe(known)
      },
      'snapshot',
    )
    await other.end()
  })

  test('is repaired for the public series too, under a chain that verifies', async () => {
    const workspace = await makeWorkspace(db)
    await makeSeries(db.sql, publicScope, 'public')
    await db.owner`update scope_clock set settled_at = clock_timestamp() + interval '1 hour' where scope = 'public'`
    expect((await repairClocks(db.owner, 'operator')).map(({ scope }) => scope)).toEqual([publicScope])
    await makeSeries(db.sql, publicScope, 'after')
    const reports = await verifyAllChains(db.owner)
    expect(reports.find(({ scope }) => scope === publicScope)).toMatchObject({ problem: null })
    const activity = await listActivity(db.sql, workspace.id, { before: null, most: 5 })
    expect(activity[0]).toMatchObject({ what: 'clock repaired' })
  })

  test('is not repaired by a clock that is wrong itself', async () => {
    const wrong = openOwner(db.target, { connections: 1, nowMs: () => Date.now() - dayMs })
    await expect(repairClocks(wrong, 'operator')).rejects.toMatchObject({ kind: 'conflict' })
    await wrong.end()
  })
})
