// An answer ready to send: status, encoded body, a strong tag. There is one `send`, for the API, the pages and the description
// alike. It handles conditional requests, HEAD and compression; it knows nothing about the content.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import { limits } from '../../limits.ts'
import { Slices } from '../../read/memory/slices.ts'

export interface Answer {
  readonly status: number
  /** The body: a beginning and an end as text with one character for each byte, and bytes between them. */
  readonly text: string
  readonly chunks: readonly Buffer[]
  readonly ending: string
  readonly length: number
  /** Tag with its quotes; null for errors and for answers that change with every call. */
  readonly etag: string | null
  /** Further headers, as name, value, name, value. */
  readonly headers: readonly string[]
  /** `application/json`, `text/html; charset=utf-8`. */
  readonly type: string
  /** Headers that describe the plain body: type, tag, length. Written once for all requests. */
  readonly plainHeaders: readonly string[]
  /** Compressed bodies by encoding. Null: it is compressed on request. */
  readonly packed: Packed | null
  /** Body in pieces that are made while it is sent, in place of all others; null for a body in memory. */
  readonly stream: (() => AsyncIterable<string>) | null
}

type Packed = Readonly<Record<Encoding, Buffer | undefined>>

const json = 'application/json'

/**
 * Bodies up to this size are sent together with the head, as one string; above it the copy costs more than the second
 * piece.
 */
const mostText = 6 * 1024
/** Bodies up to this size are gathered into one buffer; longer ones are sent slice by slice. */
const mostGathered = 16 * 1024

/** The answer with its body in few pieces, for one that is cached and sent many times. */
export function inFewPieces(answer: Answer): Answer {
  if (answer.length > mostGathered) return answer
  const whole = bytesOf(answer)
  if (answer.length > mostText) return { ...answer, text: '', chunks: [whole], ending: '' }
  return { ...answer, text: whole.toString('latin1'), chunks: [], ending: '' }
}

/** Bytes of an answer that are held nowhere else, in few pieces. Between a beginning and an end lies a slice of a series. */
export function ownBytes({ text, ending, length }: Answer): number {
  const isSliced = length > mostGathered && (text !== '' || ending !== '')
  return isSliced ? text.length + ending.length : length
}

export function jsonAnswer(
  body: string | readonly Buffer[],
  etag: string | null,
  headers: readonly string[] = [],
  status = 200,
): Answer {
  return typedAnswer(json, body, { etag, headers, status })
}

export function typedAnswer(
  type: string,
  body: string | readonly Buffer[],
  {
    etag = null,
    headers = [],
    status = 200,
    packed = null,
  }: Partial<Pick<Answer, 'etag' | 'headers' | 'status' | 'packed'>>,
): Answer {
  const chunks = typeof body === 'string' ? [Buffer.from(body)] : body
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  const plainHeaders = bodyHeaders({ status, type }, { etag, encoding: null, length })
  return { status, text: '', chunks, ending: '', length, etag, headers, type, plainHeaders, packed, stream: null }
}

/** An answer too long to be held: its pieces are made as fast as the client reads them. */
export function streamedAnswer(type: string, stream: () => AsyncIterable<string>, etag: string | null): Answer {
  return { ...typedAnswer(type, [], { etag }), stream }
}

/** The answer with its body in memory, for places that cannot send pieces. */
export async function gathered(answer: Answer): Promise<Answer> {
  if (answer.stream === null) return answer
  const chunks: Buffer[] = []
  for await (const piece of inLargePieces(answer.stream())) chunks.push(piece)
  return typedAnswer(answer.type, chunks, answer)
}

/** An answer of existing bytes, between a beginning and an end. */
export function slicedAnswer(
  beginning: string,
  bytes: readonly Buffer[],
  ending: string,
  etag: string,
  headers: readonly string[],
): Answer {
  const whole = jsonAnswer([Buffer.from(beginning), ...bytes, Buffer.from(ending)], etag, headers)
  const [text, end] = [beginning, ending].map(each => Buffer.from(each).toString('latin1')) as [string, string]
  return { ...whole, text, chunks: bytes, ending: end }
}

