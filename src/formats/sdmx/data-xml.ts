// SDMX-ML structure-specific data, 3.0 and 2.1: the same elements under another namespace.

import { agency, type DataStructure, urnOf, version } from './artefacts.ts'
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
  const { parts, hasActions } = message
  const own = parts.map((_, i) => `own${i === 0 ? '' : i + 1}`)
  const declared = parts.map(({ structure }, i) => `xmlns:${own[i]}="${namespaceOf(structure.id)}"`).join(' ')
  yield `${xmlDeclaration}<mes:StructureSpecificData ${namespaces(edition)} xmlns:ss="${dataNamespace(edition)}" ${declared} xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">`
  const about = parts.map(({ structure }) => structureXml(structure.id, edition)).join('')
  yield headerXml(messageId(message), message.prepared, about)
  for (const [i, { structure, series }] of parts.entries()) {
    const names = namesOf(structure)
    const open = (set: Omit<DataSet, 'series'>) => opening(own[i]!, structure.id, set)
    if (hasActions)
      for await (const set of gatherDataSets(series)) {
        yield open(set)
        for (const each of set.series) yield* writeSeries(each, names)
        yield '</mes:DataSet>'
      }
    else {
      yield open({ action: 'Information', validFrom: null, validTo: null })
      for await (const each of series) yield* writeSeries(each, names)
      yield '</mes:DataSet>'
    }
  }
  yield '</mes:StructureSpecificData>\n'
}

function namespaceOf(id: string): string {
  return `${urnOf('dataflow', id)}:ObsLevelDim:TIME_PERIOD`
}

function structureXml(id: string, edition: XmlEdition): string {
  const usage =
    edition === '3.0'
      ? urnOf('dataflow', id)
      : `<Ref agencyID="${agency}" id="${id}" version="${version}" package="datastructure" class="Dataflow"/>`
  return `<mes:Structure structureID="${id}" namespace="${namespaceOf(id)}" dimensionAtObservation="TIME_PERIOD"><com:StructureUsage>${usage}</com:StructureUsage></mes:Structure>`
}

function opening(own: string, id: string, { action, validFrom, validTo }: Omit<DataSet, 'series'>): string {
  const validity = attributesXml([
    ['ss:validFromDate', validFrom],
    ['ss:validToDate', validTo],
  ])
  return `<mes:DataSet xsi:type="${own}:DataSetType" ss:structureRef="${id}" ss:dataScope="DataStructure" ss:action="${action}"${validity}>`
}

interface Names {
  readonly dimensions: readonly string[]
  readonly ofSeries: readonly string[]
  readonly ofObservation: readonly string[]
}

function namesOf(structure: DataStructure): Names {
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
    text += formatObservation(observation, names.ofObservation)
    if (++count % observationsTogether === 0) {
      yield text
      text = ''
    }
  }
  if (count > 0) yield `${text}</Series>`
}

function formatObservation({ period, value, attributes }: Observation, names: readonly string[]): string {
  let text = `<Obs TIME_PERIOD="${period}"`
  // The key alone names a deletion.
  if (value !== null) {
    text += ` OBS_VALUE="${value}"`
    for (let i = 0; i < attributes.length; i++) {
      const each = attributes[i]!
      if (each !== null) text += ` ${names[i]}="${attributeText(each)}"`
    }
  }
  return `${text}/>`
}
