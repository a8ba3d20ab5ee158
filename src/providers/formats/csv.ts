// Splits CSV into rows of text cells, chunk by chunk (RFC 4180: quotes, doubled quotes, CRLF, a byte order mark). It
// does not interpret cells; an unclosed quote and text after a closing quote are refused, with their line number.
import { Refusal } from '../../core/refusal.ts'

/** Called for each row that is not blank. `line` is the line on which the row starts, counted from 1. */
type OnRow = (cells: string[], line: number) => void

/** Without this limit an unclosed quote would swallow the rest of the file. */
export const maxRowLength = 1_000_000

/** A worksheet has as many columns. */
const maxRowCells = 16_384

const newline = 10
const carriageReturn = 13
const quoteMark = 34

/** Push chunks, cut anywhere, then call `end`. */
export class CsvSplitter {
  readonly #onRow: OnRow
  readonly #separator: string
  /** Text received that is not a complete row yet. */
  #rest = ''
  #line = 1
  #begun = false

  constructor(onRow: OnRow, separator = ',') {
    this.#onRow = onRow
    this.#separator = separator
  }

  push(chunk: string): void {
    this.#rest = this.#take(this.#rest === '' ? chunk : this.#rest + chunk, false)
    if (this.#rest.length > maxRowLength) throw this.#refusal(`a row is longer than ${maxRowLength} characters`)
  }

  /** The last row may have no line break. */
  end(): void {
    if (this.#rest !== '') this.#take(this.#rest, true)
    this.#rest = ''
  }

  /** Emits the complete rows of the text and returns the rest. */
  #take(text: string, isLast: boolean): string {
    let at = 0
    if (!this.#begun && text !== '') {
      this.#begun = true
      if (text.charCodeAt(0) === 0xfeff) at = 1
    }
    let quote = text.indexOf('"', at)
    while (at < text.length) {
      let end = text.indexOf('\n', at)
      if (end < 0) {
        if (!isLast) break
        end = text.length
      }
      if (quote >= 0 && quote < at) quote = text.indexOf('"', at)
      if (quote < 0 || quote > end) {
        this.#emitPlain(text, at, end)
        at = end + 1
      } else {
        const next = this.#emitQuoted(text, at, isLast)
        if (next < 0) break
        at = next
      }
    }
    return at === 0 ? text : text.slice(at)
  }

  #emitPlain(text: string, at: number, end: number): void {
    const stop = end > at && text.charCodeAt(end - 1) === carriageReturn ? end - 1 : end
    const line = this.#line++
    if (stop === at) return
    this.#emit(text.slice(at, stop).split(this.#separator, maxRowCells + 1), line)
  }

  /** The beginning of a row that is too wide is still given, because it may say what kind of file this is. */
  #emit(cells: string[], line: number): void {
    if (cells.length <= maxRowCells) {
      this.#onRow(cells, line)
      return
    }
    this.#onRow(cells.slice(0, maxRowCells), line)
    throw new Refusal('invalid', `line ${line}: a row has more than ${maxRowCells} cells`)
  }

  /** The position after the row, or -1 if the text ends before the row does. */
  #emitQuoted(text: string, start: number, isLast: boolean): number {
    const cells: string[] = []
    let at = start
    for (;;) {
      const cell =
        text.charCodeAt(at) === quoteMark ? this.#quotedCell(text, at, isLast) : this.#plainCell(text, at, isLast)
      if (cell === null) return -1
      cells.push(cell.text)
      if (cells.length > maxRowCells) this.#emit(cells, this.#line)
      at = cell.end
      if (text.startsWith(this.#separator, at)) {
        at += this.#separator.length
        continue
      }
      const line = this.#line
      const next = text.charCodeAt(at) === carriageReturn ? at + 2 : at + 1
      this.#line += countLines(text, start, next)
      this.#emit(cells, line)
      return next
    }
  }

  #quotedCell(text: string, start: number, isLast: boolean): { text: string; end: number } | null {
    let at = start + 1
    let doubled = false
    for (;;) {
      at = text.indexOf('"', at)
      if (at < 0) {
        if (isLast) throw this.#refusal('a quoted cell is never closed')
        return null
      }
      if (text.charCodeAt(at + 1) !== quoteMark) break
      doubled = true
      at += 2
    }
    const end = at + 1
    // At the end of a chunk the next character, or the one after a carriage return, decides.
    if (!isLast && end + 1 >= text.length) return null
    if (!this.#endsCell(text, end)) {
      throw this.#refusal('text follows the closing quote of a cell')
    }
    const inside = text.slice(start + 1, at)
    return { text: doubled ? inside.replaceAll('""', '"') : inside, end }
  }

  #plainCell(text: string, start: number, isLast: boolean): { text: string; end: number } | null {
    let end = text.indexOf('\n', start)
    if (end < 0) {
      if (!isLast) return null
      end = text.length
    }
    const separator = text.indexOf(this.#separator, start)
    if (separator >= 0 && separator < end) end = separator
    else if (end > start && text.charCodeAt(end - 1) === carriageReturn) end--
    return { text: text.slice(start, end), end }
  }

  #endsCell(text: string, at: number): boolean {
    if (at >= text.length || text.startsWith(this.#separator, at)) return true
    const code = text.charCodeAt(at)
    if (code === newline) return true
    return code === carriageReturn && (at + 1 >= text.length || text.charCodeAt(at + 1) === newline)
  }

  #refusal(message: string): Refusal {
    return new Refusal('invalid', `line ${this.#line}: ${message}`)
  }
}

function countLines(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count++
  return count
}

/** Splits a text, given whole or in pieces. */
export function splitCsv(chunks: Iterable<string>, onRow: OnRow, separator = ','): void {
  const splitter = new CsvSplitter(onRow, separator)
  for (const chunk of chunks) splitter.push(chunk)
  splitter.end()
}
