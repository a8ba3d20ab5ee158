// Many agreements from a table: the agreement of each row, with its first and newest number, and the button that makes them all.

import { Anchor, Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { formatDate } from '../../../src/core/text/words.ts'
import type { TableResult } from '../../../src/views/shapes/imports.ts'
import { State } from '../../components/figures/figures.tsx'
import { LinkButton } from '../../components/page/links.tsx'
import { Section } from '../../components/page/page.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import { countOf, formatCount, formatMoney, formatPct, sentenceCase } from '../../components/words/words.ts'
import { useWorkspace } from '../../session.ts'
import classes from '../series/series-upload/upload.module.css'
import type { FileReading, ImportMode } from './said.ts'

interface AgreementsReadProps {
  readonly result: TableResult
  readonly start: (mode: ImportMode, change: Partial<FileReading>) => void
  readonly readOtherwise: ReactNode
}

type Planned = NonNullable<TableResult['agreements']>[number]

export function AgreementsRead({ result, start, readOtherwise }: AgreementsReadProps) {
  const { slug } = useWorkspace()
  const { isDone, layout, notes, agreements = [] } = result
  const count = countOf(agreements.length, 'agreement')
  const without = agreements.filter(({ newest }) => newest === null).length
  return (
    <Section title={isDone ? 'Made' : 'Agreements from the table'}>
      <p className={classes.verdict} aria-live="polite">
        {isDone ? <State kind="good">{count} made.</State> : `${sentenceCase(count)}, made all at once or not at all.`}
      </p>
      {!isDone && without > 0 && (
        <p className="soft">{countOf(without, 'agreement has', 'agreements have')} no number yet.</p>
      )}
      {notes.map(note => (
        <p key={note} className="soft">
          {sentenceCase(note)}
        </p>
      ))}
      <div className={classes.actions}>
        {!isDone && <Button onClick={() => start('import', { kind: 'agreements', layout })}>Make {count}</Button>}
        {readOtherwise}
        {isDone && (
          <LinkButton to="/w/$ws/agreements" params={{ ws: slug }} variant="filled">
            To the agreements
          </LinkButton>
        )}
      </div>
      <PlannedTable agreements={agreements} />
    </Section>
  )
}

const firstShown = 100

function PlannedTable({ agreements }: { readonly agreements: readonly Planned[] }) {
  const [count, setCount] = useState(firstShown)
  const shown = agreements.slice(0, count)
  return (
    <>
      <DataTable
        label="The agreements of the table"
        rows={shown}
        keyOf={({ slug }) => slug}
        columns={[
          {
            head: 'Agreement',
            isRowHead: true,
            cell: ({ name, line }) => (
              <>
                {name} <span className="soft">line {line}</span>
              </>
            ),
          },
          {
            head: 'Supplier',
            narrow: 'label',
            cell: ({ supplier }) => supplier ?? <State kind="waiting">nobody yet</State>,
          },
          { head: 'Start', narrow: 'label', cell: ({ start }) => formatDate(start) },
          {
            head: 'Price',
            isRight: true,
            cell: ({ price, currency, unit }) =>
              price === null ? '' : `${formatMoney(price, currency ?? '')}${unit === null ? '' : ` per ${unit}`}`,
          },
          { head: 'First adjustment', isRight: true, narrow: 'label', cell: each => numberWords(each, each.first) },
          { head: 'Newest', isRight: true, narrow: 'label', cell: each => numberWords(each, each.newest) },
        ]}
      />
      {agreements.length > shown.length && (
        <p className="soft">
          And {formatCount(agreements.length - shown.length)} more.{' '}
          <Anchor component="button" type="button" inherit onClick={() => setCount(count * 4)}>
            Show more
          </Anchor>
        </p>
      )}
    </>
  )
}

function numberWords({ currency, reason }: Planned, number: Planned['first']): string {
  if (number === null) return reason === null ? 'none yet' : `none: ${reason}`
  const change = number.adjustmentPct === null ? '' : formatPct(number.adjustmentPct)
  return `${number.period} ${number.price === null ? change : `${change}, ${formatMoney(number.price, currency ?? '')}`}`
}
