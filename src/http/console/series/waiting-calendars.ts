// Calendars of releases that wait for an operator before they are announced, and the decision on one. All who have a series of its
// provider share a calendar.
import { effectOfCalendar, rejectCalendar, releaseCalendar } from '../../../ingest/calendar/calendar-decision.ts'
import { noteAct } from '../../../storage/audit/audit-acts.ts'
import { requireOperator } from '../../../storage/people/operators.ts'
import { listQuarantinedCalendars } from '../../../storage/series/calendar-state.ts'
import { SeriesLocks } from '../../../storage/series/series-locks.ts'
import type { QuarantineDecision } from '../../../views/calls/series-calls.ts'
import type { CalendarRow } from '../../../views/shapes/series.ts'
import type { ViewContext } from '../../../views/sight/view-parts.ts'

const sampleRows = 5

/** Waiting calendars of these providers, or of all; the oldest first. */
export async function listWaitingCalendars(
  { installation: { sql }, now }: ViewContext,
  providers: ReadonlySet<string> | null,
): Promise<readonly CalendarRow[]> {
  const rows: CalendarRow[] = []
  for (const entry of await listQuarantinedCalendars(sql)) {
    if (providers !== null && !providers.has(entry.provider)) continue
    const effect = await effectOfCalendar(sql, entry, now())
    if (effect === null) continue
    const { id, provider, foundAt, reason } = entry
    const { added, moved, withdrawn } = effect
    const gone = effect.rows.slice(effect.rows.length - withdrawn).toSorted((a, b) => (a.at < b.at ? -1 : 1))
    const sample = gone.slice(0, sampleRows).map(({ at, title }) => ({ at, title }))
    rows.push({ id, provider, foundAt, reason, added, moved, withdrawn, sample })
  }
  return rows
}

export async function decideWaitingCalendar(
  { installation: { sql, target }, now, catchUp }: ViewContext,
  id: string,
  decision: QuarantineDecision['decision'],
  operator: { readonly id: string; readonly email: string },
): Promise<void> {
  await requireOperator(sql, operator.id)
  const by = operator.email
  if (decision === 'reject') await rejectCalendar(id, { sql, clock: now, by })
  else {
    const locks = new SeriesLocks(target)
    await releaseCalendar(id, { sql, locks, clock: now, by }).finally(() => locks.close())
  }
  const said = decision === 'reject' ? 'calendar rejected' : 'calendar released'
  await noteAct(sql, {
    act: 'calendar.quarantine',
    who: by,
    personId: operator.id,
    fromAddress: null,
    said,
    subject: id,
  })
  await catchUp()
}
