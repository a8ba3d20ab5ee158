// The plan of requests: the whole history of a new series, and only the part of a stored one that may have changed, in the
// cheapest way its provider offers. Pure; series with the same request are asked for together.
import { civilOf, type Day, dayOf } from '../core/time/day.ts'
import { dayOfInstant, type Instant, startOfDay } from '../core/time/instant.ts'
import { type Frequency, firstDayOf } from '../core/time/period.ts'
import type { Provider } from '../providers/provider.ts'
import { ingestLimits } from './ingest-limits.ts'

export interface SeriesProgress {
  readonly code: string
  readonly frequency: Frequency
  readonly newestPeriod: number | null
  readonly newestPublished: Instant | null
  readonly rangeAskedAt: Instant | null
  readonly wholeAskedAt: Instant | null
}

export interface Plan {
  readonly codes: readonly string[]
  readonly from: Day | null
  readonly changedSince: Instant | null
}

interface PlanOptions {
  readonly now: Instant
  /** Somebody asked for the refresh, so it also covers what a delta cannot show. */
  readonly isThorough: boolean
}

export function planWhole(provider: Provider, codes: readonly string[]): readonly Plan[] {
  return inBatches(provider, [...codes].sort()).map(batch => ({ codes: batch, from: null, changedSince: null }))
}

export function planRefresh(
  provider: Provider,
  standings: readonly SeriesProgress[],
  options: PlanOptions,
): readonly Plan[] {
  const groups = new Map<string, { readonly plan: Omit<Plan, 'codes'>; readonly codes: string[] }>()
  for (const standing of standings) {
    const plan = planOne(provider, standing, options)
    const id = `${plan.from} ${plan.changedSince}`
    const group = groups.get(id) ?? { plan, codes: [] }
    groups.set(id, group)
    group.codes.push(standing.code)
  }
  return [...groups.values()].flatMap(({ plan, codes }) =>
    inBatches(provider, codes.sort()).map(batch => ({ ...plan, codes: batch })),
  )
}

/** Batches of codes. Their answers are in memory together, so only providers with a daily limit get the largest ones. */
function inBatches({ limits: own }: Provider, codes: readonly string[]): readonly (readonly string[])[] {
  const most = own.requestsPerDay === null ? ingestLimits.seriesTogether.usual : ingestLimits.seriesTogether.most
  const size = Math.min(Math.max(own.seriesPerRequest, ingestLimits.seriesTogether.least), most)
  const batches: (readonly string[])[] = []
  for (let start = 0; start < codes.length; start += size) batches.push(codes.slice(start, start + size))
  return batches
}

function planOne(provider: Provider, standing: SeriesProgress, options: PlanOptions): Omit<Plan, 'codes'> {
  if (isOlder(standing.wholeAskedAt, ingestLimits.wholeHistoryEveryDays, options.now))
    return { from: null, changedSince: null }
  return { from: rangeStart(standing), changedSince: deltaStart(provider, standing, options) }
}

/** January 1st some years before the newest period, so that the request stays the same for a year. */
function rangeStart({ frequency, newestPeriod }: SeriesProgress): Day | null {
  if (newestPeriod === null) return null
  const { year } = civilOf(firstDayOf({ frequency, ordinal: newestPeriod }))
  return dayOf(year - ingestLimits.refreshYears, 1, 1)
}

/** A provider's day may end after ours, and values dated on a day may appear late on that day. */
const overlapDays = 3

/** Start of a delta request, if the provider offers useful deltas: the newest date the provider gave, not our clock. */
function deltaStart(
  { delta }: Provider,
  { frequency, newestPublished, rangeAskedAt }: SeriesProgress,
  { now, isThorough }: PlanOptions,
): Instant | null {
  if (newestPublished === null || delta === undefined) return null
  if (delta.frequencies !== null && !delta.frequencies.includes(frequency)) return null
  if (delta.isPartial && (isThorough || isOlder(rangeAskedAt, 1, now))) return null
  return startOfDay(dayOfInstant(newestPublished) - overlapDays)
}

function isOlder(at: Instant | null, days: number, now: Instant): boolean {
  return at === null || at < startOfDay(dayOfInstant(now) - days)
}
