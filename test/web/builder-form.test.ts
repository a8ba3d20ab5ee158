// The form's parts without React: values of several fields, weights, sentences, places, names.
import { describe, expect, it } from 'vitest'
import type { SeriesRow } from '../../src/http/console/wire/series.ts'
import { openDocument, type Plain, rawAt, setAt } from '../../web/pages/builder/document.ts'
import { placesAround, spotOf } from '../../web/pages/builder/places.ts'
import { keyed, problemsUnder } from '../../web/pages/builder/problems.ts'
import {
  sayBasis,
  sayCalendar,
  sayFixed,
  sayLimits,
  sayNotShown,
  sayParties,
  sayPrice,
  sayReading,
  sayRoundings,
  saySharing,
  sayThreshold,
} from '../../web/pages/builder/sentences.ts'
import { inputFor, inputNameFor, matchSeries } from '../../web/pages/builder/series-search.ts'
import {
  readBase,
  readEmails,
  readFrequency,
  readMissing,
  readPassThrough,
  readRounding,
  readSpan,
  writeBase,
  writeFrequency,
  writeMissing,
  writePassThrough,
  writeRounding,
  writeSpan,
} from '../../web/pages/builder/shapes.ts'
import { slugOf } from '../../web/pages/builder/slug.ts'
import { templates } from '../../web/pages/builder/templates.ts'
import { paramsOf, shownShare, sumWeights, takenShare, writeShare } from '../../web/pages/builder/weights.ts'

const rootOf = (text: string) => openDocument(text).root
const readAt = (value: string) => rawAt(rootOf(`x: ${value}\n`), ['x'])