/** A body in one encoding: a strong tag names one body. The length is null where it is not known beforehand. */
interface EncodedBody {
  readonly etag: string | null
  readonly encoding: Encoding | null
  readonly length: number | null
}

function bodyHeaders(
  { status, type }: Pick<Answer, 'status' | 'type'>,
  { etag, encoding, length }: EncodedBody,
): readonly string[] {
  const headers: string[] = []
  // 204 has no content, and so neither type nor length.
  const hasContent = status !== 204
  if (hasContent) headers.push('content-type', type)
  if (etag !== null) headers.push('etag', etag)
  if (encoding !== null) headers.push('content-encoding', encoding)
  if (hasContent && length !== null) headers.push('content-length', length.toString())
  return headers
}

/** The whole body in one piece. */
export function bytesOf({ text, chunks, ending }: Answer): Buffer {
  if (chunks.length === 1 && text === '' && ending === '') return chunks[0]!
  return Buffer.concat([Buffer.from(text, 'latin1'), ...chunks, Buffer.from(ending, 'latin1')])
}

const brotli = promisify(brotliCompress)
const gnuZip = promisify(gzip)
const compressors = {
  br: (bytes: Buffer, level: number) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: level } }),
  gzip: (bytes: Buffer, level: number) => gnuZip(bytes, { level }),
}
type Encoding = keyof typeof compressors
/** Compression levels while a client waits. */
const quickly: Readonly<Record<Encoding, number>> = { br: 4, gzip: 6 }
/** Compression level for a body that is compressed once, for all requests. */
const thoroughly = 9

export async function packBeforehand(bytes: Buffer): Promise<Packed> {
  const [br, gz] = await Promise.all([compressors.br(bytes, thoroughly), compressors.gzip(bytes, thoroughly)])
  return { br, gzip: gz }
}

/** Compressed form of a body that is sent once: `null` where it goes as it is. */
export async function compressFor(
  acceptEncoding: string | readonly string[] | undefined,
  bytes: Buffer,
): Promise<{ readonly encoding: Encoding; readonly body: Buffer } | null> {
  const encoding = bytes.length > limits.compressFromBytes ? chooseEncoding(acceptEncoding as string | undefined) : null
  return encoding === null ? null : { encoding, body: await compressors[encoding](bytes, quickly[encoding]) }
}

/** Chosen encoding: Brotli if it is accepted, else gzip; a quality of 0 refuses. */
function chooseEncoding(header: string | undefined): Encoding | null {
  if (header === undefined) return null
  const taken = new Map<string, boolean>()
  for (const item of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map(part => part.trim())
    taken.set(name, !parameters.some(parameter => /^q=0(?:\.0{0,3})?$/.test(parameter)))
  }
  const takes = (name: Encoding) => taken.get(name) ?? (name === 'gzip' ? (taken.get('*') ?? false) : false)
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : null
}

