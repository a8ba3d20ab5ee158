// `GET /ext/v1/radar` and `/pams/{id}/ledger`: what a revision did, page by page, for keys with and without `money`.
import { beforeAll, describe, expect, test } from 'vitest'
import type { ExtWire } from '../../src/http/ext/description/schemas.ts'
import { Tenant } from '../support/houses/api.ts'
import { house } from '../support/houses/house.ts'
import { finalMarch, firstPrints, trueUpDocument } from '../support/houses/true-up-house.ts'

type List = ExtWire<'RadarList'>

/** More than are compared on the main thread. */
const pad = (number: number) => `${number}`.padStart(2, '0')

let withMoney: Tenant
let cursor: string
let other: Tenant

const { api, tenant } = house()
beforeAll(async () => {
  other = await api.tenant()
  withMoney = new Tenant(api, tenant.id, await api.issueKey(tenant.id, null, 'erp', 'money'))
  await tenant.import(firstPrints)
  for (let i = 0; i < 11; i++) await tenant.applyUnheard(trueUpDocument({ slug: `agreement-${pad(i)}` }))
  await tenant.apply(trueUpDocument({ slug: 'agreement-11' }))
  cursor = (await tenant.extJson<ExtWire<'ChangeList'>>('/changes')).pagination.nextCursor
  await tenant.import(finalMarch)
})

const radar = (query: string, of = withMoney) => of.extJson<List>(`/radar?since=${cursor}${query}`)

describe('GET /radar', () => {
  test('has one row for each agreement and period that moved since a cursor of /changes', async () => {
    const { data, pagination } = await radar('')
    expect(data.map(({ agreement, kind, period }) => `${agreement} ${kind} ${period}`)).toEqual(
      Array.from({ length: 12 }, (_, i) => `agreement-${pad(i)} OPEN_MOVED 2024-Q2`),
    )
    expect(data[0]).toMatchObject({
      cause: { series: 'CUSTOM/metal', period: '2024-03', before: '106.0', after: '103.5', tag: 'FINAL' },
      points: '-2.5',
      priceBefore: '106.00',
      priceAfter: '103.50',
      amount: null,
      currency: 'EUR',
      policy: 'NONE',
    })
    expect(pagination).toEqual({ limit: 200, hasMore: false, nextCursor: null })
  })

  test('is empty since a moment after the newest entry, and refuses only a beginning after a named end', async () => {
    const newest = new Date().toISOString()
    const empty = await withMoney.extJson<List>(`/radar?since=${newest}`)
    expect(empty).toEqual({ data: [], pagination: { limit: 200, hasMore: false, nextCursor: null } })
    const last = (await tenant.extJson<ExtWire<'ChangeList'>>('/changes')).pagination.nextCursor
    expect((await withMoney.extJson<List>(`/radar?since=${last}`)).data).toEqual([])
    expect((await withMoney.ext(`/radar?since=${newest}&until=2024-01-01`)).status).toBe(400)
  })

  test('gives every row once over pages of any size, the same while more is published', async () => {
    const all = (await radar('')).data
    let more = 0
    for (const limit of [1, 2, 3, 5]) {
      const walked: List['data'] = []
      let page = await radar(`&limit=${limit}`)
      for (;;) {
        walked.push(...page.data)
        if (page.pagination.nextCursor === null) break
        await tenant.import(
          `series,period,value,published\nCUSTOM/metal,2023-0${(++more % 9) + 1},${100 + more},2024-02-01\n`,
        )
        page = await radar(`&limit=${limit}&cursor=${page.pagination.nextCursor}`)
      }
      expect(walked).toEqual(all)
    }
  })

  test('refuses a cursor of another request, an unknown agreement and a time that is not over', async () => {
    const { nextCursor } = (await radar('&limit=1')).pagination
    for (const [query, status] of [
      [`since=${cursor}&pam=agreement-01&cursor=${nextCursor}`, 400],
      ['pam=nothing', 404],
      ['since=2999-01-01', 400],
      ['since=2024-01-02&until=2024-01-01', 400],
      ['since=nonsense', 400],
    ] as const)
      expect((await withMoney.ext(`/radar?${query}`)).status, query).toBe(status)
  })

  test('keeps its tag while nothing changes, is CSV on request, and shows another workspace nothing', async () => {
    const first = await withMoney.ext(`/radar?since=${cursor}`)
    const again = await withMoney.ext(`/radar?since=${cursor}`)
    expect(again.headers.etag).toBe(first.headers.etag)
    const csv = await withMoney.ext(`/radar?since=${cursor}&format=csv`)
    expect(csv.text.split('\r\n')[0]).toBe(
      'kind,agreement,period,at,cause_series,cause_period,cause_before,cause_after,cause_tag,causes,points,price_before,price_after,amount,currency,policy',
    )
    expect((await other.ext(`/radar?since=${cursor}`)).status).toBe(400)
    expect((await other.extJson<List>('/radar')).data).toEqual([])
  })
})

describe('GET /pams/{pamId}/ledger', () => {
  test('needs a key that may read money', async () => {
    expect((await tenant.ext('/pams/agreement-00/ledger')).status).toBe(404)
    expect(await withMoney.extJson('/pams/agreement-00/ledger')).toEqual({
      agreement: 'agreement-00',
      currency: 'EUR',
      balances: {
        entitled: '0.00',
        provisional: '0.00',
        billed: '0.00',
        billingDifferences: '0.00',
        agreed: '0.00',
        waived: '0.00',
      },
      open: { due: '0.00', waitingForFinal: '0.00', underMinimum: '0.00', lapsed: '0.00' },
      entries: [],
      differences: [],
      notes: [],
      duplicates: [],
      otherCurrencies: [],
    })
    expect((await other.ext('/pams/agreement-00/ledger')).status).toBe(404)
  })
})
