// What the console refuses before anything is done (T1, T19, T20): people who are not signed in, not in the workspace
// or without the role, and pages that are not ours. Every route goes through it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Role, roles } from '../../src/core/roles.ts'
import type { ConsoleRoute } from '../../src/http/console/frame/route.ts'
import { limits } from '../../src/limits.ts'
import { addOperator } from '../../src/storage/people/operators.ts'
import { openOwner } from '../../src/storage/postgres/database.ts'
import { publicCalls, workspaceCalls } from '../../src/views/calls/calls.ts'
import type { Invited, KeyRow } from '../../src/views/shapes/settings.ts'
import { readRaw } from '../support/clients/http-client.ts'
import {
  Browser,
  type ConsoleReply,
  emails,
  makeSeats,
  openConsole,
  password,
  type Seats,
  type TestConsole,
  tableOfRoutes,
} from '../support/houses/console.ts'
import { someOf } from '../support/run/long-form.ts'
import { openTestDatabase, type TestDatabase } from '../support/run/postgres.ts'

let ground: TestDatabase
let console: TestConsole
let strangers: Seats
let routes: readonly ConsoleRoute[]
beforeAll(async () => {
  ground = await openTestDatabase()
  console = await openConsole({}, ground)
  strangers = await makeSeats(console.api, 'strange-')
  routes = tableOfRoutes(console.api)
})
afterAll(() => console.close())

/** The route with identifiers that lead to nothing. */
const pathOf = ({ path }: ConsoleRoute) => path.replaceAll(/:\w+/g, 'none')

/** Sends what a page would, with neutral content; it changes nothing even where it is allowed. */
function askRoute(route: ConsoleRoute, browser: Browser, slug = browser.slug): Promise<ConsoleReply> {
  const path = `/w/${slug}${pathOf(route)}`
  if (route.method === 'GET') return browser.ask(path)
  if (route.takes === 'file')
    return browser.ask(path, {
      method: route.method,
      body: '',
      headers: { ...browser.origin, 'content-type': 'application/octet-stream', 'content-length': 0 },
    })
  return browser.send(route.method, path, {})
}

/** Everybody who may not, and of those who may one in turn; all of them in the long form. */
function askingRoles(route: ConsoleRoute, turn: number): readonly Role[] {
  if (route.isForOperators === true) return roles
  const allowed = route.roles ?? roles
  return [
    ...roles.filter(role => !allowed.includes(role)),
    ...someOf('every-route', 'people who may ask a route', allowed, { oneIn: allowed.length, from: turn }),
  ]
}

const expectGuarded = ({ headers }: ConsoleReply, name: string) => {
  expect(headers, name).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-request-id': expect.any(String),
  })
}

