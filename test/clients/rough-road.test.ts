// The TypeScript client against the real server, over a rough road: everything comes once, and what it reads is what the server
// has.
import { beforeAll, describe, expect, test } from 'vitest'
import { Assize } from '../../clients/typescript/src/assize.ts'
import type { Batch } from '../../clients/typescript/src/follow.ts'
import { AssizeError } from '../../clients/typescript/src/problem.ts'
import type { Change } from '../../clients/typescript/src/wire.ts'
import { walkRoughRoad } from '../faults/client-walks.ts'
import { bumps, startRoughRoad } from '../stand-in/rough-road.ts'
import { VirtualClock } from '../support/clients/virtual-clock.ts'
import type { Tenant } from '../support/houses/api.ts'
import { house } from '../support/houses/house.ts'
import { fillBrackets, keepLines, withMoney } from '../support/houses/priced-tenant.ts'
import { fillSample } from '../support/houses/sample.ts'

const { api } = house()

test('300 series, listed and searched over a rough road, come once each, and nothing is asked too often', async () => {
  const { failures, met, answered } = await walkRoughRoad(api, { series: 300, seed: 60 })
  expect(failures).toEqual([])
  expect(answered).toEqual({ 200: expect.any(Number) })
  expect(Object.keys(met).length).toBeGreaterThan(8)
})

test.each(Object.keys(bumps) as (keyof typeof bumps)[])(
  'nothing is lost where every second request meets: %s',
  async kind => {
    const tenant = await api.tenant()
    const road = await startRoughRoad({ to: api.address, seed: 5, rough: 50, kinds: [kind] })
    try {
      const assize = new Assize({ url: road.url, key: tenant.key, clock: new VirtualClock(), retries: 30 })
      for (let call = 0; call < 6; call++) expect(await assize.adjustments.list().all()).toEqual([])
      expect(road.met[kind]).toBeGreaterThan(0)
    } finally {
      await road.close()
    }
  },
)

test('a server that never answers is a timeout, and one that is not there a network error', async () => {
  const tenant = await api.tenant()
  const road = await startRoughRoad({ to: api.address, seed: 5, rough: 100, kinds: ['silence'] })
  const options = { url: road.url, key: tenant.key, clock: new VirtualClock(), timeoutMs: 20, retries: 1 }
  const failed = (assize: Assize) => assize.health().catch((error: unknown) => error)
  expect(await failed(new Assize(options))).toMatchObject({ problem: 'timeout', attempts: 2 })
  await road.close()
  const gone = await failed(new Assize({ ...options, timeoutMs: 60_000 }))
  expect(gone).toBeInstanceOf(AssizeError)
  expect(gone).toMatchObject({ problem: 'network', attempts: 2 })
})

