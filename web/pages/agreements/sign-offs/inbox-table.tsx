// The table of the inbox: one row for each agreement, which expands to its periods, and one for each correction. A row is its
// own button: it opens beside the list.

import { Checkbox } from '@mantine/core'
import { type RefObject, useMemo } from 'react'
import { formatDate } from '../../../../src/core/text/words.ts'
import { changeWords } from '../../../../src/core/true-up/change-kinds.ts'
import type { InboxPeriod, InboxRow, PeriodsRow, ProposalRow } from '../../../../src/views/shapes/inbox.ts'
import { State } from '../../../components/figures/figures.tsx'
import { PriceWay } from '../../../components/figures/price-way.tsx'
import { IconChevron } from '../../../components/page/icons.tsx'
import { TextLink } from '../../../components/page/links.tsx'
import type { Columns } from '../../../components/table/column.ts'
import { DataTable } from '../../../components/table/data-table.tsx'
import type { GoTo } from '../../../components/table/virtual-body.tsx'
import { formatMoneyChange } from '../../../components/words/price-words.ts'
import { formatSide } from '../../../components/words/side-words.ts'
import { formatGround } from '../../../components/words/step-words.ts'
import { formatPct } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'
import { figuresOf } from './row-figures.ts'
import { keyOfRow, type Selection, sizeOfRow } from './selection.ts'
import classes from './sign-offs.module.css'
import { stateOfPeriods, stateOfRow } from './state-words.ts'

/** A line of the table: a row, or a period of a row that is expanded. */
export interface InboxLine {
  readonly row: InboxRow
  readonly period: InboxPeriod | null
  readonly isExpanded: boolean
}

export interface RowActions {
  readonly open: (line: InboxLine) => void
  readonly expand: (row: InboxRow) => void
  /** Selects a row or a period; null where nothing can be selected. */
  readonly select: ((row: InboxRow, period: InboxPeriod | null) => void) | null
}

interface InboxTableProps {
  readonly label: string
  readonly rows: readonly InboxRow[]
  readonly expanded: ReadonlySet<string>
  readonly selection: Selection
  /** The line that the keys are about. */
  readonly marked?: InboxLine | undefined
  /** Whether its row is open beside the list. */
  readonly isOpen?: boolean
  readonly actions: RowActions
  readonly goTo?: RefObject<GoTo | null>
  readonly sort: RowSort
}

/** Order of the rows by a column: `name`, or `-name` for descending order. */
export interface RowSort {
  readonly order: string | undefined
  readonly change: (order: string | undefined) => void
}

const rowHeight = 37

export function linesOf(rows: readonly InboxRow[], expanded: ReadonlySet<string>): readonly InboxLine[] {
  return rows.flatMap(row => {
    const isExpanded = row.kind === 'periods' && expanded.has(keyOfRow(row))
    const below = isExpanded ? row.periods.map(period => ({ row, period, isExpanded: false })) : []
    return [{ row, period: null, isExpanded }, ...below]
  })
}

export function keyOfLine({ row, period }: Pick<InboxLine, 'row' | 'period'>): string {
  return period === null ? keyOfRow(row) : `${keyOfRow(row)} ${period.period}`
}

export function InboxTable(props: InboxTableProps) {
  const { label, rows, expanded, selection, marked, isOpen: isCompact = false, actions, goTo, sort } = props
  const { role } = useWorkspace()
  const lines = useMemo(() => linesOf(rows, expanded), [rows, expanded])
  const hasEffects = useMemo(() => rows.some(row => formatEffect({ row, period: null }) !== ''), [rows])
  const columns = useMemo(
    () => inboxColumns({ selection, actions, isCompact, hasEffects, isSupplier: role === 'supplier' }),
    [selection, actions, isCompact, hasEffects, role],
  )
  return (
    <DataTable
      className={classes.inbox}
      label={label}
      rows={lines}
      keyOf={keyOfLine}
      columns={columns}
      sort={sort}
      virtual={{ height: rowHeight, hasArrowKeys: true, ...(goTo === undefined ? {} : { goTo }) }}
      rowProps={line => ({
        className: line.period === null ? classes.row : classes.period,
        'data-marked': (marked !== undefined && keyOfLine(line) === keyOfLine(marked)) || undefined,
        'data-opened': (isCompact && keyOfRow(line.row) === keyOfRow(marked!.row)) || undefined,
        'data-key': keyOfLine(line),
      })}
    />
  )
}

