import { expect, test } from 'vitest'
import { canBeTheSame } from './compared-values.ts'

test('two records of a period agree where one began later, asked less lately, or both', () => {
  for (const [here, there] of [
    [['1'], ['1']],
    [
      ['1', '2', '3'],
      ['2', '3'],
    ],
    [
      ['1', '2'],
      ['1', '2', '3'],
    ],
    [
      ['1', '2', '3', '4'],
      ['2', '3'],
    ],
    [
      ['1', '2', '3'],
      ['3', '4'],
    ],
    [
      ['1', '1', '2'],
      ['1', '2', '2'],
    ],
  ]) {
    expect(canBeTheSame(here!, there!)).toBe(true)
    expect(canBeTheSame(there!, here!)).toBe(true)
  }
})

test('they differ where a value was changed, put in or left out between others', () => {
  for (const [here, there] of [
    [['1'], ['2']],
    [
      ['1', '2', '3'],
      ['1', '3'],
    ],
    [
      ['1', '2'],
      ['1', '9'],
    ],
    [
      ['1', '2', '3'],
      ['1', '2.0', '3'],
    ],
  ]) {
    expect(canBeTheSame(here!, there!)).toBe(false)
    expect(canBeTheSame(there!, here!)).toBe(false)
  }
})
