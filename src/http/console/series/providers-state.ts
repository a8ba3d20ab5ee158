// Providers as a workspace sees them: needs and limits of each, the state of its series, and the last run that requested one of
// them. Runs serve every workspace; reports about other workspaces' series are left out, except for operators.
import { type Instant, instantOfMicros, microsOf } from '../../../core/time/instant.ts'
import { limits } from '../../../limits.ts'
import { keyVariable, limitWords } from '../../../providers/about.ts'
import { providers } from '../../../providers/catalogue/catalogue.ts'
import type { Provider } from '../../../providers/provider.ts'
import { publicScope, withWorkspace } from '../../../storage/postgres/database.ts'
import {
  countRecorded,
  type IngestRun,
  loadRunsBefore,
  type RecordedCounts,
} from '../../../storage/series/ingest-runs.ts'
import { listStanding } from '../../../storage/series/public-series.ts'
import { loadStates, type SeriesState } from '../../../storage/series/series-state.ts'
import type { VisibleSeries } from '../../../storage/series/visible-series.ts'
import type { ProviderRow } from '../../../views/shapes/series.ts'
import type { Seat } from '../../../views/sight/seat.ts'
import type { ViewContext } from '../../../views/sight/view-parts.ts'

/** Providers in the catalogue's order. */
export async function listProviders(parts: ViewContext, { workspace }: Seat): Promise<readonly ProviderRow[]> {
  const { installation, library, now } = parts
  const { sql } = installation
  const index = await library.index(workspace.id)
  const states = await withWorkspace(sql, workspace.id, tx => loadStates(tx, workspace.id))
  const followed = Map.groupBy(
    index.series.filter(({ owner }) => owner === publicScope),
    ({ provider }) => provider as string,
  )
  const runs = await loadRunsBefore(sql, lastAskedOf(followed, states))
  const windows = [...runs.values()].map(({ provider, startedAt, finishedAt }) => ({
    provider,
    from: moved(startedAt, -limits.clockToleranceMs),
    to: moved(finishedAt ?? now(), limits.clockToleranceMs),
  }))
  const counts = await countRecorded(sql, workspace.id, windows)
  return Object.values(providers).map(provider => {
    const series = followed.get(provider.name) ?? []
    const run = runs.get(provider.name)
    return {
      ...describe(provider, parts),
      series: series.length,
      inTrouble: series.filter(({ id }) => states.get(id)?.trouble != null).length,
      lastRun: run === undefined ? null : presentRun(run, counts.get(provider.name), series),
    }
  })
}

/** Providers for operators: with all public series, no matter who follows them, and every problem of the last run. */
export async function listAllProviders(parts: ViewContext): Promise<readonly ProviderRow[]> {
  const { installation, now } = parts
  const all = await listStanding(installation.sql)
  const series = Map.groupBy(all, ({ provider }) => provider)
  const runs = await loadRunsBefore(installation.sql, new Map(Object.keys(providers).map(name => [name, now()])))
  return Object.values(providers).map(provider => {
    const own = series.get(provider.name) ?? []
    const run = runs.get(provider.name)
    return {
      ...describe(provider, parts),
      series: own.length,
      inTrouble: own.filter(({ trouble }) => trouble !== null).length,
      lastRun: run === undefined ? null : presentRun(run, run, own),
    }
  })
}

function describe(provider: Provider, { config }: ViewContext) {
  const { name, title, home, terms, key, limits: allowed } = provider
  return {
    provider: name,
    name: title,
    home,
    terms,
    key,
    keyVariable: keyVariable(provider) ?? '',
    isKeySet: config.providerKeys.has(name),
    limits: limitWords(allowed),
  }
}

/** Instants at which each provider was last asked for a series of this workspace. */
function lastAskedOf(
  followed: ReadonlyMap<string, readonly VisibleSeries[]>,
  states: ReadonlyMap<string, SeriesState>,
): ReadonlyMap<string, Instant> {
  const asked = new Map<string, Instant>()
  for (const [provider, series] of followed) {
    const instants = series.flatMap(({ id }) => states.get(id)?.lastAskedAt ?? [])
    const newest = instants.sort().at(-1)
    if (newest !== undefined) asked.set(provider, newest)
  }
  return asked
}

/** Moves an instant. A process times its run, the database its records: the clocks may differ a little. */
function moved(instant: Instant, milliseconds: number): Instant {
  return instantOfMicros(microsOf(instant) + milliseconds * 1000)
}

function presentRun(
  { startedAt, finishedAt, problems }: IngestRun,
  counts: Omit<RecordedCounts, 'provider'> | undefined,
  series: readonly { readonly provider: string; readonly code: string }[],
): ProviderRow['lastRun'] {
  const own = new Set(series.map(({ provider, code }) => `${provider}/${code}`.toLowerCase()))
  return {
    startedAt,
    finishedAt,
    added: counts?.added ?? 0,
    revised: counts?.revised ?? 0,
    withdrawn: counts?.withdrawn ?? 0,
    problems: problems
      .filter(problem => own.has(problem.series.toLowerCase()))
      .map(problem => `${problem.series}: ${problem.message}`),
  }
}
