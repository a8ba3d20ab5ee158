// The rough road: a proxy in front of a real server that does to clients what networks and busy servers do. What happens to a
// request is drawn from a seed, so that a run can be repeated. It counts what it did and what the server itself answered:
// `GET /rough-road` tells both.
//
//   npx node test/stand-in/rough-road.ts --to http://127.0.0.1:8080 --port 8081 --seed 7 --rough 40
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { parseArgs } from 'node:util'
import { Chance } from '../faults/chance.ts'

/** What can happen to a request; the sentence says what the client sees. */
export const bumps = {
  'too-many': '429 with Retry-After in seconds',
  'too-many-date': '429 with Retry-After as a date',
  'too-many-bare': '429 without Retry-After',
  unavailable: '503 with Retry-After',
  'unavailable-bare': '503 without Retry-After',
  gateway: '502 with a page of HTML, as a gateway in between writes it',
  refused: 'the connection is reset before anything was sent on',
  reset: 'the server has answered, and the connection is reset before the first byte arrives',
  half: 'headers and half of the body, then the connection is reset',
  'half-chunked': 'the same without a length, so that only a missing end tells',
  'half-closed': 'half of the body, then the connection is closed as if that were all',
  slow: 'the body in pieces, with pauses',
} as const
export type Bump = keyof typeof bumps

/** Never answers: only a client with a timeout of its own goes on. Asked for by name, because each costs that time. */
export type RareBump = Bump | 'silence'

export interface RoadOptions {
  /** The server behind it; a function where it may have moved after a restart. */
  readonly to: string | (() => string)
  readonly seed: number
  readonly port?: number
  /** How many requests of 100 meet a bump. */
  readonly rough?: number
  readonly kinds?: readonly RareBump[]
  /** What Retry-After says. */
  readonly retryAfterSeconds?: number
}

export interface RoughRoad {
  readonly url: string
  /** How often each thing happened; `passed` is what went through unharmed. */
  readonly met: Readonly<Partial<Record<RareBump | 'passed', number>>>
  /** The statuses of the server itself, by how often: a 429 here was caused by the client. */
  readonly answered: Readonly<Record<string, number>>
  /** From now on everything passes, or again so many of 100 do not. */
  smooth(rough?: number): void
  close(): Promise<void>
}

/** What was received of an answer of the server. */
interface Received {
  readonly status: number
  readonly headers: readonly string[]
  readonly body: Buffer
}

const pauseMs = 3
const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length'])

