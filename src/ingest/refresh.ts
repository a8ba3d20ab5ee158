// `refresh`: asks for possible news of stored series, all providers in parallel. A failing provider does not affect the rest; its
// unanswered requests are made again next time.
import { providers } from '../providers/catalogue/catalogue.ts'
import type { Provider } from '../providers/provider.ts'
import type { RunCause } from '../storage/series/ingest-runs.ts'
import { listPublicSeries, type PublicSeries } from '../storage/series/public-series.ts'
import { type Plan, planRefresh, type SeriesProgress } from './plan.ts'
import { type Ingest, type ProviderRun, runProvider, type Target } from './run.ts'

export interface Errand {
  readonly provider: Provider
  readonly targets: readonly Target[]
  readonly plans: readonly Plan[]
}

export function refreshSeries(
  ingest: Ingest,
  series: readonly PublicSeries[],
  cause: RunCause,
): Promise<readonly ProviderRun[]> {
  return runErrands(ingest, refreshErrands(ingest, series, cause !== 'timetable'), cause)
}

function refreshErrands(
  ingest: Pick<Ingest, 'clock'>,
  series: readonly PublicSeries[],
  isThorough: boolean,
): readonly Errand[] {
  return Object.values(providers).flatMap(provider => {
    const own = series.filter(each => each.provider === provider.name)
    if (own.length === 0) return []
    const plans = planRefresh(provider, own.map(standingOf), { now: ingest.clock(), isThorough })
    return [{ provider, targets: own.map(each => ({ code: each.code, series: each })), plans }]
  })
}

export function standingOf({ code, frequency, newestPeriod, newestPublished, state }: PublicSeries): SeriesProgress {
  const { rangeAskedAt = null, wholeAskedAt = null } = state ?? {}
  return { code, frequency, newestPeriod, newestPublished, rangeAskedAt, wholeAskedAt }
}

/** Runs every provider to its end, whatever happens to the others; then throws the first internal error, if any. */
export async function runErrands(
  ingest: Ingest,
  errands: readonly Errand[],
  cause: RunCause,
): Promise<readonly ProviderRun[]> {
  const runs = await Promise.allSettled(
    errands.map(({ provider, targets, plans }) => runProvider(provider, targets, plans, cause, ingest)),
  )
  for (const run of runs) if (run.status === 'rejected') throw run.reason
  return runs.map(run => (run as PromiseFulfilledResult<ProviderRun>).value)
}

/** The series of one provider without a complete answer since `before`. */
export async function listDue(
  ingest: Pick<Ingest, 'sql'>,
  provider: string,
  before: string,
): Promise<readonly PublicSeries[]> {
  const series = await listPublicSeries(ingest.sql, { provider })
  return series.filter(({ state }) => state?.lastAnsweredAt == null || state.lastAnsweredAt < before)
}
