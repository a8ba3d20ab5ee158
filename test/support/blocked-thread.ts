// How long a thread was blocked without interruption while something is done: its own processor time between two turns
// of its loop. What other processes take from it on a busy machine does not count, so the test can use the promised
// bound.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** No request blocks the main thread for longer. */
export const mostBlockedMs = 50

const tickMs = 5
const mostTries = 3

export interface Hold<T> {
  readonly blockedMs: number
  readonly value: T
}

/** For this thread, the server's and the test's own work together: a test should process answers afterwards. */
export async function longestBlock<T>(work: () => Promise<T>): Promise<Hold<T>> {
  let blockedMs = 0
  let beforeMs = processorMs()
  const look = () => {
    const nowMs = processorMs()
    blockedMs = Math.max(blockedMs, nowMs - beforeMs)
    beforeMs = nowMs
  }
  const ticks = setInterval(look, tickMs)
  try {
    const value = await work()
    // One more turn, so that a stretch at the very end counts.
    await sleep(2 * tickMs)
    return { blockedMs, value }
  } finally {
    clearInterval(ticks)
  }
}

/**
 * The shortest of a few tries, stopping at the first one within the bound: a garbage collection happens now and then,
 * the work itself each time. `prepare` resets what the work would find ready after the first try.
 */
export async function shortestBlock<T>(
  work: () => Promise<T>,
  prepare: () => Promise<void> = async () => {},
): Promise<Hold<T>> {
  let best: Hold<T> | null = null
  for (let tries = 0; tries < mostTries && (best === null || best.blockedMs >= mostBlockedMs); tries++) {
    await prepare()
    const next = await longestBlock(work)
    if (best === null || next.blockedMs < best.blockedMs) best = next
  }
  return best!
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/**
 * How long this thread has been ready to run, in total, while others had the processors; 0 if the system does not
 * report it. Elapsed time less this is what it would have been on an idle machine.
 */
export function crowdedOutMs(): number {
  try {
    const [, nanoseconds] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')
    return Number(nanoseconds) / 1e6
  } catch {
    return 0
  }
}
