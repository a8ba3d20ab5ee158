// Whose request it is: the peer's address, or, behind proxies the operator named, the one they forward.
import type { IncomingMessage } from 'node:http'

export function readClientAddress(req: IncomingMessage, trust: number | readonly string[] | null): string {
  const peer = req.socket.remoteAddress ?? ''
  if (trust === null) return peer
  const forwarded = req.headers['x-forwarded-for']
  const chain = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? ''))
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')
  const hops = [...chain, peer]
  if (typeof trust === 'number') return hops.at(-1 - trust) ?? hops[0]!
  // From the nearest on: the first that is no proxy of ours is the caller.
  return hops.findLast(hop => !trust.includes(hop)) ?? hops[0]!
}
