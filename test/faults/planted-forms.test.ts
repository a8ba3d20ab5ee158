// The short form of the fault test about access that is planted in the database.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, openApi } from '../support/houses/api.ts'
import { openTestDatabase } from '../support/run/postgres.ts'
import { suiteSeed } from './chance.ts'
import { plantAccess } from './planted-access.ts'

let api: Api
beforeAll(async () => {
  api = await openApi(await openTestDatabase())
})
afterAll(() => api.close())

test('F23: access planted by SQL alone, in more than 40 ways, opens nothing, signs nothing, and is found by verify --chain', async () => {
  const { failures, ways } = await plantAccess(api, { rounds: 15, seed: suiteSeed })
  expect(failures).toEqual([])
  expect(ways).toBeGreaterThan(70)
})
