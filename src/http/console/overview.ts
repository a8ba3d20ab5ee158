// What changed and what waits: new values that touch one's formulas, dates that come next, signatures, and what is wrong
// with where to go.
import { startOfDay } from '../../core/instant.ts'
import { periodOf, writePeriod } from '../../core/period.ts'
import { limits } from '../../limits.ts'
import type { CachedIndex } from '../../read/cached-index.ts'
import { isLive, listApiKeys } from '../../storage/api-keys.ts'
import { withWorkspace } from '../../storage/database.ts'
import type { PamRow } from '../../storage/pams.ts'
import { listQuarantine } from '../../storage/quarantine.ts'
import { type RecentChange, readRecentChanges } from '../../storage/recent-changes.ts'
import type { VisibleSeries } from '../../storage/series.ts'
import { readStates, type SeriesState } from '../../storage/series-state.ts'
import { formulaRows } from './formula-list.ts'
import { type FormulasAtAGlance, glanceAtFormulas, ListTime, readNames, todayOf } from './formula-standing.ts'
import type { ConsoleParts, Seat } from './route.ts'
import { byDate, waitingRows, whatWaits } from './sign-offs.ts'
import { type Readers, readersOf, stateFor, visibleSeries } from './visibility.ts'
import type { Overview } from './wire/formulas.ts'

export async function showOverview(parts: ConsoleParts, seat: Seat): Promise<Overview> {
  const glance = await glanceAtFormulas(parts, seat)
  const { index, rows, pending } = glance
  const readers = await readersOf(seat, parts.library, index)
  const series = visibleSeries(seat, index, readers)
  const names = await readNames(parts, seat)
  const { mine, others } = whatWaits(seat, glance)
  const disputed = [...mine, ...others].filter(each => each.isDisputed).sort(byDate)
  const waiting = (mine.length > 0 ? mine : others).slice(0, limits.overviewRows)
  const listing = { names, time: new ListTime(parts) }
  const { changes, states } = await readChanges(parts, seat, index, readers)
  const troubles = [
    ...formulaTroubles(seat, glance),
    ...seriesTroubles(series, states),
    ...(await quarantineTroubles(parts, series)),
  ]
  return {
    changes: changes.map(change => changeView(seat, change, index, readers)),
    due: await dueRows(parts, seat, glance, listing.time),
    waiting: await waitingRows(parts, seat, waiting, listing),
    waitsForMe: mine.length > 0,
    disputed: await waitingRows(parts, seat, disputed.slice(0, limits.overviewRows), listing),
    disputedCount: disputed.length,
    troubles: troubles.slice(0, limits.overviewTroubles),
    moreTroubles: Math.max(0, troubles.length - limits.overviewTroubles),
    counts: {
      series: series.length,
      formulas: rows.length,
      keys: seat.role === 'supplier' ? 0 : await countKeys(parts, seat),
    },
    pending: pending + listing.time.late.size,
  }
}

type States = ReadonlyMap<string, SeriesState>

async function readChanges(
  parts: ConsoleParts,
  { workspace }: Seat,
  index: CachedIndex,
  readers: Readers,
): Promise<{ changes: readonly RecentChange[]; states: States }> {
  const series = index.series.filter(({ id }) => readers.has(id))
  const since = startOfDay(todayOf(parts) - limits.overviewDays)
  return withWorkspace(parts.installation.sql, workspace.id, async tx => {
    const request = { series, since, most: limits.overviewRows, mostTogether: limits.overviewTogether }
    return { changes: await readRecentChanges(tx, request), states: await readStates(tx, workspace.id) }
  })
}

function changeView(
  seat: Seat,
  { seriesId, period, ...change }: RecentChange,
  index: CachedIndex,
  readers: Readers,
): Overview['changes'][number] {
  const { metadata, provider, code } = index.find(seriesId)!
  const { name, frequency } = metadata.at(-1)!
  const formulas = readers.get(seriesId) ?? []
  return {
    seriesId,
    name,
    provider,
    code,
    period: writePeriod(periodOf(frequency, period)),
    ...change,
    formulas: formulas
      .slice(0, limits.overviewReaders)
      .map(pam => ({ slug: pam.slug, name: stateFor(seat, pam)!.name })),
    moreFormulas: Math.max(0, formulas.length - limits.overviewReaders),
  }
}

/** The next date of what is in force, the nearest first. */
async function dueRows(
  parts: ConsoleParts,
  seat: Seat,
  { rows, digests }: FormulasAtAGlance,
  time: ListTime,
): Promise<Overview['due']> {
  const dated = rows.flatMap(pam => {
    const date = isInForce(seat, pam) ? (digests.get(pam.id)?.nextDate ?? null) : null
    return date === null ? [] : [{ pam, date }]
  })
  const nearest = dated
    .sort((a, b) => (a.date < b.date || (a.date === b.date && a.pam.slug < b.pam.slug) ? -1 : 1))
    .slice(0, limits.overviewRows)
  const shown = await formulaRows(
    parts,
    seat,
    nearest.map(({ pam }) => pam),
    time,
  )
  return shown.flatMap(({ slug, name, nextDate, last, price }) =>
    nextDate === null ? [] : [{ slug, name, date: nextDate, last, currency: price?.currency ?? null }],
  )
}

function isInForce(seat: Seat, pam: PamRow): boolean {
  return stateFor(seat, pam)?.status === 'ACTIVE'
}

type Trouble = Overview['troubles'][number]

/** What is in force and cannot be computed by now; an old gap that later periods got over does not count. */
function formulaTroubles(seat: Seat, { rows, digests }: FormulasAtAGlance): Trouble[] {
  const inForce = rows.filter(pam => isInForce(seat, pam))
  return inForce.flatMap(({ id, slug, states }): Trouble[] => {
    const words = digests.get(id)?.trouble ?? null
    return words === null ? [] : [{ kind: 'formula', subject: states.at(-1)!.name, words, target: slug }]
  })
}

/** From this many on, the same trouble of a provider's series counts as the provider's. */
const manySeries = 3

function seriesTroubles(series: readonly VisibleSeries[], states: States): Trouble[] {
  const troubled = series.flatMap(each => {
    const words = states.get(each.id)?.trouble ?? null
    return words === null ? [] : [{ series: each, words }]
  })
  const groups = Map.groupBy(troubled, ({ series: { provider }, words }) => `${provider} ${words}`)
  return [...groups.values()].flatMap((group): Trouble[] => {
    const { series: first, words } = group[0]!
    if (group.length >= manySeries)
      return [{ kind: 'provider', subject: first.provider, words: `${words} (${group.length} series)`, target: null }]
    return group.map(({ series: { id, metadata } }) => ({
      kind: 'series',
      subject: metadata.at(-1)!.name,
      words,
      target: id,
    }))
  })
}

/** Everybody who sees the series sees that it waits; operators decide. */
async function quarantineTroubles(
  { installation }: ConsoleParts,
  series: readonly VisibleSeries[],
): Promise<Trouble[]> {
  const known = new Map(series.map(each => [each.id, each]))
  const waiting = await listQuarantine(installation.sql, 'waiting')
  return waiting.flatMap(({ seriesId, reason }) => {
    const cached = known.get(seriesId)
    if (cached === undefined) return []
    return [{ kind: 'quarantine' as const, subject: cached.metadata.at(-1)!.name, words: reason, target: seriesId }]
  })
}

async function countKeys({ installation, now }: ConsoleParts, { workspace }: Seat): Promise<number> {
  const keys = await listApiKeys(installation.sql, workspace.id)
  return keys.filter(key => isLive(key, now())).length
}
