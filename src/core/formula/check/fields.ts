// Reading a raw mapping field by field: every mistake becomes a problem with its path, the rest is still read, and keys
// that were not read are reported at the end.

import { compare, parseRatio, type Ratio, type Rounding, type RoundingMode, zero } from '../../numbers/ratio.ts'
import type { Problem } from '../../refusal.ts'
import { parseReference } from '../../series/series.ts'
import { type Day, parseDay } from '../../time/day.ts'
import { parsePeriod } from '../../time/period.ts'
import { isRawList, isRawMap, joinPath, printable, type Raw, type RawMap } from '../raw.ts'
import type { Base, Span } from '../terms.ts'
import { spanUnits } from '../terms.ts'
import { type ChoiceKey, choiceKey, choicesOf, type KeySpec, namesAt, number } from './keys.ts'
import { didYouMean } from './suggestion.ts'

/** A shortened value as written, for messages. */
export function quote(raw: Raw | undefined): string {
  if (raw === undefined || raw === null) return 'nothing'
  if (isRawList(raw)) return 'a list'
  if (isRawMap(raw)) return 'a mapping'
  return printable(raw.length > 60 ? `"${raw.slice(0, 57)}…"` : `"${raw}"`)
}

/** Problems of keys without a value: recorded here, so that nobody outside sees a mark. */
const leftOpen = new WeakSet<Problem>()

/** A key without a value is not reported if there is another problem around it. */
export function dropEchoes(problems: readonly Problem[]): Problem[] {
  const reported = problems.filter(problem => !leftOpen.has(problem))
  const isEcho = ({ path }: Problem) => {
    const parent = path.replace(/\.[^.]*$/, '')
    return parent !== path && reported.some(other => other.path === parent || other.path.startsWith(`${parent}.`))
  }
  return problems.filter(problem => reported.includes(problem) || !isEcho(problem))
}

export class Fields {
  readonly path: string
  readonly problems: Problem[]
  readonly #map: RawMap
  readonly #asked = new Set<string>()
  readonly #mayBeEmpty = new Set<string>()
  /** The keys listed in a table; null if any name may be a key. */
  readonly #known: readonly string[] | null

  constructor(map: RawMap, path: string, problems: Problem[], known: readonly string[] | null = null) {
    this.#map = map
    this.path = path
    this.problems = problems
    this.#known = known
  }

  /** The fields of a mapping. Anything else is reported as a problem and gives the fields of an empty mapping. */
  static of(
    raw: Raw | undefined,
    path: string,
    problems: Problem[],
    what: string,
    known: readonly string[] | null = null,
  ): Fields {
    if (isRawMap(raw)) return new Fields(raw, path, problems, known)
    problems.push({ path, message: `${what}, got ${quote(raw)}` })
    // Missing keys are not reported beside that problem.
    return new Fields(new Map(), path, [], known)
  }

  /** The fields of a mapping whose keys are listed in a table under `place`. */
  static at(
    raw: Raw | undefined,
    path: string,
    problems: Problem[],
    what: string,
    place: string,
    specs: readonly KeySpec[],
  ): Fields {
    return Fields.of(raw, path, problems, what, namesAt(place, specs))
  }

  raw(key: string): Raw | undefined {
    this.#ask(key)
    return this.#map.get(key)
  }

  has(key: string): boolean {
    this.#ask(key)
    return this.#map.get(key) != null
  }

  /** A key that is read but in no table would be missing from forms, completion and the schema. */
  #ask(key: string): void {
    if (this.#known !== null && !this.#known.includes(key))
      throw new Error(`the key "${key}" of ${this.path || 'the document'} is in no table of keys`)
    this.#asked.add(key)
  }

  /** Whether a problem with this key is already reported. */
  hasProblemAt(key: string): boolean {
    return hasProblemAt(this.problems, joinPath(this.path, key))
  }

