// Columns of whole numbers in as few bytes as they need: most columns of a series count days, or repeat themselves. Numbers come
// out exactly as they went in.

type Small = Uint8Array | Uint16Array | Uint32Array

/** Microseconds in a day, a minute, a second and a microsecond. */
const units = [86_400_000_000, 60_000_000, 1_000_000, 1] as const
const mostSmall = 0xffff_ffff

/** Packs numbers from 0 to 4,294,967,295. */
export function packSmall(numbers: readonly number[]): Small {
  const most = numbers.reduce((found, number) => Math.max(found, number), 0)
  const Column = most <= 0xff ? Uint8Array : most <= 0xffff ? Uint16Array : Uint32Array
  return Column.from(numbers)
}

/** Whole numbers of any size that a float can represent exactly. */
export class PackedNumbers {
  /** Steps of `#unit` from `#least`, or places in `#distinct`. */
  readonly #steps: Small
  readonly #least: number
  readonly #unit: number
  readonly #distinct: Float64Array | null
  readonly greatest: number

  constructor(numbers: readonly number[]) {
    this.#least = numbers.reduce((least, number) => Math.min(least, number), Number.POSITIVE_INFINITY)
    this.greatest = numbers.reduce((most, number) => Math.max(most, number), Number.NEGATIVE_INFINITY)
    const range = this.greatest - this.#least
    const unit = units.find(each => numbers.every(number => (number - this.#least) % each === 0)) ?? 1
    this.#unit = unit
    if (numbers.length === 0 || range / unit <= mostSmall) {
      this.#distinct = null
      this.#steps = packSmall(numbers.map(number => (number - this.#least) / unit))
    } else {
      const places = new Map<number, number>()
      for (const number of numbers) if (!places.has(number)) places.set(number, places.size)
      this.#distinct = Float64Array.from(places.keys())
      this.#steps = packSmall(numbers.map(number => places.get(number)!))
    }
  }

  get length(): number {
    return this.#steps.length
  }

  at(place: number): number {
    const step = this.#steps[place]!
    return this.#distinct === null ? this.#least + step * this.#unit : this.#distinct[step]!
  }

  get size(): number {
    return 200 + this.#steps.byteLength + (this.#distinct?.byteLength ?? 0)
  }
}
