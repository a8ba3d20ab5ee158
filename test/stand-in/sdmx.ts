// Shared by the SDMX stand-ins: which series an address requests, how a flow is described, and the lists of flows.
import { type Instant, parseInstant } from '../../src/core/time/instant.ts'
import { type Ask, escapeXml, type Told, tellXml } from './exchange.ts'
import type { Row, ServedSeries, Stage } from './model.ts'
import { sdmxPeriod, writeRow } from './notation.ts'

/** The parts of a flow that a provider's codes are written with, in this order. */
export type Notation = readonly ('agency' | 'id' | 'version')[]

export interface Flow {
  readonly agency: string
  readonly id: string
  readonly version: string
  readonly name: string
  readonly dimensions: readonly string[]
}

/** A flow with its dimensions in the order of the key, separated by spaces. */
export function describeFlow(agency: string, id: string, version: string, name: string, dimensions: string): Flow {
  return { agency, id, version, name, dimensions: dimensions.split(' ') }
}

export interface SdmxSource {
  readonly agency: string
  readonly notation: Notation
  readonly flows: readonly Flow[]
  /** The mark of each stage; empty if the provider has none. */
  readonly marks: Readonly<Record<Stage, string>>
  readonly frequencyName: string
}

export const commonMarks: Readonly<Record<Stage, string>> = {
  PRELIMINARY: 'P',
  FINAL: 'A',
  REVISED: 'A',
  FORECAST: 'F',
  MISSING: 'M',
  WITHDRAWN: '',
}

export interface Placed {
  readonly series: ServedSeries
  readonly flow: Flow
  readonly key: readonly string[]
}

export function place(series: ServedSeries, source: SdmxSource): Placed {
  const slash = series.code.indexOf('/')
  const parts = series.code.slice(0, slash).split(',')
  const key = series.code.slice(slash + 1).split('.')
  const named = (name: Notation[number]) => parts[source.notation.indexOf(name)]
  const id = named('id')!.toUpperCase()
  const known = source.flows.find(
    flow =>
      flow.id === id && (named('version') ?? flow.version) === flow.version && flow.dimensions.length === key.length,
  )
  const flow = {
    agency: named('agency') ?? source.agency,
    id,
    version: named('version') ?? known?.version ?? '1.0',
    name: known?.name ?? id,
    dimensions: known?.dimensions ?? guessDimensions(key, series, source.frequencyName),
  }
  return { series, flow, key }
}

/** For flows without a description: the frequency part gets its name, the others a number. */
function guessDimensions(key: readonly string[], series: ServedSeries, frequencyName: string): readonly string[] {
  const letter = series.frequency[0]!
  const at = key.indexOf(letter)
  return key.map((_, index) => (index === at ? frequencyName : `DIM_${index + 1}`))
}

export type Found =
  | { readonly kind: 'unknown-flow' }
  | { readonly kind: 'wrong-arity'; readonly expected: number; readonly got: number }
  | { readonly kind: 'found'; readonly placed: readonly Placed[]; readonly flow: Flow }

export interface FlowReference {
  readonly agency: string | null
  readonly id: string
  readonly version: string | null
}

/** `EXR`, `ABS,CPI,2.0.0`: a missing part matches anything. */
export function parseReference(text: string): FlowReference {
  const parts = text.split(',')
  if (parts.length === 1) return { agency: null, id: parts[0]!.toUpperCase(), version: null }
  const open = (part: string | undefined) => (part === undefined || /^(?:latest|all|\+|\*)?$/.test(part) ? null : part)
  return { agency: open(parts[0]), id: parts[1]!.toUpperCase(), version: open(parts[2]) }
}

/** The series under a key: parts are joined by dots, alternatives by `+`, and an empty part or `*` matches anything. */
export function find(ask: Ask, source: SdmxSource, reference: FlowReference, key: string): Found {
  const { agency, id, version } = reference
  const own = ask.series
    .map(series => place(series, source))
    .filter(({ flow }) => flow.id === id)
    .filter(({ flow }) => (agency === null || agency === flow.agency) && (version === null || version === flow.version))
  if (own.length === 0) return { kind: 'unknown-flow' }
  const { flow } = own[0]!
  const parts = key === 'all' || key === '*' ? flow.dimensions.map(() => '') : key.split('.')
  if (parts.length !== flow.dimensions.length) {
    return { kind: 'wrong-arity', expected: flow.dimensions.length, got: parts.length }
  }
  const isWanted = (code: string, at: number) => {
    const part = parts[at]!
    return part === '' || part === '*' || part.split('+').includes(code)
  }
  return { kind: 'found', flow, placed: own.filter(each => each.key.every(isWanted)) }
}

/** The rows selected by the parameters of REST 1.x. */
export function selectRows(series: ServedSeries, query: URLSearchParams): readonly Row[] {
  const start = query.get('startPeriod') ?? /^ge:(\S+?)(?:[+ ]|$)/.exec(query.get('c[TIME_PERIOD]') ?? '')?.[1] ?? ''
  const end = query.get('endPeriod') ?? '9999'
  const after: Instant | null = parseInstant(query.get('updatedAfter') ?? '')
  const rows = series.rows.filter(row => {
    const written = writeRow(row, sdmxPeriod)
    const isInside = written >= start.slice(0, 4) && written.slice(0, end.length) <= end
    return isInside && (after === null || row.publishedAt > after)
  })
  const last = query.get('lastNObservations')
  return last === null ? rows : rows.slice(-Number.parseInt(last, 10))
}

export function tellSdmxError(code: number, text: string, status: number): Told {
  return tellXml(
    '<message:Error xmlns:message="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message" ' +
      'xmlns:com="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/common">' +
      `<message:ErrorMessage code="${code}"><com:Text>${escapeXml(text)}</com:Text></message:ErrorMessage>` +
      '</message:Error>',
    status,
  )
}

/** The flows for which the stand-in has series. */
export function flowsServed(ask: Ask, source: SdmxSource): readonly Flow[] {
  const flows = new Map<string, Flow>()
  for (const series of ask.series) {
    const { flow } = place(series, source)
    flows.set(`${flow.agency}:${flow.id}(${flow.version})`, flow)
  }
  return [...flows.values()]
}

/** A structure message of SDMX-ML 2.1 with the list of flows. */
export function tellFlows(ask: Ask, source: SdmxSource): Told {
  const flows = flowsServed(ask, source).map(
    ({ agency, id, version, name }) =>
      `<structure:Dataflow id="${escapeXml(id)}" agencyID="${escapeXml(agency)}" version="${version}" isFinal="true">` +
      `<common:Name xml:lang="en">${escapeXml(name)}</common:Name></structure:Dataflow>`,
  )
  const base = 'http://www.sdmx.org/resources/sdmxml/schemas/v2_1'
  return tellXml(
    `<message:Structure xmlns:message="${base}/message" xmlns:structure="${base}/structure" xmlns:common="${base}/common">` +
      '<message:Header><message:ID>IDREF1</message:ID><message:Test>false</message:Test>' +
      `<message:Prepared>${ask.now}</message:Prepared><message:Sender id="STAND_IN"/></message:Header>` +
      `<message:Structures><structure:Dataflows>${flows.join('')}</structure:Dataflows></message:Structures>` +
      '</message:Structure>',
    200,
  )
}
