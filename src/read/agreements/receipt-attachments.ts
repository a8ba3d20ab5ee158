// Attachments of a receipt, outside its hash: signatures and objections, made from stored rows.
import { type PartyObjection, type Statement, stateOfObjection } from '../../core/receipt/objection.ts'
import type { PartySignature } from '../../core/receipt/party-signature.ts'
import { isBy } from '../../core/series/vintage.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { SignOff } from '../../storage/agreements/agreements.ts'
import type { StoredObjection } from '../../storage/agreements/objections.ts'

/** A sign-off as it accompanies a receipt. A token that is still valid is left out by the caller who shows it (`Seal.issue`). */
export function partySignature(signOff: SignOff): PartySignature {
  return signatureOn(signOff.receiptHash, signOff)
}

/** A signature as it accompanies the signed thing. */
export function signatureOn(
  hash: string,
  { party, signedBy, signedAt, given }: Pick<SignOff, 'party' | 'signedBy' | 'signedAt' | 'given'>,
): PartySignature {
  const { name, means, together, passkey, provider, origin, batch, redacted } = given
  return {
    party,
    signedBy,
    name,
    signedAt,
    hash,
    means,
    together,
    passkey,
    ...(provider === null ? {} : { provider }),
    ...(origin === null ? {} : { origin }),
    ...(batch === null ? {} : { batch: { salt: batch.salt, entries: batch.entries } }),
    ...(redacted === undefined ? {} : { redacted }),
  }
}

/** An objection as it accompanies a receipt. */
export function partyObjection(kept: StoredObjection): PartyObjection {
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

interface Beside {
  readonly signOffs: readonly SignOff[]
  readonly objections: readonly StoredObjection[]
}

/** Signatures and objections given by an instant, with the answers of then; null: all. */
export function besideBy({ signOffs, objections }: Beside, by: Instant | null): Beside {
  const isGiven = (instant: Instant) => isBy(instant, by)
  return {
    signOffs: signOffs.filter(({ signedAt }) => isGiven(signedAt)),
    objections: objections
      .filter(({ at }) => isGiven(at))
      .map(each => ({ ...each, answers: each.answers.filter(({ at }) => isGiven(at)) })),
  }
}

interface Proposed {
  readonly hash: string
  readonly signatures: readonly PartySignature[]
  readonly objections: readonly PartyObjection[]
}

/** Whether somebody objects to exactly the number that is proposed. */
export function isDisputed(entry: Proposed): boolean {
  return entry.objections.some(each => stateOfObjection(each, entry) === 'open')
}
