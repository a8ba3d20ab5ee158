// Findings of a check in a file: the money at stake on top, then the lines that are not as agreed by their reason.

import { Button } from '@mantine/core'
import { useState } from 'react'
import type { InvoiceResult } from '../../../src/views/shapes/imports.ts'
import { type Fact, Facts } from '../../components/page/facts.tsx'
import { Section } from '../../components/page/page.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import { ExportMenu } from '../../components/table/export-menu.tsx'
import { formatMoneyChange } from '../../components/words/price-words.ts'
import { countOf, formatCount, formatMoney, formatSigned, sentenceCase } from '../../components/words/words.ts'
import { checkSheet, countLines, type Group, groupsOf } from './groups.ts'
import classes from './invoices.module.css'
import { Compared, Item, Why } from './line-parts.tsx'

export function Checked({ result, fileName }: { readonly result: InvoiceResult; readonly fileName: string }) {
  const { data, notes, isWhole } = result
  const groups = groupsOf(data)
  const exported = `${fileName.replace(/\.[^.]*$/, '')}-checked`
  return (
    <>
      <Section
        title="At stake"
        actions={<ExportMenu fileName={exported} sheet={() => checkSheet(data)} isEmpty={data.length === 0} />}
      >
        <Facts facts={factsOf(result)} />
        {!isWhole && (
          <p className={`soft ${classes.note}`}>
            The file is long: only lines that are not as agreed are listed
            {data.length >= mostListed ? ', and not all of them' : ''}.
          </p>
        )}
        {notes.map(note => (
          <p key={note} className={`soft ${classes.note}`}>
            {sentenceCase(note)}
          </p>
        ))}
      </Section>
      {groups.map(group => (
        <GroupSection key={group.key} group={group} />
      ))}
    </>
  )
}

/** Most lines that the server sends. */
const mostListed = 20_000

function factsOf({ summary }: InvoiceResult): Fact[] {
  const { agreed, unagreed } = countLines(summary)
  const lines = (outcome: 'OVER' | 'UNDER') => countOf(summary.outcomes[outcome] ?? 0, 'line')
  const money = (label: string, sums: Readonly<Record<string, string>>, note: string): Fact[] => {
    const amounts = Object.entries(sums).map(([currency, sum]) => formatMoney(sum, currency))
    return [{ label, value: amounts.length === 0 ? 'nothing' : amounts.join(' + '), note }]
  }
  return [
    ...money('Billed too much', summary.over, lines('OVER')),
    ...money('Billed too little', summary.under, lines('UNDER')),
    { label: 'As agreed', value: `${formatCount(agreed)} of ${formatCount(summary.lines)}`, note: 'lines' },
    ...(unagreed === 0
      ? []
      : [
          {
            label: 'Not agreed yet',
            value: formatCount(unagreed),
            note: 'lines whose price is not signed by both yet',
          },
        ]),
  ]
}

const shownLines = 100

function GroupSection({ group: { key, title, rows, money } }: { readonly group: Group }) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? rows : rows.slice(0, shownLines)
  const hasMoney = rows.some(({ difference, priceDifference }) => difference !== null || priceDifference !== null)
  const isAgreed = key !== 'NOT_AGREED'
  const amounts = money.map(({ amount, currency }) => formatMoneyChange(amount, currency))
  return (
    <Section title={`${title}: ${[countOf(rows.length, 'line'), ...amounts].join(', ')}`}>
      <DataTable
        label={title}
        rows={shown}
        // A file may have the same line twice; lines never change places.
        keyOf={(_, i) => i}
        columns={[
          {
            head: 'Invoice',
            headClass: classes.invoice,
            cell: ({ invoice, line }) => `${invoice ?? 'no number'}, ${line ?? '?'}`,
          },
          { head: 'Item', narrow: 'line', headClass: classes.item, cell: row => <Item row={row} /> },
          hasMoney && {
            head: 'Billed',
            isRight: true,
            narrow: 'drop',
            headClass: classes.figure,
            cell: row => <Compared row={row} side="billed" />,
          },
          hasMoney && {
            head: isAgreed ? 'Agreed' : 'Proposed',
            isRight: true,
            narrow: 'drop',
            headClass: classes.figure,
            cell: row => <Compared row={row} side="agreed" />,
          },
          hasMoney &&
            isAgreed && {
              head: 'Difference',
              isRight: true,
              headClass: classes.difference,
              cell: ({ difference, currency }) =>
                difference === null ? '' : `${formatSigned(difference)}\u00a0${currency ?? ''}`,
            },
          {
            head: 'Reason',
            narrow: row => (
              <span className="soft">
                <Why row={row} />
              </span>
            ),
            cell: row => <Why row={row} />,
          },
        ]}
      />
      {rows.length > shown.length && (
        <p>
          <Button variant="default" size="xs" onClick={() => setWhole(true)}>
            Show all {formatCount(rows.length)} lines
          </Button>
        </p>
      )}
    </Section>
  )
}
