// What a person sees of a workspace: everything, or, for a supplier, the formulas it is a party to, in the versions that
// govern or once did, and the series these read. Drafts, what is written in them and the series that only they name are
// not there for a supplier (T30). What is not visible is answered as if it did not exist.

import { type Signatory, standsFor } from '../../agreements/parties.ts'
import { type Instant, instantOfMicros, microsOf } from '../../core/instant.ts'
import type { CachedIndex } from '../../read/cached-index.ts'
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
 * Null for what is not seen. A supplier sees a formula as it is, or, while it is a draft again, as it was last in
 * force.
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

/** How a formula last stood when it was no draft. */
export function lastInForce(states: readonly PamState[]): PamState | undefined {
  return states.findLast(isInForce)
}

export function isVisible(seat: Viewer, pam: Pick<PamRow, 'states'>): boolean {
  return sightOf(seat, pam) !== null
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
export function visibleFormulas(seat: Viewer, { pams }: CachedIndex): readonly PamRow[] {
  return pams.filter(pam => isVisible(seat, pam))
}

/** The formulas a person sees, by the id of the series that any of their versions reads. */
export type Readers = ReadonlyMap<string, readonly PamRow[]>

export async function readersOf(seat: Seat, library: Library, index: CachedIndex): Promise<Readers> {
  const references = await referencesOf(seat.workspace.id, library, index)
  const side = seat.role === 'supplier' ? 'governing' : 'all'
  const readers = new Map<string, PamRow[]>()
  const slices = new Slices()
  for (const pam of visibleFormulas(seat, index)) {
    for (const id of references.get(pam.id)?.[side] ?? []) {
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
  return seat.role === 'supplier' ? index.series.filter(({ id }) => readers.has(id)) : index.series
}

/** The ids of the series that any version of a formula reads, and those that a version reads which governs or once did. */
interface References {
  readonly all: ReadonlySet<string>
  readonly governing: ReadonlySet<string>
}

const referencesKey = 'series by formula'

/** By formula. Made from the lists, and forgotten when one of them changes. */
async function referencesOf(
  workspaceId: string,
  library: Library,
  index: CachedIndex,
): Promise<ReadonlyMap<string, References>> {
  const known = index.answers.get(referencesKey) as ReadonlyMap<string, References> | undefined
  if (known !== undefined) return known
  const named = await library.references(workspaceId, index)
  const references = new Map<string, References>()
  const { pams, series } = index
  const slices = new Slices()
  for (const { id, states, formulas } of pams) {
    const versions = named.get(id) ?? []
    const times = versions.flatMap(({ version: number, effectiveFrom }) => {
      const kept = formulas[number - 1]
      // One that was saved after the lists were read appears in a moment.
      return kept === undefined ? [] : [{ number, effectiveFrom, recordedAt: kept.recordedAt }]
    })
    const governing = everGoverning(times, states)
    const idsOf = (isWanted: (version: number) => boolean) =>
      new Set(
        versions
          .filter(({ version }) => isWanted(version))
          .flatMap(version => version.references.flatMap(each => index.findByReference(each)?.id ?? [])),
      )
    references.set(id, { all: idsOf(() => true), governing: idsOf(version => governing.has(version)) })
    await slices.rest()
  }
  // Where the lists have changed meanwhile, it is made again the next time.
  const isTrue = index.isCurrent && index.pams === pams && index.series === series
  if (isTrue) index.answers.set(referencesKey, references)
  library.account(index, workspaceId)
  return references
}
