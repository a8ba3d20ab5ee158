// Suspects: what stored figures suggest about the indices of a workspace, and series that might take the place of one.
import { createHash } from 'node:crypto'
import { findCandidates } from '../core/index-changes/candidates.ts'
import { dataSetOf } from '../core/index-changes/flow-version.ts'
import type { Candidate } from '../core/index-changes/splice-question.ts'
import { type Rewritten, type SeriesEvidence, type Suspect, suspectsOf } from '../core/index-changes/suspects.ts'
import type { SeriesHistory } from '../core/series/series.ts'
import type { Day } from '../core/time/day.ts'
import type { Period } from '../core/time/period.ts'
import { limits } from '../limits.ts'
import { loadOpenAlarms } from '../storage/series/alarms.ts'
import type { StoredIndexEvent } from '../storage/series/index-events.ts'
import { loadDescriptions } from '../storage/series/series-heads.ts'
import type { VisibleSeries } from '../storage/series/visible-series.ts'
import type { ReadsAgreements } from './lists/reads-agreements.ts'
import { TicketedCache } from './memory/cache.ts'
import { SizedValue } from './memory/memory.ts'
import { Slices } from './memory/slices.ts'
import type { CachedSeries } from './series/cached-series.ts'
import type { Heads } from './series/heads.ts'
import type { IndexEvents } from './series/index-events.ts'

interface FindsSuspects extends ReadsAgreements {
  readonly indexEvents: IndexEvents
  readonly heads: Heads
  series(workspaceId: string, visible: VisibleSeries): CachedSeries | Promise<CachedSeries>
}

interface SuspectsWanted {
  readonly today: Day
  /** Examined series; null: every series that an agreement reads. */
  readonly series?: readonly VisibleSeries[] | null
  /** Series to compare with; left out, all of the workspace. */
  readonly among?: readonly VisibleSeries[]
  /** Answers that rewrite a series and wait for a decision, by series id. */
  readonly waiting?: ReadonlyMap<string, readonly Rewritten[]>
  /** Series known beyond those the workspace follows, as formulas name them. */
  readonly known?: readonly string[]
}

export interface ListedSuspect extends Suspect {
  /** Slugs of the agreements that read it. */
  readonly pams: readonly string[]
  /** Ids of the events published about it. */
  readonly events: readonly string[]
}

/** So many series of a large data set show whether it moves. */
const mostSiblings = 20

/** Suspects found in the figures of a series, and the facts beside the figures that they rest on. */
interface FoundSuspects {
  readonly ground: string
  readonly suspects: readonly Suspect[]
}

/** Approximate bytes of a series beside the texts. */
const bytesOfFound = 400
const mostGrounds = 4

/** Suspects in memory: the figures of a series are examined again when the series or other knowledge about it has changed. */
export class Suspects {
  readonly #library: FindsSuspects
  /** Results by series, for the last few askers, since not everybody sees the same other series. */
  readonly #kept: TicketedCache<SizedValue<readonly FoundSuspects[]>>
  #computed = 0

  constructor(library: FindsSuspects) {
    this.#library = library
    this.#kept = new TicketedCache(library.changes, limits.suspectsBytes, {})
  }

  /** Number of times that figures of a series were examined. */
  get computed(): number {
    return this.#computed
  }

  /** Suspects in the order of series. */
  async list(workspaceId: string, wanted: SuspectsWanted): Promise<readonly ListedSuspect[]> {
    const library = this.#library
    const index = await library.index(workspaceId)
    const { readers } = await library.readers(workspaceId, index)
    const series = wanted.series ?? index.series.filter(({ id }) => readers.has(id))
    const events = await library.indexEvents.ofSeries(workspaceId, series)
    const ids = series.map(({ id }) => id)
    const [descriptions, alarms] = await library.readAndCatchUp(workspaceId, tx =>
      Promise.all([loadDescriptions(tx, ids), loadOpenAlarms(tx, workspaceId)]),
    )
    const late = Map.groupBy(
      alarms.filter(({ cause }) => cause !== 'CANCELLED'),
      ({ seriesId }) => seriesId,
    )
    const among = wanted.among ?? index.series
    const others = [...among.map(referenceOf), ...(wanted.known ?? [])]
    const othersDigest = createHash('sha256').update(others.join('\n')).digest('base64')
    const siblingsOf = await this.#siblings(workspaceId, series, among)
    const listed: ListedSuspect[] = []
    const slices = new Slices()
    for (const each of series) {
      const beside = {
        statements: [each.metadata.at(-1)!.name, descriptions.get(each.id) ?? ''],
        units: each.metadata.map(({ unit }) => unit),
        late: late.get(each.id)?.length ?? 0,
        siblings: siblingsOf(each),
        waiting: wanted.waiting?.get(each.id) ?? null,
        today: wanted.today,
      }
      const ground = JSON.stringify([beside, othersDigest])
      const found = await this.#suspectsOf(workspaceId, each, ground, { ...beside, others })
      const pams = (readers.get(each.id) ?? []).map(({ slug }) => slug).sort()
      listed.push(...found.map(suspect => ({ ...suspect, pams, events: idsOf(events.get(each.id) ?? []) })))
      await slices.rest()
    }
    return listed.sort((a, b) => (a.series < b.series ? -1 : a.series > b.series ? 1 : 0))
  }

  async #suspectsOf(
    workspaceId: string,
    series: VisibleSeries,
    ground: string,
    beside: Omit<SeriesEvidence, 'history'>,
  ): Promise<readonly Suspect[]> {
    const known = this.#kept.get(series.id)?.value ?? []
    const same = known.find(each => each.ground === ground)
    if (same !== undefined) return same.suspects
    return this.#kept.loadMany([series.id], series.owner, async keep => {
      const history = await historyOf(this.#library, workspaceId, series)
      const suspects = suspectsOf({ ...beside, history })
      this.#computed++
      const found = [{ ground, suspects }, ...known.slice(0, mostGrounds - 1)]
      keep(series.id, new SizedValue(found, bytesOfFound + 2 * JSON.stringify(found).length, series.owner))
      return suspects
    })
  }

  /** The newest periods of a few other series of the same data set. */
  async #siblings(workspaceId: string, series: readonly VisibleSeries[], among: readonly VisibleSeries[]) {
    const sets = Map.groupBy(among, each => dataSetOf(referenceOf(each)))
    const inSet = (own: VisibleSeries) => {
      const set = dataSetOf(referenceOf(own))
      return set === null ? [] : (sets.get(set) ?? []).filter(({ id }) => id !== own.id).slice(0, mostSiblings)
    }
    const all = new Set(series.flatMap(own => inSet(own).map(({ id }) => id)))
    const heads = await this.#library.heads.read(workspaceId, [...all])
    return (own: VisibleSeries): readonly Period[] =>
      inSet(own).flatMap(({ id, metadata }) => {
        const ordinal = heads.get(id)?.last ?? null
        return ordinal === null ? [] : [{ frequency: metadata.at(-1)!.frequency, ordinal }]
      })
  }
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
