import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Fetcher, type FetcherOptions, type FetchRequest, noValidators } from '../../src/ingest/fetch.ts'
import { readRetryAfter } from '../../src/outbound/retry-after.ts'
import { bls } from '../../src/providers/bls.ts'
import { boj } from '../../src/providers/boj.ts'
import type { Provider, ProviderRequest } from '../../src/providers/provider.ts'
import { LocalServer, type Respond, send } from './local-server.ts'

let server: LocalServer
beforeAll(async () => {
  server = await LocalServer.start()
})
afterAll(() => server.close())

const fetchers: Fetcher[] = []
afterEach(() => {
  for (const fetcher of fetchers.splice(0)) fetcher.close()
})

const get: ProviderRequest = { codes: ['X'], method: 'GET', path: '/data?x=1', headers: {}, body: null, secrets: [] }

function fetcherOf(options: Partial<FetcherOptions> = {}): Fetcher {
  const fetcher = new Fetcher({
    resolve: async () => [],
    userAgent: 'Assize/test (contact: a@example.com)',
    nowMs: () => Date.parse('2024-04-11T12:00:00Z'),
    ...options,
  })
  fetchers.push(fetcher)
  return fetcher
}

function ask(respond: Respond, options: Partial<FetcherOptions> = {}, fetchRequest: Partial<FetchRequest> = {}) {
  server.respond = respond
  const whole = { provider: bls, request: get, base: server.base, validators: noValidators, ...fetchRequest }
  return fetcherOf(options).fetch(whole, AbortSignal.timeout(30_000))
}

const small = { wireBytes: 10_000, unpackedBytes: 100_000, ratio: 100, ratioFromBytes: 1000, largeBytes: 5_000 }

describe('an answer', () => {
  test('is text with the address of the provider itself, even where another server passed it on', async () => {
    const fetched = await ask((_asked, response) =>
      send(response, '{"a": 1.10}', { 'content-type': 'application/json' }),
    )
    expect(fetched).toMatchObject({
      kind: 'answer',
      hasMarkedEnd: true,
      answer: {
        status: 200,
        body: '{"a": 1.10}',
        url: 'https://api.bls.gov/publicAPI/v2/data?x=1',
        codes: ['X'],
        contentType: 'application/json',
      },
    })
    expect(server.asked.at(-1)!.headers['user-agent']).toBe('Assize/test (contact: a@example.com)')
  })

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
  ] as const)('compressed with %s is decompressed', async (encoding, pack) => {
    const fetched = await ask((_asked, response) =>
      send(response, pack('{"value":"1.10"}'), { 'content-encoding': encoding }),
    )
    expect(fetched).toMatchObject({ kind: 'answer', answer: { body: '{"value":"1.10"}' } })
  })

  test('in Shift-JIS or latin1 is decoded correctly', async () => {
    const japanese = await ask(
      (_asked, response) => send(response, Buffer.from([0x22, 0x93, 0xfa, 0x22, 0x0a])),
      {},
      {
        provider: boj,
      },
    )
    expect(japanese).toMatchObject({ answer: { body: '"日"\n' } })
    const german = await ask((_asked, response) =>
      send(response, Buffer.from([0x4d, 0xfc, 0x0a]), { 'content-type': 'text/plain; charset=iso-8859-1' }),
    )
    expect(german).toMatchObject({ answer: { body: 'Mü\n' } })
  })

  test('that has not changed is not sent again', async () => {
    const respond: Respond = (asked, response) => {
      if (asked.headers['if-none-match'] === '"v1"') response.writeHead(304).end()
      else send(response, '{}', { etag: '"v1"', 'last-modified': 'Thu, 11 Apr 2024 12:30:00 GMT' })
    }
    const first = await ask(respond)
    expect(first).toMatchObject({ validators: { etag: '"v1"', lastModified: 'Thu, 11 Apr 2024 12:30:00 GMT' } })
    const again = await ask(respond, {}, { validators: { etag: '"v1"', lastModified: null } })
    expect(again).toEqual({ kind: 'unchanged' })
  })

  test('keeps its status and says how long to wait', async () => {
    const fetched = await ask((_asked, response) => send(response, 'slow down', { 'retry-after': '7' }, 429))
    expect(fetched).toMatchObject({ kind: 'answer', retryAfterMs: 7000, answer: { status: 429, body: 'slow down' } })
    const now = Date.parse('2024-04-11T12:00:00Z')
    expect(readRetryAfter('Thu, 11 Apr 2024 12:00:30 GMT', now)).toBe(30_000)
    expect(readRetryAfter('Thu, 11 Apr 2024 11:00:30 GMT', now)).toBe(0)
    expect([readRetryAfter('soon', now), readRetryAfter(undefined, now)]).toEqual([null, null])
  })
})

