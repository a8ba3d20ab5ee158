// `GET /ext/v1/prices` and `GET /ext/v1/pams/{pamId}/prices`: rows, filters, pages, cuts, CSV.
import { beforeAll, describe, expect, test } from 'vitest'
import type { ExtWire } from '../../src/http/ext/description/schemas.ts'
import { house } from '../support/houses/house.ts'
import { pricedDocument } from '../support/houses/price-house.ts'
import { applyList, bracketList, fillBrackets } from '../support/houses/priced-tenant.ts'

type Prices = ExtWire<'PriceList'>
type Row = ExtWire<'PriceRow'>

const agreement = 'steel-brackets'
/** Before the list of `steel-brackets` had a second version. */
let beforeSecond: string

const { api, tenant } = house()
beforeAll(async () => {
  await fillBrackets(tenant)
  await tenant.apply(pricedDocument({ slug: 'a-bolts' }))
  await tenant.apply(pricedDocument({ slug: 'b-draft', status: 'DRAFT' }))
  await tenant.apply(pricedDocument({ slug: 'c-priceless', price: null }))
  await tenant.apply(pricedDocument({ slug: 'd-old', start: '2023-01-01', end: '2023-12-31' }))
  beforeSecond = new Date().toISOString()
  await applyList(tenant, agreement, bracketList.replace('-X,1,', 'BR-050,2.00,').replace('12.40', '13.00'), '2024-Q3')
})

const rowsOf = async (path: string): Promise<readonly Row[]> => (await tenant.extJson<Prices>(path)).data
const short = ({ item, fromQuantity, period, price }: Row) => `${item} ${fromQuantity} ${period} ${price}`
const errorOf = async (path: string) => {
  const { status, text } = await tenant.ext(path)
  return [status, (JSON.parse(text) as { error: string }).error]
}

