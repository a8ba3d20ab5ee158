// A receiver of webhooks on this machine: it keeps what it is sent and answers as a test says.
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly id: string
  readonly body: string
  readonly event: WireEvent
}

export interface WireEvent {
  readonly type: string
  readonly timestamp: string
  readonly data: {
    readonly workspace: string
    readonly subject: string
    readonly periods: readonly string[] | null
    readonly url: string
    readonly cursor: string | null
  }
}

export type Answering = (res: ServerResponse, received: Received) => void

export const answer =
  (status: number, headers: Readonly<Record<string, string>> = {}): Answering =>
  res =>
    res.writeHead(status, headers).end()

export class Receiver {
  readonly received: Received[] = []
  answering: Answering = answer(204)
  readonly #server: Server

  constructor(server: Server) {
    this.#server = server
    server.on('request', async (req, res) => {
      const pieces: Buffer[] = []
      for await (const piece of req) pieces.push(piece as Buffer)
      const body = Buffer.concat(pieces).toString()
      const { url: path = '', headers } = req
      const received = { path, headers, id: `${headers['webhook-id']}`, body, event: JSON.parse(body) as WireEvent }
      this.received.push(received)
      this.answering(res, received)
    })
  }

  static async open(): Promise<Receiver> {
    const server = createServer()
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    return new Receiver(server)
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** With a path of its own for each webhook. */
  url(path = '/'): string {
    return `http://127.0.0.1:${this.port}${path}`
  }

  at(path: string): readonly Received[] {
    return this.received.filter(each => each.path === path)
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise(resolve => this.#server.close(resolve))
  }
}
