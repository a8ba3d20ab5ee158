// One request to an address that somebody of a workspace chose, which is trusted less than one of an index provider: https,
// public addresses unless the operator lists them, checked after the name is resolved and connected to as checked, and no
// redirects. Without TLS only this machine itself is asked, and only if listed. The caller decides how much of the answer is
// read.
import type { IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import {
  AddressRefused,
  formatNotPublic,
  isPublicAddress,
  lookupPublic,
  type RefuseAddress,
  type Resolve,
} from './address.ts'
import type { PrivateHosts } from './private-hosts.ts'

// `node:http` is not imported by name: that would load everything behind `fetch` and `WebSocket` as well.
const { request: requestHttp } = process.getBuiltinModule('node:http')

export interface RequestGuard {
  readonly resolve: Resolve
  readonly privateHosts: PrivateHosts
  /** The name of the program and a contact address of its operator. */
  readonly userAgent: string
}

interface GuardedRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | null
  readonly signal: AbortSignal
}

/** A refused answer: for its form, not for its contents. */
export class AnswerRefused extends Error {}

export type AskGuarded = (url: URL, request: GuardedRequest) => Promise<IncomingMessage>

/** Makes guarded requests; their addresses come from `checkedAddress` with the same hosts. */
export function guardedRequests({ resolve, privateHosts, userAgent }: RequestGuard): AskGuarded {
  const lookup = lookupPublic(resolve, refusalUnless(privateHosts))
  return async (url, { method, headers, body, signal }) => {
    const asked = {
      method,
      headers: {
        ...headers,
        'user-agent': userAgent,
        ...(body === null ? {} : { 'content-length': body.length }),
      },
      lookup,
      signal,
      agent: false as const,
    }
    const response = await new Promise<IncomingMessage>((answered, reject) => {
      const request = (url.protocol === 'http:' ? requestHttp : requestHttps)(url, asked)
      request.once('response', answered).once('error', reject)
      request.end(body ?? undefined)
    })
    const { statusCode: status = 0 } = response
    if (status >= 200 && (status < 300 || status >= 400)) return response
    response.destroy()
    throw new AnswerRefused(`${url.host} redirects, which is not followed`)
  }
}

/** Why an address of a name may not be connected to, unless the operator lists the name or the address. */
export function refusalUnless(privateHosts: PrivateHosts): RefuseAddress {
  return (hostname, address) => {
    const isAllowed =
      isPublicAddress(address) || privateHosts.allowsName(hostname) || privateHosts.allowsAddress(address)
    return isAllowed ? null : notPublic(hostname, address)
  }
}

/** Loopback by its usual names: there a request leaves nothing to listen to. */
export function isThisMachine(hostname: string): boolean {
  const name = hostname.replace(/^\[(.*)\]$/, '$1')
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'))
}

/** Checks an address as far as that is possible before its name is resolved. */
export function checkedAddress(address: string, privateHosts: PrivateHosts): URL {
  const url = URL.parse(address)
  if (url === null) throw new AddressRefused(`${JSON.stringify(address.slice(0, 200))} is not an address`)
  const name = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const isListed = privateHosts.allowsName(name) || privateHosts.allowsAddress(name)
  const isPlain = url.protocol === 'http:' && isThisMachine(name) && isListed
  if (url.protocol !== 'https:' && !isPlain) throw new AddressRefused(`${url.host} must be asked by https`)
  if (url.username !== '' || url.password !== '')
    throw new AddressRefused(`${url.host} must be without a name before it`)
  // A socket does not look up what is an address already.
  if (isIP(name) !== 0 && !isPublicAddress(name) && !isListed) throw new AddressRefused(notPublic(name, name))
  return url
}

function notPublic(hostname: string, address: string): string {
  return `${formatNotPublic(hostname, address)}; an operator may list it in ASSIZE_PRIVATE_HOSTS`
}

/** Reads to the end or to a bound, so that a receiver may finish its answer; the contents do not count. */
export async function discard(response: IncomingMessage, mostBytes: number): Promise<void> {
  let bytes = 0
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      bytes += piece.length
      if (bytes > mostBytes) break
    }
  } catch {
    // The status was there before the answer broke off, or took too long.
  } finally {
    response.destroy()
  }
}
