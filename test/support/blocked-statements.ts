// A statement of the application that waits for a lock which a test holds: the moment in which something else happens, or in
// which the statement fails, as it does when it runs out of time.
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestDatabase } from './run/postgres.ts'

/** Cancels one statement that waits for a lock, as soon as there is one. */
export async function cancelOneThatWaits(db: Pick<TestDatabase, 'owner'>): Promise<void> {
  const pid = await untilOneWaits(db)
  await db.owner`select pg_cancel_backend(${pid})`
}

/** Returns the number of the process that serves a connection which waits for a lock, as soon as there is one. */
export async function untilOneWaits({ owner }: Pick<TestDatabase, 'owner'>): Promise<number> {
  for (;;) {
    const [waiting] = await owner<{ pid: number }[]>`
      select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' limit 1`
    if (waiting !== undefined) return waiting.pid
    await sleep(10)
  }
}
