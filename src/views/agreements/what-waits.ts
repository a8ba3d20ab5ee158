// What waits for a signature, for one person: of each agreement the open periods, corrections and changes of terms, and how many
// there are in all. Home, badge, inbox, mail and lists count by this alone, so that they say the same number; nothing is
// opened for it.

import { otherParty } from '../../agreements/parties.ts'
import { whyNotApart } from '../../agreements/signable.ts'
import { whyNotCorrected } from '../../agreements/status-words.ts'
import { nameTerms, toAgree, whyNotAgreed, whyNotCountedYet } from '../../agreements/terms/consent.ts'
import { type Party, parties as partyNames } from '../../core/parties.ts'
import type { OpenCorrection } from '../../read/agreements/correction-view.ts'
import { isDisputedPeriod, type PackedPeriods, unpackPeriod, waitsForSide } from '../../read/agreements/open-periods.ts'
import type { OpenTermsChange } from '../../read/agreements/terms-view.ts'
import { noFigures, unpackFigures } from '../../read/lists/open-figures.ts'
import { Slices } from '../../read/memory/slices.ts'
import type { AgreementParties, AgreementRecord, AgreementStateRow } from '../../storage/agreements/agreements.ts'
import type { WaitingCount } from '../calls/agreement-calls.ts'
import type { WaitingCounts, WaitingTally } from '../shapes/agreements.ts'
import type { Hindrance } from '../shapes/inbox.ts'
import type { Seat } from '../sight/seat.ts'
import type { ViewParts } from '../sight/view-parts.ts'
import { signatoryOf, stateFor } from '../sight/visibility.ts'
import { type AgreementGlance, readAgreementGlance } from './seen-agreement.ts'
import { partyOf } from './signing-view.ts'

/** An agreement of which something is open. */
export interface WaitingAgreement {
  readonly agreement: AgreementRecord
  /** As this person sees it. */
  readonly state: AgreementStateRow
  /** The side that they sign its periods for; null for none. */
  readonly party: Party | null
  /** By date, see `unpackPeriod`. */
  readonly periods: {
    /** Those that wait for the person who looks. */
    readonly mine: PackedPeriods
    readonly others: PackedPeriods
    /** Of both. */
    readonly disputed: PackedPeriods
  }
  /** The oldest first. */
  readonly corrections: {
    readonly mine: readonly OpenCorrection[]
    readonly others: readonly OpenCorrection[]
  }
  /** At most one, on one of the sides. */
  readonly changes: {
    readonly mine: readonly OpenTermsChange[]
    readonly others: readonly OpenTermsChange[]
  }
  /** Its numbers take long to compute: the periods are those of its calendar. */
  readonly isByCalendar: boolean
  /** Why some of it is not signed now by a side for which it waits; null where nothing is in the way. */
  readonly hindrance: Hindrance | null
}

/** What is known of agreements without opening them. */
type GlancedAgreements = Pick<AgreementGlance, 'digests' | 'corrections' | 'related'>
type Glance = GlancedAgreements & Pick<AgreementGlance, 'rows'>

/** Those of the glance, by slug; of their periods only those of one month `2024-04` if it is given. */
export function* waitingAgreements(seat: Seat, glance: Glance, month?: string): Generator<WaitingAgreement> {
  for (const row of glance.rows) {
    const waiting = waitingOf(seat, glance, row, month)
    if (waiting !== null) yield waiting
  }
}

/** Null where nothing of it is open. */
export function waitingOf(
  seat: Seat,
  known: GlancedAgreements,
  agreement: AgreementRecord,
  month?: string,
): WaitingAgreement | null {
  const state = stateFor(seat, agreement)
  if (state === undefined) return null
  const party = partyOf(seat, state)
  const apart = party === null ? null : whyNotApart(party, signatoryOf(seat), state, known.related)
  const unagreed = unagreedPeriods(seat, known, agreement, state, party)
  const refused = (packed: number) => apart !== null || unagreed.isMine(packed)
  const periods = openPeriods(known, agreement, state, { party, refused, month })
  const corrections = openCorrections(seat, known, agreement)
  const changes = openChanges(seat, known, agreement, state)
  if ([periods, corrections, changes].every(({ mine, others }) => mine.length + others.length === 0)) return null
  const isByCalendar = known.digests.get(agreement.id)?.gap?.kind === 'work'
  const hindrance = apart === null ? unagreed.hindrance : { words: `${apart}.`, isConsent: false }
  return { agreement, state, party, periods, corrections, changes, isByCalendar, hindrance }
}

/** The periods before which a side has to agree to terms, and what that is in words. */
interface Unagreed {
  /** Whether the person who looks does not sign it before. */
  readonly isMine: (packed: number) => boolean
  readonly hindrance: Hindrance | null
}

const nothingUnagreed: Unagreed = { isMine: () => false, hindrance: null }

