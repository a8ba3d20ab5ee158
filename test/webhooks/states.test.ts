// What becomes so without an entry of the log and is told to webhooks, and what operators see of all of them in metrics.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type StateEvent, stateEvents } from '../../src/core/people/webhook-events.ts'
import { instantOfMicros } from '../../src/core/time/instant.ts'
import { KeyedDigests } from '../../src/storage/keys/key-ring.ts'
import { publicScope, withWorkspace } from '../../src/storage/postgres/database.ts'
import { saveAlarms } from '../../src/storage/series/alarms.ts'
import { quarantineAnswer } from '../../src/storage/series/quarantine.ts'
import { rotateApiKey } from '../../src/storage/workspaces/api-keys.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { follow, openApi, type Tenant } from '../support/houses/api.ts'
import { ownHouse } from '../support/houses/house.ts'
import { makeSeries } from '../support/houses/workspace.ts'
import { openTestDatabase } from '../support/run/postgres.ts'
import { answer, Receiver } from './receiver.ts'
import { by, WebhookProcess } from './webhook-ground.ts'

const api = ownHouse(async () => openApi(await openTestDatabase(), { env: { METRICS_PORT: '0' } }))
let receiver: Receiver
beforeAll(async () => {
  receiver = await Receiver.open()
})
afterEach(() => {
  receiver.answering = answer(204)
})
afterAll(() => receiver.close())

/** What is told of a workspace after one look at it. */
async function lookOf(process: WebhookProcess, { id }: Tenant, path: string) {
  const before = receiver.at(path).length
  await process.delivering.look(id)
  await process.deliver()
  const news = receiver.at(path).slice(before)
  return news.map(({ event: { type, data } }) => [type, data.subject, data.periods])
}

describe('what is no entry of the log', () => {
  test('is told when it becomes so, and what was so before is not news', async () => {
    const tenant = await api.tenant()
    const process = new WebhookProcess(api)
    const look = () => lookOf(process, tenant, '/states')
    await tenant.import(bracketsTable)
    const { id } = await tenant.apply(bracketsDocument())
    await process.create(tenant, receiver.url('/states'), ['adjustment.computable', 'key.expiring', 'release.late'])
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
      await process.delivering.look(stranger.id)
      return lookOf(process, tenant, '/late')
    }
    const series = await makeSeries(api.owner, publicScope, `told-${tenant.id.slice(-8)}`)
    await follow(api.sql, tenant.id, series)
    expect(await look()).toEqual([])
    await raise(tenant, series, '2024-01')
    await hold(series)
    expect((await look()).sort()).toEqual([
      ['release.late', series, ['2024-01']],
      ['series.quarantined', series, null],
    ])
    expect(await look()).toEqual([])
    await raise(tenant, series, '2024-02')
    expect(await look()).toEqual([['release.late', series, ['2024-02']]])
    expect(receiver.at('/stranger')).toEqual([])
  })

  test('that became so after the first webhook was made and before anybody looked is told once; what was so before it is not', async () => {
    const tenant = await api.tenant()
    const process = new WebhookProcess(api)
    const [held, followedLater, answeredLater] = [
      await makeSeries(api.owner, publicScope, `held-${tenant.id.slice(-8)}`),
      await makeSeries(api.owner, publicScope, `followed-later-${tenant.id.slice(-8)}`),
      await makeSeries(api.owner, publicScope, `answered-later-${tenant.id.slice(-8)}`),
    ]
    const steelOfSeptember = 'CUSTOM/steel,2024-09,130.00,PRELIMINARY,2024-09-28,Steel billets\n'
    await tenant.import(bracketsTable.replace(steelOfSeptember, ''))
    const { id: known } = await tenant.apply(bracketsDocument())
    const { id: draft } = await tenant.apply(bracketsDocument({ slug: 'draft', status: 'DRAFT' }))
    await api.issueKey(tenant.id, 13 * day)
    const [soon, rotated] = [await api.issueKey(tenant.id, 20 * day), await api.issueKey(tenant.id, 300 * day)]
    for (const series of [held, answeredLater]) await follow(api.sql, tenant.id, series)
    for (const series of [held, followedLater]) await hold(series)
    await raise(tenant, held, '2024-01')

    await process.create(tenant, receiver.url('/first'), Object.keys(stateEvents) as StateEvent[])

    await tenant.import(`series,period,value,version,published,name\n${steelOfSeptember}`)
    await tenant.apply(bracketsDocument({ slug: 'draft' }))
    const { id: applied } = await tenant.apply(bracketsDocument({ slug: 'applied' }))
    const made = await api.issueKey(tenant.id, 13 * day)
    const rotation = { workspaceId: tenant.id, id: rotated.id, overlapHours: 24 * 7, by }
    await rotateApiKey(api.sql, new KeyedDigests(api.ring, 'api-key digests'), rotation)
    await follow(api.sql, tenant.id, followedLater)
    await hold(answeredLater)
    await raise(tenant, held, '2024-02')
    process.clock.forward((6.5 * day) / 1000)

    const all = ['2024-Q2', '2024-Q3', '2024-Q4']
    const news = await lookOf(process, tenant, '/first')
    expect(news.toSorted()).toEqual(
      [
        ['adjustment.computable', known, ['2024-Q4']],
        ['adjustment.computable', draft, all],
        ['adjustment.computable', applied, all],
        ['key.expiring', soon.id, null],
        ['key.expiring', rotated.id, null],
        ['key.expiring', made.id, null],
        ['release.late', held, ['2024-02']],
        ['series.quarantined', followedLater, null],
        ['series.quarantined', answeredLater, null],
      ].toSorted(),
    )
    expect(await lookOf(process, tenant, '/first')).toEqual([])
  })
})

const day = 86_400_000

/** By the clock of the machine, as whoever looks for them does. */
const now = () => instantOfMicros(Date.now() * 1000)

function raise({ id }: Tenant, seriesId: string, period: string): Promise<void> {
  const raised = [{ seriesId, period, cause: 'ANSWERED_WITHOUT', expectedAt: null }] as const
  const changes = { raised, cleared: [], restated: [] }
  return withWorkspace(api.sql, id, tx => saveAlarms(tx, id, changes, now()))
}

function hold(seriesId: string): Promise<void> {
  const answered = { reason: '3 of 10 settled values would change', reading: '{}', fingerprint: seriesId }
  return quarantineAnswer(api.sql, { ...answered, seriesId, foundAt: now() })
}

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
