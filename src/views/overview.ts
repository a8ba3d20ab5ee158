// The home page: new values that affect a person's agreements, the next dates, open signatures, and problems with a link to each.

import { absolute, compare, type Ratio, ratio, subtract, zero } from '../core/numbers/ratio.ts'
import { disabledWords } from '../core/people/webhook-events.ts'
import { writers } from '../core/roles.ts'
import { startOfDay } from '../core/time/instant.ts'
import { formatPeriod, periodOf } from '../core/time/period.ts'
import { limits } from '../limits.ts'
import type { Readers } from '../read/agreements/agreement-readers.ts'
import type { CachedIndex } from '../read/lists/cached-index.ts'
import type { AgreementRecord } from '../storage/agreements/agreements.ts'
import { withWorkspace } from '../storage/postgres/database.ts'
import { listQuarantine } from '../storage/series/quarantine.ts'
import { loadNewestChanged, loadRecentChanges, type RecentChange } from '../storage/series/recent-changes.ts'
import { loadTroubles } from '../storage/series/series-state.ts'
import { loadWebhooks } from '../storage/webhooks/webhooks.ts'
import { isLive, listApiKeys } from '../storage/workspaces/api-keys.ts'
import { agreementListRows } from './agreements/agreement-list.ts'
import { waitingRows, whatWaits } from './agreements/inbox/waiting-rows.ts'
import {
  type AgreementGlance,
  ListTime,
  readAgreementGlance,
  readNames,
  todayOf,
} from './agreements/opened-agreement.ts'
import { readPeopleNews } from './company-view.ts'
import { openDue, readDueCalendar } from './due.ts'
import { missingFigure } from './missing-figures.ts'
import { readPortfolio } from './portfolio.ts'
import type { MovedContract, Overview } from './shapes/overview.ts'
import { isSeenAt } from './sight/cut.ts'
import { FirstFew } from './sight/first-few.ts'
import type { Seat } from './sight/seat.ts'
import type { ViewContext } from './sight/view-parts.ts'
import { findVisible, readersOf, stateFor } from './sight/visibility.ts'

export async function showOverview(parts: ViewContext, seat: Seat): Promise<Overview> {
  const index = await parts.library.index(seat.workspace.id)
  const [glance, readers, names] = await Promise.all([
    readAgreementGlance(parts, seat, index),
    readersOf(seat, parts.library, index),
    readNames(parts, seat),
  ])
  const seen = await openDue(parts, seat, glance)
  const entries = await seen.entries(parts.now(), todayOf(parts) + limits.due.mostDays)
  const { mine, others, disputed, counts } = await whatWaits(seat, glance, limits.overviewListed)
  const waiting = mine.count > 0 ? mine : others
  const listing = { names, time: new ListTime(parts) }
  const read: OverviewLists = { seat, index, readers }
  const changes = await readChanges(parts, read)
  const troubles = [
    ...agreementTroubles(seat, glance, index),
    ...(await seriesTroubles(parts, read)),
    ...(await quarantineTroubles(parts, read)),
    ...(await webhookTroubles(parts, seat)),
  ]
  return {
    changes: changes.map(change => changeView(seat, change, index, readers)),
    effects: effectsOf(seat, glance, changes),
    calendar: await readDueCalendar(parts, seen, entries),
    due: await dueRows(parts, seat, glance, listing.time),
    waiting: await waitingRows(parts, seat, waiting.first, listing),
    waitsForMe: mine.count > 0,
    disputed: await waitingRows(parts, seat, disputed.first, listing),
    disputedCount: disputed.count,
    waitingCount: waiting.count,
    waits: counts,
    portfolio: glance.rows.length === 0 ? null : await readPortfolio(seat, glance, entries, todayOf(parts)),
    dueMonths: dueMonths(seat, glance),
    people: await readPeopleNews(parts, seat),
    troubles: troubles.slice(0, limits.overviewTroubles),
    moreTroubles: Math.max(0, troubles.length - limits.overviewTroubles),
    counts: {
      series: seat.role === 'supplier' ? readers.size : index.series.length,
      agreements: glance.rows.length,
      keys: seat.role === 'supplier' ? 0 : await countKeys(parts, seat),
    },
    pending: glance.pending + listing.time.late.size,
  }
}

