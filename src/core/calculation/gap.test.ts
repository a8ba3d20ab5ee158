// Gaps: the missing figure of a blocked period, as data beside the sentence, for every way in which a series can lack
// something.
import { describe, expect, test } from 'vitest'
import { bindText, readTable } from '../../../test/support/agreements/evaluate-text.ts'
import { Refusal } from '../refusal.ts'
import { parseDay } from '../time/day.ts'
import { parseCut } from '../time/instant.ts'
import { evaluate } from './evaluate.ts'
import { type Gap, gapOfRefusal, toldAs } from './gap.ts'

const table = `series,period,value,version,published
CUSTOM/steel,2023-12,100,FINAL,2024-01-15
CUSTOM/steel,2024-03,106,PRELIMINARY,2024-04-15
CUSTOM/rebased,2024-02,70,FINAL,2024-03-15
CUSTOM/daily,2023-12-29,1.1,FINAL,2023-12-29
CUSTOM/daily,2024-03-04,1.2,FINAL,2024-03-04
CUSTOM/daily,2024-03-05,1.2,FINAL,2024-03-05
`

function gapOf(input: string, more = ''): Gap {
  const document = `
slug: gaps
name: Gaps
contract: { start: 2024-01-01, end: 2024-06-30, frequency: QUARTERLY }
inputs:
  x: { ${input} }
${more === '' ? 'clause: {}' : more}
`
  const bound = bindText(document, readTable(table))
  const { blocked } = evaluate({
    versions: [{ number: 1, bound }],
    cuts: { asOf: parseCut('2024-05-31'), knownAt: null },
    tag: null,
    until: parseDay('2024-04-01')!,
    today: parseDay('2024-05-31')!,
    after: null,
  })
  expect(blocked).toHaveLength(1)
  return blocked[0]!.gap
}

const steel = 'series: CUSTOM/steel, weight: 1, base: 2023-12'

describe('a gap', () => {
  test('names series and period of a value that is not there', () => {
    expect(gapOf(`${steel}, lag: 2 months`)).toEqual({
      kind: 'value',
      series: 'CUSTOM/steel',
      period: '2024-02',
      stage: null,
      sentence: 'x (CUSTOM/steel) has no value for 2024-02',
    })
  })

  test('names the stage where only one counts', () => {
    expect(gapOf(`${steel}, lag: 1 month, vintage: FINAL`)).toMatchObject({
      kind: 'value',
      series: 'CUSTOM/steel',
      period: '2024-03',
      stage: 'FINAL',
      sentence: 'x (CUSTOM/steel) has no value that is FINAL for 2024-03',
    })
  })

  test('names the day by which nothing had been published', () => {
    expect(gapOf(`${steel}, lag: 6 months, pick: LATEST_PUBLISHED`)).toMatchObject({
      kind: 'publication',
      series: 'CUSTOM/steel',
      period: '2023-10-01',
    })
  })

  test('names the series that a link leads to', () => {
    const links = 'links: [{ series: CUSTOM/rebased, from: 2024-01, coefficient: 1.5 }]'
    expect(gapOf(`${steel}, lag: 1 month, ${links}`)).toMatchObject({
      kind: 'value',
      series: 'CUSTOM/rebased',
      period: '2024-03',
      sentence: 'x (CUSTOM/steel) has no value for 2024-03 (through the link to CUSTOM/rebased)',
    })
  })

  test('names the days of a window with too few values', () => {
    const daily = 'series: CUSTOM/daily, weight: 1, base: 2023-12-29'
    const gap = gapOf(`${daily}, lag: 1 month, window: { from: 1, to: 15, least: 5 }`)
    expect(gap).toMatchObject({ kind: 'window', series: 'CUSTOM/daily' })
    expect(gap.sentence).toContain(`for ${gap.period}, of 5 at least`)
  })

  test('names the exchange rate where that is what is missing', () => {
    const converted = `${steel}, lag: 1 month, convert: { fx: CUSTOM/daily, operation: MULTIPLY, lag: 2 months }`
    expect(gapOf(converted)).toMatchObject({ kind: 'value', series: 'CUSTOM/daily' })
  })

  test('names no series where the arithmetic does not work out', () => {
    expect(
      gapOf(
        'series: CUSTOM/steel, lag: 1 month',
        'steps: [{ name: all, expr: "x / 0" }]\nresult: { kind: FACTOR, step: all }',
      ),
    ).toMatchObject({ kind: 'arithmetic', series: null, sentence: expect.stringContaining('a division by zero') })
  })

  test('says what a calculation was refused for, by its kind and not by its words', () => {
    const kinds = (['too-large', 'broken', 'not-computable', 'not-found'] as const).map(
      kind => gapOfRefusal(new Refusal(kind, 'in these words')).kind,
    )
    expect(kinds).toEqual(['work', 'record', 'arithmetic', 'formula'])
  })

  test('stays the same one when something that waits for it tells it', () => {
    const gap = gapOf(`${steel}, lag: 2 months`)
    expect(toldAs(gap, 'the price waits')).toEqual({ ...gap, sentence: 'the price waits' })
  })
})
