import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { greatestCommonDivisor } from './common-divisor.ts'

function euclid(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b]
  while (y !== 0n) [x, y] = [y, x % y]
  return x
}

const long = fc.bigInt({ min: -(1n << 700n), max: 1n << 700n })

describe('the greatest common divisor', () => {
  test('is what Euclid finds, whatever the two have in common', () => {
    fc.assert(
      fc.property(long, long, long, (a, b, common) => {
        expect(greatestCommonDivisor(a * common, b * common)).toBe(euclid(a * common, b * common))
      }),
      { numRuns: 500 },
    )
  })

  test('is right next to powers of two, where the leading bits are least certain', () => {
    for (let bits = 60n; bits < 300n; bits++)
      for (const [more, less] of [
        [1n, 0n],
        [-1n, 1n],
        [0n, -1n],
        [2n, -2n],
      ] as const) {
        const [a, b] = [(1n << bits) + more, (1n << bits) + less]
        expect(greatestCommonDivisor(a * a, b)).toBe(euclid(a * a, b))
        expect(greatestCommonDivisor(b, a)).toBe(euclid(b, a))
      }
  })

  test('handles the longest case, two neighbouring Fibonacci numbers', () => {
    let [a, b] = [1n, 1n]
    for (let i = 0; i < 5000; i++) [a, b] = [b, a + b]
    expect(greatestCommonDivisor(a * 91n, b * 91n)).toBe(91n)
  })
})
