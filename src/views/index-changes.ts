// Changes of indices for a person: facts and suspicions about the indices of their agreements, with the number of agreements and
// the money behind each; proposals; agreed splices of one series; and candidates for its place.

import { findCandidates } from '../core/index-changes/candidates.ts'
import type { SpliceBody } from '../core/index-changes/splice-schema.ts'
import { compareCandidate } from '../core/index-changes/splice-window.ts'
import { formatMinorUnits } from '../core/numbers/money.ts'
import { add, type Ratio, ratio, zero } from '../core/numbers/ratio.ts'
import { Refusal } from '../core/refusal.ts'
import { writers } from '../core/roles.ts'
import { noCuts } from '../core/series/vintage.ts'
import { limits } from '../limits.ts'
import { wellKnownSeries } from '../providers/catalogue/well-known.ts'
import { stateOfChange } from '../read/agreements/terms-state.ts'
import { candidatesFor, historyOf } from '../read/index-suspects.ts'
import type { CachedIndex } from '../read/lists/cached-index.ts'
import type { AgreementRecord } from '../storage/agreements/agreements.ts'
import type { VisibleSeries } from '../storage/series/visible-series.ts'
import { changeRow } from './agreements/inbox/inbox.ts'
import { type AgreementGlance, readAgreementGlance } from './agreements/opened-agreement.ts'
import { partyOf } from './agreements/signing-view.ts'
import { waitingAgreements } from './agreements/waiting-counts.ts'
import { nameIndex, readIndexFacts, type WaitingAnswers } from './index-facts.ts'
import { isWholeOf } from './portfolio.ts'
import type {
  FirstEffect,
  IndexChanges,
  JoinView,
  OpenChangeRow,
  SeriesIndexChanges,
  Successors,
  TouchedIndex,
} from './shapes/index-changes.ts'
import type { Seat } from './sight/seat.ts'
import { companyNames } from './sight/sides.ts'
import type { ViewContext } from './sight/view-parts.ts'
import { findVisible, partsSeen, readersOf, stateFor, visibleSeries } from './sight/visibility.ts'

export async function showIndexChanges(parts: ViewContext, seat: Seat, waiting: WaitingAnswers): Promise<IndexChanges> {
  const { library } = parts
  const index = await library.index(seat.workspace.id)
  const glance = await readAgreementGlance(parts, seat, index)
  const readers = await currentReaders(parts, seat, index)
  const among = visibleSeries(seat, index, await readersOf(seat, library, index))
  const series = among.filter(({ id }) => readers.has(id))
  const facts = await readIndexFacts(parts, seat, { index, series, among, waiting })
  const indices: TouchedIndex[] = []
  for (const each of series) {
    const own = facts.get(each.id)
    if (own === undefined) continue
    const rows = readers.get(each.id)!
    const standing = await standingOf(parts, seat, glance, each, rows)
    indices.push({ series: named(each), facts: own, agreements: rows.length, ...standing })
  }
  const { mine, others } = await openChanges(parts, seat, glance)
  const names = new Set([...mine, ...others].flatMap(row => row.series))
  return {
    indices: indices.sort((a, b) => b.agreements - a.agreements || (a.series.name < b.series.name ? -1 : 1)),
    mine,
    others,
    names: [...names].map(each => nameIndex(index, each)),
    agreements: glance.rows.length,
    mayOffer: writers.includes(seat.role),
    pending: glance.pending,
  }
}

function named({ id, provider, code, metadata }: VisibleSeries) {
  return { id, reference: `${provider}/${code}`, name: metadata.at(-1)!.name }
}

/** Agreements in force by the id of a series that their newest formula version reads. */
async function currentReaders(
  { library }: ViewContext,
  seat: Seat,
  index: CachedIndex,
): Promise<ReadonlyMap<string, readonly AgreementRecord[]>> {
  const { references } = await library.readers(seat.workspace.id, index)
  const found = new Map<string, readonly AgreementRecord[]>()
  for (const [id, rows] of await readersOf(seat, library, index)) {
    const own = rows.filter(row => {
      if (stateFor(seat, row)?.status !== 'ACTIVE') return false
      const newest = references.get(row.id)?.at(-1)?.references ?? []
      return newest.some(each => index.findByReference(each)?.id === id)
    })
    if (own.length > 0) found.set(id, own)
  }
  return found
}