describe('values of several fields', () => {
  it.each([
    ['frequency', readFrequency, writeFrequency, ['QUARTERLY', 'ONCE', '4 months', '1 month', '120 months']],
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
        '{ agreed: { 2025-10: 325.604, 2025-11: 1 } }',
      ],
    ],
    [
      'rounding',
      readRounding,
      writeRounding,
      ['{ dp: 2 }', '{ dp: 4, mode: DOWN }', '{ multiple: 0.05, mode: HALF_UP }'],
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

  it('writes nothing where nothing is said', () => {
    expect(writeFrequency(readFrequency(undefined))).toBeNull()
    expect(writeSpan(readSpan(undefined))).toBeNull()
    expect(writeBase(readBase(undefined))).toBeNull()
    expect(writeMissing(readMissing(readAt('BLOCK')))).toBeNull()
    expect(writeRounding(readRounding(undefined))).toBeNull()
    expect(writePassThrough(readPassThrough(undefined))).toBeNull()
    expect(readEmails(undefined)).toBeNull()
  })

  it('keeps what is typed even where it makes no sense yet', () => {
    expect(readSpan(readAt('soon'))).toEqual({ count: 'soon', unit: 'month' })
    expect(writeSpan({ count: 'soon', unit: 'week' })).toBe('soon weeks')
    expect(readSpan('soon weeks')).toEqual({ count: 'soon', unit: 'week' })
    expect(readFrequency('WEEKLY')).toEqual({ kind: 'WEEKLY', months: '' })
    expect(readMissing(readAt('{ fallbak: x }')).kind).toBe('OTHER')
  })
})

describe('shares', () => {
  it.each([
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

  it('understands a percent sign in either unit and a comma', () => {
    expect(takenShare('35', 'percent')).toBe('0.35')
    expect(takenShare('35.50', 'percent')).toBe('0.3550')
    expect(takenShare('35 %', 'fraction')).toBe('0.35')
    expect(takenShare('0,35', 'fraction')).toBe('0.35')
    expect(takenShare('5', 'percent')).toBe('0.05')
    expect(takenShare('100', 'percent')).toBe('1.00')
    expect(takenShare('ceiling', 'percent')).toBe('ceiling')
    expect(takenShare('35.', 'percent')).toBe('0.35')
    expect(takenShare('', 'percent')).toBe('')
    expect(writeShare('0.35')).toBe('35\u202f%')
    expect(writeShare('ceiling')).toBe('ceiling')
  })

  it('adds up exactly', () => {
    const text = (weights: readonly string[], fixed: string, more = '') =>
      `inputs:\n${weights.map((weight, i) => `  i${i}: { weight: ${weight} }`).join('\n')}\nclause: { fixed: ${fixed} ${more} }\n`
    expect(sumWeights(rootOf(text(['0.1', '0.2', '0.3'], '0.4')))).toMatchObject({ isWhole: true, rest: '0.4' })
    expect(sumWeights(rootOf(text(['0.1', '0.2', '0.3'], '0.41')))).toMatchObject({ isWhole: false, rest: '0.4' })
    expect(sumWeights(rootOf(text(['0.1', '0.2', '0.3'], '0.41', ', tolerance: 0.01'))).isWhole).toBe(true)
    expect(sumWeights(rootOf(text(['0.9', '0.2'], '0'))).rest).toBeNull()
    expect(sumWeights(rootOf(text(['x', '0.2'], '0'))).unread).toEqual(['i0'])
    expect(sumWeights(rootOf('inputs: { a: { weight: 1 } }\nclause: {}\n')).isWhole).toBe(true)
  })

  it('takes a fixed share that is a param, where its value is known', () => {
    const text = (param: string) => `params: { f: ${param} }\ninputs: { a: { weight: 0.6 } }\nclause: { fixed: f }\n`
    expect(sumWeights(rootOf(text('0.4'))).isWhole).toBe(true)
    const dated = sumWeights(rootOf(text('[{ from: 2024-01-01, value: 0.4 }]')))
    expect(dated).toMatchObject({ fixed: null, total: null, isWhole: false })
    expect(paramsOf(rootOf(text('[{ from: 2024-01-01, value: 0.4 }]')))).toEqual([{ name: 'f', value: null }])
    expect(paramsOf(rootOf(text('0.40')))).toEqual([{ name: 'f', value: '0.40' }])
  })
})

describe('sentences', () => {
  const text = `
contract: { start: 2025-03-01, end: 2026-12-31, frequency: 4 months, firstAdjustment: 2025-07-01, price: { amount: 12.40, currency: EUR, unit: piece, round: { dp: 2 } } }
parties: { buyer: [a@b.test, c@d.test] }
inputs:
  steel: { series: BLS/WPU101, weight: 0.35, base: 2023-12, lag: 1 month }
  fx: { series: A/B, base: 2023-10..2023-12, lag: 49 days, window: 3 months, using: MAX, vintage: FIRST, missing: LAST_KNOWN, round: { dp: 1, mode: DOWN }, convert: { fx: ECB/X, operation: DIVIDE }, links: [{ series: a }, { series: b }] }
  cpi: { series: A/C, interpolate: DAILY, base: { value: 245.3 }, missing: { agreed: { 2025-10: 1, 2025-Q3: 2 } } }
  oil: { series: A/D, pick: LATEST_PUBLISHED, lag: 2 weeks, base: 2023-07-15, vintage: FINAL }
clause:
  fixed: 0.15
  basis: CHAINED
  adder: -0.5
  threshold: { pct: 1.5, test: EXCEEDS, pays: ALL }
  passThrough: [{ upTo: 3, share: 1 }, { share: 0.50 }]
  cap: { periodPct: 4, cumulativePct: ceiling, carryForward: true }
  floor: { periodPct: -4, cumulativePct: 0 }
  rounding: { factor: { dp: 3, mode: CEILING }, price: { multiple: 0.05 } }
`
  const root = rootOf(text)
  const plain = (words: string) => words.replaceAll('\u202f', ' ').replaceAll('\u00a0', ' ')

  it('say how each input is read', () => {
    const reading = (name: string) => plain(sayReading(rawAt(root, ['inputs', name])))
    expect(reading('steel')).toBe('read one month before the adjustment date, against December 2023')
    expect(reading('fx')).toBe(
      'read 49 days before the adjustment date, the highest of three months, against October 2023 to December 2023, as first published, converted with ECB/X, joined with two other bases, rounded to 1 decimal, cut off, the last known value where one is missing',
    )
    expect(reading('cpi')).toBe(
      'read at the adjustment date and interpolated to the day, against the value 245.3, with agreed values for October 2025 and 2025-Q3',
    )
    expect(reading('oil')).toBe(
      'the newest value published two weeks before the adjustment date, against 15 Jul 2023, final values only',
    )
  })

  it('say what the contract and the clause say', () => {
    expect(plain(sayCalendar(root))).toBe('From 1 Mar 2025, until 31 Dec 2026, every four months, first on 1 Jul 2025.')
    expect(plain(sayPrice(root))).toBe('The price is 12.40 EUR per piece, rounded to 2 decimals.')
    expect(sayParties(root)).toBe('Signed for the buyer by a@b.test and c@d.test, for the supplier by nobody yet.')
    expect(plain(sayFixed(root))).toBe('15 % never moves.')
    expect(sayBasis(root)).toBe(
      'Each period is compared with the last applied adjustment; the weighted ratios are summed, and −0.5 percentage points are added.',
    )
    expect(plain(sayThreshold(root))).toBe(
      'The price moves only when it would move by more than 1.5 % since it last moved; then all of it is paid.',
    )
    expect(plain(saySharing(root))).toBe('Passed on: 100 % of the first 3 % and 50 % of the rest.')
    expect(plain(sayLimits(root))).toBe(
      'At most +4 % per period, at most ceiling in all, at least −4 % per period and at least 0 % in all; what the cap holds back is carried forward.',
    )
    expect(sayRoundings(root)).toBe(
      'The factor rounded to 3 decimals, always up and the price rounded to multiples of 0.05; the percent carried with 4 decimals.',
    )
  })

  it('say so where nothing is written', () => {
    const empty = rootOf('slug: a\nclause: {}\n')
    expect(sayCalendar(empty)).toBe('No start yet, no frequency yet.')
    expect(sayPrice(empty)).toContain('No price')
    expect(sayFixed(empty)).toBe('Nothing is fixed.')
    expect(sayThreshold(empty)).toBe('Every movement counts, however small.')
    expect(saySharing(empty)).toBe('All of the movement is passed on.')
    expect(sayLimits(empty)).toBe('No cap and no floor.')
    expect(sayRoundings(empty)).toContain('4 decimals')
  })

  it('name what the form has no field for', () => {
    const more = rootOf(
      'slug: a\ncolour: red\ntables: { t: [{ value: 1 }] }\nparams: { p: 1, q: [{ from: 2024-01-01, value: 1 }] }\ninputs: { x: { shade: 1 } }\nclause: { wrong: 1 }\nsteps: [{ name: a, expr: b }]\nresult: { kind: FACTOR, step: a }\n',
    )
    expect(sayNotShown(more)).toEqual([
      'the table t',
      'dated values of q',
      'a step',
      '“colour”',
      '“inputs.x.shade”',
      '“clause.wrong”',
    ])
    for (const { write } of templates.filter(({ id }) => !['nec-x1', 'surcharge-table', 'bond-index'].includes(id)))
      expect(sayNotShown(rootOf(write(2026)))).toEqual([])
  })
})

describe('places', () => {
  it.each([
    ['slug', 'clause', 'name'],
    ['contract.price.amount', 'clause', 'contract.price'],
    ['effectiveFrom', 'clause', 'contract'],
    ['inputs.steel.links[0].series', 'clause', 'inputs.steel'],
    ['inputs', 'clause', null],
    ['clause.floor.periodPct', 'clause', 'clause.cap'],
    ['clause.tolerance', 'clause', 'clause.fixed'],
    ['steps[2].expr', 'steps', null],
    ['result.step', 'steps', null],
  ])('%s is mended in the view %s', (path, view, line) => {
    expect(spotOf(path)).toEqual({ view, line })
  })

  it('gives up where there is no field', () => {
    expect(spotOf('tables.t')).toBeNull()
    expect(spotOf('')).toBeNull()
    expect(placesAround('a.b[0].c')).toEqual(['a.b[0].c', 'a.b[0]', 'a.b', 'a'])
  })

  it('finds problems by place, not by the beginning of a word', () => {
    const at = (path: string) => ({ path, message: 'm', line: null })
    const all = [at('inputs.steel.lag'), at('inputs.steel2.lag'), at('inputs.steel'), at('steps[1].expr')]
    expect(problemsUnder(all, 'inputs.steel').map(({ path }) => path)).toEqual(['inputs.steel.lag', 'inputs.steel'])
    expect(problemsUnder(all, 'steps').map(({ path }) => path)).toEqual(['steps[1].expr'])
    expect(keyed(['a', 'b', 'a'], text => text).map(([key]) => key)).toEqual(['a', 'b', 'a 1'])
  })
})

describe('names', () => {
  it.each([
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

  it('finds series by any of their words', () => {
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

  it('begins an input with a name of its own, a lag and a base that fit the series', () => {
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
