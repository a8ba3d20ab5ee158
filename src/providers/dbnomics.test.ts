import { describe, expect, test } from 'vitest'
import { dbnomics } from './dbnomics.ts'
import type { Answer, ProviderQuery } from './provider.ts'

const answer = (body: unknown, more: Partial<Answer> = {}): Answer => ({
  status: 200,
  contentType: null,
  url: null,
  codes: [],
  body: typeof body === 'string' ? body : JSON.stringify(body),
  ...more,
})
const read = (body: unknown, more: Partial<Answer> = {}) => dbnomics.read(answer(body, more))

const doc = (frequency: string, period: unknown, value: unknown, more: object = {}) => ({
  '@frequency': frequency,
  provider_code: 'BIS',
  dataset_code: 'cbpol',
  dataset_name: 'Policy rates',
  series_code: 'M.CA',
  series_name: 'Monthly – Canada',
  indexed_at: '2021-06-25T01:24:17.455Z',
  period,
  value,
  ...more,
})
const body = (docs: unknown[], more: object = {}) => ({
  _meta: { version: '22.1.3' },
  errors: null,
  series: { docs, limit: 1000, num_found: docs.length, offset: 0 },
  ...more,
})
const query = (codes: readonly string[]): ProviderQuery => ({
  codes,
  from: null,
  changedSince: null,
  today: 20_000,
  key: null,
})

describe('reading DBnomics', () => {
  test('DBNOMICS-1: "NA" among numbers is missing, and so is null', () => {
    const [series] = read(body([doc('monthly', ['1960-06', '1960-07', '1960-08'], ['NA', 3.17, null])])).series
    expect(series).toMatchObject({ code: 'BIS/cbpol/M.CA', name: 'Monthly – Canada', frequency: 'MONTHLY' })
    expect(series!.missing).toEqual([
      { period: '1960-06', flag: null, reason: 'marker "NA"' },
      { period: '1960-08', flag: null, reason: 'null' },
    ])
    expect(series!.observations).toEqual([
      { period: '1960-07', value: '3.17', version: 'FINAL', flag: null, published: null },
    ])
  })

  test('DBNOMICS-2: arrays of different lengths are not read', () => {
    const uneven = read(body([doc('monthly', ['1960-06', '1960-07'], [1]), doc('annual', ['1967'], [2])]))
    expect([uneven.series.length, uneven.problems[0]!.kind]).toEqual([1, 'unreadable'])
    const starts = doc('monthly', ['1960-06'], [1], { period_start_day: [] })
    expect(read(body([starts])).problems[0]!.kind).toBe('unreadable')
  })

  test('DBNOMICS-3: a series without observations means that they were not requested', () => {
    const { period: _period, value: _value, ...bare } = doc('monthly', [], [])
    expect(read(body([bare])).problems[0]!.kind).toBe('bad-request')
  })

  test('DBNOMICS-5: errors may come together with good series', () => {
    const errors = [{ message: 'Series not found', provider_code: 'BIS', dataset_code: 'cbpol', series_code: 'M.XX' }]
    const parsed = read(body([doc('annual', ['1967'], [2])], { errors }))
    expect(parsed.series).toHaveLength(1)
    expect(parsed.problems).toEqual([{ kind: 'unknown-series', message: 'BIS/cbpol/M.XX: Series not found' }])
  })

  test('DBNOMICS-6, DBNOMICS-7: there is no publication date, and the unit is only in the name', () => {
    expect(read(body([doc('annual', ['1967'], [2])])).series[0]!.observations[0]!.published).toBeNull()
    expect(read(body([doc('annual', ['1967'], [2])])).series[0]!.unit).toBeNull()
  })

  test('DBNOMICS-8: digits are kept as sent, exponents written out', () => {
    const text = JSON.stringify(body([doc('annual', ['1967', '1968'], ['A', 'B'])]))
      .replace('"A"', '2.0')
      .replace('"B"', '1.5e-05')
    expect(read(text).series[0]!.observations.map(each => each.value)).toEqual(['2.0', '0.000015'])
  })

  test.each([
    ['annual', '1967', '1967'],
    ['bi-annual', '2020-S1', '2020-H1'],
    ['quarterly', '2020-Q1', '2020-Q1'],
    ['monthly', '1946-01', '1946-01'],
    ['weekly', '2020-W05', '2020-W05'],
    ['weekly', '2020-01-27', '2020-W05'],
    ['daily', '2020-01-27', '2020-01-27'],
  ])('%s %s is %s', (frequency, written, period) => {
    expect(read(body([doc(frequency, [written], [1])])).series[0]!.observations[0]!.period).toBe(period)
  })

  test('two-month periods are not supported, and a period of another frequency is a problem', () => {
    expect(read(body([doc('bi-monthly', ['2020-B1'], [1])]))).toMatchObject({
      series: [],
      problems: [{ kind: 'unreadable' }],
    })
    expect(read(body([doc('monthly', ['2020-Q1'], [1])])).problems[0]!.kind).toBe('unreadable')
  })

  test('unknown series are reported, whatever the answer looks like', () => {
    expect(read({ message: 'Dataset not found' }, { status: 404 }).problems[0]!.kind).toBe('unknown-series')
    expect(read({ message: 'Dataset not found' }).problems[0]!.kind).toBe('unknown-series')
    expect(read(body([])).problems[0]!.kind).toBe('unknown-series')
    expect(read({ errors: [{ message: 'Gateway timeout' }] }).problems[0]!.kind).toBe('provider-error')
    expect(read({ message: 'oops' }, { status: 500 }).problems[0]!.kind).toBe('provider-error')
    expect(read({ hello: 1 }).problems[0]!.kind).toBe('unreadable')
    expect(read('<html><title>502</title></html>', { status: 502 }).problems[0]!.kind).toBe('provider-error')
  })
})

describe('asking DBnomics', () => {
  test('DBNOMICS-3, DBNOMICS-4: asks for observations, and encodes every part of the path', () => {
    const [asked] = dbnomics.request(query(['IMF/WEO:latest/USA.NGDP RPCH']))
    expect(asked!.path).toBe(
      '/series/IMF/WEO%3Alatest/USA.NGDP%20RPCH?observations=1&format=json&metadata=0&limit=1000&offset=0',
    )
  })

  test('asks for the next page while series are left', () => {
    const [asked] = dbnomics.request(query(['BIS/cbpol/M..']))
    const docs = [doc('annual', ['1967'], [2])]
    const next = dbnomics.next!(asked!, answer(body(docs, { series: { docs, num_found: 3, offset: 1 } })))
    expect(next!.path).toContain('offset=2')
    expect(dbnomics.next!(asked!, answer(body(docs)))).toBeNull()
    expect(dbnomics.next!(asked!, answer('x'))).toBeNull()
  })

  test.each(['BIS', 'BIS/cbpol', 'BIS//M.CA', '../cbpol/M.CA'])('refuses the code "%s"', code => {
    expect(() => dbnomics.request(query([code]))).toThrow('a DBnomics code is provider/data set/series')
  })
})
