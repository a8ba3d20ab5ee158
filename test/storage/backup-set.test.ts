// Sets of backups that build on each other: what is restored is what was there, up to any instant, and a set in which something is
// missing, damaged or moved is refused as a whole.
import { readFileSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { untilLines } from '../../src/cli/installation/backup-source.ts'
import type { Instant } from '../../src/core/time/instant.ts'
import { BackupFolder } from '../../src/storage/backups/backup-store.ts'
import { pruneBackups } from '../../src/storage/backups/prune.ts'
import { openSet, type SetSource } from '../../src/storage/backups/restore-set.ts'
import { takeBackup } from '../../src/storage/backups/take-backup.ts'
import { removeMember } from '../../src/storage/people/member-changes.ts'
import { createMember } from '../../src/storage/people/people.ts'
import { openOwner, type Sql } from '../../src/storage/postgres/database.ts'
import { hashTables } from '../../src/storage/upkeep/backup.ts'
import { verifyAllChains } from '../../src/storage/upkeep/chain.ts'
import { erasePerson } from '../../src/storage/upkeep/erasure.ts'
import { restoreFrom } from '../../src/storage/upkeep/restore.ts'
import { Api } from '../support/houses/api.ts'
import { BackupActs } from '../support/houses/backup-acts.ts'
import { draws, seedOr } from '../support/run/long-form.ts'
import { openBareDatabase, openTestDatabase, testSecret } from '../support/run/postgres.ts'
import { compareUntil } from '../support/run/rows-until.ts'

interface Taken {
  readonly number: number
  readonly createdAt: Instant
  readonly tables: Awaited<ReturnType<typeof hashTables>>
}

let folder: string
let api: Api
let acts: BackupActs
const taken: Taken[] = []
const place = () => join(folder, 'set')
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assize-set-'))
  api = new Api(await openTestDatabase(), {})
  acts = await BackupActs.begin(api, seedOr(20_261_118))
  for (let round = 0; round < 4; round++) {
    for (let n = 0; n < draws(5); n++) await acts.act()
    const { number, createdAt } = await take()
    taken.push({ number, createdAt, tables: await hashTables(api.owner) })
  }
})
afterAll(async () => {
  await api.close()
  await rm(folder, { recursive: true, force: true })
})

const take = (fullEvery = 30) => takeBackup(api.owner, new BackupFolder(place()), { secret: 'travels', fullEvery })

/** Restored into a database of its own. */
async function restoring(
  until: Instant | null,
  look: (owner: Sql, source: SetSource) => Promise<void>,
  from = place(),
): Promise<void> {
  const source = await openSet(new BackupFolder(from), until, folder)
  const bare = await openBareDatabase()
  const owner = openOwner(bare.target)
  try {
    await restoreFrom(owner, source, testSecret)
    await look(owner, source)
  } finally {
    await owner.end()
    await bare.close()
  }
}

async function expectToVerify(owner: Sql): Promise<void> {
  for (const { scope, problem } of await verifyAllChains(owner))
    expect({ scope, problem }).toEqual({ scope, problem: null })
}

