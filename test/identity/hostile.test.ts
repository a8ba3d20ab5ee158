// Bad and hostile tokens and callbacks, one kind each, sent to the real server by a browser that has begun a sign-in: every one is
// refused with a sentence, counted, and opens no session. The same visit without the defect gets in.
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { IdentityProvider } from '../../src/storage/identity/providers.ts'
import type { Browser } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'
import {
  type Asked,
  type Claims,
  HostileProvider,
  makeKey,
  mint,
  mintWithSecret,
  type SigningKey,
  unsigned,
} from '../support/identity/hostile-provider.ts'
import { addCompany, answer, begin, inviteTo, newBrowser, setHostile, signInBy } from '../support/identity/visits.ts'

const house = consoleHouse()
let nova: HostileProvider
let other: HostileProvider
let settings: IdentityProvider
let elsewhere: IdentityProvider
const rsa = makeKey('RS256', 'rsa')
const stranger = makeKey('ES256', 'key-1')
const weak: SigningKey = { ...rsa, kid: 'weak', jwk: { ...rsa.jwk, kid: 'weak', e: 'AQ' } }
const subject = 'mia'

beforeAll(async () => {
  nova = await HostileProvider.open()
  other = await HostileProvider.open()
  nova.keys = [nova.key, rsa, weak]
  const { id } = house.tenant
  await addCompany(house.api, id, 'hostile')
  await addCompany(house.api, id, 'elsewhere')
  settings = await setHostile(house.api, id, nova, 'hostile')
  elsewhere = await setHostile(house.api, id, other, 'elsewhere')
  const link = await inviteTo(house.api, id, 'mia@hostile.test', 'hostile')
  expect((await signInBy(browser(), nova, settings, subject, { link })).status).toBe(200)
}, 400_000)
afterAll(() => Promise.all([nova.close(), other.close()]))

const browser = () => newBrowser(house.api, house.slug, '127.1.1.1')
const good = (asked: Asked, more: Claims = {}) => nova.claims(asked, subject, more)
const signed = (asked: Asked, more: Claims = {}, header: Claims = {}) => mint(nova.key, good(asked, more), header)
const seconds = () => Math.floor(Date.now() / 1000)
const jwkText = () => JSON.stringify(nova.key.jwk)
const part = (value: string) => Buffer.from(value).toString('base64url')

/** Another text in place of one of the three parts. */
function withPart(token: string, at: 0 | 1 | 2, change: (text: string) => string): string {
  const parts = token.split('.')
  parts[at] = change(parts[at]!)
  return parts.join('.')
}

/** Signed over whatever the parts are. */
function resigned(header: string, claims: string): string {
  const token = mint(nova.key, {})
  const [, , signature] = token.split('.')
  return `${header}.${claims}.${signature}`
}

/** Claims that are not what JSON.stringify writes. */
const raw = (asked: Asked, text: (json: string) => string) =>
  mint(nova.key, text(JSON.stringify(good(asked))) as unknown as Claims)

type Bad = readonly [what: string, token: (asked: Asked) => string]

