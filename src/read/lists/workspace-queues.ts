// Background work in small turns: each workspace has a queue, a few queues have their turn at once, and the shortest waiting one
// goes first, so that a workspace with much work delays nobody else.
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '../../limits.ts'

interface Queue<Item> {
  /** Items by key: an item queued twice is done once. */
  readonly items: Map<string, Item>
  /** Settles when the queue is empty, or rejects with its error. */
  readonly done: PromiseWithResolvers<void>
}

interface QueueWork<Item> {
  /** Number of items in a turn. */
  readonly together: number
  /** `left` items of the workspace wait after these. */
  work(workspaceId: string, items: ReadonlyMap<string, Item>, left: number): Promise<void>
}

export class WorkspaceQueues<Item> {
  readonly #parts: QueueWork<Item>
  readonly #queues = new Map<string, Queue<Item>>()
  /** Workspaces that have their turn. */
  readonly #working = new Set<string>()

  constructor(parts: QueueWork<Item>) {
    this.#parts = parts
  }

  /** Returns when the queue of the workspace is empty, or after a moment; rejects if its work fails by then. */
  async add(workspaceId: string, items: Iterable<readonly [key: string, item: Item]>): Promise<void> {
    const queue = this.#queues.getOrInsertComputed(workspaceId, makeQueue<Item>)
    for (const [key, item] of items) queue.items.set(key, item)
    this.#start()
    const stop = new AbortController()
    const patience = sleep(limits.digestWaitMs, undefined, { signal: stop.signal }).catch(() => {})
    await Promise.race([queue.done.promise, patience]).finally(() => stop.abort())
  }

  #start(): void {
    while (this.#working.size < limits.digestWorkspacesAtOnce) {
      const waiting = [...this.#queues].filter(([workspaceId]) => !this.#working.has(workspaceId))
      if (waiting.length === 0) return
      const [workspaceId, queue] = waiting.reduce((least, each) =>
        each[1].items.size < least[1].items.size ? each : least,
      )
      void this.#takeTurn(workspaceId, queue)
    }
  }

  async #takeTurn(workspaceId: string, queue: Queue<Item>): Promise<void> {
    this.#working.add(workspaceId)
    const turn = new Map(queue.items.entries().take(this.#parts.together))
    for (const key of turn.keys()) queue.items.delete(key)
    await this.#parts.work(workspaceId, turn, queue.items.size).catch(error => {
      queue.items.clear()
      queue.done.reject(error)
    })
    this.#working.delete(workspaceId)
    if (queue.items.size === 0) {
      this.#queues.delete(workspaceId)
      queue.done.resolve()
    }
    this.#start()
  }
}

function makeQueue<Item>(): Queue<Item> {
  const done = Promise.withResolvers<void>()
  // The caller may have gone by the time it fails.
  done.promise.catch(() => {})
  return { items: new Map(), done }
}
