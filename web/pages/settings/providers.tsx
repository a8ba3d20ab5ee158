// How it stands with each provider, and readings that wait for a person because they would rewrite what is held.
import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ProviderRow, QuarantineDecision, QuarantineRow } from '../../../src/http/console/wire/series.ts'
import { api } from '../../api.ts'
import { Confirm } from '../../components/confirm.tsx'
import { Ago, Figure, State } from '../../components/figures.tsx'
import { TextLink } from '../../components/links.tsx'
import { LoadingRows, Section, Trouble } from '../../components/page.tsx'
import { ScrollX } from '../../components/scroll-x.tsx'
import { right, TableHead } from '../../components/table-head.tsx'
import { writeInstant } from '../../components/words.ts'
import { useWorkspace } from '../../session.ts'
import classes from './settings.module.css'

export function Providers() {
  const { slug, path, canEdit } = useWorkspace()
  const providers = useQuery({
    queryKey: ['w', slug, 'providers'],
    queryFn: ({ signal }) => api.get<ProviderRow[]>(path('/providers'), signal),
  })
  const quarantine = useQuery({
    queryKey: ['w', slug, 'quarantine'],
    queryFn: ({ signal }) => api.get<QuarantineRow[]>(path('/quarantine'), signal),
    enabled: canEdit,
  })
  return (
    <>
      {quarantine.error !== null && <Trouble error={quarantine.error} retry={() => void quarantine.refetch()} />}
      {quarantine.data !== undefined && quarantine.data.length > 0 && (
        <Section title="Waits for your decision">
          <p className="soft prose">
            These readings would change the unit or a good part of the history. Nothing of them is published until
            somebody has looked.
          </p>
          {quarantine.data.map(row => (
            <Quarantined key={row.id} row={row} />
          ))}
        </Section>
      )}
      <Section title="Providers">
        {providers.error !== null && <Trouble error={providers.error} retry={() => void providers.refetch()} />}
        {providers.isPending && <LoadingRows />}
        {providers.data !== undefined && <ProviderTable providers={providers.data} />}
      </Section>
    </>
  )
}

function ProviderTable({ providers }: { readonly providers: readonly ProviderRow[] }) {
  return (
    <ScrollX label="Providers">
      <table className="ledger roomy">
        <TableHead columns={['Provider', 'Key', right('Series'), 'Last asked', 'What came', 'Limits']} />
        <tbody>
          {providers.map(row => (
            <tr key={row.provider}>
              <td>
                <a href={row.home} target="_blank" rel="noreferrer" title={row.terms}>
                  {row.name}
                </a>
              </td>
              <td>
                <KeyState row={row} />
              </td>
              <td className="right">
                {row.series === 0 ? <span className="soft">none</span> : row.series}
                {row.inTrouble > 0 && (
                  <>
                    {' '}
                    <State kind="trouble">{row.inTrouble} in trouble</State>
                  </>
                )}
              </td>
              <td>{row.lastRun === null ? <span className="soft">never</span> : <Ago at={row.lastRun.startedAt} />}</td>
              <td>{row.lastRun === null ? null : <RunWords run={row.lastRun} />}</td>
              <td className="soft">{row.limits}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollX>
  )
}

function KeyState({ row: { key, isKeySet, keyVariable } }: { readonly row: ProviderRow }) {
  if (key === 'none') return <span className="soft">needs none</span>
  if (isKeySet) return <State kind="good">set</State>
  if (key === 'optional')
    return (
      <span className="soft">
        works without; <span className="mono">{keyVariable}</span>
      </span>
    )
  return (
    <State kind="waiting">
      set <span className="mono">{keyVariable}</span>
    </State>
  )
}

function RunWords({ run }: { readonly run: NonNullable<ProviderRow['lastRun']> }) {
  if (run.problems.length > 0)
    return (
      <State kind="trouble">
        <span className={classes.reason}>{run.problems[0]}</span>
      </State>
    )
  if (run.finishedAt === null) return <span className="soft">still asking</span>
  const parts = [
    run.added > 0 ? `${run.added} new` : '',
    run.revised > 0 ? `${run.revised} revised` : '',
    run.withdrawn > 0 ? `${run.withdrawn} withdrawn` : '',
  ].filter(Boolean)
  return <>{parts.length === 0 ? <span className="soft">nothing new</span> : parts.join(', ')}</>
}

function Quarantined({ row }: { readonly row: QuarantineRow }) {
  const { slug, path } = useWorkspace()
  const queries = useQueryClient()
  const [decision, setDecision] = useState<QuarantineDecision['decision'] | null>(null)
  const decide = async (chosen: QuarantineDecision['decision']) => {
    await api.post(path(`/quarantine/${row.id}`), { decision: chosen })
    await queries.invalidateQueries({ queryKey: ['w', slug] })
  }
  return (
    <article className="panel">
      <h3>
        <TextLink to="/w/$ws/series/$id" params={{ ws: slug, id: row.seriesId }}>
          {row.name}
        </TextLink>{' '}
        <span className="mono soft">
          {row.provider}/{row.code}
        </span>
      </h3>
      <p className={classes.reason}>{row.reason}</p>
      <p className="soft">Read {writeInstant(row.foundAt)}.</p>
      {row.sample.length > 0 && (
        <table className="ledger">
          <TableHead columns={['Period', right('Held'), right('Came')]} />
          <tbody>
            {row.sample.map(({ period, held, came }) => (
              <tr key={period}>
                <td className="figures">{period}</td>
                <td className="right">
                  {held === null ? <span className="soft">none</span> : <Figure value={held} />}
                </td>
                <td className="right">
                  {came === null ? <span className="soft">none</span> : <Figure value={came} />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div className={classes.line}>
        <Button variant="default" size="xs" onClick={() => setDecision('release')}>
          Release
        </Button>
        <Button variant="default" size="xs" onClick={() => setDecision('reject')}>
          Reject
        </Button>
      </div>
      {decision !== null && (
        <Confirm
          title={decision === 'release' ? 'Release the reading' : 'Reject the reading'}
          action={decision === 'release' ? 'Publish it' : 'Reject it'}
          run={() => decide(decision)}
          close={() => setDecision(null)}
        >
          <p>
            {decision === 'release'
              ? 'The reading is published as new vintages; what was held stays in the history, and signed periods keep their numbers.'
              : 'The reading is put aside and the figures stay as they are. If the provider sends the same again, it is not asked about again.'}
          </p>
        </Confirm>
      )}
    </article>
  )
}