export async function startRoughRoad(options: RoadOptions): Promise<RoughRoad> {
  const { to, seed, port = 0, kinds = Object.keys(bumps) as Bump[], retryAfterSeconds = 1 } = options
  let rough = options.rough ?? 35
  const chance = new Chance(seed)
  const met: Partial<Record<RareBump | 'passed', number>> = {}
  const answered: Record<string, number> = {}

  const server = createServer((req, res) => {
    if (req.url === '/rough-road') {
      res.setHeader('content-type', 'application/json')
      res.end(JSON.stringify({ met, answered }))
      return
    }
    const bump = chance.chance(rough) ? chance.pick(kinds) : null
    const name = bump ?? 'passed'
    met[name] = (met[name] ?? 0) + 1
    handle(req, res, bump).catch(() => res.destroy())
  })

  async function handle(req: IncomingMessage, res: ServerResponse, bump: RareBump | null): Promise<void> {
    const sent = await bytesOf(req)
    if (bump === 'silence') return
    if (bump === 'refused') return reset(res)
    const refusal = bump === null ? null : refusalOf(bump, retryAfterSeconds)
    if (refusal !== null) return void res.writeHead(refusal.status, refusal.headers).end(refusal.body)
    const received = await passOn(typeof to === 'string' ? to : to(), req, sent)
    answered[received.status] = (answered[received.status] ?? 0) + 1
    await answer(res, received, bump)
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    met,
    answered,
    smooth: (next = 0) => {
      rough = next
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function refusalOf(bump: RareBump, seconds: number) {
  const json = (status: number, error: string, more: Readonly<Record<string, string>>) => ({
    status,
    headers: { 'content-type': 'application/json', 'x-request-id': 'rough-road', ...more },
    body: JSON.stringify({ error }),
  })
  const wait = { 'retry-after': `${seconds}` }
  if (bump === 'too-many') return json(429, 'the road is busy', wait)
  if (bump === 'too-many-date')
    return json(429, 'the road is busy', { 'retry-after': new Date(Date.now() + seconds * 1000).toUTCString() })
  if (bump === 'too-many-bare') return json(429, 'the road is busy', {})
  if (bump === 'unavailable') return json(503, 'the road is closed', wait)
  if (bump === 'unavailable-bare') return json(503, 'the road is closed', {})
  if (bump !== 'gateway') return null
  return { status: 502, headers: { 'content-type': 'text/html' }, body: '<html><h1>Bad Gateway</h1></html>' }
}

async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function passOn(to: string, req: IncomingMessage, sent: Buffer): Promise<Received> {
  const { hostname, port } = new URL(to)
  const { method = 'GET', url = '/', headers } = req
  // The host is what the client asked for: addresses in answers lead back onto this road.
  const target = { hostname, port, method, path: url, headers, agent: false as const }
  return new Promise((resolve, reject) => {
    const going = request(target, async res => {
      const body = await bytesOf(res)
      resolve({ status: res.statusCode!, headers: kept(res.rawHeaders), body })
    })
    going.once('error', reject)
    going.end(sent)
  })
}

function kept(raw: readonly string[]): string[] {
  return raw.filter((_, at) => !hopByHop.has(raw[at - (at % 2)]!.toLowerCase()))
}

async function answer(res: ServerResponse, { status, headers, body }: Received, bump: RareBump | null): Promise<void> {
  // An answer without a body has nothing that could be cut off.
  if (bump === 'reset' || (bump?.startsWith('half') === true && body.length === 0)) return reset(res)
  const half = body.subarray(0, Math.floor(body.length / 2))
  const length = body.length === 0 && (status === 304 || status === 204) ? [] : ['content-length', `${body.length}`]
  if (bump === 'half' || bump === 'half-closed') {
    res.writeHead(status, [...headers, ...length])
    res.write(half)
    await pause()
    if (bump === 'half') reset(res)
    else res.socket?.end()
  } else if (bump === 'half-chunked') {
    res.writeHead(status, [...headers])
    res.write(half)
    await pause()
    reset(res)
  } else if (bump === 'slow') {
    res.writeHead(status, [...headers, ...length])
    const step = Math.max(1, Math.ceil(body.length / 4))
    for (let at = 0; at < body.length; at += step) {
      res.write(body.subarray(at, at + step))
      await pause()
    }
    res.end()
  } else res.writeHead(status, [...headers, ...length]).end(body)
}

const pause = () => new Promise(resolve => setTimeout(resolve, pauseMs))

function reset(res: ServerResponse): void {
  const socket: Socket | null = res.socket
  if (socket === null) res.destroy()
  else socket.resetAndDestroy()
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      to: { type: 'string', default: 'http://127.0.0.1:8080' },
      port: { type: 'string', default: '8081' },
      seed: { type: 'string', default: '1' },
      rough: { type: 'string', default: '35' },
      kinds: { type: 'string' },
      'retry-after': { type: 'string', default: '1' },
    },
  })
  const road = await startRoughRoad({
    to: values.to,
    port: Number.parseInt(values.port, 10),
    seed: Number.parseInt(values.seed, 10),
    rough: Number.parseInt(values.rough, 10),
    retryAfterSeconds: Number.parseInt(values['retry-after'], 10),
    ...(values.kinds === undefined ? {} : { kinds: values.kinds.split(',') as RareBump[] }),
  })
  process.stdout.write(`${road.url}\n`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void road.close())
}
