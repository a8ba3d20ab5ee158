// The sliding window shared by several processes: the log of a key is in Redis, one script reads and writes it at once,
// and only Redis's clock counts. It never guesses: while Redis is away every answer is a refusal, and it comes back by
// itself.
import { type CommandParser, createClient, defineScript } from '@redis/client'
import { Refusal } from '../core/refusal.ts'
import { limits } from '../limits.ts'
import { type RateDecision, type RateLimiter, waitSeconds } from './rate-limit.ts'

/** Told once when Redis is lost and once when it is found again; the reason holds no password. */
export type ReportRedis = (state: 'away' | 'back', reason: string) => void

type Answer = readonly [accepted: number, held: number, waitMicros: number]

// A list of the microseconds at which each accepted request leaves the window, oldest first. Those that have left are
// mostly few: steps that double find how far they reach, and halving finds where they end.
const takeScript = `
local log, limit, window = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local held = redis.call('LLEN', log)

local function at(place)
  return tonumber(redis.call('LINDEX', log, place))
end

local function push(leaves)
  redis.call('RPUSH', log, string.format('%.0f', leaves))
  redis.call('PEXPIRE', log, window / 1000 + 1000)
end

-- The clock was set back: nobody knows how far, so the newest request counts as made now and the others follow it.
local step = held > 0 and at(-1) - (now + window) or 0
if step > 0 then
  local leaves = redis.call('LRANGE', log, 0, -1)
  redis.call('DEL', log)
  for i = 1, held do push(leaves[i] - step) end
end

local reach = 1
while reach <= held and at(reach - 1) <= now do reach = reach * 2 end
local left, rest = math.floor(reach / 2), math.min(reach - 1, held)
while left < rest do
  local middle = math.floor((left + rest) / 2)
  if at(middle) <= now then left = middle + 1 else rest = middle end
end
if left > 0 then
  redis.call('LTRIM', log, left, -1)
  held = held - left
end

local accepted = 0
if held < limit then
  push(now + window)
  held = held + 1
  accepted = 1
end
return { accepted, held, at(math.max(0, held - limit)) - now }
`

const scripts = {
  take: defineScript({
    SCRIPT: takeScript,
    NUMBER_OF_KEYS: 1,
    parseCommand(parser: CommandParser, keyId: string, limit: number) {
      parser.pushKey(`assize:rate:${keyId}`)
      parser.push(String(limit), String(limits.rateWindowMs * 1000))
    },
    transformReply: (reply: unknown) => reply as Answer,
  }),
}

type Client = ReturnType<typeof makeClient>

function makeClient(url: string) {
  return createClient({
    url,
    scripts,
    RESP: 2,
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    commandsQueueMaxLength: limits.redisQuestions,
    // A connection whose other end has vanished is noticed by a ping without an answer.
    pingInterval: limits.redisPingMs,
    socket: {
      connectTimeout: limits.redisConnectMs,
      socketTimeout: limits.redisPingMs * 3,
      reconnectStrategy: retries => {
        const { least, most } = limits.redisReconnectMs
        return Math.min(least * 2 ** retries, most) * (0.75 + Math.random() / 2)
      },
    },
  })
}

export class RedisRateLimiter implements RateLimiter {
  readonly #url: string
  readonly #report: ReportRedis
  #client: Client
  #isAway = false
  #isClosed = false

  private constructor(url: string, report: ReportRedis) {
    this.#url = url
    this.#report = report
    this.#client = this.#connect()
  }

  /** Waits for the first connection, but not long: without Redis the service runs and says that it cannot answer. */
  static async open(url: string, report: ReportRedis): Promise<RedisRateLimiter> {
    const limiter = new RedisRateLimiter(url, report)
    const client = limiter.#client
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, limits.redisConnectMs)
    client.once('ready', resolve).once('error', () => resolve())
    await promise
    clearTimeout(timer)
    await limiter.#refuseEviction(client)
    return limiter
  }

  /** Evicted counts would let callers exceed their limit. A Redis that is away is looked at by nobody, and refuses all. */
  async #refuseEviction(client: Client): Promise<void> {
    if (!client.isReady) return
    // Hosted ones often keep CONFIG to themselves; INFO says it too.
    const facts = await client.info('memory').catch(() => '')
    const policy = /^maxmemory_policy:(\S+)/m.exec(facts)?.[1]
    if (policy === undefined || policy === 'noeviction') return
    await this.close()
    throw new Refusal(
      'unavailable',
      `the Redis of REDIS_URL may drop request counts (maxmemory-policy ${policy}); set it to noeviction`,
    )
  }

  async take(keyId: string, limit: number): Promise<RateDecision> {
    const [accepted, held, waitMicros] = await this.#ask(keyId, limit)
    return {
      accepted: accepted === 1,
      limit,
      remaining: Math.max(0, limit - held),
      resetSeconds: waitSeconds(waitMicros / 1000),
    }
  }

  async ping(): Promise<void> {
    if (!this.#client.isReady) throw unavailable()
    await this.#client.ping()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#client.destroy()
  }

  async #ask(keyId: string, limit: number): Promise<Answer> {
    const client = this.#client
    if (!client.isReady) throw unavailable()
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    // After a pause of our own the timer is due before the question was sent or its answer read: hence the second one.
    let timer = setTimeout(() => {
      timer = setTimeout(() => reject(this.#giveUp(client)), limits.redisGraceMs)
    }, limits.redisReplyMs)
    client.take(keyId, limit).then(resolve, reject)
    try {
      const answer = await promise
      this.#noteBack()
      return answer
    } catch (error) {
      if (!(error instanceof Refusal)) this.#noteAway((error as Error).message)
      throw unavailable()
    } finally {
      clearTimeout(timer)
    }
  }

  /** Whoever does not answer in time is not asked again on the same connection. */
  #giveUp(client: Client): Refusal {
    if (client === this.#client && !this.#isClosed) {
      this.#noteAway(`no answer in ${limits.redisReplyMs} ms`)
      client.destroy()
      this.#client = this.#connect()
    }
    return unavailable()
  }

  #connect(): Client {
    const client = makeClient(this.#url)
    client.on('error', (error: Error) => {
      if (client === this.#client) this.#noteAway(error.message)
    })
    client.on('ready', () => {
      if (client === this.#client) this.#noteBack()
    })
    // Every failure has come as an event; the promise only ends when the client is closed.
    client.connect().catch(() => {})
    return client
  }

  #noteAway(reason: string): void {
    if (this.#isAway || this.#isClosed) return
    this.#isAway = true
    this.#report('away', reason)
  }

  #noteBack(): void {
    if (!this.#isAway) return
    this.#isAway = false
    this.#report('back', 'Redis answers')
  }
}

function unavailable(): Refusal {
  return new Refusal('unavailable', 'the request limit cannot be checked at the moment; try again shortly')
}
