// The sliding windows shared by several processes: the logs of a key and its workspace are in Redis, one script reads and
// writes both at once, and only Redis's clock counts. It never guesses: while Redis cannot be reached every request is
// refused, and it reconnects by itself. Where sentinels are named, it counts at the Redis that they call the master.
import { type CommandParser, createClient, defineScript } from '@redis/client'
import { Refusal } from '../../core/refusal.ts'
import { limits } from '../../limits.ts'
import { type RateCaller, type RateDecision, type RateLimiter, tell, type WindowSeen } from './rate-limit.ts'
import { readSentinels, Sentinels } from './redis-sentinels.ts'

/** Called once when Redis is lost and once when it is back; the reason contains no password. */
type ReportRedis = (state: 'away' | 'back', reason: string) => void

/** Of the key's window and of the workspace's: whether there was room, how many are held, microseconds to wait. */
type Answer = readonly [room: number, held: number, waitMicros: number, number, number, number]

// For each window a list of the microseconds at which each accepted request leaves it, oldest first. Usually few have
// left: doubling steps find a bound, and halving finds the exact end.
const takeScript = `
local window = tonumber(ARGV[1])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]

local function at(log, place)
  return tonumber(redis.call('LINDEX', log, place))
end

local function push(log, leaves)
  redis.call('RPUSH', log, string.format('%.0f', leaves))
  redis.call('PEXPIRE', log, window / 1000 + 1000)
end

-- Drops what has left the window; returns how many are held.
local function tidy(log)
  local held = redis.call('LLEN', log)
  -- The clock was set back: nobody knows how far, so the newest request counts as made now and the others follow it.
  local step = held > 0 and at(log, -1) - (now + window) or 0
  if step > 0 then
    local leaves = redis.call('LRANGE', log, 0, -1)
    redis.call('DEL', log)
    for i = 1, held do push(log, leaves[i] - step) end
  end
  local reach = 1
  while reach <= held and at(log, reach - 1) <= now do reach = reach * 2 end
  local left, rest = math.floor(reach / 2), math.min(reach - 1, held)
  while left < rest do
    local middle = math.floor((left + rest) / 2)
    if at(log, middle) <= now then left = middle + 1 else rest = middle end
  end
  if left > 0 then
    redis.call('LTRIM', log, left, -1)
    held = held - left
  end
  return held
end

local room, held, accepted = {}, {}, true
for i = 1, 2 do
  held[i] = tidy(KEYS[i])
  room[i] = held[i] < tonumber(ARGV[i + 1])
  accepted = accepted and room[i]
end
local answer = {}
for i = 1, 2 do
  if accepted then
    push(KEYS[i], now + window)
    held[i] = held[i] + 1
  end
  local wait = held[i] > 0 and at(KEYS[i], math.max(0, held[i] - tonumber(ARGV[i + 1]))) - now or 0
  answer[i * 3 - 2], answer[i * 3 - 1], answer[i * 3] = room[i] and 1 or 0, held[i], wait
end
return answer
`

const scripts = {
  take: defineScript({
    SCRIPT: takeScript,
    NUMBER_OF_KEYS: 2,
    parseCommand(parser: CommandParser, { id, rateLimit, workspaceId, workspaceRateLimit }: RateCaller) {
      parser.pushKey(`assize:rate:${id}`)
      parser.pushKey(`assize:rate:${workspaceId}`)
      parser.push(String(limits.rateWindowMs * 1000), String(rateLimit), String(workspaceRateLimit))
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
    commandsQueueMaxLength: limits.redisRequests,
    // A connection whose other end has vanished is detected by a ping without an answer.
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
  readonly #report: ReportRedis
  readonly #sentinels: Sentinels | null
  #url: string
  /** Null until sentinels have said where it is. */
  #client: Client | null = null
  #isAway = false
  #isClosed = false

  private constructor(url: string, report: ReportRedis) {
    const address = readSentinels(url)
    this.#url = url
    this.#report = report
    const onTrouble = (reason: string) => {
      if (this.#client?.isReady !== true) this.#noteAway(reason)
    }
    this.#sentinels = address === null ? null : new Sentinels(address, master => this.#goTo(master), onTrouble)
    if (address === null) this.#client = this.#connect()
  }

  /** Waits for the first connection, but not long: without Redis the service runs and says that it cannot answer. */
  static async open(url: string, report: ReportRedis): Promise<RedisRateLimiter> {
    const limiter = new RedisRateLimiter(url, report)
    await limiter.#sentinels?.watch()
    const client = limiter.#client
    if (client === null) return limiter
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, limits.redisConnectMs)
    client.once('ready', resolve).once('error', () => resolve())
    await promise
    clearTimeout(timer)
    await limiter.#refuseEviction(client)
    return limiter
  }

  #goTo(master: string): void {
    this.#url = master
    this.#client?.destroy()
    this.#client = this.#connect()
  }

  /**
   * Evicted counts would let callers exceed their limit. If Redis cannot be reached this is not checked, and all
   * requests are refused anyway.
   */
  async #refuseEviction(client: Client): Promise<void> {
    if (!client.isReady) return
    // Hosted services often forbid CONFIG; INFO has the policy too.
    const facts = await client.info('memory').catch(() => '')
    const policy = /^maxmemory_policy:(\S+)/m.exec(facts)?.[1]
    if (policy === undefined || policy === 'noeviction') return
    await this.close()
    throw new Refusal(
      'unavailable',
      `the Redis of REDIS_URL may drop request counts (maxmemory-policy ${policy}); set it to noeviction`,
    )
  }

  async take(caller: RateCaller): Promise<RateDecision> {
    const [keyRoom, keyHeld, keyWait, room, held, wait] = await this.#ask(caller)
    return tell(see(caller.rateLimit, keyRoom, keyHeld, keyWait), see(caller.workspaceRateLimit, room, held, wait))
  }

  takeAtOnce(): null {
    return null
  }

  async ping(): Promise<void> {
    if (this.#client?.isReady !== true) throw unavailable()
    await this.#client.ping()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#sentinels?.close()
    this.#client?.destroy()
  }

  async #ask(caller: RateCaller): Promise<Answer> {
    const client = this.#client
    if (client?.isReady !== true) throw unavailable()
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    // If this process itself paused, the timer fires before the request was sent or its answer read: hence the second
    // timer.
    let timer = setTimeout(() => {
      timer = setTimeout(() => reject(this.#giveUp(client)), limits.redisGraceMs)
    }, limits.redisReplyMs)
    client.take(caller).then(resolve, reject)
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

  /** A connection that does not answer in time is not used again. */
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
    // Every failure was already reported as an event; the promise only settles when the client is closed.
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

function see(limit: number, room: number, held: number, waitMicros: number): WindowSeen {
  return { limit, hasRoom: room === 1, remaining: Math.max(0, limit - held), waitMs: waitMicros / 1000 }
}

function unavailable(): Refusal {
  return new Refusal('unavailable', 'the request limit cannot be checked at the moment; try again shortly')
}
