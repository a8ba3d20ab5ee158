import { describe, expect, test } from 'vitest'
import { dayOf } from '../core/time/day.ts'
import { oecd } from './oecd.ts'
import type { Answer, ProviderQuery } from './provider.ts'

function read(body: string, more: Partial<Answer> = {}) {
  return oecd.read({ status: 200, contentType: null, url: null, codes: [], body, ...more })
}

const query: ProviderQuery = { codes: [], from: null, changedSince: null, today: dayOf(2026, 10, 20), key: null }
const flow = 'OECD.SDD.TPS,DSD_PRICES@DF_PRICES_ALL,1.0'

describe('asking the OECD', () => {
  test('asks for full detail in one key for series that differ in one part (Quirks OECD-1, OECD-4 and OECD-11)', () => {
    const codes = [`${flow}/GBR.A.CPI`, `${flow}/FRA.A.CPI`, `${flow}/FRA.M.CPI`]
    const parameters = '?detail=full&dimensionAtObservation=AllDimensions&format=csvfile&startPeriod=2020'
    const requests = oecd.request({ ...query, codes, from: dayOf(2020, 2, 1) })
    expect(requests.map(request => [request.path, request.codes])).toEqual([
      [`/data/${flow}/GBR+FRA.A.CPI${parameters}`, codes.slice(0, 2)],
      [`/data/${flow}/FRA.M.CPI${parameters}`, codes.slice(2)],
    ])
  })

  test('asks for no more series at once than its limit', () => {
    const codes = Array.from({ length: 60 }, (_, at) => `${flow}/C${at}.A`)
    const requests = oecd.request({ ...query, codes })
    expect(requests.map(request => request.codes.length)).toEqual([25, 25, 10])
    expect(oecd.limits.seriesPerRequest).toBe(25)
  })
})

describe('reading the OECD', () => {
  const header = 'DATAFLOW,REF_AREA,FREQ,UNIT_MEASURE,TIME_PERIOD,OBS_VALUE,OBS_STATUS,UNIT_MULT,BASE_PER\n'

  test('puts rows in order (Quirk OECD-2) and writes base and multiplier into the unit', () => {
    const { series } = read(
      `${header}OECD.SDD:D@F(4.0),GBR,M,IX,2023-03,101.50,A,0,2015\nOECD.SDD:D@F(4.0),GBR,M,IX,2023-01,100.10,P,0,2015\nOECD.SDD:D@F(4.0),USA,M,USD,2023-01,26408405,,6,\n`,
    )
    expect(series.map(one => [one.code, one.unit])).toEqual([
      ['OECD.SDD,D@F,4.0/GBR.M.IX', 'IX, base 2015'],
      ['OECD.SDD,D@F,4.0/USA.M.USD', 'USD (x10^6)'],
    ])
    expect(series[0]!.observations).toMatchObject([
      { period: '2023-01', value: '100.10', version: 'PRELIMINARY', flag: 'P' },
      { period: '2023-03', value: '101.50', version: 'FINAL', flag: 'A' },
    ])
  })

  test('does not treat 9999 as a power of ten (Quirk OECD-5)', () => {
    expect(read(`${header}OECD:D@F(1.0),GBR,A,IX,2023,1,,9999,\n`).series[0]!.unit).toBe('IX')
  })

  test('distinguishes columns by case (Quirk OECD-6) and reads commas in labels (Quirk OECD-10)', () => {
    const { series } = read(
      'STRUCTURE,STRUCTURE_ID,STRUCTURE_NAME,ACTION,FREQ,Frequency of observation,MEASURE,Measure,TIME_PERIOD,Time period,OBS_VALUE,Observation value,UNIT_MEASURE,Unit of measure\n' +
        'DATAFLOW,OECD.SDD.TPS:DSD_PRICES@DF_PRICES_ALL(1.0),"Prices, all",I,A,Annual,CPI,"Prices, consumer",2024,,3.3,,PA,"Percent, per annum"\n',
    )
    expect(series).toMatchObject([
      { code: `${flow}/A.CPI`, unit: 'Percent, per annum', observations: [{ value: '3.3' }] },
    ])
  })

  test('keeps an edition or a vintage as part of the key (Quirk OECD-9)', () => {
    const { series } = read(
      'DATAFLOW,REF_AREA,FREQ,VINTAGE,TIME_PERIOD,OBS_VALUE\nOECD:D@F(1.0),GBR,Q,_T,2020-Q3,120.812\n',
    )
    expect(series[0]!.code).toBe('OECD,D@F,1.0/GBR.Q._T')
  })

  test('does not read Economic Outlook flows (Quirk OECD-8)', () => {
    const { series } = read(
      'DATAFLOW,REF_AREA,FREQ,TIME_PERIOD,OBS_VALUE\nOECD.ECO.MAD:DSD_EO@DF_EO(1.1),USA,A,2030,21775950361313\n',
    )
    expect(series).toMatchObject([{ observations: [], missing: [] }])
  })

  test.each([
    ['Not enough key values in query, expecting 13 got 12', 422, 'bad-request'],
    ['You have exceeded the number of requests currently permitted in the OECD Data API.', 429, 'rate-limited'],
    ['Request entity too large', 413, 'too-large'],
  ])('reads the words "%s" with and without status %i as %s (Quirk OECD-7)', (body, status, kind) => {
    for (const given of [200, status])
      expect(read(body, { status: given })).toMatchObject({ series: [], problems: [{ kind }] })
  })

  test('treats "nothing found" as an empty range', () => {
    expect(read('NoRecordsFound', { status: 404 })).toEqual({ series: [], problems: [] })
  })
})
