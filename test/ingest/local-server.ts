// A local provider for tests: each test says how requests are answered, well or badly.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export type Respond = (asked: Asked, response: ServerResponse) => void | Promise<void>

export class LocalServer {
  readonly base: string
  readonly asked: Asked[] = []
  /** How the next requests are answered. */
  respond: Respond
  readonly #close: () => Promise<void>

  private constructor(base: string, respond: Respond, close: () => Promise<void>) {
    this.base = base
    this.respond = respond
    this.#close = close
  }

  static async start(
    respond: Respond = (_asked, response) => void response.writeHead(404).end(),
  ): Promise<LocalServer> {
    const http = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      const asked = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body }
      server.asked.push(asked)
      await server.respond(asked, response)
    })
    await new Promise<void>(done => http.listen(0, '127.0.0.1', done))
    const base = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
    const server = new LocalServer(base, respond, () => {
      http.closeAllConnections()
      return new Promise(done => http.close(() => done()))
    })
    return server
  }

  close(): Promise<void> {
    return this.#close()
  }
}

export function send(
  response: ServerResponse,
  body: string | Buffer,
  headers: Record<string, string> = {},
  status = 200,
): void {
  response.writeHead(status, { 'content-length': String(Buffer.byteLength(body)), ...headers }).end(body)
}
