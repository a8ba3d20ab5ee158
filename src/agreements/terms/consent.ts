// Consent of a party that comes back: it did not agree to what others agreed on in its place. It reads with whom that was agreed,
// and signs no number under it before it has agreed to it (T50), as both agree on any terms: to a formula version or billing
// terms by an amendment, which may say what the document says already, and to a price list by a newer one, which may have the
// same rows.

import { type Party, parties as partyNames } from '../../core/parties.ts'
import { formatDate } from '../../core/text/words.ts'
import { formatDay } from '../../core/time/day.ts'
import type { PeriodEntry } from '../../read/agreements/adjustments.ts'
import { sideKey } from '../../read/agreements/tenure.ts'
import {
  type AgreedWithout,
  agreedWithout,
  type MadeTerms,
  type NumberMade,
  type TermsMade,
  termsMade,
  termsOfNumber,
} from '../../read/agreements/terms-state.ts'
import type { AgreementHistory, AgreementParties, AgreementRecord } from '../../storage/agreements/agreements.ts'
import { type Signatory, standsFor } from '../parties.ts'

/** An agreement as far as consent asks about it. */
interface AgreedTerms extends Pick<AgreementRecord, 'slug' | 'states'> {
  readonly made: MadeTerms
}

export function madeOf(kept: AgreementHistory): AgreedTerms {
  return { slug: kept.slug, states: kept.states, made: termsMade(kept) }
}

export function numberMade({ body, date }: Pick<PeriodEntry, 'body' | 'date'>): NumberMade {
  return { version: body.result.formulaVersion, date: formatDay(date) }
}

/** `agreed without you, with puppet-forge, on 3 May 2026` */
function formatAgreedWithout({ parties, recordedAt }: AgreedWithout, party: Party): string {
  const side = parties[party]
  const whom = side === null || side.length === 0 ? 'nobody' : typeof side === 'string' ? side : side.join(', ')
  return `agreed without you, with ${whom} as ${party}, on ${formatDate(recordedAt)}`
}

/** Test whether a person, or a side, is this party. */
type IsParty = (parties: AgreementParties) => boolean

function ofPerson(party: Party, person: Signatory): IsParty {
  return parties => standsFor(party, person, parties)
}

function ofSide(party: Party, side: AgreementParties[Party]): IsParty {
  const key = sideKey(side)
  return parties => sideKey(parties[party]) === key
}

/** Terms that others agreed on in this person's place, on either side. */
export function agreedWithoutThem(
  states: AgreedTerms['states'],
  person: Signatory,
  terms: TermsMade | undefined,
): { readonly words: string; readonly needsConsent: boolean } | null {
  if (terms === undefined) return null
  for (const party of partyNames) {
    const without = agreedWithout(states, party, ofPerson(party, person))(terms)
    if (without !== null) return { words: formatAgreedWithout(without, party), needsConsent: without.needsConsent }
  }
  return null
}

/** Finds the first terms behind a number that a party has to agree to before it signs it. */
function firstToAgree(
  { states, made }: AgreedTerms,
  party: Party,
  isParty: IsParty,
): (number: NumberMade) => AgreedWithout | null {
  const judge = agreedWithout(states, party, isParty)
  return number => {
    const judged = termsOfNumber(made, number).map(judge)
    return judged.find(each => each?.needsConsent === true) ?? null
  }
}

/** Tells why somebody does not sign a number for a party; null where they may. */
export function whyNotAgreed(
  agreement: AgreedTerms,
  party: Party,
  person: Signatory,
): (number: NumberMade, period: string) => string | null {
  const first = firstToAgree(agreement, party, ofPerson(party, person))
  return (number, period) => {
    const without = first(number)
    return without === null ? null : formatWhyNot(agreement, without, { party, period })
  }
}

function formatWhyNot(
  { slug }: Pick<AgreedTerms, 'slug'>,
  without: AgreedWithout,
  { party, period }: { readonly party: Party; readonly period: string },
): string {
  const was = `${nameTerms(without)} of ${slug} was ${formatAgreedWithout(without, party)}`
  return without.kind === 'PRICE_LIST'
    ? `${was}: before you sign ${period}, agree to the same list from ${period}, or to another`
    : `${was}: before you sign under it, agree to it by an amendment with the same document, or to other terms`
}

const termsNouns = { FORMULA: 'formula', PRICE_LIST: 'price list', BILLING: 'billing version' } as const

/** `price list 2` */
export function nameTerms({ kind, version }: Pick<TermsMade, 'kind' | 'version'>): string {
  return `${termsNouns[kind]} ${version}`
}

/** Finds the terms behind a number that a side, whoever its people are, has not agreed to yet. */
export function toAgree(
  agreement: AgreedTerms,
  party: Party,
  side: AgreementParties[Party],
): (number: NumberMade) => Pick<TermsMade, 'kind' | 'version'> | null {
  return firstToAgree(agreement, party, ofSide(party, side))
}

/** Finds the terms that a side has to agree to before its signature of a number counts. */
export function toAgreeSince(
  { states, made }: AgreedTerms,
  party: Party,
  side: AgreementParties[Party],
): (number: NumberMade) => Pick<TermsMade, 'kind' | 'version'> | null {
  const judge = agreedWithout(states, party, ofSide(party, side))
  return number => {
    const judged = termsOfNumber(made, number).map(judge)
    return judged.find(each => each?.needsConsent === true || each?.signedBefore.includes(number.date)) ?? null
  }
}

/**
 * Why a side's signature of a number does not count yet, so that the other side does not sign it either: the side signed before
 * others agreed on a price list in its place, or before one was laid over what it had signed.
 */
export function whyNotCountedYet(
  agreement: AgreedTerms,
  party: Party,
  side: AgreementParties[Party],
): (number: NumberMade, period: string) => string | null {
  const waits = toAgreeSince(agreement, party, side)
  return (number, period) => {
    const terms = waits(number)
    if (terms === null) return null
    return `the ${party} signed ${period} before ${nameTerms(terms)} of ${agreement.slug}, which was agreed without it; the ${party} first agrees to it, or to other terms`
  }
}

/** Whether a side that a document names has not agreed to the text of today: then an amendment may repeat it. */
export function waitsForConsent(kept: AgreementHistory, named: AgreementParties): boolean {
  const { versions, billing } = madeOf(kept).made
  return [versions, billing].some(made => isWithout(kept, named, made.at(-1)))
}

/** Whether a side has not agreed to the newest price list, which may then be proposed again. */
export function listWaitsForConsent(kept: AgreementHistory): boolean {
  return isWithout(kept, kept.states.at(-1)!.parties, madeOf(kept).made.lists.at(-1))
}

function isWithout({ states }: AgreementHistory, named: AgreementParties, terms: TermsMade | undefined): boolean {
  if (terms === undefined) return false
  return partyNames.some(party => needsAgreement(agreedWithout(states, party, ofSide(party, named[party]))(terms)))
}

function needsAgreement(without: AgreedWithout | null): boolean {
  return without !== null && (without.needsConsent || without.signedBefore.length > 0)
}
