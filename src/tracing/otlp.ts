// Spans as OTLP has them in JSON: what a collector takes at /v1/traces.
import { type EndedSpan, spanKinds } from './span.ts'

const failed = 2

/** A request with these spans. */
export function otlpBody(serviceName: string, spans: readonly EndedSpan[]): string {
  const resource = { attributes: attributesOf({ 'service.name': serviceName }) }
  const scopeSpans = [{ scope: { name: 'assize' }, spans: spans.map(spanOf) }]
  return JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] })
}

function spanOf({ traceId, spanId, parentId, name, kind, startedMs, endedMs, attributes, hasFailed }: EndedSpan) {
  return {
    traceId,
    spanId,
    ...(parentId === null ? {} : { parentSpanId: parentId }),
    name,
    kind: kind ?? spanKinds.internal,
    startTimeUnixNano: nanosOf(startedMs),
    endTimeUnixNano: nanosOf(endedMs),
    attributes: attributesOf(attributes),
    status: hasFailed ? { code: failed } : {},
  }
}

/** As text: they are larger than a number of JSON is exact. */
function nanosOf(ms: number): string {
  return `${BigInt(Math.round(ms * 1000)) * 1000n}`
}

function attributesOf(attributes: Readonly<Record<string, string | number>>) {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: value.toString() },
  }))
}
