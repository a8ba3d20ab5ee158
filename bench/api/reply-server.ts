// One ready answer of v1, sent in one of four ways, each in its own process: as v1 does (`lines`), with node's own
// `writeHead`, from a Fastify route without its reply (`route`), and with Fastify's reply. `/cpu` returns the processor
// time used so far.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import { inFewPieces, jsonAnswer, send } from '../../src/http/frame/answer.ts'
import { transportLines } from '../../src/http/frame/transport-headers.ts'

const [way, bytes] = process.argv.slice(2) as [string, string]
const rows = 'x'.repeat(Number.parseInt(bytes, 10) - 11)
const body = Buffer.from(JSON.stringify({ data: rows }))
const etag = '"J0WBeDzwDOgbSzFTBWbqdPW1EZa"'
const answer = inFewPieces(jsonAnswer([body], etag))

const rest = {
  'cache-control': 'private, no-cache',
  vary: 'Authorization, Accept-Encoding',
  'x-content-type-options': 'nosniff',
  'ratelimit-policy': '"default";q=6000;w=60',
}
let count = 0
const requestId = () => `req-${(count++).toString(36)}`
const left = () => `"default";r=${5_999 - (count % 5_000)};t=60`
const headers = () => ({ 'x-request-id': requestId(), ...rest, ratelimit: left() })
const lineOf = ([name, value]: [string, string]) => `${name}: ${value}\r\n`
const ready = `cache-control: ${rest['cache-control']}\r\nvary: ${rest.vary}\r\n${transportLines(false)}`
const policy = lineOf(['ratelimit-policy', rest['ratelimit-policy']])

function sendLines(req: IncomingMessage, res: ServerResponse): void {
  const lines = `x-request-id: ${requestId()}\r\n${ready}${policy}ratelimit: ${left()}\r\n`
  void send({ req, res, common: [], lines }, answer)
}

function sendByNode(_req: IncomingMessage, res: ServerResponse): void {
  const all = { ...headers(), 'content-type': 'application/json', etag, 'content-length': body.length }
  res.writeHead(200, all)
  res.end(body)
}

function used(): string {
  const { user, system } = process.cpuUsage()
  return `${user + system}`
}

async function openServer() {
  if (way === 'lines' || way === 'writeHead') {
    const answerBy = way === 'lines' ? sendLines : sendByNode
    return createServer((req, res) => (req.url === '/cpu' ? res.end(used()) : answerBy(req, res)))
  }
  const app = fastify({ logger: false })
  app.get('/cpu', async () => used())
  app.get('/v1/series/:id/values', (request, reply) => {
    if (way === 'route') {
      reply.hijack()
      sendLines(request.raw, reply.raw)
    } else reply.headers({ ...headers(), 'content-type': 'application/json', etag }).send(body)
  })
  await app.ready()
  return app.server
}

const server = await openServer()
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
)
process.on('SIGTERM', () => process.exit(0))
