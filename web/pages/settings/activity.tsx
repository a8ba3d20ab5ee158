// Activity: each act with the person, the time and the address, filtered by the page's address; and whether the hash chains over
// everything that was published and signed are still valid.

import { Button, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDate } from '../../../src/core/text/words.ts'
import type { ActivityPage, ActivityTarget, ChainReport } from '../../../src/views/shapes/settings.ts'
import { api } from '../../api.ts'
import { useRequest } from '../../components/dialog/use-request.ts'
import { State } from '../../components/figures/figures.tsx'
import { DayInput } from '../../components/inputs/day-input.tsx'
import { type AddressTexts, useAddress } from '../../components/page/address.ts'
import { TextLink } from '../../components/page/links.tsx'
import { Empty, LoadingRows, Section, Trouble } from '../../components/page/page.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import { ExportMenu } from '../../components/table/export-menu.tsx'
import type { Sheet } from '../../components/table/save-file.ts'
import { countOf, formatHash, formatInstant, sentenceCase } from '../../components/words/words.ts'
import { useWorkspace } from '../../session.ts'
import { formatSubject } from './activity-words.ts'
import classes from './settings.module.css'

type ActivityRow = ActivityPage['rows'][number]

function filterOf({ who, q, from, to }: AddressTexts) {
  return { who, q, from, to }
}

export function Activity() {
  const { slug, path } = useWorkspace()
  const [texts, change] = useAddress()
  const filter = filterOf(texts)
  const isNarrowed = Object.values(filter).some(text => text !== undefined && text !== '')
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['w', slug, 'activity', filter],
    queryFn: ({ pageParam, signal }) =>
      api.get(path('/activity', { ...filter, before: pageParam ?? undefined }), signal),
    initialPageParam: null as string | null,
    getNextPageParam: page => page.next,
    placeholderData: before => before,
  })
  const rows = data?.pages.flatMap(page => page.rows) ?? []
  return (
    <>
      <Chains />
      <Section
        title="Activity"
        actions={<ExportMenu fileName={`${slug}-activity`} sheet={() => wholeSheet()} isEmpty={rows.length === 0} />}
      >
        <Filters texts={filter} change={change} />
        {error !== null && <Trouble error={error} retry={() => void refetch()} />}
        {isPending && <LoadingRows />}
        {data !== undefined && rows.length === 0 && (
          <Empty title={isNarrowed ? 'No activity matches' : 'No activity yet'}>
            {isNarrowed
              ? 'No entry matches these words, this person and these days. Remove a filter to see more.'
              : 'The actions of people and programs in this workspace are listed here.'}
          </Empty>
        )}
        {rows.length > 0 && <ActivityTable rows={rows} />}
        {hasNextPage && (
          <Button variant="default" mt={16} loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Earlier
          </Button>
        )}
      </Section>
    </>
  )

  /** Sheet of everything, not only the rows on the screen, in few requests. */
  async function wholeSheet(): Promise<Sheet> {
    const all: ActivityRow[] = []
    for (let before: string | undefined; all.length < mostExported; ) {
      const page: ActivityPage = await api.get(path('/activity', { ...filter, before, limit: 1_000 }))
      all.push(...page.rows)
      if (page.next === null) break
      before = page.next
    }
    return sheetOf(all, slug)
  }
}

const mostExported = 20_000

function sheetOf(rows: readonly ActivityRow[], workspace: string): Sheet {
  return {
    name: 'Activity',
    title: [
      `Activity, ${workspace}`,
      `${countOf(rows.length, 'entry', 'entries')}, as of ${formatDate(new Date().toISOString())}`,
    ],
    head: ['day', 'at (UTC)', 'who', 'what', 'of what', 'from'],
    rows: rows.map(({ at, who, what, subject, fromAddress }) => [
      { day: at.slice(0, 10) },
      at.slice(11, 19),
      who,
      what,
      subject,
      fromAddress ?? 'command line',
    ]),
  }
}

interface FiltersProps {
  readonly texts: ReturnType<typeof filterOf>
  readonly change: ReturnType<typeof useAddress>[1]
}