/** Progress of the agreements that read a series in replacing it, and its money effect this year. */
async function standingOf(
  { library }: ViewContext,
  seat: Seat,
  { digests, index }: AgreementGlance,
  series: VisibleSeries,
  rows: readonly AgreementRecord[],
): Promise<Pick<TouchedIndex, 'changed' | 'proposed' | 'money'>> {
  const isOf = (reference: string | undefined) =>
    reference !== undefined && index.findByReference(reference)?.id === series.id
  const { rows: agreed } = await library.termsChanges.list(seat.workspace.id, {
    before: null,
    agreementIds: rows.map(({ id }) => id),
    series: `${series.provider}/${series.code}`,
    limit: limits.batches.entries,
    isWanted: ({ kept, change }) => isOf(change.series[0]) && stateOfChange(kept, change) === 'AGREED',
    partOf: partsSeen(seat, index, 'all'),
  })
  const money = new Map<string, Ratio>()
  for (const row of rows) {
    const moved = digests.get(row.id)?.money
    if (moved?.currency == null || !isWholeOf(seat, row)) continue
    for (const share of moved.year.byIndex)
      if (share.amount !== null && isOf(share.series))
        money.set(moved.currency, add(money.get(moved.currency) ?? zero, ratio(share.amount)))
  }
  return {
    changed: new Set(agreed.map(({ kept }) => kept.slug)).size,
    proposed: rows.filter(({ id }) => isOf(digests.get(id)?.termsChange?.series[0])).length,
    money: [...money].map(([currency, amount]) => ({ currency, amount: formatMinorUnits(amount, currency) })),
  }
}

/** Changes that a side still has to sign, the oldest first. */
async function openChanges(parts: ViewContext, seat: Seat, glance: AgreementGlance) {
  const nameOf = companyNames(glance.index)
  const waiting = [...waitingAgreements(seat, glance)]
  const rowsOf = (side: 'mine' | 'others') =>
    waiting.flatMap(each => each.changes[side].map(change => changeRow(each, change, side, nameOf)))
  const [mine, others] = [rowsOf('mine'), rowsOf('others')]
  const shown = [...mine, ...others].slice(0, limits.batches.entries)
  const bodies = await parts.library.termsChanges.bodies(
    seat.workspace.id,
    shown.map(({ id }) => id),
  )
  const withEffects = (rows: typeof mine): readonly OpenChangeRow[] =>
    rows
      .map(row => {
        const body = bodies.get(row.id)?.body
        const told = body === undefined ? nothingTold : toldIn(JSON.parse(body) as TermsBody)
        return { ...row, ...told }
      })
      .sort((a, b) => (a.proposedAt < b.proposedAt ? -1 : 1))
  return { mine: withEffects(mine), others: withEffects(others) }
}

interface PricedDate {
  readonly period: string
  readonly old?: { readonly price: string | null }
  readonly new?: { readonly price: string | null }
  readonly before?: { readonly price: string | null } | null
  readonly after?: { readonly price: string | null } | null
}

/** Parts of a body for a list, read before the body was stored. */
interface TermsBody {
  readonly coefficient?: { readonly written: string } | null
  readonly effect: { readonly next: readonly PricedDate[] } | readonly PricedDate[]
}

const nothingTold = { effect: null, coefficient: null }

function toldIn({ effect, coefficient }: TermsBody): Pick<OpenChangeRow, 'effect' | 'coefficient'> {
  const dates = 'next' in effect ? effect.next : effect
  const first = dates.map(effectOf).find(({ before, after }) => before !== null || after !== null)
  return { effect: first ?? null, coefficient: coefficient?.written ?? null }
}

function effectOf({ period, old, new: now, before, after }: PricedDate): FirstEffect {
  return { period, before: (old ?? before)?.price ?? null, after: (now ?? after)?.price ?? null }
}

