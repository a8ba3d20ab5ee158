// Open signatures for one person: the open periods, corrections and changes of terms of each agreement, and their counts. Home,
// badge, inbox, mail and lists count by this alone, so that they say the same number; nothing is opened.

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
import type { ViewContext } from '../sight/view-parts.ts'
import { signatoryOf, stateFor } from '../sight/visibility.ts'
import { type AgreementGlance, readAgreementGlance } from './opened-agreement.ts'
import { partyOf } from './signing-view.ts'

/** An agreement with something open. */
export interface WaitingAgreement {
  readonly agreement: AgreementRecord
  /** Its state for this person. */
  readonly state: AgreementStateRow
  /** Side whose periods they sign; null for none. */
  readonly party: Party | null
  /** Sorted by date, see `unpackPeriod`. */
  readonly periods: {
    /** Periods that wait for the viewer. */
    readonly mine: PackedPeriods
    readonly others: PackedPeriods
    /** Disputed periods of both lists. */
    readonly disputed: PackedPeriods
  }
  /** Sorted, the oldest first. */
  readonly corrections: {
    readonly mine: readonly OpenCorrection[]
    readonly others: readonly OpenCorrection[]
  }
  /** At most one change, in one of the lists. */
  readonly changes: {
    readonly mine: readonly OpenTermsChange[]
    readonly others: readonly OpenTermsChange[]
  }
  /** True where its numbers take long to compute: the periods are those of its calendar. */
  readonly isByCalendar: boolean
  /** Why a side it waits for does not sign some of it now; null where nothing is in the way. */
  readonly hindrance: Hindrance | null
}

/** Knowledge of agreements without opening them. */
type GlancedAgreements = Pick<AgreementGlance, 'digests' | 'corrections' | 'related'>
type Glance = GlancedAgreements & Pick<AgreementGlance, 'rows'>

/** Agreements of the glance with something open, by slug; their periods only of one month `2024-04` if it is given. */
export function* waitingAgreements(seat: Seat, glance: Glance, month?: string): Generator<WaitingAgreement> {
  for (const row of glance.rows) {
    const waiting = waitingOf(seat, glance, row, month)
    if (waiting !== null) yield waiting
  }
}

/** The open parts of an agreement; null where there are none. */
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

/** Periods before which a side has to agree to terms, and the reason in words. */
interface Unagreed {
  /** Whether the viewer's side has to agree before it signs the period. */
  readonly isMine: (packed: number) => boolean
  readonly hindrance: Hindrance | null
}

const nothingUnagreed: Unagreed = { isMine: () => false, hindrance: null }

/** Every period from the first one with such terms on: they are signed in order. */
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
  /** Whether the viewer may not sign it, though it waits for their side. */
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

/** Open corrections. The buyer of today and the supplier whose periods are corrected sign them. */
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

/** Side for which a person may sign; null for none. */
function signingSide(seat: Seat, related: GlancedAgreements['related'], parties: AgreementParties): Party | null {
  const side = partyOf(seat, { parties })
  return side === null || whyNotApart(side, signatoryOf(seat), { parties }, related) !== null ? null : side
}

/** Open changes of terms. They are signed while the agreement is in force, by the parties that the person sees. */
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

/** All open signatures, with exact counts. In slices: there may be many thousands of agreements. */
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

/** Count for the badge: things that wait for the person who asks. */
export async function countWhatWaits(parts: ViewContext, seat: Seat): Promise<WaitingCount> {
  const index = await parts.library.index(seat.workspace.id, { agreements: 'all' })
  const glance = await readAgreementGlance(parts, seat, index)
  const { mine } = (await readWhatWaits(seat, glance)).counts
  return { ...mine, mineCount: mine.periods + mine.corrections + mine.changes, pending: glance.pending }
}
