// The columns of the list of agreements, on the page and in a file.
import { formatDate } from '../../../../src/core/text/words.ts'
import type { AgreementListRow, PeriodRow } from '../../../../src/views/shapes/agreements.ts'
import { isContractPrice, proposedOf } from '../../../components/agreements/settled-numbers.ts'
import { formatStatus, StatusLabel } from '../../../components/agreements/sign-state.tsx'
import { Money, State } from '../../../components/figures/figures.tsx'
import { TextLink } from '../../../components/page/links.tsx'
import { type Columns, dayCell, figureCell, sheetOf } from '../../../components/table/column.ts'
import type { Sheet } from '../../../components/table/save-file.ts'
import { formatSide } from '../../../components/words/side-words.ts'
import { formatGround } from '../../../components/words/step-words.ts'
import {
  countOf,
  formatFigure,
  formatFrequency,
  formatParties,
  formatPct,
  formatSigned,
  shortenCut,
} from '../../../components/words/words.ts'
import type { Workspace } from '../../../session.ts'
import classes from './list.module.css'

type ListViewer = Pick<Workspace, 'slug' | 'role'>

export function agreementColumns(seen: ListViewer): Columns<AgreementListRow> {
  return [...whichColumns(seen), ...numberColumns(seen)]
}

function whichColumns({ slug: ws, role }: ListViewer): Columns<AgreementListRow> {
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
      cell: ({ supplier }) => (
        <span className={classes.line} title={formatSide(supplier) ?? undefined}>
          {formatSide(supplier) ?? <span className="soft">no supplier named</span>}
        </span>
      ),
      sheet: { supplier: ({ supplier }) => formatSide(supplier) },
    },
    {
      head: 'Status',
      sort: 'status',
      headClass: classes.roomy,
      className: classes.roomy,
      narrow: ({ status, nextDate }) => (
        <span className="soft">
          {formatStatus(status)}
          {nextDate !== null && `, next ${formatDate(nextDate)}`}
        </span>
      ),
      cell: ({ status }) => <StatusLabel status={status} />,
      sheet: { status: ({ status }) => formatStatus(status), adjusted: ({ frequency }) => formatFrequency(frequency) },
    },
  ]
}

/** Columns of the settled and the proposed price, the next date, and the state. */
function numberColumns({ slug: ws }: ListViewer): Columns<AgreementListRow> {
  return [
    {
      head: 'Settled price',
      sort: 'price',
      isRight: true,
      className: classes.settled,
      cell: row => <Settled row={row} />,
      sheet: {
        'settled price': ({ settled }) => figureCell(settled?.price),
        currency: ({ price }) => price?.currency ?? null,
        unit: ({ price }) => price?.unit ?? null,
        'settled period': ({ settled }) => settled?.period ?? null,
        'settled since': ({ settled }) => dayCell(settled?.date),
        'settled adjustment %': ({ settled }) => figureCell(settled?.adjustmentPct),
        'settled change %': ({ settledPct }) => figureCell(settledPct),
        correction: ({ settled }) => settled?.correction?.id ?? null,
      },
    },
    {
      head: 'Since start, %',
      sort: 'since',
      headClass: classes.roomy,
      className: classes.roomy,
      isDownFirst: true,
      narrow: 'drop',
      figure: ({ settled }) => (settled === null ? null : formatSigned(settled.cumulativePct)),
      sheet: { 'since start %': ({ settled }) => figureCell(settled?.cumulativePct) },
    },
    {
      head: 'Proposed',
      sort: 'proposed',
      isDownFirst: true,
      isRight: true,
      narrow: row =>
        proposedOf(row) !== null && (
          <span>
            proposed <Proposed row={row} ws={ws} />
          </span>
        ),
      cell: row => <Proposed row={row} ws={ws} />,
      sheet: {
        'proposed price': row => figureCell(proposedOf(row)?.price),
        'proposed period': row => proposedOf(row)?.period ?? null,
        'proposed from': row => dayCell(proposedOf(row)?.adjustmentDate),
        'proposed adjustment %': row => figureCell(proposedOf(row)?.adjustmentPct),
        'price before': row => figureCell(proposedOf(row)?.step.priceBefore),
        'change %': row => figureCell(proposedOf(row)?.step.changePct),
        'change on settled %': row => figureCell(paidPct(proposedOf(row))),
      },
    },
    {
      head: 'Next date',
      sort: 'nextDate',
      narrow: 'drop',
      className: 'figures',
      cell: ({ nextDate }) => (nextDate === null ? <span className="soft">none</span> : formatDate(nextDate)),
      sheet: { 'next date': ({ nextDate }) => dayCell(nextDate) },
    },
    {
      head: 'Needs',
      sort: 'waiting',
      narrow: 'line',
      className: classes.needs,
      cell: row => <Needs row={row} />,
      sheet: {
        'not signed': ({ unsigned }) => figureCell(unsigned.toString()),
        'waits for': ({ waitsFor }) => (waitsFor.length === 0 ? null : formatParties(waitsFor)),
        disputed: ({ disputed }) => figureCell(disputed.toString()),
        trouble: ({ trouble, blocked }) => trouble ?? blocked?.reason ?? null,
      },
    },
  ]
}

