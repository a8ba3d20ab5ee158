// The correction that can be proposed for an agreement: the body that both parties sign, with the receipts it names, and its
// comparison with a stored one. Names are those of the moment; a stored proposal keeps its own.

import { hashOf, type ReceiptBody } from '../../core/receipt/receipt.ts'
import { Refusal } from '../../core/refusal.ts'
import { canonicalJson, type Json } from '../../core/text/canonical-json.ts'
import {
  type Assessment,
  type CorrectionInputs,
  type Draft,
  draftByHand,
  lapsedPeriods,
} from '../../core/true-up/correction.ts'
import { buildCorrection, type CorrectionBody, correctionWithoutNames } from '../../core/true-up/correction-body.ts'
import type { RestatedPeriod } from '../../core/true-up/restate.ts'
import type { CorrectionTexts, NewCorrection } from '../../storage/agreements/corrections.ts'
import type { Adjustments } from './adjustments.ts'
import type { AgreementState } from './agreement-snapshot.ts'

/** Ways in which a correction comes to be proposed. */
export interface ProposalKind {
  /** Reason for a proposal outside the policy; null if the policy calls for it. */
  readonly reason: string | null
  /** Whether both sides waive the money, whatever the policy says. */
  readonly isWaiver: boolean
}

/** A correction that is not stored yet. */
export interface BuiltCorrection extends Omit<NewCorrection, 'waives' | 'proposedBy'> {
  readonly content: CorrectionBody
}

/** Sources of a proposal. */
interface ProposalInputs {
  readonly slug: string
  readonly ground: CorrectionInputs
  readonly assessment: Assessment
  readonly adjustments: Adjustments | null
  readonly standing: Pick<AgreementState, 'state'>
  readonly restated: readonly RestatedPeriod[]
}

/** Builds the proposal. Refuses with the reason if nothing is due or, by hand, if nothing has moved or all of it has lapsed. */
export function buildProposal(trueUp: ProposalInputs, { reason, isWaiver }: ProposalKind): BuiltCorrection {
  const draft = reason === null ? dueDraft(trueUp) : handDraft(trueUp)
  if (isWaiver && (draft.net === null || draft.net.n === 0n))
    throw new Refusal('conflict', `${trueUp.slug}: there is no amount to waive`)
  return write(trueUp, isWaiver ? { ...draft, isWaiver } : draft, reason)
}

function dueDraft({ slug, assessment: { draft, whyNot } }: ProposalInputs): Draft {
  if (draft === null) throw new Refusal('conflict', `${slug}: ${whyNot}`)
  return draft
}

function handDraft({ slug, ground, assessment: { gaps } }: ProposalInputs): Draft {
  const draft = draftByHand(ground)
  if (draft !== null) return draft
  const lapsed = lapsedPeriods(ground)
  const has = lapsed.length === 1 ? 'has' : 'have'
  const why = [
    ...(lapsed.length === 0 ? [] : [`${lapsed.join(', ')} ${has} lapsed: the contract corrects nothing that old`]),
    ...gaps.map(({ sentence }) => sentence),
  ]
  const moved = lapsed.length === 0 ? 'no signed price has moved' : 'nothing can be proposed any more'
  throw new Refusal('conflict', `${slug}: ${moved}${why.length === 0 ? '' : `: ${why.join('; ')}`}`)
}

function write(trueUp: ProposalInputs, draft: Draft, reason: string | null): BuiltCorrection {
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

/** Whether a stored proposal equals one that is made now, apart from the names in them. */
export function saysTheSame(stored: CorrectionTexts, built: CorrectionTexts): boolean {
  return stored.body === built.body || plainText(stored) === plainText(built)
}

function plainText({ body, receipts }: CorrectionTexts): string {
  return canonicalJson(correctionWithoutNames(JSON.parse(body), JSON.parse(receipts)))
}
