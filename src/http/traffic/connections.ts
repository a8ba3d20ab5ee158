// Open connections of the server. When very many are open, unused ones are closed. Stopping loses no request: from the stop on
// every answer says `Connection: close`; a connection that has been silent is closed at once, and one that was busy a moment ago
// may still have a request on its way, so it is kept open a moment longer.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { type Socket, Server as TcpServer } from 'node:net'
import { limits } from '../../limits.ts'

class Connection {
  readonly socket: Socket
  /** Newest answer, and number of unfinished ones; more than one if requests are pipelined. */
  answer: ServerResponse | null = null
  underWay = 0
  /** Whether a request ever came on it, and whether one had a valid key or session. */
  hasAsked = false
  isKnown = false
  idleSinceMs = performance.now()
  /** Listener for the end of an answer: one function for all of them. */
  readonly end: (nowMs: number) => void

  constructor(socket: Socket, onEnd: (connection: Connection, nowMs: number) => void) {
    this.socket = socket
    this.end = nowMs => onEnd(this, nowMs)
  }
}

/** Each socket leads to its connection: every request needs it. */
const watched = Symbol('connection')

type Watched = Socket & { [watched]?: Connection }

/** Marks the connection of a request with a valid key or session: it is closed after those without one. */
export function markKnown({ socket }: IncomingMessage): void {
  const connection = (socket as Watched)[watched]
  if (connection !== undefined) connection.isKnown = true
}

/** Marks an answer as complete: it was given to node to send, at that time of `performance.now()`. */
export function markAnswered({ socket }: IncomingMessage, nowMs: number): void {
  ;(socket as Watched)[watched]?.end(nowMs)
}

export class Connections {
  /** Open connections, the oldest first. */
  readonly #open = new Set<Connection>()
  readonly #most: number
  #isStopping = false

  /** `most`: beyond this many, others are closed to make room. */
  constructor(most: number = limits.connections) {
    this.#most = most
  }

  watch(server: Server): void {
    const ended = (connection: Connection, nowMs: number) => this.#end(connection, nowMs)
    server.on('connection', socket => {
      if (this.#open.size >= this.#most) this.#makeRoom()
      const connection = new Connection(socket, ended)
      ;(socket as Watched)[watched] = connection
      this.#open.add(connection)
      socket.once('close', () => this.#open.delete(connection))
    })
  }

  /**
   * Closes the oldest connection without a request under way: first one that never had any, then one without a valid key, then any.
   */
  #makeRoom(): void {
    let idle: Connection | null = null
    for (const connection of this.#open) {
      if (!connection.hasAsked) {
        idle = connection
        break
      }
      if (connection.underWay > 0 || connection.socket.writableLength > 0) continue
      if (idle === null || (idle.isKnown && !connection.isKnown)) idle = connection
    }
    if (idle === null) return
    this.#open.delete(idle)
    idle.socket.destroy()
  }

  /**
   * Must be called for every request before it is answered. Its end comes by `markAnswered`, or after `listenForEnd`: a listener
   * for every request would cost more than all the rest here.
   */
  begin(socket: Socket, answer: ServerResponse): void {
    const connection = (socket as Watched)[watched]
    if (connection === undefined) return
    connection.answer = answer
    connection.hasAsked = true
    connection.underWay++
    if (this.#isStopping) answer.shouldKeepAlive = false
  }

  /** Listens for the end of an answer that is given elsewhere. */
  listenForEnd(socket: Socket, answer: ServerResponse): void {
    const connection = (socket as Watched)[watched]
    // The event comes once.
    if (connection !== undefined) answer.on('close', () => connection.end(performance.now()))
  }

  /** Newest unfinished answer on a connection; null if there is none. */
  unfinishedAnswer(socket: Socket): ServerResponse | null {
    return (socket as Watched)[watched]?.answer ?? null
  }

  #end(connection: Connection, nowMs: number): void {
    connection.underWay--
    if (connection.underWay > 0) return
    connection.answer = null
    connection.idleSinceMs = nowMs
    // An answer begun before the stop did not announce that it is the last.
    if (this.#isStopping) this.#closeWhenSilent(connection)
  }

  /** Resolves when every connection has ended: by itself, or cut off after `patienceMs`. */
  async drain(server: Server, patienceMs: number): Promise<void> {
    this.#isStopping = true
    // A server that never listened has nothing to wait for. Node's HTTP server would reset connections that look idle.
    const closed = new Promise<void>(resolve => {
      if (server.listening) TcpServer.prototype.close.call(server, () => resolve())
      else resolve()
    })
    for (const connection of this.#open) {
      if (connection.answer !== null) connection.answer.shouldKeepAlive = false
      else this.#closeWhenSilent(connection)
    }
    const patience = setTimeout(() => server.closeAllConnections(), patienceMs)
    await closed
    clearTimeout(patience)
  }

  #closeWhenSilent(connection: Connection): void {
    const { socket, idleSinceMs } = connection
    const close = () => {
      if (connection.underWay === 0 && connection.idleSinceMs === idleSinceMs) socket.destroySoon()
    }
    // Two turns of the event loop: bytes that arrived meanwhile have become a request by then.
    const look = () => setImmediate(() => setImmediate(close))
    const waitMs = idleSinceMs + limits.silentConnectionMs - performance.now()
    if (waitMs <= 0) look()
    else setTimeout(look, waitMs).unref()
  }
}