describe('a set of backups', () => {
  test('begins with everything, goes on with what is new, and is restored with every table as it was', async () => {
    const manifests = (await readdir(place())).filter(name => name.endsWith('.json')).sort()
    expect(manifests).toEqual(['000001.json', '000002.json', '000003.json', '000004.json'])
    const last = JSON.parse((await readFile(join(place(), '000004.json'), 'utf8')).replace(/sha256 .*\n$/, ''))
    expect(last.buildsOn.number).toBe(3)
    const vintage = last.tables.find(({ table }: { table: string }) => table === 'vintage')
    expect(vintage.way).toBe('log')
    expect(vintage.rows).toBeLessThan(vintage.total)
    for (const name of await readdir(place())) expect((await stat(join(place(), name))).mode & 0o777).toBe(0o600)
    await restoring(null, async (owner, source) => {
      expect(source.header).toMatchObject({ createdAt: taken[3]!.createdAt, secret: 'travels' })
      expect(await hashTables(owner)).toEqual(taken[3]!.tables)
      await expectToVerify(owner)
    })
  })

  test('gives the state between two of them: the log up to the instant, the rest from the earlier one', async () => {
    const [row] = await api.owner<{ at: Instant; entries: number }[]>`
      select percentile_disc(0.6) within group (order by recorded_at) as at from publication
      where recorded_at > ${taken[1]!.createdAt} and recorded_at < ${taken[2]!.createdAt}`
    const until = row!.at
    await restoring(until, async (owner, source) => {
      expect(source.header.createdAt).toBe(taken[1]!.createdAt)
      expect(source.rolled()!.entries).toBeGreaterThan(0)
      await expectToVerify(owner)
      const earlier = new Map(taken[1]!.tables.map(each => [each.table, each]))
      for (const each of await hashTables(owner))
        if (['api_key', 'member', 'person', 'session', 'log_state'].includes(each.table))
          expect(each).toEqual(earlier.get(each.table))
      const { differing, rows } = await compareUntil(api.owner, owner, until)
      expect(differing).toEqual([])
      expect(rows).toBeGreaterThan(50)
    })
  })

  test('has no state from before it began', async () => {
    const early = openSet(new BackupFolder(place()), '2020-01-01T00:00:00.000000Z' as Instant, folder)
    await expect(early).rejects.toThrow(
      `the first backup in ${place()} was made ${taken[0]!.createdAt}, after 2020-01-01`,
    )
    await expect(openSet(new BackupFolder(join(folder, 'nowhere')), null, folder)).rejects.toThrow(
      'there is no backup in',
    )
  })

  test('begins anew when it is time, and after something in it was lost', async () => {
    const whole = join(folder, 'anew')
    await cp(place(), whole, { recursive: true })
    const store = new BackupFolder(whole)
    const every = (fullEvery: number) => takeBackup(api.owner, store, { secret: null, fullEvery })
    expect(await every(5)).toMatchObject({ number: 5, buildsOn: 4, whyFull: null })
    expect(await every(5)).toMatchObject({ number: 6, buildsOn: null, whyFull: 'the last such one is 5 back' })
    expect(await every(5)).toMatchObject({ number: 7, buildsOn: 6, whyFull: null })
    await rm(join(whole, '000006.json'))
    expect(await every(5)).toMatchObject({
      ...{ number: 8, buildsOn: null },
      whyFull: expect.stringContaining('000006.json is missing: 000007.json builds on it'),
    })
  })
})

describe('pruning', () => {
  const far = '2999-01-01T00:00:00.000000Z' as Instant
  const take = (store: BackupFolder, fullEvery: number) => takeBackup(api.owner, store, { secret: null, fullEvery })

  test('keeps what a kept backup builds on, and always the newest', async () => {
    const copy = join(folder, 'pruned')
    await cp(place(), copy, { recursive: true })
    const store = new BackupFolder(copy)
    // All four are one chain: the last needs the others.
    expect(await pruneBackups(store, taken[3]!.createdAt, false)).toMatchObject({ removed: [], kept: [1, 2, 3, 4] })
    await take(store, 1)
    const { createdAt } = await take(store, 2)
    expect(await pruneBackups(store, taken[3]!.createdAt, false)).toMatchObject({ removed: [], leftovers: 0 })
    await writeFile(join(copy, '000003-0123456789abcdef.rows.77.partial'), 'left by a backup that was killed')
    await writeFile(join(copy, '000099-0123456789abcdef.rows'), 'of a backup under way')
    const before = await readdir(copy)
    const trial = await pruneBackups(store, createdAt, true)
    expect(await readdir(copy)).toEqual(before)
    expect(trial).toMatchObject({ removed: [1, 2, 3, 4], kept: [5, 6], leftovers: 1 })
    expect(await pruneBackups(store, createdAt, false)).toEqual(trial)
    expect(await pruneBackups(store, far, false)).toMatchObject({ removed: [], kept: [5, 6], leftovers: 0 })
    expect((await readdir(copy)).filter(name => !/^00000[56]/.test(name))).toEqual(['000099-0123456789abcdef.rows'])
    await openSet(store, null, folder)
  })
})

