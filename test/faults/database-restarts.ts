// F5: the database is restarted while clients send requests without pause. While it is down the only answer is 503; no body
// is ever wrong; in the long form the first good answer comes within five seconds; the process keeps running.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { FileLock } from '../../src/storage/embedded/file-lock.ts'
import { stopPostmaster } from '../../src/storage/embedded/postmaster.ts'
import { makeKey } from '../../src/storage/workspaces/key-format.ts'
import type { LongRun } from '../support/run/long-form.ts'
import { Chance } from './chance.ts'
import type { FolderGround } from './grounds.ts'
import { firstGood, Load, prepareGolden } from './load.ts'
import { type ServedProcess, serveFolder, stopsWithinMs } from './served-process.ts'

const clients = 6
const backWithinMs = 5_000
/** The server's connections close with the database. It reads that when its process gets a turn, after what came before it. */
const noticedWithinMs = 250

/** What must also hold while the database is down. */
async function checkAway(server: ServedProcess): Promise<string[]> {
  const ask = async (path: string, headers = {}) => server.client.ask(path, { headers }).catch(() => null)
  const health = await ask('/v1/health')
  const mistyped = await ask('/v1/series', { authorization: 'Bearer asz_live_mistyped' })
  const unknown = await ask('/v1/series', { authorization: `Bearer ${makeKey()}` })
  return [
    ...(health?.status === 200 ? [] : [`health: ${health?.status}`]),
    ...(mistyped?.status === 401 ? [] : [`a key with a bad checksum: ${mistyped?.status}`]),
    ...(unknown?.status === 503 ? [] : [`a key that cannot be looked up: ${unknown?.status}`]),
  ]
}

export interface RestartReport {
  readonly failures: readonly string[]
  readonly asked: number
  readonly unavailable: number
  readonly slowestBackMs: number
}

export async function restartUnderLoad(ground: FolderGround, run: LongRun): Promise<RestartReport> {
  const golden = await prepareGolden(ground)
  const server = await serveFolder(ground.folder, { env: { LOG_LEVEL: 'warn' } })
  const load = new Load(server, golden)
  const asking = Array.from({ length: clients }, (_, i) => load.ask(new Chance(run.seed + i)))
  const chance = new Chance(run.seed)
  const failures: string[] = []
  let slowestBackMs = 0
  try {
    for (let round = 0; round < run.rounds; round++) {
      const { backMs, problems } = await restartOnce(ground, server, load, chance, run.isTimed)
      slowestBackMs = Math.max(slowestBackMs, backMs)
      failures.push(...problems.map(problem => `restart ${round + 1}: ${problem}`))
      run.say(`restart ${round + 1}: back after ${Math.ceil(backMs)} ms`)
    }
    await sleep(300)
  } finally {
    load.stop()
    await Promise.all(asking)
  }
  failures.push(...new Set(load.seen.flatMap(({ problem }) => (problem === null ? [] : [problem]))))
  if (!server.isAlive()) failures.push(`the process ended: ${server.log().slice(-2_000)}`)
  const stopMs = await server.stop()
  if (run.isTimed && stopMs > stopsWithinMs) failures.push(`the server had not stopped after ${stopsWithinMs} ms`)
  const unavailable = load.seen.filter(({ reply }) => reply?.status === 503).length
  return { failures, asked: load.seen.length, unavailable, slowestBackMs }
}

async function restartOnce(
  ground: FolderGround,
  server: ServedProcess,
  load: Load,
  chance: Chance,
  isTimed = false,
): Promise<{ backMs: number; problems: string[] }> {
  await sleep(chance.int(100, 600))
  // Holding the lock keeps the server from restarting the database at once.
  const turn = await FileLock.wait(join(ground.folder, 'turn.lock'), 'alone', 60_000)
  await stopPostmaster(ground.cluster)
  const downMs = performance.now()
  await sleep(chance.int(100, 1_500))
  const problems = await checkAway(server)
  const upMs = performance.now()
  turn.release()
  await ground.embedded.ensureRunning()
  const backMs = await firstGood(load, performance.now())
  if (isTimed && backMs > backWithinMs) problems.push(`the first good answer came after ${Math.ceil(backMs)} ms`)
  const away = load.seen.filter(({ startedMs, endedMs }) => startedMs > downMs && endedMs < upMs)
  // From the first 503 on there is nothing else, and it comes soon.
  const firstMs = Math.min(...away.filter(({ reply }) => reply?.status === 503).map(({ endedMs }) => endedMs))
  const noticedMs = isTimed ? Math.min(firstMs, downMs + noticedWithinMs) : firstMs
  const early = away.filter(({ startedMs, reply }) => startedMs > noticedMs && reply?.status !== 503)
  if (early.length > 0) {
    const afterMs = early.map(({ startedMs }) => Math.ceil(startedMs - downMs))
    const statuses = new Set(early.map(({ reply }) => reply?.status))
    problems.push(
      `${early.length} answers of ${[...statuses].join(', ')} while the database was away (${Math.ceil(upMs - downMs)} ms), ` +
        `asked ${Math.min(...afterMs)} to ${Math.max(...afterMs)} ms after it was gone`,
    )
  }
  return { backMs, problems }
}
