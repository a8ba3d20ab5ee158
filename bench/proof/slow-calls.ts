// Calls that took long, with what the database waited for meanwhile: whether it is our work, or a pause of the machine.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../../src/storage/postgres/database.ts'

export interface SlowCall {
  readonly ms: number
  /** What was seen most, such as `client backend IO:WalSync commit`. */
  readonly waits: readonly string[]
}

export const slowMs = 100
const everyMs = 40

interface Watch {
  /** Does some work, and looks at the database where it takes long. */
  look(work: () => Promise<unknown>): Promise<void>
  readonly slow: readonly SlowCall[]
}

/** `sql`: connections that are not the measured ones, of somebody who sees what others do. */
export function watchSlowCalls(sql: Sql): Watch {
  const slow: SlowCall[] = []
  return {
    slow,
    async look(work) {
      const began = performance.now()
      const over = new AbortController()
      const seen = new Map<string, number>()
      const looking = sleep(slowMs, undefined, { signal: over.signal })
        .then(() => lookUntil(sql, over.signal, seen))
        .catch(() => {})
      await work()
      const ms = performance.now() - began
      over.abort()
      if (ms <= slowMs) return
      await looking
      const most = [...seen].sort(([, a], [, b]) => b - a).slice(0, 3)
      slow.push({ ms, waits: most.map(([told, count]) => `${told} ×${count}`) })
    },
  }
}

async function lookUntil(sql: Sql, signal: AbortSignal, seen: Map<string, number>): Promise<void> {
  for (; !signal.aborted; await sleep(everyMs, undefined, { signal })) {
    const rows = await sql<{ told: string }[]>`
      select concat_ws(' ', backend_type, coalesce(wait_event_type || ':' || wait_event, 'at work'),
        left(regexp_replace(query, '\\s+', ' ', 'g'), 60)) as told
      from pg_stat_activity
      where pid <> pg_backend_pid() and (state = 'active' or wait_event_type is distinct from 'Activity' and backend_type <> 'client backend')`
    for (const { told } of rows) seen.set(told, (seen.get(told) ?? 0) + 1)
  }
}
