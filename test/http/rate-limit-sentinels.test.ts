// Request limits at the Redis that sentinels call the master, with real ones: Redis, its replica and three sentinels. Without redis-server
// on the machine the file says so in one line and does nothing else.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@redis/client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { RedisRateLimiter } from '../../src/http/traffic/rate-limit-redis.ts'
import { freePort, startRedis } from '../support/run/redis.ts'

const isInstalled = spawnSync('redis-server', ['--version']).status === 0
if (!isInstalled) process.stderr.write('redis-server is not installed: the tests of sentinels were not run\n')

const patiently = { timeout: 60_000, interval: 250 }
const caller = { id: 'key', rateLimit: 60, workspaceId: 'workspace', workspaceRateLimit: 600 }
const password = 'p@ss'

let folder: string
const running: ChildProcess[] = []
let limiter: RedisRateLimiter | null = null

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assize-sentinels-'))
})
afterEach(async () => {
  await limiter?.close()
  limiter = null
  for (const each of running.splice(0)) await end(each)
  await rm(folder, { recursive: true, force: true })
})

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

async function openRedis(port: number, more: Readonly<Record<string, string>> = {}): Promise<ChildProcess> {
  const redis = await startRedis(port, folder, {
    requirepass: password,
    masterauth: password,
    'repl-diskless-sync-delay': '0',
    dbfilename: `${port}.rdb`,
    ...more,
  })
  running.push(redis)
  return redis
}

async function openSentinel(port: number, master: number): Promise<void> {
  const file = join(folder, `sentinel-${port}.conf`)
  await writeFile(
    file,
    `bind 127.0.0.1
port ${port}
dir ${folder}
sentinel monitor limits 127.0.0.1 ${master} 2
sentinel auth-pass limits ${password}
sentinel down-after-milliseconds limits 1000
sentinel failover-timeout limits 3000
`,
  )
  const sentinel = spawn('redis-server', [file, '--sentinel'], { stdio: 'ignore' })
  running.push(sentinel)
  await once(sentinel, 'spawn')
}

async function ask<T>(port: number, words: readonly string[], login: { password?: string } = {}): Promise<T> {
  const client = createClient({ ...login, RESP: 2, socket: { host: '127.0.0.1', port, reconnectStrategy: false } })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.sendCommand([...words])) as T
  } finally {
    if (client.isOpen) client.destroy()
  }
}

const heldAt = (port: number) => ask<number>(port, ['LLEN', 'assize:rate:key'], { password })
const ports = (count: number) => Promise.all(Array.from({ length: count }, freePort))
const take = () => limiter!.take(caller, Date.now())

describe.runIf(isInstalled)('the limit at sentinels', () => {
  test('is counted at the master, in memory while it is lost, and then at the one that sentinels choose', async () => {
    const [first, second, ...sentinels] = (await ports(5)) as [number, number, ...number[]]
    const master = await openRedis(first)
    await openRedis(second, { replicaof: `127.0.0.1 ${first}` })
    for (const port of sentinels) await openSentinel(port, first)
    const facts = () => ask<string[]>(sentinels[0]!, ['SENTINEL', 'MASTER', 'limits'])
    const fact = async (name: string) => {
      const all = await facts()
      return all[all.indexOf(name) + 1]
    }
    await expect.poll(() => fact('num-slaves').catch(() => ''), patiently).toBe('1')
    await expect.poll(() => fact('num-other-sentinels'), patiently).toBe('2')

    const reports: string[] = []
    const url = `redis+sentinel://:${encodeURIComponent(password)}@${sentinels.map(port => `127.0.0.1:${port}`).join(',')}/limits`
    limiter = await RedisRateLimiter.open(url, state => reports.push(state))
    await expect.poll(() => limiter!.isCutOff, patiently).toBe(false)
    reports.length = 0
    expect((await take()).remaining).toBe(59)
    expect(await heldAt(first)).toBe(1)

    await end(master)
    const accepted: boolean[] = []
    await expect.poll(async () => accepted.push((await take()).accepted) > 0 && reports.at(-1), patiently).toBe('back')
    expect(reports).toEqual(['away', 'back'])
    expect(accepted.length).toBeLessThan(59)
    expect(new Set(accepted)).toEqual(new Set([true]))
    const before = await heldAt(second)
    expect((await take()).accepted).toBe(true)
    expect(await heldAt(second)).toBe(before + 1)
  })

  test('is counted in memory while no sentinel answers, and at the master when one does', async () => {
    const [redis, sentinel, absent] = (await ports(3)) as [number, number, number]
    const reports: string[] = []
    const url = `redis+sentinel://:${encodeURIComponent(password)}@127.0.0.1:${absent},127.0.0.1:${sentinel}/limits`
    limiter = await RedisRateLimiter.open(url, state => reports.push(state))
    expect((await take()).remaining).toBe(59)
    expect(reports).toEqual(['away'])
    await openRedis(redis)
    await openSentinel(sentinel, redis)
    await expect.poll(() => reports, patiently).toEqual(['away', 'back'])
    expect((await take()).remaining).toBe(58)
    expect(await heldAt(redis)).toBe(1)
  })
})
