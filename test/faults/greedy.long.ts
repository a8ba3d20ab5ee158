// F9: a key that is used without pause, at two processes that share a Redis, at one whose Redis is killed and started again, and
// at one that counts by itself. Never more requests than its limit are accepted in any minute; and another key that waits for
// Retry-After is always accepted.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '../../src/limits.ts'
import { KeyedDigests } from '../../src/storage/keys/key-ring.ts'
import { openApplication } from '../../src/storage/postgres/database.ts'
import { createApiKey } from '../../src/storage/workspaces/api-keys.ts'
import { createWorkspace } from '../../src/storage/workspaces/workspaces.ts'
import type { HttpClient, Reply } from '../support/clients/http-client.ts'
import type { LongRun } from '../support/run/long-form.ts'
import { type Outcome, scenario } from '../support/run/long-test.ts'
import { freePort, startRedis } from '../support/run/redis.ts'
import { Chance } from './chance.ts'
import { type FolderGround, inFolder } from './grounds.ts'
import { type ServedProcess, serveFolder } from './served-process.ts'

const limit = limits.requestsPerMinute
const windowMs = limits.rateWindowMs
const atOnce = 300
const clientsEach = 4

/** When an accepted request was sent and when its answer arrived: it was counted in between. */
interface Accepted {
  readonly sentMs: number
  readonly answeredMs: number
}

/** Servers that must enforce one limit together, and the keys used with them. */
class Group {
  readonly failures: string[] = []
  readonly accepted: Accepted[] = []
  refused = 0
  waits = 0
  readonly #name: string
  readonly #clients: readonly HttpClient[]
  readonly #greedy: string
  readonly #polite: string

  constructor(name: string, servers: readonly ServedProcess[], keys: { greedy: string; polite: string }) {
    this.#name = name
    this.#clients = servers.map(({ client }) => client)
    this.#greedy = keys.greedy
    this.#polite = keys.polite
  }

