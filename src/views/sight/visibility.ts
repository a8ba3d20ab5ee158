// Sight of a person in a workspace: everything or, for a supplier, the agreements it is or was a party to, the part of each that
// belongs to its time (decision 0417), in the versions that govern or once did, and the series these read. Drafts, their content
// and the series that only they name do not exist for a supplier (T30), nor does the part of another supplier (T31). An invisible
// thing is answered as if it did not exist.

import { radarSight, type Signatory, standsFor } from '../../agreements/parties.ts'
import type { Audience } from '../../agreements/status-words.ts'
import type { Status } from '../../core/formula/formula.ts'
import { nextDateAfter } from '../../core/formula/schedule.ts'
import { parties as partyNames } from '../../core/parties.ts'
import { formatDate } from '../../core/text/words.ts'
import { type Day, parseDay } from '../../core/time/day.ts'
import { type Instant, justBefore } from '../../core/time/instant.ts'
import type { Readers, ReadersBySeries } from '../../read/agreements/agreement-readers.ts'
import type { AgreementSnapshot, AgreementState } from '../../read/agreements/agreement-snapshot.ts'
import { everGoverning } from '../../read/agreements/governing-versions.ts'
import { inForce, isWithin, type Tenure, tenureOf } from '../../read/agreements/tenure.ts'
import type { Library } from '../../read/library.ts'
import type { CachedIndex } from '../../read/lists/cached-index.ts'
import { Slices } from '../../read/memory/slices.ts'
import type { PartOfAgreement } from '../../read/prices.ts'
import type { RadarSight } from '../../read/radar.ts'
import type { AgreementParties, AgreementRecord, AgreementStateRow } from '../../storage/agreements/agreements.ts'
import type { VisibleSeries } from '../../storage/series/visible-series.ts'
import type { Seat } from './seat.ts'

export type Viewer = Pick<Seat, 'person' | 'role' | 'company' | 'isNameable'>

export function signatoryOf({ person, role, company, isNameable }: Viewer): Signatory {
  return { email: person.email.toLowerCase(), role, company, isNameable }
}

/** Audience for the words of a status. */
export function hearerOf({ role }: Pick<Seat, 'role'>): Audience {
  return role === 'supplier' ? 'supplier' : 'insider'
}

/** Whether a person is on one of the sides, by address or by company. A supplier that is not named is on no side. */
export function isPartyTo(viewer: Viewer, parties: AgreementParties): boolean {
  const person = signatoryOf(viewer)
  return partyNames.some(party => standsFor(party, person, parties))
}

/** Sight of one agreement. */
export interface Sight {
  /** Moment of the view; null is now. */
  readonly knownAt: Instant | null
  /** Visible part; null: all of it, for everybody who is no supplier. */
  readonly tenure: Tenure | null
}

const everything: Sight = { knownAt: null, tenure: null }

/**
 * Sight of an agreement; null where it is not visible. A supplier sees its part: as it is, or, while it is a draft again or once
 * another supplier is named, as it last stood for them.
 */
export function sightOf(seat: Viewer, { states }: Pick<AgreementRecord, 'states'>): Sight | null {
  if (seat.role !== 'supplier') return everything
  const tenure = tenureOfViewer(seat, states)
  if (tenure === null) return null
  const end = tenure.endedAt ?? draftedSince(states)
  return { tenure, knownAt: end === null ? null : justBefore(end) }
}

/** Whether a person sees things agreed at an instant: a supplier does not see another supplier's. */
export function isOfTheirTime(seat: Viewer, { states }: Pick<AgreementRecord, 'states'>, agreedAt: Instant): boolean {
  const tenure = sightOf(seat, { states })?.tenure ?? null
  return tenure === null || tenure.isWhole || isWithin(tenure, agreedAt)
}

/** Time for which a supplier is or was a party, by its address or its present company. */
export function tenureOfViewer(seat: Viewer, states: readonly AgreementStateRow[]): Tenure | null {
  return tenureOf(states, parties => isPartyTo(seat, parties))
}

/** Instant from which it is a draft again; null where it is none. */
function draftedSince(states: readonly AgreementStateRow[]): Instant | null {
  const place = states.findLastIndex(({ status }) => status !== 'DRAFT')
  return states[place + 1]?.recordedAt ?? null
}

export function isVisible(seat: Viewer, agreement: Pick<AgreementRecord, 'states'>): boolean {
  return seat.role !== 'supplier' || tenureOfViewer(seat, agreement.states) !== null
}

/** Whether a person sees an agreement as it goes on: a supplier does not once another one is named. */
export function isPartyNow(seat: Viewer, { states }: Pick<AgreementRecord, 'states'>): boolean {
  return seat.role !== 'supplier' || tenureOfViewer(seat, states)?.endedAt === null
}

/** Visible parts of agreements; without present drafts, where that is asked for. */
export function partsSeen(seat: Viewer, index: CachedIndex, which: 'all' | 'in force'): PartOfAgreement {
  return agreementId => {
    const agreement = index.findAgreement(agreementId)
    const sight = agreement === undefined ? null : sightOf(seat, agreement)
    if (sight === null || (which === 'in force' && sight.knownAt !== null)) return undefined
    return sight.tenure
  }
}

/** Agreements whose revisions a person sees, whole or in part: those they are a party to now. */
export function radarSightOf(seat: Viewer, { agreements }: CachedIndex): RadarSight | null {
  return seat.role === 'supplier' ? radarSight(signatoryOf(seat), agreements) : null
}

