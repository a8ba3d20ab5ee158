// `GET /series/:id/values` over real HTTP: what was published and known when, digits and notations (C7 to C14 and C16).
import { beforeAll, describe, expect, test } from 'vitest'
import { problemsOf } from '../support/clients/wire-shapes.ts'
import { eventually, holdListeners } from '../support/houses/api.ts'
import { house } from '../support/houses/house.ts'
import { roundsOf } from '../support/run/long-form.ts'

interface Row {
  readonly asOfDate: string
  readonly value: string
  readonly versionTag: string
}
interface Values {
  readonly series: { readonly id: string }
  readonly data: readonly Row[]
  readonly total: number
}

let cpi: string
/** When each of three imports was recorded. */
let recorded: readonly [string, string, string]
const { api, tenant } = house()
beforeAll(async () => {
  const columns = 'series,period,value,version,published\n'
  const first = await tenant.import(`${columns}CUSTOM/cpi,2024-01,100.0,PRELIMINARY,2024-02-10
CUSTOM/cpi,2024-01,100.10,PRELIMINARY,2024-02-20
CUSTOM/cpi,2024-01,100.30,FINAL,2024-03-10T12:30:00Z
CUSTOM/cpi,2024-02,101.00,FINAL,2024-03-10T12:30:00Z
CUSTOM/cpi,2024-03,102.5,PRELIMINARY,2024-04-10
`)
  const second = await tenant.import(`${columns}CUSTOM/cpi,2024-01,100.40,REVISED,2024-05-01
CUSTOM/cpi,2024-01,100.45,REVISED,2024-06-01
CUSTOM/cpi,2024-04,103,FINAL,2024-05-10\n`)
  const third = await tenant.import(`${columns}CUSTOM/cpi,2024-01,100.05,PRELIMINARY,2024-02-15\n`)
  recorded = [first, second, third]
  cpi = await tenant.seriesId('CUSTOM/cpi')
})

const ask = (query = '') => tenant.json<Values>(`/series/${cpi}/values${query}`)
/** Values by month: `{ '01': '100.0' }`. */
async function months(query = ''): Promise<Record<string, string>> {
  const { data } = await ask(query)
  return Object.fromEntries(data.map(({ asOfDate, value }) => [asOfDate.slice(5, 7), value]))
}
const statusOf = async (query: string) => (await tenant.get(`/series/${cpi}/values${query}`)).status
const justBefore = (instant: string) => new Date(Date.parse(instant) - 1).toISOString()
const dayAfter = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

