// Reads the keys of a clause for its controls: numbers that may be params, and mappings such as `cap` that several controls
// share. A key that is in no control's table cannot be read.
import { compare, formatCarried, type Ratio } from '../../numbers/ratio.ts'
import type { Problem } from '../../refusal.ts'
import { Fields, quote } from '../check/fields.ts'
import { type KeySpec, namesAt } from '../check/keys.ts'
import { didYouMean } from '../check/suggestion.ts'
import { isRawMap, type Raw } from '../raw.ts'
import type { ClauseNumber, Param } from '../terms.ts'

export class ClauseReader {
  readonly clause: Fields
  readonly problems: Problem[]
  readonly numbers: Numbers
  readonly #specs: readonly KeySpec[]
  readonly #groups = new Map<string, Fields | null>()

  constructor(raw: Raw, specs: readonly KeySpec[], numbers: Numbers, problems: Problem[]) {
    this.#specs = specs
    this.numbers = numbers
    this.problems = problems
    this.clause = Fields.at(raw ?? new Map(), 'clause', problems, 'clause is a mapping', 'clause', specs)
  }

  /** The mapping under a key of the clause; null if there is none. `example` shows how it is written. */
  group(key: string, example: string): Fields | null {
    const known = this.#groups.get(key)
    if (known !== undefined) return known
    const raw = this.clause.raw(key)
    const path = `clause.${key}`
    const fields =
      raw === undefined || raw === null
        ? null
        : Fields.at(raw, path, this.clause.problems, `${key} is written as ${example}`, path, this.#specs)
    this.#groups.set(key, fields)
    return fields
  }

  /** A mapping inside a list, such as a band. */
  item(raw: Raw, path: string, place: string, what: string): Fields {
    return Fields.of(raw, path, this.clause.problems, what, namesAt(place, this.#specs))
  }

  isMap(key: string): boolean {
    return isRawMap(this.clause.raw(key))
  }

  /** Reports the keys that no control read. */
  finish(): void {
    for (const group of this.#groups.values()) group?.finish()
    this.clause.finish()
  }
}

/** Numbers of a clause: written out, or the name of a param. */
export class Numbers {
  readonly #params: readonly Param[]
  readonly #names: readonly string[]

  constructor(params: readonly Param[], names: readonly string[]) {
    this.#params = params
    this.#names = names
  }

  read(fields: Fields, key: string): ClauseNumber | null {
    const raw = fields.raw(key)
    if (raw === undefined || raw === null) return null
    if (typeof raw === 'string' && /^[\p{L}_]/u.test(raw)) {
      const names = this.#names
      if (names.includes(raw)) return { text: raw, value: null, param: raw }
      return fields.refuse(
        key,
        `${key} must be a number or the name of a param, got ${quote(raw)}${didYouMean(raw, names)}`,
      )
    }
    const decimal = fields.decimal(key)
    return decimal === null ? null : { ...decimal, param: null }
  }

  /** All values that the number may take over time. */
  values({ value, param }: ClauseNumber): readonly Ratio[] {
    if (value !== null) return [value]
    return this.paramOf(param)?.values.map(entry => entry.value) ?? []
  }

  paramOf(name: string | null): Param | undefined {
    return this.#params.find(candidate => candidate.name === name)
  }

  /** Strictly above: at -100 % nothing would be left to adjust. */
  above(fields: Fields, key: string, number: ClauseNumber, low: Ratio): void {
    for (const value of this.values(number))
      if (compare(value, low) <= 0) {
        fields.refuse(key, `${key} must be above ${formatCarried(low)}, got ${formatCarried(value)}`)
        return
      }
  }

  range(fields: Fields, key: string, number: ClauseNumber, low: Ratio | null, high: Ratio | null, what: string): void {
    for (const value of this.values(number))
      if ((low !== null && compare(value, low) < 0) || (high !== null && compare(value, high) > 0)) {
        fields.refuse(key, `${key} must be ${what}, got ${formatCarried(value)}`)
        return
      }
  }
}
