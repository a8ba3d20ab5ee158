// Requests to witnesses, to logs that are watched and to time-stamping authorities: addresses that the operator has set, so any
// host may be asked; with limits on time and size, and no redirects.
import type { IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { Refusal } from '../core/refusal.ts'

// Not imported by name, which would load everything behind `fetch` and `WebSocket` as well.
const { request: requestHttp } = process.getBuiltinModule('node:http')

interface BoundedRequest {
  readonly method?: 'GET' | 'POST'
  readonly body?: string | Uint8Array
  readonly type?: string
}

interface BoundedAnswer {
  readonly status: number
  readonly type: string
  readonly bytes: Buffer
}

export type Ask = (url: string, request?: BoundedRequest) => Promise<BoundedAnswer>

const bounds = { answerMs: 20_000, answerBytes: 1024 * 1024 }

/** `signal` ends what is under way. */
export function openAsk(userAgent: string, signal: AbortSignal, { answerMs, answerBytes } = bounds): Ask {
  return async (address, { method = 'GET', body, type } = {}) => {
    const url = URL.parse(address)
    if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
      throw new Refusal('invalid', `${address} is not an http:// or https:// address`)
    const deadline = AbortSignal.timeout(answerMs)
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const headers = {
          'user-agent': userAgent,
          ...(type === undefined ? {} : { 'content-type': type }),
          ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
        }
        const send = url.protocol === 'http:' ? requestHttp : requestHttps
        const sent = send(url, { method, headers, agent: false, signal: AbortSignal.any([signal, deadline]) })
        sent.once('response', resolve).once('error', reject).end(body)
      })
      return await readAnswer(response, url.host, answerBytes)
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof Refusal) throw error
      const { code, message } = error as NodeJS.ErrnoException
      const why = deadline.aborted ? `took longer than ${answerMs / 1000} s` : `cannot be reached: ${code ?? message}`
      throw new Refusal('unavailable', `${url.host} ${why}`)
    }
  }
}

async function readAnswer(response: IncomingMessage, host: string, most: number): Promise<BoundedAnswer> {
  const { statusCode: status = 0, headers } = response
  if (status >= 300 && status < 400) {
    response.destroy()
    throw new Refusal('unavailable', `${host} redirects, which is not followed`)
  }
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of response as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > most) {
      response.destroy()
      throw new Refusal('unavailable', `${host} answers with more than ${most} bytes`)
    }
    pieces.push(piece)
  }
  return { status, type: headers['content-type'] ?? '', bytes: Buffer.concat(pieces) }
}
