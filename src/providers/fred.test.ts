import { describe, expect, test } from 'vitest'
import { parseDay } from '../core/time/day.ts'
import { fred } from './fred.ts'
import type { Answer, ProviderQuery, ProviderRequest } from './provider.ts'

const answer = (body: unknown, more: Partial<Answer> = {}): Answer => ({
  status: 200,
  contentType: null,
  url: null,
  codes: ['GDP'],
  body: typeof body === 'string' ? body : JSON.stringify(body),
  ...more,
})
const read = (body: unknown, more: Partial<Answer> = {}) => fred.read(answer(body, more))

type Row = readonly [start: string, end: string, date: string, value: string]
const rows = (list: readonly Row[]) =>
  list.map(([realtime_start, realtime_end, date, value]) => ({ realtime_start, realtime_end, date, value }))
const vintages = (list: readonly Row[], realtime_start = '1776-07-04', realtime_end = '9999-12-31') => ({
  realtime_start,
  realtime_end,
  units: 'lin',
  output_type: 1,
  count: list.length,
  offset: 0,
  limit: 100000,
  observations: rows(list),
})
const newest = (day: string, list: readonly (readonly [date: string, value: string])[]) =>
  vintages(
    list.map(([date, value]) => [day, day, date, value] as const),
    day,
    day,
  )
const tooMany = {
  error_code: 400,
  error_message:
    'Bad Request.  There are 5090 vintage dates in the specified real-time period: 1776-07-04 to 9999-12-31. This exceeds the maximum number of vintage dates allowed for this file type (2000).',
}
const query = (more: Partial<ProviderQuery> = {}): ProviderQuery => ({
  codes: ['GDP'],
  from: null,
  changedSince: null,
  today: parseDay('2024-12-20')!,
  key: 'abcdef0123456789abcdef0123456789',
  ...more,
})
const parameters = (asked: ProviderRequest) => Object.fromEntries(new URLSearchParams(asked.path.split('?')[1]))

