// The first rows of a file, before anybody has said how to read it: the encoding of its text, and what separates its cells. The
// meaning of the cells is left open.
import { Refusal } from '../core/refusal.ts'
import { type Encoding, type Separator, separators } from '../core/series/table-layout.ts'
import { limits } from '../limits.ts'
import { splitCsv } from '../providers/formats/csv.ts'
import { csvSource } from './csv.ts'
import type { FileKind } from './file-kind.ts'
import { isUtf8, readText, type TableRow, type TableSource, type Watch } from './source.ts'
import { xlsxSource } from './xlsx.ts'

export interface Peeked {
  readonly rows: readonly TableRow[]
  readonly separator: Separator
  readonly encoding: Encoding
  readonly isWorkbook: boolean
}

/** The first rows; null if not even they can be read: the strict reader says why. */
export async function peekTable(path: string, kind: FileKind, sheet: string | null): Promise<Peeked | null> {
  if (kind === 'json') return null
  if (kind === 'xlsx') {
    const rows = await firstRows(xlsxSource(path, { bounds: limits.upload, sheet }))
    return rows === null ? null : { rows, separator: ',', encoding: 'utf-8', isWorkbook: true }
  }
  const encoding = (await isUtf8(path)) ? 'utf-8' : 'windows-1252'
  const separator = await findSeparator(path, encoding)
  const rows = await firstRows(csvSource(path, { separator, encoding }))
  return rows === null ? null : { rows, separator, encoding, isWorkbook: false }
}

const silent: Watch = { problem: () => {}, progress: () => {}, note: () => {} }

async function firstRows(source: TableSource): Promise<readonly TableRow[] | null> {
  const rows: TableRow[] = []
  let cells = 0
  for await (const batch of source(silent))
    for (const row of batch) {
      cells += row.cells.length
      if (rows.length >= limits.uploadLookRows || cells > limits.uploadLookCells) return rows.length === 0 ? null : rows
      rows.push(row)
    }
  return rows.length === 0 ? null : rows
}

/** The separator that splits most of the first lines into equally many cells. */
async function findSeparator(path: string, encoding: Encoding): Promise<Separator> {
  let head = ''
  for await (const text of readText(path, silent, encoding)) {
    head = text.slice(0, limits.uploadLookCharacters)
    break
  }
  const lines = head.split('\n')
  // The last line may be cut off.
  const whole = lines.length > 1 ? lines.slice(0, -1).join('\n') : head
  const scores = separators.map(separator => ({ separator, score: evenness(whole, separator) }))
  return scores.reduce((best, each) => (each.score > best.score ? each : best)).separator
}

function evenness(text: string, separator: Separator): number {
  const counts = new Map<number, number>()
  try {
    splitCsv([text], cells => counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1), separator)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
  return Math.max(0, ...[...counts].map(([width, rows]) => (width < 2 ? 0 : rows)))
}
