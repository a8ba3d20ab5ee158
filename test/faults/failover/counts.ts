// What is counted while something fails: answers that are wrong, stale or a 5xx other than 503, writes that were acknowledged
// and are gone, requests beyond a limit, and how long nobody got an answer.

/** How long the notification of an entry may be on its way to another process (docs/OPERATING.md, "Several processes"). */
export const heardWithinMs = 3_000

/** A write that was acknowledged, by its number among those of one writer. */
export interface Acknowledged {
  readonly number: number
  readonly atMs: number
}

/** When an accepted request was sent and when its answer arrived: it was counted in between. */
export interface Accepted {
  readonly sentMs: number
  readonly answeredMs: number
}

export class Counts {
  readonly problems = new Set<string>()
  stale = 0
  wrong = 0
  lost = 0
  otherErrors = 0
  excess = 0
  reads = 0
  writes = 0
  unavailable = 0
  /** The oldest write that an answer did not show yet, within what is allowed. */
  slowestHeardMs = 0

  /** `seen` is the number of the newest write in an answer to a request that was sent then. */
  judgeRead(who: string, seen: number, sentMs: number, acknowledged: readonly Acknowledged[]): void {
    const missed = acknowledged.filter(({ number, atMs }) => number > seen && atMs < sentMs)
    if (missed.length === 0) return
    const lateMs = Math.max(...missed.map(({ atMs }) => sentMs - atMs))
    if (lateMs <= heardWithinMs) {
      this.slowestHeardMs = Math.max(this.slowestHeardMs, lateMs)
      return
    }
    this.stale++
    this.problems.add(
      `${who} did not show write ${missed.at(-1)!.number} ${Math.ceil(lateMs)} ms after its acknowledgement`,
    )
  }

  judgeStatus(who: string, status: number, text: string): void {
    if (status === 503) this.unavailable++
    else if (status >= 500) {
      this.otherErrors++
      this.problems.add(`${who}: ${status} ${text.slice(0, 200)}`)
    } else if (status !== 200 && status !== 204 && status !== 429)
      this.judgeWrong(`${who}: ${status} ${text.slice(0, 200)}`)
  }

  judgeWrong(what: string): void {
    this.wrong++
    this.problems.add(what)
  }

  judgeLost(what: string): void {
    this.lost++
    this.problems.add(`lost: ${what}`)
  }

  /** Certainly too many: all of them were sent and answered within one window, whose limit depends on when it was. */
  judgeLimit(limitOf: (fromMs: number, toMs: number) => number, windowMs: number, accepted: readonly Accepted[]): void {
    const byAnswer = accepted.toSorted((a, b) => a.answeredMs - b.answeredMs)
    const windows = byAnswer.map(({ answeredMs }) => {
      const fromMs = answeredMs - windowMs
      const inside = byAnswer.filter(each => each.sentMs > fromMs && each.answeredMs <= answeredMs).length
      const limit = limitOf(fromMs, answeredMs)
      return { inside, limit, excess: inside - limit }
    })
    const worst = windows.toSorted((a, b) => b.excess - a.excess)[0]
    if (worst === undefined || worst.excess <= 0) return
    this.excess = Math.max(this.excess, worst.excess)
    this.problems.add(`${worst.inside} requests were accepted within a window of ${worst.limit}`)
  }
}

/** The longest time between two of these moments, in seconds, from a moment on. */
export function longestGap(sinceMs: number, momentsMs: readonly number[]): number {
  const all = [sinceMs, ...momentsMs.filter(each => each > sinceMs)]
  return Math.max(0, ...all.slice(1).map((each, i) => each - all[i]!)) / 1000
}
