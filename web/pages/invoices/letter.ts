// Letter to a supplier about lines that were not billed as agreed: a text to copy, and a sheet of the lines. Only differences
// from settled prices are in it; it is never sent from here.

import { isUnagreed } from '../../../src/core/invoices/check-row.ts'
import { formatMinorUnits } from '../../../src/core/numbers/money.ts'
import { add, type Ratio, ratio, zero } from '../../../src/core/numbers/ratio.ts'
import { formatDate } from '../../../src/core/text/words.ts'
import type { Sheet } from '../../../src/formats/sheet.ts'
import type { InvoiceLineView } from '../../../src/views/shapes/invoices.ts'
import { type Column, dayCell, figureCell, sheetOf } from '../../components/table/column.ts'
import {
  asSentence,
  countOf,
  formatCount,
  formatMoney,
  formatSigned,
  groupFiguresIn,
} from '../../components/words/words.ts'

/** Most lines in the text; more are in the sheet alone. */
const mostTold = 25

interface LetterParts {
  readonly supplier: string
  readonly from: string
  readonly lines: readonly InvoiceLineView[]
}

export function letterOf({ supplier, from, lines }: LetterParts): string {
  const told = lines.slice(0, mostTold).map(formatLine)
  const rest = lines.length - told.length
  return [
    `To ${supplier}`,
    '',
    `${countOf(lines.length, 'line')} of your invoices ${lines.length === 1 ? 'was' : 'were'} not billed at the price we have both agreed. ${formatSums(lines)}`,
    '',
    ...told,
    ...(rest === 0 ? [] : [`… and ${formatCount(rest)} more in the attached sheet.`]),
    '',
    'Please correct them by a credit note or a debit note, or tell us where we are wrong.',
    '',
    from,
  ].join('\n')
}

/** `- Invoice 4711, line 1, of 10 May 2024, item BR-100: billed 12.73 EUR, agreed for 2024-Q2 12.69 EUR; difference +4.00 EUR. …` */
function formatLine({ invoice, line, date, check }: InvoiceLineView): string {
  const { item, period, price, billedPrice, amount, billedAmount, difference, priceDifference, currency, reason } =
    check
  const byPrice = billedPrice !== null && price !== null && !check.contradiction
  const [billed, agreed] = byPrice ? [billedPrice, price] : [billedAmount, amount]
  const money = (text: string | null) => (text === null ? 'nothing' : formatMoney(text, currency))
  const differs = difference ?? priceDifference
  const figures = [price, billedPrice, amount, billedAmount].filter(figure => figure !== null)
  const words = [
    `- Invoice ${invoice}, line ${line}${date === null ? '' : `, of ${formatDate(date)}`}, item ${item ?? 'unknown'}:`,
    `billed ${money(billed)}, agreed${period === null ? '' : ` for ${period === 'start' ? 'the start' : period}`} ${money(agreed)};`,
    `difference ${differs === null ? 'unknown' : `${formatSigned(differs)} ${currency ?? ''}`.trim()}.`,
    ...(reason === null ? [] : [groupFiguresIn(asSentence(reason.sentence), figures)]),
  ]
  return words.join(' ')
}

/** Sums of too much and too little, by currency. */
function formatSums(lines: readonly InvoiceLineView[]): string {
  const sums = new Map<string, { over: Ratio; under: Ratio }>()
  for (const { check } of lines) {
    const { difference, currency } = check
    if (difference === null || currency === null) continue
    const sum = sums.get(currency) ?? { over: zero, under: zero }
    const value = ratio(difference)
    sums.set(currency, value.n > 0n ? { ...sum, over: add(sum.over, value) } : { ...sum, under: add(sum.under, value) })
  }
  const tell = (pick: (sum: { over: Ratio; under: Ratio }) => Ratio) =>
    [...sums].flatMap(([currency, sum]) => {
      const { n, d } = pick(sum)
      return n === 0n ? [] : [formatMoney(formatMinorUnits({ n: n < 0n ? -n : n, d }, currency), currency)]
    })
  const [over, under] = [tell(sum => sum.over), tell(sum => sum.under)]
  const parts = [
    ...(over.length === 0 ? [] : [`${over.join(' and ')} too high`]),
    ...(under.length === 0 ? [] : [`${under.join(' and ')} too low`]),
  ]
  return parts.length === 0 ? '' : `In total they are billed ${parts.join(', and ')}.`
}

/** Columns of a line in a file; the table on the page shows some of them. */
const lineSheet: Column<InvoiceLineView> = {
  head: 'Line',
  sheet: {
    invoice: ({ invoice }) => invoice,
    line: ({ line }) => line,
    supplier: ({ supplier }) => supplier,
    date: ({ date }) => dayCell(date),
    agreement: ({ check }) => check.agreement,
    item: ({ check }) => check.item,
    period: ({ check }) => check.period,
    quantity: ({ quantity }) => figureCell(quantity),
    unit: ({ unit }) => unit,
    billed_price: ({ check }) => figureCell(check.billedPrice),
    settled_price: ({ check }) => (isUnagreed(check) ? null : figureCell(check.price)),
    billed_amount: ({ check }) => figureCell(check.billedAmount),
    settled_amount: ({ check }) => (isUnagreed(check) ? null : figureCell(check.amount)),
    difference: ({ check, state }) => (state === 'wrong' ? figureCell(check.difference) : null),
    currency: ({ check }) => check.currency,
    state: ({ state }) => state,
    reason: ({ check, state }) => (state === 'wrong' ? (check.reason?.sentence ?? check.message) : check.message),
  },
}

export function sheetOfLines(name: string, rows: readonly InvoiceLineView[]): Sheet {
  return sheetOf({ name, columns: [lineSheet], rows })
}
