// Origin of a request, and whether it used TLS: the peer's address and plain HTTP or, behind proxies the operator named, the values
// they forward.
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'

export class Proxies {
  readonly #trust: number | BlockList | null

  /** `trust`: the number of proxies in front of this server, or their addresses and ranges (`10.0.0.0/8`); `null`: none. */
  constructor(trust: number | readonly string[] | null) {
    this.#trust = trust === null || typeof trust === 'number' ? trust : blockListOf(trust)
  }

  clientAddress(req: IncomingMessage): string {
    const hops = this.#hops(req)
    return hops.at(-1 - this.#count(hops)) ?? hops[0]!
  }

  /** Whether the caller spoke TLS to the outermost trusted proxy. */
  isSecure(req: IncomingMessage): boolean {
    if (this.#trust === null || req.headers['x-forwarded-proto'] === undefined) return false
    const count = this.#count(this.#hops(req))
    // Everything before the entries of trusted proxies was written by the caller.
    const [outermost] = count === 0 ? [] : listOf(req.headers['x-forwarded-proto']).slice(-count)
    return outermost?.toLowerCase() === 'https'
  }

  /** Hops, the farthest first, the peer last. */
  #hops(req: IncomingMessage): readonly string[] {
    const peer = req.socket.remoteAddress ?? ''
    return this.#trust === null ? [peer] : [...listOf(req.headers['x-forwarded-for']), peer]
  }

  /** Number of trusted hops, counted from the nearest. */
  #count(hops: readonly string[]): number {
    if (this.#trust === null || typeof this.#trust === 'number') return this.#trust ?? 0
    return hops.length - 1 - hops.findLastIndex(hop => !this.#isProxy(hop))
  }

  #isProxy(address: string): boolean {
    if (!(this.#trust instanceof BlockList)) return false
    const plain = withoutMapping(address)
    return isIP(plain) !== 0 && this.#trust.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
  }
}

function listOf(header: string | readonly string[] | undefined): readonly string[] {
  return [header ?? []]
    .flat()
    .join(',')
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')
}

function blockListOf(addresses: readonly string[]): BlockList {
  const list = new BlockList()
  for (const each of addresses) {
    const [address = '', bits] = each.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number.parseInt(bits, 10), family)
  }
  return list
}

/** An address without its mapping: a server that listens on both families sees `::ffff:10.0.0.1`. */
function withoutMapping(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}
