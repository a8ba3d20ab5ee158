import { describe, expect, test } from 'vitest'
import { parseDay } from '../core/time/day.ts'
import type { Answer, ProviderQuery } from './provider.ts'
import { statcan } from './statcan.ts'

const read = (body: unknown, more: Partial<Answer> = {}) =>
  statcan.read({
    status: 200,
    contentType: null,
    url: null,
    codes: [],
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...more,
  })

const point = (refPer: string, value: unknown, more: object = {}) => ({
  refPer,
  refPer2: '',
  refPerRaw: refPer,
  refPerRaw2: '',
  value,
  decimals: 1,
  scalarFactorCode: 0,
  symbolCode: 0,
  statusCode: 0,
  securityLevelCode: 0,
  releaseTime: '2026-05-19T08:30',
  frequencyCode: 6,
  ...more,
})
const reply = (points: unknown[], more: object = {}) => ({
  status: 'SUCCESS',
  object: {
    responseStatusCode: 0,
    productId: 18100004,
    coordinate: '2.2.0.0.0.0.0.0.0.0',
    vectorId: 41690973,
    vectorDataPoint: points,
    ...more,
  },
})
/** The literal of a value in its JSON, which must never become a float. */
const withLiteral = (literal: string, more: object = {}) =>
  JSON.stringify([reply([point('2024-01-01', 'LITERAL', more)])]).replace('"LITERAL"', literal)
const writtenAs = (literal: string, decimals: number) =>
  read(withLiteral(literal, { decimals })).series[0]!.observations[0]!.value
const query = (more: Partial<ProviderQuery> = {}): ProviderQuery => ({
  codes: ['v41690973'],
  from: null,
  changedSince: null,
  today: parseDay('2026-06-01')!,
  key: null,
  ...more,
})

