// The address at which the browser sees this server, whether it keeps a sign-in for that address, and whether a request that
// changes something was sent by one of the server's own pages (T19).
import type { IncomingMessage } from 'node:http'
import { isIPv4 } from 'node:net'
import type { Proxies } from '../../traffic/client-address.ts'

export interface Ours {
  /** `https://prices.example`. */
  readonly origin: string
  /** Over TLS or on localhost: elsewhere a browser does not keep the session cookie. */
  readonly keepsSignIn: boolean
}

/** Reads the address; `null` where the Host header names no host. */
export function readOurs(req: IncomingMessage, proxies: Proxies): Ours | null {
  const isSecure = proxies.isSecure(req)
  const url = URL.parse(`${isSecure ? 'https' : 'http'}://${req.headers.host ?? ''}`)
  if (url === null || url.pathname !== '/' || url.username !== '' || url.search !== '' || url.hash !== '') return null
  return { origin: url.origin, keepsSignIn: isSecure || isLoopback(url.hostname) }
}

function isLoopback(hostname: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]') return true
  return isIPv4(hostname) && hostname.startsWith('127.')
}

export function explainPlainHttp({ origin }: Ours): string {
  const { host, port } = new URL(origin)
  const local = `http://localhost${port === '' ? '' : `:${port}`}`
  return `a browser keeps no sign-in for ${host} over plain http: put a proxy with TLS before Assize and set ASSIZE_TRUST_PROXY, or, on the machine it runs on, open ${local}`
}

/** Whether a page of this server sent it, as browsers say; for older ones the origin they name must be on this host. */
export function isBegunHere({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const named = headers.origin === undefined ? null : URL.parse(headers.origin)
  if (named === null || !/^https?:$/.test(named.protocol)) return false
  // Read under the origin's scheme: a proxy may speak TLS unannounced, and then port 443 is implied.
  return URL.parse(`${named.protocol}//${headers.host ?? ''}`)?.host === named.host
}
