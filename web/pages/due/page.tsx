// Due: the day on which each adjustment can be proposed, the figures it waits for, and the late ones. A timeline of releases
// above, one row for each adjustment date below.

import { Button, Select, TextInput } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDate } from '../../../src/core/text/words.ts'
import type { DueState, DuePage as DueView } from '../../../src/views/shapes/due.ts'
import { api } from '../../api.ts'
import { whilePending } from '../../components/agreements/queries.ts'
import { SeriesFilter } from '../../components/inputs/list-filters.tsx'
import { SupplierFilter } from '../../components/inputs/supplier-filter.tsx'
import { type AddressTexts, type ChangeAddress, useAddress } from '../../components/page/address.ts'
import { IconDue, IconSearch } from '../../components/page/icons.tsx'
import { LinkButton } from '../../components/page/links.tsx'
import { Empty, Filtered, LoadingPage, PageHead, Pending, Section, Trouble } from '../../components/page/page.tsx'
import { countOf, formatCount } from '../../components/words/words.ts'
import { useWorkspace } from '../../session.ts'
import { Alarms } from './alarms.tsx'
import classes from './due.module.css'
import { DueTable } from './due-table.tsx'
import { SubscribeDialog } from './subscribe.tsx'
import { Timeline } from './timeline.tsx'
import { states, stateWords } from './words.ts'

const spans = [
  { value: '30', label: 'The next 30 days' },
  { value: '90', label: 'The next 90 days' },
  { value: '365', label: 'The next 12 months' },
]

export function DuePage() {
  const { slug, path } = useWorkspace()
  const [texts, change] = useAddress()
  const wanted = readWanted(texts)
  const [isSubscribing, setSubscribing] = useState(false)
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['w', slug, 'due-dates', wanted],
    queryFn: ({ signal }) => api.get(path('/due', wanted), signal),
    refetchInterval: ({ state }) => whilePending(state.data) || 60_000,
    placeholderData: keepPreviousData,
  })
  if (error !== null && data === undefined) return <Trouble error={error} retry={() => void refetch()} />
  if (data === undefined) return <LoadingPage />
  const isNarrowed = [wanted.q, wanted.supplier, wanted.series, wanted.state].some(each => each !== undefined)
  const isEmpty = Object.values(data.counts).every(count => count === 0) && !isNarrowed
  return (
    <>
      <PageHead
        title="Due"
        under={!isPlaceholderData && <Under due={data} />}
        actions={
          <Button variant="default" size="xs" leftSection={<IconDue />} onClick={() => setSubscribing(true)}>
            Subscribe
          </Button>
        }
      />
      <Pending count={data.pending} />
      <Alarms alarms={data.alarms} />
      {isEmpty ? (
        data.pending === 0 && <NothingDue until={data.until} />
      ) : (
        <>
          <Section title="Figures that adjustments wait for">
            <Filtered isOfBefore={isPlaceholderData}>
              <Timeline due={data} />
            </Filtered>
          </Section>
          <Section title="Adjustment dates">
            <Filters due={data} texts={texts} change={change} />
            <Filtered isOfBefore={isPlaceholderData}>
              <Rows due={data} wanted={wanted} isNarrowed={isNarrowed} />
            </Filtered>
          </Section>
        </>
      )}
      {isSubscribing && <SubscribeDialog close={() => setSubscribing(false)} />}
    </>
  )
}

type DueFilters = ReturnType<typeof readWanted>

function readWanted({ q, supplier, series, state, days }: AddressTexts) {
  return {
    q: q || undefined,
    supplier: supplier || undefined,
    series: series || undefined,
    state: states.find(each => each === state),
    days: spans.some(({ value }) => value === days) ? Number(days) : undefined,
  }
}

