// Periods of a trial run: the movement of each, its result, and the controls that applied; with the saved result beside it where
// they differ.

import { Button } from '@mantine/core'
import { useState } from 'react'
import { controlWords } from '../../../../../src/core/formula/controls/controls.ts'
import { formatDate } from '../../../../../src/core/text/words.ts'
import { State, Tag } from '../../../../components/figures/figures.tsx'
import { DataTable } from '../../../../components/table/data-table.tsx'
import { alignOnPoint, formatFigure, formatSigned } from '../../../../components/words/words.ts'
import classes from '../builder.module.css'
import { useBuilder } from '../builder-state.tsx'
import type { EntryPair } from './entry-rows.ts'

const shownAtFirst = 60

interface ResultTableProps {
  readonly rows: readonly EntryPair[]
  readonly currency: string
  readonly unit: string
}

export function ResultTable({ rows, currency, unit }: ResultTableProps) {
  const [isAll, setAll] = useState(false)
  if (rows.length === 0)
    return <p className={classes.quiet}>No adjustment date has been reached yet: the first one is in the future.</p>
  const hasPrice = rows.some(({ after, before }) => after?.price != null || before?.price != null)
  const shown = isAll ? rows : rows.slice(0, shownAtFirst)
  const adjustments = pctColumn(shown, entry => entry.adjustmentPct)
  const sums = pctColumn(shown, entry => entry.cumulativePct)
  const price = (entry: ResultEntry | null) => (entry?.price == null ? '' : formatFigure(entry.price))
  return (
    <>
      <DataTable
        label="Periods"
        className={classes.table}
        caption={<caption className="unseen">Periods, the newest first</caption>}
        rows={shown}
        keyOf={({ period }) => period}
        rowProps={({ after, isChanged }) => ({ 'data-changed': after !== null && isChanged })}
        below={({ after, blocked }) =>
          after === null &&
          blocked !== null && (
            <>
              <span className={classes.blocked}>Blocked:</span> {blocked}
            </>
          )
        }
        columns={[
          {
            head: 'Period',
            isRowHead: true,
            className: `figures ${classes.period}`,
            cell: ({ period, date }) => (
              <>
                {period}
                {date !== null && <span className={classes.under}>{formatDate(date)}</span>}
              </>
            ),
          },
          { head: 'Adjustment', isRight: true, cell: (row, _, i) => <Moved row={row} {...adjustments[i]!} /> },
          { head: 'Since start', isRight: true, cell: (row, _, i) => <Moved row={row} {...sums[i]!} isNewOnly /> },
          hasPrice && {
            head: `Price${currency === '' ? '' : `, ${currency}${unit === '' ? '' : ` per ${unit}`}`}`,
            isRight: true,
            cell: row => <Moved row={row} now={price(row.after)} was={price(row.before)} isNewOnly />,
          },
          { head: 'Controls', className: classes.controls, cell: row => <Controls row={row} /> },
        ]}
      />
      {rows.length > shown.length && (
        <Button variant="subtle" size="xs" onClick={() => setAll(true)}>
          Show all {rows.length} periods
        </Button>
      )}
    </>
  )
}

type ResultEntry = NonNullable<EntryPair['after']>

interface Pct {
  readonly now: string
  readonly was: string
}

/** A column of percentages, all with the same decimal point. */
function pctColumn(rows: readonly EntryPair[], pick: (entry: ResultEntry) => string | null): Pct[] {
  const signed = (entry: ResultEntry | null) => (entry === null ? null : formatSigned(pick(entry)))
  const texts = alignOnPoint(rows.flatMap(({ after, before }) => [signed(after), signed(before)]))
  const withSign = (text: string) => (text === '' ? '' : `${text}\u202f%`)
  return rows.map((_, i) => ({ now: withSign(texts[2 * i]!), was: withSign(texts[2 * i + 1]!) }))
}

function Controls({ row: { period, after, before, blocked, isChanged } }: { readonly row: EntryPair }) {
  const { signed } = useBuilder()
  if (after === null) return blocked === null && <span className="soft">no longer an adjustment date</span>
  return (
    <>
      {bitten(after.controls)}
      {after.dataVersion !== 'FINAL' && <Tag tag={after.dataVersion} />}
      {isChanged && before === null && <span className="soft">new</span>}
      {isChanged && signed.has(period) && <State kind="good">signed, stays</State>}
    </>
  )
}

/** The controls that changed the result. Rounding is left out: it applies nearly everywhere and says little here. */
function bitten(controls: readonly string[]): string {
  const words = controls.filter(control => control !== 'rounding').map(control => controlWords[control] ?? control)
  return words.length === 0 ? '' : `${words.join(', ')} `
}

interface MovedProps extends Pct {
  readonly row: EntryPair
  /** Whether a period that is no longer there shows nothing. */
  readonly isNewOnly?: boolean
}

function Moved({ row: { after, before, blocked, isChanged }, now, was, isNewOnly = false }: MovedProps) {
  const old = <span className={classes.was}>{was}</span>
  if (after === null) return blocked === null && !isNewOnly && old
  if (!isChanged || before === null || was === '' || was === now) return now
  return (
    <span className={classes.moved}>
      {old}
      <span className="unseen"> becomes </span>
      <strong>
        <span aria-hidden="true">→ </span>
        {now}
      </strong>
    </span>
  )
}
