// SDMX-JSON 2.0 structure messages, in pieces: a code list may be long.

import type { Instant } from '../../core/time/instant.ts'
import {
  type AnyArtefact,
  type ArtefactType,
  type Attribute,
  agency,
  type Component,
  conceptUrn,
  type DataStructure,
  type NamedArtefact,
  urnOf,
  version,
} from './artefacts.ts'
import { metaOf } from './json-parts.ts'
import type { ShownArtefact } from './shown-artefacts.ts'

const collections: Readonly<Record<ArtefactType, string>> = {
  dataflow: 'dataflows',
  datastructure: 'dataStructures',
  conceptscheme: 'conceptSchemes',
  codelist: 'codelists',
}

const schema =
  'https://raw.githubusercontent.com/sdmx-twg/sdmx-json/master/structure-message/tools/schemas/2.0.0/sdmx-json-structure-schema.json'

export function* writeStructureJson(
  id: string,
  prepared: Instant,
  shown: readonly ShownArtefact[],
  further = '',
): Generator<string> {
  yield `{"meta":${JSON.stringify(metaOf(id, prepared, schema))},"data":{`
  const types = [...new Set(shown.map(({ artefact }) => artefact.type))]
  for (const [i, type] of types.entries()) {
    yield `${i === 0 ? '' : ','}"${collections[type]}":[`
    const those = shown.filter(({ artefact }) => artefact.type === type)
    for (const [j, each] of those.entries()) {
      if (j > 0) yield ','
      yield* writeArtefact(each)
    }
    yield ']'
  }
  yield `${further === '' ? '' : `${types.length === 0 ? '' : ','}${further}`}}}`
}

function* writeArtefact({ artefact, isStub }: ShownArtefact): Generator<string> {
  const beginning = JSON.stringify(identity(artefact, isStub)).slice(0, -1)
  if (isStub) yield `${beginning}}`
  else if (artefact.type === 'dataflow')
    yield `${beginning},"structure":${JSON.stringify(urnOf('datastructure', artefact.structure))}}`
  else if (artefact.type === 'datastructure')
    yield `${beginning},"dataStructureComponents":${JSON.stringify(componentsOf(artefact))}}`
  else {
    yield `${beginning},"isPartial":${artefact.isPartial}`
    yield* writeItems(artefact.type === 'codelist' ? 'codes' : 'concepts', artefact.items)
    yield '}'
  }
}

const itemsTogether = 500

/** An empty list is left out: the schema wants at least one item. */
function* writeItems(called: string, items: Iterable<NamedArtefact>): Generator<string> {
  let text = ''
  let count = 0
  for (const { id, name } of items) {
    text += `${count === 0 ? `,"${called}":[` : ','}${JSON.stringify({ id, name, names: { en: name } })}`
    if (++count % itemsTogether === 0) {
      yield text
      text = ''
    }
  }
  if (count > 0) yield `${text}]`
}

function identity({ type, id, name }: AnyArtefact, isExternalReference: boolean): object {
  const links = [{ rel: 'self', urn: urnOf(type, id) }]
  return { id, agencyID: agency, version, name, names: { en: name }, isExternalReference, links }
}

function componentsOf({ dimensions, time, measure, attributes }: DataStructure): object {
  return {
    dimensionList: {
      id: 'DimensionDescriptor',
      dimensions: dimensions.map((each, i) => ({ ...componentOf(each), position: i })),
      timeDimension: componentOf(time),
    },
    measureList: { id: 'MeasureDescriptor', measures: [{ ...componentOf(measure), usage: 'optional' }] },
    attributeList: {
      id: 'AttributeDescriptor',
      attributes: attributes.map(each => ({
        ...componentOf(each),
        usage: each.isMandatory ? 'mandatory' : 'optional',
        attributeRelationship: relationship(each, dimensions),
      })),
    },
  }
}

function componentOf({ id, representation }: Component): object {
  const localRepresentation =
    'codelist' in representation
      ? { enumeration: urnOf('codelist', representation.codelist) }
      : { format: { dataType: representation.textType } }
  return { id, conceptIdentity: conceptUrn(id), localRepresentation }
}

function relationship({ of }: Attribute, dimensions: readonly Component[]): object {
  return of === 'observation' ? { observation: {} } : { dimensions: dimensions.map(({ id }) => id) }
}