  keys(): readonly string[] {
    return [...this.#map.keys()]
  }

  refuse(key: string, message: string): null {
    this.problems.push({ path: key === '' ? this.path : joinPath(this.path, key), message })
    return null
  }

  /** Reports every key that was not read, and every key without a value: a rule must not disappear by mistake. */
  finish(): void {
    for (const [key, value] of this.#map)
      if (!this.#asked.has(key))
        this.refuse(key, printable(`unknown key "${key}"${didYouMean(key, this.#known ?? [...this.#asked])}`))
      else if (value === null && !this.#mayBeEmpty.has(key) && !this.hasProblemAt(key)) {
        this.refuse(key, `${key} has no value; write one, or leave the key out`)
        leftOpen.add(this.problems.at(-1)!)
      }
  }

  text(key: string, { required = false, most = 2000 } = {}): string | null {
    const raw = this.raw(key)
    if (!required) this.#mayBeEmpty.add(key)
    if (raw === undefined || raw === null || (required && raw === ''))
      return required ? this.refuse(key, `${key} is missing`) : null
    if (typeof raw !== 'string') return this.refuse(key, `${key} must be a text, got ${quote(raw)}`)
    return raw.length > most ? this.refuse(key, `${key} must have at most ${most} characters, got ${raw.length}`) : raw
  }

  choice<T extends string>(key: string, choices: readonly T[], otherwise: T): T {
    return this.#choose(key, choices) ?? otherwise
  }

  requiredChoice<T extends string>(key: string, choices: readonly T[], why: string): T | null {
    const raw = this.raw(key)
    if (raw === undefined || raw === null) return this.refuse(key, `${key} is missing: ${why}`)
    return this.#choose(key, choices)
  }

  /** A choice of the table, else the table's default. */
  chosen<T extends string>(key: string, spec: ChoiceKey<T>): T {
    return this.choice(key, choicesOf(spec), spec.otherwise!)
  }

  /** A choice of the table; null if it is left out. */
  chosenOrNull<T extends string>(key: string, spec: ChoiceKey<T>): T | null {
    return this.#choose(key, choicesOf(spec))
  }

  /** A choice of the table, for a required key. */
  requiredChosen<T extends string>(key: string, spec: ChoiceKey<T>): T | null {
    return this.requiredChoice(key, choicesOf(spec), spec.help)
  }

  #choose<T extends string>(key: string, choices: readonly T[]): T | null {
    const raw = this.raw(key)
    if (raw === undefined || raw === null) return null
    const chosen = choices.find(choice => choice === raw)
    if (chosen !== undefined) return chosen
    const hint = typeof raw === 'string' ? didYouMean(raw, choices) : ''
    return this.refuse(key, `${key} must be ${orList(choices)}, got ${quote(raw)}${hint}`)
  }

  truth(key: string): boolean {
    const raw = this.raw(key)
    if (raw === undefined || raw === null || raw === 'false') return false
    if (raw === 'true') return true
    this.refuse(key, `${key} must be true or false, got ${quote(raw)}`)
    return false
  }

  decimal(key: string): { value: Ratio; text: string } | null {
    const raw = this.raw(key)
    if (raw === undefined || raw === null) return null
    return decimalOf(raw, joinPath(this.path, key), key, this.problems)
  }

  day(key: string, required = false): Day | null {
    const raw = this.raw(key)
    if (raw === undefined || raw === null) return required ? this.refuse(key, `${key} is missing`) : null
    const day = typeof raw === 'string' ? parseDay(raw) : null
    return day ?? this.refuse(key, `${key} must be a date such as 2024-01-31, got ${quote(raw)}`)
  }

  whole(key: string, least: number, most: number): number | null {
    const raw = this.raw(key)
    if (raw === undefined || raw === null) return null
    const value = typeof raw === 'string' && /^-?\d{1,6}$/.test(raw) ? Number.parseInt(raw, 10) : null
    if (value !== null && value >= least && value <= most) return value
    return this.refuse(key, `${key} must be a whole number from ${least} to ${most}, got ${quote(raw)}`)
  }

  span(key: string): Span | null {
    const raw = this.raw(key)
    if (raw === undefined || raw === null) return null
    const span = typeof raw === 'string' ? parseSpan(raw) : null
    return (
      span ??
      this.refuse(key, `${key} must be a whole number of days, weeks, months, quarters or years, got ${quote(raw)}`)
    )
  }

  series(key: string): string | null {
    const text = this.text(key, { required: true, most: 220 })
    if (text === null || isSeriesReference(text)) return text
    return this.refuse(
      key,
      `${key} must be PROVIDER/code, such as BLS/CUUR0000SA0 or CUSTOM/copper, got ${quote(text)}`,
    )
  }

  /** A rounding; null if there is none, or if it is `NONE`. */
  rounding(key: string): Rounding | null {
    const raw = this.raw(key)
    if (raw === undefined || raw === null || raw === 'NONE') return null
    return roundingOf(raw, joinPath(this.path, key), this.problems)
  }
}

/** Whether the list has a problem at this path or below it. */
export function hasProblemAt(problems: readonly Problem[], path: string): boolean {
  return problems.some(problem => problem.path === path || problem.path.startsWith(`${path}.`))
}

export function orList(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

function isSeriesReference(text: string): boolean {
  return parseReference(text) !== null || /^ser_[0-9a-z]{16,40}$/.test(text)
}

function decimalOf(raw: Raw, path: string, what: string, problems: Problem[]): { value: Ratio; text: string } | null {
  const value = typeof raw === 'string' ? parseRatio(raw) : null
  if (value !== null) return { value, text: (raw as string).replace(/^\+/, '') }
  problems.push({ path, message: `${what} must be a decimal number such as 0.35, got ${quote(raw)}` })
  return null
}

const spanPattern = /^(-?\d{1,4}) ?(day|week|month|quarter|year)s?$/

/** `1 month`, `2 quarters`, `-1 month`, `0`. */
export function parseSpan(text: string): Span | null {
  if (text === '0') return { count: 0, unit: 'day' }
  const match = spanPattern.exec(text)
  if (!match) return null
  return { count: Number.parseInt(match[1]!, 10), unit: spanUnits.find(unit => unit === match[2])! }
}

export const modeKey = choiceKey<RoundingMode>(
  'mode',
  'Which way',
  'Where a value lies between two steps of the rounding, this says which of them it takes.',
  {
    HALF_UP: 'halves away from zero',
    HALF_EVEN: 'halves to the even digit',
    HALF_DOWN: 'halves toward zero',
    UP: 'away from zero',
    DOWN: 'toward zero: cut off',
    CEILING: 'always up',
    FLOOR: 'always down',
  },
  'HALF_UP',
)

/** The keys of a rounding, wherever one is used. */
export const roundingKeys: readonly KeySpec[] = [
  {
    path: 'dp',
    label: 'Decimals',
    help: 'How many decimals are kept; negative ones round to tens, hundreds, thousands.',
    value: { kind: 'whole', least: -15, most: 30 },
  },
  {
    path: 'multiple',
    label: 'Multiple of',
    help: 'Rounds to a multiple of this number, such as 0.05.',
    value: number('plain'),
  },
  modeKey,
]

function roundingOf(raw: Raw, path: string, problems: Problem[]): Rounding | null {
  const what = 'a rounding is written as { dp: 2 }, { multiple: 0.05 } or NONE'
  const fields = Fields.of(raw, path, problems, what, namesAt('', roundingKeys))
  if (!isRawMap(raw)) return null
  const mode = fields.chosen('mode', modeKey)
  const dp = fields.raw('dp')
  const multiple = fields.decimal('multiple')
  fields.finish()
  if (fields.has('dp') && fields.has('multiple')) return fields.refuse('', 'a rounding has dp or multiple, not both')
  if (multiple !== null) {
    if (compare(multiple.value, zero) <= 0)
      return fields.refuse('multiple', `multiple must be more than 0, got ${quote(multiple.text)}`)
    return { multiple: multiple.value, mode }
  }
  if (fields.has('multiple')) return null
  if (typeof dp !== 'string' || !/^(?:-?[0-9]|-1[0-5]|[12][0-9]|30)$/.test(dp))
    return fields.refuse('dp', `dp must be a whole number from -15 to 30, got ${quote(dp)}`)
  return { dp: Number.parseInt(dp, 10), mode }
}

/** A label, a range of two, or `{ value: … }`. */
export function baseOf(raw: Raw, path: string, problems: Problem[]): Base | null {
  if (isRawMap(raw)) {
    const fields = new Fields(raw, path, problems, ['value'])
    const value = fields.decimal('value')
    fields.finish()
    if (!fields.has('value')) return fields.refuse('value', 'value is missing: write base: { value: 245.3 }')
    return value === null ? null : { kind: 'value', ...value }
  }
  const [first, last = first, ...more] = typeof raw === 'string' ? raw.split('..') : []
  const from = first === undefined ? null : parsePeriod(first)
  const to = last === undefined ? null : parsePeriod(last)
  if (from === null || to === null || more.length > 0) {
    problems.push({
      path,
      message: `base must be a period such as 2023-12, 2023-Q4 or 2023, a range 2023-10..2023-12, or { value: 245.3 }, got ${quote(raw)}`,
    })
    return null
  }
  if (from.frequency !== to.frequency || from.ordinal > to.ordinal) {
    problems.push({ path, message: `the range ${quote(raw)} must run from an earlier to a later period of one kind` })
    return null
  }
  return { kind: 'label', from, to, text: raw as string }
}
