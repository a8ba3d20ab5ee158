// The state of a change of terms: derived from what is stored about its agreement, never stored. It is open while it is the
// newest, changes the version that is still the newest, touches nothing that both have signed, and has the parties it was
// proposed to. And which versions were agreed on while others were in a party's place (T50), by a few facts of each, so that lists judge
// that too without opening anything.

import { checkDocument } from '../../core/formula/check/check.ts'
import { type Party, parties as partyNames } from '../../core/parties.ts'
import type { Instant } from '../../core/time/instant.ts'
import { openStates, type ProposalState, stateOfProposal } from '../../core/true-up/proposal-state.ts'
import type { AgreementParties, AgreementStateRow, StoredAgreement } from '../../storage/agreements/agreements.ts'
import type { KeptChange } from '../../storage/agreements/terms-changes.ts'
import { partiesOf } from './agreement-snapshot.ts'
import { inForce, sideKey, type Tenure, tenureOf } from './tenure.ts'

type Known = Pick<StoredAgreement, 'changes' | 'formulas' | 'states' | 'signOffs' | 'receipts' | 'lists'>

export function stateOfChange(kept: Known, change: KeptChange): ProposalState {
  const signedBy = new Set<Party>(change.plannedBy === null ? change.signatures.map(({ party }) => party) : partyNames)
  return stateOfProposal({
    signedBy,
    isRefused: change.refusal !== null,
    isSuperseded: whySuperseded(kept, change) !== null,
    isLapsed: false,
  })
}

/** Why it is not the one to sign any more, in words; null where it is. */
export function whySuperseded(kept: Known, change: KeptChange): string | null {
  const { id, kind, seq, basis } = change
  const newer = kept.changes.findLast(each => each.seq > seq)
  if (newer !== undefined) return `${newer.id} has taken its place`
  const version = kept.formulas.at(-1)?.version ?? basis
  if (version !== basis) return `it changes formula ${basis}, and formula ${version} is the newest`
  const why = kind === 'PRICE_LIST' ? whyNoList(kept, change) : whySigned(kept, change)
  if (why !== null) return why
  const then = kept.states.findLast(each => each.seq < seq)
  const now = kept.states.at(-1)
  if (then === undefined || now === undefined || then === now) return null
  if (!isSameParties(then.parties, now.parties)) return `the parties are others than when ${id} was proposed`
  // A whole document would bring back what was changed since; a splice leaves it alone.
  return kind === 'AMENDMENT' ? 'its name, status or billing terms were changed since' : null
}

function whySigned(kept: Known, { effectiveFrom }: KeptChange): string | null {
  const last = lastSignedDate(kept)
  return last === null || last < effectiveFrom
    ? null
    : `it begins with ${effectiveFrom}, and both have signed the number of ${last} since`
}

/** A list waits for who has signed a period of it; what a side signs for the first time since was signed under the list before. */
function whyNoList({ lists, signOffs }: Known, { seq, effectiveFrom }: KeptChange): string | null {
  const list = lists.findLast(each => each.seq > seq)
  if (list !== undefined) return `price list ${list.version} was applied since`
  const known = new Set(signOffs.filter(each => each.seq < seq).map(({ period, party }) => `${party} ${period}`))
  const fresh = signOffs.find(
    each => each.seq > seq && each.adjustmentDate >= effectiveFrom && !known.has(`${each.party} ${each.period}`),
  )
  return fresh === undefined ? null : `the ${fresh.party} has signed the number of ${fresh.period} since`
}

function isSameParties(a: AgreementParties, b: AgreementParties): boolean {
  return partyNames.every(party => sideKey(a[party]) === sideKey(b[party]))
}

/** The newest date that both have signed; null where there is none. */
function lastSignedDate({ receipts, signOffs }: Pick<Known, 'receipts' | 'signOffs'>): string | null {
  const signed = receipts.filter(receipt => partiesOf(signOffs, receipt).size === partyNames.length)
  return signed
    .map(({ adjustmentDate }) => adjustmentDate)
    .reduce<string | null>((a, b) => (a !== null && a > b ? a : b), null)
}

