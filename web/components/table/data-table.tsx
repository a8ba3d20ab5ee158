// Every table of the pages. Its columns give the head with its sorting, the cells, and the narrow form, in which columns without
// room are lines under the main column. A long table renders only the rows in view.
import { Fragment, memo, type ReactNode, useMemo } from 'react'
import { alignOnPoint } from '../words/words.ts'
import { type Column, type Columns, keyOfColumn, presentColumns } from './column.ts'
import classes from './data-table.module.css'
import { ScrollX } from './scroll-x.tsx'
import { useNarrow } from './use-narrow.ts'
import { type Measure, type Virtual, VirtualBody } from './virtual-body.tsx'

interface RowAttributes {
  readonly className?: string | undefined
  readonly [data: `data-${string}`]: string | number | boolean | undefined
}

interface Sort {
  /** `name`, or `-name` for descending order. */
  readonly order: string | undefined
  readonly change: (order: string | undefined) => void
  /** Whether the rows are always sorted by some column. */
  readonly isAlways?: boolean
}

interface DataTableProps<Row> {
  /** Name of the table for scrolling sideways. Without it, it never scrolls. */
  readonly label?: string
  readonly caption?: ReactNode
  readonly columns: Columns<Row>
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row, index: number) => string | number
  readonly className?: string | undefined
  /** Whether most cells have several lines. */
  readonly isTall?: boolean
  readonly rowProps?: (row: Row, index: number) => RowAttributes
  /** Contents of a row of its own below a row. */
  readonly below?: (row: Row) => ReactNode
  readonly sort?: Sort
  readonly virtual?: Virtual<Row>
  /** Buttons at the end of each row. */
  readonly actions?: ((row: Row) => ReactNode) | undefined
  readonly empty?: ReactNode
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, caption, rows, keyOf, className = '', isTall = false, sort, virtual, actions, empty } = props
  const columns = useMemo(
    () => [
      ...presentColumns(props.columns),
      ...(actions === undefined ? [] : [{ head: 'Actions', isHeadUnseen: true, isRight: true, cell: actions }]),
    ],
    [props.columns, actions],
  )
  const isNarrow = useNarrow()
  const texts = useMemo(() => columns.map(column => textsOf(column, rows)), [columns, rows])
  if (rows.length === 0 && empty !== undefined) return empty
  // A cell that spans hidden columns as well would keep room for them.
  const span = columns.filter(({ narrow }) =>
    isNarrow ? narrow === undefined || narrow === 'only' : narrow !== 'only',
  ).length
  const row = (each: Row, index: number, measure?: Measure) => (
    <Fragment key={keyOf(each, index)}>
      <TableRow
        row={each}
        index={index}
        columns={columns as readonly Column<unknown>[]}
        texts={texts}
        isNarrow={isNarrow}
        measure={measure}
        rowProps={props.rowProps as TableRowProps['rowProps']}
      />
      <Below columns={span}>{props.below?.(each)}</Below>
    </Fragment>
  )
  const table = (
    <table
      className={`ledger ${isTall ? classes.tall : ''} ${className}`}
      {...(virtual === undefined ? {} : { 'aria-rowcount': rows.length + 1 })}
    >
      {caption}
      <Head columns={columns} sort={sort} />
      {virtual === undefined ? (
        <tbody>{rows.map((each, index) => row(each, index))}</tbody>
      ) : (
        <VirtualBody rows={rows} columns={span} virtual={virtual} keyOf={keyOf} render={row} />
      )}
      <Foot columns={columns} />
    </table>
  )
  return label === undefined ? table : <ScrollX label={label}>{table}</ScrollX>
}

function textsOf<Row>({ figure }: Column<Row>, rows: readonly Row[]): readonly string[] | null {
  return figure === undefined ? null : alignOnPoint(rows.map(figure))
}

function classOf<Row>({ isRight, figure, narrow }: Column<Row>, own: string | undefined): string | undefined {
  const side = isRight || figure !== undefined ? 'right' : ''
  const width = narrow === undefined ? '' : narrow === 'only' ? 'on-narrow' : 'on-wide'
  return [side, width, own].filter(Boolean).join(' ') || undefined
}

interface HeadProps<Row> {
  readonly columns: readonly Column<Row>[]
  readonly sort: Sort | undefined
}

function Head<Row>({ columns, sort }: HeadProps<Row>) {
  const groups = Map.groupBy(columns, ({ group }) => group)
  const hasGroups = groups.size > 1
  const heads = (shown: readonly Column<Row>[], rowSpan?: number) =>
    shown.map(column => <HeadCell key={keyOfColumn(column)} {...{ column, sort, rowSpan }} />)
  if (!hasGroups)
    return (
      <thead>
        <tr>{heads(columns)}</tr>
      </thead>
    )
  return (
    <thead>
      <tr>
        {[...groups].map(([group, own]) =>
          group === undefined ? (
            heads(own, 2)
          ) : (
            <th key={group} scope="colgroup" colSpan={own.length} className={classes.group}>
              {group}
            </th>
          ),
        )}
      </tr>
      <tr>{heads(columns.filter(({ group }) => group !== undefined))}</tr>
    </thead>
  )
}

