// Clients that send requests without pause, each on one keep-alive connection, in their own thread: requests are in flight
// while the server does something else. They record the outcome of every request.
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'

export interface BusyReport {
  readonly answered: number
  /** Requests sent on an open connection that did not get a complete answer. */
  readonly lost: readonly string[]
  /** Answers after which the connection was to be closed. */
  readonly last: number
}

interface Task {
  readonly port: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly clients: number
}

export interface BusyClients {
  /** Ends when every client was refused a new connection. */
  readonly report: Promise<BusyReport>
}

/** One group of clients after the other. */
export class BusyThread {
  readonly #worker = new Worker(new URL(import.meta.url), { execArgv: [] })
  readonly #failed = once(this.#worker, 'error').then(([error]) => Promise.reject(error))

  constructor() {
    // Reported to whoever waits for an answer of the thread.
    this.#failed.catch(() => {})
  }

  /** Resolves when each client has been answered. */
  async start(task: Task): Promise<BusyClients> {
    this.#worker.postMessage(task)
    await this.#next()
    return { report: this.#next().then(([report]) => report as BusyReport) }
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }

  #next(): Promise<unknown[]> {
    return Promise.race([once(this.#worker, 'message'), this.#failed])
  }
}

if (!isMainThread && parentPort !== null) {
  const port = parentPort
  port.on('message', async (task: Task) => {
    const seen = { answered: 0, last: 0, lost: [] as string[] }
    let warm = 0
    const onFirst = () => {
      if (++warm === task.clients) port.postMessage('warm')
    }
    await Promise.all(Array.from({ length: task.clients }, () => askWithoutPause(task, seen, onFirst)))
    port.postMessage(seen satisfies BusyReport)
  })
}

async function askWithoutPause(
  { port, path, headers }: Task,
  seen: { answered: number; last: number; lost: string[] },
  onFirst: () => void,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let isFirst = true; ; isFirst = false) {
    const outcome = await askOnce(agent, port, path, headers)
    if (outcome === 'refused') return
    if (outcome === 'kept' || outcome === 'last') seen.answered++
    else seen.lost.push(outcome)
    if (outcome === 'last') seen.last++
    if (isFirst) onFirst()
  }
}

function askOnce(agent: Agent, port: number, path: string, headers: Task['headers']): Promise<string> {
  return new Promise(resolve => {
    const req = request({ host: '127.0.0.1', port, path, headers, agent }, res => {
      res.resume()
      res.once('error', error => resolve(`in the answer: ${error.message}`))
      res.once('end', () => resolve(res.headers.connection === 'close' ? 'last' : 'kept'))
    })
    req.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ECONNREFUSED' ? 'refused' : error.message),
    )
    req.end()
  })
}
