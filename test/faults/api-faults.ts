// The long forms of the fault tests that need a server, each on its own installation in its own folder.

import { setTimeout as sleep } from 'node:timers/promises'
import { instantOfMicros } from '../../src/core/time/instant.ts'
import { withChainKey } from '../../src/storage/log/secret.ts'
import { openApplication } from '../../src/storage/postgres/database.ts'
import { KeptCheckpoint } from '../../src/storage/proof/kept-checkpoint.ts'
import { webhookSecrets } from '../../src/storage/webhooks/webhook-secrets.ts'
import { misbehaviourKinds } from '../stand-in/misbehaviour.ts'
import { PythonClient } from '../support/clients/python-client.ts'
import { type Api, openApi } from '../support/houses/api.ts'
import { fuzzApi } from './api-fuzz.ts'
import { replayAnswers } from './as-of-replay.ts'
import { restoreAgainAndAgain } from './backup-restore.ts'
import { tryBadProviders } from './bad-providers.ts'
import { walkRoughRoad } from './client-walks.ts'
import { killAtCorrections } from './correction-kills.ts'
import { raceCorrections } from './correction-races.ts'
import { walkUnderWrites } from './cursor-walks.ts'
import { restartUnderLoad } from './database-restarts.ts'
import { changesPerHistory, syncByChanges } from './delta-sync.ts'
import { fillDisk, mountSmallDisk } from './disk-full.ts'
import type { Fault, FaultOutcome, FaultRun } from './fault.ts'
import { beGreedy } from './greedy.ts'
import { type FolderGround, openFolderGround, restoreBeside } from './grounds.ts'
import { killAtRandom } from './kills.ts'
import { honestHistories } from './log-histories.ts'
import { liveBeside } from './neighbours.ts'
import { importBeside } from './noisy-import.ts'
import { plantAccess } from './planted-access.ts'
import { killAtPrices } from './price-kills.ts'
import { rewriteDatabase } from './rewritten.ts'
import { searchForKeys } from './secrets.ts'
import { serveFolder } from './served-process.ts'
import { raceSignatures } from './sign-races.ts'
import { crowdServed } from './slow-clients-served.ts'
import { killAtSplices } from './splice-kills.ts'
import { raceSplices } from './splice-races.ts'
import { crossTenants } from './tenant-matrix.ts'
import { restartWebhooks } from './webhook-restarts.ts'
import { compareZones, zones } from './zones.ts'

async function inFolder(work: (ground: FolderGround) => Promise<FaultOutcome>): Promise<FaultOutcome> {
  const ground = await openFolderGround()
  try {
    return await work(ground)
  } catch (error) {
    return {
      summary: 'ended early',
      failures: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
    }
  } finally {
    await ground.close()
  }
}

/** A server in this process. */
function withApi(work: (api: Api, ground: FolderGround) => Promise<FaultOutcome>): Promise<FaultOutcome> {
  return inFolder(async ground => {
    const api = await openApi(
      { ...ground, close: async () => {} },
      { secret: ground.secret, env: { LOG_LEVEL: 'warn' } },
    )
    try {
      return await work(api, ground)
    } finally {
      await api.close()
    }
  })
}

export const killsFault: Fault = {
  id: 'F1',
  words: 'importer, signing parties, server and database killed at random moments of import and of sign-off',
  rounds: 300,
  run: run =>
    inFolder(async ground => {
      const { failures, kills, done, undone } = await killAtRandom(ground, run)
      const counts = Object.entries(kills).map(([what, times]) => `${what} ${times}`)
      return { summary: `${counts.join(', ')}; ${done} times it was done by then, ${undone} times not`, failures }
    }),
}

export const priceKillsFault: Fault = {
  id: 'F1',
  words: 'commands that apply price lists and import invoice lines, and the database, killed at random moments',
  rounds: 100,
  run: run =>
    inFolder(async ground => {
      const { failures, done, undone } = await killAtPrices(ground, run)
      return { summary: `${done} times it was done by then, ${undone} times not`, failures }
    }),
}

