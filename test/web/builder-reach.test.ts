// What saving a version affects, in words.
import { describe, expect, test } from 'vitest'
import type { Party, Reach } from '../../src/views/shapes/agreements.ts'
import { formatLost, formatReach } from '../../web/pages/agreements/builder/saving/reach-words.ts'

const reach = (...periods: (readonly [period: string, ...signedBy: Party[]])[]): Reach => ({
  effectiveFrom: '2024-07-01',
  firstUnsigned: '2024-10-01',
  periods: periods.map(([period, ...signedBy]) => ({ period, adjustmentDate: '2024-10-01', signedBy })),
})

describe('a version that is about to be saved', () => {
  test('says which periods it affects', () => {
    expect(formatReach(reach())).toBe('It affects no period so far: it governs adjustment dates from 1 Jul 2024 on.')
    expect(formatReach(reach(['2024-Q4']))).toBe('It affects 2024-Q4, which is not signed by both sides.')
    expect(formatReach(reach(['2024-Q4'], ['2025-Q1']))).toBe(
      'It affects 2024-Q4 to 2025-Q1, 2 periods that are not signed by both sides.',
    )
  })

  test('says whose signatures become void and who signs again', () => {
    expect(formatLost(reach(['2024-Q4'], ['2025-Q1']))).toEqual([])
    expect(formatLost(reach(['2024-Q4', 'buyer'], ['2025-Q1', 'buyer'], ['2025-Q2', 'supplier']))).toEqual([
      'The buyer’s signature on 2024-Q4, 2025-Q1 no longer counts: the buyer must sign again.',
      'The supplier’s signature on 2025-Q2 no longer counts: the supplier must sign again.',
    ])
  })
})
