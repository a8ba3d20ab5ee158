// The log of a server, in JSON lines, on standard error: standard output is for the output of commands.
import { isMainThread } from 'node:worker_threads'
import type { Config } from '../../config.ts'
import { visibleJson } from '../../core/text/foreign-text.ts'
import type { Log } from './request-log.ts'

/** A reader of the log that stands still must not fill the memory: further lines are dropped until it reads again. */
const mostWaiting = 16 * 1024 * 1024

export async function openServerLog({ logLevel }: Pick<Config, 'logLevel'>): Promise<Log> {
  // Loaded here because no other command needs it.
  const { pino } = await import('pino')
  const options = { level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime }
  // Lines that come while others are being written go out together, and at the exit of the process. A thread has no such
  // moment: its few lines are written at once.
  const destination = pino.destination({ dest: 2, sync: !isMainThread, maxLength: mostWaiting })
  return pino({ ...options, hooks: { streamWrite: visibleJson } }, destination) as Log
}
