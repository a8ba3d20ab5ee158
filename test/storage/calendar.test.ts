// What providers announce, into the log and back: a moved date is a newer row, what was announced at an instant can be asked
// for, nothing is written twice, and a row that was changed in the database is found.
import { expect, test } from 'vitest'
import { Seal } from '../../src/agreements/seal.ts'
import type { Release } from '../../src/core/calendar/release.ts'
import { Library } from '../../src/read/library.ts'
import { type EntryNotice, loadEntriesSince, loadNewest } from '../../src/storage/log/append.ts'
import { publicScope } from '../../src/storage/postgres/database.ts'
import { publishReleases, saveSeriesReleases } from '../../src/storage/series/calendar.ts'
import { verifyAllChains } from '../../src/storage/upkeep/chain.ts'
import { ownHouse } from '../support/houses/house.ts'
import { makeSeries, makeWorkspace } from '../support/houses/workspace.ts'
import { makeTestRing, openTestDatabase } from '../support/run/postgres.ts'

const db = ownHouse(openTestDatabase)

const openLibrary = () => new Library(db.sql, 2 ** 26, { seals: new Seal(makeTestRing()).rows, report: () => {} })

const release = (sourceId: string, given: Partial<Release> = {}): Release => ({
  provider: 'FRED',
  release: '10',
  title: 'Consumer Price Index',
  period: '2026-10',
  at: '2026-11-13T13:30:00.000000Z',
  zone: 'America/Chicago',
  status: 'OFFICIAL',
  sourceId,
  ...given,
})

/** A workspace with a series that comes with a release of its own. */
async function makeGround(name: string) {
  const { id: workspace } = await makeWorkspace(db)
  const id = await makeSeries(db.sql, workspace, `CODE-${name}`, 'FRED')
  await saveSeriesReleases(db.sql, workspace, [{ seriesId: id, release: name }])
  const library = openLibrary()
  let heard = await loadNewest(db.sql, null)
  return {
    library,
    announced: async (knownAt: string | null = null) => {
      const series = [{ id, provider: 'FRED', code: `CODE-${name}` }] as const
      return (await library.releases.ofSeries(workspace, series, knownAt)).get(id)!
    },
    /** As the server does. */
    async hear(): Promise<readonly EntryNotice[]> {
      const entries = (await loadEntriesSince(db.sql, heard, 100))!
      for (const entry of entries) library.changes.entered(entry)
      heard = await loadNewest(db.sql, null)
      return entries
    },
  }
}

test('a moved date is a newer row, and what was announced before it can still be asked for', async () => {
  const { announced, hear } = await makeGround('10')
  const other = release('wages-10', { release: '11', title: 'Wages' })
  await publishReleases(db.sql, [
    release('cpi-10'),
    release('cpi-11', { period: '2026-11', at: '2026-12-10', status: 'DATE_ONLY' }),
    other,
  ])
  await hear()
  const first = await announced()
  expect(first).toMatchObject([
    { sourceId: 'cpi-10', at: '2026-11-13T13:30:00.000000Z', moves: 0 },
    { sourceId: 'cpi-11', at: '2026-12-10', moves: 0 },
  ])

  await publishReleases(db.sql, [release('cpi-10', { at: '2026-11-20T13:30:00.000000Z' }), other])
  expect(await hear()).toMatchObject([{ scope: publicScope, kind: 'calendar' }])
  expect(await announced()).toMatchObject([
    { sourceId: 'cpi-10', at: '2026-11-20T13:30:00.000000Z', moves: 1, firstAnnouncedAt: first[0]!.announcedAt },
    { sourceId: 'cpi-11', at: '2026-12-10', moves: 0 },
  ])
  expect(await announced(first[0]!.announcedAt)).toEqual(first)
  expect(await announced('2020-01-01T00:00:00.000000Z')).toEqual([])
})

test('of two entries for a period the first is the publication, also after it was cancelled and replaced', async () => {
  const { announced, hear } = await makeGround('12')
  const entry = (sourceId: string, at: string, status: Release['status'] = 'DATE_ONLY') =>
    release(sourceId, { release: '12', period: '2026-Q3', at, status })
  await publishReleases(db.sql, [entry('advance', '2026-10-30'), entry('final', '2026-12-22')])
  await hear()
  expect((await announced()).map(({ sourceId, number }) => [sourceId, number])).toEqual([
    ['advance', 1],
    ['final', 2],
  ])
  await publishReleases(db.sql, [entry('advance', '2026-10-30', 'CANCELLED')])
  await hear()
  expect((await announced()).map(({ sourceId, number }) => [sourceId, number])).toEqual([
    ['advance', null],
    ['final', 1],
  ])
})

test('a row of a calendar that was changed with SQL alone is found', async () => {
  await publishReleases(db.sql, [release('kept-10', { release: '13' }), release('kept-11', { release: '13' })])
  const write = (statement: string) =>
    db.owner.begin(async tx => {
      await tx`set local session_replication_role = replica`
      await tx.unsafe(statement)
    })
  const problems = async () => (await verifyAllChains(db.owner)).flatMap(({ problem }) => problem?.message ?? [])
  expect(await problems()).toEqual([])
  await write(`update calendar_entry set at = '2026-11-14' where source_id = 'kept-11'`)
  expect(await problems()).toEqual([expect.stringMatching(/publication \(calendar of rel_.*\) were changed/)])
  await write(`delete from calendar_entry where source_id = 'kept-11'`)
  expect(await problems()).toEqual([expect.stringMatching(/publication \(calendar of rel_.*\) were changed/)])
})
