// Exchange of a page and the server about a file: the facts that a person gives, as the query of its address, and the lines that
// come back while it is read. A line may arrive in pieces.
import type { ColumnLayout } from '../../../src/core/invoices/column-layout.ts'
import { type ImportKind, importKinds } from '../../../src/core/invoices/table-kinds.ts'
import type { TableLayout } from '../../../src/core/series/table-layout.ts'
import type { ImportLine } from '../../../src/views/shapes/imports.ts'
import type { DataType, Frequency } from '../../../src/views/shapes/series.ts'

/** Values entered by hand for a file without columns for them. Blank fields are left out. */
export interface GivenColumns {
  /** Fields of the figures of one series. */
  readonly series: string
  readonly name: string
  readonly unit: string
  readonly frequency: Frequency | ''
  readonly dataType: DataType | ''
  /** Agreement of a price list, and for all lines or quantities of a file. */
  readonly agreement: string
  /** Period from which a price list governs. */
  readonly from: string
  readonly supplier: string
  readonly currency: string
  readonly period: string
  /** Status of many new agreements; blank: drafts. */
  readonly status: 'DRAFT' | 'ACTIVE' | ''
}

export const nothingGiven: GivenColumns = {
  series: '',
  name: '',
  unit: '',
  frequency: '',
  dataType: '',
  agreement: '',
  from: '',
  supplier: '',
  currency: '',
  period: '',
  status: '',
}

export type ImportMode = 'look' | 'preview' | 'import'

export interface FileReading {
  /** Kind; null if the server recognises it. */
  readonly kind: ImportKind | null
  readonly given: GivenColumns
  readonly sheet: string
  /** Layout; null for a file in the usual form, and if the server is to detect it. */
  readonly layout: TableLayout | ColumnLayout | null
}

export type StartImport = (mode: ImportMode, change?: Partial<FileReading>) => void

/** Fields of each kind; fields of other kinds stay unsent. */
const fieldsOf: Readonly<Record<ImportKind, readonly (keyof GivenColumns)[]>> = {
  observations: ['series', 'name', 'unit', 'frequency', 'dataType'],
  prices: ['agreement', 'from', 'currency', 'unit'],
  invoices: ['agreement', 'supplier', 'currency'],
  quantities: ['agreement', 'period'],
  units: [],
  agreements: ['agreement', 'status', 'supplier', 'currency', 'unit'],
}

/** Query of an import. Without a series the other fields about one mean nothing. */
export function importQuery(fileName: string, mode: ImportMode, { kind, given, sheet, layout }: FileReading) {
  const fields = kind === null || (kind === 'observations' && given.series.trim() === '') ? [] : fieldsOf[kind]
  const texts = fields.flatMap(name => (given[name].trim() === '' ? [] : [[name, given[name].trim()] as const]))
  return {
    file: fileName,
    mode,
    kind: kind ?? undefined,
    sheet: sheet.trim() || undefined,
    layout: layout === null ? undefined : JSON.stringify(layout),
    ...(Object.fromEntries(texts) as Partial<Omit<GivenColumns, 'frequency' | 'dataType' | 'status'>> & {
      readonly status?: 'DRAFT' | 'ACTIVE'
      readonly frequency?: Frequency
      readonly dataType?: DataType
    }),
  }
}

export function readKind(text: string | undefined): ImportKind | null {
  return importKinds.find(kind => kind === text) ?? null
}

const fileKinds = ['csv', 'xlsx', 'json', 'xml'] as const

/** Whether the file name has a known extension; the server checks the file itself. */
export function isReadableName(fileName: string): boolean {
  const ending = /\.([^.]+)$/.exec(fileName)?.[1]?.toLowerCase()
  return fileKinds.some(kind => kind === ending)
}

/** The last line may be the reason why processing stopped. */
type AnswerLine = ImportLine | { readonly error: string }

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
