// Plain HTTP for tests: a request with any method, headers and sending address, or raw bytes. It follows no redirects,
// decodes nothing and hides nothing.
import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
  readonly text: string
  readonly ms: number
}

export interface Asking {
  readonly method?: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string | Buffer
  /** An address of this machine to send from, such as 127.0.0.9. */
  readonly from?: string
}

export class HttpClient {
  readonly port: number
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 })

  constructor(port: number) {
    this.port = port
  }

  ask(path: string, { method = 'GET', headers = {}, body, from }: Asking = {}): Promise<Reply> {
    const startedMs = performance.now()
    const target = { host: '127.0.0.1', port: this.port, path, method, headers }
    const agent = from === undefined ? { agent: this.#agent } : { agent: false as const, localAddress: from }
    return new Promise((resolve, reject) => {
      const req = request({ ...target, ...agent }, res => {
        const chunks: Buffer[] = []
        res.on('data', chunk => chunks.push(chunk))
        res.once('error', reject)
        res.once('end', () => {
          const whole = Buffer.concat(chunks)
          resolve({
            status: res.statusCode!,
            headers: res.headers,
            rawHeaders: res.rawHeaders,
            body: whole,
            text: whole.toString(),
            ms: performance.now() - startedMs,
          })
        })
      })
      req.once('error', reject)
      req.end(body)
    })
  }

  /** Sends bytes on a new connection and returns everything received until the other side closes. */
  raw(bytes: string | Buffer, { waitMs = 20_000 }: { readonly waitMs?: number } = {}): Promise<RawReply> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.port, '127.0.0.1', () => socket.write(bytes))
      const chunks: Buffer[] = []
      const finish = (isClosed: boolean) => {
        socket.destroy()
        resolve({ text: Buffer.concat(chunks).toString('latin1'), isClosed })
      }
      const patience = setTimeout(() => finish(false), waitMs)
      socket.on('data', (chunk: Buffer) => chunks.push(chunk))
      socket.once('error', error => {
        clearTimeout(patience)
        if (chunks.length > 0) finish(true)
        else reject(error)
      })
      socket.once('end', () => {
        clearTimeout(patience)
        finish(true)
      })
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

export interface RawReply {
  readonly text: string
  /** Whether the other side ended the connection, rather than our timeout. */
  readonly isClosed: boolean
}

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The first answer in what came back; the body is all that follows its headers. */
export function readRaw({ text }: RawReply): RawAnswer {
  const end = text.indexOf('\r\n\r\n')
  const [first = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers = lines.map(line => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
  })
  const status = Number.parseInt(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1] ?? '0', 10)
  return { status, headers: Object.fromEntries(headers), body: text.slice(end + 4) }
}