/** Lists as one person sees them. */
interface OverviewLists {
  readonly seat: Seat
  readonly index: CachedIndex
  readonly readers: Readers
}

/** Changes of series that agreements read. Only the most recently changed ones are examined: there may be thousands. */
async function readChanges(
  parts: ViewContext,
  { seat, index, readers }: OverviewLists,
): Promise<readonly RecentChange[]> {
  const { sql } = parts.installation
  const series = [...readers.keys()].flatMap(id => index.find(id) ?? [])
  const request = { since: startOfDay(todayOf(parts) - limits.overviewDays), most: limits.overviewRows }
  const newest = await loadNewestChanged(sql, { ...request, series })
  if (newest.length === 0) return []
  return withWorkspace(sql, seat.workspace.id, tx =>
    loadRecentChanges(tx, { ...request, series: newest, mostTogether: limits.overviewTogether }),
  )
}

function changeView(
  seat: Seat,
  { seriesId, period, ...change }: RecentChange,
  index: CachedIndex,
  readers: Readers,
): Overview['changes'][number] {
  const { metadata, provider, code } = index.find(seriesId)!
  const { name, frequency } = metadata.at(-1)!
  const reading = readers.get(seriesId) ?? []
  return {
    seriesId,
    name,
    provider,
    code,
    period: formatPeriod(periodOf(frequency, period)),
    ...change,
    agreements: reading
      .slice(0, limits.overviewReaders)
      .map(agreement => ({ slug: agreement.slug, name: stateFor(seat, agreement)!.name })),
    moreAgreements: Math.max(0, reading.length - limits.overviewReaders),
  }
}

/** Effects by the moments of the shown changes. */
function effectsOf(
  seat: Seat,
  { rows, digests }: AgreementGlance,
  changes: readonly RecentChange[],
): Overview['effects'] {
  const groups = new Map(changes.map(({ recordedAt }) => [recordedAt, [] as (MovedContract & { size: Ratio })[]]))
  for (const agreement of rows) {
    const state = stateFor(seat, agreement)
    if (state?.status !== 'ACTIVE') continue
    for (const { at, periods, period, before, after, currency, unit } of digests.get(agreement.id)?.moves ?? []) {
      const group = groups.get(at)
      if (group === undefined || !isSeenAt(seat, agreement.states, at)) continue
      const row = {
        slug: agreement.slug,
        name: state.name,
        period,
        morePeriods: periods - 1,
        before,
        after,
        currency,
        unit,
      }
      group.push({ ...row, size: sizeOf(before, after) })
    }
  }
  return [...groups].flatMap(([recordedAt, group]) => {
    if (group.length === 0) return []
    const largest = group.sort((a, b) => compare(b.size, a.size)).slice(0, limits.overviewMoved)
    return [{ recordedAt, moved: group.length, contracts: largest.map(({ size: _size, ...row }) => row) }]
  })
}

/** Absolute change of the percent; a missing one counts as 0. */
function sizeOf(before: MovedContract['before'], after: MovedContract['after']): Ratio {
  const [from, to] = [before?.adjustmentPct, after.adjustmentPct].map(pct => (pct == null ? zero : ratio(pct)))
  return absolute(subtract(to!, from!))
}

/** Next date of each agreement in force, the nearest first. */
async function dueRows(
  parts: ViewContext,
  seat: Seat,
  { rows, digests }: AgreementGlance,
  time: ListTime,
): Promise<Overview['due']> {
  // Agreements come by slug: of one date, the first slugs stay.
  const nearest = new FirstFew<{ readonly agreement: AgreementRecord; readonly date: string }>(
    limits.overviewListed,
    (a, b) => a.date < b.date,
  )
  for (const agreement of rows) {
    const date = isInForce(seat, agreement) ? (digests.get(agreement.id)?.nextDate ?? null) : null
    if (date !== null) nearest.add({ agreement, date })
  }
  const shown = await agreementListRows(
    parts,
    seat,
    nearest.first.map(({ agreement }) => agreement),
    time,
  )
  return shown.flatMap(({ slug, name, nextDate, last, price }) =>
    nextDate === null ? [] : [{ slug, name, date: nextDate, last, currency: price?.currency ?? null }],
  )
}

