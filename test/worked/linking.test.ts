// Worked examples with an index that changes its base: links by coefficient.
import { describe, expect, test } from 'vitest'
import { entryOf, evaluateText, lineOf, observations, percents } from '../support/agreements/evaluate-text.ts'

const table = observations({
  'CUSTOM/old-base': { '2015-11': '107.1', '2015-12': '107.3', '2016-01': '999' },
  'CUSTOM/new-base': { '2015-12': '888', '2016-01': '121.4', '2016-02': '121.9', '2016-11': '123.5', '2016-12': '124' },
})

function reading(input: string, first = '2016-12-01'): string {
  return `
    slug: linked
    contract: { start: 2015-01-01, end: 2016-12-31, frequency: ONCE, firstAdjustment: ${first} }
    inputs:
      index: ${input}
    steps:
      - { name: now, expr: "index" }
      - { name: then, expr: "index.base" }
      - { name: factor, expr: "now / then" }
    result: { kind: FACTOR, step: factor }`
}

describe('links', () => {
  test('reads periods up to and including until from the old base times its coefficient, rounded', () => {
    const link = 'links: [{ series: CUSTOM/old-base, until: 2015-12, coefficient: 1.1276, round: { dp: 1 } }]'
    const calculation = evaluateText(reading(`{ series: CUSTOM/new-base, base: 2015-12, ${link} }`), table)
    // 107.3 x 1.1276 = 120.99148
    expect(lineOf(calculation, '2016-12', 'then')).toBe('121')
    expect(lineOf(calculation, '2016-12', 'now')).toBe('124')
    expect(entryOf(calculation, '2016-12').observations.map(({ series, period }) => `${series} ${period}`)).toEqual([
      'CUSTOM/new-base 2016-12',
      'CUSTOM/old-base 2015-12',
    ])
  })

  test('carries a linked value exactly where the link has no rounding', () => {
    const link = 'links: [{ series: CUSTOM/old-base, until: 2015-12, coefficient: 1.1276 }]'
    const calculation = evaluateText(reading(`{ series: CUSTOM/new-base, base: 2015-12, ${link} }`), table)
    expect(lineOf(calculation, '2016-12', 'then')).toBe('120.99148')
  })

  test('reads the period after until from the series itself', () => {
    const link = 'links: [{ series: CUSTOM/old-base, until: 2015-12, coefficient: 2 }]'
    const calculation = evaluateText(reading(`{ series: CUSTOM/new-base, base: 2016-01, ${link} }`), table)
    expect(lineOf(calculation, '2016-12', 'then')).toBe('121.4')
  })

  test('reads periods from a new base on, backwards, with from', () => {
    const link = 'links: [{ series: CUSTOM/new-base, from: 2016-01, coefficient: 0.5 }]'
    const calculation = evaluateText(reading(`{ series: CUSTOM/old-base, base: 2015-12, ${link} }`), table)
    expect(lineOf(calculation, '2016-12', 'then')).toBe('107.3')
    expect(lineOf(calculation, '2016-12', 'now')).toBe('62')
  })

  test('joins linked and unlinked periods in one window, each rounded by its link first', () => {
    const link = 'links: [{ series: CUSTOM/old-base, until: 2015-12, coefficient: 1.1276, round: { dp: 1 } }]'
    const document = reading(
      `{ series: CUSTOM/new-base, base: { value: 100 }, window: 3 months, ${link} }`,
      '2016-01-15',
    )
    // 107.1 x 1.1276 = 120.76596, so (120.8 + 121 + 121.4) / 3
    expect(lineOf(evaluateText(document, table), '2016-01', 'now')).toBe(`121.0${'6'.repeat(26)}…`)
  })

  test('takes the oldest of several bases for the oldest periods', () => {
    const links = `links:
          - { series: CUSTOM/base-2015, until: 2019-12, coefficient: 1.05 }
          - { series: CUSTOM/base-2010, until: 2014-12, coefficient: 1.2 }`
    const document = (base: string) => `
      slug: three-bases
      contract: { start: 2014-01-01, end: 2024-12-31, frequency: ONCE, firstAdjustment: 2024-01-01 }
      inputs:
        index:
          series: CUSTOM/base-2020
          weight: 1
          base: ${base}
          ${links.replaceAll('\n', '\n  ')}
      clause: {}`
    const bases = observations({
      'CUSTOM/base-2010': { '2014-06': '105', '2019-06': '500' },
      'CUSTOM/base-2015': { '2014-06': '500', '2019-06': '120' },
      'CUSTOM/base-2020': { '2014-06': '500', '2019-06': '500', '2024-01': '126' },
    })
    // 126 / (105 x 1.2) and 126 / (120 x 1.05)
    expect(percents(evaluateText(document('2014-06'), bases))).toEqual(['2024-01 0 0'])
    expect(percents(evaluateText(document('2019-06'), bases))).toEqual(['2024-01 0 0'])
  })
})