export const correctionKillsFault: Fault = {
  id: 'F1',
  words: 'commands that propose and sign corrections, and the database, killed at random moments',
  rounds: 100,
  run: run =>
    inFolder(async ground => {
      const { failures, done, undone } = await killAtCorrections(ground, run)
      return { summary: `${done} times it was done by then, ${undone} times not`, failures }
    }),
}

export const correctionRacesFault: Fault = {
  id: 'F4',
  words: 'both parties sign a correction at once while figures are revised, others propose again and one side refuses',
  rounds: 500,
  run: run =>
    withApi(async api => {
      const { accepted, refused, agreed } = await raceCorrections(api, run)
      return { summary: `${accepted} acts taken, ${refused} refused, ${agreed} corrections agreed`, failures: [] }
    }),
}

export const spliceKillsFault: Fault = {
  id: 'F1',
  words: 'the second signature of a change of terms, and the database, killed at random moments',
  rounds: 100,
  run: run =>
    inFolder(async ground => {
      const { failures, done, undone } = await killAtSplices(ground, run)
      return { summary: `${done} times it was done by then, ${undone} times not`, failures }
    }),
}

export const spliceRacesFault: Fault = {
  id: 'F4',
  words: 'both parties sign a splice at once while its window is revised, others counter, refuse and apply documents',
  rounds: 1_000,
  run: run =>
    withApi(async api => {
      const { accepted, refused, agreed } = await raceSplices(api, run)
      return { summary: `${accepted} acts taken, ${refused} refused, ${agreed} splices agreed`, failures: [] }
    }),
}

export const replayFault: Fault = {
  id: 'F2',
  words: 'knownAt answers under 8 writers with commit delays, asked again later, after a restart and after a restore',
  rounds: 10_000,
  run: run =>
    withApi(async (api, ground) => {
      const restored = async () => openApi(await restoreBeside(ground, api.secret), { secret: api.secret })
      return { summary: `${await replayAnswers(api, run, { restored })} answers`, failures: [] }
    }),
}

export const walksFault: Fault = {
  id: 'F3',
  words: 'cursor walks under writes: every item that existed throughout, exactly once',
  rounds: 1_000,
  run: run => withApi(async api => ({ summary: `${await walkUnderWrites(api, run)} items passed`, failures: [] })),
}

export const syncFault: Fault = {
  id: 'F26',
  words: 'a copy that a client keeps by /changes, over a rough road and through restarts, equals a walk of everything',
  rounds: 50,
  run: run =>
    withApi(async api => {
      const { failures, fetched, bumps } = await syncByChanges(api, run)
      const changes = run.rounds * changesPerHistory
      return { summary: `${changes} changes, ${fetched} requests, of which ${bumps} met a bump`, failures }
    }),
}

/** The rounds are series, walked under a real limit; a tenth as many changes follow. */
export const clientsFault: Fault = {
  id: 'long form',
  words: 'each client walks series over a rough road and under a real limit, then keeps a copy through changes',
  rounds: 10_000,
  run: ({ rounds, seed }) =>
    withApi(async api => {
      const calm = new PythonClient({ isHasty: false })
      const hasty = new PythonClient()
      const histories = { rounds: Math.ceil(rounds / 200), seed }
      const failures: string[] = []
      const summaries: string[] = []
      const clients = [
        { name: 'TypeScript', walker: undefined, keep: undefined },
        { name: 'Python', walker: calm.walk, keep: hasty.keep },
      ]
      for (const { name, walker, keep } of clients) {
        const walked = await walkRoughRoad(api, { series: rounds, seed, perMinute: 600 }, walker)
        const synced = await syncByChanges(api, histories, keep)
        const { passed = 0, ...rough } = walked.met
        const bumps = Object.values(rough).reduce((sum, each) => sum + each, 0) + synced.bumps
        const changes = histories.rounds * changesPerHistory
        summaries.push(`${name}: ${passed} pages passed unharmed, ${changes} changes, ${bumps} bumps`)
        failures.push(...[...walked.failures, ...synced.failures].map(words => `${name}: ${words}`))
      }
      await Promise.all([calm.close(), hasty.close()])
      return { summary: summaries.join('; '), failures }
    }),
}