const tokens: readonly Bad[] = [
  ['no signature at all (alg none)', a => unsigned(good(a))],
  ['no signature, with a type', a => unsigned(good(a), { alg: 'none', typ: 'JWT' })],
  ['no signature, spelt None', a => unsigned(good(a), { alg: 'None' })],
  ['alg none behind a good signature', a => withPart(signed(a), 0, () => part('{"alg":"none"}'))],
  ['no algorithm', a => unsigned(good(a), {}, 'AAAA')],
  ['HS256 with the public key as a PEM', a => mintWithSecret(pemOf(nova.key), good(a))],
  ['HS256 with the public key as a JWK', a => mintWithSecret(jwkText(), good(a), { kid: 'key-1' })],
  ['HS256 with the secret of the client', a => mintWithSecret('a secret', good(a))],
  ['HS512', a => unsigned(good(a), { alg: 'HS512' }, createHmac('sha512', 'x').update('y').digest('base64url'))],
  ['RS256 written over ES256', a => signed(a, {}, { alg: 'RS256' })],
  ['ES256 written over RS256', a => mint(rsa, good(a), { alg: 'ES256' })],
  ['PS256 written over RS256, of a key for RS256', a => mint(rsa, good(a), { alg: 'PS256' })],
  ['RS512, which is not accepted', a => mint(rsa, good(a), { alg: 'RS512' })],
  ['a key that is not published', a => signed(a, {}, { kid: 'unknown' })],
  ['a name of a key that is a number', a => signed(a, {}, { kid: 1 })],
  ['a path as the name of a key', a => signed(a, {}, { kid: '../../dev/null' })],
  ['another key of the same name', a => mint(stranger, good(a))],
  ['a key with an exponent of 1', a => mint(weak, good(a), { kid: 'weak' })],
  ['a key of its own in its header', a => mint(stranger, good(a), { jwk: stranger.jwk, kid: 'own' })],
  ['an address of keys in its header', a => mint(stranger, good(a), { jku: `${other.issuer}/keys`, kid: 'own' })],
  ['an address of a certificate in its header', a => mint(stranger, good(a), { x5u: 'https://x.test', kid: 'own' })],
  ['an extension it demands', a => signed(a, {}, { crit: ['exp'] })],
  ['the type of an access token', a => signed(a, {}, { typ: 'at+jwt' })],
  ['the type of a logout token', a => signed(a, {}, { typ: 'logout+jwt' })],
  ['one signature changed by a letter', a => withPart(signed(a), 2, flipped)],
  ['no signature behind the last dot', a => withPart(signed(a), 2, () => '')],
  ['claims changed after it was signed', a => withPart(signed(a), 1, () => part(JSON.stringify(good(a, { x: 1 }))))],
  ['a header changed after it was signed', a => withPart(signed(a), 0, () => part('{"alg":"ES256","kid":"key-1"}'))],
  [
    'the signature of something else',
    a => resigned(part('{"alg":"ES256","kid":"key-1"}'), part(JSON.stringify(good(a)))),
  ],
  ['two parts', a => signed(a).split('.').slice(0, 2).join('.')],
  ['four parts', a => `${signed(a)}.${part('x')}`],
  ['five parts, as an encrypted one', a => `${signed(a)}.${part('x')}.${part('y')}`],
  ['nothing', () => ''],
  ['more than is read', a => signed(a, { much: 'x'.repeat(40_000) })],
  ['padding', a => `${signed(a)}=`],
  ['a line break', a => `${signed(a)}\n`],
  ['claims that are no JSON', a => raw(a, () => '{"sub":')],
  ['claims that are a list', a => raw(a, json => `[${json}]`)],
  ['one claim twice', a => raw(a, json => json.replace('{', '{"sub":"somebody else",'))],
  [
    'claims that are not UTF-8',
    a => withPart(signed(a), 1, () => Buffer.from([0x7b, 0xff, 0x7d]).toString('base64url')),
  ],
  ['another issuer', a => signed(a, { iss: other.issuer })],
  ['an issuer with a slash more', a => signed(a, { iss: `${nova.issuer}/` })],
  ['no issuer', a => signed(a, { iss: undefined })],
  ['another audience', a => signed(a, { aud: 'another program' })],
  ['audiences without us', a => signed(a, { aud: ['one', 'two'] })],
  ['several audiences and none it is made out to', a => signed(a, { aud: ['assize', 'another'] })],
  ['several audiences, made out to another', a => signed(a, { aud: ['assize', 'another'], azp: 'another' })],
  ['made out to another (azp)', a => signed(a, { azp: 'another' })],
  ['no audience', a => signed(a, { aud: undefined })],
  ['another nonce', a => signed(a, { nonce: 'another' })],
  ['no nonce', a => signed(a, { nonce: undefined })],
  ['a list as its nonce', a => signed(a, { nonce: [a.nonce] })],
  ['expired', a => signed(a, { iat: seconds() - 900, exp: seconds() - 600 })],
  ['no end', a => signed(a, { exp: undefined })],
  ['an end that is a text', a => signed(a, { exp: String(seconds() + 300) })],
  ['from the future', a => signed(a, { iat: seconds() + 3600, exp: seconds() + 7200 })],
  ['no beginning', a => signed(a, { iat: undefined })],
  ['an end before its beginning', a => signed(a, { iat: seconds() + 30, exp: seconds() + 10 })],
  ['not valid yet', a => signed(a, { nbf: seconds() + 3600 })],
  ['a sign-in that is in the future', a => signed(a, { auth_time: seconds() + 3600 })],
  ['no subject', a => signed(a, { sub: undefined })],
  ['an empty subject', a => signed(a, { sub: '' })],
  ['a subject that is a number', a => signed(a, { sub: 7 })],
  ['a subject that is too long', a => signed(a, { sub: 'x'.repeat(256) })],
  ['the key of another provider', a => mint(other.key, good(a))],
  ['all of another provider', a => mint(other.key, other.claims(a, subject))],
]

