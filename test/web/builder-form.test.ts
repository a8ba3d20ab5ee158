// The form's parts without React: values of several fields, weights, sentences, places, names.
import { describe, expect, test } from 'vitest'
import { checkDocument } from '../../src/core/formula/check/check.ts'
import { choiceKey, number } from '../../src/core/formula/check/keys.ts'
import type { Control } from '../../src/core/formula/controls/control.ts'
import { controls } from '../../src/core/formula/controls/controls.ts'
import { slugOf } from '../../src/core/text/slug.ts'
import type { SeriesRow } from '../../src/views/shapes/series.ts'
import { openDocument, type Plain, rawAt, setAt } from '../../web/pages/agreements/builder/document/document.ts'
import {
  beginWindow,
  isNobody,
  readBase,
  readFrequency,
  readLag,
  readMissing,
  readPassThrough,
  readRounding,
  readSide,
  readSideShape,
  readSpan,
  readWindow,
  writeBase,
  writeFrequency,
  writeLag,
  writeMissing,
  writePassThrough,
  writeRounding,
  writeSpan,
} from '../../web/pages/agreements/builder/document/shapes.ts'
import {
  formatShare,
  paramsOf,
  shownShare,
  sumWeights,
  takenShare,
} from '../../web/pages/agreements/builder/document/weights.ts'
import { fieldsOf, formatFieldsInWords, linesOf } from '../../web/pages/agreements/builder/form/control-fields.ts'
import { inputFor, inputNameFor, matchSeries } from '../../web/pages/agreements/builder/form/series-search.ts'
import { placesAround, spotOf } from '../../web/pages/agreements/builder/places.ts'
import { keyed, problemsUnder } from '../../web/pages/agreements/builder/problems.ts'

const rootOf = (text: string) => openDocument(text).root
const readAt = (value: string) => rawAt(rootOf(`x: ${value}\n`), ['x'])

describe('values of several fields', () => {
  test.each([
    ['frequency', readFrequency, writeFrequency, ['QUARTERLY', 'DAILY', '4 months', '1 month', '2 weeks', '1 week']],
    ['lag', readLag, writeLag, ['1 month', '-1 month', '-2 quarters', '0 days', '49 days']],
    ['span', readSpan, writeSpan, ['1 month', '2 quarters', '49 days', '0 days', '1 year']],
    ['base', readBase, writeBase, ['2023-12', '2023-Q4', '2023-10..2023-12', '{ value: 245.30 }']],
    [
      'missing',
      readMissing,
      writeMissing,
      [
        'LAST_KNOWN',
        '{ fallback: BLS/WPU101 }',
        '{ yoyEstimate: { capPct: 2.0 } }',
        '{ yoyEstimate: {} }',
        '{ trend: { over: 12 months, dp: 3 } }',
        '{ trend: { dp: 1 } }',
        '{ agreed: { 2025-10: 325.604, 2025-11: 1 } }',
      ],
    ],
    [
      'rounding',
      readRounding,
      writeRounding,
      ['NONE', '{ dp: 2 }', '{ dp: -3 }', '{ dp: 4, mode: DOWN }', '{ multiple: 0.05, mode: HALF_UP }'],
    ],
    ['passThrough', readPassThrough, writePassThrough, ['0.50', 'share', '[{ upTo: 3, share: 1 }, { share: 0.5 }]']],
  ] as const)('%s is written as it was read', (_, read, write, values) => {
    for (const value of values) {
      const raw = readAt(value)
      const shape = (read as (from: unknown) => never)(raw)
      const written = (write as (of: never) => Plain | null)(shape)
      expect(written).not.toBeNull()
      expect(rawAt(rootOf(setAt('y: 1\n', ['x'], written)), ['x'])).toEqual(raw)
    }
  })

  test('writes nothing if nothing is entered', () => {
    expect(writeFrequency(readFrequency(undefined))).toBeNull()
    expect(writeSpan(readSpan(undefined))).toBeNull()
    expect(writeBase(readBase(undefined))).toBeNull()
    expect(writeMissing(readMissing(readAt('BLOCK')))).toBeNull()
    expect(writeRounding(readRounding(undefined))).toBeNull()
    expect(writePassThrough(readPassThrough(undefined))).toBeNull()
    expect(readSide(undefined)).toBeNull()
    expect(writeLag(readLag(undefined))).toBeNull()
    expect(readWindow(undefined).kind).toBe('LEFT_OUT')
  })

  test('distinguishes a party, people and nobody', () => {
    expect(readSideShape(readAt('ohio-forge'))).toEqual({ kind: 'party', slug: 'ohio-forge' })
    expect(readSideShape(readAt('[a@b.test, c@d.test]'))).toEqual({ kind: 'people', emails: ['a@b.test', 'c@d.test'] })
    expect(
      [undefined, readAt(''), readAt('[]'), readAt('[a@b.test]'), readAt('a')].map(raw => isNobody(readSideShape(raw))),
    ).toEqual([true, true, true, false, false])
  })

  test('keeps what is typed even if it makes no sense yet', () => {
    expect(readSpan(readAt('soon'))).toEqual({ count: 'soon', unit: 'month' })
    expect(writeSpan({ count: 'soon', unit: 'week' })).toBe('soon weeks')
    expect(readSpan('soon weeks')).toEqual({ count: 'soon', unit: 'week' })
    expect(readFrequency('HOURLY')).toEqual({ kind: 'HOURLY', count: '' })
    expect(writeLag({ count: '-2', unit: 'month', isAfter: false })).toBe('-2 months')
    expect(writeLag({ count: '2', unit: 'month', isAfter: true })).toBe('-2 months')
    expect(writeLag({ count: '0', unit: 'month', isAfter: true })).toBe('0 months')
    expect(readMissing(readAt('{ fallbak: x }')).kind).toBe('OTHER')
  })
})

