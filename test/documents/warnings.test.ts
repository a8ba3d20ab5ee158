// Warnings: what a careful reader would ask about a document that is in order. None of them refuses it.
import { describe, expect, test } from 'vitest'
import { lint } from '../../src/core/formula/check/lint.ts'
import { endingsBy, type IndexEvent } from '../../src/core/index-changes/index-event.ts'
import { lastPatientDay } from '../../src/core/series/silence.ts'
import { type Day, parseDay } from '../../src/core/time/day.ts'
import { parsePeriod } from '../../src/core/time/period.ts'
import { providerHabits } from '../../src/providers/catalogue/catalogue.ts'
import { clauseText, contractText, inputText, stepsText } from '../support/agreements/document-text.ts'
import { formulaOf, observations, readTable } from '../support/agreements/evaluate-text.ts'

function warningsOf(text: string, table: string | null = null): string[] {
  const data = table === null ? new Map() : readTable(table)
  return lint(formulaOf(text), { data, today: null, habits: providerHabits }).map(
    ({ path, message }) => `${path}: ${message}`,
  )
}

const about = (warnings: readonly string[], path: string) => warnings.filter(warning => warning.startsWith(`${path}: `))

describe('warnings', () => {
  test.each([
    ['BLS/CUSR0000SA0', 1],
    ['BLS/CUUR0000SA0', 0],
    ['FRED/CPIAUCSL', 1],
    ['FRED/CPIAUCNS', 0],
    ['CUSTOM/steel', 0],
  ])('ask about a seasonally adjusted series: %s, %i', (series, count) => {
    const warnings = about(warningsOf(inputText({ series })), 'inputs.steel.series')
    expect(warnings).toHaveLength(count)
    for (const warning of warnings) expect(warning).toContain('seasonally adjusted')
  })

  test('ask about a lag shorter than the publication delay, by what the values show', () => {
    const table = `series,period,value,published
CUSTOM/steel,2023-11,100,2023-12-12
CUSTOM/steel,2023-12,101,2024-01-12
CUSTOM/steel,2024-01,102,2024-02-12
`
    // on 1 April the value of March is not out; that of February is
    expect(about(warningsOf(inputText({ lag: '1 month' }), table), 'inputs.steel.lag')).toHaveLength(1)
    expect(about(warningsOf(inputText({ lag: '2 months' }), table), 'inputs.steel.lag')).toEqual([])
    expect(about(warningsOf(inputText({ pick: 'LATEST_PUBLISHED' }), table), 'inputs.steel.lag')).toEqual([])
  })

  test('say that a series seems to have ended from the day on from which other pages say it', () => {
    // 28 days, and no month is waited for less than the longest: 28 February 2023 + 93 + 60 days.
    const data = readTable(observations({ 'CUSTOM/steel': { '2023-01': '100', '2023-02': '101' } }))
    const last = lastPatientDay(parsePeriod('2023-02')!)
    expect(last).toBe(parseDay('2023-07-31'))
    const saidOn = (today: Day) =>
      lint(formulaOf(inputText({ base: '2023-01' })), { data, today, habits: providerHabits }).some(({ words }) =>
        words?.includes('it seems to have ended'),
      )
    expect([saidOn(last), saidOn(last + 1)]).toEqual([false, true])
  })

  test('say how a series ended where that was published, from its day on', () => {
    const data = readTable(observations({ 'BLS/CUUR0000SA0': { '2023-01': '100', '2023-02': '101' } }))
    const formula = formulaOf(inputText({ series: 'BLS/CUUR0000SA0', base: '2023-01' }))
    const said = (kind: IndexEvent['kind'], day = '2023-03-01') => {
      const event: IndexEvent = {
        ...{ id: 'x', provider: 'BLS', codes: 'CUUR*', kind, day, sentence: '', successor: null, coefficient: null },
        source: '',
      }
      const howEnded = endingsBy('2024-01-01', [event])
      const problems = lint(formula, { data, today: parseDay('2024-01-01'), habits: providerHabits, howEnded })
      return problems.flatMap(({ words = '' }) => /: it (.*), and no successor is named$/.exec(words)?.[1] ?? [])
    }
    expect(said('SUPERSEDED')).toEqual(['was replaced'])
    expect(said('ENDED')).toEqual(['has ended'])
    expect(said('REBASED')).toEqual(['seems to have ended'])
    expect(said('ENDED', '2024-01-02')).toEqual(['seems to have ended'])
  })

  test('ask about it by what is known about the provider if there are no values', () => {
    const warned = about(warningsOf(inputText({ series: 'BLS/CUUR0000SA0', lag: '1 month' })), 'inputs.steel.lag')
    expect(warned).toHaveLength(1)
    expect(warned[0]).toContain('2024-03')
    expect(about(warningsOf(inputText({ series: 'BLS/CUUR0000SA0', lag: '2 months' })), 'inputs.steel.lag')).toEqual([])
  })

  test('say nothing about a careful document', () => {
    const text = clauseText({
      inputs: '{ steel: { series: CUSTOM/steel, weight: 1, base: 2023-12, lag: 2 months } }',
      clause: '{ rounding: { total: { dp: 2 } } }',
    })
    expect(warningsOf(text, observations({ 'CUSTOM/steel': { '2023-12': '100', '2024-01': '101' } }))).toEqual([])
  })

  test.each([
    ['{ when: NONE, min: { amount: 5, below: KEEP }, within: { months: 3, of: PERIOD } }', ['min', 'within']],
    ['{ when: END }', ['when']],
    ['{ when: FINAL, level: REBASE, min: { amount: 5, below: KEEP } }', []],
  ])('ask about corrections that can never come: %s', (corrections, keys) => {
    const contract =
      '{ start: 2024-01-01, frequency: QUARTERLY, price: { amount: 10, currency: EUR, round: { dp: 2 } } }'
    const warned = warningsOf(clauseText({ contract, corrections })).filter(each => each.startsWith('corrections.'))
    expect(warned.map(each => each.split(': ')[0])).toEqual(keys.map(key => `corrections.${key}`))
  })

  test('ask about corrections where every input is read as first printed', () => {
    const inputs = (vintage: string) =>
      `{ steel: { series: CUSTOM/steel, weight: 1, base: 2023-12, vintage: ${vintage} } }`
    const about = (vintage: string) =>
      warningsOf(clauseText({ inputs: inputs(vintage), corrections: '{ when: EACH }' })).join()
    expect(about('FIRST')).toContain('corrections.when')
    expect(about('LATEST')).not.toContain('corrections.when')
  })

  test('read as sentences, without a value of the program', () => {
    const texts = [
      clauseText(),
      stepsText(),
      contractText({ frequency: 'MONTHLY' }),
      inputText({ series: 'BLS/CUSR0000SA0' }),
    ]
    for (const warning of texts.flatMap(text => warningsOf(text)))
      expect(warning).not.toMatch(/undefined|NaN|\[object|\n| {2}/)
  })
})
