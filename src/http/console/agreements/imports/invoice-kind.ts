// Invoice lines from a page: checked against settled prices and, for people who may, stored. A supplier's lines are checked against
// the agreements it is party to; any other agreement is treated as if it did not exist (decision 0511).
import { importLines, previewLines } from '../../../../agreements/invoices.ts'
import { LineChecker } from '../../../../core/invoices/check.ts'
import { CheckSums, type PricedRow, summarise, verdictOf } from '../../../../core/invoices/check-row.ts'
import type { LineSequence } from '../../../../core/invoices/invoice-line.ts'
import { roles, writers } from '../../../../core/roles.ts'
import { type ReadLines, readInvoiceFileAs, readInvoiceTable } from '../../../../import/invoice-lines.ts'
import { limits } from '../../../../limits.ts'
import { todayOf } from '../../../../views/agreements/opened-agreement.ts'
import type { InvoiceResult } from '../../../../views/shapes/imports.ts'
import { actorOf } from '../../../../views/sight/seat.ts'
import { partsSeen } from '../../../../views/sight/visibility.ts'
import { type FileToRead, type KindOfImport, presentProblems, readAs } from './import-kind.ts'

export const invoiceKind: KindOfImport<InvoiceResult> = {
  files: ['csv', 'xlsx', 'json', 'xml'],
  previewers: roles,
  importers: writers,
  async preview(file) {
    const read = await readLines(file)
    return read.problems.length > 0 ? refused(file, read) : checkLines(file, read)
  },
  async import(file) {
    const read = await readLines(file)
    if (read.problems.length > 0) return refused(file, read)
    const { parts, sql, seat, request } = file
    const asked = { workspaceId: seat.workspace.id, lines: read.lines, today: todayOf(parts), source: request.name }
    const imported = await importLines(sql, parts.library, { ...asked, by: actorOf(seat) })
    const checked = await checkLines({ ...file, request: { ...request, mode: 'preview' } }, read)
    if (imported.outcome === 'refused') return { ...checked, mode: 'import', isDone: false }
    const { added, unchanged } = imported
    return { ...checked, mode: 'import', isDone: true, keeping: { added, unchanged, problems: [], problemCount: 0 } }
  },
}

function readLines({ path, fileKind, source, request: { sheet } }: FileToRead): Promise<ReadLines<LineSequence>> {
  const mostLines = limits.upload.rows
  if (fileKind === 'csv' || fileKind === 'xlsx') return readInvoiceTable(source(), mostLines)
  return readInvoiceFileAs(fileKind, path, { bounds: limits.upload, sheet, mostLines })
}

const nothing = { kind: 'invoices', data: [], isWhole: true, keeping: null } as const

function refused(file: FileToRead, { problems, notes }: ReadLines<LineSequence>): InvoiceResult {
  const placed = problems.map(each => ({ ...each, column: each.pointer ?? each.column }))
  return { ...readAs(file, notes), isDone: false, ...nothing, summary: summarise([]), ...presentProblems(placed) }
}

async function checkLines(file: FileToRead, { lines, notes }: ReadLines<LineSequence>): Promise<InvoiceResult> {
  const { parts, sql, seat } = file
  const index = await parts.library.index(seat.workspace.id)
  const now = { knownAt: null, until: todayOf(parts) }
  // An agreement that is a draft again, or has another supplier now, is seen as it last stood; checks do not use it.
  const ground = await parts.library.prices.checkGround(
    seat.workspace.id,
    lines,
    now,
    partsSeen(seat, index, 'in force'),
  )
  const isWhole = lines.length <= limits.pageInvoiceLines
  const sums = new CheckSums<PricedRow>(verdictOf)
  const checker = new LineChecker(ground)
  const data: PricedRow[] = []
  for (const line of lines) {
    const row = checker.check(line)
    sums.take(row)
    if (isWhole || (row.outcome !== 'OK' && data.length < limits.pageInvoiceLines)) data.push(row)
  }
  const mayKeep = writers.includes(seat.role)
  const kept = mayKeep ? await previewLines(sql, seat.workspace.id, lines, ground) : null
  const { problems, ...counts } =
    kept === null || !('problems' in kept) ? { problems: [], ...kept } : { problems: kept.problems }
  const keeping = mayKeep ? { added: 0, unchanged: 0, ...counts, ...presentProblems(problems) } : null
  const read = { ...readAs(file, notes), ...presentProblems([]) }
  return { ...read, kind: 'invoices', data, isWhole, summary: sums.finish(), keeping }
}
