// Sliding windows shared by several processes: the logs of a key and its workspace are in Redis, one script reads and writes both
// at once, and only Redis's clock counts. Where sentinels are named, the library follows the Redis that they call the master. While
// Redis cannot be asked, this process counts by itself (decision 0846) and looks for it in the background: no request waits for a
// Redis that is known to be away.
import { setTimeout as pause } from 'node:timers/promises'
import { type CommandParser, createClient, createSentinel, defineScript } from '@redis/client'
import { Refusal } from '../../core/refusal.ts'
import { limits } from '../../limits.ts'
import { readSentinelAddress } from '../../sentinel-address.ts'
import {
  MemoryRateLimiter,
  type RateCaller,
  type RateDecision,
  type RateLimiter,
  tell,
  type WindowSeen,
} from './rate-limit.ts'

/** Called once when Redis is lost and once when it is back; the reason contains no password. */
type ReportRedis = (state: 'away' | 'back', reason: string) => void

/** For the key's window and the workspace's: whether there was room, the number held, microseconds to wait. */
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

const socket = {
  connectTimeout: limits.redisConnectMs,
  socketTimeout: limits.redisPingMs * 3,
  reconnectStrategy: (retries: number) => {
    const { least, most } = limits.redisReconnectMs
    return Math.min(least * 2 ** retries, most) * (0.75 + Math.random() / 2)
  },
}
const connection = {
  RESP: 2,
  disableOfflineQueue: true,
  disableClientInfo: true,
  maintNotifications: 'disabled',
  commandsQueueMaxLength: limits.redisRequests,
  // A connection whose other end has vanished is detected by a ping without an answer.
  pingInterval: limits.redisPingMs,
} as const

function makeClient(url: string) {
  const address = readSentinelAddress(url)
  if (address === null) return createClient({ ...connection, url, scripts, socket })
  const { sentinels, name, database, isEncrypted, login, sentinelLogin } = address
  const ways = { ...socket, ...(isEncrypted && { tls: true as const }) }
  return createSentinel({
    name,
    sentinelRootNodes: [...sentinels],
    scripts,
    RESP: 2,
    nodeClientOptions: { ...connection, ...login, database, socket: ways },
    sentinelClientOptions: { ...connection, ...sentinelLogin, socket: ways },
  })
}

/** Caller for looks at Redis: a look that only reads would not find out that Redis refuses to write. */
const looker: RateCaller = { id: 'look', rateLimit: 1_000, workspaceId: 'looks', workspaceRateLimit: 1_000 }
const lookEveryMs = 250

export class RedisRateLimiter implements RateLimiter {
  readonly #report: ReportRedis
  /** Everything that this process granted, wherever it was counted: without it each loss of Redis would double a limit. */
  readonly #own = new MemoryRateLimiter()
  readonly #url: string
  /** Whether no sentinels are named. */
  readonly #isSingle: boolean
  #client: Client
  #isAway = false
  #isClosed = false
  /** Until then the window may have requests that Redis never received, or has forgotten. */
  #ownCountsUntilMs = Number.NEGATIVE_INFINITY
  #isJustBack = false

  private constructor(url: string, report: ReportRedis) {
    this.#url = url
    this.#isSingle = readSentinelAddress(url) === null
    this.#report = report
    this.#client = this.#connect()
  }

  /** Opens the limiter. Waits for the first answer, but not long: without Redis the service runs. */
  static async open(url: string, report: ReportRedis): Promise<RedisRateLimiter> {
    const limiter = new RedisRateLimiter(url, report)
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, limits.redisConnectMs)
    limiter.#client.once('ready', resolve)
    if (limiter.#isSingle) limiter.#client.once('error', () => resolve())
    await promise
    clearTimeout(timer)
    await limiter.#look()
    await limiter.#refuseEviction()
    return limiter
  }

  get isCutOff(): boolean {
    return this.#isAway
  }

