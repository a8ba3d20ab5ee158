// `calendar quarantine`: release calendars that wait for a decision, because they suddenly say much less than is stored.
import { rejectCalendar, releaseCalendar } from '../../ingest/calendar/calendar-decision.ts'
import { listQuarantinedCalendars } from '../../storage/series/calendar-state.ts'
import { SeriesLocks } from '../../storage/series/series-locks.ts'
import type { Installation } from '../../storage/upkeep/installation.ts'
import { alignRows } from '../frame/aligned-rows.ts'
import { currentInstant } from '../frame/clock.ts'
import { type Command, type Done, type Invocation, Misuse } from '../frame/command.ts'
import { withInstallation } from '../frame/installation.ts'
import { actorOf, actorSpec, noteCommand } from '../frame/operator.ts'

export const calendarQuarantineCommand: Command = {
  name: 'calendar quarantine',
  usage: '[list | release <id> | reject <id>]',
  summary: 'Lists release calendars that wait for a decision, publishes one, or rejects it.',
  options: { as: actorSpec },
  positionals: { least: 0, most: 2 },
  run: invocation => {
    const [action = 'list', id] = invocation.positionals
    const isKnown = action === 'list' ? id === undefined : ['release', 'reject'].includes(action) && id !== undefined
    if (!isKnown) throw new Misuse('usage: assize calendar quarantine [list | release <id> | reject <id>]')
    return withInstallation(invocation, async installation => {
      if (action === 'list') return list(installation)
      return action === 'release' ? release(installation, invocation, id!) : reject(installation, invocation, id!)
    })
  },
}

async function list({ sql }: Installation): Promise<Done> {
  const entries = await listQuarantinedCalendars(sql)
  const rows = entries.map(({ id, provider, foundAt, reason }) => [id, provider, foundAt.slice(0, 10), reason])
  return { json: entries, words: rows.length === 0 ? 'No calendar waits for a decision.\n' : alignRows(rows) }
}

async function release({ sql, target }: Installation, invocation: Invocation, id: string): Promise<Done> {
  const locks = new SeriesLocks(target)
  const deciding = { sql, locks, clock: currentInstant, by: `${actorOf(invocation)} (by command)` }
  const { entry, comparison } = await releaseCalendar(id, deciding).finally(() => locks.close())
  const { added, moved, withdrawn } = comparison
  const { provider } = entry
  await noteCommand(sql, invocation, 'calendar.quarantine', 'calendar released', `${provider} ${id}`)
  return {
    json: { id, provider, decision: 'released', new: added, moved, withdrawn },
    words: `calendar of ${provider}: released, ${added} new, ${moved} moved, ${withdrawn} no longer announced\n`,
  }
}

async function reject({ sql }: Installation, invocation: Invocation, id: string): Promise<Done> {
  const by = `${actorOf(invocation)} (by command)`
  const { provider } = await rejectCalendar(id, { sql, clock: currentInstant, by })
  await noteCommand(sql, invocation, 'calendar.quarantine', 'calendar rejected', `${provider} ${id}`)
  return {
    json: { id, provider, decision: 'rejected' },
    words: `calendar of ${provider}: rejected, the stored one stays\n`,
  }
}
