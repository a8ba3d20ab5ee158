// The parameters of v1, each once: its name, its accepted values and its refusals.

import { plainLabel } from '../../core/formula/schedule.ts'
import { Refusal } from '../../core/refusal.ts'
import { seriesProviders, versionTags } from '../../core/series/series.ts'
import { type Day, parseDay } from '../../core/time/day.ts'
import { endOfDay, type Instant, instantOfMicros, microsOf, parseInstant, startOfDay } from '../../core/time/instant.ts'
import { parsePeriod } from '../../core/time/period.ts'
import { limits } from '../../limits.ts'
import { choiceParameter, countParameter, type Parameter, refuse } from '../frame/parameters.ts'

const daySchema = { type: 'string', format: 'date', pattern: '^\\d{4}-\\d{2}-\\d{2}$' }

export function dayParameter(name: string, description: string): Parameter<Day> {
  return {
    name,
    description,
    schema: daySchema,
    example: '2024-01-01',
    read: text => parseDay(text) ?? refuse(name, 'a day that exists, as YYYY-MM-DD', text),
  }
}

/** A cut as it was written: its first instant and the last it includes. */
export interface CutText {
  readonly name: string
  readonly text: string
  readonly begins: Instant
  readonly includes: Instant
}

function cutParameter(name: string, description: string): Parameter<CutText> {
  return {
    name,
    description,
    schema: {
      type: 'string',
      description: 'YYYY-MM-DD or an RFC 3339 instant',
      pattern: '^\\d{4}-\\d{2}-\\d{2}([Tt].+)?$',
    },
    example: '2024-04-30',
    read: text => {
      const day = parseDay(text)
      if (day !== null) return { name, text, begins: startOfDay(day), includes: endOfDay(day) }
      const instant =
        parseInstant(text) ?? refuse(name, 'a day as YYYY-MM-DD or an RFC 3339 instant with its zone', text)
      return { name, text, begins: instant, includes: instant }
    },
  }
}

const dayMicros = 86_400_000_000

/** C7: a cut that begins more than a day ahead is a mistake. */
export function readAsOf(cut: CutText | null, now: Instant): Instant | null {
  if (cut === null) return null
  if (cut.begins > instantOfMicros(microsOf(now) + dayMicros))
    throw new Refusal('invalid', `asOf must not lie in the future, got ${JSON.stringify(cut.text)}`)
  return cut.includes
}

/** C8: knowledge at an instant is final only when the instant has passed. */
export function readKnownAt(cut: CutText | null, now: Instant): Instant | null {
  if (cut === null) return null
  if (cut.includes > now)
    throw new Refusal(
      'invalid',
      `knownAt must be an instant that is past or a day that is over in UTC, got ${JSON.stringify(cut.text)}`,
    )
  return cut.includes
}

export const from = dayParameter('from', 'Start date, inclusive')
export const to = dayParameter('to', 'End date, inclusive')
export const asOf = cutParameter(
  'asOf',
  'The values as they had been published by this day (to its end, UTC) or instant',
)
export const knownAt = cutParameter(
  'knownAt',
  'The values as stored here at this day (to its end, UTC) or instant; repeatable forever',
)
export const version = choiceParameter('version', versionTags, 'Only values with this data version')
export const provider = choiceParameter('provider', seriesProviders, 'Only series of this provider')
export const last = countParameter(
  'last',
  limits.valuesPage.most,
  null,
  'The newest N, still ascending; not together with limit',
)
export const view = choiceParameter(
  'view',
  ['summary'] as const,
  'summary: each observation as period, value, version and asOf',
)
export const calculationView = choiceParameter(
  'view',
  ['calculation'] as const,
  'calculation: price, steps, observations and controls as well',
)
export const date = dayParameter('date', 'The period in force on this day; not together with period')

export function limitParameter({ usual, most }: { usual: number; most: number }): Parameter<number> {
  return countParameter('limit', most, usual, `At most this many, ${usual} by default`)
}

/** For routes with `last`, which excludes it: generated clients send every documented default, and would be refused. */
export function limitBesideLast({ usual, most }: { usual: number; most: number }): Parameter<number> {
  return countParameter('limit', most, null, `At most this many, ${usual} by default; not together with last`)
}

export const cursor: Parameter<string> = {
  name: 'cursor',
  description: 'nextCursor of an earlier answer to the same request',
  schema: { type: 'string', minLength: 1 },
  example: 'AbCd',
  read: text => text,
}

export const period: Parameter<string> = {
  name: 'period',
  description:
    'The label of a period: 2026-Q1, 2026-03, 2026-H1, 2026, 2026-W05 or 2026-03-15, with a number where several dates share it (2026-Q3.2); not together with date',
  schema: {
    type: 'string',
    pattern: '^\\d{4}(-(Q[1-4]|H[12]|W\\d{2}|\\d{2}(-\\d{2})?))?(\\.[1-9]\\d*)?$',
  },
  example: '2024-Q2',
  read: text =>
    parsePeriod(plainLabel(text)) === null
      ? refuse('period', 'a label such as 2026-Q1, 2026-03, 2026-H1 or 2026', text)
      : text,
}

export function refuseBoth(a: string, b: string): never {
  throw new Refusal('invalid', `${a} and ${b} cannot both be given`)
}

/** `from` after `to` selects nothing and is a mistake. */
export function checkRange(fromDay: Day | null, toDay: Day | null): void {
  if (fromDay !== null && toDay !== null && fromDay > toDay) throw new Refusal('invalid', 'from must not lie after to')
}
