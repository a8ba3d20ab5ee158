// A number of connections to one database that are opened when they are needed and used by one party at a time. A caller that
// finds none free waits; a connection that cannot be opened is the answer to the caller that has waited longest.
import { Connection, type ConnectionOptions } from './connection.ts'
import { ConnectionError } from './connection-error.ts'

export interface ConnectionPoolOptions extends ConnectionOptions {
  readonly most: number
  /** Whether connections are exchanged for younger ones after a while. Locks and listening end with them. */
  readonly isRenewed: boolean
  readonly onNotice?: (channel: string, payload: string) => void
  /** Called when a connection is gone, for any reason. */
  readonly onClose?: () => void
}

type Waiter = PromiseWithResolvers<Connection>

/** Half an hour to a whole one, so that not all of them end at once. */
const renewalMs = () => 30 * 60_000 * (1 + Math.random())

export class ConnectionPool {
  readonly #options: ConnectionPoolOptions
  /** Connections that are opening, in use or idle; not those that are closing. */
  readonly #connections = new Set<Connection>()
  readonly #closing = new Set<Connection>()
  /** Connections that are opening. */
  readonly #starting = new Set<Connection>()
  readonly #idle: Connection[] = []
  readonly #waiting: Waiter[] = []
  readonly #expired = new WeakSet<Connection>()
  #ending: Promise<void> | null = null
  #onEnd: () => void = () => {}

  constructor(options: ConnectionPoolOptions) {
    this.#options = options
  }

  /** The caller gives it back with `release`. */
  acquire(): Promise<Connection> {
    if (this.#ending !== null) return Promise.reject(ConnectionError.of('CONNECTION_ENDED'))
    const idle = this.#idle.pop()
    if (idle !== undefined) return Promise.resolve(idle)
    const waiter = Promise.withResolvers<Connection>()
    this.#waiting.push(waiter)
    this.#openMore()
    return waiter.promise
  }

  release(connection: Connection): void {
    if (connection.isClosed) return
    if (connection.isSpent || this.#expired.has(connection)) this.#retire(connection)
    else this.#give(connection)
  }

  #give(connection: Connection): void {
    const waiter = this.#waiting.shift()
    if (waiter !== undefined) waiter.resolve(connection)
    else if (this.#ending !== null) this.#retire(connection)
    else this.#idle.push(connection)
  }

  #openMore(): void {
    while (this.#starting.size < this.#waiting.length && this.#connections.size < this.#options.most) void this.#open()
  }

  async #open(): Promise<void> {
    const connection = new Connection(this.#options)
    const { onNotice, isRenewed } = this.#options
    if (onNotice !== undefined) connection.onNotice = onNotice
    this.#starting.add(connection)
    this.#connections.add(connection)
    try {
      await connection.open()
    } catch (error) {
      this.#starting.delete(connection)
      this.#connections.delete(connection)
      this.#waiting.shift()?.reject(error)
      this.#openMore()
      this.#checkEnd()
      return
    }
    this.#starting.delete(connection)
    const timer = isRenewed ? setTimeout(() => this.#expire(connection), renewalMs()).unref() : undefined
    connection.onClose = () => {
      clearTimeout(timer)
      this.#forget(connection)
    }
    if (connection.isClosed) this.#forget(connection)
    else this.#give(connection)
  }

  #expire(connection: Connection): void {
    if (this.#idle.includes(connection)) this.#retire(connection)
    else this.#expired.add(connection)
  }

  #retire(connection: Connection): void {
    this.#drop(connection)
    this.#closing.add(connection)
    void connection.close()
    this.#openMore()
  }

  #forget(connection: Connection): void {
    this.#drop(connection)
    this.#closing.delete(connection)
    this.#options.onClose?.()
    this.#openMore()
    this.#checkEnd()
  }

  #drop(connection: Connection): void {
    this.#connections.delete(connection)
    const place = this.#idle.indexOf(connection)
    if (place >= 0) this.#idle.splice(place, 1)
  }

  /**
   * Ends the pool: only callers that wait already get a connection, and each one is closed when it is given back. Statements that
   * still run after `timeout` seconds are answered with an error.
   */
  end({ timeout }: { readonly timeout?: number } = {}): Promise<void> {
    this.#ending ??= this.#end(timeout)
    return this.#ending
  }

  async #end(timeout: number | undefined): Promise<void> {
    const ended = Promise.withResolvers<void>()
    this.#onEnd = ended.resolve
    for (const connection of [...this.#idle]) this.#retire(connection)
    const timer = timeout === undefined ? undefined : setTimeout(() => this.#destroy(), timeout * 1000)
    this.#checkEnd()
    await ended.promise
    clearTimeout(timer)
  }

  #destroy(): void {
    for (const waiter of this.#waiting.splice(0)) waiter.reject(ConnectionError.of('CONNECTION_DESTROYED'))
    for (const connection of [...this.#connections, ...this.#closing]) connection.destroy()
    this.#checkEnd()
  }

  #checkEnd(): void {
    if (this.#connections.size === 0 && this.#closing.size === 0 && this.#waiting.length === 0) this.#onEnd()
  }
}
