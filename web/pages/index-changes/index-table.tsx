// Indices with known or suspected changes: the change, the number of agreements that read the index, their progress, and the
// money behind.
import { Button } from '@mantine/core'
import type { IndexChanges, TouchedIndex } from '../../../src/views/shapes/index-changes.ts'
import { FactList } from '../../components/index-changes/fact-list.tsx'
import { TextLink } from '../../components/page/links.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import { formatMoneyChange } from '../../components/words/price-words.ts'
import { countOf } from '../../components/words/words.ts'
import { useWorkspace } from '../../session.ts'
import classes from './index-changes-page.module.css'

interface IndexTableProps {
  readonly changes: IndexChanges
  readonly propose: (seriesId: string) => void
}

export function IndexTable({ changes: { indices, pending }, propose }: IndexTableProps) {
  const { slug: ws, role } = useWorkspace()
  if (indices.length === 0)
    return (
      <p className="soft">
        {pending > 0 ? 'Updating …' : 'No change of an index that your agreements read is published or suspected.'}
      </p>
    )
  return (
    <DataTable
      label="Published and suspected changes"
      isTall
      rows={indices}
      keyOf={({ series }) => series.id}
      columns={[
        {
          head: 'Index',
          isRowHead: true,
          isMain: true,
          className: classes.index,
          cell: ({ series }) => (
            <>
              <TextLink to="/w/$ws/series/$id" params={{ ws, id: series.id }}>
                {series.name}
              </TextLink>
              <span className="under mono">{series.reference}</span>
            </>
          ),
        },
        {
          head: 'Change',
          narrow: 'line',
          className: classes.facts,
          cell: ({ facts }) => <FactList facts={facts} />,
        },
        { head: 'Agreements', narrow: 'label', className: 'figures', cell: row => <Standing row={row} /> },
        {
          head: 'Moved this year',
          isRight: true,
          narrow: 'label',
          className: 'figures',
          cell: ({ money }) =>
            money.length === 0 ? (
              <span className="soft">–</span>
            ) : (
              money.map(({ currency, amount }) => <div key={currency}>{formatMoneyChange(amount, currency)}</div>)
            ),
        },
        role !== 'viewer' && {
          head: 'Action',
          isHeadUnseen: true,
          narrow: 'line',
          cell: ({ series, facts, agreements, changed, proposed }) =>
            facts.some(({ kind }) => kind !== 'CANCELLED') &&
            changed + proposed < agreements && (
              <Button size="compact-sm" variant="default" onClick={() => propose(series.id)}>
                Propose a successor
                <span className="unseen"> of {series.name}</span>
              </Button>
            ),
        },
      ]}
    />
  )
}

function Standing({ row: { series, agreements, changed, proposed } }: { readonly row: TouchedIndex }) {
  const { slug: ws } = useWorkspace()
  const parts = [
    ...(proposed > 0 ? [`${proposed} proposed`] : []),
    ...(changed > 0 ? [`${changed} changed`] : []),
    ...(agreements - changed - proposed > 0 && changed + proposed > 0
      ? [`${agreements - changed - proposed} unchanged`]
      : []),
  ]
  return (
    <>
      <TextLink to="/w/$ws/agreements" params={{ ws }} search={{ series: series.id }}>
        {countOf(agreements, 'agreement')}
      </TextLink>
      {parts.length > 0 && <span className="under">{parts.join(', ')}</span>}
    </>
  )
}
