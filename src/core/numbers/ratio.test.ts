import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../refusal.ts'
import {
  absolute,
  add,
  compare,
  divide,
  equal,
  formatCarried,
  formatExact,
  formatFixed,
  formatRounded,
  formatShort,
  greatest,
  isWhole,
  least,
  multiply,
  negate,
  ofInteger,
  one,
  parseExact,
  parseRatio,
  type RoundingMode,
  ratio,
  reduce,
  round,
  roundTo,
  subtract,
  sum,
  zero,
} from './ratio.ts'

describe('reading decimals', () => {
  test.each([
    ['274.138', 274_138n, 1000n],
    ['-0.40', -40n, 100n],
    ['+5', 5n, 1n],
    ['007', 7n, 1n],
    ['0', 0n, 1n],
    ['-0', 0n, 1n],
  ])('reads %s with all its digits', (text, n, d) => {
    expect(parseRatio(text)).toEqual({ n, d })
  })

  test.each(['', ' 1', '1 ', '.5', '5.', '1e3', '1,5', '1_000', 'NaN', 'Infinity', '0x10', '--1', '١', '1.2.3', '½'])(
    'refuses "%s"',
    text => {
      expect(parseRatio(text)).toBeNull()
    },
  )

  test('reads sixty digits and refuses sixty-one', () => {
    expect(parseRatio('9'.repeat(60))).not.toBeNull()
    expect(parseRatio(`0.${'9'.repeat(59)}`)).not.toBeNull()
    expect(parseRatio('9'.repeat(61))).toBeNull()
    expect(parseRatio(`0.${'9'.repeat(60)}`)).toBeNull()
  })

  test('reads a short text as it reads the same with zeros in front of it, which make it long', () => {
    const text = fc.string({ unit: fc.constantFrom(...'0123456789+-. e'), maxLength: 15 })
    const decimal = fc
      .tuple(fc.constantFrom('', '-', '+'), fc.nat(9_999_999), fc.option(fc.nat(99_999)))
      .map(([sign, whole, part]) => `${sign}${whole}${part === null ? '' : `.${part}`}`)
    fc.assert(
      fc.property(fc.oneof(text, decimal), short => {
        const long = short.replace(/^[+-]?(?=\d)/, sign => `${sign}${'0'.repeat(16)}`)
        if (long !== short) expect(parseRatio(short), short).toEqual(parseRatio(long))
        else expect(parseRatio(short), short).toBeNull()
      }),
      { numRuns: 3_000 },
    )
  })

  test('throws for a text that should have been checked and is not a decimal', () => {
    expect(() => ratio('abc')).toThrow('abc')
  })
})

describe('arithmetic', () => {
  test('keeps a third a third', () => {
    const third = divide(one, ofInteger(3))
    expect(equal(multiply(third, ofInteger(3)), one)).toBe(true)
    expect(equal(sum([third, third, third]), one)).toBe(true)
  })

  test('does not have the faults of binary fractions', () => {
    expect(equal(add(ratio('0.1'), ratio('0.2')), ratio('0.3'))).toBe(true)
    expect(equal(subtract(divide(ratio('110.5'), ratio('100')), one), ratio('0.105'))).toBe(true)
  })

  test('keeps the denominator positive whatever is divided by a negative number', () => {
    for (const [a, b, expected] of [
      ['6', '-4', '-1.5'],
      ['-6', '-4', '1.5'],
      ['0.5', '-0.25', '-2'],
      ['-1.2', '0.3', '-4'],
    ] as const) {
      const quotient = divide(ratio(a), ratio(b))
      expect(quotient.d > 0n).toBe(true)
      expect(formatCarried(quotient)).toBe(expected)
    }
  })

  test('refuses to divide by zero', () => {
    expect(() => divide(one, subtract(one, one))).toThrow(Refusal)
    expect(() => divide(zero, zero)).toThrow('zero')
  })

  test('orders fractions of different denominators', () => {
    expect(compare(ratio('0.30'), ratio('0.3'))).toBe(0)
    expect(compare(ratio('-2'), ratio('0.5'))).toBe(-1)
    expect(compare(divide(one, ofInteger(3)), ratio('0.333333'))).toBe(1)
    expect(least(ratio('2'), ratio('-3'))).toEqual(ratio('-3'))
    expect(greatest(ratio('2'), ratio('-3'))).toEqual(ratio('2'))
  })

  test('removes and reverses signs', () => {
    expect(formatCarried(absolute(ratio('-2.5')))).toBe('2.5')
    expect(formatCarried(negate(ratio('2.5')))).toBe('-2.5')
    expect(formatCarried(negate(zero))).toBe('0')
  })

  test('recognises whole numbers however they are written', () => {
    expect(isWhole(ratio('2.000'))).toBe(true)
    expect(isWhole(divide(ofInteger(6), ofInteger(3)))).toBe(true)
    expect(isWhole(ratio('-2.001'))).toBe(false)
  })

  test('brings a fraction to its lowest terms', () => {
    expect(reduce({ n: -150n, d: 100n })).toEqual({ n: -3n, d: 2n })
    expect(reduce({ n: 0n, d: 100n })).toEqual({ n: 0n, d: 1n })
  })

  test('refuses a number over the size bound, after few squares of one that grows', () => {
    let square = ratio('1.0000001')
    let squares = 0
    expect(() => {
      for (; squares < 60; squares++) square = multiply(square, square)
    }).toThrow(Refusal)
    expect(squares).toBeLessThan(20)
  })
})

