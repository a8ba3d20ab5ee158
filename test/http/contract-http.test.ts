// What HTTP itself refuses, odd Authorization headers and other origins' pages (C4 and C6, T5): bytes on a socket in, the
// shape of our errors out.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RawAnswer, readRaw } from '../support/clients/http-client.ts'
import { problemsOf } from '../support/clients/wire-shapes.ts'
import { type Api, openApi, type Tenant } from '../support/houses/api.ts'
import { openOwnApi, ownHouse } from '../support/houses/house.ts'
import { openTestDatabase } from '../support/run/postgres.ts'

let tenant: Tenant
const api = ownHouse(openOwnApi)
beforeAll(async () => {
  tenant = await api.tenant()
})

const send = async (...lines: string[]): Promise<RawAnswer> =>
  readRaw(await api.client.raw(`${lines.join('\r\n')}\r\n\r\n`, { waitMs: 5_000 }))
const authorization = () => `Authorization: Bearer ${tenant.key}`

function expectRefusal(answer: RawAnswer, status: number, what: string): void {
  expect(answer.status, what).toBe(status)
  expect(answer.headers['content-type'], what).toBe('application/json')
  expect(problemsOf('error', answer.body), what).toEqual([])
  expect(answer.headers['content-length'], what).toBe(`${Buffer.byteLength(answer.body, 'latin1')}`)
  expect(answer.headers['x-request-id'], what).toMatch(/^[\w-]{4,}$/)
}

describe('what HTTP itself refuses', () => {
  test('C6: headers over the limit are 431 in the shape of errors (T5: 20 kB of Authorization)', async () => {
    expectRefusal(
      await send('GET /v1/series HTTP/1.1', 'Host: x', `Authorization: Bearer ${'a'.repeat(20_000)}`),
      431,
      '20 kB',
    )
    expectRefusal(await send(`GET /v1/series?x=${'a'.repeat(20_000)} HTTP/1.1`, 'Host: x'), 431, 'a long address')
    expectRefusal(
      await send('GET /v1/health HTTP/1.1', 'Host: x', ...Array.from({ length: 3_000 }, (_, i) => `X-${i}: y`)),
      431,
      'many',
    )
  })

  test('C6: an expectation that is not 100-continue is 417', async () => {
    expectRefusal(
      await send('GET /v1/health HTTP/1.1', 'Host: x', 'Expect: the-moon', 'Connection: close'),
      417,
      'Expect',
    )
    const continued = await send('GET /v1/health HTTP/1.1', 'Host: x', 'Expect: 100-continue', 'Connection: close')
    expect(continued.status).toBe(100)
  })

  test('C6: a missing Host is 400 in HTTP/1.1 and none is needed in 1.0', async () => {
    expectRefusal(await send('GET /v1/health HTTP/1.1', 'Connection: close'), 400, 'no Host')
    expectRefusal(await send('GET /v1/series HTTP/1.1', authorization(), 'Connection: close'), 400, 'no Host, a key')
    expect((await send('GET /v1/health HTTP/1.0')).status).toBe(200)
  })

  test('C6: what cannot be read as a request is 400', async () => {
    for (const bytes of [
      'GARBAGE',
      'GET /v1/health',
      'GET /v1/health HTTP/9.9\r\nHost: x',
      'GET /v1/he\u0000alth HTTP/1.1\r\nHost: x',
      'GET /v1/health HTTP/1.1\r\nHost: x\r\nBroken header',
      'GET /v1/health HTTP/1.1\r\nHost: x\r\nX-Split: a\u0000b',
      'GET /v1/health HTTP/1.1\r\nHost: x\r\n X-Folded: y',
      'GET /v1/series HTTP/1.1\r\nHost: x\r\nContent-Length: abc',
      'GET /v1/series HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2',
      'GET /v1/series HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked',
      '\u0016\u0003\u0001\u0002\u0000\u0001\u0000',
    ])
      expectRefusal(await send(bytes, '', ''), 400, JSON.stringify(bytes))
  })

  test('C6: an unreadable body after the answer gets no second answer', async () => {
    const { text } = await api.client.raw(
      'POST /v1/series HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      { waitMs: 1_000 },
    )
    expect([...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status)).toEqual(['401'])
  })

  test('a request before something that is none has its answer first, and the connection ends', async () => {
    const head = `Host: x\r\n${authorization()}\r\n\r\n`
    for (const line of ['GET /v1/series', 'HEAD /v1/series']) {
      const { text, isClosed } = await api.client.raw(`${line} HTTP/1.1\r\n${head}<Invoice/>`, { waitMs: 5_000 })
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status)
      expect([statuses[0], isClosed]).toEqual(['200', true])
      expect(text).toMatch(/^connection: close\r$/im)
    }
  })

  test('C4: CONNECT is refused in the shape of errors', async () => {
    expectRefusal(await send('CONNECT example.com:443 HTTP/1.1', 'Host: example.com:443'), 405, 'CONNECT')
  })

  test('answers requests of one connection in order, and continues after an error of ours', async () => {
    const close = 'GET /v1/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    const head = `Host: x\r\n${authorization()}\r\n\r\n`
    const { text } = await api.client.raw(
      `GET /v1/none HTTP/1.1\r\n${head}GET /v1/series HTTP/1.1\r\n${head}GET /v1/series?limit=0 HTTP/1.1\r\n${head}${close}`,
      { waitMs: 5_000 },
    )
    expect([...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status)).toEqual(['404', '200', '400', '200'])
  })

  test('T46: a body that looks like a request is a body, and ends the connection where nobody reads it', async () => {
    const inside = `GET /v1/series HTTP/1.1\r\nHost: x\r\n${authorization()}\r\n\r\n`
    const head = `Host: x\r\n${authorization()}\r\nContent-Type: application/json\r\nContent-Length: ${inside.length}\r\n\r\n`
    for (const line of ['POST /v1/series', 'GET /v1/series', 'POST /ext/v1/check']) {
      const { text, isClosed } = await api.client.raw(`${inside}${line} HTTP/1.1\r\n${head}${inside}`, {
        waitMs: 5_000,
      })
      const [first, second, ...others] = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status)
      expect([first, others], line).toEqual(['200', []])
      expect(second, line).toMatch(/^4/)
      expect(isClosed, line).toBe(true)
    }
  })

  test('accepts an address in its absolute form, as a proxy sends it', async () => {
    const answer = await send('GET http://assize.test/v1/health HTTP/1.1', 'Host: assize.test', 'Connection: close')
    expect(answer.status).toBe(200)
  })
})

