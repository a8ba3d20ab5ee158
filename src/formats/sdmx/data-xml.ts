// SDMX-ML structure-specific data, 3.0 and 2.1: the same elements under another namespace.

import { agency, urnOf, version } from './artefacts.ts'
import {
  attributesOf,
  type DataMessage,
  type DataSet,
  gatherDataSets,
  messageId,
  type Observation,
  type SeriesOfData,
} from './data-set.ts'
import {
  attributesXml,
  attributeText,
  dataNamespace,
  headerXml,
  namespaces,
  type XmlEdition,
  xmlDeclaration,
} from './xml-parts.ts'

export async function* writeDataXml(message: DataMessage, edition: XmlEdition): AsyncGenerator<string> {
  const { structure, series, hasActions } = message
  const namespace = `${urnOf('dataflow', structure.id)}:ObsLevelDim:TIME_PERIOD`
  const usage =
    edition === '3.0'
      ? `<com:StructureUsage>${urnOf('dataflow', structure.id)}</com:StructureUsage>`
      : `<com:StructureUsage><Ref agencyID="${agency}" id="${structure.id}" version="${version}" package="datastructure" class="Dataflow"/></com:StructureUsage>`
  const about = `<mes:Structure structureID="${structure.id}" namespace="${namespace}" dimensionAtObservation="TIME_PERIOD">${usage}</mes:Structure>`
  yield `${xmlDeclaration}<mes:StructureSpecificData ${namespaces(edition)} xmlns:ss="${dataNamespace(edition)}" xmlns:own="${namespace}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">`
  yield headerXml(messageId(message), message.prepared, about)
  const names = namesOf(message)
  if (hasActions)
    for (const set of await gatherDataSets(series)) {
      yield opening(structure.id, set)
      for (const each of set.series) yield* writeSeries(each, names)
      yield '</mes:DataSet>'
    }
  else {
    yield opening(structure.id, { action: 'Information', validFrom: null, validTo: null })
    for await (const each of series) yield* writeSeries(each, names)
    yield '</mes:DataSet>'
  }
  yield '</mes:StructureSpecificData>\n'
}

function opening(id: string, { action, validFrom, validTo }: Omit<DataSet, 'series'>): string {
  const validity = attributesXml([
    ['ss:validFromDate', validFrom],
    ['ss:validToDate', validTo],
  ])
  return `<mes:DataSet xsi:type="own:DataSetType" ss:structureRef="${id}" ss:dataScope="DataStructure" ss:action="${action}"${validity}>`
}

interface Names {
  readonly dimensions: readonly string[]
  readonly ofSeries: readonly string[]
  readonly ofObservation: readonly string[]
}

function namesOf({ structure }: DataMessage): Names {
  return {
    dimensions: structure.dimensions.map(({ id }) => id),
    ofSeries: attributesOf(structure, 'series').map(({ id }) => id),
    ofObservation: attributesOf(structure, 'observation').map(({ id }) => id),
  }
}

const observationsTogether = 300

function* writeSeries({ key, attributes, observations }: SeriesOfData, names: Names): Generator<string> {
  const pairs = [
    ...key.map((text, i) => [names.dimensions[i]!, text] as const),
    ...attributes.map((text, i) => [names.ofSeries[i]!, text] as const),
  ]
  let text = `<Series${attributesXml(pairs)}>`
  let count = 0
  for (const observation of observations) {
    text += writeObservation(observation, names.ofObservation)
    if (++count % observationsTogether === 0) {
      yield text
      text = ''
    }
  }
  if (count > 0) yield `${text}</Series>`
}

function writeObservation({ period, value, attributes }: Observation, names: readonly string[]): string {
  let text = `<Obs TIME_PERIOD="${period}"`
  // What is deleted is named by its key alone.
  if (value !== null) {
    text += ` OBS_VALUE="${value}"`
    for (let i = 0; i < attributes.length; i++) {
      const each = attributes[i]!
      if (each !== null) text += ` ${names[i]}="${attributeText(each)}"`
    }
  }
  return `${text}/>`
}
