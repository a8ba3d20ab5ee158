import { describe, expect, test } from 'vitest'
import { parseDay } from '../core/time/day.ts'
import type { Answer, ProviderQuery } from './provider.ts'
import { worldBank } from './world-bank.ts'

const answer = (body: unknown, more: Partial<Answer> = {}): Answer => ({
  status: 200,
  contentType: null,
  url: null,
  codes: [],
  body: typeof body === 'string' ? body : JSON.stringify(body),
  ...more,
})
const read = (body: unknown, more: Partial<Answer> = {}) => worldBank.read(answer(body, more))

const header = { page: 1, pages: 1, per_page: 1000, total: 2, sourceid: '2', lastupdated: '2026-07-13' }
const row = (date: string, value: unknown, more: object = {}) => ({
  indicator: { id: 'FP.CPI.TOTL', value: 'Consumer price index (2010 = 100)' },
  country: { id: 'CA', value: 'Canada' },
  countryiso3code: 'CAN',
  date,
  value,
  unit: '',
  obs_status: '',
  decimal: 1,
  ...more,
})
const query = (more: Partial<ProviderQuery> = {}): ProviderQuery => ({
  codes: ['FP.CPI.TOTL/CAN'],
  from: null,
  changedSince: null,
  today: parseDay('2026-08-24')!,
  key: null,
  ...more,
})

describe('reading the World Bank', () => {
  test('WORLD_BANK-1: an error is a one-element array with HTTP 200, or XML', () => {
    const error = [
      { message: [{ id: '120', key: 'Invalid value', value: 'The provided parameter value is not valid' }] },
    ]
    expect(read(error)).toEqual({
      series: [],
      problems: [{ kind: 'unknown-series', message: 'Invalid value: The provided parameter value is not valid (120)' }],
    })
    const xml =
      '<?xml version="1.0"?><wb:error xmlns:wb="http://www.worldbank.org"><wb:message id="160" key="Data not found.">No data.</wb:message></wb:error>'
    expect(read(xml).problems.map(each => each.kind)).toEqual(['unknown-series'])
    expect(read([{ message: [{ id: '175', value: 'archived' }] }]).problems[0]!.kind).toBe('unknown-series')
    expect(read([{ message: [{ id: '105', value: 'unavailable' }] }]).problems[0]!.kind).toBe('provider-error')
    expect(read([{ message: [{ id: '140', value: 'no endpoint' }] }]).problems[0]!.kind).toBe('bad-request')
  })

  test('WORLD_BANK-2: messages for bad parts that are not named are one problem', () => {
    const message = { id: '120', key: 'Invalid value', value: 'not valid' }
    expect(read([{ message: [message, message] }]).problems).toHaveLength(1)
  })

  test('WORLD_BANK-3: the code has the three-letter country, or the two-letter one if an older body lacks it', () => {
    expect(read([header, [row('2021', 1)]]).series[0]!.code).toBe('FP.CPI.TOTL/CAN')
    expect(read([header, [row('2021', 1, { countryiso3code: '' })]]).series[0]!.code).toBe('FP.CPI.TOTL/CA')
    const { countryiso3code: _absent, ...old } = row('2021', '1')
    expect(read([header, [old]]).series[0]!.code).toBe('FP.CPI.TOTL/CA')
    expect(read([header, [row('2021', 1)]], { codes: ['FP.CPI.TOTL/CA'] }).series[0]!.code).toBe('FP.CPI.TOTL/CA')
    expect(read([header, [row('2021M01', 1)]], { codes: ['FP.CPI.TOTL/CAN/M'] }).series[0]!.code).toBe(
      'FP.CPI.TOTL/CAN/M',
    )
  })

  test('WORLD_BANK-4: a date window that was not applied is applied again', () => {
    const url = 'https://api.worldbank.org/v2/country/CAN/indicator/FP.CPI.TOTL?format=json&date=2020:2021'
    const body = [header, [row('2022', 3), row('2021', 2), row('2019', 1)]]
    expect(read(body, { url }).series[0]!.observations.map(each => each.period)).toEqual(['2021'])
    expect(read(body).series[0]!.observations).toHaveLength(3)
  })

  test('WORLD_BANK-6, WORLD_BANK-7: neither the source date nor `decimal` affects a figure', () => {
    expect(
      read(`[{"page":1},[${JSON.stringify(row('2021', 0)).replace('"value":0', '"value":144.250')}]]`).series[0]!
        .observations,
    ).toEqual([{ period: '2021', value: '144.250', version: 'FINAL', flag: null, published: null }])
  })

  test('WORLD_BANK-8: regions differ from countries by their codes', () => {
    const region = row('2021', 2, { country: { id: '1W', value: 'World' }, countryiso3code: 'WLD' })
    expect(read([header, [row('2021', 1), region]]).series.map(each => each.code)).toEqual([
      'FP.CPI.TOTL/CAN',
      'FP.CPI.TOTL/WLD',
    ])
    expect(() => worldBank.request(query({ codes: ['FP.CPI.TOTL/all'] }))).toThrow('a World Bank code')
  })

  test('WORLD_BANK-10: fifteen digits and more stay as sent', () => {
    const text = JSON.stringify([header, [row('2021', 0)]]).replace('"value":0', '"value":67.01638057689661234')
    expect(read(text).series[0]!.observations[0]!.value).toBe('67.01638057689661234')
  })

  test.each([
    ['2021', '2021', 'ANNUAL'],
    ['2012Q4', '2012-Q4', 'QUARTERLY'],
    ['2013M08', '2013-08', 'MONTHLY'],
  ])('the date %s is %s', (date, period, frequency) => {
    const [series] = read([header, [row(date, '6.12')]]).series
    expect([series!.observations[0]!.period, series!.frequency]).toEqual([period, frequency])
  })

  test('null is missing, and the status is kept as the flag', () => {
    const [series] = read([header, [row('2022', null), row('2021', 1, { obs_status: 'E' })]]).series
    expect(series!.missing).toEqual([{ period: '2022', flag: null, reason: 'null' }])
    expect(series!.observations[0]).toMatchObject({ flag: 'E', version: 'FINAL' })
    expect(series!.name).toBe('Consumer price index (2010 = 100), Canada')
  })

  test('no rows are an empty range; lists without observations and web pages are not', () => {
    expect(read([{ ...header, total: 0 }, null])).toEqual({ series: [], problems: [] })
    expect(read([{ ...header, total: 0 }, []])).toEqual({ series: [], problems: [] })
    expect(read([header, [{ id: 'IND', name: 'India' }]]).problems[0]!.kind).toBe('unreadable')
    expect(read('<html><title>Error</title></html>').problems[0]!.kind).toBe('provider-error')
    expect(read({}).problems[0]!.kind).toBe('unreadable')
    expect(read([header, [row('20-21', 1)]]).problems[0]!.kind).toBe('unreadable')
  })
})

