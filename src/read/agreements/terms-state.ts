// The state of a change of terms: derived from the agreement's rows, never stored. A change is open while it is the newest, changes
// the newest version, touches nothing that both have signed, and has the parties it was proposed to. Also the versions, price lists
// and billing terms that were agreed on while others were in a party's place (T50), in a few facts each, so that lists of
// agreements judge that too without opening anything.

import { checkDocument } from '../../core/formula/check/check.ts'
import { type Party, parties as partyNames } from '../../core/parties.ts'
import { formatDay } from '../../core/time/day.ts'
import type { Instant } from '../../core/time/instant.ts'
import { openStates, type ProposalState, stateOfProposal } from '../../core/true-up/proposal-state.ts'
import type { AgreementHistory, AgreementParties, AgreementStateRow } from '../../storage/agreements/agreements.ts'
import type { ListHead } from '../../storage/agreements/price-lists.ts'
import type { StoredChange } from '../../storage/agreements/terms-changes.ts'
import { partiesOf } from './agreement-snapshot.ts'
import { billingVersions } from './billing-versions.ts'
import { startsOf } from './settled-price.ts'
import { inForce, isOwnEntry, sideKey, tenureOf, tenureOfNow } from './tenure.ts'

type KnownTerms = Pick<AgreementHistory, 'changes' | 'versions' | 'states' | 'signOffs' | 'receipts' | 'lists'>

export function stateOfChange(kept: KnownTerms, change: StoredChange): ProposalState {
  const signedBy = new Set<Party>(change.plannedBy === null ? change.signatures.map(({ party }) => party) : partyNames)
  return stateOfProposal({
    signedBy,
    isRefused: change.refusal !== null,
    isSuperseded: whySuperseded(kept, change) !== null,
    isLapsed: false,
  })
}

/** Why it is no longer the one to sign, in words; null where it is. */
export function whySuperseded(kept: KnownTerms, change: StoredChange): string | null {
  const { id, kind, seq, basis } = change
  const newer = kept.changes.findLast(each => each.seq > seq)
  if (newer !== undefined) return `${newer.id} has taken its place`
  const version = kept.versions.at(-1)?.version ?? basis
  if (version !== basis) return `it changes formula ${basis}, and formula ${version} is the newest`
  const why = kind === 'PRICE_LIST' ? whyNoList(kept, change) : whySigned(kept, change)
  if (why !== null) return why
  const then = kept.states.findLast(each => each.seq < seq)
  const now = kept.states.at(-1)
  if (then === undefined || now === undefined || then === now) return null
  if (!isSameParties(then.parties, now.parties)) return `the parties are others than when ${id} was proposed`
  // A whole document would bring back old values of its name, status or terms; a splice leaves them alone.
  return kind === 'AMENDMENT' ? 'its name, status or billing terms were changed since' : null
}

function whySigned(kept: KnownTerms, { effectiveFrom }: StoredChange): string | null {
  const last = lastSignedDate(kept)
  return last === null || last < effectiveFrom
    ? null
    : `it begins with ${effectiveFrom}, and both have signed the number of ${last} since`
}

/**
 * Reason why a price list can no longer be signed: a side's first signature on one of its periods came since, under the earlier
 * list. Signatures of earlier holders of the side do not count as its own.
 */
function whyNoList({ lists, signOffs, states }: KnownTerms, { seq, effectiveFrom }: StoredChange): string | null {
  const list = lists.findLast(each => each.seq > seq)
  if (list !== undefined) return `price list ${list.version} was applied since`
  const now = { buyer: tenureOfNow(states, 'buyer'), supplier: tenureOfNow(states, 'supplier') }
  const isOwn = (party: Party, at: number) => now[party] === null || isOwnEntry(now[party], at)
  const own = signOffs.filter(each => each.seq < seq && isOwn(each.party, each.seq))
  const known = new Set(own.map(({ period, party }) => `${party} ${period}`))
  const fresh = signOffs.find(
    each => each.seq > seq && each.adjustmentDate >= effectiveFrom && !known.has(`${each.party} ${each.period}`),
  )
  return fresh === undefined ? null : `the ${fresh.party} has signed the number of ${fresh.period} since`
}

function isSameParties(a: AgreementParties, b: AgreementParties): boolean {
  return partyNames.every(party => sideKey(a[party]) === sideKey(b[party]))
}

