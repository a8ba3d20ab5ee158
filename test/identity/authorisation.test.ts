// Visits to a provider and back, without people: what is asked, what comes back, and the bounds of requests.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Instant } from '../../src/core/time/instant.ts'
import { instantOfMicros } from '../../src/core/time/instant.ts'
import { Authorisation, type Begun } from '../../src/identity/authorisation.ts'
import { boundedFetch } from '../../src/identity/bounded-fetch.ts'
import { ProviderDirectory } from '../../src/identity/provider-directory.ts'
import { resolveBySystem } from '../../src/outbound/address.ts'
import { PrivateHosts } from '../../src/outbound/private-hosts.ts'
import { KeyRing } from '../../src/storage/keys/key-ring.ts'
import { HostileProvider, makeKey, mint } from '../support/identity/hostile-provider.ts'

let provider: HostileProvider
beforeAll(async () => {
  provider = await HostileProvider.open()
})
afterAll(() => provider.close())

const access = () => ({ issuer: provider.issuer, clientId: 'assize', clientSecret: 'a secret of the tests' })
const now = (): Instant => instantOfMicros(Date.now() * 1000)

function open(listed: readonly string[] = ['127.0.0.1'], monotonicMs = () => 0) {
  const fetch = boundedFetch({ resolve: resolveBySystem, privateHosts: new PrivateHosts(listed), userAgent: 'tests' })
  const directory = new ProviderDirectory(fetch, monotonicMs)
  const used = new Set<string>()
  const answerOnce = async (digest: Buffer) => {
    const isNew = !used.has(digest.toString('hex'))
    used.add(digest.toString('hex'))
    return isNew
  }
  const parts = {
    ring: KeyRing.of(['s'.repeat(40)]),
    publicUrl: 'https://prices.example',
    fetch,
    directory,
    now,
    answerOnce,
  }
  return new Authorisation(parts)
}

const asking = { purpose: 'sign-in', providerId: 'idp_1', scope: 'openid', returnTo: '/' } as const

async function visit(ours: Authorisation, token: (nonce: string) => string, more = {}) {
  const { url, cookie } = await ours.start(access(), { ...asking, ...more })
  const asked = provider.asked(url)
  const query = provider.comeBack(asked, token(asked.nonce))
  const begun = ours.begun(query, name => (name === cookie.name ? cookie.value : null))
  return { asked, query, begun }
}

const good = (nonce: string) => mint(provider.key, provider.claims({ nonce, clientId: 'assize' }, 'ann'))

test('a visit asks with a challenge, a state and a nonce, and brings back the token with the key that signed it', async () => {
  const ours = open()
  const { asked, query, begun } = await visit(ours, good, { prompt: 'login', maxAgeSeconds: 0 })
  const sent = Object.fromEntries(asked.url.searchParams)
  expect(sent).toMatchObject({
    response_type: 'code',
    scope: 'openid',
    code_challenge_method: 'S256',
    prompt: 'login',
    max_age: '0',
    redirect_uri: 'https://prices.example/sso/callback',
  })
  const token = await ours.finish(access(), begun, query)
  expect(token).toMatchObject({ subject: 'ann', issuer: provider.issuer, clientId: 'assize' })
  expect(token.key).toMatchObject({ kid: 'key-1', kty: 'EC' })
  expect(token.discovery).toBe(`${provider.issuer}/.well-known/openid-configuration`)
  expect(token.raw.split('.')).toHaveLength(3)
})

test('the nonce may be given, for what is to be signed', async () => {
  const ours = open()
  const { asked } = await visit(ours, good, { nonce: 'the hash of something' })
  expect(asked.nonce).toBe('the hash of something')
})

test('an answer counts once, and only in the browser that began', async () => {
  const ours = open()
  const { query, begun } = await visit(ours, good)
  await ours.finish(access(), begun, query)
  await expect(ours.finish(access(), begun, query)).rejects.toThrow('used before')
  expect(() => ours.begun(query, () => null)).toThrow('not begun in this browser')
})

test('a key that is not published is looked for again, once a minute at most', async () => {
  let ms = 0
  const ours = open(['127.0.0.1'], () => ms)
  const other = makeKey('ES256', 'key-2')
  const by = (nonce: string) => mint(other, provider.claims({ nonce, clientId: 'assize' }, 'ann'))
  const finish = async () => {
    const { begun, query } = await visit(ours, by)
    return ours.finish(access(), begun, query)
  }
  provider.counts.clear()
  await expect(finish()).rejects.toThrow('publishes no key "key-2"')
  await expect(finish()).rejects.toThrow('publishes no key "key-2"')
  expect(provider.counts.get('/keys')).toBe(1)
  provider.keys = [provider.key, other]
  ms = 60_000
  expect((await finish()).key.kid).toBe('key-2')
  expect(provider.counts.get('/keys')).toBe(2)
  provider.keys = [provider.key]
})

test.each([
  ['a host of this machine that is not listed', ['10.0.0.0/8'], 'must be asked by https'],
  ['another range', ['127.0.0.2'], 'must be asked by https'],
])('%s is not asked', async (_, listed, words) => {
  await expect(open(listed).start(access(), asking)).rejects.toThrow(words)
})

test('a private address is refused after its name is resolved, and says how to list it', async () => {
  const fetch = boundedFetch({
    resolve: async () => [{ address: '10.1.2.3', family: 4 }],
    privateHosts: new PrivateHosts([]),
    userAgent: 'tests',
  })
  await expect(fetch('https://login.nova.example/')).rejects.toThrow(
    'login.nova.example resolves to an address inside the house, which is not a public address; an operator may list it in ASSIZE_PRIVATE_HOSTS',
  )
  await expect(fetch('https://10.1.2.3/')).rejects.toThrow('is not a public address')
  await expect(fetch('https://[::ffff:10.1.2.3]/')).rejects.toThrow('is not a public address')
})

test('neither redirects nor answers without end are followed', async () => {
  const fetch = boundedFetch({
    resolve: resolveBySystem,
    privateHosts: new PrivateHosts(['127.0.0.1']),
    userAgent: 'tests',
  })
  provider.says.set('/away', () => ({ status: 302, headers: { location: 'http://169.254.169.254/' }, body: '' }))
  provider.says.set('/long', () => ({ body: 'x'.repeat(1024 * 1024 + 1) }))
  await expect(fetch(`${provider.issuer}/away`)).rejects.toThrow('redirects, which is not followed')
  await expect(fetch(`${provider.issuer}/long`)).rejects.toThrow('too large')
})

test('what was begun cannot be read or changed by the browser', async () => {
  const ours = open()
  const { url, cookie } = await ours.start(access(), { ...asking, carried: { token: 'a one-time link' } })
  expect(Buffer.from(cookie.value, 'base64url').toString('latin1')).not.toContain('one-time')
  const query = provider.comeBack(provider.asked(url), '')
  const bytes = Buffer.from(cookie.value, 'base64url')
  bytes[20]! ^= 1
  expect(() => ours.begun(query, () => bytes.toString('base64url'))).toThrow('not begun in this browser')
  const begun: Begun = ours.begun(query, () => cookie.value)
  expect(begun.carried).toEqual({ token: 'a one-time link' })
})
