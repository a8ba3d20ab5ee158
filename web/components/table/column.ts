// A column of a table: its heading, its cells, its place on a narrow screen, and its cells in a file. A table on a page is a list
// of these; everything else follows from them.
import type { ReactNode } from 'react'
import type { Cell, Sheet } from '../../../src/formats/sheet.ts'

/**
 * Place of a column if there is no room for it: under the main column, after its heading (`label`) or as a line alone (`line`),
 * as a function writes it, or nowhere (`drop`). A column that is there on narrow screens alone is `only`.
 */
type Narrow<Row> = 'label' | 'line' | 'drop' | 'only' | ((row: Row, text: string) => ReactNode)

export interface Column<Row> {
  readonly head: ReactNode
  /** Names the column if its heading is not a text of its own. */
  readonly key?: string
  /** Whether only screen readers get the heading: a column of buttons needs no visible one. */
  readonly isHeadUnseen?: boolean
  /** Figure of a row. All of a column have the same decimal point, and each its own digits. */
  readonly figure?: (row: Row) => string | null
  /** Cell of a row; by default the figure, `text`. */
  readonly cell?: (row: Row, text: string, index: number) => ReactNode
  readonly isRight?: boolean
  /** Whether columns without room are shown under this one; by default they are under the first that stays. */
  readonly isMain?: boolean
  /** Whether the cell names the row for screen readers. */
  readonly isRowHead?: boolean
  readonly className?: string | undefined
  readonly headClass?: string | undefined
  readonly narrow?: Narrow<Row>
  /** Name in the order of the rows, if they can be sorted by it. */
  readonly sort?: string
  /** Columns where people want the newest or the largest first. */
  readonly isDownFirst?: boolean
  /** Columns that share a heading above their own. */
  readonly group?: string
  readonly foot?: ReactNode
  /** Cells in a file, by their heading. */
  readonly sheet?: Readonly<Record<string, (row: Row) => Cell>>
}

/** A column that is not always there is `false` otherwise. */
export type Columns<Row> = readonly (Column<Row> | false)[]

export function presentColumns<Row>(columns: Columns<Row>): readonly Column<Row>[] {
  return columns.filter(column => column !== false)
}

export function keyOfColumn<Row>({ key, head }: Column<Row>): string {
  return key ?? String(head)
}

interface SheetParts<Row> {
  readonly name: string
  readonly title?: readonly string[]
  readonly columns: Columns<Row>
  readonly rows: readonly Row[]
}

/** The table as a file, every figure with all its digits. */
export function sheetOf<Row>({ name, title, columns, rows }: SheetParts<Row>): Sheet {
  const cells = presentColumns(columns).flatMap(({ sheet = {} }) => Object.entries(sheet))
  return {
    name,
    ...(title === undefined ? {} : { title }),
    head: cells.map(([head]) => head),
    rows: rows.map(row => cells.map(([, cell]) => cell(row))),
  }
}

export function figureCell(text: string | null | undefined): Cell {
  return text == null ? null : { figure: text }
}

export function dayCell(text: string | null | undefined): Cell {
  return text == null ? null : { day: text.slice(0, 10) }
}
