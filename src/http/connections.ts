// The open connections of the server, so that stopping loses no request. From the stop on every answer says
// `Connection: close`; a connection that has been silent is closed at once, and one that was busy a moment ago may still
// have a request on its way to us and is given that moment.
import type { Server, ServerResponse } from 'node:http'
import { type Socket, Server as TcpServer } from 'node:net'
import { limits } from '../limits.ts'

class Connection {
  readonly socket: Socket
  /** The newest answer, and how many are not finished; more than one where requests come in a row. */
  answer: ServerResponse | null = null
  underWay = 0
  idleSinceMs = performance.now()

  constructor(socket: Socket) {
    this.socket = socket
  }
}

export class Connections {
  readonly #open = new Map<Socket, Connection>()
  #isStopping = false

  watch(server: Server): void {
    server.on('connection', socket => {
      this.#open.set(socket, new Connection(socket))
      socket.once('close', () => this.#open.delete(socket))
    })
  }

  /** To be told of every request before it is answered. */
  begin(socket: Socket, answer: ServerResponse): void {
    const connection = this.#open.get(socket)
    if (connection === undefined) return
    connection.answer = answer
    connection.underWay++
    if (this.#isStopping) answer.shouldKeepAlive = false
    answer.once('close', () => this.#end(connection))
  }

  #end(connection: Connection): void {
    connection.underWay--
    if (connection.underWay > 0) return
    connection.answer = null
    connection.idleSinceMs = performance.now()
    // An answer that had begun before the stop did not say that it is the last.
    if (this.#isStopping) this.#closeWhenSilent(connection)
  }

  /** Ends when every connection has: by itself, or cut after `patienceMs`. */
  async drain(server: Server, patienceMs: number): Promise<void> {
    this.#isStopping = true
    // Where it never listened there is nothing to wait for. Node's HTTP server would reset connections that look idle.
    const closed = new Promise<void>(resolve => {
      if (server.listening) TcpServer.prototype.close.call(server, () => resolve())
      else resolve()
    })
    for (const connection of this.#open.values()) {
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
    // Two turns of the event loop: what has arrived meanwhile is a request by then.
    const look = () => setImmediate(() => setImmediate(close))
    const waitMs = idleSinceMs + limits.silentConnectionMs - performance.now()
    if (waitMs <= 0) look()
    else setTimeout(look, waitMs).unref()
  }
}
