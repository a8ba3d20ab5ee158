// The providers as a table: what each requires and allows, the state of its series, and the result of its last run.

import type { ProviderRow } from '../../../src/views/shapes/series.ts'
import classes from '../../pages/settings/settings.module.css'
import { Ago, State } from '../figures/figures.tsx'
import { DataTable } from '../table/data-table.tsx'
import { formatCount } from '../words/words.ts'

export function ProviderTable({ providers }: { readonly providers: readonly ProviderRow[] }) {
  return (
    <DataTable
      label="Providers"
      rows={providers}
      keyOf={({ provider }) => provider}
      columns={[
        {
          head: 'Provider',
          cell: ({ home, terms, name }) => (
            <a href={home} target="_blank" rel="noreferrer" title={terms}>
              {name}
            </a>
          ),
        },
        { head: 'Key', narrow: 'label', cell: row => <KeyState row={row} /> },
        {
          head: 'Series',
          isRight: true,
          className: classes.series,
          cell: ({ series, inTrouble }) => (
            <>
              {series === 0 ? <span className="soft">none</span> : series}
              {inTrouble > 0 && (
                <>
                  {' '}
                  <State kind="trouble">{inTrouble} in trouble</State>
                </>
              )}
            </>
          ),
        },
        {
          head: 'Last request',
          narrow: 'label',
          cell: ({ lastRun }) =>
            lastRun === null ? <span className="soft">never</span> : <Ago at={lastRun.startedAt} />,
        },
        {
          head: 'Last answer',
          narrow: 'label',
          cell: ({ lastRun }) =>
            lastRun === null ? <span className="soft">nothing yet</span> : <RunWords run={lastRun} />,
        },
        {
          head: 'Limits',
          narrow: 'line',
          className: 'soft',
          cell: ({ limits }) => limits.replace(/\d{4,}/g, digits => formatCount(Number(digits))),
        },
      ]}
    />
  )
}

function KeyState({ row: { key, isKeySet, keyVariable } }: { readonly row: ProviderRow }) {
  if (key === 'none') return <span className={`soft ${classes.whole}`}>not needed</span>
  if (isKeySet) return <State kind="good">set</State>
  if (key === 'optional')
    return (
      <span className="soft">
        optional: <span className="mono">{keyVariable}</span>
      </span>
    )
  return (
    <State kind="waiting">
      missing: <span className="mono">{keyVariable}</span>
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
  if (run.finishedAt === null) return <span className="soft">request under way</span>
  const parts = [
    run.added > 0 ? `${run.added} new` : '',
    run.revised > 0 ? `${run.revised} revised` : '',
    run.withdrawn > 0 ? `${run.withdrawn} withdrawn` : '',
  ].filter(Boolean)
  return <>{parts.length === 0 ? <span className="soft">nothing new</span> : parts.join(', ')}</>
}
