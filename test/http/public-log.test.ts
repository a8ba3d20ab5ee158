// The public log as others see it: the files that are served, what they do not tell, and what slips and checkpoints that
// somebody kept find out.
import { beforeAll, describe, expect, test } from 'vitest'
import { openPublicLog } from '../../src/agreements/installation-log.ts'
import { readCheckpoint } from '../../src/core/proof/checkpoint.ts'
import { isConsistent, proveConsistency, type ReadTiles, readRoot } from '../../src/core/proof/merkle-proof.ts'
import { readNoteKey } from '../../src/core/proof/note-key.ts'
import { checkNote } from '../../src/core/proof/note-signature.ts'
import { readNote } from '../../src/core/proof/signed-note.ts'
import { readBundle, tilePath, tileWidth } from '../../src/core/proof/tile.ts'
import type { PublicLog } from '../../src/storage/proof/public-log.ts'
import { makeSlips } from '../../src/storage/proof/slips.ts'
import { auditNow, findRewrite, rewrites, strategies } from '../faults/log-rewrites.ts'
import type { Tenant } from '../support/houses/api.ts'
import { openOwnApi, ownHouse } from '../support/houses/house.ts'
import { fillSample } from '../support/houses/sample.ts'
import type { Kept } from '../support/proof/auditor.ts'

const api = ownHouse(openOwnApi)
let [tenant, other]: Tenant[] = []
let log: PublicLog
let kept: Kept
beforeAll(async () => {
  ;[tenant, other] = [await api.tenant(), await api.tenant()]
  const settings = { logName: null, dataFolder: '/nowhere' }
  log = openPublicLog(api, settings, problem => {
    throw new Error(problem)
  })
  await fillSample(other!)
  await log.advance(null)
  await fillSample(tenant!)
  const first = (await log.advance(null)).checkpoint!
  await tenant!.signBoth('steel', '2024-Q3')
  await other!.signBoth('steel', '2024-Q3')
  const last = (await log.advance(null)).checkpoint!
  const seqs = await api.owner<
    { seq: number }[]
  >`select seq from sign_off where workspace_id = ${tenant!.id} order by seq`
  const wanted = seqs.map(({ seq }) => ({ seq, hasContent: true }))
  const slips = await makeSlips(api.sql, log.keys, tenant!.id, wanted)
  kept = { slips, checkpoints: [first.note, last.note], key: log.keys.signerOf(log.name).key }
}, 120_000)

const ground = () => ({ owner: api.owner, keys: log.keys, scope: tenant!.id })