/** Whether a client already has this body: `If-None-Match` with the tag, weakly compared, or `*`. */
function matchesEtag(header: string | undefined, etag: string | null): boolean {
  if (header === undefined || etag === null) return false
  if (header.trim() === '*') return true
  return header.split(',').some(tag => tag.trim().replace(/^W\//, '') === etag)
}

interface Sending {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  /** Headers of every answer to this request. */
  readonly common: readonly string[]
}

export function send(sending: Sending, answer: Answer): void | Promise<void> {
  const { req, res } = sending
  if (answer.stream !== null) return sendStream(sending, answer, answer.stream)
  if (answer.status === 200 && matchesEtag(req.headers['if-none-match'], answer.etag)) {
    sendNotModified(sending, answer, answer.etag!)
    return
  }
  const encoding = encodingFor(req, answer)
  if (encoding === null) {
    res.writeHead(answer.status, [...sending.common, ...answer.plainHeaders, ...answer.headers])
    finish(req, res, answer)
    return
  }
  const packed = answer.packed?.[encoding]
  if (packed !== undefined) sendPacked(sending, answer, encoding, packed)
  else
    return compressors[encoding](bytesOf(answer), quickly[encoding]).then(body =>
      sendPacked(sending, answer, encoding, body),
    )
}

/** 304 has no content, and so neither type nor length. */
function sendNotModified({ res, common }: Sending, { headers }: Answer, etag: string): void {
  res.writeHead(304, [...common, 'etag', etag, ...headers])
  res.end()
}

/**
 * Size of sent pieces: small ones would spend more on being sent than on being made. A client that reads as fast as they are made
 * would never let anybody else have a turn: so there is a rest between them.
 */
const pieceLength = 64 * 1024

async function* inLargePieces(pieces: AsyncIterable<string>): AsyncGenerator<Buffer> {
  const slices = new Slices()
  let text = ''
  for await (const piece of pieces) {
    text += piece
    if (text.length < pieceLength) continue
    yield Buffer.from(text)
    text = ''
    await slices.rest()
  }
  if (text !== '') yield Buffer.from(text)
}

async function sendStream(sending: Sending, answer: Answer, stream: () => AsyncIterable<string>): Promise<void> {
  const { req, res } = sending
  const encoding = chooseEncoding(req.headers['accept-encoding'] as string | undefined)
  const etag = answer.etag === null || encoding === null ? answer.etag : encodedTag(answer.etag, encoding)
  if (etag !== null && [answer.etag, etag].some(tag => matchesEtag(req.headers['if-none-match'], tag))) {
    sendNotModified(sending, answer, etag)
    return
  }
  const described = bodyHeaders(answer, { etag, encoding, length: null })
  res.writeHead(answer.status, [...sending.common, ...described, ...answer.headers])
  if (req.method === 'HEAD') {
    res.end()
    return
  }
  const body = Readable.from(inLargePieces(stream()), { objectMode: false })
  if (encoding === null) await pipeline(body, res)
  else await pipeline(body, packers[encoding](), res)
}

/** Compressors for a body that is compressed while it is sent. */
const packers = {
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: quickly.br } }),
  gzip: () => createGzip({ level: quickly.gzip }),
}

function encodingFor({ headers }: IncomingMessage, { packed, length }: Answer): Encoding | null {
  if (packed === null && length <= limits.compressFromBytes) return null
  const encoding = chooseEncoding(headers['accept-encoding'] as string | undefined)
  return encoding === null || packed === null || packed[encoding] !== undefined ? encoding : null
}

function sendPacked(sending: Sending, answer: Answer, encoding: Encoding, body: Buffer): void {
  const { req, res } = sending
  const etag = answer.etag === null ? null : encodedTag(answer.etag, encoding)
  if (answer.status === 200 && matchesEtag(req.headers['if-none-match'], etag)) {
    sendNotModified(sending, answer, etag!)
    return
  }
  const described = bodyHeaders(answer, { etag, encoding, length: body.length })
  res.writeHead(answer.status, [...sending.common, ...described, ...answer.headers])
  finish(req, res, { text: '', chunks: [body], ending: '' })
}

function encodedTag(etag: string, encoding: Encoding): string {
  return `${etag.slice(0, -1)}-${encoding}"`
}

function finish(
  req: IncomingMessage,
  res: ServerResponse,
  { text, chunks, ending }: Pick<Answer, 'text' | 'chunks' | 'ending'>,
): void {
  if (req.method === 'HEAD') {
    res.end()
    return
  }
  if (chunks.length === 0) {
    res.end(text + ending, 'latin1')
    return
  }
  if (chunks.length === 1 && text === '' && ending === '') {
    res.end(chunks[0]!)
    return
  }
  res.cork()
  if (text !== '') res.write(text, 'latin1')
  for (const chunk of chunks) res.write(chunk)
  res.end(ending, 'latin1')
  res.uncork()
}
