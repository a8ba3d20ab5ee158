import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseRatio } from '../../src/core/numbers/ratio.ts'
import { isDecimal } from '../../src/core/series/observation-table.ts'

const digits = (most: number) => fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: most })

test('a cell is a decimal exactly if core/numbers/ratio.ts reads it', () => {
  const nearly = fc
    .tuple(fc.constantFrom('', '+', '-', '--', ' '), digits(61), fc.constantFrom('', '.', '..', 'e', ','), digits(61))
    .map(parts => parts.join(''))
  fc.assert(
    fc.property(fc.oneof(nearly, fc.string()), text => {
      expect(isDecimal(text)).toBe(parseRatio(text) !== null)
    }),
    { numRuns: 5_000 },
  )
})
