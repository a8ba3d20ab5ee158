// Decisions on a release calendar that waits for a person: the changes it would make, publishing it, rejecting it.

import type { Release } from '../../core/calendar/release.ts'
import { Refusal } from '../../core/refusal.ts'
import type { ProviderName } from '../../core/series/series.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Sql } from '../../storage/postgres/database.ts'
import { loadCalendarNow, publishReleases } from '../../storage/series/calendar.ts'
import {
  decideCalendar,
  listQuarantinedCalendars,
  loadQuarantinedCalendar,
  type QuarantinedCalendar,
  saveCalendarState,
} from '../../storage/series/calendar-state.ts'
import { decidedMeanwhile } from '../release.ts'
import type { Ingest } from '../run.ts'
import { lockOf } from './calendar.ts'
import { type CalendarComparison, compareCalendar, tidyRelease } from './calendar-compare.ts'

interface Deciding extends Pick<Ingest, 'sql' | 'clock' | 'locks'> {
  readonly by: string
}

export async function rejectCalendar(
  id: string,
  { sql, clock, by }: Omit<Deciding, 'locks'>,
): Promise<QuarantinedCalendar> {
  const entry = await findWaiting(id, sql)
  if (!(await decideCalendar(sql, entry.provider, { decision: 'rejected', at: clock(), by })))
    throw decidedMeanwhile(id)
  return entry
}

/** Announces what was quarantined: entries ahead that it does not have are no longer announced. */
export async function releaseCalendar(
  id: string,
  { sql, clock, locks, by }: Deciding,
): Promise<{ readonly entry: QuarantinedCalendar; readonly comparison: CalendarComparison }> {
  const entry = await findWaiting(id, sql)
  const reference = lockOf(entry.provider as ProviderName)
  const taken = await locks.take([reference])
  if (!taken.has(reference))
    throw new Refusal('conflict', `the calendar of ${entry.provider} is being read right now; try again in a moment`)
  try {
    const comparison = await effectOfCalendar(sql, entry, clock())
    if (comparison === null) throw decidedMeanwhile(id)
    await publishReleases(sql, comparison.rows)
    await decideCalendar(sql, entry.provider, { decision: 'released', at: clock(), by })
    await saveCalendarState(sql, { provider: entry.provider, at: clock(), counts: null, trouble: null })
    return { entry, comparison }
  } finally {
    await locks.release(taken)
  }
}

/** Changes that releasing the calendar would make; null if it was decided meanwhile. */
export async function effectOfCalendar(
  sql: Sql,
  { id, provider }: QuarantinedCalendar,
  now: Instant,
): Promise<CalendarComparison | null> {
  const json = await loadQuarantinedCalendar(sql, id)
  if (json === null) return null
  const came = (JSON.parse(json) as Release[]).map(tidyRelease).filter(each => each !== null)
  return compareCalendar(await loadCalendarNow(sql, provider), came, { now, isComplete: true, isAccepted: true })
}

async function findWaiting(id: string, sql: Sql): Promise<QuarantinedCalendar> {
  const found = (await listQuarantinedCalendars(sql)).find(entry => entry.id === id)
  if (found !== undefined) return found
  throw new Refusal(
    'not-found',
    `no calendar with the id "${id}" waits; assize calendar quarantine shows those that do`,
  )
}
