import { describe, expect, test } from 'vitest'
import { dayOf } from '../core/time/day.ts'
import { ecb } from './ecb.ts'
import type { Answer, ProviderQuery } from './provider.ts'

function read(body: string, more: Partial<Answer> = {}) {
  return ecb.read({ status: 200, contentType: null, url: null, codes: [], body, ...more })
}

const query: ProviderQuery = { codes: [], from: null, changedSince: null, today: dayOf(2026, 10, 20), key: null }
const header =
  'KEY,FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,TIME_PERIOD,OBS_VALUE,OBS_STATUS,OBS_CONF,UNIT_INDEX_BASE,TITLE,TITLE_COMPL,UNIT,UNIT_MULT\n'

describe('asking the ECB', () => {
  test('asks for CSV with full detail', () => {
    expect(ecb.request({ ...query, codes: ['EXR/D.USD.EUR.SP00.A', 'HICP/M.U2.N.000000.4D0.INX'] })).toMatchObject([
      { codes: ['EXR/D.USD.EUR.SP00.A'], method: 'GET', path: '/data/EXR/D.USD.EUR.SP00.A?format=csvdata&detail=full' },
      { path: '/data/HICP/M.U2.N.000000.4D0.INX?format=csvdata&detail=full' },
    ])
    const [since] = ecb.request({ ...query, codes: ['EXR/D.USD.EUR.SP00.A'], from: dayOf(2024, 6, 3) })
    expect(since!.path).toMatch(/&startPeriod=2024$/)
  })

  test('refuses an invalid code', () => {
    expect(() => ecb.request({ ...query, codes: ['EXR.D.USD'] })).toThrow(
      'a code of ECB is written like EXR/D.USD.EUR.SP00.A, got "EXR.D.USD"',
    )
  })
})

describe('reading the ECB', () => {
  test('reads CSV by header names, with commas in free text (Quirk ECB-11)', () => {
    const parsed = read(
      `${header}EXR.D.GBP.EUR.SP00.A,D,GBP,EUR,SP00,A,2026-06-10,0.86228,A,F,99Q1=100,Pound sterling/Euro,"ECB reference exchange rate, Pound sterling/Euro",GBP,0\n`,
    )
    expect(parsed).toEqual({
      series: [
        {
          code: 'EXR/D.GBP.EUR.SP00.A',
          name: 'Pound sterling/Euro',
          // Quirk ECB-4: "99Q1=100" means nothing on an exchange rate.
          unit: 'GBP',
          frequency: 'DAILY',
          observations: [{ period: '2026-06-10', value: '0.86228', version: 'FINAL', flag: 'A', published: null }],
          missing: [],
        },
      ],
      problems: [],
    })
  })

  test('keeps rows with an empty value as missing (Quirk ECB-3)', () => {
    const { series } = read('KEY,FREQ,AREA,TIME_PERIOD,OBS_VALUE\nICP.M.DE,M,DE,1985-01,\nICP.M.DE,M,DE,1996-01,75.1\n')
    expect(series[0]!.observations.map(one => one.period)).toEqual(['1996-01'])
    expect(series[0]!.missing).toEqual([{ period: '1985-01', flag: null, reason: 'empty value' }])
  })

  test('keeps ICP and HICP apart, with the base in the unit (Quirks ECB-1 and ECB-2)', () => {
    const { series } = read(
      'KEY,FREQ,AREA,TIME_PERIOD,OBS_VALUE,UNIT,UNIT_INDEX_BASE\nICP.M.U2,M,U2,2025-12,129.7,PURE_NUMB,2015=100\nHICP.M.U2,M,U2,2025-12,100.31,PURE_NUMB,2025=100\n',
    )
    expect(series.map(({ code, unit }) => [code, unit])).toEqual([
      ['ICP/M.U2', 'PURE_NUMB, base 2015=100'],
      ['HICP/M.U2', 'PURE_NUMB, base 2025=100'],
    ])
  })

  test('reads half-years under S and under H (Quirk ECB-8), and business days as days', () => {
    const { series, problems } = read(
      'KEY,FREQ,TIME_PERIOD,OBS_VALUE\nF.S,S,2024-S1,1\nF.H,H,2024-H2,2\nF.B,B,2024-06-03,3\nF.W,W,2024-W05,4\n',
    )
    expect(problems).toEqual([])
    expect(series.map(one => [one.frequency, one.observations[0]!.period])).toEqual([
      ['SEMIANNUAL', '2024-H1'],
      ['SEMIANNUAL', '2024-H2'],
      ['DAILY', '2024-06-03'],
      ['WEEKLY', '2024-W05'],
    ])
  })

  test('keeps all decimals as they are served (Quirk ECB-7)', () => {
    const { series } = read('KEY,FREQ,TIME_PERIOD,OBS_VALUE,DECIMALS\nEXR.M,M,1999-03,1.088295652173913,4\n')
    expect(series[0]!.observations[0]!.value).toBe('1.088295652173913')
  })

  const jsonOf = (days: readonly string[], prepared: string) =>
    `{"header":{"prepared":"${prepared}"},"dataSets":[{"series":{"0:0":{"observations":{${days.map((_, at) => `"${at}":[4.50]`).join()}}}}}],
    "structure":{"links":[{"href":"https://data-api.ecb.europa.eu:443/service/dataflow/ECB/FM/1.0"}],
    "dimensions":{"series":[{"id":"FREQ","values":[{"id":"B"}]},{"id":"X","values":[{"id":"EUR"}]}],
    "observation":[{"id":"TIME_PERIOD","values":[${days.map(day => `{"id":"${day}"}`).join()}]}]}}}`

  test('reads the working draft of SDMX-JSON with its digits (Quirks ECB-5 and ECB-6)', () => {
    const { series } = read(jsonOf(['2024-06-03'], '2024-06-25T00:28:56.426+02:00'))
    expect(series).toMatchObject([{ code: 'FM/B.EUR', observations: [{ period: '2024-06-03', value: '4.50' }] }])
  })

  test('leaves out days after the date of the answer (Quirk ECB-9)', () => {
    const { series } = read(jsonOf(['2024-06-03', '2024-06-12'], '2024-06-06T14:15:00+02:00'))
    expect(series[0]!.observations.map(one => one.period)).toEqual(['2024-06-03'])
  })

  test('does not read a structure message as data (Quirk ECB-10)', () => {
    expect(read('<mes:Structure xmlns:mes="x"><mes:Header/></mes:Structure>').problems).toMatchObject([
      { kind: 'unreadable' },
    ])
  })

  test.each([
    ['', 404, 'unknown-series'],
    ['', 400, 'bad-request'],
    ['', 200, 'provider-error'],
    ['<Error><ErrorMessage code="100"><Text>No results found.</Text></ErrorMessage></Error>', 200, 'unknown-series'],
    ['<Error><ErrorMessage code="140"><Text>Syntax</Text></ErrorMessage></Error>', 200, 'bad-request'],
  ])('takes %j with status %i as %s', (body, status, kind) => {
    expect(read(body, { status })).toMatchObject({ series: [], problems: [{ kind }] })
  })
})