async function openSeries({ library }: ViewContext, seat: Seat, id: string) {
  const index = await library.index(seat.workspace.id)
  const readers = await readersOf(seat, library, index)
  const series = findVisible(seat, index, readers, id)
  if (series === undefined) throw new Refusal('not-found', 'there is no such series in this workspace')
  return { index, readers, series, among: visibleSeries(seat, index, readers) }
}

export async function showSeriesIndexChanges(
  parts: ViewContext,
  seat: Seat,
  id: string,
  waiting: WaitingAnswers,
): Promise<SeriesIndexChanges> {
  const { index, series, among } = await openSeries(parts, seat, id)
  const facts = await readIndexFacts(parts, seat, { index, series: [series], among, waiting })
  const { rows, next } = await parts.library.termsChanges.list(seat.workspace.id, {
    before: null,
    agreementIds: null,
    series: `${series.provider}/${series.code}`,
    limit: limits.seriesReaders,
    isWanted: ({ kept, change }) => stateOfChange(kept, change) === 'AGREED',
    partOf: partsSeen(seat, index, 'all'),
  })
  const bodies = await parts.library.termsChanges.bodies(
    seat.workspace.id,
    rows.map(({ change }) => change.id),
  )
  const joins = rows.flatMap(({ kept, change }): JoinView[] => {
    const body = bodies.get(change.id)
    if (body === undefined) return []
    const { join, coefficient, old, new: successor } = JSON.parse(body.body) as SpliceBody
    return [
      {
        id: change.id,
        slug: kept.slug,
        name: (stateFor(seat, kept) ?? kept.states.at(-1)!).name,
        old: nameIndex(index, old.series),
        new: nameIndex(index, successor.series),
        join,
        coefficient: coefficient?.written ?? null,
        version: kept.versions.find(({ proposal }) => proposal === change.id)?.version ?? null,
      },
    ]
  })
  return { facts: facts.get(id) ?? [], joins, hasMoreJoins: next !== null }
}

export async function showSuccessors(
  parts: ViewContext,
  seat: Seat,
  id: string,
  waiting: WaitingAnswers,
): Promise<Successors> {
  const { library } = parts
  const { index, series, among } = await openSeries(parts, seat, id)
  const facts = await readIndexFacts(parts, seat, { index, series: [series], among, waiting })
  const old = await historyOf(library, seat.workspace.id, series)
  const candidates = await candidatesFor(library, seat.workspace.id, among, series)
  const followed = new Set(index.series.map(({ provider, code }) => `${provider}/${code}`))
  const known = wellKnownSeries.map(each => ({ reference: `${each.provider}/${each.code}`, name: each.name }))
  const mayOffer = writers.includes(seat.role)
  const rows = (await currentReaders(parts, seat, index)).get(id) ?? []
  return {
    series: named(series),
    facts: facts.get(id) ?? [],
    agreements: rows
      .filter(row => mayOffer || partyOf(seat, stateFor(seat, row)!) !== null)
      .map(row => ({ slug: row.slug, name: stateFor(seat, row)!.name }))
      .sort((a, b) => (a.name === b.name ? (a.slug < b.slug ? -1 : 1) : a.name < b.name ? -1 : 1)),
    mayOffer,
    candidates: candidates.map(each => compareCandidate(old, each, noCuts)),
    notFollowed: findCandidates(old, known)
      .filter(({ series: other }) => !followed.has(other.reference))
      .map(({ series: other, why }) => ({ series: other.reference, name: other.name, why })),
  }
}

/** Series visible to this person that might take the place of one, as formulas name them; none for a series that is not theirs. */
export async function namedCandidates(
  { library }: ViewContext,
  seat: Seat,
  reference: string,
): Promise<readonly { readonly series: string; readonly why: string }[]> {
  const index = await library.index(seat.workspace.id)
  const pool = visibleSeries(seat, index, await readersOf(seat, library, index)).map(named)
  const old = index.findByReference(reference)
  if (old === undefined) return []
  return findCandidates(named(old), pool).map(({ series, why }) => ({ series: series.reference, why }))
}
