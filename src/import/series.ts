// The series of an imported file: stored ones, new ones, and what the file says about them. Rows that do not fit their series
// are refused, and so is a series that the workspace follows.

import { detach, type ObservationRow } from '../core/series/observation-table.ts'
import { type DataType, dataTypes, parseReference } from '../core/series/series.ts'
import type { RowProblem } from '../core/series/table-problems.ts'
import { isOneLine, oneLineRule } from '../core/text/one-line.ts'
import type { Frequency } from '../core/time/period.ts'
import { limits } from '../limits.ts'
import { makeIdentifier } from '../storage/postgres/identifier.ts'
import type { OwnSeries, WorkspaceSeries } from '../storage/series/own-series.ts'

/** A text that a row gives for its series. */
interface StatedText {
  readonly text: string
  readonly line: number
}

const describingColumns = ['name', 'unit', 'dataType'] as const
type DescribingColumn = (typeof describingColumns)[number]

export class FileSeries {
  /** The place in the file's list of series. */
  readonly number: number
  readonly reference: string
  readonly id: string
  readonly stored: OwnSeries | null
  readonly frequency: Frequency
  /** The line that decided the frequency, for messages; `null` if the stored series did. */
  readonly firstLine: number | null
  readonly said: Partial<Record<DescribingColumn, StatedText>> = {}

  constructor(number: number, row: ObservationRow, stored: OwnSeries | null) {
    this.number = number
    this.reference = detach(row.series)
    this.id = stored?.id ?? detach(makeIdentifier('ser'))
    this.stored = stored
    this.frequency = stored?.frequency ?? row.period.frequency
    this.firstLine = stored === null ? row.line : null
  }

  /** The series as it is after the import. */
  get described(): OwnSeries {
    const { provider, code } = parseReference(this.reference)!
    const { name, unit, dataType } = this.said
    return {
      id: this.id,
      provider,
      code,
      name: name?.text ?? this.stored?.name ?? code,
      unit: unit?.text ?? this.stored?.unit ?? '',
      dataType: (dataType?.text as DataType | undefined) ?? this.stored?.dataType ?? dataTypes[0],
      frequency: this.frequency,
      description: this.stored?.description ?? '',
    }
  }

  get isNew(): boolean {
    return this.stored === null
  }

  get isDescribedAnew(): boolean {
    const { stored } = this
    return stored !== null && describingColumns.some(column => stored[column] !== this.described[column])
  }
}

export class SeriesOfFile {
  readonly #workspace: WorkspaceSeries
  readonly #known = new Map<string, FileSeries | 'refused'>()
  readonly #list: FileSeries[] = []
  #newCount = 0
  #last: FileSeries | null = null
  #lastFlag = ''

  constructor(workspace: WorkspaceSeries) {
    this.#workspace = workspace
  }

  get list(): readonly FileSeries[] {
    return this.#list
  }

  /** Series that the workspace does not have yet. */
  get newCount(): number {
    return this.#newCount
  }

  /** The series of a row, or `null` after reporting its problems. */
  place(row: ObservationRow, report: (problem: RowProblem) => void): FileSeries | null {
    const series = this.#last?.reference === row.series ? this.#last : this.#find(row, report)
    if (series === null) return null
    this.#last = series
    let isGood = true
    const refuse = (column: string, message: string) => {
      isGood = false
      report({ line: row.line, column, message })
    }
    if (row.period.frequency !== series.frequency) refuse('period', frequencyMessage(series, row.period.frequency))
    if (row.name !== null) note(series, 'name', row.name, row.line, refuse)
    if (row.unit !== null) note(series, 'unit', row.unit, row.line, refuse)
    if (row.dataType !== null) note(series, 'dataType', row.dataType, row.line, refuse)
    if (row.flag !== null && row.flag !== this.#lastFlag) {
      const problem = textProblem(row.flag, limits.flagLength)
      if (problem !== null) refuse('flag', problem)
      else this.#lastFlag = detach(row.flag)
    }
    return isGood ? series : null
  }

  /** A problem of the series itself is reported once, at its first row. */
  #find(row: ObservationRow, report: (problem: RowProblem) => void): FileSeries | null {
    const known = this.#known.get(row.series)
    if (known !== undefined) return known === 'refused' ? null : known
    const own = this.#workspace.own.get(row.series) ?? null
    const message = this.#workspace.followed.has(row.series)
      ? `the workspace follows ${row.series}: its values come from the provider and cannot be imported`
      : own === null
        ? textProblem(row.series, limits.seriesCodeLength * 2)
        : null
    if (message !== null) {
      report({ line: row.line, column: 'series', message })
      this.#known.set(detach(row.series), 'refused')
      return null
    }
    const series = new FileSeries(this.#list.length, row, own)
    this.#known.set(series.reference, series)
    this.#list.push(series)
    if (series.isNew) this.#newCount++
    return series
  }
}

function frequencyMessage(series: FileSeries, frequency: Frequency): string {
  const source = series.firstLine === null ? '' : ` (line ${series.firstLine})`
  return `${series.reference} is ${series.frequency}${source}, but this period is ${frequency}`
}

function note(
  series: FileSeries,
  column: DescribingColumn,
  text: string,
  line: number,
  refuse: (column: string, message: string) => void,
): void {
  const said = series.said[column]
  if (said !== undefined) {
    if (said.text !== text) refuse(column, `is "${text}", but line ${said.line} says "${said.text}"`)
    return
  }
  // A stored text may stay as it is.
  const problem = series.stored?.[column] === text ? null : textProblem(text, limits.namesLength)
  if (problem !== null) refuse(column, problem)
  else series.said[column] = { text: detach(text), line }
}

/** The fault of a text for people; `null` if there is none. */
export function textProblem(text: string, most: number): string | null {
  if (text.length > most) return `must have at most ${most} characters, got ${text.length}`
  return isOneLine(text) ? null : `${oneLineRule}, got ${JSON.stringify(text)}`
}