/** Newest date that both have signed; null where there is none. */
function lastSignedDate({ receipts, signOffs }: Pick<KnownTerms, 'receipts' | 'signOffs'>): string | null {
  const signed = receipts.filter(receipt => partiesOf(signOffs, receipt).size === partyNames.length)
  return signed
    .map(({ adjustmentDate }) => adjustmentDate)
    .reduce<string | null>((a, b) => (a !== null && a > b ? a : b), null)
}

/** The change that may still be signed; null where there is none. */
export function openChange(kept: KnownTerms): StoredChange | null {
  const newest = kept.changes.at(-1)
  return newest !== undefined && openStates.includes(stateOfChange(kept, newest)) ? newest : null
}

type PartyState = Pick<AgreementStateRow, 'seq' | 'status' | 'parties' | 'recordedAt'>

/** A formula version, a price list or a version of the billing terms, with the facts that decide who was a party to it. */
export interface TermsMade {
  readonly kind: 'FORMULA' | 'PRICE_LIST' | 'BILLING'
  readonly version: number
  /** The change of terms that made it; null where one side applied it alone. */
  readonly proposal: string | null
  readonly seq: number
  readonly recordedAt: Instant
  /** False where the contract let one side change the terms alone, and one did. */
  readonly isOfBoth: boolean
  /** Entries by which the same terms were agreed too: the plan that it carries out, and amendments with the same document. */
  readonly agreedAt: readonly number[]
  readonly over: readonly EarlierSignature[]
}

/** A signature older than a price list that now covers it: given for the earlier number, and not given again since. */
interface EarlierSignature {
  readonly party: Party
  /** Date of the adjustment. */
  readonly date: string
  readonly seq: number
}

/** Terms of an agreement whose parties changed; empty for an agreement whose parties never did. */
export interface MadeTerms {
  readonly versions: readonly TermsMade[]
  readonly lists: readonly (TermsMade & Pick<ListHead, 'fromDate'>)[]
  readonly billing: readonly TermsMade[]
  /** Versions that renegotiated the price, with their days: earlier lists do not govern from there on. */
  readonly restarts: readonly { readonly version: number; readonly date: string }[]
}

/** A number, by the formula version that makes it and its adjustment date. */
export interface NumberMade {
  readonly version: number
  readonly date: string
}

export interface AgreedWithout extends Pick<TermsMade, 'kind' | 'version' | 'recordedAt'> {
  /** The parties of then. */
  readonly parties: AgreementParties
  /** Whether the party has to agree to it before it signs under it. */
  readonly needsConsent: boolean
  /** Dates that the party had signed before, under other terms: these signatures do not count before it has agreed. */
  readonly signedBefore: readonly string[]
}

const nothingMade: MadeTerms = { versions: [], lists: [], billing: [], restarts: [] }

export function termsMade(kept: KnownTerms): MadeTerms {
  const isOne = partyNames.every(party => new Set(kept.states.map(({ parties }) => sideKey(parties[party]))).size === 1)
  if (isOne) return nothingMade
  return {
    versions: kept.versions.map(formula => formulaMade(kept, formula)),
    lists: kept.lists.map(list => listMade(kept, list)),
    billing: billingMade(kept),
    restarts: kept.lists.length === 0 ? [] : restartsOf(kept),
  }
}

/** Terms of a number: formula version, price list of its day, and the newest billing terms, which govern all that is open. */
export function termsOfNumber(
  { versions, lists, billing, restarts }: MadeTerms,
  { version, date }: NumberMade,
): TermsMade[] {
  const formula = versions.find(each => each.version === version)
  const start = restarts.findLast(each => each.version <= version && each.date <= date)?.date ?? ''
  const list = lists.findLast(({ fromDate }) => start <= fromDate && fromDate <= date)
  return [formula, list, billing.at(-1)].filter(each => each !== undefined)
}

