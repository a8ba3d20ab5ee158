// Safe access to JSON values of unknown shape, so that a reader never trusts what a provider sent. Numbers keep the
// literals in which they were sent.
import { JsonNumber, readJson } from './json-text.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** Throws a SyntaxError for what is not JSON, and a RangeError for JSON nested too deeply. */
export function parseJson(text: string): unknown {
  return readJson(text)
}

/** An object's own member; `undefined` if there is no such member or no object. */
export function member(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

export function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)
}

/** The items of an array; an empty list for anything else. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** A string, trimmed, or a number's literal; `null` if empty and for anything else. */
export function wordsOf(value: unknown): string | null {
  const text = value instanceof JsonNumber ? value.literal : typeof value === 'string' ? value.trim() : ''
  return text === '' ? null : text
}

/** A whole number, sent as a number or as a string. */
export function wholeOf(value: unknown): number | null {
  const words = wordsOf(value)
  return words !== null && /^-?\d{1,15}$/.test(words) ? Number.parseInt(words, 10) : null
}

/** The figure of a cell as sent; `null` if the cell is neither a string nor a number. */
export function literalOf(value: unknown): string | null {
  if (value instanceof JsonNumber) return value.literal
  return typeof value === 'string' ? value.trim() : null
}

/** The first of the named members that exists and is not null. */
export function firstMember(value: unknown, names: readonly string[]): unknown {
  return names.map(name => member(value, name)).find(found => found !== undefined && found !== null)
}

/** A string as it is, a number as its literal; `null` for anything else. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  return value instanceof JsonNumber ? value.literal : null
}

export function isNumber(value: unknown): boolean {
  return value instanceof JsonNumber
}

const countPattern = /^\d{1,9}$/

/** A non-negative whole number, for positions and codes, never for figures; `null` for anything else. */
export function countOf(value: unknown): number | null {
  const text = textOf(value)
  return text !== null && countPattern.test(text) ? Number.parseInt(text, 10) : null
}

/** A string, or the English one of several languages; `null` for anything else. */
export function readWords(value: unknown): string | null {
  if (!isRecord(value)) return textOf(value)
  return textOf(member(value, 'en')) ?? textOf(Object.values(value)[0])
}
