// Begins the timetable of refreshes beside the serving. Where it cannot begin, as when the database is away just then, it
// is tried again with growing pauses, until it has begun or is told to stop.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Timetable } from '../ingest/timetable.ts'
import { limits } from '../limits.ts'

export interface TimetableLog {
  error(facts: object, message: string): void
  info(facts: object, message: string): void
}

export function beginTimetable(
  start: () => Promise<Timetable>,
  log: TimetableLog,
  pauses: { readonly least: number; readonly most: number } = limits.timetableStartMs,
): Timetable {
  const stopping = new AbortController()
  const begun = begin(start, log, pauses, stopping.signal)
  return {
    async stop() {
      stopping.abort()
      await (await begun)?.stop()
    },
  }
}

async function begin(
  start: () => Promise<Timetable>,
  log: TimetableLog,
  { least, most }: { readonly least: number; readonly most: number },
  signal: AbortSignal,
): Promise<Timetable | null> {
  let pauseMs = least
  while (!signal.aborted) {
    try {
      const timetable = await start()
      if (pauseMs > least) log.info({}, 'the timetable of refreshes has begun')
      return timetable
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      log.error({ reason, againInMs: pauseMs }, 'the timetable of refreshes did not start; it is tried again')
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => {})
    pauseMs = Math.min(pauseMs * 2, most)
  }
  return null
}
