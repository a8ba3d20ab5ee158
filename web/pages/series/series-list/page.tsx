// All series of the workspace: searchable, filterable, sortable, and downloadable as a file.
import { Anchor, Checkbox, Select, TextInput } from '@mantine/core'
import { useDeferredValue, useMemo } from 'react'
import { type Frequency, rankOf } from '../../../../src/core/time/period.ts'
import { type ChangeAddress, useAddress } from '../../../components/page/address.ts'
import { CopyAsCurl, CopyButton } from '../../../components/page/copy.tsx'
import { IconPlus, IconSearch } from '../../../components/page/icons.tsx'
import { LinkButton } from '../../../components/page/links.tsx'
import { Empty, LoadingRows, PageHead, Trouble } from '../../../components/page/page.tsx'
import { ExportMenu } from '../../../components/table/export-menu.tsx'
import { sourceKey } from '../../../components/words/provider-words.ts'
import { countOf, formatFrequency, sentenceCase } from '../../../components/words/words.ts'
import { useProviderNames, useRead, useWorkspace } from '../../../session.ts'
import classes from './list.module.css'
import {
  chooseRows,
  formatOrder,
  isTroubled,
  type ListFilter,
  type ListRow,
  listSheet,
  readOrder,
  readRows,
} from './rows.ts'
import { ListTable } from './table.tsx'

export function SeriesListPage() {
  const { slug, canEdit } = useWorkspace()
  const list = useRead('/series')
  const names = useProviderNames()
  const rows = useMemo(() => readRows(list.data ?? [], names), [list.data, names])
  const params = { ws: slug }
  const isEmpty = list.data?.length === 0
  return (
    <>
      <PageHead
        title="Series"
        under="Indices, prices, rates and wages, each with every value that was ever published for it."
        actions={
          canEdit && !isEmpty ? (
            <>
              <LinkButton to="/w/$ws/series/upload" params={params} size="xs">
                Upload figures
              </LinkButton>
              <LinkButton
                to="/w/$ws/series/follow"
                params={params}
                size="xs"
                variant="filled"
                leftSection={<IconPlus />}
              >
                Follow a series
              </LinkButton>
            </>
          ) : undefined
        }
      />
      {list.isPending && <LoadingRows rows={12} />}
      {list.isError && <Trouble error={list.error} retry={() => void list.refetch()} />}
      {isEmpty && <NoSeries />}
      {rows.length > 0 && <List rows={rows} slug={slug} />}
    </>
  )
}

function List({ rows, slug }: { readonly rows: readonly ListRow[]; readonly slug: string }) {
  const [address, change] = useAddress()
  const text = useDeferredValue(address.q ?? '')
  const { source = null, frequency = null, trouble, sort } = address
  const filter = useMemo<ListFilter>(
    () => ({ text, source, frequency, isTroubled: trouble !== undefined, order: readOrder(sort) }),
    [text, source, frequency, trouble, sort],
  )
  const shown = useMemo(() => chooseRows(rows, filter), [rows, filter])
  return (
    <>
      <Tools rows={rows} shown={shown} filter={filter} typed={address.q ?? ''} change={change} />
      {shown.length === 0 ? (
        <Empty title="No series matches">
          None of the {countOf(rows.length, 'series', 'series')} matches these words and filters.{' '}
          <Anchor
            component="button"
            type="button"
            inherit
            onClick={() => change({ q: undefined, source: undefined, frequency: undefined, trouble: undefined })}
          >
            Show all
          </Anchor>
        </Empty>
      ) : (
        <ListTable
          rows={shown}
          slug={slug}
          order={filter.order}
          setOrder={order => change({ sort: formatOrder(order) })}
        />
      )}
    </>
  )
}

interface ToolsProps {
  readonly rows: readonly ListRow[]
  readonly shown: readonly ListRow[]
  readonly filter: ListFilter
  readonly typed: string
  readonly change: ChangeAddress
}

function Tools({ rows, shown, filter, typed, change }: ToolsProps) {
  const sources = useMemo(
    () =>
      [...new Map(rows.map(row => [sourceKey(row), row.sourceName]))]
        .map(([value, label]) => ({ value, label }))
        .sort((a, b) => (a.label < b.label ? -1 : 1)),
    [rows],
  )
  const frequencies = useMemo(
    () =>
      [...new Set(rows.map(({ frequency }) => frequency))]
        .sort((a: Frequency, b: Frequency) => rankOf(a) - rankOf(b))
        .map(value => ({ value, label: sentenceCase(formatFrequency(value)) })),
    [rows],
  )
  const troubled = useMemo(() => rows.filter(isTroubled).length, [rows])
  return (
    <div className={classes.tools}>
      <TextInput
        className={classes.search}
        type="search"
        aria-label="Search name and code"
        placeholder="Search name and code"
        leftSection={<IconSearch />}
        value={typed}
        onChange={event => change({ q: event.currentTarget.value || undefined }, 'soon')}
      />
      <Select
        className={classes.choice}
        aria-label="Source"
        placeholder="All sources"
        data={sources}
        value={filter.source}
        onChange={value => change({ source: value ?? undefined })}
        clearable
      />
      <Select
        className={classes.choice}
        aria-label="Frequency"
        placeholder="All frequencies"
        data={frequencies}
        value={filter.frequency}
        onChange={value => change({ frequency: value ?? undefined })}
        clearable
      />
      <Checkbox
        label={`In trouble (${troubled})`}
        checked={filter.isTroubled}
        disabled={troubled === 0 && !filter.isTroubled}
        onChange={event => change({ trouble: event.currentTarget.checked ? '1' : undefined })}
      />
      <span className={classes.count} aria-live="polite">
        {shown.length === rows.length
          ? countOf(rows.length, 'series', 'series')
          : `${shown.length} of ${countOf(rows.length, 'series', 'series')}`}
      </span>
      <CopyAsCurl path="/series?limit=200" />
      <ExportMenu fileName="series" sheet={() => listSheet(shown)} isEmpty={shown.length === 0} />
    </div>
  )
}

function NoSeries() {
  const { slug, canEdit, role } = useWorkspace()
  const params = { ws: slug }
  const command = `assize import figures.csv --workspace ${slug}`
  if (!canEdit)
    return (
      <Empty title="No series yet">
        {role === 'supplier'
          ? 'The series that your agreements read are listed here, with every value as it was published.'
          : 'Owners and editors of the workspace follow series and upload figures; they are listed here.'}
      </Empty>
    )
  return (
    <>
      <Empty title="No series yet">An agreement reads series. There are three ways to begin.</Empty>
      <ul className={classes.ways}>
        <li>
          <h2>Follow a published one</h2>
          <p>Fifteen statistical offices and banks are read for you, every revision kept with its day.</p>
          <LinkButton to="/w/$ws/series/follow" params={params} variant="filled">
            Find a series
          </LinkButton>
        </li>
        <li>
          <h2>Upload your own figures</h2>
          <p>A table as CSV, XLSX or JSON. You see what it would change before anything is imported.</p>
          <LinkButton to="/w/$ws/series/upload" params={params}>
            Choose a file
          </LinkButton>
        </li>
        <li>
          <h2>Import with the command line</h2>
          <p>For large files and for scripts that run each month.</p>
          <code className={`mono ${classes.command}`}>{command}</code>
          <CopyButton text={command} />
        </li>
      </ul>
    </>
  )
}
