// What accompanies a receipt, outside its hash: signatures and objections, made from stored rows.
import type { PartyObjection, Statement } from '../core/objection.ts'
import type { PartySignature } from '../core/party-signature.ts'
import type { KeptObjection } from '../storage/objections.ts'
import type { SignOff } from '../storage/pams.ts'

/** A sign-off as it accompanies a receipt. */
export function partySignature({ party, signedBy, signedAt, receiptHash, given }: SignOff): PartySignature {
  const { name, means, together, passkey, origin } = given
  const recorded = origin === null ? {} : { origin }
  return { party, signedBy, name, signedAt, hash: receiptHash, means, together, passkey, ...recorded }
}

/** An objection as it accompanies a receipt. */
export function partyObjection(kept: KeptObjection): PartyObjection {
  const { id, hash, about, reason, reading, answers } = kept
  const statement = ({ party, by, name, at, means }: Statement) => ({ party, by, name, at, means })
  return {
    id,
    ...statement(kept),
    hash,
    about,
    reason,
    reading,
    answers: answers.map(answer => ({ ...statement(answer), kind: answer.kind, words: answer.words })),
  }
}
