// The periods of a trial run: the movement of each, its result, and which controls applied; with the saved result beside it
// where they differ.
import { Button } from '@mantine/core'
import { useState } from 'react'
import { controlWords } from '../../../../../src/core/formula/controls/controls.ts'
import { State, Tag } from '../../../../components/figures/figures.tsx'
import { ScrollX } from '../../../../components/table/scroll-x.tsx'
import { evenOut, writeDay, writeFigure, writeSigned } from '../../../../components/words/words.ts'
import classes from '../builder.module.css'
import { useBuilder } from '../builder-state.tsx'
import type { EntryPair } from './entry-rows.ts'

const shownAtFirst = 60

interface ResultTableProps {
  readonly rows: readonly EntryPair[]
  readonly currency: string
  /** What the price is for. */
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
  return (
    <ScrollX label="Periods">
      <table className={`ledger ${classes.table}`}>
        <caption className="unseen">Periods, the newest first</caption>
        <thead>
          <tr>
            <th scope="col">Period</th>
            <th scope="col" className="right">
              Adjustment
            </th>
            <th scope="col" className="right">
              Since start
            </th>
            {hasPrice && (
              <th scope="col" className="right">
                Price{currency === '' ? '' : `, ${currency}${unit === '' ? '' : ` per ${unit}`}`}
              </th>
            )}
            <th scope="col">Controls</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row, i) => (
            <Row key={row.period} row={row} hasPrice={hasPrice} adjustment={adjustments[i]!} sum={sums[i]!} />
          ))}
        </tbody>
      </table>
      {rows.length > shown.length && (
        <Button variant="subtle" size="xs" onClick={() => setAll(true)}>
          Show all {rows.length} periods
        </Button>
      )}
    </ScrollX>
  )
}

type Entry = NonNullable<EntryPair['after']>

/** What a cell says now, and what the saved document says. */
interface Pct {
  readonly now: string
  readonly was: string
}

/** A column of percentages, all with the same decimals. */
function pctColumn(rows: readonly EntryPair[], pick: (entry: Entry) => string | null): Pct[] {
  const signed = (entry: Entry | null) => (entry === null ? null : writeSigned(pick(entry)))
  const texts = evenOut(rows.flatMap(({ after, before }) => [signed(after), signed(before)]))
  const withSign = (text: string) => (text === '' ? '' : `${text}\u202f%`)
  return rows.map((_, i) => ({ now: withSign(texts[2 * i]!), was: withSign(texts[2 * i + 1]!) }))
}

interface RowProps {
  readonly row: EntryPair
  readonly hasPrice: boolean
  readonly adjustment: Pct
  /** Since the start. */
  readonly sum: Pct
}

function Row({ row, hasPrice, adjustment, sum }: RowProps) {
  const { period, date, after, before, blocked, isChanged } = row
  const { signed } = useBuilder()
  const head = (
    <th scope="row" className={classes.period}>
      {period}
      {date !== null && <span className={classes.under}>{writeDay(date)}</span>}
    </th>
  )
  if (after === null && blocked !== null)
    return (
      <tr data-kind="blocked">
        {head}
        <td colSpan={hasPrice ? 4 : 3}>
          <span className={classes.blocked}>Blocked:</span> {blocked}
        </td>
      </tr>
    )
  if (after === null)
    return (
      <tr>
        {head}
        <td className="right">
          <Was>{adjustment.was}</Was>
        </td>
        <td colSpan={hasPrice ? 3 : 2} className="soft">
          no longer an adjustment date
        </td>
      </tr>
    )
  const was = isChanged ? before : null
  return (
    <tr data-changed={isChanged}>
      {head}
      <Cell now={adjustment.now} was={was === null ? null : adjustment.was} />
      <Cell now={sum.now} was={was === null ? null : sum.was} />
      {hasPrice && (
        <Cell
          now={after.price === null ? '' : writeFigure(after.price)}
          was={was?.price == null ? null : writeFigure(was.price)}
        />
      )}
      <td className={classes.controls}>
        {bitten(after.controls)}
        {after.dataVersion !== 'FINAL' && <Tag tag={after.dataVersion} />}
        {isChanged && before === null && <span className="soft">new</span>}
        {isChanged && signed.has(period) && <State kind="good">signed, stays</State>}
      </td>
    </tr>
  )
}

/** The controls that changed the result. Rounding is left out: it applies nearly everywhere and says little here. */
function bitten(controls: readonly string[]): string {
  const words = controls.filter(control => control !== 'rounding').map(control => controlWords[control] ?? control)
  return words.length === 0 ? '' : `${words.join(', ')} `
}

function Was({ children }: { readonly children: string }) {
  return <span className={classes.was}>{children}</span>
}

/** Before → after where they differ. */
function Cell({ now, was }: { readonly now: string; readonly was: string | null }) {
  if (was === null || was === now) return <td className="right">{now}</td>
  return (
    <td className={`right ${classes.moved}`}>
      <Was>{was}</Was>
      <span className="unseen"> becomes </span>
      <strong>
        <span aria-hidden="true">→ </span>
        {now}
      </strong>
    </td>
  )
}
