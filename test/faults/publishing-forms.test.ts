// The short forms of the faults that are about publishing: a database rewritten without the secret, and scopes beside each
// other.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Api, openApi } from '../support/api.ts'
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts'
import { suiteSeed } from './chance.ts'
import { importBeside } from './noisy-import.ts'
import { rewriteDatabase } from './rewritten.ts'

let database: TestDatabase
let api: Api
beforeAll(async () => {
  database = await openTestDatabase()
  api = await openApi(database)
})
afterAll(() => api.close())

it('F20: a database rewritten by SQL alone, in more than 50 ways, is found out by verify --chain each time', async () => {
  const { failures, ways } = await rewriteDatabase(api)
  expect(failures).toEqual([])
  expect(ways).toBeGreaterThan(50)
})

it('F18: beside an import of 20,000 new series a quiet workspace saves, publishes and reads within a second each', async () => {
  const { failures, deeds } = await importBeside(api, database, 20_000, suiteSeed)
  expect(failures).toEqual([])
  expect(deeds).toBeGreaterThan(20)
})
