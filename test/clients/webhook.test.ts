// `verifyWebhook` of the TypeScript client against the reference library of Standard Webhooks.
import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { verifyWebhook, WebhookRefused } from '../../clients/typescript/src/webhook.ts'

const secretOf = () => `whsec_${randomBytes(32).toString('base64')}`
const secret = secretOf()
const body = JSON.stringify({
  type: 'agreed',
  timestamp: '2026-11-15T13:31:02Z',
  data: { subject: 'pam_ü', cursor: 'c' },
})
const now = 1_795_000_000_000
const sign = (text = body, by = secret, at = now) => new Webhook(by).sign('chg_1', new Date(at), text)
const headersOf = (signature: string, at = now) => ({
  'webhook-id': 'chg_1',
  'webhook-timestamp': `${Math.floor(at / 1000)}`,
  'webhook-signature': signature,
})

test('a delivery that the reference library signed is accepted, however its headers and body come', async () => {
  const headers = headersOf(sign())
  const expected = { id: 'chg_1', event: JSON.parse(body) as unknown }
  expect(await verifyWebhook(body, headers, secret, { now })).toEqual(expected)
  expect(await verifyWebhook(Buffer.from(body), new Headers(headers), secret, { now })).toEqual(expected)
  const capital = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]))
  expect(await verifyWebhook(body, capital, secret, { now })).toEqual(expected)
})

test('during a rotation any of several signatures and secrets is enough', async () => {
  const next = secretOf()
  const both = headersOf(`v1a,AAAA ${sign(body, secretOf())} ${sign()}`)
  await expect(verifyWebhook(body, both, secret, { now })).resolves.toMatchObject({ id: 'chg_1' })
  await expect(verifyWebhook(body, headersOf(sign()), [next, secret], { now })).resolves.toMatchObject({ id: 'chg_1' })
})

test.each([
  ['another body', `${body} `, headersOf(sign()), /no signature fits/],
  ['another secret', body, headersOf(sign(body, secretOf())), /no signature fits/],
  ['another scheme', body, headersOf(sign().replace('v1,', 'v2,')), /no signature fits/],
  ['no scheme', body, headersOf(sign().slice(3)), /no signature fits/],
  ['a signature that is not Base64', body, headersOf('v1,***'), /no signature fits/],
  ['half a signature', body, headersOf(sign().slice(0, 30)), /no signature fits/],
  ['another id', body, { ...headersOf(sign()), 'webhook-id': 'chg_2' }, /no signature fits/],
  ['no id', body, { ...headersOf(sign()), 'webhook-id': '' }, /are needed/],
  ['no headers', body, {}, /are needed/],
  ['a time that is none', body, { ...headersOf(sign()), 'webhook-timestamp': '1e9' }, /not a number of seconds/],
  ['an old time', body, headersOf(sign(body, secret, now - 301_000), now - 301_000), /too old/],
  ['a time to come', body, headersOf(sign(body, secret, now + 301_000), now + 301_000), /in the future/],
  ['a body that is not JSON', 'x', headersOf(sign('x')), /not JSON/],
])('%s is refused', async (_, sent, headers, words) => {
  const refused = verifyWebhook(sent, headers, secret, { now })
  await expect(refused).rejects.toBeInstanceOf(WebhookRefused)
  await expect(refused).rejects.toThrow(words)
})

test('a clock may differ by five minutes, and a secret has to be one', async () => {
  const old = now - 300_000
  await expect(verifyWebhook(body, headersOf(sign(body, secret, old), old), secret, { now })).resolves.toBeTruthy()
  for (const bad of ['', 'whsec_', 'whsec_***'])
    await expect(verifyWebhook(body, headersOf(sign()), bad, { now })).rejects.toThrow(TypeError)
})
