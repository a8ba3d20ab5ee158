// What the bench of growth calls too fast.
import { expect, test } from 'vitest'
import { type GrowthRow, judge, judgeProcesses, powerOf } from '../../bench/growth/rule.ts'

const sizes = [1_000, 10_000, 100_000]
const row = (should: GrowthRow['should'], costs: readonly number[], most?: number): GrowthRow => ({
  name: 'a row',
  unit: 'ms',
  should,
  sizes,
  costs,
  ...(most === undefined ? {} : { most }),
})

test('what should be flat may double with every tenfold size, and no more', () => {
  expect(judge(row('flat', [40, 41, 40]))).toBeNull()
  expect(judge(row('flat', [40, 75, 150]))).toBeNull()
  expect(judge(row('flat', [40, 130, 400]))).toContain('power of 0.50')
})

test('what should be linear may be a little more than that', () => {
  expect(judge(row('linear', [40, 400, 4_000]))).toBeNull()
  expect(judge(row('linear', [40, 4_000, 400_000]))).toContain('power of 2.00, and 1.15 is allowed (linear)')
})

test('small costs are noise', () => {
  expect(powerOf(row('flat', [0.1, 1, 9]))).toBe(0)
  expect(judge(row('flat', [0.1, 5, 400]))).toContain('power of 0.80')
})

test('one size alone does not grow, but it may be too much', () => {
  const one = { ...row('flat', [30], 20), sizes: [1_000] }
  expect(judge(one)).toBe('a row: 30.0 ms at the largest size, and 20 ms are allowed')
  expect(judge({ ...one, most: 30 })).toBeNull()
})

test('more processes must not answer less, nor work more for a request', () => {
  const rows = (rate: number, cpuMicros: number) => [
    { processes: 1, rate: 10_000, cpuMicros: 80 },
    { processes: 2, rate, cpuMicros },
  ]
  expect(judgeProcesses('a route', rows(8_000, 100))).toEqual([])
  expect(judgeProcesses('a route', rows(7_900, 101))).toEqual([
    'a route: 2 processes answer 0.79 of what one does, and 0.8 is the least',
    'a route: with 2 processes a request takes 1.26 times the processor time of one',
  ])
})
