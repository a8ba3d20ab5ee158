// All agreements: settled and proposed prices, the next due date of each, and the work it needs.
import { Button, Select, TextInput } from '@mantine/core'
import { useCallback, useMemo } from 'react'
import type { AgreementSort, AgreementState } from '../../../../src/views/shapes/agreement-filters.ts'
import type { AgreementList, AgreementListRow } from '../../../../src/views/shapes/agreements.ts'
import { type AgreementsWanted, fetchAgreements, useAgreements } from '../../../components/agreements/queries.ts'
import { formatStatus, statuses } from '../../../components/agreements/sign-state.tsx'
import { DueFilter, readMonth, SeriesFilter } from '../../../components/inputs/list-filters.tsx'
import { SupplierFilter } from '../../../components/inputs/supplier-filter.tsx'
import { type AddressTexts, type ChangeAddress, useAddress } from '../../../components/page/address.ts'
import { IconPlus, IconPrint, IconSearch } from '../../../components/page/icons.tsx'
import { LinkButton } from '../../../components/page/links.tsx'
import { Empty, Filtered, LoadingRows, PageHead, Pending, Trouble } from '../../../components/page/page.tsx'
import { AllRows, type PrintedRows, usePrintedRows } from '../../../components/table/all-rows.tsx'
import { DataTable } from '../../../components/table/data-table.tsx'
import { ExportMenu } from '../../../components/table/export-menu.tsx'
import { countOf, formatCount, sentenceCase } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'
import { PriceFileButton } from '../agreement/price-file.tsx'
import { agreementColumns, agreementSheet } from './columns.tsx'
import classes from './list.module.css'

export function AgreementListPage() {
  const workspace = useWorkspace()
  const { slug, role } = workspace
  const [address, change] = useAddress()
  const wanted = readWanted(address)
  const { data, error, refetch, isPlaceholderData, fetchNextPage, hasNextPage, isFetchingNextPage } =
    useAgreements(wanted)
  const newest = data?.pages.at(-1)
  const rows = useMemo(() => data?.pages.flatMap(page => page.rows) ?? [], [data])
  const columns = useMemo(() => agreementColumns({ slug, role }), [slug, role])
  const isEmpty = newest?.all === 0
  const pending = newest?.pending ?? 0
  const printing = usePrintedRows<AgreementListRow>(
    (newest?.found ?? 0) > 0 ? () => fetchAgreements(workspace, wanted) : null,
  )
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  return (
    <>
      <PageHead
        title="Agreements"
        under={newest !== undefined && !isEmpty && !isPlaceholderData ? countWords(newest) : undefined}
        actions={!isEmpty && <HeadActions newest={newest} wanted={wanted} printing={printing} />}
      />
      {error !== null && <Trouble error={error} retry={() => void refetch()} />}
      {data === undefined ? (
        error === null && <LoadingRows />
      ) : isEmpty ? (
        <NoAgreements />
      ) : (
        <>
          <Filters wanted={wanted} change={change} suppliers={newest?.suppliers ?? []} />
          <Pending count={pending} />
          <AllRows rows={printing.rows} shown={rows.length} count={newest?.found ?? 0}>
            {all => <DataTable isTall columns={columns} rows={all} keyOf={({ id }) => id} />}
          </AllRows>
          <div className={printing.rows === null ? undefined : 'no-print'}>
            <Filtered isOfBefore={isPlaceholderData}>
              <DataTable
                label="Agreements"
                isTall
                columns={columns}
                rows={rows}
                keyOf={({ id }) => id}
                rowProps={linkedRow}
                sort={{ order: wanted.sort, change: sort => change({ sort }) }}
                virtual={{ height: rowHeight, onEnd: more }}
                empty={
                  pending > 0 ? (
                    <LoadingRows rows={2} />
                  ) : (
                    <Empty title="No agreement matches">Try another word, or remove a filter.</Empty>
                  )
                }
              />
            </Filtered>
          </div>
          {isFetchingNextPage && <LoadingRows rows={2} />}
        </>
      )}
    </>
  )
}

interface HeadActionsProps {
  /** The list; undefined before it is here. */
  readonly newest: AgreementList | undefined
  readonly wanted: AgreementsWanted
  readonly printing: PrintedRows<AgreementListRow>
}

