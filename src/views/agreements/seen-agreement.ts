// A formula as somebody in the workspace sees it: what is stored about it, and its numbers as of today. What a person
// may not see does not exist for them; what cannot be computed says why and affects nothing else.
import { setImmediate } from 'node:timers/promises'
import type { Signatory } from '../../agreements/parties.ts'
import { type KnownPeople, readKnownPeople, relatedTo } from '../../agreements/signable.ts'
import { type Gap, gapOfRefusal, otherGap } from '../../core/calculation/gap.ts'
import type { Formula } from '../../core/formula/formula.ts'
import { Refusal } from '../../core/refusal.ts'
import { type Cuts, noCuts } from '../../core/series/vintage.ts'
import type { Day } from '../../core/time/day.ts'
import { dayOfInstant, endOfDay, type Instant } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import type { Adjustments, EntrySummary } from '../../read/agreements/adjustments.ts'
import type { AgreementSnapshot, AgreementStanding } from '../../read/agreements/agreement-snapshot.ts'
import { besideBy } from '../../read/agreements/beside-receipt.ts'
import type { OpenCorrection } from '../../read/agreements/correction-view.ts'
import type { CachedAgreement } from '../../read/lists/cached-agreement.ts'
import type { CachedIndex } from '../../read/lists/cached-index.ts'
import { type AgreementDigest, numbersTakeLong } from '../../read/lists/digests.ts'
import type { PriceTime } from '../../read/prices.ts'
import type { AgreementRecord } from '../../storage/agreements/agreements.ts'
import { listMembers } from '../../storage/people/people.ts'
import { withWorkspace } from '../../storage/postgres/database.ts'
import { isSeenAt } from '../sight/cut.ts'
import type { Seat } from '../sight/seat.ts'
import type { ViewParts } from '../sight/view-parts.ts'
import { isPartyTo, isVisible, type Sight, sightOf, standingFor } from '../sight/visibility.ts'

export interface SeenAgreement {
  readonly cached: CachedAgreement
  readonly snapshot: AgreementSnapshot
  readonly standing: AgreementStanding
  /** Of the newest version. */
  readonly formula: Formula
  readonly today: Day
  /** The moment as of which it is seen, and which part of it. */
  readonly sight: Sight
  /** Whether they saw it at a moment. */
  readonly isSeen: (at: Instant) => boolean
  /** Null if nothing can be computed at all; then the gap says why. */
  readonly adjustments: Adjustments | null
  readonly gap: Gap | null
}

export function todayOf({ now }: Pick<ViewParts, 'now'>): Day {
  return dayOfInstant(now())
}

export function noSuchAgreement(): Refusal {
  return new Refusal('not-found', 'there is no such agreement')
}

/** The formula in the path; refuses one that does not exist for this person. */
export async function openAgreement(
  parts: ViewParts,
  seat: Seat,
  slug: string,
  cuts: Cuts = noCuts,
): Promise<SeenAgreement & { readonly index: CachedIndex }> {
  const index = await parts.library.index(seat.workspace.id, { agreements: [slug] })
  const row = index.findAgreement(slug)
  const found = row === undefined || row.slug !== slug ? null : await open(parts, seat, row, null, cuts)
  if (found === null) throw noSuchAgreement()
  return { ...found, index }
}

/** The formulas a person sees, by slug, with the state of each in a few words: no formula is opened for it. */
export interface AgreementGlance {
  readonly index: CachedIndex
  readonly rows: readonly AgreementRecord[]
  readonly digests: ReadonlyMap<string, AgreementDigest>
  /** Corrections that this person sees and that a side has to sign, by agreement; also those of a former supplier. */
  readonly corrections: ReadonlyMap<string, readonly OpenCorrection[]>
  /** Others of this person's company, and other accounts of theirs: where one stands on a side, they sign for no other. */
  readonly related: readonly Signatory[]
  /** Formulas whose digest still has to be computed, and those of them of which there is the last known one. */
  readonly pending: number
  readonly outdated: ReadonlySet<string>
}

/** Without what was last known of agreements that are being computed: a page shows it as that, and a mail cannot. */
export function currentOf(glance: AgreementGlance): AgreementGlance {
  const isCurrent = ([id]: readonly [id: string, ...unknown[]]) => !glance.outdated.has(id)
  const digests = new Map([...glance.digests].filter(isCurrent))
  return { ...glance, digests, corrections: new Map([...glance.corrections].filter(isCurrent)) }
}

