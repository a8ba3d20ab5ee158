// The short forms of the faults of docs/SECURITY.md that need an installation in a folder of its own: the same runs as
// `npm run faults`, with fewer rounds.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeKey } from '../../src/storage/workspaces/key-format.ts'
import { suiteSeed } from './chance.ts'
import { restartUnderLoad } from './database-restarts.ts'
import { type FolderGround, openFolderGround } from './grounds.ts'
import { chiefKinds, killAtRandom } from './kills.ts'
import { liveBesideShortly } from './neighbours.ts'
import { Search, searchForKeys } from './secrets.ts'
import { compareZones } from './zones.ts'

const quiet = { say: () => {} }

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

  test('F1: kills of importer, signing party, server and database leave nothing lost, doubled or half done', async () => {
    const { failures, kills } = await killAtRandom(ground, { rounds: chiefKinds.length, seed: suiteSeed, ...quiet })
    expect(failures).toEqual([])
    expect(Object.values(kills)).toEqual(chiefKinds.map(() => 1))
  })

  test('F5: a database that restarts under load gives 503 while it is down and never a wrong answer', async () => {
    const { failures, unavailable, asked } = await restartUnderLoad(ground, { rounds: 1, seed: 5, ...quiet })
    expect(failures).toEqual([])
    expect([asked > 20, unavailable > 0]).toEqual([true, true])
  })

  test('F8: a server in another time zone gives the bytes of UTC', async () => {
    const { failures } = await compareZones(ground, ['Pacific/Kiritimati'])
    expect(failures).toEqual([])
  })

  test('F18: a quiet workspace reads, saves and publishes next to a hostile one', async () => {
    const { failures, actions } = await liveBesideShortly(ground)
    expect(failures).toEqual([])
    for (const [action, count] of Object.entries(actions)) expect(count, action).toBeGreaterThan(2)
  })

  test('F15: none of 20 keys is in tables, files, logs or the heap', async () => {
    const { hits, heapBytes } = await searchForKeys(ground, { rounds: 20, seed: 15, ...quiet })
    expect(hits).toEqual([])
    expect(heapBytes).toBeGreaterThan(1_000_000)
  })
})
