import { describe, expect, test } from 'vitest'
import { dayOf } from '../../core/time/day.ts'
import {
  formatCode,
  groupByKey,
  isSameSeries,
  parseCode,
  parseDataUrl,
  parseFlow,
  parseFlowUrn,
  startYear,
} from './sdmx-code.ts'

describe('codes of SDMX series', () => {
  test('are read and written in the notation of the provider', () => {
    const notation = ['agency', 'id', 'version'] as const
    const code = 'OECD.SDD.TPS,DSD_PRICES@DF_PRICES_ALL,1.0/GBR.A.N.CPI.PA._T.N.GY'
    const parsed = parseCode(code, notation)!
    expect(parsed.flow).toEqual({ agency: 'OECD.SDD.TPS', id: 'DSD_PRICES@DF_PRICES_ALL', version: '1.0' })
    expect(parsed.key).toHaveLength(8)
    expect(formatCode(parsed.flow, parsed.key.join('.'), notation)).toBe(code)
  })

  test.each([
    'EXR',
    'EXR/',
    'EXR/D..EUR',
    'EXR/D.USD+GBP.EUR',
    'EXR/*',
    '../x/D.A',
    './D.A',
    'EXR/../D',
    'EXR/D.A?x=1',
    'A,B/D',
  ])('refuse %s, which does not name exactly one series or leaves the path', code => {
    expect(parseCode(code, ['id'])).toBeNull()
  })

  test('recognise flows in all their spellings', () => {
    expect(parseFlow('ABS:CPI(2.0.0)')).toEqual({ agency: 'ABS', id: 'CPI', version: '2.0.0' })
    expect(parseFlow('ESTAT:NA_MAIN(1.6.0): Principaux agrégats')).toEqual({
      agency: 'ESTAT',
      id: 'NA_MAIN',
      version: '1.6.0',
    })
    expect(parseFlow('AGENCY:DF_ID')).toEqual({ agency: 'AGENCY', id: 'DF_ID', version: null })
    expect(parseFlow('EXR')).toEqual({ agency: null, id: 'EXR', version: null })
    expect(parseFlow('two words')).toBeNull()
    expect(parseFlowUrn('urn:sdmx:org.sdmx.infomodel.datastructure.Dataflow=IMF.STA:GFS_SOO(12.0.0)')?.id).toBe(
      'GFS_SOO',
    )
    expect(parseFlowUrn('urn:sdmx:org.sdmx.infomodel.datastructure.DataStructure=IMF.STA:DSD_GFS(17.0.0)')).toBeNull()
  })

  test('are found in addresses of both dialects', () => {
    const key = ['M', 'N', 'B', 'DE']
    const flow = { agency: 'BIS', id: 'WS_EER', version: '1.0' }
    expect(parseDataUrl('https://stats.bis.org/api/v1/data/BIS,WS_EER,1.0/M.N.B.DE?detail=full')).toEqual({ flow, key })
    expect(parseDataUrl('https://stats.bis.org/api/v2/data/dataflow/BIS/WS_EER/1.0/M.N.B.DE')).toEqual({ flow, key })
    expect(parseDataUrl('https://api.imf.org/x/data/dataflow/IMF.STA/CPI/%2B/JPN.M')?.flow.version).toBeNull()
    expect(parseDataUrl('https://data-api.ecb.europa.eu/service/data/EXR/D..EUR.SP00.A')).toBeNull()
    expect(parseDataUrl('https://data-api.ecb.europa.eu/service/dataflow/ECB/EXR')).toBeNull()
  })

  test('match a received series unless a part contradicts it', () => {
    const asked = parseCode('CPI,1.1.0/1.10001.Q', ['id', 'version'])!
    expect(isSameSeries(asked, { agency: 'ABS', id: 'CPI', version: '1.1.0' }, '1.10001.Q')).toBe(true)
    expect(isSameSeries(asked, { agency: 'ABS', id: 'CPI', version: '2.0.0' }, '1.10001.Q')).toBe(false)
    expect(isSameSeries(asked, { agency: 'ABS', id: 'CPI', version: null }, '1.10001.M')).toBe(false)
    expect(isSameSeries(asked, null, '1.10001.Q')).toBe(true)
  })

  test('share one key if they differ in one part', () => {
    const codes = ['F/A.X.1', 'F/B.X.1', 'F/C.X.1', 'F/A.Y.1', 'G/A.X.1'].map(code => ({
      code,
      parsed: parseCode(code, ['id'])!,
    }))
    expect(groupByKey(codes, 10).map(group => [group.flow.id, group.key, group.codes.length])).toEqual([
      ['F', 'A+B+C.X.1', 3],
      ['F', 'A.Y.1', 1],
      ['G', 'A.X.1', 1],
    ])
    expect(groupByKey(codes, 2).map(group => group.key)).toEqual(['A+B.X.1', 'C.X.1', 'A.Y.1', 'A.X.1'])
  })

  test('are requested from the beginning of a year, a week early', () => {
    expect(startYear(dayOf(2024, 7, 15))).toBe('2024')
    expect(startYear(dayOf(2025, 1, 2))).toBe('2024')
  })
})