  /** Refuses a Redis that evicts: lost counts would let callers exceed their limit. Not checked if Redis is away. */
  async #refuseEviction(): Promise<void> {
    if (this.#isAway) return
    // Hosted services often forbid CONFIG; INFO has the policy too.
    const facts = await this.#client.info('memory').catch(() => '')
    const policy = /^maxmemory_policy:(\S+)/m.exec(facts)?.[1]
    if (policy === undefined || policy === 'noeviction') return
    await this.close()
    throw new Refusal(
      'unavailable',
      `the Redis of REDIS_URL may drop request counts (maxmemory-policy ${policy}); set it to noeviction`,
    )
  }

  take(caller: RateCaller, nowMs: number): RateDecision | Promise<RateDecision> {
    const own = this.#own.take(caller, nowMs)
    const client = this.#client
    if (this.#isAway) return own
    if (this.#isJustBack) this.#ownCountsUntilMs = nowMs + limits.rateWindowMs
    this.#isJustBack = false
    const ownCounts = nowMs < this.#ownCountsUntilMs
    if (ownCounts && !own.accepted) return own
    return this.#ask(client, caller).then(
      shared => {
        if (own.accepted && !shared.accepted) this.#own.giveBack(caller, nowMs)
        if (shared.accepted && !own.accepted) this.#own.add(caller, nowMs)
        return ownCounts && shared.accepted && own.remaining < shared.remaining ? own : shared
      },
      () => own,
    )
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#client.destroy()
  }

  async #ask(client: Client, caller: RateCaller): Promise<RateDecision> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    // The second timer is for a pause of this process itself: the first then fires before the request was sent or its answer read.
    let timer = setTimeout(() => {
      timer = setTimeout(() => reject(this.#giveUp(client)), limits.redisGraceMs)
    }, limits.redisReplyMs)
    client.take(caller).then(resolve, reject)
    try {
      const [keyRoom, keyHeld, keyWait, room, held, wait] = await promise
      return tell(see(caller.rateLimit, keyRoom, keyHeld, keyWait), see(caller.workspaceRateLimit, room, held, wait))
    } catch (error) {
      if (client === this.#client) this.#noteAway((error as Error).message)
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  /** Gives up a connection that does not answer in time: it is not used again. */
  #giveUp(client: Client): Error {
    const error = new Error(`no answer in ${limits.redisReplyMs} ms`)
    if (client === this.#client && !this.#isClosed) {
      this.#noteAway(error.message)
      void client.destroy()
      this.#client = this.#connect()
    }
    return error
  }

  #connect(): Client {
    const client = makeClient(this.#url)
    client.on('error', (error: Error) => {
      // One sentinel of several that does not answer is no loss.
      if (client === this.#client && this.#isSingle) this.#noteAway(error.message)
    })
    // Failures of a single Redis were already reported as events, and the promise only settles when the client is closed. With
    // sentinels it gives up after some tries.
    client.connect().catch((error: Error) => {
      if (client !== this.#client || this.#isClosed) return
      this.#noteAway(error.message)
      this.#client = this.#connect()
    })
    return client
  }

  #noteAway(reason: string): void {
    if (this.#isAway || this.#isClosed) return
    this.#isAway = true
    this.#report('away', reason)
    void this.#lookUntilBack()
  }

  async #lookUntilBack(): Promise<void> {
    while (this.#isAway && !this.#isClosed) {
      await pause(lookEveryMs, undefined, { ref: false })
      await this.#look()
    }
  }

  /** Looks by a request: a connection alone says nothing, since a Redis that hangs, or refuses to count, accepts one too. */
  async #look(): Promise<void> {
    const client = this.#client
    if (!client.isReady) return this.#noteAway('no connection')
    const answers = await this.#ask(client, looker).then(
      () => true,
      () => false,
    )
    if (!answers || client !== this.#client || !this.#isAway || this.#isClosed) return
    this.#isAway = false
    this.#isJustBack = true
    this.#report('back', 'Redis answers')
  }
}

function see(limit: number, room: number, held: number, waitMicros: number): WindowSeen {
  return { limit, hasRoom: room === 1, remaining: Math.max(0, limit - held), waitMs: waitMicros / 1000 }
}
