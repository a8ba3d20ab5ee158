import { describe, expect, test } from 'vitest'
import { parseDay } from '../core/time/day.ts'
import { nasdaqDataLink } from './nasdaq-data-link.ts'
import type { Answer, ProviderQuery } from './provider.ts'

const read = (body: unknown, more: Partial<Answer> = {}) =>
  nasdaqDataLink.read({
    status: 200,
    contentType: null,
    url: null,
    codes: [],
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...more,
  })

const set = (data: unknown, more: object = {}) => ({
  dataset: {
    dataset_code: 'BIGMAC_USA',
    database_code: 'ECONOMIST',
    name: 'Big Mac Index - United States',
    refreshed_at: '2023-03-15T00:00:16.768Z',
    column_names: ['Date', 'dollar_price'],
    frequency: 'daily',
    data,
    ...more,
  },
})
const rowsOnly =
  '{"dataset_data":{"column_names":["Date","ShortVolume","TotalVolume"],"data":[["2013-04-01",32348.0,167886.0]]}}'
const query = (more: Partial<ProviderQuery> = {}): ProviderQuery => ({
  codes: ['ECONOMIST/BIGMAC_USA/dollar_price'],
  from: null,
  changedSince: null,
  today: parseDay('2023-03-15')!,
  key: 'thekey',
  ...more,
})

describe('reading Nasdaq Data Link', () => {
  test('NASDAQ_DATA_LINK-1: the message of a bad key does not repeat it', () => {
    const message = 'We could not recognize your API key: s3cr3t. Please check your API key and try again.'
    const parsed = read({ quandl_error: { code: 'QEAx01', message } })
    expect(parsed.problems).toEqual([
      {
        kind: 'bad-key',
        message: 'QEAx01: We could not recognize your API key: ***. Please check your API key and try again.',
      },
    ])
  })

  test.each([
    ['QEPx04', 'bad-key'],
    ['QEPx05', 'bad-key'],
    ['QECx02', 'unknown-series'],
    ['QECx06', 'unknown-series'],
    ['QELx04', 'rate-limited'],
    ['QESx04', 'bad-request'],
    ['QEMx01', 'provider-error'],
    ['QEXx01', 'provider-error'],
    ['what', 'provider-error'],
  ])('the error %s is %s', (code, kind) => {
    expect(read({ quandl_error: { code, message: 'x' } })).toMatchObject({ series: [], problems: [{ kind }] })
  })

  test('NASDAQ_DATA_LINK-2, NASDAQ_DATA_LINK-3, NASDAQ_DATA_LINK-5: dates stay dates, whatever the stated frequency, and are sorted', () => {
    const [series] = read(
      set(
        [
          ['2006-05-31', 3.1],
          ['2006-01-31', 3.15],
        ],
        { frequency: 'annual' },
      ),
    ).series
    expect(series!.frequency).toBe('DAILY')
    expect(series!.observations.map(each => each.period)).toEqual(['2006-01-31', '2006-05-31'])
  })

  test('NASDAQ_DATA_LINK-4: every column is a separate series', () => {
    const parsed = read(set([['2013-04-01', 1, null]], { column_names: ['Date', 'Short', 'Total'] }))
    expect(parsed.series.map(each => [each.code, each.name, each.observations.length, each.missing.length])).toEqual([
      ['ECONOMIST/BIGMAC_USA/Short', 'Big Mac Index - United States, Short', 1, 0],
      ['ECONOMIST/BIGMAC_USA/Total', 'Big Mac Index - United States, Total', 0, 1],
    ])
  })

  test('NASDAQ_DATA_LINK-7: rows alone do not say which data set they belong to; the code or the address does', () => {
    expect(read(rowsOnly)).toMatchObject({ series: [], problems: [{ kind: 'unreadable' }] })
    expect(read(rowsOnly, { codes: ['FINRA/FNYX_PM/ShortVolume'] }).series.map(each => each.code)).toEqual([
      'FINRA/FNYX_PM/ShortVolume',
      'FINRA/FNYX_PM/TotalVolume',
    ])
    const url = 'https://data.nasdaq.com/api/v3/datasets/FINRA/FNYX_PM/data?order=asc'
    expect(read(rowsOnly, { url }).series[0]!.code).toBe('FINRA/FNYX_PM/ShortVolume')
    expect(read(rowsOnly, { url: url.replace('/data?', '.json?') }).series[0]!.code).toBe('FINRA/FNYX_PM/ShortVolume')
  })

  test('NASDAQ_DATA_LINK-8: digits stay as sent', () => {
    const value = (literal: string) =>
      read(JSON.stringify(set([['2013-04-01', 'L']])).replace('"L"', literal)).series[0]!.observations[0]!.value
    expect([value('32348.0'), value('3.04635761589404')]).toEqual(['32348.0', '3.04635761589404'])
  })

  test('tables, web pages and invalid rows are reported as what they are', () => {
    const table = { datatable: { data: [['MSFT', '2018-12-31']], columns: [] }, meta: { next_cursor_id: null } }
    expect(read(table).problems[0]!.kind).toBe('unreadable')
    expect(read(set([['2013-04-01']])).problems[0]!.kind).toBe('unreadable')
    expect(read(set(['x', ['soon', 1], ['2013-04-01', 2]])).series[0]!.observations).toHaveLength(1)
    expect(read(set([], { column_names: [] })).problems[0]!.kind).toBe('unreadable')
    expect(read('<html><title>Incapsula</title></html>', { status: 403 }).problems[0]!.kind).toBe('provider-error')
  })
})

describe('asking Nasdaq Data Link', () => {
  test('NASDAQ_DATA_LINK-4: asks for a set once, with its key named as a secret', () => {
    const codes = ['FINRA/FNYX_PM/ShortVolume', 'FINRA/FNYX_PM/TotalVolume', 'ECONOMIST/BIGMAC_USA/dollar_price']
    const requests = nasdaqDataLink.request(query({ codes, from: parseDay('2020-01-01') }))
    expect(requests.map(each => each.path)).toEqual([
      '/datasets/FINRA/FNYX_PM.json?order=asc&start_date=2020-01-01&api_key=thekey',
      '/datasets/ECONOMIST/BIGMAC_USA.json?order=asc&start_date=2020-01-01&api_key=thekey',
    ])
    expect(requests[0]).toMatchObject({ codes: codes.slice(0, 2), secrets: ['thekey'] })
    expect(nasdaqDataLink.request(query({ key: null }))[0]!.path).toBe('/datasets/ECONOMIST/BIGMAC_USA.json?order=asc')
  })

  test.each(['ECONOMIST', 'ECONOMIST/BIGMAC_USA', 'economist/x/y', 'A/../B'])('refuses the code "%s"', code => {
    expect(() => nasdaqDataLink.request(query({ codes: [code] }))).toThrow('a Nasdaq Data Link code is')
  })
})
