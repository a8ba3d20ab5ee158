// Observations as a table, the form that import and evaluate accept: its columns, the meaning of a row, and every reason why
// one is refused. It reads cells; files are split into cells elsewhere.

import { maxDigits } from '../numbers/ratio.ts'
import { wrongCells } from '../text/words.ts'
import { type Instant, parseDayOrInstant, startOfDay } from '../time/instant.ts'
import { type Frequency, frequencies, lastDayOf, type Period, parsePeriod } from '../time/period.ts'
import { readHead } from './headed-table.ts'
import {
  type DataType,
  dataTypes,
  parseReference,
  type SeriesHistory,
  type VersionTag,
  type Vintage,
  versionTags,
} from './series.ts'
import type { RowProblem } from './table-problems.ts'
import { buildHistory, isSameValue, type Statement, withStatements } from './vintage.ts'

export const requiredColumns = ['series', 'period', 'value'] as const
export const optionalColumns = ['version', 'published', 'flag', 'name', 'unit', 'frequency', 'dataType'] as const
export type Column = (typeof requiredColumns)[number] | (typeof optionalColumns)[number]
const knownColumns: readonly Column[] = [...requiredColumns, ...optionalColumns]

export interface ObservationRow {
  readonly line: number
  /** `PROVIDER/code`. */
  readonly series: string
  readonly period: Period
  readonly value: string
  /** The tag as written; null where the rule decides. */
  readonly version: VersionTag | null
  readonly published: Instant | null
  readonly flag: string | null
  readonly name: string | null
  readonly unit: string | null
  readonly frequency: Frequency | null
  readonly dataType: DataType | null
}

/** The place of each column in a row. */
type Columns = ReadonlyMap<Column, number>

export function readHeader(
  cells: readonly string[],
  line: number,
): { readonly columns: Columns; readonly problems: readonly RowProblem[] } {
  const { places, problems } = readHead({ columns: knownColumns, required: requiredColumns }, cells, line)
  return { columns: places, problems }
}

/** Reads rows one by one; the problems of one row are all reported. */
export class RowReader {
  readonly #places: Readonly<Record<Column, number>>
  readonly #width: number
  /** Publications after this are refused; null where there is no such clock. */
  readonly #now: Instant | null
  readonly #isReference = remember(text => parseReference(text) !== null)
  readonly #periodOf = remember(parsePeriod)
  readonly #instantOf = remember(parseDayOrInstant)
  /** Problems of the row that is being read. */
  #problems: RowProblem[] = []
  #cells: readonly string[] = []
  #line = 0

  constructor(columns: Columns, width: number, now: Instant | null) {
    this.#places = Object.fromEntries(knownColumns.map(name => [name, columns.get(name) ?? -1])) as Record<
      Column,
      number
    >
    this.#width = width
    this.#now = now
  }

  read(cells: readonly string[], line: number): ObservationRow | RowProblem[] {
    if (cells.length !== this.#width) return [{ line, column: '', message: wrongCells(cells.length, this.#width) }]
    if (this.#problems.length > 0) this.#problems = []
    this.#cells = cells
    this.#line = line
    const places = this.#places
    const series = this.#series(this.#text(places.series))
    const frequency = this.#choice('frequency', frequencies)
    const period = this.#period(this.#text(places.period), frequency)
    const value = this.#value(this.#text(places.value))
    const version = this.#choice('version', versionTags)
    const published = this.#published(this.#text(places.published))
    const dataType = this.#choice('dataType', dataTypes)
    if (this.#problems.length > 0 || series === null || period === null || value === null) return this.#problems
    const [flag, name, unit] = [this.#text(places.flag), this.#text(places.name), this.#text(places.unit)]
    return { line, series, period, value, version, published, flag, name, unit, frequency, dataType }
  }

  /** The text of a cell without blanks around it; null where it is empty or there is no such column. */
  #text(place: number): string | null {
    if (place < 0) return null
    const cell = this.#cells[place]!.trim()
    return cell === '' ? null : cell
  }

  #choice<T extends string>(column: Column, choices: readonly T[]): T | null {
    const cell = this.#text(this.#places[column])
    if (cell === null) return null
    const found = choices.find(candidate => candidate === cell)
    return found ?? this.#refuse(column, `must be ${choices.join(', ')}, got "${cell}"`)
  }

  #series(text: string | null): string | null {
    if (text === null) return this.#refuse('series', 'is empty')
    return this.#isReference(text) ? text : this.#refuse('series', `must be PROVIDER/code, got "${text}"`)
  }

  #period(text: string | null, frequency: Frequency | null): Period | null {
    if (text === null) return this.#refuse('period', 'is empty')
    const period = this.#periodOf(text)
    if (period === null)
      return this.#refuse(
        'period',
        `must be a period such as 2024-03, 2024-Q1, 2024-H1, 2024, 2024-W05 or 2024-03-15, got "${text}"`,
      )
    if (frequency !== null && period.frequency !== frequency)
      return this.#refuse('period', `"${text}" is ${period.frequency}, but the frequency is ${frequency}`)
    return period
  }

  #value(text: string | null): string | null {
    if (text === null) return this.#refuse('value', 'is empty')
    if (!isDecimal(text)) return this.#refuse('value', `must be a decimal number such as 112.20, got "${text}"`)
    return text.startsWith('+') ? text.slice(1) : text
  }

  #published(text: string | null): Instant | null {
    if (text === null) return null
    const published = this.#instantOf(text)
    if (published === null)
      return this.#refuse('published', `must be a date or an instant with its zone, got "${text}"`)
    if (this.#now !== null && published > this.#now) return this.#refuse('published', `lies in the future: "${text}"`)
    return published
  }

  #refuse(column: Column, message: string): null {
    this.#problems.push({ line: this.#line, column, message })
    return null
  }
}