/** `index` has all formulas. `people` may be read once for many who look. */
export async function readAgreementGlance(
  parts: ViewParts,
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
    // What is seen as it last stood is not in the state that it is in now; what a former supplier signed is still corrected.
    if (sights.get(row)!.knownAt === null) digests.set(row.id, digest)
    const seen = digest.corrections.filter(each => isCorrectionSeen(seat, row, each))
    if (seen.length > 0) corrections.set(row.id, seen)
  }
  return { index, rows, digests, corrections, related, pending, outdated }
}

export function readPeople({ installation: { sql } }: ViewParts, workspaceId: string): Promise<KnownPeople> {
  return withWorkspace(sql, workspaceId, tx => readKnownPeople(tx, workspaceId))
}

/** A correction is of one supplier: no other one sees it (decision 0418). */
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
 * How long the formulas of one list are computed, all of them together. In a worker each may take seconds, and a list
 * that waited for all of them would never be answered. What was left out is available sooner on the next request.
 */
export class ListTime {
  readonly #untilMs: number
  /** Formulas whose numbers were left out. */
  readonly late = new Set<string>()

  constructor({ bounds }: Pick<ViewParts, 'bounds'>) {
    this.#untilMs = performance.now() + bounds.listMs
  }

  /** Whether there is no time left for this formula; if so, that is recorded. */
  isOverFor(agreementId: string): boolean {
    if (performance.now() < this.#untilMs) return false
    this.late.add(agreementId)
    return true
  }
}

/**
 * Some of them, with their numbers, in the order given; one that was removed meanwhile is left out. Formulas for which
 * the time does not suffice get what the calendar says, and a sentence instead of the numbers.
 */
export async function openAgreements(
  parts: ViewParts,
  seat: Seat,
  rows: readonly AgreementRecord[],
  time: ListTime,
): Promise<readonly SeenAgreement[]> {
  const formulas: (SeenAgreement | null)[] = []
  const turns = rows.entries()
  const work = async () => {
    for (const [i, row] of turns) {
      formulas[i] = await open(parts, seat, row, time)
      // They may all have to be computed: other requests are answered in between.
      await setImmediate()
    }
  }
  await Promise.all(Array.from({ length: limits.formulasAtOnce }, work))
  return formulas.filter(each => each !== null)
}

/** Null if it does not exist for this person. */
async function open(
  parts: ViewParts,
  seat: Seat,
  row: AgreementRecord,
  time: ListTime | null = null,
  cuts: Cuts = noCuts,
): Promise<SeenAgreement | null> {
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

/** Refuses if nothing can be computed. */
export function adjustmentsOf({ adjustments, gap }: SeenAgreement): Adjustments {
  if (adjustments === null) throw new Refusal('not-found', gap?.sentence ?? 'nothing can be computed')
  return adjustments
}

/** As it stood at a cut: never later than this person sees it now. */
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
 * As of when somebody sees corrections and the ledger: as they last stood while it is a draft again. What a former
 * supplier signed may still be corrected, so for it they go on.
 */
export function moneyTime(parts: ViewParts, { knownAt, tenure }: Sight): PriceTime {
  const today = todayOf(parts)
  if (knownAt === null || tenure?.endedAt != null) return { knownAt: null, until: today }
  return { knownAt, until: Math.min(today, dayOfInstant(knownAt)) }
}

/** Every period from today's data alone, ignoring signatures: the answer to `asOf` of today, by date. */
export async function readTodays(
  { library }: ViewParts,
  seat: Seat,
  { cached, today, sight }: SeenAgreement,
): Promise<ReadonlyMap<string, EntrySummary>> {
  const request = { asOf: endOfDay(today), knownAt: sight.knownAt, version: null, until: today }
  const adjustments = await library.adjustments(seat.workspace.id, cached, request)
  return new Map(adjustments?.summaries().map(summary => [summary.date, summary]))
}

/** The names of the workspace's members, by their addresses. */
export async function readNames({ installation }: ViewParts, seat: Seat): Promise<ReadonlyMap<string, string>> {
  const members = await listMembers(installation.sql, seat.workspace.id)
  return new Map(members.map(({ email, name }) => [email.toLowerCase(), name]))
}