  #fail(what: string): void {
    this.failures.push(`${this.#name}: ${what}`)
  }

  #ask(at: number, key: string): Promise<Reply> {
    const client = this.#clients[at % this.#clients.length]!
    return client.ask('/v1/series', { headers: { authorization: `Bearer ${key}` } })
  }

  async #grab(at: number): Promise<void> {
    const sentMs = performance.now()
    const { status, text } = await this.#ask(at, this.#greedy)
    if (status === 200) this.accepted.push({ sentMs, answeredMs: performance.now() })
    else if (status === 429) this.refused++
    else this.#fail(`${status} ${text}`)
  }

  async storm(): Promise<void> {
    await Promise.all(Array.from({ length: atOnce }, (_, i) => this.#grab(i)))
    if (this.accepted.length !== limit) this.#fail(`${this.accepted.length} of ${atOnce} at once were let in`)
  }

  async beGreedy(chance: Chance, untilMs: number): Promise<void> {
    for (let at = 0; performance.now() < untilMs; at++) {
      await this.#grab(at)
      await sleep(chance.int(0, 20))
    }
  }

  /** Uses up its limit and then waits as Retry-After says; after waiting it must be accepted. */
  async bePolite(untilMs: number): Promise<void> {
    let hasWaited = false
    for (let at = 0; performance.now() < untilMs; at++) {
      const { status, headers } = await this.#ask(at, this.#polite)
      if (status === 200) hasWaited = false
      else if (status !== 429) this.#fail(`the polite one got ${status}`)
      else if (hasWaited) this.#fail('waited for Retry-After and was refused')
      if (status !== 429) continue
      const seconds = Number.parseInt(`${headers['retry-after']}`, 10)
      if (!(seconds >= 1 && seconds <= windowMs / 1000)) this.#fail(`Retry-After is ${headers['retry-after']}`)
      this.waits++
      hasWaited = true
      await sleep(Math.min(seconds * 1000, Math.max(0, untilMs - performance.now())))
      if (performance.now() >= untilMs) return
    }
  }

  /** It is certainly too many if the first was sent and the last answered within the minute. */
  judge(lastedMs: number): void {
    const byAnswer = this.accepted.toSorted((a, b) => a.answeredMs - b.answeredMs)
    for (let i = limit; i < byAnswer.length; i++) {
      const earliest = Math.min(...byAnswer.slice(i - limit, i).map(({ sentMs }) => sentMs))
      const span = byAnswer[i]!.answeredMs - earliest
      if (span < windowMs) this.#fail(`${limit + 1} were let in within ${Math.ceil(span)} ms`)
    }
    const due = limit * Math.max(1, Math.floor(lastedMs / windowMs))
    if (this.accepted.length < due) this.#fail(`only ${this.accepted.length} were let in, ${due} are due`)
  }

  describe(): string {
    return `${this.#name}: ${this.accepted.length} let in, ${this.refused} refused, ${this.waits} waits`
  }
}

/** The rounds are seconds. */
async function beGreedy(ground: FolderGround, { rounds, seed, say }: LongRun): Promise<Outcome> {
  const redis = await openRedis(ground.folder)
  const unsteady = await openRedis(ground.folder)
  const servers: ServedProcess[] = []
  const serve = async (env: Readonly<Record<string, string>>) => {
    const server = await serveFolder(ground.folder, { env: { LOG_LEVEL: 'warn', ...env } })
    servers.push(server)
    return server
  }
  try {
    const shared = [await serve({ REDIS_URL: redis.url }), await serve({ REDIS_URL: redis.url })]
    const alone = [await serve({})]
    const forsaken = [await serve({ REDIS_URL: unsteady.url })]
    const groups = [
      new Group('two processes with Redis', shared, await issueKeys(ground, 'greedy-two')),
      new Group('one process', alone, await issueKeys(ground, 'greedy-one')),
      new Group('one whose Redis is killed', forsaken, await issueKeys(ground, 'greedy-forsaken')),
    ]
    const startedMs = performance.now()
    const untilMs = startedMs + rounds * 1000
    const progress = setInterval(() => say(groups.map(group => group.describe()).join('; ')), windowMs)
    const killing = killAndStart(unsteady, new Chance(seed), untilMs)
    await Promise.all(
      groups.map(async (group, i) => {
        await group.storm()
        const clients = Array.from({ length: clientsEach }, (_, j) => new Chance(seed + i * clientsEach + j))
        await Promise.all([group.bePolite(untilMs), ...clients.map(chance => group.beGreedy(chance, untilMs))])
        group.judge(performance.now() - startedMs)
      }),
    ).finally(() => clearInterval(progress))
    await killing
    return {
      summary: groups.map(group => group.describe()).join('; '),
      failures: groups.flatMap(({ failures }) => [...new Set(failures)]),
    }
  } finally {
    for (const server of servers) await server.stop()
    await Promise.all([redis.kill(), unsteady.kill()])
  }
}

async function killAndStart(redis: KilledRedis, chance: Chance, untilMs: number): Promise<void> {
  while (performance.now() < untilMs) {
    await sleep(chance.int(1_000, 15_000))
    await redis.kill()
    await sleep(chance.int(0, 5_000))
    await redis.start()
  }
}

async function issueKeys(ground: FolderGround, slug: string): Promise<{ greedy: string; polite: string }> {
  const sql = openApplication(ground.target, { connections: 1 })
  try {
    const { id: workspaceId } = await createWorkspace(ground.owner, { slug })
    const issue = async (name: string) => {
      const digests = new KeyedDigests(ground.ring, 'api-key digests')
      return (await createApiKey(sql, digests, { workspaceId, name, expiresAt: null })).key
    }
    return { greedy: await issue('greedy'), polite: await issue('polite') }
  } finally {
    await sql.end()
  }
}

interface KilledRedis {
  readonly url: string
  kill(): Promise<void>
  start(): Promise<void>
}

async function openRedis(folder: string): Promise<KilledRedis> {
  const port = await freePort()
  let redis = await startRedis(port, folder)
  return {
    url: `redis://127.0.0.1:${port}`,
    async kill() {
      const left = once(redis, 'exit')
      redis.kill('SIGKILL')
      await left
    },
    async start() {
      redis = await startRedis(port, folder)
    },
  }
}

scenario(
  'greedy',
  'F9: a greedy key at two processes with a Redis, at one whose Redis is killed, at one without, and a polite one; the rounds are seconds',
  { long: 600 },
  run => inFolder(ground => beGreedy(ground, run)),
)
