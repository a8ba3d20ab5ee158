// Invoices: drop a file and see what was billed incorrectly and why, with the money at stake at the top. Nothing is stored.

import { Button, Loader } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { PricedRow } from '../../../src/core/invoices/check-row.ts'
import type { InvoiceCheck } from '../../../src/views/shapes/invoices.ts'
import { ApiFailure } from '../../api.ts'
import { Money, State } from '../../components/figures/figures.tsx'
import { FileDrop } from '../../components/inputs/file-drop.tsx'
import { type Fact, Facts } from '../../components/page/facts.tsx'
import { TextLink } from '../../components/page/links.tsx'
import { PageHead, Section, Trouble } from '../../components/page/page.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import { ExportMenu } from '../../components/table/export-menu.tsx'
import { FileProblems } from '../../components/table/file-problems.tsx'
import {
  asSentence,
  countOf,
  groupFiguresIn,
  sentenceCase,
  writeCount,
  writeFigure,
  writeMoney,
  writeSigned,
} from '../../components/words/words.ts'
import { useWorkspace } from '../../session.ts'
import { checkSheet, countLines, type Group, groupsOf } from './groups.ts'
import classes from './invoices.module.css'
import { checkFile } from './request.ts'

type CheckState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'checking' }
  | { readonly kind: 'checked'; readonly result: InvoiceCheck }
  | { readonly kind: 'failed'; readonly failure: ApiFailure }

export function InvoicesPage() {
  const { path } = useWorkspace()
  const [file, setFile] = useState<File | null>(null)
  const [state, setState] = useState<CheckState>({ kind: 'waiting' })
  const leave = useRef<AbortController | null>(null)
  useEffect(() => () => leave.current?.abort(), [])
  const start = (chosen: File) => {
    leave.current?.abort()
    const own = new AbortController()
    leave.current = own
    const show = (next: CheckState) => {
      if (leave.current === own) setState(next)
    }
    show({ kind: 'checking' })
    checkFile(path('/invoices/check', { file: chosen.name }), chosen, own.signal).then(
      result => show({ kind: 'checked', result }),
      error => show({ kind: 'failed', failure: asFailure(error) }),
    )
  }
  const choose = (chosen: File | null) => {
    if (chosen === null) return
    setFile(chosen)
    start(chosen)
  }
  return (
    <>
      <PageHead
        title="Invoices"
        under="Compares billed lines with the settled prices and finds the mistake behind a difference. Nothing is stored."
      />
      <FileDrop
        file={file}
        choose={choose}
        isBusy={state.kind === 'checking'}
        kinds={['.csv', '.xlsx', '.json', '.xml']}
      />
      {state.kind === 'waiting' && <FileForm />}
      {state.kind === 'checking' && (
        <p className={classes.progress} role="status">
          <Loader size="xs" /> Checking the lines
        </p>
      )}
      {state.kind === 'failed' && (
        <Section title="The file could not be checked">
          <Trouble error={state.failure} {...(file === null ? {} : { retry: () => start(file) })} />
        </Section>
      )}
      {state.kind === 'checked' && <Checked result={state.result} fileName={file?.name ?? 'invoices'} />}
    </>
  )
}

function asFailure(error: unknown): ApiFailure {
  return error instanceof ApiFailure ? error : new ApiFailure(0, 'The file could not be sent. Try again.')
}

function FileForm() {
  return (
    <Section title="What the file can be">
      <p className="soft prose">
        A table with one row per billed line (CSV or XLSX), the same as JSON, or an electronic invoice: UBL 2.1 invoice
        or credit note, CII, Factur-X and XRechnung as XML. Required columns are <span className="mono">invoice</span>{' '}
        and <span className="mono">line</span>; usual ones are <span className="mono">agreement</span>,{' '}
        <span className="mono">item</span>, <span className="mono">quantity</span>,{' '}
        <span className="mono">unit_price</span>, <span className="mono">amount</span> and{' '}
        <span className="mono">date</span>.
      </p>
    </Section>
  )
}

