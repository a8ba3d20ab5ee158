// The common part of an import's sources: rows of text cells in the order of the file, the header first, in batches. A source
// knows its file format but not the meaning of a cell; what it cannot read it reports with its line.
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Refusal } from '../core/refusal.ts'
import type { Encoding } from '../core/series/table-layout.ts'
import type { RowProblem } from '../core/series/table-problems.ts'
import { isStorable, nul, storableRule } from '../core/text/storable-text.ts'
import { limits } from '../limits.ts'

export interface TableRow {
  readonly line: number
  readonly cells: readonly string[]
}

/** Receives every problem as it is found, and the progress of reading. */
export interface Watch {
  readonly problem: (problem: RowProblem) => void
  readonly progress: (done: number, of: number) => void
  /** Receives other facts about how the file was read. */
  readonly note: (text: string) => void
}

/** A row with a problem is reported and left out. After a problem that ends the reading, there are no more rows. */
export type TableSource = (watch: Watch) => AsyncGenerator<readonly TableRow[], void, undefined>

/**
 * The cells of a row. A cell with content that cannot be stored is a problem of the row, and reading goes on without that
 * content.
 */
export function storableCells(
  cells: readonly string[],
  line: number,
  problem: (problem: RowProblem) => void,
): readonly string[] {
  if (cells.every(isStorable)) return cells
  problem({ line, column: '', message: `a cell ${storableRule}` })
  return cells.map(cell => cell.replaceAll(nul, '').toWellFormed())
}

/** The size of a file; refuses anything that is not a file. */
export async function sizeOfFile(path: string): Promise<number> {
  const found = await stat(path).catch(error => {
    throw new Refusal('not-found', `${path} cannot be read: ${reasonOf(error)}`)
  })
  if (!found.isFile()) throw new Refusal('invalid', `${path} cannot be read: it is not a file`)
  return found.size
}

function reasonOf(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return 'there is no such file'
  if (error.code === 'EACCES') return 'permission denied'
  return error.code ?? error.message
}

/** The text of a file in pieces. Bytes that are not of the encoding are refused: otherwise they would be stored as question marks. */
export async function* readText(
  path: string,
  watch: Watch,
  encoding: Encoding = 'utf-8',
): AsyncGenerator<string, void, undefined> {
  const size = await sizeOfFile(path)
  const decoder = new TextDecoder(encoding, { fatal: true })
  let done = 0
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: limits.fileChunkBytes })) {
      const text = decode(decoder, chunk as Buffer)
      if (text === null) {
        watch.problem({ line: await lineOfBadByte(path), column: '', message: notUtf8 })
        return
      }
      done += (chunk as Buffer).length
      yield text
      watch.progress(done, size)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    throw new Refusal('not-found', `${path} cannot be read: ${reasonOf(error as NodeJS.ErrnoException)}`)
  }
  if (decode(decoder, null) === null) watch.problem({ line: await lineOfBadByte(path), column: '', message: notUtf8 })
}

const notUtf8 = 'the text is not UTF-8; save the file as UTF-8 and import it again'

function decode(decoder: TextDecoder, bytes: Buffer | null): string | null {
  try {
    return bytes === null ? decoder.decode() : decoder.decode(bytes, { stream: true })
  } catch {
    return null
  }
}

export async function isUtf8(path: string): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const chunk of createReadStream(path, { highWaterMark: limits.fileChunkBytes }))
    if (decode(decoder, chunk as Buffer) === null) return false
  return decode(decoder, null) !== null
}

/** Found only after a failure, so that a valid file does not pay for it. */
async function lineOfBadByte(path: string): Promise<number> {
  let line = 1
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const chunk of createReadStream(path, { highWaterMark: limits.fileChunkBytes })) {
    const bytes = chunk as Buffer
    let from = 0
    while (from < bytes.length) {
      const newline = bytes.indexOf(10, from)
      const to = newline < 0 ? bytes.length : newline + 1
      if (decode(decoder, bytes.subarray(from, to)) === null) return line
      if (newline >= 0) line++
      from = to
    }
  }
  return line
}