const flipped = (signature: string) => (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1)

function pemOf({ jwk }: SigningKey): string {
  return `-----BEGIN PUBLIC KEY-----\n${part(JSON.stringify(jwk))}\n-----END PUBLIC KEY-----\n`
}

/** Refused with a sentence that says something, and nobody is signed in. */
async function expectRefused(visitor: Browser, reply: { readonly status: number; readonly json: unknown }) {
  expect(reply.status, JSON.stringify(reply.json)).toBeGreaterThanOrEqual(400)
  expect(reply.status).toBeLessThan(500)
  const { error } = reply.json as { readonly error: string }
  expect(error.length).toBeGreaterThan(15)
  expect((await visitor.ask('/session')).status).toBe(401)
}

test('the same visit without a defect gets in, by every algorithm that is accepted', async () => {
  for (const alg of ['RS256', 'PS256', 'ES256', 'EdDSA'] as const) {
    const key = makeKey(alg, `good-${alg}`)
    const provider = await HostileProvider.open()
    provider.keys = [key]
    const slug = `good-${alg.toLowerCase()}`
    await addCompany(house.api, house.tenant.id, slug)
    const set = await setHostile(house.api, house.tenant.id, provider, slug)
    const link = await inviteTo(house.api, house.tenant.id, `x@${slug}.test`, slug)
    const visitor = browser()
    const asked = await begin(visitor, set, { link })
    const reply = await answer(visitor, provider.comeBack(asked, mint(key, provider.claims(asked, 'x'))))
    expect(reply.status, reply.text).toBe(200)
    await provider.close()
  }
})

describe('a token with', () => {
  test.each(tokens)('%s is refused', async (_, token) => {
    const visitor = browser()
    const asked = await begin(visitor, settings)
    await expectRefused(visitor, await answer(visitor, nova.comeBack(asked, token(asked))))
  })
})

/** A callback whose address was changed. */
const changed = (change: (query: URLSearchParams) => void) => async (visitor: Browser) => {
  const asked = await begin(visitor, settings)
  const query = nova.comeBack(asked, signed(asked))
  change(query)
  return answer(visitor, query)
}

/** A good callback for which the provider answers something else than a token. */
const answering = (said: Parameters<HostileProvider['comeBack']>[1]) => async (visitor: Browser) => {
  const asked = await begin(visitor, settings)
  return answer(visitor, nova.comeBack(asked, said))
}

type Callback = readonly [what: string, act: (visitor: Browser) => Promise<{ status: number; json: unknown }>]

