// Clients that send requests without pause, each on one keep-alive connection, in their own thread: requests are in flight
// while the server does something else. They record the outcome of every request.
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

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

/** Resolves when each client has been answered. */
export async function startBusyClients(task: Task): Promise<BusyClients> {
  const worker = new Worker(new URL(import.meta.url), { workerData: task })
  const failed = once(worker, 'error').then(([error]) => Promise.reject(error))
  await Promise.race([once(worker, 'message'), failed])
  return { report: Promise.race([once(worker, 'message').then(([report]) => report as BusyReport), failed]) }
}

if (!isMainThread && parentPort !== null) {
  const { clients } = workerData as Task
  const seen = { answered: 0, last: 0, lost: [] as string[] }
  let warm = 0
  const onFirst = () => {
    if (++warm === clients) parentPort!.postMessage('warm')
  }
  await Promise.all(Array.from({ length: clients }, () => askWithoutPause(workerData as Task, seen, onFirst)))
  parentPort.postMessage(seen satisfies BusyReport)
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
