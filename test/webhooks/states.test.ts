// What becomes so without an entry of the log and is told to webhooks, and what operators see of all of them in metrics.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { publicScope, withWorkspace } from '../../src/storage/postgres/database.ts'
import { saveAlarms } from '../../src/storage/series/alarms.ts'
import { quarantineAnswer } from '../../src/storage/series/quarantine.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { follow, openApi } from '../support/houses/api.ts'
import { ownHouse } from '../support/houses/house.ts'
import { makeSeries } from '../support/houses/workspace.ts'
import { openTestDatabase } from '../support/run/postgres.ts'
import { answer, Receiver } from './receiver.ts'
import { WebhookProcess } from './webhook-ground.ts'

const api = ownHouse(async () => openApi(await openTestDatabase(), { env: { METRICS_PORT: '0' } }))
let receiver: Receiver
beforeAll(async () => {
  receiver = await Receiver.open()
})
afterEach(() => {
  receiver.answering = answer(204)
})
afterAll(() => receiver.close())

describe('what is no entry of the log', () => {
  test('is told when it becomes so, and what was so before is not news', async () => {
    const tenant = await api.tenant()
    const process = new WebhookProcess(api)
    await process.create(tenant, receiver.url('/states'), ['adjustment.computable', 'key.expiring', 'release.late'])
    const look = async () => {
      const before = receiver.at('/states').length
      await process.delivering.look(tenant.id)
      await process.deliver()
      return receiver
        .at('/states')
        .slice(before)
        .map(({ event: { type, data } }) => [type, data.subject, data.periods])
    }
    await tenant.import(bracketsTable)
    const { id } = await tenant.apply(bracketsDocument())
    expect(await look()).toEqual([])
    const { id: other } = await tenant.apply(bracketsDocument({ slug: 'other' }))
    const key = await api.issueKey(tenant.id, 13 * 86_400_000)
    await api.issueKey(tenant.id, 20 * 86_400_000)
    const first = await look()
    expect(first).toContainEqual(['adjustment.computable', other, ['2024-Q2', '2024-Q3', '2024-Q4']])
    expect(first).toContainEqual(['key.expiring', key.id, null])
    expect(first).toHaveLength(2)
    expect(await look()).toEqual([])
    await tenant.signBoth('brackets', '2024-Q2')
    expect(await look()).toEqual([])
    expect(id).not.toBe(other)
  })

  test('late figures and answers that wait for a decision are told once, to those who see the series', async () => {
    const [tenant, stranger] = [await api.tenant(), await api.tenant()]
    const process = new WebhookProcess(api)
    await process.create(tenant, receiver.url('/late'), ['release.late', 'series.quarantined'])
    await process.create(stranger, receiver.url('/stranger'), ['release.late', 'series.quarantined'])
    const look = async () => {
      const before = receiver.at('/late').length
      for (const each of [tenant, stranger]) await process.delivering.look(each.id)
      await process.deliver()
      const news = receiver.at('/late').slice(before)
      return news.map(({ event: { type, data } }) => [type, data.subject, data.periods])
    }
    const series = await makeSeries(api.owner, publicScope, `told-${tenant.id.slice(-8)}`)
    await follow(api.sql, tenant.id, series)
    expect(await look()).toEqual([])
    const at = process.clock.now()
    const raise = (period: string) => {
      const raised = [{ seriesId: series, period, cause: 'ANSWERED_WITHOUT', expectedAt: null }] as const
      const changes = { raised, cleared: [], restated: [] }
      return withWorkspace(api.sql, tenant.id, tx => saveAlarms(tx, tenant.id, changes, at))
    }
    await raise('2024-01')
    const held = { seriesId: series, foundAt: at, reason: '3 of 10 settled values would change', reading: '{}' }
    await quarantineAnswer(api.sql, { ...held, fingerprint: series })
    expect((await look()).sort()).toEqual([
      ['release.late', series, ['2024-01']],
      ['series.quarantined', series, null],
    ])
    expect(await look()).toEqual([])
    await raise('2024-02')
    expect(await look()).toEqual([['release.late', series, ['2024-02']]])
    expect(receiver.at('/stranger')).toEqual([])
  })
})

test('metrics count what waits, was taken and was given up, and the webhooks by state', async () => {
  const tenant = await api.tenant()
  const process = new WebhookProcess(api)
  const read = async () => {
    const text = await (await fetch(api.metricsAddress!)).text()
    const names = ['waiting', 'oldest_seconds', 'delivered', 'failed', 'enabled', 'failing', 'disabled']
    return names.map(name => Number.parseFloat(new RegExp(`^assize_webhook_${name} (.+)$`, 'm').exec(text)![1]!))
  }
  const before = await read()
  const grown = async () => (await read()).map((each, i) => (i === 1 ? 0 : each - before[i]!))
  await process.create(tenant, receiver.url('/counted'), ['observations'])
  expect(await grown()).toEqual([0, 0, 0, 0, 1, 0, 0])
  await tenant.importValues('CUSTOM/a', { '2024-01': '1' })
  await process.deliver()
  expect(await grown()).toEqual([0, 0, 1, 0, 1, 0, 0])
  receiver.answering = answer(500)
  await tenant.importValues('CUSTOM/b', { '2024-01': '1' })
  await process.attempt()
  expect(await grown()).toEqual([1, 0, 1, 0, 1, 1, 0])
  receiver.answering = answer(410)
  process.clock.forward(10)
  await process.attempt()
  expect(await grown()).toEqual([0, 0, 1, 1, 0, 0, 1])
})
