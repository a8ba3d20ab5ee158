// Small questions to a JSON value of unknown shape, so that a reader never trusts what a provider sent. Numbers are the
// literals they were sent as.
import { JsonNumber, readJson } from './json-text.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** Throws a SyntaxError for what is not JSON, and a RangeError for JSON nested too deep. */
export function parseJson(text: string): unknown {
  return readJson(text)
}

/** A member of an object; `undefined` where there is no object or no such member of its own. */
export function member(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

export function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)
}

/** The items of an array; none for anything else. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** A text or a number's literal, without blanks around it; `null` for an empty one and for anything else. */
export function wordsOf(value: unknown): string | null {
  const text = value instanceof JsonNumber ? value.literal : typeof value === 'string' ? value.trim() : ''
  return text === '' ? null : text
}

/** A whole number that was sent as a number or as its text. */
export function wholeOf(value: unknown): number | null {
  const words = wordsOf(value)
  return words !== null && /^-?\d{1,15}$/.test(words) ? Number.parseInt(words, 10) : null
}

/** The figure of a cell as it was sent; `null` where the cell holds neither a text nor a number. */
export function literalOf(value: unknown): string | null {
  if (value instanceof JsonNumber) return value.literal
  return typeof value === 'string' ? value.trim() : null
}

/** The first of the named members that is there and not null. */
export function firstMember(value: unknown, names: readonly string[]): unknown {
  return names.map(name => member(value, name)).find(found => found !== undefined && found !== null)
}

/** Text as it is and a number as its literal; `null` for anything else. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  return value instanceof JsonNumber ? value.literal : null
}

export function isNumber(value: unknown): boolean {
  return value instanceof JsonNumber
}

const countPattern = /^\d{1,9}$/

/** A whole number from zero up, for positions and codes and never for figures; `null` for anything else. */
export function countOf(value: unknown): number | null {
  const text = textOf(value)
  return text !== null && countPattern.test(text) ? Number.parseInt(text, 10) : null
}

/** Text, or the English of a text in several languages; `null` for anything else. */
export function readWords(value: unknown): string | null {
  if (!isRecord(value)) return textOf(value)
  return textOf(member(value, 'en')) ?? textOf(Object.values(value)[0])
}
