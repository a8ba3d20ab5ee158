// All formulas: the last result of each, when it is next due, who has to sign, and what blocks it.
import { Select, TextInput } from '@mantine/core'
import { type ReactNode, useCallback } from 'react'
import type { FormulaList, FormulaRow, FormulaSort, FormulaState } from '../../../../src/views/shapes/agreements.ts'
import { formulaSheet } from '../../../components/agreements/list-sheets.ts'
import { type FormulasWanted, fetchFormulas, useFormulas } from '../../../components/agreements/queries.ts'
import { FormulaStatus, SignState, statuses, writeStatus } from '../../../components/agreements/sign-state.tsx'
import { Change, Money, State } from '../../../components/figures/figures.tsx'
import { DueFilter, readMonth, SeriesFilter } from '../../../components/inputs/list-filters.tsx'
import { SupplierFilter } from '../../../components/inputs/supplier-filter.tsx'
import { type AddressTexts, type ChangeAddress, useAddress } from '../../../components/page/address.ts'
import { IconPlus, IconSearch } from '../../../components/page/icons.tsx'
import { LinkButton, TextLink } from '../../../components/page/links.tsx'
import { Empty, LoadingRows, PageHead, Trouble } from '../../../components/page/page.tsx'
import { ExportMenu } from '../../../components/table/export-menu.tsx'
import { ScrollX } from '../../../components/table/scroll-x.tsx'
import { SortHead } from '../../../components/table/sort-head.tsx'
import { type RowPlace, VirtualBody } from '../../../components/table/virtual-body.tsx'
import { writeSide } from '../../../components/words/side-words.ts'
import {
  alignOnPoint,
  countOf,
  sentenceCase,
  writeCount,
  writeDay,
  writeFrequency,
  writeParties,
  writeSigned,
} from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'
import classes from './list.module.css'

export function FormulaListPage() {
  const workspace = useWorkspace()
  const { slug, canEdit } = workspace
  const [address, change] = useAddress()
  const wanted = readWanted(address)
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useFormulas(wanted)
  const newest = data?.pages.at(-1)
  const isEmpty = newest?.all === 0
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  return (
    <>
      <PageHead
        title="Formulas"
        under={newest !== undefined && !isEmpty ? countWords(newest) : undefined}
        actions={
          <>
            {newest !== undefined && !isEmpty && (
              <ExportMenu
                fileName={`${slug}-formulas`}
                isEmpty={newest.found === 0}
                sheet={async () => formulaSheet(await fetchFormulas(workspace, wanted), workspace.name)}
              />
            )}
            {canEdit && !isEmpty && (
              <LinkButton
                to="/w/$ws/formulas/new"
                params={{ ws: slug }}
                size="xs"
                variant="filled"
                leftSection={<IconPlus />}
              >
                New formula
              </LinkButton>
            )}
          </>
        }
      />
      {error !== null && <Trouble error={error} retry={() => void refetch()} />}
      {data === undefined ? (
        error === null && <LoadingRows />
      ) : isEmpty ? (
        <NoFormulas />
      ) : (
        <>
          <Filters wanted={wanted} change={change}>
            <SupplierFilter
              className={classes.supplier}
              choices={newest?.suppliers ?? []}
              value={wanted.supplier}
              change={change}
            />
            <SeriesFilter className={classes.supplier} value={wanted.series} change={change} />
            <DueFilter className={classes.status} value={wanted.due} change={change} />
          </Filters>
          <Rows formulas={data.pages.flatMap(({ rows }) => rows)} sort={wanted.sort} change={change} more={more} />
          {isFetchingNextPage && <LoadingRows rows={2} />}
        </>
      )}
    </>
  )
}

/** Reads the filters from the address; unknown values are ignored. */
function readWanted({ q = '', status, supplier, series, due, state, sort }: AddressTexts): FormulasWanted {
  return {
    q,
    status: statuses.find(each => each === status),
    supplier,
    series,
    due: readMonth(due),
    state: stateChoices.find(([value]) => value === state)?.[0],
    sort: sorts.find(each => each === sort),
  }
}

