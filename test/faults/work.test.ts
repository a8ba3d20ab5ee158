// F17, F21 and F24: one workspace gives the server deliberately excessive work.
import { describe, expect } from 'vitest'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { archivesForServers, burstingArchives } from '../support/files/bursting-archives.ts'
import { makeSeats } from '../support/houses/console.ts'
import { onlyLong } from '../support/run/long-form.ts'
import { scenario } from '../support/run/long-test.ts'
import { openTestDatabase } from '../support/run/postgres.ts'
import { burstArchives, mostGrowthMb } from './bursting-archives.ts'
import { withConsole } from './grounds.ts'
import { sendHostileDocuments } from './hostile-documents.ts'
import { ownThePools } from './hostile-pools.ts'

/** Archives that a bound of their own refuses are read without a server in `npm test`. */
const kinds = onlyLong('bursting-archives', 'archives of all fourteen kinds instead of five')
  ? burstingArchives
  : archivesForServers.filter((_, at) => at % 2 === 0)

describe('deliberately excessive work', () => {
  scenario(
    'hostile-documents',
    'F17: documents made to be slow are worked on by threads, and others are answered meanwhile',
    { short: 2, long: 5_000 },
    async run => {
      const { failures, units, answered, refused } = await withConsole(
        async ({ api }) => {
          const quiet = await api.tenant()
          await quiet.import(bracketsTable)
          await quiet.apply(bracketsDocument())
          const { as } = await makeSeats(api, 'hostile-')
          return sendHostileDocuments({ api, attacker: as.editor, quiet, path: '/pams/brackets/adjustment' }, run)
        },
        await openTestDatabase(),
      )
      expect([refused > 0, answered > 2]).toEqual([true, true])
      const calm = `${answered} answers to others, at most ${Math.ceil(units)} units of work in one turn`
      return { summary: `${refused} refused or blocked, ${calm}`, failures }
    },
  )

  scenario(
    'hostile-pools',
    'F24: two workspaces that try to own every pool keep nothing from a third one',
    { short: 1, long: 100 },
    async run => {
      const { failures, answered, hostile } = await withConsole(
        ({ api }) => ownThePools(api, run),
        await openTestDatabase(),
      )
      expect(answered).toBeGreaterThan(35)
      const told = [...hostile].filter(([status]) => status > 0).map(([status, count]) => `${count} × ${status}`)
      return { summary: `${answered} answers to the quiet one; to the others ${told.join(', ')}`, failures }
    },
  )

  scenario(
    'bursting-archives',
    'F21: oversized archives are refused, and the process survives',
    { short: kinds.length, long: 500 },
    async run => {
      const { failures, growthMb } = await withConsole(
        console => burstArchives(console.as.editor, run, kinds),
        await openTestDatabase(),
      )
      expect(growthMb).toBeLessThan(mostGrowthMb)
      return { summary: `the process grew by ${growthMb} MB`, failures }
    },
  )
})
