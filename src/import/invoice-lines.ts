// Invoice lines from CSV, XLSX, JSON and electronic invoices: all lines, or every problem of the form. A bad cell does not
// refuse the file; the problem stays with its line.

import { extname } from 'node:path'
import {
  type InvoiceLine,
  type LineField,
  type LineSequence,
  type LineTexts,
  lineFields,
  readLine,
  requiredFields,
  tooManyLines,
} from '../core/invoices/invoice-line.ts'
import { LineTable } from '../core/invoices/line-table.ts'
import { Refusal } from '../core/refusal.ts'
import type { RowProblem } from '../core/series/table-problems.ts'
import { ProblemList, shortName } from '../core/series/table-problems.ts'
import { restoreCsv } from '../core/text/sheet-text.ts'
import { isStorable, storableRule } from '../core/text/storable-text.ts'
import { decodeUtf8File } from '../core/text/utf8.ts'
import { CsvSplitter } from '../providers/formats/csv.ts'
import { isNumber, isRecord, parseJson } from '../providers/formats/lossless.ts'
import { csvSource, readRefusal, refuseSemicolons } from './csv.ts'
import { InvoiceXml } from './invoice-xml.ts'
import { readInto } from './price-list.ts'
import { readText, storableCells, type TableSource } from './source.ts'
import { type XlsxOptions, xlsxSource } from './xlsx.ts'

/** A problem of the form: its place in a table or XML, or its pointer in JSON. */
export interface FormProblem extends RowProblem {
  /** A JSON pointer, `/lines/0/quantity`; null if the problem has a line. */
  readonly pointer: string | null
}

export interface ReadLines<L extends LineSequence = readonly InvoiceLine[]> {
  readonly lines: L
  /** With any problem there are no lines. */
  readonly problems: readonly FormProblem[]
  readonly notes: readonly string[]
}

export interface LineFileOptions extends XlsxOptions {
  readonly mostLines: number
}

export type LineTextKind = 'csv' | 'json' | 'xml'

/** The lines of an upload whose kind is known. */
export function readInvoiceBytes(kind: LineTextKind, bytes: Uint8Array, mostLines: number): ReadLines {
  const text = decodeUtf8File(bytes)
  if (text === null) {
    const problem = { line: lineOfBadByte(bytes), column: '', message: 'the text is not UTF-8', pointer: null }
    return { lines: [], problems: [problem], notes: [] }
  }
  const readers = { csv: readInvoiceCsv, json: readInvoiceJson, xml: readInvoiceXml }
  return readers[kind](text, mostLines)
}

function lineOfBadByte(bytes: Uint8Array): number {
  let line = 1
  for (let from = 0; from < bytes.length; line++) {
    const newline = bytes.indexOf(10, from)
    const to = newline < 0 ? bytes.length : newline + 1
    if (decodeUtf8File(bytes.subarray(from, to)) === null) return line
    from = to
  }
  return line
}

const lineFileKinds = ['csv', 'xlsx', 'json', 'xml'] as const
type LineFileKind = (typeof lineFileKinds)[number]

/** The lines of a file, by its ending. */
export async function readInvoiceFile(path: string, options: LineFileOptions): Promise<ReadLines<LineSequence>> {
  const written = extname(path).slice(1).toLowerCase()
  const kind = lineFileKinds.find(each => each === written)
  if (kind === undefined) throw new Refusal('invalid', `the file must be .csv, .xlsx, .json or .xml, got "${path}"`)
  return readInvoiceFileAs(kind, path, options)
}

export async function readInvoiceFileAs(
  kind: LineFileKind,
  path: string,
  options: LineFileOptions,
): Promise<ReadLines<LineSequence>> {
  const { mostLines, sheet } = options
  if (kind === 'xlsx') return readInvoiceTable(xlsxSource(path, options), mostLines)
  if (sheet !== null) throw new Refusal('misuse', '--sheet is for .xlsx workbooks only')
  if (kind === 'csv') return readInvoiceTable(csvSource(path), mostLines)
  return kind === 'xml' ? readXmlFile(path, mostLines) : readJsonFile(path, mostLines)
}

export async function readInvoiceTable(source: TableSource, mostLines: number): Promise<ReadLines<LineSequence>> {
  return withoutPointers(await readInto(new LineTable(mostLines), source))
}

export function readInvoiceCsv(text: string, mostLines: number): ReadLines {
  const table = new LineTable(mostLines)
  let isHeader = true
  const splitter = new CsvSplitter((cells, line) => {
    if (isHeader) refuseSemicolons(cells, line)
    isHeader = false
    table.take(storableCells(cells, line, problem => table.report(problem)).map(restoreCsv), line)
  })
  try {
    splitter.push(text)
    splitter.end()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    table.report(readRefusal(error.message))
  }
  const { lines, problems } = table.finish()
  return withoutPointers({ lines: [...lines], problems, notes: [] })
}

