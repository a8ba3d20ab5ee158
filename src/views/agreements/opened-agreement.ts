// An agreement as somebody in the workspace sees it: its stored rows, and its numbers as of today. Parts a person may not see do
// not exist for them; a number that cannot be computed has a reason and affects nothing else.
import { setImmediate } from 'node:timers/promises'
import type { Signatory } from '../../agreements/parties.ts'
import { type KnownPeople, loadKnownPeople, relatedTo } from '../../agreements/signable.ts'
import { type Gap, gapOfRefusal, otherGap } from '../../core/calculation/gap.ts'
import type { Formula } from '../../core/formula/formula.ts'
import { Refusal } from '../../core/refusal.ts'
import { type Cuts, noCuts } from '../../core/series/vintage.ts'
import type { Day } from '../../core/time/day.ts'
import { dayOfInstant, endOfDay, type Instant } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import type { Adjustments, EntrySummary } from '../../read/agreements/adjustments.ts'
import type { AgreementSnapshot, AgreementState } from '../../read/agreements/agreement-snapshot.ts'
import type { OpenCorrection } from '../../read/agreements/correction-view.ts'
import { besideBy } from '../../read/agreements/receipt-attachments.ts'
import type { CachedAgreement } from '../../read/lists/cached-agreement.ts'
import type { CachedIndex } from '../../read/lists/cached-index.ts'
import { type AgreementDigest, numbersTakeLong } from '../../read/lists/digests.ts'
import type { PriceTime } from '../../read/prices.ts'
import type { AgreementRecord } from '../../storage/agreements/agreements.ts'
import { listMembers } from '../../storage/people/people.ts'
import { withWorkspace } from '../../storage/postgres/database.ts'
import { isSeenAt } from '../sight/cut.ts'
import type { Seat } from '../sight/seat.ts'
import type { ViewContext } from '../sight/view-parts.ts'
import { isPartyTo, isVisible, type Sight, sightOf, standingFor } from '../sight/visibility.ts'

export interface OpenedAgreement {
  readonly cached: CachedAgreement
  readonly snapshot: AgreementSnapshot
  readonly standing: AgreementState
  /** Formula of the newest version. */
  readonly formula: Formula
  readonly today: Day
  /** Moment as of which it is seen, and the visible part. */
  readonly sight: Sight
  /** Whether they saw it at a moment. */
  readonly isSeen: (at: Instant) => boolean
  /** Null if nothing can be computed at all; `gap` then says why. */
  readonly adjustments: Adjustments | null
  readonly gap: Gap | null
}

export function todayOf({ now }: Pick<ViewContext, 'now'>): Day {
  return dayOfInstant(now())
}

export function noSuchAgreement(): Refusal {
  return new Refusal('not-found', 'there is no such agreement')
}

/** Opens the agreement named in the path. Throws `not-found` if this person may not see it. */
export async function openAgreement(
  parts: ViewContext,
  seat: Seat,
  slug: string,
  cuts: Cuts = noCuts,
): Promise<OpenedAgreement & { readonly index: CachedIndex }> {
  const index = await parts.library.index(seat.workspace.id, { agreements: [slug] })
  const row = index.findAgreement(slug)
  const found = row === undefined || row.slug !== slug ? null : await open(parts, seat, row, null, cuts)
  if (found === null) throw noSuchAgreement()
  return { ...found, index }
}

/** Agreements that a person sees, by slug, with the digest of each: no agreement is opened. */
export interface AgreementGlance {
  readonly index: CachedIndex
  readonly rows: readonly AgreementRecord[]
  readonly digests: ReadonlyMap<string, AgreementDigest>
  /** Corrections that this person sees and that a side has to sign, by agreement; also those of a former supplier. */
  readonly corrections: ReadonlyMap<string, readonly OpenCorrection[]>
  /** Other people of this person's company, and other accounts of theirs: whoever stands on a side signs for no other. */
  readonly related: readonly Signatory[]
  /** Agreements whose digest still has to be computed, and those among them with a last known one. */
  readonly pending: number
  readonly outdated: ReadonlySet<string>
}

/** The glance without last known digests: a page marks them as such, and a mail cannot. */
export function currentOf(glance: AgreementGlance): AgreementGlance {
  const isCurrent = ([id]: readonly [id: string, ...unknown[]]) => !glance.outdated.has(id)
  const digests = new Map([...glance.digests].filter(isCurrent))
  return { ...glance, digests, corrections: new Map([...glance.corrections].filter(isCurrent)) }
}

