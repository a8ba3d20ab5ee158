import { describe, expect, test } from 'vitest'
import { readSdmxCsv, type SdmxCsvOptions, SdmxCsvReader } from './sdmx-csv.ts'

interface Seen {
  readonly flow: string | null
  readonly key: string
  readonly frequency: string | null
  readonly period: string
  readonly value: string | null
  readonly isDeleted: boolean
  readonly found: readonly (string | null)[]
}

function read(text: string | readonly string[], ids: readonly string[] = [], options: SdmxCsvOptions = {}) {
  const seen: Seen[] = []
  const problems = readSdmxCsv(
    typeof text === 'string' ? [text] : text,
    cursor => {
      const { flow, key, frequency, period, value, isDeleted } = cursor
      const found = ids.map(id => {
        const one = cursor.find(id)
        return one === null ? null : one.label === null ? one.code : `${one.code}|${one.label}`
      })
      seen.push({ flow: flow?.id ?? null, key, frequency, period, value, isDeleted, found })
    },
    options,
  )
  return { seen, problems: problems.map(problem => problem.message) }
}

const abs = `DATAFLOW,MEASURE,INDEX,FREQ,TIME_PERIOD,OBS_VALUE,UNIT_MEASURE,OBS_STATUS
ABS:CPI(2.0.0),1,10001,Q,2012-Q1,68.070,IN,
ABS:CPI(2.0.0),1,40081,Q,2012-Q1,,IN,n
`