/** The text of a UBL or CII document. */
export function readInvoiceXml(text: string, mostLines: number): ReadLines {
  const document = new InvoiceXml(mostLines)
  document.push(text.replace(/^\uFEFF/, ''))
  return withoutPointers({ ...document.finish(), notes: [] })
}

function withoutPointers<L extends LineSequence>({
  lines,
  problems,
  notes,
}: Omit<ReadLines<L>, 'problems'> & { problems: readonly RowProblem[] }): ReadLines<L> {
  return { lines, problems: problems.map(problem => ({ ...problem, pointer: null })), notes }
}

async function readXmlFile(path: string, mostLines: number): Promise<ReadLines> {
  const document = new InvoiceXml(mostLines)
  const problems: RowProblem[] = []
  for await (const piece of readText(path, watchInto(problems))) document.push(piece)
  return withoutPointers(problems.length > 0 ? { lines: [], problems, notes: [] } : { ...document.finish(), notes: [] })
}

async function readJsonFile(path: string, mostLines: number): Promise<ReadLines> {
  const problems: RowProblem[] = []
  const pieces: string[] = []
  for await (const piece of readText(path, watchInto(problems))) pieces.push(piece)
  if (problems.length > 0) return withoutPointers({ lines: [], problems, notes: [] })
  return readInvoiceJson(pieces.join('').replace(/^\uFEFF/, ''), mostLines)
}

function watchInto(problems: RowProblem[]) {
  return { problem: (problem: RowProblem) => void problems.push(problem), progress() {}, note() {} }
}

/** `{"lines": […]}`; every member of a line is a text or null. */
export function readInvoiceJson(text: string, mostLines: number): ReadLines {
  const problems = new ProblemList<FormProblem>(message => ({ pointer: '', line: 0, column: '', message }))
  const refuse = (pointer: string, message: string) => {
    problems.add({ pointer, line: 0, column: '', message })
    return !problems.isFull
  }
  const lines: InvoiceLine[] = []
  for (const [i, value] of readEnvelope(text, mostLines, refuse).entries()) {
    const line = readMember(value, i, refuse)
    if (line !== null) lines.push(line)
    if (problems.isFull) break
  }
  return problems.length > 0
    ? { lines: [], problems: problems.byLine(), notes: [] }
    : { lines, problems: [], notes: [] }
}

/** Returns false if reading on is useless. */
type RefusePointer = (pointer: string, message: string) => boolean

function readEnvelope(text: string, mostLines: number, refuse: RefusePointer): readonly unknown[] {
  let value: unknown
  try {
    value = parseJson(text)
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error
    refuse('', `is not JSON: ${error.message}`)
    return []
  }
  if (!isRecord(value)) {
    refuse('', 'must be {"lines": […]}')
    return []
  }
  for (const name of Object.keys(value))
    if (
      name !== 'lines' &&
      !refuse(`/${escapePointer(name)}`, `unknown field "${shortName(name)}"; the only one is lines`)
    )
      return []
  const { lines } = value
  if (!Array.isArray(lines)) {
    refuse('/lines', lines === undefined ? 'lines is missing' : 'must be a list of lines')
    return []
  }
  if (lines.length <= mostLines) return lines
  refuse('/lines', tooManyLines(mostLines))
  return []
}

function readMember(value: unknown, index: number, refuse: RefusePointer): InvoiceLine | null {
  const pointer = `/lines/${index}`
  if (!isRecord(value)) {
    refuse(pointer, 'a line must be an object {…}')
    return null
  }
  const texts: Partial<Record<LineField, string>> = {}
  let isGood = true
  const refuseMember = (name: string, message: string) => {
    isGood = false
    return refuse(`${pointer}/${escapePointer(name)}`, message)
  }
  for (const [name, member] of Object.entries(value)) {
    const field = lineFields.find(known => known === name)
    if (field === undefined) {
      if (!refuseMember(name, `unknown field "${shortName(name)}"; known are ${lineFields.join(', ')}`)) return null
    } else if (typeof member === 'string' && !isStorable(member)) refuseMember(name, storableRule)
    else if (typeof member === 'string') texts[field] = member
    else if (member !== null)
      refuseMember(name, isNumber(member) ? 'must be a text: write the number in quotes' : 'must be a text')
  }
  for (const field of requiredFields)
    if (value[field] === undefined || value[field] === null) refuseMember(field, `${field} is missing`)
  return isGood ? readLine(index + 1, texts as LineTexts) : null
}

function escapePointer(name: string): string {
  return shortName(name).replaceAll('~', '~0').replaceAll('/', '~1')
}
