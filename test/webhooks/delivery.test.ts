// What is delivered to webhooks, over the real database and real sockets, under a clock that is set: each event at least once, under
// the id of its change, signed, thin, and nothing that the workspace may not see.
import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { changeEvents, webhookEvents } from '../../src/core/people/webhook-events.ts'
import { microsOf } from '../../src/core/time/instant.ts'
import { changeKinds } from '../../src/read/change-kinds.ts'
import { replayDeliveries } from '../../src/storage/webhooks/deliveries.ts'
import { disableWebhook, enableWebhook, rotateWebhook } from '../../src/storage/webhooks/webhooks.ts'
import type { Overview } from '../../src/views/shapes/overview.ts'
import { webhookLimits } from '../../src/webhooks/webhook-limits.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import type { Tenant } from '../support/houses/api.ts'
import { emails, makeSeats } from '../support/houses/console.ts'
import { house } from '../support/houses/house.ts'
import { answer, Receiver } from './receiver.ts'
import { by, verified, WebhookProcess } from './webhook-ground.ts'

const { api } = house()
let receiver: Receiver
beforeAll(async () => {
  receiver = await Receiver.open()
})
afterEach(() => {
  receiver.answering = answer(204)
})
afterAll(() => receiver.close())

interface WireChange {
  readonly id: string
  readonly kind: string
  readonly subject: string
  readonly periods: readonly string[] | null
}

const changesFrom = async (tenant: Tenant, cursor: string) =>
  (await tenant.extJson<{ data: readonly WireChange[] }>(`/changes?cursor=${cursor}`)).data

const start = async (tenant: Tenant) =>
  (await tenant.extJson<{ pagination: { nextCursor: string } }>('/changes')).pagination.nextCursor

test('the kinds of events are the kinds of changes and four more', () => {
  expect(Object.keys(changeEvents)).toEqual(changeKinds)
  expect(webhookEvents).toHaveLength(changeKinds.length + 4)
})

