// The writers of SDMX messages against specimens, and against themselves: all formats tell the same observations.
import { XmlDocument } from 'libxml2-wasm'
import { describe, expect, test } from 'vitest'
import type { AnyArtefact } from './artefacts.ts'
import { codeId, nameOfCode } from './code-id.ts'
import { writeDataCsv } from './data-csv.ts'
import { writeDataJson } from './data-json.ts'
import { cutParts, type DataMessage, type Observation, type SeriesOfData } from './data-set.ts'
import { writeDataXml } from './data-xml.ts'
import { formatErrorJson, formatErrorXml } from './error-message.ts'
import { showArtefacts } from './shown-artefacts.ts'
import { writeStructureJson } from './structure-json.ts'
import { writeStructureXml } from './structure-xml.ts'
import {
  agreementsStructure,
  codelist,
  conceptScheme,
  dataflowOf,
  seriesStructure,
  sharedCodelists,
} from './structures.ts'

const [may, june] = ['2024-05-15T12:30:00.000000Z', '2024-06-15T12:30:00.000000Z']

function observation(period: string, value: string | null, more: Partial<Observation> = {}): Observation {
  const attributes = value === null ? [null, null, may, may] : ['A', 'FINAL', may, june]
  return { period, value, attributes, action: 'Information', validFrom: null, validTo: null, ...more }
}

const odd = 'A "quoted", <odd> & long\tname'
const series: SeriesOfData = {
  key: ['WPU101', 'M'],
  names: [odd, null],
  attributes: ['1982=100', odd],
  observations: [observation('2024-03', '101.10'), observation('2024-04', '-0.50')],
}

function message(all: readonly SeriesOfData[], more: Partial<DataMessage> = {}): DataMessage {
  async function* each() {
    yield* all
  }
  return {
    parts: [{ structure: seriesStructure('BLS'), series: each() }],
    prepared: june,
    hasActions: false,
    hasValidity: false,
    ...more,
  }
}

async function gathered(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}

const history = () =>
  message(
    [
      {
        ...series,
        observations: [
          observation('2024-03', '101.10', {
            action: 'Replace',
            validFrom: may,
            validTo: '2024-06-15T12:29:59.999999Z',
          }),
          observation('2024-03', null, { action: 'Delete', validFrom: june }),
        ],
      },
    ],
    { hasActions: true, hasValidity: true },
  )

describe('SDMX-CSV', () => {
  test('has a row for each observation, quotes what needs it and keeps every digit', async () => {
    const [head, first, second, end] = (await gathered(writeDataCsv(message([series])))).split('\r\n')
    expect(head).toBe(
      'STRUCTURE,STRUCTURE_ID,ACTION,SERIES,FREQ,TIME_PERIOD,OBS_VALUE,OBS_STATUS,VERSION_TAG,PUBLISHED_AT,RECORDED_AT,UNIT,TITLE',
    )
    expect(first).toBe(
      `dataflow,ASSIZE:BLS(1.0),I,WPU101,M,2024-03,101.10,A,FINAL,${may},${june},1982=100,"A ""quoted"", <odd> & long\tname"`,
    )
    expect(second).toContain(',2024-04,-0.50,')
    expect(end).toBe('')
  })

  test('names the key of a deletion and nothing else, and the validity of every row of a history', async () => {
    const rows = (await gathered(writeDataCsv(history()))).split('\r\n')
    expect(rows[0]).toMatch(/,TITLE,VALID_FROM,VALID_TO$/)
    expect(rows[2]).toBe(`dataflow,ASSIZE:BLS(1.0),D,WPU101,M,2024-03,,,,,,,,${june},`)
    expect(new Set(rows.slice(0, 3).map(row => row.replace(/"[^,].*"/, '').split(',').length))).toEqual(new Set([15]))
  })
})

describe('SDMX-JSON', () => {
  test('tells values as texts, and attributes and keys by their places in the structure behind them', async () => {
    const { data } = JSON.parse(await gathered(writeDataJson(message([series])))) as {
      data: { dataSets: object[]; structures: object[] }
    }
    expect(data.dataSets).toMatchObject([
      {
        series: {
          '0:0': { attributes: [0, 0], observations: { 0: ['101.10', 0, 0, 0, 0], 1: ['-0.50', 0, 0, 0, 0] } },
        },
      },
    ])
    expect(data.structures).toMatchObject([
      {
        dimensions: {
          series: [
            { id: 'SERIES', values: [{ id: 'WPU101', name: odd }] },
            { id: 'FREQ', values: [{ id: 'M', name: 'Monthly' }] },
          ],
          observation: [{ id: 'TIME_PERIOD', values: [{ id: '2024-03' }, { id: '2024-04' }] }],
        },
        attributes: { series: [{ values: [{ value: '1982=100' }] }, { values: [{ value: odd }] }] },
        dataSets: [0],
      },
    ])
  })

  test('has neither data sets nor structures where there is no observation', async () => {
    for (const hasActions of [false, true]) {
      const text = await gathered(writeDataJson(message([{ ...series, observations: [] }], { hasActions })))
      expect(JSON.parse(text)).toMatchObject({ data: { dataSets: [], structures: [] } })
    }
  })
})

