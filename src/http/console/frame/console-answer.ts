// Sends an answer of the console: never cached, compressed where it helps, or as a stream of lines.
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { send, typedAnswer } from '../../frame/answer.ts'
import { hsts } from '../../frame/transport-headers.ts'
import { failureAnswer } from './failure.ts'
import type { ConsoleAnswer } from './route.ts'
import { dataHeaders } from './security-headers.ts'

export interface Sending {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly requestId: string
  /** Whether it came over TLS. */
  readonly isSecure: boolean
  /** Whether the rest of the request is still read. */
  readonly isReadOn: boolean
  /** Called with errors that occur after the answer has begun. */
  readonly onBroken: (error: unknown) => void
}

export async function sendAnswer(
  { req, res, requestId, isSecure, isReadOn, onBroken }: Sending,
  answer: ConsoleAnswer,
): Promise<void> {
  const common = {
    'x-request-id': requestId,
    'cache-control': 'no-store',
    vary: 'Cookie, Accept-Encoding',
    ...dataHeaders,
    ...answer.headers,
    // The unread rest of a body must not be parsed as the next request.
    ...(req.complete || isReadOn ? {} : { connection: 'close' }),
  }
  const cookies = answer.cookies?.flatMap(cookie => ['set-cookie', cookie]) ?? []
  const headers = [...Object.entries(common).flat(), ...cookies, ...(isSecure ? hsts : [])]
  if (answer.lines !== undefined) return sendLines(res, answer, headers, onBroken)
  const { type = 'application/json', status } = answer
  await send({ req, res, common: headers }, typedAnswer(type, encodedBody(answer), { status }))
}

function encodedBody({ body, bytes }: ConsoleAnswer): string | readonly Buffer[] {
  if (bytes !== undefined) return [Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)]
  return body === undefined ? [] : JSON.stringify(body)
}

/** The first line decides: if it fails, the answer is an error like any other. */
async function sendLines(
  res: ServerResponse,
  { status, lines }: ConsoleAnswer,
  headers: readonly string[],
  onBroken: (error: unknown) => void,
): Promise<void> {
  const iterator = lines![Symbol.asyncIterator]()
  let next = await iterator.next()
  // Otherwise proxies would buffer the lines.
  res.writeHead(status, [...headers, 'content-type', 'application/x-ndjson', 'x-accel-buffering', 'no'])
  try {
    for (; next.done !== true && !res.destroyed; next = await iterator.next())
      if (!res.write(`${JSON.stringify(next.value)}\n`)) await Promise.race([once(res, 'drain'), once(res, 'close')])
    if (res.destroyed) await iterator.return?.()
  } catch (error) {
    // Too late for a status: the last line reports the error.
    onBroken(error)
    res.write(`${JSON.stringify(failureAnswer(error).body)}\n`)
  }
  res.end()
}
