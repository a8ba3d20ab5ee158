// The document of a correction as CSV, for people who book it by hand; each corrected line names its invoice.
import { writeExact } from '../../core/numbers/ratio.ts'
import { printWords } from '../print/print-words.ts'
import { type Cell, writeCsv } from '../sheet.ts'
import { type Note, noteLines, writeAmount } from './note-lines.ts'

const head = [
  'number',
  'date',
  'correction',
  'agreement',
  'part',
  'item',
  'period',
  'invoice',
  'line',
  'quantity',
  'price_before',
  'price_after',
  'per',
  'amount',
  'currency',
  'text',
] as const

export function writeNoteCsv(note: Note): string {
  const { number, date, correctionId, part, body } = note
  const currency = body.currency!
  const frame = [number, { day: date }, correctionId, body.pam, { figure: `${part}` }]
  const rows: readonly Cell[][] =
    body.settle === 'NOTE'
      ? body.lines.map(({ item, period, invoice, line, quantity, shares, amount }) => {
          const [only] = shares.length === 1 ? shares : []
          return [
            ...frame,
            item,
            period,
            invoice,
            line,
            { figure: quantity },
            ...[only?.priceBefore, only?.priceAfter, only?.per].map(each =>
              each === undefined ? null : { figure: each },
            ),
            { figure: amount },
            currency,
            only === undefined ? 'shared out by days' : '',
          ]
        })
      : noteLines(note).map(({ item, period, quantity, price, per, amount, said }) => [
          ...frame,
          item,
          period,
          null,
          null,
          { figure: writeExact(quantity) },
          null,
          { figure: writeExact(price) },
          { figure: writeExact(per) },
          { figure: writeAmount(amount, currency) },
          currency,
          printWords.en.lineText(said),
        ])
  return writeCsv({ name: number, head, rows })
}