function HeadActions({ newest, wanted, printing }: HeadActionsProps) {
  const workspace = useWorkspace()
  const { slug, canEdit } = workspace
  return (
    <>
      {newest !== undefined && (
        <>
          <PriceFileButton />
          <ExportMenu
            fileName={`${slug}-agreements`}
            isEmpty={newest.found === 0}
            sheet={async () => agreementSheet(await fetchAgreements(workspace, wanted), workspace)}
          />
          {newest.found > 0 && (
            <Button
              variant="default"
              size="xs"
              leftSection={<IconPrint />}
              loading={printing.isReading}
              onClick={() => void printing.print()}
            >
              Print
            </Button>
          )}
        </>
      )}
      {canEdit && (
        <LinkButton
          to="/w/$ws/agreements/new"
          params={{ ws: slug }}
          size="xs"
          variant="filled"
          leftSection={<IconPlus />}
        >
          New agreement
        </LinkButton>
      )}
    </>
  )
}

const rowHeight = 57
const linkedRow = () => ({ 'data-to': '' })

/** Reads the filters from the address; unknown values are ignored. */
function readWanted({ q = '', status, supplier, series, due, state, sort }: AddressTexts): AgreementsWanted {
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

const stateChoices: readonly (readonly [AgreementState, string])[] = [
  ['WAITS_FOR_ME', 'Needs my signature'],
  ['WAITS', 'Needs a signature'],
  ['DISPUTED', 'Disputed'],
  ['CORRECTION_OPEN', 'Has a correction to sign'],
  ['CORRECTION_DUE', 'Correction due'],
  ['BLOCKED', 'Has a gap'],
  ['DONE', 'Needs nothing'],
]
const sortColumns = ['name', 'supplier', 'status', 'price', 'since', 'proposed', 'nextDate', 'waiting'] as const
const sorts: readonly AgreementSort[] = sortColumns.flatMap(column => [column, `-${column}`] as const)

function countWords({ found, all }: AgreementList): string {
  return found === all ? countOf(all, 'agreement') : `${formatCount(found)} of ${countOf(all, 'agreement')}`
}

interface FiltersProps {
  readonly wanted: AgreementsWanted
  readonly change: ChangeAddress
  readonly suppliers: AgreementList['suppliers']
}

function Filters({ wanted, change, suppliers }: FiltersProps) {
  const { q, status, state } = wanted
  return (
    <search className={classes.filters}>
      <TextInput
        className={classes.query ?? ''}
        aria-label="Search agreements"
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
        data={statuses.map(each => ({ value: each, label: sentenceCase(formatStatus(each)) }))}
        value={status ?? null}
        onChange={value => change({ status: value ?? undefined })}
      />
      <Select
        className={classes.status ?? ''}
        aria-label="Needs"
        placeholder="Any need"
        clearable
        data={stateChoices.map(([value, label]) => ({ value, label }))}
        value={state ?? null}
        onChange={value => change({ state: value ?? undefined })}
      />
      <SupplierFilter className={classes.supplier} choices={suppliers} value={wanted.supplier} change={change} />
      <SeriesFilter className={classes.supplier} value={wanted.series} change={change} />
      <DueFilter className={classes.status} value={wanted.due} change={change} />
    </search>
  )
}

function NoAgreements() {
  const { slug, canEdit, role } = useWorkspace()
  if (!canEdit)
    return (
      <Empty title={role === 'supplier' ? 'No agreement names you or your party yet' : 'No agreements yet'}>
        An agreement says how a price follows its indices. An owner or editor of this workspace writes it; you see it as
        soon as it is {role === 'supplier' ? 'in force and names you or your party' : 'saved'}.
      </Empty>
    )
  return (
    <Empty
      title="Write the first agreement"
      action={
        <>
          <LinkButton to="/w/$ws/agreements/new" params={{ ws: slug }} variant="filled">
            Start from a template
          </LinkButton>
          <LinkButton to="/w/$ws/series" params={{ ws: slug }}>
            Look at the series first
          </LinkButton>
        </>
      }
    >
      An agreement says how a price follows its indices: their weights, the dates on which they are read, and the limits
      of a change. There are templates for the usual clauses, from one consumer price index with a cap to weighted
      materials, fuel tables and the French 0.15 + 0.85.
    </Empty>
  )
}
