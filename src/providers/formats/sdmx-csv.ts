// Reads SDMX-CSV 1.0 and 2.0 and their dialects by column names, chunk by chunk: memory use does not grow with the answer.
// The position of the columns decides which of them form the key; it knows no provider.
import { Refusal } from '../../core/refusal.ts'
import type { AnswerProblem } from '../provider.ts'
import { CsvSplitter } from './csv.ts'
import { excerpt, problem } from './problem.ts'
import type { SdmxCursor, SdmxSink, SdmxValue } from './sdmx.ts'
import { parseFlow, type SdmxFlow } from './sdmx-code.ts'

export interface SdmxCsvOptions {
  /** The meaning of the columns before the time, for tables that name no flow and put attributes before the time. */
  withoutFlow?(columns: readonly string[]): FlowlessTable
}

export interface FlowlessTable {
  /** The number of columns, from the first, that form the key. */
  readonly keyLength: number
  readonly flow: SdmxFlow | null
}

/** Reads a text, whole or in pieces. Returns the problems of the table; the sink collects those of observations. */
export function readSdmxCsv(
  chunks: Iterable<string>,
  sink: SdmxSink,
  options: SdmxCsvOptions = {},
): readonly AnswerProblem[] {
  const reader = new SdmxCsvReader(sink, options)
  for (const chunk of chunks) reader.push(chunk)
  return reader.end()
}

/** Push chunks, cut anywhere, then call `end`. Never throws, whatever the table contains. */
export class SdmxCsvReader {
  readonly #sink: SdmxSink
  readonly #options: SdmxCsvOptions
  /** Text received before the separator is known: less than the first line. */
  #head = ''
  #splitter: CsvSplitter | null = null
  #cursor: CsvCursor | null = null
  #fatal: string | null = null
  #oddRows = 0
  #firstOddRow = ''

  constructor(sink: SdmxSink, options: SdmxCsvOptions = {}) {
    this.#sink = sink
    this.#options = options
  }

  push(chunk: string): void {
    if (this.#fatal !== null) return
    this.#guard(() => {
      if (this.#splitter !== null) return this.#splitter.push(chunk)
      this.#head += chunk
      if (this.#head.includes('\n') || this.#head.length > 100_000) this.#open()
    })
  }

  end(): readonly AnswerProblem[] {
    this.#guard(() => {
      if (this.#splitter === null) this.#open()
      this.#splitter!.end()
    })
    const problems: AnswerProblem[] = []
    if (this.#fatal !== null) problems.push(problem('unreadable', this.#fatal))
    if (this.#oddRows > 0) {
      const more = this.#oddRows > 1 ? ` (and ${this.#oddRows - 1} more like it)` : ''
      problems.push(problem('unreadable', this.#firstOddRow + more))
    }
    return problems
  }

  #guard(step: () => void): void {
    if (this.#fatal !== null) return
    try {
      step()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.#fatal = error.message
    }
  }

  #open(): void {
    const head = this.#head
    this.#head = ''
    const separator = separatorOf(head)
    this.#splitter = new CsvSplitter((cells, line) => this.#row(cells, line, separator), separator)
    this.#splitter.push(head)
  }

  #row(cells: string[], line: number, separator: string): void {
    const cursor = this.#cursor
    if (cursor === null) {
      this.#cursor = new CsvCursor(readLayout(cells, this.#options), separator === ';')
    } else if (cells.length !== cursor.layout.width) {
      this.#oddRows++
      this.#firstOddRow ||= `line ${line} has ${cells.length} cells, the header has ${cursor.layout.width}`
    } else if (cursor.move(cells)) {
      this.#sink(cursor)
    }
  }
}

/** The first separator after the first name; the one in brackets, as in `STRUCTURE[;]`, is for lists in a cell. */
function separatorOf(head: string): string {
  let isInBrackets = false
  for (const character of head.slice(0, 1000)) {
    if (character === '\n') break
    if (character === '[') isInBrackets = true
    else if (character === ']') isInBrackets = false
    else if (!isInBrackets && (character === ',' || character === ';' || character === '\t')) return character
  }
  return ','
}

interface Column {
  readonly at: number
  /** The column of the label, if it has its own. */
  readonly labelAt: number | null
}

interface Layout {
  readonly width: number
  readonly columns: ReadonlyMap<string, Column>
  /** Cells are written `CODE: Label`. */
  readonly hasLabels: boolean
  readonly time: number
  readonly value: number
  readonly action: number
  readonly flow: number
  /** A column with the whole key, and whether the flow is its first part. */
  readonly key: number
  readonly keyHasFlow: boolean
  readonly dimensions: readonly number[]
  readonly frequency: number
  /** The flow of a table that does not name one. */
  readonly assumedFlow: SdmxFlow | null
}

const notDimensions = new Set([
  'DATAFLOW',
  'STRUCTURE',
  'STRUCTURE_ID',
  'STRUCTURE_NAME',
  'ACTION',
  'KEY',
  'SERIES_KEY',
  'OBS_KEY',
  'LAST UPDATE',
  'LAST_UPDATE',
])

/** `ATTR_1[en;fr]: Attribute` is the column ATTR_1. */
function idOf(name: string): string {
  return name
    .slice(0, 200)
    .replace(/: .*$/s, '')
    .replace(/\[[^\]]*\]$/, '')
    .trim()
}

