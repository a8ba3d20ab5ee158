// `GET /ext/v1/adjustments` and `/values`: the same numbers as v1, for many agreements and series at once.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ExtWire } from '../../src/http/ext/description/schemas.ts'
import { type Api, openApi, type Tenant } from '../support/houses/api.ts'
import { openTestDatabase, type TestDatabase } from '../support/run/postgres.ts'

type List = ExtWire<'AdjustmentList'>
type Row = ExtWire<'AdjustmentRow'>

let ground: TestDatabase
let api: Api
let tenant: Tenant

const document = (slug: string, more: Readonly<Record<string, string>> = {}) => `slug: ${slug}
name: ${more.name ?? `Agreement ${slug}`}
status: ${more.status ?? 'ACTIVE'}
contract:
  start: ${more.start ?? '2024-01-01'}
  ${more.end === undefined ? '' : `end: ${more.end}`}
  frequency: QUARTERLY
  ${more.price ?? 'price: { amount: 12.40, currency: EUR, unit: 100 kg, round: { dp: 2 } }'}
inputs:
  steel: { series: ${more.series ?? 'BLS/WPU101'}, weight: 1, base: 2023-12, lag: 1 month }
clause: { fixed: 0, rounding: { percent: { dp: 2 } } }
parties: { supplier: [sam@supplier.test] }
`

beforeAll(async () => {
  ground = await openTestDatabase()
  api = await openApi(ground)
  tenant = await api.tenant()
  await tenant.importValues('BLS/WPU101', { '2023-12': '100', '2024-03': '102.5', '2024-06': '103' })
  await tenant.importValues('BLS/OTHER', { '2023-12': '100' })
  for (const slug of ['b-brackets', 'a-axles', 'c-cables']) await tenant.apply(document(slug))
  await tenant.apply(document('d-draft', { status: 'DRAFT' }))
  await tenant.apply(document('e-empty', { series: 'BLS/OTHER' }))
  await tenant.apply(document('f-future', { start: '2999-01-01' }))
  const soon = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  await tenant.apply(document('g-begun', { start: soon, series: 'BLS/OTHER' }))
})
afterAll(() => api.close())

const list = (query = '', of = tenant) => of.extJson<List>(`/adjustments${query}`)
const slugs = async (query: string) => (await list(query)).data.map(({ slug }) => slug)
const rowOf = async (slug: string, query = '') => (await list(`?ids=${slug}${query}`)).data[0]!