/** The one that may still be signed; null where there is none. */
export function openChange(kept: Known): KeptChange | null {
  const newest = kept.changes.at(-1)
  return newest !== undefined && openStates.includes(stateOfChange(kept, newest)) ? newest : null
}

type State = Pick<AgreementStateRow, 'seq' | 'status' | 'parties' | 'recordedAt'>

/** A version, as far as it matters who was a party when. */
export interface VersionMade {
  readonly version: number
  readonly seq: number
  readonly recordedAt: Instant
  /** False where the contract let one side change the terms alone, and one did. */
  readonly isOfBoth: boolean
  /** The places at which the same was agreed too: the plan that it carries out, and amendments with the same document. */
  readonly agreedAt: readonly number[]
}

export interface AgreedWithout extends Pick<VersionMade, 'version' | 'recordedAt'> {
  /** Who the parties were then. */
  readonly parties: AgreementParties
  /** Whether the party has to agree to it before it signs under it. */
  readonly needsConsent: boolean
}

/** The versions of an agreement whose parties were not always the same; else none. */
export function versionsMade(kept: Known): readonly VersionMade[] {
  const isOne = partyNames.every(party => new Set(kept.states.map(({ parties }) => sideKey(parties[party]))).size === 1)
  return isOne ? [] : kept.formulas.map(formula => versionMade(kept, formula))
}

function versionMade(kept: Known, formula: Known['formulas'][number]): VersionMade {
  const { version, seq, recordedAt, proposal } = formula
  const isOfBoth = proposal !== null || leavesToBoth(formula)
  const planned = kept.changes.find(({ id }) => id === proposal)?.plannedBy ?? null
  const plan = kept.formulas.filter(each => each.version === planned)
  const again = kept.changes.filter(
    change =>
      change.kind === 'AMENDMENT' &&
      change.basis === version &&
      stateOfChange(kept, change) === 'AGREED' &&
      kept.formulas.every(each => each.proposal !== change.id),
  )
  return { version, seq, recordedAt, isOfBoth, agreedAt: [...plan, ...again].map(each => each.seq) }
}

/** A price list, which is agreed to again only by a newer one. */
export function listMade({ formulas }: Known, list: Known['lists'][number]): VersionMade {
  const { version, seq, recordedAt, proposal } = list
  const governing = formulas.findLast(formula => formula.seq <= seq)
  const isOfBoth = proposal !== null || (governing !== undefined && leavesToBoth(governing))
  return { version, seq, recordedAt, isOfBoth, agreedAt: [] }
}

function leavesToBoth({ documentText }: Known['formulas'][number]): boolean {
  return checkDocument(documentText).formula?.contract.change === 'BOTH'
}

/** By the number of the version; empty for a party that never was away. */
export function agreedWithout(
  states: readonly State[],
  made: readonly VersionMade[],
  isParty: (parties: AgreementParties) => boolean,
): ReadonlyMap<number, AgreedWithout> {
  const tenure = made.length === 0 ? null : tenureOf(states, isParty)
  if (tenure === null || tenure.isWhole) return new Map()
  const away = made.filter(({ seq }) => seq >= tenure.spans[0]!.fromSeq && !isOwn(tenure, seq))
  return new Map(
    away.map(({ version, seq, recordedAt, isOfBoth, agreedAt }) => {
      const { parties } = inForce(states).findLast(state => state.seq <= seq) ?? states[0]!
      const needsConsent = isOfBoth && !agreedAt.some(at => isOwn(tenure, at))
      return [version, { version, recordedAt, parties, needsConsent }]
    }),
  )
}

function isOwn({ spans }: Tenure, at: number): boolean {
  return spans.some(({ fromSeq, toSeq }) => fromSeq <= at && (toSeq === null || at < toSeq))
}
