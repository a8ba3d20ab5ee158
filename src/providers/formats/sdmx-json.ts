// Reads SDMX-JSON in its three layouts (`structure` at the root, `data.structure`, `data.structures[]`), by series and
// flat, with attributes as an index or as a literal, and figures as strings or as numbers that never become a float.
import type { AnswerProblem } from '../provider.ts'
import {
  countOf,
  firstMember,
  isNumber,
  isRecord,
  itemsOf,
  type JsonObject,
  member,
  readWords,
  textOf,
} from './lossless.ts'
import { problem } from './problem.ts'
import type { SdmxCursor, SdmxSink, SdmxValue } from './sdmx.ts'
import { parseFlowUrn, type SdmxFlow } from './sdmx-code.ts'

/** Whether this is a data message: structure messages have no data sets. */
export function isSdmxJson(value: unknown): value is JsonObject {
  return Array.isArray(member(shellOf(value), 'dataSets'))
}

export function readSdmxJson(message: JsonObject, sink: SdmxSink): readonly AnswerProblem[] {
  const shell = shellOf(message)
  const structures = itemsOf(member(shell, 'structures'))
  const shapes = new Map<number, Shape>()
  const problems: AnswerProblem[] = []
  for (const dataSet of itemsOf(member(shell, 'dataSets'))) {
    const at = countOf(member(dataSet, 'structure')) ?? 0
    const structure = structures.length > 0 ? structures[at] : member(shell, 'structure')
    const shape = shapes.get(at) ?? readShape(structure)
    shapes.set(at, shape)
    const trouble = readDataSet(dataSet, structure, shape, sink)
    if (trouble !== null) problems.push(problem('unreadable', trouble))
  }
  return problems
}

function shellOf(value: unknown): unknown {
  const inner = member(value, 'data')
  return isRecord(inner) ? inner : value
}

/** A dimension or an attribute, with its values in this message. */
interface Component {
  readonly id: string
  readonly keyPosition: number | null
  readonly roles: readonly string[]
  readonly values: readonly (SdmxValue | null)[]
  readonly fallback: SdmxValue | null
}

interface Shape {
  /** Components of the data set, then of the series, then of the observation. */
  readonly dimensions: readonly Component[]
  readonly dataSetCount: number
  readonly seriesCount: number
  readonly time: number
  readonly frequency: number
  /** Positions in `dimensions`, in the order of the key. */
  readonly keyed: readonly number[]
  readonly attributes: Readonly<Record<AttributeLevel, readonly Component[]>>
  readonly measureCount: number
  readonly measure: number
}

type AttributeLevel = 'observation' | 'series' | 'group' | 'dataSet'

/** The position of a component on each level; -1 if it is not there. */
type ComponentPositions = Readonly<Record<AttributeLevel | 'dimension', number>>

function readShape(structure: unknown): Shape {
  const levels = (name: string, level: readonly string[]) =>
    itemsOf(firstMember(member(structure, name), level)).map(readComponent)
  const ofDataSet = levels('dimensions', ['dataSet', 'dataset'])
  const ofSeries = levels('dimensions', ['series'])
  const dimensions = [...ofDataSet, ...ofSeries, ...levels('dimensions', ['observation'])]
  const time = dimensions.findIndex(({ id, roles }) => id === 'TIME_PERIOD' || roles.some(role => /^time/i.test(role)))
  const measures = levels('measures', ['observation']).map(({ id }) => id)
  return {
    dimensions,
    dataSetCount: ofDataSet.length,
    seriesCount: ofSeries.length,
    time,
    frequency: dimensions.findIndex(({ id, roles }) => /^freq(?:uency)?$/i.test(id) || roles.includes('FREQ')),
    keyed: keyOrder(dimensions, time),
    attributes: {
      observation: levels('attributes', ['observation']),
      series: levels('attributes', ['series']),
      group: levels('attributes', ['dimensionGroup']),
      dataSet: levels('attributes', ['dataSet', 'dataset']),
    },
    measureCount: Math.max(measures.length, 1),
    measure: Math.max(measures.indexOf('OBS_VALUE'), 0),
  }
}

function keyOrder(dimensions: readonly Component[], time: number): readonly number[] {
  const keyed = dimensions.map((_, at) => at).filter(at => at !== time)
  const positions = keyed.map(at => dimensions[at]!.keyPosition)
  if (positions.includes(null)) return keyed
  return keyed.toSorted((a, b) => dimensions[a]!.keyPosition! - dimensions[b]!.keyPosition!)
}

