// One connection of a load generator over loopback, one request at a time. It looks at the status and the length of an
// answer and at nothing else, so that the generator is faster than the servers it measures.
import { connect, type Socket } from 'node:net'

/** How many connections load a server. */
export const connections = 32

const statusLine = Buffer.from('HTTP/1.1 200')
const headEnd = Buffer.from('\r\n\r\n')
const zero = 48

export class Connection {
  readonly #socket: Socket
  onAnswer: (nth: number) => void = () => {}
  onError: (error: Error) => void = () => {}
  #nth = 0
  /** Bytes of the answer still to be received; -1 before its head was read. */
  #missing = -1

  private constructor({ hostname, port }: URL) {
    this.#socket = connect({
      host: hostname,
      port: Number.parseInt(port, 10),
      noDelay: true,
      // One buffer for all input: the generator must not spend its time on garbage collection.
      onread: {
        buffer: Buffer.allocUnsafe(64 * 1024),
        callback: (length, buffer) => {
          this.#take(buffer as Buffer, length)
          return true
        },
      },
    })
    this.#socket.on('error', error => this.onError(error))
  }

  static open(url: URL): Promise<Connection> {
    const { promise, resolve, reject } = Promise.withResolvers<Connection>()
    const connection = new Connection(url)
    connection.onError = reject
    connection.#socket.once('connect', () => resolve(connection))
    return promise
  }

  /** As many as load a server. */
  static openAll(url: string): Promise<Connection[]> {
    return Promise.all(Array.from({ length: connections }, () => Connection.open(new URL(url))))
  }

  send(request: Buffer, nth: number): void {
    this.#nth = nth
    this.#missing = -1
    this.#socket.write(request)
  }

  close(): void {
    this.#socket.destroy()
  }

  #take(piece: Buffer, pieceLength: number): void {
    if (this.#missing < 0) {
      // Heads here are a few hundred bytes and arrive in one piece.
      const end = piece.indexOf(headEnd)
      const length = contentLength(piece, end)
      if (end < 0 || length === null || piece.compare(statusLine, 0, statusLine.length, 0, statusLine.length) !== 0) {
        const head = piece.toString('latin1', 0, Math.min(pieceLength, 80))
        this.onError(new Error(`not answered as it should be: ${head}`))
        return
      }
      this.#missing = length + end + headEnd.length
    }
    this.#missing -= pieceLength
    if (this.#missing === 0) this.onAnswer(this.#nth)
  }
}

const lengthNames = [Buffer.from('content-length: '), Buffer.from('Content-Length: ')]

function contentLength(piece: Buffer, end: number): number | null {
  for (const name of lengthNames) {
    const at = piece.indexOf(name)
    if (at < 0 || at > end) continue
    let length = 0
    for (let i = at + name.length; piece[i] !== 13; i++) length = length * 10 + piece[i]! - zero
    return length
  }
  return null
}
