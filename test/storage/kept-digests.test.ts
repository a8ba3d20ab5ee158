// What was known of agreements is known after a start: nothing is computed that nothing has changed since, and what is being
// computed again is answered as it was last known. Counted, not timed.

import { beforeAll, describe, expect, test } from 'vitest'
import { applyDocument } from '../../src/agreements/apply.ts'
import { Seal } from '../../src/agreements/seal.ts'
import { type Day, parseDay } from '../../src/core/time/day.ts'
import { importTable } from '../../src/import/table.ts'
import { Library } from '../../src/read/library.ts'
import { Digests } from '../../src/read/lists/digests.ts'
import { KeyRing } from '../../src/storage/keys/key-ring.ts'
import { renameWorkspace } from '../../src/storage/workspaces/workspaces.ts'
import { textSource, uploadOf } from '../support/houses/api.ts'
import { ownHouse } from '../support/houses/house.ts'
import { makeWorkspace } from '../support/houses/workspace.ts'
import { openTestDatabase, testSecret } from '../support/run/postgres.ts'

const today = parseDay('2026-01-15')!
const db = ownHouse(openTestDatabase)

/** A process that has just started. */
const start = (ring = testSecret) =>
  new Library(db.sql, 2 ** 26, { seals: new Seal(KeyRing.of([ring])).rows, report: () => {} })

let workspaceId: string
/** By slug. */
let ids: Record<'steel' | 'more-steel' | 'labour', string>

const bring = (table: string) =>
  importTable(db.sql, workspaceId, textSource(table), {
    dryRun: false,
    upload: uploadOf('table'),
    onProgress: () => {},
  })

const documentOf = (slug: string, series: string) => `
slug: ${slug}
contract: { start: 2025-01-01, frequency: QUARTERLY }
inputs: { index: { series: CUSTOM/${series}, weight: 1, base: 2024-12 } }
clause: {}
`

async function apply(slug: string, series: string): Promise<string> {
  const text = documentOf(slug, series)
  const applied = await applyDocument(db.sql, { workspaceId, text, by: 'olga@owner.test', today })
  if (applied.outcome === 'refused') throw new Error(JSON.stringify(applied.problems))
  return applied.id
}

beforeAll(async () => {
  workspaceId = (await makeWorkspace(db)).id
  const values = Array.from(
    { length: 19 },
    (_, i) => `${2024 + Math.floor((11 + i) / 12)}-${`${((11 + i) % 12) + 1}`.padStart(2, '0')},${100 + i}`,
  )
  const rows = ['steel', 'labour'].flatMap(series => values.map(value => `CUSTOM/${series},${value}`))
  await bring(`series,period,value\n${rows.join('\n')}\n`)
  ids = {
    steel: await apply('steel', 'steel'),
    'more-steel': await apply('more-steel', 'steel'),
    labour: await apply('labour', 'labour'),
  }
})

/** Where each row is stored: one that is written again is somewhere else. */
async function rowPlaces(): Promise<ReadonlyMap<string, string>> {
  const rows = await db.owner<{ id: string; place: string }[]>`
    select agreement_id as id, ctid::text as place from kept_digest where workspace_id = ${workspaceId}`
  return new Map(rows.map(({ id, place }) => [id, place]))
}

/** When nothing waits any more and all of it is kept, and how many agreements were computed for it. */
async function gather(library: Library, day: Day = today) {
  const before = library.computed
  const places = await rowPlaces()
  const written = async () => [...(await rowPlaces())].filter(([id, place]) => places.get(id) !== place).length
  const ask = () => library.digests.gather(workspaceId, Object.values(ids), day)
  await expect.poll(async () => (await ask()).pending).toBe(0)
  const computed = library.computed - before
  await expect.poll(written).toBeGreaterThanOrEqual(computed)
  return { digests: (await ask()).digests, computed }
}

