// Stored invoice lines: each with its agreement and the fields as they were written, in invoices of a supplier. Lines are added,
// never changed; a line is undone by an opposite one that names it.

import type { StoredFields } from '../../core/invoices/stored-fields.ts'
import { normalForm } from '../../core/prices/line-identity.ts'
import { compareKeys } from '../../core/prices/price-list.ts'
import { canonicalJson } from '../../core/text/canonical-json.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { OpenLog } from '../log/append.ts'
import { loadClockRepairs } from '../log/clock-repairs.ts'
import { hashText } from '../log/content.ts'
import { appendEntries } from '../log/entry-rows.ts'
import { type Fragment, readingByKeys } from '../postgres/cells.ts'
import type { Transaction } from '../postgres/database.ts'
import { makeIdentifier } from '../postgres/identifier.ts'
import { enforceQuota } from '../workspaces/quotas.ts'

/** An invoice: its supplier and its number. */
export interface InvoiceName {
  readonly supplier: string
  readonly number: string
}

export interface NewLine extends InvoiceName {
  readonly line: string
  readonly agreementId: string
  readonly fields: StoredFields
  /** Id of the line that it undoes. */
  readonly reverses: string | null
}

export interface StoredLine extends NewLine {
  readonly id: string
  readonly importedAt: Instant
}

export interface LineRow extends Omit<StoredLine, 'fields'> {
  readonly fields: string
}

export function lineOf({ fields, ...row }: LineRow): StoredLine {
  return { ...row, fields: JSON.parse(fields) as StoredFields }
}

function columns(tx: Transaction) {
  return tx`l.id, i.supplier, i.number, l.line, l.agreement_id as "agreementId", l.fields, l.reverses`
}

/** Lines that stand, neither undone nor undoing, of invoices with these numbers, by their normal forms and of any supplier. */
export async function loadStandingLines(
  tx: Transaction,
  workspaceId: string,
  forms: readonly string[],
): Promise<readonly StoredLine[]> {
  const rows = await tx<LineRow[]>`
    select ${columns(tx)}, i.recorded_at as "importedAt"
    from invoice i join invoice_line l on l.workspace_id = i.workspace_id and l.invoice_id = i.id
    where i.workspace_id = ${workspaceId} and i.number_key = any(${forms as string[]}::text[]) and l.reverses is null and not exists (
      select 1 from invoice_line r where r.workspace_id = l.workspace_id and r.reverses = l.id)
    order by i.seq, i.supplier, i.number, l.line`
  return rows.map(lineOf)
}

/** Written forms of supplier and number under which lines of a number are kept. */
export async function loadSpellings(
  tx: Transaction,
  workspaceId: string,
  number: string,
): Promise<readonly InvoiceName[]> {
  return tx<InvoiceName[]>`
    select distinct i.supplier, i.number from invoice i
    where i.workspace_id = ${workspaceId} and i.number_key = ${normalForm(number)} order by i.supplier, i.number`
}

const rowsTogether = 2_000

/** Inserts lines, with one entry for each invoice. */
export async function insertLines(
  tx: Transaction,
  log: OpenLog,
  lines: readonly NewLine[],
  importedBy: string,
): Promise<void> {
  const groups = [...Map.groupBy(lines, ({ supplier, number }) => `${supplier}\n${number}`).values()].map(own => {
    const { supplier, number } = own[0]!
    const rows = own.map(rowOf).sort((a, b) => compareKeys(a.id, b.id))
    const hash = hashText(rows.map(hashOfRow).join('\n'))
    return { subject: makeIdentifier('inv'), facts: { supplier, number, importedBy, lines: hash }, rows }
  })
  await appendEntries(
    tx,
    log,
    'invoice',
    groups.map(({ subject, facts }) => ({ subject, facts, beside: { number_key: normalForm(facts.number) } })),
  )
  const { scope } = log
  const rows = groups.flatMap(({ subject, rows: own }) => own.map(row => ({ ...row, invoice_id: subject })))
  // Each piece is sent as one text: a parameter for each cell takes several times as long.
  for (const some of inPieces(rows))
    await tx`
      insert into invoice_line (workspace_id, id, invoice_id, line, agreement_id, date, kind, fields, reverses)
      select ${scope}, r.id, r.invoice_id, r.line, r.agreement_id, r.date, r.kind, r.fields, r.reverses
      from jsonb_to_recordset(${tx.json(some)}) as r (id text, invoice_id text, line text, agreement_id text, date date,
        kind text, fields text, reverses text)`
  await enforceQuota(tx, scope, 'lines')
}

function* inPieces<T>(rows: readonly T[]): Generator<T[]> {
  for (let from = 0; from < rows.length; from += rowsTogether) yield rows.slice(from, from + rowsTogether)
}

function rowOf({ line, agreementId, fields, reverses }: NewLine) {
  return {
    id: makeIdentifier('inl'),
    line,
    agreement_id: agreementId,
    date: fields.date,
    kind: fields.kind,
    fields: canonicalJson({ ...fields }),
    reverses,
  }
}

/** Hash of a row, equal to the one that chain-contents.ts computes from the table. */
function hashOfRow({ id, line, agreement_id, date, kind, reverses, fields }: ReturnType<typeof rowOf>): string {
  return hashText([id, line, agreement_id, date ?? '', kind, reverses ?? '', fields].join('\t'))
}

export interface LineFilter {
  /** Ids of agreements; null for all. */
  readonly agreementIds: readonly string[] | null
  /** One invoice alone, in each of its spellings. */
  readonly invoice?: readonly InvoiceName[]
  /** Days of the invoice, both ends included; lines without a date are then left out. */
  readonly from?: string | null
  readonly to?: string | null
  /** Instant up to which imports count. */
  readonly knownAt?: Instant | null
  readonly after?: string | null
  readonly most: number
}