describe('every route', () => {
  test('is a call that is declared, and every declared call has one', async () => {
    const paths = routes.map(({ method, path }) => `${method} ${path}`)
    expect(paths.toSorted()).toEqual(Object.keys(workspaceCalls).toSorted())
    for (const name of Object.keys(publicCalls)) {
      const [method, path] = name.split(' ') as [ConsoleRoute['method'], string]
      const browser = console.browser()
      const address = path.replaceAll(/:\w+/g, 'none')
      const { status } = method === 'GET' ? await browser.ask(address) : await browser.send(method, address, {})
      expect([200, 204, 401, 422], name).toContain(status)
    }
  })

  test('refuses parameters that are not declared', async () => {
    for (const route of routes.filter(({ method, isForOperators }) => method === 'GET' && isForOperators !== true)) {
      const reply = await console.as.owner.ask(`/w/${console.slug}${pathOf(route)}?nobody=knows`)
      expect([reply.status, reply.text], route.path).toEqual([422, expect.stringContaining('is not known here')])
    }
  })

  test('is 401 where nobody is signed in, the same for a workspace that is there and one that is not', async () => {
    for (const route of routes) {
      const [there, nowhere] = [
        await askRoute(route, console.browser()),
        await askRoute(route, console.browser(), 'no-such-workspace'),
      ]
      expect([there.status, nowhere.status, nowhere.text], route.path).toEqual([401, 401, there.text])
      expect(there.json).toEqual({ error: 'nobody is signed in here; sign in and try again' })
      expectGuarded(there, route.path)
    }
  })

  test('is 404 for people who are not in the workspace, in the same bytes as where there is none', async () => {
    for (const [turn, route] of routes.entries())
      for (const role of someOf('every-route', 'strangers', ['owner', 'supplier'] as const, { oneIn: 2, from: turn })) {
        const foreign = await askRoute(route, strangers.as[role], console.slug)
        const nowhere = await askRoute(route, strangers.as[role], 'no-such-workspace')
        const name = `${route.method} ${route.path} as ${role}`
        expect([foreign.status, foreign.text], name).toEqual([404, '{"error":"there is nothing at this address"}'])
        expect([nowhere.status, nowhere.text], name).toEqual([404, foreign.text])
        const told = ({ headers }: ConsoleReply) => {
          const { date: _date, 'x-request-id': _id, ...rest } = headers
          return rest
        }
        expect(told(foreign), name).toEqual(told(nowhere))
      }
  })

  test('is 403 for people without the right, with a sentence that says who has it, and for nobody else', async () => {
    const plural: Record<Role, string> = {
      owner: 'owners',
      editor: 'editors',
      buyer: 'buyers',
      supplier: 'suppliers',
      viewer: 'viewers',
    }
    for (const [turn, route] of routes.entries())
      for (const role of askingRoles(route, turn)) {
        const reply = await askRoute(route, console.as[role])
        const name = `${route.method} ${route.path} as ${role}: ${reply.text}`
        expectGuarded(reply, name)
        if (route.isForOperators === true) {
          expect([reply.status, reply.text], name).toEqual([403, expect.stringContaining('only operators')])
          continue
        }
        if (route.roles === undefined || route.roles.includes(role)) {
          expect([401, 403, 415, 500, 503], name).not.toContain(reply.status)
          continue
        }
        expect(reply.status, name).toBe(403)
        const { error } = reply.json as { error: string }
        for (const each of route.roles) expect(error).toContain(plural[each])
        expect(error).toMatch(new RegExp(`; you are here as ${role}$`))
      }
  })

  test('that changes something accepts no request from another site', async () => {
    const changing = routes.filter(({ method }) => method !== 'GET')
    expect(changing.length).toBeGreaterThan(10)
    await addOperator(console.api.owner, emails.owner, { workspaceId: console.tenant.id, by: 'operator' })
    for (const route of changing) {
      const kind = route.takes === 'file' ? 'application/octet-stream' : 'application/json'
      const ask = (headers: Record<string, string>) =>
        console.as.owner.ask(`/w/${console.slug}${pathOf(route)}`, {
          method: route.method,
          headers: { ...headers, 'content-length': 0 },
        })
      const crossing = await ask({ 'content-type': kind, 'sec-fetch-site': 'cross-site' })
      expect([crossing.status, crossing.json], route.path).toEqual([
        403,
        { error: 'this request was not sent by a page of Assize and is refused' },
      ])
      expect((await ask({ 'content-type': kind })).status, route.path).toBe(403)
      expect((await ask({ 'content-type': 'text/plain', 'sec-fetch-site': 'same-origin' })).status).toBe(415)
    }
  })
})

interface Origins {
  readonly site?: string
  readonly origin?: string
  readonly type?: string
  readonly expected: number
}