const callbacks: readonly Callback[] = [
  ['without a start', visitor => answer(visitor, new URLSearchParams({ code: 'x', state: 'y', iss: nova.issuer }))],
  ['without anything', visitor => answer(visitor, new URLSearchParams())],
  ['with another state', changed(query => query.set('state', 'A'.repeat(43)))],
  ['with a state that is none of ours', changed(query => query.set('state', 'short'))],
  ['without a state', changed(query => query.delete('state'))],
  ['with two states', changed(query => query.append('state', 'A'.repeat(43)))],
  ['with two codes', changed(query => query.append('code', 'another'))],
  ['without a code', changed(query => query.delete('code'))],
  ['with an empty code', changed(query => query.set('code', ''))],
  ['with a code that was made up', changed(query => query.set('code', 'made up'))],
  ['without saying from whom (iss), where the provider always does', changed(query => query.delete('iss'))],
  ['from another provider (iss)', changed(query => query.set('iss', other.issuer))],
  ['from two providers at once (iss)', changed(query => query.append('iss', other.issuer))],
  ['in which the provider says no', changed(query => query.set('error', 'access_denied'))],
  ['with words of a stranger as an error', changed(query => query.set('error', '<b>call 555-0100</b>'))],
  [
    'in another browser than the one that began',
    async visitor => {
      const victim = browser()
      const asked = await begin(visitor, settings)
      return answer(victim, nova.comeBack(asked, signed(asked)))
    },
  ],
  [
    'that signs somebody in as an attacker (login CSRF)',
    async visitor => {
      const attacker = browser()
      const asked = await begin(attacker, settings)
      await begin(visitor, settings)
      return answer(visitor, nova.comeBack(asked, signed(asked)))
    },
  ],
  [
    'for the second time',
    async visitor => {
      const asked = await begin(visitor, settings)
      const { cookie } = visitor
      const query = nova.comeBack(asked, signed(asked))
      expect((await answer(visitor, query)).status).toBe(200)
      await visitor.send('POST', '/sign-out', {})
      visitor.cookie = cookie
      return answer(visitor, query)
    },
  ],
  [
    'with the token of an earlier sign-in',
    async visitor => {
      const first = await begin(browser(), settings)
      const token = signed(first)
      const asked = await begin(visitor, settings)
      return answer(visitor, nova.comeBack(asked, token))
    },
  ],
  [
    'that was begun with another provider (mix-up)',
    async visitor => {
      const asked = await begin(visitor, elsewhere)
      return answer(visitor, nova.comeBack(asked, signed(asked)))
    },
  ],
  [
    'with a cookie that was changed',
    async visitor => {
      const asked = await begin(visitor, settings)
      visitor.cookie = `${visitor.cookie!.slice(0, -2)}AA`
      return answer(visitor, nova.comeBack(asked, signed(asked)))
    },
  ],
  ['for which the provider fails', answering({ status: 500, body: { error: 'server_error' } })],
  ['for which the provider sends a page', answering({ headers: { 'content-type': 'text/html' }, body: '<html>' })],
  [
    'for which the provider redirects',
    answering({ status: 302, headers: { location: 'http://127.0.0.1/' }, body: '' }),
  ],
  ['for which the client is not known', answering({ status: 401, body: { error: 'invalid_client' } })],
  ['for which the code has expired', answering({ status: 400, body: { error: 'invalid_grant' } })],
  ['for which there is no ID token', answering({ body: { access_token: 'x', token_type: 'Bearer' } })],
  ['for which the ID token is a number', answering({ body: { access_token: 'x', token_type: 'Bearer', id_token: 1 } })],
  ['for which the answer has no end', answering({ body: 'x'.repeat(1_100_000) })],
]

describe('a callback', () => {
  test.each(callbacks)('%s is refused', async (_, act) => {
    const visitor = browser()
    await expectRefused(visitor, await act(visitor))
  })
})

test('there are at least 60 kinds of them, and what a stranger wrote is not repeated', async () => {
  expect(new Set([...tokens, ...callbacks].map(([what]) => what)).size).toBeGreaterThanOrEqual(60)
  const visitor = browser()
  const reply = await changed(query => query.set('error', '<b>call 555-0100</b>'))(visitor)
  expect(JSON.stringify(reply.json)).not.toContain('555')
})

test('nobody is told whether a way in is right but for whom it is, nor is one of many tried', async () => {
  const wrong = await browser().send('POST', '/sso/look', { wayIn: 'aaaaaaaaaaaaaaaaaaaa' })
  const id = await browser().send('POST', '/sso/look', { wayIn: settings.id })
  expect(wrong).toMatchObject({ status: 404 })
  expect(id.json).toEqual(wrong.json)
})
