// Filters and sort orders of agreement lists, by what the lists already know: no agreement is opened.

import { compare, parseRatio, type Ratio } from '../../core/numbers/ratio.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Day } from '../../core/time/day.ts'
import { limits } from '../../limits.ts'
import { unpackPeriod } from '../../read/agreements/open-periods.ts'
import type { TrueUp } from '../../read/agreements/true-up.ts'
import type { CachedIndex } from '../../read/lists/cached-index.ts'
import type { AgreementDigest } from '../../read/lists/digests.ts'
import { Slices } from '../../read/memory/slices.ts'
import type { AgreementRecord } from '../../storage/agreements/agreements.ts'
import type { AgreementSort, AgreementState } from '../shapes/agreement-filters.ts'
import type { SeriesChoice } from '../shapes/agreements.ts'
import type { Seat } from '../sight/seat.ts'
import { companyNames } from '../sight/sides.ts'
import type { ViewContext } from '../sight/view-parts.ts'
import { isOfTheirTime, readersOf, sightOf, stateFor } from '../sight/visibility.ts'
import type { AgreementGlance } from './opened-agreement.ts'
import { waitingOf, waitsForViewer } from './waiting-counts.ts'

type DigestsById = ReadonlyMap<string, AgreementDigest>

/** Whether an agreement has that state. */
export function hasState(
  seat: Seat,
  row: AgreementRecord,
  known: Pick<AgreementGlance, 'digests' | 'corrections' | 'related'>,
  wanted: AgreementState,
): boolean {
  const digest = known.digests.get(row.id)
  if (wanted === 'BLOCKED') return digest?.gap != null
  // Candidates only: a due correction shows when it is computed again.
  if (wanted === 'CORRECTION_DUE') return digest?.row?.mayBeCorrected === true
  const waiting = waitingOf(seat, known, row)
  if (wanted === 'DISPUTED') return waiting !== null && waiting.periods.disputed.length > 0
  if (wanted === 'CORRECTION_OPEN') return known.corrections.has(row.id)
  if (wanted === 'WAITS') return waiting !== null
  if (wanted === 'DONE') return digest !== undefined && waiting === null && digest.gap === null
  return waiting !== null && waitsForViewer(waiting)
}

export function isDue(row: AgreementRecord, digests: DigestsById, month: string): boolean {
  return digests.get(row.id)?.nextDate?.startsWith(month) === true
}

/** Ids of the agreements that read a series and that this person sees. */
export async function readersOfSeries(
  { library }: ViewContext,
  seat: Seat,
  seriesId: string,
): Promise<ReadonlySet<string>> {
  const readers = await readersOf(seat, library, await library.index(seat.workspace.id))
  return new Set(readers.get(seriesId)?.map(({ id }) => id))
}

/** Series that most agreements read. Separate from the lists, which need only pieces of theirs: this needs all agreements. */
export async function listSeriesRead({ library }: ViewContext, seat: Seat): Promise<readonly SeriesChoice[]> {
  const index = await library.index(seat.workspace.id)
  const readers = await readersOf(seat, library, index)
  const choices: SeriesChoice[] = []
  const slices = new Slices()
  for (const [id, reading] of readers) {
    const series = index.find(id)
    if (series !== undefined) choices.push({ id, name: series.metadata.at(-1)!.name, agreements: reading.length })
    await slices.rest()
  }
  return choices
    .sort((a, b) => b.agreements - a.agreements || a.name.localeCompare(b.name, 'en'))
    .slice(0, limits.seriesChoices)
}

/** Agreements whose contract corrects a signed period now: computed again, of the part that this person sees. */
export async function withCorrectionDue(
  { library }: ViewContext,
  seat: Seat,
  rows: readonly AgreementRecord[],
  today: Day,
): Promise<readonly AgreementRecord[]> {
  const { trueUps } = library
  await trueUps.prepare(
    seat.workspace.id,
    rows.map(({ id }) => id),
  )
  const found: AgreementRecord[] = []
  const slices = new Slices()
  for (const row of rows) {
    const tenure = sightOf(seat, row)?.tenure ?? null
    const trueUp = await trueUps.of(seat.workspace.id, row.id, { knownAt: null, until: today }, tenure)
    if (trueUp !== null && hasDue(trueUp)) found.push(row)
    await slices.rest()
  }
  return found
}

/** A correction that cannot be computed is not due. */
function hasDue(trueUp: TrueUp): boolean {
  try {
    return trueUp.assessment.draft !== null
  } catch (error) {
    if (error instanceof Refusal && error.kind !== 'unavailable') return false
    throw error
  }
}

/** Agreements in the requested order; ties stay in the order of slugs. */
export function inOrder(
  seat: Seat,
  rows: readonly AgreementRecord[],
  digests: DigestsById,
  index: CachedIndex,
  sort: AgreementSort,
): readonly AgreementRecord[] {
  const [column, way] = sort.startsWith('-') ? [sort.slice(1), -1] : [sort, 1]
  const nameOf = companyNames(index)
  const keys = new Map(rows.map(row => [row.id, sortKey(seat, row, digests, nameOf, column)]))
  return rows.toSorted((a, b) => {
    const [first, second] = [keys.get(a.id)!, keys.get(b.id)!]
    // Agreements without a value come last, in either direction.
    if (first === null || second === null) return first === second ? 0 : first === null ? 1 : -1
    return compareKeys(first, second) * way
  })
}

/** Amounts of different currencies are not compared: one currency comes after the other. */
interface SortKey {
  readonly text: string
  readonly figure: Ratio | null
}

function compareKeys(a: SortKey, b: SortKey): number {
  if (a.text !== b.text) return a.text < b.text ? -1 : 1
  return a.figure === null || b.figure === null ? 0 : compare(a.figure, b.figure)
}

const textKey = (text: string | null | undefined): SortKey | null =>
  text == null || text === '' ? null : { text, figure: null }
const figureKey = (figure: string | null | undefined, text = ''): SortKey | null =>
  figure == null ? null : { text, figure: parseRatio(figure) }

function sortKey(
  seat: Seat,
  row: AgreementRecord,
  digests: DigestsById,
  nameOf: (slug: string) => string,
  column: string,
): SortKey | null {
  const state = stateFor(seat, row)
  const digest = digests.get(row.id)
  switch (column) {
    case 'name':
      return textKey((state?.name ?? row.slug).toLowerCase())
    case 'status':
      return textKey(state?.status)
    case 'nextDate':
      return textKey(digest?.nextDate)
    case 'waiting':
      return textKey(state?.status === 'ACTIVE' ? firstOpen(digest) : null)
    case 'price':
      return figureKey(settledFor(seat, row, digest)?.price, digest?.row?.currency ?? '')
    case 'since':
      return figureKey(settledFor(seat, row, digest)?.cumulativePct)
    case 'proposed':
      return figureKey(digest?.row?.proposedPct)
    default: {
      const side = state?.parties.supplier ?? null
      return textKey(side === null ? '' : (typeof side === 'string' ? nameOf(side) : (side[0] ?? '')).toLowerCase())
    }
  }
}

/** A price agreed with another supplier does not count for the order. */
function settledFor(seat: Seat, row: AgreementRecord, digest: AgreementDigest | undefined) {
  const settled = digest?.row?.settled ?? null
  if (settled === null || settled.agreedAt === null) return settled
  return isOfTheirTime(seat, row, settled.agreedAt) ? settled : null
}

function firstOpen(digest: AgreementDigest | undefined): string | null {
  const [first] = digest?.open ?? []
  return first === undefined ? null : unpackPeriod(first).date
}