/** `index` has all agreements. `people` may be read once for many viewers. */
export async function readAgreementGlance(
  parts: ViewContext,
  seat: Seat,
  index: CachedIndex,
  people = () => readPeople(parts, seat.workspace.id),
): Promise<AgreementGlance> {
  const rows = agreementsBySlug(seat, index)
  const isSigner = rows.some(({ states }) => isPartyTo(seat, states.at(-1)!.parties))
  const related = isSigner ? relatedTo(await people(), seat.person.email) : []
  const sights = new Map(rows.map(row => [row, sightOf(seat, row)]))
  const read = rows.filter(row => sights.get(row)?.knownAt === null || sights.get(row)?.tenure?.endedAt != null)
  const ids = read.map(({ id }) => id)
  const gathered = await parts.library.digests.gather(seat.workspace.id, ids, todayOf(parts))
  const { digests: all, pending, outdated } = gathered
  const digests = new Map<string, AgreementDigest>()
  const corrections = new Map<string, readonly OpenCorrection[]>()
  for (const row of read) {
    const digest = all.get(row.id)
    if (digest === undefined) continue
    // Not for an agreement seen as it last stood: its state is another now. A former supplier's periods are still corrected.
    if (sights.get(row)!.knownAt === null) digests.set(row.id, digest)
    const seen = digest.corrections.filter(each => isCorrectionSeen(seat, row, each))
    if (seen.length > 0) corrections.set(row.id, seen)
  }
  return { index, rows, digests, corrections, related, pending, outdated }
}

export function readPeople({ installation: { sql } }: ViewContext, workspaceId: string): Promise<KnownPeople> {
  return withWorkspace(sql, workspaceId, tx => loadKnownPeople(tx, workspaceId))
}

/** A correction belongs to one supplier: no other sees it (decision 0418). */
function isCorrectionSeen(seat: Seat, { states }: AgreementRecord, { supplier }: OpenCorrection): boolean {
  if (seat.role !== 'supplier') return true
  return isPartyTo(seat, { buyer: states.at(-1)!.parties.buyer, supplier })
}

export function agreementsBySlug(
  seat: Seat,
  { pamsBySlug: agreementsBySlug }: CachedIndex,
): readonly AgreementRecord[] {
  return seat.role === 'supplier' ? agreementsBySlug.filter(row => isVisible(seat, row)) : agreementsBySlug
}

/**
 * Time limit for computing all agreements of one list. In a worker each may take seconds, and a list that waited for all of them
 * would never be answered. Agreements left out are available sooner on the next request.
 */
export class ListTime {
  readonly #untilMs: number
  /** Agreements whose numbers were left out. */
  readonly late = new Set<string>()

  constructor({ bounds }: Pick<ViewContext, 'bounds'>) {
    this.#untilMs = performance.now() + bounds.listMs
  }

