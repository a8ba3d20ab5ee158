// What both parties sign in an evidence package besides numbers, corrections and changes of terms: one list of what happened to
// each of a kind, beside their receipts.
import { readStrictJson } from '../../core/text/strict-json.ts'
import { proposalStates } from '../../core/true-up/proposal-state.ts'

/** What happened to one, beside its receipt. */
export interface ProposalRecord {
  readonly id: string
  readonly hash: string
  readonly state: (typeof proposalStates)[number]
  readonly proposedAt: string
  readonly proposedBy: string
  readonly refusal: { readonly party: string; readonly by: string; readonly at: string; readonly reason: string } | null
}

interface PackagedProposal extends Pick<ProposalRecord, 'id' | 'hash' | 'proposedBy' | 'refusal'> {
  readonly recordedAt: string
}

/** From what is stored. */
export function recordOf(
  { id, hash, recordedAt, proposedBy, refusal }: PackagedProposal,
  state: ProposalRecord['state'],
): ProposalRecord {
  return {
    id,
    hash,
    state,
    proposedAt: recordedAt,
    proposedBy,
    refusal: refusal === null ? null : { party: refusal.party, by: refusal.by, at: refusal.at, reason: refusal.reason },
  }
}

export function formatRecords(records: readonly ProposalRecord[]): string {
  return `${JSON.stringify(records, null, 2)}\n`
}

const bounds = { length: 100_000_000, depth: 64, values: 4_000_000 }

/** Null where it is not such a list, written as it is made. */
export function readRecords<R extends ProposalRecord>(
  path: string,
  text: string,
  isOne: (record: R) => boolean,
): readonly R[] | null {
  try {
    const read = readStrictJson(text, path, bounds) as unknown as readonly R[]
    const isList = read.every(
      each =>
        [each.id, each.hash].every(written => typeof written === 'string') &&
        proposalStates.includes(each.state) &&
        isOne(each),
    )
    return isList && formatRecords(read) === text ? read : null
  } catch {
    return null
  }
}
