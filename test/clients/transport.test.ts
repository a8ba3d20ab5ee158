// What the TypeScript client does with single answers: when it asks again, how long it waits, what it keeps, and what it says
// when it gives up. The other side is a script of answers.
import { describe, expect, test } from 'vitest'
import { Assize } from '../../clients/typescript/src/assize.ts'
import { type EtagStore, MemoryStore } from '../../clients/typescript/src/etag-store.ts'
import { AssizeError } from '../../clients/typescript/src/problem.ts'
import type { Options } from '../../clients/typescript/src/transport.ts'
import { formatRateLimit, MemoryRateLimiter } from '../../src/http/traffic/rate-limit.ts'
import { VirtualClock } from '../support/clients/virtual-clock.ts'

type Step = Response | Error | ((url: string, init: RequestInit) => Response | Promise<Response>)

const json = (value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}) =>
  new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json', ...headers } })
const health = { status: 'ok', version: 'v1', timestamp: '2026-01-01T00:00:00.000Z' }

/** A client whose requests are answered by the steps, one after the other. */
function scripted(steps: readonly Step[], options: Options = {}) {
  const clock = new VirtualClock()
  const sent: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly init: RequestInit
  }[] = []
  const left = [...steps]
  const fetch = async (input: unknown, init: RequestInit = {}) => {
    sent.push({ url: String(input), headers: init.headers as Record<string, string>, init })
    const step = left.shift()
    if (step === undefined) throw new Error('the script has ended')
    if (step instanceof Error) throw step
    return typeof step === 'function' ? step(String(input), init) : step
  }
  const assize = new Assize({
    url: 'https://assize.test/',
    key: 'asz_live_x',
    clock,
    fetch: fetch as typeof globalThis.fetch,
    ...options,
  })
  return { assize, clock, sent }
}

/** The error of a call that fails. */
async function failureOf(call: Promise<unknown>): Promise<AssizeError> {
  const error = await call.then(
    () => null,
    each => each,
  )
  expect(error).toBeInstanceOf(AssizeError)
  return error as AssizeError
}

