// A pool's connections shared out among workspaces: each uses at most so many at a time, and never more than are still free; the
// next free one goes to the workspace that uses the fewest. So the work of one (its own import, a slow list) leaves connections
// for everybody else, however many workspaces are busy. One connection is left for queries that belong to no workspace. A caller
// that finds none free waits a while, then is refused.
import { Refusal } from '../../core/refusal.ts'
import { limits } from '../../limits.ts'

interface Share {
  used: number
  /** Waiting requests, oldest first. */
  readonly waiting: (() => void)[]
}

interface SharesOptions {
  /** Most connections for one workspace, and for all of them together. */
  readonly each: number
  readonly all: number
}

export class Shares {
  readonly #options: SharesOptions
  /** Shares by workspace; the one with the longest wait for its turn comes first. */
  readonly #shares = new Map<string, Share>()
  #used = 0

  constructor(options: SharesOptions) {
    this.#options = options
  }

  async run<T>(workspace: string, work: () => Promise<T>): Promise<T> {
    const share = this.#shares.get(workspace) ?? { used: 0, waiting: [] }
    this.#shares.set(workspace, share)
    if (this.#mayBegin(share)) this.#begin(share)
    else await this.#waitFor(workspace, share)
    try {
      return await work()
    } finally {
      share.used--
      this.#used--
      this.#next()
      this.#forget(workspace, share)
    }
  }

  #mayBegin({ used }: Share): boolean {
    return used < Math.min(this.#options.each, this.#options.all - this.#used)
  }

  #begin(share: Share): void {
    share.used++
    this.#used++
  }

  #next(): void {
    while (this.#beginOne());
  }

  /** A free place goes to the workspace that uses the fewest, there to the request that has waited longest. */
  #beginOne(): boolean {
    let chosen: readonly [string, Share] | null = null
    for (const each of this.#shares) {
      const isWaiting = each[1].waiting.length > 0 && this.#mayBegin(each[1])
      if (isWaiting && (chosen === null || each[1].used < chosen[1].used)) chosen = each
    }
    if (chosen === null) return false
    const [workspace, share] = chosen
    // After its turn a workspace comes last among those that use as many.
    this.#shares.delete(workspace)
    this.#shares.set(workspace, share)
    this.#begin(share)
    share.waiting.shift()!()
    return true
  }

  #forget(workspace: string, share: Share): void {
    if (share.used === 0 && share.waiting.length === 0 && this.#shares.get(workspace) === share)
      this.#shares.delete(workspace)
  }

  #waitFor(workspace: string, share: Share): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const { waiting } = share
    const begin = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(begin), 1)
      this.#forget(workspace, share)
      reject(new Refusal('unavailable', 'too much is under way in this workspace; try again in a moment'))
    }, limits.shareWaitMs)
    waiting.push(begin)
    return promise
  }
}
