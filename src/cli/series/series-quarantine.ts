// `series quarantine`: data that waits for a decision, because the unit changed, much of the history would be rewritten, or the
// answers of a provider look different, all of which waits together; and the decision of the person at the command line, noted as
// such for all who follow the series. Operators can also decide in the console.
import { Refusal } from '../../core/refusal.ts'
import { type DecidedDrift, decideTogether, findDrift } from '../../ingest/drift/drift-decision.ts'
import { driftReason } from '../../ingest/drift/shape-comparison.ts'
import { rejectQuarantined, releaseQuarantined } from '../../ingest/release.ts'
import { listDrifts } from '../../storage/series/drift.ts'
import { listQuarantine, type QuarantineEntry } from '../../storage/series/quarantine.ts'
import { SeriesLocks } from '../../storage/series/series-locks.ts'
import type { Installation } from '../../storage/upkeep/installation.ts'
import { noteToFollowers } from '../../storage/workspaces/activity.ts'
import { alignRows } from '../frame/aligned-rows.ts'
import { currentInstant } from '../frame/clock.ts'
import { type Command, type Done, type Invocation, Misuse, printJson } from '../frame/command.ts'
import { withInstallation } from '../frame/installation.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'
import { changeWords } from './ingest-report.ts'

export const seriesQuarantineCommand: Command = {
  name: 'series quarantine',
  usage: '[list | show <id> | release <id> | reject <id>]',
  summary: 'Lists data that waits for a decision, shows how answers changed, publishes it, or rejects it.',
  options: { as: actorSpec },
  positionals: { least: 0, most: 2 },
  run: invocation => {
    const [action = 'list', id] = invocation.positionals
    const isKnown =
      action === 'list' ? id === undefined : ['show', 'release', 'reject'].includes(action) && id !== undefined
    if (!isKnown) throw new Misuse('usage: assize series quarantine [list | show <id> | release <id> | reject <id>]')
    return withInstallation(invocation, async installation => {
      if (action === 'list') return list(installation)
      const found = await findDrift(installation, id!)
      if (action === 'show') return show(found, invocation, id!)
      if (found !== null) return decideAll(installation, invocation, found, action === 'release')
      return action === 'release' ? release(installation, invocation, id!) : reject(installation, invocation, id!)
    })
  },
}

function referenceOf({ provider, code }: QuarantineEntry): string {
  return `${provider}/${code}`
}

/** The decider's name as it is shown to everybody who follows the series: nobody signed in to decide. */
function byCommand(who: string): string {
  return `${who} (by command)`
}

async function list({ sql }: Installation): Promise<Done> {
  const all = await listQuarantine(sql, 'waiting')
  const drifts = await listDrifts(sql)
  // Entries held together are decided together; a series can still be decided alone, by the id that JSON has.
  const entries = all.filter(({ driftId }) => driftId === null)
  const rows = [
    ...drifts.map(drift => [drift.id, drift.provider, drift.foundAt.slice(0, 10), driftReason(drift)]),
    ...entries.map(entry => [entry.id, referenceOf(entry), entry.foundAt.slice(0, 10), entry.reason]),
  ]
  return {
    json: [
      ...all.map(entry => ({
        id: entry.id,
        series: referenceOf(entry),
        reason: entry.reason,
        foundAt: entry.foundAt,
        ...(entry.driftId === null ? {} : { heldWith: entry.driftId }),
      })),
      ...drifts.map(drift => ({
        id: drift.id,
        series: null,
        provider: drift.provider,
        reason: driftReason(drift),
        foundAt: drift.foundAt,
      })),
    ],
    words: rows.length === 0 ? 'The quarantine is empty.\n' : alignRows(rows),
  }
}

/** Shows the shape of answers until now, and of the new one. */
function show(found: DecidedDrift | null, invocation: Invocation, id: string): number {
  if (found === null)
    throw new Refusal(
      'not-found',
      `no change of answers with the id "${id}" waits; assize series quarantine lists the waiting ones`,
    )
  const { drift, entries } = found
  const held = entries.map(referenceOf)
  if (invocation.json)
    printJson(invocation, { ...drift, parts: drift.parts.map(({ shapes: _, ...part }) => part), held })
  else {
    const { out } = invocation.terminal
    out(`${drift.provider}, ${drift.kind}, found ${drift.foundAt.slice(0, 16)}Z: ${driftReason(drift)}\n`)
    for (const { place, signs, lines } of drift.parts) {
      out(['', place.trim(), signs.map(({ words }) => `  ${words}`)])
      const rows = lines.map(({ what, before, after }) => [
        `  ${before === after ? ' ' : '*'} ${what}`,
        before ?? '(none)',
        after ?? '(none)',
      ])
      if (rows.length > 0) out(alignRows([['    ', 'until now', 'came'], ...rows]))
    }
    out(['', held.length === 0 ? 'No values are held back.' : `Held back: ${held.join(', ')}`])
  }
  return 0
}

async function decideAll(
  { sql, target }: Installation,
  invocation: Invocation,
  found: DecidedDrift,
  isRelease: boolean,
): Promise<Done> {
  const locks = new SeriesLocks(target)
  const deciding = { sql, locks, clock: currentInstant, by: byCommand(actorOf(invocation)) }
  await decideTogether(found, isRelease, deciding).finally(() => locks.close())
  const { drift, entries } = found
  const decision = isRelease ? 'released' : 'rejected'
  return {
    json: { id: drift.id, provider: drift.provider, decision, series: entries.map(referenceOf) },
    words: `${drift.provider}: ${isRelease ? 'the new shape is accepted' : 'rejected'}, ${entries.length} series ${isRelease ? 'published' : 'stay as they are'}\n`,
  }
}

async function release({ sql, target }: Installation, invocation: Invocation, id: string): Promise<Done> {
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
  return {
    json: { id, series: referenceOf(entry), decision: 'released', new: added, revised, withdrawn },
    words: `${referenceOf(entry)}: released, ${changeWords({ outcome })}\n`,
  }
}

async function reject({ sql }: Installation, invocation: Invocation, id: string): Promise<Done> {
  const who = actorOf(invocation)
  const entry = await rejectQuarantined(id, { sql, clock: currentInstant, by: byCommand(who) })
  await noteToFollowers(sql, entry.seriesId, {
    who: byCommand(who),
    act: 'series.quarantine',
    what: 'quarantine rejected',
    subject: referenceOf(entry),
  })
  return {
    json: { id, series: referenceOf(entry), decision: 'rejected' },
    words: `${referenceOf(entry)}: rejected, nothing was published\n`,
  }
}
