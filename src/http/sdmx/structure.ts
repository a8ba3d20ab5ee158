// `GET /structure/{type}/{agency}/{id}/{version}`: dataflows, data structures, code lists and concepts.

import { Refusal } from '../../core/refusal.ts'
import { type AnyArtefact, artefactTypes, type NamedArtefact } from '../../formats/sdmx/artefacts.ts'
import { showArtefacts } from '../../formats/sdmx/shown-artefacts.ts'
import { writeStructureJson } from '../../formats/sdmx/structure-json.ts'
import { writeStructureXml } from '../../formats/sdmx/structure-xml.ts'
import { Slices } from '../../read/memory/slices.ts'
import type { ApiRequest } from '../api/context.ts'
import { type Answer, streamedAnswer } from '../frame/answer.ts'
import { names, namesOurVersion, namesUs, nothingFound } from './artefact-names.ts'
import { digestOf, momentOf } from './moment.ts'
import { choose, named, structureOffers } from './negotiation.ts'
import type { structureParameters } from './query.ts'

/** Types of the standard without any artefact here. */
const otherTypes = [
  'metadatastructure',
  'categoryscheme',
  'hierarchy',
  'hierarchyassociation',
  'valuelist',
  'organisationscheme',
  'agencyscheme',
  'dataproviderscheme',
  'metadataproviderscheme',
  'dataconsumerscheme',
  'organisationunitscheme',
  'metadataflow',
  'reportingtaxonomy',
  'provisionagreement',
  'metadataprovisionagreement',
  'structuremap',
  'representationmap',
  'conceptschememap',
  'categoryschememap',
  'organisationschememap',
  'process',
  'categorisation',
  'dataconstraint',
  'metadataconstraint',
  'transformationscheme',
  'rulesetscheme',
  'userdefinedoperatorscheme',
  'customtypescheme',
  'namepersonalisationscheme',
  'vtlmappingscheme',
]

export async function answerStructure(request: ApiRequest<typeof structureParameters>): Promise<Answer> {
  const { query, ids, accepted } = request
  const [type = '*', agencyPart, id, version, item] = ids
  if (type !== '*' && ![...artefactTypes, ...otherTypes].includes(type))
    throw new Refusal('invalid', `there is no type ${JSON.stringify(type.slice(0, 60))} of structures in SDMX`)
  const { format, type: mediaType } =
    query.format === null ? choose(accepted, structureOffers) : named(query.format, structureOffers)
  const moment = await momentOf(request, null)
  const all = moment.catalogue.artefacts()
  const matching: AnyArtefact[] = []
  for (const artefact of all) {
    const isNamed = names(type, artefact.type) && names(id, artefact.id)
    if (!isNamed || !namesUs(agencyPart) || !namesOurVersion(version)) continue
    const found = await withItems(artefact, item)
    if (found !== null) matching.push(found)
  }
  if (matching.length === 0) throw nothingFound()
  const shown = showArtefacts(all, matching, query.references ?? 'none', query.detail ?? 'full')
  const prepared = moment.catalogue.newest
  const messageId = `STRUCTURE-${prepared.replace(/\D/g, '')}`
  const write = () =>
    format === 'json'
      ? writeStructureJson(messageId, prepared, shown)
      : writeStructureXml(messageId, prepared, shown, format === 'xml' ? '3.0' : '2.1')
  const content: string[] = []
  for await (const piece of inTurns(write())) content.push(digestOf([piece]))
  return streamedAnswer(mediaType, () => inTurns(write()), moment.tag(format, digestOf(content)))
}

/** A scheme with only its named items; null for one without any of them. */
async function withItems(artefact: AnyArtefact, item: string | undefined): Promise<AnyArtefact | null> {
  if (item === undefined || item === '*') return artefact
  if (artefact.type !== 'codelist' && artefact.type !== 'conceptscheme') return null
  const wanted = new Set(item.split(','))
  const items: NamedArtefact[] = []
  for await (const each of inTurns(artefact.items)) if (wanted.has(each.id)) items.push(each)
  return items.length === 0 ? null : { ...artefact, items, isPartial: true }
}

/** Rests between the parts: a code list may be long, and others have their turn. */
async function* inTurns<T>(parts: Iterable<T>): AsyncGenerator<T> {
  const slices = new Slices()
  for (const part of parts) {
    yield part
    await slices.rest()
  }
}
