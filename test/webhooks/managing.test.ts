// Webhooks as people and operators manage them: the routes of the page, who may use them, the commands, and what is kept of secrets.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { removeMember } from '../../src/storage/people/member-changes.ts'
import { verifyChain } from '../../src/storage/upkeep/chain.ts'
import { createWebhook, disableByItself, listWebhooks } from '../../src/storage/webhooks/webhooks.ts'
import type { DeliveryRow, IssuedWebhook, WebhookRow } from '../../src/views/shapes/webhooks.ts'
import { emails } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'
import { Receiver } from './receiver.ts'
import { by, verified, WebhookProcess } from './webhook-ground.ts'

const house = consoleHouse()
let receiver: Receiver
beforeAll(async () => {
  receiver = await Receiver.open()
})
afterAll(() => receiver.close())

test('the page creates, lists, rotates, disables, enables and replays, and everything is in the activity', async () => {
  const { as, tenant, api } = house
  const process = new WebhookProcess(api)
  const { status, json } = await as.editor.post('/webhooks', { url: receiver.url('/page'), events: ['observations'] })
  expect(status).toBe(201)
  const { id, secret } = json as IssuedWebhook
  await tenant.importValues('CUSTOM/a', { '2024-01': '1' })
  await process.deliver()
  expect(verified(receiver.at('/page')[0]!, secret)).toBe(true)
  const [row] = await as.owner.json<readonly WebhookRow[]>('/webhooks')
  expect(row).toMatchObject({ id, events: ['observations'], delivered: 1, waiting: 0, madeBy: emails.editor })
  expect(JSON.stringify(row)).not.toContain(secret)
  const [delivery] = await as.owner.json<readonly DeliveryRow[]>(`/webhooks/${id}/deliveries`)
  expect(delivery).toMatchObject({ type: 'observations', outcome: 'DELIVERED', status: 204, attempts: 1 })
  expect((await as.owner.post(`/webhooks/${id}/replay`, { event: delivery!.id })).json).toEqual({ replayed: 1 })
  process.clock.forward(5)
  await process.deliver()
  expect(receiver.at('/page').map(each => each.id)).toEqual([delivery!.id, delivery!.id])
  expect((await as.owner.post(`/webhooks/${id}/rotate`, { overlapHours: 24 })).status).toBe(201)
  expect((await as.owner.post(`/webhooks/${id}/disable`)).status).toBe(204)
  expect((await as.owner.post(`/webhooks/${id}/enable`, { from: 'stopped' })).status).toBe(204)
  const noted = await api.owner<{ who: string; what: string }[]>`
    select who, what from activity where workspace_id = ${tenant.id} and what like 'webhook%' order by id`
  expect(noted.map(({ who, what }) => `${who}: ${what}`)).toEqual([
    `${emails.editor}: webhook created: observations`,
    `${emails.owner}: webhook: 1 event sent again`,
    `${emails.owner}: webhook secret rotated; the old one signs for 24 h more`,
    `${emails.owner}: webhook disabled`,
    `${emails.owner}: webhook enabled`,
  ])
})

test('nobody else reads an address, neither in the activity nor in what is told from outside', async () => {
  const { as, tenant, api } = house
  const process = new WebhookProcess(api)
  const url = receiver.url('/secret-path')
  const { id } = (await as.editor.post('/webhooks', { url, events: ['agreed'] })).json as IssuedWebhook
  for (const [act, body] of [
    ['rotate', { overlapHours: 0 }],
    ['disable', undefined],
    ['enable', { from: 'now' }],
  ] as const)
    expect((await as.owner.post(`/webhooks/${id}/${act}`, body)).status).toBeLessThan(300)
  await disableByItself({ sql: api.sql, now: process.clock.now }, tenant.id, id, 'GONE')
  for (const role of ['owner', 'editor', 'buyer', 'viewer'] as const) {
    const page = await as[role].get('/activity')
    expect([role, page.status, page.text.includes('secret-path')]).toEqual([role, 200, false])
    const found = await as[role].get('/activity?q=secret-path')
    expect([found.status, found.text.includes('webhook')]).toEqual([200, false])
    expect(page.text).toContain(id)
  }
  const acts = await api.owner<{ subject: string }[]>`
    select subject from audit_act where tenant = ${tenant.id} and act like 'webhook.%' order by at`
  expect(acts.slice(0, -1).every(({ subject }) => !subject.includes('secret-path'))).toBe(true)
})

