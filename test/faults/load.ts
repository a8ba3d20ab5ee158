// Clients that send requests without pause while something happens to the server or its database, and check every answer:
// the right bytes, or a proper 503.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Reply } from '../support/clients/http-client.ts'
import { problemsOf } from '../support/clients/wire-shapes.ts'
import { openApi } from '../support/houses/api.ts'
import { everyRoute, fillSample } from '../support/houses/sample.ts'
import type { Chance } from './chance.ts'
import type { FolderGround } from './grounds.ts'
import type { ServedProcess } from './served-process.ts'

const patienceMs = 20_000

export interface Seen {
  readonly path: string
  readonly startedMs: number
  readonly endedMs: number
  readonly reply: Reply | null
  readonly problem: string | null
}

/** The requests, and the correct bytes. */
export interface Golden {
  readonly authorization: string
  readonly answers: ReadonlyMap<string, string>
}

/** Fills the folder's database and notes the right answers. */
export async function prepareGolden(ground: FolderGround): Promise<Golden> {
  const api = await openApi({ ...ground, close: async () => {} }, { secret: ground.secret })
  const tenant = await api.tenant()
  const sample = await fillSample(tenant)
  const cut = new Date().toISOString()
  const plain = everyRoute(sample)
  const paths = [
    ...plain,
    ...plain.filter(path => /values$|adjustment$|receipt$/.test(path)).map(path => `${path}?knownAt=${cut}`),
  ]
  const answers = new Map<string, string>()
  for (const path of paths) answers.set(path, (await tenant.get(path)).text)
  await api.close()
  return { authorization: `Bearer ${tenant.key}`, answers }
}

export class Load {
  readonly seen: Seen[] = []
  readonly #server: ServedProcess
  readonly #golden: Golden
  #isStopped = false

  constructor(server: ServedProcess, golden: Golden) {
    this.#server = server
    this.#golden = golden
  }

  stop(): void {
    this.#isStopped = true
  }

  async ask(chance: Chance): Promise<void> {
    const paths = [...this.#golden.answers.keys()]
    while (!this.#isStopped) {
      await this.#once(chance.pick(paths))
      await sleep(chance.int(0, 8))
    }
  }

  async #once(path: string): Promise<void> {
    const startedMs = performance.now()
    const headers = { authorization: this.#golden.authorization }
    const asked = this.#server.client.ask(`/v1${path}`, { headers }).catch(() => null)
    const reply = await Promise.race([asked, sleep(patienceMs, null, { ref: false })])
    this.seen.push({ path, startedMs, endedMs: performance.now(), reply, problem: this.#judge(path, reply) })
  }

  /** Correct, or a proper 503. */
  #judge(path: string, reply: Reply | null): string | null {
    if (reply === null) return `${path}: the connection broke, or no answer came in ${patienceMs} ms`
    if (reply.status === 200)
      return reply.text === this.#golden.answers.get(path) ? null : `${path}: a wrong body: ${reply.text}`
    if (reply.status !== 503) return `${path}: ${reply.status} ${reply.text}`
    if (problemsOf('error', reply.text).length > 0) return `${path}: 503 with ${reply.text}`
    return /^[1-9]\d*$/.test(`${reply.headers['retry-after']}`) ? null : `${path}: 503 without Retry-After`
  }
}

export async function firstGood(load: Load, sinceMs: number): Promise<number> {
  for (;;) {
    const found = load.seen.find(({ startedMs, reply }) => startedMs >= sinceMs && reply?.status === 200)
    if (found !== undefined) return found.endedMs - sinceMs
    if (performance.now() - sinceMs > patienceMs) return patienceMs
    await sleep(10)
  }
}