describe('bounds', () => {
  test('too many bytes on the wire are refused, announced or not', async () => {
    const said = await ask((_asked, response) => send(response, 'x'.repeat(20_000)), { bounds: small })
    const unsaid = await ask((_asked, response) => void response.writeHead(200).end('x'.repeat(20_000)), {
      bounds: small,
    })
    for (const fetched of [said, unsaid])
      expect(fetched).toMatchObject({ kind: 'failed', isPassing: false, problem: { kind: 'too-large' } })
  })

  test('decompression bombs are refused by size and by ratio', async () => {
    const bomb = (bytes: number, noise: number) =>
      gzipSync(Buffer.concat([Buffer.alloc(bytes), Buffer.from(crypto.getRandomValues(new Uint8Array(noise)))]))
    const bySize = await ask(
      (_asked, response) => send(response, bomb(200_000, 5000), { 'content-encoding': 'gzip' }),
      {
        bounds: small,
      },
    )
    expect(bySize).toMatchObject({
      kind: 'failed',
      problem: { kind: 'too-large', message: expect.stringContaining('unpacks to over 0 MB') },
    })
    const byRatio = await ask((_asked, response) => send(response, bomb(90_000, 0), { 'content-encoding': 'gzip' }), {
      bounds: small,
    })
    expect(byRatio).toMatchObject({ kind: 'failed', problem: { message: expect.stringContaining('100 times') } })
  })

  test('a bomb is dropped long before it is unpacked, with the default limits', async () => {
    const packed = gzipSync(Buffer.alloc(300 * 1024 * 1024), { level: 9 })
    const before = process.memoryUsage().rss
    const fetched = await ask((_asked, response) => send(response, packed, { 'content-encoding': 'gzip' }))
    expect(fetched).toMatchObject({ kind: 'failed', problem: { kind: 'too-large' } })
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024)
  })

  test('large answers are read one at a time; small ones do not wait, and a cancelled one blocks nobody', async () => {
    const fetcher = fetcherOf({ bounds: small, answerMs: 1_500 })
    const from = (path: string) =>
      fetcher.fetch(
        { provider: bls, request: { ...get, path }, base: server.base, validators: noValidators },
        AbortSignal.timeout(30_000),
      )
    let finish = () => {}
    server.respond = ({ path }, response) => {
      if (path !== '/open') return send(response, 'x'.repeat(path === '/large' ? 8_000 : 100))
      response.writeHead(200, { 'content-length': '8000' }).write('x'.repeat(6_000))
      finish = () => void response.end('x'.repeat(2_000))
    }
    const open = from('/open')
    while (server.asked.at(-1)?.path !== '/open') await sleep(5)
    await sleep(50)
    let isDone = false
    const large = from('/large').finally(() => {
      isDone = true
    })
    expect(await from('/small')).toMatchObject({ kind: 'answer', answer: { body: 'x'.repeat(100) } })
    await sleep(100)
    expect(isDone).toBe(false)
    finish()
    for (const fetched of [await open, await large])
      expect(fetched).toMatchObject({ kind: 'answer', answer: { body: 'x'.repeat(8_000) } })
    const stuck = from('/open')
    await sleep(700)
    const last = await from('/large')
    expect(await stuck).toMatchObject({ problem: { message: expect.stringContaining('took longer') } })
    expect(last).toMatchObject({ kind: 'answer' })
  })

  test('a slow answer is cancelled, before its first byte and after', async () => {
    for (const respond of [
      () => {},
      (_asked, response) => {
        response.writeHead(200)
        const drip = setInterval(() => response.write(' '), 20)
        response.once('close', () => clearInterval(drip))
      },
    ] satisfies Respond[]) {
      const fetched = await ask(respond, { answerMs: 200 })
      expect(fetched).toMatchObject({
        kind: 'failed',
        isPassing: false,
        problem: { message: 'BLS took longer than 0.2 s' },
      })
    }
  })
})

describe('an answer that breaks off', () => {
  test('is a failure and never a shorter answer', async () => {
    const packed = gzipSync('a,b\n1,2\n'.repeat(1000))
    const cuts: readonly Respond[] = [
      (_asked, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('a,b\n1,2\n')
        setTimeout(() => response.destroy(), 20)
      },
      (_asked, response) => {
        response.writeHead(200).write('a,b\n1,2\n')
        setTimeout(() => response.destroy(), 20)
      },
      (_asked, response) => send(response, packed.subarray(0, 30), { 'content-encoding': 'gzip' }),
      (_asked, response) => send(response, brotliCompressSync(packed).subarray(0, 30), { 'content-encoding': 'br' }),
      (_asked, response) => {
        response.socket!.end('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\na,b\n1,2\n1')
      },
    ]
    for (const respond of cuts)
      expect(await ask(respond)).toMatchObject({ kind: 'failed', isPassing: true, problem: { kind: 'unreadable' } })
  })

  test('that is damaged, or compressed in an unknown way, is unreadable', async () => {
    const garbage = await ask((_asked, response) => send(response, 'garbage', { 'content-encoding': 'gzip' }))
    expect(garbage).toMatchObject({ kind: 'failed', problem: { kind: 'unreadable' } })
    const odd = await ask((_asked, response) => send(response, 'x', { 'content-encoding': 'gzip, gzip' }))
    expect(odd).toMatchObject({
      kind: 'failed',
      problem: { kind: 'unreadable', message: expect.stringContaining('"gzip, gzip"') },
    })
  })

  test('without a marked end is reported as such', async () => {
    const fetched = await ask((_asked, response) => {
      response.socket!.end('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{"a":1}')
    })
    expect(fetched).toMatchObject({ kind: 'answer', hasMarkedEnd: false })
  })
})

