import { describe, expect, test } from 'vitest'
import { parseDay } from '../core/time/day.ts'
import { bls } from './bls.ts'
import type { ProviderQuery } from './provider.ts'

const read = (body: unknown, status = 200) =>
  bls.read({
    status,
    contentType: null,
    url: null,
    codes: [],
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

const point = (year: string, period: string, value: string, footnotes: unknown[] = [{}]) => ({
  year,
  period,
  periodName: '',
  value,
  footnotes,
})
const succeeded = (data: unknown[], message: unknown = [], seriesID = 'CUUR0000SA0') => ({
  status: 'REQUEST_SUCCEEDED',
  responseTime: 70,
  message,
  Results: { series: [{ seriesID, data }] },
})
const query = (more: Partial<ProviderQuery> = {}): ProviderQuery => ({
  codes: ['CUUR0000SA0'],
  from: parseDay('2024-03-01'),
  changedSince: null,
  today: parseDay('2026-08-24')!,
  key: 'secretkey',
  ...more,
})

describe('reading BLS', () => {
  test('BLS-1, BLS-2: status, message and Results together decide, and Results may be empty or null', () => {
    const key = 'The key:ABCDEF provided by the User is invalid. Please provide a proper key'
    expect(read({ status: 'REQUEST_NOT_PROCESSED', message: [key], Results: {} }).problems[0]!.kind).toBe('bad-key')
    expect(read({ status: 'REQUEST_FAILED', message: ['Your request has failed.'], Results: null }).problems).toEqual([
      { kind: 'bad-request', message: 'Your request has failed.' },
    ])
    expect(read({ status: 'REQUEST_SUCCEEDED', message: [], Results: { series: [] } }).problems[0]!.kind).toBe(
      'bad-request',
    )
    const limit = 'Request could not be serviced, as the daily threshold for total number of requests has been reached.'
    expect(read({ status: 'REQUEST_NOT_PROCESSED', message: [limit], Results: {} }).problems[0]!.kind).toBe(
      'rate-limited',
    )
  })

  test('BLS-3: an unknown series is a success with a message and no data', () => {
    const parsed = read(succeeded([], ['Invalid Series for Series NOPE'], 'NOPE'))
    expect(parsed).toEqual({
      series: [],
      problems: [{ kind: 'unknown-series', message: 'Invalid Series for Series NOPE' }],
    })
    expect(read(succeeded([], ['No Data Available for Series NOPE Year: 2020'], 'NOPE'))).toEqual({
      series: [],
      problems: [],
    })
    expect(read(succeeded([], [], 'NOPE')).problems[0]!.kind).toBe('unknown-series')
  })

  test('messages next to good data are problems only if something is wrong', () => {
    const locked = read(succeeded([point('2026', 'M01', '1.0')], ['Database is locked for Series X']))
    expect(locked.series).toHaveLength(1)
    expect(locked.problems.map(each => each.kind)).toEqual(['provider-error'])
    const cut = 'Year range has been reduced to the system-allowed limit of 10 years.'
    expect(read(succeeded([point('2026', 'M01', '1.0')], [cut])).problems[0]!.kind).toBe('too-large')
    const notes = ['No Data Available for Series X Year: 2020', 'Unable to get Catalog Data for series X']
    expect(read(succeeded([point('2026', 'M01', '1.0')], notes)).problems).toEqual([])
  })

  test('BLS-5, BLS-6: "-" marks a missing figure, with the reason next to it', () => {
    const lapse = { code: 'X', text: 'Data unavailable due to the 2025 lapse in appropriations' }
    const [series] = read(succeeded([point('2025', 'M10', '-', [lapse]), point('2025', 'M09', '324.800')])).series
    expect(series!.missing).toEqual([{ period: '2025-10', flag: 'X', reason: lapse.text }])
    expect(series!.observations.map(each => each.period)).toEqual(['2025-09'])
  })

  test('BLS-7: P is preliminary and R revised by their codes; other codes are kept as flags', () => {
    const rows = [
      point('2026', 'M04', '4', [{ code: 'P', text: 'Preliminary.' }]),
      point('2026', 'M03', '3', [{ code: 'R', text: 'revised' }]),
      point('2026', 'M02', '2', [
        { code: '12', text: 'January 2026 estimates were revised to incorporate population controls.' },
        { code: 'C', text: 'corrected' },
      ]),
      point('2026', 'M01', '1', []),
    ]
    expect(read(succeeded(rows)).series[0]!.observations.map(each => [each.version, each.flag])).toEqual([
      ['FINAL', null],
      ['FINAL', '12,C'],
      ['REVISED', 'R'],
      ['PRELIMINARY', 'P'],
    ])
  })

  test('BLS-8: M13, Q05 and S03 are averages, not periods', () => {
    const monthly = read(succeeded([point('2024', 'M13', '9'), point('2024', 'M12', '1')])).series[0]!
    expect(monthly.observations.map(each => each.period)).toEqual(['2024-12'])
    const quarterly = read(succeeded([point('2024', 'Q05', '9'), point('2024', 'Q04', '1')])).series[0]!
    expect([quarterly.frequency, quarterly.observations[0]!.period]).toEqual(['QUARTERLY', '2024-Q4'])
    const halves = read(succeeded([point('2024', 'S03', '9'), point('2024', 'S02', '1'), point('2024', 'S01', '2')]))
    expect(halves.series[0]!.observations.map(each => each.period)).toEqual(['2024-H1', '2024-H2'])
    expect(read(succeeded([point('2024', 'A01', '1')])).series[0]!.observations[0]!.period).toBe('2024')
  })

  test('half-years next to months are averages too, and only the months are read', () => {
    const [series] = read(
      succeeded([point('2024', 'S01', '9'), point('2024', 'M04', '2'), point('2024', 'M02', '1')]),
    ).series
    expect(series).toMatchObject({ frequency: 'MONTHLY', missing: [] })
    expect(series!.observations.map(each => each.period)).toEqual(['2024-02', '2024-04'])
  })

  test('BLS-9, BLS-10: trailing zeros are digits, and `latest` changes nothing', () => {
    const newest = { ...point('2026', 'M04', '333.020'), latest: 'true' }
    expect(read(succeeded([newest])).series[0]!.observations[0]!.value).toBe('333.020')
  })

  test('BLS-11: a key that comes back in a message is blanked', () => {
    const message = 'The key:0a1b2c3d provided by the User is invalid.'
    const parsed = read({ status: 'REQUEST_NOT_PROCESSED', message: [message], Results: {} })
    expect(JSON.stringify(parsed)).not.toContain('0a1b2c3d')
  })

  test('a period or value it cannot read is a problem; the others are read', () => {
    const parsed = read(succeeded([point('2026', 'W01', '1'), point('2026', 'M01', 'abc'), point('2026', 'M02', '2')]))
    expect(parsed.series[0]!.observations).toHaveLength(1)
    expect(parsed.problems.map(each => each.kind)).toEqual(['unreadable'])
  })

  test('the title of the catalogue is the name', () => {
    const body = succeeded([point('2026', 'M01', '1')])
    Object.assign(body.Results.series[0]!, { catalog: { series_title: 'Flour' } })
    expect(read(body).series[0]!.name).toBe('Flour')
  })

  test('a web page, a broken body and an unexpected one are reported as what they are', () => {
    expect(read('<html><title>Site Maintenance</title></html>').problems[0]!.kind).toBe('provider-error')
    expect(read('{"status": "REQ').problems[0]!.kind).toBe('unreadable')
    expect(read({ hello: 1 }).problems[0]!.kind).toBe('unreadable')
    expect(read([]).problems[0]!.kind).toBe('unreadable')
    expect(read({ hello: 1 }, 503).problems[0]!.kind).toBe('provider-error')
  })
})

describe('asking BLS', () => {
  test('asks at most 50 series and 20 years at once, newest years first', () => {
    const codes = Array.from({ length: 51 }, (_, index) => `CUUR0000SA${index}`)
    const requests = bls.request(query({ codes, from: parseDay('1990-01-01') }))
    const bodies = requests.map(each => JSON.parse(each.body!))
    expect(bodies.map(each => [each.seriesid.length, each.startyear, each.endyear])).toEqual([
      [50, '2007', '2026'],
      [50, '1990', '2006'],
      [1, '2007', '2026'],
      [1, '1990', '2006'],
    ])
    expect(requests[0]).toMatchObject({ method: 'POST', path: '/timeseries/data/', codes: codes.slice(0, 50) })
  })

  test('without a key asks within smaller limits', () => {
    const codes = Array.from({ length: 26 }, (_, index) => `CUUR0000SA${index}`)
    const requests = bls.request(query({ codes, from: parseDay('2016-01-01'), key: null }))
    expect(requests).toHaveLength(4)
    expect(requests[0]).toMatchObject({ path: '/timeseries/data/', secrets: [] })
    expect(requests[0]!.body).not.toContain('registrationkey')
  })

  test('the whole history includes every year', () => {
    const spans = bls.request(query({ from: null })).map(each => JSON.parse(each.body!))
    const years = spans.flatMap(({ startyear, endyear }) => {
      const [first, last] = [Number.parseInt(startyear, 10), Number.parseInt(endyear, 10)]
      return Array.from({ length: last - first + 1 }, (_, index) => first + index)
    })
    expect(years.sort()).toEqual(Array.from({ length: 114 }, (_, index) => 1913 + index))
  })

  test('BLS-4: never asks for the catalogue', () => {
    expect(bls.request(query())[0]!.body).not.toContain('catalog')
  })

  test('names its key as a secret', () => {
    const [asked] = bls.request(query())
    expect(asked!.secrets).toEqual(['secretkey'])
    expect(JSON.parse(asked!.body!).registrationkey).toBe('secretkey')
  })

  test.each(['', 'cuur', 'CUUR0000SA0,LNS14000000', 'CUUR 0000'])('refuses the code "%s"', code => {
    expect(() => bls.request(query({ codes: [code] }))).toThrow('a BLS code is a series id')
  })
})
