// A change of terms as commands, routes and pages show it.

import { type Party, parties as partyNames } from '../../core/parties.ts'
import { hashOfBatch, type SignatureMeans } from '../../core/receipt/party-signature.ts'
import type { Json } from '../../core/text/canonical-json.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { ProposalState } from '../../core/true-up/proposal-state.ts'
import type { AgreementHistory, AgreementParties } from '../../storage/agreements/agreements.ts'
import type { StoredChange } from '../../storage/agreements/terms-changes.ts'
import { stateOfChange } from './terms-state.ts'

interface ShownSignature {
  readonly party: Party
  readonly signedBy: string
  readonly name: string
  readonly signedAt: Instant
  readonly means: SignatureMeans
  /** Hash of the list that was signed in one act, and the number of its changes; null for a change signed alone. */
  readonly list: { readonly hash: string; readonly count: number } | null
}

/** A change without its body. */
export interface ChangeSummary
  extends Pick<
    StoredChange,
    | 'id'
    | 'kind'
    | 'hash'
    | 'ground'
    | 'basis'
    | 'effectiveFrom'
    | 'series'
    | 'offer'
    | 'supersedes'
    | 'plannedBy'
    | 'proposedBy'
  > {
  /** Slug of the agreement. */
  readonly agreement: string
  readonly state: ProposalState
  readonly proposedAt: Instant
  readonly signatures: readonly ShownSignature[]
  readonly refusal: { readonly party: Party; readonly reason: string; readonly at: Instant } | null
  /** Formula version or version of the price list that it made; null where it made none. */
  readonly version: number | null
}

export interface ShownChange extends ChangeSummary {
  /** The body that both sign, as it was hashed. */
  readonly body: Json
}

type KnownTerms = Pick<AgreementHistory, 'slug' | 'changes' | 'versions' | 'states' | 'signOffs' | 'receipts' | 'lists'>

export function summarizeChange(kept: KnownTerms, change: StoredChange): ChangeSummary {
  const { id, kind, hash, ground, basis, effectiveFrom, series, offer, supersedes, plannedBy, proposedBy } = change
  const { refusal } = change
  return {
    id,
    agreement: kept.slug,
    kind,
    state: stateOfChange(kept, change),
    hash,
    ground,
    basis,
    effectiveFrom,
    series,
    offer,
    supersedes,
    plannedBy,
    proposedBy,
    proposedAt: change.recordedAt,
    signatures: change.signatures.map(({ party, signedBy, signedAt, given: { name, means, batch } }) => ({
      party,
      signedBy,
      name,
      signedAt,
      means,
      list: batch === null ? null : { hash: hashOfBatch(batch.entries), count: batch.entries.length },
    })),
    refusal: refusal === null ? null : { party: refusal.party, reason: refusal.reason, at: refusal.at },
    version: versionOf(kept, change),
  }
}

/** Formula version or price list version that a change made; null where it made none. */
export function versionOf(
  { versions, lists }: Pick<KnownTerms, 'versions' | 'lists'>,
  change: StoredChange,
): number | null {
  const made = change.kind === 'PRICE_LIST' ? lists : versions
  return made.find(({ proposal }) => proposal === change.id)?.version ?? null
}

export function showChange(kept: KnownTerms, change: StoredChange, body: string): ShownChange {
  return { ...summarizeChange(kept, change), body: JSON.parse(body) as Json }
}

/** A change that a side still has to sign, in a few words. */
export interface OpenTermsChange
  extends Pick<StoredChange, 'id' | 'kind' | 'hash' | 'effectiveFrom' | 'series' | 'offer' | 'proposedBy'> {
  /** The parties who sign it: they stay the same while it is open. */
  readonly parties: AgreementParties
  readonly waitsFor: readonly Party[]
  readonly proposedAt: Instant
}

export function summarizeOpenChange(change: StoredChange, parties: AgreementParties): OpenTermsChange {
  const { id, kind, hash, effectiveFrom, series, offer, proposedBy, signatures } = change
  const signed = new Set(signatures.map(({ party }) => party))
  return {
    id,
    kind,
    hash,
    effectiveFrom,
    series,
    offer,
    proposedBy,
    parties,
    proposedAt: change.recordedAt,
    waitsFor: partyNames.filter(party => !signed.has(party)),
  }
}
