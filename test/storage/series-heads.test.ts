// Lists of series that the planner has not analysed yet, next to one with very many vintages or among very many: how a
// series is read must not depend on what was imported just before.
import { describe, expect, test } from 'vitest'
import { importTable } from '../../src/import/table.ts'
import { withWorkspace } from '../../src/storage/postgres/database.ts'
import { loadVisibleSeries } from '../../src/storage/series/series.ts'
import { loadSeriesHeads } from '../../src/storage/series/series-heads.ts'
import { textSource, uploadOf } from '../support/houses/api.ts'
import { ownHouse } from '../support/houses/house.ts'
import { makeSeries, makeWorkspace, publishRows } from '../support/houses/workspace.ts'
import { openTestDatabase } from '../support/run/postgres.ts'

const db = ownHouse(openTestDatabase)

const heads = (workspaceId: string, ids: readonly string[]) =>
  withWorkspace(db.sql, workspaceId, tx => loadSeriesHeads(tx, workspaceId, ids))

/** With how many rows of the table were read. */
const counted = (workspaceId: string, ids: readonly string[]) =>
  withWorkspace(db.sql, workspaceId, async tx => {
    // Reads of earlier transactions on this connection may still be included.
    const looked = async () => {
      const [row] = await tx<{ count: number }[]>`
        select seq_tup_read + idx_tup_fetch as count from pg_stat_xact_user_tables where relname = 'vintage'`
      return row!.count
    }
    const before = await looked()
    const read = await loadSeriesHeads(tx, workspaceId, ids)
    return [read, (await looked()) - before] as const
  })

describe('the ends of series', () => {
  test('are the newest vintages of the first and the last periods that have a value now', async () => {
    const { id: workspace } = await makeWorkspace(db)
    const id = await makeSeries(db.sql, workspace, 'ends')
    const bare = await makeSeries(db.sql, workspace, 'bare')
    const day = (n: number) => `2024-01-0${n}T00:00:00.000000Z`
    await publishRows(db.sql, workspace, id, [
      { period: 1, value: '1', publishedAt: day(1) },
      { period: 1, value: null, publishedAt: day(2) },
      { period: 2, value: '2', publishedAt: day(1) },
      { period: 3, value: '3', publishedAt: day(1) },
      { period: 3, value: '3.5', publishedAt: day(2) },
      { period: 4, value: '4', publishedAt: day(1) },
      { period: 4, value: null, publishedAt: day(3) },
    ])
    const read = await heads(workspace, [id, bare, 'ser_00000000000000000000000000'])
    expect(read.get(id)).toMatchObject({
      first: 2,
      last: 3,
      value: '3.5',
      tag: 'REVISED',
      previousValue: '2',
      publishedAt: day(2),
    })
    expect(read.get(bare)).toMatchObject({ first: null, last: null, value: null, previousValue: null, changedAt: null })
    expect(read.size).toBe(2)
  })

  test('are a few rows each, also beside very many of somebody else that the planner has not looked at yet', async () => {
    const [quiet, noisy] = [await makeWorkspace(db), await makeWorkspace(db)]
    // The planner last analysed it when it was almost empty.
    await db.owner`alter table vintage set (autovacuum_enabled = false)`
    await db.owner`analyze vintage`
    const lines = Array.from({ length: 100 }, (_, i) =>
      Array.from({ length: 12 }, (_, m) => `CUSTOM/q${i},2024-${String(m + 1).padStart(2, '0')},${i}.${m}`).join('\n'),
    )
    await importTable(db.sql, quiet.id, textSource(`series,period,value\n${lines.join('\n')}\n`), {
      dryRun: false,
      upload: uploadOf('lines'),
      onProgress: () => {},
    })
    const big = await makeSeries(db.sql, noisy.id, 'big')
    await publishRows(db.sql, noisy.id, big, [{ period: 1, value: '1' }])
    await db.owner.begin(async tx => {
      await tx`set local session_replication_role = replica`
      await tx`
        insert into vintage (owner, series_id, period, seq, value, tag, published_at, recorded_at)
        select owner, series_id, period, seq, n::text, 'REVISED', recorded_at + n * interval '1 us', recorded_at
        from vintage, generate_series(1, 50000) as n where owner = ${noisy.id}`
    })
    const ids = (await db.owner<{ id: string }[]>`select id from series where owner = ${quiet.id}`).map(({ id }) => id)
    const [read, fetched] = await counted(quiet.id, ids)
    expect([...read.values()].filter(({ last, value }) => last !== null && value !== null)).toHaveLength(ids.length)
    expect(fetched).toBeLessThan(ids.length * 6)
    const [own, fetchedOfBig] = await counted(noisy.id, [big])
    expect(own.get(big)).toMatchObject({ value: '50000', first: 1, last: 1 })
    expect(fetchedOfBig).toBeLessThan(6)
  })

  test('of very many series that the planner has not looked at yet are found in time', async () => {
    const { id: workspace } = await makeWorkspace(db)
    await db.owner`alter table series set (autovacuum_enabled = false)`
    const lines = Array.from({ length: 10_000 }, (_, i) => `CUSTOM/many-${i},2024-01,${i}`)
    await importTable(db.sql, workspace, textSource(`series,period,value\n${lines.join('\n')}\n`), {
      dryRun: false,
      upload: uploadOf('many'),
      onProgress: () => {},
    })
    const ids = (await db.owner<{ id: string }[]>`select id from series where owner = ${workspace}`).map(({ id }) => id)
    expect(ids).toHaveLength(lines.length)
    // Within the time that one statement has. Each compared with each, it takes several times as long.
    expect((await heads(workspace, ids)).size).toBe(lines.length)
    const references = lines.map(line => line.split(',')[0]!)
    const named = await withWorkspace(db.sql, workspace, tx => loadVisibleSeries(tx, workspace, { references }))
    expect(named).toHaveLength(lines.length)
  })
})
