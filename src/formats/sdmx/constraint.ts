// The content of a dataflow, as a constraint of the standard: the values of its dimensions, and the number of series.

import { agency, referenceOf, urnOf, version } from './artefacts.ts'
import { attributeText, nameXml } from './xml-parts.ts'

export interface Available {
  readonly flow: string
  /** Values by dimension, in its order. */
  readonly values: ReadonlyMap<string, readonly string[]>
  readonly series: number
}

const name = 'What is there'

function idOf({ flow }: Available): string {
  return `${flow}_AVAILABLE`
}

function urn(available: Available): string {
  return `urn:sdmx:org.sdmx.infomodel.registry.DataConstraint=${referenceOf(idOf(available))}`
}

/** A part of the data of a structure message. */
export function constraintJson(available: Available): string {
  const constraint = {
    id: idOf(available),
    agencyID: agency,
    version,
    name,
    names: { en: name },
    role: 'Actual',
    links: [{ rel: 'self', urn: urn(available) }],
    annotations: [{ id: 'series_count', type: 'sdmx_metrics', title: `${available.series}` }],
    constraintAttachment: { dataflows: [urnOf('dataflow', available.flow)] },
    cubeRegions: [
      {
        include: true,
        keyValues: [...available.values].map(([id, values]) => ({
          id,
          include: true,
          values: values.map(value => ({ value })),
        })),
      },
    ],
  }
  return `"dataConstraints":${JSON.stringify([constraint])}`
}

export function constraintXml(available: Available): string {
  const annotation = `<com:Annotations><com:Annotation id="series_count"><com:AnnotationTitle>${available.series}</com:AnnotationTitle><com:AnnotationType>sdmx_metrics</com:AnnotationType></com:Annotation></com:Annotations>`
  const keys = [...available.values].map(([id, values]) => {
    const listed = values.map(value => `<str:Value>${attributeText(value)}</str:Value>`).join('')
    return `<str:KeyValue id="${id}" include="true">${listed}</str:KeyValue>`
  })
  return `<str:DataConstraints><str:DataConstraint id="${idOf(available)}" urn="${urn(available)}" agencyID="${agency}" version="${version}" role="Actual">${annotation}${nameXml(name)}<str:ConstraintAttachment><str:Dataflow>${urnOf('dataflow', available.flow)}</str:Dataflow></str:ConstraintAttachment><str:CubeRegion include="true">${keys.join('')}</str:CubeRegion></str:DataConstraint></str:DataConstraints>`
}
