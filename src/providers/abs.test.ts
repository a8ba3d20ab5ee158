import { describe, expect, test } from 'vitest'
import { dayOf } from '../core/time/day.ts'
import { abs } from './abs.ts'
import type { Answer, ProviderQuery } from './provider.ts'

function read(body: string, more: Partial<Answer> = {}) {
  return abs.read({ status: 200, contentType: null, url: null, codes: [], body, ...more })
}

const query: ProviderQuery = { codes: [], from: null, changedSince: null, today: dayOf(2026, 10, 20), key: null }
const header =
  'DATAFLOW,MEASURE,INDEX,REGION,FREQ,TIME_PERIOD,OBS_VALUE,UNIT_MEASURE,UNIT_MULT,OBS_STATUS,BASE_PERIOD\n'

describe('asking the ABS', () => {
  test('pins the version, which carries the base (Quirk ABS-1)', () => {
    const codes = ['CPI,2.0.0/1.10001.10.50.Q']
    expect(abs.request({ ...query, codes, from: dayOf(2012, 5, 1) })).toMatchObject([
      { codes, path: '/data/ABS,CPI,2.0.0/1.10001.10.50.Q?format=csv&detail=full&startPeriod=2012' },
    ])
    expect(() => abs.request({ ...query, codes: ['CPI/1.10001.10.50.Q'] })).toThrow('CPI,2.0.0/1.10001.10.50.Q')
  })
})

describe('reading the ABS', () => {
  test('keeps versions apart as separate series (Quirk ABS-2)', () => {
    const { series } = read(
      `${header}ABS:CPI(2.0.0),1,10001,50,Q,2024-Q2,96.60,IN,0,,25\nABS:CPI(1.1.0),1,10001,50,Q,2024-Q2,138.8,IN,,,\n`,
    )
    expect(series.map(({ code, unit, observations }) => [code, unit, observations[0]!.value])).toEqual([
      ['CPI,2.0.0/1.10001.50.Q', 'IN, base 25', '96.60'],
      ['CPI,1.1.0/1.10001.50.Q', 'IN', '138.8'],
    ])
  })

  test('does not report one version as another that was requested', () => {
    const codes = ['CPI,1.1.0/1.10001.50.Q']
    const { series } = read(`${header}ABS:CPI(2.0.0),1,10001,50,Q,2024-Q2,96.60,IN,0,,25\n`, { codes })
    expect(series[0]!.code).toBe('CPI,2.0.0/1.10001.50.Q')
  })

  test('reads half-years and a multiplier for each series (Quirks ABS-3, ABS-4 and ABS-6)', () => {
    const { series } = read(
      `${header}ABS:AWE(1.0.0),3,TOT,AUS,S,2012-S2,1396.0,AUD,3,,\nABS:AWE(1.0.0),1,TOT,AUS,S,2012-S1,7,NUM,0,,\nABS:AWE(1.0.0),3,TOT,AUS,S,2012-S1,1349.2,AUD,3,,\n`,
    )
    expect(series.map(one => one.unit)).toEqual(['AUD (x10^3)', 'NUM'])
    expect(series[0]!.observations.map(one => `${one.period} ${one.value}`)).toEqual([
      '2012-H1 1349.2',
      '2012-H2 1396.0',
    ])
  })

  test("reads the bureau's own letters (Quirk ABS-5)", () => {
    const row = (flag: string, at: number) =>
      `ABS:LF(1.0.0),1,2,3,M,2024-${String(at + 1).padStart(2, '0')},5.0,NUM,,${flag},\n`
    const { series } = read(header + ['p', 'k', 'r', 'o', 'A', '', 'n', 't'].map(row).join(''))
    expect(series[0]!.observations.map(one => `${one.flag} ${one.version}`)).toEqual([
      'p PRELIMINARY',
      'k PRELIMINARY',
      'r REVISED',
      'o FINAL',
      'A FINAL',
      'null FINAL',
    ])
    expect(series[0]!.missing.map(one => `${one.flag} ${one.reason}`)).toEqual([
      'n not for publication',
      't not yet available',
    ])
  })

  test('treats an HTML page with status 200 as an error (Quirks ABS-7 and ABS-9)', () => {
    const kinds = (more: Partial<Answer>) => read('<html><body>Sorry</body></html>', more).problems.map(one => one.kind)
    expect(kinds({})).toEqual(['provider-error'])
    expect(kinds({ contentType: 'charset=utf-8; text/html' })).toEqual(['provider-error'])
  })

  test('treats no records as an empty range and an unknown flow as an unknown series', () => {
    expect(read('NoRecordsFound', { status: 404 })).toEqual({ series: [], problems: [] })
    expect(read('Could not find Dataflow and/or DSD related with this data request', { status: 404 })).toMatchObject({
      problems: [{ kind: 'unknown-series' }],
    })
  })
})
