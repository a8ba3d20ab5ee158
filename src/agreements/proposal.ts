// The correction that can be proposed for an agreement at this moment: computed inside one transaction from what is
// true when it commits, and written as the body that both parties sign, with the receipts it names.
import { canonicalJson, type Json } from '../core/canonical-json.ts'
import { type Draft, draftByHand } from '../core/correction.ts'
import { buildCorrection, type CorrectionBody } from '../core/correction-body.ts'
import { dayOfInstant, type Instant } from '../core/instant.ts'
import { Pricing } from '../core/prices/pricing.ts'
import { hashOf, type ReceiptBody } from '../core/receipt.ts'
import { Refusal } from '../core/refusal.ts'
import type { RestatedPeriod } from '../core/restate.ts'
import { type LibraryBounds, unbounded } from '../read/library-bounds.ts'
import type { PamSnapshot } from '../read/pam-snapshot.ts'
import { cachedListOf, pricedAgreementOf } from '../read/priced-agreement.ts'
import type { Tenure } from '../read/tenure.ts'
import { TrueUp } from '../read/true-up.ts'
import { readMoney } from '../storage/billed.ts'
import type { NewCorrection } from '../storage/corrections.ts'
import type { Transaction } from '../storage/database.ts'
import { readPriceLists } from '../storage/price-lists.ts'
import { openAdjustments } from './standing.ts'

/** The true-up as it stands for a publication that is recorded at `knownBy`: the part of one supplier. */
export async function openTrueUp(
  tx: Transaction,
  workspaceId: string,
  snapshot: PamSnapshot,
  { knownBy, tenure, bounds = unbounded }: TrueUpWanted,
): Promise<TrueUp> {
  const { id } = snapshot
  const adjustments = await openAdjustments(tx, workspaceId, snapshot, knownBy, bounds)
  const lists = (await readPriceLists(tx, workspaceId, id)).map(cachedListOf)
  const money = (await readMoney(tx, workspaceId, [id])).get(id)!
  const standing = snapshot.at(null)!
  const today = dayOfInstant(knownBy)
  const pricing = new Pricing(
    pricedAgreementOf({ snapshot, standing, adjustments, lists, until: today, knownAt: null }),
  )
  const { work } = bounds
  const whole = new TrueUp({ snapshot, standing, adjustments, pricing, money, knownAt: null, today, work })
  if (tenure.isWhole) return whole
  // Signed by the buyer of today, whoever it was then.
  const part = snapshot.partOf(tenure, standing.state.parties.buyer)
  const own = { snapshot: part, standing: part.at(null)! }
  const ownAdjustments = await openAdjustments(tx, workspaceId, part, knownBy, bounds)
  const priced = pricedAgreementOf({ ...own, adjustments: ownAdjustments, lists, until: today, knownAt: null })
  return whole.partOf({ ...own, adjustments: ownAdjustments, pricing: new Pricing(priced) })
}

interface TrueUpWanted {
  readonly knownBy: Instant
  /** The time of the supplier whose part it is. */
  readonly tenure: Tenure
  readonly bounds?: LibraryBounds | undefined
}

/** How a correction comes to be proposed. */
export interface ProposalKind {
  /** The reason, if it is proposed outside the policy. Null if the policy calls for it. */
  readonly reason: string | null
  /** Whether both sides waive the money, whatever the policy says. */
  readonly isWaiver: boolean
}

/** A correction that is not stored yet. */
export interface BuiltCorrection extends Omit<NewCorrection, 'waives' | 'proposedBy'> {
  readonly content: CorrectionBody
}

/** Refuses with the reason if nothing is due or, by hand, if nothing has moved. */
export function buildProposal(trueUp: TrueUp, { reason, isWaiver }: ProposalKind): BuiltCorrection {
  const draft = reason === null ? dueDraft(trueUp) : handDraft(trueUp)
  if (isWaiver && (draft.net === null || draft.net.n === 0n))
    throw new Refusal('conflict', `${trueUp.slug}: there is no amount to waive`)
  return write(trueUp, isWaiver ? { ...draft, isWaiver } : draft, reason)
}

function dueDraft({ slug, assessment: { draft, whyNot } }: TrueUp): Draft {
  if (draft === null) throw new Refusal('conflict', `${slug}: ${whyNot}`)
  return draft
}

function handDraft({ slug, ground, assessment: { blocked } }: TrueUp): Draft {
  const draft = draftByHand(ground)
  if (draft !== null) return draft
  const why = blocked.length === 0 ? '' : `: ${blocked.join('; ')}`
  throw new Refusal('conflict', `${slug}: no signed price has moved${why}`)
}

function write(trueUp: TrueUp, draft: Draft, reason: string | null): BuiltCorrection {
  const adjustments = trueUp.adjustments!
  const { issuer, originOf } = adjustments.surroundings
  const { name, parties } = trueUp.standing.state
  const receipts = new Map<RestatedPeriod, { readonly body: ReceiptBody; readonly hash: string }>(
    draft.periods.map(({ restated }) => [restated, adjustments.receiptOf(restated.adjustment!)]),
  )
  const bodies = [...receipts.values()].map(({ body }) => body)
  const content = buildCorrection(draft, {
    issuer,
    name,
    parties,
    companies: bodies[0]?.companies ?? null,
    reason,
    restated: trueUp.restated,
    receiptHash: period => receipts.get(period)!.hash,
    originOf,
  })
  return {
    content,
    body: canonicalJson(content as unknown as Json),
    hash: hashOf(content),
    receipts: JSON.stringify(bodies),
    periods: content.periods.filter(({ receiptAfter }) => receiptAfter !== null).map(({ period }) => period),
    lineIds: draft.lines.filter(({ amount }) => amount.n !== 0n).map(({ line }) => line?.id ?? null),
    waived: content.waived,
  }
}