describe('a set in which something is wrong', () => {
  /** What is said of a copy in which something was changed. */
  async function refusalAfter(change: (path: (name: string) => string, names: readonly string[]) => Promise<void>) {
    const copy = await mkdtemp(join(folder, 'copy-'))
    await cp(place(), copy, { recursive: true })
    await change(name => join(copy, name), (await readdir(copy)).sort())
    return openSet(new BackupFolder(copy), null, folder).then(
      () => 'nothing',
      error => (error as Error).message.replaceAll(copy, 'set').replaceAll(/-[0-9a-f]{16}/g, ''),
    )
  }
  const rowsOf = (names: readonly string[], number: number) => names.filter(name => name.endsWith('.rows'))[number - 1]!
  const flip = async (path: string, at: (length: number) => number) => {
    const bytes = await readFile(path)
    bytes[at(bytes.length)]! ^= 4
    await writeFile(path, bytes)
  }

  test('is refused, and what is wrong is named', async () => {
    expect(await refusalAfter(async () => {})).toBe('nothing')
    expect(await refusalAfter(async path => rm(path('000002.json')))).toBe(
      'set cannot be restored: 000002.json is missing: 000003.json builds on it',
    )
    expect(await refusalAfter(async (path, names) => rm(path(rowsOf(names, 3))))).toBe(
      'set cannot be restored: 000003.rows is missing: 000003.json needs it',
    )
    expect(await refusalAfter(async path => flip(path('000001.json'), length => length >> 1))).toBe(
      'set cannot be restored: 000001.json is damaged or cut off: its bytes are not those that were written',
    )
    expect(await refusalAfter(async (path, names) => flip(path(rowsOf(names, 2)), length => length >> 1))).toBe(
      'set cannot be restored: 000002.rows is damaged: its bytes are not those that 000002.json names',
    )
    expect(
      await refusalAfter(async path => {
        await rename(path('000002.json'), path('000009.json'))
        await rename(path('000003.json'), path('000002.json'))
        await rename(path('000009.json'), path('000003.json'))
      }),
    ).toBe('set cannot be restored: 000003.json says that it is 000002.json: it was moved')
    expect(
      await refusalAfter(async (path, names) => {
        const [a, b] = [rowsOf(names, 2), rowsOf(names, 3)].map(path)
        await rename(a!, `${a}.x`)
        await rename(b!, a!)
        await rename(`${a}.x`, b!)
      }),
    ).toMatch(/^set cannot be restored: 00000[23]\.rows (?:has \d+ bytes, and .* it is damaged|is damaged)/)
  })

  test('of which one was made again elsewhere is refused', async () => {
    const other = join(folder, 'other')
    await takeBackup(api.owner, new BackupFolder(other), { secret: null, fullEvery: 30 })
    const said = await refusalAfter(async (path, names) => {
      const [rows] = (await readdir(other)).filter(name => name.endsWith('.rows'))
      await rm(path(rowsOf(names, 1)))
      await cp(join(other, rows!), path(rows!))
      await cp(join(other, '000001.json'), path('000001.json'))
    })
    expect(said).toBe('set cannot be restored: 000001.json is not the one that 000002.json builds on')
  })

  test('is nothing of a backup that was killed on the way', async () => {
    const copy = await mkdtemp(join(folder, 'killed-'))
    await cp(place(), copy, { recursive: true })
    const store = new BackupFolder(copy)
    const dying = Object.assign(Object.create(store) as BackupFolder, {
      write: async (name: string, body: AsyncIterable<Buffer>) => {
        if (name.endsWith('.json')) throw new Error('killed')
        return store.write(name, body)
      },
      remove: () => Promise.reject(new Error('killed')),
    })
    await expect(takeBackup(api.owner, dying, { secret: null, fullEvery: 30 })).rejects.toThrow('killed')
    expect((await readdir(copy)).filter(name => name.startsWith('000005'))).toHaveLength(1)
    expect((await openSet(store, null, folder)).header.createdAt).toBe(taken[3]!.createdAt)
    expect(await takeBackup(api.owner, store, { secret: null, fullEvery: 30 })).toMatchObject({
      number: 5,
      buildsOn: 4,
    })
  })
})

describe('somebody who is erased', () => {
  const zoe = 'zoe.miller@leaver.test'
  const textOf = (source: SetSource) =>
    source.point.chain
      .map(({ data }) => gunzipSync(readFileSync(join(folder, 'erased', data.name))).toString('utf8'))
      .join()

  test('is in no backup made after it that another state is restored from', async () => {
    const store = new BackupFolder(join(folder, 'erased'))
    const again = () => takeBackup(api.owner, store, { secret: null, fullEvery: 30 })
    const { id } = acts.tenant
    const newcomer = { email: zoe, name: 'Zoe Miller', role: 'viewer' } as const
    const member = await createMember(api.sql, id, newcomer, { who: 'operator', fromAddress: null })
    const first = await again()
    expect(textOf(await openSet(store, null, folder))).toContain(zoe)
    await removeMember(api.sql, id, member.id, { who: 'operator', fromAddress: null })
    await erasePerson(api.owner, { email: zoe, reason: 'asked for it', by: 'operator', isTrial: false })
    const [row] = await api.owner<{ at: Instant }[]>`select clock_timestamp() as at`
    expect(await again()).toMatchObject({ buildsOn: null, whyFull: 'somebody was erased since the last one' })
    expect(textOf(await openSet(store, null, folder))).not.toMatch(/zoe\.miller|Zoe Miller/)
    // Between the two the earlier state would be continued, which names them.
    await expect(openSet(store, row!.at, folder)).rejects.toThrow(
      /^somebody was erased 2\S+, and what is continued until/,
    )
    const before = await openSet(store, first.createdAt, folder)
    expect(before.point.erasedSince).toHaveLength(1)
    expect(untilLines(before)).toEqual([expect.stringMatching(/is named again: run assize person erase/)])
  })
})
