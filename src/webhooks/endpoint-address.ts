// Check of a webhook's address: an address that sending would refuse is refused when it is entered, with the reason.
import { isIP } from 'node:net'
import { Refusal } from '../core/refusal.ts'
import { AddressRefused, type Resolve } from '../outbound/address.ts'
import { checkedAddress, refusalUnless } from '../outbound/guarded-request.ts'
import type { PrivateHosts } from '../outbound/private-hosts.ts'
import { webhookBounds } from '../storage/webhooks/webhook-bounds.ts'

/** Least port besides that of https: below it are the services of a machine. */
const leastPort = 1024

/** The address in its usual form. The name is resolved now, and again at each delivery. */
export async function readEndpoint(text: string, resolve: Resolve, privateHosts: PrivateHosts): Promise<string> {
  const url = checkForm(text, privateHosts)
  const name = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(name) !== 0) return url.href
  const addresses = await resolve(name).catch(() => [])
  if (addresses.length === 0) throw new Refusal('invalid', `the name ${name} cannot be resolved`)
  const refuse = refusalUnless(privateHosts)
  for (const { address } of addresses) {
    const why = refuse(name, address)
    if (why !== null) throw new Refusal('invalid', why)
  }
  return url.href
}

function checkForm(text: string, privateHosts: PrivateHosts): URL {
  try {
    const url = checkedAddress(text, privateHosts)
    if (url.href.length > webhookBounds.urlLength)
      throw new Refusal('invalid', `an address has at most ${webhookBounds.urlLength} characters`)
    if (url.hash !== '')
      throw new Refusal('invalid', 'the address must be without a part behind #, which is never sent')
    const port = url.port === '' ? null : Number.parseInt(url.port, 10)
    if (port !== null && port < leastPort)
      throw new Refusal('invalid', `port ${port} is that of another service: use 443, or ${leastPort} and above`)
    return url
  } catch (error) {
    if (error instanceof AddressRefused) throw new Refusal('invalid', error.message)
    throw error
  }
}
