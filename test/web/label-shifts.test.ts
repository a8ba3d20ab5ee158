import { describe, expect, test } from 'vitest'
import { shiftsOf } from '../../web/pages/agreements/agreement-compare/label-shifts.ts'

const ending = (...factors: readonly string[]) => factors.map(factor => ({ entries: [{ factor: '1' }, { factor }] }))

describe('the labels at the ends of lines', () => {
  test('stay where the lines end while there is room', () => {
    expect(shiftsOf(ending('1.1', '1.05', '1.0'))).toEqual([0, 0, 0])
  })

  test('are set below each other where lines end close together, the upper one first', () => {
    const [written, above, below, far] = shiftsOf(ending('1.10', '1.0930', '1.0921', '1.04'))
    expect([written, far]).toEqual([0, 0])
    expect(above).toBeGreaterThan(0)
    // 0.0009 of 0.1 is 2 of 220 pixels: the rest of a line is made up for.
    expect(below! - above!).toBeCloseTo(16 - 1.98)
  })

  test('are one below the other where all lines end alike', () => {
    expect(shiftsOf(ending('1', '1', '1'))).toEqual([0, 16, 32])
  })
})