describe('asOf: what had been published', () => {
  test('C7: a day is inclusive, to its end in UTC, and a publication known by its day counts from 00:00', async () => {
    expect(await months('?asOf=2024-02-09')).toEqual({})
    expect(await months('?asOf=2024-02-09T23:59:59.999999Z')).toEqual({})
    expect(await months('?asOf=2024-02-10T00:00:00Z')).toEqual({ '01': '100.0' })
    expect(await months('?asOf=2024-02-10')).toEqual({ '01': '100.0' })
    expect(await months('?asOf=2024-03-09')).toEqual({ '01': '100.10' })
    expect(await months('?asOf=2024-03-10')).toEqual({ '01': '100.30', '02': '101.00' })
    expect(await months('?asOf=2024-03-10T12:29:59.999999Z')).toEqual({ '01': '100.10' })
  })

  test('C7: an instant may be written with any offset and any number of decimals, its plus sign plain or encoded', async () => {
    const at = { '01': '100.30', '02': '101.00' }
    for (const text of [
      '2024-03-10T12:30:00Z',
      '2024-03-10t12:30:00.000z',
      '2024-03-10T12:30:00.000000Z',
      '2024-03-10T14:00:00%2B01:30',
      '2024-03-10T14:00:00+01:30',
      '2024-03-10T00:30:00-12:00',
      '2024-03-11T02:30:00%2B14:00',
    ])
      expect(await months(`?asOf=${text}`), text).toEqual(at)
    expect(await months('?asOf=2024-03-10T13:29:59%2B01:00')).toEqual({ '01': '100.10' })
  })

  test('C7: a day or instant that begins more than 24 hours ahead is a 400, up to that it is not', async () => {
    const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString()
    for (const text of [dayAfter(0), dayAfter(1), hours(1), hours(23.9), hours(-1)])
      expect(await statusOf(`?asOf=${text}`), text).toBe(200)
    for (const text of [dayAfter(2), dayAfter(400), hours(24.1), hours(48), '9999-12-31', '9999-12-31T23:59:59Z'])
      expect(await statusOf(`?asOf=${text}`), text).toBe(400)
    for (const text of ['9999-12-31T23:59:59-23:59', '9999-12-31T23:59:59.999999-00:01'])
      expect(await statusOf(`?asOf=${text}`), text).toBe(400)
  })

  test('C7, C9: long before the first vintage there is no row, and today’s value is never projected back', async () => {
    for (const text of ['0001-01-01', '0001-01-01T00:00:00Z', '1600-02-29', '1970-01-01', '2023-12-31'])
      expect(await ask(`?asOf=${text}`), text).toMatchObject({ data: [], total: 0 })
  })

  test('C9: there is one row for each period, the newest by publication, then by recording, ascending', async () => {
    expect(await months()).toEqual({ '01': '100.45', '02': '101.00', '03': '102.5', '04': '103' })
    const { data } = await ask()
    expect(data.map(({ asOfDate }) => asOfDate)).toEqual(
      ['01', '02', '03', '04'].map(m => `2024-${m}-01T00:00:00.000Z`),
    )
    const who = await api.tenant()
    await who.importValues('CUSTOM/x', { '2024': '1.0' }, '2024-12-01')
    await who.importValues('CUSTOM/x', { '2024': '2.0' }, '2024-12-01')
    const id = await who.seriesId('CUSTOM/x')
    expect((await who.json<Values>(`/series/${id}/values`)).data).toMatchObject([{ value: '2.0' }])
    expect((await who.json<Values>(`/series/${id}/values?asOf=2024-12-01`)).data).toMatchObject([{ value: '2.0' }])
  })

  test('C9: a publication that is not known is the moment we recorded it', async () => {
    const who = await api.tenant()
    const at = await who.import('series,period,value\nCUSTOM/x,2024-01,7.10\n')
    const id = await who.seriesId('CUSTOM/x')
    const total = async (query: string) => (await who.json<Values>(`/series/${id}/values${query}`)).total
    expect(await total('')).toBe(1)
    expect(await total(`?asOf=${at}`)).toBe(1)
    expect(await total(`?asOf=${justBefore(at)}`)).toBe(0)
    expect(await total(`?asOf=${dayAfter(-2)}`)).toBe(0)
    expect(await total(`?asOf=${dayAfter(1)}`)).toBe(1)
  })
})

