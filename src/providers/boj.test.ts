import { describe, expect, test } from 'vitest'
import { boj } from './boj.ts'
import type { Answer, ProviderQuery } from './provider.ts'

const answer = (body: unknown, more: Partial<Answer> = {}): Answer => ({
  status: 200,
  contentType: null,
  url: null,
  codes: [],
  body: typeof body === 'string' ? body : JSON.stringify(body),
  ...more,
})
const read = (body: unknown, more: Partial<Answer> = {}) => boj.read(answer(body, more))

const result = (frequency: string, dates: unknown[], values: unknown[], more: object = {}) => ({
  SERIES_CODE: 'PRCG20_2200000000',
  NAME_OF_TIME_SERIES: 'Producer Price Index/All commodities',
  UNIT: 'CY2020 average=100',
  FREQUENCY: frequency,
  CATEGORY: 'Corporate Goods Price Index',
  LAST_UPDATE: 20260610,
  VALUES: { SURVEY_DATES: dates, VALUES: values },
  ...more,
})
const body = (results: unknown[], more: object = {}) => ({
  STATUS: 200,
  MESSAGEID: 'M181000I',
  MESSAGE: 'Successfully completed',
  DATE: '2026-06-10T9:00:06.669+09:00',
  PARAMETER: { FORMAT: 'JSON', LANG: 'EN', DB: 'PR01', STARTPOSITION: '' },
  NEXTPOSITION: null,
  RESULTSET: results,
  ...more,
})
const query = (codes: readonly string[]): ProviderQuery => ({
  codes,
  from: null,
  changedSince: null,
  today: 20_000,
  key: null,
})
const csv = (lines: readonly string[]) =>
  [
    'STATUS,200',
    'MESSAGEID,M181000I',
    'MESSAGE,Successfully completed',
    'DATE,2026-02-19T12:38:31.167+09:00',
    'PARAMETER,FORMAT,CSV',
    'PARAMETER,DB,CO',
    'NEXTPOSITION,',
    ...lines,
    '',
  ].join('\r\n')

