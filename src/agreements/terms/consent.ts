// A party that comes back did not agree to what others agreed on in its place: it reads with whom that was agreed, and signs no
// number under it before it has agreed to it (T50), as both agree on any terms: by an amendment, which may say what the document
// says already.

import { type Party, parties as partyNames } from '../../core/parties.ts'
import { tellDay } from '../../core/text/words.ts'
import { writeDay } from '../../core/time/day.ts'
import type { Entry } from '../../read/agreements/adjustments.ts'
import { sideKey } from '../../read/agreements/tenure.ts'
import {
  type AgreedWithout,
  agreedWithout,
  listMade,
  type VersionMade,
  versionsMade,
} from '../../read/agreements/terms-state.ts'
import type { AgreementParties, AgreementRecord, StoredAgreement } from '../../storage/agreements/agreements.ts'
import { type Signatory, standsFor } from '../parties.ts'

/** An agreement as far as consent asks about it. */
interface MadeAgreement extends Pick<AgreementRecord, 'slug' | 'states'> {
  readonly made: readonly VersionMade[]
}

export function madeOf(kept: StoredAgreement): MadeAgreement {
  return { slug: kept.slug, states: kept.states, made: versionsMade(kept) }
}

/** `agreed without you, with puppet-forge, on 3 May 2026` */
function tellAgreedWithout({ parties, recordedAt }: AgreedWithout, party: Party): string {
  const side = parties[party]
  const whom = side === null || side.length === 0 ? 'nobody' : typeof side === 'string' ? side : side.join(', ')
  return `agreed without you, with ${whom} as ${party}, on ${tellDay(recordedAt)}`
}

/** What others agreed on in the place of somebody, for either side; null for what was not. */
export function agreedWithoutThem(
  { states, made }: Pick<MadeAgreement, 'states' | 'made'>,
  person: Signatory,
  version: number,
): { readonly words: string; readonly needsConsent: boolean } | null {
  for (const party of partyNames) {
    const without = agreedWithout(states, made, parties => standsFor(party, person, parties)).get(version)
    if (without !== undefined) return { words: tellAgreedWithout(without, party), needsConsent: without.needsConsent }
  }
  return null
}

/** Why somebody does not sign a number of a formula version for a party; null where they may. */
export function whyNotAgreed(
  { slug, states, made }: MadeAgreement,
  party: Party,
  person: Signatory,
  version: number,
): string | null {
  const without = agreedWithout(states, made, parties => standsFor(party, person, parties)).get(version)
  if (without?.needsConsent !== true) return null
  return `formula ${version} of ${slug} was ${tellAgreedWithout(without, party)}: before you sign under it, agree to it by an amendment with the same document, or to others`
}

/** The same of the price list that governs the day of a number. A newer list that the party agrees to takes its place. */
export function whyNotListed(
  kept: StoredAgreement,
  party: Party,
  person: Signatory,
  { period, date }: Pick<Entry, 'period' | 'date'>,
): string | null {
  const list = kept.lists.findLast(({ fromDate }) => fromDate <= writeDay(date))
  if (list === undefined) return null
  const isParty = (parties: AgreementParties) => standsFor(party, person, parties)
  const without = agreedWithout(kept.states, [listMade(kept, list)], isParty).get(list.version)
  if (without?.needsConsent !== true) return null
  return `price list ${list.version} of ${kept.slug} was ${tellAgreedWithout(without, party)}: before you sign ${period}, agree to the same list from ${period}, or to another`
}

/** Whether a side, whoever its people are, has not agreed to a version yet. */
export function isToAgree(
  { states, made }: Pick<MadeAgreement, 'states' | 'made'>,
  { party, side }: { readonly party: Party; readonly side: AgreementParties[Party] },
  version: number,
): boolean {
  const key = sideKey(side)
  return agreedWithout(states, made, parties => sideKey(parties[party]) === key).get(version)?.needsConsent === true
}

/** Whether a side that a document names has not agreed to the newest version: then an amendment may say the same again. */
export function waitsForConsent(kept: StoredAgreement, named: AgreementParties): boolean {
  const { version } = kept.formulas.at(-1)!
  return partyNames.some(party => isToAgree(madeOf(kept), { party, side: named[party] }, version))
}
