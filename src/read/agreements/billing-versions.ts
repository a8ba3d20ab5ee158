// Versions of an agreement's billing terms. They stand in its states and make no formula version, so a version begins with each
// state whose terms differ from the state before it.

import type { Billing } from '../../core/formula/formula.ts'
import { canonicalJson, type Json } from '../../core/text/canonical-json.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { AgreementHistory } from '../../storage/agreements/agreements.ts'
import type { StoredChange } from '../../storage/agreements/terms-changes.ts'

type TermsHistory = Pick<AgreementHistory, 'changes' | 'states'>

export interface BillingVersion {
  readonly version: number
  /** Entry number of the state. */
  readonly seq: number
  readonly recordedAt: Instant
  readonly terms: Billing
  /** The change of terms, signed by both, that made it; null where one side applied it alone. */
  readonly proposal: string | null
}

/** Versions from the oldest on, the terms that the agreement began with included. */
export function billingVersions({ changes, states }: TermsHistory): readonly BillingVersion[] {
  const versions: BillingVersion[] = []
  for (const { seq, recordedAt, billing: terms } of states) {
    const before = versions.at(-1)
    if (before !== undefined && isSameBilling(before.terms, terms)) continue
    const proposal = changes.find(change => madeStateAt(change, recordedAt))?.id ?? null
    versions.push({ version: versions.length + 1, seq, recordedAt, terms, proposal })
  }
  return versions
}

/** The second signature and the state that follows from it are stored in one transaction, so at one instant. */
function madeStateAt({ kind, signatures }: StoredChange, recordedAt: Instant): boolean {
  return kind === 'AMENDMENT' && signatures.length > 1 && signatures.some(({ signedAt }) => signedAt === recordedAt)
}

export function isSameBilling(a: Billing, b: Billing): boolean {
  return canonicalJson(plainBilling(a)) === canonicalJson(plainBilling(b))
}

export function plainBilling({ references, priceDate, prorate }: Billing): Json {
  return { references: references as Json, priceDate: priceDate as Json, prorate: prorate as Json }
}