interface ColumnParts {
  readonly selection: Selection
  readonly actions: RowActions
  /** Beside a panel there is room for less. */
  readonly isCompact: boolean
  /** Whether the money is known of any of them. */
  readonly hasEffects: boolean
  readonly isSupplier: boolean
}

function inboxColumns({ selection, actions, isCompact, hasEffects, isSupplier }: ColumnParts): Columns<InboxLine> {
  const { select } = actions
  return [
    select !== null && {
      head: 'Selected',
      isHeadUnseen: true,
      className: `pick ${classes.pick}`,
      cell: line => <SelectBox line={line} selection={selection} select={select} />,
    },
    {
      head: 'Agreement',
      isMain: true,
      sort: 'name',
      className: classes.name,
      cell: line => <Name line={line} actions={actions} isCompact={isCompact && !isSupplier} />,
    },
    !isSupplier &&
      !isCompact && {
        head: 'Supplier',
        sort: 'supplier',
        className: classes.side,
        narrow: ({ row, period }) => period === null && (formatSide(row.supplier) ?? 'no supplier named'),
        cell: ({ row, period }) =>
          period === null && (
            <span className={classes.oneLine} title={formatSide(row.supplier) ?? undefined}>
              {formatSide(row.supplier) ?? <span className="soft">no supplier named</span>}
            </span>
          ),
      },
    !isCompact && {
      head: 'Periods',
      sort: 'periods',
      isDownFirst: true,
      className: 'figures',
      narrow: ({ row, period }) => period === null && formatPeriods(row),
      cell: ({ row, period }) => period === null && formatPeriods(row),
    },
    {
      head: 'Change',
      sort: 'change',
      isDownFirst: true,
      isRight: true,
      narrow: 'label',
      className: 'figures',
      cell: formatChange,
    },
    {
      head: 'Price',
      sort: 'price',
      isDownFirst: true,
      isRight: true,
      narrow: 'line',
      className: 'figures',
      cell: line => <Way line={line} isShort={isCompact} />,
    },
    hasEffects &&
      !isCompact && {
        head: 'Effect',
        sort: 'effect',
        isDownFirst: true,
        isRight: true,
        narrow: 'label',
        className: 'figures',
        cell: formatEffect,
      },
    !isCompact && {
      head: 'State',
      sort: 'state',
      narrow: 'line',
      className: classes.state,
      cell: line => {
        const { kind, words } = line.period === null ? stateOfRow(line.row) : stateOfPeriods([line.period])
        const hindrance = line.period === null && line.row.kind === 'periods' ? line.row.hindrance : null
        return (
          <span className={classes.oneLine} title={hindrance?.words ?? words}>
            <State kind={kind}>
              {hindrance?.isConsent === true ? <ToVersions slug={line.row.slug}>{words}</ToVersions> : words}
            </State>
          </span>
        )
      },
    },
  ]
}

/** Link to the versions that a side has to agree to. */
function ToVersions({ slug, children }: { readonly slug: string; readonly children: string }) {
  const { slug: ws } = useWorkspace()
  return (
    <TextLink className="in-text" to="/w/$ws/agreements/$slug/versions" params={{ ws, slug }}>
      {children}
    </TextLink>
  )
}

interface SelectBoxProps {
  readonly line: InboxLine
  readonly selection: Selection
  readonly select: NonNullable<RowActions['select']>
}

