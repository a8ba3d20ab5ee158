// The state of formulas for lists: workspaces are handled in parallel, so that one with many formulas, or slow ones,
// does not delay another.
import { beforeAll, expect, test } from 'vitest'
import { applyDocument } from '../../src/agreements/apply.ts'
import { Seal } from '../../src/agreements/seal.ts'
import { parseDay } from '../../src/core/time/day.ts'
import { importTable } from '../../src/import/table.ts'
import { limits } from '../../src/limits.ts'
import { Library } from '../../src/read/library.ts'
import { Digests } from '../../src/read/lists/digests.ts'
import { unbounded } from '../../src/read/memory/library-bounds.ts'
import { copyAgreement } from '../support/agreements/many-agreements.ts'
import { textSource, uploadOf } from '../support/houses/api.ts'
import { ownHouse } from '../support/houses/house.ts'
import { makeWorkspace } from '../support/houses/workspace.ts'
import { makeTestRing, openTestDatabase } from '../support/run/postgres.ts'

const today = parseDay('2026-01-15')!

let library: Library
const db = ownHouse(openTestDatabase)
beforeAll(() => {
  library = new Library(db.sql, 2 ** 26, { seals: new Seal(makeTestRing()).rows, report: () => {} }, unbounded)
})

/** A workspace with so many formulas of one series; their ids. */
async function withFormulas(count: number): Promise<{ readonly workspaceId: string; readonly ids: readonly string[] }> {
  const { id: workspaceId } = await makeWorkspace(db)
  const table = 'series,period,value\nCUSTOM/index,2024-12,100\nCUSTOM/index,2025-12,103\n'
  const options = { dryRun: false, upload: uploadOf('table'), onProgress: () => {} }
  await importTable(db.sql, workspaceId, textSource(table), options)
  const text = `
slug: fee
contract: { start: 2025-01-01, frequency: QUARTERLY }
inputs: { index: { series: CUSTOM/index, weight: 1, base: 2024-12 } }
clause: {}
`
  const applied = await applyDocument(db.sql, { workspaceId, text, by: 'olga@owner.test', today })
  if (applied.outcome === 'refused') throw new Error(JSON.stringify(applied.problems))
  if (count > 1) await copyAgreement(db.owner, workspaceId, applied.id, count - 1)
  const rows = await db.owner<{ id: string }[]>`select id from agreement where workspace_id = ${workspaceId}`
  return { workspaceId, ids: rows.map(({ id }) => id) }
}

test('a workspace waits for none of the others', async () => {
  const slow = await Promise.all(Array.from({ length: limits.digestWorkspacesAtOnce - 1 }, () => withFormulas(40)))
  const quick = await withFormulas(3)
  const release = Promise.withResolvers<void>()
  const digests = new Digests({
    changes: library.changes,
    remember: (workspaceId, write) => library.remember(workspaceId, write),
    resolveImports: workspaceId => library.resolveImports(workspaceId),
    index: (id, piece) => library.index(id, piece),
    bounds: library.bounds,
    snapshotOf: kept => library.snapshotOf(kept),
    readAndCatchUp: (workspaceId, read) => library.readAndCatchUp(workspaceId, read),
    async computeAdjustments(workspaceId, snapshot, request) {
      if (workspaceId !== quick.workspaceId) await release.promise
      return library.computeAdjustments(workspaceId, snapshot, request)
    },
    corrections: library.corrections,
  })
  const begun = slow.map(({ workspaceId, ids }) => digests.gather(workspaceId, ids, today))
  const own = () => digests.gather(quick.workspaceId, quick.ids, today)
  await expect.poll(async () => (await own()).pending).toBe(0)
  expect([...(await own()).digests.values()].map(({ nextDate }) => nextDate)).toEqual(Array(3).fill('2026-04-01'))
  expect((await Promise.all(begun)).map(({ pending }) => pending)).toEqual(slow.map(() => 40))
  release.resolve()
  await expect
    .poll(async () => {
      const gathered = await Promise.all(slow.map(({ workspaceId, ids }) => digests.gather(workspaceId, ids, today)))
      return gathered.map(({ pending }) => pending)
    })
    .toEqual(slow.map(() => 0))
})
