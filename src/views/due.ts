// Due dates for a person: adjustment dates ahead and open ones, the figures each waits for, the releases that bring them, and late
// figures. From digests and outlooks of series; no agreement is opened.
import { alarmWords } from '../core/calendar/alarm.ts'
import type { FigureName } from '../core/calendar/awaited-figures.ts'
import {
  type DueState,
  dayOfExpected,
  dueStates,
  type EndedFigure,
  figuresTold,
  isCancelled,
  isLate,
  type WaitsFor,
} from '../core/calendar/due.ts'
import { type Day, formatDay } from '../core/time/day.ts'
import { dayOfInstant, type Instant } from '../core/time/instant.ts'
import { limits } from '../limits.ts'
import { byDueDate, DueBook, type DueEntry } from '../read/due.ts'
import type { FigureOutlook } from '../read/series/outlooks.ts'
import type { AgreementRecord } from '../storage/agreements/agreements.ts'
import { withWorkspace } from '../storage/postgres/database.ts'
import { loadOpenAlarms, type StoredAlarm } from '../storage/series/alarms.ts'
import type { VisibleSeries } from '../storage/series/visible-series.ts'
import { agreementsNarrowed } from './agreements/inbox/inbox.ts'
import { type AgreementGlance, readAgreementGlance } from './agreements/opened-agreement.ts'
import type { DueRequest, DueRowsRequest } from './calls/due-calls.ts'
import type {
  AlarmView,
  DueCalendar,
  DueCounts,
  DueFigure,
  DuePage,
  DueRelease,
  DueRow,
  DueRows,
  DueSeries,
} from './shapes/due.ts'
import { isSeenAt } from './sight/cut.ts'
import type { Seat } from './sight/seat.ts'
import { companyNames, sideView, supplierChoices } from './sight/sides.ts'
import type { ViewContext } from './sight/view-parts.ts'
import { stateFor } from './sight/visibility.ts'

export async function showDue(parts: ViewContext, seat: Seat, query: DueRequest): Promise<DuePage> {
  const now = parts.now()
  const until = dayOfInstant(now) + (query.days ?? limits.due.days)
  const { all, glance } = await glanceNarrowed(parts, seat, query)
  const seen = await openDue(parts, seat, glance)
  const entries = ofSeries(seen, await seen.entries(now, until), query.series)
  const wanted = inState(entries, query.state)
  const releases = releasesOf(seen, await seen.entries(now, dayOfInstant(now) + limits.due.mostDays), now, until)
  return {
    today: formatDay(dayOfInstant(now)),
    until: formatDay(until),
    counts: countStates(entries),
    rows: rowsOf(seen, wanted, 0),
    count: wanted.length,
    releases: releases.slice(0, limits.due.releases),
    moreReleases: Math.max(0, releases.length - limits.due.releases),
    alarms: await listAlarms(parts, seen, now),
    suppliers: await supplierChoices(seat, all, glance.index),
    pending: glance.pending,
    leftOut: seen.leftOut,
  }
}

/** Further rows of the list. */
export async function listDueRows(parts: ViewContext, seat: Seat, query: DueRowsRequest): Promise<DueRows> {
  const now = parts.now()
  const { glance } = await glanceNarrowed(parts, seat, query)
  const seen = await openDue(parts, seat, glance)
  const entries = await seen.entries(now, dayOfInstant(now) + (query.days ?? limits.due.days))
  const wanted = inState(ofSeries(seen, entries, query.series), query.state)
  return { rows: rowsOf(seen, wanted, query.from), count: wanted.length }
}

async function glanceNarrowed(parts: ViewContext, seat: Seat, query: DueRequest) {
  const { series: _series, state: _state, ...narrowing } = query
  const { all, rows } = await agreementsNarrowed(parts, seat, narrowing)
  const index = await parts.library.index(seat.workspace.id)
  const glance = await readAgreementGlance(parts, seat, index)
  return { all, glance: { ...glance, rows } }
}

/** Due dates as one person sees them. */
export interface SeenDue {
  readonly seat: Seat
  readonly glance: AgreementGlance
  readonly book: DueBook
  readonly leftOut: number
  /** Dates of the agreements in force for them, the nearest first. */
  entries(now: Instant, until: Day): Promise<readonly DueEntry[]>
}

export async function openDue({ library }: ViewContext, seat: Seat, glance: AgreementGlance): Promise<SeenDue> {
  const { index, digests } = glance
  const book = await DueBook.open(library, { workspaceId: seat.workspace.id, index, digests })
  const active = glance.rows.filter(row => stateFor(seat, row)?.status === 'ACTIVE')
  return {
    seat,
    glance,
    book,
    leftOut: book.leftOut(active),
    async entries(now, until) {
      const entries = await book.entries(active, now, until)
      return entries.filter(each => isSeen(seat, each)).toSorted(byDueDate)
    },
  }
}

