// The state of each provider, answers in quarantine because they would change stored values, and past decisions about them.
import { useQueryClient } from '@tanstack/react-query'
import type { QuarantineDecision } from '../../../src/views/calls/series-calls.ts'
import type { QuarantinePage } from '../../../src/views/shapes/series.ts'
import { api } from '../../api.ts'
import { TextLink } from '../../components/page/links.tsx'
import { LoadingRows, Section, Trouble } from '../../components/page/page.tsx'
import { HeldCalendars } from '../../components/providers/held-calendars.tsx'
import { ProviderTable } from '../../components/providers/provider-table.tsx'
import { DecidedTable, Quarantined } from '../../components/providers/quarantine.tsx'
import { useRead, useWorkspace } from '../../session.ts'

export function Providers() {
  const providers = useRead('/providers')
  const quarantine = useRead('/quarantine')
  return (
    <>
      {quarantine.error !== null && <Trouble error={quarantine.error} retry={() => void quarantine.refetch()} />}
      {quarantine.data !== undefined && <Waiting page={quarantine.data} />}
      <Section title="Providers">
        {providers.error !== null && <Trouble error={providers.error} retry={() => void providers.refetch()} />}
        {providers.isPending && <LoadingRows />}
        {providers.data !== undefined && <ProviderTable providers={providers.data} />}
      </Section>
      {quarantine.data !== undefined && quarantine.data.decided.length > 0 && (
        <Section title="Decided">
          <DecidedTable
            rows={quarantine.data.decided}
            title={({ seriesId, name }) => <SeriesLink id={seriesId} name={name} />}
          />
        </Section>
      )}
    </>
  )
}

function Waiting({ page: { waiting, calendars, mayDecide } }: { readonly page: QuarantinePage }) {
  const { slug, path } = useWorkspace()
  const queries = useQueryClient()
  if (waiting.length + calendars.length === 0) return null
  const decide = async (id: string, decision: QuarantineDecision['decision']) => {
    await api.post(path('/quarantine/:id', { id }), { decision })
    await queries.invalidateQueries({ queryKey: ['w', slug] })
  }
  return (
    <Section title={mayDecide ? 'Waits for your decision' : 'Waits for an operator'}>
      <p className="soft prose">
        These answers would change the unit or a good part of a history, or take announced dates away, and none of them
        is published yet. They concern every workspace that follows these series, so operators of this installation
        decide.
      </p>
      {waiting.map(row => (
        <Quarantined
          key={row.id}
          row={row}
          title={<SeriesLink id={row.seriesId} name={row.name} />}
          decide={mayDecide ? decision => decide(row.id, decision) : null}
        />
      ))}
      <HeldCalendars calendars={calendars} mayDecide={mayDecide} />
    </Section>
  )
}

function SeriesLink({ id, name }: { readonly id: string; readonly name: string }) {
  const { slug } = useWorkspace()
  return (
    <TextLink to="/w/$ws/series/$id" params={{ ws: slug, id }}>
      {name}
    </TextLink>
  )
}
