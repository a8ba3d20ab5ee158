import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { dayOf, formatDay } from '../../src/core/time/day.ts'
import { csvSource } from '../../src/import/csv.ts'
import { importTable } from '../../src/import/table.ts'
import type { Workspace } from '../../src/storage/workspaces/workspaces.ts'
import { Chance, suiteSeed } from '../faults/chance.ts'
import { processEnv } from '../support/clients/command-output.ts'
import { uploadOf } from '../support/houses/api.ts'
import { openCommandHouse } from '../support/houses/command-house.ts'
import { ownHouse } from '../support/houses/house.ts'
import { roundsOf } from '../support/run/long-form.ts'
import { startFile } from '../support/run/start-files.ts'

const rounds = roundsOf('stops', 'imports killed at random moments', 2, 60)
const rowsPerSeries = 2_500

let workspace: Workspace
const house = ownHouse(() => openCommandHouse('apart'))
beforeAll(async () => {
  workspace = await house.makeWorkspace()
})

/** Two series; their rows are the same in every round. */
function table(round: number): string {
  const first = dayOf(2000, 1, 1)
  const rows = ['a', 'b'].flatMap(name =>
    Array.from({ length: rowsPerSeries }, (_, i) => {
      const day = formatDay(first + i)
      return `CUSTOM/${round}-${name},${day},${100 + (i % 97)}.${i % 10},${day}T12:00:00Z,flag ${i % 7}`
    }),
  )
  return `series,period,value,published,flag\n${rows.join('\n')}\n`
}

const program = startFile('killable')

function start(path: string) {
  const child = spawn(process.execPath, [program, 'import', path, '--workspace', workspace.slug], {
    env: { ...processEnv, ...house.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  return { child, ended, begun: once(child.stdout, 'data') }
}

async function importHere(path: string): Promise<number> {
  const options = { dryRun: false, upload: uploadOf(path), onProgress: () => {} }
  const { added, problems } = await importTable(house.installation.sql, workspace.id, csvSource(path), options)
  expect(problems).toEqual([])
  return added
}

/** Of each series of the round: how many vintages, and the hashes of its publications. */
async function look(round: number) {
  const rows = await house.installation.owner<{ vintages: number; hashes: string[] }[]>`
    select (select count(*) from vintage v where v.owner = s.owner and v.series_id = s.id) as vintages,
      array(select encode(p.content_hash, 'hex') from publication p
        where p.scope = s.owner and p.subject = s.id and p.kind = 'observations') as hashes
    from series s where s.owner = ${workspace.id} and s.code like ${`${round}-%`}`
  return [...rows]
}

test('an importer killed at any moment leaves all of its file or nothing, and a rerun gives the same content', async () => {
  const calm = await house.write('calm.csv', table(0))
  const { begun, ended } = start(calm)
  await begun
  const from = performance.now()
  expect((await ended)[0]).toBe(0)
  const durationMs = performance.now() - from
  const whole = await look(0)
  expect(whole.map(({ vintages, hashes }) => [vintages, hashes.length])).toEqual([
    [rowsPerSeries, 1],
    [rowsPerSeries, 1],
  ])
  expect(await importHere(calm)).toBe(0)

  const seed = suiteSeed
  const chance = new Chance(seed)
  let nothing = 0
  for (let round = 1; round <= rounds; round++) {
    const path = await house.write('killed.csv', table(round))
    const running = start(path)
    await running.begun
    const delayMs = chance.int(0, Math.floor(durationMs))
    const told = `seed ${seed}, round ${round}, killed after ${delayMs} ms`
    await sleep(delayMs)
    running.child.kill('SIGKILL')
    await running.ended
    const left = await look(round)
    if (left.length === 0) nothing++
    else expect(left, told).toEqual(whole)
    // A commit in progress may still complete after we looked.
    expect(left.length === 0 ? [0, rowsPerSeries * 2] : [0], told).toContain(await importHere(path))
    expect(await look(round), told).toEqual(whole)
  }
  expect(nothing, `seed ${seed}, up to ${durationMs} ms`).toBeGreaterThan(0)
  const { status, err } = await house.run(['verify', '--chain'])
  expect({ status, err }).toEqual({ status: 0, err: '' })
}, 180_000)
