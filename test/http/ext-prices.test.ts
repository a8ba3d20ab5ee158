// `GET /ext/v1/prices` and `GET /ext/v1/pams/{pamId}/prices`: rows, filters, pages, cuts, CSV.
import { beforeAll, describe, expect, test } from 'vitest'
import type { ExtWire } from '../../src/http/ext/description/schemas.ts'
import type { Tenant } from '../support/houses/api.ts'
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
  await fillBrackets(tenant, async () => {
    beforeSecond = new Date().toISOString()
    const second = bracketList.replace('-X,1,', 'BR-050,2.00,').replace('12.40', '13.00')
    await applyList(tenant, agreement, second, '2024-Q3')
  })
  await tenant.apply(pricedDocument({ slug: 'a-bolts' }))
  await tenant.apply(pricedDocument({ slug: 'b-draft', status: 'DRAFT' }))
  await tenant.apply(pricedDocument({ slug: 'c-priceless', price: null }))
  await tenant.apply(pricedDocument({ slug: 'd-old', start: '2023-01-01', end: '2023-12-31' }))
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
      agreement,
      item: 'BR-100',
      fromQuantity: '0',
      period: '2024-Q2',
      validFrom: '2024-04-01',
      validTo: '2024-06-30',
      inForceUntil: '2024-06-30',
      proposed: null,
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
    expect(open).toMatchObject({ status: 'OPEN', validTo: '2024-12-31', inForceUntil: null, listVersion: 2 })
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
    // In force until 2024-Q4 is signed.
    expect(await items('from=2024-10-01&item=BR-050')).toEqual(['BR-050 0 2024-Q3 2.10', 'BR-050 0 2024-Q4 2.20'])
  })

  test('of a day gives what is in force, with what is proposed beside it', async () => {
    const [row, ...others] = await rowsOf(`/pams/${agreement}/prices?date=2024-11-15&item=BR-050`)
    expect(others).toEqual([])
    expect(row).toMatchObject({
      period: '2024-Q3',
      price: '2.10',
      status: 'AGREED',
      validTo: '2024-09-30',
      inForceUntil: '2024-12-31',
      proposed: { period: '2024-Q4', price: '2.20', status: 'OPEN' },
    })
    const all = await rowsOf('/prices?date=2024-11-15&only=all&item=BR-050')
    expect(all.map(({ period, status }) => [period, status])).toEqual([
      ['2024-Q3', 'AGREED'],
      ['2024-Q4', 'OPEN'],
    ])
    expect(await rowsOf('/prices?date=2024-11-15&only=agreed&item=BR-050')).toEqual([row])
    expect(await rowsOf('/prices?date=2024-11-15&item=BR-050')).toEqual([row])
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
      'agreement,item,from_quantity,period,valid_from,valid_to,in_force_until,proposed_period,proposed_price,proposed_status,price,per,unit,currency,factor,status,receipt_hash,list_version',
    )
    expect(first).toBe(`steel-brackets,'-X,0,start,2024-01-01,2024-03-31,2024-03-31,,,,1.00,1,piece,EUR,1,AGREED,,1`)
  })
})