describe('a webhook', () => {
  test('gets every change under its id, signed, thin and without a figure', async () => {
    const tenant = await api.tenant()
    const process = new WebhookProcess(api)
    const cursor = await start(tenant)
    const { id, secret } = await process.create(tenant, receiver.url('/all'), webhookEvents)
    await tenant.import(bracketsTable)
    await tenant.apply(bracketsDocument())
    await tenant.signBoth('brackets', '2024-Q2')
    await process.deliver()
    const got = receiver.at('/all')
    const changes = await changesFrom(tenant, cursor)
    expect(got.map(each => each.id).sort()).toEqual(changes.map(each => each.id).sort())
    expect(got.every(each => verified(each, secret))).toBe(true)
    for (const { id: name, event, body } of got) {
      const change = changes.find(each => each.id === name)!
      expect(event.type).toBe(change.kind)
      expect(event.data).toMatchObject({
        workspace: api.slugOf(tenant.id),
        subject: change.subject,
        periods: change.periods,
      })
      expect(Object.keys(event.data)).toEqual(['workspace', 'subject', 'periods', 'url', 'cursor'])
      expect(Buffer.byteLength(body)).toBeLessThan(2_048)
      expect(body).not.toMatch(/106\.71|12\.40|amount|EUR/)
      // With its cursor the change itself is read.
      expect((await changesFrom(tenant, event.data.cursor!)).map(each => each.id)).toContain(name)
    }
    const agreed = got.find(({ event }) => event.type === 'agreed')!
    expect(agreed.event.data.url).toBe('https://prices.example/v1/pams/brackets/adjustment?period=2024-Q2')
    expect((await tenant.get('/pams/brackets/adjustment?period=2024-Q2')).status).toBe(200)
    expect(await process.state(tenant, id)).toMatchObject({ waiting: 0, delivered: changes.length, failed: 0 })
    await process.deliver()
    expect(receiver.at('/all')).toHaveLength(changes.length)
  })

  test('of another workspace, or of kinds it does not name, gets nothing', async () => {
    const [one, two] = [await api.tenant(), await api.tenant()]
    const process = new WebhookProcess(api)
    const first = await process.create(one, receiver.url('/one'), ['observations', 'agreed'])
    const second = await process.create(two, receiver.url('/two'), ['observations'])
    await one.import(bracketsTable)
    await two.importValues('CUSTOM/canary', { '2024-01': '1.5' })
    await process.deliver()
    const kinds = receiver.at('/one').map(({ event }) => event.type)
    expect(new Set(kinds)).toEqual(new Set(['observations']))
    expect(receiver.at('/one')).toHaveLength(2)
    expect(receiver.at('/two')).toHaveLength(1)
    expect(receiver.at('/one').every(each => verified(each, first.secret) && !verified(each, second.secret))).toBe(true)
    const text = JSON.stringify(receiver.at('/one'))
    for (const word of [two.id, api.slugOf(two.id), await two.seriesId('CUSTOM/canary')])
      expect(text).not.toContain(word)
  })

  test('is signed by both secrets for a day after a rotation, then by the new one', async () => {
    const tenant = await api.tenant()
    const process = new WebhookProcess(api)
    const old = await process.create(tenant, receiver.url('/rotated'), ['observations'])
    const rotated = await rotateWebhook(process.ground, tenant.id, old.id, { overlapHours: 24, by })
    expect(rotated.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const publish = async (period: string) => {
      await tenant.importValues('CUSTOM/a', { [period]: '1' })
      await process.deliver()
      const got = receiver.at('/rotated').at(-1)!
      return [verified(got, old.secret), verified(got, rotated.secret)]
    }
    expect(await publish('2024-01')).toEqual([true, true])
    process.clock.forward(86_399)
    expect(await publish('2024-02')).toEqual([true, true])
    process.clock.forward(2)
    expect(await publish('2024-03')).toEqual([false, true])
    const last = await rotateWebhook(process.ground, tenant.id, old.id, { overlapHours: 0, by })
    expect(await publish('2024-04')).toEqual([false, false])
    expect(verified(receiver.at('/rotated').at(-1)!, last.secret)).toBe(true)
  })

  test('that is disabled gets what happened meanwhile when it is enabled, or nothing of it if that is asked', async () => {
    const tenant = await api.tenant()
    const process = new WebhookProcess(api)
    const { id } = await process.create(tenant, receiver.url('/paused'), ['observations'])
    const count = async () => {
      await process.deliver()
      return receiver.at('/paused').length
    }
    await disableWebhook(process.ground, tenant.id, id, by)
    await tenant.importValues('CUSTOM/a', { '2024-01': '1' })
    expect(await count()).toBe(0)
    await enableWebhook(process.ground, tenant.id, id, { from: 'stopped', by })
    expect(await count()).toBe(1)
    await disableWebhook(process.ground, tenant.id, id, by)
    await tenant.importValues('CUSTOM/a', { '2024-02': '1' })
    await enableWebhook(process.ground, tenant.id, id, { from: 'now', by })
    expect(await count()).toBe(1)
    await tenant.importValues('CUSTOM/a', { '2024-03': '1' })
    expect(await count()).toBe(2)
  })

  test('that was changed with SQL alone is sent nothing, and neither is a body that was', async () => {
    const tenant = await api.tenant()
    const process = new WebhookProcess(api)
    const { id } = await process.create(tenant, receiver.url('/mine'), ['observations'])
    receiver.answering = answer(500)
    await tenant.importValues('CUSTOM/a', { '2024-01': '1' })
    await process.attempt()
    receiver.answering = answer(204)
    expect(receiver.at('/mine')).toHaveLength(1)
    process.clock.forward(10)
    await api.owner`
      update webhook_delivery set body = replace(body, 'observations', 'agreed') where workspace_id = ${tenant.id}`
    await process.deliver()
    expect(receiver.at('/mine')).toHaveLength(1)
    expect(await process.deliveries(tenant, id)).toMatchObject([{ outcome: 'FAILED', status: null }])
    await api.owner.begin(async tx => {
      await tx`set local session_replication_role = replica`
      await tx`update webhook set url = ${receiver.url('/theirs')} where workspace_id = ${tenant.id}`
    })
    await tenant.importValues('CUSTOM/a', { '2024-02': '1' })
    await process.deliver()
    expect(receiver.at('/theirs')).toHaveLength(0)
    expect(receiver.at('/mine')).toHaveLength(1)
  })
})

describe('a receiver that does not take it', () => {
  test('is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, then given up; a replay sends it again', async () => {
    const tenant = await api.tenant()
    const process = new WebhookProcess(api)
    const { id, secret } = await process.create(tenant, receiver.url('/failing'), ['observations'])
    receiver.answering = answer(500)
    await tenant.importValues('CUSTOM/a', { '2024-01': '1' })
    await process.attempt()
    const hour = 3_600
    for (const [i, pause] of [
      5,
      300,
      1_800,
      2 * hour,
      5 * hour,
      10 * hour,
      14 * hour,
      20 * hour,
      24 * hour,
    ].entries()) {
      expect(receiver.at('/failing')).toHaveLength(i + 1)
      process.clock.forward(pause - 1)
      await process.attempt()
      expect(receiver.at('/failing')).toHaveLength(i + 1)
      process.clock.forward(1)
      await process.attempt()
    }
    const got = receiver.at('/failing')
    expect(got).toHaveLength(10)
    expect(new Set(got.map(each => each.id)).size).toBe(1)
    expect(got.every(each => verified(each, secret))).toBe(true)
    expect(await process.deliveries(tenant, id)).toMatchObject([
      { outcome: 'FAILED', attempts: 10, status: 500, trouble: 'it answered 500', dueAt: null },
    ])
    receiver.answering = answer(200)
    const now = process.clock.now()
    const name = { workspaceId: tenant.id, webhookId: id }
    const wanted = { id: null, since: null, isFailedOnly: true }
    const replayed = await replayDeliveries(api.sql, name, wanted, { now, by })
    expect(replayed).toBe(1)
    await process.deliver()
    expect(receiver.at('/failing').map(each => each.id)).toEqual(Array(11).fill(got[0]!.id))
    expect(await process.deliveries(tenant, id)).toMatchObject([{ outcome: 'DELIVERED', attempts: 1, status: 200 }])
  })

  test('because it is gone is disabled at once, and the owner is told', async () => {
    const { tenant, as } = await makeSeats(api)
    const process = new WebhookProcess(api)
    const { id } = await process.create(tenant, receiver.url('/gone'), ['observations'])
    receiver.answering = answer(410)
    await tenant.importValues('CUSTOM/a', { '2024-01': '1' })
    await process.attempt()
    receiver.answering = answer(204)
    expect(await process.state(tenant, id)).toMatchObject({ disabledWhy: 'GONE' })
    const told = await api.owner`select email, facts from notice where workspace_id = ${tenant.id} and kind = 'webhook'`
    expect(told).toMatchObject([{ email: emails.editor }, { email: emails.owner }])
    const words = 'was disabled: its receiver answered 410 Gone'
    expect(told[0]).toMatchObject({ facts: { words, path: '/settings/webhooks' } })
    const { troubles } = await as.owner.json<Overview>('/overview')
    expect(troubles).toMatchObject([{ kind: 'webhook', subject: `127.0.0.1:${receiver.port}`, target: id }])
    expect((await as.viewer.json<Overview>('/overview')).troubles).toEqual([])
  })

  test('for 5 days is disabled; one that took something in between is not', async () => {
    const tenant = await api.tenant()
    const process = new WebhookProcess(api)
    const { id } = await process.create(tenant, receiver.url('/days'), ['observations'])
    receiver.answering = answer(500)
    await tenant.importValues('CUSTOM/a', { '2024-01': '1' })
    await process.attempt()
    process.clock.forward(4 * 86_400)
    receiver.answering = answer(200)
    await process.attempt()
    process.clock.forward(2 * 86_400)
    receiver.answering = answer(500)
    await tenant.importValues('CUSTOM/a', { '2024-02': '1' })
    await process.attempt()
    process.clock.forward(5 * 86_400 - 1)
    await process.delivering.keepUp()
    expect(await process.state(tenant, id)).toMatchObject({ disabledWhy: null })
    process.clock.forward(1)
    await process.delivering.keepUp()
    expect(await process.state(tenant, id)).toMatchObject({ disabledWhy: 'FAILING', waiting: 1 })
    receiver.answering = answer(204)
    const [noted] = await api.owner`
      select who, what from activity where workspace_id = ${tenant.id} order by id desc limit 1`
    expect(noted).toEqual({ who: 'assize', what: 'webhook was disabled: nothing was delivered for 5 days' })
  })

  test('because it is busy is left alone for as long as it asks, up to a day', async () => {
    const tenant = await api.tenant()
    const process = new WebhookProcess(api)
    const { id } = await process.create(tenant, receiver.url('/busy'), ['observations'])
    const asked = async (status: number, retryAfter: string) => {
      receiver.answering = answer(status, { 'retry-after': retryAfter })
      await process.attempt()
      receiver.answering = answer(204)
      const { pausedUntil } = await process.state(tenant, id)
      return (microsOf(pausedUntil!) - microsOf(process.clock.now())) / 1_000_000
    }
    await tenant.importValues('CUSTOM/a', { '2024-01': '1' })
    expect(await asked(429, '600')).toBe(600)
    // What is new waits as well.
    await tenant.importValues('CUSTOM/a', { '2024-02': '1' })
    process.clock.forward(599)
    await process.deliver()
    expect(receiver.at('/busy')).toHaveLength(1)
    process.clock.forward(1)
    expect(await asked(503, '99999999')).toBe(86_400)
    process.clock.forward(86_400)
    await process.deliver()
    expect(await process.state(tenant, id)).toMatchObject({ waiting: 0, delivered: 2 })
  })

  test('is not waited for by others', async () => {
    const [slow, quick] = [await api.tenant(), await api.tenant()]
    const process = new WebhookProcess(api)
    await process.create(slow, receiver.url('/held'), ['observations'])
    await process.create(quick, receiver.url('/quick'), ['observations'])
    const held: ServerResponse[] = []
    receiver.answering = (res, { path }) => void (path === '/held' ? held.push(res) : res.writeHead(204).end())
    const rows = Array.from({ length: 6 }, (_, i) => `CUSTOM/s${i},2024-01,1,2024-02-01\n`)
    await slow.import(`series,period,value,published\n${rows.join('')}`)
    await quick.importValues('CUSTOM/a', { '2024-01': '1' })
    await process.delivering.turn(new AbortController().signal)
    // As many of the slow one as may be under way, all without an answer, and the quick one has its event.
    const { endpoint } = webhookLimits.atOnce
    await expect.poll(() => [receiver.at('/quick').length, held.length]).toEqual([1, endpoint])
    receiver.answering = answer(204)
    for (const res of held) res.writeHead(204).end()
    await process.delivering.settled()
    expect(receiver.at('/held')).toHaveLength(endpoint)
    await process.deliver()
    expect(receiver.at('/held')).toHaveLength(rows.length)
  })

  test('is cut off when it sends nothing, without end, too much, or breaks off', async () => {
    const tenant = await api.tenant()
    const process = new WebhookProcess(api, undefined, { answerMs: 3_000 })
    const paths = ['/silent', '/drip', '/huge', '/reset']
    const made = await Promise.all(paths.map(path => process.create(tenant, receiver.url(path), ['observations'])))
    receiver.answering = (res, { path }) => {
      if (path === '/reset') res.socket!.destroy()
      else if (path === '/huge') endless(res, Buffer.alloc(65_536), 0)
      else if (path === '/drip') endless(res, Buffer.from('.'), 20)
    }
    await tenant.importValues('CUSTOM/a', { '2024-01': '1' })
    await process.attempt()
    const states = await Promise.all(made.map(({ id }) => process.deliveries(tenant, id)))
    const said = states.map(rows => rows.map(({ outcome, trouble, status }) => `${outcome} ${status} ${trouble}`)[0])
    expect(said).toEqual([
      'WAITING null it did not answer within 3 s',
      'DELIVERED 200 null',
      'DELIVERED 200 null',
      'WAITING null it cannot be reached: ECONNRESET',
    ])
  })
})

/** Goes on until it is cut off. */
function endless(res: ServerResponse, piece: Buffer, pauseMs: number): void {
  res.writeHead(200, { 'content-type': 'text/plain' })
  const write = () => {
    if (res.destroyed || res.socket === null || res.socket.destroyed) return
    if (pauseMs > 0) setTimeout(write, pauseMs)
    else if (res.write(piece)) setImmediate(write)
    else res.once('drain', write)
    if (pauseMs > 0) res.write(piece)
  }
  write()
}

test('old deliveries are deleted after 30 days, and a webhook goes on from its place', async () => {
  const tenant = await api.tenant()
  const process = new WebhookProcess(api)
  const { id } = await process.create(tenant, receiver.url('/old'), ['observations'])
  await tenant.importValues('CUSTOM/a', { '2024-01': '1' })
  await process.deliver()
  process.clock.forward(30 * 86_400 + 1)
  await process.delivering.keepUp()
  expect(await process.deliveries(tenant, id)).toEqual([])
  await process.deliver()
  expect(receiver.at('/old')).toHaveLength(1)
})

test('several processes share the work, and each event is sent once', async () => {
  const tenant = await api.tenant()
  const one = new WebhookProcess(api)
  const processes = [one, new WebhookProcess(api, one.clock), new WebhookProcess(api, one.clock)]
  await one.create(tenant, receiver.url('/shared'), ['observations'])
  const rows = Array.from({ length: 30 }, (_, i) => `CUSTOM/s${i},2024-01,1,2024-02-01\n`)
  await tenant.import(`series,period,value,published\n${rows.join('')}`)
  await Promise.all(processes.map(process => process.deliver()))
  await one.deliver()
  const ids = receiver.at('/shared').map(each => each.id)
  expect(ids).toHaveLength(30)
  expect(new Set(ids).size).toBe(30)
})
