// Reading JSON whose shape is known to the last key: what is missing, unknown or of another kind is refused with its place.
// It fills in nothing.

import { parseExact, type Ratio } from '../numbers/ratio.ts'
import { Refusal } from '../refusal.ts'
import { type Day, parseDay } from '../time/day.ts'
import { type Instant, parseInstant } from '../time/instant.ts'

export type Mapping = { readonly [key: string]: unknown }

export function refuseShape(path: string, what: string): never {
  throw new Refusal('invalid', `the receipt cannot be read: ${path} must be ${what}`)
}

export function anyMapping(value: unknown, path: string): Mapping {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) refuseShape(path, 'a mapping')
  return value as Mapping
}

/** A mapping with exactly these keys; those in `optional` may be missing. */
export function mapping(
  value: unknown,
  path: string,
  keys: readonly string[],
  optional: readonly string[] = [],
): Mapping {
  const found = anyMapping(value, path)
  const missing = keys.find(key => !Object.hasOwn(found, key))
  if (missing !== undefined) refuseShape(path, `a mapping with ${missing}, which is missing`)
  const unknown = Object.keys(found).find(key => !keys.includes(key) && !optional.includes(key))
  if (unknown !== undefined) refuseShape(path, `a mapping without ${JSON.stringify(unknown)}, which is not known`)
  return found
}

export function list(value: unknown, path: string): readonly unknown[] {
  return Array.isArray(value) ? value : refuseShape(path, 'a list')
}

export function listOf<T>(value: unknown, path: string, read: (item: unknown, path: string) => T): readonly T[] {
  return list(value, path).map((item, i) => read(item, `${path}[${i}]`))
}

export function mapOf<T>(value: unknown, path: string, read: (item: unknown, path: string) => T): Map<string, T> {
  return new Map(Object.entries(anyMapping(value, path)).map(([key, item]) => [key, read(item, `${path}.${key}`)]))
}

export function nullable<T>(value: unknown, path: string, read: (value: unknown, path: string) => T): T | null {
  return value === null ? null : read(value, path)
}

export function text(value: unknown, path: string): string {
  return typeof value === 'string' ? value : refuseShape(path, 'a text')
}

export function truth(value: unknown, path: string): boolean {
  return typeof value === 'boolean' ? value : refuseShape(path, 'true or false')
}

export function wholeNumber(value: unknown, path: string): number {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : refuseShape(path, 'a whole number')
}

export function versionNumber(value: unknown, path: string): number {
  const number = wholeNumber(value, path)
  return number > 0 ? number : refuseShape(path, 'a version number')
}

export function oneOf<const T extends string>(choices: readonly T[]): (value: unknown, path: string) => T {
  return (value, path) =>
    choices.find(choice => choice === value) ?? refuseShape(path, `one of ${choices.join(', ')}, got ${quoted(value)}`)
}

function quoted(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : `${typeof value}`
}

export function day(value: unknown, path: string): Day {
  return parseDay(text(value, path)) ?? refuseShape(path, 'a date')
}

/** In the one spelling in which it is written. */
export function instant(value: unknown, path: string): Instant {
  const written = text(value, path)
  return parseInstant(written) === written ? written : refuseShape(path, 'an instant')
}

export function exactNumber(value: unknown, path: string): Ratio {
  return parseExact(text(value, path)) ?? refuseShape(path, 'an exact number')
}

export function hexHash(value: unknown, path: string): string {
  const written = text(value, path)
  return /^[0-9a-f]{64}$/.test(written) ? written : refuseShape(path, '64 hexadecimal digits')
}
