// The faults of docs/SECURITY.md that need an installation in a folder of its own.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeKey } from '../../src/storage/workspaces/key-format.ts'
import { scenario } from '../support/run/long-test.ts'
import { restartUnderLoad } from './database-restarts.ts'
import { type FolderGround, openFolderGround } from './grounds.ts'
import { chiefKinds, killAtRandom } from './kills.ts'
import { liveBesideShortly } from './neighbours.ts'
import { Search, searchForKeys } from './secrets.ts'
import { compareZones, zones } from './zones.ts'

test('F15: the search finds a key at any place, with or without its prefix, and next to letters', () => {
  const key = makeKey()
  const missed: string[] = []
  for (const text of [key, key.slice('asz_live_'.length)])
    for (const [before, after] of [
      ['\0', '\0'],
      ['a', ''],
      ['\0', 'a'.repeat(50)],
      [`${'b'.repeat(40)}_`, 'a'],
    ] as const)
      for (let place = 0; place < 120; place++) {
        const search = new Search([key])
        search.look('here', `${before.repeat(place)}${text}${after}`)
        if (search.found.length !== 1) missed.push(`${search.found.length} times after ${place} of ${before}`)
      }
  expect(missed).toEqual([])
})

describe('over an installation in a folder of its own', () => {
  let ground: FolderGround
  beforeAll(async () => {
    ground = await openFolderGround()
  })
  afterAll(() => ground.close())

  scenario(
    'kills',
    'F1: kills of importer, signing party, server and database leave nothing lost, doubled or half done',
    { short: chiefKinds.length, long: 300 },
    async run => {
      const { failures, kills, done, undone } = await killAtRandom(ground, run)
      if (!run.isTimed) expect(Object.values(kills)).toEqual(chiefKinds.map(() => 1))
      const counts = Object.entries(kills).map(([what, times]) => `${what} ${times}`)
      return { summary: `${counts.join(', ')}; ${done} times it was done by then, ${undone} times not`, failures }
    },
  )

  scenario(
    'restarts',
    'F5: a database that restarts under load gives 503 while it is down and never a wrong answer',
    { short: 1, long: 30, seed: 5 },
    async run => {
      const { failures, asked, unavailable, slowestBackMs } = await restartUnderLoad(ground, run)
      expect([asked > 20, unavailable > 0]).toEqual([true, true])
      const back = `back after ${Math.ceil(slowestBackMs)} ms at most`
      return { summary: `${asked} asked, ${unavailable} times 503, ${back}`, failures }
    },
  )

  scenario(
    'zones',
    'F8: a server in another time zone gives the bytes of UTC',
    { short: 1, long: zones.length },
    async ({ rounds }) => {
      const { answers, failures } = await compareZones(ground, zones.slice(0, rounds))
      return { summary: `${answers} answers compared`, failures }
    },
  )

  test('F18: a quiet workspace reads, saves and publishes next to a hostile one', async () => {
    const { failures, actions } = await liveBesideShortly(ground)
    expect(failures).toEqual([])
    for (const [action, count] of Object.entries(actions)) expect(count, action).toBeGreaterThan(2)
  })

  scenario(
    'secrets',
    'F15: no issued key is in tables, files, logs or the heap',
    { short: 20, long: 1_000, seed: 15 },
    async run => {
      const { keys, hits, heapBytes } = await searchForKeys(ground, run)
      expect(heapBytes).toBeGreaterThan(1_000_000)
      return { summary: `${keys} keys, a heap of ${Math.ceil(heapBytes / 1e6)} MB`, failures: hits }
    },
  )
})