const decimalPattern = /^[+-]?\d+(?:\.\d+)?$/

/** Whether `parseRatio` reads it, without creating the number: a table has millions of cells. A test compares the two. */
export function isDecimal(text: string): boolean {
  if (!decimalPattern.test(text)) return false
  if (text.length <= maxDigits) return true
  const first = text.charCodeAt(0)
  return text.length - (first < 48 ? 1 : 0) - (text.includes('.') ? 1 : 0) <= maxDigits
}

const mostRemembered = 20_000

/** Tables repeat their series, periods and dates: each distinct text is read once. */
function remember<T extends object | string | boolean | null>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return text => {
    const found = known.get(text)
    if (found !== undefined) return found
    const value = read(text)
    if (known.size >= mostRemembered) known.clear()
    known.set(detach(text), value)
    return value
  }
}

/** A separate copy: a slice of a longer text would keep the whole text in memory. */
export function detach(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string
}

/** The publication of a value without a date, for evaluate, which has no clock: the day after its period's end. */
export function publishedByDefault(period: Period): Instant {
  return startOfDay(lastDayOf(period) + 1)
}

/** Gathers rows into series with their vintages, for calculation from files alone. */
export function gatherHistories(rows: Iterable<ObservationRow>): {
  series: Map<string, SeriesHistory>
  problems: RowProblem[]
} {
  const problems: RowProblem[] = []
  const groups = new Map<string, ObservationRow[]>()
  for (const row of rows) {
    const group = groups.get(row.series)
    if (group === undefined) groups.set(row.series, [row])
    else if (group[0]!.period.frequency === row.period.frequency) group.push(row)
    else
      problems.push({
        line: row.line,
        column: 'period',
        message: `${row.series} is ${group[0]!.period.frequency} (line ${group[0]!.line}), but this period is ${row.period.frequency}`,
      })
  }
  const series = new Map([...groups].map(([reference, group]) => [reference, gatherSeries(reference, group, problems)]))
  return { series, problems }
}

function gatherSeries(reference: string, rows: readonly ObservationRow[], problems: RowProblem[]): SeriesHistory {
  const periods = new Map<number, { said: Statement; row: ObservationRow }[]>()
  for (const row of rows) {
    const stored = periods.get(row.period.ordinal) ?? []
    const publishedAt = row.published ?? publishedByDefault(row.period)
    const twin = stored.find(other => other.said.publishedAt === publishedAt)
    if (twin !== undefined) {
      if (isSameValue(twin.row.value, row.value) && twin.row.version === row.version) continue
      problems.push({
        line: row.line,
        column: 'value',
        message: `${reference} already has another value for this period and publication (line ${twin.row.line})`,
      })
      continue
    }
    const { value, version: mark, flag } = row
    stored.push({ said: { value, mark, flag, publishedAt, recordedAt: null }, row })
    periods.set(row.period.ordinal, stored)
  }
  const vintages = new Map<number, readonly Vintage[]>()
  for (const [ordinal, stored] of periods)
    vintages.set(
      ordinal,
      withStatements(
        [],
        stored.map(({ said }) => said),
      ),
    )
  const described = (pick: (row: ObservationRow) => string | null) => rows.map(pick).find(text => text !== null)
  return buildHistory(
    {
      reference,
      name: described(row => row.name) ?? reference.slice(reference.indexOf('/') + 1),
      unit: described(row => row.unit) ?? '',
      frequency: rows[0]!.period.frequency,
    },
    vintages,
  )
}
