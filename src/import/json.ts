// Observations from JSON, streamed: an array of objects, or {"observations": […]}. Numbers keep their digits. It finds
// where each element begins and ends and leaves parsing it to the JSON reader of the providers; anything else around the
// array is refused.

import { Refusal } from '../core/refusal.ts'
import { optionalColumns, requiredColumns } from '../core/series/observation-table.ts'
import type { RowProblem } from '../core/series/table-problems.ts'
import { mostHeaderProblems, shortName } from '../core/series/table-problems.ts'
import { isStorable, storableRule } from '../core/text/storable-text.ts'
import { limits } from '../limits.ts'
import { JsonNumber, readJson } from '../providers/formats/json-text.ts'
import { readText, type TableRow, type TableSource } from './source.ts'

const columns: readonly string[] = [...requiredColumns, ...optionalColumns]

export function jsonSource(path: string): TableSource {
  return async function* (watch) {
    let batch: TableRow[] = [{ line: 1, cells: columns }]
    const elements = new JsonElements((text, line) => {
      const row = readElement(text, line)
      if (Array.isArray(row)) for (const problem of row) watch.problem(problem)
      else batch.push(row as TableRow)
    })
    const report = (error: unknown) => {
      if (!(error instanceof Refusal)) throw error
      watch.problem({ line: elements.line, column: '', message: error.message })
    }
    for await (const text of readText(path, watch)) {
      try {
        elements.push(text)
      } catch (error) {
        yield batch
        return report(error)
      }
      yield batch
      batch = []
    }
    try {
      elements.end()
    } catch (error) {
      report(error)
    }
  }
}

function readElement(text: string, line: number): TableRow | RowProblem[] {
  let value: object
  try {
    value = readJson(text) as object
  } catch (error) {
    return [{ line, column: '', message: `is not JSON: ${(error as Error).message}` }]
  }
  const cells = columns.map(() => '')
  const problems: RowProblem[] = []
  for (const [name, member] of Object.entries(value)) {
    const place = columns.indexOf(name)
    if (problems.length === mostHeaderProblems) {
      problems.push({ line, column: '', message: `there are more than ${mostHeaderProblems} problems` })
      break
    }
    if (place < 0)
      problems.push({
        line,
        column: shortName(name),
        message: `unknown column "${shortName(name)}"; known are ${columns.join(', ')}`,
      })
    else if (typeof member === 'string' && !isStorable(member))
      problems.push({ line, column: name, message: storableRule })
    else if (typeof member === 'string') cells[place] = member
    else if (member instanceof JsonNumber) cells[place] = member.literal
    else if (member !== null) problems.push({ line, column: name, message: 'must be a text or a number' })
  }
  return problems.length > 0 ? problems : { line, cells }
}

function shorten(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 40)}…`
}

const envelope = /^\uFEFF?\s*(?:\[|\{\s*"observations"\s*:\s*\[)/
const longestEnvelope = 10_000
const code = { newline: 10, quote: 34, comma: 44, open: 91, backslash: 92, close: 93, begin: 123, end: 125 } as const
const deepest = 20

function isBlank(char: number): boolean {
  return char === 32 || char === code.newline || char === 13 || char === 9
}

/** Push chunks cut anywhere, then end. Each element of the array comes with the line it begins on. */
class JsonElements {
  readonly #onElement: (text: string, line: number) => void
  #phase: 'before' | 'first' | 'element' | 'between' | 'after' = 'before'
  #rest = ''
  #isWrapped = false
  #line = 1
  /** Inside an element: how far it has been read. */
  #at = 0
  #depth = 0
  #inText = false
  #lineOfElement = 1

  constructor(onElement: (text: string, line: number) => void) {
    this.#onElement = onElement
  }

  get line(): number {
    return this.#line
  }

  push(chunk: string): void {
    this.#rest += chunk
    if (this.#phase === 'before' && !this.#open()) return
    this.#take()
    if (this.#rest.length > limits.jsonElementLength)
      throw new Refusal('invalid', `an observation is longer than ${limits.jsonElementLength} characters`)
  }

  end(): void {
    if (this.#phase === 'before')
      throw new Refusal('invalid', this.#rest.trim() === '' ? 'the file is empty' : wrongForm)
    const closing = this.#rest.trim()
    if (this.#phase !== 'after') throw new Refusal('invalid', 'the file ends inside the array of observations')
    if (closing !== (this.#isWrapped ? '}' : ''))
      throw new Refusal('invalid', `nothing may follow the array of observations, got ${shorten(closing)}`)
  }

  #open(): boolean {
    const match = envelope.exec(this.#rest)
    if (match === null) {
      if (this.#rest.length > longestEnvelope) throw new Refusal('invalid', wrongForm)
      return false
    }
    this.#isWrapped = match[0].includes('{')
    this.#line += match[0].split('\n').length - 1
    this.#rest = this.#rest.slice(match[0].length)
    this.#phase = 'first'
    return true
  }

  #take(): void {
    const text = this.#rest
    let from = 0
    while (this.#phase !== 'after') {
      if (this.#phase === 'element' && this.#at > 0) {
        const end = this.#endOfElement(text)
        if (end < 0) break
        this.#onElement(text.slice(from, end), this.#lineOfElement)
        this.#phase = 'between'
        this.#at = 0
        from = end
        continue
      }
      from = this.#skipBlanks(text, from)
      if (from >= text.length) break
      from = this.#step(text.charCodeAt(from), from)
    }
    this.#at = Math.max(0, this.#at - from)
    this.#rest = text.slice(from)
    if (this.#phase !== 'after') return
    this.#rest = this.#rest.trim()
    if (this.#rest.length > longestEnvelope) this.end()
  }

  /** One separator between elements, or the beginning of an element. */
  #step(char: number, from: number): number {
    if (char === code.close && this.#phase !== 'element') {
      this.#phase = 'after'
      return from + 1
    }
    if (this.#phase === 'between') {
      if (char !== code.comma) throw new Refusal('invalid', 'a comma is missing between two observations')
      this.#phase = 'element'
      return from + 1
    }
    if (char !== code.begin) throw new Refusal('invalid', 'an observation must be an object {…}')
    this.#phase = 'element'
    this.#at = from + 1
    this.#depth = 1
    this.#lineOfElement = this.#line
    return from
  }

  #skipBlanks(text: string, from: number): number {
    let at = from
    for (; at < text.length; at++) {
      const char = text.charCodeAt(at)
      if (!isBlank(char)) break
      if (char === code.newline) this.#line++
    }
    return at
  }

  /** The position after the current element, or -1 if the text ends before it does. */
  #endOfElement(text: string): number {
    let at = this.#at
    for (; at < text.length; at++) {
      const char = text.charCodeAt(at)
      if (char === code.newline) this.#line++
      if (this.#inText) {
        // The character after a backslash may be in the next chunk: then `at` is past the end of this one.
        if (char === code.backslash) at++
        else if (char === code.quote) this.#inText = false
      } else if (char === code.quote) this.#inText = true
      else if (char === code.begin || char === code.open) {
        if (++this.#depth > deepest) throw new Refusal('invalid', `an observation is nested more than ${deepest} deep`)
      } else if ((char === code.end || char === code.close) && --this.#depth === 0) return at + 1
    }
    this.#at = at
    return -1
  }
}

const wrongForm = 'must be an array of observations, or {"observations": […]}'