describe('windows', () => {
  test.each(['SPAN', 'LAST', 'DAYS'] as const)('begun as %s are of that kind and in order', kind => {
    const text = setAt(
      'slug: a\ncontract: { start: 2024-01-01, frequency: MONTHLY }\ninputs: { x: { series: BLS/WPU101, weight: 1, base: 2023-12 } }\nclause: {}\n',
      ['inputs', 'x', 'window'],
      beginWindow(kind),
    )
    expect(readWindow(rawAt(rootOf(text), ['inputs', 'x', 'window'])).kind).toBe(kind)
    expect(checkDocument(text).problems).toEqual([])
  })

  test('written some other way are left to the text', () => {
    expect(readWindow(readAt('{ least: 3 }')).kind).toBe('OTHER')
    expect(readWindow(readAt('[1, 2]')).kind).toBe('OTHER')
    expect(readWindow(readAt('{ to: 3 }')).kind).toBe('DAYS')
  })
})

describe('the fields of the clause', () => {
  const rebate: Pick<Control, 'keys'> = {
    keys: [
      { path: 'clause.rebate', label: 'Rebate', help: 'What is given back.', value: { kind: 'mapping' } },
      { path: 'clause.rebate.share', label: 'Share', help: 'How much.', value: number('fraction', true) },
      choiceKey('clause.rebate.to', 'Given to', 'Who gets it.', { BUYER: 'the buyer', BOTH: 'both sides' }, 'BUYER'),
      { path: 'clause.rebate.yearly', label: 'Yearly', help: 'Once a year.', value: { kind: 'truth' } },
    ],
  }

  test('come from the tables: a control that is added in one file has its fields, its line and its sentence', () => {
    expect(fieldsOf(rebate).map(({ kind, path }) => [kind, path.join('.')])).toEqual([
      ['share', 'clause.rebate.share'],
      ['choice', 'clause.rebate.to'],
      ['truth', 'clause.rebate.yearly'],
    ])
    const lines = linesOf([...controls, rebate])
    expect(lines.map(({ line }) => line)).toEqual(['basis', 'threshold', 'passThrough', 'cap', 'rounding', 'rebate'])
    const root = rootOf('clause: { rebate: { to: BOTH } }\n')
    expect(formatFieldsInWords(root, lines.at(-1)!.fields)).toBe(
      'Share: nothing written; Given to: both sides; Yearly: nothing written.',
    )
  })

  test('leave out no plain key of a control', () => {
    const shown = linesOf(controls).flatMap(({ fields }) => fields.map(({ spec }) => spec.path))
    const bands = ['clause.passThrough.*.upTo', 'clause.passThrough.*.share']
    const plain = controls.flatMap(({ keys }) => keys).filter(({ value }) => value.kind !== 'mapping')
    expect([...shown, ...bands].sort()).toEqual(plain.map(({ path }) => path).sort())
  })

  test('are where a problem with them leads', () => {
    const lines = linesOf(controls).map(({ line }) => `clause.${line}`)
    for (const { path } of controls.flatMap(({ keys }) => keys)) expect(lines).toContain(spotOf(path)?.line)
  })
})

