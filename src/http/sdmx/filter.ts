// Filter of a data query: by a key in the address, by values of components, and by time.

import { Refusal } from '../../core/refusal.ts'
import { type Day, parseDay } from '../../core/time/day.ts'
import { firstDayOf, lastDayOf, parsePeriod } from '../../core/time/period.ts'
import type { Component } from '../../formats/sdmx/artefacts.ts'

/** Series by the values of their dimensions. */
export interface KeyFilter {
  matches(key: readonly string[]): boolean
  /** Values of the first dimension, where every key names one; null where any may match. */
  readonly firsts: ReadonlySet<string> | null
}

/** Reads keys with commas between them; in a key, values with dots, and `*` or nothing for any. `+` joins alternatives. */
export function readKey(text: string, dimensions: readonly Component[]): KeyFilter {
  const keys = text === '' || text === 'all' ? [[]] : text.split(',').map(key => key.split('.').map(readPart))
  for (const key of keys)
    if (key.length > dimensions.length)
      throw new Refusal(
        'contradictory',
        `a key has ${dimensions.length} parts here (${dimensions.map(({ id }) => id).join('.')}), got ${JSON.stringify(text.slice(0, 80))}`,
      )
  const named = keys.map(key => key[0] ?? null)
  return {
    matches: values => keys.some(key => key.every((part, i) => part === null || part.has(values[i]!))),
    firsts: named.includes(null) ? null : new Set(named.flatMap(part => [...part!])),
  }
}

/** Alternatives of a part; null for any. */
function readPart(text: string): ReadonlySet<string> | null {
  return text === '' || text === '*' ? null : new Set(text.split('+'))
}

type Test = (value: string) => boolean

const operators = ['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'co', 'nc', 'sw', 'ew'] as const
type Operator = (typeof operators)[number]

const tests: Readonly<Record<Operator, (wanted: string) => Test>> = {
  eq: wanted => value => value === wanted,
  ne: wanted => value => value !== wanted,
  lt: wanted => value => value < wanted,
  le: wanted => value => value <= wanted,
  gt: wanted => value => value > wanted,
  ge: wanted => value => value >= wanted,
  co: wanted => value => value.includes(wanted),
  nc: wanted => value => !value.includes(wanted),
  sw: wanted => value => value.startsWith(wanted),
  ew: wanted => value => value.endsWith(wanted),
}

interface Condition {
  readonly operator: Operator
  readonly wanted: string
}

/** Conditions: `A,B` is A or B; `ge:A+le:B` is both. */
function readConditions(text: string): readonly (readonly Condition[])[] {
  return text.split(',').map(alternative =>
    alternative.split('+').map(part => {
      const operator = operators.find(each => part.startsWith(`${each}:`))
      return operator === undefined ? { operator: 'eq', wanted: part } : { operator, wanted: part.slice(3) }
    }),
  )
}

export function readComponentTest(text: string): Test {
  const alternatives = readConditions(text).map(all => all.map(({ operator, wanted }) => tests[operator](wanted)))
  return value => alternatives.some(all => all.every(test => test(value)))
}

/** Days of a period in the form of SDMX. */
interface Span {
  readonly first: Day
  readonly last: Day
}

/** `2024`, `2024-S1`, `2024-Q1`, `2024-03`, `2024-M03`, `2024-W05`, a day, or an instant, whose day counts. */
export function readSpan(text: string): Span | null {
  const plain = text
    .replace(/-S([12])$/, '-H$1')
    .replace(/-M(\d\d)$/, '-$1')
    .replace(/-A1$/, '')
  const period = parsePeriod(plain)
  if (period !== null) return { first: firstDayOf(period), last: lastDayOf(period) }
  const day = /^\d{4}-\d{2}-\d{2}T/.test(text) ? parseDay(text.slice(0, 10)) : null
  return day === null ? null : { first: day, last: day }
}

/** Test of a period's first day. */
export type DayTest = (day: Day) => boolean

const dayTests: Readonly<Partial<Record<Operator, (span: Span) => DayTest>>> = {
  eq:
    ({ first, last }) =>
    day =>
      day >= first && day <= last,
  ne:
    ({ first, last }) =>
    day =>
      day < first || day > last,
  lt:
    ({ first }) =>
    day =>
      day < first,
  le:
    ({ last }) =>
    day =>
      day <= last,
  gt:
    ({ last }) =>
    day =>
      day > last,
  ge:
    ({ first }) =>
    day =>
      day >= first,
}

export function readTimeTest(text: string): DayTest {
  const alternatives = readConditions(text).map(all =>
    all.map(({ operator, wanted }) => {
      const test = dayTests[operator]
      const span = readSpan(wanted)
      if (test === undefined || span === null)
        throw new Refusal(
          'invalid',
          `c[TIME_PERIOD] takes periods after eq:, ne:, lt:, le:, gt: or ge:, got ${JSON.stringify(text.slice(0, 80))}`,
        )
      return test(span)
    }),
  )
  return day => alternatives.some(all => all.every(test => test(day)))
}
