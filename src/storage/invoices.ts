// Invoice lines as they are kept: each with its agreement and the fields as they were written, in invoices of a supplier.
// Lines are added, never changed; a line is undone by an opposite one that names it.
import { canonicalJson } from '../core/canonical-json.ts'
import type { Instant } from '../core/instant.ts'
import type { StoredFields } from '../core/invoices/stored-fields.ts'
import { compareKeys } from '../core/prices/price-list.ts'
import { hashContent, hashText, invoiceContent } from './content.ts'
import type { Transaction } from './database.ts'
import { makeIdentifier } from './identifier.ts'
import { appendAll, type Publication } from './publish.ts'
import { enforceQuota } from './quotas.ts'

/** An invoice: whose number it is, and the number. */
export interface InvoiceName {
  readonly supplier: string
  readonly number: string
}

export interface NewLine extends InvoiceName {
  readonly line: string
  readonly pamId: string
  readonly fields: StoredFields
  /** The id of the line that it undoes. */
  readonly reverses: string | null
}

export interface StoredLine extends NewLine {
  readonly id: string
  readonly importedAt: Instant
}

interface LineRow extends Omit<StoredLine, 'fields'> {
  readonly fields: string
}

function lineOf({ fields, ...row }: LineRow): StoredLine {
  return { ...row, fields: JSON.parse(fields) as StoredFields }
}

function columns(tx: Transaction) {
  return tx`l.id, i.supplier, i.number, l.line, l.pam_id as "pamId", l.fields, l.reverses, i.recorded_at as "importedAt"`
}

/** Those of these invoices that stand: neither undone nor undoing. Inside a transaction of the workspace. */
export async function readStandingLines(
  tx: Transaction,
  workspaceId: string,
  invoices: readonly InvoiceName[],
): Promise<readonly StoredLine[]> {
  const rows = await tx<LineRow[]>`
    select ${columns(tx)}
    from unnest(${invoices.map(({ supplier }) => supplier)}::text[], ${invoices.map(({ number }) => number)}::text[])
      as wanted (supplier, number)
    join invoice i on i.workspace_id = ${workspaceId} and i.number = wanted.number and i.supplier = wanted.supplier
    join invoice_line l on l.workspace_id = i.workspace_id and l.invoice_id = i.id
    where l.reverses is null and not exists (
      select 1 from invoice_line r where r.workspace_id = l.workspace_id and r.reverses = l.id)
    order by i.supplier, i.number, l.line`
  return rows.map(lineOf)
}

/** The suppliers that have kept lines under a number, and whether any of their lines stand. */
export function readSuppliersOf(
  tx: Transaction,
  workspaceId: string,
  number: string,
): Promise<readonly { readonly supplier: string; readonly stands: boolean }[]> {
  return tx<{ supplier: string; stands: boolean }[]>`
    select i.supplier, bool_or(l.reverses is null and not exists (
      select 1 from invoice_line r where r.workspace_id = l.workspace_id and r.reverses = l.id)) as stands
    from invoice i join invoice_line l on l.workspace_id = i.workspace_id and l.invoice_id = i.id
    where i.workspace_id = ${workspaceId} and i.number = ${number} group by i.supplier order by i.supplier`
}

const rowsTogether = 2_000

