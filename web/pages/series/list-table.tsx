// The table of series: thousands of rows of which those in sight are drawn. Each row is a link; arrows go from row to row.
import { Link } from '@tanstack/react-router'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, memo, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { Ago, Change, Figure, State, Tag } from '../../components/figures.tsx'
import { writeProvider } from '../../components/provider-words.ts'
import { Spark } from '../../components/spark.tsx'
import { writeFrequency } from '../../components/words.ts'
import classes from './list.module.css'
import type { ListRow, Order, SortKey } from './list-rows.ts'
import { writeLabel } from './period-words.ts'
import { useSparks } from './use-sparks.ts'

const rowHeight = 52
const overscan = 12

interface ListTableProps {
  readonly rows: readonly ListRow[]
  readonly slug: string
  readonly order: Order
  readonly setOrder: (order: Order) => void
  /** Whether there is a column for it: in good times the names have the room. */
  readonly hasTrouble: boolean
}

export function ListTable({ rows, slug, order, setOrder, hasTrouble }: ListTableProps) {
  const table = useRef<HTMLTableElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => setTop((table.current?.getBoundingClientRect().top ?? 0) + window.scrollY), [])
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan,
    scrollMargin: top,
    // The bar of the frame and the head of the table cover that much.
    scrollPaddingStart: 56 + 36,
  })
  const items = virtual.getVirtualItems()
  const sparkOf = useSparks(items.flatMap(({ index }) => rows[index] ?? []))
  const above = items.length === 0 ? 0 : items[0]!.start - top
  const below = items.length === 0 ? 0 : virtual.getTotalSize() - (items.at(-1)!.end - top)

  const focusRow = (index: number) => {
    virtual.scrollToIndex(index)
    requestAnimationFrame(() => table.current?.querySelector<HTMLElement>(`a[data-row="${index}"]`)?.focus())
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const at = Number.parseInt((event.target as HTMLElement).dataset.row ?? '', 10)
    const to = Number.isNaN(at) ? undefined : rowAfter(event.key, at, rows.length)
    if (to === undefined) return
    event.preventDefault()
    focusRow(to)
  }
  return (
    <table ref={table} className={`ledger ${classes.table}`} aria-rowcount={rows.length + 1}>
      <caption className="unseen">Series; arrow keys go from row to row, Enter opens one</caption>
      <colgroup>
        {['name', 'provider', 'frequency', 'value', 'period', 'change', 'line', 'changed'].map(name => (
          <col key={name} className={classes[name]} />
        ))}
        {hasTrouble && <col className={classes.trouble} />}
      </colgroup>
      <Head order={order} setOrder={setOrder} hasTrouble={hasTrouble} />
      <tbody onKeyDown={onKeyDown}>
        {above > 0 && <Spacer height={above} />}
        {items.map(({ index }) => {
          const row = rows[index]
          return row !== undefined && <Row key={row.id} {...{ row, index, slug, hasTrouble }} spark={sparkOf(row)} />
        })}
        {below > 0 && <Spacer height={below} />}
      </tbody>
    </table>
  )
}

const rowsPerPage = 10

function rowAfter(key: string, at: number, count: number): number | undefined {
  const ways: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + rowsPerPage,
    PageUp: at - rowsPerPage,
    Home: 0,
    End: count - 1,
  }
  const to = ways[key]
  return to === undefined ? undefined : Math.min(Math.max(to, 0), count - 1)
}

function Spacer({ height }: { readonly height: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus.
    <tr aria-hidden="true" className={classes.spacer}>
      <td colSpan={9} style={{ height }} />
    </tr>
  )
}

