// Records of proposals in an evidence package: one list for each kind, beside the receipts.
import { readStrictJson } from '../../core/text/strict-json.ts'
import { proposalStates } from '../../core/true-up/proposal-state.ts'

/** The history of one proposal, beside its receipt. */
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

/** The record of a stored proposal. */
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

/** The records; null for a text of any other form. */
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
