// Observations of a provider's series: a first pass finds and counts them, a second one writes them. In between no series is held,
// so that an answer takes little memory however many there are.

import type { Day } from '../../core/time/day.ts'
import { type Instant, instantOfMicros, type Micros } from '../../core/time/instant.ts'
import { type Frequency, firstDayOf } from '../../core/time/period.ts'
import { codeId, nameOfCode } from '../../formats/sdmx/code-id.ts'
import type { Action, Observation, SeriesOfData } from '../../formats/sdmx/data-set.ts'
import { formatTimePeriod, frequencyCodes, statusOfTag } from '../../formats/sdmx/structures.ts'
import { metadataAt } from '../../read/lists/agreement-series.ts'
import { Slices } from '../../read/memory/slices.ts'
import type { SeriesSnapshot } from '../../read/series/series-snapshot.ts'
import { toldVintages, type VintageSelection } from '../../read/series/vintage-selection.ts'
import type { VisibleSeries } from '../../storage/series/visible-series.ts'
import type { ApiRequest } from '../api/context.ts'
import { digestOf, type Moment } from './moment.ts'
import type { DataQuery, Filter, FoundData, ObservationCount } from './requested-data.ts'

type SeriesRequest = Pick<ApiRequest<Record<string, never>>, 'parts' | 'workspaceId'>

/** A matching series, with its selected vintages while its snapshot is still in memory. */
interface Planned {
  readonly found: FoundSeries
  readonly snapshot: WeakRef<SeriesSnapshot>
  readonly told: VintageSelection
}

export async function readSeriesData(
  { parts, workspaceId }: SeriesRequest,
  moment: Moment,
  wanted: DataQuery,
  count: ObservationCount,
): Promise<FoundData | null> {
  const matching = await findSeries(moment, wanted)
  if (matching.length === 0) return null
  const tell = (snapshot: SeriesSnapshot) =>
    toldVintages(snapshot, { ...wanted, knownAt: moment.knownAt }, isWantedIn(snapshot.frequency, wanted))
  const slices = new Slices()
  const plan: Planned[] = []
  const versions: string[] = []
  let newest: Instant = instantOfMicros(0)
  for (const found of matching) {
    if (count.isFull) break
    const { snapshot } = await parts.library.series(workspaceId, found.series)
    const told = tell(snapshot)
    count.add(told.places.length)
    if (snapshot.newestRecorded > newest) newest = snapshot.newestRecorded
    // Knowledge of an earlier moment does not change.
    versions.push(`${found.series.id} ${found.seq} ${moment.asked ?? snapshot.newestRecorded}`)
    if (told.places.length > 0) plan.push({ found, snapshot: new WeakRef(snapshot), told })
    await slices.rest()
  }
  const actions = actionsOf(wanted)
  return {
    prepared: moment.asked ?? newest,
    content: digestOf(versions),
    async *series() {
      const texts = { instants: new InstantTexts(), periods: new Map() }
      const turns = new Slices()
      for (const { found, snapshot: seen, told } of plan) {
        const { snapshot } = await parts.library.series(workspaceId, found.series)
        // A snapshot that was read again may have more vintages, at other places; those that count are the same.
        const same = seen.deref() === snapshot ? told : tell(snapshot)
        yield { ...found.told, observations: observe(snapshot, same, actions, texts) }
        await turns.rest()
      }
    },
  }
}

interface FoundSeries {
  readonly series: VisibleSeries
  /** Entry number of its description. */
  readonly seq: number
  readonly told: Pick<SeriesOfData, 'key' | 'names' | 'attributes'>
}

export async function findSeries(
  { catalogue, index, knownAt }: Moment,
  { structure, key, tests }: Filter,
): Promise<readonly FoundSeries[]> {
  const named = (id: string) => {
    const code = nameOfCode(id)
    return code === null ? undefined : index.findByReference(`${structure.id}/${code}`)
  }
  const candidates =
    key.firsts === null
      ? catalogue.seriesOf(structure.id)
      : [...key.firsts].map(named).filter(series => series !== undefined)
  const found: FoundSeries[] = []
  const slices = new Slices()
  for (const series of candidates) {
    await slices.rest()
    const { name, unit, frequency, seq } = metadataAt(series, knownAt)
    const [id, freq] = [codeId(series.code), frequencyCodes[frequency]]
    if (!key.matches([id, freq])) continue
    const values = { SERIES: id, FREQ: freq, UNIT: unit, TITLE: name }
    const isWanted = (['SERIES', 'FREQ', 'UNIT', 'TITLE'] as const).every(
      each => tests.get(each)?.(values[each]) ?? true,
    )
    if (isWanted) found.push({ series, seq, told: { key: [id, freq], names: [name, null], attributes: [unit, name] } })
  }
  return found
}

function isWantedIn(frequency: Frequency, { isTimeWanted }: Filter) {
  return (ordinal: number) => isTimeWanted(firstDayOf({ frequency, ordinal }) as Day)
}

/** Actions of a receiver on a value, and on a withdrawal. */
interface Actions {
  readonly value: Action
  readonly hasValidity: boolean
}

function actionsOf({ hasHistory, updatedAfter }: DataQuery): Actions {
  return { value: hasHistory || updatedAfter !== null ? 'Replace' : 'Information', hasValidity: hasHistory }
}

/** Texts of periods, which repeat themselves from series to series: each is written once. */
type PeriodTexts = Map<Frequency, Map<number, string>>

function textsOf(texts: PeriodTexts, frequency: Frequency): Map<number, string> {
  const known = texts.get(frequency) ?? new Map<number, string>()
  texts.set(frequency, known)
  return known
}

const slots = 1024

/** Texts of repeated instants. A table of fixed size is faster than a map of large numbers, and never grows. */
class InstantTexts {
  readonly #micros = new Float64Array(slots).fill(Number.NaN)
  readonly #texts: Instant[] = []

  at(micros: Micros): Instant {
    const slot = Math.imul(micros / 1_000_000, 0x9e37_79b1) >>> 22
    if (this.#micros[slot] === micros) return this.#texts[slot]!
    const text = instantOfMicros(micros)
    this.#micros[slot] = micros
    this.#texts[slot] = text
    return text
  }
}

interface Texts {
  readonly instants: InstantTexts
  readonly periods: PeriodTexts
}

function* observe(
  snapshot: SeriesSnapshot,
  { places, replacedBy }: VintageSelection,
  { value: actionOfValue, hasValidity }: Actions,
  { instants, periods }: Texts,
): Generator<Observation> {
  const { frequency } = snapshot
  const texts = textsOf(periods, frequency)
  for (let i = 0; i < places.length; i++) {
    const place = places[i]!
    const ordinal = snapshot.ordinalAt(place)
    let period = texts.get(ordinal)
    if (period === undefined) {
      period = formatTimePeriod({ frequency, ordinal })
      texts.set(ordinal, period)
    }
    const tag = snapshot.tagAt(place)
    const published = instants.at(snapshot.publishedAt(place))
    const next = hasValidity ? replacedBy[i]! : -1
    yield {
      period,
      value: snapshot.valueAt(place),
      attributes: [tag === null ? null : statusOfTag[tag], tag, published, instants.at(snapshot.recordedAt(place))],
      action: tag === null ? 'Delete' : actionOfValue,
      validFrom: hasValidity ? published : null,
      // Last instant at which the replaced value still counted.
      validTo: next < 0 ? null : instants.at(snapshot.publishedAt(next) - 1),
    }
  }
}