describe('GET /adjustments', () => {
  test('has one row per agreement in the order of slugs, with the numbers of v1', async () => {
    const { data, pagination } = await list()
    expect(data.map(({ slug }) => slug)).toEqual(['a-axles', 'b-brackets', 'c-cables', 'e-empty', 'g-begun'])
    expect(pagination).toEqual({ limit: 200, hasMore: false, nextCursor: null })
    const axles = data[0]!
    const v1 = await tenant.json<Record<string, unknown>>('/pams/a-axles/adjustment')
    const receipt = await tenant.json<{ hash: string; body: { result: { factor: string } } }>(
      '/pams/a-axles/adjustment/receipt',
    )
    expect(axles).toMatchObject({
      period: v1.period,
      adjustmentPct: String(v1.adjustmentPct),
      cumulativePct: String(v1.cumulativeAdjustmentPct),
      dataVersion: v1.dataVersion,
      formulaVersion: 1,
      receiptHash: receipt.hash,
      factor: receipt.body.result.factor,
      currency: 'EUR',
      per: '100',
      unit: 'kg',
      status: 'OPEN',
      confirmed: { buyer: null, supplier: null },
      reason: null,
    })
    expect(axles).toMatchObject({ period: '2024-Q3', adjustmentDate: '2024-07-01', price: '12.77' })
    expect(axles.nextDate! > new Date().toISOString().slice(0, 10)).toBe(true)
  })

  test('says why there is no number, and begins with start', async () => {
    expect(await rowOf('e-empty')).toMatchObject({
      status: 'BLOCKED',
      adjustmentPct: null,
      cumulativePct: null,
      factor: null,
      price: null,
      currency: null,
      receiptHash: null,
      reason: expect.stringContaining('BLS/OTHER'),
    })
    expect(await rowOf('g-begun')).toMatchObject({
      period: 'start',
      adjustmentPct: '0',
      cumulativePct: '0',
      factor: '1',
      price: '12.40',
      status: 'AGREED',
      receiptHash: null,
      dataVersion: null,
      reason: null,
    })
  })

  test('gives the period in force on a day, number or not, and the one of a label', async () => {
    expect(await rowOf('a-axles', '&date=2024-05-10')).toMatchObject({ period: '2024-Q2', adjustmentPct: '2.5' })
    expect(await rowOf('a-axles', '&period=2024-Q2')).toMatchObject({ adjustmentDate: '2024-04-01', price: '12.71' })
    expect(await rowOf('a-axles', '&date=2024-02-10')).toMatchObject({ period: 'start', adjustmentDate: '2024-01-01' })
    const today = new Date().toISOString().slice(0, 10)
    expect(await rowOf('a-axles', `&date=${today}`)).toMatchObject({ status: 'BLOCKED', adjustmentPct: null })
    expect(await slugs('?date=2023-12-31')).toEqual([])
    expect(await slugs('?period=2023-Q4')).toEqual([])
    expect(await slugs('?period=2024-05')).toEqual([])
    for (const query of ['date=2024-05-10&period=2024-Q2', 'latest=true&period=2024-Q2', 'latest=true&date=2024-05-10'])
      expect((await tenant.ext(`/adjustments?${query}`)).status).toBe(400)
    expect(await slugs('?latest=true')).toEqual(await slugs(''))
  })

  test('filters by ids or slugs, and refuses one that does not exist', async () => {
    const { id } = await rowOf('c-cables')
    expect(await slugs(`?ids=${id},a-axles,a-axles`)).toEqual(['a-axles', 'c-cables'])
    expect(await slugs('?ids=d-draft')).toEqual([])
    const missing = await tenant.ext('/adjustments?ids=a-axles,nobody')
    expect([missing.status, missing.text]).toEqual([404, '{"error":"there is no such agreement: number 2 of ids"}'])
    expect((await tenant.ext('/adjustments?ids=')).status).toBe(400)
    expect(
      (await tenant.ext(`/adjustments?ids=${Array.from({ length: 201 }, () => 'a-axles').join(',')}`)).status,
    ).toBe(400)
  })

  test('shows who has signed, filters by it, and moves updatedAt', async () => {
    const before = await rowOf('b-brackets')
    await tenant.sign('b-brackets', '2024-Q2', 'buyer')
    expect(await rowOf('b-brackets', '&period=2024-Q2')).toMatchObject({
      status: 'SIGNED_BY_BUYER',
      confirmed: { buyer: expect.any(String), supplier: null },
    })
    await tenant.sign('b-brackets', '2024-Q2', 'supplier')
    const signed = await rowOf('b-brackets', '&period=2024-Q2')
    expect(signed.status).toBe('AGREED')
    expect(signed.updatedAt > before.updatedAt).toBe(true)
    expect(await slugs('?period=2024-Q2&status=SIGNED')).toEqual(['b-brackets'])
    expect(await slugs('?period=2024-Q2&status=OPEN')).toEqual(['a-axles', 'c-cables'])
    expect(await slugs('?status=BLOCKED')).toEqual(['e-empty'])
  })

  test('keeps its tag while nothing changed, and has another when something did', async () => {
    const tag = async () => (await tenant.ext('/adjustments?limit=1')).headers.etag
    const first = await tag()
    await api.restart()
    expect(await tag()).toBe(first)
    await tenant.importValues('BLS/OTHER', { '2025-01': '1' })
    expect(await tag()).not.toBe(first)
  })

  test('walks one moment and one day, whatever is published meanwhile', async () => {
    const other = await api.tenant()
    await other.importValues('BLS/WPU101', { '2023-12': '100', '2024-03': '102.5' })
    for (let i = 0; i < 5; i++) await other.apply(document(`walk-${i}`))
    const whole = (await list('', other)).data
    const first = await list('?limit=2', other)
    await other.importValues('BLS/WPU101', { '2024-06': '103' })
    await other.apply(document('walk-0', { name: 'Another name' }))
    await other.apply(document('walk-9'))
    const rows: Row[] = [...first.data]
    for (let cursor = first.pagination.nextCursor; cursor !== null; ) {
      const { data, pagination } = await list(`?limit=2&cursor=${cursor}`, other)
      rows.push(...data)
      cursor = pagination.nextCursor
    }
    expect(rows).toEqual(whole)
    const now = (await list('', other)).data
    expect(now.map(({ period }) => period)).toEqual(now.map(() => '2024-Q3'))
    expect(now.map(({ slug }) => slug)).toContain('walk-9')
  })

  test('answers as known at an instant, always the same', async () => {
    const other = await api.tenant()
    const at = await other.importValues('BLS/WPU101', { '2023-12': '100', '2024-03': '102.5' })
    await other.apply(document('known'))
    const then = new Date().toISOString()
    const { text } = await other.ext(`/adjustments?knownAt=${then}`)
    await other.importValues('BLS/WPU101', { '2024-03': '110' }, '2024-06-01')
    await other.apply(document('known', { name: 'Later' }))
    expect((await other.ext(`/adjustments?knownAt=${then}`)).text).toBe(text)
    await api.restart()
    expect((await other.ext(`/adjustments?knownAt=${then}`)).text).toBe(text)
    expect((await list(`?knownAt=${at}`, other)).data).toEqual([])
    expect((await other.ext('/adjustments?knownAt=2999-01-01')).status).toBe(400)
    expect((await other.ext('/adjustments?asOf=2024-01-01')).status).toBe(400)
  })

  test('is CSV with the columns of the fields', async () => {
    const { text } = await tenant.ext('/adjustments?format=csv&ids=e-empty,b-brackets&period=2024-Q2')
    const [head, first] = text.split('\r\n')
    expect(head).toBe(
      'id,slug,name,period,adjustment_date,adjustment_pct,cumulative_pct,factor,price,currency,per,unit,data_version,formula_version,status,confirmed_buyer,confirmed_supplier,receipt_hash,next_date,updated_at,reason',
    )
    expect(first).toMatch(
      /^pam_\w+,b-brackets,Agreement b-brackets,2024-Q2,2024-04-01,2\.5,2\.5,1\.025,12\.71,EUR,100,kg,/,
    )
  })

  test('shows another workspace nothing', async () => {
    const other = await api.tenant()
    expect((await list('', other)).data).toEqual([])
    expect((await other.ext('/adjustments?ids=a-axles')).status).toBe(404)
    expect((await other.ext(`/adjustments?ids=${(await rowOf('a-axles')).id}`)).status).toBe(404)
  })
})

