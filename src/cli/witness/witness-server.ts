// The HTTP side of a witness: `POST /add-checkpoint` as C2SP `tlog-witness` has it, and nothing else.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { WitnessRefusal } from '../../core/proof/add-checkpoint.ts'
import type { Witness } from './witness.ts'

// Not imported by name, which would load everything behind `fetch` and `WebSocket` as well.
const { createServer } = process.getBuiltinModule('node:http')

/** A checkpoint with 100 signatures that outlive quantum computers fits. */
const mostBytes = 512 * 1024
const patienceMs = 15_000
const mostConnections = 200

const statuses: Readonly<Record<WitnessRefusal['kind'], number>> = {
  malformed: 400,
  'not-signed': 403,
  'unknown-log': 404,
  'other-size': 409,
  'two-roots': 409,
  'not-grown': 422,
}

interface WitnessServer {
  readonly address: string
  stop(): Promise<void>
}

interface Answer {
  readonly status: number
  readonly text: string
  readonly type?: string
}

/** `tell` is given a line for every checkpoint that was signed or refused. */
export async function startWitnessServer(
  witness: Witness,
  { host, port }: { readonly host: string; readonly port: number },
  tell: (line: string) => void,
): Promise<WitnessServer> {
  const server: Server = createServer(
    { requestTimeout: patienceMs, headersTimeout: patienceMs, keepAliveTimeout: 60_000 },
    (request, response) => void respond(witness, request, response, tell),
  )
  server.maxConnections = mostConnections
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve)
  })
  const { port: opened } = server.address() as AddressInfo
  return {
    address: `http://${host.includes(':') ? `[${host}]` : host}:${opened}`,
    stop: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeIdleConnections()
      }),
  }
}

async function respond(
  witness: Witness,
  request: IncomingMessage,
  response: ServerResponse,
  tell: (line: string) => void,
): Promise<void> {
  const {
    status,
    text,
    type = 'text/plain; charset=utf-8',
  } = await answer(witness, request, tell).catch((error: unknown): Answer => {
    tell(`a request failed: ${error instanceof Error ? error.message : String(error)}`)
    return { status: 500, text: 'this witness has a problem of its own\n' }
  })
  if (response.destroyed) return
  // What was not read of a body that is too long is not waited for.
  if (!request.complete) response.shouldKeepAlive = false
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) }).end(text)
}

async function answer(witness: Witness, request: IncomingMessage, tell: (line: string) => void): Promise<Answer> {
  const { pathname } = new URL(request.url ?? '/', 'http://witness.invalid')
  if (pathname !== '/add-checkpoint') return { status: 404, text: 'this is a witness: POST /add-checkpoint\n' }
  if (request.method !== 'POST') return { status: 405, text: 'a checkpoint is sent by POST\n' }
  const body = await readBody(request)
  if (body === null) return { status: 413, text: `a request has at most ${mostBytes} bytes\n` }
  const answered = await witness.answer(body)
  if (answered.kind === 'signed') {
    tell(`signed ${answered.checkpoint.origin} at ${answered.checkpoint.size} leaves`)
    return { status: 200, text: answered.line }
  }
  tell(`refused: ${answered.why}`)
  const status = statuses[answered.kind]
  if ('size' in answered) return { status, text: `${answered.size}\n`, type: 'text/x.tlog.size' }
  return { status, text: `${answered.why}\n` }
}

/** Null where it is too long. Bytes that are not UTF-8 become characters that no line of the protocol has. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > mostBytes) return null
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}