describe('shares', () => {
  test.each([
    ['0.35', '35'],
    ['0.3550', '35.50'],
    ['1', '100'],
    ['0', '0'],
    ['0.005', '0.5'],
    ['0.0005', '0.05'],
    ['1.5', '150'],
    ['-0.1', '-10'],
    ['.5', '50'],
  ])('shows %s as %s percent and back', (fraction, percent) => {
    expect(shownShare(fraction, 'percent')).toBe(percent)
    expect(shownShare(fraction, 'fraction')).toBe(fraction)
    expect(shownShare(takenShare(percent, 'percent'), 'percent')).toBe(percent)
  })

  test('understands a percent sign in either unit and a comma', () => {
    expect(takenShare('35', 'percent')).toBe('0.35')
    expect(takenShare('35.50', 'percent')).toBe('0.3550')
    expect(takenShare('35 %', 'fraction')).toBe('0.35')
    expect(takenShare('0,35', 'fraction')).toBe('0.35')
    expect(takenShare('5', 'percent')).toBe('0.05')
    expect(takenShare('100', 'percent')).toBe('1.00')
    expect(takenShare('ceiling', 'percent')).toBe('ceiling')
    expect(takenShare('35.', 'percent')).toBe('0.35')
    expect(takenShare('', 'percent')).toBe('')
    expect(formatShare('0.35')).toBe('35\u202f%')
    expect(formatShare('ceiling')).toBe('ceiling')
  })

  test('adds up exactly', () => {
    const text = (weights: readonly string[], fixed: string, more = '') =>
      `inputs:\n${weights.map((weight, i) => `  i${i}: { weight: ${weight} }`).join('\n')}\nclause: { fixed: ${fixed} ${more} }\n`
    expect(sumWeights(rootOf(text(['0.1', '0.2', '0.3'], '0.4')))).toMatchObject({ isWhole: true, rest: '0.4' })
    expect(sumWeights(rootOf(text(['0.1', '0.2', '0.3'], '0.41')))).toMatchObject({ isWhole: false, rest: '0.4' })
    expect(sumWeights(rootOf(text(['0.1', '0.2', '0.3'], '0.41', ', tolerance: 0.01'))).isWhole).toBe(true)
    expect(sumWeights(rootOf(text(['0.9', '0.2'], '0'))).rest).toBeNull()
    expect(sumWeights(rootOf(text(['x', '0.2'], '0'))).unread).toEqual(['i0'])
    expect(sumWeights(rootOf('inputs: { a: { weight: 1 } }\nclause: {}\n')).isWhole).toBe(true)
  })

  test('accepts a fixed share that is a param, if its value is known', () => {
    const text = (param: string) => `params: { f: ${param} }\ninputs: { a: { weight: 0.6 } }\nclause: { fixed: f }\n`
    expect(sumWeights(rootOf(text('0.4'))).isWhole).toBe(true)
    const dated = sumWeights(rootOf(text('[{ from: 2024-01-01, value: 0.4 }]')))
    expect(dated).toMatchObject({ fixed: null, total: null, isWhole: false, isDated: true, rest: null })
    expect(paramsOf(rootOf(text('[{ from: 2024-01-01, value: 0.4 }]')))).toEqual([{ name: 'f', value: null }])
    expect(paramsOf(rootOf(text('0.40')))).toEqual([{ name: 'f', value: '0.40' }])
  })
})

describe('a weight that names a param', () => {
  const sum = (param: string) =>
    sumWeights(rootOf(`params: { w: ${param} }\ninputs: { a: { weight: w }, b: { weight: 0.4 } }\nclause: {}\n`))

  test('counts with its number', () => {
    expect(sum('0.6')).toMatchObject({ isWhole: true, unread: [], isDated: false })
    expect(sum('0.5')).toMatchObject({ isWhole: false, unread: [] })
  })

  test('has no single sum if it changes with dates', () => {
    expect(sum('[{ from: 2024-01-01, value: 0.6 }]')).toMatchObject({ total: null, unread: [], isDated: true })
  })
})

