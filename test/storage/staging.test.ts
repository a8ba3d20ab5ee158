import { beforeAll, describe, expect, test } from 'vitest'
import type { VersionTag } from '../../src/core/series/series.ts'
import { openApplication, withWorkspace } from '../../src/storage/postgres/database.ts'
import { withStaging } from '../../src/storage/series/staging.ts'
import type { Workspace } from '../../src/storage/workspaces/workspaces.ts'
import { ownHouse } from '../support/houses/house.ts'
import { type Given, makeSeries, makeWorkspace, publishRows } from '../support/houses/workspace.ts'
import { openTestDatabase } from '../support/run/postgres.ts'

let workspace: Workspace
const db = ownHouse(openTestDatabase)
beforeAll(async () => {
  workspace = await makeWorkspace(db)
})

const day = (number: number) => `2024-01-${String(number).padStart(2, '0')}T00:00:00.000000Z`

interface HeldRow {
  readonly period: number
  readonly value: string | null
  readonly tag: VersionTag | null
  readonly publishedAt: string
}

const read = (seriesId: string) =>
  withWorkspace(
    db.sql,
    workspace.id,
    tx => tx<HeldRow[]>`
      select period, value, tag, published_at as "publishedAt" from vintage
      where owner = ${workspace.id} and series_id = ${seriesId} order by period, published_at, seq`,
  )

const fresh = () => makeSeries(db.sql, workspace.id, `staging-${Math.random()}`)

describe('what becomes a vintage', () => {
  test('the same file twice adds nothing the second time', async () => {
    const id = await fresh()
    const file: Given[] = [
      { period: 1, value: '1.10', publishedAt: day(1) },
      { period: 1, value: '1.20', publishedAt: day(5) },
      { period: 2, value: '2' },
    ]
    expect(await publishRows(db.sql, workspace.id, id, file)).toMatchObject({ rows: 3, added: 3, changed: [id] })
    expect(await publishRows(db.sql, workspace.id, id, file)).toMatchObject({ rows: 3, added: 0, recordedAt: null })
    expect(await read(id)).toMatchObject([
      { period: 1, value: '1.10', tag: 'FINAL', publishedAt: day(1) },
      { period: 1, value: '1.20', tag: 'REVISED', publishedAt: day(5) },
      { period: 2, value: '2', tag: 'FINAL' },
    ])
  })

  test('a value without a publication counts from the moment it is recorded', async () => {
    const id = await fresh()
    const { recordedAt } = await publishRows(db.sql, workspace.id, id, [{ period: 1, value: '1' }])
    expect((await read(id)).map(({ publishedAt }) => publishedAt)).toEqual([recordedAt])
  })

  test('an older publication is inserted in between, and is compared with the one before it', async () => {
    const id = await fresh()
    await publishRows(db.sql, workspace.id, id, [
      { period: 1, value: '1', publishedAt: day(1) },
      { period: 1, value: '3', publishedAt: day(9) },
    ])
    const second = await publishRows(db.sql, workspace.id, id, [
      { period: 1, value: '1', publishedAt: day(2) },
      { period: 1, value: '2', publishedAt: day(3) },
    ])
    expect(second.added).toBe(1)
    expect((await read(id)).map(({ value }) => value)).toEqual(['1', '2', '3'])
  })

  test('a correction under the same date stays, and the old file does not undo it', async () => {
    const id = await fresh()
    const wrong: Given[] = [{ period: 1, value: '1', publishedAt: day(1) }]
    await publishRows(db.sql, workspace.id, id, wrong)
    await publishRows(db.sql, workspace.id, id, [{ period: 1, value: '2', publishedAt: day(1) }])
    expect((await publishRows(db.sql, workspace.id, id, wrong)).added).toBe(0)
    expect((await read(id)).map(({ value, tag }) => [value, tag])).toEqual([
      ['1', 'FINAL'],
      ['2', 'REVISED'],
    ])
  })

  test('a withdrawal is a vintage once, and only where there was something to withdraw', async () => {
    const id = await fresh()
    const file: Given[] = [
      { period: 1, value: '1', publishedAt: day(1) },
      { period: 1, value: null, publishedAt: day(2) },
      { period: 1, value: null, publishedAt: day(3) },
      { period: 1, value: '1', publishedAt: day(4) },
      { period: 2, value: null, publishedAt: day(4) },
    ]
    await publishRows(db.sql, workspace.id, id, file)
    expect((await read(id)).map(({ period, value, tag }) => [period, value, tag])).toEqual([
      [1, '1', 'FINAL'],
      [1, null, null],
      [1, '1', 'FINAL'],
    ])
  })

  test('a publication in the future is refused, and nothing of the file stays', async () => {
    const id = await fresh()
    const file: Given[] = [
      { period: 1, value: '1' },
      { period: 2, value: '2', publishedAt: '2999-01-01T00:00:00.000000Z' },
    ]
    await expect(publishRows(db.sql, workspace.id, id, file)).rejects.toMatchObject({ kind: 'invalid' })
    expect(await read(id)).toEqual([])
  })

  test('a flag with tabs, bars and backslashes comes back as it was', async () => {
    const id = await fresh()
    await publishRows(db.sql, workspace.id, id, [{ period: 1, value: '1', flag: 'a|b\\N c' }])
    const rows = await withWorkspace(db.sql, workspace.id, tx => tx`select flag from vintage where series_id = ${id}`)
    expect(rows).toEqual([{ flag: 'a|b\\N c' }])
  })
})