describe('Authorization (T5)', () => {
  const ask = (...lines: string[]) => send('GET /v1/series HTTP/1.1', 'Host: x', 'Connection: close', ...lines)

  test('accepts exactly one: the scheme in any letter case, one or more spaces, and a key', async () => {
    const { key } = tenant
    const spellings = [`Bearer ${key}`, `bearer ${key}`, `BEARER ${key}`, `Bearer   ${key}`, `bEaRer      ${key}  `]
    for (const written of spellings)
      for (const name of ['Authorization', 'authorization'])
        expect((await ask(`${name}: ${written}`)).status, `${name}: ${written}`).toBe(200)
  })

  test('refuses everything else with the same 401, whatever is wrong', async () => {
    const { key } = tenant
    const odd: readonly (readonly string[])[] = [
      [],
      ['Authorization:'],
      ['Authorization: Bearer'],
      [`Authorization: ${key}`],
      [`Authorization: Bearer${key}`],
      [`Authorization: Bearers ${key}`],
      [`Authorization: Bearer \t${key}`],
      [`Authorization: Bearer Bearer ${key}`],
      [`Authorization: Bearer\t${key}`],
      [`Authorization: Bearer ${key} x`],
      [`Authorization: Bearer ${key},${key}`],
      [`Authorization: Bearer "${key}"`],
      [`Authorization: Basic ${Buffer.from(`${key}:`).toString('base64')}`],
      [`Authorization: Token ${key}`],
      [authorization(), authorization()],
      [authorization(), 'Authorization: Bearer x'],
      ['Authorization: Bearer x', authorization()],
      [authorization(), 'authorization:'],
      [`Authorization: Bearer ${'a'.repeat(129)}`],
      [`Authorization: Bearer ${key}${'a'.repeat(100)}`],
      [`Proxy-Authorization: Bearer ${key}`],
      [`X-Api-Key: ${key}`],
      [`Cookie: Authorization=Bearer ${key}`],
    ]
    const bodies = new Set<string>()
    for (const lines of odd) {
      const answer = await ask(...lines)
      expectRefusal(answer, 401, lines.join(' + '))
      expect(answer.headers['www-authenticate']).toMatch(/^Bearer/)
      expect(answer.headers.ratelimit).toBeUndefined()
      bodies.add(answer.body)
    }
    expect(bodies.size).toBe(1)
  })

  test('accepts no key in the address', async () => {
    for (const name of ['key', 'api_key', 'access_token', 'authorization'])
      expect((await api.ask(`/v1/series?${name}=${tenant.key}`)).status, name).toBe(401)
  })
})

