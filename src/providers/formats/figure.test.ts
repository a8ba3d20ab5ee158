import { describe, expect, it } from 'vitest'
import { missingMarker, readFigure } from './figure.ts'

describe('figures of answers', () => {
  it.each(['333.020', '1.10', '-7.436', '0', '+2.5', '94669000000', '0.895263095238095'])('keeps %s as it is', text => {
    expect(readFigure(text)).toBe(text)
  })

  it.each([
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

  it.each(['', '.', 'abc', 'Infinity', '-Infinity', 'NaN', '1,5', '1 000', '0x10', '1e999', '1'.repeat(61)])(
    'refuses %s',
    text => {
      expect(readFigure(text)).toBeNull()
    },
  )

  it('takes markers, emptiness and null as missing and never as a number', () => {
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
