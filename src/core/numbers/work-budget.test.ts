import { describe, expect, test } from 'vitest'
import { hasOutgrown } from './work-budget.ts'

const ofBits = (bits: number) => 1n << BigInt(bits - 1)

describe('a denominator that grew', () => {
  test('is long, and a quarter longer than a period before, or new', () => {
    expect(hasOutgrown(ofBits(500), ofBits(10))).toBe(false)
    expect(hasOutgrown(ofBits(700), null)).toBe(true)
    for (const bits of [520, 1_030, 2_100, 4_200]) {
      expect(hasOutgrown(ofBits(bits), ofBits(bits - 40)), `${bits} bits`).toBe(false)
      expect(hasOutgrown(ofBits(bits), ofBits(Math.floor(bits / 2))), `${bits} bits`).toBe(true)
    }
  })

  test('is also one that has slowly become very long', () => {
    expect(hasOutgrown(ofBits(8_250), ofBits(8_150))).toBe(true)
    expect(hasOutgrown(ofBits(8_350), ofBits(8_250))).toBe(false)
  })
})