interface HeadCellProps<Row> {
  readonly column: Column<Row>
  readonly sort: Sort | undefined
  readonly rowSpan: number | undefined
}

function HeadCell<Row>({ column, sort, rowSpan }: HeadCellProps<Row>) {
  const { head, isHeadUnseen = false, headClass } = column
  const className = classOf(column, headClass)
  if (sort === undefined || column.sort === undefined)
    return (
      <th scope="col" className={className} rowSpan={rowSpan}>
        {isHeadUnseen ? <span className="unseen">{head}</span> : head}
      </th>
    )
  const way = sort.order === column.sort ? 'ascending' : sort.order === `-${column.sort}` ? 'descending' : 'none'
  return (
    <th scope="col" aria-sort={way} className={className}>
      <button type="button" className={classes.sort} onClick={() => sort.change(nextOrder(column, sort))}>
        {head}
        <span aria-hidden="true" className={classes.arrow}>
          {way === 'none' ? '' : way === 'ascending' ? '↑' : '↓'}
        </span>
      </button>
    </th>
  )
}

/** Next order: one way, then the other, then as it was before. */
function nextOrder<Row>({ sort: name, isDownFirst = false }: Column<Row>, sort: Sort): string | undefined {
  const ways = isDownFirst ? [`-${name}`, name] : [name, `-${name}`]
  const at = ways.indexOf(sort.order)
  return ways[at + 1] ?? (sort.isAlways ? ways[0] : undefined)
}

interface TableRowProps {
  readonly row: unknown
  readonly index: number
  readonly columns: readonly Column<unknown>[]
  /** The figures of each column that has them. */
  readonly texts: readonly (readonly string[] | null)[]
  readonly rowProps: ((row: unknown, index: number) => RowAttributes) | undefined
  readonly isNarrow: boolean
  /** Set in a long table only. */
  readonly measure: Measure | undefined
}

/** A row that is drawn again only if it or the columns changed: a long table whose columns stay the same scrolls without work. */
const TableRow = memo(function TableRow({ row, index, columns, texts, rowProps, isNarrow, measure }: TableRowProps) {
  const named = columns.findIndex(({ isMain }) => isMain)
  const main =
    named >= 0 ? named : columns.findIndex(({ narrow, isHeadUnseen }) => narrow === undefined && !isHeadUnseen)
  const place = measure === undefined ? {} : { ref: measure, 'data-index': index, 'aria-rowindex': index + 2 }
  return (
    <tr {...rowProps?.(row, index)} {...place}>
      {columns.map((column, at) => {
        const text = texts[at]?.[index] ?? ''
        return (
          <BodyCell key={keyOfColumn(column)} column={column}>
            {column.cell === undefined ? text : column.cell(row, text, index)}
            {isNarrow && at === main && <Folded row={row} index={index} columns={columns} texts={texts} />}
          </BodyCell>
        )
      })}
    </tr>
  )
})

function BodyCell<Row>({ column, children }: { readonly column: Column<Row>; readonly children: ReactNode }) {
  const className = classOf(column, column.className)
  return column.isRowHead ? (
    <th scope="row" className={className}>
      {children}
    </th>
  ) : (
    <td className={className}>{children}</td>
  )
}

function Folded({ row, index, columns, texts }: Pick<TableRowProps, 'row' | 'index' | 'columns' | 'texts'>) {
  const lines = columns.flatMap((column, at) => {
    const { head, narrow, cell } = column
    if (narrow === undefined || narrow === 'drop' || narrow === 'only') return []
    const text = texts[at]?.[index] ?? ''
    const shown = typeof narrow === 'function' ? narrow(row, text) : cell === undefined ? text : cell(row, text, index)
    if (shown === null || shown === undefined || shown === false || shown === '') return []
    return [
      <span key={keyOfColumn(column)}>
        {narrow === 'label' && <span className="soft">{head}: </span>}
        {shown}
      </span>,
    ]
  })
  return lines.length === 0 ? null : <span className={`${classes.folded} on-narrow`}>{lines}</span>
}

function Below({ columns, children }: { readonly columns: number; readonly children: ReactNode }) {
  if (children === undefined || children === null || children === false) return null
  return (
    <tr className={classes.below}>
      <td colSpan={columns}>{children}</td>
    </tr>
  )
}

function Foot<Row>({ columns }: { readonly columns: readonly Column<Row>[] }) {
  if (columns.every(({ foot }) => foot === undefined)) return null
  return (
    <tfoot>
      <tr>
        {columns.map(column => (
          <BodyCell key={keyOfColumn(column)} column={column}>
            {column.foot}
          </BodyCell>
        ))}
      </tr>
    </tfoot>
  )
}
