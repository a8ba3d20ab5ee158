// The providers as a table: what each requires and allows, the state of its series, and the result of its last run.
import type { ProviderRow } from '../../../src/views/shapes/series.ts'
import classes from '../../pages/settings/settings.module.css'
import { Ago, State } from '../figures/figures.tsx'
import { ScrollX } from '../table/scroll-x.tsx'
import { right, TableHead } from '../table/table-head.tsx'
import { writeCount } from '../words/words.ts'

export function ProviderTable({ providers }: { readonly providers: readonly ProviderRow[] }) {
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
              <td>
                {row.lastRun === null ? <span className="soft">nothing yet</span> : <RunWords run={row.lastRun} />}
              </td>
              <td className="soft">{row.limits.replace(/\d{4,}/g, digits => writeCount(Number(digits)))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollX>
  )
}

function KeyState({ row: { key, isKeySet, keyVariable } }: { readonly row: ProviderRow }) {
  if (key === 'none') return <span className={`soft ${classes.whole}`}>needs none</span>
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