/** Counts by the month of the next date. */
function dueMonths(seat: Seat, { rows, digests }: AgreementGlance): Overview['dueMonths'] {
  const counts = new Map<string, number>()
  for (const agreement of rows) {
    const month = isInForce(seat, agreement) ? digests.get(agreement.id)?.nextDate?.slice(0, 7) : undefined
    if (month !== undefined) counts.set(month, (counts.get(month) ?? 0) + 1)
  }
  return [...counts]
    .map(([month, agreements]) => ({ month, agreements }))
    .sort((a, b) => (a.month < b.month ? -1 : 1))
    .slice(0, limits.overviewMonths)
}

function isInForce(seat: Seat, agreement: AgreementRecord): boolean {
  return stateFor(seat, agreement)?.status === 'ACTIVE'
}

type Trouble = Overview['troubles'][number]

/**
 * Agreements in force that cannot be computed up to now; an old gap that later periods have passed does not count. A value that
 * several agreements wait for is one problem, however many wait.
 */
function agreementTroubles(seat: Seat, { rows, digests }: AgreementGlance, index: CachedIndex): Trouble[] {
  const single = rows.flatMap(agreement => {
    const gap = isInForce(seat, agreement) ? (digests.get(agreement.id)?.gap ?? null) : null
    return gap === null ? [] : [{ agreement, gap, missing: missingFigure(index, gap) }]
  })
  const groups = Map.groupBy(single, ({ agreement, missing }) => missing?.key ?? agreement.id)
  return [...groups.values()].flatMap((group): Trouble[] => {
    const { missing } = group[0]!
    if (group.length < 2 || missing?.series === undefined)
      return group.map(({ agreement: { slug, states }, gap }) => ({
        kind: 'agreement',
        subject: states.at(-1)!.name,
        words: gap.sentence,
        target: slug,
      }))
    const words = `${missing.words.alone}: ${group.length} contracts wait for it`
    return [{ kind: 'missing', subject: missing.name, words, target: missing.series.id }]
  })
}

/** From this many series on, a shared problem counts as the provider's. */
const manySeries = 3

async function seriesTroubles(
  { installation }: ViewContext,
  { seat, index, readers }: OverviewLists,
): Promise<Trouble[]> {
  const { workspace } = seat
  const told = await withWorkspace(installation.sql, workspace.id, tx => loadTroubles(tx, workspace.id))
  const troubled = told.flatMap(({ id, trouble }) => {
    const series = findVisible(seat, index, readers, id)
    return series === undefined ? [] : [{ series, words: trouble }]
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

/** Series in quarantine. Everybody who sees a series sees that; operators decide. */
async function quarantineTroubles(
  { installation }: ViewContext,
  { seat, index, readers }: OverviewLists,
): Promise<Trouble[]> {
  const waiting = await listQuarantine(installation.sql, 'waiting')
  return waiting.flatMap(({ seriesId, reason }) => {
    const cached = findVisible(seat, index, readers, seriesId)
    if (cached === undefined) return []
    return [{ kind: 'quarantine' as const, subject: cached.metadata.at(-1)!.name, words: reason, target: seriesId }]
  })
}

/** Webhooks that were disabled automatically: their editors decide. */
async function webhookTroubles({ installation }: ViewContext, { role, workspace }: Seat): Promise<Trouble[]> {
  if (!writers.includes(role)) return []
  const webhooks = await withWorkspace(installation.sql, workspace.id, tx => loadWebhooks(tx, workspace.id))
  return webhooks
    .filter(({ disabledWhy }) => disabledWhy === 'GONE' || disabledWhy === 'FAILING')
    .map(({ id, url, disabledWhy }) => ({
      kind: 'webhook',
      subject: new URL(url).host,
      words: `webhook ${disabledWords[disabledWhy!]}`,
      target: id,
    }))
}

async function countKeys({ installation, now }: ViewContext, { workspace }: Seat): Promise<number> {
  const keys = await listApiKeys(installation.sql, workspace.id)
  return keys.filter(key => isLive(key, now())).length
}
