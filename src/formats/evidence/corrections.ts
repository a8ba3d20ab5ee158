// The corrections in an evidence package: the receipt of each as `assize verify` reads it, one list of what happened to them, and
// a table made from both.

import { readStrictJson } from '../../core/text/strict-json.ts'
import type { CorrectionReceipt } from '../../core/true-up/correction-receipt.ts'
import { proposalStates } from '../../core/true-up/proposal-state.ts'
import { writeCsv } from '../sheet.ts'

/** What happened to a correction, beside its receipt. */
export interface CorrectionRecord {
  readonly id: string
  readonly hash: string
  readonly state: (typeof proposalStates)[number]
  readonly proposedAt: string
  readonly proposedBy: string
  readonly refusal: { readonly party: string; readonly by: string; readonly at: string; readonly reason: string } | null
  /** By part. */
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

export function writeRecords(records: readonly CorrectionRecord[]): string {
  return `${JSON.stringify(records, null, 2)}\n`
}

const bounds = { length: 100_000_000, depth: 64 }

/** Null where it is not such a list, written as it is made. */
export function readRecords(text: string): readonly CorrectionRecord[] | null {
  try {
    const read = readStrictJson(text, correctionsPath, bounds) as unknown as readonly CorrectionRecord[]
    const isList = read.every(
      ({ id, hash, state, notes }) =>
        [id, hash].every(each => typeof each === 'string') && proposalStates.includes(state) && Array.isArray(notes),
    )
    return isList && writeRecords(read) === text ? read : null
  } catch {
    return null
  }
}

/** One row for each correction, and one for each note. */
export function correctionsTable(
  records: readonly CorrectionRecord[],
  receipts: ReadonlyMap<string, Pick<CorrectionReceipt, 'body' | 'signatures'>>,
): string {
  const head = [...['correction', 'what', 'state', 'periods', 'net', 'currency', 'waived', 'at', 'by', 'words', 'hash']]
  const rows = records.flatMap(record => {
    const { id, hash, state, proposedAt, proposedBy, refusal, notes } = record
    const receipt = receipts.get(id)
    const { body, signatures = [] } = receipt ?? {}
    const periods = body?.periods.map(({ period }) => period).join(' ') ?? ''
    const net = body?.net ?? null
    const figure = (amount: string | null) => (amount === null ? null : { figure: amount })
    return [
      [
        ...[id, 'PROPOSED', state, periods, figure(net), body?.currency ?? null, body?.waived === true ? 'yes' : 'no'],
        ...[proposedAt, proposedBy, body?.reason ?? '', hash],
      ],
      ...signatures.map(({ party, signedBy, signedAt, means }) => [
        ...[id, 'SIGNED', '', '', null, '', '', signedAt, signedBy, `${party}, ${means}`, hash],
      ]),
      ...(refusal === null
        ? []
        : [[id, 'REFUSED', '', '', null, '', '', refusal.at, refusal.by, `${refusal.party}: ${refusal.reason}`, hash]]),
      ...notes.map(({ part, number, date, amount, fileHash, recordedAt }) => [
        ...[id, 'NOTE', '', '', figure(amount), body?.currency ?? null, '', recordedAt, ''],
        ...[`part ${part}, ${number} of ${date}`, fileHash],
      ]),
    ]
  })
  return writeCsv({ name: 'corrections', head, rows })
}