describe('addresses', () => {
  const own = { base: null }
  const never = { resolve: async () => [{ address: '10.1.2.3', family: 4 }] }

  test('a name that resolves to a private address is refused', async () => {
    for (const address of [
      '127.0.0.1',
      '169.254.169.254',
      '192.168.1.1',
      '::1',
      'fe80::1',
      '::ffff:10.0.0.1',
      '0.0.0.0',
    ]) {
      const family = address.includes(':') ? 6 : 4
      const fetched = await ask(() => {}, { resolve: async () => [{ address, family }] }, own)
      expect(fetched).toEqual({
        kind: 'failed',
        isPassing: false,
        problem: {
          kind: 'provider-error',
          message: `api.bls.gov resolves to an address inside the house, which is not a public address`,
        },
      })
    }
  })

  test('one private address among public ones is enough', async () => {
    const mixed = async () => [
      { address: '198.41.0.4', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ]
    expect(await ask(() => {}, { resolve: mixed }, own)).toMatchObject({ kind: 'failed', isPassing: false })
  })

  test('a host that is not the provider\u2019s, plain http and another port are refused', async () => {
    for (const baseUrl of [
      'https://example.com/v2',
      'http://api.bls.gov/v2',
      'https://api.bls.gov:8443/v2',
      'https://u@api.bls.gov',
    ])
      expect(await ask(() => {}, never, { ...own, provider: { ...bls, baseUrl } satisfies Provider })).toMatchObject({
        kind: 'failed',
        problem: { message: expect.stringContaining('is not an address of BLS') },
      })
  })

  test('a request may name another base, on a host of the provider; the operator\u2019s own base stays the only one', async () => {
    const away = { ...get, baseUrl: 'https://example.com' }
    expect(await ask(() => {}, never, { ...own, request: away })).toMatchObject({
      problem: { message: 'example.com is not an address of BLS' },
    })
    const calendar = { ...get, baseUrl: 'https://www.bls.gov', path: '/schedule/news_release/bls.ics' }
    expect(await ask(() => {}, { resolve: async () => [] }, { ...own, request: calendar })).toMatchObject({
      problem: { message: expect.not.stringContaining('is not an address of BLS') },
    })
    const fetched = await ask((asked, response) => send(response, asked.path), {}, { request: calendar })
    expect(fetched).toMatchObject({
      answer: { body: '/schedule/news_release/bls.ics', url: 'https://www.bls.gov/schedule/news_release/bls.ics' },
    })
  })

  test('redirects are followed on the same host and never to another', async () => {
    const home = await ask((asked, response) => {
      if (asked.path.startsWith('/data')) response.writeHead(302, { location: '/moved' }).end()
      else send(response, '{"at":"home"}')
    })
    expect(home).toMatchObject({ kind: 'answer', answer: { body: '{"at":"home"}' } })
    const away = await ask(
      (_asked, response) => void response.writeHead(302, { location: 'http://localhost:1/x?api_key=1' }).end(),
    )
    expect(away).toMatchObject({ problem: { message: 'BLS redirects to http://localhost:1, which is not followed' } })
    const circle = await ask((_asked, response) => void response.writeHead(301, { location: '/data' }).end())
    expect(circle).toMatchObject({ problem: { message: 'BLS redirects more than 3 times' } })
  })

  test('an unreachable provider is reported in words', async () => {
    const fetched = await ask(() => {}, {}, { base: 'http://127.0.0.1:1' })
    expect(fetched).toMatchObject({
      kind: 'failed',
      isPassing: true,
      problem: { message: 'BLS cannot be reached: ECONNREFUSED' },
    })
  })
})

describe('secrets', () => {
  const secret = 'k3y-with+odd/chars'
  const request = { ...get, path: `/data?api_key=${encodeURIComponent(secret)}`, secrets: [secret] }

  test('appear in no address and no message', async () => {
    const fetched = await ask((_asked, response) => send(response, '{}'), {}, { request })
    expect(server.asked.at(-1)!.path).toContain(encodeURIComponent(secret))
    expect(fetched).toMatchObject({ answer: { url: 'https://api.bls.gov/publicAPI/v2/data?api_key=***' } })
    const away = await ask(
      (_asked, response) =>
        void response.writeHead(302, { location: `http://${encodeURIComponent('x')}.test/?${secret}` }).end(),
      {},
      { request },
    )
    expect(JSON.stringify(away)).not.toContain('k3y')
  })
})
