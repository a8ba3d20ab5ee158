// How traces are set, by the variables that OpenTelemetry names: where they go, with which headers, under which name, and how many.
// Text in, data out.

export interface TraceSettings {
  /** Where spans are sent: `http://127.0.0.1:4318/v1/traces`. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string
  readonly sampler: TraceSampler
}

export interface TraceSampler {
  /** Whether a caller that sends `traceparent` decides. */
  readonly followsParent: boolean
  /** How many of requests without one, or of all: of a billion. */
  readonly perBillion: number
}

export const samplerNames = [
  ...(['always_on', 'always_off', 'traceidratio'] as const),
  ...(['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const),
] as const
type SamplerName = (typeof samplerNames)[number]

/** `undefined` if it is none. */
export function readSamplerName(text: string): SamplerName | undefined {
  return samplerNames.find(name => name === text)
}

const billion = 1_000_000_000

/** `0.25`: as so many of a billion. */
export function readShare(text: string): number | undefined {
  const match = /^(?:(1)(?:\.0{1,9})?|0?(?:\.(\d{1,9}))?)$/.exec(text)
  if (match === null || text === '') return undefined
  return match[1] === '1' ? billion : Number.parseInt((match[2] ?? '').padEnd(9, '0'), 10)
}

/** What OpenTelemetry means by a name, and by none. */
export function samplerOf(name: SamplerName = 'parentbased_always_on', given = billion): TraceSampler {
  const followsParent = name.startsWith('parentbased_')
  const kind = followsParent ? name.slice('parentbased_'.length) : name
  return { followsParent, perBillion: kind === 'always_on' ? billion : kind === 'always_off' ? 0 : given }
}

/** The address of a collector; spans go to a path of their own behind it. */
export function readTraceUrl(text: string): string | undefined {
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return undefined
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return undefined
  return `${text.replace(/\/+$/, '')}/v1/traces`
}

/** `name=value,name=value`, with percent signs where a value needs them. */
export function readTraceHeaders(text: string): Readonly<Record<string, string>> | undefined {
  const pairs = text.split(',').map(pair => /^\s*([A-Za-z0-9!#$&^_.+-]+)\s*=\s*(.*?)\s*$/.exec(pair))
  if (pairs.some(pair => pair === null)) return undefined
  try {
    const read = pairs.map(pair => [pair![1]!.toLowerCase(), decodeURIComponent(pair![2]!)] as const)
    return read.every(([, value]) => /^[\x20-\x7e]*$/.test(value)) ? Object.fromEntries(read) : undefined
  } catch {
    return undefined
  }
}

export function readTracedName(text: string): string | undefined {
  return text.length <= 200 && !/\p{Cc}/u.test(text) ? text : undefined
}
