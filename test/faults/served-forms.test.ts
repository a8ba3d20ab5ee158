// The faults of docs/SECURITY.md that need a server over the shared database.
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { type Api, openApi } from '../support/houses/api.ts'
import { scenario } from '../support/run/long-test.ts'
import { openTestDatabase, type TestDatabase } from '../support/run/postgres.ts'
import { fuzzApi } from './api-fuzz.ts'
import { replayAnswers } from './as-of-replay.ts'
import { changesPerHistory, syncByChanges } from './delta-sync.ts'
import { restoreBeside } from './grounds.ts'
import { crossTenants } from './tenant-matrix.ts'

describe('over the shared database', () => {
  let database: TestDatabase
  let api: Api
  beforeAll(async () => {
    database = await openTestDatabase()
    api = await openApi(database)
  })
  afterAll(() => api.close())

  scenario(
    'replay',
    'F2: answers cut by knownAt are the same bytes later, after a restart and after a restore',
    { short: 20, long: 10_000, seed: 2 },
    async run => {
      const restored = async () => openApi(await restoreBeside(database, api.secret))
      const answers = await replayAnswers(api, run, { restored })
      expect(answers).toBeGreaterThanOrEqual(run.rounds)
      return { summary: `${answers} answers`, failures: [] }
    },
  )

  scenario(
    'tenants',
    'F10: workspaces see nothing of each other, by any route and any kind of name',
    { short: 2, long: 20 },
    async ({ rounds }) => {
      const { asked, failures } = await crossTenants(api, rounds)
      expect(asked).toBeGreaterThan(300)
      return { summary: `${asked} answers looked through`, failures }
    },
  )

  scenario(
    'fuzz',
    'F12: requests made from the OpenAPI document are answered as it says',
    { short: 1_000, long: 200_000, seed: 12 },
    async run => {
      const { failures, statuses, slowestMs } = await fuzzApi(api, run)
      for (const status of [200, 304, 400, 401, 404, 405]) expect(statuses[status], `${status}`).toBeGreaterThan(1)
      return { summary: `${JSON.stringify(statuses)}, slowest ${Math.ceil(slowestMs)} ms`, failures }
    },
  )

  scenario(
    'fuzz',
    'F12: requests made from the document of /ext/v1 are answered as it says',
    { short: 250, long: 200_000, seed: 12 },
    async run => {
      const { failures, statuses, slowestMs } = await fuzzApi(api, run, '/ext/openapi.json')
      for (const status of [200, 304, 400, 401, 404, 405]) expect(statuses[status], `${status}`).toBeGreaterThan(0)
      return { summary: `${JSON.stringify(statuses)}, slowest ${Math.ceil(slowestMs)} ms`, failures }
    },
  )

  scenario(
    'sync',
    'F26: a copy that a client keeps by /changes over a rough road equals a walk of everything',
    { short: 2, long: 50, seed: 23 },
    async run => {
      const { failures, fetched, bumps, prices } = await syncByChanges(api, run)
      expect([bumps > 10, prices > 3]).toEqual([true, true])
      const changes = run.rounds * changesPerHistory
      return { summary: `${changes} changes, ${fetched} requests, of which ${bumps} met a bump`, failures }
    },
  )
})
