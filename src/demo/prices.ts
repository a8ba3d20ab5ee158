// Prices and invoices of the demo: two price lists, and a month of invoice lines in which five are wrong.
import { fileURLToPath } from 'node:url'
import { importLines } from '../agreements/invoices.ts'
import { applyPriceList } from '../agreements/price-list.ts'
import type { Seal } from '../agreements/seal.ts'
import type { Day } from '../core/time/day.ts'
import { csvSource } from '../import/csv.ts'
import { readInvoiceFile } from '../import/invoice-lines.ts'
import { readPriceList } from '../import/price-list.ts'
import { limits } from '../limits.ts'
import { Library } from '../read/library.ts'
import type { Sql } from '../storage/postgres/database.ts'

const listed = ['steel-brackets', 'freight-surcharge'] as const

/** The month of invoices as a file: for the page Invoices, and for `invoice check`. */
export const demoInvoices = fileURLToPath(new URL('./invoices.csv', import.meta.url))

const memoryBytes = 64 * 1024 * 1024

interface PriceDemo {
  readonly sql: Sql
  readonly seal: Seal
  readonly workspaceId: string
}

function openLibrary({ sql, seal }: PriceDemo): Library {
  const report = (problem: string) => {
    throw new Error(problem)
  }
  return new Library(sql, memoryBytes, { seals: seal.rows, report })
}

/** Adds price lists, before anything is signed. A second time it changes nothing. */
export async function addPriceLists(ground: PriceDemo, today: Day, who: string): Promise<void> {
  const { sql, workspaceId } = ground
  const by = { who, fromAddress: null }
  for (const agreement of listed) {
    const source = csvSource(fileURLToPath(new URL(`./prices/${agreement}.csv`, import.meta.url)))
    const { rows, problems } = await readPriceList(source)
    const request = { workspaceId, agreement, rows, from: null, today, by }
    const applied = problems.length > 0 ? { problems } : await applyPriceList(sql, openLibrary(ground), request)
    if ('problems' in applied) refused(agreement, applied.problems)
  }
}

/** Adds invoices; a second time it changes nothing. */
export async function addInvoices(ground: PriceDemo, today: Day, who: string): Promise<void> {
  const { sql, workspaceId } = ground
  const by = { who, fromAddress: null }
  const options = { bounds: null, sheet: null, mostLines: limits.pageInvoiceLines }
  const { lines, problems } = await readInvoiceFile(demoInvoices, options)
  const request = { workspaceId, lines, today, by, source: 'invoices of the demo' }
  const imported = problems.length > 0 ? { problems } : await importLines(sql, openLibrary(ground), request)
  if ('problems' in imported) refused('invoices', imported.problems)
}

function refused(what: string, problems: readonly object[]): never {
  throw new Error(`the demo's ${what} were refused: ${JSON.stringify(problems)}`)
}
