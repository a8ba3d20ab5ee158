// Counts of failures in the last minute, by address or by another name. It only counts: callers decide whether to refuse. An
// attempt is counted when it begins and uncounted when it succeeds. Memory is bounded; when too many fail at once, the address that
// was quiet longest is forgotten.
import { isIPv6 } from 'node:net'
import { limits } from '../../limits.ts'
import { SlidingLog } from './rate-limit.ts'

export class FailedAttempts {
  readonly #most: number
  /** Logs by name; the one that was quiet longest comes first. */
  readonly #logs = new Map<string, SlidingLog>()

  /** `most`: attempts a minute. */
  constructor(most: number = limits.failedAttemptsPerMinute) {
    this.#most = most
  }

  /** Counts one attempt. Returns the seconds to wait if there were too many already, and then does not count it. */
  count(address: string, nowMs: number): number | null {
    const group = groupOf(address)
    const log = this.#logs.get(group) ?? new SlidingLog()
    this.#logs.delete(group)
    this.#makeRoom(nowMs)
    this.#logs.set(group, log)
    const { accepted, resetSeconds } = log.take(this.#most, nowMs)
    return accepted ? null : resetSeconds
  }

  /** Uncounts the attempt of that time: it has not failed. */
  giveBack(address: string, countedMs: number): void {
    this.#logs.get(groupOf(address))?.giveBack(countedMs)
  }

  areTooMany(address: string, nowMs: number): boolean {
    return this.#logs.get(groupOf(address))?.isFull(this.#most, nowMs) ?? false
  }

  /** Number of remembered addresses. */
  get size(): number {
    return this.#logs.size
  }

  #makeRoom(nowMs: number): void {
    for (const [group, log] of this.#logs) {
      if (this.#logs.size < limits.failingAddressesKept && log.tidy(nowMs)) return
      this.#logs.delete(group)
    }
  }
}

/** Group of an address: one subscriber of IPv6 has at least a /64; `::ffff:192.0.2.1` is an address of IPv4. */
export function groupOf(address: string): string {
  const plain = address.split('%')[0]!
  if (!isIPv6(plain)) return plain
  const lastPart = plain.slice(plain.lastIndexOf(':') + 1)
  if (lastPart.includes('.')) return lastPart
  const [before, after] = plain.split('::').map(side => side.split(':').filter(part => part !== ''))
  const zeros = after === undefined ? 0 : 8 - before!.length - after.length
  const parts = [...before!, ...Array<string>(zeros).fill('0'), ...(after ?? [])]
  const network = parts.slice(0, 4).map(part => Number.parseInt(part, 16).toString(16))
  return `${network.join(':')}::/64`
}