describe('places', () => {
  test.each([
    ['slug', 'clause', 'name'],
    ['contract.price.amount', 'clause', 'contract.price'],
    ['effectiveFrom', 'clause', 'contract'],
    ['inputs.steel.links[0].series', 'clause', 'inputs.steel'],
    ['inputs', 'clause', null],
    ['clause.floor.periodPct', 'clause', 'clause.cap'],
    ['clause.tolerance', 'clause', 'clause.fixed'],
    ['steps[2].expr', 'steps', null],
    ['result.step', 'steps', null],
  ])('%s is fixed in the view %s', (path, view, line) => {
    expect(spotOf(path)).toEqual({ view, line })
  })

  test('gives up where there is no field', () => {
    expect(spotOf('tables.t')).toBeNull()
    expect(spotOf('')).toBeNull()
    expect(placesAround('a.b[0].c')).toEqual(['a.b[0].c', 'a.b[0]', 'a.b', 'a'])
  })

  test('finds problems by place, not by the beginning of a word', () => {
    const at = (path: string) => ({ path, message: 'm', line: null })
    const all = [at('inputs.steel.lag'), at('inputs.steel2.lag'), at('inputs.steel'), at('steps[1].expr')]
    expect(problemsUnder(all, 'inputs.steel').map(({ path }) => path)).toEqual(['inputs.steel.lag', 'inputs.steel'])
    expect(problemsUnder(all, 'steps').map(({ path }) => path)).toEqual(['steps[1].expr'])
    expect(keyed(['a', 'b', 'a'], text => text).map(([key]) => key)).toEqual(['a', 'b', 'a 1'])
  })
})

describe('names', () => {
  test.each([
    ['Steel brackets, supplier A', 'steel-brackets-supplier-a'],
    ['Bureau d’études Été', 'bureau-d-etudes-ete'],
    ['Straße 7', 'strasse-7'],
    ['  --  ', ''],
    ['x'.repeat(80), 'x'.repeat(63)],
  ])('makes %j the slug %j', (name, slug) => {
    expect(slugOf(name)).toBe(slug)
  })

  const row = (provider: string, code: string, name: string, frequency: SeriesRow['frequency'] = 'MONTHLY') =>
    ({ id: code, provider, code, name, unit: '2015=100', frequency, last: null }) as unknown as SeriesRow

  test('finds series by any of their words', () => {
    const rows = [
      row('BLS', 'WPU101', 'PPI, iron and steel'),
      row('CUSTOM', 'steel', 'Steel price'),
      row('ECB', 'X', 'HICP'),
    ]
    expect(matchSeries(rows, 'steel').map(({ code }) => code)).toEqual(['steel', 'WPU101'])
    expect(matchSeries(rows, 'ppi STEEL').map(({ code }) => code)).toEqual(['WPU101'])
    expect(matchSeries(rows, 'bls/wpu').map(({ code }) => code)).toEqual(['WPU101'])
    expect(matchSeries(rows, 'nothing')).toEqual([])
    expect(matchSeries(rows, ' ')).toHaveLength(3)
  })

  test('begins an input with a name of its own, a lag and a base that fit the series', () => {
    const steel = row('BLS', 'WPU101', 'PPI, iron and steel')
    expect(inputNameFor(steel, [])).toBe('iron')
    expect(inputNameFor(steel, ['iron'])).toBe('iron_2')
    expect(inputFor(steel, '2025-03-01', '0.2')).toEqual({
      series: 'BLS/WPU101',
      weight: '0.2',
      base: '2025-01',
      lag: '2 months',
    })
    expect(inputFor(row('X', 'y', 'Wages', 'QUARTERLY'), '2025-03-01', null)).toEqual({
      series: 'X/y',
      base: '2024-Q3',
      lag: '2 quarters',
    })
    expect(inputFor(steel, 'soon', null)).toEqual({ series: 'BLS/WPU101', lag: '2 months' })
  })
})
