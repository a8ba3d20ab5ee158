// `serve`: the API and the web interface, until it is stopped.

import { carryOutEverywhere } from '../../agreements/terms/carry-out.ts'
import type { Config } from '../../config.ts'
import type { Log } from '../../http/frame/request-log.ts'
import { openServerLog } from '../../http/frame/server-log.ts'
import { limits } from '../../limits.ts'
import type { RunningServer } from '../../main.ts'
import { allIndexEvents } from '../../providers/events/all-events.ts'
import { endingSignals } from '../../storage/embedded/signal-exit.ts'
import { recordOwnEvents } from '../../storage/series/index-events.ts'
import { Installation } from '../../storage/upkeep/installation.ts'
import { type Command, printJson } from '../frame/command.ts'
import { configOf } from '../frame/installation.ts'
import { beginTimetable } from './timetable-start.ts'
import { startTimetableThread } from './timetable-thread.ts'

export const serveCommand: Command = {
  name: 'serve',
  usage: '',
  summary: 'Serves the API and the web interface.',
  options: {},
  positionals: { least: 0, most: 0 },
  async run(invocation) {
    const config = configOf(invocation)
    if (config === null) return 1
    return serveUntilStopped(config, running => {
      if (invocation.json) printJson(invocation, { address: running.address, metrics: running.metricsAddress })
      else invocation.terminal.out(`Assize listens at ${running.address}\n`)
    })
  },
}

/** Opens, prints the address, and closes in order when a signal arrives. */
export async function serveUntilStopped(config: Config, announce: (running: RunningServer) => void): Promise<number> {
  // Loaded here because no other command needs the server.
  const { startServer } = await import('../../main.ts')
  const log = await openServerLog(config)
  const { dataFolder, databaseUrl, databaseDirectUrl, secrets } = config
  const installation = await Installation.open({ dataFolder, databaseUrl, databaseDirectUrl, secrets })
  const signals = listenForSignals()
  try {
    const running = await startServer(config, installation, log)
    // Events of indices come with the program and are recorded once.
    const known = recordOwnEvents(installation.sql, allIndexEvents).catch(error =>
      log.error({ err: error }, 'events of indices could not be recorded; they are at the next start'),
    )
    const plans = keepPlans(installation, log, known)
    // Providers are asked while serving; a failure to start that does not stop the server.
    const task = { target: installation.target, config }
    const timetable = beginTimetable(() => startTimetableThread(task), log)
    announce(running)
    await signals.first
    log.info({}, 'stopping')
    clearInterval(plans)
    await Promise.all([timetable.stop(), running.stop()])
  } finally {
    await installation.close()
    signals.end()
  }
  return 0
}

/** Looks for plans of agreements for an index that ends: at the start, and as the days of events come. */
function keepPlans({ sql }: Installation, log: Log, known: Promise<unknown>): NodeJS.Timeout {
  const look = async () => {
    try {
      for (const each of await carryOutEverywhere(sql)) log.info(each, 'a successor that was agreed in advance')
    } catch (error) {
      log.error({ err: error }, 'successors agreed in advance could not be looked for; they are later')
    }
  }
  void known.then(look)
  return setInterval(look, limits.plansEveryMs).unref()
}

/**
 * Only the first signal counts: Ctrl-C reaches npm and the server, and npm passes it on, so a second one often follows at once. A
 * second signal must not end the process while requests are being finished and the database is being stopped.
 */
function listenForSignals(): { readonly first: Promise<void>; end(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const hear = () => resolve()
  for (const name of endingSignals) process.on(name, hear)
  return {
    first: promise,
    end() {
      for (const name of endingSignals) process.off(name, hear)
    },
  }
}