function SelectBox({ line: { row, period }, selection, select }: SelectBoxProps) {
  const count = selection.get(keyOfRow(row))?.count ?? 0
  const isChecked = period === null ? count >= sizeOfRow(row) : count > (row as PeriodsRow).periods.indexOf(period)
  return (
    <Checkbox
      size="xs"
      className={classes.box ?? ''}
      aria-label={`Select ${row.name}${period === null ? (row.kind === 'periods' ? '' : row.kind === 'change' ? ', change of terms' : ', correction') : ` ${period.period}`}`}
      checked={isChecked}
      indeterminate={period === null && count > 0 && !isChecked}
      onChange={() => select(row, period)}
    />
  )
}

interface NameProps {
  readonly line: InboxLine
  readonly actions: RowActions
  readonly isCompact: boolean
}

function Name({ line, actions, isCompact }: NameProps) {
  const { row, period, isExpanded } = line
  if (period !== null)
    return (
      <button type="button" data-row className={classes.open} onClick={() => actions.open(line)}>
        {period.period}
      </button>
    )
  return (
    <span className={classes.line}>
      {row.kind === 'periods' && row.periods.length > 1 ? (
        <button
          type="button"
          className={classes.expand}
          aria-expanded={isExpanded}
          aria-label={`Periods of ${row.name}`}
          onClick={() => actions.expand(row)}
        >
          <IconChevron />
        </button>
      ) : (
        <span className={classes.noExpand} />
      )}
      <span className={classes.names}>
        <button type="button" data-row className={classes.open} title={row.name} onClick={() => actions.open(line)}>
          {row.name}
        </button>
        {row.kind !== 'periods' && <span className="soft">{formatProposal(row)}</span>}
        {row.kind === 'periods' && (row.hindrance === null ? <GroundWords row={row} /> : <Hindered row={row} />)}
        {isCompact && <span className={`soft ${classes.oneLine}`}>{formatSide(row.supplier)}</span>}
      </span>
    </span>
  )
}

function Hindered({ row: { hindrance } }: { readonly row: PeriodsRow }) {
  return (
    <span className={classes.ground} title={hindrance!.words}>
      {hindrance!.words}
    </span>
  )
}

function GroundWords({ row }: { readonly row: PeriodsRow }) {
  const words = formatGround(figuresOf(row), row.ground)
  return words !== null && <span className={classes.ground}>{words}</span>
}

function formatProposal(row: ProposalRow): string {
  if (row.kind === 'change') return changeWords[row.change]
  return row.waived ? 'correction without money' : 'correction of signed prices'
}

/** `5 up to 2026-Q4`. */
function formatPeriods(row: InboxRow): string {
  if (row.kind === 'change') return `from ${formatDate(row.effectiveFrom)}`
  if (row.kind === 'correction') return `${row.periods} signed`
  const last = row.periods.at(-1)!.period
  return row.periods.length === 1 ? last : `${row.periods.length} up to ${last}`
}

function formatChange({ row, period }: InboxLine): string {
  if (period !== null) return formatPct(period.changePct)
  if (row.kind !== 'periods') return ''
  return formatPct(figuresOf(row).changePct)
}

function Way({ line: { row, period }, isShort }: { readonly line: InboxLine; readonly isShort: boolean }) {
  if (row.kind !== 'periods') return null
  const step = period ?? figuresOf(row)
  const terms = isShort || period !== null ? { currency: null, unit: null } : row
  return <PriceWay step={step} currency={terms.currency} unit={terms.unit} />
}

function formatEffect({ row, period }: Pick<InboxLine, 'row' | 'period'>): string {
  if (row.kind === 'change') return ''
  if (row.kind === 'correction') return row.net === null ? '' : formatMoneyChange(row.net, row.currency)
  const effect = period === null ? figuresOf(row).effect : period.effect
  return effect === null ? '' : formatMoneyChange(effect, row.currency)
}
