// Worked examples of formulas in several versions: which one governs, and what passes from one to the next.
import { describe, expect, test } from 'vitest'
import {
  entryOf,
  evaluateText,
  evaluateVersions,
  lineOf,
  observations,
  percents,
} from '../support/agreements/evaluate-text.ts'

const index = observations({
  'CUSTOM/index': {
    '2021': '110',
    '2022': '121',
    '2023': '133.1',
    '2024': '146.41',
  },
  'CUSTOM/other': { '2020': '50', '2021': '50', '2022': '50', '2023': '55', '2024': '60.5' },
})

function stepsDocument(effectiveFrom: string, steps: string, more = ''): string {
  return `
slug: versions
contract: { start: 2020-01-01, end: 2024-12-31, frequency: ANNUAL }
${effectiveFrom === '' ? '' : `effectiveFrom: ${effectiveFrom}`}
inputs:
  index: { series: CUSTOM/index, base: { value: 100 } }
steps:
${steps}
result: { kind: FACTOR, step: factor }
${more}`
}

const plain = '  - { name: factor, expr: "index / 100" }'

describe('versions', () => {
  test('lets the highest version whose effectiveFrom is not later govern each date', () => {
    const calculation = evaluateVersions(
      [stepsDocument('', plain), stepsDocument('2023-01-01', '  - { name: factor, expr: "index / 200" }')],
      index,
    )
    expect(calculation.adjustments.map(({ period, formulaVersion }) => `${period} ${formulaVersion}`)).toEqual([
      '2021 1',
      '2022 1',
      '2023 2',
      '2024 2',
    ])
    // 0.6655 / 1.21 - 1 = -45 %: the previous factor passes from version to version
    expect(percents(calculation)).toEqual(['2021 10 10', '2022 10 21', '2023 -45 -33.45', '2024 10 -26.795'])
    expect(calculation.formulaVersion).toBe(2)
  })

  test('prefers the higher number even where it takes effect earlier', () => {
    const half = '  - { name: factor, expr: "index / 200" }'
    const calculation = evaluateVersions(
      [stepsDocument('', plain), stepsDocument('2024-01-01', half), stepsDocument('2022-01-01', half)],
      index,
    )
    expect(calculation.adjustments.map(({ formulaVersion }) => formulaVersion)).toEqual([1, 3, 3, 3])
  })

  test('carries steps of the same name over and gives a new one its initial', () => {
    const counting = '  - { name: count, expr: "prev(count, 0) + 1" }\n'
    const summing = '  - { name: total, expr: "prev(total, 100) + 1" }\n'
    const calculation = evaluateVersions(
      [stepsDocument('', counting + plain), stepsDocument('2023-01-01', counting + summing + plain)],
      index,
    )
    expect(['2021', '2022', '2023', '2024'].map(year => lineOf(calculation, year, 'count'))).toEqual([
      '1',
      '2',
      '3',
      '4',
    ])
    expect(['2023', '2024'].map(year => lineOf(calculation, year, 'total'))).toEqual(['101', '102'])
  })

  test('carries the applied factor of a clause into the next clause', () => {
    const clauseDocument = (effectiveFrom: string, clause: string) => `
      slug: versions
      contract: { start: 2020-01-01, end: 2024-12-31, frequency: ANNUAL }
      effectiveFrom: ${effectiveFrom}
      inputs:
        index: { series: CUSTOM/index, weight: 1, base: { value: 100 } }
      clause: ${clause}`
    const calculation = evaluateVersions(
      [clauseDocument('2020-01-01', '{}'), clauseDocument('2023-01-01', '{ cap: { periodPct: 4 } }')],
      index,
    )
    // 2023: 1.331 / 1.21 is 10 %, held at 4; 2024: 1.4641 / 1.2584 is over the cap again
    expect(percents(calculation)).toEqual(['2021 10 10', '2022 10 21', '2023 4 25.84', '2024 4 30.8736'])
    expect(entryOf(calculation, '2023').controls).toEqual([{ control: 'periodCap', points: '-6' }])
  })

  test('lets a chain continue from the reading at the last applied date when its series changes', () => {
    const chained = (effectiveFrom: string, series: string) => `
      slug: versions
      contract: { start: 2020-01-01, end: 2024-12-31, frequency: ANNUAL }
      effectiveFrom: ${effectiveFrom}
      inputs:
        index: { series: ${series}, weight: 1, base: 2020 }
      clause: { basis: CHAINED }`
    const table = observations({
      'CUSTOM/index': { '2020': '100', '2021': '110', '2022': '121' },
      'CUSTOM/other': { '2020': '50', '2021': '50', '2022': '50', '2023': '55', '2024': '60.5' },
    })
    const calculation = evaluateVersions(
      [chained('2020-01-01', 'CUSTOM/index'), chained('2023-01-01', 'CUSTOM/other')],
      table,
    )
    // 2023: 55 / 50, the new series at the last applied date, not 55 / 121
    expect(percents(calculation)).toEqual(['2021 10 10', '2022 10 21', '2023 10 33.1', '2024 10 46.41'])
  })

  test('follows the calendar of the version that governs', () => {
    const document = (frequency: string, effectiveFrom: string) => `
      slug: versions
      contract: { start: 2024-01-01, end: 2024-12-31, frequency: ${frequency} }
      effectiveFrom: ${effectiveFrom}
      steps: [{ name: factor, expr: "1" }]
      result: { kind: FACTOR, step: factor }`
    const calculation = evaluateVersions(
      [document('MONTHLY', '2024-01-01'), document('QUARTERLY', '2024-05-01')],
      index,
    )
    expect(calculation.adjustments.map(({ adjustmentDate, period }) => `${adjustmentDate} ${period}`)).toEqual([
      '2024-02-01 2024-02',
      '2024-03-01 2024-03',
      '2024-04-01 2024-04',
      '2024-07-01 2024-Q3',
      '2024-10-01 2024-Q4',
    ])
  })

  test('starts at effectiveFrom where there is one document only', () => {
    const calculation = evaluateText(stepsDocument('2023-01-01', plain), index)
    expect(percents(calculation)).toEqual(['2023 33.1 33.1', '2024 10 46.41'])
  })
})