const modes: readonly RoundingMode[] = ['HALF_UP', 'HALF_EVEN', 'HALF_DOWN', 'UP', 'DOWN', 'CEILING', 'FLOOR']

describe('sums with whole numbers', () => {
  test('are the same fractions as sums with the same number over another denominator', () => {
    const numbers = fc.record({ n: fc.bigInt(-(10n ** 20n), 10n ** 20n), d: fc.bigInt(1n, 10n ** 12n) })
    fc.assert(
      fc.property(numbers, fc.bigInt(-3n, 3n), (a, whole) => {
        const [plain, other] = [ofInteger(whole), { n: whole * 7n, d: 7n }]
        expect(equal(add(a, plain), add(a, other))).toBe(true)
        expect(equal(subtract(a, plain), subtract(a, other))).toBe(true)
        expect(equal(add(plain, a), add(a, plain))).toBe(true)
      }),
    )
  })
})

describe('rounding', () => {
  test.each([
    // value, then HALF_UP HALF_EVEN HALF_DOWN UP DOWN CEILING FLOOR at no decimals
    ['2.5', '3 2 2 3 2 3 2'],
    ['3.5', '4 4 3 4 3 4 3'],
    ['-2.5', '-3 -2 -2 -3 -2 -2 -3'],
    ['-3.5', '-4 -4 -3 -4 -3 -3 -4'],
    ['0.5', '1 0 0 1 0 1 0'],
    ['-0.5', '-1 0 0 -1 0 0 -1'],
    ['2.4', '2 2 2 3 2 3 2'],
    ['2.6', '3 3 3 3 2 3 2'],
    ['-2.4', '-2 -2 -2 -3 -2 -2 -3'],
    ['-2.6', '-3 -3 -3 -3 -2 -2 -3'],
    ['2.50000000000000000001', '3 3 3 3 2 3 2'],
    ['-2.49999999999999999999', '-2 -2 -2 -3 -2 -2 -3'],
    ['7', '7 7 7 7 7 7 7'],
    ['0', '0 0 0 0 0 0 0'],
  ])('takes %s to %s in the seven modes', (value, expected) => {
    expect(modes.map(mode => formatCarried(round(ratio(value), { dp: 0, mode }))).join(' ')).toBe(expected)
  })

  test.each([
    ['12.425', '12.45 12.4 12.4 12.45 12.4 12.45 12.4'],
    ['12.475', '12.5 12.5 12.45 12.5 12.45 12.5 12.45'],
    ['-12.425', '-12.45 -12.4 -12.4 -12.45 -12.4 -12.4 -12.45'],
    ['12.41', '12.4 12.4 12.4 12.45 12.4 12.45 12.4'],
    ['12.45', '12.45 12.45 12.45 12.45 12.45 12.45 12.45'],
  ])('takes %s to multiples of 0.05: %s', (value, expected) => {
    const multiple = ratio('0.05')
    expect(modes.map(mode => formatCarried(round(ratio(value), { multiple, mode }))).join(' ')).toBe(expected)
  })

  test('rounds to multiples that are not a power of ten', () => {
    expect(formatCarried(round(ratio('10'), { multiple: ratio('3'), mode: 'HALF_UP' }))).toBe('9')
    expect(formatCarried(round(ratio('0.7'), { multiple: ratio('0.25'), mode: 'CEILING' }))).toBe('0.75')
  })

  test('sees the tie in a fraction that is not a finite decimal until it is multiplied', () => {
    const change = multiply(ratio('0.15015'), divide(ofInteger(30), ofInteger(90)))
    expect(formatFixed(multiply(change, ofInteger(100)), 2)).toBe('5.01')
  })

  test('rounds to tens and hundreds with decimals below zero', () => {
    expect(formatCarried(roundTo(ratio('1250'), -2))).toBe('1300')
    expect(formatCarried(roundTo(ratio('-1250'), -2, 'DOWN'))).toBe('-1200')
    expect(formatCarried(roundTo(ratio('49.9'), -2))).toBe('0')
  })

  test('rounds half up, away from zero, by default', () => {
    expect(formatCarried(roundTo(ratio('0.125'), 2))).toBe('0.13')
    expect(formatCarried(roundTo(ratio('-0.125'), 2))).toBe('-0.13')
  })
})

