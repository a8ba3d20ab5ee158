// Finds invoices by the beginning of their number and items by the beginning of their key, each by one bounded range of an index.
// The caller decides which agreements count; nothing else is looked at.
import { normalForm } from '../../core/prices/line-identity.ts'
import type { Instant } from '../../core/time/instant.ts'
import { loadClockRepairs } from '../log/clock-repairs.ts'
import type { Transaction } from '../postgres/database.ts'

/** A search; `agreementIds` null: in every agreement of the workspace. */
interface Search {
  readonly text: string
  readonly agreementIds: readonly string[] | null
  readonly most: number
}

export interface FoundInvoice {
  readonly id: string
  readonly supplier: string
  readonly number: string
  readonly agreementId: string
}

/** End of every range that begins with a text, byte by byte. */
const last = '\u{10ffff}'

/** Beginning of a number. Zeros in front do not count, and it is not known yet whether these are in front. */
function beginningOf(text: string): string {
  return normalForm(text).replace(/(?<!\d)0+$/, '')
}

export async function searchInvoices(
  tx: Transaction,
  workspaceId: string,
  { text, agreementIds, most }: Search,
): Promise<readonly FoundInvoice[]> {
  const from = beginningOf(text)
  if (from === '') return []
  const isOwn = agreementIds === null ? tx`true` : tx`l.agreement_id = any(${agreementIds as string[]}::text[])`
  const agreementOf = tx`
    cross join lateral (
      select distinct l.agreement_id from invoice_line l
      where l.workspace_id = i.workspace_id and l.invoice_id = i.id and ${isOwn}) l`
  return tx<FoundInvoice[]>`
    select i.id, i.supplier, i.number, l.agreement_id as "agreementId" from invoice i ${agreementOf}
    where i.workspace_id = ${workspaceId} and i.number_key >= ${from} and i.number_key < ${from + last}
    order by i.number_key, i.id limit ${most}`
}

interface FoundItem {
  readonly item: string
  readonly agreementId: string
  /** Moment of the version with it. */
  readonly recordedAt: Instant
}

/** Searches for the text as typed, in capitals, and in small letters: keys are compared as they are written. */
export async function searchItems(
  tx: Transaction,
  workspaceId: string,
  { text, agreementIds, most }: Search,
): Promise<readonly FoundItem[]> {
  const plain = text.trim()
  const beginnings = [...new Set([plain, plain.toUpperCase(), plain.toLowerCase()])]
  const ends = beginnings.map(each => each + last)
  const isOwn = agreementIds === null ? tx`true` : tx`k.agreement_id = any(${agreementIds as string[]}::text[])`
  const rows = await tx<(FoundItem & { readonly seq: number })[]>`
    select k.item_key as item, k.agreement_id as "agreementId", p.seq, p.recorded_at as "recordedAt"
    from unnest(${beginnings}::text[], ${ends}::text[]) as wanted (beginning, ending)
    cross join lateral (
      select k.item_key, k.agreement_id, k.version from price_list_key k
      where k.workspace_id = ${workspaceId} and k.item_key >= wanted.beginning and k.item_key < wanted.ending and ${isOwn}
      order by k.item_key, k.agreement_id, k.version limit ${most}) k
    join price_list p on p.workspace_id = ${workspaceId} and p.agreement_id = k.agreement_id and p.version = k.version`
  const repairs = await loadClockRepairs(tx, workspaceId)
  return rows.map(({ seq, ...row }) => ({ ...row, recordedAt: repairs.instantOf(workspaceId, seq, row.recordedAt) }))
}