const stateChoices: readonly (readonly [FormulaState, string])[] = [
  ['WAITS_FOR_ME', 'Waits for me'],
  ['WAITS', 'Waits for a signature'],
  ['BLOCKED', 'Cannot be computed'],
  ['DONE', 'Nothing open'],
]
const sortColumns = ['name', 'supplier', 'status', 'nextDate', 'waiting'] as const
const sorts: readonly FormulaSort[] = sortColumns.flatMap(column => [column, `-${column}`] as const)

function countWords({ found, all }: FormulaList): string {
  return found === all ? countOf(all, 'formula') : `${writeCount(found)} of ${countOf(all, 'formula')}`
}

interface FiltersProps {
  readonly wanted: FormulasWanted
  readonly change: ChangeAddress
  /** More filters. */
  readonly children: ReactNode
}

function Filters({ wanted: { q, status, state }, change, children }: FiltersProps) {
  return (
    <search className={classes.filters}>
      <TextInput
        className={classes.query ?? ''}
        aria-label="Search formulas"
        placeholder="Name or slug"
        leftSection={<IconSearch />}
        value={q}
        onChange={event => change({ q: event.currentTarget.value || undefined }, 'soon')}
      />
      <Select
        className={classes.status ?? ''}
        aria-label="Status"
        placeholder="Every status"
        clearable
        data={statuses.map(each => ({ value: each, label: sentenceCase(writeStatus(each)) }))}
        value={status ?? null}
        onChange={value => change({ status: value ?? undefined })}
      />
      <Select
        className={classes.status ?? ''}
        aria-label="State"
        placeholder="Every state"
        clearable
        data={stateChoices.map(([value, label]) => ({ value, label }))}
        value={state ?? null}
        onChange={value => change({ state: value ?? undefined })}
      />
      {children}
    </search>
  )
}

interface RowsProps {
  readonly formulas: readonly FormulaRow[]
  readonly sort: FormulaSort | undefined
  readonly change: ChangeAddress
  /** Requests the next rows. */
  readonly more: () => void
}

/** The height of a row with two lines. */
const rowHeight = 57

function Rows({ formulas, sort, change, more }: RowsProps) {
  const { role } = useWorkspace()
  if (formulas.length === 0) return <Empty title="No formula matches">Try another word, or remove a filter.</Empty>
  const changes = alignOnPoint(formulas.map(({ last }) => (last === null ? null : writeSigned(last.adjustmentPct))))
  const head = (column: (typeof sortColumns)[number], label: string) => (
    <SortHead column={column} sort={sort} change={change} className={column === 'name' ? '' : 'on-wide'}>
      {label}
    </SortHead>
  )
  return (
    <ScrollX label="Formulas">
      <table className={`ledger ${classes.table}`}>
        <thead>
          <tr>
            {head('name', 'Formula')}
            {role !== 'supplier' && head('supplier', 'Supplier')}
            {head('status', 'Status')}
            <th scope="col" className="on-wide">
              Last period
            </th>
            <th scope="col" className="right on-wide">
              Adjustment, %
            </th>
            <th scope="col" className="right">
              Price
            </th>
            {head('nextDate', 'Next date')}
            {head('waiting', 'Sign-off')}
          </tr>
        </thead>
        <VirtualBody
          rows={formulas}
          height={rowHeight}
          columns={8}
          onEnd={more}
          render={(row, i, place) => <Row key={row.id} row={row} change={changes[i]!} place={place} />}
        />
      </table>
    </ScrollX>
  )
}

interface RowProps {
  readonly row: FormulaRow
  /** The last adjustment, padded so that the decimal points line up. */
  readonly change: string
  readonly place: RowPlace
}

