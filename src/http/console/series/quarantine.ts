// Figures that wait for a person before they are published, and the decision on them. A public series is shared by all who follow
// it, so the installation's operators decide; every follower sees that it waits, why, and later who decided what.
import { Refusal } from '../../../core/refusal.ts'
import { sampleQuarantined } from '../../../ingest/quarantine-sample.ts'
import { rejectQuarantined, releaseQuarantined } from '../../../ingest/release.ts'
import { limits } from '../../../limits.ts'
import { requireOperator } from '../../../storage/people/operators.ts'
import { publicScope } from '../../../storage/postgres/database.ts'
import { listDrifts } from '../../../storage/series/drift.ts'
import { countFollowers } from '../../../storage/series/follows.ts'
import { listPublicSeries } from '../../../storage/series/public-series.ts'
import { listQuarantine, type QuarantineEntry } from '../../../storage/series/quarantine.ts'
import { SeriesLocks } from '../../../storage/series/series-locks.ts'
import type { VisibleSeries } from '../../../storage/series/visible-series.ts'
import { noteToFollowers } from '../../../storage/workspaces/activity.ts'
import type { QuarantineDecision } from '../../../views/calls/series-calls.ts'
import type { InstallationPage } from '../../../views/shapes/installation.ts'
import type { DecidedRow, QuarantinePage, QuarantineRow, SeriesPage } from '../../../views/shapes/series.ts'
import type { Seat } from '../../../views/sight/seat.ts'
import type { ViewContext } from '../../../views/sight/view-parts.ts'
import { readersOf, visibleSeries } from '../../../views/sight/visibility.ts'
import { listWaitingCalendars } from './waiting-calendars.ts'

/** Waiting figures of the series this person sees in the workspace; the oldest first. */
export async function showQuarantine(parts: ViewContext, seat: Seat): Promise<QuarantinePage> {
  const { library, installation } = parts
  const index = await library.index(seat.workspace.id)
  const series = visibleSeries(seat, index, await readersOf(seat, library, index))
  const byId = new Map(series.map(each => [each.id, each]))
  const waiting: QuarantineRow[] = []
  for (const entry of await listQuarantine(installation.sql, 'waiting')) {
    const found = byId.get(entry.seriesId)
    if (found !== undefined) waiting.push(await presentEntry(parts, entry, nameOf(found)))
  }
  const providers = new Set(series.map(({ provider }) => provider))
  return {
    mayDecide: seat.isOperator,
    waiting,
    calendars: await listWaitingCalendars(parts, providers),
    decided: await listDecided(parts, byId),
  }
}

/** Waiting figures of one series, and the last decision about it. */
export async function quarantineOf(
  parts: ViewContext,
  seat: Seat,
  series: VisibleSeries,
): Promise<Pick<SeriesPage, 'quarantine' | 'decided'>> {
  if (series.owner !== publicScope) return { quarantine: null, decided: null }
  const entries = await listQuarantine(parts.installation.sql, 'all', [series.id])
  const waiting = entries.find(({ decision }) => decision === null)
  const row = waiting === undefined ? null : await presentEntry(parts, waiting, nameOf(series))
  const [decided = null] = presentDecided(entries, () => nameOf(series))
  return { quarantine: row === null ? null : { ...row, mayDecide: seat.isOperator }, decided }
}

/** Waiting figures of every public series, with its followers; without those held with a drift. */
export async function listAllWaiting(parts: ViewContext): Promise<InstallationPage['waiting']> {
  const { sql } = parts.installation
  const drifts = new Set<string | null>((await listDrifts(sql)).map(({ id }) => id))
  const entries = (await listQuarantine(sql, 'waiting')).filter(({ driftId }) => !drifts.has(driftId))
  const ids = entries.map(({ seriesId }) => seriesId)
  const names = new Map((await listPublicSeries(sql, { ids })).map(({ id, name }) => [id, name]))
  const rows = []
  for (const entry of entries) {
    const row = await presentEntry(parts, entry, names.get(entry.seriesId) ?? entry.code)
    rows.push({ ...row, followers: await countFollowers(sql, entry.seriesId) })
  }
  return rows
}

/** Last decisions, the newest first; of these series, or of all. */
export async function listDecided(
  { installation }: ViewContext,
  series: ReadonlyMap<string, VisibleSeries> | null,
): Promise<readonly DecidedRow[]> {
  const { sql } = installation
  const entries = await listQuarantine(sql, 'all', series === null ? null : [...series.keys()])
  const decided = entries.filter(({ decision }) => decision !== null)
  const ids = decided.map(({ seriesId }) => seriesId)
  const names = new Map((await listPublicSeries(sql, { ids })).map(({ id, name }) => [id, name]))
  return presentDecided(decided, ({ seriesId, code }) => names.get(seriesId) ?? code).slice(0, limits.decidedRows)
}

/** Decides for a series of this workspace. */
export async function decideWaiting(
  parts: ViewContext,
  seat: Seat,
  id: string,
  { decision }: QuarantineDecision,
): Promise<void> {
  const index = await parts.library.index(seat.workspace.id)
  const entry = (await listQuarantine(parts.installation.sql, 'waiting')).find(each => each.id === id)
  if (entry === undefined || index.find(entry.seriesId) === undefined) throw nothingWaits()
  await decideEntry(parts, id, decision, seat.person)
}

/** Decides for all who follow the series; it is noted for each of them. */
export async function decideEntry(
  parts: ViewContext,
  id: string,
  decision: QuarantineDecision['decision'],
  operator: { readonly id: string; readonly email: string },
): Promise<void> {
  const { installation, now, catchUp } = parts
  const { sql, target } = installation
  await requireOperator(sql, operator.id)
  const by = operator.email
  const entry = (await listQuarantine(sql, 'waiting')).find(each => each.id === id)
  if (entry === undefined) throw nothingWaits()
  if (decision === 'reject') await rejectQuarantined(id, { sql, clock: now, by })
  else {
    const locks = new SeriesLocks(target)
    await releaseQuarantined(id, { sql, locks, clock: now, by }).finally(() => locks.close())
  }
  const what = decision === 'reject' ? 'quarantine rejected' : 'quarantine released'
  await noteToFollowers(sql, entry.seriesId, {
    who: by,
    act: 'series.quarantine',
    what,
    subject: `${entry.provider}/${entry.code}`,
  })
  await catchUp()
}

/** Refusal for figures already decided, of another workspace's series, or that never existed: it does not reveal which. */
function nothingWaits(): Refusal {
  return new Refusal('not-found', 'nothing of that kind is in quarantine any more')
}

function nameOf({ metadata }: VisibleSeries): string {
  return metadata.at(-1)!.name
}

async function presentEntry(
  { installation }: ViewContext,
  entry: QuarantineEntry,
  name: string,
): Promise<QuarantineRow> {
  const { id, seriesId, provider, code, foundAt, reason } = entry
  return {
    id,
    seriesId,
    provider,
    code,
    name,
    foundAt,
    reason,
    sample: await sampleQuarantined(installation.sql, entry),
  }
}

function presentDecided(
  entries: readonly QuarantineEntry[],
  nameIt: (entry: QuarantineEntry) => string,
): readonly DecidedRow[] {
  return entries
    .flatMap((entry): DecidedRow[] => {
      const { id, seriesId, provider, code, reason, decision, decidedAt, decidedBy } = entry
      if (decision === null || decidedAt === null) return []
      return [{ id, seriesId, provider, code, name: nameIt(entry), reason, decision, decidedAt, decidedBy }]
    })
    .sort((a, b) => (a.decidedAt > b.decidedAt ? -1 : 1))
}