describe('reading FRED', () => {
  test('FRED-1: the XML form gives the same as the JSON form', () => {
    const xml = `<?xml version="1.0" encoding="utf-8" ?>
      <observations realtime_start="2023-04-02" realtime_end="2023-04-02" units="lin" count="2">
        <observation realtime_start="2023-04-02" realtime_end="2023-04-02" date="2019-01-01" value="19286.841"/>
        <observation realtime_start="2023-04-02" realtime_end="2023-04-02" date="2020-01-01" value="18685.401"/>
      </observations>`
    expect(read(xml).series[0]).toMatchObject({
      frequency: 'ANNUAL',
      observations: [{ period: '2019' }, { period: '2020' }],
    })
    const error =
      '<?xml version="1.0"?><error code="400" message="Bad Request.  The value for variable api_key is wrong."/>'
    expect(read(error).problems[0]!.kind).toBe('bad-key')
  })

  test('FRED-2: the body does not name its series, so the code or the address must', () => {
    const body = newest('2024-09-18', [
      ['2024-07-01', '2.21'],
      ['2024-07-02', '2.06'],
    ])
    expect(read(body, { codes: [] }).problems[0]!.kind).toBe('unreadable')
    const url = 'https://api.stlouisfed.org/fred/series/observations?series_id=DHHNGSP'
    expect(read(body, { codes: [], url }).series[0]!.code).toBe('DHHNGSP')
  })

  test('one vintage: every row is final, with an unknown publication day', () => {
    const body = newest('2024-09-18', [
      ['2024-07-03', '2.02'],
      ['2024-07-01', '2.1'],
      ['2024-07-05', '2.02'],
    ])
    expect(read(body).series[0]!.observations).toEqual([
      { period: '2024-07-01', value: '2.1', version: 'FINAL', flag: null, published: null },
      { period: '2024-07-03', value: '2.02', version: 'FINAL', flag: null, published: null },
      { period: '2024-07-05', value: '2.02', version: 'FINAL', flag: null, published: null },
    ])
  })

  test('FRED-3: "." is missing; its window says from when until when', () => {
    const one = newest('2024-09-18', [
      ['2024-07-03', '2.02'],
      ['2024-07-04', '.'],
    ])
    expect(read(one).series[0]!.missing).toEqual([{ period: '2024-07-04', flag: null, reason: 'marker "."' }])
    const many = vintages([
      ['2003-10-30', '2003-12-09', '2003-07-01', '11063.4'],
      ['2003-12-10', '2003-12-22', '2003-07-01', '.'],
      ['2003-10-30', '9999-12-31', '2003-04-01', '10802.7'],
    ])
    expect(read(many).series[0]!.missing).toEqual([
      {
        period: '2003-Q3',
        flag: null,
        reason: 'marker "." from 2003-12-10 to 2003-12-22',
        window: { from: '2003-12-10', to: '2003-12-22' },
      },
    ])
  })

  test('several vintages: the first value is final, later ones are revised, and a repeat after a gap adds none', () => {
    const body = vintages([
      ['2024-02-28', '2024-03-27', '2023-10-01', '27944.627'],
      ['2024-01-25', '2024-02-27', '2023-10-01', '27938.831'],
      ['2024-03-28', '2024-04-10', '2023-10-01', '.'],
      ['2024-04-11', '2024-05-29', '2023-10-01', '27944.627'],
      ['2024-05-30', '9999-12-31', '2023-10-01', '27938.831'],
      ['2023-10-26', '9999-12-31', '2023-07-01', '27644.463'],
    ])
    const observations = read(body).series[0]!.observations
    expect(observations.map(each => [each.period, each.value, each.version, each.published])).toEqual([
      ['2023-Q3', '27644.463', 'FINAL', '2023-10-26'],
      ['2023-Q4', '27938.831', 'FINAL', '2024-01-25'],
      ['2023-Q4', '27944.627', 'REVISED', '2024-02-28'],
      ['2023-Q4', '27938.831', 'REVISED', '2024-05-30'],
    ])
  })

  test('FRED-6: a window that begins with the requested range has no publication day', () => {
    const body = vintages(
      [
        ['2019-01-01', '2019-02-27', '2018-07-01', '20658.204'],
        ['2019-02-28', '9999-12-31', '2018-07-01', '20659'],
        ['2019-02-28', '9999-12-31', '2018-10-01', '20865.142'],
      ],
      '2019-01-01',
    )
    const seen = (more: Partial<Answer>) =>
      read(body, more).series[0]!.observations.map(each => [each.value, each.version, each.published])
    expect(seen({})).toEqual([
      ['20658.204', 'FINAL', null],
      ['20659', 'REVISED', '2019-02-28'],
      ['20865.142', 'FINAL', '2019-02-28'],
    ])
    // A request for changes since that day reads changes only, not the values carried over.
    expect(seen({ url: 'https://h/fred/series/observations?series_id=GDP&realtime_start=2019-01-01' })).toEqual([
      ['20659', 'REVISED', '2019-02-28'],
      ['20865.142', 'FINAL', '2019-02-28'],
    ])
  })

  test('FRED-7: a vintage is a day', () => {
    const body = vintages([
      ['2024-01-25', '9999-12-31', '2023-10-01', '1'],
      ['2024-01-25', '9999-12-31', '2023-07-01', '1'],
    ])
    expect(read(body).series[0]!.observations[0]!.published).toBe('2024-01-25')
  })

  test('FRED-8, FRED-9: metadata has names, units and frequencies under `seriess`, whatever `last_updated` looks like', () => {
    const body =
      '{"realtime_start":"2024-12-19","realtime_end":"2024-12-19","seriess":[{"id":"GDP","title":"GDP\\/GNP","frequency_short":"Q","units":"Billions of Dollars","last_updated":"2024-12-19 07:55:01-06"}]}'
    expect(read(body)).toEqual({
      series: [
        {
          code: 'GDP',
          name: 'GDP/GNP',
          unit: 'Billions of Dollars',
          frequency: 'QUARTERLY',
          observations: [],
          missing: [],
        },
      ],
      problems: [],
    })
    expect(read({ seriess: [{ id: 'X', frequency_short: '5Y' }] }).problems[0]!.kind).toBe('unreadable')
  })

  test('FRED-10: a period that begins after the day of the request is a projection and is left out', () => {
    const body = newest('2024-06-13', [
      ['2023-01-01', '.'],
      ['2024-01-01', '5.1'],
      ['2025-01-01', '4.1'],
      ['2026-01-01', '3.1'],
    ])
    const [series] = read(body).series
    expect(series!.observations.map(each => each.period)).toEqual(['2024'])
    expect(series!.missing.map(each => each.period)).toEqual(['2023'])
  })

  test('FRED-10: among vintages, what was replaced before its period began is a projection too', () => {
    const body = vintages([
      ['2021-12-15', '2023-06-13', '2024-01-01', '2.1'],
      ['2023-06-14', '2024-03-19', '2024-01-01', '4.6'],
      ['2024-03-20', '9999-12-31', '2024-01-01', '5.1'],
      ['2024-03-20', '9999-12-31', '2025-01-01', '4.1'],
    ])
    expect(read(body).series[0]!.observations.map(each => [each.value, each.version])).toEqual([
      ['4.6', 'FINAL'],
      ['5.1', 'REVISED'],
    ])
  })

  test.each([
    [['2024-07-01', '2024-07-02', '2024-07-08'], 'DAILY', '2024-07-01'],
    [['2024-07-05', '2024-07-12'], 'WEEKLY', '2024-W27'],
    [['2024-01-01', '2024-02-01', '2024-04-01'], 'MONTHLY', '2024-01'],
    [['2024-01-01', '2024-04-01'], 'QUARTERLY', '2024-Q1'],
    [['2023-07-01', '2024-01-01'], 'SEMIANNUAL', '2023-H2'],
    [['2022-01-01', '2024-01-01'], 'ANNUAL', '2022'],
  ])('the smallest gap of %j makes it %s', (dates, frequency, first) => {
    const [series] = read(
      newest(
        '2024-09-18',
        dates.map(date => [date, '1'] as const),
      ),
    ).series
    expect([series!.frequency, series!.observations[0]!.period]).toEqual([frequency, first])
  })

  test('a single date does not show the frequency and is not a series', () => {
    expect(read(newest('2024-09-18', [['2024-07-01', '1']]))).toMatchObject({
      series: [],
      problems: [{ kind: 'unreadable' }],
    })
  })

  test('FRED-12: errors are recognised by their words, also with status 200', () => {
    const kindOf = (error_message: string, error_code = 400) => read({ error_code, error_message }).problems[0]!.kind
    expect(kindOf('Bad Request.  The series does not exist.')).toBe('unknown-series')
    expect(kindOf('Too Many Requests.  Exceeded Rate Limit', 429)).toBe('rate-limited')
    expect(kindOf(tooMany.error_message)).toBe('too-large')
    expect(kindOf('Bad Request.  The value for variable limit is wrong.')).toBe('bad-request')
    expect(kindOf('Internal Server Error', 500)).toBe('provider-error')
    expect(read('<html><title>502 Bad Gateway</title></html>', { status: 502 }).problems[0]!.kind).toBe(
      'provider-error',
    )
    expect(read({ release_dates: [] }).problems[0]!.kind).toBe('unreadable')
  })

  test('rows it cannot read are a problem; the others are read', () => {
    const body = newest('2024-09-18', [
      ['2024-07-01', '1'],
      ['2024-07-02', 'abc'],
      ['2024-07-03', '3'],
    ])
    body.observations.push({ realtime_start: '?', realtime_end: '?', date: '2024-07-04', value: '1' })
    const parsed = read(body)
    expect(parsed.series[0]!.observations).toHaveLength(2)
    expect(parsed.problems).toEqual([
      { kind: 'unreadable', message: 'GDP: 2 of 4 points could not be read, first value "abc" of 2024-07-02' },
    ])
  })
})

