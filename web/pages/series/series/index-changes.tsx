// Index changes on the page of a series: known and suspected ones, agreements that joined it to another series, and the way to
// propose that.
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { JoinView, SeriesIndexChanges } from '../../../../src/views/shapes/index-changes.ts'
import { agreementColumn } from '../../../components/index-changes/agreement-column.tsx'
import { FactList } from '../../../components/index-changes/fact-list.tsx'
import { ProposeSplice } from '../../../components/index-changes/propose-splice.tsx'
import { seriesIndexChangesQuery } from '../../../components/index-changes/queries.ts'
import { Section } from '../../../components/page/page.tsx'
import { DataTable } from '../../../components/table/data-table.tsx'
import { useWorkspace } from '../../../session.ts'

interface IndexChangesProps {
  readonly seriesId: string
  readonly usedBy: number
}

export function IndexChanges({ seriesId, usedBy }: IndexChangesProps) {
  const workspace = useWorkspace()
  const { data } = useQuery(seriesIndexChangesQuery(workspace, seriesId))
  const [isProposing, setProposing] = useState(false)
  const mayPropose = usedBy > 0 && workspace.role !== 'viewer'
  if (data === undefined || (data.facts.length === 0 && data.joins.length === 0 && !mayPropose)) return null
  return (
    <Section
      title="Index changes"
      actions={
        mayPropose && (
          <Button size="xs" variant="default" onClick={() => setProposing(true)}>
            Propose another series
          </Button>
        )
      }
    >
      {data.facts.length > 0 ? (
        <FactList facts={data.facts} />
      ) : (
        <p className="soft">No change of this index is published or suspected.</p>
      )}
      {data.joins.length > 0 && <Joins changes={data} />}
      {isProposing && <ProposeSplice seriesId={seriesId} close={() => setProposing(false)} />}
    </Section>
  )
}

function Joins({ changes: { joins, hasMoreJoins } }: { readonly changes: SeriesIndexChanges }) {
  const { slug: ws } = useWorkspace()
  return (
    <>
      <DataTable
        label="Joined with other series"
        rows={joins}
        keyOf={({ id }) => id}
        columns={[
          agreementColumn(ws),
          { head: 'Joined', narrow: 'line', cell: join => <Series join={join} /> },
          { head: 'Last period of the old', narrow: 'label', className: 'figures', cell: ({ join }) => join },
          {
            head: 'Coefficient',
            isRight: true,
            narrow: 'label',
            className: 'figures',
            cell: ({ coefficient }) => coefficient ?? 'new base',
          },
        ]}
      />
      {hasMoreJoins && <p className="soft">There are more; these are the newest.</p>}
    </>
  )
}

function Series({ join: { old, new: successor } }: { readonly join: JoinView }) {
  return (
    <>
      {old.name} → {successor.name}
    </>
  )
}