describe('where a request comes from', () => {
  const host = () => `127.0.0.1:${console.api.client.port}`
  const cases: readonly Origins[] = [
    { site: 'same-origin', expected: 200 },
    { site: 'same-origin', origin: 'https://evil.example', expected: 200 },
    { site: 'same-site', expected: 403 },
    { site: 'cross-site', expected: 403 },
    { site: 'cross-site', origin: 'ours', expected: 403 },
    { site: 'none', expected: 403 },
    { site: '', expected: 403 },
    { site: 'same-origin, same-origin', expected: 403 },
    { origin: 'ours', expected: 200 },
    { origin: 'https://evil.example', expected: 403 },
    { origin: 'null', expected: 403 },
    { origin: 'http://127.0.0.1:1', expected: 403 },
    { origin: 'http://127.0.0.1', expected: 403 },
    { origin: 'file://', expected: 403 },
    { expected: 403 },
    { site: 'same-origin', type: 'text/plain', expected: 415 },
    { site: 'same-origin', type: 'application/x-www-form-urlencoded', expected: 415 },
    { site: 'same-origin', type: 'multipart/form-data; boundary=x', expected: 415 },
    { site: 'same-origin', type: 'application/octet-stream', expected: 415 },
    { site: 'same-origin', type: '', expected: 415 },
    { site: 'same-origin', type: 'Application/JSON; charset=utf-8', expected: 200 },
    { origin: 'ours', type: 'text/plain', expected: 415 },
  ]

  test.each(cases)('decides about a change: %j', async ({ site, origin, type = 'application/json', expected }) => {
    const headers = {
      ...(site === undefined ? {} : { 'sec-fetch-site': site }),
      ...(origin === undefined ? {} : { origin: origin === 'ours' ? `http://${host()}` : origin }),
      ...(type === '' ? {} : { 'content-type': type }),
    }
    const body = JSON.stringify({ name: 'renamed' })
    const reply = await console.as.owner.ask(`/w/${console.slug}/workspace`, { method: 'PATCH', headers, body })
    expect(reply.status, reply.text).toBe(expected)
  })

  test('decides about signing in as well', async () => {
    const body = JSON.stringify({ email: emails.owner, password })
    const json = { 'content-type': 'application/json' }
    for (const headers of [
      json,
      { ...json, 'sec-fetch-site': 'cross-site' },
      { ...json, origin: 'https://evil.example' },
    ])
      expect((await console.browser().ask('/sign-in', { method: 'POST', headers, body })).status).toBe(403)
  })

  test('does not matter for reading, which changes nothing', async () => {
    const { status } = await console.as.owner.get('/workspace', { headers: { 'sec-fetch-site': 'cross-site' } })
    expect(status).toBe(200)
  })
})

