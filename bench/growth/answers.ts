// A server in its own process, asked as a client and a browser would: the first answer after a start, and the next
// one after a change.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FolderGround } from '../../test/faults/grounds.ts'
import { type ServedProcess, serveFolder } from '../../test/faults/served-process.ts'
import type { Reply } from '../../test/support/clients/http-client.ts'
import { Browser, type ConsoleReply, password } from '../../test/support/houses/console.ts'
import { freePort } from '../../test/support/run/redis.ts'
import type { FilledWorkspace } from './fill.ts'

export class Asked {
  readonly #server: ServedProcess
  readonly #metricsPort: number
  readonly #filled: FilledWorkspace
  readonly browser: Browser

  private constructor(server: ServedProcess, metricsPort: number, filled: FilledWorkspace) {
    this.#server = server
    this.#metricsPort = metricsPort
    this.#filled = filled
    const { client } = server
    this.browser = new Browser({ client, ask: (path, asking) => client.ask(path, asking) }, filled.workspace.slug)
  }

  static async start({ folder }: FolderGround, filled: FilledWorkspace): Promise<Asked> {
    const metricsPort = await freePort()
    const env = { LOG_LEVEL: 'warn', METRICS_PORT: String(metricsPort) }
    const asked = new Asked(await serveFolder(folder, { env }), metricsPort, filled)
    // The caller is known before anything is measured: a key, a session, a connection.
    await asked.api('/health')
    return asked
  }

  stop(): Promise<number> {
    return this.#server.stop()
  }

  async api(path: string): Promise<Reply> {
    const headers = { authorization: `Bearer ${this.#filled.keys[0]}` }
    return answered(path, await this.#server.client.ask(`/v1${path}`, { headers }))
  }

  async page(path: string): Promise<ConsoleReply> {
    return answered(path, await this.browser.get(path))
  }

  async signIn(): Promise<void> {
    answered('sign-in', await this.browser.signIn(this.#filled.email, password))
  }

  /** A number of `/metrics`. */
  async metric(name: string): Promise<number> {
    const text = await (await fetch(`http://127.0.0.1:${this.#metricsPort}/metrics`)).text()
    return Number.parseFloat(new RegExp(`^${name} (\\S+)`, 'm').exec(text)![1]!)
  }

  /** Until nothing is being loaded. */
  async untilLoaded(): Promise<void> {
    while ((await this.metric('assize_library_loading')) > 0) await sleep(20)
  }

  /** Until every formula of the workspace is computed. */
  async untilWorkedOut(): Promise<void> {
    while ((await this.page('/overview')).text.includes('"pending":0') === false) await sleep(200)
  }
}

function answered<R extends Reply>(path: string, reply: R): R {
  if (reply.status !== 200) throw new Error(`${path} answers ${reply.status}: ${reply.text.slice(0, 500)}`)
  return reply
}

/**
 * How long it took until the first answer with the change. `stateOf` distinguishes answers before it from answers
 * after it.
 */
export async function nextAnswer<R extends Reply>(
  ask: () => Promise<R>,
  stateOf: (reply: R) => unknown,
  change: () => Promise<unknown>,
): Promise<number> {
  const before = stateOf(await ask())
  await change()
  for (;;) {
    const reply = await ask()
    if (stateOf(reply) !== before) return reply.ms
  }
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

/** What several turns cost. On a shared machine the fastest says most about the server. */
export interface Cost {
  readonly fastest: number
  readonly median: number
}

export function costOf(values: readonly number[]): Cost {
  return { fastest: Math.min(...values), median: median(values) }
}

export async function turns(count: number, measure: (turn: number) => Promise<number>): Promise<Cost> {
  const costs: number[] = []
  for (let turn = 0; turn < count; turn++) costs.push(await measure(turn))
  return costOf(costs)
}
