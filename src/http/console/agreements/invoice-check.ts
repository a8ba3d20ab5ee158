// A file of invoice lines from a page, checked against settled prices by the readers of the command line, in a worker. Nothing
// of it is stored. A supplier's lines are checked against the agreements it is party to; any other agreement is treated
// as if it did not exist.
import { basename } from 'node:path'
import { summarise, verdictOf } from '../../../core/invoices/check-row.ts'
import { Refusal } from '../../../core/refusal.ts'
import { kindOfFile } from '../../../import/file-kind.ts'
import { type FormProblem, lineFileKinds, readInvoiceFileAs } from '../../../import/invoice-lines.ts'
import { limits } from '../../../limits.ts'
import { todayOf } from '../../../views/agreements/seen-agreement.ts'
import type { InvoiceCheck } from '../../../views/shapes/invoices.ts'
import type { Seat } from '../../../views/sight/seat.ts'
import { partsSeen } from '../../../views/sight/visibility.ts'
import type { ConsoleParts, ConsoleRequestOf } from '../frame/route.ts'

/** What a worker is sent. */
export interface InvoiceCheckJob {
  readonly kind: 'invoice-check'
  readonly seat: Seat
  /** Where the file is stored, and its first bytes. */
  readonly path: string
  readonly head: Uint8Array
  readonly name: string
  readonly sheet: string | null
}

export async function checkInvoiceFile(
  { fileReading }: ConsoleParts,
  { seat, query, file }: ConsoleRequestOf<'POST /invoices/check'>,
): Promise<InvoiceCheck> {
  const kept = await file!()
  try {
    const name = basename(query.file.trim())
    const { path, head } = kept
    // Refuses a file whose content does not match its name, before anything is read.
    kindOfFile(name, head, lineFileKinds)
    const job: InvoiceCheckJob = { kind: 'invoice-check', seat, path, head, name, sheet: query.sheet || null }
    const owner = { workspace: seat.workspace.id, person: seat.person.id }
    return await fileReading!.run<InvoiceCheck>(owner, job, { length: 'unknown' }).result
  } finally {
    await kept.remove()
  }
}

/** Inside a worker. */
export async function checkInvoicesInside(parts: ConsoleParts, job: InvoiceCheckJob): Promise<InvoiceCheck> {
  const { seat, path, head, name, sheet } = job
  const kind = kindOfFile(name, Buffer.from(head), lineFileKinds)
  if (sheet !== null && kind !== 'xlsx') throw new Refusal('invalid', 'sheet is for .xlsx workbooks only')
  const options = { bounds: limits.upload, sheet, mostLines: limits.pageInvoiceLines }
  const { lines, problems, notes } = await readInvoiceFileAs(kind, path, options)
  if (problems.length > 0) return { data: [], summary: summarise([]), ...presentProblems(problems), notes }
  const index = await parts.library.index(seat.workspace.id)
  const now = { knownAt: null, until: todayOf(parts) }
  // An agreement that is a draft again, or has another supplier now, is seen as it last stood; checks do not use it.
  const seen = partsSeen(seat, index, 'in force')
  const { data } = await parts.library.prices.check(seat.workspace.id, lines, now, seen)
  return { data, summary: summarise(data, verdictOf), problems: [], problemCount: 0, notes }
}

function presentProblems(problems: readonly FormProblem[]): Pick<InvoiceCheck, 'problems' | 'problemCount'> {
  const shown = problems.slice(0, limits.uploadProblems).map(({ line, column, message, pointer }) => {
    const place = pointer ?? column
    return { line: line === 0 ? null : line, message: place === '' ? message : `${place}: ${message}` }
  })
  return { problems: shown, problemCount: problems.length }
}
