// What a page shows before somebody signs: whether they may, what has to be signed first, and what changed since somebody
// signed.

import { sideOf, whyNameWaits } from '../../agreements/parties.ts'
import { dueThrough, isOpenFor } from '../../agreements/shown.ts'
import { firstRefused } from '../../agreements/sign.ts'
import { whyNotForSide } from '../../agreements/signable.ts'
import { whyNotNow } from '../../agreements/status-words.ts'
import type { Party } from '../../core/parties.ts'
import type { ReceiptBody } from '../../core/receipt/receipt.ts'
import { tellDifferences } from '../../core/receipt/receipt-differences.ts'
import type { Adjustments, PeriodEntry } from '../../read/agreements/adjustments.ts'
import { ShownSteps } from '../../read/shown-steps.ts'
import type { AgreementStateRow, SignOff } from '../../storage/agreements/agreements.ts'
import { readUnits } from '../../storage/agreements/units.ts'
import { withWorkspace } from '../../storage/postgres/database.ts'
import { findWorkspace } from '../../storage/workspaces/workspaces.ts'
import type { DatedTerms, MovedView, SigningView } from '../shapes/agreements.ts'
import type { Seat } from '../sight/seat.ts'
import type { ViewParts } from '../sight/view-parts.ts'
import { hearerOf, signatoryOf, type Viewer, whyNotAsFormer } from '../sight/visibility.ts'
import { signatureView } from './period-row.ts'
import type { SeenAgreement } from './seen-agreement.ts'
import type { AsSigner } from './who-signs.ts'

/** The side a person signs for; null for none. */
export function partyOf(seat: Viewer, state: Pick<AgreementStateRow, 'parties'>): Party | null {
  return sideOf(signatoryOf(seat), state)
}

/** Its steps as a person sees them who may sign it; `isPast` for a page as it stood. */
export function shownSteps(
  seat: Viewer,
  { standing }: SeenAgreement,
  adjustments: Adjustments,
  isPast = false,
): ShownSteps {
  const { state } = standing
  return new ShownSteps(adjustments, isPast || state.status !== 'ACTIVE' ? null : partyOf(seat, state))
}

interface Signed {
  readonly asSigner: AsSigner
  readonly entries: readonly PeriodEntry[]
  readonly entry: PeriodEntry
  readonly names: ReadonlyMap<string, string>
  readonly steps: ShownSteps
}

export function signingView(
  seat: Seat,
  at: SeenAgreement,
  { entries, entry, names, steps, asSigner }: Signed,
): SigningView {
  const party = partyOf(seat, at.standing.state)
  const due = party === null ? [] : dueThrough(party, entries, entry)
  const whyNot = whyNotToSign(seat, at, party, entry) ?? whyNotAsSigner(asSigner, at, party, due)
  return {
    as: whyNot === null ? party : null,
    whyNot,
    ...acceptedWays(at.standing.state),
    periods: whyNot === null ? due.map(each => periodToSign(each, steps)) : [],
    moved: entry.isSigned ? [] : movedViews(at, entry, names),
  }
}

/** How many factors are told; more are in the table of the workspace. */
const mostFactors = 12

/** What of the workspace counts for lines of a period from its first signature on. */
export async function datedTerms(
  { installation: { sql } }: ViewParts,
  { workspace: { id } }: Seat,
): Promise<DatedTerms> {
  return withWorkspace(sql, id, async tx => {
    const units = await readUnits(tx, id)
    return {
      units: units.slice(-mostFactors).map(({ unit, other, factor }) => ({ unit, other, factor })),
      unitCount: units.length,
      tolerancePct: (await findWorkspace(tx, id)).priceTolerancePct,
    }
  })
}

function whyNotAsSigner(
  asSigner: AsSigner,
  { snapshot, standing }: SeenAgreement,
  party: Party | null,
  due: readonly PeriodEntry[],
): string | null {
  if (party === null) return null
  const signer = asSigner(party, standing.state)
  return whyNotForSide(signer) ?? firstRefused(signer, snapshot.whole.kept, due)?.why ?? null
}

/** As far as the contract says so. */
export function acceptedWays({
  parties: { signWith },
}: Pick<AgreementStateRow, 'parties'>): Pick<SigningView, 'signWith'> {
  return signWith === undefined ? {} : { signWith }
}

function periodToSign(entry: PeriodEntry, steps: ShownSteps): SigningView['periods'][number] {
  const { period, hash, calculation, ownPrice: price } = entry
  const { adjustmentPct, cumulativePct } = calculation
  return { period, adjustmentPct, cumulativePct, price, hash, step: steps.of(entry).step }
}

function whyNotToSign(
  seat: Seat,
  { snapshot, standing, sight }: SeenAgreement,
  party: Party | null,
  entry: PeriodEntry,
): string | null {
  if (entry.isSigned) return 'Both parties have signed it: the number stands.'
  const former = whyNotAsFormer(sight)
  if (former !== null) return former
  const whyNot = whyNotNow(snapshot.slug, standing.state)
  if (whyNot !== null) return `${whyNot}.`
  if (party === null)
    return (
      whyNameWaits(signatoryOf(seat), standing.state, hearerOf(seat)) ??
      'You sign for neither side; only the buyer and the supplier of this agreement sign.'
    )
  if (isOpenFor(party, entry)) return null
  const other = party === 'buyer' ? 'supplier' : 'buyer'
  return `It is signed for the ${party}; the ${other} has not signed it yet.`
}

/** Sign-offs of this period that were given for another receipt, the newest first. */
export function movedSignOffs({ standing }: SeenAgreement, { period, hash }: PeriodEntry): SignOff[] {
  return standing.signOffs.filter(each => each.period === period && each.receiptHash !== hash).toReversed()
}

function movedViews(at: SeenAgreement, entry: PeriodEntry, names: ReadonlyMap<string, string>): MovedView[] {
  return movedSignOffs(at, entry).flatMap(signOff => {
    const kept = at.snapshot.kept.receipts.find(
      each => each.period === signOff.period && each.receiptHash === signOff.receiptHash,
    )
    if (kept === undefined) return []
    const { body } = JSON.parse(kept.receipt) as { readonly body: ReceiptBody }
    return [
      {
        party: signOff.party,
        signature: signatureView(signOff, names),
        hash: signOff.receiptHash,
        adjustmentPct: body.result.adjustmentPct,
        price: body.result.price ?? null,
        changes: tellDifferences(body, entry.body),
      },
    ]
  })
}
