import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { missingMarker, plainDecimal, readFigure } from './figure.ts'

describe('figures of answers', () => {
  test.each(['333.020', '1.10', '-7.436', '0', '+2.5', '94669000000', '0.895263095238095'])(
    'keeps %s as it is',
    text => {
      expect(readFigure(text)).toBe(text)
    },
  )

  test.each([
    ['.5', '0.5'],
    ['-.50', '-0.50'],
    ['5.', '5'],
    ['3.9520274E7', '39520274'],
    ['1.20e-3', '0.00120'],
    ['1.5E1', '15'],
    ['1.25E1', '12.5'],
    ['0.05E1', '0.5'],
    ['2E3', '2000'],
    [' 2.5 ', '2.5'],
  ])('writes %s out as %s', (text, expected) => {
    expect(readFigure(text)).toBe(expected)
  })

  test.each(['', '.', 'abc', 'Infinity', '-Infinity', 'NaN', '1,5', '1 000', '0x10', '1e999', '1'.repeat(61)])(
    'refuses %s',
    text => {
      expect(readFigure(text)).toBeNull()
    },
  )

  test('treats markers, empty text and null as missing, never as a number', () => {
    expect(missingMarker(null)).toBe('null')
    expect(missingMarker('')).toBe('empty value')
    expect(missingMarker(' ')).toBe('empty value')
    for (const marker of [':', '..', '.', '-', 'NaN', 'nan', 'NA']) {
      expect(missingMarker(marker)).toBe(`marker "${marker}"`)
    }
    expect(missingMarker('0')).toBeNull()
    expect(missingMarker('Infinity')).toBeNull()
  })
})

describe('a figure as a plain decimal', () => {
  test.each([
    ['333.020', '333.020'],
    ['-0.0', '-0.0'],
    ['.11326150549', '0.11326150549'],
    ['-.5', '-0.5'],
    ['3.9520274E7', '39520274'],
    ['1.50E1', '15.0'],
    ['1e-5', '0.00001'],
    ['2.5e-05', '0.000025'],
    ['1E3', '1000'],
    ['0.00123E2', '0.123'],
    ['+7', '7'],
    ['5.', '5'],
    ['9007199254740993', '9007199254740993'],
  ])('%s is %s, with no digit changed', (literal, plain) => expect(plainDecimal(literal)).toBe(plain))

  test.each(['NaN', 'Infinity', '-Infinity', '', '.', '-', '1,234', '1 000', '0x1F', '1e', '1e400', '12abc', '½'])(
    '%s is not a figure',
    literal => expect(plainDecimal(literal)).toBeNull(),
  )

  test('agrees with exact arithmetic for any digits and exponent', () => {
    const digits = fc.stringMatching(/^\d{1,12}$/)
    fc.assert(
      fc.property(digits, digits, fc.integer({ min: -20, max: 20 }), (whole, part, exponent) => {
        const plain = plainDecimal(`${whole}.${part}E${exponent}`)!
        const [left, right = ''] = plain.split('.') as [string, string?]
        const scale = 10n ** 40n
        const value = (BigInt(left + right) * scale) / 10n ** BigInt(right.length)
        const expected = (BigInt(whole + part) * scale * 10n ** BigInt(exponent + 20)) / 10n ** BigInt(part.length + 20)
        return value === expected
      }),
    )
  })
})
