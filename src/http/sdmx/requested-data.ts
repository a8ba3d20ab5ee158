// Requested and found data of a dataflow.

import { TooHeavyHere } from '../../core/numbers/work-budget.ts'
import { Refusal } from '../../core/refusal.ts'
import type { VersionTag } from '../../core/series/series.ts'
import type { Day } from '../../core/time/day.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { DataStructure } from '../../formats/sdmx/artefacts.ts'
import type { SeriesOfData } from '../../formats/sdmx/data-set.ts'
import { limits } from '../../limits.ts'
import type { ApiRequest } from '../api/context.ts'
import { names, namesOurVersion, namesUs, nothingFound } from './artefact-names.ts'
import { type DayTest, type KeyFilter, readComponentTest, readKey, readTimeTest } from './filter.ts'
import type { Moment } from './moment.ts'
import { type dataParameters, type FilteredComponent, filteredComponents } from './query.ts'

/** Filter of series and periods. */
export interface Filter {
  readonly structure: DataStructure
  readonly key: KeyFilter
  readonly tests: ReadonlyMap<FilteredComponent, (value: string) => boolean>
  readonly isTimeWanted: DayTest
}

export interface DataQuery extends Filter {
  readonly asOf: Instant | null
  readonly version: VersionTag | null
  readonly updatedAfter: Instant | null
  readonly hasHistory: boolean
  readonly first: number | null
  readonly last: number | null
}

/** Found and counted series of an answer; null where no series has the key. */
export interface FoundData {
  /** Newest thing in the answer, or the requested moment. */
  readonly prepared: Instant
  /** Digest of everything that the answer is made of. */
  readonly content: string
  readonly series: () => AsyncIterable<SeriesOfData>
}

type DataRequest = ApiRequest<typeof dataParameters>
type AddressedRequest = Pick<DataRequest, 'ids'>

/** Dataflows that an address names, by themselves or by their structures, whose names are equal. */
export function structuresOf({ ids }: AddressedRequest, { catalogue }: Moment): readonly DataStructure[] {
  const [context = '*', agencyPart, id = '*', version] = ids
  if (!['*', 'dataflow', 'datastructure', 'provisionagreement'].includes(context))
    throw new Refusal(
      'invalid',
      `data is asked for by dataflow or datastructure, got ${JSON.stringify(context.slice(0, 60))}`,
    )
  if (context === 'provisionagreement') throw nothingFound()
  const found = catalogue.structures().filter(structure => names(id, structure.id))
  if (found.length === 0 || !namesUs(agencyPart) || !namesOurVersion(version)) throw nothingFound()
  return found
}

/** Filters of those dataflows that have the named key and components; a single dataflow without them is refused with the reason. */
export function readFilters(request: FilteredRequest, structures: readonly DataStructure[]): readonly Filter[] {
  const refused: Refusal[] = []
  const filters = structures.flatMap(structure => {
    try {
      return [readFilter(request, structure)]
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== 'contradictory') throw error
      refused.push(error)
      return []
    }
  })
  if (filters.length === 0) throw refused[0]!
  return filters
}

type FilterQuery = Pick<DataRequest['query'], 'startPeriod' | 'endPeriod' | `c[${FilteredComponent}]`>

type FilteredRequest = AddressedRequest & { readonly query: FilterQuery }

/** Filter common to data and availability. */
function readFilter({ ids, query }: FilteredRequest, structure: DataStructure): Filter {
  const { startPeriod, endPeriod } = query
  if (startPeriod !== null && endPeriod !== null && startPeriod.first > endPeriod.last)
    throw new Refusal('contradictory', 'startPeriod must not be later than endPeriod')
  const known = new Set([...structure.dimensions, ...structure.attributes].map(({ id }) => id))
  const tests = new Map<FilteredComponent, (value: string) => boolean>()
  for (const component of filteredComponents) {
    const text = query[`c[${component}]`]
    if (text === null || component === 'TIME_PERIOD') continue
    if (!known.has(component)) throw new Refusal('contradictory', `${structure.id} has no component ${component}`)
    tests.set(component, readComponentTest(text))
  }
  const byTime = query['c[TIME_PERIOD]'] === null ? null : readTimeTest(query['c[TIME_PERIOD]'])
  const isTimeWanted = (day: Day) =>
    (startPeriod === null || day >= startPeriod.first) &&
    (endPeriod === null || day <= endPeriod.last) &&
    (byTime === null || byTime(day))
  return { structure, key: readKey(ids[4] ?? '', structure.dimensions), tests, isTimeWanted }
}

interface CountBounds {
  readonly offset?: number
  readonly limit?: number | null
  /** Most observations held here; a longer answer is made elsewhere. */
  readonly mostHere?: number
}

/** Counts observations; refuses an answer that would be too long. Observations before and after the answer are only counted. */
export class ObservationCount {
  readonly #offset: number
  readonly #end: number
  readonly #mostHere: number
  #count = 0

  constructor({ offset = 0, limit = null, mostHere = Number.POSITIVE_INFINITY }: CountBounds = {}) {
    this.#offset = offset
    this.#end = limit === null ? Number.POSITIVE_INFINITY : offset + limit
    this.#mostHere = mostHere
  }

  /** Whether the answer takes no more. */
  get isFull(): boolean {
    return this.#count >= this.#end
  }

  add(more: number): void {
    this.#count += more
    if (Math.min(this.#count, this.#end) - this.#offset > limits.sdmx.observations)
      throw new Refusal(
        'answer-too-large',
        `an answer has at most ${limits.sdmx.observations} observations; narrow it by a key, startPeriod, lastNObservations or limit`,
      )
    if (this.#count > this.#mostHere) throw new TooHeavyHere('many observations that are held together')
  }
}
