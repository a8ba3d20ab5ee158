// Random choices for the generators, on fast-check so that a failure prints its seed and is made smaller.
import fc, { type GeneratorValue } from 'fast-check'

const choices = new Map<number, () => fc.Arbitrary<number>>()

/** One function for each number: fast-check compares arguments at length, and functions at once. */
function upTo(most: number): () => fc.Arbitrary<number> {
  let known = choices.get(most)
  if (known === undefined) {
    const choice = fc.nat({ max: most })
    known = () => choice
    choices.set(most, known)
  }
  return known
}

export class Draw {
  /** A whole number from 0 to the given one. */
  readonly #next: (most: number) => number

  constructor(source: GeneratorValue | { readonly next: (most: number) => number }) {
    this.#next = 'next' in source ? source.next : most => source(upTo(most))
  }

  /** A whole number, both ends counted. Made smaller towards the lower end. */
  int(least: number, most: number): number {
    return least + this.#next(most - least)
  }

  /**
   * Many choices for the price of one, for the values of a series: they follow from a single number, and are made smaller
   * all at once, to the first choice everywhere.
   */
  many(): Draw {
    const seed = this.int(0, 0x7fff_ffff)
    let state = seed
    const next = (most: number) => {
      if (seed === 0) return 0
      state = (state + 0x6d2b_79f5) | 0
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
      return ((mixed ^ (mixed >>> 14)) >>> 0) % (most + 1)
    }
    return new Draw({ next })
  }

  /** Made smaller towards the first. */
  pick<T>(list: readonly T[]): T {
    return list[this.int(0, list.length - 1)]!
  }

  /** True this many times in a hundred. */
  chance(percent: number): boolean {
    return this.int(0, 99) >= 100 - percent
  }

  /** The value this many times in a hundred, else undefined. */
  maybe<T>(percent: number, make: () => T): T | undefined {
    return this.chance(percent) ? make() : undefined
  }

  /** A decimal between two whole numbers of its last place. */
  decimal(least: number, most: number, decimals: number): string {
    return scaled(this.int(least, most), decimals)
  }
}

/** 12345 with 3 decimals is 12.345. */
export function scaled(value: number | bigint, decimals: number): string {
  const sign = value < 0 ? '-' : ''
  const digits = (value < 0 ? -value : value).toString().padStart(decimals + 1, '0')
  return decimals === 0 ? sign + digits : `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** Without the keys that have no value, as a document would be written. */
export function compact<T extends object>(value: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as T
}

/**
 * How often a property is tried. The first document that fails is printed as it is: making it smaller may take forever, and
 * `npm run test:long -- oracle` does it.
 */
export function hunt(numRuns: number): fc.Parameters<[GeneratorValue]> {
  return { numRuns, endOnFailure: true }
}