describe('other origins’ pages', () => {
  const page = 'https://erp.example.com'
  let open: Api
  let guest: Tenant
  beforeAll(async () => {
    open = await openApi(await openTestDatabase(), {
      env: { ASSIZE_CORS_ORIGINS: `${page},https://other.example.com` },
    })
    guest = await open.tenant()
  })
  afterAll(() => open.close())
  const preflight = {
    origin: page,
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'authorization',
  }

  test('C4: get no special answer while it is switched off', async () => {
    const plain = await tenant.get('/series', { headers: { origin: page } })
    expect(Object.keys(plain.headers).filter(name => name.startsWith('access-control'))).toEqual([])
    expect((await api.ask('/v1/series', { method: 'OPTIONS', headers: preflight })).status).toBe(401)
    expect((await tenant.get('/series', { method: 'OPTIONS', headers: preflight })).status).toBe(405)
  })

  test('C4: a preflight of a listed origin is answered without a key, on every path and health', async () => {
    for (const path of ['/v1/series', '/api/v1/pams/x/adjustment', '/v1/health']) {
      const { status, headers, body } = await open.ask(path, { method: 'OPTIONS', headers: preflight })
      expect(status, path).toBe(204)
      expect(body.length, path).toBe(0)
      // A 204 has no body and must not give the length of one (RFC 9110, 8.6).
      expect(headers['content-length'], path).toBeUndefined()
      expect(headers['access-control-allow-origin'], path).toBe(page)
      expect(headers['access-control-allow-methods'], path).toMatch(/GET/)
      expect(headers['access-control-allow-headers']?.toLowerCase(), path).toContain('authorization')
      expect(headers.vary?.toLowerCase(), path).toContain('origin')
      expect(headers['access-control-allow-credentials'], path).toBeUndefined()
    }
  })

  test('C4: answers to a listed origin name it and expose our headers; another origin is named nowhere', async () => {
    const listed = await guest.get('/series', { headers: { origin: page } })
    expect(listed.status).toBe(200)
    expect(listed.headers['access-control-allow-origin']).toBe(page)
    for (const name of ['etag', 'link', 'ratelimit', 'retry-after', 'x-request-id'])
      expect(`${listed.headers['access-control-expose-headers']}`.toLowerCase()).toContain(name)
    expect(listed.headers.vary).toMatch(/Authorization/)
    expect(listed.headers.vary).toMatch(/Origin/)
    for (const origin of ['https://evil.example.com', 'null', 'http://erp.example.com', `${page}.evil.com`]) {
      const reply = await guest.get('/series', { headers: { origin } })
      expect(reply.headers['access-control-allow-origin'], origin).toBeUndefined()
      const asked = await open.ask('/v1/series', { method: 'OPTIONS', headers: { ...preflight, origin } })
      expect(asked.headers['access-control-allow-origin'], origin).toBeUndefined()
    }
    expect((await open.ask('/v1/series', { headers: { origin: page } })).headers['access-control-allow-origin']).toBe(
      page,
    )
  })
})
