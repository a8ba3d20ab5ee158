// The promise of upgrades: data made by the first shape of the product opens with today's program, and nothing of it is lost.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkSecret, withChainKey } from '../../src/storage/log/secret.ts'
import { openOwner, type Sql } from '../../src/storage/postgres/database.ts'
import type { TableSummary } from '../../src/storage/upkeep/backup-format.ts'
import { verifyAllChains } from '../../src/storage/upkeep/chain.ts'
import { readMigrations } from '../../src/storage/upkeep/migrate.ts'
import { checkFile, restoreFrom } from '../../src/storage/upkeep/restore.ts'
import { type Api, openApi } from '../support/houses/api.ts'
import { runCommand } from '../support/houses/command-house.ts'
import { openBareDatabase } from '../support/run/postgres.ts'

const kept = (name: string) => join(import.meta.dirname, 'first-shape', name)
const readKept = (name: string) => readFile(kept(name), 'utf8')

let folder: string
let api: Api
let owner: Sql
let key: string
let restored: readonly TableSummary[]
let migrated: readonly string[]
let close: () => Promise<void>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assize-upgrade-'))
  key = (await readKept('key.txt')).trim()
  const source = await checkFile(kept('first-shape.backup'))
  const secret = source.header.secret!
  const bare = await openBareDatabase()
  const target = withChainKey(bare.target, secret)
  owner = openOwner(target)
  const report = await restoreFrom(owner, source, secret)
  restored = report.tables
  migrated = report.migrated
  await checkSecret(owner, secret)
  api = await openApi({ target, owner, close: () => owner.end() }, { secret })
  close = async () => {
    await api.close()
    await bare.close()
  }
})
afterAll(async () => {
  await close?.()
  await rm(folder, { recursive: true, force: true })
})

const get = (path: string) => api.client.ask(path, { headers: { authorization: `Bearer ${key}` } })

describe('data of the first shape', () => {
  test('is brought up to date by every migration since', async () => {
    const names = (await readMigrations()).map(({ name }) => name)
    expect(migrated).toEqual(names.slice(6))
  })

  test('gives the same answers, byte for byte, to the same key', async () => {
    const paths = (await readKept('calls.txt')).trimEnd().split('\n')
    expect(paths.length).toBeGreaterThanOrEqual(5)
    for (const [at, path] of paths.entries()) {
      const { status, text } = await get(path)
      expect({ path, status, text }).toEqual({ path, status: 200, text: await readKept(`answer-${at + 1}.txt`) })
    }
  })

  test('keeps every row of every table', async () => {
    // The one clock became a clock for each scope.
    const tables = restored.filter(({ table }) => table !== 'clock')
    expect(restored.length - tables.length).toBe(1)
    expect(tables.find(({ table }) => table === 'sign_off')!.rows).toBeGreaterThan(0)
    for (const { table, rows } of tables) {
      const [found] = await owner<{ count: number }[]>`select count(*) as count from ${owner(table)}`
      expect({ table, rows: found!.count }).toEqual({ table, rows })
    }
  })

  test('verifies: the receipt of then, a receipt of every period, every chain', async () => {
    const old = await runCommand(['verify', kept('receipt.txt')], {})
    expect(old).toMatchObject({ status: 0, out: expect.stringContaining('same') })
    const agreement = (await readKept('calls.txt')).match(/pam_\w+/)![0]
    const values = JSON.parse((await get(`/v1/pams/${agreement}/values`)).text) as {
      data: { adjustmentDate: string }[]
    }
    expect(values.data).toHaveLength(3)
    for (const { adjustmentDate } of values.data) {
      const { status, text } = await get(`/v1/pams/${agreement}/adjustment/receipt?date=${adjustmentDate.slice(0, 10)}`)
      expect({ status, day: JSON.parse(text).body.adjustmentDate }).toEqual({
        status: 200,
        day: adjustmentDate.slice(0, 10),
      })
      const path = join(folder, `${adjustmentDate.slice(0, 10)}.json`)
      await writeFile(path, text)
      expect(await runCommand(['verify', path], {}), text).toMatchObject({ status: 0 })
    }
    const chains = await verifyAllChains(owner)
    expect(chains.map(({ problem }) => problem)).toEqual(chains.map(() => null))
    expect(chains.reduce((sum, chain) => sum + (chain.publications ?? 0), 0)).toBe(17)
  })
})
