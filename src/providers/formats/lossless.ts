// Reading JSON without turning a number into a float: numbers keep their literal. Small questions to a value of unknown
// shape, so that a reader never trusts what a provider sent.
import { isLosslessNumber, parse } from 'lossless-json'

export type JsonObject = Readonly<Record<string, unknown>>

/** Throws a SyntaxError for what is not JSON, and a RangeError for JSON nested too deep. */
export function parseJson(text: string): unknown {
  return parse(text)
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value)
}

/** An own member of an object; `undefined` for anything else. */
export function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** The first of the named members that is there and not null. */
export function firstMember(value: unknown, names: readonly string[]): unknown {
  for (const name of names) {
    const member = memberOf(value, name)
    if (member !== undefined && member !== null) return member
  }
  return undefined
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Text as it is and a number as its literal; `null` for anything else. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  return isLosslessNumber(value) ? value.value : null
}

export function isNumber(value: unknown): boolean {
  return isLosslessNumber(value)
}

const countPattern = /^\d{1,9}$/

/** A whole number from zero up, for positions and codes and never for figures; `null` for anything else. */
export function countOf(value: unknown): number | null {
  const text = textOf(value)
  return text !== null && countPattern.test(text) ? Number.parseInt(text, 10) : null
}

/** Text, or the English of a text in several languages; `null` for anything else. */
export function readWords(value: unknown): string | null {
  if (!isObject(value)) return textOf(value)
  return textOf(memberOf(value, 'en')) ?? textOf(Object.values(value)[0])
}
