import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readCheckpoint } from '../../src/core/proof/checkpoint.ts'
import { appendLeaf, emptyFrontier } from '../../src/core/proof/frontier.ts'
import { hashesIn } from '../../src/core/proof/merkle-hash.ts'
import { readNoteKey } from '../../src/core/proof/note-key.ts'
import { checkNote } from '../../src/core/proof/note-signature.ts'
import { readNote } from '../../src/core/proof/signed-note.ts'
import { appending } from '../../src/storage/log/append.ts'
import { loadLastLeaves } from '../../src/storage/log/scope-head.ts'
import { withWorkspace } from '../../src/storage/postgres/database.ts'
import { makeIdentifier } from '../../src/storage/postgres/identifier.ts'
import { LogKeys } from '../../src/storage/proof/log-keys.ts'
import { appendLog, beginLog } from '../../src/storage/proof/log-state.ts'
import { NewestCheckpoint } from '../../src/storage/proof/newest-checkpoint.ts'
import { PublicLog } from '../../src/storage/proof/public-log.ts'
import { endOf, rootOfTree } from '../../src/storage/trees/tree-growth.ts'
import { verifyChain } from '../../src/storage/upkeep/chain.ts'
import { honestHistories } from '../faults/log-histories.ts'
import { ownHouse } from '../support/houses/house.ts'
import { makeSeries, makeWorkspace, publishRows, seriesCalled } from '../support/houses/workspace.ts'
import { PlainTree, plainLeaf } from '../support/proof/plain-tree.ts'
import { scenario } from '../support/run/long-test.ts'
import { makeTestRing, openTestDatabase } from '../support/run/postgres.ts'

const db = ownHouse(openTestDatabase)
let folder = ''
const problems: string[] = []
const openLog = (options: { readonly folder?: string; readonly name?: string } = {}) =>
  new PublicLog({
    sql: db.sql,
    keys: new LogKeys(makeTestRing()),
    name: options.name ?? 'assize/test',
    kept: new NewestCheckpoint(options.folder ?? folder),
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
    const keys = [readNoteKey(log.keys.vkeyOf('assize/test'))]
    expect(await checkNote(crypto.subtle, note, keys)).toMatchObject([{ verdict: 'holds' }])
    // Nothing has grown since.
    expect((await log.advance(null)).checkpoint).toEqual(checkpoint)
    await makeSeries(db.sql, workspaces[1]!.id, 'two')
    const again = await openLog().advance(workspaces[1]!.id)
    expect(again.checkpoint!.size).toBe(3)
    expect(readNote(again.checkpoint!.note).signatures).toHaveLength(1)
    expect((await leaves()).every(({ entry }) => /^assize-head\/1\n[\w-]{43}\n[\w-]{43}\n$/.test(entry))).toBe(true)
    for (const { id } of workspaces)
      expect(await verifyChain(db.sql, id)).toMatchObject({
        problem: null,
        root: expect.stringMatching(/^[0-9a-f]{64}$/),
      })
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
    const [clock] = await db.owner<{ size: number; edge: Buffer }[]>`
      select tree_size as size, tree_edge as edge from scope_clock where scope = ${id}`
    const lines = await db.owner<{ line: string }[]>`
      select seq || '|' || kind || '|' || subject || '|' || encode(content_hash, 'hex') as line
      from publication where scope = ${id} order by seq`
    expect(clock!.size).toBe(1950)
    const plain = new PlainTree(lines.map(({ line }) => plainLeaf(Buffer.from(line))))
    expect(rootOfTree(clock!).toString('hex')).toBe(plain.root().toString('hex'))
    const [tiles] = await db.owner<{ count: number }[]>`select count(*) as count from log_tile where scope = ${id}`
    expect(tiles!.count).toBe(Math.floor(1950 / 256))
    expect(problems).toEqual([])
  })
})

test('leaves of a tile that becomes whole are read alone, however large the scope and whatever the database knows of it', async () => {
  const { id } = await makeWorkspace(db)
  const facts = { provider: 'CUSTOM', code: 'x', name: 'x', unit: '', dataType: 'INDEX', frequency: 'MONTHLY' }
  await appending(db.sql, id, async (_tx, log) => {
    const entry = () => ({ subject: makeIdentifier('ser'), facts: { ...facts, description: '' } as never })
    await log.appendMany('metadata', Array.from({ length: 3_000 }, entry))
  })
  await withWorkspace(db.sql, id, async tx => {
    const readSoFar = async () => {
      const [row] = await tx<{ rows: number }[]>`
        select seq_tup_read + coalesce(idx_tup_fetch, 0) as rows from pg_stat_xact_user_tables where relname = 'publication'`
      return row!.rows
    }
    const before = await readSoFar()
    const last = await loadLastLeaves(tx, id, 3_000, 200)
    expect((await readSoFar()) - before).toBe(200)
    expect(last).toHaveLength(200 * 32)
  })
})

scenario(
  'log-histories',
  'F29: honest histories of several processes with restarts contradict nothing that anybody kept',
  { short: 5, long: 10_000 },
  async run => {
    const own = await openTestDatabase()
    const kept = new NewestCheckpoint(await mkdtemp(join(tmpdir(), 'assize-log-')))
    const failures = await honestHistories({ db: own, kept }, run)
    await own.close()
    return { summary: `${run.rounds} histories`, failures }
  },
)

