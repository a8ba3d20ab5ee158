// How long a thread is blocked without interruption while something is done: its own processor time between two turns of
// its loop. What other processes take from it on a busy machine does not count.
import { setTimeout as sleep } from 'node:timers/promises'

/** The aim: no request blocks the main thread for longer. */
export const mostBlockedMs = 50

const tickMs = 5

interface Hold<T> {
  readonly blockedMs: number
  readonly value: T
}

/** For this thread: the server's and the bench's own work together. */
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

function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