function Head({ order, setOrder, hasTrouble }: Pick<ListTableProps, 'order' | 'setOrder' | 'hasTrouble'>) {
  const head = (key: SortKey, label: ReactNode, className = '') => (
    <SortHead column={key} order={order} setOrder={setOrder} className={className}>
      {label}
    </SortHead>
  )
  return (
    <thead>
      <tr>
        {head('name', 'Name and code')}
        {head('provider', 'Provider', classes.wide)}
        {head('frequency', 'Frequency', classes.wide)}
        <th scope="col" className="right">
          Last value
        </th>
        {head('period', 'Unit, period', classes.middle)}
        {head('change', 'Change', 'right')}
        <th scope="col" className={classes.middle}>
          36 periods
        </th>
        {head('changed', 'Changed', classes.middle)}
        {hasTrouble && (
          <th scope="col" className={classes.middle}>
            Trouble
          </th>
        )}
      </tr>
    </thead>
  )
}

interface SortHeadProps extends Pick<ListTableProps, 'order' | 'setOrder'> {
  readonly column: SortKey
  readonly className: string | undefined
  readonly children: ReactNode
}

/** What is newest and what moved most is wanted first. */
const downFirst: readonly SortKey[] = ['period', 'change', 'changed']

function SortHead({ column, order, setOrder, className, children }: SortHeadProps) {
  const isChosen = order.key === column
  const sort = isChosen ? (order.isDown ? 'descending' : 'ascending') : 'none'
  const next = { key: column, isDown: isChosen ? !order.isDown : downFirst.includes(column) }
  return (
    <th scope="col" aria-sort={sort} className={className}>
      <button type="button" className={classes.sort} onClick={() => setOrder(next)}>
        {children}
        <span aria-hidden="true" className={classes.arrow}>
          {isChosen ? (order.isDown ? '↓' : '↑') : ''}
        </span>
      </button>
    </th>
  )
}

interface RowProps {
  readonly row: ListRow
  readonly index: number
  readonly slug: string
  readonly hasTrouble: boolean
  readonly spark: readonly string[] | undefined
}

const Row = memo(function Row({ row, index, slug, hasTrouble, spark }: RowProps) {
  const { id, name, provider, code, frequency, unit, last, lastChangedAt } = row
  return (
    <tr className={classes.row} data-to={id} aria-rowindex={index + 2}>
      <td>
        <Link to="/w/$ws/series/$id" params={{ ws: slug, id }} className={classes.link} data-row={index} title={name}>
          {name}
        </Link>
        <span className={classes.under}>
          <span className={`mono ${classes.code}`}>{`${provider}/${code}`}</span>
          <span className={classes.sign}>
            <TroubleWords row={row} isShort />
          </span>
        </span>
      </td>
      <td className={classes.wide}>{writeProvider(provider)}</td>
      <td className={classes.wide}>{writeFrequency(frequency)}</td>
      <td className="right">
        {last === null ? <span className="soft">none yet</span> : <Figure value={last.value} />}
        {last !== null && <span className={`soft ${classes.narrow}`}>{writeLabel(last.period)}</span>}
      </td>
      <td className={classes.middle}>
        <span className={classes.unit} title={unit}>
          {unit}
        </span>
        {last !== null && (
          <span className={`soft ${classes.when}`}>
            {writeLabel(last.period)}
            {last.tag !== 'FINAL' && <Tag tag={last.tag} isMany />}
          </span>
        )}
      </td>
      <td className="right">{row.changePct !== null && <Change pct={row.changePct} />}</td>
      <td className={classes.middle}>{spark !== undefined && <Spark values={spark} />}</td>
      <td className={`${classes.middle} ${classes.over}`}>{lastChangedAt !== null && <Ago at={lastChangedAt} />}</td>
      {hasTrouble && (
        <td className={classes.middle}>
          <TroubleWords row={row} />
        </td>
      )}
    </tr>
  )
})

function TroubleWords({ row: { trouble, notice }, isShort = false }: { row: ListRow; isShort?: boolean }) {
  const words = trouble ?? notice
  if (words === null) return null
  return (
    <span className={classes.words} title={words}>
      <State kind={trouble === null ? 'waiting' : 'trouble'}>{isShort ? 'In trouble' : words}</State>
    </span>
  )
}
