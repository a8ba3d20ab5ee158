// Misbehaviour in the status and bytes of an answer: turns a correct answer into a wrong one.
import { type Told, tellText } from './exchange.ts'
import type { Misbehaviour } from './misbehaviour.ts'

/** The body as text, or as bytes if it is not text. */
export interface Sent extends Omit<Told, 'body'> {
  readonly body: string | Uint8Array
}

const maintenance =
  '<!DOCTYPE html><html><head><title>Scheduled maintenance</title></head><body><h1>We will be back</h1></body></html>'

/** The changed answer; `null` if the kind does not concern status and bytes. */
export function changeAnswer(kind: Misbehaviour, told: Told): Sent | null {
  return changes[kind]?.(told) ?? null
}

const changes: Partial<Record<Misbehaviour, (told: Told) => Sent>> = {
  'status-500': () => page(500, 'Internal Server Error'),
  'status-503': () => ({ ...page(503, 'Service Unavailable'), headers: { 'Retry-After': '1' } }),
  '429-storm': () => ({ ...tellText('Too Many Requests', 429), headers: { 'Retry-After': '1' } }),
  'status-403': () => page(403, 'Access Denied'),
  'status-404': () => page(404, 'Not Found'),
  'status-204': told => ({ ...told, status: 204, body: '' }),
  'good-body-with-500': told => ({ ...told, status: 500 }),
  'empty-200': told => ({ ...told, status: 200, body: '' }),
  'blank-200': told => ({ ...told, status: 200, body: ' \r\n\t\n ' }),
  'html-200': () => tellText(maintenance, 200, 'text/html'),
  'text-200': () => tellText('The service is busy, please come back later.', 200),
  'null-200': told => ({ ...told, status: 200, body: 'null' }),
  'garbage-bytes': told => ({ ...told, body: garbage(told.body.length) }),
  'wrong-charset': told => ({ ...told, body: Buffer.from(told.body, 'utf16le') }),
  'byte-order-mark': told => ({ ...told, body: `\uFEFF${told.body}` }),
  'wrong-content-type': told => ({ ...told, contentType: 'image/png' }),
  'cut-text': told => ({ ...told, body: told.body.slice(0, Math.floor(told.body.length * 0.6)) }),
  'doubled-body': told => ({ ...told, body: told.body + told.body }),
  doctype: () => xml('<!DOCTYPE data [<!ENTITY file SYSTEM "file:///etc/passwd">]><data>&file;</data>'),
  'billion-laughs': () => xml(laughs()),
  'deep-nesting': told => ({ ...told, contentType: 'application/json', body: '['.repeat(100_000) }),
  'missing-fields': told => ({
    ...told,
    body: isTable(told) ? told.body.replace('OBS_VALUE', 'VALEUR') : thin(told.body),
  }),
  'wrong-types': told => ({ ...told, body: isTable(told) ? exchangeColumns(told.body) : exchangeTypes(told.body) }),
  'other-provider': told => ({ ...told, body: isTable(told) ? otherJson : otherTable }),
}

function page(status: number, title: string): Sent {
  return tellText(
    `<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`,
    status,
    'text/html',
  )
}

function xml(body: string): Sent {
  return tellText(`<?xml version="1.0"?>${body}`, 200, 'application/xml')
}

function laughs(): string {
  const lines = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`)
  return `<!DOCTYPE data [<!ENTITY l0 "1.5">${lines.join('')}]><data>&l9;</data>`
}

/** The same bytes every time, so that tests do not depend on random numbers. */
function garbage(length: number): Uint8Array {
  let state = 2_463_534_242
  return Uint8Array.from({ length: Math.max(length, 100) }, () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state & 0xff
  })
}

function isTable(told: Told): boolean {
  return !/^\s*[[{<]/.test(told.body)
}

function exchangeColumns(body: string): string {
  return body.replace('TIME_PERIOD', 'TIME').replace('OBS_VALUE', 'TIME_PERIOD').replace('TIME,', 'OBS_VALUE,')
}

function changeJson(body: string, change: (value: unknown) => unknown): string {
  try {
    return JSON.stringify(change(JSON.parse(body)))
  } catch {
    return body
  }
}

/** Every second member of every object is left out. */
function thin(body: string): string {
  const change = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(change)
    if (typeof value !== 'object' || value === null) return value
    const kept = Object.entries(value).filter((_, at) => at % 2 === 0)
    return Object.fromEntries(kept.map(([name, member]) => [name, change(member)]))
  }
  return changeJson(body, change)
}

function exchangeTypes(body: string): string {
  const change = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(change)
    if (typeof value === 'string') return 7
    if (typeof value === 'number') return {}
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member)]))
  }
  return changeJson(body, change)
}

const otherTable = 'REF_DATE,GEO,VECTOR,VALUE\n2024-01,Canada,v1,999.9\n2024-02,Canada,v1,999.8\n'
const otherJson = '{"rates":{"USD":999.9,"GBP":999.8},"base":"EUR","date":"2024-01-31"}'