describe('GET /values', () => {
  const values = (query: string) => tenant.extJson<ExtWire<'ValuesList'>>(`/values?${query}`)

  test('gives the newest values of many series in the order asked', async () => {
    const id = await tenant.seriesId('BLS/WPU101')
    const { data } = await values(`series=BLS/OTHER,${id}`)
    expect(data.map(({ series, values: own }) => [series, own.map(each => each.period)])).toEqual([
      ['BLS/OTHER', ['2025-01']],
      ['BLS/WPU101', ['2024-06']],
    ])
    expect((await values('series=BLS/WPU101&last=2')).data[0]!.values).toEqual([
      { period: '2024-03', value: '102.5', versionTag: 'FINAL', publishedAt: '2020-01-01T00:00:00.000000Z' },
      { period: '2024-06', value: '103', versionTag: 'FINAL', publishedAt: '2020-01-01T00:00:00.000000Z' },
    ])
    expect((await values('series=BLS/WPU101&last=60&asOf=2019-12-31')).data[0]!.values).toEqual([])
  })

  test('refuses all if one does not exist, and a list that is missing, empty or too long', async () => {
    expect((await tenant.ext('/values?series=BLS/WPU101,BLS/none')).status).toBe(404)
    expect((await tenant.ext('/values')).status).toBe(400)
    expect((await tenant.ext('/values?series=')).status).toBe(400)
    expect((await tenant.ext('/values?series=BLS/WPU101&last=61')).status).toBe(400)
    const many = Array.from({ length: 51 }, () => 'BLS/WPU101').join(',')
    expect((await tenant.ext(`/values?series=${many}`)).status).toBe(400)
  })

  test('has one row per value in CSV', async () => {
    const { text } = await tenant.ext('/values?series=BLS/WPU101&last=2', { headers: { accept: 'text/csv' } })
    expect(text.split('\r\n')[0]).toBe('id,series,name,unit,frequency,period,value,version_tag,published_at')
    expect(text.split('\r\n')).toHaveLength(4)
  })
})
