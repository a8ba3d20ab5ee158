// The house of a story: the demo in a database of its own, the whole server over it with its threads in the process of the
// test, the stand-in in place of the providers, and people in front of it. The program as a process is in program-house.ts:
// a story would wait for its start, and then for everything that runs in it for the first time.
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beginTimetable } from '../../src/cli/installation/timetable-start.ts'
import { startTimetableThread } from '../../src/cli/installation/timetable-thread.ts'
import { type Config, localAddress, readConfig } from '../../src/config.ts'
import type { Log } from '../../src/http/frame/request-log.ts'
import { startServer } from '../../src/main.ts'
import { Installation } from '../../src/storage/upkeep/installation.ts'
import { startStandIn } from '../stand-in/stand-in.ts'
import { runCommand } from '../support/houses/command-house.ts'
import { makeTestRing, testSecret, urlOf } from '../support/run/postgres.ts'
import { openDemoDatabase, openPreparedDatabase } from '../support/run/prepared-database.ts'
import { type Furniture, type House, type HouseOptions, openWindows } from './windows.ts'

export type { Furniture, House, Name, Visit } from './windows.ts'

export async function openHouse({ env: more = {}, furniture }: HouseOptions = {}): Promise<House> {
  const folder = await mkdtemp(join(tmpdir(), 'assize-browser-'))
  const database = await (furniture === undefined ? openDemoDatabase(folder) : openFurnished(folder, furniture))
  const dataFolder = join(folder, 'data')
  await mkdir(dataFolder, { recursive: true })
  const standIn = await startStandIn({ port: 0, limits: 'none', at: '2025-06-15' })
  const env = {
    ...environmentOf(urlOf(database.target), dataFolder),
    PORT: '0',
    LOG_LEVEL: 'warn',
    ...standIn.environment,
    ...more,
  }
  const { config, mistakes } = readConfig(env)
  if (config === null) throw new Error(mistakes.join('\n'))
  const server = await serve(config)
  const leave = async () => {
    await server.stop()
    await standIn.close()
    await database.close()
    await rm(folder, { recursive: true, force: true })
  }
  const command: House['command'] = (...words) => commandHere(words, env)
  return openWindows({ address: server.address, dataFolder, ring: makeTestRing(), standIn, command, leave })
}

const unheard = () => {}
const quiet: Log = { debug: unheard, info: unheard, warn: unheard, error: unheard }

/** What `serve` does until it is told to stop. What it records at its start is in the demo's database. */
async function serve(config: Config): Promise<{ readonly address: string; stop(): Promise<void> }> {
  const { dataFolder, databaseUrl, secrets } = config
  const installation = await Installation.open({ dataFolder, databaseUrl, secrets })
  const running = await startServer(config, installation, quiet)
  const { hostname, port } = new URL(running.address)
  const task = { target: installation.target, config }
  const timetable = beginTimetable(() => startTimetableThread(task), quiet)
  return {
    address: localAddress(hostname, Number(port)),
    async stop() {
      await Promise.all([timetable.stop(), running.stop()])
      await installation.close()
    },
  }
}

const environmentOf = (url: string, dataFolder: string) => ({
  DATABASE_URL: url,
  ASSIZE_SECRET: testSecret,
  ASSIZE_DATA: dataFolder,
})

/** The demo with more in it. */
function openFurnished(folder: string, { name, make }: Furniture) {
  return openPreparedDatabase(`demo-with-${name}`, folder, async made => {
    const database = await openDemoDatabase(made)
    await make((...words) => commandHere(words, environmentOf(urlOf(database.target), join(made, 'data'))))
    return database
  })
}

async function commandHere(words: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const { status, out, err } = await runCommand(words, env)
  if (status !== 0) throw new Error(`assize ${words.join(' ')} ended with ${status}: ${err}`)
  return out
}