describe('writing', () => {
  test('keeps the requested decimals, and no sign on a zero', () => {
    expect(formatFixed(ratio('1.797'), 4)).toBe('1.7970')
    expect(formatFixed(ratio('-0.004'), 2)).toBe('0.00')
    expect(formatFixed(ratio('0.05'), 1)).toBe('0.1')
    expect(formatFixed(ratio('12'), 0)).toBe('12')
    expect(formatRounded(ratio('1.797'), { dp: 4, mode: 'HALF_UP' })).toBe('1.7970')
  })

  test('drops trailing zeros only after the point', () => {
    expect(formatShort(ratio('7.2500'), 4)).toBe('7.25')
    expect(formatShort(ratio('100'), 4)).toBe('100')
    expect(formatShort(ratio('-0.00001'), 4)).toBe('0')
    expect(formatShort(ratio('-1.87634'), 4)).toBe('-1.8763')
  })

  test.each([
    ['1/3', `0.${'3'.repeat(30)}…`],
    ['-2/3', `-0.${'6'.repeat(30)}…`],
    ['100/3', `33.${'3'.repeat(28)}…`],
    ['1/3000', `0.000${'3'.repeat(30)}…`],
    ['1/8', '0.125'],
    ['200/2', '100'],
    ['0/7', '0'],
    [`${'1'.repeat(30)}/1`, '1'.repeat(30)],
    [`${'1'.repeat(31)}/1`, `${'1'.repeat(30)}0…`],
    [`${'1'.repeat(30)}/10`, `${'1'.repeat(29)}.1`],
  ])('writes the carried value of %s as %s: exact, or cut at thirty significant digits', (fraction, expected) => {
    expect(formatCarried(parseExact(fraction)!)).toBe(expected)
  })

  test('cuts and does not round the thirtieth digit', () => {
    expect(formatCarried(divide(ofInteger(2), ofInteger(3))).at(-2)).toBe('6')
  })

  test.each(['1/3', '-22/7', '0.125', '-40', '0', `1/${'7'.repeat(50)}`])(
    'writes %s exactly and reads it back',
    text => {
      const value = parseExact(text)!
      expect(equal(parseExact(formatExact(value))!, value)).toBe(true)
    },
  )

  test('writes equal fractions exactly alike', () => {
    expect(formatExact({ n: 2n, d: 6n })).toBe(formatExact({ n: 1n, d: 3n }))
    expect(formatExact({ n: 250n, d: 1000n })).toBe('0.25')
  })

  test.each(['', '1/0', '1/-3', 'a/b', '1/3/5', '1 / 3', '1/03x'])('refuses "%s" as an exact number', text => {
    expect(parseExact(text)).toBeNull()
  })
})
