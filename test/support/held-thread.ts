// How long the main thread was held at a stretch: the longest pause between two turns of its loop while something is done.
import { monitorEventLoopDelay } from 'node:perf_hooks'

const resolutionMs = 5

/** The longest pause in milliseconds while `work` runs, and what came of it. */
export async function longestHold<T>(work: () => Promise<T>): Promise<{ readonly heldMs: number; readonly value: T }> {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs })
  delays.enable()
  try {
    const value = await work()
    // One more turn, so that a pause at the very end counts.
    await new Promise(resolve => setTimeout(resolve, 2 * resolutionMs))
    return { heldMs: delays.max / 1e6 - resolutionMs, value }
  } finally {
    delays.disable()
  }
}
