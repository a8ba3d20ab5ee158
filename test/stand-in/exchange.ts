// What a provider's stand-in is asked and what it tells: plain records, so that every provider is one pure function. The
// server around it does the network.
import type { Instant } from '../../src/core/instant.ts'
import type { ServedSeries } from './model.ts'

export interface Ask {
  readonly method: string
  /** Below the provider's base address, decoded, with its slash in front. */
  readonly path: string
  readonly query: URLSearchParams
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly now: Instant
  readonly series: readonly ServedSeries[]
  /** The keys this provider has given out. */
  readonly keys: readonly string[]
  /** A page smaller than the provider's own, so that paging shows with few rows. */
  readonly pageSize: number
  /** Misbehaves: there is always a further page. */
  readonly neverEnds: boolean
}

export interface Told {
  readonly status: number
  readonly contentType: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

/** How one provider speaks. */
export interface ProviderStandIn {
  /** The largest page the provider gives, in its own unit (rows or series). */
  readonly pageSize: number
  answer(ask: Ask): Told
  /** What it says to a caller who asks too often. */
  tooMany(retryAfterSeconds: number): Told
}

export function tellJson(value: unknown, status = 200): Told {
  return { status, contentType: 'application/json;charset=UTF-8', body: writeJson(value) }
}

export function tellText(body: string, status: number, contentType = 'text/plain; charset=utf-8'): Told {
  return { status, contentType, body }
}

export function tellXml(body: string, status: number): Told {
  return {
    status,
    contentType: 'application/xml;charset=UTF-8',
    body: `<?xml version="1.0" encoding="UTF-8"?>\n${body}`,
  }
}

/** The usual answer of a gateway to a caller who asks too often. */
export function tellTooMany(retryAfterSeconds: number, body = 'Too Many Requests'): Told {
  return { ...tellText(body, 429), headers: { 'Retry-After': retryAfterSeconds.toString() } }
}

/** A figure that goes into JSON as a number, digit for digit. */
export class Literal {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** As a number where JSON can, and where broken servers do (NaN, Infinity); as a text otherwise. */
export function numberOf(value: string | null): Literal | string | null {
  if (value === null) return null
  return jsonNumber.test(value) || /^-?(?:NaN|Infinity)$/.test(value) ? new Literal(value) : value
}

/** JSON with the literals as they are; `JSON.stringify` would need floats for them. */
export function writeJson(value: unknown): string {
  if (value instanceof Literal) return value.text
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${writeJson(member)}`).join(',')}}`
}

/** Some services write `\/` in their JSON. */
export function escapeSlashes(told: Told): Told {
  if (!told.contentType.includes('json')) return told
  return { ...told, body: told.body.replaceAll('/', '\\/') }
}

export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** An element without content. */
export function writeElement(name: string, attributes: Readonly<Record<string, string>>): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
  return `<${name}${written.join('')}/>`
}

/** `null` where the body is no JSON. */
export function parseBody(ask: Ask): unknown {
  try {
    return JSON.parse(ask.body)
  } catch {
    return null
  }
}

/** A whole number of the query, or what is usual. */
export function wholeParameter(ask: Ask, name: string, usual: number): number {
  const text = ask.query.get(name)
  return text !== null && /^\d{1,9}$/.test(text) ? Number.parseInt(text, 10) : usual
}

/** Whether every word of a search stands in one of the texts. */
export function matchesWords(search: string, ...texts: readonly string[]): boolean {
  const held = texts.join(' ').toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every(word => held.includes(word))
}