function Row({ row, change, place }: RowProps) {
  const { slug: ws, role } = useWorkspace()
  const { slug, name, status, last, nextDate, price, frequency } = row
  return (
    <tr data-to="" {...place}>
      <td className={classes.name}>
        <TextLink to="/w/$ws/formulas/$slug" params={{ ws, slug }}>
          {name}
        </TextLink>
        <span className={classes.under}>
          <span className="mono">{slug}</span>, {writeFrequency(frequency)}
        </span>
        <Folded row={row} />
        <Hindrance row={row} />
      </td>
      {role !== 'supplier' && (
        <td className={`${classes.side} on-wide`}>
          <Supplier row={row} />
        </td>
      )}
      <td className="on-wide">
        <FormulaStatus status={status} />
      </td>
      <td className="on-wide">{last === null ? <span className="soft">none yet</span> : <LastPeriod row={row} />}</td>
      <td className="right on-wide">{change}</td>
      <td className="right">
        {last?.price != null ? (
          <Money amount={last.price} currency={price?.currency} unit={price?.unit} />
        ) : (
          price !== null && <Money amount={price.amount} currency={price.currency} unit={price.unit} />
        )}
      </td>
      <td className="figures on-wide">{nextDate === null ? <span className="soft">none</span> : writeDay(nextDate)}</td>
      <td className="on-wide">
        <Waiting row={row} />
      </td>
    </tr>
  )
}

/** The people or party on the supplier's side; if it is empty, nobody with that role sees the formula. */
function Supplier({ row: { supplier } }: { readonly row: FormulaRow }) {
  return writeSide(supplier) ?? <span className="soft">nobody is named</span>
}

function LastPeriod({ row: { slug, last } }: { readonly row: FormulaRow }) {
  const { slug: ws } = useWorkspace()
  return last === null ? null : (
    <TextLink className="in-text" to="/w/$ws/formulas/$slug/periods/$period" params={{ ws, slug, period: last.period }}>
      {last.period}
    </TextLink>
  )
}

/** The other columns, shown here if there is no room for them. */
function Folded({ row }: { readonly row: FormulaRow }) {
  const { last, nextDate, status } = row
  const { role } = useWorkspace()
  return (
    <span className={`${classes.folded} on-narrow`}>
      {role !== 'supplier' && (
        <span>
          <Supplier row={row} />
        </span>
      )}
      {last !== null && (
        <span>
          <LastPeriod row={row} /> <Change pct={last.adjustmentPct} />
        </span>
      )}
      <span className="soft">
        {writeStatus(status)}
        {nextDate !== null && `, next ${writeDay(nextDate)}`}
      </span>
      <Waiting row={row} />
    </span>
  )
}

function Hindrance({ row: { trouble, blocked } }: { readonly row: FormulaRow }) {
  const words = trouble ?? (blocked === null ? null : `${blocked.period} cannot be computed: ${blocked.reason}`)
  return words === null ? null : (
    <span className={classes.hindrance}>
      <State kind="trouble">{words}</State>
    </span>
  )
}

function Waiting({ row: { last, unsigned, waitsFor, status, disputed } }: { readonly row: FormulaRow }) {
  if (last === null) return <span className="soft">nothing to sign</span>
  if (unsigned === 0 || status !== 'ACTIVE') return <SignState entry={last} status={status} />
  return (
    <span>
      <State kind="waiting">waits for {writeParties(waitsFor)}</State>
      {disputed > 0 && (
        <span className={classes.under}>
          <State kind="trouble">{countOf(disputed, 'period')} disputed</State>
        </span>
      )}
      <span className={classes.under}>{countOf(unsigned, 'period')} not signed by both</span>
    </span>
  )
}

function NoFormulas() {
  const { slug, canEdit, role } = useWorkspace()
  if (!canEdit)
    return (
      <Empty title={role === 'supplier' ? 'No formula names you or your party yet' : 'No formulas yet'}>
        A formula says how a price follows its indices. An owner or editor of this workspace writes it; it is here as
        soon as it is {role === 'supplier' ? 'in force and names you or your party' : 'saved'}.
      </Empty>
    )
  return (
    <Empty
      title="Write the first formula"
      action={
        <>
          <LinkButton to="/w/$ws/formulas/new" params={{ ws: slug }} variant="filled">
            Start from a template
          </LinkButton>
          <LinkButton to="/w/$ws/series" params={{ ws: slug }}>
            Look at the series first
          </LinkButton>
        </>
      }
    >
      A formula says how a price follows its indices: which ones, with what weight, read when, kept within which limits.
      There are templates for the usual clauses, from one consumer price index with a cap to weighted materials, fuel
      tables and the French 0.15 + 0.85.
    </Empty>
  )
}