test('only owners and editors reach them, and none of another workspace', async () => {
  const { as, api } = house
  for (const role of ['buyer', 'supplier', 'viewer'] as const) {
    expect((await as[role].get('/webhooks')).status).toBe(403)
    expect((await as[role].post('/webhooks', { url: receiver.url(), events: ['agreed'] })).status).toBe(403)
  }
  const other = await new WebhookProcess(api).create(await api.tenant(), receiver.url('/other'), ['agreed'])
  for (const path of ['disable', 'rotate', 'enable', 'replay'])
    expect(
      (
        await as.owner.post(
          `/webhooks/${other.id}/${path}`,
          { rotate: { overlapHours: 1 }, enable: { from: 'now' }, replay: { event: null } }[path] ?? {},
        )
      ).status,
    ).toBe(404)
  expect((await as.owner.get(`/webhooks/${other.id}/deliveries`)).status).toBe(404)
})

test('addresses inside the house, unknown events and a fifty-first are refused with a sentence', async () => {
  const { as, api } = house
  const refused = async (body: object) => (await as.owner.post('/webhooks', body)).json as { error: string }
  expect(await refused({ url: 'https://10.0.0.1/', events: ['agreed'] })).toMatchObject({
    error: expect.stringContaining('10.0.0.1 is not a public address'),
  })
  expect((await as.owner.post('/webhooks', { url: receiver.url(), events: ['nothing'] })).status).toBe(422)
  const tenant = await api.tenant()
  const { ground } = new WebhookProcess(api)
  const make = () => createWebhook(ground, { workspaceId: tenant.id, url: receiver.url(), events: ['agreed'], by })
  await api.owner.begin(async tx => {
    await tx`set local session_replication_role = replica`
    await tx`
      insert into webhook (workspace_id, id, url, events, secret, made_by, created_at)
      select ${tenant.id}, 'whk_' || lpad(n::text, 26, '0'), 'https://erp.example/', '{agreed}', '', 'x', now()
      from generate_series(1, 50) n`
  })
  await expect(make()).rejects.toThrow('a workspace may have 50 webhooks that are enabled')
})

test('no secret is in the database in clear, and one whose maker leaves is disabled', async () => {
  const { api, tenant } = house
  const process = new WebhookProcess(api)
  const { id, secret } = await createWebhook(process.ground, {
    workspaceId: tenant.id,
    url: receiver.url('/left'),
    events: ['agreed'],
    by: { who: emails.viewer, fromAddress: null },
  })
  const [row] = await api.owner<{ text: string }[]>`select h::text as text from webhook h where id = ${id}`
  const bytes = Buffer.from(secret.slice(6), 'base64')
  expect(row!.text).not.toContain(secret)
  expect(row!.text).not.toContain(bytes.toString('hex'))
  const [person] = await api.owner<{ id: string }[]>`
    select p.id from person p join member m on m.person_id = p.id
    where m.workspace_id = ${tenant.id} and p.email = ${emails.viewer}`
  await removeMember(api.sql, tenant.id, person!.id, { who: emails.owner, fromAddress: null })
  const found = (await listWebhooks(api.sql, tenant.id)).find(each => each.id === id)
  expect(found).toMatchObject({ disabledWhy: 'LEFT' })
  expect((await verifyChain(api.owner, tenant.id)).problem).toBeNull()
})
