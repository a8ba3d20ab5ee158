// Slices of `GET /series/:id/values` over real HTTP: limit, last, and following Link on one snapshot (C15).
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, openApi, type Tenant } from '../support/houses/api.ts'
import { openTestDatabase } from '../support/run/postgres.ts'

interface Row {
  readonly asOfDate: string
  readonly value: string
}
interface Values {
  readonly data: readonly Row[]
  readonly total: number
}

let api: Api
let daily: Tenant
let id: string
beforeAll(async () => {
  api = await openApi(await openTestDatabase())
  daily = await api.tenant()
  const day = (i: number) => new Date(Date.UTC(2018, 0, 1 + i)).toISOString().slice(0, 10)
  await daily.importValues(
    'CUSTOM/daily',
    Object.fromEntries(Array.from({ length: 2_105 }, (_, i) => [day(i), `${i}.50`])),
  )
  id = await daily.seriesId('CUSTOM/daily')
})

afterAll(() => api.close())

/** Follows Link from page to page; between the first and the second something may happen. */
async function walk(
  path: string,
  between: () => Promise<void> = async () => {},
): Promise<{ rows: Row[]; totals: number[] }> {
  const rows: Row[] = []
  const totals: number[] = []
  let next: string | null = path
  for (let page = 0; next !== null; page++) {
    const reply = await api.ask(next, { headers: daily.authorization })
    expect(reply.status, next).toBe(200)
    const values = JSON.parse(reply.text) as Values
    rows.push(...values.data)
    totals.push(values.total)
    const link = reply.headers.link as string | undefined
    if (link === undefined) next = null
    else next = /^<([^>]+)>; rel="next"$/.exec(link)![1]!
    if (page === 0) await between()
  }
  return { rows, totals }
}

test('C15: gives the first 500 ascending by default, at most 2000, and counts all that match', async () => {
  const usual = await daily.json<Values>(`/series/${id}/values`)
  expect([usual.data.length, usual.total, usual.data[0]!.value, usual.data.at(-1)!.value]).toEqual([
    500,
    2_105,
    '0.50',
    '499.50',
  ])
  const most = await daily.json<Values>(`/series/${id}/values?limit=2000`)
  expect([most.data.length, most.total]).toEqual([2_000, 2_105])
  expect(
    (await daily.json<Values>(`/series/${id}/values?from=2018-01-11&limit=3`)).data.map(({ value }) => value),
  ).toEqual(['10.50', '11.50', '12.50'])
})

test('C15: last gives the newest, still ascending, without a Link', async () => {
  for (const [query, wanted] of [
    ['last=3', ['2102.50', '2103.50', '2104.50']],
    ['last=2&to=2018-01-05', ['3.50', '4.50']],
    ['last=2000&from=2018-01-01&to=2018-01-02', ['0.50', '1.50']],
  ] as const) {
    const reply = await daily.get(`/series/${id}/values?${query}`)
    expect(
      (JSON.parse(reply.text) as Values).data.map(({ value }) => value),
      query,
    ).toEqual(wanted)
    expect(reply.headers.link, query).toBeUndefined()
  }
  expect(await daily.json<Values>(`/series/${id}/values?last=1`)).toMatchObject({ total: 2_105 })
})

test('C15: Link leads through every row exactly once, with the same query, under the prefix of the request', async () => {
  const day = new Date().toISOString().slice(0, 10)
  for (const [query, count] of [
    ['', 2_105],
    ['?limit=2000', 2_105],
    ['?limit=999&to=2022-01-01', 1_462],
    ['?from=2019-12-31&limit=450', 1_376],
    [`?version=FINAL&asOf=${day}&limit=700`, 2_105],
    ['?%66rom=2018-01-03&limit=1000', 2_103],
  ] as const)
    for (const prefix of ['/v1', '/api/v1']) {
      const reply = await api.ask(`${prefix}/series/${id}/values${query}`, { headers: daily.authorization })
      expect(reply.headers.link, query).toMatch(new RegExp(`^<${prefix}/series/${id}/values\\?`))
      const { rows, totals } = await walk(`${prefix}/series/${id}/values${query}`)
      expect(
        rows.map(({ asOfDate }) => asOfDate),
        query,
      ).toEqual([...new Set(rows.map(row => row.asOfDate))].toSorted())
      expect([rows.length, totals[0]], query).toEqual([count, count])
    }
  const link = (await daily.get(`/series/${id}/values?limit=7&version=FINAL&asOf=${day}&to=2020-01-01`)).headers
    .link as string
  const kept = new URL(/<([^>]+)>/.exec(link)![1]!, 'http://x').searchParams
  expect([...kept.keys()].toSorted()).toEqual(['asOf', 'from', 'knownAt', 'limit', 'to', 'version'])
  expect([kept.get('limit'), kept.get('from'), kept.get('to'), kept.get('version')]).toEqual([
    '7',
    '2018-01-08',
    '2020-01-01',
    'FINAL',
  ])
})

test('C15, T7: paging is one snapshot: revisions and new rows in between do not show in it', async () => {
  const { rows, totals } = await walk(`/v1/series/${id}/values?limit=1000`, async () => {
    await daily.import(
      'series,period,value,published\nCUSTOM/daily,2021-06-01,99999,2024-01-01\nCUSTOM/daily,2025-01-01,1,2025-02-01\nCUSTOM/daily,2017-01-01,1,2025-02-01\n',
    )
  })
  expect(rows.map(({ value }) => value)).toEqual(Array.from({ length: 2_105 }, (_, i) => `${i}.50`))
  expect(totals).toEqual([2_105, 1_105, 105])
  expect((await daily.json<Values>(`/series/${id}/values?from=2021-06-01&limit=1`)).data[0]!.value).toBe('99999')
})

test('C15: there is no Link where nothing follows', async () => {
  for (const query of [
    '?to=2018-01-31',
    '?from=2025-01-01',
    '?limit=31&from=2018-01-01&to=2018-01-31',
    '?from=2030-01-01',
  ])
    expect((await daily.get(`/series/${id}/values${query}`)).headers.link, query).toBeUndefined()
  expect((await daily.get(`/series/${id}/values?limit=30&from=2018-01-01&to=2018-01-31`)).headers.link).toMatch(
    /from=2018-01-31/,
  )
})

test('C17: vintages count periods the same way: 500 by default, at most 2000, and Link for the rest', async () => {
  const ask = async (query: string) => daily.get(`/series/${id}/vintages${query}`)
  const count = (text: string) => (JSON.parse(text) as { data: Row[] }).data.length
  const usual = await ask('?from=2018-01-01')
  expect(count(usual.text)).toBe(500)
  expect(usual.headers.link).toMatch(/rel="next"/)
  expect(count((await ask('?from=2018-01-01&limit=2000')).text)).toBeGreaterThanOrEqual(2_000)
  expect((await ask('?limit=2001')).status).toBe(400)
})
