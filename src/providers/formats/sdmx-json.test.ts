import { describe, expect, test } from 'vitest'
import { parseJson } from './lossless.ts'
import { isSdmxJson, readSdmxJson } from './sdmx-json.ts'

function read(message: unknown, ids: readonly string[] = []) {
  // Figures must reach the reader as literals, so messages go through text.
  const value = parseJson(typeof message === 'string' ? message : JSON.stringify(message))
  if (!isSdmxJson(value)) throw new Error('no data message')
  const seen: string[] = []
  const problems = readSdmxJson(value, cursor => {
    const found = ids.map(id => {
      const one = cursor.find(id)
      return one === null ? '-' : one.label === null ? one.code : `${one.code}|${one.label}`
    })
    const value = cursor.isDeleted ? 'deleted' : cursor.value
    seen.push([cursor.flow?.id ?? '-', cursor.key, cursor.frequency, cursor.period, value, ...found].join(' '))
  })
  return { seen, problems: problems.map(problem => problem.message) }
}

const freq = { id: 'FREQ', values: [{ id: 'M', name: 'Monthly' }] }
const area = { id: 'AREA', values: [{ id: 'DE', name: 'Germany' }, { id: 'FR' }] }
const time = { id: 'TIME_PERIOD', role: 'time', values: [{ id: '2024-01' }, { id: '2024-02' }] }
const status = { id: 'OBS_STATUS', values: [{ id: 'A', name: 'Normal' }, { id: 'P' }] }

describe('SDMX-JSON', () => {
  test('with the structure at the root keeps the digits of numbers', () => {
    const text = `{"header":{},"dataSets":[{"series":{"0:1":{"attributes":[0],"observations":{"0":[1.10,1],"1":[76.0,0]}}}}],
      "structure":{"links":[{"rel":"dataflow","href":"https://x/service/dataflow/ECB/EXR/1.0"}],
      "dimensions":{"series":[${JSON.stringify(freq)},${JSON.stringify(area)}],"observation":[${JSON.stringify(time)}]},
      "attributes":{"series":[{"id":"TITLE","values":[{"name":"Rate"}]}],"observation":[${JSON.stringify(status)}]}}}`
    expect(read(text, ['OBS_STATUS', 'TITLE', 'AREA']).seen).toEqual([
      'EXR M.FR M 2024-01 1.10 P Rate|Rate FR',
      'EXR M.FR M 2024-02 76.0 A|Normal Rate|Rate FR',
    ])
  })

  test('with data.structure reads values as text and null as no value', () => {
    const message = {
      meta: {},
      data: {
        dataSets: [
          {
            links: [{ urn: 'urn:sdmx:org.sdmx.infomodel.datastructure.Dataflow=BIS:WS_EER(1.0)' }],
            series: { '0:0': { attributes: [null], observations: { 0: ['93', 0], 1: [null, null] } } },
          },
        ],
        structure: {
          dimensions: { dataset: [], series: [freq, area], observation: [time] },
          attributes: { series: [{ id: 'UNIT', values: [] }], observation: [status] },
        },
      },
    }
    expect(read(message, ['OBS_STATUS', 'UNIT']).seen).toEqual([
      'WS_EER M.DE M 2024-01 93 A|Normal -',
      'WS_EER M.DE M 2024-02  - -',
    ])
  })

  test('with data.structures mixes indexes and literals, and reads attributes of groups', () => {
    const message = {
      data: {
        dataSets: [
          {
            structure: 0,
            series: {
              '0:0': { attributes: [], observations: { 0: ['1.5', 'NA', 0, 7] } },
              '1:0': { observations: { 1: ['2'] } },
            },
            dimensionGroupAttributes: { '0::': [0], '1::': ['own'] },
          },
        ],
        structures: [
          {
            links: [{ urn: 'urn:sdmx:org.sdmx.infomodel.datastructure.Dataflow=IMF.STA:CPI(5.0.0)' }],
            dimensions: {
              series: [area, { id: 'FREQUENCY', roles: ['FREQ'], values: [{ id: 'M' }] }],
              observation: [{ id: 'TIME_PERIOD', values: [{ value: '2024-01' }, { value: '2024-02' }] }],
            },
            measures: { observation: [{ id: 'OBS_VALUE' }] },
            attributes: {
              dimensionGroup: [{ id: 'UNIT', values: [{ id: 'PT' }] }],
              observation: [{ id: 'STATUS', values: [] }, status, { id: 'SCALE' }],
            },
          },
        ],
      },
    }
    expect(read(message, ['STATUS', 'OBS_STATUS', 'SCALE', 'UNIT']).seen).toEqual([
      'CPI DE.M M 2024-01 1.5 NA A|Normal 7 PT',
      'CPI FR.M M 2024-02 2 - - - own',
    ])
  })

  test('flat, or with the time in the series, gives the same in the order of key positions', () => {
    const placed = {
      area: { ...area, keyPosition: 1 },
      freq: { ...freq, keyPosition: 0 },
      time: { ...time, keyPosition: 2 },
    }
    const flat = {
      dataSets: [{ observations: { '0:0': [1], '1:1': [2] } }],
      structure: { dimensions: { dataSet: [placed.freq], series: [], observation: [placed.area, placed.time] } },
    }
    const crossed = {
      dataSets: [{ series: { 0: { observations: { 0: [1] } }, 1: { observations: { 1: [2] } } } }],
      structure: { dimensions: { dataSet: [placed.freq], series: [placed.time], observation: [placed.area] } },
    }
    const expected = ['- M.DE M 2024-01 1', '- M.FR M 2024-02 2']
    expect(read(flat).seen).toEqual(expected)
    expect(read(crossed).seen).toEqual(expected)
  })

  test('reads deletions, defaults and several values of one attribute', () => {
    const structure = {
      dimensions: { series: [freq], observation: [time] },
      attributes: { observation: [status, { id: 'CONF', default: 'F', values: [] }] },
    }
    const series = (observations: unknown) => ({ 0: { observations } })
    const message = {
      dataSets: [
        { action: 'Replace', series: series({ 0: [5, [0, 1]], 1: [] }) },
        { action: 'Delete', series: series({ 1: [] }) },
      ],
      structure,
    }
    expect(read(message, ['OBS_STATUS', 'CONF']).seen).toEqual(['- M M 2024-01 5 A,P F', '- M M 2024-02 deleted - F'])
  })

  test('says what does not fit and reads the rest', () => {
    const dimensions = { series: [freq, area], observation: [time] }
    const series = { '0:0': { observations: { 0: [1], 9: [2], x: [3], 1: 'no list' } }, '0': {}, '0:7': {} }
    const odd = read({ dataSets: [{ series }], structure: { dimensions } })
    expect(odd.seen).toEqual(['- M.DE M 2024-01 1'])
    expect(odd.problems).toEqual(['5 keys of the SDMX-JSON message do not fit its structure'])
    const timeless = { dataSets: [{ observations: { 0: [1] } }], structure: { dimensions: { observation: [area] } } }
    expect(read(timeless).problems).toEqual(['the SDMX-JSON message has no time dimension'])
  })

  test('without series is empty, and structure messages are not data', () => {
    expect(read({ data: { dataSets: [{ structure: 0 }], structures: [{}] } })).toEqual({ seen: [], problems: [] })
    expect(isSdmxJson(parseJson('{"data":{"dataflows":[]}}'))).toBe(false)
    expect(isSdmxJson(parseJson('[]'))).toBe(false)
  })
})
