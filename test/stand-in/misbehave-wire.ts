// Misbehaviour on the wire, which no answer record can express and which is done on the socket itself. Everything ends when
// the caller disconnects.
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDeflate, createGzip, gzipSync } from 'node:zlib'
import type { Told } from './exchange.ts'
import type { Misbehaviour } from './misbehaviour.ts'

export interface Wire {
  readonly response: ServerResponse
  readonly told: Told
  readonly slowMs: number
  /** The address of the server, for redirects. */
  readonly port: number
  /** The requested path and query string. */
  readonly path: string
}

/** Whether the kind concerns the wire; if so, the answer has been sent or is being sent. */
export async function misbehaveOnWire(kind: Misbehaviour, wire: Wire): Promise<boolean> {
  const act = acts[kind]
  if (act === undefined) return false
  await act(wire)
  return true
}

const megabyte = 1024 * 1024
/** The unpacked size of a bomb. */
const bombMegabytes = 512

const acts: Partial<Record<Misbehaviour, (wire: Wire) => Promise<void> | void>> = {
  'slow-headers': async wire => {
    await sleep(wire.slowMs)
    if (!wire.response.destroyed) sendWhole(wire)
  },
  'slow-body': async wire => {
    const bytes = Buffer.from(wire.told.body)
    const drops = 20
    begin(wire, { 'Content-Length': bytes.length.toString() })
    for (let drop = 0; drop < drops && !wire.response.destroyed; drop++) {
      const at = (part: number) => Math.floor((bytes.length * part) / drops)
      wire.response.write(bytes.subarray(at(drop), at(drop + 1)))
      await sleep(wire.slowMs / drops)
    }
    wire.response.end()
  },
  'cut-body': wire => {
    const bytes = Buffer.from(wire.told.body)
    begin(wire, { 'Content-Length': (bytes.length + 100).toString() })
    wire.response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => wire.response.socket?.destroy())
  },
  'cut-chunks': wire => {
    begin(wire, {})
    wire.response.write(wire.told.body, () => wire.response.socket?.destroy())
  },
  'connection-reset': wire => {
    wire.response.socket?.resetAndDestroy()
  },
  'garbage-status-line': wire => sendRaw(wire, 'BANANA/9.9 maybe\r\n\r\nnothing'),
  'huge-headers': wire => {
    const lines = Array.from({ length: 1024 }, (_, at) => `X-Filler-${at}: ${'a'.repeat(1000)}\r\n`)
    sendRaw(wire, `HTTP/1.1 200 OK\r\n${lines.join('')}\r\n${wire.told.body}`)
  },
  'endless-body': async wire => {
    begin(wire, {})
    wire.response.write(wire.told.body.slice(0, Math.floor(wire.told.body.length / 2)))
    await pour(wire.response, Number.POSITIVE_INFINITY)
  },
  'gzip-bomb': async wire => sendBomb(wire, 'gzip'),
  'deflate-bomb': async wire => sendBomb(wire, 'deflate'),
  'truncated-gzip': wire => {
    const bytes = gzipSync(wire.told.body)
    const half = bytes.subarray(0, Math.floor(bytes.length / 2))
    begin(wire, { 'Content-Encoding': 'gzip', 'Content-Length': half.length.toString() })
    wire.response.end(half)
  },
  'false-gzip': wire => {
    begin(wire, { 'Content-Encoding': 'gzip' })
    wire.response.end(wire.told.body)
  },
  'http-1.0': wire => {
    sendRaw(wire, `HTTP/1.0 200 OK\r\nContent-Type: ${wire.told.contentType}\r\n\r\n${wire.told.body}`)
  },
  // The same server under another name: it answers correctly and counts visitors.
  'redirect-off-host': wire => redirect(wire, `http://localhost:${wire.port}/stand-in/trap${wire.path}`),
  'redirect-to-link-local': wire => redirect(wire, 'http://169.254.169.254/latest/meta-data/'),
  'redirect-loop': wire => {
    const [place = '', query = ''] = wire.path.split('?', 2)
    const turns = new URLSearchParams(query)
    turns.set('turn', (Number.parseInt(turns.get('turn') ?? '0', 10) + 1).toString())
    redirect(wire, `${place}?${turns}`)
  },
}

function begin({ response, told }: Wire, headers: Readonly<Record<string, string>>): void {
  response.on('error', () => response.destroy())
  response.writeHead(told.status, { 'Content-Type': told.contentType, ...headers })
}

function sendWhole(wire: Wire): void {
  begin(wire, {})
  wire.response.end(wire.told.body)
}

function sendRaw({ response }: Wire, text: string): void {
  const { socket } = response
  if (socket === null) return
  socket.on('error', () => socket.destroy())
  socket.end(text)
}

function redirect({ response }: Wire, location: string): void {
  response.writeHead(302, { Location: location, 'Content-Type': 'text/plain' })
  response.end('Found')
}

/** Writes spaces as long as the caller reads them. */
async function pour(
  target: NodeJS.WritableStream & { readonly destroyed?: boolean },
  megabytes: number,
): Promise<void> {
  const blanks = Buffer.alloc(megabyte, ' ')
  for (let count = 0; count < megabytes && target.destroyed !== true; count++) {
    if (target.write(blanks)) await sleep(0)
    else await drained(target)
  }
}

function drained(target: NodeJS.WritableStream): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      target.off('drain', done)
      target.off('close', done)
      resolve()
    }
    target.on('drain', done)
    target.on('close', done)
  })
}

/** Its content starts like the correct body, so that only its size gives it away. */
async function sendBomb(wire: Wire, encoding: 'gzip' | 'deflate'): Promise<void> {
  begin(wire, { 'Content-Encoding': encoding })
  const packer = encoding === 'gzip' ? createGzip({ level: 1 }) : createDeflate({ level: 1 })
  packer.on('error', () => wire.response.destroy())
  wire.response.on('close', () => packer.destroy())
  packer.pipe(wire.response)
  packer.write(wire.told.body)
  await pour(packer, bombMegabytes)
  if (!packer.destroyed) packer.end()
}
