import { describe, expect, test } from 'vitest'
import { decimalDifference } from './decimal-difference.ts'

describe('the difference of two printed figures', () => {
  test('keeps the decimals of both, so that adding it gives the other figure', () => {
    expect(decimalDifference('12.40', '13.02')).toBe('0.62')
    expect(decimalDifference('7.25', '7.5')).toBe('0.25')
    expect(decimalDifference('5', '4.9999')).toBe('-0.0001')
    expect(decimalDifference('13.02', '13.02')).toBe('0.00')
  })

  test('has no float in it', () => {
    expect(decimalDifference('0.1', '0.3')).toBe('0.2')
    expect(decimalDifference('9007199254740993', '9007199254740995')).toBe('2')
  })

  test('shows when one of the figures was cut', () => {
    expect(decimalDifference('1.333333…', '2')).toBe('0.666667…')
  })
})
