// What the stored figures of a workspace let us suspect about its indices, and which of its series might take the place of one.

import { findCandidates } from '../core/index-changes/candidates.ts'
import { dataSetOf } from '../core/index-changes/flow-version.ts'
import type { Candidate } from '../core/index-changes/splice-question.ts'
import { type Rewritten, type Suspect, suspectsOf } from '../core/index-changes/suspects.ts'
import type { SeriesHistory } from '../core/series/series.ts'
import type { Day } from '../core/time/day.ts'
import type { Period } from '../core/time/period.ts'
import { readOpenAlarms } from '../storage/series/alarms.ts'
import type { StoredIndexEvent } from '../storage/series/index-events.ts'
import { readDescriptions } from '../storage/series/series-heads.ts'
import type { VisibleSeries } from '../storage/series/visible-series.ts'
import type { ReadsAgreements } from './lists/reads-agreements.ts'
import { Slices } from './memory/slices.ts'
import type { CachedSeries } from './series/cached-series.ts'
import type { IndexEvents } from './series/index-events.ts'

interface FindsSuspects extends ReadsAgreements {
  readonly indexEvents: IndexEvents
  series(workspaceId: string, visible: VisibleSeries): CachedSeries | Promise<CachedSeries>
}

interface SuspectsWanted {
  readonly today: Day
  /** Only these; null: every series that an agreement reads. */
  readonly series?: readonly VisibleSeries[] | null
  /** Series that they are compared with; left out, all of the workspace. */
  readonly among?: readonly VisibleSeries[]
  /** Answers that rewrite a series and wait for a decision, by series id. */
  readonly waiting?: ReadonlyMap<string, readonly Rewritten[]>
  /** Series that are known though the workspace does not follow them, as formulas name them. */
  readonly known?: readonly string[]
}

export interface ListedSuspect extends Suspect {
  /** The agreements that read it, by slug. */
  readonly pams: readonly string[]
  /** What is published about it, by id. */
  readonly events: readonly string[]
}

/** Of a large data set as many are enough to see whether it moves. */
const mostSiblings = 20

/** In order of series. */
export async function listSuspects(
  library: FindsSuspects,
  workspaceId: string,
  wanted: SuspectsWanted,
): Promise<readonly ListedSuspect[]> {
  const index = await library.index(workspaceId)
  const { readers } = await library.readers(workspaceId, index)
  const series = wanted.series ?? index.series.filter(({ id }) => readers.has(id))
  const events = await library.indexEvents.ofSeries(workspaceId, series)
  const ids = series.map(({ id }) => id)
  const [descriptions, alarms] = await library.readAndCatchUp(workspaceId, tx =>
    Promise.all([readDescriptions(tx, ids), readOpenAlarms(tx, workspaceId)]),
  )
  const late = Map.groupBy(
    alarms.filter(({ cause }) => cause !== 'CANCELLED'),
    ({ seriesId }) => seriesId,
  )
  const among = wanted.among ?? index.series
  const others = [...among.map(referenceOf), ...(wanted.known ?? [])]
  const sets = Map.groupBy(among, each => dataSetOf(referenceOf(each)))
  const listed: ListedSuspect[] = []
  const slices = new Slices()
  for (const each of series) {
    const history = await historyOf(library, workspaceId, each)
    const found = suspectsOf({
      history,
      statements: [history.name, descriptions.get(each.id) ?? ''],
      units: each.metadata.map(({ unit }) => unit),
      late: late.get(each.id)?.length ?? 0,
      siblings: await siblingsOf(library, workspaceId, sets, each),
      others,
      waiting: wanted.waiting?.get(each.id) ?? null,
      today: wanted.today,
    })
    const pams = (readers.get(each.id) ?? []).map(({ slug }) => slug).sort()
    listed.push(...found.map(suspect => ({ ...suspect, pams, events: idsOf(events.get(each.id) ?? []) })))
    await slices.rest()
  }
  return listed.sort((a, b) => (a.series < b.series ? -1 : a.series > b.series ? 1 : 0))
}

function idsOf(events: readonly StoredIndexEvent[]): readonly string[] {
  return events.map(({ id }) => id)
}

function referenceOf({ provider, code }: VisibleSeries): string {
  return `${provider}/${code}`
}

export async function historyOf(
  library: FindsSuspects,
  workspaceId: string,
  visible: VisibleSeries,
): Promise<SeriesHistory> {
  const { name, unit, frequency } = visible.metadata.at(-1)!
  const { snapshot } = await library.series(workspaceId, visible)
  return snapshot.history({ reference: referenceOf(visible), name, unit, frequency })
}

async function siblingsOf(
  library: FindsSuspects,
  workspaceId: string,
  sets: ReadonlyMap<string | null, readonly VisibleSeries[]>,
  own: VisibleSeries,
): Promise<readonly Period[]> {
  const set = dataSetOf(referenceOf(own))
  const siblings = set === null ? [] : (sets.get(set) ?? []).filter(({ id }) => id !== own.id).slice(0, mostSiblings)
  const periods: Period[] = []
  for (const each of siblings) {
    const { ordinals, frequency } = await historyOf(library, workspaceId, each)
    if (ordinals.length > 0) periods.push({ frequency, ordinal: ordinals.at(-1)! })
  }
  return periods
}

/** Series among these that might take the place of one, the likeliest first. */
export async function candidatesFor(
  library: FindsSuspects,
  workspaceId: string,
  among: readonly VisibleSeries[],
  old: VisibleSeries,
): Promise<readonly Candidate[]> {
  const pool = among.map(visible => ({
    reference: referenceOf(visible),
    name: visible.metadata.at(-1)!.name,
    visible,
  }))
  const own = { reference: referenceOf(old), name: old.metadata.at(-1)!.name }
  const candidates: Candidate[] = []
  for (const { series, why } of findCandidates(own, pool).slice(0, mostCandidates))
    candidates.push({ series: await historyOf(library, workspaceId, series.visible), why })
  return candidates
}

const mostCandidates = 20