function Under({ due: { counts, until, pending } }: { readonly due: DueView }) {
  const parts = states.filter(state => counts[state] > 0 && state !== 'SCHEDULED')
  const scheduled = counts.SCHEDULED
  if (parts.length === 0 && scheduled === 0) return pending > 0 ? null : <>Nothing is due until {formatDate(until)}.</>
  const words = parts.map(state => `${formatCount(counts[state])} ${stateWords[state].words.toLowerCase()}`)
  return (
    <>
      Adjustment dates until {formatDate(until)}:{' '}
      {[...words, ...(scheduled > 0 ? [`${formatCount(scheduled)} scheduled`] : [])].join(', ')}.
    </>
  )
}

function NothingDue({ until }: { readonly until: string }) {
  const { slug: ws } = useWorkspace()
  return (
    <Empty
      title={`No adjustment date is open, and none comes until ${formatDate(until)}`}
      action={
        <LinkButton to="/w/$ws/agreements" params={{ ws }}>
          To the agreements
        </LinkButton>
      }
    >
      Every adjustment date of an active agreement appears here, with the figures it waits for and the day they are
      expected.
    </Empty>
  )
}

interface FiltersProps {
  readonly due: DueView
  readonly texts: AddressTexts
  readonly change: ChangeAddress
}

function Filters({ due: { counts, suppliers }, texts, change }: FiltersProps) {
  return (
    <search className={classes.filters}>
      <TextInput
        className={classes.query ?? ''}
        aria-label="Search adjustment dates"
        placeholder="Name or slug of an agreement"
        leftSection={<IconSearch />}
        value={texts.q ?? ''}
        onChange={event => change({ q: event.currentTarget.value || undefined }, 'soon')}
      />
      <Select
        className={classes.filter ?? ''}
        aria-label="State"
        placeholder="Every state"
        clearable
        data={states.map(value => ({ value, label: `${stateWords[value].words} (${formatCount(counts[value])})` }))}
        value={states.find(each => each === texts.state) ?? null}
        onChange={chosen => change({ state: (chosen as DueState | null) ?? undefined })}
      />
      <SupplierFilter choices={suppliers} value={texts.supplier} change={change} className={classes.filter} />
      <SeriesFilter value={texts.series} change={change} className={classes.filter} />
      <Select
        className={classes.span ?? ''}
        aria-label="How far ahead"
        data={spans}
        allowDeselect={false}
        value={spans.find(({ value }) => value === texts.days)?.value ?? '90'}
        onChange={chosen => change({ days: chosen === '90' ? undefined : (chosen ?? undefined) })}
      />
    </search>
  )
}

interface RowsProps {
  readonly due: DueView
  readonly wanted: DueFilters
  readonly isNarrowed: boolean
}

function Rows({ due, wanted, isNarrowed }: RowsProps) {
  const { slug, path } = useWorkspace()
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['w', slug, 'due-dates', wanted, 'rows', due.rows.length],
    queryFn: ({ signal, pageParam: from }) => api.get(path('/due/rows', { ...wanted, from }), signal),
    initialPageParam: due.rows.length,
    getNextPageParam: ({ rows, count }, _pages, from) =>
      rows.length > 0 && from + rows.length < count ? from + rows.length : undefined,
    enabled: false,
  })
  const more = data?.pages.flatMap(({ rows }) => rows) ?? []
  const rows = [...due.rows, ...more]
  const isMore = data === undefined ? rows.length < due.count : hasNextPage
  return (
    <>
      {rows.length === 0 ? (
        <p className="soft">
          {isNarrowed ? 'No adjustment date matches. Try removing a filter.' : 'No adjustment date is open.'}
        </p>
      ) : (
        <DueTable rows={rows} />
      )}
      {error !== null && <Trouble error={error} />}
      {isMore && (
        <Button variant="default" size="xs" mt={8} loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more, {formatCount(rows.length)} of {formatCount(due.count)}
        </Button>
      )}
      {due.leftOut > 0 && (
        <p className="soft">
          {countOf(due.leftOut, 'agreement')} {due.leftOut === 1 ? 'takes' : 'take'} too long to compute here; open{' '}
          {due.leftOut === 1 ? 'it' : 'them'} to see the dates.
        </p>
      )}
    </>
  )
}