export const signRacesFault: Fault = {
  id: 'F4',
  words: 'both parties sign at once while the formula is edited and figures are revised',
  rounds: 1_000,
  run: run =>
    withApi(async api => {
      const { accepted, refused } = await raceSignatures(api, run)
      return { summary: `${accepted} signatures taken, ${refused} refused`, failures: [] }
    }),
}

export const restartsFault: Fault = {
  id: 'F5',
  words: 'the database restarted under load: only 503 while it is down, back within 5 s',
  rounds: 30,
  run: run =>
    inFolder(async ground => {
      const { failures, asked, unavailable, slowestBackMs } = await restartUnderLoad(ground, run)
      return {
        summary: `${asked} asked, ${unavailable} times 503, back after ${Math.ceil(slowestBackMs)} ms at most`,
        failures,
      }
    }),
}

export const webhookRestartsFault: Fault = {
  id: 'F31',
  words: 'servers killed under load while webhooks are delivered: each event at least once, none of another workspace',
  rounds: 30,
  run: run =>
    withApi(async (api, ground) => {
      const world = {
        tenants: [await api.tenant(), await api.tenant()],
        ground: { sql: api.sql, secrets: webhookSecrets(ground.secret), now: () => instantOfMicros(Date.now() * 1000) },
        async start() {
          const env = { LOG_LEVEL: 'warn', ASSIZE_PRIVATE_HOSTS: '127.0.0.1' }
          const server = await serveFolder(ground.folder, { env })
          const ended = () => !server.isAlive()
          return {
            async kill(how: 'SIGKILL' | 'SIGTERM') {
              if (how === 'SIGTERM') return void (await server.stop())
              server.signal('SIGKILL')
              while (!ended()) await sleep(10)
              server.client.close()
            },
          }
        },
        aliveMs: [10, 2_000] as const,
        publishMs: 1_500,
        whileWaiting: () => sleep(500),
      }
      const { failures, events, received, twice, ends } = await restartWebhooks(world, run)
      const ended = `${ends.SIGKILL} killed, ${ends.SIGTERM} stopped`
      return { summary: `${ended}: ${events} events, ${received} messages, ${twice} of them again`, failures }
    }),
}

export const diskFullFault: Fault = {
  id: 'F6',
  words: 'a small disk that fills up while files are imported and clients read: fails cleanly, reads continue, resumes',
  rounds: 20,
  async run(run) {
    const disk = await mountSmallDisk()
    // A test that cannot run here has not passed.
    if ('refused' in disk) return { summary: 'not run', failures: [`no small disk can be mounted: ${disk.refused}`] }
    try {
      const { failures, asked, unavailable, refused, taken, falls } = await fillDisk(disk.folder, run)
      const reads = `${asked} asked meanwhile, ${unavailable} times 503, the database fell ${falls} times`
      return { summary: `${refused} imports found no room, ${taken} did; ${reads}`, failures }
    } finally {
      await disk.remove()
    }
  },
}

export const badProvidersFault: Fault = {
  id: 'F7',
  words: 'every kind of bad answer from every connector, all at once and one alone; the rounds are kinds',
  rounds: misbehaviourKinds.length,
  run: run => inFolder(ground => tryBadProviders(ground, run)),
}

export const greedyFault: Fault = {
  id: 'F9',
  words:
    'a greedy key at two processes with a Redis, at one whose Redis is killed, at one without, and a polite one; the rounds are seconds',
  rounds: 600,
  run: run => inFolder(ground => beGreedy(ground, run)),
}

export const zonesFault: Fault = {
  id: 'F8',
  words: `golden answers in ${zones.join(', ')}`,
  rounds: 1,
  run: () =>
    inFolder(async ground => {
      const { answers, failures } = await compareZones(ground, zones)
      return { summary: `${answers} answers compared`, failures }
    }),
}