describe('asking the World Bank', () => {
  test('WORLD_BANK-5, WORLD_BANK-11: asks for pages of 1,000 and never for the most recent values', () => {
    const [asked] = worldBank.request(query())
    expect(asked!.path).toBe('/country/CAN/indicator/FP.CPI.TOTL?format=json&per_page=1000&page=1')
    expect(asked!.path).not.toMatch(/mrv|searchterm/)
  })

  test('writes a date window in the format of the dates', () => {
    const from = parseDay('2024-05-17')
    const paths = ['FP.CPI.TOTL/CAN', 'NEER/ESP/Q', 'CPTOTNSXN/CAN/M'].map(
      code => worldBank.request(query({ codes: [code], from }))[0]!.path,
    )
    expect(paths[0]).toContain('date=2024%3A2026')
    expect(paths[1]).toContain('frequency=Q&date=2024Q2%3A2026Q3')
    expect(paths[2]).toContain('frequency=M&date=2024M05%3A2026M08')
  })

  test('asks for the next page while there is one', () => {
    const [asked] = worldBank.request(query())
    const next = worldBank.next!(asked!, answer([{ ...header, page: '1', pages: '2' }, []]))
    expect(next!.path).toContain('page=2')
    expect(worldBank.next!(asked!, answer([header, []]))).toBeNull()
    expect(worldBank.next!(asked!, answer([{ message: [] }]))).toBeNull()
  })

  test.each(['FP.CPI.TOTL', 'FP.CPI.TOTL/CAN;USA', 'FP CPI/CAN', 'X/CAN/D'])('refuses the code "%s"', code => {
    expect(() => worldBank.request(query({ codes: [code] }))).toThrow('a World Bank code is indicator/country')
  })
})
