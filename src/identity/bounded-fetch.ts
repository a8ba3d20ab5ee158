// Requests to identity providers: addresses that owners of workspaces choose, asked within the guard for chosen addresses, with
// bounds on time and size. The answer is a `Response`, as the library for tokens wants.
import { readBody } from '../ingest/fetch-body.ts'
import { Turns } from '../ingest/turns.ts'
import { checkedAddress, guardedRequests, type RequestGuard } from '../outbound/guarded-request.ts'
import { identityLimits } from './identity-limits.ts'

interface FetchOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly signal?: AbortSignal
}

export type BoundedFetch = (address: string, options?: FetchOptions) => Promise<Response>

interface Bounds extends RequestGuard {
  readonly answerMs?: number
}

export function boundedFetch(bounds: Bounds): BoundedFetch {
  const ask = guardedRequests(bounds)
  const large = new Turns(1)
  return async (address, { method = 'GET', headers = {}, body, signal } = {}) => {
    const url = checkedAddress(address, bounds.privateHosts)
    const deadline = AbortSignal.timeout(bounds.answerMs ?? identityLimits.answerMs)
    const until = signal === undefined ? deadline : AbortSignal.any([signal, deadline])
    const response = await ask(url, {
      method,
      headers: { ...headers, 'accept-encoding': 'gzip, br, deflate' },
      body: body === undefined || body === null ? null : Buffer.from(String(body)),
      signal: until,
    })
    const { bytes } = await readBody(response, identityLimits.answer, large, until)
    const { statusCode: status = 0 } = response
    const type = response.headers['content-type']
    return new Response(status === 204 || status === 205 ? null : new Uint8Array(bytes), {
      status: status > 599 ? 502 : status,
      headers: type === undefined ? {} : { 'content-type': type },
    })
  }
}
