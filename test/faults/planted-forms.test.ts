// The short form of the fault test about access that is planted in the database.
import { expect, test } from 'vitest'
import { openOwnApi, ownHouse } from '../support/houses/house.ts'
import { suiteSeed } from './chance.ts'
import { plantAccess } from './planted-access.ts'

const api = ownHouse(openOwnApi)

test('F23: access planted by SQL alone, in more than 40 ways, opens nothing, signs nothing, and is found by verify --chain', async () => {
  const { failures, ways } = await plantAccess(api, { rounds: 5, seed: suiteSeed })
  expect(failures).toEqual([])
  expect(ways).toBeGreaterThan(70)
})
