// Waiting signatures as a file: one line for each period and each correction, every figure with all its digits.
import { formatDate } from '../../../../src/core/text/words.ts'
import type { Sheet } from '../../../../src/formats/sheet.ts'
import type { InboxPeriod, InboxRow } from '../../../../src/views/shapes/inbox.ts'
import { dayCell, figureCell, sheetOf } from '../../../components/table/column.ts'
import { formatSide } from '../../../components/words/side-words.ts'
import { countOf, formatParties } from '../../../components/words/words.ts'

interface SheetLine {
  readonly row: InboxRow
  /** Period; null for a correction and a change of terms. */
  readonly period: InboxPeriod | null
}

export function inboxSheet(rows: readonly InboxRow[], { name }: { readonly name: string }): Sheet {
  const lines = rows.flatMap((row): SheetLine[] =>
    row.kind !== 'periods' ? [{ row, period: null }] : row.periods.map(period => ({ row, period })),
  )
  const unit = ({ row }: SheetLine) => (row.kind === 'periods' ? row.unit : null)
  const amount = ({ row, period }: SheetLine) => (row.kind === 'correction' ? row.net : (period?.effect ?? null))
  const waitsFor = ({ row, period }: SheetLine) => (row.kind !== 'periods' ? row.waitsFor : period!.waitsFor)
  return sheetOf({
    name: 'Sign-offs',
    title: [
      `Waiting for a signature, ${name}`,
      `${countOf(lines.length, 'line')}, as of ${formatDate(new Date().toISOString())}`,
    ],
    rows: lines,
    columns: [
      {
        head: 'All',
        sheet: {
          agreement: ({ row }) => row.name,
          slug: ({ row }) => row.slug,
          supplier: ({ row }) => formatSide(row.supplier),
          kind: ({ row }) =>
            row.kind === 'periods' ? 'adjustment' : row.kind === 'correction' ? 'correction' : 'change of terms',
          period: ({ period }) => period?.period ?? null,
          'adjustment date': ({ period }) => dayCell(period?.date),
          'adjustment %': ({ period }) => figureCell(period?.adjustmentPct),
          'settled price': ({ period }) => figureCell(period?.settled),
          'price before': ({ period }) => figureCell(period?.priceBefore),
          'proposed price': ({ period }) => figureCell(period?.price),
          'change %': ({ period }) => figureCell(period?.changePct),
          'change on settled %': ({ period }) => figureCell(period?.paidPct),
          currency: ({ row }) => row.currency,
          unit,
          effect: line => figureCell(amount(line)),
          'effect on settled': ({ period }) => figureCell(period?.paidEffect),
          'waits for': line => formatParties(waitsFor(line)),
          obstacle: ({ row }) => (row.kind === 'periods' ? (row.hindrance?.words ?? null) : null),
        },
      },
    ],
  })
}
