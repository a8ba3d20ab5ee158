// The structures served as SDMX: one dataflow and one data structure for each provider, and one for agreements, over shared
// concepts and code lists.

import { priceStatuses } from '../../core/prices/agreement.ts'
import { type VersionTag, versionTags } from '../../core/series/series.ts'
import { type Frequency, formatPeriod, frequencies, type Period } from '../../core/time/period.ts'
import {
  type Attribute,
  type Codelist,
  type Component,
  type ConceptScheme,
  conceptSchemeId,
  type Dataflow,
  type DataStructure,
  type NamedArtefact,
} from './artefacts.ts'
import { notApplicable } from './code-id.ts'

export const frequencyCodes: Readonly<Record<Frequency, string>> = {
  DAILY: 'D',
  WEEKLY: 'W',
  MONTHLY: 'M',
  QUARTERLY: 'Q',
  SEMIANNUAL: 'S',
  ANNUAL: 'A',
}

/** SDMX writes half-years as semesters. */
export function formatTimePeriod(period: Period): string {
  const text = formatPeriod(period)
  return period.frequency === 'SEMIANNUAL' ? text.replace('-H', '-S') : text
}

const frequencyNames: Readonly<Record<Frequency, string>> = {
  DAILY: 'Daily',
  WEEKLY: 'Weekly',
  MONTHLY: 'Monthly',
  QUARTERLY: 'Quarterly',
  SEMIANNUAL: 'Half-yearly',
  ANNUAL: 'Annual',
}

/** A provisional value may still change; whether one was revised is told by its VERSION_TAG. */
export const statusOfTag: Readonly<Record<VersionTag, 'A' | 'P'>> = { PRELIMINARY: 'P', FINAL: 'A', REVISED: 'A' }

const observationStatuses: readonly NamedArtefact[] = [
  { id: 'A', name: 'Normal value' },
  { id: 'P', name: 'Provisional value' },
]

const versionTagNames: Readonly<Record<VersionTag, string>> = {
  PRELIMINARY: 'Preliminary, as first published',
  FINAL: 'Final',
  REVISED: 'Revised after it was final',
}

const indicators = [
  { id: 'FACTOR', name: 'The factor by which prices have moved since the start' },
  { id: 'PRICE', name: 'The price of an item' },
] as const

const signedNames: Readonly<Record<(typeof priceStatuses)[number], string>> = {
  AGREED: 'Signed by both parties',
  SIGNED_BY_BUYER: 'Proposed, signed by the buyer',
  SIGNED_BY_SUPPLIER: 'Proposed, signed by the supplier',
  OPEN: 'Proposed',
}

const text = { textType: 'String' } as const
const instant = { textType: 'DateTime' } as const

function component(id: string, name: string, representation: Component['representation']): Component {
  return { id, name, representation }
}

function attribute(of: Attribute['of'], { id, name, representation }: Component, isMandatory = true): Attribute {
  return { id, name, representation, of, isMandatory }
}

const time = component('TIME_PERIOD', 'Time period', { textType: 'ObservationalTimePeriod' })
const measure = component('OBS_VALUE', 'Value, digit for digit as published', { textType: 'Decimal' })
const status = component('OBS_STATUS', 'Observation status', { codelist: 'CL_OBS_STATUS' })
const unit = component('UNIT', 'Unit', text)
const title = component('TITLE', 'Title', text)
const series = component('SERIES', 'Series, by the code of its provider', text)
const frequency = component('FREQ', 'Frequency', { codelist: 'CL_FREQ' })
const seriesAttributes = [
  attribute('observation', status),
  attribute('observation', component('VERSION_TAG', 'Data version', { codelist: 'CL_VERSION_TAG' })),
  attribute('observation', component('PUBLISHED_AT', 'When the provider published the value', instant)),
  attribute('observation', component('RECORDED_AT', 'When this installation recorded the value', instant)),
  attribute('series', unit),
  attribute('series', title),
]

const agreementDimensions = [
  component('AGREEMENT', 'Agreement, by its slug', { codelist: 'CL_AGREEMENT' }),
  component('INDICATOR', 'Indicator', { codelist: 'CL_INDICATOR' }),
  component('ITEM', `Item; ${notApplicable} for the agreement as a whole`, text),
  component('FROM_QUANTITY', `Quantity from which the price counts; ${notApplicable} where there is none`, text),
]
const agreementAttributes = [
  attribute('observation', status),
  attribute('observation', component('SIGNED', 'Who has signed it', { codelist: 'CL_SIGNED' })),
  attribute('observation', component('PERIOD', 'Period of the contract', text)),
  attribute(
    'observation',
    component('LAST_DAY', 'The last day on which it counts', { textType: 'GregorianDay' }),
    false,
  ),
  attribute('observation', component('CURRENCY', 'Currency', text), false),
  attribute('observation', component('PER', 'The quantity that the price is for', text), false),
  attribute('observation', unit, false),
  attribute('series', title),
]

export const agreementsId = 'AGREEMENTS'

export function seriesListId(provider: string): string {
  return `CL_${provider}_SERIES`
}

export function seriesStructure(provider: string): DataStructure {
  const listed = { ...series, representation: { codelist: seriesListId(provider) } }
  const name = `Series of ${provider}`
  return {
    type: 'datastructure',
    id: provider,
    name,
    dimensions: [listed, frequency],
    time,
    measure,
    attributes: seriesAttributes,
  }
}

export const agreementsStructure: DataStructure = {
  type: 'datastructure',
  id: agreementsId,
  name: 'Factors and prices of agreements',
  dimensions: agreementDimensions,
  time,
  measure,
  attributes: agreementAttributes,
}

/** The dataflow of a data structure, under its id. */
export function dataflowOf({ id, name }: DataStructure): Dataflow {
  return { type: 'dataflow', id, name, structure: id }
}

export function codelist(id: string, name: string, items: Iterable<NamedArtefact>): Codelist {
  return { type: 'codelist', id, name, items, isPartial: false }
}

/** Code lists that do not depend on the workspace. */
export const sharedCodelists: readonly Codelist[] = [
  codelist(
    'CL_FREQ',
    'Frequency',
    frequencies.map(each => ({ id: frequencyCodes[each], name: frequencyNames[each] })),
  ),
  codelist('CL_OBS_STATUS', 'Observation status', observationStatuses),
  codelist(
    'CL_VERSION_TAG',
    'Data version',
    versionTags.map(id => ({ id, name: versionTagNames[id] })),
  ),
]

export const agreementCodelists: readonly Codelist[] = [
  codelist('CL_INDICATOR', 'Indicator', indicators),
  codelist(
    'CL_SIGNED',
    'Who has signed a number',
    priceStatuses.map(id => ({ id, name: signedNames[id] })),
  ),
]

export const conceptScheme: ConceptScheme = {
  type: 'conceptscheme',
  id: conceptSchemeId,
  name: 'Concepts',
  isPartial: false,
  items: uniqueNames([
    series,
    frequency,
    ...agreementDimensions,
    time,
    measure,
    ...seriesAttributes,
    ...agreementAttributes,
  ]),
}

function uniqueNames(components: readonly Component[]): readonly NamedArtefact[] {
  return [...new Map(components.map(({ id, name }) => [id, { id, name }])).values()]
}
