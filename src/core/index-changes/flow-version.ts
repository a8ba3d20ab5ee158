// Versions of data sets in codes: `CPI,1.1.0/key` at ABS, `agency,flow,4.0/key` at OECD and IMF. A new version is a new series.
import { parseReference } from '../series/series.ts'

interface VersionedFlow {
  readonly provider: string
  /** The data set without its version. */
  readonly flow: string
  readonly version: string
  readonly key: string
}

function flowOf(reference: string): VersionedFlow | null {
  const parsed = parseReference(reference)
  const match = parsed === null ? null : /^(.+),(\d+(?:\.\d+)+)\/(.+)$/.exec(parsed.code)
  return match === null ? null : { provider: parsed!.provider, flow: match[1]!, version: match[2]!, key: match[3]! }
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map(version => version.split('.').map(Number)) as [number[], number[]]
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

interface NewerFlow {
  readonly flow: string
  readonly own: string
  readonly version: string
  /** The series with that key in the newer version, if it is known. */
  readonly successor: string | null
}

/** The newest version of the series' data set among others, where it is newer than its own. */
export function newerFlows(reference: string, others: readonly string[]): NewerFlow | null {
  const own = flowOf(reference)
  if (own === null) return null
  const newer = others
    .map(other => ({ reference: other, flow: flowOf(other) }))
    .filter(({ flow }) => flow !== null && flow.provider === own.provider && flow.flow === own.flow)
    .filter(({ flow }) => compareVersions(flow!.version, own.version) > 0)
    .sort((a, b) => compareVersions(b.flow!.version, a.flow!.version))
  const newest = newer[0]?.flow
  if (newest === undefined || newest === null) return null
  const successor = newer.find(({ flow }) => flow!.version === newest.version && flow!.key === own.key)
  return { flow: own.flow, own: own.version, version: newest.version, successor: successor?.reference ?? null }
}

/** The name of a series in every version of its data set; null where its code has none. */
export function flowKeyOf(reference: string): string | null {
  const own = flowOf(reference)
  return own === null ? null : `${own.provider}/${own.flow}/${own.key}`
}

/** The data set that a series belongs to, with its provider; null where its code does not say. */
export function dataSetOf(reference: string): string | null {
  const slash = reference.lastIndexOf('/')
  const first = reference.indexOf('/')
  return slash === first ? null : reference.slice(0, slash)
}
