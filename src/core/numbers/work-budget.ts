// The work that one evaluation may take. Every operation is charged by the length of its numbers, and so is every value that is
// read and every row that is searched: counted, never timed, so that a request ends alike on every machine. About ten million
// units are a second.
import { Refusal } from '../refusal.ts'

/** Bounds for all periods of a formula, about three seconds, and for writing out any one of them, about one second. */
export const fullWork = { units: 30_000_000, receiptUnits: 10_000_000 } as const

/** The budget of the main thread, where other requests wait: about twenty milliseconds. */
export const usualWork = { units: 200_000, receiptUnits: 200_000 } as const

/** The receipt of one period with short numbers: built, written and hashed. */
export const usualReceiptUnits = 10_000

/** Charges besides arithmetic on long numbers. */
export const workOf = {
  /** One part of an expression, on the lengths that published figures have. */
  part: 1,
  /** One adjustment date before its steps. */
  date: 20,
  /** One value of a window: found, and read from its digits. */
  value: 10,
  /** Vintages, dated values or rows that are searched for one unit. */
  scannedPerUnit: 10,
} as const

interface WorkBounds {
  readonly units: number
  readonly receiptUnits: number
}

export class WorkBudget {
  readonly #receiptUnits: number
  readonly #exhausted: () => Error
  #left: number

  /** Once it is used up, every further charge throws the error that `exhausted` creates; by default a refusal. */
  constructor({ units, receiptUnits } = fullWork as WorkBounds, exhausted: () => Error = tooMuchWork) {
    this.#left = units
    this.#receiptUnits = receiptUnits
    this.#exhausted = exhausted
  }

  spend(units: number): void {
    this.#left -= units
    if (this.#left < 0) throw this.#exhausted()
  }

  /** Writing out and explaining one period, which is done on request and for few periods. */
  checkReceipt(units: number): void {
    if (units > this.#receiptUnits) throw this.#exhausted()
  }

  /** Charges for searching so many vintages, dated values or rows. */
  scan(count: number): void {
    this.spend(count / workOf.scannedPerUnit)
  }

  /**
   * Charges one operation by its longest numbers; short ones are charged with the expression that contains them. A long number
   * combined with a short one is only traversed once.
   */
  operate(n: bigint, d: bigint, areBothLong: boolean): void {
    const size = sizeOf(n, d)
    if (size > 0) this.spend((areBothLong ? operationCosts : passingCosts)[size]!)
  }
}

/** More work than the main thread does. Not a refusal: the request is repeated in a worker, where it delays nobody. */
export class TooHeavyHere extends Error {
  override readonly name = 'TooHeavyHere'
}

/** The main thread's budget: work that exceeds it is abandoned and done in a worker. */
export function usualBudget(): WorkBudget {
  return new WorkBudget(usualWork, () => new TooHeavyHere('more work than is done where others wait'))
}

export function fullBudget(): WorkBudget {
  return new WorkBudget()
}

export function tooMuchWork(): Refusal {
  return new Refusal(
    'too-large',
    `more work than the ${fullWork.units / 1_000_000} million operations that one formula may take; round a value that is carried on, or take shorter windows or fewer periods`,
  )
}

/** Numbers of fewer bits are short: working with them takes about as long as with published figures. */
const shortBits = 512
/** The longest that `ratio.ts` makes have 2 ** 17 bits. */
const doublings = 9
const bounds = Array.from({ length: doublings }, (_, i) => 1n << BigInt(shortBits << i))
const negativeBounds = bounds.map(bound => -bound)
const short = bounds[0]!
const negativeShort = negativeBounds[0]!

/** Whether one of the two is longer than published figures and simple results of them. */
export function isLong(n: bigint, d: bigint): boolean {
  return n >= short || n <= negativeShort || d >= short
}

/** 0 for short numbers, else how often the shortest of the long ones is doubled. Comparing with a power is one step. */
function sizeOf(n: bigint, d: bigint): number {
  let size = 0
  while (size < doublings && (d >= bounds[size]! || n >= bounds[size]! || n <= negativeBounds[size]!)) size++
  return size
}

/** Bits by size: a quarter of the length at which numbers reach that size. */
const quarters = Array.from({ length: doublings + 1 }, (_, size) => BigInt((shortBits << size) >> 3))
/** From about 8,000 bits on, a number is reduced whenever it has doubled, however slowly it grew. */
const worthShortening = 5

/** Whether a denominator is long, and longer by a quarter than `before`; null where there was none before. */
export function hasOutgrown(now: bigint, before: bigint | null): boolean {
  const size = sizeOf(0n, now)
  if (size === 0) return false
  if (before === null || now >> quarters[size]! >= before) return true
  return size >= worthShortening && size > sizeOf(0n, before)
}

// Costs by size, as measured: products and quotients cost a little less than the length times its square root; common divisors,
// and the digits written in a receipt, cost up to the square of the length.
const operationCosts = [0, 11, 28, 74, 200, 510, 1_400, 3_600, 9_400, 25_000]
const passingCosts = [0, 2, 4, 6, 10, 16, 28, 49, 85, 150]
const writingCosts = [0, 300, 920, 2_800, 8_400, 26_000, 78_000, 240_000, 710_000, 2_200_000]

/** The cost of writing a number out exactly: 0 for a short one. */
export function writingCost(n: bigint, d: bigint): number {
  return isLong(n, d) ? writingCosts[sizeOf(n, d)]! : 0
}
