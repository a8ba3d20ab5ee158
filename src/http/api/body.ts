// The body of a request, on the routes that accept one: bounded while it arrives, not after.
import type { IncomingMessage } from 'node:http'
import type { Answer } from '../frame/answer.ts'
import { errorAnswer } from '../frame/errors.ts'
import type { BodyRule } from './route.ts'

export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined
}

/** Media type of the body, without parameters; empty if none is named. */
function bodyTypeOf({ headers }: IncomingMessage): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase()
}

function charsetOf({ headers }: IncomingMessage): string {
  const written = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(headers['content-type'] ?? '')
  return written === null ? 'utf-8' : written[1]!.toLowerCase()
}

interface ReadBody {
  readonly bytes: Uint8Array
  readonly type: string
}

/** The whole body, or the answer with which it is refused. */
export async function readBody(req: IncomingMessage, rule: BodyRule): Promise<ReadBody | Answer> {
  const type = bodyTypeOf(req)
  if (!rule.types.includes(type))
    return errorAnswer(415, `content-type must be one of ${rule.types.join(', ')}, got ${type || 'none'}`)
  const charset = charsetOf(req)
  if (!['utf-8', 'utf8', 'us-ascii'].includes(charset)) return errorAnswer(415, `charset must be utf-8, got ${charset}`)
  const encoding = req.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    return errorAnswer(415, `content-encoding must be left out, got ${encoding}`)
  const tooLarge = () => errorAnswer(413, `at most ${rule.mostBytes} bytes are accepted here`)
  if (Number.parseInt(req.headers['content-length'] ?? '0', 10) > rule.mostBytes) return tooLarge()
  const chunks: Buffer[] = []
  let received = 0
  try {
    // A refused request still gets an answer: the stream is not destroyed.
    for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      received += chunk.length
      if (received > rule.mostBytes) return tooLarge()
      chunks.push(chunk)
    }
  } catch {
    return errorAnswer(400, 'the request ended before all of it arrived')
  }
  return { bytes: Buffer.concat(chunks), type }
}