describe('where a browser keeps a sign-in', () => {
  const attempt = (host: string, headers: Record<string, string> = {}) =>
    console.browser({ host, headers }).signIn(emails.owner, password)

  test.each(['localhost:8080', '127.0.0.1', '127.9.8.7:1', '[::1]:8080', 'assize.localhost'])(
    'is at %s over plain http',
    async host => expect((await attempt(host)).status).toBe(200),
  )

  test.each(['prices.example', '192.0.2.1:8080', 'localhost.evil.example', '128.0.0.1', '[::2]'])(
    'is not at %s over plain http, and the answer says what to do',
    async host => {
      const { status, json, headers } = await attempt(host, { 'x-forwarded-proto': 'https' })
      expect([status, headers['set-cookie']]).toEqual([403, undefined])
      expect((json as { error: string }).error).toMatch(/over plain http: put a proxy with TLS .* ASSIZE_TRUST_PROXY/)
    },
  )

  test.each(['a b', 'user@host', 'host/path', 'host?query', ':80'])('is nowhere with the host %j', async host => {
    expect((await attempt(host)).status).toBe(400)
  })

  test('is behind a proxy with TLS that the operator named, and links lead there', async () => {
    const behind = await openConsole({ env: { ASSIZE_TRUST_PROXY: '127.0.0.1' } })
    try {
      const proxied = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.7' }
      const browser = new Browser(behind.api, behind.slug, { host: 'prices.example', headers: proxied })
      expect((await browser.signIn(emails.owner, password)).status).toBe(200)
      const { json } = await browser.post('/people', { email: 'far@test.test', name: '', role: 'viewer' })
      expect((json as Invited).link).toMatch(/^https:\/\/prices\.example\/set-up#/)
      const [row] = (await browser.json<{ rows: { fromAddress: string }[] }>('/activity')).rows
      expect(row!.fromAddress).toBe('203.0.113.7')
      const plain = new Browser(behind.api, behind.slug, {
        host: 'prices.example',
        headers: { 'x-forwarded-proto': 'http' },
      })
      expect((await plain.signIn(emails.owner, password)).status).toBe(403)
    } finally {
      await behind.close()
    }
  })
})

describe('a body', () => {
  const patch = (body: string | Buffer, headers: Record<string, string | number> = {}) =>
    console.as.owner.ask(`/w/${console.slug}/workspace`, {
      method: 'PATCH',
      body,
      headers: { ...console.as.owner.origin, 'content-type': 'application/json', ...headers },
    })

  test('that is not JSON is refused, in words', async () => {
    for (const body of ['', '{', '{"name":"x"} more', Buffer.from([0x22, 0xff, 0x22])]) {
      const { status, json } = await patch(body)
      expect([status, json]).toEqual([400, { error: 'the body cannot be read as JSON' }])
    }
    for (const body of ['null', '[]', '"name"', '7']) expect((await patch(body)).status, body).toBe(422)
  })

  test('that is too large is refused while it comes, whether its length is said or not', async () => {
    const large = JSON.stringify({ name: 'x'.repeat(limits.bodyBytes) })
    const said = await patch(large, { 'content-length': large.length })
    const unsaid = await patch(large, { 'transfer-encoding': 'chunked' })
    for (const { status, json } of [said, unsaid]) {
      expect(status).toBe(413)
      expect(json).toEqual({ error: expect.stringMatching(/^at most 1 MB can be sent here/) })
    }
  })

  test('of a stranger is not read', async () => {
    const head = `POST /console/w/${console.slug}/keys HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nSec-Fetch-Site: same-origin\r\nContent-Length: 1000000\r\n\r\n`
    const answer = await console.api.client.raw(head)
    expect(readRaw(answer)).toMatchObject({ status: 401, headers: { connection: 'close' } })
  })

  test('that is a file may be 50 MB and no more, and a client that sends more sees the answer', async () => {
    const route = routes.find(({ takes }) => takes === 'file')!
    const path = `${pathOf(route)}?file=a.csv&mode=preview`
    const large = Buffer.alloc(limits.upload.wireBytes + 1, 'x')
    for (const headers of [{ 'content-length': large.length }, { 'transfer-encoding': 'chunked' }]) {
      const { status, text } = await console.as.editor.upload(path, large, { headers })
      expect([200, 413]).toContain(status)
      expect(text).toContain('at most 50 MB can be sent here')
    }
    expect((await console.as.editor.get('/workspace')).status).toBe(200)
  })
})

describe('an answer', () => {
  test('over a kilobyte is compressed, and is the same decompressed', async () => {
    for (let n = 0; n < 12; n++) await console.as.owner.post('/keys', { name: `key number ${n}`, expiresAt: null })
    const packed = await console.as.owner.get('/keys')
    expect(packed.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Cookie, Accept-Encoding' })
    const plain = await console.as.owner.get('/keys', { headers: { 'accept-encoding': 'identity' } })
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect((plain.json as KeyRow[]).length).toBeGreaterThanOrEqual(12)
    expect(packed.text).toBe(plain.text)
    const head = await console.as.owner.get('/keys', { method: 'HEAD', headers: { 'accept-encoding': 'identity' } })
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', plain.headers['content-length']])
  })

  test('to an unknown address is a 404 in the same shape, never cached', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/none'],
      ['PUT', `/w/${console.slug}/keys`],
      ['GET', `/w/${console.slug}/none`],
      ['GET', `/w/${console.slug}`],
      ['POST', '/session'],
    ] as const) {
      const reply = await console.as.owner.ask(path, { method, headers: console.as.owner.origin })
      expect([reply.status, reply.json], `${method} ${path}`).toEqual([
        404,
        { error: 'there is nothing at this address' },
      ])
      expectGuarded(reply, path)
    }
  })

  test('to an error on the server gives no internal details, and the log does', async () => {
    const { owner } = console.api
    await owner`alter function find_session(bytea[], text, integer, integer) rename to hidden`
    try {
      const { status, text } = await console.as.owner.get('/workspace')
      expect([status, text]).toEqual([
        500,
        '{"error":"something went wrong on our side; try again with exponential backoff"}',
      ])
      expect(console.api.log.some(line => line.includes('a request failed unexpectedly'))).toBe(true)
    } finally {
      await owner`alter function hidden(bytea[], text, integer, integer) rename to find_session`
    }
    expect((await console.as.owner.get('/workspace')).status).toBe(200)
  })

  test('while the database does not answer in time is a 503, and nobody is let in', async () => {
    const away = await openConsole()
    try {
      const blocked = openOwner(away.api.target, { connections: 1 })
      await blocked`begin`
      await blocked`lock table session in access exclusive mode`
      const { status, headers } = await away.as.owner.get('/workspace')
      expect([status, headers['retry-after']]).toEqual([503, '2'])
      await blocked`rollback`
      await blocked.end()
      expect((await away.as.owner.get('/workspace')).status).toBe(200)
    } finally {
      await away.close()
    }
  })
})