/**
 * Status for this person: a present draft is suspended for its supplier, and an agreement that names another supplier now is
 * archived for the one before.
 */
function statusFor({ tenure, knownAt }: Sight, status: Status): Status {
  if (tenure === null || knownAt === null) return status
  return tenure.endedAt === null ? 'SUSPENDED' : 'ARCHIVED'
}

/** `snapshot` is their visible part. */
export function standingFor(sight: Sight, snapshot: AgreementSnapshot): AgreementState | null {
  const standing = snapshot.at(sight.knownAt)
  if (standing === null || sight.knownAt === null) return standing
  return { ...standing, state: { ...standing.state, status: statusFor(sight, standing.state.status) } }
}

/** State of an agreement for this person, from the lists alone; equal to that of `standingFor`. */
export function stateFor(seat: Viewer, agreement: Pick<AgreementRecord, 'states'>): AgreementStateRow | undefined {
  const sight = sightOf(seat, agreement)
  if (sight === null || sight.tenure === null) return agreement.states.at(-1)
  const { tenure } = sight
  const own = inForce(agreement.states).findLast(({ recordedAt }) => isWithin(tenure, recordedAt))
  return own === undefined ? undefined : { ...own, status: statusFor(sight, own.status) }
}

/** Reason why a former party neither signs nor speaks; null for everybody else. */
export function whyNotAsFormer({ tenure }: Sight): string | null {
  if (tenure === null || tenure.endedAt === null) return null
  return `You were a party to this agreement until ${formatDate(tenure.endedAt)}; only the present parties see later entries.`
}

/** States as a supplier sees them in its part: never a draft. */
export function statesTold(
  { role }: Pick<Seat, 'role'>,
  states: readonly AgreementStateRow[],
): readonly AgreementStateRow[] {
  if (role !== 'supplier') return states
  const first = states.findIndex(({ status }) => status !== 'DRAFT')
  return states
    .slice(Math.max(0, first))
    .map(each => (each.status === 'DRAFT' ? { ...each, status: 'SUSPENDED' } : each))
}

/** Numbers of the visible versions: all, or for a supplier those that govern its dates or once did. */
export function visibleVersions({ role }: Pick<Seat, 'role'>, snapshot: AgreementSnapshot): ReadonlySet<number> {
  const { versions, tenure, whole } = snapshot
  if (role !== 'supplier') return new Set(versions.map(({ number }) => number))
  const times = versions.map(({ number, recordedAt, formula: { effectiveFrom } }) => ({
    number,
    recordedAt,
    effectiveFrom,
  }))
  if (tenure === null) return everGoverning(times, whole.kept.states)
  const from = firstOwnDay(snapshot)
  return everGoverning(times, whole.kept.states, { isOwn: at => isWithin(tenure, at), from })
}

/** First day on which a number can be theirs. */
function firstOwnDay(part: AgreementSnapshot): Day {
  const { signed, whole, versions } = part.at(null)!
  const [first] = whole.signed
  if (first === undefined || first === signed[0]) return Number.NEGATIVE_INFINITY
  if (signed[0] !== undefined) return parseDay(signed[0].adjustmentDate)!
  const last = parseDay(whole.signed.at(-1)!.adjustmentDate)!
  return nextDateAfter(versions, last) ?? last + 1
}

/**
 * Visible agreements by the id of the series that any of their versions reads. `index` is the whole. A series goes on: a former
 * supplier has its figures in signed receipts, and no longer the series.
 */
export async function readersOf(seat: Seat, library: Library, index: CachedIndex): Promise<Readers> {
  const all = await library.readers(seat.workspace.id, index)
  if (seat.role !== 'supplier') return all.readers
  const readers = new Map<string, AgreementRecord[]>()
  const slices = new Slices()
  for (const agreement of index.agreements) {
    if (!isPartyNow(seat, agreement)) continue
    for (const id of await seriesOf(seat, library, index, all, agreement)) {
      const own = readers.get(id)
      if (own === undefined) readers.set(id, [agreement])
      else own.push(agreement)
    }
    await slices.rest()
  }
  return readers
}

/** Ids of the series that a supplier's part of an agreement reads. */
async function seriesOf(
  seat: Seat,
  library: Library,
  index: CachedIndex,
  all: ReadersBySeries,
  { id, states }: AgreementRecord,
): Promise<Iterable<string>> {
  const tenure = tenureOfViewer(seat, states)
  if (tenure === null || tenure.isWhole) return all.governingSeries(id)
  const cached = await library.agreement(seat.workspace.id, id)
  if (cached === null) return []
  const versions = visibleVersions(seat, cached.partOf(tenure).snapshot)
  const named = (all.references.get(id) ?? []).filter(({ version }) => versions.has(version))
  return new Set(named.flatMap(({ references }) => references.flatMap(each => index.findByReference(each)?.id ?? [])))
}

/** All series of the workspace, or those that a supplier's agreements read. */
export function visibleSeries(seat: Viewer, index: CachedIndex, readers: Readers): readonly VisibleSeries[] {
  if (seat.role !== 'supplier') return index.series
  const seen = [...readers.keys()].flatMap(id => index.find(id) ?? [])
  return seen.sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** A visible series; `undefined` for one that the person does not see. */
export function findVisible(
  seat: Viewer,
  index: CachedIndex,
  readers: Readers,
  seriesId: string,
): VisibleSeries | undefined {
  return seat.role === 'supplier' && !readers.has(seriesId) ? undefined : index.find(seriesId)
}
