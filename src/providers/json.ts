// Opens what a provider sent and looks into it safely: bodies of unknown shape, digits that stay text, failures that
// come as pages, XML or sentences. It knows no provider, makes no float and throws for nothing that was sent.
import { isLosslessNumber, parse } from 'lossless-json'
import { maxDigits } from '../core/ratio.ts'
import { walkXml } from './formats/xml.ts'
import type { Answer, ProblemKind, Reading, ReadingProblem } from './provider.ts'

export interface XmlElement {
  /** Without its prefix. */
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly text: string
}

export type Body =
  | { readonly form: 'json'; readonly value: unknown }
  | { readonly form: 'xml'; readonly elements: readonly XmlElement[] }
  | { readonly form: 'html' | 'text' | 'broken'; readonly text: string }
  | { readonly form: 'empty' }

/** Says by the first characters what a body is: content types and statuses are often wrong. */
export function openBody(answer: Answer): Body {
  const text = answer.body.replace(/^\uFEFF/, '').trim()
  if (text === '') return { form: 'empty' }
  if (text.startsWith('<')) return openMarkup(text)
  if (!/^[[{]/.test(text)) return { form: 'text', text }
  try {
    return { form: 'json', value: parse(text) }
  } catch {
    return { form: 'broken', text }
  }
}

function openMarkup(text: string): Body {
  if (/<(?:!doctype html|html|head|body)\b/i.test(text.slice(0, 2000))) return { form: 'html', text }
  const elements = parseXml(text)
  return elements === null ? { form: 'broken', text } : { form: 'xml', elements }
}

/** The elements in order of their ends; `null` for a text that is not well formed or brings a DOCTYPE. */
export function parseXml(text: string): readonly XmlElement[] | null {
  const elements: XmlElement[] = []
  const open: Readonly<Record<string, string>>[] = []
  try {
    walkXml(text, {
      open: (_name, attributes) => {
        open.push(attributes)
      },
      close: (name, content) => {
        elements.push({ name, attributes: open.pop() ?? {}, text: content })
      },
    })
  } catch {
    return null
  }
  return elements
}

/** A member of an object; `undefined` where there is no object or no such member of its own. */
export function member(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value)
}

/** The items of an array; none for anything else. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** A text or a number's literal, without blanks around it; `null` for an empty one and for anything else. */
export function wordsOf(value: unknown): string | null {
  const text = isLosslessNumber(value) ? value.value : typeof value === 'string' ? value.trim() : ''
  return text === '' ? null : text
}

/** A whole number that was sent as a number or as its text. */
export function wholeOf(value: unknown): number | null {
  const words = wordsOf(value)
  return words !== null && /^-?\d{1,15}$/.test(words) ? Number.parseInt(words, 10) : null
}

/** The figure of a cell as it was sent; `null` where the cell holds neither a text nor a number. */
export function literalOf(value: unknown): string | null {
  if (isLosslessNumber(value)) return value.value
  return typeof value === 'string' ? value.trim() : null
}

const numberPattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/

/**
 * A number's literal as a plain decimal: `.5` gets its zero, `3.9520274E7` its plain digits, and no digit changes.
 * `null` for NaN, Infinity, grouped digits and figures no publication has.
 */
export function plainDecimal(literal: string): string | null {
  const match = numberPattern.exec(literal)
  if (!match) return null
  const [, sign, whole = '', part = '', exponent] = match
  if (whole + part === '') return null
  const shift = exponent === undefined ? 0 : Number.parseInt(exponent, 10)
  if (whole.length + part.length + Math.abs(shift) > maxDigits) return null
  const digits = whole + part
  const point = whole.length + shift
  const left = point <= 0 ? '0' : digits.slice(0, point).padEnd(point, '0')
  const right = point >= digits.length ? '' : point < 0 ? '0'.repeat(-point) + digits : digits.slice(point)
  const trimmed = shift === 0 ? left : left.replace(/^0+(?=\d)/, '')
  return `${sign === '-' ? '-' : ''}${trimmed}${right === '' ? '' : `.${right}`}`
}

export const nothingRead: Reading = { series: [], problems: [] }

export function failed(kind: ProblemKind, message: string): Reading {
  return { series: [], problems: [{ kind, message: sentence(message) }] }
}

export function problem(kind: ProblemKind, message: string): ReadingProblem {
  return { kind, message: sentence(message) }
}

/** One reading of many; what several of them say in the same words is one problem. */
export function joinReadings(readings: readonly Reading[]): Reading {
  const problems = new Map<string, ReadingProblem>()
  for (const each of readings.flatMap(reading => reading.problems)) problems.set(`${each.kind} ${each.message}`, each)
  return { series: readings.flatMap(each => each.series), problems: [...problems.values()] }
}

/** What a status says about a request to one provider. */
export interface StatusRules {
  readonly notFound: ProblemKind
  /** Where no key is asked for, a refusal of access is not about a key. */
  readonly denied: ProblemKind
}
export const withoutKeys: StatusRules = { notFound: 'unknown-series', denied: 'provider-error' }
export const withKeys: StatusRules = { notFound: 'unknown-series', denied: 'bad-key' }

/** What an answer means that is not what was hoped for: by its status where that tells, else by its own words. */
export function failureOf(answer: Answer, body: Body, rules: StatusRules): Reading {
  const byStatus = kindOfStatus(answer.status, rules)
  if (body.form === 'empty') return failed(byStatus ?? 'provider-error', `an empty answer (status ${answer.status})`)
  if (body.form === 'html') {
    const title = /<title[^>]*>([^<]*)/i.exec(body.text)?.[1] ?? 'no title'
    // A page is written by what stands in front of the API: its closed door says nothing about a key.
    const byPage = kindOfStatus(answer.status, { ...rules, denied: 'provider-error' })
    return failed(byPage ?? kindOfWords(title, rules) ?? 'provider-error', `a page came instead of data: ${title}`)
  }
  if (body.form === 'text') {
    const kind = byStatus ?? kindOfWords(body.text, rules) ?? 'unreadable'
    return failed(kind, `a text came instead of data: ${body.text.slice(0, 200)}`)
  }
  if (body.form === 'broken') {
    return failed(byStatus ?? 'unreadable', `the body is not well formed: it begins ${quoted(body.text)}`)
  }
  return strange(answer, `the answer has no shape we know (${body.form})`, rules)
}

/** A well-formed body that is not the document we asked for. */
export function strange(answer: Answer, message: string, rules: StatusRules): Reading {
  return failed(kindOfStatus(answer.status, rules) ?? 'unreadable', message)
}

/** `null` for a status that says nothing. */
export function kindOfStatus(status: number, rules: StatusRules): ProblemKind | null {
  if (status < 400) return null
  if (status === 401 || status === 403) return rules.denied
  if (status === 404 || status === 410) return rules.notFound
  if (status === 429) return 'rate-limited'
  if (status === 413) return 'too-large'
  return status >= 500 || status === 408 || status === 409 || status === 425 ? 'provider-error' : 'bad-request'
}

function kindOfWords(text: string, rules: StatusRules): ProblemKind | null {
  const start = text.slice(0, 500)
  if (/too many requests|rate limit/i.test(start)) return 'rate-limited'
  if (/not found|\b404\b|does not exist/i.test(start)) return rules.notFound
  return /unavailable|maintenance|internal server error|bad gateway|time-?out/i.test(start) ? 'provider-error' : null
}

/** One line of at most 300 characters without control characters and without keys. */
export function sentence(text: string): string {
  const line = blankKeys(text)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  return line.length > 300 ? `${line.slice(0, 299)}…` : line
}

/** Keys that providers repeat: `The key:ABC provided`, `your API key: abc.`, `registration key abc has`, `api_key=abc`. */
export function blankKeys(text: string): string {
  return text
    .replace(/\b(api_key|registrationkey|apikey|token)=[^&\s"'<>]+/gi, '$1=***')
    .replace(/("(?:api_key|registrationkey)"\s*:\s*")[^"]*/gi, '$1***')
    .replace(/((?:\b|_)key:\s*)\S+?(?=[.,;]?(?:\s|$))/gi, '$1***')
    .replace(/\b(user )\S+(?= has exceeded)/gi, '$1***')
    .replace(/\b(registration key\s+)(?!is\b|was\b|has\b)\S+/gi, '$1***')
}

export function quoted(text: string): string {
  return `"${text.length > 60 ? `${text.slice(0, 59)}…` : text}"`
}

/** A parameter of the address that was asked; `null` where it is not known. */
export function askedFor(answer: Answer, name: string): string | null {
  return answer.url !== null && URL.canParse(answer.url) ? new URL(answer.url).searchParams.get(name) : null
}

/** The spelling in which a series was asked for, where it was; else the first of its spellings. */
export function askedSpelling(answer: Answer, spellings: readonly [string, ...string[]]): string {
  const known = new Set(spellings.map(each => each.toLowerCase()))
  return answer.codes.find(code => known.has(code.toLowerCase())) ?? spellings[0]
}

/** Parameters as a query; those without a value are left out. */
export function query(parameters: readonly (readonly [string, string | null])[]): string {
  const present = parameters.filter(([, value]) => value !== null)
  return present.length === 0 ? '' : `?${present.map(([name, value]) => `${name}=${encodeText(value!)}`).join('&')}`
}

/** The path with one parameter of its query set anew, the others untouched. */
export function withParameter(path: string, name: string, value: string): string {
  const [place, rest = ''] = path.split('?', 2) as [string, string?]
  const others = rest.split('&').filter(part => part !== '' && part.split('=', 1)[0] !== name)
  return `${place}?${[...others, `${name}=${encodeText(value)}`].join('&')}`
}

/** What a provider sent may be half a character, which cannot be encoded as it is. */
export function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
