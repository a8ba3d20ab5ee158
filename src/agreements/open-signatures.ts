// Periods that wait for each party's signature, with the hashes to name when signing: the receipt's, and that of the list of
// everything up to it.

import type { Party } from '../core/parties.ts'
import { hashOfPeriods, type PeriodToSign } from '../core/receipt/party-signature.ts'
import { Refusal } from '../core/refusal.ts'
import { dayOfInstant, type Instant } from '../core/time/instant.ts'
import { limits } from '../limits.ts'
import type { PeriodEntry } from '../read/agreements/adjustments.ts'
import type { AgreementSnapshot } from '../read/agreements/agreement-snapshot.ts'
import type { Transaction } from '../storage/postgres/database.ts'
import { openAdjustments } from './locked-agreement.ts'
import { otherParty } from './parties.ts'
import { isOpenFor, seenOf } from './shown-periods.ts'
import { whyNotNow } from './status-words.ts'
import { madeOf, numberMade, toAgree, toAgreeSince } from './terms/consent.ts'

/** Signing through a period signs this line and every one before it. */
export interface ListedPeriod extends PeriodToSign {
  /** Hash of the list up to this period. */
  readonly throughHash: string
}

type ToSignByParty = Readonly<Record<Party, readonly ListedPeriod[]>>

/**
 * Periods to sign, oldest first, as many as are signed at once, but none that a side has to agree to first. Empty where nothing
 * can be signed or computed.
 */
export async function listToSign(tx: Transaction, snapshot: AgreementSnapshot, now: Instant): Promise<ToSignByParty> {
  const { slug, kept } = snapshot
  const entries = whyNotNow(slug, kept.states.at(-1)!) === null ? await loadEntries(tx, snapshot, now) : []
  const made = madeOf(kept)
  const of = (party: Party) => {
    const all = entries.filter(entry => isOpenFor(party, entry))
    const { parties } = kept.states.at(-1)!
    const other = otherParty[party]
    // Periods are signed in order: none after the first that waits for an agreement to its terms.
    const [own, theirs] = [toAgree(made, party, parties[party]), toAgreeSince(made, other, parties[other])]
    const end = all.findIndex(entry => {
      const number = numberMade(entry)
      return own(number) !== null || (entry.confirmed[other] !== null && theirs(number) !== null)
    })
    const open = all.slice(0, Math.min(limits.signedAtOnce, end < 0 ? all.length : end))
    return open.map(({ period, hash, calculation }, i) => ({
      period,
      adjustmentPct: calculation.adjustmentPct,
      cumulativePct: calculation.cumulativePct,
      price: calculation.price ?? null,
      hash,
      throughHash: hashOfPeriods(open.slice(0, i + 1).map(seenOf)),
    }))
  }
  return { buyer: of('buyer'), supplier: of('supplier') }
}

async function loadEntries(
  tx: Transaction,
  snapshot: AgreementSnapshot,
  now: Instant,
): Promise<readonly PeriodEntry[]> {
  try {
    return (await openAdjustments(tx, snapshot.kept.workspaceId, snapshot, now)).entries(dayOfInstant(now))
  } catch (error) {
    // An agreement whose series are gone can still be shown.
    if (error instanceof Refusal) return []
    throw error
  }
}
