// What a person sees of a workspace: everything, or, for a supplier, the formulas it is a party to, in the versions that
// govern or once did, and the series these read. Drafts, their content and the series that only they name do not exist
// for a supplier (T30). What is not visible is answered as if it did not exist.

import { type Signatory, seesNow, standsFor } from '../../agreements/parties.ts'
import { type Instant, instantOfMicros, microsOf } from '../../core/instant.ts'
import type { CachedIndex } from '../../read/cached-index.ts'
import type { Readers } from '../../read/formula-readers.ts'
import { everGoverning } from '../../read/governing.ts'
import type { Library } from '../../read/library.ts'
import type { PamSnapshot, PamStanding } from '../../read/pam-snapshot.ts'
import { Slices } from '../../read/slices.ts'
import { type PamParties, type PamRow, type PamState, partyNames } from '../../storage/pams.ts'
import type { VisibleSeries } from '../../storage/series.ts'
import type { Seat } from './route.ts'

export type Viewer = Pick<Seat, 'person' | 'role' | 'company'>

export function signatoryOf({ person, role, company }: Viewer): Signatory {
  return { email: person.email.toLowerCase(), role, company }
}

/** On one of the sides, by their address or by their company. A supplier that is not named is on no side. */
export function isPartyTo(viewer: Viewer, parties: PamParties): boolean {
  const person = signatoryOf(viewer)
  return partyNames.some(party => standsFor(party, person, parties))
}

/** As of when a formula is seen: `knownAt` null is now. */
export interface Sight {
  readonly knownAt: Instant | null
}

const now: Sight = { knownAt: null }

/**
 * Null for a formula that is not visible. A supplier sees a formula as it is, or, while it is a draft again, as it was
 * last in force.
 */
export function sightOf(seat: Viewer, { states }: Pick<PamRow, 'states'>): Sight | null {
  if (seat.role !== 'supplier') return now
  const place = states.findLastIndex(isInForce)
  const inForce = states[place]
  if (inForce === undefined || !isPartyTo(seat, inForce.parties)) return null
  const next = states[place + 1]
  return next === undefined ? now : { knownAt: instantOfMicros(microsOf(next.recordedAt) - 1) }
}

function isInForce({ status }: PamState): boolean {
  return status !== 'DRAFT'
}

/** The last state of a formula in which it was not a draft. */
export function lastInForce(states: readonly PamState[]): PamState | undefined {
  return states.findLast(isInForce)
}

export function isVisible(seat: Viewer, pam: Pick<PamRow, 'states'>): boolean {
  return sightOf(seat, pam) !== null
}

/** Whether a person sees a formula as it is now: not one that is a draft again and shown as it last stood. */
export function isVisibleNow(seat: Viewer, pam: Pick<PamRow, 'states'> | undefined): boolean {
  return pam !== undefined && seesNow(signatoryOf(seat), pam.states)
}

/** The status of a formula for this person: one that is a draft again is suspended for its supplier, not signed. */
export function standingFor({ knownAt }: Sight, snapshot: PamSnapshot): PamStanding | null {
  const standing = snapshot.at(knownAt)
  if (standing === null || knownAt === null) return standing
  return { ...standing, state: { ...standing.state, status: 'SUSPENDED' } }
}

/** The state of a formula for this person, from the lists alone; the same as `standingFor`. */
export function stateFor(seat: Viewer, pam: Pick<PamRow, 'states'>): PamState | undefined {
  const newest = pam.states.at(-1)
  if (seat.role !== 'supplier' || newest?.status !== 'DRAFT') return newest
  const inForce = lastInForce(pam.states)
  return inForce === undefined ? undefined : { ...inForce, status: 'SUSPENDED' }
}

type Governing = Pick<PamSnapshot, 'versions'> & { readonly kept: { readonly states: readonly PamState[] } }

/** The numbers of the versions this person sees: all, or for a supplier those that govern a date or once did. */
export function visibleVersions({ role }: Pick<Seat, 'role'>, { versions, kept }: Governing): ReadonlySet<number> {
  if (role !== 'supplier') return new Set(versions.map(({ number }) => number))
  const times = versions.map(({ number, recordedAt, formula: { effectiveFrom } }) => ({
    number,
    recordedAt,
    effectiveFrom,
  }))
  return everGoverning(times, kept.states)
}

/** By id. */
function visibleFormulas(seat: Viewer, { pams }: CachedIndex): readonly PamRow[] {
  return pams.filter(pam => isVisible(seat, pam))
}

/** The formulas a person sees, by the id of the series that any of their versions reads. `index` is the whole. */
export async function readersOf(seat: Seat, library: Library, index: CachedIndex): Promise<Readers> {
  const all = await library.readers(seat.workspace.id, index)
  if (seat.role !== 'supplier') return all.readers
  const readers = new Map<string, PamRow[]>()
  const slices = new Slices()
  for (const pam of visibleFormulas(seat, index)) {
    for (const id of all.governingSeries(pam.id)) {
      const own = readers.get(id)
      if (own === undefined) readers.set(id, [pam])
      else own.push(pam)
    }
    await slices.rest()
  }
  return readers
}

/** All series of the workspace, or those that a supplier's formulas read. */
export function visibleSeries(seat: Viewer, index: CachedIndex, readers: Readers): readonly VisibleSeries[] {
  if (seat.role !== 'supplier') return index.series
  const seen = [...readers.keys()].flatMap(id => index.find(id) ?? [])
  return seen.sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** One of them; `undefined` for what the person does not see. */
export function findVisible(
  seat: Viewer,
  index: CachedIndex,
  readers: Readers,
  seriesId: string,
): VisibleSeries | undefined {
  return seat.role === 'supplier' && !readers.has(seriesId) ? undefined : index.find(seriesId)
}