describe('SDMX-CSV', () => {
  test('1.0 has its key between the flow and the time', () => {
    const { seen, problems } = read(abs, ['UNIT_MEASURE', 'OBS_STATUS', 'NOWHERE'])
    expect(problems).toEqual([])
    const common = { flow: 'CPI', frequency: 'Q', period: '2012-Q1', isDeleted: false }
    expect(seen).toEqual([
      { ...common, key: '1.10001.Q', value: '68.070', found: ['IN', null, null] },
      { ...common, key: '1.40081.Q', value: '', found: ['IN', 'n', null] },
    ])
  })

  test('gives the same result however it is cut into chunks', () => {
    const whole = read(abs, ['OBS_STATUS'])
    for (let size = 1; size < 40; size += 3) {
      const chunks = Array.from({ length: Math.ceil(abs.length / size) }, (_, at) =>
        abs.slice(at * size, (at + 1) * size),
      )
      expect(read(chunks, ['OBS_STATUS'])).toEqual(whole)
    }
  })

  test('of the ECB has flow and key in the column KEY, whatever the number of dimensions', () => {
    const { seen } = read(
      'KEY,FREQ,CURRENCY,TIME_PERIOD,OBS_VALUE,TITLE\nEXR.D.GBP,D,GBP,2026-06-09,0.8634,"Pound, sterling"\n',
      ['TITLE'],
    )
    expect(seen).toMatchObject([{ flow: 'EXR', key: 'D.GBP', frequency: 'D', found: ['Pound, sterling'] }])
  })

  test('of Eurostat has dimensions in lower case after the last update', () => {
    const { seen } = read(
      'DATAFLOW,LAST UPDATE,freq,unit,geo,TIME_PERIOD,OBS_VALUE,OBS_FLAG\nESTAT:X(1.0),02/10/26 11:00:00,M,I25,AT,2026-09,103.81,e\n',
      ['OBS_FLAG', 'unit'],
    )
    expect(seen).toMatchObject([{ flow: 'X', key: 'M.I25.AT', frequency: 'M', found: ['e', 'I25'] }])
  })

  test('finds OBS_VALUE in any column', () => {
    const { seen } = read(
      'DATAFLOW,FREQ,TIME_PERIOD,AVAILABILITY,OBS_STATUS,OBS_VALUE\nBIS:D(1.0),A,2004,K,A,14206.490766\n',
    )
    expect(seen).toMatchObject([{ key: 'A', value: '14206.490766' }])
  })

  test('2.0 reads codes out of `CODE: Label` in header and cells', () => {
    const { seen } = read(
      'STRUCTURE,STRUCTURE_ID,ACTION,REF_AREA: Area,FREQ: Frequency,UNIT_MEASURE: Unit,TIME_PERIOD: Time,OBS_VALUE,OBS_STATUS: Status\n' +
        'DATAFLOW,OECD.A:D@F(1.0),I,GBR: United Kingdom,A: Annual,"PA: Percent, per annum",2020: 2020,1,A: Normal value\n',
      ['UNIT_MEASURE', 'OBS_STATUS'],
    )
    expect(seen).toMatchObject([
      {
        flow: 'D@F',
        key: 'GBR.A.PA',
        frequency: 'A',
        period: '2020',
        found: ['PA|Percent, per annum', 'A|Normal value'],
      },
    ])
  })

  test('2.0 distinguishes label columns from code columns, by case', () => {
    const { seen } = read(
      'STRUCTURE,STRUCTURE_ID,STRUCTURE_NAME,ACTION,MEASURE,Measure,FREQ,Frequency,TIME_PERIOD,Time period,OBS_VALUE,Observation value,UNIT_MEASURE,Unit\n' +
        'DATAFLOW,A:B(1.0),Prices,I,CPI,Consumer prices,M,Monthly,2024-01,,5.10,,IX,Index\n',
      ['MEASURE', 'UNIT_MEASURE', 'Measure'],
    )
    expect(seen).toMatchObject([{ key: 'CPI.M', value: '5.10', found: ['CPI|Consumer prices', 'IX|Index', null] }])
  })

  test('2.0 reads semicolons, decimal commas, the column SERIES_KEY and list names in brackets', () => {
    const { seen } = read(
      'STRUCTURE[|];STRUCTURE_ID;ACTION;SERIES_KEY;B;A;TIME_PERIOD;OBS_VALUE;TITLE[en|fr]\ndataflow;E:N(1.6.0);I;a.b;b;a;2014-01;12,40;x\n',
      ['TITLE'],
    )
    expect(seen).toMatchObject([{ flow: 'N', key: 'a.b', value: '12.40', found: ['x'] }])
  })

  test('2.0 reports deletions and skips rows that only contain attributes', () => {
    const { seen } = read(
      'STRUCTURE,STRUCTURE_ID,ACTION,FREQ,TIME_PERIOD,OBS_VALUE,X\ndataflow,A:B,D,M,2014-01,-,\ndataflow,A:B,I,M,,,note\n',
    )
    expect(seen).toMatchObject([{ period: '2014-01', isDeleted: true }])
  })

  test('without a flow asks how many columns form the key', () => {
    const table = 'FREQ,AREA,UNIT,TIME_PERIOD,OBS_VALUE\nM,CN,882,2026-05,111.83\n'
    const flow = { agency: 'BIS', id: 'WS', version: null }
    expect(read(table, [], { withoutFlow: () => ({ keyLength: 2, flow }) }).seen).toMatchObject([
      { flow: 'WS', key: 'M.CN' },
    ])
    expect(read(table).seen).toMatchObject([{ flow: null, key: 'M.CN.882' }])
  })

  test('with only a header is empty, without a problem', () => {
    expect(read('DATAFLOW,FREQ,TIME_PERIOD,OBS_VALUE')).toEqual({ seen: [], problems: [] })
  })

  test('says what is wrong with a table and reads the rest', () => {
    expect(read('A,B\n1,2\n').problems).toEqual(['the table has no column TIME_PERIOD; its columns are A, B'])
    expect(read('TIME_PERIOD,FREQ\n').problems).toEqual([
      'the table has no column OBS_VALUE; its columns are TIME_PERIOD, FREQ',
    ])
    const short = read('KEY,TIME_PERIOD,OBS_VALUE\nE.D,2024-01-02,1\nE.D,2024-01\nE.D\nE.D,2024-01-03,2\n')
    expect(short.seen).toHaveLength(2)
    expect(short.problems).toEqual(['line 3 has 2 cells, the header has 3 (and 1 more like it)'])
    const open = read('KEY,TIME_PERIOD,OBS_VALUE\nE.D,2024-01-02,1\nE.D,"2024\n')
    expect(open.seen).toHaveLength(1)
    expect(open.problems).toEqual(['line 3: a quoted cell is never closed'])
  })

  test('keeps no rows: what is pushed goes to the sink at once', () => {
    let count = 0
    const reader = new SdmxCsvReader(() => {
      count++
    })
    reader.push('KEY,TIME_PERIOD,OBS_VALUE\nE.D,2024-01-02,1\nE.D,2024')
    expect(count).toBe(1)
    reader.push('-01-03,2\n')
    expect(count).toBe(2)
    expect(reader.end()).toEqual([])
  })
})
