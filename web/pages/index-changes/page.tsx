// Index changes: known and suspected changes of the agreements' indices, the proposals because of them, and the agreed ones.

import { Button } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDate } from '../../../src/core/text/words.ts'
import { changeWords } from '../../../src/core/true-up/change-kinds.ts'
import type { IndexChanges, TermsChangeRow } from '../../../src/views/shapes/index-changes.ts'
import { api } from '../../api.ts'
import { State } from '../../components/figures/figures.tsx'
import { agreementColumn } from '../../components/index-changes/agreement-column.tsx'
import { ProposeSplice } from '../../components/index-changes/propose-splice.tsx'
import { indexChangesQuery } from '../../components/index-changes/queries.ts'
import { LinkButton } from '../../components/page/links.tsx'
import { Empty, LoadingPage, LoadingRows, PageHead, Pending, Section, Trouble } from '../../components/page/page.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import { countOf, formatInstant } from '../../components/words/words.ts'
import { useWorkspace } from '../../session.ts'
import { IndexTable } from './index-table.tsx'
import { OpenChanges } from './open-changes.tsx'

export function IndexChangesPage() {
  const workspace = useWorkspace()
  const { data, error, refetch } = useQuery(indexChangesQuery(workspace))
  const [proposing, setProposing] = useState<string | null>(null)
  if (data === undefined)
    return error === null ? <LoadingPage /> : <Trouble error={error} retry={() => void refetch()} />
  return (
    <>
      <PageHead title="Index changes" under={<Under changes={data} />} />
      <Pending count={data.pending} />
      {data.agreements === 0 ? (
        <NoAgreements />
      ) : (
        <>
          {data.mine.length > 0 && (
            <Section title="Waiting for your signature">
              <OpenChanges rows={data.mine} names={data.names} isMine />
            </Section>
          )}
          <Section title="Published and suspected changes">
            <IndexTable changes={data} propose={setProposing} />
          </Section>
          {data.others.length > 0 && (
            <Section title="Waiting for others">
              <OpenChanges rows={data.others} names={data.names} isMine={false} />
            </Section>
          )}
          <Section title="Agreed">
            <Agreed />
          </Section>
        </>
      )}
      {proposing !== null && <ProposeSplice seriesId={proposing} close={() => setProposing(null)} />}
    </>
  )
}

function Under({ changes: { indices, mine, others, agreements, pending } }: { readonly changes: IndexChanges }) {
  if (agreements === 0) return null
  const waiting = (count: number) => `${countOf(count, 'change')} of terms ${count === 1 ? 'waits' : 'wait'}`
  const parts = [
    ...(mine.length > 0 ? [`${waiting(mine.length)} for you`] : []),
    ...(others.length > 0
      ? [mine.length > 0 ? `${others.length} for others` : `${waiting(others.length)} for others`]
      : []),
    ...(indices.length > 0
      ? [`changes of ${countOf(indices.length, 'index', 'indices')} of your agreements are published or suspected`]
      : []),
  ]
  if (parts.length > 0) return <>{`${parts.join('; ').replace(/^./, letter => letter.toUpperCase())}.`}</>
  return pending > 0 ? null : <>No change of an index of your agreements is published or suspected.</>
}

function NoAgreements() {
  const { slug: ws, role } = useWorkspace()
  return (
    <Empty
      title={role === 'supplier' ? 'No agreement names you or your party yet' : 'There is no agreement yet'}
      action={
        <LinkButton to="/w/$ws/agreements" params={{ ws }}>
          To the agreements
        </LinkButton>
      }
    >
      When an index that an agreement reads ends, moves to another base or is replaced, it appears here, and both sides
      sign its successor.
    </Empty>
  )
}

function Agreed() {
  const { slug: ws, path } = useWorkspace()
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['w', ws, 'terms-changes', 'AGREED'],
    queryFn: ({ signal, pageParam: before }) =>
      api.get(path('/terms-changes', { state: 'AGREED', ...(before === 0 ? {} : { before }) }), signal),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next ?? undefined,
  })
  if (error !== null) return <Trouble error={error} />
  if (data === undefined) return <LoadingRows rows={3} />
  const rows = data.pages.flatMap(page => page.rows)
  if (rows.length === 0 && !hasNextPage) return <p className="soft">No change of terms has been agreed yet.</p>
  return (
    <>
      <AgreedTable rows={rows} />
      {hasNextPage && (
        <Button variant="default" size="xs" mt={8} loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </>
  )
}

function AgreedTable({ rows }: { readonly rows: readonly TermsChangeRow[] }) {
  const { slug: ws } = useWorkspace()
  return (
    <DataTable
      label="Agreed"
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        agreementColumn(ws),
        {
          head: 'Change',
          narrow: 'line',
          cell: ({ kind, series }) =>
            kind === 'SPLICE' ? <span className="mono">{series.join(' → ')}</span> : changeWords[kind],
        },
        { head: 'From', narrow: 'label', className: 'figures', cell: ({ effectiveFrom }) => formatDate(effectiveFrom) },
        {
          head: 'State',
          narrow: 'line',
          cell: ({ version, proposedAt }) => (
            <>
              <State kind="good">signed by both</State>
              <span className="under">
                {version === null ? `proposed ${formatInstant(proposedAt)}` : `version ${version}`}
              </span>
            </>
          ),
        },
      ]}
    />
  )
}
