// The shared limit against a real Redis, started here on a free port and ended by its id. Without redis-server on the
// machine the file says so in one line and does nothing else.
import { type ChildProcess, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@redis/client'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import type { RateCaller, RateDecision } from '../../src/http/traffic/rate-limit.ts'
import { RedisRateLimiter } from '../../src/http/traffic/rate-limit-redis.ts'
import { limits } from '../../src/limits.ts'
import { startServer } from '../../src/main.ts'
import { openApplication } from '../../src/storage/postgres/database.ts'
import type { Installation } from '../../src/storage/upkeep/installation.ts'
import { RedisStandIn } from '../stand-in/redis.ts'
import { testSecret } from '../support/run/postgres.ts'
import { freePort, startRedis } from '../support/run/redis.ts'

const isInstalled = spawnSync('redis-server', ['--version']).status === 0
if (!isInstalled)
  process.stderr.write('redis-server is not installed: the tests of the shared rate limit were not run\n')

/** Ends with the test process at the latest, and accepts the password in the address. */
function startGuarded(port: number, folder: string): Promise<ChildProcess> {
  return startRedis(port, folder, { requirepass: 'open-sesame' })
}

async function stopRedis(redis: ChildProcess | null): Promise<void> {
  if (redis === null || redis.exitCode !== null || redis.signalCode !== null) return
  redis.kill('SIGKILL')
  await once(redis, 'exit')
}

/** The test's own connection, to inspect what is stored. */
async function openInspector(url: string) {
  const client = createClient({ url, socket: { reconnectStrategy: false } }).on('error', () => {})
  await client.connect()
  return client
}

/** A key of a workspace that may make as many requests as it likes. */
function alone(id: string, rateLimit: number): RateCaller {
  return { id, rateLimit, workspaceId: `workspace of ${id}`, workspaceRateLimit: 1_000_000_000 }
}

function countAccepted(decisions: readonly RateDecision[]): number {
  return decisions.filter(({ accepted }) => accepted).length
}

function takeMany(limiter: RedisRateLimiter, keyId: string, count: number, nowMs = 0): Promise<RateDecision[]> {
  return Promise.all(Array.from({ length: count }, () => limiter.take(alone(keyId, 60), nowMs)))
}

/** The same where none waits: a promise is not a decision. */
function takeNow(limiter: RedisRateLimiter, keyId: string, count: number, nowMs = 0): RateDecision[] {
  const decisions = Array.from({ length: count }, () => limiter.take(alone(keyId, 60), nowMs))
  return decisions.map(decision => {
    if (decision instanceof Promise) throw new Error('a request waited')
    return decision
  })
}

const patiently = { timeout: 30_000 }

async function waitUntilBack(limiter: RedisRateLimiter): Promise<void> {
  await expect.poll(() => limiter.isCutOff, patiently).toBe(false)
}

/** Which commands were called how often. */
function readCommands(statistics: string): ReadonlyMap<string, number> {
  const found = [...statistics.matchAll(/^cmdstat_([a-z]+)(?:\|\w+)?:calls=(\d+)/gm)]
  const calls = found.map(([, name, count]) => [name!, Number.parseInt(count!, 10)] as const)
  return new Map(calls.filter(([name]) => !['config', 'info'].includes(name)).sort())
}

describe.runIf(isInstalled)('the limit in Redis', () => {
  let folder: string
  let url: string
  let port: number
  let redis: ChildProcess | null = null
  let inspect: Awaited<ReturnType<typeof openInspector>>
  let one: RedisRateLimiter
  let two: RedisRateLimiter
  let reports: string[]

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assize-redis-'))
    port = await freePort()
    url = `redis://:open-sesame@127.0.0.1:${port}`
  })

  beforeEach(async () => {
    redis = await startGuarded(port, folder)
    inspect = await openInspector(url)
    reports = []
    one = await RedisRateLimiter.open(url, (state, reason) => reports.push(`${state}: ${reason}`))
    two = await RedisRateLimiter.open(url, () => {})
  })

  afterEach(async () => {
    await one.close()
    await two.close()
    inspect.destroy()
    await stopRedis(redis)
  })

  afterAll(() => rm(folder, { recursive: true, force: true }))

  /** Lets time pass for a key: everything it was granted moves into the past. */
  async function age(keyId: string, ms: number): Promise<void> {
    const log = `assize:rate:${keyId}`
    const leaves = await inspect.lRange(log, 0, -1)
    await inspect.del(log)
    await inspect.rPush(
      log,
      leaves.map(time => String(Number(time) - ms * 1000)),
    )
  }

  test('accepts 60 of 300 parallel requests, and two processes accept 60 together (F9)', async () => {
    expect(countAccepted(await takeMany(one, 'key', 300))).toBe(60)
    const both = await Promise.all([takeMany(one, 'shared', 150), takeMany(two, 'shared', 150)])
    expect(countAccepted(both.flat())).toBe(60)
    expect(
      both
        .flat()
        .filter(({ accepted }) => !accepted)
        .every(({ resetSeconds }) => resetSeconds === 60),
    ).toBe(true)
  })

  test('answers the same as the limit in memory', async () => {
    for (let i = 0; i < 3; i++)
      expect(await one.take(alone('key', 3), 0)).toMatchObject({
        accepted: true,
        limit: 3,
        remaining: 2 - i,
        resetSeconds: 60,
      })
    expect(await two.take(alone('key', 3), 0)).toMatchObject({
      accepted: false,
      limit: 3,
      remaining: 0,
      resetSeconds: 60,
    })
    await age('key', 20_500)
    expect(await one.take(alone('key', 3), 0)).toMatchObject({ accepted: false, resetSeconds: 40 })
    expect(await one.take(alone('key', 4), 0)).toMatchObject({ accepted: true, remaining: 0, resetSeconds: 40 })
    expect(await one.take(alone('key', 2), 0)).toMatchObject({ accepted: false, remaining: 0, resetSeconds: 40 })
  })

  test('agrees with the naive rule, whatever time passes between requests', async () => {
    const steps = fc.array(
      fc.record({
        gap: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 40 })),
        limit: fc.integer({ min: 1, max: 20 }),
      }),
      {
        maxLength: 40,
      },
    )
    let round = 0
    await fc.assert(
      fc.asyncProperty(steps, async steps => {
        const keyId = `round ${round++}`
        const granted: number[] = []
        let now = 0
        for (const { gap, limit } of steps) {
          now += gap
          if (granted.length > 0) await age(keyId, gap * 1000)
          // A request exactly a minute ago is, with the test's own microseconds, a little older than that.
          const inside = granted.filter(time => now - time < 60).length
          const { accepted, remaining } = await one.take(alone(keyId, limit), 0)
          expect({ accepted, remaining }).toEqual({
            accepted: inside < limit,
            remaining: Math.max(0, limit - inside - (inside < limit ? 1 : 0)),
          })
          if (accepted) granted.push(now)
        }
      }),
      { numRuns: 40 },
    )
  })

  test('does not start on a Redis that may drop counts, and says which setting it needs', async () => {
    for (const policy of ['allkeys-lru', 'volatile-ttl', 'noeviction']) {
      await inspect.configSet('maxmemory-policy', policy)
      const opened = RedisRateLimiter.open(url, () => {})
      if (policy === 'noeviction') await (await opened).close()
      else
        await expect(opened).rejects.toThrow(
          `the Redis of REDIS_URL may drop request counts (maxmemory-policy ${policy}); set it to noeviction`,
        )
    }
    expect((await one.take(alone('key', 60), 0)).accepted).toBe(true)
  })

  test('does not let 119 through at the edge of a minute', async () => {
    await one.take(alone('key', 60), 0)
    await age('key', 59_000)
    expect(countAccepted(await takeMany(one, 'key', 59))).toBe(59)
    expect(countAccepted(await takeMany(one, 'key', 60))).toBe(0)
    await age('key', 1_000)
    expect(countAccepted(await takeMany(two, 'key', 60))).toBe(1)
    await age('key', 58_000)
    expect(countAccepted(await takeMany(two, 'key', 60))).toBe(0)
    await age('key', 1_100)
    expect(countAccepted(await takeMany(one, 'key', 80))).toBe(59)
  })

  test('grants the request of a caller that waited for the given time', async () => {
    for (let i = 0; i < 60; i++) {
      await one.take(alone('key', 60), 0)
      if (i < 59) await age('key', (i * 37) % 11)
    }
    await age('key', 58_400)
    const { accepted, resetSeconds } = await two.take(alone('key', 60), 0)
    expect(accepted).toBe(false)
    expect(resetSeconds).toBeLessThanOrEqual(2)
    await pause(resetSeconds * 1000)
    expect((await two.take(alone('key', 60), 0)).accepted).toBe(true)
  })

  test('does not count what it refused, and drops the log when there are no requests', async () => {
    await takeMany(one, 'key', 200)
    expect(await inspect.lLen('assize:rate:key')).toBe(60)
    const lifeMs = await inspect.pTTL('assize:rate:key')
    expect(lifeMs).toBeGreaterThan(limits.rateWindowMs - 5_000)
    expect(lifeMs).toBeLessThanOrEqual(limits.rateWindowMs + 1_000)
  })

  test('keeps the window when the clock of Redis is set back, and asks nobody to wait longer than it lasts', async () => {
    await takeMany(one, 'key', 60)
    await age('key', -3_600_000)
    expect(await one.take(alone('key', 60), 0)).toMatchObject({ accepted: false, resetSeconds: 60 })
    await age('key', 60_000)
    expect(countAccepted(await takeMany(one, 'key', 70))).toBe(60)
  })

  test('gives the keys of a workspace their common limit and no more, at two processes', async () => {
    const ask = (limiter: RedisRateLimiter, key: number) =>
      limiter.take({ id: `key ${key}`, rateLimit: 60, workspaceId: 'crowd', workspaceRateLimit: 100 }, 0)
    const decisions = await Promise.all(
      Array.from({ length: 600 }, (_, i) => ask(i % 2 === 0 ? one : two, Math.floor(i / 30))),
    )
    expect(countAccepted(decisions)).toBe(100)
    const refused = decisions.filter(({ accepted }) => !accepted)
    expect(
      refused.every(({ policy, limit, remaining }) => policy === 'workspace' && limit === 100 && remaining === 0),
    ).toBe(true)
    // What was refused counts in neither window: the keys have what they were granted.
    const lengths = await Promise.all(Array.from({ length: 20 }, (_, key) => inspect.lLen(`assize:rate:key ${key}`)))
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(100)
    await age('crowd', 60_001)
    expect(await ask(one, 0)).toMatchObject({ accepted: true })
  })

  test('asks as much of Redis for a high limit as for a low one', async () => {
    const script = `for i = 1, 500 do redis.call('RPUSH', KEYS[1], unpack(ARGV)) end`
    const soon = String((Date.now() + 30_000) * 1000)
    await inspect.eval(script, { keys: ['assize:rate:key'], arguments: Array<string>(1_000).fill(soon) })
    const commandsFor = async (key: string, limit: number) => {
      await one.take(alone(key, limit), 0)
      await inspect.sendCommand(['CONFIG', 'RESETSTAT'])
      for (let i = 0; i < 20; i++) expect((await one.take(alone(key, limit), 0)).accepted).toBe(true)
      return readCommands(await inspect.info('commandstats'))
    }
    const [low, high] = [await commandsFor('other', 100), await commandsFor('key', 1_000_000)]
    // Each looks at the ends of a list only, and there are few of them.
    expect([...high.keys()]).toEqual(['evalsha', 'lindex', 'llen', 'pexpire', 'rpush', 'time'])
    expect([...low.keys()]).toEqual([...high.keys()])
    for (const [name, calls] of high) expect(calls, name).toBeLessThan(20 * 10)
  })

  test('counts by itself while Redis is down: at once, to the same limit, and comes back by itself', async () => {
    expect(countAccepted(await takeMany(one, 'key', 20))).toBe(20)
    expect(countAccepted(await takeMany(two, 'full', 60))).toBe(60)
    expect(countAccepted(await takeMany(one, 'full', 60))).toBe(0)
    await stopRedis(redis)
    await expect.poll(() => one.isCutOff, patiently).toBe(true)
    // What Redis granted to this process is in the window, and what it refused is not.
    const meanwhile = takeNow(one, 'key', 100)
    expect(countAccepted(meanwhile)).toBe(40)
    expect(meanwhile.at(-1)).toMatchObject({ policy: 'default', limit: 60, remaining: 0, resetSeconds: 60 })
    expect(countAccepted(takeNow(one, 'full', 100))).toBe(60)
    expect(countAccepted(takeNow(one, 'key', 100, limits.rateWindowMs))).toBe(60)
    redis = await startGuarded(port, folder)
    await waitUntilBack(one)
    expect(reports.map(line => line.split(':')[0])).toEqual(['away', 'back'])
    expect(reports.join()).not.toContain('open-sesame')
  })

  test('keeps to the limit of a workspace while Redis is down', async () => {
    const ask = (key: number) =>
      one.take({ id: `key ${key}`, rateLimit: 60, workspaceId: 'crowd', workspaceRateLimit: 100 }, 0)
    for (let i = 0; i < 30; i++) expect((await ask(0)).accepted).toBe(true)
    await stopRedis(redis)
    await expect.poll(() => one.isCutOff, patiently).toBe(true)
    const meanwhile = Array.from({ length: 200 }, (_, i) => ask(i % 5) as RateDecision)
    expect(countAccepted(meanwhile)).toBe(70)
    expect(meanwhile.at(-1)).toMatchObject({ policy: 'workspace', limit: 100, remaining: 0 })
  })

  test('grants its limit once to those who ask without pause while Redis is killed and comes back', async () => {
    let accepted = 0
    let isOver = false
    const asking = Array.from({ length: 8 }, async (_, caller) => {
      const keyId = `key ${caller % 2}`
      while (!isOver) {
        if ((await one.take(alone(keyId, 500), 0)).accepted) accepted++
        await pause(1)
      }
    })
    const granted = (count: number) => expect.poll(() => accepted, patiently).toBeGreaterThanOrEqual(count)
    await granted(100)
    for (const most of [300, 600]) {
      await stopRedis(redis)
      await granted(most)
      redis = await startGuarded(port, folder)
      await waitUntilBack(one)
    }
    await granted(1_000)
    // Every caller has asked more than once since.
    await takeMany(one, 'another', 100)
    isOver = true
    await Promise.all(asking)
    expect(accepted).toBe(1_000)
    expect(reports.map(line => line.split(':')[0])).toEqual(['away', 'back', 'away', 'back'])
  })

  test('minds after the return what Redis was not told of, for as long as it is in the window', async () => {
    await stopRedis(redis)
    await expect.poll(() => one.isCutOff, patiently).toBe(true)
    expect(countAccepted(takeNow(one, 'key', 40))).toBe(40)
    redis = await startGuarded(port, folder)
    await waitUntilBack(one)
    inspect.destroy()
    inspect = await openInspector(url)
    const decisions = await takeMany(one, 'key', 50)
    expect(countAccepted(decisions)).toBe(20)
    expect(decisions.slice(0, 20).map(({ remaining }) => remaining)).toEqual([...Array(20).keys()].toReversed())
    // What is refused here is not counted there.
    expect(await inspect.lLen('assize:rate:key')).toBe(20)
    expect(countAccepted(await takeMany(one, 'key', 50, limits.rateWindowMs))).toBe(40)
    expect(await inspect.lLen('assize:rate:key')).toBe(60)
  })

  test('minds after the return what a Redis that was killed has forgotten', async () => {
    expect(countAccepted(await takeMany(one, 'key', 60))).toBe(60)
    await stopRedis(redis)
    await expect.poll(() => one.isCutOff, patiently).toBe(true)
    redis = await startGuarded(port, folder)
    await waitUntilBack(one)
    expect(countAccepted(await takeMany(one, 'key', 60))).toBe(0)
    expect(countAccepted(await takeMany(one, 'key', 100, limits.rateWindowMs))).toBe(60)
  })

  test('starts without Redis, counts, and finds it later', async () => {
    await stopRedis(redis)
    const told: string[] = []
    const late = await RedisRateLimiter.open(url, state => told.push(state))
    expect(told).toEqual(['away'])
    expect(countAccepted(takeNow(late, 'key', 300))).toBe(60)
    redis = await startGuarded(port, folder)
    await waitUntilBack(late)
    expect(told).toEqual(['away', 'back'])
    expect(await late.take(alone('other', 60), 0)).toMatchObject({ accepted: true, remaining: 59 })
    await late.close()
  })

  test('starts beside a Redis that is frozen, and finds it when it wakes', async () => {
    redis!.kill('SIGSTOP')
    const late = await RedisRateLimiter.open(url, () => {})
    expect(countAccepted(takeNow(late, 'key', 300))).toBe(60)
    redis!.kill('SIGCONT')
    await waitUntilBack(late)
    await late.close()
  })

  test('waits once for a Redis that is frozen, and no request after that waits', async () => {
    await one.take(alone('key', 60), 0)
    redis!.kill('SIGSTOP')
    try {
      // All of these wait for the same answer.
      expect(countAccepted(await takeMany(one, 'key', 100))).toBe(59)
      expect(countAccepted(takeNow(one, 'key', 100))).toBe(0)
      expect(countAccepted(takeNow(one, 'key', 100, limits.rateWindowMs))).toBe(60)
    } finally {
      redis!.kill('SIGCONT')
    }
    await waitUntilBack(one)
    expect(reports.map(line => line.split(':')[0])).toEqual(['away', 'back'])
  })

  test('waits for an answer that is there when our own process was busy', async () => {
    const answer = one.take(alone('key', 60), 0)
    for (const end = performance.now() + limits.redisReplyMs + 200; performance.now() < end; );
    expect((await answer).accepted).toBe(true)
  })

  test('counts by itself where Redis refuses to write, and as long as it does', async () => {
    await inspect.configSet('min-replicas-to-write', '1')
    expect(countAccepted(await takeMany(one, 'key', 100))).toBe(60)
    expect(countAccepted(takeNow(one, 'other', 100))).toBe(60)
    const looks = async () => readCommands(await inspect.info('commandstats')).get('evalsha') ?? 0
    const before = await looks()
    await expect.poll(looks, patiently).toBeGreaterThan(before + 2)
    expect(reports).toEqual([expect.stringContaining('away: NOREPLICAS')])
    await inspect.configSet('min-replicas-to-write', '0')
    await waitUntilBack(one)
    expect(reports.map(line => line.split(':')[0])).toEqual(['away', 'back'])
  })

  test('counts by itself after it was closed, and says nothing', async () => {
    await one.close()
    expect(countAccepted(await takeMany(one, 'key', 100))).toBe(60)
    expect(reports).toEqual([])
  })
})

