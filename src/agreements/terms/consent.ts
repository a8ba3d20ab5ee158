// What was changed about the terms while others were in a party's place. A party that comes back did not agree to it: it reads with
// whom it was agreed, and signs no number under it before it has agreed to it (T50), as both agree on any terms: by an amendment,
// which may say what the document says already.

import { checkDocument } from '../../core/formula/check/check.ts'
import { type Party, parties as partyNames } from '../../core/parties.ts'
import { tellDay } from '../../core/text/words.ts'
import { inForce, sideKey, type Tenure, tenureOf } from '../../read/agreements/tenure.ts'
import { stateOfChange } from '../../read/agreements/terms-state.ts'
import type { AgreementParties, KeptAgreement, StoredAgreement } from '../../storage/agreements/agreements.ts'
import { type Signatory, standsFor } from '../parties.ts'

type Known = Pick<StoredAgreement, 'changes' | 'formulas' | 'states' | 'signOffs' | 'receipts' | 'lists'>

interface AgreedWithout {
  readonly version: KeptAgreement
  /** Who the parties were then. */
  readonly parties: AgreementParties
  /** Whether the party has to agree to it before it signs under it. */
  readonly needsConsent: boolean
}

/** By the number of the version; empty for a party that never was away. */
export function agreedWithout(
  kept: Known,
  isParty: (parties: AgreementParties) => boolean,
): ReadonlyMap<number, AgreedWithout> {
  const tenure = tenureOf(kept.states, isParty)
  if (tenure === null || tenure.isWhole) return new Map()
  const away = kept.formulas.filter(({ seq }) => seq >= tenure.spans[0]!.fromSeq && !isOwn(tenure, seq))
  return new Map(
    away.map(version => {
      const { parties } = inForce(kept.states).findLast(({ seq }) => seq <= version.seq) ?? kept.states[0]!
      return [version.version, { version, parties, needsConsent: needsConsent(kept, tenure, version) }]
    }),
  )
}

function isOwn({ spans }: Tenure, at: number): boolean {
  return spans.some(({ fromSeq, toSeq }) => fromSeq <= at && (toSeq === null || at < toSeq))
}

/**
 * Not where the contract lets either side change the terms alone and one did, where the party had agreed in advance, or where it
 * has signed the same document since.
 */
function needsConsent(kept: Known, tenure: Tenure, { version, proposal, documentText }: KeptAgreement): boolean {
  if (proposal === null && checkDocument(documentText).formula?.contract.change !== 'BOTH') return false
  const planned = kept.changes.find(({ id }) => id === proposal)?.plannedBy ?? null
  const plan = kept.formulas.find(each => each.version === planned)
  if (plan !== undefined && isOwn(tenure, plan.seq)) return false
  return !kept.changes.some(
    change =>
      change.kind === 'AMENDMENT' &&
      change.basis === version &&
      isOwn(tenure, change.seq) &&
      stateOfChange(kept, change) === 'AGREED' &&
      kept.formulas.every(formula => formula.proposal !== change.id),
  )
}

/** `agreed without you, with puppet-forge, on 3 May 2026` */
export function tellAgreedWithout({ version, parties }: AgreedWithout, party: Party): string {
  const side = parties[party]
  const whom = side === null || side.length === 0 ? 'nobody' : typeof side === 'string' ? side : side.join(', ')
  return `agreed without you, with ${whom} as ${party}, on ${tellDay(version.recordedAt)}`
}

/** Why somebody does not sign a number of a formula version for a party; null where they may. */
export function whyNotAgreed(kept: StoredAgreement, party: Party, person: Signatory, version: number): string | null {
  const without = agreedWithout(kept, parties => standsFor(party, person, parties)).get(version)
  if (without?.needsConsent !== true) return null
  return `formula ${version} of ${kept.slug} was ${tellAgreedWithout(without, party)}: before you sign under it, agree to it by an amendment with the same document, or to others`
}

/** Whether a side of today has not agreed to the newest version: then an amendment may say the same again. */
export function waitsForConsent(kept: StoredAgreement, now: AgreementParties): boolean {
  const newest = kept.formulas.at(-1)!.version
  return partyNames.some(party => {
    const side = sideKey(now[party])
    return agreedWithout(kept, parties => sideKey(parties[party]) === side).get(newest)?.needsConsent === true
  })
}
