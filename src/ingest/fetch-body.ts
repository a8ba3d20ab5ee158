// Reads the body of an answer and unpacks it while it arrives, within limits on the bytes received, the bytes unpacked and
// the ratio of the two. A body that breaks off is a failure, never a shorter answer.
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Duplex, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import type { ProblemKind } from '../providers/provider.ts'
import type { Turns } from './turns.ts'

export interface BodyBounds {
  readonly wireBytes: number
  readonly unpackedBytes: number
  readonly ratio: number
  /** Least unpacked bytes for which the ratio is checked. */
  readonly ratioFromBytes: number
  /** A larger body waits for its turn. */
  readonly largeBytes: number
}

export class BodyRefused extends Error {
  readonly kind: ProblemKind

  constructor(kind: ProblemKind, message: string) {
    super(message)
    this.kind = kind
  }
}

export interface Body {
  readonly bytes: Buffer
  readonly wireBytes: number
  /** Whether the message marked its own end; if not, a cut connection looks like the end. */
  readonly hasMarkedEnd: boolean
}

export async function readBody(
  response: IncomingMessage,
  bounds: BodyBounds,
  large: Turns,
  signal: AbortSignal,
): Promise<Body> {
  const declared = Number.parseInt(response.headers['content-length'] ?? '0', 10)
  if (declared > bounds.wireBytes) throw tooLarge(`${declared} bytes`, bounds)
  const unpack = await unpackerOf(response)
  const chunks: Buffer[] = []
  let wireBytes = 0
  let unpackedBytes = 0
  const turn: (() => void)[] = []
  const count = async function* (source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      wireBytes += chunk.length
      if (wireBytes > bounds.wireBytes) throw tooLarge(`more than ${bounds.wireBytes} bytes`, bounds)
      yield chunk
    }
  }
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) {
      unpackedBytes += chunk.length
      if (unpackedBytes > bounds.unpackedBytes)
        throw new BodyRefused('too-large', `the answer unpacks to over ${megabytes(bounds.unpackedBytes)}`)
      if (unpackedBytes > bounds.ratioFromBytes && unpackedBytes > wireBytes * bounds.ratio)
        throw new BodyRefused('too-large', `the answer unpacks to over ${bounds.ratio} times its size`)
      if (turn.length === 0 && unpackedBytes > bounds.largeBytes) turn.push(await large.take(signal))
      chunks.push(chunk)
    }
  }
  try {
    await (unpack === null ? pipeline(response, count, collect) : pipeline(response, count, unpack, collect))
  } catch (error) {
    throw explain(error)
  } finally {
    for (const giveBack of turn) giveBack()
  }
  const { headers } = response
  const hasMarkedEnd = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  return { bytes: Buffer.concat(chunks), wireBytes, hasMarkedEnd: hasMarkedEnd || unpack !== null }
}

async function unpackerOf(response: IncomingMessage): Promise<Duplex | null> {
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (encoding === 'identity' || encoding === '') return null
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip()
  if (encoding === 'br') return createBrotliDecompress()
  // The standard requires a zlib header; some servers omit it. The first byte tells: the method in its low bits is 8.
  if (encoding === 'deflate') return ((await firstByte(response)) & 15) === 8 ? createInflate() : createInflateRaw()
  response.destroy()
  throw new BodyRefused('unreadable', `the answer is compressed as "${encoding.slice(0, 40)}", which was not requested`)
}

async function firstByte(stream: Readable): Promise<number> {
  for (;;) {
    const chunk: Buffer | null = stream.read(1)
    if (chunk !== null) {
      stream.unshift(chunk)
      return chunk[0]!
    }
    if (stream.readableEnded || stream.destroyed) return 0
    await once(stream, 'readable')
  }
}

function tooLarge(what: string, bounds: BodyBounds): BodyRefused {
  return new BodyRefused(
    'too-large',
    `the answer is too large: ${what}, and the limit is ${megabytes(bounds.wireBytes)}`,
  )
}

function megabytes(bytes: number): string {
  return `${Math.floor(bytes / (1024 * 1024))} MB`
}

function explain(error: unknown): unknown {
  const { code } = error as { code?: string }
  if (code === 'Z_BUF_ERROR' || code === 'ERR_BROTLI_COMPRESSION_FAILED')
    return new BodyRefused('unreadable', 'the compressed answer broke off before its end')
  if (code?.startsWith('Z_') || code?.startsWith('ERR__ERROR_FORMAT') || code?.startsWith('ERR_PADDING'))
    return new BodyRefused('unreadable', 'the compressed answer is damaged')
  if (code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET')
    return new BodyRefused('unreadable', 'the answer broke off before its end')
  return error
}
