// The short forms of the faults of docs/SECURITY.md that need a server: the same runs as `npm run faults`, with fewer rounds.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, openApi } from '../support/api.ts'
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts'
import { fuzzApi, slowestAllowedMs } from './api-fuzz.ts'
import { replayAnswers } from './as-of-replay.ts'
import { restoreAgainAndAgain } from './backup-restore.ts'
import { suiteSeed } from './chance.ts'
import { restartUnderLoad } from './database-restarts.ts'
import { fillDisk, mountSmallDisk } from './disk-full.ts'
import { type FolderGround, openFolderGround, restoreBeside } from './grounds.ts'
import { killAtRandom, kinds } from './kills.ts'
import { liveBesideShortly } from './neighbours.ts'
import { searchForKeys } from './secrets.ts'
import { crossTenants } from './tenant-matrix.ts'
import { compareZones } from './zones.ts'

const quiet = { say: () => {} }

describe('over the shared database', () => {
  let database: TestDatabase
  let api: Api
  beforeAll(async () => {
    database = await openTestDatabase()
    api = await openApi(database)
  })
  afterAll(() => api.close())

  it('F2: 150 answers cut by knownAt are the same bytes later, after a restart and after a restore', async () => {
    const restored = async () => openApi(await restoreBeside(database, api.secret))
    expect(await replayAnswers(api, { rounds: 150, seed: 2, ...quiet }, { restored })).toBeGreaterThanOrEqual(150)
  })

  it('F10: eight workspaces see nothing of each other, by any route and any kind of name', async () => {
    const { asked, failures } = await crossTenants(api, 8)
    expect(failures).toEqual([])
    expect(asked).toBeGreaterThan(2_000)
  })

  it('F12: 4,000 requests made from the OpenAPI document are answered as it says', async () => {
    const { failures, statuses, slowestMs } = await fuzzApi(api, { rounds: 4_000, seed: 12 })
    expect(failures).toEqual([])
    for (const status of [200, 304, 400, 401, 404, 405]) expect(statuses[status], `${status}`).toBeGreaterThan(5)
    expect(slowestMs).toBeLessThan(slowestAllowedMs)
  })

  it('F16: a copy by backup and restore is equal table by table, verifies, and gives the same answers', async () => {
    expect(await restoreAgainAndAgain(api, database, { rounds: 2, seed: 16, ...quiet })).toEqual([])
  })
})

describe('over an installation in a folder of its own', () => {
  let ground: FolderGround
  beforeAll(async () => {
    ground = await openFolderGround()
  })
  afterAll(() => ground.close())

  it('F1: kills of importer, signing party, server and database leave nothing lost, doubled or half done', async () => {
    const { failures, kills } = await killAtRandom(ground, { rounds: kinds.length, seed: suiteSeed, ...quiet })
    expect(failures).toEqual([])
    expect(Object.values(kills)).toEqual(kinds.map(() => 1))
  })

  it('F5: a database that restarts under load gives 503 while it is away and nothing wrong ever', async () => {
    const { failures, unavailable, asked } = await restartUnderLoad(ground, { rounds: 2, seed: 5, ...quiet })
    expect(failures).toEqual([])
    expect([asked > 50, unavailable > 0]).toEqual([true, true])
  })

  it('F8: servers in three time zones give the bytes of UTC', async () => {
    const { failures } = await compareZones(ground, ['America/New_York', 'Europe/Berlin', 'Pacific/Kiritimati'])
    expect(failures).toEqual([])
  })

  it('F18: a quiet workspace reads, saves and publishes beside one that does its worst', async () => {
    const { failures, deeds } = await liveBesideShortly(ground)
    expect(failures).toEqual([])
    for (const [deed, count] of Object.entries(deeds)) expect(count, deed).toBeGreaterThan(2)
  })

  it('F15: none of 60 keys stands in tables, files, logs or the heap', async () => {
    const { hits, heapBytes } = await searchForKeys(ground, { rounds: 60, seed: 15, ...quiet })
    expect(hits).toEqual([])
    expect(heapBytes).toBeGreaterThan(1_000_000)
  })
})

it('F6: on a full disk an import fails clean, reads go on, and with room again the file comes in whole', async context => {
  const disk = await mountSmallDisk()
  if ('refused' in disk) {
    process.stderr.write(`F6 is not tried here, for no small disk can be mounted: ${disk.refused}\n`)
    return context.skip()
  }
  try {
    const { failures, refused, asked } = await fillDisk(disk.folder, { rounds: 1, seed: 6, ...quiet })
    expect(failures).toEqual([])
    expect([refused, asked > 20]).toEqual([1, true])
  } finally {
    await disk.remove()
  }
})
