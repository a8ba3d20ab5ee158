// Inbox: signatures that wait for this person, then those that wait for others, then finished ones. A row opens beside the list;
// everything that a filter shows can be selected and signed at once.

import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { InboxState } from '../../../../src/views/shapes/inbox.ts'
import { readMonth } from '../../../components/inputs/list-filters.tsx'
import { useAddress } from '../../../components/page/address.ts'
import { LinkButton } from '../../../components/page/links.tsx'
import { Empty, LoadingRows, PageHead, Section, Trouble } from '../../../components/page/page.tsx'
import { ExportMenu } from '../../../components/table/export-menu.tsx'
import { turned } from '../../../components/table/use-opened.ts'
import { useWorkspace } from '../../../session.ts'
import { Filters, readState } from './filters.tsx'
import { InboxList } from './inbox-list.tsx'
import { useInbox, useRecentlySigned, type WholeInbox } from './inbox-queries.ts'
import { inboxSheet } from './inbox-sheet.ts'
import { type InboxLine, InboxTable, type RowSort } from './inbox-table.tsx'
import { RecentTable } from './recent-table.tsx'
import { sortRows } from './row-order.ts'
import { keyOfRow, nothingSelected, type Selection } from './selection.ts'
import { formatTally } from './state-words.ts'

export function SignOffsPage() {
  const workspace = useWorkspace()
  const [{ q, supplier, series, due, state, sort: order }, change] = useAddress()
  const wanted = { q, supplier, series, due: readMonth(due), state: readState(state) as InboxState | undefined }
  const { data, error, refetch, isPlaceholderData } = useInbox(wanted)
  const recent = useRecentlySigned(wanted)
  const sort = { order, change: (to: string | undefined) => change({ sort: to }) }
  const shown = isPlaceholderData ? undefined : data
  const mine = useMemo(() => sortRows(shown?.mine ?? [], order), [shown, order])
  const others = useMemo(() => sortRows(shown?.others ?? [], order), [shown, order])
  const [selection, setSelection] = useState<Selection>(nothingSelected)
  const isNarrowed = Object.values(wanted).some(each => each !== undefined && each !== '')
  const waits = (data?.mine.length ?? 0) + (data?.others.length ?? 0)
  const isEmpty = waits === 0 && recent.data?.rows.length === 0 && data?.pending === 0
  return (
    <>
      <PageHead
        title="Sign-offs"
        under={shown !== undefined && <Under inbox={shown} isSorted={order !== undefined} />}
        actions={
          data !== undefined &&
          !isEmpty && (
            <ExportMenu
              fileName={`${workspace.slug}-sign-offs`}
              isEmpty={waits === 0}
              sheet={() => inboxSheet([...mine, ...others], workspace)}
            />
          )
        }
      />
      {error !== null && <Trouble error={error} retry={() => void refetch()} />}
      {data !== undefined && (isNarrowed || !isEmpty) && (
        <Filters wanted={wanted} suppliers={data.suppliers} change={change} />
      )}
      {data !== undefined && (
        <InboxList
          rows={mine}
          isComplete={shown?.pending === 0}
          sort={sort}
          isAll={!isNarrowed && shown?.pending === 0}
          kept={selection}
          setKept={setSelection}
        />
      )}
      {shown === undefined || (shown.pending > 0 && waits === 0) ? (
        error === null && <LoadingRows />
      ) : isEmpty ? (
        <NothingHere isNarrowed={isNarrowed} ws={workspace.slug} />
      ) : (
        others.length > 0 && (
          <Section title="Waiting for others">
            <Others rows={others} sort={sort} />
          </Section>
        )
      )}
      {recent.data !== undefined && recent.data.rows.length > 0 && !recent.isPlaceholderData && (
        <Section title="Recently signed by both">
          <RecentTable rows={recent.data.rows} />
        </Section>
      )}
    </>
  )
}

/** Line under the heading. Rows that are still being computed are told as such: a count is no total before it is known. */
function Under({ inbox: { counts, pending }, isSorted }: { readonly inbox: WholeInbox; readonly isSorted: boolean }) {
  const tally = formatTally(counts.mine)
  const isKnown = pending === 0
  const others = formatTally(counts.others, 'for others')
  const words =
    tally === null
      ? isKnown
        ? `Nothing waits for your signature.${others === null ? '' : ` ${others}.`}`
        : null
      : `${tally}${isSorted ? '' : ', the oldest first'}.`
  return (
    <span aria-live="polite" className={isKnown ? undefined : 'soft'} data-is-known={isKnown}>
      {words}
      {!isKnown && ' Updating …'}
    </span>
  )
}

function NothingHere({ isNarrowed, ws }: { readonly isNarrowed: boolean; readonly ws: string }) {
  if (isNarrowed) return <Empty title="No sign-off matches">Try removing a filter.</Empty>
  return (
    <Empty
      title="There is nothing to sign yet"
      action={
        <LinkButton to="/w/$ws/agreements" params={{ ws }}>
          To the agreements
        </LinkButton>
      }
    >
      As soon as an active agreement has a number for a period, buyer and supplier each sign it here. A number that both
      have signed is fixed.
    </Empty>
  )
}

function Others({ rows, sort }: { readonly rows: WholeInbox['others']; readonly sort: RowSort }) {
  const { slug: ws } = useWorkspace()
  const navigate = useNavigate()
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set())
  // Nothing can be signed here, so there is no panel: the page of the proposal has it all.
  const open = ({ row }: InboxLine) =>
    void (row.kind === 'correction'
      ? navigate({ to: '/w/$ws/corrections/$id', params: { ws, id: row.id } })
      : row.kind === 'change'
        ? navigate({ to: '/w/$ws/index-changes/$id', params: { ws, id: row.id } })
        : navigate({ to: '/w/$ws/agreements/$slug', params: { ws, slug: row.slug } }))
  return (
    <InboxTable
      label="Waiting for others"
      rows={rows}
      expanded={expanded}
      selection={nothingSelected}
      actions={{ open, expand: row => setExpanded(turned(expanded, keyOfRow(row))), select: null }}
      sort={sort}
    />
  )
}