describe('knownAt: what was stored', () => {
  test('C8: cuts by recording, to the microsecond, whatever had been published', async () => {
    const [first, second, third] = recorded
    expect(await months(`?knownAt=${first}`)).toEqual({ '01': '100.30', '02': '101.00', '03': '102.5' })
    expect(await months(`?knownAt=${justBefore(second)}`)).toEqual({ '01': '100.30', '02': '101.00', '03': '102.5' })
    expect(await months(`?knownAt=${second}`)).toEqual({ '01': '100.45', '02': '101.00', '03': '102.5', '04': '103' })
    expect(await months(`?knownAt=${third}`)).toEqual(await months())
    expect(await months(`?knownAt=${justBefore(first)}`)).toEqual({})
    expect(await ask(`?knownAt=${dayAfter(-1)}`)).toMatchObject({ data: [], total: 0 })
  })

  test('C8: together with asOf both cut', async () => {
    const [first, second, third] = recorded
    expect(await months(`?asOf=2024-02-16&knownAt=${second}`)).toEqual({ '01': '100.0' })
    expect(await months(`?asOf=2024-02-16&knownAt=${third}`)).toEqual({ '01': '100.05' })
    expect(await months('?asOf=2024-02-16')).toEqual({ '01': '100.05' })
    expect(await months(`?asOf=2024-05-20&knownAt=${first}`)).toEqual({ '01': '100.30', '02': '101.00', '03': '102.5' })
    expect(await months(`?knownAt=${second}&asOf=2024-05-20`)).toMatchObject({ '01': '100.40', '04': '103' })
    expect(await months(`?asOf=2024-02-01&knownAt=${third}`)).toEqual({})
  })

  test('C8: an instant later than now and a day that is not over in UTC are a 400', async () => {
    const ahead = (ms: number) => new Date(Date.now() + ms).toISOString()
    for (const text of [
      dayAfter(0),
      dayAfter(1),
      ahead(5_000),
      ahead(86_400_000),
      '9999-12-31',
      '9999-12-31T23:59:59-23:59',
    ])
      expect(await statusOf(`?knownAt=${text}`), text).toBe(400)
    for (const text of [dayAfter(-1), ahead(-1), '0001-01-01', '1970-01-01T00:00:00Z', '0001-01-01T00:00:00Z'])
      expect(await statusOf(`?knownAt=${text}`), text).toBe(200)
    expect(await statusOf('?knownAt=0001-01-01T00:00:00%2B23:59')).toBeLessThan(500)
    expect(await statusOf('?asOf=0001-01-01T00:00:00%2B23:59')).toBeLessThan(500)
  })

  test('C8: the same request gives the same bytes after later imports, new names and a restart', async () => {
    const who = await api.tenant()
    await who.import('series,period,value,published,name\nCUSTOM/x,2024-01,1.0,2024-02-01,first name\n')
    const at = await who.importValues('CUSTOM/x', { '2024-02': '2.0' }, '2024-03-01')
    const id = await who.seriesId('CUSTOM/x')
    const queries = [
      '',
      '&asOf=2024-02-15',
      '&version=FINAL',
      '&view=summary',
      '&last=1',
      '&limit=1',
      '&from=2024-02-01',
    ]
    const answers = async () => {
      const replies = []
      for (const query of queries) replies.push(await who.get(`/series/${id}/values?knownAt=${at}${query}`))
      replies.push(await who.get(`/series/${id}/vintages?knownAt=${at}`))
      return replies.map(({ status, text, headers }) => [status, text, headers.etag, headers.link])
    }
    const once = await answers()
    expect(once.every(([status]) => status === 200)).toBe(true)
    await who.import(
      'series,period,value,published,name\nCUSTOM/x,2024-01,9.0,2024-02-01,second name\nCUSTOM/x,2023-12,8,2024-01-01,second name\n',
    )
    expect(await answers()).toEqual(once)
    await who.withdraw('CUSTOM/x', ['2024-02'], '2024-04-01')
    expect(await answers()).toEqual(once)
    await api.restart()
    expect(await answers()).toEqual(once)
    expect((await who.get(`/series/${id}/values`)).text).toContain('second name')
  })

  test('C8: includes everything recorded by then, even where the notice of it is late', async () => {
    const who = await api.tenant()
    await who.importValues('CUSTOM/x', { '2024-01': '0' })
    const id = await who.seriesId('CUSTOM/x')
    await who.apply(yearly)
    for (const path of [
      `/series/${id}/values`,
      `/series/${id}/vintages`,
      '/pams/yearly/values',
      '/pams/yearly/adjustment',
    ])
      for (let round = 0; round < roundsOf('every-route', 'rounds in which notices are late', 1, 10); round++) {
        expect((await who.get(path)).status, path).toBe(200)
        const wake = await holdListeners(api)
        try {
          const value = `${path.length}.${Date.now()}`
          const at = await who.importUnheard(
            `series,period,value,published\nCUSTOM/x,2024-01,${value},${dayAfter(-1)}\n`,
          )
          const early = await who.get(`${path}?knownAt=${at}`)
          wake()
          const late = await eventually(
            () => who.get(`${path}?knownAt=${at}`),
            ({ text }) => text !== early.text,
            300,
          )
          expect(late.text, path).toBe(early.text)
        } finally {
          wake()
        }
      }
  })
})

const yearly = `
slug: yearly
status: ACTIVE
contract: { start: 2023-01-01, end: 2025-01-31, frequency: ANNUAL }
inputs: { x: { series: CUSTOM/x, weight: 1, base: { value: 7 }, lag: 0 months, missing: LAST_KNOWN } }
clause: {}`

describe('version', () => {
  test('C10: gives the newest vintage with the tag inside the cuts, and leaves out periods without one', async () => {
    expect(await months('?version=PRELIMINARY')).toEqual({ '01': '100.10', '03': '102.5' })
    expect(await months('?version=FINAL')).toEqual({ '01': '100.30', '02': '101.00', '04': '103' })
    expect(await months('?version=REVISED')).toEqual({ '01': '100.45' })
    expect(await months('?version=REVISED&asOf=2024-05-20')).toEqual({ '01': '100.40' })
    expect(await months('?version=REVISED&asOf=2024-04-30')).toEqual({})
    expect(await months('?version=PRELIMINARY&asOf=2024-02-16')).toEqual({ '01': '100.05' })
    expect(await months(`?version=PRELIMINARY&asOf=2024-02-16&knownAt=${recorded[1]}`)).toEqual({ '01': '100.0' })
    const { data, total } = await ask('?version=FINAL&limit=2')
    expect(total).toBe(3)
    expect(data.map(({ versionTag }) => versionTag)).toEqual(['FINAL', 'FINAL'])
  })

  test('states the version of every row it returns', async () => {
    expect((await ask()).data.map(({ versionTag }) => versionTag)).toEqual(['REVISED', 'FINAL', 'PRELIMINARY', 'FINAL'])
  })
})

