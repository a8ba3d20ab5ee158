// Keeping invoice lines, all or nothing, and undoing an invoice by opposite lines. A line that a check reports as
// UNKNOWN is a bad row; lines with any other outcome are kept. The same line again adds nothing; with different content
// it is a bad row.

import { type AgreementBook, type OpenAgreement, supplierOf } from '../core/invoices/agreement-book.ts'
import { type CheckContext, LineChecker } from '../core/invoices/check.ts'
import { clarify } from '../core/invoices/clear-line.ts'
import type { InvoiceLine, LineSequence } from '../core/invoices/invoice-line.ts'
import { differingField, type FoundMeaning, oppositeOf, storedFieldsOf } from '../core/invoices/stored-fields.ts'
import { currencyOf } from '../core/prices/agreement.ts'
import {
  LineIdentities,
  type NamedLine,
  type NamedSupplier,
  normalForm,
  type SupplierNames,
} from '../core/prices/line-identity.ts'
import { Refusal } from '../core/refusal.ts'
import type { RowProblem } from '../core/series/table-problems.ts'
import { columnOf } from '../core/text/sheet-text.ts'
import type { Day } from '../core/time/day.ts'
import type { Library } from '../read/library.ts'
import {
  type InvoiceName,
  insertLines,
  loadSpellings,
  loadStandingLines,
  type NewLine,
  type StoredLine,
} from '../storage/agreements/invoices.ts'
import { appending } from '../storage/log/append.ts'
import { loadSupplierNames } from '../storage/people/parties.ts'
import { type Sql, type Transaction, withWorkspace } from '../storage/postgres/database.ts'
import { type Actor, noteActivity } from '../storage/workspaces/activity.ts'
import type { RefusedRows } from './price-list.ts'

export interface Imported {
  readonly outcome: 'imported' | 'unchanged'
  readonly added: number
  readonly unchanged: number
}

export interface ImportRequest {
  readonly workspaceId: string
  readonly today: Day
  readonly by: Actor
  /** Name of the import in the activity, such as the name of the file. */
  readonly source: string
}

interface LinesRequest extends ImportRequest {
  readonly lines: LineSequence
}

/** A line that can be kept, and its place in the file. */
interface PlacedLine extends NewLine {
  readonly place: number
  /** The supplier's company; null if it is no known party of the agreement. */
  readonly company: string | null
}

export async function importLines(
  sql: Sql,
  library: Library,
  { workspaceId, lines, today, by, source }: LinesRequest,
): Promise<Imported | RefusedRows> {
  const ground = await library.prices.checkGround(workspaceId, lines, { knownAt: null, until: today })
  const judged = judge(lines, ground)
  if ('problems' in judged) return { outcome: 'refused', problems: judged.problems }
  return appending(sql, workspaceId, async (tx, log) => {
    const { fresh, problems } = await compareInside(tx, workspaceId, judged.lines, ground)
    if (problems.length > 0) return { outcome: 'refused', problems }
    const [added, unchanged] = [fresh.length, lines.length - fresh.length]
    if (added === 0) return { outcome: 'unchanged', added, unchanged }
    await insertLines(tx, log, fresh, by.who)
    const subject = `${source}: ${added} ${added === 1 ? 'line' : 'lines'}`
    await noteActivity(tx, workspaceId, { ...by, act: 'invoice.import', what: 'invoice lines imported', subject })
    return { outcome: 'imported', added, unchanged }
  })
}

/** Counts the lines that an import would add, or gives the reason it would be refused; nothing is written. */
export async function previewLines(
  sql: Sql,
  workspaceId: string,
  lines: LineSequence,
  ground: CheckContext,
): Promise<Omit<Imported, 'outcome'> | RefusedRows> {
  const judged = judge(lines, ground)
  if ('problems' in judged) return { outcome: 'refused', problems: judged.problems }
  const compared = await withWorkspace(sql, workspaceId, tx => compareInside(tx, workspaceId, judged.lines, ground))
  const { fresh, problems } = compared
  if (problems.length > 0) return { outcome: 'refused', problems }
  return { added: fresh.length, unchanged: lines.length - fresh.length }
}

async function compareInside(
  tx: Transaction,
  workspaceId: string,
  lines: readonly PlacedLine[],
  { book }: CheckContext,
): Promise<ReturnType<typeof compareWith>> {
  const forms = new Set(lines.map(({ number }) => normalForm(number)))
  const kept = await loadStandingLines(tx, workspaceId, [...forms])
  return compareWith(lines, kept, { book, names: await loadSupplierNames(tx, workspaceId) })
}

/** Every line with its meaning, or all bad rows. */
function judge(
  lines: LineSequence,
  ground: CheckContext,
): { readonly lines: readonly PlacedLine[] } | { readonly problems: readonly RowProblem[] } {
  const checker = new LineChecker(ground)
  const problems: RowProblem[] = []
  const placed: PlacedLine[] = []
  for (const line of lines) {
    const found = checker.problemsOf(line)
    problems.push(...found)
    if (problems.length === 0) placed.push(placedLine(line, ground))
  }
  return problems.length > 0 ? { problems } : { lines: placed }
}

function placedLine(line: InvoiceLine, ground: CheckContext): PlacedLine {
  const open = ground.book.find(line) as Exclude<ReturnType<AgreementBook['find']>, { readonly message: string }>
  const { company, supplier } = supplierOf(line, open) as NamedSupplier
  return {
    place: line.place,
    company,
    supplier,
    number: line.invoice!,
    line: line.line!,
    agreementId: open.agreement.id,
    fields: storedFieldsOf(line, meaningOf(line, open, ground)),
    reverses: null,
  }
}

