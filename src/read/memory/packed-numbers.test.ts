import { describe, expect, test } from 'vitest'
import { PackedNumbers, packSmall } from './packed-numbers.ts'

const day = 86_400_000_000

function unpack(packed: PackedNumbers): number[] {
  return Array.from({ length: packed.length }, (_, i) => packed.at(i))
}

describe('packed numbers', () => {
  test.each([
    ['none', []],
    ['one', [1_700_000_000_123_456]],
    ['days before and after 1970', [-5 * day, 0, 20_000 * day]],
    ['one day with an odd microsecond among them', [0, day, 2 * day + 1]],
    ['minutes of four thousand years', [-62_135_596_800_000_000, 1_700_000_040_000_000]],
    ['seconds that are too far apart for steps', [1, 1 + 253_402_300_799_000_000, 1_000_001]],
    ['microseconds that repeat themselves', [1_700_000_000_123_456, 1_600_000_000_654_321, 1_700_000_000_123_456]],
  ])('gives back what it was given: %s', (_, numbers) => {
    expect(unpack(new PackedNumbers(numbers))).toEqual(numbers)
  })

  test('returns random instants unchanged, whatever their precision', () => {
    let seed = 1
    const next = () => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed
    }
    for (const grain of [1, 1_000, 1_000_000, 60_000_000, 3_600_000_000, day])
      for (const spread of [2, 300, 70_000, 2_000_000_000]) {
        const numbers = Array.from({ length: 400 }, () => (next() % spread) * grain - 7 * grain)
        expect(unpack(new PackedNumbers(numbers))).toEqual(numbers)
      }
  })

  test('takes two bytes for each day of publication in fifty years', () => {
    const days = Array.from({ length: 1_800 }, (_, i) => i * 10 * day)
    expect(new PackedNumbers(days).size).toBeLessThan(1_800 * 2 + 300)
  })

  test('says which is the greatest', () => {
    expect(new PackedNumbers([3, -1, 2]).greatest).toBe(3)
  })

  test.each([
    [[0, 255], 2],
    [[0, 256], 4],
    [[0, 65_536], 8],
  ])('small numbers %j take %i bytes', (numbers, bytes) => {
    const packed = packSmall(numbers)
    expect([...packed]).toEqual(numbers)
    expect(packed.byteLength).toBe(bytes)
  })
})