function readComponent(value: unknown): Component {
  const fallback = textOf(member(value, 'default'))
  const role = textOf(member(value, 'role'))
  return {
    id: textOf(member(value, 'id')) ?? '',
    keyPosition: countOf(member(value, 'keyPosition')),
    roles: role === null ? itemsOf(member(value, 'roles')).map(one => textOf(one) ?? '') : [role],
    values: itemsOf(member(value, 'values')).map(readValue),
    fallback: fallback === null ? null : { code: fallback, label: null },
  }
}

/** Coded values have an `id`; uncoded ones a `value`, or in the working draft only a `name`. */
function readValue(value: unknown): SdmxValue | null {
  const label = readWords(member(value, 'name'))
  const code = readWords(firstMember(value, ['id', 'value'])) ?? label
  return code === null || code === '' ? null : { code, label }
}

function readDataSet(dataSet: unknown, structure: unknown, shape: Shape, sink: SdmxSink): string | null {
  const series = member(dataSet, 'series')
  const flat = member(dataSet, 'observations')
  if (!isRecord(series) && !isRecord(flat)) return null
  if (shape.time < 0) return 'the SDMX-JSON message has no time dimension'
  const cursor = new JsonCursor(dataSet, structure, shape)
  let misfits = 0
  const readAll = (observations: unknown) => {
    for (const [key, observation] of Object.entries(Object(observations))) {
      if (!Array.isArray(observation)) misfits++
      else if (cursor.moveToObservation(key, observation)) {
        if (cursor.isDeleted || observation.length > 0) sink(cursor)
      } else misfits++
    }
  }
  if (isRecord(flat)) readAll(flat)
  for (const [key, one] of Object.entries(Object(series))) {
    if (cursor.moveToSeries(key, one)) readAll(member(one, 'observations'))
    else misfits++
  }
  return misfits === 0 ? null : `${misfits} keys of the SDMX-JSON message do not fit its structure`
}

class JsonCursor implements SdmxCursor {
  readonly #dataSet: unknown
  readonly #shape: Shape
  readonly #groups: readonly AttributeGroups[]
  /** The index of the value of each dimension. */
  readonly #at: number[]
  #series: unknown = undefined
  #observation: readonly unknown[] = []
  #isKeyKnown = false
  readonly #places = new Map<string, ComponentPositions>()
  readonly flow: SdmxFlow | null
  key = ''
  frequency: string | null = null
  period = ''
  value: string | null = null
  readonly isDeleted: boolean

  constructor(dataSet: unknown, structure: unknown, shape: Shape) {
    this.#dataSet = dataSet
    this.#shape = shape
    this.#groups = readGroups(member(dataSet, 'dimensionGroupAttributes'))
    this.#at = shape.dimensions.map(() => 0)
    this.flow = flowOf(structure) ?? flowOf(dataSet)
    this.isDeleted = textOf(member(dataSet, 'action')) === 'Delete'
  }

  moveToSeries(key: string, series: unknown): boolean {
    this.#series = series
    this.#isKeyKnown = false
    const { dataSetCount, seriesCount } = this.#shape
    return this.#place(key, dataSetCount, dataSetCount + seriesCount)
  }