describe('a request', () => {
  test('waits exactly as long as Retry-After says, in seconds or as a date', async () => {
    const date = new Date(Date.now() + 9_000).toUTCString()
    const steps = [json({}, 429, { 'retry-after': '17' }), json({}, 503, { 'retry-after': date }), json(health)]
    const { assize, clock } = scripted(steps)
    expect(await assize.health()).toEqual(health)
    expect(clock.slept[0]).toBe(17_000)
    // A date has whole seconds.
    expect([8_000, 9_000]).toContain(clock.slept[1])
  })

  test('is made again after a broken connection, half a body or a page of a gateway, after a random time that grows', async () => {
    const cut = new Response('{"status":"ok","ver', { headers: { 'content-type': 'application/json' } })
    const gateway = new Response('<h1>Bad Gateway</h1>', { status: 502, headers: { 'content-type': 'text/html' } })
    const { assize, clock, sent } = scripted([new TypeError('fetch failed'), cut, gateway, json({}, 500), json(health)])
    expect(await assize.health()).toEqual(health)
    expect(sent).toHaveLength(5)
    expect(clock.slept).toHaveLength(4)
    for (const [at, ms] of clock.slept.entries()) expect(ms).toBeLessThan(500 * 2 ** at)
  })

  test('gives up after the retries, or when it is asked to wait too long, and says what it knows', async () => {
    const down = () => json({ error: 'the database is not available; try again' }, 503, { 'x-request-id': 'abc' })
    const { assize, sent } = scripted([down(), down(), down()], { retries: 2 })
    const error = await failureOf(assize.health())
    expect(sent).toHaveLength(3)
    expect(error).toMatchObject({
      problem: 'unavailable',
      status: 503,
      requestId: 'abc',
      attempts: 3,
      path: '/v1/health',
    })
    expect(error.message).toBe('GET /v1/health: the database is not available; try again')
    const patient = scripted([json({ error: 'wait' }, 429, { 'retry-after': '3600' })])
    expect(await failureOf(patient.assize.health())).toMatchObject({
      problem: 'too-often',
      retryAfterSeconds: 3600,
      attempts: 1,
    })
  })

  test.each([
    [400, 'invalid'],
    [401, 'unauthorized'],
    [404, 'not-found'],
    [409, 'history-replaced'],
    [413, 'too-large'],
    [415, 'wrong-type'],
    [418, 'refused'],
  ])('is made once if the answer is %i, which is called %s', async (status, problem) => {
    const { assize, sent } = scripted([json({ error: 'no' }, status)])
    expect(await failureOf(assize.agreements.get('steel'))).toMatchObject({ problem, status })
    expect(sent).toHaveLength(1)
  })

  test('follows no redirect with the key, and says where it led', async () => {
    const { assize, sent } = scripted([
      new Response(null, { status: 301, headers: { location: 'https://other.test/' } }),
    ])
    const error = await failureOf(assize.health())
    expect(error.problem).toBe('unreadable')
    expect(error.message).toContain('https://other.test/')
    expect(sent[0]!.init.redirect).toBe('manual')
  })

  test('names what answers in place of the API, and never shows the key', async () => {
    const page = () => new Response('<title>Sign in</title>', { headers: { 'content-type': 'text/html' } })
    const { assize } = scripted([page(), page()], { retries: 1 })
    const error = await failureOf(assize.health())
    expect(error.message).toContain('text/html came')
    expect(JSON.stringify([error, error.message, error.stack, assize])).not.toContain('asz_live_x')
  })

  test('ends when it is aborted: before it is sent, while it waits, and while it is under way', async () => {
    const reason = new Error('enough')
    const before = scripted([json(health)])
    await expect(before.assize.health({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(before.sent).toEqual([])
    const stop = new AbortController()
    const stopping = () => {
      stop.abort(reason)
      return json({}, 503)
    }
    const busy = scripted([stopping, json(health)])
    await expect(busy.assize.health({ signal: stop.signal })).rejects.toBe(reason)
    expect(busy.sent).toHaveLength(1)
    const during = new AbortController()
    const hanging = (_: string, init: RequestInit) =>
      new Promise<Response>((_resolve, reject) => {
        init.signal!.addEventListener('abort', () => reject(init.signal!.reason))
        during.abort(reason)
      })
    await expect(scripted([hanging]).assize.health({ signal: during.signal })).rejects.toBe(reason)
  })

  test('that gets no answer in time is made again, and is a timeout in the end', async () => {
    const hanging = (_: string, init: RequestInit) =>
      new Promise<Response>((_resolve, reject) =>
        init.signal!.addEventListener('abort', () => reject(init.signal!.reason)),
      )
    const { assize, sent } = scripted([hanging, hanging], { timeoutMs: 5, retries: 1 })
    expect(await failureOf(assize.health())).toMatchObject({ problem: 'timeout', status: null, attempts: 2 })
    expect(sent).toHaveLength(2)
  })

  test('reads percentages that travel as numbers with all their digits', async () => {
    const text =
      '{"period":"2024-Q2","adjustmentPct":2.50,"cumulativeAdjustmentPct":12345678901234567890.10,"dataVersion":"FINAL","formulaVersion":1,"confirmed":{"buyer":null,"supplier":null},"components":[{"series":"a \\"weight\\":5","weight":0.35,"change":-1e-7}]}'
    const { assize } = scripted([new Response(text, { headers: { 'content-type': 'application/json' } })])
    expect(await assize.agreements.adjustment('steel')).toMatchObject({
      adjustmentPct: '2.50',
      cumulativeAdjustmentPct: '12345678901234567890.10',
      formulaVersion: 1,
      components: [{ series: 'a "weight":5', weight: '0.35', change: '-1e-7' }],
    })
  })

  test('writes lists with commas and identifiers so that they stay one part of the path', async () => {
    const empty = { data: [], pagination: { limit: 1, hasMore: false, nextCursor: null } }
    const { assize, sent } = scripted([json(empty), json(empty)])
    await assize.adjustments.list({ ids: ['a,b', 'c&d'], latest: true, period: undefined }).all()
    await assize.invoices.get('ohio/metals', '47 11?').all()
    expect(sent.map(({ url }) => url)).toEqual([
      'https://assize.test/ext/v1/adjustments?ids=a%2Cb,c%26d&latest=true',
      'https://assize.test/ext/v1/invoices/ohio%2Fmetals/47%2011%3F',
    ])
  })

  test.each([
    [{ url: 'ftp://x.test', key: 'k' }, 'must begin with https'],
    [{ url: 'https://key@x.test', key: 'k' }, 'without a user'],
    [{ url: 'https://x.test?key=k', key: 'k' }, 'without a user, a query'],
    [{ url: 'https://x.test', key: '' }, 'an API key is needed'],
    [{ url: 'https://x.test', key: 'k\nk' }, 'an API key is needed'],
    [{ url: '', key: 'k' }, 'the address of the server is needed'],
  ])('is not made with the options %j', (options, words) => {
    expect(() => new Assize(options)).toThrow(words)
  })
})

describe('answers that were read before', () => {
  const body = { data: [{ slug: 'a' }], pagination: { limit: 1, hasMore: false, nextCursor: null } }

  test('are not sent again: the tag is shown, and a 304 gives the same', async () => {
    const { assize, sent } = scripted([
      json(body, 200, { etag: '"1"' }),
      new Response(null, { status: 304 }),
      json(body, 200, { etag: '"2"' }),
    ])
    const first = await assize.adjustments.list().first()
    expect(await assize.adjustments.list().first()).toEqual(first)
    await assize.adjustments.list().first()
    expect(sent.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"1"', '"1"'])
  })

  test('are kept only whole, never those of another address, and nowhere if that is asked for', async () => {
    const cut = new Response('{"data":[{"sl', { headers: { 'content-type': 'application/json', etag: '"half"' } })
    const { assize, sent } = scripted([cut, json(body, 200, { etag: '"1"' }), json(body)])
    await assize.adjustments.list().first()
    await assize.prices.list().first()
    expect(sent.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, undefined, undefined])
    const without = scripted([json(body, 200, { etag: '"1"' }), json(body)], { etags: false })
    await without.assize.adjustments.list().first()
    await without.assize.adjustments.list().first()
    expect(without.sent[1]!.headers['if-none-match']).toBeUndefined()
  })

  test('may be kept elsewhere', async () => {
    const kept = new Map<string, Awaited<ReturnType<EtagStore['get']>>>()
    const etags: EtagStore = {
      get: async address => kept.get(address),
      set: async (address, answer) => void kept.set(address, answer),
    }
    await scripted([json(body, 200, { etag: '"1"' })], { etags })
      .assize.adjustments.list()
      .first()
    const later = scripted([new Response(null, { status: 304 })], { etags })
    expect(await later.assize.adjustments.list().first()).toEqual(body)
  })

  test('take up no more than was granted; what was used last stays', () => {
    const store = new MemoryStore(10)
    const answer = (text: string) => ({ etag: '"1"', body: text, link: null })
    store.set('a', answer('1234'))
    store.set('b', answer('1234'))
    store.get('a')
    store.set('c', answer('1234'))
    expect(['a', 'b', 'c'].map(name => store.get(name) !== undefined)).toEqual([true, false, true])
    store.set('d', answer('12345678901'))
    expect(['a', 'c', 'd'].map(name => store.get(name))).toEqual([undefined, undefined, undefined])
  })
})

describe('the limit', () => {
  /** The limiter of the server itself, on the clock of the client. */
  function limited(perMinute: number, others = 0) {
    const limiter = new MemoryRateLimiter()
    const clock = new VirtualClock()
    let refused = 0
    let asked = 0
    const caller = { id: 'key', rateLimit: perMinute, workspaceId: 'w', workspaceRateLimit: perMinute * 10 }
    const fetch = async () => {
      asked++
      for (let other = 0; other < others; other++) limiter.take(caller, clock.now())
      const decision = limiter.take(caller, clock.now())
      if (!decision.accepted) refused++
      const headers = { ratelimit: formatRateLimit(decision), 'retry-after': `${decision.resetSeconds}` }
      await new Promise(resolve => setImmediate(resolve))
      return json(decision.accepted ? health : { error: 'too often' }, decision.accepted ? 200 : 429, headers)
    }
    const assize = new Assize({ url: 'https://assize.test', key: 'k', clock, fetch: fetch as typeof globalThis.fetch })
    return { assize, clock, refused: () => refused, asked: () => asked }
  }

  test.each([1, 2, 5, 60])(
    'of %i a minute is never reached by a walk, which is as fast as it allows',
    async perMinute => {
      const { assize, clock, refused, asked } = limited(perMinute)
      const calls = perMinute * 3 + 1
      for (let call = 0; call < calls; call++) await assize.health()
      expect([asked(), refused()]).toEqual([calls, 0])
      // One of the limit is left to others: at most three windows and a bit, or one request per window.
      expect(clock.now()).toBeLessThanOrEqual(60_000 * Math.ceil(calls / Math.max(1, perMinute - 1)))
    },
  )

  test('is not reached by 500 requests at once either', async () => {
    const { assize, refused, asked } = limited(60)
    await Promise.all(Array.from({ length: 500 }, () => assize.health()))
    expect([asked(), refused()]).toEqual([500, 0])
  })

  test('that others use up is waited for, and every request has its answer', async () => {
    const { assize, refused } = limited(30, 2)
    for (let call = 0; call < 100; call++) await assize.health()
    expect(refused()).toBeLessThan(100)
  })
})
