// The table of series: thousands of rows, only visible ones rendered. Each row is a link; arrow keys move between rows.
import { Link } from '@tanstack/react-router'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, memo, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { Spark } from '../../../components/chart/spark.tsx'
import { Change, Figure, Tag } from '../../../components/figures/figures.tsx'
import { IconAlert, IconInfo } from '../../../components/page/icons.tsx'
import { writeLabel } from '../../../components/words/period-words.ts'
import { asSentence, writeAgo, writeFrequency, writeInstant } from '../../../components/words/words.ts'
import classes from './list.module.css'
import { isTroubled, type ListRow, type Order, type SortKey } from './rows.ts'
import { useSparks } from './use-sparks.ts'

const rowHeight = 52
/** With a line that says what is wrong. */
const troubledHeight = 76
const overscan = 12

interface ListTableProps {
  readonly rows: readonly ListRow[]
  readonly slug: string
  readonly order: Order
  readonly setOrder: (order: Order) => void
}

export function ListTable({ rows, slug, order, setOrder }: ListTableProps) {
  const table = useRef<HTMLTableElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => setTop((table.current?.getBoundingClientRect().top ?? 0) + window.scrollY), [])
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: index => (isTroubled(rows[index]!) ? troubledHeight : rowHeight),
    overscan,
    scrollMargin: top,
    // The bar of the frame and the table head cover this much.
    scrollPaddingStart: 56 + 36,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows have other heights.
  useLayoutEffect(() => virtual.measure(), [rows])
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
        {['name', 'source', 'frequency', 'value', 'period', 'change', 'line', 'changed'].map(name => (
          <col key={name} className={classes[name]} />
        ))}
      </colgroup>
      <Head order={order} setOrder={setOrder} />
      <tbody onKeyDown={onKeyDown}>
        {above > 0 && <Spacer height={above} />}
        {items.map(({ index }) => {
          const row = rows[index]
          return row !== undefined && <Row key={row.id} {...{ row, index, slug }} spark={sparkOf(row)} />
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
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it can be focused.
    <tr aria-hidden="true" className={classes.spacer}>
      <td colSpan={8} style={{ height }} />
    </tr>
  )
}

function Head({ order, setOrder }: Pick<ListTableProps, 'order' | 'setOrder'>) {
  const head = (key: SortKey, label: ReactNode, className = '') => (
    <SortHead column={key} order={order} setOrder={setOrder} className={className}>
      {label}
    </SortHead>
  )
  return (
    <thead>
      <tr>
        {head('name', 'Name and code')}
        {head('source', 'Source', classes.wide)}
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
      </tr>
    </thead>
  )
}

interface SortHeadProps extends Pick<ListTableProps, 'order' | 'setOrder'> {
  readonly column: SortKey
  readonly className: string | undefined
  readonly children: ReactNode
}

/** Columns where people want the newest or the largest change first. */
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
  readonly spark: readonly string[] | undefined
}

const Row = memo(function Row({ row, index, slug, spark }: RowProps) {
  const { id, name, provider, sourceName, code, frequency, unit, last, lastChangedAt } = row
  return (
    <tr className={classes.row} data-to={id} data-troubled={isTroubled(row)} aria-rowindex={index + 2}>
      <td>
        <Link to="/w/$ws/series/$id" params={{ ws: slug, id }} className={classes.link} data-row={index} title={name}>
          {name}
        </Link>
        <span className={`mono ${classes.code}`}>{`${provider}/${code}`}</span>
        <TroubleLine row={row} />
      </td>
      <td className={classes.wide}>{sourceName}</td>
      <td className={classes.wide}>{writeFrequency(frequency)}</td>
      <td className="right" title={last?.value}>
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
      <td className={classes.middle}>
        {lastChangedAt !== null && (
          <time className={classes.over} dateTime={lastChangedAt} title={writeInstant(lastChangedAt)}>
            {writeAgo(lastChangedAt, Date.now())}
          </time>
        )}
      </td>
    </tr>
  )
})

/** In words, across the whole row. */
function TroubleLine({ row: { trouble, notice } }: { readonly row: ListRow }) {
  const words = trouble ?? notice
  if (words === null) return null
  return (
    <span className={classes.trouble} data-kind={trouble === null ? 'notice' : 'trouble'} title={words}>
      {trouble === null ? <IconInfo /> : <IconAlert />}
      <span>{asSentence(words)}</span>
    </span>
  )
}
