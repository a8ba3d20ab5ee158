// Workspaces of the installation, each with its use of its limits, and a form to set them.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { InstallationWorkspace, LimitKey, LimitView } from '../../../src/views/shapes/installation.ts'
import { api } from '../../api.ts'
import { State } from '../../components/figures/figures.tsx'
import { LoadingRows, Section, Trouble } from '../../components/page/page.tsx'
import type { Column } from '../../components/table/column.ts'
import { DataTable } from '../../components/table/data-table.tsx'
import { formatCount } from '../../components/words/words.ts'
import classes from './installation.module.css'
import { LimitsForm } from './limits-form.tsx'

/** Headings in the order of the columns; the form has the full names. */
const columns: Readonly<Record<LimitKey, string>> = {
  agreements: 'Agreements',
  series: 'Series',
  vintages: 'Vintages',
  keys: 'Live keys',
  people: 'People',
  uploads: 'Files at once',
  prices: 'Prices',
  lines: 'Invoice lines',
  rateLimit: 'Requests, key',
  workspaceRateLimit: 'Requests, all',
}

export function Workspaces() {
  const { data, error, refetch } = useQuery({
    queryKey: ['installation', 'workspaces'],
    queryFn: ({ signal }) => api.get('/installation/workspaces', signal),
  })
  const [chosen, setChosen] = useState<InstallationWorkspace | null>(null)
  return (
    <Section title="Workspaces">
      <p className="soft prose">
        The use of its limits by each workspace, and the requests that it may make a minute with one key and with all
        keys. Limits in bold were set; the rest are defaults.
      </p>
      {error !== null && <Trouble error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <LoadingRows rows={3} />}
      {data !== undefined && <WorkspaceTable workspaces={data} choose={setChosen} />}
      {chosen !== null && <LimitsForm workspace={chosen} close={() => setChosen(null)} />}
    </Section>
  )
}

function WorkspaceTable({
  workspaces,
  choose,
}: {
  readonly workspaces: readonly InstallationWorkspace[]
  readonly choose: (workspace: InstallationWorkspace) => void
}) {
  return (
    <DataTable
      label="Workspaces"
      className={classes.workspaces}
      rows={workspaces}
      keyOf={({ id }) => id}
      columns={[
        {
          head: 'Workspace',
          className: classes.workspace,
          cell: ({ name, slug }) => (
            <>
              <div>{name}</div>
              <div className="soft mono">{slug}</div>
            </>
          ),
        },
        ...(Object.keys(columns) as LimitKey[]).map(
          (key): Column<InstallationWorkspace> => ({
            head: columns[key],
            isRight: true,
            cell: ({ limits }) => <LimitCell limit={limits.find(each => each.key === key)!} />,
          }),
        ),
      ]}
      actions={workspace => (
        <Button
          variant="subtle"
          size="compact-sm"
          aria-label={`Change the limits of ${workspace.name}`}
          onClick={() => choose(workspace)}
        >
          Change
        </Button>
      )}
    />
  )
}

function LimitCell({ limit: { used, most, isDefault } }: { readonly limit: LimitView }) {
  return (
    <>
      {used !== null && <div>{formatCount(used)}</div>}
      <div className={isDefault ? 'soft' : classes.set}>{`${used === null ? '' : 'of '}${formatCount(most)}`}</div>
      {used !== null && used >= most && (
        <div>
          <State kind="trouble">full</State>
        </div>
      )}
    </>
  )
}