describe('reading BOJ', () => {
  test.each([
    ['ANNUAL', 2024, '2024'],
    ['ANNUAL(DEC)', 2024, '2024'],
    ['SEMIANNUAL', 202402, '2024-H2'],
    ['QUARTERLY', 202404, '2024-Q4'],
    ['MONTHLY', 202404, '2024-04'],
    ['WEEKLY(MONDAY)', 20240401, '2024-W14'],
    ['DAILY', 20240401, '2024-04-01'],
  ])('BOJ-1: under %s the integer %i is %s', (frequency, date, period) => {
    expect(read(body([result(frequency, [date], [11])])).series[0]!.observations[0]!.period).toBe(period)
  })

  test.each([
    ['QUARTERLY', 202405],
    ['MONTHLY', 202413],
    ['DAILY', 20240230],
    ['ANNUAL', 202404],
  ])('BOJ-1: under %s the integer %i is not a period', (frequency, date) => {
    expect(read(body([result(frequency, [date], [11])]))).toMatchObject({
      series: [],
      problems: [{ kind: 'unreadable' }],
    })
  })

  test('BOJ-2: "no data" is a success: a series with missing periods only', () => {
    const empty = body([result('QUARTERLY', [195001, 195002], [null, null])], { MESSAGEID: 'M181030I' })
    expect(read(empty)).toMatchObject({
      series: [
        { code: 'PR01/PRCG20_2200000000', observations: [], missing: [{ period: '1950-Q1' }, { period: '1950-Q2' }] },
      ],
      problems: [],
    })
  })

  test('BOJ-3, BOJ-5: metadata has no values, and its headings no code', () => {
    const { VALUES: _absent, ...metadata } = result('DAILY', [], [])
    const heading = { SERIES_CODE: '', NAME_OF_TIME_SERIES: 'Foreign Exchange Rates (Daily)', FREQUENCY: '' }
    const { PARAMETER: _none, ...rest } = body([heading, { ...metadata, LAST_UPDATE: '20260219' }], { DB: 'FM08' })
    expect(read(rest)).toMatchObject({ series: [{ frequency: 'DAILY', observations: [], missing: [] }], problems: [] })
  })

  test('BOJ-4: a DATE that is not a valid time changes nothing', () => {
    expect(read(body([result('MONTHLY', [202404], [1])], { DATE: '2026-02-19T9:00:06' })).problems).toEqual([])
  })

  test('BOJ-6: errors are JSON, and their own status gives the kind', () => {
    const error = (STATUS: number) =>
      read({ STATUS, MESSAGEID: 'M181004E', MESSAGE: 'DBが指定されていません。', DATE: '' })
    expect(error(400)).toEqual({
      series: [],
      problems: [{ kind: 'bad-request', message: 'M181004E: DBが指定されていません。' }],
    })
    expect([error(500), error(503)].map(each => each.problems[0]!.kind)).toEqual(['provider-error', 'provider-error'])
    expect(read({ STATUS: 500 }).problems[0]!.message).toBe('status 500 without a message')
  })

  test('BOJ-8: the base year stays in the code and the unit; Japanese names are used if there are no others', () => {
    const [series] = read(body([result('MONTHLY', [202404], [122.3])])).series
    expect(series).toMatchObject({ code: 'PR01/PRCG20_2200000000', unit: 'CY2020 average=100' })
    const { NAME_OF_TIME_SERIES: _name, UNIT: _unit, ...bare } = result('MONTHLY', [202404], [1])
    const japanese = body([{ ...bare, NAME_OF_TIME_SERIES_J: '業況', UNIT_J: '%ポイント' }])
    expect(read(japanese).series[0]).toMatchObject({ name: '業況', unit: '%ポイント' })
  })

  test('BOJ-9: the database is compared ignoring case', () => {
    const echoed = body([result('MONTHLY', [202404], [1])], { PARAMETER: { DB: 'pr01' } })
    expect(read(echoed).series[0]!.code).toBe('PR01/PRCG20_2200000000')
    expect(read(echoed, { codes: ['pr01/PRCG20_2200000000'] }).series[0]!.code).toBe('pr01/PRCG20_2200000000')
    const unnamed = body([result('MONTHLY', [202404], [1])], { PARAMETER: {} })
    expect(read(unnamed).problems[0]!.kind).toBe('unreadable')
    expect(read(unnamed, { url: 'https://h/api/v1/getDataCode?db=pr01&code=X' }).series[0]!.code).toBe(
      'PR01/PRCG20_2200000000',
    )
  })

  test.each(['ANNUAL(MAR)', 'SEMIANNUAL(SEP)', 'TEN DAYS'])('BOJ-10: %s is not a calendar frequency', frequency => {
    expect(read(body([result(frequency, [2024], [1])]))).toMatchObject({
      series: [],
      problems: [{ kind: 'unreadable' }],
    })
  })

  test('digits stay as sent, and dates without values are not a series', () => {
    const text = JSON.stringify(body([result('MONTHLY', [202404], ['LITERAL'])])).replace('"LITERAL"', '122.30')
    expect(read(text).series[0]!.observations[0]!.value).toBe('122.30')
    expect(read(body([result('MONTHLY', [202404, 202405], [1])])).problems[0]!.kind).toBe('unreadable')
  })

  test('the CSV form gives the same as the JSON form', () => {
    const table = csv([
      'SERIES_CODE,NAME_OF_TIME_SERIES,UNIT,FREQUENCY,CATEGORY,LAST_UPDATE,SURVEY_DATES,VALUES',
      'A1,"D.I., ""large""",% points,QUARTERLY,TANKAN,20251216,202401,11',
      'A1,"D.I., ""large""",% points,QUARTERLY,TANKAN,20251216,202402,',
      'B1,Other,yen,MONTHLY,X,20251216,202402,-1.50',
    ])
    expect(read(table)).toEqual({
      series: [
        {
          code: 'CO/A1',
          name: 'D.I., "large"',
          unit: '% points',
          frequency: 'QUARTERLY',
          observations: [{ period: '2024-Q1', value: '11', version: 'FINAL', flag: null, published: null }],
          missing: [{ period: '2024-Q2', flag: null, reason: 'null' }],
        },
        {
          code: 'CO/B1',
          name: 'Other',
          unit: 'yen',
          frequency: 'MONTHLY',
          observations: [{ period: '2024-02', value: '-1.50', version: 'FINAL', flag: null, published: null }],
          missing: [],
        },
      ],
      problems: [],
    })
  })

  test('a CSV with lost characters is unreadable', () => {
    const lost = csv([
      'SERIES_CODE,NAME_OF_TIME_SERIES_J,FREQUENCY,SURVEY_DATES,VALUES',
      'A1,\uFFFD\uFFFD,MONTHLY,202401,1',
    ])
    expect(read(lost)).toMatchObject({ series: [], problems: [{ kind: 'unreadable' }] })
  })

  test('a CSV whose quotes do not close is unreadable', () => {
    expect(read(csv(['SERIES_CODE,FREQUENCY,SURVEY_DATES,VALUES', 'A1,"MONTHLY,202401,1'])).problems[0]!.kind).toBe(
      'unreadable',
    )
  })

  test('web pages, plain text and unexpected bodies are reported as what they are', () => {
    expect(read('<html><title>503</title></html>', { status: 503 }).problems[0]!.kind).toBe('provider-error')
    expect(read({ STATUS: 200 }).problems[0]!.kind).toBe('unreadable')
    expect(read({}).problems[0]!.kind).toBe('unreadable')
    expect(read(body([1, null, {}])).problems[0]!.kind).toBe('unreadable')
  })
})

describe('asking BOJ', () => {
  test('BOJ-7: the code is sent without the database, one per call', () => {
    const requests = boj.request(query(['PR01/PRCG20_2200000000', 'PR01/PRCG20_2400000000']))
    expect(requests.map(each => each.path)).toEqual([
      '/getDataCode?format=json&lang=en&db=PR01&code=PRCG20_2200000000',
      '/getDataCode?format=json&lang=en&db=PR01&code=PRCG20_2400000000',
    ])
  })

  test('continues where an answer says it stopped, and never goes back', () => {
    const [asked] = boj.request(query(['MD10/X1']))
    const next = boj.next!(asked!, answer(body([], { NEXTPOSITION: 255 })))!
    expect(next.path).toContain('startPosition=255')
    expect(boj.next!(next, answer(body([], { NEXTPOSITION: 255 })))).toBeNull()
    expect(boj.next!(next, answer(body([], { NEXTPOSITION: 507 })))!.path).toContain('startPosition=507')
    for (const end of [null, '', ' ']) expect(boj.next!(next, answer(body([], { NEXTPOSITION: end })))).toBeNull()
  })

  test.each(['PRCG20_2200000000', "PR01/PR01'PRCG20_2200000000", 'PR01/A,B', 'PR01/'])(
    'refuses the code "%s"',
    code => {
      expect(() => boj.request(query([code]))).toThrow('a BOJ code is database/code')
    },
  )
})
