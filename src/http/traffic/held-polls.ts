// Requests that wait for a publication: a bounded number, woken by entries that their workspace sees, and all answered at once when
// the server stops. They hold no connection to the database.
import type { EntryNotice } from '../../storage/log/append.ts'

interface HeldPollsOptions {
  /** Most at once of one key, and of all. */
  readonly perKey: number
  readonly most: number
  /** Whether a workspace sees the subject of a notice; true where that is not known. */
  readonly isSeen: (workspaceId: string, notice: Pick<EntryNotice, 'scope' | 'kind' | 'subject'>) => boolean
  /** Whether notices arrive. If they do not, waiting requests check again from time to time. */
  readonly isHearing: () => boolean
  readonly deafMs: number
}

class HeldPoll {
  readonly workspaceId: string
  readonly keyId: string
  readonly #isHearing: () => boolean
  readonly #deafMs: number
  #isWoken = false
  #wake: (() => void) | null = null
  isEnded = false

  constructor(workspaceId: string, keyId: string, { isHearing, deafMs }: HeldPollsOptions) {
    this.workspaceId = workspaceId
    this.keyId = keyId
    this.#isHearing = isHearing
    this.#deafMs = deafMs
  }

  /** Wakes the poll: something was published, or it ended. Entries since the last wait count. */
  wake(): void {
    this.#isWoken = true
    this.#wake?.()
  }

  /** Returns when there may be something new, or after `ms`. */
  async next(ms: number): Promise<void> {
    if (!this.#isWoken && !this.isEnded) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#wake = resolve
      const timer = setTimeout(resolve, this.#isHearing() ? ms : Math.min(ms, this.#deafMs))
      await promise
      clearTimeout(timer)
      this.#wake = null
    }
    this.#isWoken = false
  }
}

export class HeldPolls {
  readonly #options: HeldPollsOptions
  readonly #open = new Map<string, Set<HeldPoll>>()
  readonly #ofKey = new Map<string, number>()
  #count = 0
  #isStopped = false

  constructor(options: HeldPollsOptions) {
    this.#options = options
  }

  get count(): number {
    return this.#count
  }

  /** Opens a poll; null where there is no place, or the server stops. */
  open(workspaceId: string, keyId: string): HeldPoll | null {
    const ofKey = this.#ofKey.get(keyId) ?? 0
    const left = this.#options.most - this.#count
    // A workspace has no more than are left, however many keys it has: another workspace always finds a place.
    const isFull = (this.#open.get(workspaceId)?.size ?? 0) >= left
    if (this.#isStopped || ofKey >= this.#options.perKey || isFull) return null
    const poll = new HeldPoll(workspaceId, keyId, this.#options)
    this.#count++
    this.#ofKey.set(keyId, ofKey + 1)
    const own = this.#open.get(workspaceId) ?? new Set()
    this.#open.set(workspaceId, own.add(poll))
    return poll
  }

  close(poll: HeldPoll): void {
    const own = this.#open.get(poll.workspaceId)
    if (own?.delete(poll) !== true) return
    if (own.size === 0) this.#open.delete(poll.workspaceId)
    this.#count--
    const ofKey = this.#ofKey.get(poll.keyId)! - 1
    if (ofKey === 0) this.#ofKey.delete(poll.keyId)
    else this.#ofKey.set(poll.keyId, ofKey)
  }

  /** Wakes the polls that see a published entry. */
  notify(notice: Pick<EntryNotice, 'scope' | 'kind' | 'subject'>): void {
    for (const [workspaceId, polls] of this.#open)
      if (this.#options.isSeen(workspaceId, notice)) for (const poll of polls) poll.wake()
  }

  /** Wakes all polls: very much was published, or the entries are unknown. */
  wakeAll(): void {
    for (const polls of this.#open.values()) for (const poll of polls) poll.wake()
  }

  /** Ends all polls: everybody is answered at once, and nobody waits any more. */
  stop(): void {
    this.#isStopped = true
    for (const polls of this.#open.values())
      for (const poll of polls) {
        poll.isEnded = true
        poll.wake()
      }
  }
}
