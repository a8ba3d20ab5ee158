import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readCheckpoint } from '../../src/core/proof/checkpoint.ts'
import { checkNote } from '../../src/core/proof/note-signature.ts'
import { readNoteKey } from '../../src/core/proof/note-key.ts'
import { readNote } from '../../src/core/proof/signed-note.ts'
import { KeptCheckpoint } from '../../src/storage/proof/kept-checkpoint.ts'
import { LogKeys } from '../../src/storage/proof/log-keys.ts'
import { PublicLog } from '../../src/storage/proof/public-log.ts'
import { verifyChain } from '../../src/storage/upkeep/chain.ts'
import { ownHouse } from '../support/houses/house.ts'
import { makeSeries, makeWorkspace, publishRows } from '../support/houses/workspace.ts'
import { openTestDatabase, testSecret } from '../support/run/postgres.ts'

const db = ownHouse(openTestDatabase)
let folder = ''
const problems: string[] = []
const openLog = (options: { readonly isQuantumSafe?: boolean; readonly folder?: string; readonly name?: string } = {}) =>
  new PublicLog({
    sql: db.sql,
    keys: new LogKeys(testSecret, options),
    name: options.name ?? 'assize/test',
    kept: new KeptCheckpoint(options.folder ?? folder),
    report: problem => problems.push(problem),
  })
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assize-log-'))
})
afterAll(() => rm(folder, { recursive: true }))

const leaves = () => db.owner<{ number: number; entry: string }[]>`select number, entry from log_leaf order by number`

describe('the public log', () => {
  test('gets one leaf for each scope that has grown, and a checkpoint signed by its own key', async () => {
    const workspaces = [await makeWorkspace(db), await makeWorkspace(db)]
    for (const { id } of workspaces) await makeSeries(db.sql, id, 'one')
    const log = openLog()
    const { checkpoint } = await log.advance(null)
    expect(checkpoint!.size).toBe(2)
    const note = readNote(checkpoint!.note)
    expect(readCheckpoint(note.text)).toMatchObject({ origin: 'assize/test', size: 2 })
    const keys = log.keys.vkeysOf('assize/test').map(readNoteKey)
    expect(await checkNote(crypto.subtle, note, keys)).toMatchObject([{ verdict: 'holds' }])
    // Nothing has grown since.
    expect((await log.advance(null)).checkpoint).toEqual(checkpoint)
    await makeSeries(db.sql, workspaces[1]!.id, 'two')
    const again = await openLog({ isQuantumSafe: true }).advance(workspaces[1]!.id)
    expect(again.checkpoint!.size).toBe(3)
    expect(readNote(again.checkpoint!.note).signatures).toHaveLength(2)
    expect((await leaves()).every(({ entry }) => /^assize-head\/1\n[\w-]{43}\n[\w-]{43}\n$/.test(entry))).toBe(true)
    for (const { id } of workspaces)
      expect(await verifyChain(db.sql, id)).toMatchObject({ problem: null, root: expect.stringMatching(/^[0-9a-f]{64}$/) })
  })

  test('grows by one process at a time, however many there are, and never twice for the same', async () => {
    const { id } = await makeWorkspace(db)
    const series = await makeSeries(db.sql, id, 'busy')
    const before = (await leaves()).length
    await Promise.all(
      Array.from({ length: 12 }, async (_, i) => {
        await publishRows(db.sql, id, series, [{ period: 24_000 + i, value: `${i}` }])
        await openLog().advance(id)
      }),
    )
    const heads = await db.owner<{ k: number; size: number }[]>`
      select k, size from log_head where scope = ${id} order by k`
    expect(heads.map(({ k }) => k)).toEqual(heads.map((_, i) => i + 1))
    expect(heads.at(-1)!.size).toBe(13)
    expect((await leaves()).length - before).toBe(heads.length)
    expect(problems).toEqual([])
  })

  test('stays consistent across many tiles', async () => {
    const { id } = await makeWorkspace(db)
    const log = openLog()
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 5; i++) await makeMany(id, `${round}-${i}`, 130)
      await log.advance(id)
    }
    const [tiles] = await db.owner<{ count: number }[]>`select count(*) as count from log_tile where scope = ${id}`
    expect(tiles!.count).toBe(Math.floor((15 * 130) / 256))
    expect(await verifyChain(db.sql, id)).toMatchObject({ problem: null })
    expect(problems).toEqual([])
  })
})

async function makeMany(workspaceId: string, name: string, count: number): Promise<void> {
  const { appending } = await import('../../src/storage/log/append.ts')
  const { seriesCalled } = await import('../support/houses/workspace.ts')
  const { makeIdentifier } = await import('../../src/storage/postgres/identifier.ts')
  await appending(db.sql, workspaceId, async (_tx, log) => {
    await log.appendMany(
      'metadata',
      Array.from({ length: count }, (_, i) => {
        const subject = makeIdentifier('ser')
        return { subject, facts: seriesCalled(subject, `${name} ${i}`) }
      }),
    )
  })
}
