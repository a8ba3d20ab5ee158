// Looks over a workspace for figures that its agreements wait for and that are late or will not come: raises an alarm for each, once,
// and clears those that are over. It looks at all agreements; who is told of an alarm is decided by those who tell.
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

/** One look. While something is still being computed nothing is raised and nothing cleared. */
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

/** Every figure once. Signed periods that wait for final figures are not kept waiting by them. */
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
      // Any figure of the period is waited for before its final one.
      if (known !== undefined && (known.stage === null || stage !== null)) continue
      const outlook = onDate(book.outlookOf(figure), due.date, figure)
      const isTroubled = !outlook.isOwn && hasTrouble(seriesId)
      awaited.set(`${seriesId} ${period}`, { seriesId, period, stage, outlook, isInTrouble: isTroubled })
    }
  }
  return [...awaited.values()]
}

/** It said so, or has not answered for longer than it may. */
function isInTrouble(series: VisibleSeries | undefined, state: SeriesState | undefined, now: Instant): boolean {
  if (series === undefined || state === undefined) return false
  if (state.trouble !== null) return true
  const minutes = lateAfterMinutes.get(series.provider)
  if (minutes === undefined || state.lastAnsweredAt === null) return false
  return state.lastAnsweredAt < instantOfMicros(microsOf(now) - minutes * 60_000_000)
}
