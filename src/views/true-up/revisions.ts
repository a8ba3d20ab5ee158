// Revisions: effects of publications on the agreements a person sees, since their last look: by the index value behind them, in
// periods and in money, with due corrections.
import { formatMinorUnits } from '../../core/numbers/money.ts'
import type { Ratio } from '../../core/numbers/ratio.ts'
import { Refusal } from '../../core/refusal.ts'
import { writers } from '../../core/roles.ts'
import { dayOfInstant, type Instant, parseCut, startOfDay } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import { type SideNames, sideNames } from '../../read/ledger-groups.ts'
import type { CachedIndex } from '../../read/lists/cached-index.ts'
import { compareEntries, type RadarEntry, type RadarSight } from '../../read/radar.ts'
import type { MovedEntry } from '../../read/true-up-lists.ts'
import { loadSeenUntil, setSeenUntil } from '../../storage/agreements/radar-looks.ts'
import { hasWords, readWords } from '../agreements/agreement-list.ts'
import { todayOf } from '../agreements/opened-agreement.ts'
import { partyOf } from '../agreements/signing-view.ts'
import type { RevisionsWanted } from '../calls/true-up-calls.ts'
import type { KindCounts, RevisionRow } from '../shapes/revision-rows.ts'
import type { RevisionCause, Revisions } from '../shapes/true-up.ts'
import type { Seat } from '../sight/seat.ts'
import type { ViewContext } from '../sight/view-parts.ts'
import { findVisible, radarSightOf, readersOf, stateFor } from '../sight/visibility.ts'
import { MoneySums, moneyParts } from './moved-amounts.ts'

export async function showRevisions(parts: ViewContext, seat: Seat, wanted: RevisionsWanted): Promise<Revisions> {
  const seenUntil = await loadSeenUntil(parts.installation.sql, seat.workspace.id, seat.person.id)
  const { since, until, index, entries, updating, heavy } = await readMoved(parts, seat, wanted, seenUntil)
  const names = sideNames(seat, index)
  const found = wanted.kind === undefined ? entries : entries.filter(({ row }) => row.kind === wanted.kind)
  const rows = wanted.cause === undefined ? found : found.filter(({ row }) => causeKey(row) === wanted.cause)
  const from = wanted.from ?? 0
  const next = from + limits.radar.page
  const causes = await causesOf(parts, seat, index, found, entry => names(entry.parties))
  return {
    since,
    until,
    seenUntil,
    updating,
    count: rows.length,
    kinds: countKinds(entries),
    rows: rows.slice(from, next).map(entry => presentRow(seat, index, entry)),
    agreements: countAgreements(rows),
    causes: causes.slice(0, limits.radar.causes),
    causeCount: causes.length,
    money: moneyOf(found, entry => names(entry.parties)),
    mayPropose: found.some(entry => isDue(entry) && mayPropose(seat, entry)),
    leftOut: nameAgreements(seat, index, heavy),
    next: next < rows.length ? next : null,
  }
}

/** Moved periods in agreements whose names have the requested words, the largest amounts first. */
interface Moved {
  readonly since: Instant
  readonly until: Instant
  readonly index: CachedIndex
  readonly entries: readonly MovedEntry[]
  readonly updating: number
  readonly heavy: ReadonlySet<string>
}

export async function readMoved(
  parts: ViewContext,
  seat: Seat,
  wanted: Pick<RevisionsWanted, 'since' | 'until' | 'q'>,
  seenUntil: Instant | null,
): Promise<Moved> {
  const { library } = parts
  const workspaceId = seat.workspace.id
  const now = parts.now()
  const end = readMoment('until', wanted.until, now)
  const { newest } = await library.moments.of(workspaceId)
  const until = end === null || end === now ? newest : end
  const today = todayOf(parts)
  // A bound shared by everybody for the whole day, so that it is computed once.
  const back = startOfDay(today - limits.radar.days)
  const since = readMoment('since', wanted.since, now) ?? earlier(seenUntil, until) ?? back
  if (end !== null && since > end) throw new Refusal('invalid', 'since must not lie after until')
  const index = await library.index(workspaceId)
  const sight = radarSightOf(seat, index)
  const words = readWords(wanted.q ?? '')
  const isWanted = ({ agreementId }: RadarEntry) => {
    const agreement = index.findAgreement(agreementId)
    return agreement !== undefined && hasWords(seat, agreement, words)
  }
  const shared = { since, until, index }
  // Nothing was published since then.
  if (since >= until) return { ...shared, entries: [], updating: 0, heavy: new Set() }
  if (until < newest) {
    const time = { since, until, day: Math.min(today, dayOfInstant(until)) }
    const entries = (await readPast(parts, workspaceId, time, sight)).filter(isWanted)
    return { ...shared, entries, updating: 0, heavy: new Set() }
  }
  const { answers, updating, heavy } = await library.trueUpLists.moves(workspaceId, { since, until, day: today }, sight)
  const entries = [...answers.values()].flat().filter(isWanted).sort(compareEntries)
  return { ...shared, entries, updating, heavy }
}