describe('in a workspace with a bit of everything', () => {
  let tenant: Tenant
  let assize: Assize
  beforeAll(async () => {
    const reader = await api.tenant()
    await fillSample(reader)
    await fillBrackets(reader)
    const line = { invoice: '4711', line: '1', agreement: 'steel-brackets', item: 'BR-100', date: '2024-05-10' }
    await keepLines(reader, [{ ...line, quantity: '5', unitPrice: '12.73' }])
    tenant = await withMoney(reader)
    assize = new Assize({ url: api.address, key: tenant.key })
  })

  test('every call answers what the address does', async () => {
    const { id } = (await assize.series.list().all())[0]!
    const same = async (got: Promise<unknown> | unknown, path: string) =>
      expect(await got, path).toEqual(JSON.parse((await tenant.api.ask(path, { headers: tenant.authorization })).text))
    await same(assize.series.list().first(), '/v1/series?limit=200')
    await same(assize.series.find({ q: 'steel' }).first(), '/ext/v1/series?q=steel')
    await same(assize.series.values(id, { last: 2 }).first(), `/v1/series/${id}/values?last=2`)
    await same(assize.series.summary(id).first(), `/v1/series/${id}/values?limit=2000&view=summary`)
    await same(assize.series.vintages(id).first(), `/v1/series/${id}/vintages?limit=2000`)
    await same(assize.series.newest(id), `/ext/v1/values?series=${id}`)
    await same(assize.series.next(id), `/ext/v1/series/${id}/next`)
    await same(assize.agreements.list().first(), '/v1/pams?limit=200')
    await same(
      assize.agreements.get('steel').then(data => ({ data })),
      '/v1/pams/steel',
    )
    await same(assize.agreements.values('steel').first(), '/v1/pams/steel/values')
    await same(assize.agreements.calculation('steel'), '/v1/pams/steel/adjustment/calculation')
    await same(assize.agreements.prices('steel-brackets').first(), '/ext/v1/pams/steel-brackets/prices')
    await same(assize.agreements.corrections('steel').first(), '/ext/v1/pams/steel/corrections')
    await same(assize.agreements.settled('steel', { period: '2024-Q2' }), '/ext/v1/pams/steel/settled?period=2024-Q2')
    await same(assize.agreements.ledger('steel-brackets'), '/ext/v1/pams/steel-brackets/ledger')
    await same(assize.adjustments.list().first(), '/ext/v1/adjustments')
    await same(assize.prices.list({ date: '2024-05-10' }).first(), '/ext/v1/prices?date=2024-05-10')
    await same(assize.prices.leftOut({ for: 'sap-csv' }).first(), '/ext/v1/left-out?for=sap-csv')
    await same(assize.due.list({ within: '400d' }).first(), '/ext/v1/due?within=400d')
    await same(assize.releases.list().first(), '/ext/v1/releases')
    await same(assize.indexEvents.list().first(), '/ext/v1/index-events')
    await same(assize.radar.list({ since: '2024-01-01' }).first(), '/ext/v1/radar?since=2024-01-01')
    await same(assize.invoices.list().first(), '/ext/v1/invoices')
    const [kept] = await assize.invoices.list().all()
    const invoice = `/ext/v1/invoices/${encodeURIComponent(kept!.supplier)}/4711`
    await same(assize.invoices.get(kept!.supplier, '4711').first(), invoice)
    await same(assize.splices.list().first(), '/ext/v1/splices')
    await same(assize.changes.list({ from: 'start' }), '/ext/v1/changes?from=start')
    await same(assize.vintages.list({ from: 'start' }), '/ext/v1/vintages?from=start')
    const csv = await assize.request({ path: '/ext/v1/series', accept: 'text/csv' })
    expect(csv.text).toMatch(/^id,series_code,/)
  })

  test('an adjustment keeps its digits, lines are checked, and a missing thing is not found', async () => {
    const adjustment = await assize.agreements.adjustment('steel', { period: '2024-Q2' })
    expect(adjustment).toMatchObject({ period: '2024-Q2', adjustmentPct: '5', formulaVersion: 1 })
    const line = {
      invoice: '4712',
      line: '1',
      agreement: 'steel-brackets',
      item: 'BR-100',
      date: '2024-05-10',
      unitPrice: '1',
    }
    const { data } = await assize.check([line])
    expect(data).toHaveLength(1)
    const text = 'invoice,line,agreement,item,date,unit_price\n4712,1,steel-brackets,BR-100,2024-05-10,1\n'
    expect((await assize.check({ csv: text })).data).toEqual(data)
    await expect(assize.agreements.get('nobody')).rejects.toMatchObject({ problem: 'not-found', status: 404 })
    await expect(assize.corrections.get('cor_none')).rejects.toMatchObject({ problem: 'not-found' })
    await expect(assize.splices.get('spl_none')).rejects.toMatchObject({ problem: 'not-found' })
    await expect(assize.receipts.ofCorrection('cor_none')).rejects.toMatchObject({ problem: 'not-found' })
    await expect(assize.check({ xml: '<nothing/>' })).rejects.toMatchObject({ problem: 'invalid' })
  })

  test('a receipt is good as it came, and not after one digit was changed', async () => {
    const receipt = await assize.receipts.get('steel', { period: '2024-Q2' })
    const { seal } = JSON.parse(receipt) as { seal: { publicKey: string } }
    const verdict = await assize.receipts.verify(receipt, { trust: `ed25519:${seal.publicKey}` })
    expect(verdict).toMatchObject({
      isGood: true,
      kind: 'period',
      agreement: 'steel',
      seal: 'good',
      trust: 'trusted',
      problems: [],
    })
    expect(verdict.signatures.map(({ party }) => party).sort()).toEqual(['buyer', 'supplier'])
    const forged = await assize.receipts.verify(receipt.replace('110.00', '111.00'))
    expect(forged.isGood).toBe(false)
    const stranger = `ed25519:${'A'.repeat(43)}`
    expect(await assize.receipts.verify(receipt, { trust: [stranger] })).toMatchObject({
      isGood: false,
      trust: 'other',
    })
  })

  test('changes are followed from a cursor, over a rough road, each once, and as they come', async () => {
    const road = await startRoughRoad({ to: api.address, seed: 9, kinds: ['half', 'reset', 'too-many', 'unavailable'] })
    try {
      const shaken = new Assize({ url: road.url, key: tenant.key, clock: new VirtualClock(), retries: 30 })
      const seen: Change[] = []
      for await (const { data } of shaken.changes.follow({ from: 'start', wait: 0 })) seen.push(...data)
      expect(seen).toEqual((await assize.changes.list({ from: 'start' })).data)
      const vintages: unknown[] = []
      for await (const { data } of shaken.vintages.follow({ from: 'start' })) vintages.push(...data)
      expect(vintages).toEqual((await assize.vintages.list({ from: 'start' })).data)
      const stop = new AbortController()
      const batches: Batch<Change>[] = []
      for await (const batch of shaken.changes.follow({ kinds: ['observations'], signal: stop.signal })) {
        batches.push(batch)
        if (batches.length === 1)
          await tenant.importUnheard('series,period,value,published\nBLS/X,2024-01,1,2024-02-01\n')
        if (batches.length === 2) break
      }
      expect(batches.map(({ data }) => data.length)).toEqual([0, 1])
      expect(batches[1]!.data[0]!.kind).toBe('observations')
    } finally {
      await road.close()
    }
  })
})

test('after a restore a follower is told once and goes on, and a copy is read anew', async () => {
  const tenant = await api.tenant()
  const real = new Assize({ url: api.address, key: tenant.key })
  const copy = await real.sync()
  let replaced = 0
  const restored = async (input: unknown, init?: RequestInit) => {
    if (!String(input).includes('cursor=') || replaced > 0) return fetch(input as string, init)
    replaced++
    return new Response('{"error":"walk again"}', { status: 409, headers: { 'content-type': 'application/json' } })
  }
  const assize = new Assize({ url: api.address, key: tenant.key, fetch: restored as typeof fetch })
  const batches: Batch<Change>[] = []
  for await (const batch of assize.changes.follow({ from: copy.cursor, wait: 0 })) batches.push(batch)
  expect(batches.map(({ isReset }) => isReset)).toEqual([true])
  replaced = 0
  expect(await assize.sync(copy)).toMatchObject({ agreements: {}, changed: [] })
  expect(replaced).toBe(1)
})
