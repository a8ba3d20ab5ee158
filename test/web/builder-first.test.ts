// Where a new formula begins: the series of a template, and shares in the unit they are written in.
import { describe, expect, test } from 'vitest'
import { checkDocument } from '../../src/core/formula/check/check.ts'
import { templateOf } from '../../src/core/formula/many/templates.ts'
import type { SeriesRow } from '../../src/views/shapes/series.ts'
import { inUnit, shareWords } from '../../web/pages/agreements/builder/document/weights.ts'
import { neededSeries, withSeries } from '../../web/pages/agreements/builder/templates/chosen-series.ts'

const row = (change: Partial<SeriesRow>): SeriesRow => ({
  id: 'ser_1',
  provider: 'CUSTOM',
  code: 'own',
  name: 'Own',
  unit: 'index',
  dataType: 'INDEX',
  frequency: 'MONTHLY',
  isFollowed: false,
  firstPeriod: '2020-01',
  last: null,
  previousValue: null,
  lastChangedAt: null,
  lastAskedAt: null,
  trouble: null,
  notice: null,
  alarm: null,
  usedBy: 0,
  ...change,
})

describe('the series of a template', () => {
  const text = templateOf('materials-labour')!.write(2026)

  test('are those its inputs name, with their weights', () => {
    expect(neededSeries(text)).toEqual([
      { input: 'steel', reference: 'BLS/WPU101', weight: '0.40' },
      { input: 'power', reference: 'BLS/WPU0543', weight: '0.15' },
      { input: 'labour', reference: 'BLS/CIU2020000000000I', weight: '0.25' },
    ])
  })

  test('replace those it names; base and lag stay where they fit', () => {
    const changed = withSeries(text, new Map([['steel', row({})]]))
    expect(changed).toContain('series: CUSTOM/own\n    weight: 0.40\n    base: 2024-11\n    lag: 2 months')
    expect(checkDocument(changed).problems).toEqual([])
  })

  test('bring base and lag of their own where they are of another frequency or begin later', () => {
    const quarterly = withSeries(text, new Map([['steel', row({ frequency: 'QUARTERLY', firstPeriod: '2019-Q1' })]]))
    expect(quarterly).toContain('base: 2024-Q3\n    lag: 2 quarters')
    const late = withSeries(text, new Map([['steel', row({ firstPeriod: '2025-03' })]]))
    expect(late).toContain('base: 2025-03')
    for (const changed of [quarterly, late]) expect(checkDocument(changed).problems).toEqual([])
  })
})

describe('what is wrong with shares', () => {
  const [problem] = checkDocument(
    templateOf('materials-labour')!.write(2026).replace('weight: 0.40', 'weight: 0.45'),
  ).problems

  test('is reported in percent if shares are written in percent', () => {
    expect(problem!.message).toContain('the weights make 0.85 and fixed is 0.2: together 1.05, not 1')
    expect(inUnit([problem!], 'percent')[0]!.message).toContain(
      'the weights make 85\u202f% and fixed is 20\u202f%: together 105\u202f%, not 100\u202f%',
    )
    expect(inUnit([problem!], 'fraction')).toEqual([problem])
  })

  test.each([
    ['weight: 0.40', 'weight: 40', 'weight is a percentage, got "4000\u202f%"'],
    ['fixed: 0.20', 'fixed: -0.20', 'fixed must be a percentage, got −20\u202f%'],
    ['passThrough: 1', 'passThrough: 1.5', 'passThrough must be from 0\u202f% to 100\u202f%, got 150\u202f%'],
  ])('is so for each of them: %s', (right, wrong, words) => {
    const text = templateOf('materials-labour')!.write(2026)
    const document = text.includes(right) ? text : text.replace('clause:\n', `clause:\n  ${right}\n`)
    const { problems } = checkDocument(document.replace(right, wrong))
    expect(inUnit(problems, 'percent').map(({ message }) => message)).toContain(words)
  })

  test('leaves other figures and the words of the document alone', () => {
    const other = { path: 'inputs.steel.lag', message: 'lag must be at most 24 months, got 30' }
    expect(inUnit([other], 'percent')).toEqual([other])
    expect(shareWords('The share that never moves; with the weights it makes 1.', 'percent')).toBe(
      'The share that never moves; with the weights it makes 100\u202f%.',
    )
    expect(shareWords('Weights may miss 1 by', 'fraction')).toBe('Weights may miss 1 by')
  })
})