function formulaMade(kept: KnownTerms, formula: KnownTerms['versions'][number]): TermsMade {
  const { version, seq, recordedAt, proposal } = formula
  const isOfBoth = proposal !== null || leavesToBoth(formula)
  const planned = kept.changes.find(({ id }) => id === proposal)?.plannedBy ?? null
  const plan = kept.versions.filter(each => each.version === planned)
  const again = kept.changes.filter(
    change =>
      change.kind === 'AMENDMENT' &&
      change.basis === version &&
      stateOfChange(kept, change) === 'AGREED' &&
      kept.versions.every(each => each.proposal !== change.id),
  )
  const agreedAt = [...plan, ...again].map(each => each.seq)
  // No earlier signature counts: under another formula version it is another number.
  return { kind: 'FORMULA', version, proposal, seq, recordedAt, isOfBoth, agreedAt, over: [] }
}

/** A price list is agreed to again only by a newer list. */
function listMade(
  { versions, signOffs }: Pick<KnownTerms, 'versions' | 'signOffs'>,
  list: ListHead,
): MadeTerms['lists'][number] {
  const { version, seq, recordedAt, fromDate, proposal } = list
  const isOfBoth = proposal !== null || isLeftToBothBy({ versions }, seq)
  const isRepeated = ({ party, period }: KnownTerms['signOffs'][number]) =>
    signOffs.some(each => each.party === party && each.period === period && each.seq > seq)
  const over = signOffs
    .filter(each => each.seq < seq && each.adjustmentDate >= fromDate && !isRepeated(each))
    .map(each => ({ party: each.party, date: each.adjustmentDate, seq: each.seq }))
  return { kind: 'PRICE_LIST', version, proposal, seq, recordedAt, isOfBoth, agreedAt: [], over, fromDate }
}

function billingMade(kept: KnownTerms): TermsMade[] {
  const versions = billingVersions(kept)
  const made = new Set(versions.map(({ proposal }) => proposal))
  const again = kept.changes.filter(
    change => change.kind === 'AMENDMENT' && !made.has(change.id) && stateOfChange(kept, change) === 'AGREED',
  )
  return versions.map(({ version, proposal, seq, recordedAt }, i) => {
    const next = versions[i + 1]?.seq ?? Number.POSITIVE_INFINITY
    const isOfBoth = proposal !== null || isLeftToBothBy(kept, seq)
    // An amendment agreed before other billing terms come contains these terms.
    const agreedAt = again.map(each => each.seq).filter(at => seq < at && at < next)
    // Terms of a document are agreed on by the parties before it, also where it names others.
    return { kind: 'BILLING', version, proposal, seq: seq - 1, recordedAt, isOfBoth, agreedAt, over: [] }
  })
}

/** Whether the formula version that stood before an entry leaves changes of terms to both. */
function isLeftToBothBy({ versions }: Pick<KnownTerms, 'versions'>, seq: number): boolean {
  const governing = versions.findLast(formula => formula.seq <= seq)
  return governing !== undefined && leavesToBoth(governing)
}

function restartsOf({ versions }: KnownTerms): MadeTerms['restarts'] {
  const restarts = versions.flatMap(({ version, documentText }) => {
    const { formula } = checkDocument(documentText)
    return formula === null ? [] : [{ number: version, formula }]
  })
  return startsOf(restarts, Number.POSITIVE_INFINITY)
    .slice(1)
    .map(({ date, version }) => ({ version: version.number, date: formatDay(date) }))
}

function leavesToBoth({ documentText }: KnownTerms['versions'][number]): boolean {
  return checkDocument(documentText).formula?.contract.change === 'BOTH'
}

/** Returns the terms agreed without a party; null for those it agreed to, and for those from before it first came. */
export function agreedWithout(
  states: readonly PartyState[],
  party: Party,
  isParty: (parties: AgreementParties) => boolean,
): (terms: TermsMade) => AgreedWithout | null {
  const tenure = tenureOf(states, isParty)
  if (tenure === null || tenure.isWhole) return () => null
  return ({ kind, version, seq, recordedAt, isOfBoth, agreedAt, over }) => {
    if (seq < tenure.spans[0]!.fromSeq || isOwnEntry(tenure, seq)) return null
    const { parties } = inForce(states).findLast(state => state.seq <= seq) ?? states[0]!
    const needsConsent = isOfBoth && !agreedAt.some(at => isOwnEntry(tenure, at))
    const signedBefore = over
      .filter(each => each.party === party && isOwnEntry(tenure, each.seq))
      .map(({ date }) => date)
    return { kind, version, recordedAt, parties, needsConsent, signedBefore }
  }
}
