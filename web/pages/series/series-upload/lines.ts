// What a page and the server exchange about a file: the address it is sent to, and the lines that come back while it is read.
// A line may arrive in pieces.
import type { TableLayout } from '../../../../src/core/series/table-layout.ts'
import type { DataType, Frequency, UploadLine, UploadLook, UploadResult } from '../../../../src/views/shapes/series.ts'

/** What is entered by hand for a file of one series without columns for it. */
export interface GivenColumns {
  readonly series: string
  readonly name: string
  readonly unit: string
  readonly frequency: Frequency | ''
  readonly dataType: DataType | ''
}

export const nothingGiven: GivenColumns = { series: '', name: '', unit: '', frequency: '', dataType: '' }

export type UploadMode = UploadLook['stage'] | UploadResult['mode']

/** How to read a file. */
export interface Reading {
  readonly given: GivenColumns
  readonly sheet: string
  /** Null for a file in the standard format, and if the server is to detect the layout. */
  readonly layout: TableLayout | null
}

/** Without a series the other fields mean nothing; blank fields are left out. */
export function uploadQuery(fileName: string, mode: UploadMode, { given, sheet, layout }: Reading) {
  const written = layout === null ? undefined : JSON.stringify(layout)
  const file = { file: fileName, mode, sheet: sheet.trim() || undefined, layout: written }
  const series = given.series.trim()
  if (series === '') return file
  return {
    ...file,
    series,
    name: given.name.trim() || undefined,
    unit: given.unit.trim() || undefined,
    frequency: given.frequency || undefined,
    dataType: given.dataType || undefined,
  }
}

const fileKinds = ['csv', 'xlsx', 'json'] as const

/** Whether the file name has a known extension; the server checks the file itself. */
export function isReadableName(fileName: string): boolean {
  const ending = /\.([^.]+)$/.exec(fileName)?.[1]?.toLowerCase()
  return fileKinds.some(kind => kind === ending)
}

/** The last line may be the reason why processing stopped. */
type AnswerLine = UploadLine | { readonly error: string }

/** Takes the text received so far and returns the complete lines that were not returned before. */
export class LineReader {
  #taken = 0

  read(text: string): AnswerLine[] {
    const end = text.lastIndexOf('\n')
    if (end < this.#taken) return []
    const whole = text.slice(this.#taken, end)
    this.#taken = end + 1
    return whole
      .split('\n')
      .filter(line => line.trim() !== '')
      .map(line => JSON.parse(line) as AnswerLine)
  }
}