describe('the files of the log', () => {
  const fetchTiles: ReadTiles = tiles =>
    Promise.all(tiles.map(async tile => Buffer.from((await ask(`/log/${tilePath(tile)}`)).bytes)))
  const ask = async (path: string, method = 'GET') => {
    const answer = await fetch(`${api.address}${path}`, { method })
    return { status: answer.status, headers: answer.headers, bytes: await answer.arrayBuffer() }
  }

  test('are served to anybody: a checkpoint whose tree the tiles and the entries have', async () => {
    const { status, headers, bytes } = await ask('/log/checkpoint')
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=5'])
    const note = readNote(Buffer.from(bytes).toString())
    const { logKeys } = (await (await fetch(`${api.address}/.well-known/assize-keys.json`)).json()) as {
      logKeys: string[]
    }
    expect(await checkNote(crypto.subtle, note, logKeys.map(readNoteKey))).toMatchObject([{ verdict: 'holds' }])
    const { size, root } = readCheckpoint(note.text)
    expect(Buffer.from(await readRoot(size, fetchTiles))).toEqual(Buffer.from(root))
    const first = readCheckpoint(readNote(kept.checkpoints[0]!).text)
    const proof = await proveConsistency(first.size, size, fetchTiles)
    expect(isConsistent(first, { size, root }, proof)).toBe(true)
  })

  test('never change, may be kept for ever, and are asked for by HEAD too', async () => {
    const { size } = readCheckpoint(readNote(kept.checkpoints[1]!).text)
    const path = `/log/${tilePath({ level: 0, index: 0, width: tileWidth(size, 0, 0) })}`
    const tile = await ask(path)
    expect(tile.status).toBe(200)
    expect(tile.bytes.byteLength).toBe(32 * size)
    expect(tile.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(tile.headers.get('access-control-allow-origin')).toBe('*')
    const head = await ask(path, 'HEAD')
    expect([head.status, head.headers.get('content-length'), head.bytes.byteLength]).toEqual([
      200,
      String(32 * size),
      0,
    ])
    expect((await ask('/log/checkpoint', 'HEAD')).status).toBe(200)
    for (const bad of [
      'tile/0/000',
      'tile/0/001',
      'tile/0/000.p/0',
      'tile/9/x',
      'tile/0/000.p/200',
      'tile/entries/1',
      'x',
    ])
      expect((await ask(`/log/${bad}`)).status, bad).toBe(404)
    expect((await ask('/log/checkpoint', 'POST')).status).toBe(405)
  })

  test('tell nothing about whose leaves they are: by every field, a guess is no better than chance', async () => {
    const { size } = readCheckpoint(readNote(kept.checkpoints[1]!).text)
    const rows = await api.owner<{ entry: string; scope: string }[]>`
      select l.entry, h.scope from log_leaf l join log_head h on h.leaf = l.number
      where l.number < ${size} order by l.number`
    const bundle = await ask(`/log/${tilePath({ level: 'entries', index: 0, width: size })}`)
    const served = readBundle(new Uint8Array(bundle.bytes)).map(bytes => Buffer.from(bytes).toString())
    expect(served).toEqual(rows.map(({ entry }) => entry))
    // Nothing repeats, and nothing of the scope, its size or its secret is in there.
    const words = served.flatMap(entry => entry.split('\n').slice(1, 3))
    expect(new Set(words).size).toBe(words.length)
    for (const { entry, scope } of rows) expect(entry).not.toContain(scope.slice(4, 12))
    // Any two leaves look alike: the same length and form, and bytes that agree no more often than bytes do by chance.
    const bytes = rows.map(({ entry, scope }) => ({
      scope,
      field: Buffer.concat(
        entry
          .split('\n')
          .slice(1, 3)
          .map(word => Buffer.from(word, 'base64url')),
      ),
    }))
    const agreement = (isSame: boolean) => {
      let [agreeing, all] = [0, 0]
      for (const [i, a] of bytes.entries())
        for (const b of bytes.slice(i + 1)) {
          if ((a.scope === b.scope) !== isSame) continue
          all += 64
          agreeing += a.field.filter((byte, at) => byte === b.field[at]).length
        }
      return { agreeing, all }
    }
    // One byte in 256 agrees; ten times as many would be a link.
    for (const { agreeing, all } of [agreement(true), agreement(false)]) {
      expect(all).toBeGreaterThan(0)
      expect(agreeing).toBeLessThan((10 * all) / 256 + 3)
    }
    // Leaves of one batch stand in the order of their ids, which says nothing either.
    const last = rows.slice(-2).map(({ entry }) => entry)
    expect(last).toEqual([...last].sort())
  })
})

describe('history that the operator rewrites with the secret', () => {
  test('contradicts nothing while it is honest', async () => {
    expect(await auditNow(ground(), kept)).toBeNull()
  })

  for (const strategy of strategies)
    test(`is found by what others kept, where the operator ${strategy}`, async () => {
      const missed: string[] = []
      for (const way of rewrites) if ((await findRewrite(ground(), way, strategy, kept)) === null) missed.push(way)
      expect(missed).toEqual([])
      expect(rewrites.length * strategies.length).toBeGreaterThanOrEqual(50)
    })

  test('was undone after each of them', async () => {
    expect(await auditNow(ground(), kept)).toBeNull()
  })
})