describe('contradictions', () => {
  test('are named by their lines, and refuse the whole file', async () => {
    const id = await fresh()
    const rows = [
      { period: 1, value: '1', publishedAt: day(1), line: 2 },
      { period: 1, value: '2', publishedAt: day(1), line: 3 },
      { period: 2, value: '5', line: 4 },
      { period: 2, value: '5', line: 5 },
      { period: 2, value: '6', line: 6 },
    ].map(row => ({ series: 0, tag: null, flag: null, publishedAt: null, ...row }))
    const conflicts = await withStaging(db.sql, workspace.id, async staging => {
      await staging.add(rows)
      return (await staging.compare([id])).conflicts(10)
    })
    expect(conflicts).toEqual([
      { series: 0, period: 1, line: 3, otherLine: 2 },
      { series: 0, period: 2, line: 6, otherLine: 5 },
    ])
    await expect(publishRows(db.sql, workspace.id, id, rows)).rejects.toThrow('line 3 contradicts line 2')
    expect(await read(id)).toEqual([])
  })
})

describe('an import that is abandoned', () => {
  test('leaves nothing, and its connection still works', async () => {
    const id = await fresh()
    const one = openApplication(db.target, { connections: 1 })
    const given = { series: 0, period: 1, value: '1', tag: null, flag: null, publishedAt: null, line: 2 }
    const failing = withStaging(one, workspace.id, async staging => {
      await staging.add([given])
      throw new Error('a bad row on line 3')
    })
    await expect(failing).rejects.toThrow('a bad row on line 3')
    expect(await withStaging(one, workspace.id, async staging => staging.add([given]))).toBeUndefined()
    const dry = await withStaging(one, workspace.id, async staging => {
      await staging.add([given, { ...given, period: 2 }])
      return (await staging.compare([id])).countNew()
    })
    expect(dry).toBe(2)
    expect(await one`select 1 as one`).toEqual([{ one: 1 }])
    expect(await read(id)).toEqual([])
    await one.end()
  })

  test('over a row the database refuses says why', async () => {
    const id = await fresh()
    const bad = { period: 1, value: '1', publishedAt: 'no instant' }
    await expect(publishRows(db.sql, workspace.id, id, [bad])).rejects.toThrow('invalid input syntax')
    const many = Array.from({ length: 5_000 }, (_, i) => ({
      period: i,
      value: '1',
      publishedAt: i === 10 ? 'x' : day(1),
    }))
    await expect(publishRows(db.sql, workspace.id, id, many)).rejects.toThrow('invalid input syntax')
    expect(await read(id)).toEqual([])
  })
})

describe('two imports of one series at the same moment', () => {
  test('are compared with each other, whichever comes first', async () => {
    const id = await fresh()
    const file: Given[] = Array.from({ length: 200 }, (_, i) => ({ period: i, value: `${i}`, publishedAt: day(1) }))
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => publishRows(db.sql, workspace.id, id, file)))
    expect(outcomes.map(({ added }) => added).sort((a, b) => a - b)).toEqual([0, 0, 0, 0, 0, 200])
    expect(await read(id)).toHaveLength(200)
  })
})
