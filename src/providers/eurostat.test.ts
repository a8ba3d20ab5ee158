import { describe, expect, test } from 'vitest'
import { dayOf } from '../core/time/day.ts'
import { eurostat } from './eurostat.ts'
import type { Answer, ProviderQuery } from './provider.ts'

function read(body: string, more: Partial<Answer> = {}) {
  return eurostat.read({ status: 200, contentType: null, url: null, codes: [], body, ...more })
}

const query: ProviderQuery = { codes: [], from: null, changedSince: null, today: dayOf(2026, 10, 20), key: null }

function csv(rows: readonly string[], last = 'OBS_FLAG,CONF_STATUS'): string {
  const header = `DATAFLOW,LAST UPDATE,freq,unit,coicop18,geo,TIME_PERIOD,OBS_VALUE,${last}`
  return [header, ...rows.map(row => `ESTAT:PRC_HICP_MINR(1.0),02/10/26 11:00:00,${row}`), ''].join('\n')
}

describe('asking Eurostat', () => {
  test('names the format in the address, since Accept is ignored (Quirk EUROSTAT-11)', () => {
    const codes = ['prc_hicp_minr/M.I25.TOTAL.AT']
    expect(eurostat.request({ ...query, codes, from: dayOf(2026, 3, 1) })).toMatchObject([
      { codes, path: '/sdmx/2.1/data/prc_hicp_minr/M.I25.TOTAL.AT?format=SDMX-CSV&startPeriod=2026', headers: {} },
    ])
  })
})

describe('reading Eurostat', () => {
  test('reads CSV, with the data set in lower case and its update date ignored (Quirk EUROSTAT-12)', () => {
    const parsed = read(csv(['M,I25,TOTAL,AT,2026-08,103.15,,', 'M,I25,TOTAL,AT,2026-09,103.81,e,']))
    expect(parsed).toMatchObject({
      series: [
        {
          code: 'prc_hicp_minr/M.I25.TOTAL.AT',
          unit: 'I25',
          frequency: 'MONTHLY',
          observations: [
            { period: '2026-08', value: '103.15', version: 'FINAL', flag: null, published: null },
            { period: '2026-09', value: '103.81', version: 'PRELIMINARY', flag: 'e', published: null },
          ],
        },
      ],
      problems: [],
    })
    expect(read(csv(['M,I25,TOTAL,AT,2026-08,103.15'], '').replace('OBS_VALUE,', 'OBS_VALUE')).series).toHaveLength(1)
  })

  test('keeps the notation of the requested code', () => {
    const codes = ['PRC_HICP_MINR/M.I25.TOTAL.AT']
    expect(read(csv(['M,I25,TOTAL,AT,2026-08,103.15,,']), { codes }).series[0]!.code).toBe(codes[0])
  })

  test.each([
    ['', 'FINAL'],
    ['b', 'FINAL'],
    ['bd', 'FINAL'],
    ['p', 'PRELIMINARY'],
    ['bdep', 'PRELIMINARY'],
    ['f', null],
    ['pf', null],
  ])('finds the letters in the flag "%s" (Quirk EUROSTAT-4)', (flag, version) => {
    const { series } = read(csv([`M,I25,TOTAL,AT,2026-08,1.0,${flag},`]))
    expect(series[0]!.observations.map(one => one.version)).toEqual(version === null ? [] : [version])
    expect(series[0]!.missing).toEqual([])
  })

  test('does not read confidentiality as provisional, and names it as the reason for a missing value', () => {
    const { series } = read(
      csv(['M,I25,TOTAL,AT,2026-08,1.0,,P', 'M,I25,TOTAL,AT,2026-09,,,C', 'M,I25,TOTAL,AT,2026-10,:,m,']),
    )
    expect(series[0]!.observations).toMatchObject([{ period: '2026-08', version: 'FINAL', flag: null }])
    expect(series[0]!.missing).toEqual([
      { period: '2026-09', flag: null, reason: 'confidential' },
      { period: '2026-10', flag: 'm', reason: 'marker ":"' },
    ])
  })

  const cube = (
    values: string,
    statuses: string,
  ) => `{"version":"2.0","class":"dataset","label":"Production","updated":"2026-08-01T11:00:00+0200",
    "value":${values},"status":${statuses},"id":["freq","unit","geo","time"],"size":[1,1,2,2],"dimension":{
    "freq":{"category":{"index":{"M":0}}},"unit":{"category":{"index":{"I21":0},"label":{"I21":"Index, 2021=100"}}},
    "geo":{"category":{"index":{"IE":1,"AT":0}}},"time":{"category":{"index":{"2023-02":1,"2023-01":0}}}},
    "extension":{"id":"STS_INPR_M","status":{"label":{"|C":"|confidential"}}}}`

  test('reads JSON-stat with its digits, sorted by number (Quirks EUROSTAT-3, -5 and -15)', () => {
    expect(read(cube('{"3":98.10,"0":101.0}', '{"2":"|C","3":"p|N"}'))).toEqual({
      series: [
        {
          code: 'sts_inpr_m/M.I21.AT',
          name: 'Production',
          unit: 'Index, 2021=100',
          frequency: 'MONTHLY',
          observations: [{ period: '2023-01', value: '101.0', version: 'FINAL', flag: null, published: null }],
          missing: [],
        },
        {
          code: 'sts_inpr_m/M.I21.IE',
          name: 'Production',
          unit: 'Index, 2021=100',
          frequency: 'MONTHLY',
          observations: [{ period: '2023-02', value: '98.10', version: 'PRELIMINARY', flag: 'p|N', published: null }],
          missing: [{ period: '2023-01', flag: '|C', reason: 'confidential' }],
        },
      ],
      problems: [],
    })
  })

  test('treats an empty result as a success in all formats (Quirk EUROSTAT-2)', () => {
    const empty = { series: [], problems: [] }
    expect(read(cube('{}', '{}'))).toEqual(empty)
    expect(read(csv([]))).toEqual(empty)
    expect(read('{"error":[{"status":200,"id":100,"label":"No results found"}]}')).toEqual(empty)
  })

  test.each([
    ['{"warning":{"status":413,"label":"ASYNCHRONOUS_RESPONSE. Please try again later."}}', 'too-large'],
    [
      '{"error":[{"status":404,"id":100,"label":"ERR_NOT_FOUND_4: XYZ is not available for dissemination."}]}',
      'unknown-series',
    ],
    ['{"error":[{"status":400,"id":150,"label":"Dimension \\"ZZ\\" is not defined"}]}', 'bad-request'],
    [
      '<S:Fault xmlns:S="s"><faultcode>150</faultcode><faultstring>INVALID_QUERY</faultstring></S:Fault>',
      'bad-request',
    ],
    [
      '<S:Fault xmlns:S="s"><faultcode>100</faultcode><faultstring>ERR_NOT_FOUND_4</faultstring></S:Fault>',
      'unknown-series',
    ],
  ])('reads %s with status 200 as %s (Quirk EUROSTAT-1)', (body, kind) => {
    expect(read(body)).toMatchObject({ series: [], problems: [{ kind }] })
  })

  test('does not read hourly data (Quirk EUROSTAT-13)', () => {
    expect(read(csv(['H,I25,TOTAL,AT,2026-08,1.0,,']))).toMatchObject({
      series: [],
      problems: [{ kind: 'unreadable' }],
    })
  })
})
