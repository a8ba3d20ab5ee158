// Requests to and answers of a provider's stand-in as plain records, so that every provider is one pure function. The server
// around it handles the network.
import type { Instant } from '../../src/core/time/instant.ts'
import type { ServedSeries } from './model.ts'

export interface Ask {
  readonly method: string
  /** Relative to the provider's base address, decoded, with a leading slash. */
  readonly path: string
  readonly query: URLSearchParams
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly now: Instant
  readonly series: readonly ServedSeries[]
  /** The keys that this provider accepts. */
  readonly keys: readonly string[]
  /** A smaller page size than the provider's, so that paging is tested with few rows. */
  readonly pageSize: number
  /** Misbehaves: there is always another page. */
  readonly neverEnds: boolean
}

export interface Told {
  readonly status: number
  readonly contentType: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

/** How one provider answers. */
export interface ProviderStandIn {
  /** The provider's largest page, in its own unit (rows or series). */
  readonly pageSize: number
  answer(ask: Ask): Told
  /** The answer to a caller who asks too often. */
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

/** A gateway's usual answer to a caller who asks too often. */
export function tellTooMany(retryAfterSeconds: number, body = 'Too Many Requests'): Told {
  return { ...tellText(body, 429), headers: { 'Retry-After': retryAfterSeconds.toString() } }
}

/** A figure that is written to JSON as a number, digit for digit. */
export class Literal {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** As a number if JSON allows it or broken servers do it (NaN, Infinity); otherwise as a string. */
export function numberOf(value: string | null): Literal | string | null {
  if (value === null) return null
  return jsonNumber.test(value) || /^-?(?:NaN|Infinity)$/.test(value) ? new Literal(value) : value
}

/** JSON with literals written as they are, which `JSON.stringify` cannot do without floats. */
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

/** `null` if the body is not JSON. */
export function parseBody(ask: Ask): unknown {
  try {
    return JSON.parse(ask.body)
  } catch {
    return null
  }
}

/** A whole number from the query string, or the default. */
export function wholeParameter(ask: Ask, name: string, usual: number): number {
  const text = ask.query.get(name)
  return text !== null && /^\d{1,9}$/.test(text) ? Number.parseInt(text, 10) : usual
}

/** Whether every word of a search occurs in one of the texts. */
export function matchesWords(search: string, ...texts: readonly string[]): boolean {
  const held = texts.join(' ').toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every(word => held.includes(word))
}