/** The item by the key that the line names, as the list spells it, so that it is found again the same way. */
function meaningOf(line: InvoiceLine, open: OpenAgreement, { book, units }: CheckContext): FoundMeaning {
  const clear = clarify(line, book, units)
  if ('problems' in clear) return { item: line.items[0] ?? null, currency: line.currency ?? currencyOf(open.agreement) }
  const { offer, item } = clear.found
  const named = line.items.find(key => offer.list.find(key) === item)
  return {
    item: (named === undefined ? undefined : offer.list.keyOf(named)) ?? item.item,
    currency: clear.currency,
  }
}

/** A known line and its place. */
interface KnownLine extends NamedLine {
  readonly of: NewLine
  readonly where: string
}

/** Suppliers: of the agreements that lines mean, and of the whole workspace. */
interface Suppliers {
  readonly book: AgreementBook
  readonly names: SupplierNames
}

/** The lines that are new, compared with what is kept and among themselves. */
function compareWith(
  lines: readonly PlacedLine[],
  kept: readonly StoredLine[],
  suppliers: Suppliers,
): { readonly fresh: readonly NewLine[]; readonly problems: readonly RowProblem[] } {
  const known = new LineIdentities<KnownLine>()
  const enter = (of: NewLine, company: string | null, where: string) =>
    known.add({ ...identityOf(of, company, suppliers), of, where })
  for (const each of kept) {
    const company = suppliers.book.open(each.agreementId)?.suppliers.find(each.supplier) ?? null
    enter(each, company, `kept since ${each.importedAt.slice(0, 10)}`)
  }
  const fresh: NewLine[] = []
  const problems: RowProblem[] = []
  for (const { place, company, ...line } of lines) {
    const same = known.find(identityOf(line, company, suppliers))
    if (same.length === 0) {
      fresh.push(line)
      enter(line, company, `there already (line ${place})`)
      continue
    }
    const fields = same.map(({ of }) =>
      of.agreementId === line.agreementId ? differingField(of.fields, line.fields) : 'agreement',
    )
    if (fields.includes(null)) continue
    const column = columnOf(fields[0]!)
    const message = `${nameOf(line)} is ${same[0]!.where}${spelledAs(same[0]!.of, line)} with another ${column}; reverse the invoice to import it again`
    problems.push({ line: place, column, message })
  }
  return { fresh, problems }
}

function identityOf(line: NewLine, company: string | null, { names }: Suppliers): NamedLine {
  const { supplier, number, line: own, agreementId } = line
  const supplierKey = names.find(supplier) ?? normalForm(supplier)
  return { supplierKey, isParty: company !== null, number, line: own, agreementId }
}

function nameOf({ number, line, supplier }: NewLine): string {
  return `invoice ${number}, line ${line} of ${supplier}`
}

function spelledAs(kept: NewLine, line: NewLine): string {
  return nameOf(kept) === nameOf(line) ? '' : ` as ${nameOf(kept)}`
}

interface Reversed extends InvoiceName {
  readonly outcome: 'reversed'
  readonly added: number
}

/**
 * Adds the opposite of every line that is not undone yet, in whatever spelling it is kept; the invoice can then be
 * imported again.
 */
export function reverseInvoice(
  sql: Sql,
  workspaceId: string,
  { number, supplier, by }: { readonly number: string; readonly supplier: string | null; readonly by: Actor },
): Promise<Reversed> {
  return appending(sql, workspaceId, async (tx, log) => {
    const names = await loadSupplierNames(tx, workspaceId)
    const keyOf = (text: string) => names.find(text) ?? normalForm(text)
    const of = supplier === null ? '' : ` of ${supplier}`
    const isMeant = (each: InvoiceName) => supplier === null || keyOf(each.supplier) === keyOf(supplier)
    const kept = (await loadSpellings(tx, workspaceId, number)).filter(isMeant)
    if (kept.length === 0) throw new Refusal('not-found', `no lines of invoice "${number}"${of} are kept`)
    const standing = (await loadStandingLines(tx, workspaceId, [normalForm(number)])).filter(isMeant)
    const [first] = standing
    if (first === undefined) throw new Refusal('conflict', `invoice "${number}"${of} is reversed already`)
    const suppliers = [...new Map(standing.map(each => [keyOf(each.supplier), each.supplier])).values()].sort()
    if (suppliers.length > 1)
      throw new Refusal(
        'conflict',
        `${suppliers.length} suppliers have an invoice "${number}": ${suppliers.join(', ')}; say which with --supplier`,
      )
    const name = { supplier: first.supplier, number: first.number }
    const opposite = standing.map(line => ({
      supplier: line.supplier,
      number: line.number,
      line: line.line,
      agreementId: line.agreementId,
      fields: oppositeOf(line.fields),
      reverses: line.id,
    }))
    await insertLines(tx, log, opposite, by.who)
    const subject = `${name.number} of ${name.supplier}: ${opposite.length} ${opposite.length === 1 ? 'line' : 'lines'}`
    await noteActivity(tx, workspaceId, { ...by, act: 'invoice.reverse', what: 'invoice reversed', subject })
    return { outcome: 'reversed', ...name, added: opposite.length }
  })
}
