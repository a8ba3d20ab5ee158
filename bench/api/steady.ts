// A steady rate over loopback, as independent callers send it. Each request has a scheduled moment; its time counts from
// there, whether or not a connection was free, so that a pause of the server counts for all requests during it.
import { connect, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { connections } from './load.ts'
import type { BenchRoute } from './requests.ts'

const warmUpSeconds = 1

/** The 99th percentile in milliseconds; the first second, in which the generator warms up, is not counted. */
export async function measureSteadily(url: string, route: BenchRoute, rate: number, seconds: number): Promise<number> {
  const generator = new Generator(url, encodeRequests(url, route), rate, seconds)
  const timesMs = await generator.run()
  return timesMs.sort()[Math.floor(timesMs.length * 0.99)]!
}

function encodeRequests(url: string, { paths, keys, prefix = '' }: BenchRoute): Buffer[] {
  const { host } = new URL(url)
  return Array.from({ length: Math.max(paths.length, keys.length) }, (_, i) => {
    const head = [
      `GET ${prefix}${paths[i % paths.length]} HTTP/1.1`,
      `Host: ${host}`,
      `Authorization: Bearer ${keys[i % keys.length]}`,
    ]
    return Buffer.from(`${head.join('\r\n')}\r\n\r\n`)
  })
}

class Generator {
  readonly #requests: readonly Buffer[]
  readonly #url: URL
  readonly #rate: number
  readonly #idle: Connection[] = []
  readonly #total: number
  readonly #notCounted: number
  readonly #timesMs: Float64Array
  #startMs = 0
  #sent = 0
  #answered = 0

  constructor(url: string, requests: readonly Buffer[], rate: number, seconds: number) {
    this.#url = new URL(url)
    this.#requests = requests
    this.#rate = rate
    this.#notCounted = Math.floor(rate * warmUpSeconds)
    this.#total = this.#notCounted + Math.floor(rate * seconds)
    this.#timesMs = new Float64Array(this.#total - this.#notCounted)
  }

  async run(): Promise<Float64Array> {
    const opened = await Promise.all(Array.from({ length: connections }, () => Connection.open(this.#url)))
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    for (const connection of opened) {
      connection.onError = reject
      connection.onAnswer = nth => {
        this.#note(nth)
        this.#idle.push(connection)
        this.#sendDue()
        if (this.#answered === this.#total) resolve()
      }
    }
    this.#idle.push(...opened)
    this.#startMs = performance.now()
    const timer = setInterval(() => this.#sendDue(), 1)
    try {
      await promise
    } finally {
      clearInterval(timer)
      for (const connection of opened) connection.close()
    }
    return this.#timesMs
  }

  #momentOf(nth: number): number {
    return this.#startMs + (nth * 1000) / this.#rate
  }

  #sendDue(): void {
    const nowMs = performance.now()
    while (this.#idle.length > 0 && this.#sent < this.#total && this.#momentOf(this.#sent) <= nowMs) {
      // A step that shares no factor with the number of requests, so that neighbours are far apart.
      const request = this.#requests[(this.#sent * 7919) % this.#requests.length]!
      this.#idle.pop()!.send(request, this.#sent++)
    }
  }

  #note(nth: number): void {
    this.#answered++
    if (nth >= this.#notCounted) this.#timesMs[nth - this.#notCounted] = performance.now() - this.#momentOf(nth)
  }
}

/** One connection, one request at a time. */
class Connection {
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
      const end = piece.indexOf('\r\n\r\n')
      const head = piece.toString('latin1', 0, end)
      const length = /content-length: (\d+)/i.exec(head)?.[1]
      if (!head.startsWith('HTTP/1.1 200') || length === undefined) {
        this.onError(new Error(`not answered as it should be: ${head.slice(0, 80)}`))
        return
      }
      this.#missing = Number.parseInt(length, 10) + end + 4
    }
    this.#missing -= pieceLength
    if (this.#missing === 0) this.onAnswer(this.#nth)
  }
}
