// `series quarantine`: data that waits for a decision, because the unit changed or much of the history would be rewritten;
// and the decision of the person at the command line, noted as such for all who follow the series. Operators can also
// decide in the console.
import { rejectQuarantined, releaseQuarantined } from '../../ingest/release.ts'
import { listQuarantine, type QuarantineEntry } from '../../storage/series/quarantine.ts'
import { SeriesLocks } from '../../storage/series/series-locks.ts'
import type { Installation } from '../../storage/upkeep/installation.ts'
import { noteToFollowers } from '../../storage/workspaces/activity.ts'
import { currentInstant } from '../frame/clock.ts'
import { type Command, type Invocation, Misuse, writeJson } from '../frame/command.ts'
import { withInstallation } from '../frame/installation.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'
import { alignRows } from '../frame/worksheet.ts'
import { changeWords } from './ingest-report.ts'

export const seriesQuarantineCommand: Command = {
  name: 'series quarantine',
  usage: '[list | release <id> | reject <id>]',
  summary: 'Lists data that waits for a decision, publishes it, or rejects it.',
  options: { as: actorSpec },
  positionals: { least: 0, most: 2 },
  run: invocation => {
    const [action = 'list', id] = invocation.positionals
    const isKnown = action === 'list' ? id === undefined : ['release', 'reject'].includes(action) && id !== undefined
    if (!isKnown) throw new Misuse('usage: assize series quarantine [list | release <id> | reject <id>]')
    return withInstallation(invocation, async installation => {
      if (action === 'list') return list(installation, invocation)
      return action === 'release' ? release(installation, invocation, id!) : reject(installation, invocation, id!)
    })
  },
}

function referenceOf({ provider, code }: QuarantineEntry): string {
  return `${provider}/${code}`
}

/** As shown to everybody who follows the series: nobody signed in to decide. */
function byCommand(who: string): string {
  return `${who} (by command)`
}

async function list({ sql }: Installation, invocation: Invocation): Promise<number> {
  const entries = await listQuarantine(sql, 'waiting')
  if (invocation.json)
    writeJson(
      invocation,
      entries.map(entry => ({
        id: entry.id,
        series: referenceOf(entry),
        reason: entry.reason,
        foundAt: entry.foundAt,
      })),
    )
  else if (entries.length === 0) invocation.terminal.out('The quarantine is empty.\n')
  else
    invocation.terminal.out(
      alignRows(entries.map(entry => [entry.id, referenceOf(entry), entry.foundAt.slice(0, 10), entry.reason])),
    )
  return 0
}

async function release({ sql, target }: Installation, invocation: Invocation, id: string): Promise<number> {
  const who = actorOf(invocation)
  const locks = new SeriesLocks(target)
  const released = releaseQuarantined(id, { sql, locks, clock: currentInstant, by: byCommand(who) })
  const { entry, outcome } = await released.finally(() => locks.close())
  await noteToFollowers(sql, entry.seriesId, {
    who: byCommand(who),
    act: 'series.quarantine',
    what: 'quarantine released',
    subject: referenceOf(entry),
  })
  const { added, revised, withdrawn } = outcome.kind === 'changed' ? outcome : { added: 0, revised: 0, withdrawn: 0 }
  if (invocation.json)
    writeJson(invocation, { id, series: referenceOf(entry), decision: 'released', new: added, revised, withdrawn })
  else invocation.terminal.out(`${referenceOf(entry)}: released, ${changeWords({ outcome })}\n`)
  return 0
}

async function reject({ sql }: Installation, invocation: Invocation, id: string): Promise<number> {
  const who = actorOf(invocation)
  const entry = await rejectQuarantined(id, { sql, clock: currentInstant, by: byCommand(who) })
  await noteToFollowers(sql, entry.seriesId, {
    who: byCommand(who),
    act: 'series.quarantine',
    what: 'quarantine rejected',
    subject: referenceOf(entry),
  })
  if (invocation.json) writeJson(invocation, { id, series: referenceOf(entry), decision: 'rejected' })
  else invocation.terminal.out(`${referenceOf(entry)}: rejected, nothing was published\n`)
  return 0
}
