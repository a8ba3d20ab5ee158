// Access that is planted in the database.
import { expect } from 'vitest'
import { openOwnApi, ownHouse } from '../support/houses/house.ts'
import { scenario } from '../support/run/long-test.ts'
import { plantAccess } from './planted-access.ts'

const api = ownHouse(openOwnApi)

/** The rounds are values exchanged at random, beside every way that is written down. */
scenario(
  'planted-access',
  'F23: access planted by SQL alone, in more than 40 ways, opens nothing, signs nothing, and is found by verify --chain',
  { short: 5, long: 400 },
  async run => {
    const { failures, ways } = await plantAccess(api, run)
    expect(ways).toBeGreaterThan(70)
    return { summary: `${ways} ways`, failures }
  },
)
