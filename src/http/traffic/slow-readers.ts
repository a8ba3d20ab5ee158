// Closes unused connections. If a client reads no byte of its answer for a while, its connection is cut, whatever the answer is and
// whatever else the client sends; so is, much later, a connection on which nothing is answered at all. Limits on arrival are in
// patience.ts, on the number of connections in connections.ts.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { limits } from '../../limits.ts'

export function guardConnections(server: Server, slowReaderMs: number): void {
  const readers = new Readers(slowReaderMs)
  const looking = setInterval(() => readers.look(performance.now()), slowReaderMs / looks)
  looking.unref()
  server.once('close', () => clearInterval(looking))
  server.on('connection', (socket: Socket) => readers.watch(socket))
}

/** Number of checks within the time that a client may read nothing. */
const looks = 6

/** Bytes a client had read, and the time since which it has read no more. */
interface Standstill {
  readonly taken: number
  readonly sinceMs: number
}

class Readers {
  readonly #slowReaderMs: number
  readonly #open = new Map<Socket, Standstill>()

  constructor(slowReaderMs: number) {
    this.#slowReaderMs = slowReaderMs
  }

  watch(socket: Socket): void {
    this.#open.set(socket, { taken: 0, sinceMs: performance.now() })
    socket.once('close', () => this.#open.delete(socket))
  }

  look(nowMs: number): void {
    for (const [socket, before] of this.#open) {
      const taken = takenOf(socket)
      const allowedMs = socket.writableLength === 0 ? limits.unusedConnectionMs : this.#slowReaderMs
      if (taken !== before.taken) this.#open.set(socket, { taken, sinceMs: nowMs })
      else if (nowMs - before.sinceMs >= allowedMs) socket.destroy()
    }
  }
}

/** Node's own counters of a socket: bytes given to it to send, and those that still wait. Not in its types. */
interface SocketCounts {
  readonly _handle?: { readonly bytesWritten?: number; readonly writeQueueSize?: number } | null
}

/** Bytes that have been sent: a long piece is sent gradually. Without node's own counters, whole pieces are counted. */
function takenOf(socket: Socket): number {
  const { bytesWritten, writeQueueSize } = (socket as SocketCounts)._handle ?? {}
  if (bytesWritten === undefined || writeQueueSize === undefined) return socket.bytesWritten - socket.writableLength
  return bytesWritten - writeQueueSize
}
