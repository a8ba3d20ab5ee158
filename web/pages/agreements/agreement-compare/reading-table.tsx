// What each chosen reading gives, period by period, and how far it is from the clause as written.
import type { FormulaRow, ReadingVariant } from '../../../../src/views/shapes/agreements.ts'
import { ScrollX } from '../../../components/table/scroll-x.tsx'
import { evenOut, shortenCut, writeSigned } from '../../../components/words/words.ts'
import classes from './compare.module.css'
import { type ReadingCell, readingLines } from './readings.ts'

interface ReadingTableProps {
  readonly readings: readonly ReadingVariant[]
  readonly price: FormulaRow['price']
}

export function ReadingTable({ readings, price }: ReadingTableProps) {
  const lines = readingLines(readings)
  // The same decimals under every reading: they are compared with each other.
  const column = (i: number, pick: (cell: ReadingCell) => string | null | undefined, isChange: boolean) => {
    const texts = evenOut(
      readings.flatMap((_, each) =>
        lines.map(({ cells }) => {
          const text = shortenCut(pick(cells[each]!) ?? '')
          return text === '' ? null : isChange ? writeSigned(text) : text
        }),
      ),
    )
    return texts.slice(i * lines.length, (i + 1) * lines.length)
  }
  const groups = readings.map(({ id, title }, i) => ({
    id,
    title,
    columns: [
      { head: 'Adjustment, %', texts: column(i, cell => cell.entry?.adjustmentPct, true) },
      { head: 'Since start, %', texts: column(i, cell => cell.entry?.cumulativePct, true) },
      ...(price === null ? [] : [{ head: price.currency, texts: column(i, cell => cell.entry?.price, false) }]),
      ...(i === 0
        ? []
        : [
            price === null
              ? { head: 'Points', texts: column(i, cell => cell.points, true) }
              : { head: `Effect, ${price.currency}`, texts: column(i, cell => cell.money, true) },
          ]),
    ],
  }))
  return (
    <ScrollX label="Readings by period">
      <table className={`ledger ${classes.byPeriod}`}>
        <thead>
          <tr>
            <th scope="col" rowSpan={2}>
              Period
            </th>
            {groups.map(({ id, title, columns }) => (
              <th key={id} scope="colgroup" colSpan={columns.length} className={classes.group}>
                {title}
              </th>
            ))}
          </tr>
          <tr>
            {groups.flatMap(({ id, columns }) =>
              columns.map(({ head }, at) => (
                <th key={`${id} ${head}`} scope="col" className="right" data-first={at === 0}>
                  {head}
                </th>
              )),
            )}
          </tr>
        </thead>
        <tbody>
          {lines.map(({ period, cells }, row) => (
            <tr key={period}>
              <th scope="row" className={classes.period}>
                {period}
              </th>
              {groups.flatMap(({ id, columns }, i) =>
                cells[i]!.entry === null
                  ? [
                      <td key={id} colSpan={columns.length} className="right soft" data-first="true">
                        no number
                      </td>,
                    ]
                  : columns.map(({ head, texts }, at) => (
                      <td key={`${id} ${head}`} className="right" data-first={at === 0}>
                        {texts[row]}
                      </td>
                    )),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollX>
  )
}
