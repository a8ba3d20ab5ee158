// Alarms of a workspace: one for each figure that agreements wait for and that is late or will not come; past ones are cleared. The
// search covers all agreements; the recipients of an alarm are chosen by those who send it.
import { type AwaitedBySome, alarmChanges } from '../core/calendar/alarm.ts'
import { figuresTold, onDate } from '../core/calendar/due.ts'
import { dayOfInstant, type Instant, instantOfMicros, microsOf } from '../core/time/instant.ts'
import { limits } from '../limits.ts'
import { mailLimits } from '../mail/mail-limits.ts'
import { DueBook, type DueEntry } from '../read/due.ts'
import type { CachedIndex } from '../read/lists/cached-index.ts'
import type { AgreementDigest } from '../read/lists/digests.ts'
import type { AgreementRecord } from '../storage/agreements/agreements.ts'
import { withWorkspace } from '../storage/postgres/database.ts'
import { loadOpenAlarms, saveAlarms } from '../storage/series/alarms.ts'
import { loadStates, type SeriesState } from '../storage/series/series-state.ts'
import type { VisibleSeries } from '../storage/series/visible-series.ts'
import { lateAfterMinutes } from './series/lateness.ts'
import type { ViewContext } from './sight/view-parts.ts'

interface AlarmCounts {
  readonly raised: number
  readonly cleared: number
}

/** One search. While something is still being computed no alarm is raised or cleared. */
export async function lookForAlarms(parts: ViewContext, workspaceId: string): Promise<AlarmCounts> {
  const { library, installation } = parts
  const now = parts.now()
  const index = await library.index(workspaceId)
  const active = index.agreements.filter(({ states }) => states.at(-1)?.status === 'ACTIVE')
  const digests = await digestsOf(parts, workspaceId, active, now)
  if (digests === null) return { raised: 0, cleared: 0 }
  const book = await DueBook.open(library, { workspaceId, index, digests })
  const entries = await book.entries(active, now, dayOfInstant(now) + limits.due.mostDays)
  const { open, states } = await withWorkspace(installation.sql, workspaceId, async tx => ({
    open: await loadOpenAlarms(tx, workspaceId),
    states: await loadStates(tx, workspaceId),
  }))
  const awaited = awaitedBySome(book, entries, id => isInTrouble(index.find(id), states.get(id), now))
  const kept = await library.outlooks.read(workspaceId, seriesOf(index, open))
  const isThere = ({ seriesId, period }: { readonly seriesId: string; readonly period: string }) =>
    kept.get(seriesId)?.isThere(period) === true
  const changes = alarmChanges(open, awaited, isThere, now)
  await withWorkspace(installation.sql, workspaceId, tx => saveAlarms(tx, workspaceId, changes, now))
  return { raised: changes.raised.length, cleared: changes.cleared.length }
}

async function digestsOf(
  { library }: ViewContext,
  workspaceId: string,
  active: readonly AgreementRecord[],
  now: Instant,
): Promise<ReadonlyMap<string, AgreementDigest> | null> {
  const ids = active.map(({ id }) => id)
  for (let turn = 1; turn <= mailLimits.glances; turn++) {
    const { digests, pending } = await library.digests.gather(workspaceId, ids, dayOfInstant(now))
    if (pending === 0) return digests
  }
  return null
}

function seriesOf(index: CachedIndex, open: readonly { readonly seriesId: string }[]): readonly VisibleSeries[] {
  return [...new Set(open.map(({ seriesId }) => seriesId))].flatMap(id => index.find(id) ?? [])
}

/** Every awaited figure once. Signed periods that wait for final figures do not count. */
function awaitedBySome(
  book: DueBook,
  entries: readonly DueEntry[],
  hasTrouble: (seriesId: string) => boolean,
): readonly AwaitedBySome[] {
  const awaited = new Map<string, AwaitedBySome>()
  for (const { due } of entries) {
    if (due.isSigned) continue
    for (const figure of figuresTold(due, book.outlookOf)) {
      const series = book.seriesOf(figure.series)
      if (series === null) continue
      const { id: seriesId } = series
      const { period, stage } = figure
      const known = awaited.get(`${seriesId} ${period}`)
      // The first form of a figure comes before its final one, so it counts first.
      if (known !== undefined && (known.stage === null || stage !== null)) continue
      const outlook = onDate(book.outlookOf(figure), due.date, figure)
      const isTroubled = !outlook.isOwn && hasTrouble(seriesId)
      awaited.set(`${seriesId} ${period}`, { seriesId, period, stage, outlook, isInTrouble: isTroubled })
    }
  }
  return [...awaited.values()]
}

/** Whether the provider reported trouble, or has not answered for longer than it may. */
function isInTrouble(series: VisibleSeries | undefined, state: SeriesState | undefined, now: Instant): boolean {
  if (series === undefined || state === undefined) return false
  if (state.trouble !== null) return true
  const minutes = lateAfterMinutes.get(series.provider)
  if (minutes === undefined || state.lastAnsweredAt === null) return false
  return state.lastAnsweredAt < instantOfMicros(microsOf(now) - minutes * 60_000_000)
}
