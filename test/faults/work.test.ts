// The short forms of F17, F21 and F24: one workspace gives the server deliberately excessive work.
import { describe, expect, test } from 'vitest'
import { archivesForServers } from '../support/files/bursting-archives.ts'
import { oneOf } from '../support/run/long-form.ts'
import { openTestDatabase } from '../support/run/postgres.ts'
import { burstArchives, mostGrowthMb } from './bursting-archives.ts'
import { suiteSeed } from './chance.ts'
import { ownThePools } from './hostile-pools.ts'
import { attack, withConsole } from './work-faults.ts'

/** The others are read alike, and sent by `npm run faults`. */
const kinds = oneOf(2, archivesForServers)
const quiet = { seed: suiteSeed, say: () => {} }

describe('deliberately excessive work', () => {
  test('F17: 2 documents made to be slow are worked on by threads, and others are answered meanwhile', async () => {
    const { failures, refused, answered } = await withConsole(
      console => attack(console, { rounds: 2, ...quiet }),
      await openTestDatabase(),
    )
    expect(failures).toEqual([])
    expect([refused > 0, answered > 2]).toEqual([true, true])
  })

  test('F24: two workspaces that try to own every pool keep nothing from a third one', async () => {
    const { failures, answered } = await withConsole(
      ({ api }) => ownThePools(api, { rounds: 1, ...quiet }),
      await openTestDatabase(),
    )
    expect(failures).toEqual([])
    expect(answered).toBeGreaterThan(35)
  }, 240_000)

  test('F21: oversized archives are refused, and the process survives', async () => {
    const { failures, growthMb } = await withConsole(
      console => burstArchives(console.as.editor, { rounds: kinds.length, ...quiet }, kinds),
      await openTestDatabase(),
    )
    expect(failures).toEqual([])
    expect(growthMb).toBeLessThan(mostGrowthMb)
  })
})