describe('SDMX-ML', () => {
  for (const edition of ['3.0', '2.1'] as const)
    test(`${edition} is XML whose attributes are what was told`, async () => {
      using document = XmlDocument.fromString(await gathered(writeDataXml(message([series]), edition)))
      const text = (path: string) => document.get(path)?.content
      expect(text('//Series/@TITLE')).toBe(odd)
      expect(document.find('//Series/Obs/@OBS_VALUE').map(each => each.content)).toEqual(['101.10', '-0.50'])
      expect(document.root.namespaceUri).toBe(
        `http://www.sdmx.org/resources/sdmxml/schemas/v${edition.replace('.', '_')}/message`,
      )
      using told = XmlDocument.fromString(await gathered(writeDataXml(history(), edition)))
      expect(told.find("//*[local-name()='DataSet']/@*[local-name()='action']").map(each => each.content)).toEqual([
        'Replace',
        'Delete',
      ])
      expect(told.find('//Series')).toHaveLength(2)
      expect(told.get("//*[@*[local-name()='action']='Delete']/Series/@TITLE")).toBeNull()
    })
})

describe('several dataflows', () => {
  const prices: SeriesOfData = {
    key: ['steel', 'FACTOR', '_Z', '_Z'],
    names: [null, null, null, null],
    attributes: ['Steel, cold'],
    observations: [
      observation('2024-04-01', '1.05', { attributes: ['P', 'PROPOSED', '2024', null, null, null, null] }),
    ],
  }
  const both = (more: Partial<DataMessage> = {}) => {
    const [one] = message([series]).parts
    const [other] = message([prices]).parts
    return message([], { parts: [one!, { structure: agreementsStructure, series: other!.series }], ...more })
  }

  test('have the columns of all in CSV, and rows of each under its own', async () => {
    const rows = (await gathered(writeDataCsv(both()))).split('\r\n')
    expect(rows[0]).toMatch(/,SERIES,FREQ,TIME_PERIOD,OBS_VALUE,.*,TITLE,AGREEMENT,INDICATOR,ITEM,FROM_QUANTITY,/)
    const cells = Object.fromEntries(rows[0]!.split(',').map((id, i) => [id, rows[3]!.replace(/"/g, '').split(',')[i]]))
    expect(cells).toMatchObject({
      STRUCTURE_ID: 'ASSIZE:AGREEMENTS(1.0)',
      SERIES: '',
      TIME_PERIOD: '2024-04-01',
      OBS_VALUE: '1.05',
    })
    expect(rows[1]).toMatch(/^dataflow,ASSIZE:BLS\(1\.0\),I,WPU101,M,2024-03,101\.10,.*",{9}$/)
  })

  test('are data sets of one message in JSON and XML, each with its structure', async () => {
    const { data } = JSON.parse(await gathered(writeDataJson(both()))) as { data: Record<string, object[]> }
    expect(data.dataSets).toMatchObject([{ structure: 0 }, { structure: 1, series: { '0:0:0:0': {} } }])
    expect(data.structures).toMatchObject([{ dataSets: [0] }, { dataSets: [1] }])
    using document = XmlDocument.fromString(await gathered(writeDataXml(both(), '3.0')))
    const found = (path: string) => document.find(path).map(each => each.content)
    expect(found("//*[local-name()='DataSet']/@*[local-name()='structureRef']")).toEqual(['BLS', 'AGREEMENTS'])
    expect(found("//*[local-name()='Structure']/@structureID")).toEqual(['BLS', 'AGREEMENTS'])
  })

  test('are cut by offset and limit together', async () => {
    const values = async (offset: number, limit: number | null) => {
      const parts = cutParts(both().parts, offset, limit)
      const rows = (await gathered(writeDataCsv(both({ parts })))).split('\r\n').slice(1, -1)
      return rows.map(row => /,(101\.10|-0\.50|1\.05),/.exec(row)![1])
    }
    expect(await values(0, null)).toEqual(['101.10', '-0.50', '1.05'])
    expect([await values(1, 1), await values(1, null), await values(2, 5), await values(3, null)]).toEqual([
      ['-0.50'],
      ['-0.50', '1.05'],
      ['1.05'],
      [],
    ])
  })
})

test('of 100,000 observations no more are held at once than one series has', async () => {
  const each = 1_000
  const writers = [writeDataCsv, writeDataJson, (told: DataMessage) => writeDataXml(told, '3.0')]
  for (const [at, write] of writers.entries()) {
    const count = [100, 10, 10][at]!
    let [made, told, most] = [0, 0, 0]
    const observations = function* () {
      for (let i = 0; i < each; i++) {
        made++
        yield observation(`${1000 + i}`, `${i}.125`)
      }
    }
    const all = async function* (): AsyncGenerator<SeriesOfData> {
      for (let i = 0; i < count; i++) yield { ...series, key: [`S${i}`, 'A'], observations: observations() }
    }
    const parts = [{ structure: seriesStructure('BLS'), series: all() }]
    for await (const piece of write(message([], { parts }))) {
      most = Math.max(most, made - told)
      told += piece.split('.125').length - 1
    }
    expect([made, told]).toEqual([count * each, count * each])
    expect(most).toBeLessThanOrEqual(each)
  }
})

describe('structures', () => {
  const structure = seriesStructure('BLS')
  const lists = [...sharedCodelists, codelist('CL_BLS_SERIES', 'Series', [{ id: 'WPU101', name: odd }])]
  const all: readonly AnyArtefact[] = [dataflowOf(structure), structure, conceptScheme, ...lists]
  const shown = showArtefacts(all, [all[0]!], 'descendants', 'full')

  test('refer only to what comes with them when everything is asked for', () => {
    const text = [...writeStructureJson('X', june, shown)].join('')
    const own = new Set(all.map(({ id }) => id))
    const named = [...text.matchAll(/=ASSIZE:(\w+)\(1\.0\)/g)].map(match => match[1]!)
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter(id => !own.has(id))).toEqual([])
    const { data } = JSON.parse(text) as { data: Record<string, object[]> }
    expect(data.codelists).toContainEqual(
      expect.objectContaining({ codes: [{ id: 'WPU101', name: odd, names: { en: odd } }] }),
    )
  })

  test('have every concept that a component names', () => {
    const text = [...writeStructureJson('X', june, shown)].join('')
    const concepts = new Set(conceptScheme.items.map(({ id }) => id))
    for (const [, id] of text.matchAll(/CONCEPTS\(1\.0\)\.(\w+)/g)) expect(concepts).toContain(id)
  })

  test('are the same in both editions of XML, but for how they refer to each other', () => {
    const idsIn = (edition: '3.0' | '2.1') => {
      using document = XmlDocument.fromString([...writeStructureXml('X', june, shown, edition)].join(''))
      const path = "//*[local-name()!='Ref' and local-name()!='Sender']/@id"
      return document.find(path).map(each => each.content)
    }
    expect(idsIn('3.0')).toEqual(idsIn('2.1'))
    expect(idsIn('3.0').length).toBeGreaterThan(40)
  })

  test('leave out the codes of an empty list', () => {
    const empty = [{ artefact: codelist('CL_X', 'X', []), isStub: false }]
    expect([...writeStructureJson('X', june, empty)].join('')).toContain('"isPartial":false}]')
  })
})

test('codes are what SDMX allows, and can be undone', () => {
  expect(codeId('WPU101')).toBe('WPU101')
  expect(codeId('EXR.D.USD/EUR')).toBe('EXR@D@USD$2FEUR')
  for (const name of ['a', 'a.b', 'a@b', 'a$2Eb', 'é ö', '日本', "=cmd|' /C calc'!A0", 'x+y,z', '_Z', '-1']) {
    expect(codeId(name)).toMatch(/^[A-Za-z0-9_@$-]+$/)
    expect(nameOfCode(codeId(name))).toBe(name)
  }
  for (const id of ['$', '$2', '$zz', '$41', '$FF', 'a.b', 'a b']) expect([id, nameOfCode(id)]).toEqual([id, null])
})

test('refusals have the code of the standard, and others keep their status', () => {
  const told = (status: number) =>
    (JSON.parse(formatErrorJson(status, 'why', 'id', june)) as { errors: object[] }).errors
  expect(told(404)).toEqual([{ code: 100, title: 'No results found', detail: 'why' }])
  expect(told(429)).toEqual([{ code: 1429, title: 'Not answered', detail: 'why' }])
  using document = XmlDocument.fromString(formatErrorXml(413, '<too> much', '3.0'))
  expect(document.get("//*[local-name()='ErrorMessage']/@code")?.content).toBe('130')
  expect(document.root.content).toContain('<too> much')
})
