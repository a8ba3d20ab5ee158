// SDMX-JSON 2.0 data messages. The data sets come first and the structure last, because the structure lists the values
// that occurred. Figures are texts, as everywhere here: a number of JSON would lose digits in most readers.

import { type Attribute, type Component, type DataStructure, type NamedArtefact, urnOf } from './artefacts.ts'
import {
  type Action,
  attributesOf,
  type DataMessage,
  type DataPart,
  type DataSet,
  gatherDataSets,
  messageId,
  type SeriesOfData,
} from './data-set.ts'
import { metaOf } from './json-parts.ts'
import { agreementCodelists, sharedCodelists } from './structures.ts'

/** The values of a component in the order in which they came. */
class Values {
  readonly #places = new Map<string, number>()
  readonly #names: (string | null)[] = []

  placeOf(text: string, name: string | null = null): number {
    const known = this.#places.get(text)
    if (known !== undefined) return known
    this.#places.set(text, this.#places.size)
    this.#names.push(name)
    return this.#places.size - 1
  }

  /** Coded values have an id and a name. */
  *codes(representation: Component['representation']): Generator<object> {
    for (const [id, i] of this.#places) yield { id, name: this.#names[i] ?? nameOfCode(representation, id) }
  }

  *texts(): Generator<object> {
    for (const value of this.#places.keys()) yield { value }
  }
}

const schema =
  'https://raw.githubusercontent.com/sdmx-twg/sdmx-json/master/data-message/tools/schemas/2.0.0/sdmx-json-data-schema.json'

export async function* writeDataJson(message: DataMessage): AsyncGenerator<string> {
  yield `{"meta":${JSON.stringify(metaOf(messageId(message), message.prepared, schema))},"data":{"dataSets":[`
  const structures: { readonly tables: Tables; readonly dataSets: readonly number[] }[] = []
  let sets = 0
  for (const part of message.parts) {
    const tables = new Tables(part.structure)
    const before = sets
    for await (const piece of writeSets(part, tables, message.hasActions, structures.length)) {
      const isNew = piece.startsWith('{')
      yield `${isNew && sets > 0 ? ',' : ''}${piece}`
      if (isNew) sets++
    }
    const dataSets = Array.from({ length: sets - before }, (_, i) => before + i)
    if (sets > before) structures.push({ tables, dataSets })
  }
  yield '],"structures":['
  for (const [i, { tables, dataSets }] of structures.entries()) {
    if (i > 0) yield ','
    yield* tables.structure(dataSets)
  }
  yield ']}}'
}

/** The data sets of one dataflow; only a piece that begins one begins with a brace. `place`: of its structure among all. */
async function* writeSets(
  { structure: { id }, series }: DataPart,
  tables: Tables,
  hasActions: boolean,
  place: number,
): AsyncGenerator<string> {
  if (hasActions) {
    for await (const set of gatherDataSets(series)) {
      yield opening(id, place, set)
      for (const [i, each] of set.series.entries()) yield `${i === 0 ? '' : ','}${tables.write(each)}`
      yield '}}'
    }
    return
  }
  let count = 0
  for await (const each of series) {
    const written = tables.write(each)
    if (written === '') continue
    yield `${count === 0 ? opening(id, place, nothingSaid) : ','}${written}`
    count++
  }
  if (count > 0) yield '}}'
}

const nothingSaid: Omit<DataSet, 'series'> = { action: 'Information', validFrom: null, validTo: null }

function opening(flow: string, place: number, { action, validFrom, validTo }: Omit<DataSet, 'series'>): string {
  const links = [{ urn: urnOf('dataflow', flow), rel: 'dataflow' }]
  const facts: { structure: number; action: Action; validFrom?: string; validTo?: string; links: object[] } = {
    structure: place,
    action,
    links,
    ...(validFrom === null ? {} : { validFrom }),
    ...(validTo === null ? {} : { validTo }),
  }
  return `${opened(facts)},"series":{`
}

/** The values that occurred in each component, and series written by the places of their values. */
class Tables {
  readonly #structure: DataStructure
  readonly #dimensions: readonly Values[]
  readonly #periods = new Values()
  readonly #ofSeries: readonly Values[]
  readonly #ofObservation: readonly Values[]

  constructor(structure: DataStructure) {
    this.#structure = structure
    this.#dimensions = structure.dimensions.map(() => new Values())
    this.#ofSeries = attributesOf(structure, 'series').map(() => new Values())
    this.#ofObservation = attributesOf(structure, 'observation').map(() => new Values())
  }

  /** The text of a series; empty for one without observations. */
  write({ key, names, attributes, observations }: SeriesOfData): string {
    const parts: string[] = []
    const own = this.#ofObservation
    for (const { period, value, attributes: texts } of observations) {
      let cells = value === null ? '' : JSON.stringify(value)
      // The key alone names a deletion.
      if (value !== null)
        for (let i = 0; i < texts.length; i++) {
          const text = texts[i]!
          cells += text === null ? ',null' : `,${own[i]!.placeOf(text)}`
        }
      parts.push(`"${this.#periods.placeOf(period)}":[${cells}]`)
    }
    if (parts.length === 0) return ''
    const places = key.map((text, i) => this.#dimensions[i]!.placeOf(text, names[i] ?? null))
    const shared = attributes.map((text, i) => (text === null ? 'null' : this.#ofSeries[i]!.placeOf(text)))
    const given = attributes.every(text => text === null) ? '' : `"attributes":[${shared.join(',')}],`
    return `"${places.join(':')}":{${given}"observations":{${parts.join(',')}}}`
  }

  /** The structure of these data sets, in pieces: as many values may have occurred as there are observations. */
  *structure(dataSets: readonly number[]): Generator<string> {
    const { id, name, dimensions, time, measure } = this.#structure
    const links = [{ urn: urnOf('datastructure', id), rel: 'datastructure' }]
    yield `${opened({ links, name, names: { en: name } })},"dimensions":{"dataSet":[],"series":[`
    for (const [i, each] of dimensions.entries())
      yield* writeListed(i, dimensionOf(each, i), this.#dimensions[i]!.codes(each.representation))
    yield '],"observation":['
    yield* writeListed(0, dimensionOf(time, dimensions.length), this.#periods.codes(time.representation))
    const measures = { observation: [{ ...nameAndId(measure), format: { dataType: 'Decimal' } }] }
    yield `]},"measures":${JSON.stringify(measures)},"attributes":{"dataSet":[],"series":[`
    yield* this.#writeAttributes('series', this.#ofSeries)
    yield '],"observation":['
    yield* this.#writeAttributes('observation', this.#ofObservation)
    yield `]},"dataSets":${JSON.stringify(dataSets)}}`
  }

  *#writeAttributes(of: Attribute['of'], all: readonly Values[]): Generator<string> {
    const { dimensions } = this.#structure
    const relationship = of === 'observation' ? { observation: {} } : { dimensions: dimensions.map(({ id }) => id) }
    for (const [i, attribute] of attributesOf(this.#structure, of).entries()) {
      const { representation } = attribute
      const values = 'codelist' in representation ? all[i]!.codes(representation) : all[i]!.texts()
      yield* writeListed(i, { ...nameAndId(attribute), relationship }, values)
    }
  }
}

function dimensionOf({ id, name }: NamedArtefact, keyPosition: number): object {
  return { id, name, keyPosition, roles: [id] }
}

/** An object without its closing brace. */
function opened(facts: object): string {
  return JSON.stringify(facts).slice(0, -1)
}

const valuesTogether = 500

/** A component with its values, at a place of a list; without values there is no list of them. */
function* writeListed(place: number, facts: object, values: Iterable<object>): Generator<string> {
  let text = `${place === 0 ? '' : ','}${opened(facts)}`
  let count = 0
  for (const value of values) {
    text += `${count === 0 ? ',"values":[' : ','}${JSON.stringify(value)}`
    if (++count % valuesTogether > 0) continue
    yield text
    text = ''
  }
  yield `${text}${count === 0 ? '' : ']'}}`
}

function nameAndId({ id, name }: NamedArtefact) {
  return { id, name, names: { en: name } }
}

/** Names of lists that are equal everywhere. */
const names = new Map(
  [...sharedCodelists, ...agreementCodelists].map(({ id, items }) => [
    id,
    new Map([...items].map(each => [each.id, each.name])),
  ]),
)

function nameOfCode(representation: Component['representation'], id: string): string {
  return ('codelist' in representation ? names.get(representation.codelist)?.get(id) : undefined) ?? id
}
