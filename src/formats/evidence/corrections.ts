// The corrections in an evidence package: the receipt of each as `assize verify` reads it, one list of their records, and a
// table made from both.

import type { CorrectionReceipt } from '../../core/true-up/correction-receipt.ts'
import { formatCsv } from '../sheet.ts'
import type { ProposalRecord } from './proposals.ts'

/** The history of a correction, beside its receipt. */
export interface CorrectionRecord extends ProposalRecord {
  /** Notes by part. */
  readonly notes: readonly {
    readonly part: number
    readonly number: string
    readonly date: string
    readonly amount: string
    readonly fileHash: string
    readonly recordedAt: string
  }[]
}

/** The oldest first. */
export const correctionsPath = 'corrections.json'
export const correctionsTablePath = 'corrections.csv'

export function correctionPath(id: string): string {
  return `corrections/${id}.json`
}

/** One row for each correction, and one for each note. */
export function correctionsTable(
  records: readonly CorrectionRecord[],
  receipts: ReadonlyMap<string, Pick<CorrectionReceipt, 'body' | 'signatures'>>,
): string {
  const head = ['correction', 'what', 'state', 'periods', 'net', 'currency', 'waived', 'at', 'by', 'words', 'hash']
  const rows = records.flatMap(record => {
    const { id, hash, state, proposedAt, proposedBy, refusal, notes } = record
    const receipt = receipts.get(id)
    const { body, signatures = [] } = receipt ?? {}
    const periods = body?.periods.map(({ period }) => period).join(' ') ?? ''
    const net = body?.net ?? null
    const figure = (amount: string | null) => (amount === null ? null : { figure: amount })
    return [
      [
        id,
        'PROPOSED',
        state,
        periods,
        figure(net),
        body?.currency ?? null,
        body?.waived === true ? 'yes' : 'no',
        proposedAt,
        proposedBy,
        body?.reason ?? '',
        hash,
      ],
      ...signatures.map(({ party, signedBy, signedAt, means }) => [
        id,
        'SIGNED',
        '',
        '',
        null,
        '',
        '',
        signedAt,
        signedBy,
        `${party}, ${means}`,
        hash,
      ]),
      ...(refusal === null
        ? []
        : [[id, 'REFUSED', '', '', null, '', '', refusal.at, refusal.by, `${refusal.party}: ${refusal.reason}`, hash]]),
      ...notes.map(({ part, number, date, amount, fileHash, recordedAt }) => [
        id,
        'NOTE',
        '',
        '',
        figure(amount),
        body?.currency ?? null,
        '',
        recordedAt,
        '',
        `part ${part}, ${number} of ${date}`,
        fileHash,
      ]),
    ]
  })
  return formatCsv({ name: 'corrections', head, rows })
}