describe.runIf(isInstalled)('a server whose start fails', () => {
  test('leaves Redis: nothing keeps its process', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'assize-redis-'))
    const port = await freePort()
    const redis = await startGuarded(port, folder)
    const url = `redis://:open-sesame@127.0.0.1:${port}`
    const inspect = await openInspector(url)
    const nowhere = { endpoint: { host: '127.0.0.1', port: 1, user: 'u', password: 'p' }, database: 'd' }
    const { config } = readConfig({ REDIS_URL: url, PORT: '0', ASSIZE_DATA: folder })
    const sql = openApplication(nowhere)
    const installation = { target: nowhere, sql, secret: testSecret } as unknown as Installation
    const ignore = () => {}
    const log = { debug: ignore, info: ignore, warn: ignore, error: ignore }
    await expect(startServer(config!, installation, log)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await expect.poll(async () => (await inspect.clientList()).length, patiently).toBe(1)
    await sql.end()
    inspect.destroy()
    await stopRedis(redis)
    await rm(folder, { recursive: true, force: true })
  })
})

describe('the limit at a Redis that accepts connections and never answers', () => {
  test('is counted in memory, and every look for it is one that no request waits for', async () => {
    let isFrozen = false
    let looks = 0
    const redis = await RedisStandIn.open(([command]) => {
      if (isFrozen) looks += command === 'EVALSHA' ? 1 : 0
      if (isFrozen) return undefined
      return command === 'EVALSHA' ? [1, 1, 0, 1, 1, 0] : 'OK'
    })
    const reports: string[] = []
    const limiter = await RedisRateLimiter.open(`redis://127.0.0.1:${redis.port}`, state => reports.push(state))
    isFrozen = true
    expect(countAccepted(await takeMany(limiter, 'key', 100))).toBe(60)
    const looked = looks
    for (const more of [1, 2]) {
      await expect.poll(() => looks, patiently).toBe(looked + more)
      expect(countAccepted(takeNow(limiter, `key ${more}`, 100))).toBe(60)
    }
    expect(reports).toEqual(['away'])
    isFrozen = false
    await waitUntilBack(limiter)
    expect(reports).toEqual(['away', 'back'])
    await limiter.close()
    redis.close()
  })
})
