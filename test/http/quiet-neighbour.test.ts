// T52: one heavy answer holds nobody up. A workspace with many vintages, prices and agreements asks every route of every API,
// beside a quiet neighbour. The server runs in this process, so that the work between two turns of its loop can be counted.
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { usualWork } from '../../src/core/numbers/work-budget.ts'
import { routes as extRoutes } from '../../src/http/ext/routes.ts'
import { routes as v1Routes } from '../../src/http/v1/routes.ts'
import { limits } from '../../src/limits.ts'
import { copyAgreement } from '../support/agreements/many-agreements.ts'
import type { Reply } from '../support/clients/http-client.ts'
import { addressesOf } from '../support/clients/route-addresses.ts'
import { jobsOf, mostTextInOneTurn, mostWorkInOneTurn } from '../support/counted-work.ts'
import type { Tenant } from '../support/houses/api.ts'
import { openConsole, tableOfRoutes } from '../support/houses/console.ts'
import { ownHouse } from '../support/houses/house.ts'
import { pricedDocument, steelPrices } from '../support/houses/price-house.ts'
import { applyList, withMoney } from '../support/houses/priced-tenant.ts'

const [seriesCount, months, printed, agreements, items] = [12, 36, 36, 40, 100]
const vintages = seriesCount * months * printed
/** A slice of a few milliseconds writes far less; one of these answers as a whole is far more. */
const mostText = 2_000_000
const sdmx = '/sdmx/v2'

const console = ownHouse(openConsole)
let large: Tenant
let quiet: Tenant
beforeAll(async () => {
  const { api, tenant } = console
  const rows = Array.from({ length: seriesCount * months }, (_, i) => {
    const month = i % months
    const period = `${2000 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`
    return `CUSTOM/many-${Math.floor(i / months)},${period},${100 + month}.5,FINAL,2004-01-01\n`
  })
  await tenant.import(steelPrices)
  await tenant.importUnheard(`series,period,value,version,published\n${rows.join('')}`)
  // Published again day after day, each at an instant of its own, made by the database at once.
  await api.owner.begin(async tx => {
    await tx`set local session_replication_role = replica`
    await tx`
      insert into vintage (owner, series_id, period, seq, value, tag, published_at, recorded_at)
      select owner, series_id, period, seq, value || n, tag,
        published_at + n * interval '1 day' + interval '1 ms' * row_number() over (), recorded_at
      from vintage, generate_series(1, ${printed - 1}) as n
      where series_id in (select id from series where owner = ${tenant.id} and code like 'many-%')`
  })
  await api.owner`analyze vintage`
  const { id } = await tenant.apply(pricedDocument())
  const list = Array.from({ length: items }, (_, i) => `BR-${i},12.40,EUR,1,piece\n`)
  await applyList(tenant, 'steel-brackets', `item,price,currency,per,unit\n${list.join('')}`)
  await copyAgreement(api.owner, tenant.id, id, agreements - 1)
  quiet = await api.tenant()
  await quiet.import(steelPrices)
  await quiet.apply(pricedDocument())
  await api.restart()
  large = await withMoney(tenant)
}, 120_000)

const ask = (path: string, accept = '*/*'): Promise<Reply> =>
  console.api.ask(path, { headers: { ...large.authorization, accept, 'accept-encoding': 'identity' } })

/** What one answer takes of this thread, and how often the neighbour was answered before it was there. */
async function beside(work: () => Promise<Reply>) {
  let [isOver, answered] = [false, 0]
  const neighbour = async () => {
    do {
      expect((await quiet.get('/pams/steel-brackets/adjustment?period=2024-Q2')).status).toBe(200)
      answered++
      await sleep(3)
    } while (!isOver)
  }
  const asked = async () => {
    const reply = await work()
    isOver = true
    return reply
  }
  const { count: units, value } = await mostWorkInOneTurn(() =>
    mostTextInOneTurn(async () => (await Promise.all([asked(), neighbour()]))[0]),
  )
  return { reply: value.value, text: value.count, units, answered }
}

describe('the neighbour of a large workspace', () => {
  test('is answered while any route of v1 and /ext/v1 is', async () => {
    const series = await large.seriesId('CUSTOM/many-1')
    const choices = { seriesId: [series], pamId: ['steel-brackets'] }
    const queries: Readonly<Record<string, string>> = {
      '/changes': '?from=start',
      '/vintages': '?from=start',
      '/values': `?series=${series}`,
    }
    const addresses = [
      ...v1Routes.flatMap(({ path }) => addressesOf(path, choices).map(each => `/v1${each}`)),
      ...extRoutes.flatMap(({ path, body }) =>
        body === null
          ? addressesOf(path, choices).flatMap(each => [
              `/ext/v1${each}${queries[path] ?? ''}`,
              `/ext/v1${each}${queries[path] ?? '?'}&format=csv`.replace('?&', '?'),
            ])
          : [],
      ),
    ]
    for (const address of addresses) {
      const { reply, text, units, answered } = await beside(() => ask(address))
      const bounds = [text < mostText, units < 2 * usualWork.units, reply.status < 500, answered > 0]
      expect([address, ...bounds]).toEqual([address, true, true, true, true])
    }
  })

  test.each(['csv', 'json', 'xml', 'xml-2.1'])('is answered while a history is written as SDMX, %s', async format => {
    const path = `${sdmx}/data/dataflow/ASSIZE/CUSTOM/1.0/*?includeHistory=true&format=${format}`
    const { count: jobs, value } = await jobsOf(() => beside(() => ask(path)))
    expect([value.reply.status, value.text < mostText]).toEqual([200, true])
    expect(value.reply.text.length).toBeGreaterThan(vintages * 50)
    expect(value.answered).toBeGreaterThan(1)
    // What is held as a whole before it is written is held by a thread of its own.
    expect(jobs).toBe(format === 'csv' ? 0 : 1)
    expect(vintages).toBeGreaterThan(limits.usual.heldTogether)
  })

  test.each(['structure/*', 'data/dataflow/ASSIZE/*', 'availability/dataflow/ASSIZE/CUSTOM/1.0'])(
    'is answered while %s of SDMX is',
    async path => {
      for (const format of path.startsWith('data') ? ['json'] : ['json', 'xml']) {
        const { reply, text, answered } = await beside(() => ask(`${sdmx}/${path}?format=${format}`))
        expect([format, reply.status, text < mostText, answered > 0]).toEqual([format, 200, true, true])
      }
    },
  )

  test('is answered while any page, package or file is', async () => {
    const { api, as, slug } = console
    const series = await large.seriesId('CUSTOM/many-1')
    const choices = { slug: ['steel-brackets'], period: ['2024-Q2'], id: [series] }
    const queries: Readonly<Record<string, string>> = {
      '/find': '?q=copy',
      '/series/sparks': `?ids=${series}`,
      '/sign-offs/waiting': '?side=mine',
      '/price-file': '?format=json&only=all',
    }
    const headers = { host: as.owner.host, cookie: as.owner.cookie!, 'accept-encoding': 'identity' }
    for (const { method, path } of tableOfRoutes(api)) {
      if (method !== 'GET') continue
      for (const each of addressesOf(path, choices)) {
        const address = `/console/w/${slug}${each}${queries[path] ?? ''}`
        const { reply, text, units } = await beside(() => api.ask(address, { headers }))
        const bounds = [text < mostText, units < 2 * usualWork.units, reply.status < 500]
        expect([address, ...bounds]).toEqual([address, true, true, true])
      }
    }
  })
})