  /** Whether there is no time left for this agreement; if so, that is recorded. */
  isOverFor(agreementId: string): boolean {
    if (performance.now() < this.#untilMs) return false
    this.late.add(agreementId)
    return true
  }
}

/**
 * Some agreements with their numbers, in the order given; one that was removed meanwhile is left out. An agreement for which the
 * time does not suffice gets its calendar, and a sentence instead of the numbers.
 */
export async function openAgreements(
  parts: ViewContext,
  seat: Seat,
  rows: readonly AgreementRecord[],
  time: ListTime,
): Promise<readonly OpenedAgreement[]> {
  const opened: (OpenedAgreement | null)[] = []
  const turns = rows.entries()
  const work = async () => {
    for (const [i, row] of turns) {
      opened[i] = await open(parts, seat, row, time)
      // All of them may have to be computed: other requests are answered in between.
      await setImmediate()
    }
  }
  await Promise.all(Array.from({ length: limits.formulasAtOnce }, work))
  return opened.filter(each => each !== null)
}

/** Opens an agreement; null if it does not exist for this person. */
async function open(
  parts: ViewContext,
  seat: Seat,
  row: AgreementRecord,
  time: ListTime | null = null,
  cuts: Cuts = noCuts,
): Promise<OpenedAgreement | null> {
  const { library } = parts
  const now = sightOf(seat, row)
  const sight = now === null ? null : sightAt(seat, row, now, cuts)
  const kept = sight === null ? null : await library.agreement(seat.workspace.id, row.id)
  const cached = kept === null ? null : kept.partOf(sight!.tenure)
  const standing =
    cached === null
      ? null
      : sight!.knownAt === now!.knownAt
        ? standingFor(sight!, cached.snapshot)
        : cached.snapshot.at(sight!.knownAt)
  if (sight === null || cached === null) return null
  if (standing === null && sight !== now) throw new Refusal('not-found', 'this agreement did not exist then')
  if (standing === null) return null
  const today = lastDay(todayOf(parts), cuts, sight)
  const { formula } = standing.versions.at(-1)!
  const isSeen = (at: Instant) => isSeenAt(seat, row.states, at)
  const shown = cuts.asOf === null ? standing : { ...standing, ...besideBy(standing, cuts.asOf) }
  const common = { cached, snapshot: cached.snapshot, standing: shown, formula, today, sight, isSeen }
  if (time?.isOverFor(row.id) === true) return { ...common, adjustments: null, gap: numbersTakeLong }
  try {
    const request = { asOf: cuts.asOf, knownAt: sight.knownAt, version: null, until: today, besideBy: cuts.asOf }
    const adjustments = await library.adjustments(seat.workspace.id, cached, request)
    const broken = adjustments?.broken ?? null
    if (broken !== null) return { ...common, adjustments: null, gap: otherGap('record', broken.reason) }
    return { ...common, adjustments, gap: null }
  } catch (error) {
    if (error instanceof Refusal && error.kind !== 'unavailable')
      return { ...common, adjustments: null, gap: gapOfRefusal(error) }
    throw error
  }
}

/** The adjustments. Refuses if nothing can be computed. */
export function adjustmentsOf({ adjustments, gap }: OpenedAgreement): Adjustments {
  if (adjustments === null) throw new Refusal('not-found', gap?.sentence ?? 'nothing can be computed')
  return adjustments
}

/** Sight at a cut: never later than this person sees it now. */
function sightAt(seat: Seat, { states }: AgreementRecord, now: Sight, { knownAt }: Cuts): Sight {
  if (knownAt === null) return now
  if (now.knownAt !== null && now.knownAt <= knownAt)
    return now.tenure?.endedAt == null ? now : { ...now, tenure: { ...now.tenure, correctedBy: knownAt } }
  if (isSeenAt(seat, states, knownAt)) return { ...now, knownAt }
  throw new Refusal('not-found', 'you could not see this agreement then')
}

/** The last day whose date has come: for a former party, none after its time. */
function lastDay(today: Day, { asOf, knownAt }: Cuts, { tenure }: Sight): Day {
  const ends = [asOf, knownAt, tenure?.endedAt ?? null]
  return Math.min(today, ...ends.flatMap(cut => (cut === null ? [] : [dayOfInstant(cut)])))
}

/**
 * Moment for corrections and the ledger: the last one in force while the agreement is a draft again. For a former supplier they go
 * on, because its periods may still be corrected.
 */
export function moneyTime(parts: ViewContext, { knownAt, tenure }: Sight): PriceTime {
  const today = todayOf(parts)
  if (knownAt === null || tenure?.endedAt != null) return { knownAt: null, until: today }
  return { knownAt, until: Math.min(today, dayOfInstant(knownAt)) }
}

/** Every period from today's data alone, ignoring signatures: the answer to `asOf` of today, by date. */
export async function readTodays(
  { library }: ViewContext,
  seat: Seat,
  { cached, today, sight }: OpenedAgreement,
): Promise<ReadonlyMap<string, EntrySummary>> {
  const request = { asOf: endOfDay(today), knownAt: sight.knownAt, version: null, until: today }
  const adjustments = await library.adjustments(seat.workspace.id, cached, request)
  return new Map(adjustments?.summaries().map(summary => [summary.date, summary]))
}

/** Names of the workspace's members, by address. */
export async function readNames({ installation }: ViewContext, seat: Seat): Promise<ReadonlyMap<string, string>> {
  const members = await listMembers(installation.sql, seat.workspace.id)
  return new Map(members.map(({ email, name }) => [email.toLowerCase(), name]))
}
