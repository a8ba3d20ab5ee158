// Decisions on a drift: accepting the new shape publishes the answers that are held with it, rejecting it keeps the stored
// values. Each series is decided like one that waits alone.
import { Refusal } from '../../core/refusal.ts'
import { noteAct } from '../../storage/audit/audit-acts.ts'
import { decideCalendar, listQuarantinedCalendars } from '../../storage/series/calendar-state.ts'
import { type Drift, decideDrift, listDrifts, saveShape } from '../../storage/series/drift.ts'
import { listQuarantine, type QuarantineEntry } from '../../storage/series/quarantine.ts'
import { noteToFollowers } from '../../storage/workspaces/activity.ts'
import { releaseCalendar } from '../calendar/calendar-decision.ts'
import { type Deciding, rejectQuarantined, releaseQuarantined } from '../release.ts'

export interface DecidedDrift {
  readonly drift: Drift
  /** The series that waited for it. */
  readonly entries: readonly QuarantineEntry[]
}

/** Finds a drift; `null` if no drift with this id waits. */
export async function findDrift({ sql }: Pick<Deciding, 'sql'>, id: string): Promise<DecidedDrift | null> {
  const drift = (await listDrifts(sql)).find(each => each.id === id)
  if (drift === undefined) return null
  const entries = (await listQuarantine(sql, 'waiting')).filter(({ driftId }) => driftId === id)
  return { drift, entries }
}

interface DecidedBy extends Deciding {
  /** Account of the decider, where somebody is signed in. */
  readonly personId?: string
}

/**
 * Decides, and notes the decision for all who follow the waiting series, and for the installation, because there may be no such
 * series.
 */
export async function decideTogether(
  found: DecidedDrift,
  isAccepted: boolean,
  { personId, ...deciding }: DecidedBy,
): Promise<void> {
  const { sql, by } = deciding
  await (isAccepted ? acceptDrift(found, deciding) : rejectDrift(found, deciding))
  const { drift, entries } = found
  const act = 'series.quarantine'
  const what = isAccepted ? 'quarantine released' : 'quarantine rejected'
  for (const { seriesId, provider, code } of entries)
    await noteToFollowers(sql, seriesId, { who: by, act, what, subject: `${provider}/${code}` })
  const said = isAccepted ? 'new shape of answers accepted' : 'new shape of answers rejected'
  await noteAct(sql, { act, who: by, personId, fromAddress: null, said, subject: `${drift.provider}, ${drift.kind}` })
}

/** Accepts the new shape: from now on answers look like this. */
export async function acceptDrift({ drift, entries }: DecidedDrift, deciding: Deciding): Promise<void> {
  const { sql, clock, by } = deciding
  for (const { shapes } of drift.parts) for (const shape of shapes) await saveShape(sql, drift.provider, shape, clock())
  for (const { id } of entries) await releaseQuarantined(id, deciding)
  if (drift.kind === 'calendar') {
    const held = (await listQuarantinedCalendars(sql)).find(({ provider }) => provider === drift.provider)
    if (held !== undefined) await releaseCalendar(held.id, deciding)
  }
  // The drift is decided last: after a crash in between, the rest is still held and can be decided.
  if (!(await decideDrift(sql, drift.id, { decision: 'released', at: clock(), by }))) throw decidedMeanwhile(drift)
}

/** Rejects the change; from now on it is rejected without asking. */
export async function rejectDrift({ drift, entries }: DecidedDrift, deciding: Omit<Deciding, 'locks'>): Promise<void> {
  const { sql, clock, by } = deciding
  for (const { id } of entries) await rejectQuarantined(id, deciding)
  if (drift.kind === 'calendar') await decideCalendar(sql, drift.provider, { decision: 'rejected', at: clock(), by })
  if (!(await decideDrift(sql, drift.id, { decision: 'rejected', at: clock(), by }))) throw decidedMeanwhile(drift)
}

function decidedMeanwhile({ id }: Drift): Refusal {
  return new Refusal('conflict', `"${id}" was decided in the meantime`)
}
