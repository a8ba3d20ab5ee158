// Worked examples of thresholds, sharing, caps and floors, with the points each of them took.
import { describe, expect, test } from 'vitest'
import { entryOf, evaluateText, lineOf, observations, percents, priceOf } from '../support/agreements/evaluate-text.ts'
import { runClause } from '../support/agreements/one-index-clause.ts'

describe('thresholds', () => {
  test('distinguishes "more than" from "at least" exactly at the edge', () => {
    const exceeds = runClause({ clause: '{ threshold: { pct: 3, test: EXCEEDS, pays: ALL } }', readings: ['103'] })
    expect(percents(exceeds)).toEqual(['2021 0 0'])
    const reaches = runClause({ clause: '{ threshold: { pct: 3, test: REACHES, pays: ALL } }', readings: ['103'] })
    expect(percents(reaches)).toEqual(['2021 3 3'])
    const fall = runClause({ clause: '{ threshold: { pct: 3, test: REACHES, pays: ALL } }', readings: ['97'] })
    expect(percents(fall)).toEqual(['2021 -3 -3'])
  })

  test('lets small movements gather until they exceed the threshold together', () => {
    const calculation = runClause({
      clause: '{ threshold: { pct: 3, test: EXCEEDS, pays: ALL } }',
      readings: ['102', '104.04', '105'],
    })
    // 2023 is 105 / 104.04, less than one percent since the price last moved
    expect(percents(calculation)).toEqual(['2021 0 0', '2022 4.04 4.04', '2023 0 4.04'])
    expect(entryOf(calculation, '2021').controls).toEqual([{ control: 'threshold', points: '-2' }])
  })

  test('tests since the base, not since the last move, where the clause says so', () => {
    const clause = (since: string) => `{ threshold: { pct: 3, test: EXCEEDS, pays: ALL, since: ${since} } }`
    const readings = ['104', '104.5', '102']
    // 1.045 / 1.04 - 1 = 0.4808 %; in 2023 the movement of 2 % is inside the band, so nothing is applied
    expect(percents(runClause({ clause: clause('BASE'), readings }))).toEqual([
      '2021 4 4',
      '2022 0.4808 4.5',
      '2023 0 4.5',
    ])
    expect(percents(runClause({ clause: clause('LAST'), readings }))).toEqual(['2021 4 4', '2022 0 4', '2023 0 4'])
  })

  test('pays only the excess, rise and fall, and goes back to the base inside the band', () => {
    const clause = '{ threshold: { pct: 5, test: EXCEEDS, pays: EXCESS }, rounding: { percent: { dp: 10 } } }'
    const calculation = runClause({ clause, readings: ['107', '92', '103', '105', '95'] })
    expect(calculation.adjustments.map(({ period }) => lineOf(calculation, period, 'payable'))).toEqual([
      '0.02',
      '-0.03',
      '0',
      '0',
      '0',
    ])
    expect(calculation.adjustments.map(({ cumulativePct }) => cumulativePct)).toEqual(['2', '-3', '0', '0', '0'])
  })

  test('tests the threshold before sharing: seven percent over a threshold of five pays half of seven', () => {
    const clause = '{ threshold: { pct: 5, test: EXCEEDS, pays: ALL }, passThrough: 0.5 }'
    expect(percents(runClause({ clause, readings: ['107'] }))).toEqual(['2021 3.5 3.5'])
    const excess = '{ threshold: { pct: 5, test: EXCEEDS, pays: EXCESS }, passThrough: 0.5 }'
    expect(percents(runClause({ clause: excess, readings: ['107'] }))).toEqual(['2021 1 1'])
  })

  test('tests the unshared movement since the last applied adjustment where only a share is passed on', () => {
    const clause = '{ threshold: { pct: 5, test: EXCEEDS, pays: ALL }, passThrough: 0.5 }'
    const calculation = runClause({ clause, readings: ['106', '109', '112'] })
    // 1.09 / 1.06 is 2.83 % and not enough; 1.12 / 1.06 is 5.66 %: then 1.06 / 1.03 - 1 = 2.9126 %
    expect(percents(calculation)).toEqual(['2021 3 3', '2022 0 3', '2023 2.9126 6'])
  })

  test('tests the movement of a CHAINED clause itself where only a share is passed on', () => {
    const clause = '{ basis: CHAINED, threshold: { pct: 5, test: REACHES, pays: ALL }, passThrough: 0.5 }'
    const calculation = runClause({ clause, readings: ['104', '105', '110.25'] })
    // 2022: 105 / 100, because nothing was applied in 2021; 2023: 110.25 / 105
    expect(percents(calculation)).toEqual(['2021 0 0', '2022 2.5 2.5', '2023 2.5 5.0625'])
  })

  test('treats a share of 1 as all of it, however it is written', () => {
    const readings = ['108', '108.5']
    const clause = (share: string) =>
      `{ threshold: { pct: 3, test: EXCEEDS, pays: ALL }, passThrough: ${share}, cap: { periodPct: 5 } }`
    // the price has to move from 1.05 to 1.085, 3.3333 %, though the index itself moved by half a percent only
    const expected = ['2021 5 5', '2022 3.3333 8.5']
    expect(percents(runClause({ clause: clause('1'), readings }))).toEqual(expected)
    expect(percents(runClause({ clause: clause('[{ share: 1 }]'), readings }))).toEqual(expected)
    expect(percents(runClause({ clause: clause('all'), readings, more: 'params: { all: 1 }' }))).toEqual(expected)
  })

  test('tests the threshold before the period cap', () => {
    const clause = '{ threshold: { pct: 6, test: EXCEEDS, pays: ALL }, cap: { periodPct: 5 } }'
    expect(percents(runClause({ clause, readings: ['108'] }))).toEqual(['2021 5 5'])
  })

  test('reads a clause number from a param with effective dates', () => {
    const calculation = runClause({
      clause:
        '{ threshold: { pct: band, test: EXCEEDS, pays: ALL }, cap: { periodPct: most }, floor: { periodPct: -4 } }',
      readings: ['105', '110.25', '110.25'],
      more: 'params: { band: [{ from: 2020-01-01, value: 6 }, { from: 2022-01-01, value: 2 }], most: 10 }',
    })
    expect(percents(calculation)).toEqual(['2021 0 0', '2022 10 10', '2023 0 10'])
  })
})

