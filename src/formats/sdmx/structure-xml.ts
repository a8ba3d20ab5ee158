// SDMX-ML structure messages, 3.0 and 2.1: 3.0 refers by URN, 2.1 by elements that take the URN apart.

import type { Instant } from '../../core/time/instant.ts'
import {
  type AnyArtefact,
  type ArtefactType,
  type Attribute,
  agency,
  type Component,
  conceptSchemeId,
  conceptUrn,
  type DataStructure,
  type NamedArtefact,
  urnOf,
  version,
} from './artefacts.ts'
import type { ShownArtefact } from './shown-artefacts.ts'
import { attributeText, headerXml, namespaces, nameXml, type XmlEdition, xmlDeclaration } from './xml-parts.ts'

interface Words {
  readonly collection: string
  readonly element: string
  /** The element of an item. */
  readonly item: string
  readonly package: string
}

const words: Readonly<Record<ArtefactType, Words>> = {
  dataflow: { collection: 'Dataflows', element: 'Dataflow', item: '', package: 'datastructure' },
  codelist: { collection: 'Codelists', element: 'Codelist', item: 'Code', package: 'codelist' },
  conceptscheme: {
    collection: 'ConceptSchemes',
    element: 'ConceptScheme',
    item: 'Concept',
    package: 'conceptscheme',
  },
  datastructure: { collection: 'DataStructures', element: 'DataStructure', item: '', package: 'datastructure' },
}

/** 2.1 wants them in this order, 3.0 takes any. */
const order = Object.keys(words) as ArtefactType[]

export function* writeStructureXml(
  id: string,
  prepared: Instant,
  shown: readonly ShownArtefact[],
  edition: XmlEdition,
  further = '',
): Generator<string> {
  yield `${xmlDeclaration}<mes:Structure ${namespaces(edition)}>${headerXml(id, prepared)}<mes:Structures>`
  const writer = edition === '3.0' ? byUrn : byParts
  for (const type of order) {
    const those = shown.filter(({ artefact }) => artefact.type === type)
    if (those.length === 0) continue
    const name = type === 'conceptscheme' && edition === '2.1' ? 'Concepts' : words[type].collection
    yield `<str:${name}>`
    for (const each of those) yield* writeArtefact(each, writer)
    yield `</str:${name}>`
  }
  yield `${further}</mes:Structures></mes:Structure>\n`
}

function* writeArtefact({ artefact, isStub }: ShownArtefact, writer: Writer): Generator<string> {
  const { type, id, name } = artefact
  const { element, item } = words[type]
  const isPartial = 'isPartial' in artefact && artefact.isPartial ? ' isPartial="true"' : ''
  yield `<str:${element} id="${id}" urn="${urnOf(type, id)}" agencyID="${agency}" version="${version}" isExternalReference="${isStub}"${isPartial}>${nameXml(name)}`
  if (!isStub) {
    if (artefact.type === 'dataflow')
      yield `<str:Structure>${writer.artefact('datastructure', artefact.structure)}</str:Structure>`
    else if (artefact.type === 'datastructure') yield componentsXml(artefact, writer)
    else yield* writeItems(artefact, item)
  }
  yield `</str:${element}>`
}

const itemsTogether = 500

function* writeItems(
  artefact: AnyArtefact & { readonly items: Iterable<NamedArtefact> },
  element: string,
): Generator<string> {
  let text = ''
  let count = 0
  const urn = urnOf(artefact.type, artefact.id).replace(/\.(Codelist|ConceptScheme)=/, `.${element}=`)
  for (const { id, name } of artefact.items) {
    text += `<str:${element} id="${attributeText(id)}" urn="${urn}.${attributeText(id)}">${nameXml(name)}</str:${element}>`
    if (++count % itemsTogether === 0) {
      yield text
      text = ''
    }
  }
  if (text !== '') yield text
}

/** The differences of the editions: references between artefacts, and a few other elements. */
interface Writer {
  artefact(type: ArtefactType, id: string): string
  concept(id: string): string
  component(id: string): string
  readonly ofObservation: string
  measure(content: string): string
  usage(attribute: Attribute): string
  position(place: number): string
}

const byUrn: Writer = {
  artefact: urnOf,
  concept: conceptUrn,
  component: id => id,
  ofObservation: '<str:Observation/>',
  measure: content => `<str:Measure id="OBS_VALUE">${content}</str:Measure>`,
  usage: ({ isMandatory }) => `usage="${isMandatory ? 'mandatory' : 'optional'}"`,
  position: place => ` position="${place}"`,
}

const byParts: Writer = {
  artefact: (type, id) =>
    `<Ref id="${id}" version="${version}" agencyID="${agency}" package="${words[type].package}" class="${words[type].element}"/>`,
  concept: id =>
    `<Ref id="${id}" maintainableParentID="${conceptSchemeId}" maintainableParentVersion="${version}" agencyID="${agency}" package="conceptscheme" class="Concept"/>`,
  component: id => `<Ref id="${id}"/>`,
  ofObservation: '<str:PrimaryMeasure><Ref id="OBS_VALUE"/></str:PrimaryMeasure>',
  measure: content => `<str:PrimaryMeasure id="OBS_VALUE">${content}</str:PrimaryMeasure>`,
  usage: ({ isMandatory }) => `assignmentStatus="${isMandatory ? 'Mandatory' : 'Conditional'}"`,
  position: place => ` position="${place}"`,
}

function componentsXml({ dimensions, time, measure, attributes }: DataStructure, writer: Writer): string {
  const listed = dimensions.map(
    (each, i) => `<str:Dimension id="${each.id}"${writer.position(i + 1)}>${contentOf(each, writer)}</str:Dimension>`,
  )
  const others = attributes.map(each => {
    const related =
      each.of === 'observation'
        ? writer.ofObservation
        : dimensions.map(({ id }) => `<str:Dimension>${writer.component(id)}</str:Dimension>`).join('')
    return `<str:Attribute id="${each.id}" ${writer.usage(each)}>${contentOf(each, writer)}<str:AttributeRelationship>${related}</str:AttributeRelationship></str:Attribute>`
  })
  return [
    '<str:DataStructureComponents><str:DimensionList id="DimensionDescriptor">',
    ...listed,
    `<str:TimeDimension id="${time.id}"${writer === byParts ? writer.position(dimensions.length + 1) : ''}>${contentOf(time, writer)}</str:TimeDimension>`,
    `</str:DimensionList><str:MeasureList id="MeasureDescriptor">${writer.measure(contentOf(measure, writer))}</str:MeasureList>`,
    `<str:AttributeList id="AttributeDescriptor">${others.join('')}</str:AttributeList></str:DataStructureComponents>`,
  ].join('')
}

function contentOf({ id, representation }: Component, writer: Writer): string {
  const values =
    'codelist' in representation
      ? `<str:Enumeration>${writer.artefact('codelist', representation.codelist)}</str:Enumeration>`
      : `<str:TextFormat textType="${representation.textType}"/>`
  return `<str:ConceptIdentity>${writer.concept(id)}</str:ConceptIdentity><str:LocalRepresentation>${values}</str:LocalRepresentation>`
}
