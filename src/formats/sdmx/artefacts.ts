// Structural metadata as data: dataflows, data structures, code lists and concepts, with their references. Their names in JSON
// and XML are the writers' concern.

export const agency = 'ASSIZE'
export const version = '1.0'

export const artefactTypes = ['dataflow', 'datastructure', 'conceptscheme', 'codelist'] as const
export type ArtefactType = (typeof artefactTypes)[number]

const packages: Readonly<Record<ArtefactType, string>> = {
  dataflow: 'datastructure.Dataflow',
  datastructure: 'datastructure.DataStructure',
  conceptscheme: 'conceptscheme.ConceptScheme',
  codelist: 'codelist.Codelist',
}

export function urnOf(type: ArtefactType, id: string): string {
  return `urn:sdmx:org.sdmx.infomodel.${packages[type]}=${agency}:${id}(${version})`
}

/** `ASSIZE:BLS(1.0)`. */
export function referenceOf(id: string): string {
  return `${agency}:${id}(${version})`
}

export interface NamedArtefact {
  readonly id: string
  readonly name: string
}

/** The values of a component: codes of a list, or text of a type. */
type Representation = { readonly codelist: string } | { readonly textType: string }

export interface Component extends NamedArtefact {
  readonly representation: Representation
}

export interface Attribute extends Component {
  /** Whether the attribute belongs to a whole series or to each observation. */
  readonly of: 'series' | 'observation'
  readonly isMandatory: boolean
}

interface Artefact extends NamedArtefact {
  readonly type: ArtefactType
}

export interface Dataflow extends Artefact {
  readonly type: 'dataflow'
  readonly structure: string
}

export interface DataStructure extends Artefact {
  readonly type: 'datastructure'
  /** The dimensions without time, which comes last. */
  readonly dimensions: readonly Component[]
  readonly time: Component
  readonly measure: Component
  readonly attributes: readonly Attribute[]
}

export interface ConceptScheme extends Artefact {
  readonly type: 'conceptscheme'
  readonly items: readonly NamedArtefact[]
  readonly isPartial: boolean
}

export interface Codelist extends Artefact {
  readonly type: 'codelist'
  /** Made while they are written: there may be 100,000. */
  readonly items: Iterable<NamedArtefact>
  readonly isPartial: boolean
}

export type AnyArtefact = Dataflow | DataStructure | ConceptScheme | Codelist

/** The one scheme that all concepts are in. */
export const conceptSchemeId = 'CONCEPTS'

export function conceptUrn(id: string): string {
  return `urn:sdmx:org.sdmx.infomodel.conceptscheme.Concept=${referenceOf(conceptSchemeId)}.${id}`
}

/** The artefacts that an artefact refers to directly, by type and id. */
export function childrenOf(artefact: AnyArtefact): readonly string[] {
  if (artefact.type === 'dataflow') return [nameOf('datastructure', artefact.structure)]
  if (artefact.type !== 'datastructure') return []
  const { dimensions, time, measure, attributes } = artefact
  const lists = [...dimensions, time, measure, ...attributes].flatMap(({ representation }) =>
    'codelist' in representation ? [nameOf('codelist', representation.codelist)] : [],
  )
  return [nameOf('conceptscheme', conceptSchemeId), ...new Set(lists)]
}

/** Unique among all artefacts. */
export function nameOf(type: ArtefactType, id: string): string {
  return `${type} ${id}`
}
