// Requests to identity providers, with bounds on time, size and address. Owners of workspaces choose these addresses, so they
// are trusted less than those of index providers: https, public addresses unless the operator lists them, checked after the name
// is resolved and connected to as checked, and no redirects. Without TLS only this machine itself is asked, and only if listed.
import type { IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { AddressRefused, isPublicAddress, lookupPublic, type RefuseAddress, type Resolve } from '../ingest/address.ts'
import { readBody } from '../ingest/fetch-body.ts'
import { Turns } from '../ingest/turns.ts'
import { identityLimits } from './identity-limits.ts'
import type { PrivateHosts } from './private-hosts.ts'

// Not imported by name, which would load everything behind `fetch` and `WebSocket` as well.
const { request: requestHttp } = process.getBuiltinModule('node:http')

interface FetchOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly signal?: AbortSignal
}

export type BoundedFetch = (address: string, options?: FetchOptions) => Promise<Response>

interface Bounds {
  readonly resolve: Resolve
  readonly privateHosts: PrivateHosts
  /** The name of the program and a contact address of its operator. */
  readonly userAgent: string
  readonly answerMs?: number
}

/** The answer was refused for what it is, not for what is in it. */
export class AnswerRefused extends Error {}

export function boundedFetch(bounds: Bounds): BoundedFetch {
  const { privateHosts } = bounds
  const refuse: RefuseAddress = (hostname, address) => {
    const isAllowed =
      isPublicAddress(address) || privateHosts.allowsName(hostname) || privateHosts.allowsAddress(address)
    return isAllowed ? null : notPublic(hostname, address)
  }
  const lookup = lookupPublic(bounds.resolve, refuse)
  const large = new Turns(1)
  return async (address, { method = 'GET', headers = {}, body, signal } = {}) => {
    const url = checkedAddress(address, privateHosts)
    const deadline = AbortSignal.timeout(bounds.answerMs ?? identityLimits.answerMs)
    const until = signal === undefined ? deadline : AbortSignal.any([signal, deadline])
    const sent = body === undefined || body === null ? null : Buffer.from(String(body))
    const asked = {
      method,
      headers: {
        ...headers,
        'user-agent': bounds.userAgent,
        'accept-encoding': 'gzip, br, deflate',
        ...(sent === null ? {} : { 'content-length': sent.length }),
      },
      lookup,
      signal: until,
      agent: false as const,
    }
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = (url.protocol === 'http:' ? requestHttp : requestHttps)(url, asked)
      request.once('response', resolve).once('error', reject)
      request.end(sent ?? undefined)
    })
    const { statusCode: status = 0 } = response
    if (status < 200 || (status >= 300 && status < 400)) {
      response.destroy()
      throw new AnswerRefused(`${url.host} redirects, which is not followed`)
    }
    const { bytes } = await readBody(response, identityLimits.answer, large, until)
    const type = response.headers['content-type']
    return new Response(status === 204 || status === 205 ? null : new Uint8Array(bytes), {
      status: status > 599 ? 502 : status,
      headers: type === undefined ? {} : { 'content-type': type },
    })
  }
}

/** Loopback by its usual names: there a request leaves nothing to listen to. */
export function isThisMachine(hostname: string): boolean {
  const name = hostname.replace(/^\[(.*)\]$/, '$1')
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'))
}

function checkedAddress(address: string, privateHosts: PrivateHosts): URL {
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
  return `${hostname === address ? hostname : `${hostname} resolves to ${address}, which`} is not a public address; an operator may list it in ASSIZE_PRIVATE_HOSTS`
}