/** Moves as they were at a past moment. */
async function readPast(
  { library }: ViewContext,
  workspaceId: string,
  time: { readonly since: Instant; readonly until: Instant; readonly day: number },
  sight: RadarSight | null,
): Promise<readonly MovedEntry[]> {
  const entries = await library.radar.read(workspaceId, { ...time, agreementId: null }, sight)
  return Promise.all(
    entries.map(entry =>
      library.trueUpLists.withCorrection(workspaceId, entry, time, sight?.parts.get(entry.agreementId) ?? null),
    ),
  )
}

export function isDue(entry: MovedEntry): boolean {
  return moneyParts(entry, entry.correction).some(({ state }) => state === 'DUE')
}

/** Whether somebody is a party to it, or manages the workspace. */
export function mayPropose(seat: Seat, { parties }: Pick<MovedEntry, 'parties'>): boolean {
  return writers.includes(seat.role) || partyOf(seat, { parties }) !== null
}

/** Key of the figure behind a row. */
export function causeKey({ cause }: Pick<RadarEntry['row'], 'cause'>): string {
  if (cause === null) return 'none'
  const { series, period, before, after, tag } = cause
  return JSON.stringify([series, period, before, after, tag])
}

async function causesOf(
  { library }: ViewContext,
  seat: Seat,
  index: CachedIndex,
  entries: readonly MovedEntry[],
  sidesOf: (entry: MovedEntry) => SideNames,
): Promise<readonly RevisionCause[]> {
  const readers = await readersOf(seat, library, index)
  const groups = [...Map.groupBy(entries, ({ row }) => causeKey(row))].map(([key, own]): RevisionCause => {
    const { cause } = own[0]!.row
    const series = cause === null ? undefined : index.findByReference(cause.series)
    const isSeen = series !== undefined && findVisible(seat, index, readers, series.id) !== undefined
    return {
      key,
      figure:
        cause === null
          ? null
          : {
              ...cause,
              seriesId: isSeen ? series.id : null,
              name: (isSeen ? series.metadata.at(-1)?.name : null) || cause.series,
            },
      at: own.reduce((latest, { row }) => (row.at > latest ? row.at : latest), ''),
      agreements: countAgreements(own),
      kinds: countKinds(own),
      money: moneyOf(own, sidesOf),
    }
  })
  const hasDue = ({ money }: RevisionCause) => money.some(({ state }) => state === 'DUE')
  return groups.sort(
    (a, b) =>
      Number(hasDue(b)) - Number(hasDue(a)) || b.agreements - a.agreements || (a.at < b.at ? 1 : a.at > b.at ? -1 : 0),
  )
}

function moneyOf(entries: readonly MovedEntry[], sidesOf: (entry: MovedEntry) => SideNames): Revisions['money'] {
  const sums = new MoneySums()
  for (const entry of entries) {
    const { agreementId, row, correction } = entry
    for (const part of moneyParts(entry, correction))
      sums.add({ ...part, agreementId, sides: sidesOf(entry), currency: row.currency })
  }
  return sums.moved
}

function presentRow(
  seat: Seat,
  index: CachedIndex,
  { agreementId, row, unit, correction, agreed, left }: MovedEntry,
): RevisionRow {
  const name = stateFor(seat, index.findAgreement(agreementId)!)?.name ?? row.agreement
  const money = (amount: Ratio | null) =>
    amount === null || row.currency === null ? null : formatMinorUnits(amount, row.currency)
  return {
    ...row,
    name,
    unit,
    correction,
    agreed: agreed.map(({ id, amount }) => ({ id, amount: money(amount) })),
    left: left === null ? null : { amount: money(left.amount) },
  }
}

export function nameAgreements(
  seat: Seat,
  index: CachedIndex,
  ids: Iterable<string>,
): readonly { readonly slug: string; readonly name: string }[] {
  return [...ids].flatMap(id => {
    const agreement = index.findAgreement(id)
    return agreement === undefined
      ? []
      : [{ slug: agreement.slug, name: stateFor(seat, agreement)?.name ?? agreement.slug }]
  })
}

function countAgreements(entries: readonly RadarEntry[]): number {
  return new Set(entries.map(({ agreementId }) => agreementId)).size
}

/** Number of periods of each kind. */
export function countKinds(entries: readonly RadarEntry[]): KindCounts {
  const byKind = Map.groupBy(entries, ({ row }) => row.kind)
  return Object.fromEntries([...byKind].map(([kind, own]) => [kind, own.length]))
}

/** The earlier instant: after everything was just marked as seen, there is nothing new. */
function earlier(seenUntil: Instant | null, until: Instant): Instant | null {
  return seenUntil === null ? null : seenUntil < until ? seenUntil : until
}

/** A day that is not over counts up to now. */
function readMoment(name: string, text: string | undefined, now: Instant): Instant | null {
  if (text === undefined) return null
  const instant = parseCut(text)
  if (instant === null) throw new Refusal('invalid', `${name} must be a day or an instant, got "${text}"`)
  return instant > now ? now : instant
}

export async function markSeen(parts: ViewContext, seat: Seat, until: string | null): Promise<void> {
  const instant = until === null ? null : parseCut(until)
  if (until !== null && (instant === null || instant > parts.now()))
    throw new Refusal('invalid', 'until must be an instant that is past')
  await setSeenUntil(parts.installation.sql, seat.workspace.id, seat.person.id, instant)
}
