// Worked examples of readings in another currency or unit.
import { describe, expect, test } from 'vitest'
import { entryOf, evaluateText, lineOf, observations, percents } from '../support/agreements/evaluate-text.ts'

function readOnce(input: string, table: string, first = '2024-03-01'): ReturnType<typeof evaluateText> {
  const document = `
    slug: conversion
    contract: { start: 2023-01-01, end: 2024-12-31, frequency: ONCE, firstAdjustment: ${first} }
    inputs:
      metal: ${input}
    steps:
      - { name: now, expr: "metal" }
      - { name: then, expr: "metal.base" }
      - { name: factor, expr: "now / then" }
    result: { kind: FACTOR, step: factor }`
  return evaluateText(document, table)
}

const euros = observations({
  'CUSTOM/copper': { '2023-12': '8400', '2024-01': '8320', '2024-02': '8320' },
  'ECB/usd': { '2023-12': '1.05', '2024-01': '1.04', '2024-02': '1.30' },
})

describe('exchange rates', () => {
  test('divides dollars by dollars per euro, at the input lag and at the base label', () => {
    const calculation = readOnce(
      '{ series: CUSTOM/copper, base: 2023-12, lag: 2 months, convert: { fx: ECB/usd, operation: DIVIDE } }',
      euros,
    )
    // 8320 / 1.04 and 8400 / 1.05: in euros nothing has moved
    expect(lineOf(calculation, '2024-03', 'now')).toBe('8000')
    expect(lineOf(calculation, '2024-03', 'then')).toBe('8000')
    expect(percents(calculation)).toEqual(['2024-03 0 0'])
    expect(entryOf(calculation, '2024-03').observations.map(({ series, period }) => `${series} ${period}`)).toEqual([
      'CUSTOM/copper 2023-12',
      'CUSTOM/copper 2024-01',
      'ECB/usd 2023-12',
      'ECB/usd 2024-01',
    ])
  })

  test('multiplies where the rate is quoted the other way round', () => {
    const calculation = readOnce(
      '{ series: CUSTOM/copper, base: 2023-12, lag: 1 month, convert: { fx: ECB/usd, operation: MULTIPLY } }',
      euros,
    )
    expect(lineOf(calculation, '2024-03', 'now')).toBe('10816')
    expect(lineOf(calculation, '2024-03', 'then')).toBe('8820')
  })

  test('takes a lag and a window of its own for the rate', () => {
    const calculation = readOnce(
      `{ series: CUSTOM/copper, base: { value: 8000 }, lag: 2 months,
         convert: { fx: ECB/usd, operation: DIVIDE, lag: 1 month, window: 3 months, using: MAX } }`,
      euros,
    )
    // 8320 of January over 1.30, the highest rate of December to February; a value is not converted
    expect(lineOf(calculation, '2024-03', 'now')).toBe('6400')
    expect(lineOf(calculation, '2024-03', 'then')).toBe('8000')
  })

  test('converts the average of a window once, or each observation on its own', () => {
    const window = 'series: CUSTOM/copper, base: { value: 1 }, lag: 1 month, window: 2 months'
    const once = readOnce(`{ ${window}, convert: { fx: ECB/usd, operation: DIVIDE } }`, euros)
    // (8320 + 8320) / 2 / 1.17: the rate is averaged over the input's own window, 1.04 and 1.30
    expect(lineOf(once, '2024-03', 'now')).toBe('7111.11111111111111111111111111…')
    const each = readOnce(`{ ${window}, convert: { fx: ECB/usd, operation: DIVIDE, each: true } }`, euros)
    // (8320 / 1.04 + 8320 / 1.30) / 2
    expect(lineOf(each, '2024-03', 'now')).toBe('7200')
  })

  test('converts the observations of a base label each on its own too', () => {
    const calculation = readOnce(
      `{ series: CUSTOM/copper, base: 2024-01..2024-02, lag: 1 month,
         convert: { fx: ECB/usd, operation: DIVIDE, each: true } }`,
      euros,
    )
    expect(lineOf(calculation, '2024-03', 'then')).toBe('7200')
  })

  test('converts both months of a daily interpolation each on its own', () => {
    const calculation = readOnce(
      `{ series: CUSTOM/copper, base: { value: 1 }, lag: 2 months, interpolate: DAILY,
         convert: { fx: ECB/usd, operation: DIVIDE, each: true } }`,
      observations({
        'CUSTOM/copper': { '2024-02': '8320', '2024-03': '8320' },
        'ECB/usd': { '2024-02': '1.04', '2024-03': '1.30' },
      }),
      '2024-04-16',
    )
    // 8000 + 15/30 x (6400 - 8000)
    expect(lineOf(calculation, '2024-04', 'now')).toBe('7200')
  })

  test('converts an interpolated reading at the lagged rate without each', () => {
    const calculation = readOnce(
      `{ series: CUSTOM/copper, base: { value: 1 }, lag: 2 months, interpolate: DAILY,
         convert: { fx: ECB/usd, operation: DIVIDE } }`,
      observations({
        'CUSTOM/copper': { '2024-02': '8000', '2024-03': '8640' },
        'ECB/usd': { '2024-02': '1.04', '2024-03': '1.30' },
      }),
      '2024-04-16',
    )
    // 8000 + 15/30 x 640, over the rate of February
    expect(lineOf(calculation, '2024-04', 'now')).toBe('8000')
  })

  test('reads the euro on the last trading days of a quarter by day', () => {
    const calculation = readOnce(
      '{ series: CUSTOM/copper, base: 2023-12, lag: 4 days, convert: { fx: ECB/usd, operation: DIVIDE } }',
      observations({
        'CUSTOM/copper': { '2023-12': '8476', '2024-03': '8730' },
        'ECB/usd': { '2023-12-29': '1.1050', '2024-03-28': '1.0811' },
      }),
      '2024-04-01',
    )
    // 8730 / 1.0811 over 8476 / 1.1050; the only rate of December is that of the 29th
    expect(lineOf(calculation, '2024-04', 'factor')).toBe('1.05273656177274566406744323692…')
  })

  test('names the rate and the period it lacks', () => {
    const { blocked } = readOnce(
      '{ series: CUSTOM/copper, base: { value: 1 }, lag: 0, convert: { fx: ECB/usd, operation: DIVIDE } }',
      observations({ 'CUSTOM/copper': { '2024-03': '8400' }, 'ECB/usd': { '2024-02': '1.04' } }),
    )
    for (const named of ['metal', 'ECB/usd', '2024-03']) expect(blocked[0]!.reason).toContain(named)
  })
})

