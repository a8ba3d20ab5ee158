// Kept invoice lines for people who look through them: the newest first, page by page, with the lines that undo them, in the
// order of an index; invoices are searched once, lines by their items.

import { normalForm } from '../../core/prices/line-identity.ts'
import { type Fragment, readingByKeys } from '../postgres/cells.ts'
import type { Transaction } from '../postgres/database.ts'
import { type LineRow, lineOf, type StoredLine } from './invoices.ts'

export interface StoredInvoiceLine extends StoredLine {
  readonly importedBy: string
  /** Id of the line that undoes it. */
  readonly reversedBy: string | null
}

export interface LineFilter {
  /** Ids of agreements; null for all. */
  readonly agreementIds: readonly string[] | null
  /** Suppliers as the lines name them; null for all. */
  readonly suppliers: readonly string[] | null
  /** Id of one line alone. */
  readonly id?: string
  readonly search: LineSearch | null
}

/** Search for a line by its number, its item, or other names in the text. */
interface LineSearch {
  readonly text: string
  readonly agreementIds: readonly string[]
  readonly suppliers: readonly string[]
}

interface StoredLineRow extends LineRow, Pick<StoredInvoiceLine, 'importedBy' | 'reversedBy'> {
  readonly date: string | null
}

/** Reads lines. `after` is the id of the line before the page. */
export async function loadKeptLines(
  tx: Transaction,
  workspaceId: string,
  filter: LineFilter,
  { after, most }: { readonly after: string | null; readonly most: number },
): Promise<readonly StoredInvoiceLine[]> {
  const place = after === null ? null : await loadPlace(tx, workspaceId, after)
  const chosen = chosenBy(tx, workspaceId, filter)
  const isPastDated = place !== null && place.date === null
  // The query has two parts, each in the order of an index: of many thousand lines only those of a few days are sorted.
  const rows = await readingByKeys(tx, async () => {
    const dated = isPastDated ? [] : await loadDated(tx, workspaceId, chosen, { place, most })
    if (dated.length === most) return dated
    const rest = { place: isPastDated ? place : null, most: most - dated.length }
    return [...dated, ...(await loadUndated(tx, workspaceId, chosen, rest))]
  })
  return rows.map(({ importedBy, reversedBy, ...row }) => ({ ...lineOf(row), importedBy, reversedBy }))
}

export async function countKeptLines(tx: Transaction, workspaceId: string, filter: LineFilter): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*) as count from invoice_line l
    join invoice i on i.workspace_id = l.workspace_id and i.id = l.invoice_id
    where l.workspace_id = ${workspaceId} and i.workspace_id = ${workspaceId} ${chosenBy(tx, workspaceId, filter)}`
  return Number(row!.count)
}

/** Suppliers as lines name them, by name. */
export async function loadLineSuppliers(tx: Transaction, workspaceId: string): Promise<readonly string[]> {
  const rows = await tx<{ supplier: string }[]>`
    select distinct supplier from invoice where workspace_id = ${workspaceId} order by supplier`
  return rows.map(({ supplier }) => supplier)
}

interface LinePlace extends Pick<StoredLineRow, 'date' | 'supplier' | 'number' | 'line' | 'id'> {}

async function loadPlace(tx: Transaction, workspaceId: string, id: string): Promise<LinePlace | null> {
  const [place] = await tx<LinePlace[]>`
    select l.date, i.supplier, i.number, l.line, l.id
    from invoice_line l join invoice i on i.workspace_id = l.workspace_id and i.id = l.invoice_id
    where l.workspace_id = ${workspaceId} and l.id = ${id}`
  return place ?? null
}

function chosenBy(tx: Transaction, workspaceId: string, { agreementIds, suppliers, id, search }: LineFilter): Fragment {
  return tx`
    ${agreementIds === null ? tx`` : tx`and l.agreement_id = any(${agreementIds as string[]}::text[])`}
    ${suppliers === null ? tx`` : tx`and i.supplier = any(${suppliers as string[]}::text[])`}
    ${id === undefined ? tx`` : tx`and l.id = ${id}`}
    ${search === null ? tx`` : tx`and (${foundBy(tx, workspaceId, search)})`}`
}

/** Condition on the line's own texts: the invoice of a line that is not found is never looked up. */
function foundBy(tx: Transaction, workspaceId: string, { text, agreementIds, suppliers }: LineSearch): Fragment {
  const part = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  return tx`l.agreement_id = any(${agreementIds as string[]}::text[])
    or l.invoice_id in (
      select f.id from invoice f where f.workspace_id = ${workspaceId} and (f.number_key = ${normalForm(text)}
        or f.number ilike ${part} or f.supplier = any(${suppliers as string[]}::text[])))
    or ${itemOf(tx)} ilike ${part}`
}

/**
 * Keys are sorted, and a quotation mark inside of a value has a backslash: the one value is cut out, as reading all of them takes
 * several times as long.
 */
function itemOf(tx: Transaction): Fragment {
  return tx`nullif(split_part(split_part(l.fields, '"item":', 2), ',"kind":', 1), '')::jsonb #>> '{}'`
}

interface PageOfLines {
  readonly place: LinePlace | null
  readonly most: number
}

/** `offset 0` keeps the order in which the tables are read: lines by their day, and the invoice of each by its id. */
function selectLines(tx: Transaction, workspaceId: string, chosen: Fragment): Fragment {
  return tx`
    select l.id, i.supplier, i.number, l.line, l.agreement_id as "agreementId", l.fields, l.reverses, i.recorded_at as "importedAt",
      i.imported_by as "importedBy", (select r.id from invoice_line r
        where r.workspace_id = ${workspaceId} and r.reverses = l.id) as "reversedBy"
    from invoice_line l cross join lateral (
      select * from invoice o where o.workspace_id = l.workspace_id and o.id = l.invoice_id offset 0) i
    where l.workspace_id = ${workspaceId} ${chosen}`
}

function behind(tx: Transaction, { supplier, number, line, id }: LinePlace): Fragment {
  return tx`(i.supplier, i.number, l.line, l.id) > (${supplier}, ${number}, ${line}, ${id})`
}

function loadDated(tx: Transaction, workspaceId: string, chosen: Fragment, { place, most }: PageOfLines) {
  return tx<StoredLineRow[]>`
    ${selectLines(tx, workspaceId, chosen)} and l.date is not null
      ${place === null ? tx`` : tx`and l.date <= ${place.date} and (l.date < ${place.date} or ${behind(tx, place)})`}
    order by l.date desc, i.supplier, i.number, l.line, l.id limit ${most}`
}

function loadUndated(tx: Transaction, workspaceId: string, chosen: Fragment, { place, most }: PageOfLines) {
  return tx<StoredLineRow[]>`
    ${selectLines(tx, workspaceId, chosen)} and l.date is null ${place === null ? tx`` : tx`and ${behind(tx, place)}`}
    order by i.supplier, i.number, l.line, l.id limit ${most}`
}