describe('GET /pams/{pamId}/prices', () => {
  test('gives the row of the documentation', async () => {
    const [row] = await rowsOf(`/pams/${agreement}/prices?period=2024-Q2&item=BR-100`)
    expect(row).toEqual({
      agreement: agreement,
      item: 'BR-100',
      fromQuantity: '0',
      period: '2024-Q2',
      validFrom: '2024-04-01',
      validTo: '2024-06-30',
      price: '12.69',
      per: '1',
      unit: 'piece',
      currency: 'EUR',
      factor: '1.0235',
      status: 'AGREED',
      receiptHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      listVersion: 1,
    })
  })

  test('lists every period whose date has come by item, step and validity, each under its list', async () => {
    expect((await rowsOf(`/pams/${agreement}/prices`)).map(short)).toEqual([
      '-X 0 start 1.00',
      '-X 0 2024-Q2 1.02',
      'BR-050 0 2024-Q3 2.10',
      'BR-050 0 2024-Q4 2.20',
      'BR-100 0 start 12.40',
      'BR-100 0 2024-Q2 12.69',
      'BR-100 0 2024-Q3 13.65',
      'BR-100 0 2024-Q4 14.30',
      'BR-100 1000 start 11.90',
      'BR-100 1000 2024-Q2 12.18',
      'BR-100 1000 2024-Q3 12.50',
      'BR-100 1000 2024-Q4 13.09',
      'BR-200 0 start 5.125',
      'BR-200 0 2024-Q2 5.245',
      'BR-200 0 2024-Q3 5.381',
    ])
  })

  test('shows before the first adjustment the period start, and status and hash of the number behind each', async () => {
    const [start, , third, open] = await rowsOf(`/pams/${agreement}/prices?item=BR-100`)
    expect(start).toMatchObject({ period: 'start', factor: '1', status: 'AGREED', receiptHash: null })
    expect(third).toMatchObject({ status: 'AGREED', listVersion: 2 })
    expect(open).toMatchObject({ status: 'OPEN', validTo: '2024-12-31', listVersion: 2 })
  })

  test('filters by period, date, range and item', async () => {
    const items = async (query: string) => (await rowsOf(`/pams/${agreement}/prices?${query}`)).map(short)
    expect(await items('period=start&item=BR-200')).toEqual(['BR-200 0 start 5.125'])
    expect(await items('date=2024-08-15&item=BR-050')).toEqual(['BR-050 0 2024-Q3 2.10'])
    expect(await items('from=2024-06-30&to=2024-07-01&item=BR-200')).toEqual([
      'BR-200 0 2024-Q2 5.245',
      'BR-200 0 2024-Q3 5.381',
    ])
    expect(await items('to=2023-12-31')).toEqual([])
    expect(await items('from=2024-10-01&item=BR-050')).toEqual(['BR-050 0 2024-Q4 2.20'])
  })

  test('refuses a filter that matches nothing with the reason, and two choices at once', async () => {
    const path = `/pams/${agreement}/prices`
    expect(await errorOf(`${path}?period=2025-Q1`)).toEqual([404, 'steel-brackets has no period 2025-Q1'])
    expect(await errorOf(`${path}?date=2025-01-01`)).toEqual([404, '2025-01-01 lies outside the contract'])
    expect(await errorOf(`${path}?item=none`)).toEqual([404, 'steel-brackets has no item "none"'])
    expect(await errorOf(`${path}?date=2024-10-05&item=BR-200`)).toEqual([404, '"BR-200" is not valid then'])
    expect((await tenant.ext('/pams/c-priceless/prices')).text).toContain('"data":[]')
    expect(await errorOf('/pams/c-priceless/prices?period=2024-Q2')).toEqual([
      404,
      'c-priceless has neither a price list nor a price of its own',
    ])
    expect(await errorOf('/pams/nobody/prices')).toEqual([404, 'there is no such agreement'])
    for (const query of [
      'period=start&date=2024-05-01',
      'date=2024-05-01&to=2024-06-01',
      'period=start&from=2024-01-01',
    ])
      expect((await tenant.ext(`${path}?${query}`)).status).toBe(400)
    for (const query of ['from=2024-02-01&to=2024-01-01', 'period=Start', 'limit=1001', 'item=', 'asOf=2024-01-01'])
      expect([query, (await tenant.ext(`${path}?${query}`)).status]).toEqual([query, 400])
  })

  test('gives a draft its prices by name, and those of the contract itself without a list', async () => {
    const [row] = await rowsOf('/pams/b-draft/prices?period=2024-Q2')
    expect(row).toMatchObject({ item: 'b-draft', price: '12.69', listVersion: null, status: 'OPEN' })
  })

  test('answers what was known then, today and later', async () => {
    const path = `/pams/${agreement}/prices?item=BR-100&period=2024-Q3`
    expect((await rowsOf(`${path}&knownAt=${beforeSecond}`)).map(short)).toEqual([
      'BR-100 0 2024-Q3 13.02',
      'BR-100 1000 2024-Q3 12.50',
    ])
    expect((await tenant.ext(`/pams/${agreement}/prices?knownAt=2020-01-01`)).status).toBe(404)
    expect((await tenant.ext(`/pams/${agreement}/prices?knownAt=2999-01-01`)).status).toBe(400)
  })

  test('comes page by page, pinned to its first page', async () => {
    const path = `/pams/${agreement}/prices?limit=4`
    const whole = await rowsOf(`/pams/${agreement}/prices`)
    const walked: Row[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Prices = await tenant.extJson<Prices>(`${path}${cursor === '' ? '' : `&cursor=${cursor}`}`)
      expect(page.data.length).toBe(page.pagination.hasMore ? 4 : 3)
      walked.push(...page.data)
      cursor = page.pagination.nextCursor
      // Not seen by the walk that is under way.
      if (walked.length === 4) await applyList(tenant, agreement, 'item,price,currency\nNEW,1,EUR\n', '2024-Q4')
    }
    expect(walked).toEqual(whole)
    expect((await rowsOf(`/pams/${agreement}/prices?period=2024-Q4`)).map(short)).toEqual(['NEW 0 2024-Q4 1.10'])
    const { nextCursor } = (await tenant.extJson<Prices>(path)).pagination
    expect((await tenant.ext(`${path}&item=BR-100&cursor=${nextCursor}`)).status).toBe(400)
    expect((await tenant.ext(`/pams/a-bolts/prices?limit=4&cursor=${nextCursor}`)).status).toBe(400)
    expect((await tenant.ext(`/prices?limit=4&cursor=${nextCursor}`)).status).toBe(400)
  })

  test('keeps its tag while nothing changes, and is CSV with numbers that stay numbers', async () => {
    const { headers } = await tenant.ext(`/pams/${agreement}/prices`)
    const again = await tenant.ext(`/pams/${agreement}/prices`, { headers: { 'if-none-match': headers.etag } })
    expect(again.status).toBe(304)
    const { text } = await tenant.ext(`/pams/${agreement}/prices?period=start&format=csv`)
    const [head, first] = text.split('\r\n')
    expect(head).toBe(
      'agreement,item,from_quantity,period,valid_from,valid_to,price,per,unit,currency,factor,status,receipt_hash,list_version',
    )
    expect(first).toBe(`steel-brackets,'-X,0,start,2024-01-01,2024-03-31,1.00,1,piece,EUR,1,AGREED,,1`)
  })
})