/** Lines by date, supplier, invoice, line and id; lines without a date come last. */
export async function loadLines(
  tx: Transaction,
  workspaceId: string,
  filter: LineFilter,
): Promise<readonly StoredLine[]> {
  const { after = null, from = null, to = null, most } = filter
  const place = after === null ? null : await loadPlace(tx, workspaceId, after)
  const hasRepairs = !(await loadClockRepairs(tx, workspaceId)).isEmpty
  const request = { ...filter, workspaceId, hasRepairs, place }
  const isPastDated = place !== null && place.date === null
  // The query has two parts, each in the order of an index: of many thousand lines only those of a few days are sorted.
  const rows = await readingByKeys(tx, async () => {
    const dated = isPastDated ? [] : await loadDated(tx, request)
    if (dated.length === most || from !== null || to !== null) return dated
    const rest = { ...request, most: most - dated.length, place: isPastDated ? place : null }
    return [...dated, ...(await loadUndated(tx, rest))]
  })
  return rows.map(lineOf)
}

interface LinePlace {
  readonly date: string | null
  readonly supplier: string
  readonly number: string
  readonly line: string
  readonly id: string
}

async function loadPlace(tx: Transaction, workspaceId: string, id: string): Promise<LinePlace> {
  const [place] = await tx<LinePlace[]>`
    select l.date, i.supplier, i.number, l.line, l.id
    from invoice_line l join invoice i on i.workspace_id = l.workspace_id and i.id = l.invoice_id
    where l.workspace_id = ${workspaceId} and l.id = ${id}`
  if (place === undefined) throw new Error(`there is no line ${id}`)
  return place
}

/** Moment at which a line counts as imported; a clock that was ahead may have been repaired since, though hardly ever. */
function countedInstant(tx: Transaction, hasRepairs: boolean): Fragment {
  if (!hasRepairs) return tx`i.recorded_at`
  return tx`coalesce((select c.counts_as from clock_repair c
    where c.scope = i.workspace_id and i.seq between c.first_seq and c.last_seq), i.recorded_at)`
}

interface LineRequest extends LineFilter {
  readonly workspaceId: string
  readonly hasRepairs: boolean
  readonly place: LinePlace | null
}

function selectLines(
  tx: Transaction,
  { workspaceId, agreementIds, invoice, knownAt = null, hasRepairs }: LineRequest,
): Fragment {
  const at = () => countedInstant(tx, hasRepairs)
  return tx`
    select ${columns(tx)}, ${at()} as "importedAt" from ${invoice === undefined ? linesFirst(tx) : invoiceFirst(tx)}
    where l.workspace_id = ${workspaceId} and i.workspace_id = ${workspaceId} ${ofAgreements(tx, agreementIds)}
      ${invoice === undefined ? tx`` : namedAs(tx, invoice)}
      ${knownAt === null ? tx`` : tx`and ${at()} <= ${knownAt}`}`
}

function namedAs(tx: Transaction, names: readonly InvoiceName[]): Fragment {
  const suppliers = names.map(({ supplier }) => supplier)
  const numbers = names.map(({ number }) => number)
  return tx`and (i.supplier, i.number) in (select * from unnest(${suppliers}::text[], ${numbers}::text[]))`
}

/**
 * After a large import the database does not know yet how many lines there are, and would look through all of them for each
 * invoice. `offset 0` keeps the order in which the tables are read: lines by their day, and the invoice of each by its id.
 */
function linesFirst(tx: Transaction): Fragment {
  return tx`invoice_line l cross join lateral (
    select * from invoice o where o.workspace_id = l.workspace_id and o.id = l.invoice_id offset 0) i`
}

/** The tables the other way round, for one invoice. */
function invoiceFirst(tx: Transaction): Fragment {
  return tx`invoice i cross join lateral (
    select * from invoice_line o where o.workspace_id = i.workspace_id and o.invoice_id = i.id offset 0) l`
}

function ofAgreements(tx: Transaction, agreementIds: readonly string[] | null): Fragment {
  if (agreementIds === null) return tx``
  // For one agreement, an index has the order of the days.
  return agreementIds.length === 1
    ? tx`and l.agreement_id = ${agreementIds[0]!}`
    : tx`and l.agreement_id = any(${agreementIds as string[]}::text[])`
}

function behind(tx: Transaction, { supplier, number, line, id }: LinePlace): Fragment {
  return tx`(i.supplier, i.number, l.line, l.id) > (${supplier}, ${number}, ${line}, ${id})`
}

function loadDated(tx: Transaction, request: LineRequest): Promise<readonly LineRow[]> {
  const { from = null, to = null, most, place } = request
  return tx<LineRow[]>`
    ${selectLines(tx, request)} and l.date is not null
      ${from === null ? tx`` : tx`and l.date >= ${from}`}
      ${to === null ? tx`` : tx`and l.date <= ${to}`}
      ${place === null ? tx`` : tx`and l.date >= ${place.date} and (l.date > ${place.date} or ${behind(tx, place)})`}
    order by l.date, i.supplier, i.number, l.line, l.id limit ${most}`
}

function loadUndated(tx: Transaction, request: LineRequest): Promise<readonly LineRow[]> {
  const { most, place } = request
  return tx<LineRow[]>`
    ${selectLines(tx, request)} and l.date is null ${place === null ? tx`` : tx`and ${behind(tx, place)}`}
    order by i.supplier, i.number, l.line, l.id limit ${most}`
}
