// The changes of terms in an evidence package: the signed receipt of each, one list of their records, and a table made from
// both.

import { basisOf, type ChangeReceipt, isList, isSplice } from '../../core/index-changes/change-receipt.ts'
import { formatCount } from '../../core/text/words.ts'
import { formatCsv } from '../sheet.ts'
import type { ProposalRecord } from './proposals.ts'

/** The history of a change of terms, beside its receipt. */
export interface ChangeRecord extends ProposalRecord {
  /** The version whose plan the change carries out: nobody had to sign it. */
  readonly plannedBy: number | null
  /** The formula version that the change made; null where it made none. */
  readonly version: number | null
  /** The version of the price list that the change made; left out where it made none. */
  readonly list?: number
}

/** The oldest first. */
export const changesPath = 'terms-changes.json'
export const changesTablePath = 'terms-changes.csv'

export function changePath(id: string): string {
  return `terms-changes/${id}.json`
}

/** `CUSTOM/new in place of CUSTOM/old`, or what an amendment touches. */
export function formatTerms(body: ChangeReceipt['body']): string {
  if (isSplice(body)) {
    const { method, coefficient } = body
    const written = coefficient === null ? '' : `, coefficient ${coefficient.written}`
    return `in place of ${body.old.series} comes ${body.new.series} (${method}${written})`
  }
  if (isList(body))
    return `another price list from ${body.from} on: ${formatCount(body.effect.changes.length)} prices differ`
  const paths = body.differences.map(({ path }) => path)
  return paths.length === 0 ? 'other words for the same terms' : `other ${paths.join(', ')}`
}

/** One row for each change, and one for each answer. */
export function changesTable(
  records: readonly ChangeRecord[],
  receipts: ReadonlyMap<string, Pick<ChangeReceipt, 'body' | 'signatures'>>,
): string {
  const head = ['change', 'what', 'state', 'changes formula', 'made formula', 'from', 'at', 'by', 'words', 'hash']
  const rows = records.flatMap(({ id, hash, state, proposedAt, proposedBy, refusal, version }) => {
    const { body, signatures = [] } = receipts.get(id) ?? {}
    const basis = body === undefined ? '' : String(basisOf(body))
    const answer = (what: string, at: string, by: string, words: string) => [
      id,
      what,
      '',
      '',
      '',
      '',
      at,
      by,
      words,
      hash,
    ]
    return [
      [
        id,
        'PROPOSED',
        state,
        basis,
        version === null ? '' : String(version),
        body?.effectiveFrom ?? '',
        proposedAt,
        proposedBy,
        body === undefined ? '' : formatTerms(body),
        hash,
      ],
      ...signatures.map(({ party, signedBy, signedAt, means }) =>
        answer('SIGNED', signedAt, signedBy, `${party}, ${means}`),
      ),
      ...(refusal === null ? [] : [answer('REFUSED', refusal.at, refusal.by, `${refusal.party}: ${refusal.reason}`)]),
    ]
  })
  return formatCsv({ name: 'terms-changes', head, rows })
}
