// What a page and the server say to each other about a file: the address it is sent to, and the lines that come back while
// it is read. A line may come in pieces.
import type { TableLayout } from '../../../../src/core/table-layout.ts'
import type {
  DataType,
  Frequency,
  UploadLine,
  UploadLook,
  UploadResult,
} from '../../../../src/http/console/wire/series.ts'

/** What is entered once for a file of one series that has no column for it. */
export interface GivenColumns {
  readonly series: string
  readonly name: string
  readonly unit: string
  readonly frequency: Frequency | ''
  readonly dataType: DataType | ''
}

export const nothingGiven: GivenColumns = { series: '', name: '', unit: '', frequency: '', dataType: '' }

export type UploadMode = UploadLook['stage'] | UploadResult['mode']

/** How a file is to be read, beside its bytes. */
export interface Reading {
  readonly given: GivenColumns
  readonly sheet: string
  /** Null for the form that is taken as it is, and where the server finds out. */
  readonly layout: TableLayout | null
}

/** Without a series the rest says nothing; blank fields are left out. */
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

export const fileKinds = ['csv', 'xlsx', 'json'] as const

/** Whether the name promises something that can be read; the server looks at the file itself. */
export function isReadableName(fileName: string): boolean {
  const ending = /\.([^.]+)$/.exec(fileName)?.[1]?.toLowerCase()
  return fileKinds.some(kind => kind === ending)
}

/** The last line may say instead why the work broke off. */
export type AnswerLine = UploadLine | { readonly error: string }

/** Takes the text of an answer as far as it has come, and gives the lines that are whole and were not given before. */
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
