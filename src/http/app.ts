// The HTTP server: the API (v1 and /ext/v1) goes to its own pipeline, everything else to Fastify, and refusals of HTTP itself are
// answered in the same shape as any other error. Building the server and listening are separate.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { Refusal } from '../core/refusal.ts'
import { limits } from '../limits.ts'
import { isTraced, tracedRequest } from '../tracing/spans.ts'
import { behindPrefix } from './api/definition.ts'
import type { Pipeline } from './api/pipeline.ts'
import { type Answer, send } from './frame/answer.ts'
import { answerFor, errorAnswer, isForTheLog, notFound } from './frame/errors.ts'
import { sendReply } from './frame/reply.ts'
import type { RequestLog } from './frame/request-log.ts'
import { forgetLastText } from './frame/secret-words.ts'
import { hasNul, unstorableWords } from './frame/storable-request.ts'
import { nosniff, transportHeaders } from './frame/transport-headers.ts'
import { Connections } from './traffic/connections.ts'
import { Patience } from './traffic/patience.ts'
import { placeLimits } from './traffic/place-limits.ts'
import { guardConnections } from './traffic/slow-readers.ts'

// Not imported by name, which would load everything behind `fetch` and `WebSocket` as well.
const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http')

export interface AppContext {
  /** Pipelines of v1 and of /ext/v1. */
  readonly pipelines: readonly Pipeline[]
  /**
   * Adds the routes outside the API: description, docs, the web interface. Routes that accept files may allow more
   * time.
   */
  readonly extend: (app: FastifyInstance, patience: Patience) => Promise<void> | void
  readonly requestIds: Pick<RequestLog, 'idFor' | 'nextId' | 'failed'>
  /** Whether a request came over TLS, according to the trusted proxies. */
  readonly isSecure: (req: IncomingMessage) => boolean
  /** Time a client may go without reading a byte of its answer. */
  readonly slowReaderMs?: number
}

export interface App {
  readonly server: Server
  readonly fastify: FastifyInstance
  /** Resolves when requests under way are answered and every connection is closed; slower ones are cut off. */
  drain(patienceMs: number): Promise<void>
}

export async function buildApp(parts: AppContext): Promise<App> {
  const { extend, requestIds, isSecure } = parts
  let server: Server | null = null
  const connections = new Connections()
  const patience = new Patience((req, why) => {
    const code = why === 'slow' ? slowBody : requestTimeout
    server?.emit('clientError', Object.assign(new Error('the request did not arrive in time'), { code }), req.socket)
  })
  const app = fastify({
    logger: false,
    // Unreadable requests are answered below, beside the connections (`openServer`).
    clientErrorHandler: () => {},
    genReqId: req => requestIds.idFor(req),
    bodyLimit: limits.bodyBytes,
    frameworkErrors: (_error, request, reply) => {
      const common = ['x-request-id', request.id, ...transportHeaders(isSecure(request.raw))]
      void send({ req: request.raw, res: reply.raw, common }, errorAnswer(400, 'the address cannot be read'))
    },
    // Fastify switches node's own time limits off unless they are given again.
    requestTimeout: limits.uploadMs,
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false } },
    serverFactory: handler => {
      server = openServer(parts, handler, patience, connections)
      return server
    },
  })
  const answerNothing = (request: FastifyRequest, reply: FastifyReply) => {
    const isThere = app.hasRoute({ method: 'GET', url: request.url.split('?', 1)[0]! })
    const refused = isThere
      ? errorAnswer(405, `${request.method} is not accepted here`, ['allow', 'GET, HEAD'])
      : errorAnswer(404, notFound)
    sendReply(request, reply, refused)
  }
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    if (hasNul(request.url)) throw new Refusal('invalid', unstorableWords)
    const headers = transportHeaders(isSecure(request.raw))
    for (let i = 0; i < headers.length; i += 2) reply.header(headers[i]!, headers[i + 1]!)
    // No body is read here: only the console, and routes that say so, accept one.
    if (isConsole(request.url) || !hasBody(request.raw) || request.routeOptions.config.takesForm === true) return
    reply.header('connection', 'close')
    answerNothing(request, reply)
  })
  // Routers match addresses with regular expressions, and an address may contain a key.
  app.addHook('onResponse', async () => forgetLastText())
  app.setNotFoundHandler(answerNothing)
  app.setErrorHandler((error, request, reply) => {
    const answer = answerFor(error)
    if (isForTheLog(error, answer.status)) requestIds.failed(request.id, request.routeOptions.url ?? 'other', error)
    sendReply(request, reply, answer)
  })
  await extend(app, patience)
  await app.ready()
  guardConnections(server!, parts.slowReaderMs ?? limits.slowReaderMs)
  return { server: server!, fastify: app, drain: patienceMs => connections.drain(server!, patienceMs) }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route reads a body, of its own type and size. */
    takesForm?: true
  }
}

/** The console alone reads bodies, once it knows the sender. */
function isConsole(url: string): boolean {
  return url.startsWith('/console')
}

function hasBody({ method, headers }: IncomingMessage): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  const length = headers['content-length']
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined
}

