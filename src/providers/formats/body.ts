// For providers with their own JSON formats: recognises what a body is, whatever its headers say, and explains an answer that
// is not the expected one. It knows no provider and never throws, whatever was sent.
import type { Answer, ParsedAnswer, ProblemKind } from '../provider.ts'
import { parseJson } from './lossless.ts'
import { failed, quoted } from './problem.ts'
import { walkXml } from './xml.ts'

interface XmlElement {
  /** The element's name without its prefix. */
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly text: string
}

export type Body =
  | { readonly form: 'json'; readonly value: unknown }
  | { readonly form: 'xml'; readonly elements: readonly XmlElement[] }
  | { readonly form: 'html' | 'text' | 'broken'; readonly text: string }
  | { readonly form: 'empty' }

/** Recognises a body by its first characters: content types and statuses are often wrong. */
export function openBody(answer: Answer): Body {
  const text = answer.body.replace(/^\uFEFF/, '').trim()
  if (text === '') return { form: 'empty' }
  if (text.startsWith('<')) return openMarkup(text)
  if (!/^[[{]/.test(text)) return { form: 'text', text }
  try {
    return { form: 'json', value: parseJson(text) }
  } catch {
    return { form: 'broken', text }
  }
}

function openMarkup(text: string): Body {
  if (/<(?:!doctype html|html|head|body)\b/i.test(text.slice(0, 2000))) return { form: 'html', text }
  const elements = parseXml(text)
  return elements === null ? { form: 'broken', text } : { form: 'xml', elements }
}

/** The elements in order of their end tags; `null` for text that is not well formed or has a DOCTYPE. */
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

/** The meaning of an HTTP status at one provider. */
export interface StatusRules {
  readonly notFound: ProblemKind
  /** The meaning of a refused access: not about a key if none is needed. */
  readonly denied: ProblemKind
}
export const withoutKeys: StatusRules = { notFound: 'unknown-series', denied: 'provider-error' }
export const withKeys: StatusRules = { notFound: 'unknown-series', denied: 'bad-key' }

/** The meaning of an unexpected answer: by its status if that is clear, else by its text. */
export function failureOf(answer: Answer, body: Body, rules: StatusRules): ParsedAnswer {
  const byStatus = kindOfStatus(answer.status, rules)
  if (body.form === 'empty') return failed(byStatus ?? 'provider-error', `an empty answer (status ${answer.status})`)
  if (body.form === 'html') {
    const title = /<title[^>]*>([^<]*)/i.exec(body.text)?.[1] ?? 'no title'
    // A page comes from a gateway in front of the API: its refusal says nothing about a key.
    const byPage = kindOfStatus(answer.status, { ...rules, denied: 'provider-error' })
    return failed(
      byPage ?? kindOfWords(title, rules) ?? 'provider-error',
      `a web page was sent instead of data: ${title}`,
    )
  }
  if (body.form === 'text') {
    const kind = byStatus ?? kindOfWords(body.text, rules) ?? 'unreadable'
    return failed(kind, `text was sent instead of data: ${body.text.slice(0, 200)}`)
  }
  if (body.form === 'broken') {
    return failed(byStatus ?? 'unreadable', `the body is not well formed: it starts with ${quoted(body.text)}`)
  }
  return strange(answer, `the answer has an unknown format (${body.form})`, rules)
}

/** A well-formed body that is not the requested document. */
export function strange(answer: Answer, message: string, rules: StatusRules): ParsedAnswer {
  return failed(kindOfStatus(answer.status, rules) ?? 'unreadable', message)
}

/** The problem of a status; `null` for one that is not an error. */
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