/** Whether a date is theirs: one signed with another supplier is not. */
function isSeen(seat: Seat, { agreement, due: { agreedAt } }: DueEntry): boolean {
  return agreedAt === null || isSeenAt(seat, agreement.states, agreedAt)
}

function ofSeries({ book }: SeenDue, entries: readonly DueEntry[], seriesId: string | undefined): readonly DueEntry[] {
  if (seriesId === undefined) return entries
  return entries.filter(({ due }) =>
    figuresTold(due, book.outlookOf).some(({ series }) => book.seriesOf(series)?.id === seriesId),
  )
}

/** Entries by state, the most pressing first, and by date within each. */
function inState(entries: readonly DueEntry[], state: DueState | undefined): readonly DueEntry[] {
  if (state !== undefined) return entries.filter(({ now }) => now.state === state)
  const byState = Map.groupBy(entries, ({ now }) => now.state)
  return dueStates.flatMap(each => byState.get(each) ?? [])
}

function countStates(entries: readonly DueEntry[]): DueCounts {
  const counts = Object.fromEntries(dueStates.map(state => [state, 0])) as Record<DueState, number>
  for (const { now } of entries) counts[now.state]++
  return counts
}

function rowsOf(seen: SeenDue, entries: readonly DueEntry[], from: number): readonly DueRow[] {
  const nameOf = companyNames(seen.glance.index)
  return entries.slice(from, from + limits.due.page).map(({ agreement, due, now }) => {
    const state = stateFor(seen.seat, agreement)!
    return {
      slug: agreement.slug,
      name: state.name,
      supplier: sideView(state.parties.supplier, nameOf),
      period: due.period,
      date: formatDay(due.date),
      state: now.state,
      waitsFor: now.waitsFor === null ? null : figureView(seen.book, now.waitsFor),
      readyOn: now.readyOn,
      isProvisional: now.isProvisional,
      newer: now.newer === null ? null : figureView(seen.book, now.newer),
      cancelled: now.cancelled.map(({ series, period, rule, instead }) => {
        return { series: seriesView(seen.book, series), period, rule, instead }
      }),
      ended: endedView(seen.book, now.ended),
      gap: now.gap,
    }
  })
}

function endedView(book: DueBook, ended: readonly EndedFigure[]): DueRow['ended'] {
  const bySeries = new Map(ended.map(({ series, end }) => [series, end]))
  return [...bySeries].map(([series, end]) => ({ ...seriesView(book, series), sentence: end?.sentence ?? null }))
}

function figureView(book: DueBook, { series, period, stage, expectedAt, basis }: WaitsFor): DueFigure {
  return { series: seriesView(book, series), period, stage, expectedAt, basis }
}

function seriesView(book: DueBook, reference: string): DueSeries {
  const series = book.seriesOf(reference)
  if (series === null) return { id: null, name: reference, reference }
  return { id: series.id, name: series.metadata.at(-1)!.name, reference: `${series.provider}/${series.code}` }
}

/** Figures of one release and period that come together, with the agreements that wait for any of them. */
interface GatheredRelease {
  readonly outlook: FigureOutlook
  readonly figure: FigureName
  readonly series: Map<string, DueSeries>
  readonly agreements: Map<AgreementRecord, string>
}

