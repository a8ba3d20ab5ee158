import { describe, expect, test } from 'vitest'
import type { SdmxCode } from './sdmx-code.ts'
import { isSdmxMl, readSdmxMl } from './sdmx-ml.ts'

function read(text: string, asked: readonly SdmxCode[] = [], ids: readonly string[] = []) {
  const seen: string[] = []
  const root = text.includes('Specific') ? 'StructureSpecificData' : 'GenericData'
  const flowOfStructure = ({ id }: { id: string }) => ({ agency: null, id: id.replace('DSD_', ''), version: null })
  const problems = readSdmxMl(
    text,
    root,
    cursor => {
      const found = ids.map(id => cursor.find(id)?.code ?? '-')
      seen.push([cursor.flow?.id, cursor.key, cursor.frequency, cursor.period, cursor.value, ...found].join(' '))
    },
    { asked, flowOfStructure },
  )
  return { seen, problems: problems.map(problem => `${problem.kind}: ${problem.message}`) }
}

const generic = (header: string, data: string) =>
  `<m:GenericData xmlns:m="m" xmlns:g="g"><m:Header>${header}</m:Header><m:DataSet>${data}</m:DataSet></m:GenericData>`
const usage =
  '<m:Structure><StructureUsage><Ref agencyID="ABS" id="LF" version="1.0.0"/></StructureUsage></m:Structure>'
const value = (id: string, text: string) => `<g:Value id="${id}" value="${text}"/>`

describe('SDMX-ML', () => {
  test('generic has the key in the order of its values, and attributes on every level', () => {
    const data = `<g:Group><g:GroupKey>${value('AREA', 'AU')}</g:GroupKey><g:Attributes>${value('TITLE', 'Labour')}</g:Attributes></g:Group>
      <g:Series><g:SeriesKey>${value('AREA', 'AU')}${value('FREQ', 'M')}</g:SeriesKey><g:Attributes>${value('UNIT_MULT', '3')}</g:Attributes>
      <g:Obs><g:ObsDimension value="2026-03"/><g:ObsValue value="3196.4870"/><g:Attributes>${value('OBS_STATUS', 'A')}</g:Attributes></g:Obs>
      <g:Obs><g:ObsDimension id="TIME_PERIOD" value="2026-04"/></g:Obs></g:Series>`
    expect(read(generic(usage, data), [], ['UNIT_MULT', 'OBS_STATUS', 'TITLE']).seen).toEqual([
      'LF AU.M M 2026-03 3196.4870 3 A Labour',
      'LF AU.M M 2026-04  3 - Labour',
    ])
  })

  test('generic and flat has the key in each observation', () => {
    const key = `<g:ObsKey>${value('FREQ', 'A')}${value('AREA', 'AU')}${value('TIME_PERIOD', '2024')}</g:ObsKey>`
    expect(read(generic(usage, `<g:Obs>${key}<g:ObsValue value="1"/></g:Obs>`)).seen).toEqual(['LF A.AU A 2024 1'])
  })

  test('names its flow by URN, or by its structure if there is nothing better', () => {
    const series = `<g:Series><g:SeriesKey>${value('FREQ', 'A')}</g:SeriesKey><g:Obs><g:ObsDimension value="2024"/><g:ObsValue value="1"/></g:Obs></g:Series>`
    const urn = (kind: string) =>
      `<m:Structure><c><URN>urn:sdmx:org.sdmx.infomodel.datastructure.${kind}(1.0)</URN></c></m:Structure>`
    expect(read(generic(urn('Dataflow=ECB:EXR'), series)).seen).toEqual(['EXR A A 2024 1'])
    expect(read(generic(urn('DataStructure=IMF.STA:DSD_CPI'), series)).seen).toEqual(['CPI A A 2024 1'])
  })

  const specific = `<m:StructureSpecificData><m:Header>${usage}</m:Header><m:DataSet>
    <Group INDICATOR="GDP" LATEST="2024"/><Group INDICATOR="CPI" LATEST="2020"/>
    <Series geo="LU" INDICATOR="GDP" freq="A"><Obs TIME_PERIOD="2012" OBS_VALUE="46526.20"><Comp id="OBS_STATUS"><Value>A</Value><Value>P</Value></Comp></Obs></Series>
    </m:DataSet></m:StructureSpecificData>`

  test('structure-specific is read for the requested series', () => {
    const asked = [{ flow: { agency: null, id: 'LF', version: null }, key: ['A', 'GDP', 'LU'] }]
    expect(read(specific, asked, ['OBS_STATUS', 'LATEST'])).toEqual({
      seen: ['LF A.GDP.LU A 2012 46526.20 A,P 2024'],
      problems: [],
    })
  })

  test('structure-specific without a code is not guessed at', () => {
    expect(read(specific)).toEqual({
      seen: [],
      problems: [
        'unreadable: a structure-specific message does not say what forms the key of a series; the requested code is needed',
      ],
    })
  })

  test('reports its footer and where it breaks off', () => {
    const footer =
      '<f:Footer><f:Message code="413"><c:Text>Too big</c:Text><c:Text>more</c:Text></f:Message></f:Footer>'
    expect(read(`<m:GenericData><m:Header/>${footer}</m:GenericData>`).problems).toEqual(['too-large: Too big'])
    expect(read('<m:GenericData><m:Header>').problems[0]).toMatch(/^unreadable: not well-formed XML/)
    expect(read('<!DOCTYPE a><m:GenericData/>').problems[0]).toMatch(/DOCTYPE is refused/)
  })

  test('is recognised by its root element', () => {
    expect(['GenericData', 'StructureSpecificTimeSeriesData', 'StructureSpecificData'].every(isSdmxMl)).toBe(true)
    expect(['Structure', 'Error', 'Envelope'].some(isSdmxMl)).toBe(false)
  })
})