function Filters({ texts: { who, q, from, to }, change }: FiltersProps) {
  return (
    <div className={classes.filters}>
      <TextInput
        aria-label="Action or subject"
        placeholder="Action or subject"
        value={q ?? ''}
        onChange={event => change({ q: event.currentTarget.value || undefined }, 'soon')}
      />
      <TextInput
        aria-label="Person"
        placeholder="Person"
        value={who ?? ''}
        onChange={event => change({ who: event.currentTarget.value || undefined }, 'soon')}
      />
      <DayInput
        label="From the day"
        placeholder="From 1 Apr 2024"
        value={from ?? ''}
        onDay={day => change({ from: day || undefined })}
      />
      <DayInput
        label="To the day"
        placeholder="To 1 Apr 2024"
        value={to ?? ''}
        onDay={day => change({ to: day || undefined })}
      />
    </div>
  )
}

function ActivityTable({ rows }: { readonly rows: readonly ActivityRow[] }) {
  return (
    <DataTable
      label="Activity"
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          head: 'When',
          narrow: ({ at }) => <span className="soft figures">{formatInstant(at)}</span>,
          className: 'figures',
          cell: ({ at }) => formatInstant(at),
        },
        { head: 'Who', narrow: ({ who }) => <span className="soft">{who}</span>, cell: ({ who }) => who },
        { head: 'Action', cell: ({ what }) => what },
        {
          head: 'Subject',
          className: classes.subject,
          cell: ({ subject, target }) => <Subject words={formatSubject(subject, target)} target={target} />,
        },
        {
          head: 'From',
          narrow: 'drop',
          className: 'mono soft figures',
          cell: ({ fromAddress }) => fromAddress ?? 'command line',
        },
      ]}
    />
  )
}

function Subject({ words, target }: { readonly words: string; readonly target: ActivityTarget | null }) {
  const { slug: ws, canEdit, canManage } = useWorkspace()
  switch (target?.kind) {
    case 'agreement': {
      const { slug, period } = target
      if (period === null)
        return (
          <TextLink to="/w/$ws/agreements/$slug" params={{ ws, slug }}>
            {words}
          </TextLink>
        )
      return (
        <TextLink to="/w/$ws/agreements/$slug/periods/$period" params={{ ws, slug, period }}>
          {words}
        </TextLink>
      )
    }
    case 'series':
      return (
        <TextLink to="/w/$ws/series/$id" params={{ ws, id: target.id }}>
          {words}
        </TextLink>
      )
    case 'settings':
      if ((target.part === 'people' && !canManage) || (target.part === 'keys' && !canEdit)) return words
      return (
        <TextLink to="/w/$ws/settings/$part" params={{ ws, part: target.part }}>
          {words}
        </TextLink>
      )
    default:
      return words
  }
}

function Chains() {
  const { path } = useWorkspace()
  const [report, setReport] = useState<ChainReport | null>(null)
  const { error, isPending, ask } = useRequest()
  const verify = () => ask(async () => setReport(await api.post(path('/chain/verify'), {})))
  return (
    <Section
      title="Has history been edited?"
      actions={
        <Button variant="default" size="xs" loading={isPending} onClick={() => void verify()}>
          Verify the log
        </Button>
      }
    >
      <p className="soft prose">
        Every publication and every signature is in a tree of hashes that only the server can seal. The check shows that
        no entry was changed afterwards.
      </p>
      {error !== null && <Trouble error={error} />}
      <div aria-live="polite">
        {report?.chains.map(({ scope, publications, isWhole, problem, root }) => (
          <div key={scope} className={classes.line}>
            <State kind={isWhole ? 'good' : 'trouble'}>
              {scope === 'workspace' ? 'This workspace' : 'Public series'}:{' '}
              {isWhole ? `unchanged, ${countOf(publications, 'publication')}` : sentenceCase(problem ?? 'broken')}
            </State>
            {root !== null && <span className="mono soft">tree {formatHash(root)}</span>}
          </div>
        ))}
      </div>
    </Section>
  )
}
