// Objections to a period's number, as the pages show them.
import { whyNotNow } from '../../agreements/status-words.ts'
import type { Party } from '../../core/parties.ts'
import { type PartyObjection, stateOfObjection } from '../../core/receipt/objection.ts'
import type { PeriodEntry } from '../../read/agreements/adjustments.ts'
import type { ObjectionsView, ObjectionView } from '../shapes/objections.ts'
import type { Seat } from '../sight/seat.ts'
import { whyNotAsFormer } from '../sight/visibility.ts'
import type { OpenedAgreement } from './opened-agreement.ts'
import { partyOf } from './signing-view.ts'

export function objectionsView(seat: Seat, at: OpenedAgreement, entry: PeriodEntry): ObjectionsView {
  const side = partyOf(seat, at.standing.state)
  const whyNot = whyNotToObject(at, side, entry)
  return {
    as: whyNot === null ? side : null,
    whyNot,
    side,
    list: entry.objections.map(each => objectionView(at, entry, each)).toReversed(),
  }
}

function whyNotToObject(
  { snapshot, standing, sight }: OpenedAgreement,
  side: Party | null,
  entry: PeriodEntry,
): string | null {
  if (entry.isSigned) return 'Both parties have signed it: the number stands.'
  const former = whyNotAsFormer(sight)
  if (former !== null) return former
  const whyNot = whyNotNow(snapshot.slug, standing.state)
  if (whyNot !== null) return `${whyNot}.`
  if (side === null) return 'Only the buyer and the supplier of this agreement object to its numbers.'
  return entry.confirmed[side] === null ? null : `It is signed for the ${side}.`
}

function objectionView({ standing }: OpenedAgreement, entry: PeriodEntry, objection: PartyObjection): ObjectionView {
  const { id, party, by, name, at, means, hash, about, reason, reading, answers } = objection
  const result = standing.kept.find(each => each.hash === hash)?.body().result
  return {
    id,
    party,
    email: by,
    name: name === '' ? by : name,
    at,
    means,
    state: stateOfObjection(objection, entry),
    hash,
    adjustmentPct: result?.adjustmentPct ?? null,
    price: result?.price ?? null,
    about,
    reason,
    reading,
    answers: answers.map(answer => ({
      party: answer.party,
      email: answer.by,
      name: answer.name === '' ? answer.by : answer.name,
      at: answer.at,
      means: answer.means,
      isWithdrawal: answer.kind === 'WITHDRAWAL',
      words: answer.words,
    })),
  }
}