export function agreementSheet(rows: readonly AgreementListRow[], workspace: Pick<Workspace, 'slug' | 'name'>): Sheet {
  const count = `${countOf(rows.length, 'agreement')}, as of ${formatDate(new Date().toISOString())}`
  return sheetOf({
    name: 'Agreements',
    title: [`Agreements, ${workspace.name}`, count],
    // A file names the supplier whoever exports it.
    columns: agreementColumns({ slug: workspace.slug, role: 'viewer' }),
    rows,
  })
}

/** The change of a proposed price from the settled one. */
function paidPct(proposed: PeriodRow | null): string | null {
  return proposed?.ground?.paidPct ?? proposed?.step.changePct ?? null
}

interface RowProps {
  readonly row: AgreementListRow
  readonly ws: string
}

/** Name on one line: the whole name is in the tooltip. */
function Name({ row: { slug, name, frequency }, ws }: RowProps) {
  return (
    <>
      <TextLink className={classes.line} title={name} to="/w/$ws/agreements/$slug" params={{ ws, slug }}>
        {name}
      </TextLink>
      <span className={`under ${classes.line}`}>
        <span className="mono">{slug}</span>, {formatFrequency(frequency)}
      </span>
    </>
  )
}

function Settled({ row: { settled, settledPct, price, asSupplier } }: { readonly row: AgreementListRow }) {
  if (settled === null) return <span className="soft">{asSupplier === null ? '' : 'not settled with you yet'}</span>
  const { period, correction } = settled
  const words = isContractPrice(settled)
    ? 'price of the contract'
    : `${period}, ${correction === null ? formatPct(settledPct) : 'corrected'}`
  return (
    <>
      {price !== null && settled.price !== null && (
        <Money amount={settled.price} currency={price.currency} unit={price.unit} />
      )}
      <span
        className="under"
        title={correction === null ? undefined : `agreed ${formatDate(correction.agreedAt)}, ${formatPct(settledPct)}`}
      >
        {words}
      </span>
    </>
  )
}

function Proposed({ row, ws }: RowProps) {
  const proposed = proposedOf(row)
  if (proposed === null) return null
  const { period, price, step, ground } = proposed
  return (
    <>
      {price !== null && <span className="figures">{formatFigure(shortenCut(price))}</span>}
      <span className="under figures">
        <TextLink
          className="in-text"
          to="/w/$ws/agreements/$slug/periods/$period"
          params={{ ws, slug: row.slug, period }}
        >
          {period}
        </TextLink>
        , <span title={formatGround(step, ground) ?? undefined}>{formatPct(paidPct(proposed))}</span>
      </span>
    </>
  )
}

function Needs({ row }: { readonly row: AgreementListRow }) {
  const { unsigned, waitsFor, status, disputed, trouble, blocked } = row
  const isOpen = unsigned > 0 && status === 'ACTIVE'
  const gap = trouble ?? (blocked === null ? null : `${blocked.period} cannot be computed: ${blocked.reason}`)
  return (
    <>
      {isOpen && (
        <State kind={disputed > 0 ? 'trouble' : 'waiting'}>
          {disputed > 0 ? `${countOf(disputed, 'period')} disputed` : `${countOf(unsigned, 'period')} to sign`}
        </State>
      )}
      {isOpen && gap === null && <span className="under">{formatParties(waitsFor)}</span>}
      {gap !== null && (
        <span className={isOpen ? 'under' : undefined} title={gap}>
          <State kind="trouble">{trouble === null ? `gap in ${blocked!.period}` : 'cannot be computed'}</State>
        </span>
      )}
      {!isOpen && gap === null && (
        <span className="soft">
          {[
            ...(status === 'ACTIVE' ? [] : [formatStatus(status)]),
            ...(unsigned > 0 ? [`${countOf(unsigned, 'period')} not signed`] : status === 'ACTIVE' ? ['nothing'] : []),
          ].join(', ')}
        </span>
      )}
    </>
  )
}