function readLayout(header: readonly string[], options: SdmxCsvOptions): Layout {
  const ids = header.map(idOf)
  const time = ids.indexOf('TIME_PERIOD')
  const value = ids.indexOf('OBS_VALUE')
  if (time < 0 || value < 0) {
    const lacking = time < 0 ? 'TIME_PERIOD' : 'OBS_VALUE'
    throw new Refusal('invalid', `the table has no column ${lacking}; its columns are ${excerpt(ids.join(', '))}`)
  }
  const first = ids.findIndex(id => !notDimensions.has(id))
  // If labels have their own columns, every name is followed by its label, which is not in capitals.
  const isPaired = /[a-z]/.test(ids[time + 1] ?? '') && (time - first) % 2 === 0
  const columns = new Map<string, Column>()
  ids.forEach((id, at) => {
    const isLabel = isPaired && at > first && (at - first) % 2 === 1
    if (!isLabel && !columns.has(id)) columns.set(id, { at, labelAt: isPaired && at >= first ? at + 1 : null })
  })
  const at = (id: string) => columns.get(id)?.at ?? -1
  const flow = at('DATAFLOW') >= 0 ? at('DATAFLOW') : at('STRUCTURE_ID')
  const key = at('KEY') >= 0 ? at('KEY') : at('SERIES_KEY')
  const before = [...columns.values()].map(column => column.at).filter(place => place >= first && place < time)
  const flowless = flow < 0 && key < 0 ? options.withoutFlow?.(before.map(place => ids[place]!)) : undefined
  const dimensions = before.slice(0, flowless?.keyLength ?? before.length)
  return {
    width: header.length,
    columns,
    hasLabels: header.some(name => /^[\w$@-]+(?:\[[^\]]*\])?: /.test(name)),
    time,
    value,
    action: at('ACTION'),
    flow,
    key,
    keyHasFlow: at('KEY') >= 0,
    dimensions,
    frequency: dimensions.find(place => /^(?:freq|frequency)$/i.test(ids[place]!)) ?? -1,
    assumedFlow: flowless?.flow ?? null,
  }
}

class CsvCursor implements SdmxCursor {
  readonly layout: Layout
  readonly #hasDecimalComma: boolean
  #cells: readonly string[] = []
  #flowText: string | null = null
  flow: SdmxFlow | null
  key = ''
  frequency: string | null = null
  period = ''
  value: string | null = null
  isDeleted = false

  constructor(layout: Layout, hasDecimalComma: boolean) {
    this.layout = layout
    this.flow = layout.assumedFlow
    this.#hasDecimalComma = hasDecimalComma
  }

  /** Whether the row is an observation: rows without a time only contain attributes. */
  move(cells: readonly string[]): boolean {
    const { layout } = this
    const period = this.#code(cells[layout.time]!)
    if (period === '') return false
    const before = this.#cells
    this.#cells = cells
    if (!this.#isSameSeries(before, cells)) this.#moveToSeries(cells)
    this.period = period
    const value = cells[layout.value]!
    this.value = this.#hasDecimalComma && /^[+-]?\d+,\d+$/.test(value) ? value.replace(',', '.') : value
    this.isDeleted = layout.action >= 0 && cells[layout.action] === 'D'
    return true
  }

  find(id: string): SdmxValue | null {
    const column = this.layout.columns.get(id)
    if (column === undefined) return null
    const cell = this.#cells[column.at]!
    if (cell === '') return null
    if (column.labelAt !== null) return { code: cell, label: this.#cells[column.labelAt] || null }
    const colon = this.layout.hasLabels ? cell.indexOf(': ') : -1
    return colon > 0 ? { code: cell.slice(0, colon), label: cell.slice(colon + 2) } : { code: cell, label: null }
  }

  #isSameSeries(before: readonly string[], cells: readonly string[]): boolean {
    const { layout } = this
    if (before.length === 0) return false
    if (layout.flow >= 0 && before[layout.flow] !== cells[layout.flow]) return false
    if (layout.key >= 0) return before[layout.key] === cells[layout.key]
    for (const at of layout.dimensions) if (before[at] !== cells[at]) return false
    return true
  }

  #moveToSeries(cells: readonly string[]): void {
    const { layout } = this
    const parts = layout.dimensions.map(at => this.#code(cells[at]!))
    this.frequency = layout.frequency < 0 ? null : this.#code(cells[layout.frequency]!) || null
    this.key = layout.key < 0 ? parts.join('.') : cells[layout.key]!
    let flowText = layout.flow < 0 ? null : cells[layout.flow]!
    if (layout.key >= 0 && layout.keyHasFlow) {
      const dot = this.key.indexOf('.')
      flowText = this.key.slice(0, Math.max(dot, 0))
      this.key = this.key.slice(dot + 1)
    }
    if (flowText === this.#flowText) return
    this.#flowText = flowText
    this.flow = flowText === null ? layout.assumedFlow : parseFlow(flowText)
  }

  #code(cell: string): string {
    if (!this.layout.hasLabels) return cell
    const colon = cell.indexOf(': ')
    return colon > 0 ? cell.slice(0, colon) : cell
  }
}
