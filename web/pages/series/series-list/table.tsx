// The table of series: thousands of rows, only visible ones rendered. Each row is a link; arrow keys move between rows.

import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { Spark } from '../../../components/chart/spark.tsx'
import { Change, Figure, Tag } from '../../../components/figures/figures.tsx'
import { IconAlert, IconInfo } from '../../../components/page/icons.tsx'
import type { Columns } from '../../../components/table/column.ts'
import { DataTable } from '../../../components/table/data-table.tsx'
import { formatLabel } from '../../../components/words/period-words.ts'
import { asSentence, formatAgo, formatFrequency, formatInstant } from '../../../components/words/words.ts'
import classes from './list.module.css'
import { formatOrder, isTroubled, type ListRow, type Order, readOrder } from './rows.ts'
import { useSparks } from './use-sparks.ts'

const rowHeight = 52
/** Height of a row with a line about its trouble. */
const troubledHeight = 76

interface ListTableProps {
  readonly rows: readonly ListRow[]
  readonly slug: string
  readonly order: Order
  readonly setOrder: (order: Order) => void
}

const heightOf = (row: ListRow) => (isTroubled(row) ? troubledHeight : rowHeight)
const keyOf = ({ id }: ListRow) => id
const rowProps = (row: ListRow) => ({ className: classes.row, 'data-to': row.id, 'data-troubled': isTroubled(row) })

export function ListTable({ rows, slug, order, setOrder }: ListTableProps) {
  const [shown, setShown] = useState<readonly ListRow[]>([])
  const sparkOf = useSparks(shown)
  const columns = useMemo(() => seriesColumns(slug, sparkOf), [slug, sparkOf])
  return (
    <DataTable
      className={classes.table}
      caption={<caption className="unseen">Series; arrow keys go from row to row, Enter opens one</caption>}
      columns={columns}
      rows={rows}
      keyOf={keyOf}
      rowProps={rowProps}
      sort={{
        order: formatOrder(order) ?? 'name',
        change: text => setOrder(readOrder(text)),
        isAlways: true,
      }}
      virtual={{ height: heightOf, onShown: setShown, hasArrowKeys: true }}
    />
  )
}

type SparkOf = (row: ListRow) => readonly string[] | undefined

function seriesColumns(ws: string, sparkOf: SparkOf): Columns<ListRow> {
  return [...whichColumns(ws), ...valueColumns(sparkOf)]
}

function whichColumns(ws: string): Columns<ListRow> {
  return [
    {
      head: 'Name and code',
      sort: 'name',
      cell: row => (
        <>
          <Link to="/w/$ws/series/$id" params={{ ws, id: row.id }} className={classes.link} title={row.name}>
            {row.name}
          </Link>
          <span className={`mono ${classes.code}`}>{`${row.provider}/${row.code}`}</span>
          <TroubleLine row={row} />
        </>
      ),
    },
    {
      head: 'Source',
      sort: 'source',
      headClass: `${classes.wide} ${classes.source}`,
      className: classes.wide,
      cell: ({ sourceName }) => sourceName,
    },
    {
      head: 'Frequency',
      sort: 'frequency',
      headClass: `${classes.wide} ${classes.frequency}`,
      className: classes.wide,
      cell: ({ frequency }) => formatFrequency(frequency),
    },
  ]
}

/** Columns of the newest value and the values before it. */
function valueColumns(sparkOf: SparkOf): Columns<ListRow> {
  return [
    {
      head: 'Last value',
      isRight: true,
      headClass: classes.value,
      cell: ({ last }) =>
        last === null ? (
          <span className="soft">none yet</span>
        ) : (
          <span title={last.value}>
            <Figure value={last.value} />
            <span className={`soft ${classes.narrow}`}>{formatLabel(last.period)}</span>
          </span>
        ),
    },
    {
      head: 'Unit, period',
      sort: 'period',
      isDownFirst: true,
      headClass: `${classes.middle} ${classes.period}`,
      className: classes.middle,
      cell: ({ unit, last }) => (
        <>
          <span className={classes.unit} title={unit}>
            {unit}
          </span>
          {last !== null && (
            <span className={`soft ${classes.when}`}>
              {formatLabel(last.period)}
              {last.tag !== 'FINAL' && <Tag tag={last.tag} isMany />}
            </span>
          )}
        </>
      ),
    },
    {
      head: 'Change',
      sort: 'change',
      isDownFirst: true,
      isRight: true,
      headClass: classes.change,
      cell: ({ changePct }) => changePct !== null && <Change pct={changePct} />,
    },
    {
      head: '36 periods',
      headClass: `${classes.middle} ${classes.line}`,
      className: classes.middle,
      cell: row => {
        const values = sparkOf(row)
        return values !== undefined && <Spark values={values} />
      },
    },
    {
      head: 'Changed',
      sort: 'changed',
      isDownFirst: true,
      headClass: `${classes.middle} ${classes.changed}`,
      className: classes.middle,
      cell: ({ lastChangedAt }) =>
        lastChangedAt !== null && (
          <time className={classes.over} dateTime={lastChangedAt} title={formatInstant(lastChangedAt)}>
            {formatAgo(lastChangedAt, Date.now())}
          </time>
        ),
    },
  ]
}

function TroubleLine({ row: { trouble, alarm, notice } }: { readonly row: ListRow }) {
  const isTrouble = trouble !== null || alarm !== null
  const words = trouble ?? alarm ?? notice
  if (words === null) return null
  return (
    <span className={classes.trouble} data-kind={isTrouble ? 'trouble' : 'notice'} title={words}>
      {isTrouble ? <IconAlert /> : <IconInfo />}
      <span>{asSentence(words)}</span>
    </span>
  )
}