describe('sharing and the adder', () => {
  test('passes bands on by absolute value and puts the sign back', () => {
    const clause = '{ passThrough: [{ upTo: 3, share: 1 }, { share: 0.5 }], rounding: { percent: { dp: 10 } } }'
    expect(percents(runClause({ clause, readings: ['107'] }))).toEqual(['2021 5 5'])
    expect(percents(runClause({ clause, readings: ['93'] }))).toEqual(['2021 -5 -5'])
    expect(percents(runClause({ clause, readings: ['102'] }))).toEqual(['2021 2 2'])
  })

  test('passes three bands on, one of them with nothing', () => {
    const clause = '{ passThrough: [{ upTo: 2, share: 0 }, { upTo: 6, share: 1 }, { share: 0.25 }] }'
    expect(percents(runClause({ clause, readings: ['110'] }))).toEqual(['2021 5 5'])
    expect(percents(runClause({ clause, readings: ['98'] }))).toEqual(['2021 0 0'])
  })

  test('adds percentage points to the movement before any other control', () => {
    const calculation = runClause({
      clause: '{ adder: -1.5, threshold: { pct: 3, test: EXCEEDS, pays: ALL } }',
      readings: ['104', '106'],
    })
    expect(percents(calculation)).toEqual(['2021 0 0', '2022 4.5 4.5'])
    expect(entryOf(calculation, '2022').components[0]).toMatchObject({ change: '6', contribution: '6' })
    expect(entryOf(calculation, '2022').controls).toEqual([{ control: 'adder', points: '-1.5' }])
  })

  test('lists every control that had an effect with its points, which together make the adjustment', () => {
    const calculation = runClause({
      clause: '{ adder: 1, passThrough: 0.5, cap: { periodPct: 4 } }',
      readings: ['108'],
    })
    const { adjustmentPct, components, controls } = entryOf(calculation, '2021')
    expect(adjustmentPct).toBe('4')
    expect(components.map(({ contribution }) => contribution)).toEqual(['8'])
    // 8 + 1 - 4.5 - 0.5 = 4
    expect(controls).toEqual([
      { control: 'adder', points: '1' },
      { control: 'passThrough', points: '-4.5' },
      { control: 'periodCap', points: '-0.5' },
    ])
  })
})

