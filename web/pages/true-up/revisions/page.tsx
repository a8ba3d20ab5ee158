// Revisions: what was published since the person last looked and its effect on settled prices, largest amounts first.

import { Button, Select, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { RadarKind } from '../../../../src/core/true-up/radar.ts'
import type { RevisionRow } from '../../../../src/views/shapes/true-up.ts'
import { api } from '../../../api.ts'
import { useRequest } from '../../../components/dialog/use-request.ts'
import { Ago, State } from '../../../components/figures/figures.tsx'
import { useAddress } from '../../../components/page/address.ts'
import { IconCheck, IconSearch } from '../../../components/page/icons.tsx'
import { TextLink } from '../../../components/page/links.tsx'
import { Empty, LoadingRows, PageHead, Trouble } from '../../../components/page/page.tsx'
import { DataTable } from '../../../components/table/data-table.tsx'
import { useRevisions } from '../../../components/true-up/queries.ts'
import classes from '../../../components/true-up/true-up.module.css'
import { kindWords, policyWords, stateWords, writeAmount, writeCause } from '../../../components/true-up/words.ts'
import { countOf, writeInstant, writeMoney, writePrice, writeSigned } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'

const kinds = Object.keys(kindWords) as RadarKind[]

export function RevisionsPage() {
  const workspace = useWorkspace()
  const queries = useQueryClient()
  const [{ q, kind, since, until }, change] = useAddress()
  const wanted = { q: q || undefined, kind: kinds.find(each => each === kind), since, until }
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useRevisions(wanted)
  const marking = useRequest()
  const first = data?.pages[0]
  const rows = data?.pages.flatMap(page => page.rows) ?? []
  const mark = (to: string | null) =>
    marking.ask(async () => {
      await api.post(workspace.path('/revisions/seen'), { until: to })
      change({ since: undefined, until: undefined })
      await queries.invalidateQueries({ queryKey: ['w', workspace.slug, 'revisions'] })
    })
  const isNarrowed = wanted.q !== undefined || wanted.kind !== undefined
  const isNew = first !== undefined && first.count > 0 && since === undefined
  return (
    <>
      <PageHead
        title="Revisions"
        under={
          first === undefined ? undefined : (
            <Under since={first.since} count={first.count} agreements={first.agreements} />
          )
        }
        actions={
          <>
            {first !== undefined && first.seenUntil !== null && (
              <Button variant="default" size="xs" loading={marking.isPending} onClick={() => void mark(null)}>
                Show the last 30 days
              </Button>
            )}
            {isNew && (
              <Button
                size="xs"
                leftSection={<IconCheck />}
                loading={marking.isPending}
                onClick={() => void mark(first.until)}
              >
                Mark all as seen
              </Button>
            )}
          </>
        }
      />
      {error !== null && <Trouble error={error} retry={() => void refetch()} />}
      {marking.error !== null && <Trouble error={marking.error} />}
      {(rows.length > 0 || isNarrowed) && (
        <search className={classes.filters}>
          <TextInput
            className={classes.query ?? ''}
            aria-label="Search revisions"
            placeholder="Name or slug of an agreement"
            leftSection={<IconSearch />}
            value={q ?? ''}
            onChange={event => change({ q: event.currentTarget.value || undefined }, 'soon')}
          />
          <Select
            className={classes.filter ?? ''}
            aria-label="What happened"
            placeholder="Every kind of change"
            clearable
            data={kinds.map(value => ({ value, label: `${kindWords[value].words} (${first?.kinds[value] ?? 0})` }))}
            value={wanted.kind ?? null}
            onChange={chosen => change({ kind: chosen ?? undefined })}
          />
        </search>
      )}
      {data === undefined ? (
        error === null && <LoadingRows />
      ) : rows.length === 0 ? (
        <Nothing isNarrowed={isNarrowed} seenUntil={first?.seenUntil ?? null} />
      ) : (
        <Rows rows={rows} />
      )}
      {hasNextPage && (
        <Button variant="default" mt={16} loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          List more
        </Button>
      )}
    </>
  )
}

interface UnderProps {
  readonly since: string
  readonly count: number
  readonly agreements: number
}

function Under({ since, count, agreements }: UnderProps) {
  // If nothing was ever published, there is no moment to count from.
  if (count === 0 && since < '1971') return null
  if (count === 0) return <>Nothing moved since {writeInstant(since)}.</>
  return (
    <>
      {countOf(count, 'period')} of {countOf(agreements, 'agreement')} moved since {writeInstant(since)}, the largest
      amounts first.
    </>
  )
}

function Nothing({ isNarrowed, seenUntil }: { readonly isNarrowed: boolean; readonly seenUntil: string | null }) {
  if (isNarrowed) return <Empty title="No matching changes">Try removing a filter.</Empty>
  return (
    <Empty
      title={
        seenUntil === null ? 'No figure that an agreement reads has been published yet' : 'You have seen everything'
      }
    >
      When a value an agreement reads is published, revised or becomes final, what it does to signed and open prices is
      listed here.
    </Empty>
  )
}

function Rows({ rows }: { readonly rows: readonly RevisionRow[] }) {
  const { slug: ws } = useWorkspace()
  return (
    <DataTable
      label="Revisions"
      isTall
      rows={rows}
      keyOf={({ agreement, period }) => `${agreement} ${period}`}
      columns={[
        {
          head: 'Agreement',
          isRowHead: true,
          className: classes.name,
          cell: ({ name, agreement: slug, period }) => (
            <>
              <TextLink to="/w/$ws/agreements/$slug" params={{ ws, slug }}>
                {name}
              </TextLink>
              <span className="under">
                <TextLink to="/w/$ws/agreements/$slug/periods/$period" params={{ ws, slug, period }}>
                  {period}
                </TextLink>
              </span>
            </>
          ),
        },
        {
          head: 'What happened',
          narrow: ({ kind }) => <State kind={kindWords[kind].kind}>{kindWords[kind].words}</State>,
          cell: ({ kind, at }) => (
            <>
              <State kind={kindWords[kind].kind}>{kindWords[kind].words}</State>
              <span className="under">
                <Ago at={at} />
              </span>
            </>
          ),
        },
        {
          head: 'Amount',
          isRight: true,
          cell: ({ amount, currency }) => (amount === null ? '' : writeAmount(amount, currency)),
        },
        {
          head: 'Points',
          isRight: true,
          narrow: 'drop',
          cell: ({ points }) => (points === null ? '' : writeSigned(points)),
        },
        { head: 'Price', isRight: true, narrow: 'line', cell: priceWay },
        {
          head: 'Figure',
          narrow: ({ cause }) => cause !== null && <span className="under">{writeCause(cause)}</span>,
          className: classes.figure,
          cell: ({ cause, causes }) => (
            <>
              {cause !== null && <span title={causes?.map(writeCause).join('\n')}>{writeCause(cause)}</span>}
              <span className="under">
                {cause?.tag?.toLowerCase()}
                {causes !== undefined && `, and ${countOf(causes.length - 1, 'more figure')}`}
              </span>
            </>
          ),
        },
        { head: 'Contract', narrow: 'line', className: classes.contract, cell: row => <Contract row={row} /> },
      ]}
    />
  )
}

/** `55.96 → 54.82 USD / piece`; empty without a price. */
function priceWay({ priceBefore, priceAfter, currency, unit }: RevisionRow): string {
  const after = priceAfter === null ? 'none' : writePrice(priceAfter, currency, unit)
  if (priceBefore === priceAfter) return priceAfter === null ? '' : after
  return `${priceBefore === null ? 'none' : writeMoney(priceBefore, null)} → ${after}`
}

function Contract({ row: { agreement: slug, policy, kind, correction } }: { readonly row: RevisionRow }) {
  const { slug: ws } = useWorkspace()
  if (correction !== null) {
    const { kind: state, words } = stateWords[correction.state]
    return (
      <TextLink to="/w/$ws/corrections/$id" params={{ ws, id: correction.id }}>
        <State kind={state}>{words}</State>
      </TextLink>
    )
  }
  if (kind !== 'SIGNED_MOVED') return <span className="soft">{kind === 'OPEN_MOVED' ? 'not signed yet' : ''}</span>
  return (
    <>
      {policy === 'DUE' ? <State kind="waiting">{policyWords[policy]}</State> : policyWords[policy]}
      <span className="under">
        <TextLink to="/w/$ws/agreements/$slug/ledger" params={{ ws, slug }}>
          Ledger
        </TextLink>
      </span>
    </>
  )
}