/** One publication for each invoice. Inside a publication of the workspace. */
export async function insertLines(
  tx: Transaction,
  { scope, recordedAt }: Publication,
  lines: readonly NewLine[],
  importedBy: string,
): Promise<void> {
  const groups = [...Map.groupBy(lines, ({ supplier, number }) => `${supplier}\n${number}`).values()].map(own => {
    const { supplier, number } = own[0]!
    const rows = own.map(line => rowOf(scope, line)).sort((a, b) => compareKeys(a.id, b.id))
    const hash = hashText(rows.map(hashOfRow).join('\n'))
    const content = invoiceContent({ supplier, number, importedBy, lines: hash })
    return { id: makeIdentifier('inv'), supplier, number, rows, hash: hashContent(content) }
  })
  const seqs = await appendAll(
    tx,
    'invoice',
    groups.map(({ id }) => id),
    groups.map(({ hash }) => hash),
  )
  const invoices = groups.map(({ id, supplier, number }, i) => ({
    workspace_id: scope,
    id,
    seq: seqs[i]!,
    supplier,
    number,
    imported_by: importedBy,
    recorded_at: recordedAt,
  }))
  for (const some of inPieces(invoices)) await tx`insert into invoice ${tx(some)}`
  const rows = groups.flatMap(({ id, rows: own }) => own.map(row => ({ ...row, invoice_id: id })))
  for (const some of inPieces(rows)) await tx`insert into invoice_line ${tx(some)}`
  await enforceQuota(tx, scope, 'lines')
}

function* inPieces<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < rows.length; from += rowsTogether) yield rows.slice(from, from + rowsTogether)
}

function rowOf(workspaceId: string, { line, pamId, fields, reverses }: NewLine) {
  return {
    workspace_id: workspaceId,
    id: makeIdentifier('inl'),
    line,
    pam_id: pamId,
    date: fields.date,
    kind: fields.kind,
    fields: canonicalJson({ ...fields }),
    reverses,
  }
}

/** As chain-contents.ts works it out of the table. */
function hashOfRow({ id, line, pam_id, date, kind, reverses, fields }: ReturnType<typeof rowOf>): string {
  return hashText([id, line, pam_id, date ?? '', kind, reverses ?? '', fields].join('\t'))
}

export interface LineFilter {
  /** Null: of all agreements. */
  readonly pamIds: readonly string[] | null
  /** One invoice alone. */
  readonly invoice?: InvoiceName
  /** Of the invoice, both ends included; lines without a date are left out then. */
  readonly from?: string | null
  readonly to?: string | null
  /** Only what was imported by then. */
  readonly knownAt?: Instant | null
  readonly after?: LinePlace | null
  readonly most: number
}

/** Where a line stands in the order of lists. */
export interface LinePlace {
  /** Null: after all that have one. */
  readonly date: string | null
  readonly supplier: string
  readonly number: string
  readonly line: string
  readonly id: string
}

export function placeOfLine({ fields, supplier, number, line, id }: StoredLine): LinePlace {
  return { date: fields.date, supplier, number, line, id }
}

/** By date, supplier, invoice, line and id; those without a date come last. Inside a transaction of the workspace. */
export async function readLines(
  tx: Transaction,
  workspaceId: string,
  { pamIds, invoice, from = null, to = null, knownAt = null, after = null, most }: LineFilter,
): Promise<readonly StoredLine[]> {
  const rows = await tx<LineRow[]>`
    select ${columns(tx)}
    from invoice_line l join invoice i on i.workspace_id = l.workspace_id and i.id = l.invoice_id
    where l.workspace_id = ${workspaceId}
      ${pamIds === null ? tx`` : tx`and l.pam_id = any(${pamIds as string[]}::text[])`}
      ${invoice === undefined ? tx`` : tx`and i.supplier = ${invoice.supplier} and i.number = ${invoice.number}`}
      ${from === null ? tx`` : tx`and l.date >= ${from}`}
      ${to === null ? tx`` : tx`and l.date <= ${to}`}
      ${knownAt === null ? tx`` : tx`and i.recorded_at <= ${knownAt}`}
      ${
        after === null
          ? tx``
          : tx`and (coalesce(l.date, 'infinity'::date), i.supplier, i.number, l.line, l.id)
        > (coalesce(${after.date}::date, 'infinity'::date), ${after.supplier}, ${after.number}, ${after.line}, ${after.id})`
      }
    order by coalesce(l.date, 'infinity'::date), i.supplier, i.number, l.line, l.id limit ${most}`
  return rows.map(lineOf)
}
