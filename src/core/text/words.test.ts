import { describe, expect, test } from 'vitest'
import { ratio } from '../numbers/ratio.ts'
import { andList, cutDecimals, formatStepRounding, signed } from './words.ts'

describe('words for numbers', () => {
  test('gives every change its sign, with a true minus, and zero none', () => {
    expect(['2.35', '-0.40', '0', '0.00', '-0.0'].map(signed)).toEqual(['+2.35', '−0.40', '0', '0', '0'])
  })

  test('says how a step is rounded and shown', () => {
    expect(formatStepRounding({ round: { dp: 4, mode: 'HALF_UP' }, show: { dp: 2, mode: 'DOWN' } })).toBe(
      'rounded 4 dp, shown 2 dp DOWN',
    )
    expect(formatStepRounding({ round: { multiple: ratio('0.05'), mode: 'CEILING' }, show: null })).toBe(
      'rounded to 0.05 CEILING',
    )
    expect(formatStepRounding({ round: null, show: null })).toBe('')
  })

  test('cuts decimals that add nothing, and marks the cut', () => {
    expect(cutDecimals('1.0671', 6)).toBe('1.0671')
    expect(cutDecimals('1.06712345', 6)).toBe('1.067123…')
    expect(cutDecimals('0.333333333333333333333333333333…', 6)).toBe('0.333333…')
    expect(cutDecimals('0.00012345678', 6)).toBe('0.000123456…')
    expect(cutDecimals('-0.00012345678', 6)).toBe('-0.000123456…')
    expect(cutDecimals('12', 6)).toBe('12')
    expect(cutDecimals('120000…', 6)).toBe('120000…')
  })

  test('lists words as people do', () => {
    expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(andList)).toEqual(['', 'a', 'a and b', 'a, b and c'])
  })
})
