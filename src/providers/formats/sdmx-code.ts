// Names of the series of SDMX providers: flow and key. Reads codes in our notation and addresses of both REST dialects, and
// writes the parts of requests. A code names one series: wildcards and lists are refused.

import { Refusal } from '../../core/refusal.ts'
import { civilOf, type Day, pad } from '../../core/time/day.ts'

export interface SdmxFlow {
  readonly agency: string | null
  readonly id: string
  readonly version: string | null
}

export interface SdmxCode {
  readonly flow: SdmxFlow
  /** The codes of the dimensions in the structure's order, without time. */
  readonly key: readonly string[]
}

/** The parts of a flow that a provider's codes are written with, in this order. */
export type FlowNotation = readonly ('agency' | 'id' | 'version')[]

const partPattern = /^[A-Za-z0-9_@$-]+$/
const namePattern = /^[A-Za-z0-9_$@.-]*[A-Za-z0-9_$@-]$/

/** The parts of a code; `null` if it does not follow the notation. */
export function parseCode(code: string, notation: FlowNotation): SdmxCode | null {
  const slash = code.indexOf('/')
  if (slash < 0) return null
  const parts = code.slice(0, slash).split(',')
  const key = code.slice(slash + 1).split('.')
  if (parts.length !== notation.length || !parts.every(part => namePattern.test(part) && !part.startsWith('.')))
    return null
  if (!key.every(part => partPattern.test(part))) return null
  const named = (name: FlowNotation[number]) => parts[notation.indexOf(name)] ?? null
  return { flow: { agency: named('agency'), id: named('id')!, version: named('version') }, key }
}

/** Writes a code; without a flow it is only the key. */
export function formatCode(flow: SdmxFlow | null, key: string, notation: FlowNotation): string {
  if (flow === null) return key
  const parts = notation.map(name => flow[name]).filter(part => part !== null)
  return `${parts.join(',')}/${key}`
}

export function requireCode(code: string, notation: FlowNotation, provider: string, example: string): SdmxCode {
  const parsed = parseCode(code, notation)
  if (parsed !== null) return parsed
  throw new Refusal('invalid', `a code of ${provider} is written like ${example}, got "${code.slice(0, 200)}"`)
}

const flowPattern = /^([^:()]+):([^:()]+)(?:\(([^()]*)\))?/

/** Reads `ABS:CPI(2.0.0)`, the end of a URN, and the bare id of a flow. */
export function parseFlow(text: string): SdmxFlow | null {
  const match = flowPattern.exec(text)
  if (match) return { agency: match[1]!, id: match[2]!, version: match[3] ?? null }
  return partPattern.test(text) ? { agency: null, id: text, version: null } : null
}

/** Reads the flow out of `urn:sdmx:org.sdmx.infomodel.datastructure.Dataflow=BIS:WS_EER(1.0)`. */
export function parseFlowUrn(urn: string): SdmxFlow | null {
  const match = /\.Dataflow=(.+)$/.exec(urn)
  return match ? parseFlow(match[1]!) : null
}

/** The flow and key that an address requests; `null` if it is not a data request for one key. */
export function parseDataUrl(url: string): SdmxCode | null {
  const path = url.split(/[?#]/)[0]!
  const at = path.lastIndexOf('/data/')
  if (at < 0) return null
  const parts = path
    .slice(at + 6)
    .split('/')
    .map(decode)
  const [flow, key] =
    parts[0] === 'dataflow'
      ? [{ agency: parts[1] ?? null, id: parts[2] ?? '', version: versionOf(parts[3]) }, parts[4]]
      : [flowOfReference(parts[0] ?? ''), parts[1]]
  const codes = (key ?? '').split('.')
  return flow.id === '' || !codes.every(part => partPattern.test(part)) ? null : { flow, key: codes }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function flowOfReference(text: string): SdmxFlow {
  const parts = text.split(',')
  return parts.length === 1
    ? { agency: null, id: parts[0]!, version: null }
    : { agency: parts[0]!, id: parts[1]!, version: versionOf(parts[2]) }
}

function versionOf(text: string | undefined): string | null {
  return text === undefined || text === '' || text === 'latest' || text === '+' || text === '*' ? null : text
}

/** Whether a requested code names the received series. Parts that either side leaves open match. */
export function isSameSeries(asked: SdmxCode, flow: SdmxFlow | null, key: string): boolean {
  if (asked.key.join('.').toUpperCase() !== key.toUpperCase()) return false
  return flow === null || isSameFlow(asked.flow, flow)
}

function isSameFlow(a: SdmxFlow, b: SdmxFlow): boolean {
  return (
    a.id.toUpperCase() === b.id.toUpperCase() &&
    agree(a.agency, b.agency) &&
    agree(versionOf(a.version ?? ''), b.version)
  )
}

function agree(a: string | null, b: string | null): boolean {
  return a === null || b === null || a === b
}

/**
 * Services treat periods that began before `startPeriod` differently, so whole years are requested, and one week more,
 * because the first ISO week of a year may begin in the year before.
 */
export function startYear(from: Day): string {
  return pad(civilOf(from - 7).year, 4)
}

/** Codes that one key can request without requesting anything else: same flow, one differing part. */
interface KeyGroup {
  readonly codes: readonly string[]
  readonly flow: SdmxFlow
  /** Joined by `+` where they differ. */
  readonly key: string
}

export function groupByKey(
  codes: readonly { readonly code: string; readonly parsed: SdmxCode }[],
  perGroup: number,
): readonly KeyGroup[] {
  const groups: { codes: string[]; first: SdmxCode; differing: number | null; values: string[] }[] = []
  for (const { code, parsed } of codes) {
    const joined = groups.some(group => {
      const at = differingPart(group.first, parsed)
      const fits = at !== null && (group.differing === null || group.differing === at)
      if (!fits || group.codes.length >= perGroup) return false
      group.codes.push(code)
      group.differing = at
      group.values.push(parsed.key[at]!)
      return true
    })
    if (!joined) groups.push({ codes: [code], first: parsed, differing: null, values: [] })
  }
  return groups.map(({ codes, first, differing, values }) => ({
    codes,
    flow: first.flow,
    key: first.key.map((part, at) => (at === differing ? [part, ...values].join('+') : part)).join('.'),
  }))
}

/** The one part in which two keys of the same flow differ; `null` if they differ in none or several. */
function differingPart(a: SdmxCode, b: SdmxCode): number | null {
  const sameFlow = a.flow.agency === b.flow.agency && a.flow.id === b.flow.id && a.flow.version === b.flow.version
  if (!sameFlow || a.key.length !== b.key.length) return null
  const differing = a.key.flatMap((part, at) => (part === b.key[at] ? [] : [at]))
  return differing.length === 1 ? differing[0]! : null
}
