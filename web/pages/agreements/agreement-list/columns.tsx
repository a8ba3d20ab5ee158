// The columns of the list of agreements, on the page and in a file.
import type { AgreementListRow } from '../../../../src/views/shapes/agreements.ts'
import { SignState, StatusLabel, writeStatus } from '../../../components/agreements/sign-state.tsx'
import { Change, Money, State } from '../../../components/figures/figures.tsx'
import { TextLink } from '../../../components/page/links.tsx'
import { type Columns, dayCell, figureCell, sheetOf } from '../../../components/table/column.ts'
import type { Sheet } from '../../../components/table/save-file.ts'
import { writeSide } from '../../../components/words/side-words.ts'
import { countOf, writeDay, writeFrequency, writeParties, writeSigned } from '../../../components/words/words.ts'
import type { Workspace } from '../../../session.ts'
import classes from './list.module.css'

type Seen = Pick<Workspace, 'slug' | 'role'>

export function agreementColumns(seen: Seen): Columns<AgreementListRow> {
  return [...whichColumns(seen), ...numberColumns(seen)]
}

/** Which agreement it is, and whose. */
function whichColumns({ slug: ws, role }: Seen): Columns<AgreementListRow> {
  return [
    {
      head: 'Agreement',
      sort: 'name',
      className: classes.name,
      cell: row => <Name row={row} ws={ws} />,
      sheet: { agreement: ({ name }) => name, slug: ({ slug }) => slug },
    },
    role !== 'supplier' && {
      head: 'Supplier',
      sort: 'supplier',
      narrow: 'line',
      className: classes.side,
      // If it is empty, nobody with that role sees the agreement.
      cell: ({ supplier }) => writeSide(supplier) ?? <span className="soft">nobody is named</span>,
      sheet: { supplier: ({ supplier }) => writeSide(supplier) },
    },
    {
      head: 'Status',
      sort: 'status',
      narrow: ({ status, nextDate }) => (
        <span className="soft">
          {writeStatus(status)}
          {nextDate !== null && `, next ${writeDay(nextDate)}`}
        </span>
      ),
      cell: ({ status }) => <StatusLabel status={status} />,
      sheet: { status: ({ status }) => writeStatus(status), adjusted: ({ frequency }) => writeFrequency(frequency) },
    },
  ]
}

/** Its newest number, the next one, and who has to sign. */
function numberColumns({ slug: ws }: Seen): Columns<AgreementListRow> {
  return [
    {
      head: 'Last period',
      narrow: row =>
        row.last !== null && (
          <>
            <LastPeriod row={row} ws={ws} /> <Change pct={row.last.adjustmentPct} />
          </>
        ),
      cell: row => (row.last === null ? <span className="soft">none yet</span> : <LastPeriod row={row} ws={ws} />),
      sheet: {
        'last period': ({ last }) => last?.period ?? null,
        'adjustment date': ({ last }) => dayCell(last?.adjustmentDate),
      },
    },
    {
      head: 'Adjustment, %',
      narrow: 'drop',
      figure: ({ last }) => (last === null ? null : writeSigned(last.adjustmentPct)),
      sheet: {
        'adjustment %': ({ last }) => figureCell(last?.adjustmentPct),
        'since start %': ({ last }) => figureCell(last?.cumulativePct),
      },
    },
    {
      head: 'Price',
      isRight: true,
      cell: ({ last, price }) =>
        price !== null && <Money amount={last?.price ?? price.amount} currency={price.currency} unit={price.unit} />,
      sheet: {
        price: ({ last, price }) => figureCell(last?.price ?? price?.amount),
        currency: ({ price }) => price?.currency ?? null,
        unit: ({ price }) => price?.unit ?? null,
      },
    },
    {
      head: 'Next date',
      sort: 'nextDate',
      narrow: 'drop',
      className: 'figures',
      cell: ({ nextDate }) => (nextDate === null ? <span className="soft">none</span> : writeDay(nextDate)),
      sheet: { 'next date': ({ nextDate }) => dayCell(nextDate) },
    },
    {
      head: 'Sign-off',
      sort: 'waiting',
      narrow: 'line',
      cell: row => <Waiting row={row} />,
      sheet: {
        'not signed': ({ unsigned }) => figureCell(unsigned.toString()),
        'waits for': ({ waitsFor }) => (waitsFor.length === 0 ? null : writeParties(waitsFor)),
        trouble: ({ trouble, blocked }) => trouble ?? blocked?.reason ?? null,
      },
    },
  ]
}

export function agreementSheet(rows: readonly AgreementListRow[], workspace: Pick<Workspace, 'slug' | 'name'>): Sheet {
  const count = `${countOf(rows.length, 'agreement')}, as of ${writeDay(new Date().toISOString())}`
  return sheetOf({
    name: 'Agreements',
    title: [`Agreements, ${workspace.name}`, count],
    // A file names the supplier whoever exports it.
    columns: agreementColumns({ slug: workspace.slug, role: 'viewer' }),
    rows,
  })
}

interface RowProps {
  readonly row: AgreementListRow
  readonly ws: string
}

function Name({ row: { slug, name, frequency, trouble, blocked }, ws }: RowProps) {
  const words = trouble ?? (blocked === null ? null : `${blocked.period} cannot be computed: ${blocked.reason}`)
  return (
    <>
      <TextLink to="/w/$ws/agreements/$slug" params={{ ws, slug }}>
        {name}
      </TextLink>
      <span className="under">
        <span className="mono">{slug}</span>, {writeFrequency(frequency)}
      </span>
      {words !== null && (
        <span className={classes.hindrance}>
          <State kind="trouble">{words}</State>
        </span>
      )}
    </>
  )
}

function LastPeriod({ row: { slug, last }, ws }: RowProps) {
  return last === null ? null : (
    <TextLink
      className="in-text"
      to="/w/$ws/agreements/$slug/periods/$period"
      params={{ ws, slug, period: last.period }}
    >
      {last.period}
    </TextLink>
  )
}

function Waiting({ row: { last, unsigned, waitsFor, status, disputed } }: { readonly row: AgreementListRow }) {
  if (last === null) return <span className="soft">nothing to sign</span>
  if (unsigned === 0 || status !== 'ACTIVE') return <SignState entry={last} status={status} />
  return (
    <span>
      <State kind="waiting">waits for {writeParties(waitsFor)}</State>
      {disputed > 0 && (
        <span className="under">
          <State kind="trouble">{countOf(disputed, 'period')} disputed</State>
        </span>
      )}
      <span className="under">{countOf(unsigned, 'period')} not signed by both</span>
    </span>
  )
}