describe('caps and floors', () => {
  test('caps the US consumer prices of 2022 at five percent and pays those of 2023 in full', () => {
    const document = `
      slug: capped-cpi
      contract: { start: 2022-01-01, end: 2024-12-31, frequency: ANNUAL }
      inputs:
        cpi: { series: BLS/CUUR0000SA0, weight: 1, base: 2021-12, lag: 1 month }
      clause: { basis: CHAINED, cap: { periodPct: 5 }, floor: { periodPct: 0 } }`
    const table = observations({
      'BLS/CUUR0000SA0': { '2021-12': '278.802', '2022-12': '296.797', '2023-12': '306.746' },
    })
    const calculation = evaluateText(document, table)
    // 296.797 / 278.802 is 6.4544 %, 306.746 / 296.797 is 3.3521 %
    expect(percents(calculation)).toEqual(['2023 5 5', '2024 3.3521 8.5197'])
    expect(entryOf(calculation, '2023').components[0]).toMatchObject({ change: '6.4544', contribution: '6.4544' })
    expect(entryOf(calculation, '2023').controls).toEqual([{ control: 'periodCap', points: '-1.4544' }])
  })

  test('catches up by itself on a fixed base after a period cap', () => {
    const calculation = runClause({ clause: '{ cap: { periodPct: 5 } }', readings: ['108', '108'] })
    // 1.08 / 1.05 - 1
    expect(percents(calculation)).toEqual(['2021 5 5', '2022 2.8571 8'])
    expect(entryOf(calculation, '2022').controls.map(({ control }) => control)).toContain('carryForward')
  })

  test('forgets what a period cap held back in a chain, and keeps it with carryForward', () => {
    const readings = ['108', '109.08']
    const forgets = runClause({ clause: '{ basis: CHAINED, cap: { periodPct: 5 } }', readings })
    expect(percents(forgets)).toEqual(['2021 5 5', '2022 1 6.05'])
    const keeps = runClause({ clause: '{ basis: CHAINED, cap: { periodPct: 5, carryForward: true } }', readings })
    // 1.05 x 1.01 x (1.08 / 1.05) = 1.0908; 1.0908 / 1.05 - 1
    expect(percents(keeps)).toEqual(['2021 5 5', '2022 3.8857 9.08'])
  })

  test('carries what was held back over several capped periods', () => {
    const clause = '{ basis: CHAINED, cap: { periodPct: 5, carryForward: true } }'
    const calculation = runClause({ clause, readings: ['110', '114.4', '114.4', '114.4'] })
    // 2022: 1.04 x 1.10 / 1.05 is 8.95 %, held at 5; 2023: 1.144 / 1.1025 - 1; then nothing is left
    expect(percents(calculation)).toEqual(['2021 5 5', '2022 5 10.25', '2023 3.7642 14.4', '2024 0 14.4'])
    expect(lineOf(calculation, '2024', 'step')).toBe('0')
  })

  test('keeps what was held back while a threshold is not met', () => {
    const clause =
      '{ basis: CHAINED, threshold: { pct: 2, test: EXCEEDS, pays: ALL }, cap: { periodPct: 5, carryForward: true } }'
    const calculation = runClause({ clause, readings: ['106.05', '106.05', '108.171'] })
    // 2021: 6.05 % held at 5, 1 % is kept; 2022: 1 % is below the threshold; 2023: 1.02 x 1.01 - 1
    expect(percents(calculation)).toEqual(['2021 5 5', '2022 0 5', '2023 3.02 8.171'])
  })

  test('stops at the cumulative cap and rounds the percent to its inside', () => {
    const clause = '{ cap: { cumulativePct: 10 }, rounding: { percent: { dp: 1 } } }'
    const calculation = runClause({ clause, readings: ['103.3', '120', '120'] })
    // 1.10 / 1.033 - 1 = 6.486 %: 6.5 would make 1.100145, so 6.4
    expect(percents(calculation)).toEqual(['2021 3.3 3.3', '2022 6.4 9.9112', '2023 0 9.9112'])
  })

  test('stops at the cumulative floor and rounds the percent to its inside', () => {
    const clause = '{ floor: { cumulativePct: -5 }, rounding: { percent: { dp: 1 } } }'
    const calculation = runClause({ clause, readings: ['97.4', '80', '97.4'] })
    // 0.95 / 0.974 - 1 = -2.464 %: -2.4; back up: 0.974 / 0.950624 - 1 = 2.459 %
    expect(percents(calculation)).toEqual(['2021 -2.6 -2.6', '2022 -2.4 -4.9376', '2023 2.5 -2.561'])
  })

  test('keeps a chain at the cumulative cap since the start', () => {
    const clause = '{ basis: CHAINED, cap: { cumulativePct: 10 } }'
    const calculation = runClause({ clause, readings: ['108', '113.4'] })
    // 1.10 / 1.08 - 1 = 1.85185… %
    expect(percents(calculation)).toEqual(['2021 8 8', '2022 1.8519 10'])
    // rounded to 4 decimals, 1.8519 would cross the cap, so 1.8518
    const rounded = '{ basis: CHAINED, cap: { cumulativePct: 10 }, rounding: { percent: { dp: 4 } } }'
    expect(percents(runClause({ clause: rounded, readings: ['108', '113.4'] }))).toEqual([
      '2021 8 8',
      '2022 1.8518 9.9999',
    ])
  })

  test('rounds to the inside of period limits that lie between two steps of the rounding', () => {
    const clause = '{ cap: { periodPct: 2.345 }, floor: { periodPct: -2.345 }, rounding: { percent: { dp: 2 } } }'
    expect(percents(runClause({ clause, readings: ['110'] }))).toEqual(['2021 2.34 2.34'])
    expect(percents(runClause({ clause, readings: ['90'] }))).toEqual(['2021 -2.34 -2.34'])
    expect(percents(runClause({ clause, readings: ['101.235'] }))).toEqual(['2021 1.24 1.24'])
    const multiple = '{ cap: { periodPct: 2.4 }, rounding: { percent: { multiple: 0.25 } } }'
    expect(percents(runClause({ clause: multiple, readings: ['110'] }))).toEqual(['2021 2.25 2.25'])
  })

  test('does not round over a period limit to get nearer to a cumulative one', () => {
    const calculation = runClause({
      clause: '{ cap: { cumulativePct: most }, floor: { periodPct: -2.344 }, rounding: { percent: { dp: 2 } } }',
      readings: ['115', '115'],
      more: 'params: { most: [{ from: 2020-01-01, value: 20 }, { from: 2022-01-01, value: 5 }] }',
    })
    // the cap now asks for -8.7 %, the floor allows -2.344 %: -2.34 is inside, -2.35 is not
    expect(percents(calculation)).toEqual(['2021 15 15', '2022 -2.34 12.309'])
  })

  test('rounds the price by the clause before the contract', () => {
    const price = 'price: { amount: 9.99, currency: EUR, round: { dp: 2 } }'
    const byContract = runClause({ clause: '{}', readings: ['103'], price })
    expect(priceOf(byContract, '2021')).toBe('10.29')
    const byClause = runClause({
      clause: '{ rounding: { price: { multiple: 0.05, mode: UP } } }',
      readings: ['103'],
      price,
    })
    // 9.99 x 1.03 = 10.2897
    expect(priceOf(byClause, '2021')).toBe('10.3')
    const byNobody = runClause({ clause: '{}', readings: ['103'], price: 'price: { amount: 9.99, currency: EUR }' })
    expect(priceOf(byNobody, '2021')).toBe('10.2897')
  })
})
