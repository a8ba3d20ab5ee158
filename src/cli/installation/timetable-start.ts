// Runs the timetable of refreshes while the server runs, until it is stopped. If it cannot start, for example because the
// database is unavailable, it is retried with growing pauses; if it ends by itself, it is restarted.
import { setTimeout as sleep } from 'node:timers/promises'
import { ingestLimits } from '../../ingest/ingest-limits.ts'
import type { Timetable } from '../../ingest/timetable.ts'

interface TimetableLog {
  error(facts: object, message: string): void
  info(facts: object, message: string): void
}

/** A timetable that may end by itself, and then gives the reason. */
export interface BegunTimetable extends Timetable {
  readonly ended?: Promise<Error>
}

export function beginTimetable(
  start: () => Promise<BegunTimetable>,
  log: TimetableLog,
  pauses: { readonly least: number; readonly most: number } = ingestLimits.timetableStartMs,
): Timetable {
  const stopping = new AbortController()
  const going = keepGoing(start, log, pauses, stopping.signal)
  return {
    async stop() {
      stopping.abort()
      await going
    },
  }
}

async function keepGoing(
  start: () => Promise<BegunTimetable>,
  log: TimetableLog,
  { least, most }: { readonly least: number; readonly most: number },
  signal: AbortSignal,
): Promise<void> {
  let pauseMs = least
  while (!signal.aborted) {
    const timetable = await start().catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error)
      log.error({ reason, againInMs: pauseMs }, 'the timetable of refreshes did not start; it will be retried')
      return null
    })
    if (timetable !== null) {
      if (pauseMs > least) log.info({}, 'the timetable of refreshes has started')
      pauseMs = least
      const failure = await endOf(timetable, signal)
      if (failure === null) return timetable.stop()
      log.error(
        { reason: failure.message, againInMs: pauseMs },
        'the timetable of refreshes has ended; it will be restarted',
      )
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => {})
    pauseMs = Math.min(pauseMs * 2, most)
  }
}

/** Why it ended by itself; `null` if it was stopped. */
function endOf({ ended }: BegunTimetable, signal: AbortSignal): Promise<Error | null> {
  const { promise, resolve } = Promise.withResolvers<null>()
  if (signal.aborted) resolve(null)
  signal.addEventListener('abort', () => resolve(null), { once: true })
  return ended === undefined ? promise : Promise.race([promise, ended])
}
