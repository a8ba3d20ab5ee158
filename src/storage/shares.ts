// A pool's connections shared out: one workspace uses so many at a time and no more, so that what it waits for (its own
// import, a slow list) leaves connections for everybody else. A request that finds no free one waits a while, then is
// refused.
import { Refusal } from '../core/refusal.ts'
import { limits } from '../limits.ts'

interface Share {
  used: number
  /** Oldest first. */
  readonly waiting: (() => void)[]
}

export class Shares {
  readonly #most: number
  readonly #shares = new Map<string, Share>()

  constructor(most: number) {
    this.#most = most
  }

  async run<T>(workspace: string, work: () => Promise<T>): Promise<T> {
    const share = this.#shares.get(workspace) ?? { used: 0, waiting: [] }
    this.#shares.set(workspace, share)
    if (share.used < this.#most) share.used++
    else await waitFor(share)
    try {
      return await work()
    } finally {
      const next = share.waiting.shift()
      // The place goes to the request that has waited longest.
      if (next !== undefined) next()
      else if (--share.used === 0) this.#shares.delete(workspace)
    }
  }
}

function waitFor({ waiting }: Share): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const begin = () => {
    clearTimeout(timer)
    resolve()
  }
  const timer = setTimeout(() => {
    waiting.splice(waiting.indexOf(begin), 1)
    reject(new Refusal('unavailable', 'too much is under way in this workspace; try again in a moment'))
  }, limits.shareWaitMs)
  waiting.push(begin)
  return promise
}