describe('reading Statistics Canada', () => {
  test.each([
    [1, 'bad-request'],
    [2, 'unknown-series'],
    [3, 'provider-error'],
    [4, 'unknown-series'],
    [5, 'unknown-series'],
    [6, 'provider-error'],
    [7, 'unknown-series'],
    [8, 'bad-request'],
  ])('STATCAN-1: SUCCESS with response code %i inside is %s', (responseStatusCode, kind) => {
    expect(read([reply([], { responseStatusCode })])).toMatchObject({ series: [], problems: [{ kind }] })
    expect(read([{ ...reply([], { responseStatusCode }), status: 'FAILED' }]).problems[0]!.kind).toBe(kind)
  })

  test('FAILED is classified by its message', () => {
    expect(read([{ status: 'FAILED', object: 'Vector is invalid' }]).problems[0]!.kind).toBe('unknown-series')
    expect(read([{ status: 'FAILED', object: { message: 'JSON syntax error' } }]).problems[0]!.kind).toBe('bad-request')
    expect(read({ message: 'JSON syntax error' }).problems[0]!.kind).toBe('bad-request')
    expect(read([{ status: 'FAILED', object: 'Something broke' }]).problems[0]!.kind).toBe('provider-error')
  })

  test('STATCAN-2: a coordinate without a series has vector 0', () => {
    expect(read([reply([], { vectorId: 0 })]).problems).toEqual([
      { kind: 'unknown-series', message: '18100004 2.2.0.0.0.0.0.0.0.0 does not name a series' },
    ])
  })

  test.each([
    ['3.9520274E7', 0, '39520274'],
    ['1277434.0', 0, '1277434'],
    ['162.0', 1, '162.0'],
    ['7', 2, '7.00'],
    ['136.79999999999998', 1, '136.8'],
    ['-0.35', 1, '-0.4'],
  ])('STATCAN-3, STATCAN-4: %s with %i decimals was published as %s', (literal, decimals, published) => {
    expect(writtenAs(literal, decimals)).toBe(published)
  })

  test('STATCAN-5: the scale is shown in the unit and not applied; a series with two scales is refused', () => {
    const scaled = read([reply([point('2024-01-01', 5, { scalarFactorCode: 6 })])]).series[0]!
    expect([scaled.unit, scaled.observations[0]!.value]).toEqual(['(x10^6)', '5.0'])
    const mixed = [point('2024-01-01', 5, { scalarFactorCode: 6 }), point('2024-02-01', 5, { scalarFactorCode: 3 })]
    expect(read([reply(mixed)])).toMatchObject({ series: [], problems: [{ kind: 'unreadable' }] })
  })

  test('STATCAN-6: a quarter is read from its first day', () => {
    const quarter = point('1996-04-01', 1, { refPerRaw: '1996-06-01', frequencyCode: 9 })
    expect(read([reply([quarter])]).series[0]!.observations[0]!.period).toBe('1996-Q2')
  })

  test('STATCAN-7, STATCAN-12: symbols mean preliminary and revised; a quality letter means neither', () => {
    const points = [
      point('2024-01-01', 1, { statusCode: 3 }),
      point('2024-02-01', 2, { symbolCode: 1 }),
      point('2024-03-01', 3, { symbolCode: 3, statusCode: 7 }),
      point('2024-04-01', 4),
    ]
    expect(read([reply(points)]).series[0]!.observations.map(each => [each.version, each.flag])).toEqual([
      ['FINAL', 'A'],
      ['PRELIMINARY', 'p'],
      ['REVISED', 'r,E'],
      ['FINAL', null],
    ])
  })

  test('a null, a status that says so and a confidential value are missing', () => {
    const points = [
      point('2024-01-01', null),
      point('2024-02-01', null, { statusCode: 1 }),
      point('2024-03-01', 0, { statusCode: 8 }),
      point('2024-04-01', null, { statusCode: 9 }),
      point('2024-05-01', null, { securityLevelCode: 1 }),
    ]
    const [series] = read([reply(points)]).series
    expect(series!.observations).toEqual([])
    expect(series!.missing.map(each => each.flag)).toEqual([null, '..', 'F', '...', 'x'])
    expect(series!.missing[4]!.reason).toContain('confidentiality')
  })

  test.each([
    [1, '2024-05-03', 'DAILY', '2024-05-03'],
    [2, '2024-05-03', 'WEEKLY', '2024-W18'],
    [6, '2024-05-01', 'MONTHLY', '2024-05'],
    [9, '2024-04-01', 'QUARTERLY', '2024-Q2'],
    [11, '2024-07-01', 'SEMIANNUAL', '2024-H2'],
    [12, '2024-01-01', 'ANNUAL', '2024'],
  ])('STATCAN-8: frequency %i of %s is %s %s', (frequencyCode, refPer, frequency, period) => {
    const [series] = read([reply([point(refPer, 1, { frequencyCode })])]).series
    expect([series!.frequency, series!.observations[0]!.period]).toEqual([frequency, period])
  })

  test('fiscal years and two-month spans are not supported', () => {
    const fiscal = point('2019-04-01', 1, { frequencyCode: 12, refPer2: '2020-03-31' })
    expect(read([reply([fiscal])])).toMatchObject({ series: [], problems: [{ kind: 'unreadable' }] })
    const school = point('2015-01-01', 1, { frequencyCode: 12, refPer2: '2016-01-01' })
    expect(read([reply([school])]).problems[0]!.kind).toBe('unreadable')
    expect(read([reply([point('2024-01-01', 1, { frequencyCode: 7 })])]).problems[0]!.kind).toBe('unreadable')
  })

  test('STATCAN-9: the publication day is the date of the release time as written', () => {
    const late = point('2024-01-01', 1, { releaseTime: '2024-02-20T23:30' })
    expect(read([reply([late])]).series[0]!.observations[0]!.published).toBe('2024-02-20')
    expect(
      read([reply([point('2024-01-01', 1, { releaseTime: '' })])]).series[0]!.observations[0]!.published,
    ).toBeNull()
  })

  test('STATCAN-10: replies are matched by their vectors', () => {
    const replies = [reply([point('2024-01-01', 1)], { vectorId: 2 }), reply([point('2024-01-01', 2)], { vectorId: 1 })]
    expect(read(replies).series.map(each => each.code)).toEqual(['v2', 'v1'])
    const mixed = read([reply([point('2024-01-01', 1)]), reply([], { responseStatusCode: 4, vectorId: 9 })])
    expect([mixed.series.length, mixed.problems[0]!.kind]).toEqual([1, 'unknown-series'])
  })

  test('STATCAN-11: a product id may be a number or a string', () => {
    const kindOf = (productId: unknown) => read([reply([], { productId, vectorId: 0 })]).problems[0]!.message
    expect(kindOf('18100004')).toBe(kindOf(18100004))
  })

  test('STATCAN-13: an empty answer means "try later"', () => {
    expect(read([]).problems[0]!.kind).toBe('provider-error')
    expect(read('').problems[0]!.kind).toBe('provider-error')
    expect(read('{"message":"locked"}', { status: 409 }).problems[0]!.kind).toBe('provider-error')
    expect(read([reply([])]).problems[0]!.kind).toBe('provider-error')
    const url = 'https://www150.statcan.gc.ca/t1/wds/rest/getBulkVectorDataByRange'
    expect(read([reply([])], { url })).toEqual({ series: [], problems: [] })
  })

  test('series information has a title and no figures; other calls are not series', () => {
    const info = { responseStatusCode: 0, vectorId: 41690973, frequencyCode: 6, SeriesTitleEn: 'Canada;All-items' }
    expect(read([{ status: 'SUCCESS', object: info }]).series).toEqual([
      { code: 'v41690973', name: 'Canada;All-items', unit: null, frequency: 'MONTHLY', observations: [], missing: [] },
    ])
    expect(read({ status: 'SUCCESS', object: 'https://h/14100287-eng.zip' }).problems[0]!.kind).toBe('unreadable')
  })
})

describe('asking Statistics Canada', () => {
  test('asks for vectors, at most 100 at once', () => {
    const codes = Array.from({ length: 101 }, (_, index) => `v${index + 1}`)
    const requests = statcan.request(query({ codes, from: parseDay('2026-01-01') }))
    expect(requests.map(each => each.codes.length)).toEqual([100, 1])
    expect(requests[1]).toMatchObject({
      method: 'POST',
      path: '/getDataFromVectorsAndLatestNPeriods',
      body: '[{"vectorId":101,"latestN":182}]',
    })
  })

  test('STATCAN-12: asks for what was released since, because revisions carry no mark', () => {
    const [asked] = statcan.request(query({ changedSince: '2026-05-20T12:00:00.000000Z' }))
    expect(asked!.path).toBe('/getBulkVectorDataByRange')
    expect(JSON.parse(asked!.body!)).toEqual({
      vectorIds: ['41690973'],
      startDataPointReleaseDate: '2026-05-19T00:00',
      endDataPointReleaseDate: '2026-06-02T23:59',
    })
  })

  test.each(['41690973', 'v', 'v12x', '18-10-0004'])('refuses the code "%s"', code => {
    expect(() => statcan.request(query({ codes: [code] }))).toThrow('a StatCan code is a vector')
  })
})
