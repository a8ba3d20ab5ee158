// The time for which somebody has been a party to an agreement. It decides what of the agreement is theirs: what was agreed, said
// and billed in that time. Later and former parties have their own part (decision 0417). Pure over the states of an agreement.

import type { Party } from '../../core/parties.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { AgreementParties, AgreementStateRow } from '../../storage/agreements/agreements.ts'

type PartyState = Pick<AgreementStateRow, 'seq' | 'status' | 'parties' | 'recordedAt'>

/** From one instant on and before another; null: until now. */
interface Span {
  readonly from: Instant
  readonly to: Instant | null
  /** The span in entry numbers. */
  readonly fromSeq: number
  readonly toSeq: number | null
}

export interface Tenure {
  /** Ascending, with times of other parties in between. */
  readonly spans: readonly Span[]
  /** Whether nobody else ever was the party: then all of the agreement is theirs. */
  readonly isWhole: boolean
  /** Instant at which somebody else became the party; null while they are. */
  readonly endedAt: Instant | null
  /** For a time that has ended, seen as of a later moment: corrections count that were agreed by then. */
  readonly correctedBy?: Instant
  /** Key of the part; equal for everybody with the same part. */
  readonly key: string
}

/** States in which the agreement is no draft. */
export function inForce<S extends Pick<PartyState, 'status'>>(states: readonly S[]): readonly S[] {
  return states.filter(({ status }) => status !== 'DRAFT')
}

/**
 * The time of a party; null for somebody who never was one while the agreement was in force. A draft belongs to whoever is a party
 * once it is in force; until then the parties stay who they are.
 */
export function tenureOf(
  states: readonly PartyState[],
  isParty: (parties: AgreementParties) => boolean,
): Tenure | null {
  const spans: Span[] = []
  let isWhole = true
  for (const { from, fromSeq, to, toSeq, parties } of spansOf(states)) {
    const last = spans.at(-1)
    if (!isParty(parties)) isWhole = false
    else if (last?.toSeq === fromSeq) spans[spans.length - 1] = { ...last, to, toSeq }
    else spans.push({ from, fromSeq, to, toSeq })
  }
  const last = spans.at(-1)
  if (last === undefined) return null
  const key = spans.map(({ fromSeq, toSeq }) => `${fromSeq}-${toSeq ?? ''}`).join()
  return { spans, isWhole, endedAt: last.to, key }
}

/** Text before every instant. */
const beginning: Instant = ''

/** Each state in force, with the drafts that led to it. */
function spansOf(states: readonly PartyState[]): readonly (Span & Pick<PartyState, 'parties'>)[] {
  const starts: { from: Instant; fromSeq: number; parties: AgreementParties }[] = []
  let drafted: PartyState | null = null
  for (const state of states) {
    if (state.status === 'DRAFT') {
      drafted ??= state
      continue
    }
    const { recordedAt, seq } = drafted ?? state
    const isFirst = starts.length === 0
    starts.push({ from: isFirst ? beginning : recordedAt, fromSeq: isFirst ? 0 : seq, parties: state.parties })
    drafted = null
  }
  return starts.map((each, i) => {
    const next = starts[i + 1]
    return { ...each, to: next?.from ?? null, toSeq: next?.fromSeq ?? null }
  })
}

/** Whether an instant lies in the time. */
export function isWithin({ spans }: Pick<Tenure, 'spans'>, at: Instant): boolean {
  return spans.some(({ from, to }) => from <= at && (to === null || at < to))
}

/** Whether an entry lies in the time. */
export function isOwnEntry({ spans }: Pick<Tenure, 'spans'>, seq: number): boolean {
  return spans.some(({ fromSeq, toSeq }) => fromSeq <= seq && (toSeq === null || seq < toSeq))
}

/** A side in one spelling; empty for a side that names nobody. */
export function sideKey(side: AgreementParties[Party]): string {
  if (side === null) return ''
  return typeof side === 'string' ? side : JSON.stringify(side.map(each => each.trim().toLowerCase()).sort())
}

/** Everybody who was the supplier while it was in force, in the order in which they became it. */
export function suppliersOf(states: readonly PartyState[]): readonly AgreementParties['supplier'][] {
  const sides = new Map(inForce(states).map(({ parties: { supplier } }) => [sideKey(supplier), supplier]))
  return [...sides.values()]
}

/** The time of one supplier, whoever its people are. */
export function tenureOfSupplier(states: readonly PartyState[], supplier: AgreementParties['supplier']): Tenure | null {
  return tenureOfSide(states, 'supplier', supplier)
}

function tenureOfSide(states: readonly PartyState[], party: Party, side: AgreementParties[Party]): Tenure | null {
  const wanted = sideKey(side)
  return tenureOf(states, parties => sideKey(parties[party]) === wanted)
}

/** The time of the buyer or the supplier of today; null while there is none. */
export function tenureOfNow(states: readonly PartyState[], party: Party): Tenure | null {
  const now = inForce(states).at(-1)
  return now === undefined ? null : tenureOfSide(states, party, now.parties[party])
}
