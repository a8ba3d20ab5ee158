// Vintages of one period: each published value, its day, and its change.

import { Anchor, Button, Drawer } from '@mantine/core'
import { memo, type ReactNode } from 'react'
import { formatDate } from '../../../../../src/core/text/words.ts'
import { changePct, difference } from '../../../../components/figures/exact-figures.ts'
import { Tag } from '../../../../components/figures/figures.tsx'
import { OriginList } from '../../../../components/figures/origin-list.tsx'
import { IconLeft, IconRight } from '../../../../components/page/icons.tsx'
import { DataTable } from '../../../../components/table/data-table.tsx'
import { countOrigins, formatOriginShort } from '../../../../components/words/origin-words.ts'
import { formatLabel } from '../../../../components/words/period-words.ts'
import { publishedCell } from '../../../../components/words/publication-words.ts'
import { alignOnPoint, countOf, formatInstant, formatPct, formatSigned } from '../../../../components/words/words.ts'
import type { View } from '../view.ts'
import { type AsOf, type History, publicationOf, rowsOf } from '../vintages.ts'
import classes from './vintage-drawer.module.css'

interface VintageDrawerProps {
  readonly view: View
  readonly label: string | undefined
  readonly open: (label: string | undefined) => void
  readonly showAsOf: (day: string) => void
}

export const VintageDrawer = memo(function VintageDrawer(props: VintageDrawerProps) {
  const { view, label, open } = props
  const { history } = view.lines[0]!
  const place = label === undefined ? -1 : history.labels.indexOf(label)
  return (
    <Drawer
      opened={label !== undefined}
      onClose={() => open(undefined)}
      position="right"
      size={880}
      title={<b>{label === undefined ? '' : `Vintages of ${formatLabel(label)}`}</b>}
      transitionProps={{ duration: 120 }}
      overlayProps={{ backgroundOpacity: 0.2 }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {place >= 0 ? <Vintages {...props} place={place} /> : <p>This series has no such period.</p>}
    </Drawer>
  )
})

function Vintages({ view, open, showAsOf, place }: VintageDrawerProps & { readonly place: number }) {
  const { asOf } = view
  const { history, cut, unit, originOf } = view.lines[0]!
  const rows = rowsOf(history, place)
  const values = alignOnPoint(rows.map(row => history.value[row]!))
  const origins = rows.map(row => originOf(history.recordedAt[row]!))
  const hasFlags = rows.some(row => history.flag[row] !== null)
  const [before, after] = [history.labels[place - 1], history.labels[place + 1]]
  return (
    <>
      <div className={classes.steps}>
        <StepButton label={before} leftSection={<IconLeft />} open={open} words="the period before" />
        <StepButton label={after} rightSection={<IconRight />} open={open} words="the period after" />
      </div>
      <p className={`soft ${classes.note}`}>
        {countOf(rows.length, 'value was', 'values were')} published for this period, in {unit}. Choose a day to see the
        series as it stood then.{' '}
        {asOf !== null &&
          `On ${formatDate(asOf.text)} ${cut[place]! < 0 ? 'none was out yet' : 'the marked one was the newest'}.`}
      </p>
      <DataTable
        label="Vintages"
        className={classes.table}
        rows={rows}
        keyOf={row => row}
        rowProps={row => ({ className: rowClass(row, cut[place]!, asOf) })}
        columns={[
          {
            head: 'Value',
            isRight: true,
            cell: (row, _, i) => (history.value[row] === null ? <span className="soft">withdrawn</span> : values[i]),
          },
          { head: 'Tag', cell: row => history.tag[row] != null && <Tag tag={history.tag[row]} /> },
          hasFlags && { head: 'Mark', className: 'mono', cell: row => history.flag[row] },
          {
            head: 'Published',
            cell: row => (
              <Anchor
                component="button"
                type="button"
                inherit
                onClick={() => showAsOf(history.publishedAt[row]!.slice(0, 10))}
              >
                {publishedCell(publicationOf(history, row), formatInstant)}
              </Anchor>
            ),
          },
          {
            head: 'Change',
            isRight: true,
            cell: (row, _, i) => <ChangeWords from={valueBefore(history, rows, i)} to={history.value[row]!} />,
          },
          { head: 'Recorded', cell: row => formatInstant(history.recordedAt[row]!) },
          { head: 'From', cell: (_row, _, i) => formatOriginShort(origins[i]!) },
        ]}
      />
      <h3 className={classes.subHead}>Where they come from</h3>
      <OriginList origins={countOrigins(origins)} />
    </>
  )
}

function rowClass(row: number, standing: number, asOf: AsOf | null): string {
  if (asOf === null) return ''
  return (row === standing ? classes.stands : row > standing ? classes.later : '') ?? ''
}

/** The previous value; withdrawals in between have none. */
function valueBefore({ value }: History, rows: readonly number[], i: number): string | null {
  for (let k = i - 1; k >= 0; k--) if (value[rows[k]!] !== null) return value[rows[k]!]!
  return null
}

function ChangeWords({ from, to }: { readonly from: string | null; readonly to: string | null }) {
  if (from === null || to === null) return null
  const [points, pct] = [difference(from, to), changePct(from, to)]
  return (
    <>
      {points !== null && formatSigned(points)} {pct !== null && <span className="soft">({formatPct(pct)})</span>}
    </>
  )
}

interface StepButtonProps {
  readonly label: string | undefined
  readonly leftSection?: ReactNode
  readonly rightSection?: ReactNode
  readonly words: string
  readonly open: (label: string) => void
}

function StepButton({ label, words, open, ...sections }: StepButtonProps) {
  return (
    <Button
      size="xs"
      variant="default"
      {...sections}
      disabled={label === undefined}
      aria-label={label === undefined ? `There is no ${words.slice(4)}` : `${formatLabel(label)}, ${words}`}
      onClick={() => label !== undefined && open(label)}
    >
      {label === undefined ? '–' : formatLabel(label)}
    </Button>
  )
}
