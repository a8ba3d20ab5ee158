// A server with one route, loaded in short turns over connections that stay open: servers take turns of a fraction of a
// second, so that a machine that is shared with others is equally fast for all of them.
import { Connection } from './connection.ts'
import type { RunningProcess } from './process.ts'
import { type BenchRoute, encodeRequests } from './requests.ts'

/** What one turn, or several together, gave. */
export interface Turn {
  readonly answered: number
  readonly seconds: number
  /** Of all threads of the server's process. */
  readonly processorSeconds: number
}

export class Lane {
  readonly #server: RunningProcess
  readonly #connections: readonly Connection[]
  readonly #requests: readonly Buffer[]
  #sent = 0

  private constructor(server: RunningProcess, connections: readonly Connection[], requests: readonly Buffer[]) {
    this.#server = server
    this.#connections = connections
    this.#requests = requests
  }

  static async open(server: RunningProcess, route: BenchRoute): Promise<Lane> {
    return new Lane(server, await Connection.openAll(server.url), encodeRequests(server.url, route))
  }

  close(): void {
    for (const connection of this.#connections) connection.close()
  }

  /** As fast as the server answers. What is on its way at the end is waited for, and counts. */
  async turn(ms: number): Promise<Turn> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    let answered = 0
    let open = this.#connections.length
    const processorBefore = this.#server.processorSeconds()
    const from = performance.now()
    const until = from + ms
    for (const connection of this.#connections) {
      connection.onError = reject
      connection.onAnswer = () => {
        answered++
        if (performance.now() < until) this.#send(connection)
        else if (--open === 0) resolve()
      }
      this.#send(connection)
    }
    await promise
    const seconds = (performance.now() - from) / 1000
    return { answered, seconds, processorSeconds: this.#server.processorSeconds() - processorBefore }
  }

  #send(connection: Connection): void {
    // A step that shares no factor with the number of requests, so that neighbours are far apart.
    connection.send(this.#requests[(this.#sent * 7919) % this.#requests.length]!, this.#sent++)
  }
}

export function perSecond({ answered, seconds }: Turn): number {
  return answered / seconds
}

/** Microseconds of processor time per request, over all the turns. */
export function processorMicros(turns: readonly Turn[]): number {
  const sum = (of: (turn: Turn) => number) => turns.reduce((total, turn) => total + of(turn), 0)
  return (sum(turn => turn.processorSeconds) / sum(turn => turn.answered)) * 1e6
}
