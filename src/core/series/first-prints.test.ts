import { describe, expect, test } from 'vitest'
import { firstPrintMoves } from './first-prints.ts'
import type { VersionTag, Vintage } from './series.ts'
import { buildHistory, noCuts } from './vintage.ts'

const vintage = (value: string | null, tag: VersionTag | null, day: string): Vintage => ({
  value,
  tag,
  flag: null,
  publishedAt: `${day}T00:00:00.000000Z`,
  recordedAt: `${day}T00:00:00.000000Z`,
})
const print = (value: string) => vintage(value, 'PRELIMINARY', '2024-01-10')
const settled = (value: string) => vintage(value, 'FINAL', '2024-03-10')
const header = { reference: 'BLS/WPU101', name: 'Steel', unit: '', frequency: 'MONTHLY' } as const
const history = (periods: readonly (readonly Vintage[])[]) =>
  buildHistory(header, new Map(periods.map((vintages, i) => [i, vintages])))

describe('how much first prints move', () => {
  test('is the middle and the largest change from the first print, whichever way', () => {
    const moved = history([
      [print('100'), settled('101')],
      [print('100'), settled('97.5')],
      [print('200'), settled('200')],
      [print('100')],
    ])
    expect(firstPrintMoves(moved, noCuts, 24)).toEqual({ periods: 3, usualPct: '1.00', mostPct: '2.50' })
  })

  test('uses only the newest settled periods, inside the cuts, and says nothing if there are too few', () => {
    const steady = [print('100'), settled('100')]
    const moved = history([[print('100'), settled('150')], steady, steady, steady])
    expect(firstPrintMoves(moved, noCuts, 3)).toEqual({ periods: 3, usualPct: '0.00', mostPct: '0.00' })
    expect(firstPrintMoves(moved, { asOf: '2024-02-01T00:00:00.000000Z', knownAt: null }, 24)).toBeNull()
    expect(firstPrintMoves(history([steady, steady]), noCuts, 24)).toBeNull()
  })

  test('leaves out what was final from the start, was withdrawn, or began at 0', () => {
    const odd = history([
      [settled('100')],
      [print('100'), vintage(null, null, '2024-02-10')],
      [print('0'), settled('5')],
    ])
    expect(firstPrintMoves(odd, noCuts, 24)).toBeNull()
  })
})
