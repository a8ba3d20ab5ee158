// What waits for a person before it is published, of the series this workspace follows, and the person's word on it. A
// public series is the same for all who follow it: whoever decides, decides for all of them.
import { Refusal } from '../../core/refusal.ts'
import { sampleQuarantined } from '../../ingest/quarantine-sample.ts'
import { rejectQuarantined, releaseQuarantined } from '../../ingest/release.ts'
import { noteActivity } from '../../storage/activity.ts'
import { publicScope, withWorkspace } from '../../storage/database.ts'
import { listQuarantine, type QuarantineEntry } from '../../storage/quarantine.ts'
import type { VisibleSeries } from '../../storage/series.ts'
import { SeriesLocks } from '../../storage/series-locks.ts'
import type { ConsoleParts, Seat } from './route.ts'
import type { QuarantineDecision, QuarantineRow } from './wire/series.ts'

export const decidingRoles = ['owner', 'editor'] as const

export function mayDecide({ role }: Pick<Seat, 'role'>): boolean {
  return decidingRoles.some(each => each === role)
}

/** The oldest first. */
export async function listWaiting(parts: ConsoleParts, seat: Seat): Promise<readonly QuarantineRow[]> {
  const rows: QuarantineRow[] = []
  for (const { entry, series } of await findWaiting(parts, seat)) rows.push(await presentEntry(parts, entry, series))
  return rows
}

/** What waits of one series; `null` where nothing does. */
export async function quarantineOf(
  parts: ConsoleParts,
  seat: Seat,
  series: VisibleSeries,
): Promise<QuarantineRow | null> {
  if (series.owner !== publicScope) return null
  const found = (await findWaiting(parts, seat)).find(({ entry }) => entry.seriesId === series.id)
  return found === undefined ? null : presentEntry(parts, found.entry, series)
}

export async function decideWaiting(
  parts: ConsoleParts,
  seat: Seat,
  id: string,
  { decision }: QuarantineDecision,
): Promise<void> {
  const { installation, now, catchUp } = parts
  const { sql, target } = installation
  const found = (await findWaiting(parts, seat)).find(({ entry }) => entry.id === id)
  // Decided already, of another workspace's series, or never there: nobody learns which.
  if (found === undefined) throw new Refusal('not-found', 'nothing of that kind waits in the quarantine any more')
  if (decision === 'reject') await rejectQuarantined(id, { sql, clock: now })
  else {
    const locks = new SeriesLocks(target)
    await releaseQuarantined(id, { sql, locks, clock: now }).finally(() => locks.close())
  }
  const { provider, code } = found.entry
  await withWorkspace(sql, seat.workspace.id, tx =>
    noteActivity(tx, seat.workspace.id, {
      who: seat.person.email,
      what: decision === 'reject' ? 'quarantine rejected' : 'quarantine released',
      subject: `${provider}/${code}`,
      fromAddress: seat.fromAddress,
    }),
  )
  await catchUp()
}

interface Waiting {
  readonly entry: QuarantineEntry
  readonly series: VisibleSeries
}

/** Of the series that this workspace follows. */
async function findWaiting({ installation, library }: ConsoleParts, { workspace }: Seat): Promise<readonly Waiting[]> {
  const index = await library.index(workspace.id)
  const entries = await listQuarantine(installation.sql, 'waiting')
  return entries.flatMap(entry => {
    const series = index.find(entry.seriesId)
    return series === undefined ? [] : [{ entry, series }]
  })
}

async function presentEntry(
  { installation }: ConsoleParts,
  entry: QuarantineEntry,
  { metadata }: VisibleSeries,
): Promise<QuarantineRow> {
  const { id, seriesId, provider, code, foundAt, reason } = entry
  const sample = await sampleQuarantined(installation.sql, entry)
  return { id, seriesId, provider, code, name: metadata.at(-1)!.name, foundAt, reason, sample }
}
