// Filters and sorts lists of formulas by what the lists already know: no formula is opened for it.

import { limits } from '../../limits.ts'
import { unpackPeriod } from '../../read/agreements/open-periods.ts'
import type { CachedIndex } from '../../read/lists/cached-index.ts'
import type { AgreementDigest } from '../../read/lists/digests.ts'
import { Slices } from '../../read/memory/slices.ts'
import type { AgreementRecord } from '../../storage/agreements/agreements.ts'
import type { AgreementSort, AgreementState, SeriesChoice } from '../shapes/agreements.ts'
import type { Seat } from '../sight/seat.ts'
import { companyNames } from '../sight/sides.ts'
import type { ViewParts } from '../sight/view-parts.ts'
import { readersOf, stateFor } from '../sight/visibility.ts'
import type { AgreementGlance } from './seen-agreement.ts'
import { waitingOf, waitsForViewer } from './what-waits.ts'

type DigestsById = ReadonlyMap<string, AgreementDigest>

/** Whether a formula has that state. */
export function hasState(
  seat: Seat,
  row: AgreementRecord,
  known: Pick<AgreementGlance, 'digests' | 'corrections'>,
  wanted: AgreementState,
): boolean {
  const digest = known.digests.get(row.id)
  if (wanted === 'BLOCKED') return digest?.gap != null
  const waiting = waitingOf(seat, known, row)
  if (wanted === 'WAITS') return waiting !== null
  if (wanted === 'DONE') return digest !== undefined && waiting === null && digest.gap === null
  return waiting !== null && waitsForViewer(waiting)
}

export function isDue(row: AgreementRecord, digests: DigestsById, month: string): boolean {
  return digests.get(row.id)?.nextDate?.startsWith(month) === true
}

/** The ids of the formulas that read a series and that this person sees. */
export async function readersOfSeries(
  { library }: ViewParts,
  seat: Seat,
  seriesId: string,
): Promise<ReadonlySet<string>> {
  const readers = await readersOf(seat, library, await library.index(seat.workspace.id))
  return new Set(readers.get(seriesId)?.map(({ id }) => id))
}

/**
 * The series that most formulas read. Separate from the lists, which need only their own pieces: this needs all
 * formulas.
 */
export async function listSeriesRead({ library }: ViewParts, seat: Seat): Promise<readonly SeriesChoice[]> {
  const index = await library.index(seat.workspace.id)
  const readers = await readersOf(seat, library, index)
  const choices: SeriesChoice[] = []
  const slices = new Slices()
  for (const [id, formulas] of readers) {
    const series = index.find(id)
    if (series !== undefined) choices.push({ id, name: series.metadata.at(-1)!.name, formulas: formulas.length })
    await slices.rest()
  }
  return choices
    .sort((a, b) => b.formulas - a.formulas || a.name.localeCompare(b.name, 'en'))
    .slice(0, limits.seriesChoices)
}

/** In the requested order; ties stay in the order of slugs. */
export function inOrder(
  seat: Seat,
  rows: readonly AgreementRecord[],
  digests: DigestsById,
  index: CachedIndex,
  sort: AgreementSort,
): readonly AgreementRecord[] {
  const [key, way] = sort.startsWith('-') ? [sort.slice(1), -1] : [sort, 1]
  const nameOf = companyNames(index)
  const keys = new Map(rows.map(row => [row.id, sortKey(seat, row, digests, nameOf, key)]))
  return rows.toSorted((a, b) => {
    const [first, second] = [keys.get(a.id)!, keys.get(b.id)!]
    // Formulas without a value come last, in either direction.
    if (first === '' || second === '') return first === second ? 0 : first === '' ? 1 : -1
    return (first < second ? -1 : first > second ? 1 : 0) * way
  })
}

function sortKey(
  seat: Seat,
  row: AgreementRecord,
  digests: DigestsById,
  nameOf: (slug: string) => string,
  key: string,
): string {
  const state = stateFor(seat, row)
  if (key === 'name') return (state?.name ?? row.slug).toLowerCase()
  if (key === 'status') return state?.status ?? ''
  if (key === 'nextDate') return digests.get(row.id)?.nextDate ?? ''
  if (key === 'waiting') {
    const oldest = state?.status === 'ACTIVE' ? digests.get(row.id)?.open[0] : undefined
    return oldest === undefined ? '' : unpackPeriod(oldest).date
  }
  const side = state?.parties.supplier ?? null
  const name = side === null ? '' : typeof side === 'string' ? nameOf(side) : (side[0] ?? '')
  return name.toLowerCase()
}
