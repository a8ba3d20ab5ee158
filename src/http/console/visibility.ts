// What a person sees of a workspace: everything, or, for a supplier, the formulas it is a party to and the series these
// read. What is not seen is answered as if it were not there.
import { type HeldIndex, HeldPam, type Library } from '../../read/library.ts'
import type { PamParties, PamRow } from '../../storage/pams.ts'
import type { VisibleSeries } from '../../storage/series.ts'
import type { Seat } from './route.ts'

type Viewer = Pick<Seat, 'person' | 'role'>

/** Named on one of the sides, or of a side that names nobody: then it is everybody with that role. */
export function isPartyTo({ person, role }: Viewer, parties: PamParties): boolean {
  const email = person.email.toLowerCase()
  return (['buyer', 'supplier'] as const).some(side => {
    const named = parties[side]
    if (named === null) return role === side
    return typeof named !== 'string' && named.some(each => each.toLowerCase() === email)
  })
}

/** By how the formula stands now. A draft is not yet the supplier's business. */
export function isVisible(seat: Viewer, { states }: Pick<PamRow, 'states'>): boolean {
  if (seat.role !== 'supplier') return true
  const state = states.at(-1)
  return state !== undefined && state.status !== 'DRAFT' && isPartyTo(seat, state.parties)
}

/** By id. */
export function visibleFormulas(seat: Viewer, { pams }: HeldIndex): readonly PamRow[] {
  return pams.filter(pam => isVisible(seat, pam))
}

/** The formulas a person sees, by the id of the series that any of their versions reads. */
export type Readers = ReadonlyMap<string, readonly PamRow[]>

export async function readersOf(seat: Seat, library: Library, index: HeldIndex): Promise<Readers> {
  const references = await referencesOf(seat.workspace.id, library, index)
  const readers = new Map<string, PamRow[]>()
  for (const pam of visibleFormulas(seat, index))
    for (const id of references.get(pam.id) ?? []) {
      const own = readers.get(id)
      if (own === undefined) readers.set(id, [pam])
      else own.push(pam)
    }
  return readers
}

/** All series of the workspace, or those that a supplier's formulas read. */
export function visibleSeries(seat: Viewer, index: HeldIndex, readers: Readers): readonly VisibleSeries[] {
  return seat.role === 'supplier' ? index.series.filter(({ id }) => readers.has(id)) : index.series
}

type References = ReadonlyMap<string, ReadonlySet<string>>
const referencesKey = 'series by formula'

/** The ids of the series each formula reads. Kept with the lists: both are forgotten when a formula changes. */
async function referencesOf(workspaceId: string, library: Library, index: HeldIndex): Promise<References> {
  const known = index.answers.get(referencesKey) as References | undefined
  if (known !== undefined) return known
  const references = new Map<string, ReadonlySet<string>>()
  for (const { id } of index.pams) {
    const held = await library.pam(workspaceId, id)
    if (!(held instanceof HeldPam)) continue
    const series = held.snapshot.references.flatMap(each => index.findByReference(each)?.id ?? [])
    references.set(id, new Set(series))
  }
  index.answers.set(referencesKey, references)
  library.account(index, workspaceId)
  return references
}
