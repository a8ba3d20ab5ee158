import { describe, expect, test } from 'vitest'
import { dayOf } from '../core/time/day.ts'
import { bis } from './bis.ts'
import type { Answer, ProviderQuery } from './provider.ts'

function read(body: string, more: Partial<Answer> = {}) {
  return bis.read({ status: 200, contentType: null, url: null, codes: [], body, ...more })
}

const query: ProviderQuery = { codes: [], from: null, changedSince: null, today: dayOf(2026, 10, 20), key: null }

describe('asking the BIS', () => {
  test('asks version 1 of the service for SDMX-JSON by header', () => {
    expect(bis.request({ ...query, codes: ['WS_EER/M.N.B.DE'] })).toMatchObject([
      {
        path: '/data/BIS,WS_EER,1.0/M.N.B.DE?detail=full',
        headers: { Accept: 'application/vnd.sdmx.data+json;version=1.0.0' },
      },
    ])
  })
})

describe('reading the BIS', () => {
  test('reads figures as strings and the base from the label of the unit (Quirks BIS-5 and BIS-6)', () => {
    const body = `{"meta":{"prepared":"2026-04-22T07:58:47"},"data":{"dataSets":[{"links":[{"rel":"dataflow","urn":"urn:sdmx:org.sdmx.infomodel.datastructure.Dataflow=BIS:WS_EER(1.0)"}],
      "series":{"0:0":{"attributes":[0,0],"observations":{"1":["93",0,0],"0":[null,1,0]}}}}],"structure":{"dimensions":{"series":[{"id":"FREQ","keyPosition":0,"values":[{"id":"M"}]},
      {"id":"REF_AREA","keyPosition":1,"values":[{"id":"DE"}]}],"observation":[{"id":"TIME_PERIOD","role":"time","keyPosition":2,"values":[{"id":"1995-03"},{"id":"1995-04"}]}]},
      "attributes":{"series":[{"id":"TITLE_TS","values":[{"id":"Germany - Broad","name":"Germany - Broad"}]},{"id":"UNIT_MEASURE","values":[{"id":"882","name":"Index, 2020 = 100"}]}],
      "observation":[{"id":"OBS_STATUS","values":[{"id":"A"},{"id":"M","name":"Missing value"}]},{"id":"OBS_CONF","values":[{"id":"F","name":"Free"}]}]}}}}`
    expect(read(body)).toEqual({
      series: [
        {
          code: 'WS_EER/M.DE',
          name: 'Germany - Broad',
          unit: 'Index, 2020 = 100',
          frequency: 'MONTHLY',
          observations: [{ period: '1995-04', value: '93', version: 'FINAL', flag: 'A', published: null }],
          missing: [{ period: '1995-03', flag: 'M', reason: 'Missing value' }],
        },
      ],
      problems: [],
    })
  })

  test('reads both of its tables (Quirks BIS-4 and BIS-8)', () => {
    const own =
      'FREQ,EER_TYPE,EER_BASKET,REF_AREA,UNIT_MEASURE,TIME_FORMAT,COLLECTION,TITLE_TS,TIME_PERIOD,OBS_VALUE,OBS_STATUS,OBS_CONF\nM,N,B,CN,882,,A,"China, Nominal",2026-05,111.83,A,F\n'
    expect(read(own).series).toMatchObject([{ code: 'WS_EER/M.N.B.CN', name: 'China, Nominal', unit: '882' }])
    const standard =
      'DATAFLOW,FREQ,EER_TYPE,EER_BASKET,REF_AREA,TIME_PERIOD,OBS_VALUE\nBIS:WS_EER(1.0),M,R,B,KR,2026-06,83.04\n'
    expect(read(standard).series).toMatchObject([{ code: 'WS_EER/M.R.B.KR', observations: [{ value: '83.04' }] }])
  })

  test('finds the key columns by the code, by the address, or by known flows', () => {
    const table = 'FREQ,REF_AREA,VALUE,UNIT_MEASURE,UNIT_MULT,TIME_PERIOD,OBS_VALUE\nQ,DE,N,628,0,2026-Q1,152.31\n'
    expect(read(table).series[0]!.code).toBe('WS_SPP/Q.DE.N.628')
    const policy =
      'FREQ,REF_AREA,UNIT_MEASURE,COMPILATION,TIME_PERIOD,OBS_VALUE\nD,XM,368,"From 1999, main rate",2026-08-28,2.15\n'
    expect(read(policy).series[0]!.code).toBe('D.XM')
    expect(read(policy, { codes: ['WS_CBPOL/D.XM'] }).series[0]!.code).toBe('WS_CBPOL/D.XM')
    const url = 'https://stats.bis.org/api/v1/data/BIS,WS_CBPOL,1.0/D.XM?format=csv'
    expect(read(policy, { url }).series[0]!.code).toBe('WS_CBPOL/D.XM')
  })

  const error = (code: number) =>
    `<message:Error xmlns:message="m" xmlns:com="c"><message:ErrorMessage code="${code}"><com:Text>No results for query</com:Text></message:ErrorMessage></message:Error>`

  test('treats error 100 as an empty range, for a wrong area too (Quirks BIS-1, BIS-7 and BIS-9)', () => {
    for (const status of [200, 404]) expect(read(error(100), { status })).toEqual({ series: [], problems: [] })
  })

  test('reports other errors as what they are', () => {
    expect(read(error(150)).problems).toMatchObject([{ kind: 'bad-request' }])
    expect(read('', { status: 406 }).problems).toMatchObject([{ kind: 'bad-request' }])
    expect(read('<html>', { status: 404 }).problems).toMatchObject([{ kind: 'unknown-series' }])
  })
})
