// Hosts that may be asked though they are not on the public internet: the operator lists them in ASSIZE_PRIVATE_HOSTS, because a
// provider inside the house is usual. A name is listed as it is written in an issuer's address, an address or a range covers
// whatever a name resolves to.
import { BlockList, isIP } from 'node:net'

export class PrivateHosts {
  readonly #names = new Set<string>()
  readonly #ranges = new BlockList()

  constructor(listed: readonly string[]) {
    for (const each of listed) {
      const [address = '', bits] = each.split('/')
      const family = isIP(address)
      if (family === 0) this.#names.add(each.toLowerCase())
      else
        this.#ranges.addSubnet(
          address,
          bits === undefined ? (family === 4 ? 32 : 128) : Number(bits),
          `ipv${family}` as 'ipv4' | 'ipv6',
        )
    }
  }

  allowsName(hostname: string): boolean {
    return this.#names.has(hostname.toLowerCase())
  }

  allowsAddress(address: string): boolean {
    const family = isIP(address)
    return family !== 0 && this.#ranges.check(address, family === 4 ? 'ipv4' : 'ipv6')
  }
}
