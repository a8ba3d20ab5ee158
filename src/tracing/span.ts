// A span: one piece of work with its beginning, its end and the work it is part of, as W3C Trace Context and OpenTelemetry have it.
// Attributes are names of ours and small words: no key, no address of a person, no figure and no value of a query.
import { randomBytes } from 'node:crypto'
import type { TraceSampler } from '../core/text/trace-settings.ts'

/** As OTLP counts. */
export const spanKinds = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 } as const

/** Where work belongs: what is passed on to whatever it starts. */
export interface SpanContext {
  readonly traceId: string
  readonly spanId: string
  /** Otherwise nothing below it is recorded either. */
  readonly isSampled: boolean
}

export interface Span extends SpanContext {
  readonly parentId: string | null
  readonly kind: number
  readonly startedMs: number
  name: string
  hasFailed: boolean
  attributes: Readonly<Record<string, string | number>>
}

export interface EndedSpan extends Span {
  readonly endedMs: number
}

const traceparent = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** `null` where it is none: then a trace of our own begins. */
export function readTraceparent(text: string | undefined): SpanContext | null {
  const match = text === undefined || text.length > 512 ? null : traceparent.exec(text)
  if (match === null) return null
  const [, version, traceId, spanId, flags, rest] = match
  if (version === 'ff' || (version === '00' && rest !== undefined)) return null
  if (/^0+$/.test(traceId!) || /^0+$/.test(spanId!)) return null
  return { traceId: traceId!, spanId: spanId!, isSampled: (Number.parseInt(flags!, 16) & 1) === 1 }
}

export function writeTraceparent({ traceId, spanId, isSampled }: SpanContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
}

export function makeId(bytes: 8 | 16): string {
  return randomBytes(bytes).toString('hex')
}

/** By the end of the trace id, which every process reads the same way. */
export function isSampled(
  { followsParent, perBillion }: TraceSampler,
  traceId: string,
  parent: SpanContext | null,
): boolean {
  if (followsParent && parent !== null) return parent.isSampled
  return Number.parseInt(traceId.slice(-13), 16) < (perBillion / 1_000_000_000) * 2 ** 52
}
