// Rows of the database that name a person to be erased: found in every table, whatever it is for, so that tables added later are
// searched too. Texts that both parties signed are left as they are, and counted (decision 0702).
import { type Erased, type Eraser, termsOf } from '../../core/people/erased-text.ts'
import type { Transaction } from '../postgres/database.ts'
import { listTables, type TableShape } from './backup.ts'

/** Texts whose hash both parties signed, or that a passkey or a provider signed. A name in them stays: nothing else proves them. */
const signedTexts: Readonly<Record<string, readonly string[]>> = {
  agreement_state: ['parties'],
  formula: ['document', 'document_text', 'words', 'words_file'],
  signed_receipt: ['receipt', 'carried'],
  correction: ['body', 'receipts'],
  terms_change: ['body', 'document'],
  signing: ['passkey', 'provider'],
  signing_batch: ['passkey', 'provider'],
}

/**
 * Tables about series, companies and the machinery, too large to be looked through: nobody is named in them. The access log comes
 * apart.
 */
const namesNobody = new Set([
  'vintage',
  'series',
  'series_metadata',
  'series_state',
  'series_release',
  'follow',
  'calendar_entry',
  'calendar_state',
  'answer_shape',
  'raw_body',
  'raw_answer',
  'provider_request',
  'provider_pause',
  'installation',
  'workspace',
  'workspace_name',
  'party',
  'party_name',
  'agreement',
  'price_list_key',
  'clock',
  'clock_repair',
  'scope_clock',
  'publication',
  'access_entry',
  'access_head',
  'redaction',
])

/** The erased person, and the words of redactions about them. */
export interface ErasureFacts extends Erased {
  readonly reason: string
  readonly by: string
}

/** Columns as JSON texts, so that only names change in them. */
type Cells = Readonly<Record<string, string>>

interface NamedRow {
  readonly scope: string | null
  readonly cells: Cells
  /** Whether it has the address, or is an act of theirs: a name in it is theirs. */
  readonly isTheirs: boolean
}

interface ErasedRow {
  readonly table: string
  readonly key: Cells
  /** Changes; none where only signed texts name them. */
  readonly changes: Cells
  /** Columns that name them and stay. */
  readonly kept: readonly string[]
  readonly scope: string | null
}

/** Finds rows of a scope, of no scope (null), or of all; in any order. */
export async function findErasedRows(
  tx: Transaction,
  erased: Erased,
  eraser: Eraser,
  scope: string | null | 'all',
): Promise<readonly ErasedRow[]> {
  const found: ErasedRow[] = []
  for (const shape of await listTables(tx)) {
    if (namesNobody.has(shape.name) || shape.name.startsWith('log_')) continue
    const held = scopeColumn(shape)
    if (scope !== 'all' && (held === null) !== (scope === null)) continue
    for (const row of await findRows(tx, shape, erased, scope)) {
      const one = eraseIn(shape, row, eraser)
      if (one !== null) found.push(one)
    }
  }
  return found
}

function scopeColumn({ columns }: TableShape): string | null {
  return ['workspace_id', 'owner', 'scope'].find(column => columns.includes(column)) ?? null
}

function findRows(tx: Transaction, shape: TableShape, erased: Erased, scope: string | null | 'all') {
  const held = scopeColumn(shape)
  const terms = termsOf(erased).map(term => JSON.stringify(term).slice(1, -1))
  const own = shape.name === 'signing' ? signingsOf(tx, erased.email) : tx`false`
  return tx<NamedRow[]>`
    select ${held === null ? tx`null` : tx`t.${tx(held)}`} as scope,
      (select jsonb_object_agg(c.key, c.value::text) from jsonb_each(to_jsonb(t)) c) as cells,
      strpos(lower(to_jsonb(t)::text), lower(${terms[0]!})) > 0 or ${own} as "isTheirs"
    from ${tx(shape.name)} t
    where (${own} or exists (
        select 1 from unnest(${terms}::text[]) as term (text) where strpos(lower(to_jsonb(t)::text), lower(term.text)) > 0))
      ${scope === 'all' || scope === null ? tx`` : tx`and t.${tx(held!)} = ${scope}`}`
}

/** An act of signing has the name; the signatures that it gave have the address. */
function signingsOf(tx: Transaction, email: string) {
  return tx`exists (
    select 1 from (
      select s.workspace_id, s.signing_id, s.signed_by from sign_off s
      union all select s.workspace_id, s.signing_id, s.signed_by from correction_signature s
      union all select s.workspace_id, s.signing_id, s.signed_by from terms_change_signature s) s
    where s.workspace_id = t.workspace_id and s.signing_id = t.id and lower(s.signed_by) = ${email})`
}

function eraseIn(
  { name: table, key }: TableShape,
  { scope, cells, isTheirs }: NamedRow,
  eraser: Eraser,
): ErasedRow | null {
  const isSigned = (column: string) =>
    signedTexts[table]?.includes(column) === true ||
    // A passkey signs the signer's origin, and so does a provider.
    (table === 'signing' && column === 'origin' && (cells.passkey !== 'null' || cells.provider !== 'null'))
  const named = Object.entries(cells)
    .map(([column, json]) => [column, eraser.json(json, column, isTheirs)] as const)
    .filter(([column, json]) => json !== cells[column])
  if (named.length === 0) return null
  return {
    table,
    scope,
    key: Object.fromEntries(key.map(column => [column, cells[column]!])),
    changes: Object.fromEntries(named.filter(([column]) => !isSigned(column))),
    kept: named.map(([column]) => column).filter(isSigned),
  }
}

/** JSON of which the values are written already. */
function formatCells(cells: Cells): string {
  return `{${Object.entries(cells)
    .map(([column, json]) => `${JSON.stringify(column)}:${json}`)
    .join(',')}}`
}

/** Changes a row that is append-only: the one way to do it, see `redact_row`. */
export async function redactRow(tx: Transaction, table: string, key: Cells, changes: Cells): Promise<void> {
  await tx`select redact_row(${table}::regclass, ${formatCells(key)}::text::jsonb, ${formatCells(changes)}::text::jsonb)`
}

/** Names that somebody was given, as far as they are stored. For the owner's connection. */
export async function loadNamesOf(tx: Transaction, email: string): Promise<readonly string[]> {
  const rows = await tx<{ name: string }[]>`
    select t.name from signing t where ${signingsOf(tx, email)}
    union select name from objection where lower(said_by) = ${email}
    union select name from objection_answer where lower(said_by) = ${email}
    union select name from correction_refusal where lower(said_by) = ${email}
    union select name from terms_change_refusal where lower(said_by) = ${email}
    union select content ->> 'name' from access_entry where lower(content ->> 'email') = ${email}
    union select named.value ->> 'name' from people_event e
      cross join lateral jsonb_path_query(e.facts, 'lax $.**?(@.email != null)') as named (value)
      where jsonb_typeof(named.value) = 'object' and lower(named.value ->> 'email') = ${email}`
  return rows.map(({ name }) => name).filter(name => name !== null && name !== '' && name.toLowerCase() !== email)
}