describe('asking FRED', () => {
  test('FRED-4, FRED-11: asks for the whole real-time range in published units, and for nothing computed', () => {
    const [observations, series] = fred.request(query())
    expect(parameters(observations!)).toEqual({
      series_id: 'GDP',
      file_type: 'json',
      realtime_start: '1776-07-04',
      realtime_end: '9999-12-31',
      output_type: '1',
      units: 'lin',
      sort_order: 'asc',
      limit: '100000',
      offset: '0',
      api_key: query().key,
    })
    expect(series!.path).toMatch(/^\/series\?series_id=GDP&file_type=json/)
  })

  test('FRED-13: the key in the query is named as a secret', () => {
    expect(fred.request(query()).every(each => each.secrets[0] === query().key)).toBe(true)
    expect(fred.request(query({ key: null }))[0]!.path).not.toContain('api_key')
  })

  test('asks for more dates than needed, because their gaps show the frequency', () => {
    const [asked] = fred.request(query({ from: parseDay('2024-05-17') }))
    expect(parameters(asked!).observation_start).toBe('2022-01-01')
  })

  test('FRED-6: asks for changes from the day before, so that only that day is cut', () => {
    const [asked] = fred.request(query({ changedSince: '2024-12-10T08:00:00.000000Z' }))
    expect(parameters(asked!).realtime_start).toBe('2024-12-09')
  })

  test('pages so that no date is split', () => {
    const [asked] = fred.request(query())
    const body = vintages([
      ['2024-01-25', '9999-12-31', '2023-07-01', '1'],
      ['2024-01-25', '2024-02-27', '2023-10-01', '2'],
      ['2024-02-28', '2024-03-27', '2023-10-01', '3'],
    ])
    const following = fred.next!(asked!, answer({ ...body, count: 5 }))
    expect(parameters(following!).offset).toBe('1')
    expect(fred.next!(asked!, answer(body))).toBeNull()
  })

  test('FRED-5: a range of more than 2,000 vintages is split at vintages, and a part begins where the one before ended', () => {
    const [whole] = fred.request(query())
    const list = fred.next!(whole!, answer(tooMany))!
    expect(list.path).toMatch(/^\/series\/vintagedates\?/)
    expect(parameters(list)).toMatchObject({ realtime_start: '1776-07-04', sort_order: 'asc', limit: '2000' })

    const days = Array.from(
      { length: 2000 },
      (_, index) =>
        `${2000 + Math.floor(index / 336)}-${pair(1 + (Math.floor(index / 28) % 12))}-${pair(1 + (index % 28))}`,
    )
    const first = fred.next!(list, answer({ vintage_dates: days }))!
    expect(parameters(first)).toMatchObject({ realtime_start: '1776-07-04', realtime_end: days.at(-1), units: 'lin' })
    expect(fred.read(answer({ vintage_dates: days }))).toEqual({ series: [], problems: [] })

    const rest = fred.next!(first, answer(vintages([], '1776-07-04', days.at(-1))))!
    expect(parameters(rest).realtime_start).toBe(days.at(-1))
    const second = fred.next!(rest, answer({ vintage_dates: [days.at(-1), '2006-01-05'] }))!
    expect(parameters(second)).toMatchObject({ realtime_start: days.at(-1), realtime_end: '9999-12-31' })
    expect(second.secrets).toEqual(whole!.secrets)
    expect(fred.next!(second, answer(vintages([], days.at(-1))))).toBeNull()
  })

  test('FRED-5: the parts of a split range together give the same as the whole range', () => {
    const all: readonly Row[] = [
      ['2024-01-25', '2024-02-27', '2023-10-01', '10'],
      ['2024-02-28', '2024-03-27', '2023-10-01', '11'],
      ['2024-03-28', '9999-12-31', '2023-10-01', '12'],
      ['2023-10-26', '9999-12-31', '2023-07-01', '9'],
      ['2024-03-28', '9999-12-31', '2024-01-01', '13'],
    ]
    const clipped = (from: string, to: string) =>
      all
        .filter(([start, end]) => end >= from && start <= to)
        .map(([start, end, date, value]) => [start < from ? from : start, end > to ? to : end, date, value] as const)
    const part = (from: string, to: string) =>
      read(vintages(clipped(from, to), from, to), {
        url: `https://h/fred/series/observations?series_id=GDP&realtime_start=${from}&realtime_end=${to}`,
      }).series[0]!.observations
    const joined = [...part('1776-07-04', '2024-02-28'), ...part('2024-02-28', '9999-12-31')]
    const whole = read(vintages(all)).series[0]!.observations
    expect(joined.toSorted((a, b) => (a.period + a.published < b.period + b.published ? -1 : 1))).toEqual(whole)
  })

  test('for a series without a history the newest values are requested', () => {
    const [asked] = fred.request(query({ from: parseDay('2024-05-17') }))
    const error_message = 'Bad Request.  The series does not exist in ALFRED but may exist in FRED.'
    const after = fred.next!(asked!, answer({ error_code: 400, error_message }))!
    expect(parameters(after)).toMatchObject({ series_id: 'GDP', observation_start: '2022-01-01', units: 'lin' })
    expect(parameters(after).realtime_start).toBeUndefined()
    expect(after.path).toContain(`api_key=${query().key}`)
    expect(fred.next!(after, answer({ error_code: 400, error_message }))).toBeNull()
  })

  test('an error and a metadata answer lead to no further request', () => {
    const [observations, series] = fred.request(query())
    expect(
      fred.next!(observations!, answer({ error_code: 400, error_message: 'The series does not exist.' })),
    ).toBeNull()
    expect(fred.next!(series!, answer({ seriess: [] }))).toBeNull()
  })

  test.each(['', 'GDP GNP', 'A/B', 'GDP&x=1'])('refuses the code "%s"', code => {
    expect(() => fred.request(query({ codes: [code] }))).toThrow('a FRED code is a series id')
  })
})

function pair(number: number): string {
  return number.toString().padStart(2, '0')
}
