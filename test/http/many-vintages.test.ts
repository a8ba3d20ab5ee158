// A series of more vintages than the main thread handles: answered by a worker, in bounded pages, with the bytes that a
// shorter one would have.
import { beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import type { SeriesPage } from '../../src/views/shapes/series.ts'
import type { Reply } from '../support/clients/http-client.ts'
import { jobsOf } from '../support/counted-work.ts'
import { openConsole } from '../support/houses/console.ts'
import { ownHouse } from '../support/houses/house.ts'

const months = 240
/** So many that reading them on the main thread would block it. */
const entries = 90
const all = months * entries

let id: string
const console = ownHouse(openConsole)
beforeAll(async () => {
  const { tenant } = console
  const rows = Array.from({ length: months }, (_, month) => {
    const period = `${2000 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`
    return `CUSTOM/long,${period},${100 + month}.5,FINAL,2021-01-01\n`
  })
  await tenant.importUnheard(`series,period,value,version,published\n${rows.join('')}`)
  id = await tenant.seriesId('CUSTOM/long')
  // Published again day after day, made by the database at once.
  await console.api.owner.begin(async tx => {
    await tx`set local session_replication_role = replica`
    await tx`
      insert into vintage (owner, series_id, period, seq, value, tag, published_at, recorded_at)
      select owner, series_id, period, seq, value || n, tag, published_at + n * interval '1 day', recorded_at
      from vintage, generate_series(1, ${entries - 1}) as n where series_id = ${id}`
  })
  await console.api.owner`analyze vintage`
})

/** Nothing of it is in memory then. */
const forget = () => console.api.restart()

interface VintagesPage {
  readonly data: readonly { readonly asOfDate: string; readonly value: string; readonly publishedAt: string }[]
}

describe('a series of very many vintages', () => {
  test('is told as SDMX by a worker, with every vintage in one answer', async () => {
    const { api, tenant } = console
    await forget()
    const path = '/sdmx/v2/data/dataflow/ASSIZE/CUSTOM/1.0/long?includeHistory=true&format=csv'
    const { count: jobs, value: reply } = await jobsOf(() => api.ask(path, { headers: tenant.authorization }))
    expect([reply.status, jobs]).toEqual([200, 1])
    expect(reply.text.split('\r\n')).toHaveLength(all + 2)
  })

  test('is more than the main thread handles', () => {
    expect(all).toBeGreaterThan(limits.usual.vintages)
  })

  test('gives all of them once, in order, in pages that are bounded', async () => {
    const { tenant } = console
    await forget()
    const { count: jobs, value: pages } = await jobsOf(async () => {
      const replies: Reply[] = []
      for (let next: string | null = `/series/${id}/vintages?limit=2000`; next !== null; ) {
        const reply = await tenant.get(next)
        replies.push(reply)
        next = /<\/v1([^>]+)>; rel="next"/.exec(`${reply.headers.link ?? ''}`)?.[1] ?? null
      }
      return replies
    })
    const seen = pages.flatMap(({ status, text }) => {
      expect(status).toBe(200)
      const { data } = JSON.parse(text) as VintagesPage
      expect(data.length).toBeLessThanOrEqual(limits.usual.vintages)
      return data.map(each => `${each.asOfDate} ${each.publishedAt}`)
    })
    expect(seen.length).toBe(all)
    expect(seen).toEqual([...new Set(seen)].sort())
    expect(jobs).toBeGreaterThanOrEqual(pages.length)
  })

  test('gives its newest values, with the total', async () => {
    const { total, data } = await console.tenant.json<VintagesPage & { total: number }>(`/series/${id}/values?last=1`)
    expect([total, data.length, data[0]!.asOfDate]).toEqual([months, 1, '2019-12-01T00:00:00.000Z'])
  })

  test('has a page, and a formula that reads it is computed', async () => {
    // As it comes over the wire: unpacking it is the browser's work.
    const { viewer } = console.as
    const path = `/console/w/${console.slug}/series/${id}`
    const headers = { host: viewer.host, cookie: viewer.cookie!, 'accept-encoding': 'br, gzip' }
    await forget()
    const { value: reply, count: jobs } = await jobsOf(() => console.api.ask(path, { headers }))
    expect([reply.status, jobs]).toEqual([200, 1])
    const { vintages } = await viewer.json<SeriesPage>(`/series/${id}`)
    expect([vintages.value.length, vintages.omitted]).toEqual([all, 0])
    await console.tenant.apply(`slug: long
contract: { start: 2010-01-01, end: 2015-01-01, frequency: ANNUAL }
inputs: { long: { series: CUSTOM/long, weight: 1, base: 2009-12, lag: 1 month } }
clause: {}
`)
    expect((await console.tenant.get('/pams/long/adjustment?period=2011')).status).toBe(200)
  })
})
