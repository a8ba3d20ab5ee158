import { describe, expect, test } from 'vitest'
import { parseDay } from '../core/time/day.ts'
import { eia } from './eia.ts'
import type { Answer, ProviderQuery } from './provider.ts'

const answer = (body: unknown, status = 200): Answer => ({
  status,
  contentType: null,
  url: null,
  codes: [],
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const read = (body: unknown, status = 200) => eia.read(answer(body, status))

const row = (period: string, value: unknown, more: object = {}) => ({
  period,
  duoarea: 'ZEU',
  'area-name': 'NA',
  series: 'RBRTE',
  'series-description': 'Europe Brent Spot Price FOB (Dollars per Barrel)',
  value,
  units: '$/BBL',
  ...more,
})
interface Frame {
  readonly frequency?: string
  readonly route?: string
  readonly params?: object
  readonly total?: unknown
  readonly warnings?: unknown
}
const body = (data: unknown, frame: Frame = {}) => ({
  response: {
    total: frame.total ?? (Array.isArray(data) ? data.length.toString() : '0'),
    frequency: frame.frequency ?? 'monthly',
    data,
    ...(frame.warnings === undefined ? {} : { warnings: frame.warnings }),
  },
  request: {
    command: `/v2/${frame.route ?? 'petroleum/pri/spt'}/data/`,
    params: { api_key: 'THEKEY', data: ['value'], ...frame.params },
  },
  apiVersion: '2.1.13',
})
const incomplete = [{ warning: 'incomplete return', description: 'The API can only return 5000 rows in JSON format.' }]
const query = (more: Partial<ProviderQuery> = {}): ProviderQuery => ({
  codes: ['petroleum/pri/spt/RBRTE/M'],
  from: null,
  changedSince: null,
  today: parseDay('2026-07-09')!,
  key: 'THEKEY',
  ...more,
})

describe('reading EIA', () => {
  test('EIA-1: the key that the body echoes is nowhere in the parsed answer', () => {
    const good = body([row('2025-01', '79.27')])
    const bad = body([], { total: '0' })
    const broken = JSON.stringify(body([row('2025-01', '79.27')])).slice(0, -1)
    expect(JSON.stringify([read(good), read(bad), read(broken)])).not.toContain('THEKEY')
    expect(read({ error: 'Bad key: THEKEY.', code: 400 }).problems[0]!.message).toBe('Bad key: ***.')
  })

  test('EIA-2: rows without values mean that the request named no column', () => {
    const { value: _value, ...rest } = row('2025-01', '1')
    expect(read(body([rest], { params: { data: [] } }))).toMatchObject({
      series: [],
      problems: [{ kind: 'bad-request' }],
    })
  })

  test('EIA-3: values and totals are strings or numbers, and null is missing', () => {
    const old =
      '{"response":{"total":3,"frequency":"monthly","data":[{"period":"2022-10","series":"X","value":400.50,"units":"u"},{"period":"2022-11","series":"X","value":null,"units":"u"}]},"request":{"command":"/v2/a/b/data/","params":{}},"apiVersion":"2.0.3"}'
    const [series] = read(old).series
    expect(series!.observations[0]!.value).toBe('400.50')
    expect(series!.missing).toEqual([{ period: '2022-11', flag: null, reason: 'null' }])
  })

  test('EIA-4: an incomplete answer is read and reported as too large, unless it is the last page', () => {
    const cut = read(body([row('2025-01', '1')], { total: '6949', warnings: incomplete }))
    expect(cut.series).toHaveLength(1)
    expect(cut.problems.map(each => each.kind)).toEqual(['too-large'])
    const last = body([row('2025-01', '1')], { total: '5001', warnings: incomplete, params: { offset: '5000' } })
    expect(read(last).problems).toEqual([])
    const other = body([row('2025-01', '1')], { warnings: [{ warning: 'another warning' }] })
    expect(read(other).problems).toEqual([])
  })

  test('EIA-5: no row at all is an unknown series', () => {
    expect(read(body([], { total: '0' }))).toMatchObject({ series: [], problems: [{ kind: 'unknown-series' }] })
    expect(read(body([], { total: '5000', params: { offset: '5000' } })).problems).toEqual([])
  })

  test.each([
    [{ error: { code: 'API_KEY_MISSING', message: 'No api_key was supplied.' } }, 'bad-key'],
    [{ error: { code: 'API_KEY_INVALID', message: 'An invalid api_key was supplied.' } }, 'bad-key'],
    [{ error: { code: 'OVER_RATE_LIMIT', message: 'Too fast.' } }, 'rate-limited'],
    [{ error: "Invalid frequency 'millenially' provided.", code: 400 }, 'bad-request'],
    [{ error: 'Not found.', code: 404 }, 'bad-request'],
    [{ error: 'Database error.', code: 500 }, 'provider-error'],
  ])('EIA-6: %j is %s', (error, kind) => expect(read(error).problems.map(each => each.kind)).toEqual([kind]))

  test('EIA-7: the body takes precedence over the status', () => {
    expect(read({ error: 'Invalid start.', code: 400 }, 404).problems[0]!.kind).toBe('bad-request')
    expect(read({ error: 'Not found.' }, 404).problems[0]!.kind).toBe('bad-request')
    expect(read('<html><title>EIA outage</title></html>').problems[0]!.kind).toBe('provider-error')
  })

  test('EIA-9: a small figure gets its leading zero and no digit changes', () => {
    expect(read(body([row('2025-01', '.11326150549')])).series[0]!.observations[0]!.value).toBe('0.11326150549')
  })

  test('EIA-10: "NA" is a label in a name and means missing in a value', () => {
    const [series] = read(body([row('2025-01', 'NA'), row('2025-02', 'w'), row('2025-03', '72.73')])).series
    expect(series!.missing.map(each => [each.period, each.reason])).toEqual([
      ['2025-01', 'marker "NA"'],
      ['2025-02', 'marker "w"'],
    ])
    expect(series!.observations).toHaveLength(1)
    expect(read(body([row('2025-01', 'Infinity')])).problems[0]!.kind).toBe('unreadable')
  })

  test('EIA-11: route and frequency are part of the code', () => {
    expect(read(body([row('2025-01', '1')])).series[0]!.code).toBe('petroleum/pri/spt/RBRTE/M')
    const weekly = read(body([row('2025-01-03', '1')], { frequency: 'weekly' })).series[0]!
    expect([weekly.code, weekly.frequency]).toEqual(['petroleum/pri/spt/RBRTE/W', 'WEEKLY'])
  })

  test.each([
    ['annual', '2024', '2024'],
    ['quarterly', '2024-Q1', '2024-Q1'],
    ['monthly', '2025-01', '2025-01'],
    ['weekly', '1990-08-20', '1990-W34'],
    ['weekly', '1993-12-24', '1993-W51'],
    ['daily', '2025-01-03', '2025-01-03'],
  ])('a %s period %s is %s', (frequency, written, period) => {
    expect(read(body([row(written, '1')], { frequency })).series[0]!.observations[0]!.period).toBe(period)
  })

  test('hourly data is not supported', () => {
    expect(read(body([row('2022-10-31T11', '1')], { frequency: 'hourly' }))).toMatchObject({
      series: [],
      problems: [{ kind: 'unreadable' }],
    })
  })

  test('EIA-12: the outlooks, whose forecasts look like data, are not read', () => {
    const outlook = body([{ period: '2024-Q1', seriesId: 'TOPRAC', value: '.1', unit: 'million barrels per day' }], {
      route: 'steo',
      frequency: 'quarterly',
    })
    expect(read(outlook)).toMatchObject({ series: [], problems: [{ kind: 'unreadable' }] })
    expect(() => eia.request(query({ codes: ['steo/TOPRAC/Q'] }))).toThrow('holds forecasts')
  })

  test('EIA-13: route metadata is not read as rows', () => {
    const metadata = { response: { id: 'petroleum', frequency: [], data: { value: [] } }, request: {} }
    expect(read(metadata).problems[0]!.kind).toBe('unreadable')
  })

  test('EIA-14: escaped slashes are slashes', () => {
    const text = JSON.stringify(body([row('2025-01', '1')])).replaceAll('/', '\\/')
    expect(read(text).series[0]).toMatchObject({ code: 'petroleum/pri/spt/RBRTE/M', unit: '$/BBL' })
  })

  test('a route without ids: every named column is a series, and its facets replace the id', () => {
    const plant = (fuel: string, generation: string) => ({
      period: '2020-11',
      plantCode: '61034',
      plantName: 'EcoElectrica',
      fuel2002: fuel,
      fuelTypeDescription: 'Natural Gas',
      state: 'PR',
      stateDescription: null,
      generation,
      'gross-generation': '2',
      'generation-units': 'megawatthours',
      'gross-generation-units': 'megawatthours',
    })
    const parsed = read(
      body([plant('NG', '1'), plant('ALL', '3')], {
        route: 'electricity/facility-fuel',
        params: { data: ['generation', 'gross-generation'] },
      }),
    )
    expect(parsed.problems).toEqual([])
    expect(parsed.series.map(each => each.code)).toEqual([
      'electricity/facility-fuel/generation;fuel2002=NG;plantCode=61034;state=PR/M',
      'electricity/facility-fuel/gross-generation;fuel2002=NG;plantCode=61034;state=PR/M',
      'electricity/facility-fuel/generation;fuel2002=ALL;plantCode=61034;state=PR/M',
      'electricity/facility-fuel/gross-generation;fuel2002=ALL;plantCode=61034;state=PR/M',
    ])
    expect(parsed.series[0]).toMatchObject({ unit: 'megawatthours', name: 'generation, EcoElectrica, Natural Gas' })
  })
})

describe('asking EIA', () => {
  test('asks with a column, a facet, a sort and a page, and names its key as a secret', () => {
    const [asked] = eia.request(query())
    expect(asked!.path).toBe(
      '/petroleum/pri/spt/data/?api_key=THEKEY&frequency=monthly&data[]=value&facets[series][]=RBRTE&sort[0][column]=period&sort[0][direction]=asc&offset=0&length=5000',
    )
    expect(asked!.secrets).toEqual(['THEKEY'])
  })

  test.each([
    ['petroleum/pri/spt/RBRTE/A', 'start=2008&'],
    ['petroleum/pri/spt/RBRTE/Q', 'start=2008-Q1&'],
    ['petroleum/pri/spt/RBRTE/M', 'start=2008-02&'],
    ['petroleum/pri/spt/RBRTE/W', 'start=2008-01-28&'],
    ['petroleum/pri/spt/RBRTE/D', 'start=2008-02-01&'],
  ])('EIA-8: the start of %s is written like its periods', (code, start) => {
    expect(eia.request(query({ codes: [code], from: parseDay('2008-02-01') }))[0]!.path).toContain(start)
  })

  test('a code with facets asks for its column and its facets', () => {
    const [asked] = eia.request(query({ codes: ['electricity/retail-sales/price;sectorid=RES;stateid=CO/M'] }))
    expect(asked!.path).toContain('/electricity/retail-sales/data/?')
    expect(asked!.path).toContain('data[]=price&facets[sectorid][]=RES&facets[stateid][]=CO&')
  })

  test('EIA-4: asks for the next page while rows are left', () => {
    const [asked] = eia.request(query())
    const data = [row('2025-01', '1'), row('2025-02', '1')]
    const next = eia.next!(asked!, answer(body(data, { total: '5', params: { offset: '2' } })))
    expect(next!.path).toContain('&offset=4')
    expect(eia.next!(asked!, answer(body(data, { total: '2' })))).toBeNull()
    expect(eia.next!(asked!, answer('<html></html>'))).toBeNull()
  })

  test.each(['RBRTE', 'petroleum/pri/spt/RBRTE', 'petroleum/pri/spt/RBRTE/H', '../x/RBRTE/M', 'a/price;x/M'])(
    'refuses the code "%s"',
    code => expect(() => eia.request(query({ codes: [code] }))).toThrow(/EIA code/),
  )
})
