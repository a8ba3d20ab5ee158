// The document of a correction as CSV, for people who book it by hand; each corrected line names its invoice.
import { formatExact } from '../../core/numbers/ratio.ts'
import { printWords } from '../print/print-words.ts'
import { type Cell, formatCsv } from '../sheet.ts'
import { formatAmount, type Note, noteLines } from './note-lines.ts'

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

export function formatNoteCsv(note: Note): string {
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
          { figure: formatExact(quantity) },
          null,
          { figure: formatExact(price) },
          { figure: formatExact(per) },
          { figure: formatAmount(amount, currency) },
          currency,
          printWords.en.lineText(said),
        ])
  return formatCsv({ name: number, head, rows })
}
