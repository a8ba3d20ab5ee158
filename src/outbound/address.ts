// Addresses that a connector may connect to. Names are resolved here, every address of a name must be public, and the connection
// goes to the address that was checked, so a name that resolves differently a moment later gains nothing.
import { lookup as lookupName } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'

interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>

export const resolveBySystem: Resolve = hostname => lookupName(hostname, { all: true })

/** Ranges that are not the public internet: IANA's special-purpose registries. */
const notPublic4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]

/** Only 2000::/3 is in use; within it, tunnels that carry another address and documentation ranges are excluded. */
const notPublic6: readonly (readonly [string, number])[] = [
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

/** IPv4-mapped IPv6 addresses (`::ffff:10.0.0.1`) need no rule of their own: their whole range is refused. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 0) return false
  const list = new BlockList()
  if (family === 4) for (const [net, bits] of notPublic4) list.addSubnet(net, bits, 'ipv4')
  else for (const [net, bits] of notPublic6) list.addSubnet(net, bits, 'ipv6')
  return !list.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

export class AddressRefused extends Error {}

/** Why an address of a name may not be connected to; null where it may. */
export type RefuseAddress = (hostname: string, address: string) => string | null

const refuseNotPublic: RefuseAddress = (hostname, address) =>
  isPublicAddress(address) ? null : formatNotPublic(hostname, address)

/** Words for an address that is not public. A name may be anybody's: the author is not told its addresses in this house. */
export function formatNotPublic(hostname: string, address: string): string {
  return hostname === address
    ? `${hostname} is not a public address`
    : `${hostname} resolves to an address inside the house, which is not a public address`
}

/** A `lookup` for sockets that refuses a name that has any address it may not have: usually one that is not public. */
export function lookupPublic(resolve: Resolve, refuse: RefuseAddress = refuseNotPublic): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname).then(
      addresses => {
        const refused = addresses.map(({ address }) => refuse(hostname, address)).find(why => why !== null)
        const wanted = addresses.filter(({ family }) => !options.family || options.family === family)
        if (refused !== undefined) done(new AddressRefused(refused), '', 0)
        else if (wanted.length === 0) done(new Error(`${hostname} has no address`), '', 0)
        else if (options.all) done(null, [...wanted])
        else done(null, wanted[0]!.address, wanted[0]!.family)
      },
      error => done(error, '', 0),
    )
  }
}
