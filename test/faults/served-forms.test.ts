// The short forms of the faults of docs/SECURITY.md that need a server over the shared database: the same runs as
// `npm run faults`, with fewer rounds.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, openApi } from '../support/houses/api.ts'
import { openTestDatabase, type TestDatabase } from '../support/run/postgres.ts'
import { fuzzApi } from './api-fuzz.ts'
import { replayAnswers } from './as-of-replay.ts'
import { syncByChanges } from './delta-sync.ts'
import { restoreBeside } from './grounds.ts'
import { crossTenants } from './tenant-matrix.ts'

const quiet = { say: () => {} }

describe('over the shared database', () => {
  let database: TestDatabase
  let api: Api
  beforeAll(async () => {
    database = await openTestDatabase()
    api = await openApi(database)
  })
  afterAll(() => api.close())

  test('F2: 20 answers cut by knownAt are the same bytes later, after a restart and after a restore', async () => {
    const restored = async () => openApi(await restoreBeside(database, api.secret))
    expect(await replayAnswers(api, { rounds: 20, seed: 2, ...quiet }, { restored })).toBeGreaterThanOrEqual(20)
  })

  test('F10: two workspaces see nothing of each other, by any route and any kind of name', async () => {
    const { asked, failures } = await crossTenants(api, 2)
    expect(failures).toEqual([])
    expect(asked).toBeGreaterThan(300)
  })

  test('F12: 1,000 requests made from the OpenAPI document are answered as it says', async () => {
    const { failures, statuses } = await fuzzApi(api, { rounds: 1_000, seed: 12 })
    expect(failures).toEqual([])
    for (const status of [200, 304, 400, 401, 404, 405]) expect(statuses[status], `${status}`).toBeGreaterThan(1)
  })

  test('F12: 250 requests made from the document of /ext/v1 are answered as it says', async () => {
    const { failures, statuses } = await fuzzApi(api, { rounds: 250, seed: 12 }, '/ext/openapi.json')
    expect(failures).toEqual([])
    for (const status of [200, 304, 400, 401, 404, 405]) expect(statuses[status], `${status}`).toBeGreaterThan(0)
  })

  test('F26: a copy that a client keeps by /changes over a rough road equals a walk of everything, after 40 changes', async () => {
    const { failures, bumps, prices } = await syncByChanges(api, { rounds: 2, seed: 23 })
    expect(failures).toEqual([])
    expect([bumps > 10, prices > 3]).toEqual([true, true])
  })
})