/** All from the first one on: they are signed in order. */
function unagreedPeriods(
  seat: Seat,
  { digests }: GlancedAgreements,
  { id, slug, states }: AgreementRecord,
  { parties }: AgreementStateRow,
  own: Party | null,
): Unagreed {
  const { open = [], made = null, figures = noFigures } = digests.get(id) ?? {}
  if (made === null) return nothingUnagreed
  const agreement = { slug, states, made: made.terms }
  const numbers = open.map((packed, i) => ({ version: made.ofOpen[i]!, date: unpackPeriod(packed).date }))
  if (own !== null) {
    const other = otherParty[own]
    const whyNot = whyNotAgreed(agreement, own, signatoryOf(seat))
    const whyNotCounted = whyNotCountedYet(agreement, other, parties[other])
    const whyNotAt = (i: number, period: string) =>
      whyNot(numbers[i]!, period) ?? (waitsForSide(open[i]!, other) ? null : whyNotCounted(numbers[i]!, period))
    const first = open.findIndex((packed, i) => waitsForSide(packed, own) && whyNotAt(i, '') !== null)
    if (first >= 0) {
      const { period } = unpackFigures(figures)[first]!
      return {
        isMine: packed => packed >= open[first]!,
        hindrance: { words: `${sentence(whyNotAt(first, period)!)}.`, isConsent: true },
      }
    }
  }
  for (const party of partyNames) {
    const waits = toAgree(agreement, party, parties[party])
    const place = open.findIndex((packed, i) => waitsForSide(packed, party) && waits(numbers[i]!) !== null)
    if (place < 0) continue
    const words = `${sentence(nameTerms(waits(numbers[place]!)!))} was agreed without the ${party}, which has to agree to it before it signs a number under it.`
    return { ...nothingUnagreed, hindrance: { words, isConsent: true } }
  }
  return nothingUnagreed
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export function waitsForViewer({ periods, corrections, changes }: WaitingAgreement): boolean {
  return periods.mine.length + corrections.mine.length + changes.mine.length > 0
}

interface PeriodsAsked {
  readonly party: Party | null
  /** Whether the person who looks may not sign it, though it waits for their side. */
  readonly refused: (packed: number) => boolean
  readonly month: string | undefined
}

function openPeriods(
  { digests }: GlancedAgreements,
  { id }: AgreementRecord,
  { status }: AgreementStateRow,
  { party, refused, month }: PeriodsAsked,
): WaitingAgreement['periods'] {
  const all = status === 'ACTIVE' ? (digests.get(id)?.open ?? []) : []
  const open = month === undefined ? all : all.filter(each => unpackPeriod(each).date.startsWith(month))
  const isMine = (each: number) => party !== null && waitsForSide(each, party) && !refused(each)
  return {
    mine: open.filter(isMine),
    others: open.filter(each => !isMine(each)),
    disputed: open.filter(isDisputedPeriod),
  }
}

/** A correction is signed by the buyer of today and the supplier whose periods it is about. */
function openCorrections(seat: Seat, { corrections, related }: GlancedAgreements, agreement: AgreementRecord) {
  const { id, slug, states } = agreement
  const now = states.at(-1)!
  const open = whyNotCorrected(slug, now) === null ? (corrections.get(id) ?? []) : []
  const isMine = ({ supplier, waitsFor }: OpenCorrection) => {
    const side = signingSide(seat, related, { buyer: now.parties.buyer, supplier })
    return side !== null && waitsFor.includes(side)
  }
  return { mine: open.filter(isMine), others: open.filter(each => !isMine(each)) }
}

/** The side for which a person may sign; null for none. */
function signingSide(seat: Seat, related: GlancedAgreements['related'], parties: AgreementParties): Party | null {
  const side = partyOf(seat, { parties })
  return side === null || whyNotApart(side, signatoryOf(seat), { parties }, related) !== null ? null : side
}

/** A change of terms is signed while the agreement is in force, by those whom a person sees as its parties. */
function openChanges(
  seat: Seat,
  { digests, related }: GlancedAgreements,
  { id }: AgreementRecord,
  { status, parties }: AgreementStateRow,
): WaitingAgreement['changes'] {
  const open = status === 'ACTIVE' ? (digests.get(id)?.termsChange ?? null) : null
  if (open === null) return { mine: [], others: [] }
  const side = signingSide(seat, related, parties)
  return side !== null && open.waitsFor.includes(side) ? { mine: [open], others: [] } : { mine: [], others: [open] }
}

/** All of it, with exact counts. In slices: there may be many thousands of agreements. */
export async function readWhatWaits(
  seat: Seat,
  glance: Glance,
  month?: string,
): Promise<{ readonly rows: readonly WaitingAgreement[]; readonly counts: WaitingCounts }> {
  const rows: WaitingAgreement[] = []
  const [mine, others] = [{ ...nothing }, { ...nothing }]
  const counts = { mine, others, disputed: 0, byCalendar: 0 }
  const slices = new Slices()
  for (const row of waitingAgreements(seat, glance, month)) {
    rows.push(row)
    for (const [tally, side] of [
      [mine, 'mine'],
      [others, 'others'],
    ] as const)
      add(tally, row.periods[side].length, row.corrections[side].length, row.changes[side].length)
    counts.disputed += row.periods.disputed.length
    if (row.isByCalendar) counts.byCalendar++
    await slices.rest()
  }
  return { rows, counts }
}

const nothing = { agreements: 0, periods: 0, corrections: 0, changes: 0 }

type Tally = { -readonly [K in keyof WaitingTally]: number }

function add(tally: Tally, periods: number, corrections: number, changes: number): void {
  if (periods + corrections + changes > 0) tally.agreements++
  tally.periods += periods
  tally.corrections += corrections
  tally.changes += changes
}

/** How many things wait for the person who asks: the badge. */
export async function countWhatWaits(parts: ViewParts, seat: Seat): Promise<WaitingCount> {
  const index = await parts.library.index(seat.workspace.id, { agreements: 'all' })
  const glance = await readAgreementGlance(parts, seat, index)
  const { mine } = (await readWhatWaits(seat, glance)).counts
  return { ...mine, mineCount: mine.periods + mine.corrections + mine.changes, pending: glance.pending }
}
