// The servers of a cluster, of which one at a time is the primary, and what a process knows about them: which of them failed
// last, and the newest timeline that it has seen. A promotion begins a new timeline, so a server on an older one was the
// primary once and is none now, whatever it says of itself (decision 0790).

export interface Host {
  readonly host: string
  readonly port: number
}

/** Connections to the servers, as a pool has them. */
interface Connected {
  /** Closes those to a server on an older timeline, whatever they are doing. */
  leaveOlder(timeline: number): void
  /** Closes all of them, whatever they are doing. */
  leaveAll(): void
}

export class Servers {
  #order: readonly Host[]
  #timeline = 0
  readonly #pools = new Set<Connected>()

  constructor(hosts: readonly Host[]) {
    this.#order = hosts
  }

  /** As in the address, but those that failed come last: a frozen server is not waited for again and again. */
  get order(): readonly Host[] {
    return this.#order
  }

  failed(host: Host): void {
    this.#order = [...this.#order.filter(each => each !== host), host]
  }

  /** Whether a server that takes writes is the primary as far as is known here. Then nobody stays connected to an older one. */
  admit(timeline: number): boolean {
    if (timeline < this.#timeline) return false
    if (timeline > this.#timeline) {
      this.#timeline = timeline
      for (const pool of this.#pools) pool.leaveOlder(timeline)
    }
    return true
  }

  join(pool: Connected): void {
    this.#pools.add(pool)
  }

  leave(pool: Connected): void {
    this.#pools.delete(pool)
  }

  /** Nobody gets an answer from the server that is used now: everything is asked of another one, or of it again. */
  leaveAll(): void {
    const [used] = this.#order
    if (used !== undefined) this.failed(used)
    for (const pool of this.#pools) pool.leaveAll()
  }
}
