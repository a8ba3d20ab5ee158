// The log of a server, in JSON lines. To standard error: standard output is for the output of commands.
import type { Config } from '../../config.ts'
import { visibleJson } from '../../core/text/foreign-text.ts'
import type { Log } from './request-log.ts'

export async function openServerLog({ logLevel }: Pick<Config, 'logLevel'>): Promise<Log> {
  // Loaded here because no other command needs it.
  const { pino } = await import('pino')
  const options = { level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime }
  return pino({ ...options, hooks: { streamWrite: visibleJson } }, pino.destination(2)) as Log
}
