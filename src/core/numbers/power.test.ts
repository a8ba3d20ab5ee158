import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Draw, hunt } from '../../../test/oracle/draw.ts'
import { onTrend, power, powerRounded } from './power.ts'
import { equal, multiply, one, type Ratio, ratio } from './ratio.ts'
import { WorkBudget } from './work-budget.ts'

const written = ({ n, d }: Ratio) => `${n}/${d}`

/**
 * Whether R · 10^-dp is x^(p/q) rounded half up, by whole numbers alone: (2R − 1)^q ≤ 2^q · 10^(q·dp) · x^p < (2R + 1)^q.
 */
function isNearest(result: Ratio, x: Ratio, p: bigint, q: bigint, dp: number): boolean {
  const scaled = dp >= 0 ? result.n * (10n ** BigInt(dp) / result.d) : result.n / 10n ** BigInt(-dp)
  const [n, d] = p < 0n ? [x.d, x.n] : [x.n, x.d]
  const times = p < 0n ? -p : p
  const ten = 10n ** (BigInt(Math.abs(dp)) * q)
  const [high, low] = dp >= 0 ? [2n ** q * ten * n ** times, d ** times] : [2n ** q * n ** times, d ** times * ten]
  const isAtLeast = scaled === 0n || (2n * scaled - 1n) ** q * low <= high
  return isAtLeast && high < (2n * scaled + 1n) ** q * low
}

describe('a whole power', () => {
  test('is exact, in both directions', () => {
    expect(equal(power(ratio('1.05'), ratio('3')), ratio('1.157625'))).toBe(true)
    expect(equal(multiply(power(ratio('1.05'), ratio('-3')), ratio('1.157625')), one)).toBe(true)
    expect(written(power(ratio('0'), ratio('0')))).toBe('1/1')
    expect(equal(power(ratio('-2'), ratio('5')), ratio('-32'))).toBe(true)
  })

  test('goes from -400 to 400 and accepts whole exponents only', () => {
    expect(() => power(ratio('2'), ratio('401'))).toThrow('a whole exponent from -400 to 400')
    expect(() => power(ratio('2'), ratio('0.5'))).toThrow('pow(x, y, dp) takes fractions')
    expect(() => power(ratio('0'), ratio('-1'))).toThrow('a division by zero')
    expect(power(ratio('2'), ratio('400')).n).toBe(2n ** 400n)
  })
})

describe('a power of a fraction', () => {
  test('is the true one, rounded half up, by whole numbers', () => {
    const property = fc.property(fc.gen(), generate => {
      const draw = new Draw(generate)
      const x = { n: BigInt(draw.int(1, 1_000_000_000)), d: BigInt(draw.int(1, 10_000_000)) }
      const [p, q] = [BigInt(draw.int(-400, 400)), BigInt(draw.int(1, 366))]
      const dp = draw.int(-3, 16)
      expect(isNearest(powerRounded(x, { n: p, d: q }, dp), x, p, q, dp)).toBe(true)
    })
    fc.assert(property, hunt(1500))
  })

  test('rounds a tie up, and is exact if the root is', () => {
    expect(written(powerRounded(ratio('2.25'), { n: 1n, d: 2n }, 0))).toBe('2/1')
    expect(written(powerRounded(ratio('1.5625'), { n: 1n, d: 2n }, 1))).toBe('13/10')
    expect(written(powerRounded(ratio('15625'), { n: 1n, d: 3n }, -1))).toBe('30/1')
  })

  test('is that of a yearly rate for some days', () => {
    expect(written(powerRounded(ratio('1.1089'), { n: 25n, d: 252n }, 12))).toBe('1010307575589/1000000000000')
  })

  test('refuses what has no true power, and roots of more than 366', () => {
    expect(() => powerRounded(ratio('-1'), { n: 1n, d: 2n }, 2)).toThrow('takes a positive x, got -1')
    expect(() => powerRounded(ratio('2'), { n: 1n, d: 367n }, 2)).toThrow('at most 366, got 1/367')
  })

  test('takes little work for long numbers too, or is refused with a sentence', () => {
    // Fifty milliseconds on a usual machine.
    const little = { units: 500_000, receiptUnits: 0 }
    const long: Ratio = { n: 10n ** 3000n + 7n, d: 10n ** 2999n + 3n }
    const cases: [Ratio, bigint, bigint, number][] = [
      [ratio('1.123456789012345678901234567890'), 601n, 366n, 30],
      [long, 7n, 365n, 30],
      [ratio('9'.repeat(60)), 100n, 366n, 30],
      [ratio('0.000001'), 300n, 7n, 30],
    ]
    for (const [x, p, q, dp] of cases)
      expect(isNearest(powerRounded(x, { n: p, d: q }, dp, new WorkBudget(little)), x, p, q, dp)).toBe(true)
    expect(() => powerRounded(long, { n: 399n, d: 366n }, 30)).toThrow('takes too long; round x or the exponent first')
    expect(() => powerRounded(ratio('1.01'), { n: 10n ** 40n, d: 1n }, 2)).toThrow('takes too long')
  })
})

describe('a value on its trend', () => {
  test('is rounded once, whole spans ahead exactly', () => {
    expect(written(onTrend(ratio('324.800'), ratio('315.301'), 1, 12, 3))).toBe('325604/1000')
    // A whole span ahead is last² ÷ before, and two of them last³ ÷ before².
    expect(equal(onTrend(ratio('110'), ratio('100'), 12, 12, 2), ratio('121'))).toBe(true)
    expect(equal(onTrend(ratio('110'), ratio('100'), 8, 4, 2), ratio('133.10'))).toBe(true)
    // 2 · 2^(1/2) is 2.828…; the rounded root times 2 would be 2.8.
    expect(equal(onTrend(ratio('2'), ratio('1'), 1, 2, 2), ratio('2.83'))).toBe(true)
    expect(equal(onTrend(ratio('100'), ratio('400'), 1, 2, 1), ratio('50'))).toBe(true)
  })
})