describe('a list of many thousand items', () => {
  test('is answered by a worker, completely and in order, and does not break the list of all', async () => {
    const many = await api.tenant()
    const count = 6_000
    const items = Array.from({ length: count }, (_, i) => `ITEM-${`${i}`.padStart(5, '0')},1.${i % 100},EUR\n`)
    await fillBrackets(many, () => applyList(many, agreement, `item,price,currency\n${items.join('')}`))
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
      'a-bolts a-bolts 12.40',
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

describe('prices for other systems', () => {
  const keyed = 'item,price,currency,erp_LIFNR,erp_MATNR\nBR-1,12.40,EUR,100234,M-1\nBR-2,5.00,EUR,100234,M-2\n'
  type LeftOut = ExtWire<'LeftOutList'>
  const own = () => shop
  let shop: Tenant
  /** Before the list of `a-keyed` had other prices. */
  let before: string
  let cursor: string
  beforeAll(async () => {
    shop = await api.tenant()
    await fillBrackets(shop)
    for (const slug of ['a-keyed', 'b-keyless', 'd-signed']) await shop.apply(pricedDocument({ slug }))
    await shop.apply(pricedDocument({ slug: 'c-blocked' }).replace('lag: 1 month', 'lag: 2 months'))
    await shop.apply(pricedDocument({ slug: 'e-over', start: '2023-01-01', end: '2023-12-31' }))
    await applyList(shop, 'a-keyed', keyed)
    await applyList(
      shop,
      'd-signed',
      'item,price,currency,erp_KOTABNR,erp_LIFNR,erp_MATNR,erp_WERKS\nBR-9,1.00,EUR,017,7,M-9,0001\n',
    )
    for (const slug of ['a-keyed', 'd-signed']) await shop.signBoth(slug, '2024-Q2')
    before = new Date().toISOString()
    cursor = (await shop.extJson<ExtWire<'ChangeList'>>('/changes')).pagination.nextCursor!
    await applyList(shop, 'a-keyed', keyed.replace('5.00', '6.00'), '2024-Q3')
  })
  const leftOut = async (query: string) =>
    (await own().extJson<LeftOut>(`/left-out?${query}`)).data.map(row => `${row.agreement} ${row.period} ${row.reason}`)

  test('have the keys of each item as fields, and as columns that are the same on every page', async () => {
    const [row] = (await own().extJson<Prices>('/pams/a-keyed/prices?period=start&item=BR-2')).data
    expect(row).toMatchObject({ item: 'BR-2', erp_LIFNR: '100234', erp_MATNR: 'M-2' })
    expect((await own().extJson<Prices>('/prices?period=start&ids=b-keyless')).data[0]).not.toHaveProperty('erp_MATNR')
    const heads: string[] = []
    let next: string | undefined = '/prices?from=2024-01-01&only=agreed&limit=2&format=csv'
    while (next !== undefined) {
      const { text, headers } = await own().ext(next)
      heads.push(text.split('\r\n')[0]!)
      next = /\/ext\/v1(\/prices[^>]+)>; rel="next"/.exec(`${headers.link}`)?.[1]
    }
    expect(heads.length).toBeGreaterThan(2)
    expect(new Set(heads)).toEqual(
      new Set([expect.stringMatching(/,list_version,erp_KOTABNR,erp_LIFNR,erp_MATNR,erp_WERKS$/)]),
    )
  })

  test('come as one file of agreed prices, with a header that counts what is not in it', async () => {
    const { status, headers, text } = await own().ext(
      '/prices?date=2024-05-17&format=sap-csv&ids=a-keyed,c-blocked,e-over',
    )
    expect([status, headers['content-type'], headers['assize-left-out']]).toEqual([200, 'text/csv; charset=utf-8', '1'])
    expect(text).toBe(
      'KAPPL,KSCHL,KOTABNR,LIFNR,MATNR,DATAB,DATBI,KSTBM,KBETR,KONWA,KPEIN,KMEIN\r\n' +
        'M,PB00,018,100234,M-1,20240401,20241231,0,12.69,EUR,1,piece\r\nM,PB00,018,100234,M-2,20240401,20241231,0,5.12,EUR,1,piece\r\n',
    )
    const related = /<\/ext\/v1(\/left-out[^>]+)>; rel="related"/.exec(`${headers.link}`)![1]!
    expect((await own().extJson<LeftOut>(related)).data).toEqual([
      {
        agreement: 'c-blocked',
        item: null,
        period: '2024-Q2',
        reason: 'BLOCKED',
        why: expect.stringContaining('CUSTOM/steel'),
      },
      {
        agreement: 'c-blocked',
        item: 'c-blocked',
        period: null,
        reason: 'UNFIT',
        why: expect.stringContaining('LIFNR'),
      },
    ])
    const again = await own().ext('/prices?date=2024-05-17&format=sap-csv&ids=a-keyed,c-blocked,e-over', {
      headers: { 'if-none-match': headers.etag },
    })
    expect(again.status).toBe(304)
  })

  test('come in every format, the idoc with its control record', async () => {
    const idoc = await own().ext('/prices?date=2024-05-17&format=sap-idoc&ids=a-keyed&set=SNDPRN=ASSIZE,RCVPRN=PRD100')
    expect(idoc.headers['content-type']).toBe('application/xml; charset=utf-8')
    expect(idoc.text).toContain('<SNDPRT>LS</SNDPRT><SNDPRN>ASSIZE</SNDPRN><RCVPRT>LS</RCVPRT><RCVPRN>PRD100</RCVPRN>')
    expect(idoc.headers['assize-left-out']).toBe('0')
    expect(idoc.headers['assize-missing']).toBeUndefined()
    const nobodys = await own().ext('/prices?date=2024-05-17&format=sap-idoc&ids=a-keyed&set=SNDPRN=ASSIZE')
    expect(nobodys.headers['assize-missing']).toBe('RCVPRN')
    const journal = await own().ext('/prices?date=2024-05-17&format=d365-purchase&set=VendorAccountNumber=V-7')
    expect(journal.text).toContain('\r\nBR-1,V-7,12.69,1,EUR,piece,0,0,2024-04-01,2024-12-31\r\n')
    expect((await own().ext('/prices?date=2024-05-17&format=bc')).text).toContain('5.12')
    expect((await own().ext('/prices?date=2024-05-17&format=bc&only=all')).text).toMatch(/,status\r\n/)
  })

  test('say what is not signed, does not fit or has no number, and leave out contracts that are over', async () => {
    expect(await leftOut('date=2024-05-17&for=sap-csv')).toEqual([
      'b-keyless null UNFIT',
      'c-blocked 2024-Q2 BLOCKED',
      'c-blocked null UNFIT',
      ...Array.from({ length: 3 }, () => 'steel-brackets null UNFIT'),
    ])
    expect(await leftOut('date=2024-05-17&for=bc')).toEqual([
      'b-keyless 2024-Q2 NOT_AGREED',
      'c-blocked 2024-Q2 BLOCKED',
      // The price of one has too many decimals.
      'steel-brackets null UNFIT',
    ])
    // A list has every number, with its status.
    expect(await leftOut('date=2024-05-17')).toEqual(['c-blocked 2024-Q2 BLOCKED'])
    expect(await leftOut('period=2024-Q2&for=csv&only=agreed&ids=b-keyless')).toEqual(['b-keyless 2024-Q2 NOT_AGREED'])
    const first = await own().extJson<LeftOut>('/left-out?date=2024-05-17&for=sap-csv&limit=2')
    expect([first.data.length, first.pagination.hasMore]).toEqual([2, true])
    const second = `/left-out?date=2024-05-17&for=sap-csv&limit=2&cursor=${first.pagination.nextCursor}`
    expect((await own().extJson<LeftOut>(second)).data.map(row => row.item)).toEqual(['c-blocked', '-X'])
  })

  test('can be asked for since an instant or a place of the feed', async () => {
    const slugs = async (query: string) => [
      ...new Set((await own().extJson<Prices>(`/prices?date=2024-08-15&${query}`)).data.map(row => row.agreement)),
    ]
    expect(await slugs(`changedSince=${before}`)).toEqual(['a-keyed'])
    expect(await slugs(`changedSince=${cursor}`)).toEqual(['a-keyed'])
    expect((await slugs('changedSince=2020-01-01')).length).toBeGreaterThan(2)
    const file = await own().ext(`/prices?period=start&format=d365-purchase&changedSince=${cursor}`)
    expect(
      file.text
        .split('\r\n')
        .slice(1, -1)
        .map(line => line.split(',')[0]),
    ).toEqual(['BR-1', 'BR-2'])
    expect(file.headers['assize-left-out']).toBe('0')
    const newest = (await own().extJson<ExtWire<'ChangeList'>>('/changes')).pagination.nextCursor
    expect(await slugs(`changedSince=${newest}`)).toEqual([])
    expect((await own().ext('/prices?changedSince=2999-01-01')).status).toBe(400)
  })

  test('refuse what a file cannot have, and an agreement that does not exist', async () => {
    const asked = async (query: string) => {
      const { status, text } = await own().ext(`/prices?date=2024-05-17&${query}`)
      return [status, (JSON.parse(text) as { error: string }).error]
    }
    expect(await asked('format=sap-csv&set=LIFNRR=1')).toEqual([
      400,
      expect.stringMatching(
        /^LIFNRR is no field that can be set; those are KAPPL, KSCHL, KOTABNR, KMEIN; as keys .*LIFNR,/,
      ),
    ])
    expect(await asked('format=sap-csv&limit=10')).toEqual([400, expect.stringContaining('is a whole file')])
    expect(await asked('format=sap-idoc&only=all')).toEqual([400, expect.stringContaining('agreed prices alone')])
    expect(await asked('set=LIFNR=1')).toEqual([400, expect.stringContaining('are for files')])
    expect(await asked('ids=a-keyed,nobody')).toEqual([404, 'there is no such agreement: number 2 of ids'])
    expect(await asked('format=bc&ids=a-keyed,nobody')).toEqual([404, 'there is no such agreement: number 2 of ids'])
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
      return rows.map(({ agreement, item, price, status, proposed }) => {
        const beside = proposed === null ? '' : `, ${proposed.price} ${proposed.status}`
        return `${agreement} ${item} ${price} ${status}${beside}`
      })
    }
    const all = ['a-bolts', agreement, 'z-nuts']
    const before = await isSame(all)
    expect(before).toContain('a-bolts a-bolts 12.40 AGREED, 13.64 OPEN')
    await own.import('series,period,value,published\nCUSTOM/steel,2024-09,200.00,2025-01-02\n')
    const figure = await isSame(all)
    expect(figure).toContain('a-bolts a-bolts 12.40 AGREED, 24.80 OPEN')
    await applyList(own, 'a-bolts', 'item,price,currency\nNEW,1.00,EUR\n')
    expect(await isSame(all)).toEqual(['a-bolts NEW 1.00 AGREED, 2.00 OPEN', ...figure.slice(1)])
    await own.apply(pricedDocument({ slug: 'z-nuts', clause: '{ fixed: 0, cap: { periodPct: 2 } }' }))
    expect((await isSame(all)).at(-1)).toBe('z-nuts z-nuts 12.40 AGREED, 13.16 OPEN')
    for (const period of ['2024-Q2', '2024-Q3', '2024-Q4']) await own.signBoth('z-nuts', period)
    expect((await isSame(all)).at(-1)).toBe('z-nuts z-nuts 13.16 AGREED')
    await own.apply(pricedDocument({ slug: 'a-bolts', status: 'ARCHIVED' }))
    expect((await isSame(all.slice(1))).some(row => row.startsWith('a-bolts'))).toBe(false)
  })
})
