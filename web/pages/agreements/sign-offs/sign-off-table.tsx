// A table of periods with their signatures, on the page and in a file: those that wait, and those signed by both.

import { Checkbox } from '@mantine/core'
import type { Party, PeriodRow, SignedRow, WaitingRow } from '../../../../src/views/shapes/agreements.ts'
import { writeDisputed } from '../../../components/agreements/objection-words.ts'
import { parties } from '../../../components/agreements/sign-state.tsx'
import { Money, State } from '../../../components/figures/figures.tsx'
import { LinkButton, TextLink } from '../../../components/page/links.tsx'
import { type Column, type Columns, dayCell, figureCell, sheetOf } from '../../../components/table/column.ts'
import { DataTable } from '../../../components/table/data-table.tsx'
import type { Sheet } from '../../../components/table/save-file.ts'
import { writeSide } from '../../../components/words/side-words.ts'
import { countOf, sentenceCase, writeDay, writeParties, writeSigned } from '../../../components/words/words.ts'
import { useWorkspace, type Workspace } from '../../../session.ts'
import type { FoldedRow } from './picking.ts'
import classes from './sign-offs.module.css'

/** A period, and the periods of 0 % that are signed with it. */
interface Shown {
  readonly row: WaitingRow | SignedRow
  readonly folded: readonly WaitingRow[]
}

interface SignOffTableProps<Row extends Shown> {
  readonly label: string
  readonly rows: readonly Row[]
  /** The text of a row's button, if it has one. */
  readonly action?: string
  readonly pick?: { readonly isPicked: (row: Row) => boolean; readonly toggle: (row: Row) => void }
}

const rowHeight = 41

export function SignOffTable<Row extends Shown = FoldedRow>({ label, rows, action, pick }: SignOffTableProps<Row>) {
  const workspace = useWorkspace()
  return (
    <DataTable
      label={label}
      isTall
      rows={rows}
      keyOf={({ row }) => `${row.slug} ${row.entry.period}`}
      virtual={{ height: rowHeight }}
      columns={[
        pick !== undefined && {
          head: 'Picked',
          isHeadUnseen: true,
          className: 'pick',
          cell: shown => (
            <Checkbox
              size="xs"
              aria-label={`Pick ${shown.row.name} ${shown.row.entry.period}`}
              checked={pick.isPicked(shown)}
              onChange={() => pick.toggle(shown)}
            />
          ),
        },
        ...signOffColumns(workspace),
        action !== undefined && {
          head: 'What to do',
          isHeadUnseen: true,
          narrow: 'line',
          className: classes.action,
          cell: ({ row: { slug, entry } }) => (
            <LinkButton
              size="xs"
              to="/w/$ws/agreements/$slug/periods/$period"
              params={{ ws: workspace.slug, slug, period: entry.period }}
            >
              {action}
              <span className="unseen"> {entry.period}</span>
            </LinkButton>
          ),
        },
      ]}
    />
  )
}