describe('ranges and notations', () => {
  test('C13: from and to are inclusive and compare on the first day of the period', async () => {
    expect(Object.keys(await months('?from=2024-02-01&to=2024-03-01'))).toEqual(['02', '03'])
    expect(Object.keys(await months('?from=2024-02-02&to=2024-03-31'))).toEqual(['03'])
    expect(Object.keys(await months('?from=2024-01-31'))).toEqual(['02', '03', '04'])
    expect(Object.keys(await months('?to=2024-01-01'))).toEqual(['01'])
    expect(await ask('?from=2025-01-01')).toMatchObject({ data: [], total: 0 })
    expect(await ask('?to=0001-01-01')).toMatchObject({ data: [], total: 0 })
    expect(await ask('?from=0001-01-01&to=9999-12-31')).toMatchObject({ total: 4 })
    expect(await ask('?from=2024-02-01&to=2024-02-01')).toMatchObject({ total: 1 })
  })

  test('C13, C16: each frequency has its first instant, and its own notation in the summary', async () => {
    const who = await api.tenant()
    const periods = {
      '2024-02-29': '2024-02-29',
      '2024-W05': '2024-01-29',
      '2021-W01': '2021-01-04',
      '2020-W53': '2020-12-28',
      '2024-03': '2024-03-01',
      '2024-Q4': '2024-10-01',
      '2024-H2': '2024-07-01',
      '2024': '2024-01-01',
    }
    for (const [period, day] of Object.entries(periods)) {
      await who.importValues(`CUSTOM/${period}`, { [period]: '1.10' })
      const id = await who.seriesId(`CUSTOM/${period}`)
      const { data } = await who.json<Values>(`/series/${id}/values`)
      expect(data, period).toEqual([{ asOfDate: `${day}T00:00:00.000Z`, value: '1.10', versionTag: 'FINAL' }])
      const summary = await who.json<{ data: object[] }>(`/series/${id}/values?view=summary`)
      expect(summary.data, period).toMatchObject([{ period }])
      for (const range of [`from=${day}&to=${day}`, `from=${day}`, `to=${day}`])
        expect((await who.json<Values>(`/series/${id}/values?${range}`)).total, `${period} ${range}`).toBe(1)
    }
  })

  test('C14: the published digits come back as published', async () => {
    const who = await api.tenant()
    const digits = [
      '274.138',
      '112.20',
      '0.10',
      '-0.50',
      '0',
      '0.000',
      '100',
      '123456789012345678901234567890.1234567890',
      '9007199254740993',
      '1.005',
      '-12.0',
    ]
    await who.import(
      `series,period,value,published\n${digits.map((value, i) => `CUSTOM/x,${2000 + i},${value},2020-01-01\n`).join('')}`,
    )
    const id = await who.seriesId('CUSTOM/x')
    const { data } = await who.json<Values>(`/series/${id}/values`)
    expect(data.map(({ value }) => value)).toEqual(digits)
    const vintages = await who.json<{ data: Row[] }>(`/series/${id}/vintages`)
    expect(vintages.data.map(({ value }) => value)).toEqual(digits)
  })

  test('C16: the summary form states period, value, version and the date of the cut', async () => {
    const { text } = await tenant.get(`/series/${cpi}/values?view=summary&limit=2`)
    expect(problemsOf('summaryValues', text)).toEqual([])
    const asOf = async (query: string) =>
      (await tenant.json<{ data: { asOf: string }[] }>(`/series/${cpi}/values?view=summary${query}`)).data.map(
        row => row.asOf,
      )
    const today = () => new Date().toISOString().slice(0, 10)
    const days = [today(), ...new Set(await asOf('')), today()]
    expect(new Set(days).size).toBeLessThanOrEqual(days[0] === days.at(-1) ? 1 : 2)
    expect(new Set(await asOf('&asOf=2024-05-20'))).toEqual(new Set(['2024-05-20']))
    expect(new Set(await asOf('&asOf=2024-05-20T00:30:00%2B01:00'))).toEqual(new Set(['2024-05-19']))
    expect(new Set(await asOf(`&knownAt=${recorded[0]}`))).toEqual(new Set([recorded[0].slice(0, 10)]))
    const { data } = await tenant.json<{ data: object[] }>(
      `/series/${cpi}/values?view=summary&version=FINAL&asOf=2024-04-01`,
    )
    expect(data).toEqual([
      { period: '2024-01', value: '100.30', version: 'FINAL', asOf: '2024-04-01' },
      { period: '2024-02', value: '101.00', version: 'FINAL', asOf: '2024-04-01' },
    ])
  })
})
