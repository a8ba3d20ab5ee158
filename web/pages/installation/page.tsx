// The installation, for its operators: decisions that wait for them, the state of the shared providers, past decisions, the
// limits of every workspace, and the operators.

import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { QuarantineDecision } from '../../../src/views/calls/series-calls.ts'
import type { InstallationPage as Page } from '../../../src/views/shapes/installation.ts'
import { api } from '../../api.ts'
import { at } from '../../calls.ts'
import { LoadingRows, PageHead, Section, Trouble } from '../../components/page/page.tsx'
import { HeldCalendars } from '../../components/providers/held-calendars.tsx'
import { HeldDrifts } from '../../components/providers/held-drifts.tsx'
import { ProviderTable } from '../../components/providers/provider-table.tsx'
import { DecidedTable, Quarantined } from '../../components/providers/quarantine.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import { formatInstant } from '../../components/words/words.ts'
import { Workspaces } from './workspaces.tsx'

export function InstallationPage() {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['installation'],
    queryFn: ({ signal }) => api.get('/installation', signal),
  })
  return (
    <>
      <PageHead title="Installation" under="For operators: settings and decisions that concern every workspace." />
      {error !== null && <Trouble error={error} retry={() => void refetch()} />}
      {isPending && <LoadingRows />}
      {data !== undefined && <Parts page={data} />}
    </>
  )
}

function Parts({ page }: { readonly page: Page }) {
  const { waiting, drifts, calendars, providers, decided, operators, database } = page
  return (
    <>
      <Waiting waiting={waiting} drifts={drifts} calendars={calendars} />
      <Section title="Providers">
        <ProviderTable providers={providers} />
      </Section>
      {decided.length > 0 && (
        <Section title="Decided">
          <DecidedTable rows={decided} title={({ name }) => name} />
        </Section>
      )}
      <Workspaces />
      <Section title="Operators">
        <Operators operators={operators} />
        <p className="soft prose">
          An administrator of the server changes this list with{' '}
          <span className="mono command">assize operator add</span> and{' '}
          <span className="mono command">assize operator remove</span>.
        </p>
      </Section>
      <Section title="Database">
        <p className="soft prose">
          {database === 'own'
            ? 'Your own PostgreSQL. Its own tools make base backups and archive its log, so that any instant can be restored.'
            : 'The embedded PostgreSQL, for trials, demos and a few hundred agreements on one machine. For agreements that people sign, run your own PostgreSQL.'}
        </p>
      </Section>
    </>
  )
}

function Waiting({ waiting, drifts, calendars }: Pick<Page, 'waiting' | 'drifts' | 'calendars'>) {
  const queries = useQueryClient()
  const decide = async (id: string, decision: QuarantineDecision['decision']) => {
    await api.post(at('/installation/quarantine/:id', { id }), { decision })
    // Any page may show figures of the answer.
    await queries.invalidateQueries()
  }
  return (
    <Section title="Waits for your decision">
      {waiting.length + drifts.length + calendars.length === 0 && (
        <p className="soft">
          Nothing waits. An answer that would rewrite a public series or has a new shape waits here for your decision,
          and so does a calendar that suddenly has far fewer dates.
        </p>
      )}
      <HeldDrifts drifts={drifts} />
      {waiting.map(row => (
        <Quarantined
          key={row.id}
          row={row}
          title={row.name}
          note={followersInWords(row.followers)}
          decide={decision => decide(row.id, decision)}
        />
      ))}
      <HeldCalendars calendars={calendars} mayDecide />
    </Section>
  )
}

function followersInWords(count: number): string {
  if (count === 0) return 'No workspace follows it.'
  return count === 1 ? 'One workspace follows it.' : `${count} workspaces follow it.`
}

function Operators({ operators }: Pick<Page, 'operators'>) {
  return (
    <DataTable
      label="Operators"
      rows={operators}
      keyOf={({ email, addedAt }) => `${email} ${addedAt}`}
      columns={[
        {
          head: 'E-mail',
          cell: ({ email, isMe }) => (
            <>
              {email} {isMe && <span className="soft">(you)</span>}
            </>
          ),
        },
        { head: 'Since', cell: ({ addedAt }) => formatInstant(addedAt) },
        { head: 'Added by', narrow: 'label', cell: ({ addedBy }) => addedBy },
      ]}
    />
  )
}