describe('a list of many thousand items', () => {
  test('is answered by a worker, completely and in order, and does not break the list of all', async () => {
    const many = await api.tenant()
    await fillBrackets(many)
    const count = 6_000
    const items = Array.from({ length: count }, (_, i) => `ITEM-${`${i}`.padStart(5, '0')},1.${i % 100},EUR\n`)
    await applyList(many, agreement, `item,price,currency\n${items.join('')}`)
    const keys: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const path = `/pams/${agreement}/prices?period=2024-Q2${cursor === '' ? '' : `&cursor=${cursor}`}`
      const page: Prices = await many.extJson<Prices>(path)
      keys.push(...page.data.map(({ item }) => item))
      cursor = page.pagination.nextCursor
    }
    expect(keys).toEqual(items.map(text => text.split(',')[0]))
    const all = await many.extJson<Prices>('/prices?date=2024-05-01')
    expect([all.data.length, all.pagination.hasMore]).toEqual([1_000, true])
  })
})

describe('GET /prices', () => {
  test('gives the prices of all agreements on a day, by agreement', async () => {
    const rows = await rowsOf('/prices?date=2024-05-17')
    expect(rows.map(({ agreement, item, price }) => `${agreement} ${item} ${price}`)).toEqual([
      'a-bolts a-bolts 12.69',
      'steel-brackets -X 1.02',
      'steel-brackets BR-100 12.69',
      'steel-brackets BR-100 12.18',
      'steel-brackets BR-200 5.245',
    ])
  })

  test('is of today by default, and leaves out what has no price then', async () => {
    expect(await rowsOf('/prices')).toEqual([])
    expect((await rowsOf('/prices?date=2023-02-01')).map(({ agreement }) => agreement)).toEqual(['d-old'])
    expect((await rowsOf('/prices?period=start&item=a-bolts')).map(short)).toEqual(['a-bolts 0 start 12.40'])
    expect(await rowsOf('/prices?item=none&date=2024-05-17')).toEqual([])
    expect(new Set((await rowsOf('/prices?from=2023-03-01&to=2024-01-31')).map(row => row.agreement))).toEqual(
      new Set(['a-bolts', 'd-old', agreement]),
    )
  })

  test('comes page by page, across agreements and inside one', async () => {
    const whole = await rowsOf('/prices?from=2023-01-01')
    for (const limit of [1, 3, 7]) {
      const walked: Row[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const path = `/prices?from=2023-01-01&limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`
        const page: Prices = await tenant.extJson<Prices>(path)
        expect(page.data.length).toBeLessThanOrEqual(limit)
        walked.push(...page.data)
        cursor = page.pagination.nextCursor
      }
      expect(walked).toEqual(whole)
    }
  })
})

describe('prices that are remembered for walks', () => {
  const day = '2024-11-15'

  test('show a new figure, list, version, signature and status at once', async () => {
    const own = await api.tenant()
    await fillBrackets(own)
    for (const slug of ['a-bolts', 'z-nuts']) await own.apply(pricedDocument({ slug }))
    const walked = async () => (await own.extJson<Prices>(`/prices?date=${day}`)).data
    // What single agreements answer is computed elsewhere.
    const one = async (slug: string) => (await own.extJson<Prices>(`/pams/${slug}/prices?date=${day}`)).data
    const isSame = async (slugs: readonly string[]) => {
      const rows = await walked()
      expect(rows).toEqual((await Promise.all(slugs.map(one))).flat())
      return rows.map(({ agreement, item, price, status }) => `${agreement} ${item} ${price} ${status}`)
    }
    const all = ['a-bolts', agreement, 'z-nuts']
    const before = await isSame(all)
    expect(before).toContain('a-bolts a-bolts 13.64 OPEN')
    await own.import('series,period,value,published\nCUSTOM/steel,2024-09,200.00,2025-01-02\n')
    const figure = await isSame(all)
    expect(figure).toContain('a-bolts a-bolts 24.80 OPEN')
    await applyList(own, 'a-bolts', 'item,price,currency\nNEW,1.00,EUR\n')
    expect(await isSame(all)).toEqual(['a-bolts NEW 2.00 OPEN', ...figure.slice(1)])
    await own.apply(pricedDocument({ slug: 'z-nuts', clause: '{ fixed: 0, cap: { periodPct: 2 } }' }))
    expect((await isSame(all)).at(-1)).toBe('z-nuts z-nuts 13.16 OPEN')
    for (const period of ['2024-Q2', '2024-Q3', '2024-Q4']) await own.signBoth('z-nuts', period)
    expect((await isSame(all)).at(-1)).toBe('z-nuts z-nuts 13.16 AGREED')
    await own.apply(pricedDocument({ slug: 'a-bolts', status: 'ARCHIVED' }))
    expect((await isSame(all.slice(1))).some(row => row.startsWith('a-bolts'))).toBe(false)
  })
})
