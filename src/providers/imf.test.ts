import { describe, expect, test } from 'vitest'
import { dayOf } from '../core/time/day.ts'
import { imf } from './imf.ts'
import type { Answer, ProviderQuery } from './provider.ts'

function read(body: string, more: Partial<Answer> = {}) {
  return imf.read({ status: 200, contentType: null, url: null, codes: [], body, ...more })
}

const query: ProviderQuery = { codes: [], from: null, changedSince: null, today: dayOf(2026, 10, 20), key: null }

function message(flow: string, series: string, attributes = ''): string {
  return `{"meta":{},"data":{"dataSets":[{"structure":0,"action":"Replace"${series}}],"structures":[{"dataSets":[0],
    "links":[{"urn":"urn:sdmx:org.sdmx.infomodel.datastructure.Dataflow=${flow}"},{"urn":"urn:sdmx:org.sdmx.infomodel.datastructure.DataStructure=IMF.STA:DSD_X(1.0.0)"}],
    "dimensions":{"series":[{"id":"COUNTRY","keyPosition":0,"values":[{"id":"ABW"}]},{"id":"FREQUENCY","keyPosition":1,"roles":["FREQ"],"values":[{"id":"A"}]}],
    "observation":[{"id":"TIME_PERIOD","keyPosition":2,"values":[{"value":"2023"},{"value":"2024"},{"value":"2025"}]}]},
    "measures":{"observation":[{"id":"OBS_VALUE"}]},"attributes":{"dimensionGroup":[{"id":"UNIT","values":[{"id":"PT"}]}${attributes}],
    "series":[{"id":"SCALE","values":[{"id":"9"}]}],"observation":[{"id":"STATUS","values":[]},{"id":"DERIVATION_TYPE","values":[{"id":"O"}]}]}}]}}`
}

const rows =
  ',"series":{"0:0":{"attributes":[0],"observations":{"0":["94669000000",null,0],"1":["7.50","NA",0],"2":[null,null,0]}}}'
const groups = ',"dimensionGroupAttributes":{"0::":[0]}'

describe('asking the IMF', () => {
  test('asks for the newest version, with one encoded time bound', () => {
    const codes = ['IMF.RES,PCPS/G001.PLITH.USD.M']
    expect(imf.request({ ...query, codes, from: dayOf(2020, 6, 1) })).toMatchObject([
      {
        codes,
        path: '/data/dataflow/IMF.RES/PCPS/%2B/G001.PLITH.USD.M?dimensionAtObservation=TIME_PERIOD&attributes=dsd&measures=all&c%5BTIME_PERIOD%5D=ge:2020-01',
      },
    ])
  })

  test('refuses regional outlooks, whose forecasts are not marked (Quirk IMF-5)', () => {
    expect(() => imf.request({ ...query, codes: ['IMF.WHD,WHDREO/GX1213.BCA_GDP_BP6.A'] })).toThrow('forecasts')
  })
})

describe('reading the IMF', () => {
  test('reads SDMX-JSON 2.0 with the department in the code and no version (Quirks IMF-6, -7, -8, -10 and -12)', () => {
    expect(read(message('IMF.STA:GFS_SOO(12.0.0)', rows + groups))).toEqual({
      series: [
        {
          code: 'IMF.STA,GFS_SOO/ABW.A',
          name: null,
          // Quirk IMF-3: SCALE 9 is for display only.
          unit: 'PT',
          frequency: 'ANNUAL',
          observations: [
            { period: '2023', value: '94669000000', version: 'FINAL', flag: null, published: null },
            { period: '2024', value: '7.50', version: 'FINAL', flag: 'NA', published: null },
          ],
          missing: [{ period: '2025', flag: null, reason: 'null' }],
        },
      ],
      problems: [],
    })
  })

  test('treats an answer without series as an empty result (Quirk IMF-2)', () => {
    expect(read(message('IMF.STA:CPI(5.0.0)', groups))).toEqual({ series: [], problems: [] })
  })

  test('treats an empty body as an unknown flow (Quirk IMF-1)', () => {
    for (const status of [200, 204]) expect(read('', { status }).problems).toMatchObject([{ kind: 'unknown-series' }])
    expect(read('', { status: 500 }).problems).toMatchObject([{ kind: 'provider-error' }])
  })

  test('reads from outlooks only what they say is actual (Quirk IMF-5)', () => {
    for (const flow of ['IMF.RES:WEO(9.0.0)', 'IMF.WHD:WHDREO(5.0.0)']) {
      expect(read(message(flow, rows)).series).toMatchObject([{ observations: [], missing: [] }])
    }
    const marked = message(
      'IMF.RES:WEO(9.0.0)',
      `${rows},"dimensionGroupAttributes":{"0::":[0,"2023"]}`,
      ',{"id":"LATEST_ACTUAL_ANNUAL_DATA"}',
    )
    expect(read(marked).series[0]!.observations.map(one => one.period)).toEqual(['2023'])
  })

  test('reads the months and markers of its CSV (Quirk IMF-9)', () => {
    const { series } = read(
      'DATAFLOW,COUNTRY,INDICATOR,DATA_TRANSFORMATION,FREQUENCY,TIME_PERIOD,OBS_VALUE,SCALE\nIMF.RES:PCPS(9.0.0),G001,PLITH,USD,M,2026-M08,148620.0,3\nIMF.RES:PCPS(9.0.0),G001,PLITH,USD,M,2026-M09,nan,3\n',
    )
    expect(series).toMatchObject([
      {
        code: 'IMF.RES,PCPS/G001.PLITH.USD.M',
        unit: null,
        observations: [{ period: '2026-08', value: '148620.0' }],
        missing: [{ period: '2026-09', reason: 'marker "nan"' }],
      },
    ])
  })

  test('treats UNIT_MULT, if present, as a real multiplier (Quirk IMF-4)', () => {
    const { series } = read(
      'DATAFLOW,COUNTRY,FREQ,TIME_PERIOD,OBS_VALUE,UNIT,UNIT_MULT\nIMF:X(1.0),JP,M,2023-01,-794,USD,6\n',
    )
    expect(series[0]).toMatchObject({ unit: 'USD (x10^6)', observations: [{ value: '-794' }] })
  })
})
