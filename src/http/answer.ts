// An answer as it goes out: status, encoded chunks, a strong tag. Sending knows conditional requests, HEAD and
// compression; it knows nothing of what is answered.
import { isAscii } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { limits } from '../limits.ts'

export interface Answer {
  readonly status: number
  readonly chunks: readonly Buffer[]
  readonly length: number
  /** With its quotes; null for errors and what changes with every call. */
  readonly etag: string | null
  /** Further headers, as name, value, name, value. */
  readonly headers: readonly string[]
  /** The whole body once more where it is short and plain ASCII: head and body then leave in one piece. */
  readonly text: string | null
}

/** Bodies up to here are gathered into one buffer; longer ones leave as the slices they are. */
const mostGathered = 16 * 1024
/** Bodies up to here leave together with the head, as one string; above it the copy costs more than the second piece. */
const mostText = 2 * 1024

/** The body in as few pieces as pays, for an answer that is kept and sent many times. */
export function inOnePiece(answer: Answer): Answer {
  if (answer.length > mostGathered) return answer
  const whole = answer.chunks.length === 1 ? answer.chunks[0]! : Buffer.concat(answer.chunks)
  const text = answer.length <= mostText && isAscii(whole) ? whole.toString('latin1') : null
  return { ...answer, chunks: [whole], text }
}

export function jsonAnswer(
  body: string | readonly Buffer[],
  etag: string | null,
  headers: readonly string[] = [],
  status = 200,
): Answer {
  const chunks = typeof body === 'string' ? [Buffer.from(body)] : body
  return { status, chunks, length: chunks.reduce((sum, chunk) => sum + chunk.length, 0), etag, headers, text: null }
}

const compressors = { br: promisify(brotliCompress), gzip: promisify(gzip) }
type Encoding = keyof typeof compressors

/** Brotli where it is taken, else gzip; a quality of 0 refuses. */
export function chooseEncoding(header: string | undefined): Encoding | null {
  if (header === undefined) return null
  const taken = new Map<string, boolean>()
  for (const item of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map(part => part.trim())
    taken.set(name, !parameters.some(parameter => /^q=0(?:\.0{0,3})?$/.test(parameter)))
  }
  const takes = (name: Encoding) => taken.get(name) ?? (name === 'gzip' ? (taken.get('*') ?? false) : false)
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : null
}

/** Whether a client holds this very body: `If-None-Match` with the tag, weakly compared, or `*`. */
export function isHeld(header: string | undefined, etag: string | null): boolean {
  if (header === undefined || etag === null) return false
  if (header.trim() === '*') return true
  return header.split(',').some(tag => tag.trim().replace(/^W\//, '') === etag)
}

export interface Sending {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  /** Headers every answer of this request carries. */
  readonly common: readonly string[]
}

export function send({ req, res, common }: Sending, answer: Answer): void | Promise<void> {
  if (answer.status === 200 && isHeld(req.headers['if-none-match'], answer.etag)) {
    res.writeHead(304, [...common, 'etag', answer.etag!, ...answer.headers])
    res.end()
    return
  }
  const encoding =
    answer.length > limits.compressFromBytes ? chooseEncoding(req.headers['accept-encoding'] as string) : null
  if (encoding !== null) return sendCompressed({ req, res, common }, answer, encoding)
  res.writeHead(answer.status, headersOf(common, answer, answer.length, null))
  if (answer.text !== null && req.method !== 'HEAD') res.end(answer.text, 'latin1')
  else finish(req, res, answer.chunks)
}

function headersOf(
  common: readonly string[],
  { status, etag, headers }: Answer,
  length: number,
  encoding: Encoding | null,
): string[] {
  const list = [...common, ...headers]
  // 204 has no content, and so no length either.
  if (status !== 204) list.push('content-type', 'application/json', 'content-length', length.toString())
  // Each encoding is its own body, and a strong tag names one body.
  if (etag !== null) list.push('etag', etag)
  if (encoding !== null) list.push('content-encoding', encoding)
  return list
}

async function sendCompressed({ req, res, common }: Sending, answer: Answer, encoding: Encoding): Promise<void> {
  const whole = answer.chunks.length === 1 ? answer.chunks[0]! : Buffer.concat(answer.chunks)
  const body =
    encoding === 'br'
      ? await compressors.br(whole, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
      : await compressors.gzip(whole, { level: 6 })
  const etag = answer.etag === null ? null : encodedTag(answer.etag, encoding)
  if (answer.status === 200 && isHeld(req.headers['if-none-match'], etag)) {
    res.writeHead(304, [...common, 'etag', etag!, ...answer.headers])
    res.end()
    return
  }
  res.writeHead(answer.status, headersOf(common, { ...answer, etag }, body.length, encoding))
  finish(req, res, [body])
}

function encodedTag(etag: string, encoding: Encoding): string {
  return `${etag.slice(0, -1)}-${encoding}"`
}

function finish(req: IncomingMessage, res: ServerResponse, chunks: readonly Buffer[]): void {
  if (req.method === 'HEAD' || chunks.length === 0) {
    res.end()
    return
  }
  if (chunks.length > 1) {
    res.cork()
    for (let i = 0; i < chunks.length - 1; i++) res.write(chunks[i]!)
    res.end(chunks[chunks.length - 1]!)
    res.uncork()
    return
  }
  res.end(chunks[0]!)
}