export const neighboursFault: Fault = {
  id: 'F18',
  words: 'a quiet workspace next to one that imports, lists, uploads and previews; the rounds are seconds for each',
  rounds: 10,
  run: run =>
    inFolder(async ground => {
      const { rows, failures } = await liveBeside(ground, run)
      return { summary: `${rows.length} kinds of noise`, failures }
    }),
}

export const tenantsFault: Fault = {
  id: 'F10',
  words: 'every route by every kind of name across workspaces with canaries; the rounds are workspaces',
  rounds: 20,
  run: ({ rounds }: FaultRun) =>
    withApi(async api => {
      const { asked, failures } = await crossTenants(api, rounds)
      return { summary: `${asked} answers looked through`, failures }
    }),
}

export const fuzzFault: Fault = {
  id: 'F12',
  words: 'requests generated from the OpenAPI document: no 5xx, every answer as described, none over a second',
  rounds: 200_000,
  run: run =>
    withApi(async api => {
      const reports = [await fuzzApi(api, run), await fuzzApi(api, run, '/ext/openapi.json')]
      const said = reports.map(
        ({ statuses, slowestMs }) => `${JSON.stringify(statuses)}, slowest ${Math.ceil(slowestMs)} ms`,
      )
      return { summary: said.join('; '), failures: reports.flatMap(({ failures }) => failures) }
    }),
}

export const secretsFault: Fault = {
  id: 'F15',
  words: 'issued keys searched for in tables, files, logs and the heap; the rounds are keys',
  rounds: 1_000,
  run: run =>
    inFolder(async ground => {
      const { keys, heapBytes, hits } = await searchForKeys(ground, run)
      return { summary: `${keys} keys, a heap of ${Math.ceil(heapBytes / 1e6)} MB`, failures: hits }
    }),
}

export const backupsFault: Fault = {
  id: 'F16',
  words: 'backup and restore: every table equal, chains verify, the same answers',
  rounds: 20,
  run: run =>
    withApi(async (api, ground) => ({
      summary: `${run.rounds} copies`,
      failures: await restoreAgainAndAgain(api, ground, run),
    })),
}

export const importsFault: Fault = {
  id: 'F18',
  words: 'an import of as many new series as rounds, next to a quiet workspace that saves, publishes and reads',
  rounds: 990_000,
  run: run =>
    withApi(async (api, ground) => {
      const { failures, actions, slowestMs, importMs } = await importBeside(api, ground, run)
      const summary = `${actions} actions during ${Math.round(importMs / 1000)} s of importing, the slowest ${Math.round(slowestMs)} ms`
      return { summary, failures }
    }),
}

export const rewrittenFault: Fault = {
  id: 'F20',
  words: 'the database rewritten by SQL alone, each way found by verify --chain',
  rounds: 1,
  run: () =>
    withApi(async api => {
      const { failures, ways } = await rewriteDatabase(api)
      return { summary: `${ways} ways`, failures }
    }),
}

export const logHistoriesFault: Fault = {
  id: 'F29',
  words: 'honest histories of the public log, with restarts and several processes: nobody finds a contradiction',
  rounds: 10_000,
  run: run =>
    inFolder(async ({ owner, target, secret, folder }) => {
      const sql = openApplication(withChainKey(target, secret))
      try {
        const failures = await honestHistories({ db: { owner, sql }, kept: new KeptCheckpoint(folder), secret }, run)
        return { summary: `${run.rounds} histories`, failures }
      } finally {
        await sql.end({ timeout: 5 })
      }
    }),
}

export const plantedAccessFault: Fault = {
  id: 'F23',
  words:
    'access planted by SQL alone, every way and as many values exchanged at random as rounds: nobody gets in or signs',
  rounds: 400,
  run: run =>
    withApi(async api => {
      const { failures, ways } = await plantAccess(api, run)
      return { summary: `${ways} ways`, failures }
    }),
}

export const slowClientsFault: Fault = {
  id: 'F22',
  words:
    'connections without a session that send half, or read nothing: rounds of each kind, while people keep working',
  rounds: 2_000,
  run: run => inFolder(ground => crowdServed(ground, run)),
}