function Checked({ result, fileName }: { readonly result: InvoiceCheck; readonly fileName: string }) {
  const { data, problems, problemCount, notes } = result
  if (problemCount > 0)
    return (
      <Section title="What is wrong with the file">
        <p role="alert">
          <State kind="trouble">
            {countOf(problemCount, 'problem')}; nothing was checked. Fix the file and choose it again.
          </State>
        </p>
        <FileProblems problems={problems} count={problemCount} />
      </Section>
    )
  const groups = groupsOf(data)
  const exported = `${fileName.replace(/\.[^.]*$/, '')}-checked`
  return (
    <>
      <Section
        title="At stake"
        actions={<ExportMenu fileName={exported} sheet={() => checkSheet(data)} isEmpty={data.length === 0} />}
      >
        <Facts facts={factsOf(result)} />
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

function factsOf({ data, summary }: InvoiceCheck): Fact[] {
  const { agreed, unagreed } = countLines(data)
  const lines = (outcome: 'OVER' | 'UNDER') => countOf(summary.outcomes[outcome] ?? 0, 'line')
  const money = (label: string, sums: Readonly<Record<string, string>>, note: string): Fact[] => {
    const amounts = Object.entries(sums).map(([currency, sum]) => writeMoney(sum, currency))
    return [{ label, value: amounts.length === 0 ? 'nothing' : amounts.join(' + '), note }]
  }
  return [
    ...money('Billed too much', summary.over, lines('OVER')),
    ...money('Billed too little', summary.under, lines('UNDER')),
    { label: 'As agreed', value: `${writeCount(agreed)} of ${writeCount(summary.lines)}`, note: 'lines' },
    ...(unagreed === 0
      ? []
      : [{ label: 'Not agreed yet', value: writeCount(unagreed), note: 'lines whose price both have yet to sign' }]),
  ]
}

const shownLines = 100

function GroupSection({ group: { key, title, rows, money } }: { readonly group: Group }) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? rows : rows.slice(0, shownLines)
  const hasMoney = rows.some(({ difference, priceDifference }) => difference !== null || priceDifference !== null)
  const isAgreed = key !== 'NOT_AGREED'
  const amounts = money.map(({ amount, currency }) => writeMoney(amount, currency))
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
                difference === null ? '' : `${writeSigned(difference)}\u00a0${currency ?? ''}`,
            },
          {
            head: 'Why',
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
            Show all {writeCount(rows.length)} lines
          </Button>
        </p>
      )}
    </Section>
  )
}

function Item({ row }: { readonly row: PricedRow }) {
  return (
    <>
      {row.item ?? <span className="soft">unknown</span>}
      <Where row={row} />
    </>
  )
}

/** The price of a line, or its amount if that is what differs. */
function Compared({ row, side }: { readonly row: PricedRow; readonly side: 'billed' | 'agreed' }) {
  const { price, billedPrice, amount, billedAmount, currency } = row
  const byAmount = billedPrice === null || row.contradiction
  const shown = side === 'billed' ? (byAmount ? billedAmount : billedPrice) : byAmount ? amount : price
  return shown === null ? null : <Money amount={shown} currency={currency} unit={byAmount ? null : unitOf(row)} />
}

/** What a price is for: `piece`, `100 piece`. */
function unitOf({ per, unit }: PricedRow): string | null {
  const count = per === null || per === '1' ? null : writeFigure(per)
  return [count, unit].filter(part => part !== null).join('\u00a0') || null
}

function Why({ row }: { readonly row: PricedRow }) {
  return (
    <>
      <p className={classes.sentence}>{inFigures(row, asSentence(whyOf(row)))}</p>
      {row.alsoPossible.length > 0 && row.unagreed === null && (
        <p className={`soft ${classes.sentence}`}>
          Also possible: {inFigures(row, row.alsoPossible.map(({ sentence }) => asSentence(sentence)).join(' '))}
        </p>
      )}
    </>
  )
}

function inFigures({ price, billedPrice, amount, billedAmount }: PricedRow, sentence: string): string {
  const known = [price, billedPrice, amount, billedAmount].filter(figure => figure !== null)
  return groupFiguresIn(sentence, known)
}

function whyOf({ reason, message, outcome, unagreed }: PricedRow): string {
  if (unagreed !== null) return [unagreed, message].filter(text => text !== null).join('; ')
  const words = [reason?.sentence, message].filter(text => text != null).join(' ')
  if (words !== '') return words
  return outcome === 'SKIPPED' ? 'a correction is not checked' : 'none of the known mistakes gives this price'
}

/** The adjustment that the price of the line comes from. */
function Where({ row: { agreement, period } }: { readonly row: PricedRow }) {
  const { slug: ws } = useWorkspace()
  if (agreement === null) return null
  const params = { ws, slug: agreement }
  return (
    <span className="soft">
      {' '}
      {period === null || period === 'start' ? (
        <TextLink to="/w/$ws/agreements/$slug" params={params}>
          {agreement}
          {period === null ? '' : ', start'}
        </TextLink>
      ) : (
        <TextLink to="/w/$ws/agreements/$slug/periods/$period" params={{ ...params, period }}>
          {agreement}, {period}
        </TextLink>
      )}
    </span>
  )
}