describe('after a start', () => {
  test('nothing is computed that nothing has changed since', async () => {
    const first = await gather(start())
    expect(first.computed).toBe(3)
    const second = await gather(start())
    expect(second.computed).toBe(0)
    expect(second.digests).toEqual(first.digests)
  })

  test('one figure has its readers computed again, and nobody else', async () => {
    await gather(start())
    await bring('series,period,value,version,published\nCUSTOM/steel,2025-12,106,REVISED,2026-01-14\n')
    expect((await gather(start())).computed).toBe(2)
    expect((await gather(start())).computed).toBe(0)
  })

  test('a new formula of one agreement has that one computed again', async () => {
    await gather(start())
    const text = `${documentOf('labour', 'labour')}\nname: Labour alone\n`
    await applyDocument(db.sql, { workspaceId, text, by: 'olga@owner.test', today })
    expect((await gather(start())).computed).toBe(1)
  })

  test('another name of the workspace has all of them computed again', async () => {
    await gather(start())
    await renameWorkspace(db.sql, workspaceId, 'Another name', { who: 'operator', fromAddress: null })
    expect((await gather(start())).computed).toBe(3)
  })

  test('a day on which no date falls changes nothing; one with a date does', async () => {
    await gather(start())
    expect((await gather(start(), parseDay('2026-03-31')!)).computed).toBe(0)
    const next = await gather(start(), parseDay('2026-04-01')!)
    expect(next.computed).toBe(3)
    expect(next.digests.get(ids.labour)).toMatchObject({ nextDate: '2026-07-01' })
    expect((await gather(start())).computed).toBe(3)
  })
})

describe('the shape of what is kept', () => {
  test('has another number whenever its parts are others', async () => {
    const { digests } = await gather(start())
    const parts = Object.keys(digests.get(ids.steel)!).sort()
    const [{ shape }] = await db.owner<[{ shape: number }]>`select distinct shape from kept_digest`
    // With other parts, both are changed here: an older row would be taken for one that lacks them.
    expect([shape, parts]).toEqual([
      9,
      ['corrections', 'due', 'figures', 'gap', 'made', 'money', 'moves', 'nextDate', 'open', 'row', 'termsChange'],
    ])
  })
})

describe('a row that was written with SQL', () => {
  const plant = async (change: string) => {
    const first = await gather(start())
    await db.owner.unsafe(`update kept_digest set ${change} where agreement_id = '${ids.labour}'`)
    return { first, second: await gather(start()) }
  }

  test('is not believed', async () => {
    const { first, second } = await plant(`content = replace(content, '2026-04-01', '2027-01-01')`)
    expect(second.computed).toBe(1)
    expect(second.digests).toEqual(first.digests)
  })

  test('is not believed in the place of another, nor with another number of the log', async () => {
    const moved = await plant(
      `(content, seal) = (select content, seal from kept_digest where agreement_id = '${ids.steel}')`,
    )
    expect(moved.second.computed).toBe(1)
    expect((await plant('own_seq = own_seq + 1000')).second.computed).toBe(1)
  })

  test('counts for nothing if it has another form', async () => {
    expect((await plant('shape = shape + 1')).second.computed).toBe(1)
  })

  test('is found to be old if it was put back', async () => {
    await gather(start())
    await db.owner`create table older as table kept_digest`
    await bring('series,period,value,version,published\nCUSTOM/labour,2025-12,107,REVISED,2026-01-14\n')
    await gather(start())
    await db.owner`delete from kept_digest`
    await db.owner`insert into kept_digest table older`
    await db.owner`drop table older`
    expect((await gather(start())).computed).toBe(1)
  })
})

test('what is computed again is answered as it was last known, and counted as pending', async () => {
  const { digests: known } = await gather(start())
  await bring('series,period,value,version,published\nCUSTOM/steel,2025-12,109,REVISED,2026-01-14\n')
  const library = start()
  const release = Promise.withResolvers<void>()
  const held = new Digests({
    changes: library.changes,
    corrections: library.corrections,
    remember: (workspace, write) => library.remember(workspace, write),
    resolveImports: workspace => library.resolveImports(workspace),
    index: (id, piece) => library.index(id, piece),
    bounds: library.bounds,
    snapshotOf: kept => library.snapshotOf(kept),
    readAndCatchUp: (workspace, read) => library.readAndCatchUp(workspace, read),
    async computeAdjustments(workspace, snapshot, request) {
      await release.promise
      return library.computeAdjustments(workspace, snapshot, request)
    },
  })
  const { digests, pending } = await held.gather(workspaceId, Object.values(ids), today)
  expect(pending).toBe(2)
  expect(digests).toEqual(known)
  release.resolve()
  const ask = () => held.gather(workspaceId, Object.values(ids), today)
  await expect.poll(async () => (await ask()).pending).toBe(0)
})