describe('scale and order', () => {
  test('turns pounds into kilograms on reading and base, not on a base value', () => {
    const scaled = 'series: CUSTOM/copper, lag: 1 month, convert: { scale: 0.45359237 }'
    const calculation = readOnce(`{ ${scaled}, base: 2023-12 }`, euros)
    // 8320 x 0.45359237 and 8400 x 0.45359237
    expect(lineOf(calculation, '2024-03', 'now')).toBe('3773.8885184')
    expect(lineOf(calculation, '2024-03', 'then')).toBe('3810.175908')
    expect(lineOf(readOnce(`{ ${scaled}, base: { value: 100 } }`, euros), '2024-03', 'then')).toBe('100')
  })

  test('goes through links, window, rate, scale and rounding in this order', () => {
    const table = observations({
      'CUSTOM/old': { '2024-01': '50.5' },
      'CUSTOM/new': { '2024-02': '103' },
      'ECB/usd': { '2024-01': '1', '2024-02': '1.2' },
    })
    const calculation = readOnce(
      `{ series: CUSTOM/new, base: { value: 1 }, lag: 1 month, window: 2 months,
         links: [{ series: CUSTOM/old, until: 2024-01, coefficient: 1.99, round: { dp: 0 } }],
         convert: { fx: ECB/usd, operation: DIVIDE, scale: 0.3 }, round: { dp: 1, mode: DOWN } }`,
      table,
    )
    // 50.5 x 1.99 = 100.495, rounded 100; (100 + 103) / 2 / 1.1 x 0.3 = 27.68…, cut at one decimal
    expect(lineOf(calculation, '2024-03', 'now')).toBe('27.6')
  })
})
