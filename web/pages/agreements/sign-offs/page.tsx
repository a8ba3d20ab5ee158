// What waits for a signature: first from this person, then from others, then what is done.
import { Button, Checkbox, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { SignOffs, WaitingRow } from '../../../../src/views/shapes/agreements.ts'
import {
  fetchWaiting,
  type SignOffsWanted,
  useSignOffs,
  useWaitingRest,
} from '../../../components/agreements/queries.ts'
import { DueFilter, readMonth, SeriesFilter } from '../../../components/inputs/list-filters.tsx'
import { SupplierFilter } from '../../../components/inputs/supplier-filter.tsx'
import { type ChangeAddress, useAddress } from '../../../components/page/address.ts'
import { IconSearch } from '../../../components/page/icons.tsx'
import { LinkButton } from '../../../components/page/links.tsx'
import { Empty, LoadingRows, PageHead, Pending, Section, Trouble } from '../../../components/page/page.tsx'
import { ExportMenu } from '../../../components/table/export-menu.tsx'
import { countOf } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'
import { agreementsOf, foldZeros, type Picked, pickAll, togglePick } from './picking.ts'
import { SignManyDialog } from './sign-many-dialog.tsx'
import { SignOffTable, waitingSheet } from './sign-off-table.tsx'
import classes from './sign-offs.module.css'

export function SignOffsPage() {
  const workspace = useWorkspace()
  const { slug: ws } = workspace
  const [{ q, supplier, series, due }, change] = useAddress()
  const wanted = { q, supplier, series, due: readMonth(due) }
  const { data, error, refetch } = useSignOffs(wanted)
  const isNarrowed = Object.values(wanted).some(each => each !== undefined && each !== '')
  const isEmpty = data !== undefined && data.mine.length + data.others.length + data.recent.length === 0
  const under =
    data === undefined
      ? undefined
      : data.mineCount === 0
        ? 'Nothing waits for you.'
        : `${countOf(data.mineCount, 'adjustment')} ${data.mineCount === 1 ? 'waits' : 'wait'} for you, the oldest first.`
  return (
    <>
      <PageHead
        title="Sign-offs"
        under={under}
        actions={
          data !== undefined &&
          !isEmpty && (
            <ExportMenu
              fileName={`${ws}-sign-offs`}
              isEmpty={data.mineCount + data.othersCount === 0}
              sheet={async () => {
                const sides = (['mine', 'others'] as const).map(side => fetchWaiting(workspace, wanted, side, 0))
                return waitingSheet((await Promise.all(sides)).flat(), workspace)
              }}
            />
          )
        }
      />
      {error !== null && <Trouble error={error} retry={() => void refetch()} />}
      <Pending count={data?.pending ?? 0} />
      {data !== undefined && (isNarrowed || !isEmpty) && (
        <Filters wanted={wanted} suppliers={data.suppliers} change={change} />
      )}
      {data === undefined ? (
        error === null && <LoadingRows />
      ) : data.pending > 0 && data.mine.length + data.others.length === 0 ? (
        <LoadingRows />
      ) : isEmpty && isNarrowed ? (
        <Empty title="No matching periods are signed or wait for a signature">Try removing a filter.</Empty>
      ) : isEmpty ? (
        <Empty
          title="There is nothing to sign yet"
          action={
            <LinkButton to="/w/$ws/agreements" params={{ ws }}>
              To the agreements
            </LinkButton>
          }
        >
          As soon as an active agreement has a number for a period, buyer and supplier each sign it here. What both have
          signed is fixed.
        </Empty>
      ) : (
        <>
          {data.mine.length > 0 && (
            <Section title="Waits for you">
              <Mine first={data.mine} count={data.mineCount} wanted={wanted} />
            </Section>
          )}
          {data.others.length > 0 && (
            <Section title="Waits for others">
              <Others first={data.others} count={data.othersCount} wanted={wanted} />
            </Section>
          )}
          {data.recent.length > 0 && (
            <Section title="Recently signed by both">
              <SignOffTable label="Recently signed" rows={data.recent.map(row => ({ row, folded: [] }))} />
            </Section>
          )}
        </>
      )}
    </>
  )
}

interface FiltersProps {
  readonly wanted: SignOffsWanted
  readonly suppliers: SignOffs['suppliers']
  readonly change: ChangeAddress
}

function Filters({ wanted, suppliers, change }: FiltersProps) {
  return (
    <search className={classes.filters}>
      <TextInput
        className={classes.query ?? ''}
        aria-label="Search sign-offs"
        placeholder="Name or slug of an agreement"
        leftSection={<IconSearch />}
        value={wanted.q ?? ''}
        onChange={event => change({ q: event.currentTarget.value || undefined }, 'soon')}
      />
      <SupplierFilter className={classes.filter} choices={suppliers} value={wanted.supplier} change={change} />
      <SeriesFilter className={classes.filter} value={wanted.series} change={change} />
      <DueFilter className={classes.filter} value={wanted.due} change={change} />
    </search>
  )
}

interface WaitingProps {
  readonly first: readonly WaitingRow[]
  readonly count: number
  readonly wanted: SignOffsWanted
}

/** The rest is fetched on request, all of it. */
function useAllRows({ first, count, wanted }: WaitingProps, side: 'mine' | 'others') {
  const [isAsked, setAsked] = useState(false)
  const { data: rest, isFetching } = useWaitingRest(wanted, side, first.length, isAsked && count > first.length)
  const rows = useMemo(() => [...first, ...(rest ?? [])], [first, rest])
  const more = count > rows.length && (
    <p className="soft">
      The oldest {rows.length} are listed, of {countOf(count, 'adjustment')}.{' '}
      <Button size="compact-xs" variant="subtle" loading={isFetching} onClick={() => setAsked(true)}>
        List all
      </Button>
    </p>
  )
  return { rows, more }
}

function Mine(props: WaitingProps) {
  const { rows, more } = useAllRows(props, 'mine')
  const [picked, setPicked] = useState<Picked>(new Map())
  const [isSigning, setSigning] = useState(false)
  const folded = useMemo(() => foldZeros(rows), [rows])
  const agreements = useMemo(() => agreementsOf(rows, picked), [rows, picked])
  const isAll = agreements.length > 0 && folded.every(({ row, count }) => (picked.get(row.slug) ?? 0) >= count)
  return (
    <>
      <div className={classes.picking}>
        <Checkbox
          size="xs"
          label="Pick all"
          checked={isAll}
          indeterminate={!isAll && agreements.length > 0}
          onChange={() => setPicked(isAll ? new Map() : pickAll(rows))}
        />
        <Button size="xs" disabled={agreements.length === 0} onClick={() => setSigning(true)}>
          {agreements.length === 0 ? 'Sign the selected' : `Sign ${countOf(agreements.length, 'agreement')}…`}
        </Button>
        {agreements.length > mostAtOnce && (
          <span className="soft">At most {mostAtOnce} agreements are signed at once; pick fewer.</span>
        )}
      </div>
      <SignOffTable
        label="Waits for you"
        rows={folded}
        action="Review and sign"
        pick={{
          isPicked: ({ row, count }) => (picked.get(row.slug) ?? 0) >= count,
          toggle: row => setPicked(togglePick(picked, row)),
        }}
      />
      {more}
      {isSigning && agreements.length > 0 && (
        <SignManyDialog
          agreements={agreements.slice(0, mostAtOnce)}
          close={() => setSigning(false)}
          done={() => {
            setSigning(false)
            setPicked(new Map())
          }}
        />
      )}
    </>
  )
}

/** The limit on the server. */
const mostAtOnce = 100

function Others(props: WaitingProps) {
  const { rows, more } = useAllRows(props, 'others')
  const folded = useMemo(() => foldZeros(rows), [rows])
  return (
    <>
      <SignOffTable label="Waits for others" rows={folded} />
      {more}
    </>
  )
}
