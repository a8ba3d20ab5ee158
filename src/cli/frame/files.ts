// Files that commands read: formula documents and tables of observations. Every problem becomes one line on standard
// error, in the order of the file.
import { createReadStream } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import type { JsonObject } from '../../core/formula/canonical.ts'
import { checkDocument } from '../../core/formula/check/check.ts'
import type { Formula } from '../../core/formula/formula.ts'
import { nearestLine } from '../../core/formula/raw.ts'
import { type Problem, Refusal } from '../../core/refusal.ts'
import { gatherHistories, type ObservationRow, RowReader, readHeader } from '../../core/series/observation-table.ts'
import type { SeriesHistory } from '../../core/series/series.ts'
import type { RowProblem } from '../../core/series/table-problems.ts'
import { CsvSplitter } from '../../providers/formats/csv.ts'
import type { Terminal } from './command.ts'
import { whyUnusable } from './file-trouble.ts'

export async function readTextFile(path: string): Promise<string> {
  return (await readFileBytes(path)).toString('utf8')
}

/** `most`: larger files are refused before they are read. */
export async function readFileBytes(
  path: string,
  most: number = Number.POSITIVE_INFINITY,
): Promise<Buffer<ArrayBuffer>> {
  try {
    if (most < Number.POSITIVE_INFINITY && (await stat(path)).size > most)
      throw new Refusal('too-large', `${path} is larger than ${most} bytes`)
    return await readFile(path)
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal('not-found', `${path} cannot be read: ${whyUnusable(error)}`)
  }
}

/** Writes a file and overwrites nothing. */
export async function writeNewFile(path: string, text: string): Promise<void> {
  await writeFile(path, text, { flag: 'wx', mode: 0o600 }).catch(error => {
    if (error.code === 'EEXIST') throw new Refusal('conflict', `${path} exists already`)
    throw new Refusal('invalid', `${path} cannot be written: ${whyUnusable(error)}`)
  })
}

/** Refuses a file that exists, before the work whose result goes there. */
export async function refuseExistingFile(path: string): Promise<void> {
  if ((await stat(path).catch(() => null)) !== null) throw new Refusal('conflict', `${path} exists already`)
}

/** A problem as `--json` writes it, without the fields that only the builder's page uses. */
export function plainProblem({ weights: _weights, ...problem }: Problem): Problem {
  return problem
}

/** `inputs.steel.lag (line 14): …` */
export function problemLine(file: string, { path, message }: Problem, lines?: ReadonlyMap<string, number>): string {
  const line = lines === undefined ? undefined : nearestLine(path, lines)
  const place = [path, line === undefined ? '' : `(line ${line})`].filter(part => part !== '').join(' ')
  return `${file}: ${place === '' ? '' : `${place}: `}${message}\n`
}

interface LoadedFormula {
  readonly formula: Formula
  readonly text: string
  readonly document: JsonObject
  readonly lines: ReadonlyMap<string, number>
}

/** The formula of a file, or null after printing its problems. */
export async function loadFormula(path: string, terminal: Terminal): Promise<LoadedFormula | null> {
  const text = await readTextFile(path)
  const { formula, document, problems, lines } = checkDocument(text)
  for (const problem of problems) terminal.err(problemLine(path, problem, lines))
  return formula === null ? null : { formula, text, document, lines }
}

interface LoadedTable {
  readonly series: ReadonlyMap<string, SeriesHistory>
  readonly problems: readonly RowProblem[]
}

/** Reads a CSV table of observations as a whole, with every problem of every row. */
export async function readObservations(path: string): Promise<LoadedTable> {
  const rows: ObservationRow[] = []
  const problems: RowProblem[] = []
  let reader: RowReader | null = null
  const splitter = new CsvSplitter((cells, line) => {
    if (reader !== null) {
      const row = reader.read(cells, line)
      if (Array.isArray(row)) problems.push(...row)
      else rows.push(row as ObservationRow)
      return
    }
    const header = readHeader(cells, line)
    problems.push(...header.problems)
    reader = new RowReader(header.columns, cells.length, null)
    if (header.problems.length > 0) throw new HeaderRefused()
  })
  try {
    await stat(path)
    for await (const chunk of createReadStream(path, 'utf8')) splitter.push(chunk as string)
    splitter.end()
  } catch (error) {
    if (error instanceof HeaderRefused) return { series: new Map(), problems }
    if (error instanceof Refusal)
      return { series: new Map(), problems: [...problems, { line: 0, column: '', message: error.message }] }
    throw new Refusal('not-found', `${path} cannot be read: ${whyUnusable(error)}`)
  }
  if (reader === null) return { series: new Map(), problems: [{ line: 1, column: '', message: 'the file is empty' }] }
  const gathered = gatherHistories(rows)
  return { series: gathered.series, problems: [...problems, ...gathered.problems].sort((a, b) => a.line - b.line) }
}

class HeaderRefused extends Error {}

export function rowProblemLine(file: string, { line, column, message }: RowProblem): string {
  const place = [line === 0 ? '' : `line ${line}`, column === '' ? '' : `column ${column}`].filter(part => part !== '')
  return `${file}: ${place.length === 0 ? '' : `${place.join(', ')}: `}${message}\n`
}
