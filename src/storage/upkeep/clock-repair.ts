// Repair after a clock was ahead, for the operator: the scopes with entries from the future, and the repair itself. No entry is
// changed: another one says from when on it counts, and the scope's clock goes on from the real time.

import { Refusal } from '../../core/refusal.ts'
import { type Instant, instantOfMicros } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import { type Begun, openLog } from '../log/append.ts'
import { whyClockIsWrong } from '../log/clock-guard.ts'
import { appendEntry } from '../log/entry-rows.ts'
import { beginSealing } from '../log/ring-state.ts'
import { logWriterOf, publicScope, type Sql, type Transaction, withWorkspace } from '../postgres/database.ts'
import { noteActivity, noteEverywhere } from '../workspaces/activity.ts'

interface AheadScope {
  readonly scope: string
  /** Instant before which nothing can be published. */
  readonly clockAt: Instant
  /** Entries that are recorded in the future. */
  readonly publications: number
  readonly firstRecordedAt: Instant | null
  readonly lastRecordedAt: Instant | null
}

interface ClockReport {
  readonly databaseNow: Instant
  readonly processNow: Instant
  /** Why the two do not agree; `null` where they do. */
  readonly difference: string | null
  readonly ahead: readonly AheadScope[]
}

export async function checkClocks(owner: Sql): Promise<ClockReport> {
  const processNow = instantOfMicros(logWriterOf(owner).nowMs() * 1000)
  const [database] = await owner<{ now: Instant }[]>`select clock_timestamp() as now`
  const databaseNow = database!.now
  const bound = `${limits.clockDifferenceMs} milliseconds`
  const ahead = await owner<AheadScope[]>`
    select c.scope, c.settled_at as "clockAt", p.count as publications, p.first as "firstRecordedAt",
      p.last as "lastRecordedAt"
    from scope_clock c cross join lateral (
      select count(*) as count, min(p.recorded_at) as first, max(p.recorded_at) as last from publication p
      where p.scope = c.scope and p.recorded_at > ${processNow}::timestamptz + ${bound}::interval
        and not exists (
          select 1 from clock_repair r where r.scope = p.scope and p.seq between r.first_seq and r.last_seq)
    ) p
    where c.settled_at > ${processNow}::timestamptz + ${bound}::interval or p.count > 0 order by c.scope`
  return {
    databaseNow,
    processNow,
    difference: whyClockIsWrong({ databaseNow, processNow, recordedAt: processNow }),
    ahead,
  }
}

interface Repaired {
  readonly scope: string
  readonly publications: number
  readonly countsAs: Instant
}

export async function repairClocks(owner: Sql, who: string): Promise<readonly Repaired[]> {
  const { difference, ahead } = await checkClocks(owner)
  if (difference !== null) throw new Refusal('conflict', difference)
  const repaired: Repaired[] = []
  for (const { scope } of ahead) repaired.push(await repairScope(owner, scope, who))
  return repaired
}

async function repairScope(owner: Sql, scope: string, who: string): Promise<Repaired> {
  const repaired = await withWorkspace(owner, scope, async tx => {
    await beginSealing(tx)
    const [begun] = await tx<Omit<Begun, 'database_now'>[]>`select * from begin_clock_repair()`
    const log = openLog(tx, scope, logWriterOf(owner), begun!)
    const { recordedAt: countsAs, lastSeq } = log
    const range = await findAhead(tx, scope, countsAs, lastSeq)
    await appendEntry(tx, log, 'clock', { subject: scope, facts: { ...range, countsAs } })
    const entries = range.lastSeq - range.firstSeq + 1
    if (scope !== publicScope)
      await noteActivity(tx, scope, { ...deedOf({ publications: entries, countsAs }, who), fromAddress: null })
    await log.seal()
    return { scope, publications: entries, countsAs }
  })
  if (scope === publicScope) await noteEverywhere(owner, deedOf(repaired, who))
  return repaired
}

function deedOf({ publications: entries, countsAs }: Omit<Repaired, 'scope'>, who: string) {
  const subject = `${entries} publications recorded by a clock that was ahead count as of ${countsAs}`
  return { who, act: 'clock.repair' as const, what: 'clock repaired', subject }
}

/** Entries ahead. Instants grow with the numbers, so they are the end of the scope; empty where only its clock is ahead. */
async function findAhead(tx: Transaction, scope: string, now: Instant, lastSeq: number) {
  const [first] = await tx<{ seq: number | null }[]>`
    select min(p.seq) as seq from publication p where p.scope = ${scope} and p.recorded_at > ${now}
      and not exists (
        select 1 from clock_repair r where r.scope = p.scope and p.seq between r.first_seq and r.last_seq)`
  return { firstSeq: first!.seq ?? lastSeq + 1, lastSeq }
}
