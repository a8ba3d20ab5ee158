// Keeping invoice lines, all or nothing, and undoing an invoice by opposite lines. A line that a check reports as
// UNKNOWN is a bad row; lines with any other outcome are kept. The same line again adds nothing; with different content
// it is a bad row.
import type { Day } from '../core/day.ts'
import { type AgreementBook, supplierKeyOf } from '../core/invoices/agreement-book.ts'
import { type CheckGround, LineChecker } from '../core/invoices/check.ts'
import { clarify } from '../core/invoices/clear-line.ts'
import type { InvoiceLine, LineSequence } from '../core/invoices/invoice-line.ts'
import { differingField, type FoundMeaning, oppositeOf, storedFieldsOf } from '../core/invoices/stored-fields.ts'
import type { RowProblem } from '../core/observation-table.ts'
import { Refusal } from '../core/refusal.ts'
import { columnOf } from '../core/sheet-text.ts'
import type { Library } from '../read/library.ts'
import { type Actor, noteActivity } from '../storage/activity.ts'
import type { Sql } from '../storage/database.ts'
import {
  type InvoiceName,
  insertLines,
  type NewLine,
  readStandingLines,
  readSuppliersOf,
  type StoredLine,
} from '../storage/invoices.ts'
import { publishing } from '../storage/publish.ts'
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
  /** Its name in the activity, such as the name of the file. */
  readonly source: string
}

export interface LinesRequest extends ImportRequest {
  readonly lines: LineSequence
}

/** A line that can be kept, and its place in the file. */
interface PlacedLine extends NewLine {
  readonly place: number
}

export async function importLines(
  sql: Sql,
  library: Library,
  { workspaceId, lines, today, by, source }: LinesRequest,
): Promise<Imported | RefusedRows> {
  const ground = await library.prices.checkGround(workspaceId, lines, { knownAt: null, until: today })
  const judged = judge(lines, ground)
  if ('problems' in judged) return { outcome: 'refused', problems: judged.problems }
  return publishing(sql, workspaceId, async (tx, publication) => {
    const invoices = new Map(
      judged.lines.map(({ supplier, number }) => [`${supplier}\n${number}`, { supplier, number }]),
    )
    const kept = await readStandingLines(tx, workspaceId, [...invoices.values()])
    const { fresh, problems } = compareWith(judged.lines, kept)
    if (problems.length > 0) return { outcome: 'refused', problems }
    const [added, unchanged] = [fresh.length, lines.length - fresh.length]
    if (added === 0) return { outcome: 'unchanged', added, unchanged }
    await insertLines(tx, publication, fresh, by.who)
    const subject = `${source}: ${added} ${added === 1 ? 'line' : 'lines'}`
    await noteActivity(tx, workspaceId, { ...by, what: 'invoice lines imported', subject })
    return { outcome: 'imported', added, unchanged }
  })
}

/** Every line with its meaning, or all bad rows. */
function judge(
  lines: LineSequence,
  ground: CheckGround,
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

function placedLine(line: InvoiceLine, ground: CheckGround): PlacedLine {
  const open = ground.book.find(line) as Exclude<ReturnType<AgreementBook['find']>, { readonly message: string }>
  return {
    place: line.place,
    supplier: supplierKeyOf(line, open.agreement),
    number: line.invoice!,
    line: line.line!,
    pamId: open.agreement.id,
    fields: storedFieldsOf(line, meaningOf(line, ground)),
    reverses: null,
  }
}

/** The item by the key that the line names, so that it is found again the same way. */
function meaningOf(line: InvoiceLine, { book, units }: CheckGround): FoundMeaning {
  const clear = clarify(line, book, units)
  if ('problems' in clear) return { item: line.items[0] ?? null, currency: line.currency }
  const { offer, item } = clear.found
  return {
    item: line.items.find(key => offer.list.find(key) === item) ?? item.item,
    currency: clear.currency,
  }
}

/** The lines that are new, compared with what is kept and among themselves. */
function compareWith(
  lines: readonly PlacedLine[],
  kept: readonly StoredLine[],
): { readonly fresh: readonly NewLine[]; readonly problems: readonly RowProblem[] } {
  const keyOf = ({ supplier, number, line }: Pick<NewLine, 'supplier' | 'number' | 'line'>) =>
    `${supplier}\n${number}\n${line}`
  const known = new Map<string, { readonly of: NewLine; readonly where: string }>(
    kept.map(each => [keyOf(each), { of: each, where: `kept since ${each.importedAt.slice(0, 10)}` }]),
  )
  const fresh: NewLine[] = []
  const problems: RowProblem[] = []
  for (const { place, ...line } of lines) {
    const same = known.get(keyOf(line))
    if (same === undefined) {
      fresh.push(line)
      known.set(keyOf(line), { of: line, where: `there already (line ${place})` })
      continue
    }
    const field = same.of.pamId === line.pamId ? differingField(same.of.fields, line.fields) : 'agreement'
    if (field === null) continue
    const message = `invoice ${line.number}, line ${line.line} of ${line.supplier} is ${same.where} with another ${columnOf(field)}; reverse the invoice to import it again`
    problems.push({ line: place, column: columnOf(field), message })
  }
  return { fresh, problems }
}

export interface Reversed extends InvoiceName {
  readonly outcome: 'reversed'
  readonly added: number
}

/** Adds the opposite of every line that is not undone yet; the invoice can then be imported again. */
export function reverseInvoice(
  sql: Sql,
  workspaceId: string,
  { number, supplier, by }: { readonly number: string; readonly supplier: string | null; readonly by: Actor },
): Promise<Reversed> {
  return publishing(sql, workspaceId, async (tx, publication) => {
    const all = await readSuppliersOf(tx, workspaceId, number)
    const name = { supplier: chooseSupplier(number, supplier, all), number }
    const standing = await readStandingLines(tx, workspaceId, [name])
    const opposite = standing.map(({ id, line, pamId, fields }) => ({
      ...name,
      line,
      pamId,
      fields: oppositeOf(fields),
      reverses: id,
    }))
    await insertLines(tx, publication, opposite, by.who)
    const subject = `${number} of ${name.supplier}: ${opposite.length} ${opposite.length === 1 ? 'line' : 'lines'}`
    await noteActivity(tx, workspaceId, { ...by, what: 'invoice reversed', subject })
    return { outcome: 'reversed', ...name, added: opposite.length }
  })
}

function chooseSupplier(
  number: string,
  wanted: string | null,
  all: readonly { readonly supplier: string; readonly stands: boolean }[],
): string {
  const named = wanted === null ? all : all.filter(each => each.supplier === wanted)
  const of = wanted === null ? '' : ` of ${wanted}`
  if (named.length === 0) throw new Refusal('not-found', `no lines of invoice "${number}"${of} are kept`)
  const standing = named.filter(({ stands }) => stands)
  if (standing.length === 0) throw new Refusal('conflict', `invoice "${number}"${of} is reversed already`)
  if (standing.length > 1)
    throw new Refusal(
      'conflict',
      `${standing.length} suppliers have an invoice "${number}": ${standing.map(each => each.supplier).join(', ')}; say which with --supplier`,
    )
  return standing[0]!.supplier
}
