// Request limits at the Redis that sentinels call the master. All of them are stand-ins; `npm run faults -- failover` has real
// ones.
import { afterEach, describe, expect, test } from 'vitest'
import { RedisRateLimiter } from '../../src/http/traffic/rate-limit-redis.ts'
import { readSentinels } from '../../src/http/traffic/redis-sentinels.ts'
import { limits } from '../../src/limits.ts'
import { RedisStandIn } from '../stand-in/redis.ts'

const opened: { close(): void | Promise<void> }[] = []
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
})

const caller = { id: 'key', rateLimit: 60, workspaceId: 'workspace', workspaceRateLimit: 600 }

async function open<T extends { close(): void | Promise<void> }>(opening: Promise<T>): Promise<T> {
  const one = await opening
  opened.push(one)
  return one
}

/** Counts what is asked of it, and where it stands in its answers. */
async function openMaster(held: number): Promise<RedisStandIn & { readonly asked: string[][] }> {
  const asked: string[][] = []
  const answer = (words: readonly string[]) => {
    asked.push([...words])
    if (words[0] === 'EVALSHA') return [1, held, 0, 1, held, 0]
    return words[0] === 'INFO' ? 'maxmemory_policy:noeviction\r\n' : 'OK'
  }
  return Object.assign(await open(RedisStandIn.open(answer)), { asked })
}

/** Three sentinels; each names the master that stands at its place. */
async function openSentinels(named: readonly (RedisStandIn | null)[]) {
  const votes = [...named]
  const sentinels = await Promise.all(
    votes.map((_, at) =>
      open(
        RedisStandIn.open(words => {
          const master = words.at(-1) === 'limits' ? votes[at] : null
          return master == null ? null : ['127.0.0.1', `${master.port}`]
        }),
      ),
    ),
  )
  const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')
  return { votes, sentinels, url: `redis+sentinel://${hosts}/limits` }
}

/** Each asks a window after the one before, so that none of them is in the way of another. */
let nowMs = 0
const remaining = async (limiter: RedisRateLimiter) => {
  nowMs += limits.rateWindowMs
  return (await limiter.take(caller, nowMs)).remaining
}

describe('an address of sentinels', () => {
  test('has hosts, the name of the master, its login and its database, and a login of the sentinels', () => {
    const read = readSentinels('rediss+sentinel://u:p%40w@a:1,b,[::1]:3/limits/2?sentinel_password=s')!
    expect(read.sentinels).toEqual([
      { host: 'a', port: 1 },
      { host: 'b', port: 26_379 },
      { host: '::1', port: 3 },
    ])
    expect([read.name, read.sentinelLogin]).toEqual(['limits', { password: 's' }])
    expect(read.masterAt('10.0.0.1', 6380)).toBe('rediss://u:p%40w@10.0.0.1:6380/2')
  })

  test.each(['redis://a:1/0', 'redis+sentinel://a,,b/limits', 'redis+sentinel://a/', 'redis+sentinel://a/limits/x'])(
    '%s is none',
    text => expect(readSentinels(text)).toBeNull(),
  )
})

describe('the limit at sentinels', () => {
  test('is counted at the master that most of them name, and at the next one when they name another', async () => {
    const [first, second] = [await openMaster(10), await openMaster(20)]
    const { votes, url } = await openSentinels([second, first, first])
    const limiter = await open(RedisRateLimiter.open(url, () => {}))
    await expect.poll(() => remaining(limiter)).toBe(50)
    expect(second.asked).toEqual([])
    votes[1] = second
    await expect.poll(() => remaining(limiter)).toBe(40)
  })

  test('is counted in memory while they do not agree, and stays where it was counted if they stop answering', async () => {
    const [first, second] = [await openMaster(10), await openMaster(20)]
    const reports: string[] = []
    const { votes, sentinels, url } = await openSentinels([first, second, null])
    const limiter = await open(RedisRateLimiter.open(url, (state, reason) => reports.push(`${state}: ${reason}`)))
    expect([await remaining(limiter), await remaining(limiter)]).toEqual([59, 59])
    expect([first.asked, second.asked]).toEqual([[], []])
    expect(reports).toEqual([
      expect.stringMatching(/^away: . of 3 sentinels say where limits is, and most must agree$/),
    ])
    votes[2] = second
    await expect.poll(() => remaining(limiter)).toBe(40)
    for (const sentinel of sentinels) sentinel.close()
    await expect.poll(() => remaining(limiter)).toBe(40)
    await expect.poll(() => reports).toEqual([expect.any(String), 'back: Redis answers'])
  })
})
