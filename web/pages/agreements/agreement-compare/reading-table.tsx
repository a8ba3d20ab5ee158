// Results of each chosen reading, period by period, and their distance from the clause as written.

import type { AgreementListRow, ReadingVariant } from '../../../../src/views/shapes/agreements.ts'
import type { Column } from '../../../components/table/column.ts'
import { DataTable } from '../../../components/table/data-table.tsx'
import { alignOnPoint, formatSigned, shortenCut } from '../../../components/words/words.ts'
import classes from './compare.module.css'
import { type ReadingCell, type ReadingLine, readingLines } from './readings.ts'

interface ReadingTableProps {
  readonly readings: readonly ReadingVariant[]
  readonly price: AgreementListRow['price']
}

export function ReadingTable({ readings, price }: ReadingTableProps) {
  const lines = readingLines(readings)
  // All readings have the same decimal point: they are compared with each other.
  const texts = (pick: (cell: ReadingCell) => string | null | undefined, isChange: boolean) => {
    const even = alignOnPoint(
      lines.flatMap(({ cells }) =>
        cells.map(cell => {
          const text = shortenCut(pick(cell) ?? '')
          return text === '' ? null : isChange ? formatSigned(text) : text
        }),
      ),
    )
    return (line: number, reading: number) => even[line * readings.length + reading]
  }
  const figures = [
    { head: 'Adjustment, %', textAt: texts(cell => cell.entry?.adjustmentPct, true) },
    { head: 'Since start, %', textAt: texts(cell => cell.entry?.cumulativePct, true) },
    ...(price === null ? [] : [{ head: price.currency, textAt: texts(cell => cell.entry?.price, false) }]),
  ]
  const effect =
    price === null
      ? { head: 'Points', textAt: texts(cell => cell.points, true) }
      : { head: `Effect, ${price.currency}`, textAt: texts(cell => cell.money, true) }
  return (
    <DataTable
      label="Readings by period"
      className={classes.byPeriod}
      rows={lines}
      keyOf={({ period }) => period}
      columns={[
        { head: 'Period', isRowHead: true, className: `figures ${classes.period}`, cell: ({ period }) => period },
        ...readings.flatMap(({ id, title }, reading) =>
          [...figures, ...(reading === 0 ? [] : [effect])].map(({ head, textAt }, at): Column<ReadingLine> => {
            const first = at === 0 ? classes.first : undefined
            return {
              key: `${id} ${head}`,
              group: title,
              head,
              isRight: true,
              headClass: first,
              className: first,
              cell: ({ cells }, _, line) => {
                if (cells[reading]!.entry !== null) return textAt(line, reading)
                return at === 0 && <span className="soft">no number</span>
              },
            }
          }),
        ),
      ]}
    />
  )
}