function openServer(
  { pipelines, requestIds, isSecure }: AppContext,
  others: (req: IncomingMessage, res: ServerResponse) => void,
  patience: Patience,
  connections: Connections,
): Server {
  const refusal = (req: IncomingMessage) => {
    return ['x-request-id', requestIds.idFor(req), 'connection', 'close', ...transportHeaders(isSecure(req))]
  }
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.slowClientMs,
    // Time for files; all other requests get less, see traffic/patience.ts.
    requestTimeout: limits.uploadMs,
    connectionsCheckingInterval: limits.slowClientCheckMs,
    keepAliveTimeout: placeLimits.keepAliveMs,
    // Without a Host header node would answer by itself, in another shape.
    requireHostHeader: false,
  })
  connections.watch(server)
  /** Answer in progress on each connection, because the rest of a body may still fail after its answer. */
  const underWay = new WeakMap<Duplex, { req: IncomingMessage; res: ServerResponse }>()
  const route = (req: IncomingMessage, res: ServerResponse) => {
    connections.begin(req.socket, res)
    if (req.headers['content-length'] !== undefined || req.headers['transfer-encoding'] !== undefined) {
      // Stored no longer than the answer takes: an address may contain a secret.
      underWay.set(req.socket, { req, res })
      res.once('close', () => req.complete && underWay.delete(req.socket))
      patience.give(req)
    }
    const url = originForm(req.url ?? '/')
    req.url = url
    if (req.httpVersion !== '1.1' && req.httpVersion !== '1.0') {
      // The connection ends with the answer.
      void send({ req, res, common: refusal(req) }, errorAnswer(400, 'the request line must end with HTTP/1.1'))
      return
    }
    if (req.headers.host === undefined && req.httpVersion === '1.1') {
      void send({ req, res, common: refusal(req) }, errorAnswer(400, 'the Host header is missing'))
      return
    }
    const question = url.indexOf('?')
    const path = question < 0 ? url : url.slice(0, question)
    for (const pipeline of pipelines) {
      const behind = behindPrefix(pipeline.definition, path)
      if (behind !== null) {
        pipeline.handle(req, res, url, behind)
        return
      }
    }
    connections.listenForEnd(req.socket, res)
    others(req, res)
  }
  const handle = isTraced
    ? (req: IncomingMessage, res: ServerResponse) => tracedRequest(req, res, () => route(req, res))
    : route
  server.on('request', handle)
  server.on('checkContinue', (req, res) => {
    res.writeContinue()
    handle(req, res)
  })
  server.on('checkExpectation', (req, res) => {
    void send({ req, res, common: refusal(req) }, errorAnswer(417, 'only Expect: 100-continue is understood'))
  })
  server.on('clientError', (error, socket) => {
    // A ready answer, such as that for a refused key, comes first.
    setImmediate(() => endBroken(error, socket as Socket))
  })
  const endBroken = (error: NodeJS.ErrnoException, socket: Socket) => {
    const { req, res } = underWay.get(socket) ?? {}
    const isInBody = req?.complete === false
    const unfinished = isInBody ? null : connections.unfinishedAnswer(socket)
    // A body that fails after its answer gets no second one.
    if (isInBody && res?.headersSent === true) socket.destroySoon()
    else if (unfinished === null) answerBrokenRequest(error, socket, requestIds.nextId())
    else {
      // The bytes after a request cannot be read: the request has its answer, and the connection ends with it.
      unfinished.shouldKeepAlive = false
      unfinished.once('close', () => socket.destroySoon())
    }
  }
  server.on('connect', (req: IncomingMessage, socket: Duplex) => {
    writeRaw(
      socket,
      errorAnswer(405, 'CONNECT is not accepted here', ['allow', 'GET, HEAD', 'x-request-id', requestIds.idFor(req)]),
    )
  })
  return server
}

/** Part of an address after its host: a proxy may send the whole. */
function originForm(url: string): string {
  if (url.startsWith('/')) return url
  const rest = /^https?:\/\/[^/?#]+(.*)$/i.exec(url)?.[1]
  return rest === undefined ? url : rest.startsWith('/') ? rest : `/${rest}`
}

const requestTimeout = 'ERR_HTTP_REQUEST_TIMEOUT'

/** Error code of this server, beside node's. */
const slowBody = 'ASSIZE_SLOW_BODY'
const { bytes: leastBytes, everyMs } = placeLimits.slowestBody

const brokenRequests: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, `the headers are larger than ${limits.headerBytes} bytes`],
  [requestTimeout]: [408, 'the request did not arrive in time'],
  [slowBody]: [
    408,
    `the body arrived too slowly: at least ${leastBytes / 1000} kB are expected every ${everyMs / 1000} seconds; nothing of it was kept`,
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'the body is too large'],
}

function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex, requestId: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, message] = brokenRequests[error.code ?? ''] ?? [400, 'the request cannot be read as HTTP']
  writeRaw(socket, errorAnswer(status, message, ['x-request-id', requestId]))
}

/** An answer without node's response object, which does not exist for a request that could not be read. */
function writeRaw(socket: Duplex, { status, chunks, length, headers }: Answer): void {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'content-type: application/json',
    `content-length: ${length}`,
    'connection: close',
    nosniff.join(': '),
  ]
  for (let i = 0; i < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`)
  socket.end(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), ...chunks]))
}
