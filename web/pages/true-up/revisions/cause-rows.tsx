// Effects of one index value: agreement by agreement and period by period, the largest amounts first.
import { Button } from '@mantine/core'
import type { RevisionRow } from '../../../../src/views/shapes/revision-rows.ts'
import { Ago, State } from '../../../components/figures/figures.tsx'
import { TextLink } from '../../../components/page/links.tsx'
import { LoadingRows, Trouble } from '../../../components/page/page.tsx'
import { DataTable } from '../../../components/table/data-table.tsx'
import { useCauseRows } from '../../../components/true-up/queries.ts'
import classes from '../../../components/true-up/true-up.module.css'
import {
  formatAmount,
  formatCause,
  formatPriceWay,
  kindWords,
  policyWords,
  stateWords,
} from '../../../components/true-up/words.ts'
import { countOf, formatSigned, sentenceCase } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'

interface CauseRowsProps {
  readonly wanted: Parameters<typeof useCauseRows>[0]
  readonly cause: string
  readonly label: string
}

export function CauseRows({ wanted, cause, label }: CauseRowsProps) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useCauseRows(wanted, cause)
  if (data === undefined)
    return error === null ? <LoadingRows rows={3} /> : <Trouble error={error} retry={() => void refetch()} />
  const rows = data.pages.flatMap(page => page.rows)
  return (
    <div className={classes.inside}>
      <Rows rows={rows} label={label} />
      {hasNextPage && (
        <Button variant="default" size="xs" mt={8} loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more, {rows.length} of {data.pages[0]!.count}
        </Button>
      )}
    </div>
  )
}

function Rows({ rows, label }: { readonly rows: readonly RevisionRow[]; readonly label: string }) {
  const { slug: ws } = useWorkspace()
  return (
    <DataTable
      label={label}
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
          head: 'Change',
          narrow: ({ kind }) => <State kind={kindWords[kind].kind}>{kindWords[kind].words}</State>,
          cell: ({ kind, at, causes }) => (
            <>
              <State kind={kindWords[kind].kind}>{kindWords[kind].words}</State>
              <span className="under">
                <Ago at={at} />
                {causes !== undefined && (
                  <span title={causes.map(formatCause).join('\n')}>
                    , and by {countOf(causes.length - 1, 'more figure')}
                  </span>
                )}
              </span>
            </>
          ),
        },
        {
          head: 'Amount',
          isRight: true,
          cell: ({ amount, currency, left }) =>
            amount !== null && (
              <>
                {formatAmount(amount, currency)}
                {left !== null && left.amount !== null && left.amount !== amount && (
                  <span className="under">{formatAmount(left.amount, currency)} not agreed</span>
                )}
              </>
            ),
        },
        {
          head: 'Points',
          isRight: true,
          narrow: 'drop',
          cell: ({ points }) => (points === null ? '' : formatSigned(points)),
        },
        { head: 'Price', isRight: true, narrow: 'line', cell: formatPriceWay },
        { head: 'Contract', narrow: 'line', className: classes.contract, cell: row => <Contract row={row} /> },
      ]}
    />
  )
}

function Contract({ row }: { readonly row: RevisionRow }) {
  const { slug: ws } = useWorkspace()
  const { agreed, left, correction } = row
  const earlier = left === null ? [] : agreed
  return (
    <>
      {correction === null ? <Policy row={row} /> : <Stated correction={correction} />}
      {earlier.map(({ id, amount }) => (
        <span key={id} className="under">
          <TextLink to="/w/$ws/corrections/$id" params={{ ws, id }}>
            {amount === null ? 'Signed by both sides' : `Signed by both sides: ${formatAmount(amount, row.currency)}`}
          </TextLink>
        </span>
      ))}
    </>
  )
}

function Stated({ correction: { id, state } }: { readonly correction: NonNullable<RevisionRow['correction']> }) {
  const { slug: ws } = useWorkspace()
  const { kind, words } = stateWords[state]
  return (
    <TextLink to="/w/$ws/corrections/$id" params={{ ws, id }}>
      <State kind={kind}>{words}</State>
    </TextLink>
  )
}

function Policy({ row: { agreement: slug, policy, kind } }: { readonly row: RevisionRow }) {
  const { slug: ws } = useWorkspace()
  if (kind !== 'SIGNED_MOVED') return <span className="soft">{kind === 'OPEN_MOVED' ? 'Not signed yet' : ''}</span>
  const words = sentenceCase(policyWords[policy])
  return (
    <>
      {policy === 'DUE' ? <State kind="waiting">{words}</State> : words}
      <span className="under">
        <TextLink to="/w/$ws/agreements/$slug/ledger" params={{ ws, slug }}>
          Ledger
        </TextLink>
      </span>
    </>
  )
}