/** Late releases first, then by date; a cancelled one stands on the day it was announced for. */
function releasesOf(seen: SeenDue, entries: readonly DueEntry[], now: Instant, until: Day): readonly DueRelease[] {
  const gathered = new Map<string, GatheredRelease>()
  for (const { agreement, due } of entries)
    for (const figure of figuresTold(due, seen.book.outlookOf)) {
      const outlook = seen.book.outlookOf(figure)
      const at = dateOf(outlook)
      if (at === null || dayOfExpected(at) > until) continue
      const key = `${outlook.release?.releaseId ?? figure.series} ${figure.period} ${figure.stage ?? ''}`.trimEnd()
      const empty = { outlook, figure, series: new Map<string, DueSeries>(), agreements: new Map() }
      const release = gathered.getOrInsertComputed(key, (): GatheredRelease => empty)
      if (!release.series.has(figure.series)) release.series.set(figure.series, seriesView(seen.book, figure.series))
      if (!release.agreements.has(agreement)) release.agreements.set(agreement, formatDay(due.date))
    }
  const releases = [...gathered].map(([key, release]) => releaseView(seen, key, release, now))
  return releases.sort((a, b) => Number(b.isLate) - Number(a.isLate) || (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

function dateOf({ expected, release }: FigureOutlook): string | null {
  return expected?.expectedAt ?? release?.at ?? null
}

function releaseView(
  { seat, book }: SeenDue,
  key: string,
  { outlook, figure, series, agreements }: GatheredRelease,
  now: Instant,
): DueRelease {
  const [first] = series.values()
  const waiting = [...agreements].sort(([, a], [, b]) => (a < b ? -1 : a > b ? 1 : 0))
  return {
    key,
    title: outlook.release?.title ?? first!.name,
    provider: book.seriesOf(figure.series)?.provider ?? '',
    period: figure.period,
    at: dateOf(outlook)!,
    latestAt: outlook.expected?.latestAt ?? dateOf(outlook)!,
    basis: outlook.expected?.basis ?? null,
    status: outlook.status,
    isLate: isLate(outlook, now) && !isCancelled(outlook),
    series: [...series.values()],
    agreements: waiting
      .slice(0, limits.due.readers)
      .map(([agreement, date]) => ({ slug: agreement.slug, name: stateFor(seat, agreement)!.name, date })),
    moreAgreements: Math.max(0, waiting.length - limits.due.readers),
  }
}

const weekDays = 7

/** First line of the home page. `entries` reach a year ahead. */
export async function readDueCalendar(
  parts: ViewContext,
  seen: SeenDue,
  entries: readonly DueEntry[],
): Promise<DueCalendar> {
  const now = parts.now()
  const today = dayOfInstant(now)
  const last = today + weekDays - 1
  const alarms = await listAlarms(parts, seen, now)
  const week = entries.filter(({ due }) => !due.isSigned && due.date >= today && due.date <= last)
  const heldUp = new Set(entries.filter(({ now: { state } }) => isHeldUp(state)).map(({ agreement }) => agreement))
  return {
    alarms: alarms.slice(0, limits.overviewListed),
    alarmCount: alarms.length,
    heldUp: heldUp.size,
    week: week.length,
    weekInTime: week.filter(({ now: { state } }) => state === 'READY' || state === 'SCHEDULED').length,
    releases: releasesOf(seen, entries, now, last).filter(({ at, isLate }) => !isLate && dayOfExpected(at) >= today)
      .length,
  }
}

/** Whether a figure should have come, or will not. */
export function isHeldUp(state: DueState): boolean {
  return state === 'LATE' || state === 'BLOCKED'
}

/** Open alarms about figures that this person's agreements wait for, the newest first. */
async function listAlarms(parts: ViewContext, seen: SeenDue, now: Instant): Promise<readonly AlarmView[]> {
  const { workspace } = seen.seat
  const open = await withWorkspace(parts.installation.sql, workspace.id, tx => loadOpenAlarms(tx, workspace.id))
  if (open.length === 0) return []
  const waiting = await agreementsByFigure(seen, now)
  return open.flatMap(({ seriesId, period, cause, expectedAt, raisedAt }): AlarmView[] => {
    const agreements = waiting.get(`${seriesId} ${period}`)
    const series = seen.glance.index.find(seriesId)
    if (agreements === undefined || series === undefined) return []
    const { id, provider, code, metadata } = series
    const view = { id, name: metadata.at(-1)!.name, reference: `${provider}/${code}` }
    const words = wordsOfAlarm(seen, series, { period, cause })
    return [{ series: view, period, cause, words, expectedAt, raisedAt, agreements: agreements.size }]
  })
}

/** Words for pages and mail alike. */
export function wordsOfAlarm(
  { book }: Pick<SeenDue, 'book'>,
  { provider, code }: Pick<VisibleSeries, 'provider' | 'code'>,
  { period, cause }: Pick<StoredAlarm, 'period' | 'cause'>,
): string {
  const { end } = book.outlookOf({ series: `${provider}/${code}`, period, stage: null })
  return alarmWords(cause, provider, end)
}

/** Alarms of this person's agreements in words, by series id. */
export async function alarmsBySeries(parts: ViewContext, seat: Seat): Promise<ReadonlyMap<string, string>> {
  const index = await parts.library.index(seat.workspace.id)
  const seen = await openDue(parts, seat, await readAgreementGlance(parts, seat, index))
  const alarms = Map.groupBy(await listAlarms(parts, seen, parts.now()), ({ series }) => series.id!)
  const wordsOf = (own: readonly AlarmView[]) => own.map(({ period, words }) => `${period} ${words}`).join('; ')
  return new Map([...alarms].map(([id, own]) => [id, wordsOf(own)]))
}

/** Agreements of this person by the series and period they wait for, the nearest date first. */
export async function agreementsByFigure(
  { book, entries }: SeenDue,
  now: Instant,
): Promise<ReadonlyMap<string, ReadonlySet<AgreementRecord>>> {
  const waiting = new Map<string, Set<AgreementRecord>>()
  for (const { agreement, due } of await entries(now, dayOfInstant(now) + limits.due.mostDays))
    for (const { series, period } of figuresTold(due, book.outlookOf)) {
      const id = book.seriesOf(series)?.id
      if (id !== undefined) waiting.getOrInsertComputed(`${id} ${period}`, () => new Set()).add(agreement)
    }
  return waiting
}
