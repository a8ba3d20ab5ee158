// What a query wants of a dataflow, and what was found.

import { Refusal } from '../../core/refusal.ts'
import type { VersionTag } from '../../core/series/series.ts'
import type { Day } from '../../core/time/day.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { DataStructure } from '../../formats/sdmx/artefacts.ts'
import type { SeriesOfData } from '../../formats/sdmx/data-set.ts'
import { limits } from '../../limits.ts'
import type { ApiRequest } from '../api/context.ts'
import { namesOurVersion, namesUs, nothingFound } from './artefact-names.ts'
import { type DayTest, type KeyFilter, readComponentTest, readKey, readTimeTest } from './filter.ts'
import type { Moment } from './moment.ts'
import { type dataParameters, type FilteredComponent, filteredComponents } from './query.ts'

/** Which series and periods. */
export interface Filter {
  readonly structure: DataStructure
  readonly key: KeyFilter
  readonly tests: ReadonlyMap<FilteredComponent, (value: string) => boolean>
  readonly isTimeWanted: DayTest
}

export interface Wanted extends Filter {
  readonly asOf: Instant | null
  readonly version: VersionTag | null
  readonly updatedAfter: Instant | null
  readonly hasHistory: boolean
  readonly first: number | null
  readonly last: number | null
}

/** The series of an answer, found and counted; null where no series has the key. */
export interface FoundData {
  /** The newest thing that is told, or the moment that was asked for. */
  readonly prepared: Instant
  /** Stands for everything that the answer is made of. */
  readonly content: string
  readonly series: () => AsyncIterable<SeriesOfData>
}

type DataRequest = ApiRequest<typeof dataParameters>
type AddressedRequest = Pick<DataRequest, 'ids'>

/** The one dataflow that an address names, by itself or by its structure, which has the same name. */
export function structureOf({ ids }: AddressedRequest, { catalogue }: Moment): DataStructure {
  const [context = '*', agencyPart, id = '*', version] = ids
  if (!['*', 'dataflow', 'datastructure', 'provisionagreement'].includes(context))
    throw new Refusal(
      'invalid',
      `data is asked for by dataflow or datastructure, got ${JSON.stringify(context.slice(0, 60))}`,
    )
  if (context === 'provisionagreement') throw nothingFound()
  if (id === '*' || id === 'all' || id.includes(','))
    throw new Refusal('not-implemented', 'data is served of one dataflow at a time: name it')
  const structure = catalogue.structureOf(id)
  if (structure === null || !namesUs(agencyPart) || !namesOurVersion(version)) throw nothingFound()
  return structure
}

type FilterQuery = Pick<DataRequest['query'], 'startPeriod' | 'endPeriod' | `c[${FilteredComponent}]`>

/** What narrows data and availability alike. */
export function readFilter(
  { ids, query }: AddressedRequest & { readonly query: FilterQuery },
  structure: DataStructure,
): Filter {
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

/** Counts observations; refuses an answer that would be longer than answers are. */
export class ObservationCount {
  #count = 0

  add(more: number): void {
    this.#count += more
    if (this.#count > limits.sdmx.observations)
      throw new Refusal(
        'answer-too-large',
        `an answer has at most ${limits.sdmx.observations} observations; narrow it by a key, startPeriod or lastNObservations`,
      )
  }
}
