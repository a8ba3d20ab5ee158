// Facts on a page before somebody signs: whether they may, which periods come first, and the changes since an earlier signature.

import { sideOf, whyNameWaits } from '../../agreements/parties.ts'
import { dueThrough, isOpenFor } from '../../agreements/shown-periods.ts'
import { firstRefused } from '../../agreements/sign.ts'
import { whyNotForSide } from '../../agreements/signable.ts'
import { whyNotNow } from '../../agreements/status-words.ts'
import type { Party } from '../../core/parties.ts'
import type { ReceiptBody } from '../../core/receipt/receipt.ts'
import { formatDifferences } from '../../core/receipt/receipt-differences.ts'
import type { Adjustments, PeriodEntry } from '../../read/agreements/adjustments.ts'
import { ShownSteps } from '../../read/price-steps.ts'
import type { AgreementStateRow, SignOff } from '../../storage/agreements/agreements.ts'
import { loadUnits } from '../../storage/agreements/units.ts'
import { withWorkspace } from '../../storage/postgres/database.ts'
import { findWorkspace } from '../../storage/workspaces/workspaces.ts'
import type { DatedTerms, MovedView, SigningView } from '../shapes/agreements.ts'
import type { Seat } from '../sight/seat.ts'
import type { ViewContext } from '../sight/view-parts.ts'
import { hearerOf, signatoryOf, type Viewer, whyNotAsFormer } from '../sight/visibility.ts'
import type { OpenedAgreement } from './opened-agreement.ts'
import { signatureView } from './period-row.ts'
import type { AsSigner } from './signer-check.ts'

/** Side a person signs for; null for none. */
export function partyOf(seat: Viewer, state: Pick<AgreementStateRow, 'parties'>): Party | null {
  return sideOf(signatoryOf(seat), state)
}

/** Steps for a person who may sign; `isPast` for a page as it stood. */
export function shownSteps(
  seat: Viewer,
  { standing }: OpenedAgreement,
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
  at: OpenedAgreement,
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

/** Number of factors shown; the workspace's table has the rest. */
const mostFactors = 12

/** Factors and tolerance of the workspace, which count for a period's lines from its first signature on. */
export async function datedTerms(
  { installation: { sql } }: ViewContext,
  { workspace: { id } }: Seat,
): Promise<DatedTerms> {
  return withWorkspace(sql, id, async tx => {
    const units = await loadUnits(tx, id)
    return {
      units: units.slice(-mostFactors).map(({ unit, other, factor }) => ({ unit, other, factor })),
      unitCount: units.length,
      tolerancePct: (await findWorkspace(tx, id)).priceTolerancePct,
    }
  })
}

function whyNotAsSigner(
  asSigner: AsSigner,
  { snapshot, standing }: OpenedAgreement,
  party: Party | null,
  due: readonly PeriodEntry[],
): string | null {
  if (party === null) return null
  const signer = asSigner(party, standing.state)
  return whyNotForSide(signer) ?? firstRefused(signer, snapshot.whole.kept, due)?.why ?? null
}

/** Accepted kinds of signatures, where the contract names them. */
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
  { snapshot, standing, sight }: OpenedAgreement,
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

/** Sign-offs on another receipt of this period, the newest first. */
export function movedSignOffs({ standing }: OpenedAgreement, { period, hash }: PeriodEntry): SignOff[] {
  return standing.signOffs.filter(each => each.period === period && each.receiptHash !== hash).toReversed()
}

function movedViews(at: OpenedAgreement, entry: PeriodEntry, names: ReadonlyMap<string, string>): MovedView[] {
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
        changes: formatDifferences(body, entry.body),
      },
    ]
  })
}
