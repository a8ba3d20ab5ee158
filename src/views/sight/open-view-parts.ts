// Views in a thread of its own, a worker's or the mailing's: connections → library → its freshness.
import { openPublicLog } from '../../agreements/installation-log.ts'
import { Seal } from '../../agreements/seal.ts'
import type { Config } from '../../config.ts'
import type { Instant } from '../../core/time/instant.ts'
import { Freshness, type FreshnessLog } from '../../read/freshness.ts'
import { Library } from '../../read/library.ts'
import { unbounded } from '../../read/memory/library-bounds.ts'
import { type DatabaseTarget, openApplication, ringIn } from '../../storage/postgres/database.ts'
import type { ViewContext } from './view-parts.ts'

/** Start data of a thread. */
export interface ThreadTask {
  readonly target: DatabaseTarget
  readonly config: Config
}

interface ThreadSize {
  /** Name of its connections. */
  readonly name: string
  readonly connections: number
  readonly cacheBytes: number
  readonly now: () => Instant
}

interface ThreadLog extends FreshnessLog {
  error(facts: object, message: string): void
}

export function openViewParts(
  { target, config }: ThreadTask,
  log: ThreadLog,
  { name, connections, cacheBytes, now }: ThreadSize,
): { readonly parts: ViewContext; readonly freshness: Freshness } {
  const sql = openApplication(target, { connections, name })
  const ring = ringIn(sql)
  const seal = new Seal(ring)
  const report = (problem: string) => log.error({}, problem)
  const bounds = { ...unbounded, readsListsAhead: true }
  const library = new Library(sql, cacheBytes, { seals: seal.rows, report }, bounds)
  const { changes } = library
  const freshness = new Freshness({ sql, target, changes, log, onKeyChange: () => {}, revive: async () => {} })
  const parts = {
    installation: { sql, target, ring },
    config,
    library,
    seal,
    log: openPublicLog({ sql, ring }, config, report),
    now,
    bounds,
    catchUp: () => freshness.catchUp(),
  }
  return { parts, freshness }
}
