// Parameters of /sdmx/v2, under the names of the standard; `knownAt` and `format` are additions.

import { Refusal } from '../../core/refusal.ts'
import { parseDay } from '../../core/time/day.ts'
import { type Instant, parseInstant, startOfDay } from '../../core/time/instant.ts'
import { detailChoices, referenceChoices } from '../../formats/sdmx/shown-artefacts.ts'
import { limits } from '../../limits.ts'
import { type CutText, asOf as v1AsOf, knownAt as v1KnownAt } from '../api/query.ts'
import { choiceParameter, type Parameter, refuse } from '../frame/parameters.ts'
import { readSpan } from './filter.ts'
import type { SdmxFormat } from './negotiation.ts'

/** The standard counts an instant without a zone in the zone of the service: UTC. */
function withZone(text: string): string {
  return /T[\d:.]+$/i.test(text) ? `${text}Z` : text
}

function inZone(parameter: Parameter<CutText>, description: string): Parameter<CutText> {
  return { ...parameter, description, read: text => parameter.read(withZone(text)) }
}

const asOf = inZone(v1AsOf, 'What the providers had published by this day (to its end, UTC) or instant')
const knownAt = inZone(v1KnownAt, 'What this installation had recorded by this day (to its end, UTC) or instant')

const updatedAfter: Parameter<Instant> = {
  name: 'updatedAfter',
  description: 'Only what was recorded here after this instant: as Replace, and as Delete where it was withdrawn',
  schema: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}([Tt].+)?$' },
  example: '2024-04-30T12:00:00Z',
  read: text => {
    const day = parseDay(text)
    if (day !== null) return startOfDay(day)
    return parseInstant(withZone(text)) ?? refuse('updatedAfter', 'a day or an instant', text)
  },
}

function periodParameter(
  name: string,
  description: string,
): Parameter<{ readonly first: number; readonly last: number }> {
  return {
    name,
    description,
    schema: { type: 'string' },
    example: '2024-Q1',
    read: text => readSpan(text) ?? refuse(name, 'a period such as 2024, 2024-Q1, 2024-03 or 2024-03-15', text),
  }
}

function countOf(
  name: string,
  description: string,
  least = 1,
  most: number = limits.sdmx.observations,
): Parameter<number> {
  return {
    name,
    description,
    schema: { type: 'integer', minimum: least, maximum: most },
    example: '12',
    read: text => {
      const count = /^(?:0|[1-9]\d{0,9})$/.test(text) ? Number.parseInt(text, 10) : -1
      return count >= least && count <= most ? count : refuse(name, `a whole number from ${least} to ${most}`, text)
    },
  }
}

/** A parameter of the standard with only its usual values. */
function only(name: string, served: readonly string[]): Parameter<string> {
  return {
    name,
    description: served.length === 0 ? 'Not served' : `Only ${served.join(' or ')}`,
    schema: { type: 'string', enum: served },
    example: served[0] ?? '',
    read: text => {
      if (served.includes(text)) return text
      const what = served.length === 0 ? 'is not served' : `is served only as ${served.join(' or ')}`
      throw new Refusal('not-implemented', `${name} ${what}`)
    },
  }
}

const text: Omit<Parameter<string>, 'name'> = {
  description: 'Only where the component has one of these values; operators as the standard has them',
  schema: { type: 'string', minLength: 1 },
  example: 'M',
  read: each => (each === '' ? refuse('c', 'a value', each) : each),
}

/** Components that data can be filtered by, of all structures. */
export const filteredComponents = [
  'SERIES',
  'FREQ',
  'TIME_PERIOD',
  'VERSION_TAG',
  'UNIT',
  'TITLE',
  'AGREEMENT',
  'INDICATOR',
  'ITEM',
  'FROM_QUANTITY',
  'SIGNED',
] as const
export type FilteredComponent = (typeof filteredComponents)[number]

const componentParameters = Object.fromEntries(
  filteredComponents.map(id => [`c[${id}]`, { ...text, name: `c[${id}]` }]),
) as unknown as Readonly<Record<`c[${FilteredComponent}]`, Parameter<string>>>

/** Names of formats; readers of SDMX-JSON add `jsondata` to an address. */
const formats: Readonly<Record<string, SdmxFormat>> = {
  json: 'json',
  jsondata: 'json',
  csv: 'csv',
  xml: 'xml',
  'xml-2.1': 'xml-2.1',
}
const format: Parameter<SdmxFormat> = {
  name: 'format',
  description: 'json, csv, xml (3.0) or xml-2.1; wins over `Accept`',
  schema: { type: 'string', enum: Object.keys(formats) },
  example: 'csv',
  read: each => formats[each] ?? refuse('format', `one of ${Object.keys(formats).join(', ')}`, each),
}

export const dataParameters = {
  ...componentParameters,
  startPeriod: periodParameter('startPeriod', 'Only periods that begin in this period or later'),
  endPeriod: periodParameter('endPeriod', 'Only periods that begin in this period or earlier'),
  firstNObservations: countOf('firstNObservations', 'At most so many of each series, from the first'),
  lastNObservations: countOf('lastNObservations', 'At most so many of each series, up to the last'),
  updatedAfter,
  asOf,
  knownAt,
  includeHistory: choiceParameter('includeHistory', ['false', 'true'] as const, 'Every vintage with its validity'),
  format,
  dimensionAtObservation: only('dimensionAtObservation', ['TIME_PERIOD']),
  attributes: only('attributes', ['dsd', 'all']),
  measures: only('measures', ['all']),
  offset: countOf('offset', 'So many observations are left out before the first, of all series together', 0, 1e9),
  limit: countOf('limit', 'At most so many observations, of all series together'),
  sort: only('sort', []),
  reportingYearStartDay: only('reportingYearStartDay', ['--01-01']),
}

export const structureParameters = {
  references: choiceParameter('references', referenceChoices, 'Which artefacts come with those that match'),
  detail: choiceParameter('detail', detailChoices, 'How much of them'),
  format,
}

export const availabilityParameters = {
  ...componentParameters,
  startPeriod: dataParameters.startPeriod,
  endPeriod: dataParameters.endPeriod,
  references: only('references', ['none']),
  mode: only('mode', ['exact']),
  updatedAfter: only('updatedAfter', []),
  format,
  reportingYearStartDay: dataParameters.reportingYearStartDay,
}