function signOffColumns({ slug: ws, role }: Pick<Workspace, 'slug' | 'role'>): Columns<Shown> {
  return [
    {
      head: 'Agreement',
      className: classes.name,
      cell: ({ row: { name, slug } }) => (
        <TextLink to="/w/$ws/agreements/$slug" params={{ ws, slug }}>
          {name}
        </TextLink>
      ),
      sheet: { agreement: ({ row }) => row.name, slug: ({ row }) => row.slug },
    },
    role !== 'supplier' && {
      head: 'Supplier',
      narrow: ({ row }) => <span className="soft">{writeSide(row.supplier) ?? 'no supplier named'}</span>,
      className: classes.side,
      cell: ({ row }) => writeSide(row.supplier) ?? <span className="soft">nobody is named</span>,
      sheet: { supplier: ({ row }) => writeSide(row.supplier) },
    },
    {
      head: 'Period',
      narrow: shown => (
        <>
          <Period shown={shown} ws={ws} /> <span className="soft">{writeDay(shown.row.entry.adjustmentDate)}</span>
        </>
      ),
      className: 'figures',
      cell: shown => <Period shown={shown} ws={ws} />,
      sheet: { period: ({ row }) => row.entry.period },
    },
    {
      head: 'Date',
      narrow: 'drop',
      className: 'figures',
      cell: ({ row }) => writeDay(row.entry.adjustmentDate),
      sheet: { 'adjustment date': ({ row }) => dayCell(row.entry.adjustmentDate) },
    },
    {
      head: 'Adjustment, %',
      figure: ({ row }) => writeSigned(row.entry.adjustmentPct),
      sheet: {
        'adjustment %': ({ row }) => figureCell(row.entry.adjustmentPct),
        'since start %': ({ row }) => figureCell(row.entry.cumulativePct),
      },
    },
    {
      head: 'Price',
      isRight: true,
      narrow: 'line',
      cell: ({ row: { entry, currency, unit } }) =>
        entry.price !== null && <Money amount={entry.price} currency={currency} unit={unit} />,
      sheet: {
        'price before': ({ row }) => ('priceBefore' in row ? figureCell(row.priceBefore) : null),
        price: ({ row }) => figureCell(row.entry.price),
        currency: ({ row }) => row.currency,
      },
    },
    ...parties.map(
      (party): Column<Shown> => ({
        head: `${sentenceCase(party)} signed`,
        narrow: ({ row }) => (
          <>
            {party}: <Side entry={row.entry} party={party} />
          </>
        ),
        cell: ({ row }) => <Side entry={row.entry} party={party} />,
        sheet: { [`${party} signed`]: ({ row }) => dayCell(row.entry.signatures[party]?.signedAt) },
      }),
    ),
  ]
}

export function waitingSheet(rows: readonly WaitingRow[], { slug, name }: Workspace): Sheet {
  const count = `${countOf(rows.length, 'adjustment')}, as of ${writeDay(new Date().toISOString())}`
  return sheetOf({
    name: 'Sign-offs',
    title: [`Waits for a signature, ${name}`, count],
    columns: [
      // A file names the supplier whoever exports it.
      ...signOffColumns({ slug, role: 'viewer' }),
      {
        head: 'Waits for',
        sheet: {
          'waits for': ({ row }) => ('waitsFor' in row ? writeParties(row.waitsFor) : null),
          hash: ({ row }) => row.entry.hash,
        },
      },
    ],
    rows: rows.map(row => ({ row, folded: [] })),
  })
}

function markOf({ row }: Shown): string | null {
  const { disputedBy, today } = row.entry
  if (!('hasMoved' in row)) return today === null ? null : 'would differ today'
  if (disputedBy.length > 0) return writeDisputed(disputedBy)
  return row.hasMoved ? 'moved since it was signed' : null
}

function Period({ shown, ws }: { readonly shown: Shown; readonly ws: string }) {
  const { row, folded } = shown
  const mark = markOf(shown)
  return (
    <>
      <TextLink
        className="in-text"
        to="/w/$ws/agreements/$slug/periods/$period"
        params={{ ws, slug: row.slug, period: row.entry.period }}
      >
        {row.entry.period}
      </TextLink>
      {mark !== null && <span className={classes.mark}>{mark}</span>}
      {folded.length > 0 && (
        <span className="under">{`with ${countOf(folded.length, 'period')} of 0\u202f% before`}</span>
      )}
    </>
  )
}

function Side({ entry, party }: { readonly entry: PeriodRow; readonly party: Party }) {
  const signature = entry.signatures[party]
  return signature === null ? (
    <State kind="waiting">not signed</State>
  ) : (
    <>
      <State kind="good">
        {signature.name}, {writeDay(signature.signedAt)}
      </State>
      {signature.means === 'OPERATOR' && <span className={classes.mark}>by the operator</span>}
    </>
  )
}
