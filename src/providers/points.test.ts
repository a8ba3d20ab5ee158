import { describe, expect, test } from 'vitest'
import { parsePeriod } from '../core/time/period.ts'
import { JsonNumber } from './formats/json-text.ts'
import { assemble, type Cell, readPoint } from './points.ts'

const head = { code: 'X', name: null, unit: null, frequency: 'MONTHLY' } as const
const cell = (when: string, value: unknown, more: Partial<Cell> = {}) =>
  readPoint({ when, period: parsePeriod(when), value, ...more })

describe('a cell', () => {
  test.each(['', '.', '..', '...', ':', '-', '--', 'NA', 'n/a', 'NaN'])(
    'with the mark "%s" is missing, never zero',
    mark => {
      expect(cell('2024-01', mark)).toMatchObject({ kind: 'missing', reason: `marker "${mark}"` })
    },
  )

  test('with null is missing', () => expect(cell('2024-01', null)).toMatchObject({ kind: 'missing', reason: 'null' }))

  test.each(['Infinity', 'abc', '1,2', true, {}, [], undefined])('with %j is neither a figure nor a mark', value => {
    expect(cell('2024-01', value).kind).toBe('unreadable')
  })

  test('keeps the digits of a text and of a number', () => {
    expect(cell('2024-01', '333.020')).toMatchObject({ value: '333.020' })
    expect(cell('2024-01', new JsonNumber('2.0'))).toMatchObject({ value: '2.0' })
  })

  test('without a period it can read is unreadable', () => expect(cell('2024-13', '1').kind).toBe('unreadable'))
})

describe('a series', () => {
  test('is sorted by period, then by publication, the unknown one first', () => {
    const { series } = assemble(head, [
      cell('2024-02', '3', { published: '2024-03-10' }),
      cell('2024-01', '2', { published: '2024-02-10', version: 'REVISED' }),
      cell('2024-01', '1'),
      cell('2023-12', '.'),
    ])
    expect(series[0]!.observations.map(each => each.value)).toEqual(['1', '2', '3'])
    expect(series[0]!.missing.map(each => each.period)).toEqual(['2023-12'])
  })

  test('keeps a repeated figure once, and neither of two that contradict each other', () => {
    const { series, problems } = assemble(head, [
      cell('2024-01', '1'),
      cell('2024-01', '1'),
      cell('2024-02', '2'),
      cell('2024-02', '3'),
    ])
    expect(series[0]!.observations.map(each => each.period)).toEqual(['2024-01'])
    expect(problems).toEqual([
      {
        kind: 'unreadable',
        message: 'X: 1 of 4 points could not be read, first 2024-02, which was sent with 2 different values',
      },
    ])
  })

  test('reports everything unreadable as one problem, next to the good points', () => {
    const { series, problems } = assemble(head, [cell('2024-01', 'abc'), cell('2024-Q1', '1'), cell('2024-02', '2')])
    expect(series[0]!.observations).toHaveLength(1)
    expect(problems).toEqual([
      { kind: 'unreadable', message: 'X: 2 of 3 points could not be read, first value "abc" of 2024-01' },
    ])
  })

  test('of which nothing could be read is a problem, not a series', () => {
    const { series, problems } = assemble(head, [cell('?', '1')])
    expect(series).toEqual([])
    expect(problems.map(each => each.kind)).toEqual(['unreadable'])
  })
})