  /** Whether key and structure match. Without series, an observation's key has all dimensions that the data set lacks. */
  moveToObservation(key: string, observation: readonly unknown[]): boolean {
    const { dataSetCount, seriesCount, dimensions, time, measure } = this.#shape
    const start = this.#series === undefined ? dataSetCount : dataSetCount + seriesCount
    if (!this.#place(key, start, dimensions.length)) return false
    this.#observation = observation
    this.period = this.#dimension(time).code
    this.value = textOf(observation[measure])
    if (!this.#isKeyKnown) this.#readKey()
    // If only the time differs within a series, its observations share one key.
    this.#isKeyKnown = start === time && start === dimensions.length - 1
    return true
  }

  find(id: string): SdmxValue | null {
    const { attributes, measureCount } = this.#shape
    const { observation, series, group, dataSet, dimension } = this.#placesOf(id)
    const resolved = (level: AttributeLevel, at: number, list: unknown, skip = 0) =>
      at < 0 ? null : resolve(attributes[level][at]!, itemsOf(list)[at + skip])
    return (
      resolved('observation', observation, this.#observation, measureCount) ??
      resolved('series', series, member(this.#series, 'attributes')) ??
      this.#findInGroups(group) ??
      resolved('dataSet', dataSet, member(this.#dataSet, 'attributes')) ??
      (dimension < 0 ? null : this.#dimension(dimension))
    )
  }

  #placesOf(id: string): ComponentPositions {
    let places = this.#places.get(id)
    if (places === undefined) {
      const { attributes, dimensions } = this.#shape
      const placeIn = (components: readonly Component[]) => components.findIndex(component => component.id === id)
      places = {
        observation: placeIn(attributes.observation),
        series: placeIn(attributes.series),
        group: placeIn(attributes.group),
        dataSet: placeIn(attributes.dataSet),
        dimension: placeIn(dimensions),
      }
      this.#places.set(id, places)
    }
    return places
  }

  #readKey(): void {
    const { frequency, keyed } = this.#shape
    this.frequency = frequency < 0 ? null : this.#dimension(frequency).code
    this.key = keyed.map(at => this.#dimension(at).code).join('.')
  }

  #findInGroups(at: number): SdmxValue | null {
    if (at < 0) return null
    const component = this.#shape.attributes.group[at]!
    for (const { places, lists } of this.#groups) {
      const list = lists.get(places.map(place => this.#at[place]).join(':'))
      const value = list === undefined ? null : resolve(component, list[at])
      if (value !== null) return value
    }
    return null
  }

  #dimension(at: number): SdmxValue {
    return this.#shape.dimensions[at]!.values[this.#at[at]!]!
  }

  /** Sets the indexes from `start` to `end` by a key such as `0:2:1`; `false` if key and values do not match. */
  #place(key: string, start: number, end: number): boolean {
    const parts = key.split(':')
    if (parts.length !== end - start) return false
    return parts.every((part, offset) => {
      const index = countOf(part)
      if (index === null || !this.#shape.dimensions[start + offset]!.values[index]) return false
      this.#at[start + offset] = index
      return true
    })
  }
}

/** Attribute lists of the groups that fix the same dimensions, by the indexes of those dimensions. */
interface AttributeGroups {
  readonly places: readonly number[]
  readonly lists: ReadonlyMap<string, readonly unknown[]>
}

/** `":0::"` fixes the second dimension, counted over those of the data set, the series and the observation. */
function readGroups(groups: unknown): readonly AttributeGroups[] {
  const found = new Map<string, { places: number[]; lists: Map<string, readonly unknown[]> }>()
  for (const [key, list] of Object.entries(isRecord(groups) ? groups : {})) {
    const parts = key.split(':')
    const places = parts.flatMap((part, at) => (part === '' ? [] : [at]))
    const same = found.get(places.join()) ?? { places, lists: new Map() }
    same.lists.set(parts.filter(part => part !== '').join(':'), itemsOf(list))
    found.set(places.join(), same)
  }
  return [...found.values()]
}

/** A number is an index if the attribute is coded; a string, or a number of an uncoded attribute, is the literal. */
function resolve(component: Component, raw: unknown): SdmxValue | null {
  if (raw === null || raw === undefined) return component.fallback
  if (Array.isArray(raw)) {
    const parts = raw.map(one => resolve(component, one)).filter(one => one !== null)
    return parts.length === 0 ? null : { code: parts.map(one => one.code).join(','), label: null }
  }
  if (isNumber(raw) && component.values.length > 0) return component.values[countOf(raw) ?? -1] ?? null
  const words = readWords(raw)
  return words === null || words === '' ? null : { code: words, label: null }
}

/** The flow named by a URN, or by an address such as `…/service/dataflow/ECB/EXR/1.0`. */
function flowOf(holder: unknown): SdmxFlow | null {
  for (const link of itemsOf(member(holder, 'links'))) {
    const flow = parseFlowUrn(textOf(member(link, 'urn')) ?? '')
    if (flow !== null) return flow
    const path = /\/dataflow\/([^/?#]+)\/([^/?#]+)(?:\/([^/?#]+))?/.exec(textOf(member(link, 'href')) ?? '')
    if (path) return { agency: path[1]!, id: path[2]!, version: path[3] ?? null }
  }
  return null
}