test('of checkpoints that are kept at the same time the largest stays, whichever came last', async () => {
  const kept = new NewestCheckpoint(await mkdtemp(join(tmpdir(), 'assize-log-')))
  const note = (size: number) =>
    `assize/test\n${size}\n${Buffer.alloc(32).toString('base64')}\n\n— test ${'A'.repeat(88)}\n`
  for (const sizes of [
    [3, 2, 1],
    [4, 6, 5],
  ])
    await Promise.all(sizes.map(size => kept.write(note(size))))
  expect((await kept.read())!.size).toBe(6)
})

describe('a log that is shorter than what was given out', () => {
  /** As after a restore of the database from an older backup, while the file beside it stayed. */
  const setBack = async (rows: number) => {
    await db.owner.begin(async tx => {
      for (const table of ['log_leaf', 'log_head', 'log_tile', 'log_checkpoint'])
        await tx.unsafe(`alter table ${table} disable trigger user`)
      const [state] = await tx<{ size: number }[]>`select size from log_state`
      const size = state!.size - rows
      await tx`delete from log_checkpoint where size > ${size}`
      await tx`delete from log_head where leaf >= ${size}`
      await tx`delete from log_leaf where number >= ${size}`
      const [hashes] = await tx<
        { all: Buffer }[]
      >`select string_agg(hash, ''::bytea order by number) as all from log_leaf`
      const tree = hashesIn(hashes!.all).reduce(appendLeaf, emptyFrontier)
      await beginLog(tx, makeTestRing())
      const [row] = await tx<{ name: string; fork: number; secretId: string }[]>`
        select name, fork, secret_id as "secretId" from log_state`
      await tx`update log_state set size = ${size}`
      await appendLog(tx, makeTestRing(), [], { ...row!, tree: endOf(tree), stopped: null })
      for (const table of ['log_leaf', 'log_head', 'log_tile', 'log_checkpoint'])
        await tx.unsafe(`alter table ${table} enable trigger user`)
    })
  }

  test('signs nothing, says so once, and goes on under another origin once the operator says why', async () => {
    const { id } = await makeWorkspace(db)
    const log = openLog()
    for (const name of ['a', 'b', 'c']) {
      await makeSeries(db.sql, id, name)
      await log.advance(id)
    }
    const given = await new NewestCheckpoint(folder).read()
    await setBack(2)
    const stopped = await openLog().advance(null)
    expect(stopped.checkpoint).toBeNull()
    expect(stopped.stopped).toBe(
      `a checkpoint of ${given!.size} leaves was given out, and the tree has ${given!.size - 2}: the database is older`,
    )
    const [newest] = await db.owner<{ size: number }[]>`select max(size) as size from log_checkpoint`
    expect(newest!.size).toBeLessThan(given!.size)
    problems.length = 0
    const again = openLog()
    for (let i = 0; i < 3; i++) expect(await again.advance(id)).toEqual(stopped)
    expect(problems).toEqual([`nothing is signed in the public log: ${stopped.stopped}`])
    const first = await again.fork('restored from the backup of Sunday')
    expect([first.origin, again.stopped]).toEqual(['assize/test/2', null])
    expect((await leaves()).at(-1)!.entry).toBe(
      `assize-fork/1\nassize/test\n${given!.size}\nrestored from the backup of Sunday\n`,
    )
    expect((await again.advance(null)).checkpoint!.origin).toBe('assize/test/2')
    expect((await new NewestCheckpoint(folder).read())!.origin).toBe('assize/test/2')
    problems.length = 0
  })

  test('is found by what a witness has seen, where no file is left', async () => {
    const elsewhere = openLog({ folder: join(folder, 'nowhere') })
    const { checkpoint } = await elsewhere.advance(null)
    await elsewhere.compareSize('assize/test/2', checkpoint!.size, 'w1')
    expect((await elsewhere.advance(null)).stopped).toBeNull()
    await elsewhere.compareSize('assize/test/2', checkpoint!.size + 5, 'w1')
    const words = `w1 has seen a checkpoint of ${checkpoint!.size + 5} leaves, and the tree has ${checkpoint!.size}`
    expect((await openLog().advance(null)).stopped).toBe(words)
    await elsewhere.resume()
    expect((await openLog().advance(null)).stopped).toBeNull()
    await expect(elsewhere.resume()).rejects.toThrow('the log is not stopped')
  })

  test('has another name by a fork alone', async () => {
    const renamed = openLog({ name: 'prices.example' })
    expect((await renamed.advance(null)).stopped).toBe(
      'the log is called assize/test; assize log fork starts another, called prices.example',
    )
    expect((await renamed.fork('a name of our own')).origin).toBe('prices.example')
  })

  test('is not signed for where its leaves or its state were changed', async () => {
    const log = openLog({ name: 'prices.example' })
    const { id } = await makeWorkspace(db)
    await makeSeries(db.sql, id, 'x')
    await expect(
      db.owner.begin(async tx => {
        await tx`update log_state set size = size - 1`
        throw new Error('undone')
      }),
    ).rejects.toThrow('undone')
    await db.owner`update log_state set stopped = 'never mind'`
    expect((await log.advance(null)).stopped).toContain('was changed in the database itself')
    await db.owner`update log_state set stopped = null`
    expect((await log.advance(null)).checkpoint!.origin).toBe('prices.example')
    // A leaf of long ago, hashed again: the tree is another one.
    await db.owner.begin(async tx => {
      await tx`alter table log_leaf disable trigger user`
      await tx`update log_leaf set hash = sha256(hash) where number = (select max(number) from log_leaf)`
      await tx`alter table log_leaf enable trigger user`
    })
    await makeSeries(db.sql, id, 'y')
    expect((await log.advance(null)).stopped).toMatch(/^the tree did not grow out of the checkpoint of \d+ leaves/)
  })
})

async function makeMany(workspaceId: string, name: string, count: number): Promise<void> {
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
